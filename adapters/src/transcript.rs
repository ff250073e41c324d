//! What a CLI wrote down of its conversation, normalized.
//!
//! Every CLI keeps its conversations in files of its own. An adapter says where they are and how one is known
//! ([`place`]), and what a line of one says ([`TranscriptEntry`]). It keeps nothing between lines: what came of a tool names the
//! message of the call by the call's own id, and whoever keeps the messages joins the two. So a reader can begin anywhere in a
//! file, as after a restart.

pub mod build;
#[cfg(test)]
pub(crate) mod outline;
pub(crate) mod pending;
pub mod pictures;
pub mod place;
#[cfg(test)]
mod tests;
pub mod value;

use shared_types::{ImageInfo, Message, MessageBody, MessageId, ToolResult, Usage};

pub use place::{Form, Head, Running, Shelf, units};

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
    /// What came of a tool that was used earlier in the conversation.
    Result {
        /// The message of its use.
        id: MessageId,
        /// What came of it.
        result: ToolResult,
    },
    /// A picture that a message or a result names.
    Image {
        /// Its name and kind.
        info: ImageInfo,
        /// The picture.
        base64: String,
    },
    /// What the conversation has used so far; numbers that are left out stay as they are.
    Usage(Usage),
}

/// Joins what came of a tool to the message of its use. A later result replaces an earlier one, as when an agent that was
/// only set to work is done; the change that was made, the answers that were given and the like stay known.
pub fn join(message: &mut Message, newer: ToolResult) {
    let MessageBody::Tool { result, .. } = &mut message.body else { return };
    let older = result.take().unwrap_or_default();
    *result = Some(ToolResult {
        exit_code: newer.exit_code.or(older.exit_code),
        diff: newer.diff.or(older.diff),
        answers: newer.answers.or(older.answers),
        agent: newer.agent.or(older.agent),
        images: newer.images.or(older.images),
        ..newer
    });
}
