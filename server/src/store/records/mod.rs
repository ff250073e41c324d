//! What the store keeps as JSON, in types of its own: the wire may change without making a file unreadable.
//!
//! A record converts from and to its wire type, field by field, so that a change of the wire does not compile before somebody
//! has decided what it means for what is stored. A field that is added here has a default; one that was written once is never
//! renamed: files of earlier versions hold it, and so does the index of words in the schema. Small values that are shown and
//! never looked into (a screen's lines, a diff, what a tool was used for) are kept as the wire has them.

mod message;
mod prompt;

pub(super) use message::MessageRecord;
pub(super) use prompt::{AnswerRecord, PromptRecord};

use serde::{Deserialize, Serialize};
use shared_types::{EndReason, FirstMessage};

/// The message a session is started with.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct FirstMessageRecord {
    text: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
}

impl From<FirstMessage> for FirstMessageRecord {
    fn from(FirstMessage { text, problem }: FirstMessage) -> Self {
        Self { text, problem }
    }
}

impl From<FirstMessageRecord> for FirstMessage {
    fn from(FirstMessageRecord { text, problem }: FirstMessageRecord) -> Self {
        Self { text, problem }
    }
}

/// How a session ended.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub(super) enum EndRecord {
    Exited { status: Option<i32> },
    Killed,
    Lost,
}

impl From<EndReason> for EndRecord {
    fn from(reason: EndReason) -> Self {
        match reason {
            EndReason::Exited { status } => Self::Exited { status },
            EndReason::Killed => Self::Killed,
            EndReason::Lost => Self::Lost,
        }
    }
}

impl From<EndRecord> for EndReason {
    fn from(record: EndRecord) -> Self {
        match record {
            EndRecord::Exited { status } => Self::Exited { status },
            EndRecord::Killed => Self::Killed,
            EndRecord::Lost => Self::Lost,
        }
    }
}
