//! A session: one CLI running in one terminal pane.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use uuid::Uuid;

use crate::{Actor, AdapterKind, Millis};

/// Names a session for ever, across restarts of the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, TS)]
#[ts(export_to = "session.ts")]
pub struct SessionId(pub Uuid);

/// How freely a CLI may act without asking.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
#[ts(export_to = "session.ts")]
pub enum PermissionMode {
    /// Ask before everything that matters.
    Ask,
    /// Edit files in the folder without asking.
    AcceptEdits,
    /// Only plan, change nothing.
    Plan,
    /// Let the CLI judge for itself.
    Auto,
    /// Never ask. Only ever chosen by the person, in so many words.
    Bypass,
}

/// A session as every page shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "session.ts", optional_fields)]
pub struct Session {
    /// Its id.
    pub id: SessionId,
    /// Its name, for people; can be changed.
    pub name: String,
    /// Who reads it.
    pub adapter: AdapterKind,
    /// The folder it works in.
    pub folder: String,
    /// What it is doing.
    pub state: SessionState,
    /// When that state began.
    pub state_since: Millis,
    /// When the session was started.
    pub created_at: Millis,
    /// The last line worth showing in a list.
    pub last_line: String,
    /// How many messages it has; more than the page has seen means unread.
    pub message_count: u64,
    /// True when the conversation arrives as messages; false when only the screen tells.
    pub has_messages: bool,
    /// What to type at the desk to join it.
    pub attach_command: String,
    /// The permission mode it is in: what its screen says, or else what it was started in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<PermissionMode>,
    /// The id by which the CLI itself knows the conversation, once it is known: with it the conversation can be resumed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conversation: Option<String>,
    /// What the conversation has used so far, as far as the CLI writes it down.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
    /// Messages that the CLI has taken while it worked and has not begun with, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<String>>")]
    pub queued: Vec<String>,
    /// The message it was started with, until the CLI has taken it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_message: Option<FirstMessage>,
    /// What of it other sessions were asked to review, oldest first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reviews: Option<Vec<Review>>,
    /// True when the session was started with hooks and none ever came: its prompts are read from the screen alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub screen_only: Option<bool>,
    /// Who started it, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started_by: Option<Actor>,
}

/// The message a session was started with: typed once, as soon as the CLI waits for one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "session.ts", optional_fields)]
pub struct FirstMessage {
    /// What it says.
    pub text: String,
    /// Why it is not sure to have been taken; it is then not typed again by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

/// Names a review for ever; chosen by the page, so that the same one asked for twice is one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, TS)]
#[ts(export_to = "session.ts")]
pub struct ReviewId(pub Uuid);

/// A review of something said or done in one session by another session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "session.ts")]
pub struct Review {
    /// Its id.
    pub id: ReviewId,
    /// The session that reviews.
    pub reviewer: SessionId,
    /// What is reviewed, in one line.
    pub subject: String,
    /// When it was asked for.
    pub created_at: Millis,
}

/// Who is to review.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "kebab-case", rename_all_fields = "camelCase")]
#[ts(export_to = "session.ts")]
pub enum Reviewer {
    /// A session that is started for it.
    New {
        /// With these choices.
        start: StartSession,
    },
    /// A session that is there.
    Existing {
        /// Which.
        session_id: SessionId,
    },
}

/// What a conversation has used. Each number is there when the CLI tells it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "session.ts", optional_fields)]
pub struct Usage {
    /// The model that spoke last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// How much of the model's memory the conversation takes, in tokens.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context_tokens: Option<u64>,
    /// How much that memory holds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context_window: Option<u64>,
    /// Tokens sent to the model, all together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input_tokens: Option<u64>,
    /// Tokens that came from it, all together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output_tokens: Option<u64>,
    /// What it has cost, in millionths of a US dollar.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost_micros: Option<u64>,
}

impl Usage {
    /// Takes over what newer numbers say; what they leave out stays.
    pub fn update(&mut self, newer: Self) {
        self.model = newer.model.or(self.model.take());
        self.context_tokens = newer.context_tokens.or(self.context_tokens);
        self.context_window = newer.context_window.or(self.context_window);
        self.input_tokens = newer.input_tokens.or(self.input_tokens);
        self.output_tokens = newer.output_tokens.or(self.output_tokens);
        self.cost_micros = newer.cost_micros.or(self.cost_micros);
    }
}

/// What a session is doing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "kebab-case", rename_all_fields = "camelCase")]
#[ts(export_to = "session.ts")]
pub enum SessionState {
    /// The CLI is coming up.
    Starting {
        /// What it waits for, for people.
        detail: String,
    },
    /// It waits for a message.
    Ready,
    /// It works.
    Busy {
        /// What at, where the CLI says so.
        detail: String,
    },
    /// A prompt waits for the person.
    Waiting,
    /// Its screen cannot be reached just now; it may well run on.
    Unreachable {
        /// Why, for people.
        detail: String,
    },
    /// It is over.
    Ended {
        /// How it ended.
        reason: EndReason,
    },
}

/// How a session ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "kebab-case", rename_all_fields = "camelCase")]
#[ts(export_to = "session.ts")]
pub enum EndReason {
    /// The program ended by itself.
    Exited {
        /// Its exit status, where it is known.
        status: Option<i32>,
    },
    /// The person ended it.
    Killed,
    /// The terminal it ran in is gone, as after a reboot.
    Lost,
}

/// An earlier conversation that a CLI has kept, wherever it was held.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "session.ts", optional_fields)]
pub struct ConversationInfo {
    /// Whose.
    pub adapter: AdapterKind,
    /// The CLI's own id of it.
    pub id: String,
    /// The folder it was held in, where the CLI tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder: Option<String>,
    /// What it is about: the name it was given, or what was said first.
    pub title: String,
    /// When something was last said in it.
    pub updated_at: Millis,
    /// How long its file is, in bytes.
    pub size: u64,
    /// How many messages it has, where that is quickly told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub messages: Option<u64>,
}

/// What a person chooses for a new session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "session.ts", optional_fields)]
pub struct StartSession {
    /// Which adapter.
    pub adapter: AdapterKind,
    /// An existing folder, absolute or beginning with `~`.
    pub folder: String,
    /// The program and its arguments, for adapters that take one; further arguments for the others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<Vec<String>>,
    /// A name; by default the folder's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// A permission mode the adapter offers; by default the most careful.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<PermissionMode>,
    /// The conversation to go on with, by the CLI's own id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resume: Option<String>,
    /// A model, in the CLI's own name for it; by default the CLI's choice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The first message, sent once the CLI waits for one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// The terminal's size as (columns, rows), when it is started from one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<(u16, u16)>,
    /// True when the person says that the folder's own settings may run what they name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trust_folder: Option<bool>,
    /// The same key sent twice starts one session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub idempotency_key: Option<Uuid>,
}

impl StartSession {
    /// A session in a folder, with everything else as the adapter has it.
    #[must_use]
    pub fn new(adapter: AdapterKind, folder: impl Into<String>) -> Self {
        Self {
            adapter,
            folder: folder.into(),
            command: None,
            name: None,
            mode: None,
            resume: None,
            model: None,
            message: None,
            size: None,
            trust_folder: None,
            idempotency_key: None,
        }
    }
}
