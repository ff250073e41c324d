//! What a CLI wrote down of its conversation, normalized.

use shared_types::{Message, MessageId};

/// One thing a transcript says.
#[derive(Debug, Clone, PartialEq)]
pub enum TranscriptEntry {
    /// A message is new, or replaces the one with the same id.
    Message(Message),
    /// More of a message that is still being written.
    Delta {
        /// Of which message.
        id: MessageId,
        /// What to append.
        text: String,
    },
}
