//! A tool that a model used: what for, and what came of it.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::{FileDiff, ImageInfo};

/// What a tool was used for, where the adapter knows the tool. What is said here is not said again in the raw input.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "kebab-case", rename_all_fields = "camelCase")]
#[ts(export_to = "tool.ts", optional_fields)]
pub enum ToolUse {
    /// A command was run.
    Command {
        /// The command as it was given to the shell.
        command: String,
    },
    /// Files were to be changed; [`ToolResult::diff`] says what was changed in the end.
    Edit {
        /// The wanted change.
        diff: Vec<FileDiff>,
    },
    /// A file was read.
    Read {
        /// Which.
        path: String,
    },
    /// Files or their text were searched.
    Search {
        /// What for.
        query: String,
        /// Where, when it was not everywhere.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        place: Option<String>,
    },
    /// The web was searched or read.
    Web {
        /// The address or the words.
        target: String,
    },
    /// The list of what is to be done, as it is from now on.
    Todos {
        /// All of it.
        items: Vec<TodoItem>,
    },
    /// Another agent was set to work.
    Agent {
        /// Which one, where it has a name.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        agent: Option<String>,
        /// What it was told.
        task: String,
    },
    /// The person was asked; [`ToolResult::answers`] says what they said.
    Questions {
        /// The questions.
        questions: Vec<AskedQuestion>,
    },
    /// A plan was put before the person.
    Plan {
        /// The plan, as markdown.
        plan: String,
    },
}

/// One thing that is to be done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "tool.ts")]
pub struct TodoItem {
    /// What.
    pub text: String,
    /// How far it is.
    pub state: TodoState,
}

/// How far a thing on the list is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
#[ts(export_to = "tool.ts")]
pub enum TodoState {
    /// Not begun.
    Open,
    /// Being worked on.
    Doing,
    /// Done.
    Done,
    /// Given up.
    Dropped,
}

/// A question as the model asked it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "tool.ts")]
pub struct AskedQuestion {
    /// The question.
    pub question: String,
    /// What could be chosen; empty when it asked for text.
    pub options: Vec<String>,
}

/// What the person said to one question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "tool.ts")]
pub struct GivenAnswer {
    /// The question, in the words it was asked in, or the CLI's short name of it.
    pub question: String,
    /// The answer.
    pub answer: String,
}

/// What came of using a tool.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "tool.ts", optional_fields)]
pub struct ToolResult {
    /// True when it worked.
    pub ok: bool,
    /// What it printed or said; of much only the end.
    pub output: String,
    /// True when more was printed before what is kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clipped: Option<bool>,
    /// The exit status of a command.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i32>,
    /// The change it made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub diff: Option<Vec<FileDiff>>,
    /// What the person answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answers: Option<Vec<GivenAnswer>>,
    /// The agent that was set to work, by the name its own messages carry in [`crate::Message::agent`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// The pictures it gave back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub images: Option<Vec<ImageInfo>>,
}
