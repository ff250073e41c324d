//! One entry of a conversation, the same shape whichever CLI wrote it.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::{Millis, RuleVerdict, ToolResult, ToolUse};

/// Names a message within its session; the CLI's own id where it has one.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, TS)]
#[ts(export_to = "message.ts")]
pub struct MessageId(pub String);

/// One entry of a conversation. The same id sent again replaces the earlier one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "message.ts", optional_fields)]
pub struct Message {
    /// Its id.
    pub id: MessageId,
    /// Who speaks.
    pub role: MessageRole,
    /// When.
    pub at: Millis,
    /// What.
    pub body: MessageBody,
    /// The agent that speaks, when it is one that the session's own has set to work.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// The pictures that belong to it. Only their names: each is fetched from `/api/sessions/<session>/images/<id>`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub images: Option<Vec<ImageInfo>>,
}

/// A picture in a conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "message.ts")]
pub struct ImageInfo {
    /// Its name within the session, made of what it shows: the same picture has the same.
    pub id: String,
    /// What kind of picture it is.
    pub media_type: String,
}

/// Who speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
#[ts(export_to = "message.ts")]
pub enum MessageRole {
    /// The person.
    User,
    /// The CLI's model.
    Assistant,
    /// The CLI itself.
    System,
}

/// What a message says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "kebab-case", rename_all_fields = "camelCase")]
#[ts(export_to = "message.ts", optional_fields)]
pub enum MessageBody {
    /// Prose, as markdown.
    Text {
        /// The prose.
        text: String,
        /// True while more is to come.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        #[ts(as = "Option<bool>", optional)]
        streaming: bool,
    },
    /// The model's thinking.
    Thinking {
        /// The thinking.
        text: String,
    },
    /// A tool the model used, with its result once there is one.
    Tool {
        /// The tool's name.
        name: String,
        /// One line that says what it was used for.
        summary: String,
        /// What it was given; null where `purpose` says it all.
        #[ts(type = "unknown")]
        input: serde_json::Value,
        /// What it was used for, where the tool is known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        purpose: Option<ToolUse>,
        /// What came of it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        result: Option<ToolResult>,
    },
    /// Something the CLI says about itself.
    Notice {
        /// The notice.
        text: String,
    },
    /// A rule has answered a prompt, or would have.
    Automatic {
        /// What was asked about: the command, file or address.
        asked: String,
        /// What the rule said.
        verdict: RuleVerdict,
        /// The rule's id.
        rule_id: String,
        /// The rule's text.
        rule: String,
        /// True when rules were only tried out, and a person was asked.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        #[ts(as = "Option<bool>", optional)]
        shadow: bool,
    },
}
