//! What a CLI says through its hooks, and what it is told in return.
//!
//! A hook is a program that the CLI runs at certain moments and feeds with JSON; here it is always `answerback hook`. Some tell
//! only. One asks: Claude's `PermissionRequest` runs while the dialog stands on the screen and may answer it, so it is *held*
//! until somebody has. A [`Request`] is such a question; the dialog on the screen is its witness, and [`Request::shown_by`] says
//! whether a dialog is the one that belongs to it. An answer goes to the hook only where the hook can say exactly what the
//! person chose; everything else is typed into the dialog.

mod edit;
mod join;
#[cfg(test)]
mod tests;

use std::path::PathBuf;

use serde_json::Value;
use shared_types::{FileDiff, InteractivePrompt, PromptKind, PromptSource, Question};

pub use edit::{Edit, EditStep, diff};
pub use join::{Match, contradicts, strings_of};
pub(crate) use join::{is_change_of, is_command_of};

use crate::Sighting;
use join::{Subject, shows};

/// What a hook says.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct HookReading {
    /// Where the conversation is kept, when the hook tells.
    pub conversation: Option<Conversation>,
    /// What is asked, when the hook waits for a decision.
    pub request: Option<Request>,
}

/// A conversation as the CLI itself knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conversation {
    /// Its id.
    pub id: String,
    /// The file it is written to.
    pub transcript: PathBuf,
}

/// What a hook asks, while it waits.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// The prompt as the hook alone tells it: nothing is cut off, but the options are not yet in the CLI's words.
    pub sighting: Sighting,
    /// The changes to files that are asked for.
    pub edits: Vec<Edit>,
    /// What the hook was given; the decision needs parts of it.
    pub payload: Value,
}

/// What a hook tells of a dialog that it does not wait for, or the CLI's own record of a call that has no result yet: it never
/// makes a prompt, but completes the one on the screen.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Detail {
    /// The tool, in the CLI's own name for it, where that is told.
    pub tool_name: Option<String>,
    /// All that the tool would be given; of a command line, its text.
    pub tool_input: Option<Value>,
    /// The server and the tool, when it is an MCP server's.
    pub mcp_tool: Option<(String, String)>,
    /// The whole change.
    pub diff: Vec<FileDiff>,
    /// All questions with all their options.
    pub questions: Vec<Question>,
}

impl Request {
    /// Whether this dialog is the one of this request.
    #[must_use]
    pub fn shown_by(&self, dialog: &Sighting) -> Match {
        shows(dialog, &Subject::of_sighting(&self.sighting))
    }

    /// The dialog with everything that the hook tells beyond it.
    #[must_use]
    pub fn complete(&self, dialog: &Sighting) -> Sighting {
        let told = &self.sighting;
        let mut whole = Sighting { source: PromptSource::Hook, ..dialog.clone() };
        whole.tool_name.clone_from(&told.tool_name);
        whole.tool_input.clone_from(&told.tool_input);
        whole.agent = told.agent.clone().or(whole.agent);
        whole.plan = told.plan.clone().or(whole.plan);
        if !told.diff.is_empty() {
            whole.diff.clone_from(&told.diff);
        }
        if !told.questions.is_empty() {
            whole.title.clone_from(&told.title);
            whole.questions.clone_from(&told.questions);
        }
        // A plan that the hook does not bring along is only as whole as the dialog shows it.
        whole.incomplete = dialog.incomplete && dialog.kind == PromptKind::Plan && told.plan.is_none();
        whole
    }
}

/// Whether a dialog shows the prompt that was told before, when only its hook had been seen.
#[must_use]
pub fn shows_prompt(dialog: &Sighting, prompt: &InteractivePrompt) -> bool {
    prompt.source == Some(PromptSource::Hook) && shows(dialog, &Subject::of_prompt(prompt)) == Match::Yes
}

/// What a person reads of a tool's input: the command alone for the CLI's own `shell` tool, when beside it there are only the
/// `description` and the `timeout`, which no command depends on; else every field, because any of them may be what matters.
#[must_use]
pub fn shown_input(tool: &str, shell: &str, input: &Value) -> Value {
    let Value::Object(fields) = input else { return input.clone() };
    let harmless = |(name, value): (&String, &Value)| match name.as_str() {
        "command" | "description" => value.is_string(),
        "timeout" => value.is_number(),
        _ => false,
    };
    match fields.get("command") {
        Some(command) if tool == shell && fields.iter().all(harmless) => command.clone(),
        _ => input.clone(),
    }
}
