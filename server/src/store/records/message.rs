//! A message of a conversation as it is kept.

use serde::{Deserialize, Serialize};
use shared_types::{ImageInfo, Message, MessageBody, MessageId, MessageRole, Millis, RuleVerdict, ToolResult, ToolUse};

use crate::store::StoreError;

/// A message.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::store) struct MessageRecord {
    id: MessageId,
    role: MessageRole,
    at: Millis,
    body: BodyRecord,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    agent: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    images: Option<Vec<ImageInfo>>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case", rename_all_fields = "camelCase")]
enum BodyRecord {
    Text {
        text: String,
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        streaming: bool,
    },
    Thinking {
        text: String,
    },
    Tool {
        name: String,
        summary: String,
        input: serde_json::Value,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        purpose: Option<ToolUse>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        result: Option<ToolResult>,
    },
    Notice {
        text: String,
    },
    Automatic {
        asked: String,
        verdict: RuleVerdict,
        rule_id: String,
        rule: String,
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        shadow: bool,
    },
}

impl MessageRecord {
    /// A message from its stored JSON. One that cannot be read becomes a notice that says so: the rest of the conversation can.
    pub(in crate::store) fn read(id: String, json: &str) -> Message {
        serde_json::from_str::<Self>(json).map(Message::from).unwrap_or_else(|error| {
            let error = StoreError::from(error);
            tracing::warn!(message = id, %error, "a stored message cannot be read");
            let text = "This message cannot be read by this version of Answerback.".to_owned();
            let body = MessageBody::Notice { text };
            Message { id: MessageId(id), role: MessageRole::System, at: 0, body, agent: None, images: None }
        })
    }
}

impl From<Message> for MessageRecord {
    fn from(Message { id, role, at, body, agent, images }: Message) -> Self {
        let body = match body {
            MessageBody::Text { text, streaming } => BodyRecord::Text { text, streaming },
            MessageBody::Thinking { text } => BodyRecord::Thinking { text },
            MessageBody::Tool { name, summary, input, purpose, result } => {
                BodyRecord::Tool { name, summary, input, purpose, result }
            }
            MessageBody::Notice { text } => BodyRecord::Notice { text },
            MessageBody::Automatic { asked, verdict, rule_id, rule, shadow } => {
                BodyRecord::Automatic { asked, verdict, rule_id, rule, shadow }
            }
        };
        Self { id, role, at, body, agent, images }
    }
}

impl From<MessageRecord> for Message {
    fn from(MessageRecord { id, role, at, body, agent, images }: MessageRecord) -> Self {
        let body = match body {
            BodyRecord::Text { text, streaming } => MessageBody::Text { text, streaming },
            BodyRecord::Thinking { text } => MessageBody::Thinking { text },
            BodyRecord::Tool { name, summary, input, purpose, result } => {
                MessageBody::Tool { name, summary, input, purpose, result }
            }
            BodyRecord::Notice { text } => MessageBody::Notice { text },
            BodyRecord::Automatic { asked, verdict, rule_id, rule, shadow } => {
                MessageBody::Automatic { asked, verdict, rule_id, rule, shadow }
            }
        };
        Self { id, role, at, body, agent, images }
    }
}
