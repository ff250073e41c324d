//! A session: one CLI running in one terminal pane.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use uuid::Uuid;

use crate::Millis;

/// Names a session for ever, across restarts of the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, TS)]
#[ts(export_to = "session.ts")]
pub struct SessionId(pub Uuid);

/// Which adapter reads a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
#[ts(export_to = "session.ts")]
pub enum AdapterKind {
    /// Claude Code.
    Claude,
    /// OpenAI Codex CLI.
    Codex,
    /// Gemini CLI.
    Gemini,
    /// The demo agent inside the binary.
    Demo,
    /// Any other program.
    Generic,
}

/// An adapter as the page offers it for a new session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "session.ts", optional_fields)]
pub struct AdapterInfo {
    /// Which.
    pub kind: AdapterKind,
    /// Its name, for people.
    pub name: String,
    /// True when its program was found on this machine.
    pub installed: bool,
    /// The permission modes it can be started in; the first is the default. Empty: it has none.
    pub modes: Vec<PermissionMode>,
    /// True when the person names the program to run.
    pub takes_command: bool,
    /// True when the mode of a running session can be changed.
    pub changes_mode: bool,
}

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
    /// The terminal's size as (columns, rows), when it is started from one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<(u16, u16)>,
}
