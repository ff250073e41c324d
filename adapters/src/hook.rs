//! What a CLI says through its hooks, and what it is told in return.
//!
//! A hook is a program that the CLI runs at certain moments and feeds with JSON; here it is always `answerback hook`. Some tell
//! only. One asks: Claude's `PermissionRequest` runs while the dialog stands on the screen and may answer it, so it is *held*
//! until somebody has. A [`Request`] is such a question; the dialog on the screen is its witness, and [`Request::shown_by`] says
//! whether a dialog is the one that belongs to it. An answer goes to the hook only where the hook can say exactly what the
//! person chose; everything else is typed into the dialog.

mod edit;
#[cfg(test)]
mod tests;

use std::path::PathBuf;

use serde_json::Value;
use shared_types::{FileDiff, InteractivePrompt, PromptKind, PromptSource, Question};

pub use edit::{Edit, EditStep, diff};

use crate::{Sighting, layout::squash};

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

/// What a hook tells of a dialog that it does not wait for: it never makes a prompt, but completes the one on the screen.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Detail {
    /// All that the tool would be given; of a command line, its text.
    pub tool_input: Option<Value>,
    /// The server and the tool, when it is an MCP server's.
    pub mcp_tool: Option<(String, String)>,
    /// The whole change.
    pub diff: Vec<FileDiff>,
    /// All questions with all their options.
    pub questions: Vec<Question>,
}

/// Whether a dialog on the screen belongs to a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Match {
    /// It is another one.
    No,
    /// What the dialog shows does not say: its top is cut off, or it never shows what it is about.
    Perhaps,
    /// It says the same.
    Yes,
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
        whole
    }
}

/// Whether a dialog shows the prompt that was told before, when only its hook had been seen.
#[must_use]
pub fn shows_prompt(dialog: &Sighting, prompt: &InteractivePrompt) -> bool {
    prompt.source == Some(PromptSource::Hook) && shows(dialog, &Subject::of_prompt(prompt)) == Match::Yes
}

/// What a prompt is about.
struct Subject<'a> {
    kind: PromptKind,
    tool: Option<&'a str>,
    input: Option<&'a Value>,
    questions: Vec<&'a str>,
}

impl<'a> Subject<'a> {
    fn of_sighting(sighting: &'a Sighting) -> Self {
        let several = sighting.questions.iter().map(|question| question.question.as_str());
        Self {
            kind: sighting.kind,
            tool: sighting.tool_name.as_deref(),
            input: sighting.tool_input.as_ref(),
            questions: several.chain([sighting.title.as_str()]).collect(),
        }
    }

    fn of_prompt(prompt: &'a InteractivePrompt) -> Self {
        let several = prompt.questions.iter().flatten().map(|question| question.question.as_str());
        Self {
            kind: prompt.kind,
            tool: prompt.tool_name.as_deref(),
            input: prompt.tool_input.as_ref(),
            questions: several.chain([prompt.title.as_str()]).collect(),
        }
    }
}

fn shows(dialog: &Sighting, subject: &Subject<'_>) -> Match {
    if dialog.kind != subject.kind {
        return Match::No;
    }
    if let (Some(seen), Some(told)) = (&dialog.tool_name, subject.tool)
        && squash(seen) != squash(told)
    {
        return Match::No;
    }
    match dialog.kind {
        PromptKind::Question => {
            let seen = squash(&dialog.title);
            // The page that reviews the answers shows none of the questions as its title.
            if subject.questions.iter().any(|question| squash(question) == seen) { Match::Yes } else { Match::Perhaps }
        }
        // There is one plan at a time, and its dialog may scroll.
        PromptKind::Plan => Match::Yes,
        _ => match (&dialog.tool_input, subject.input) {
            (Some(seen), Some(told)) => same_input(seen, told, dialog.tool_name.is_some()),
            _ if dialog.tool_name.is_some() => Match::Perhaps,
            // Nothing says that it is about this tool: it may be another dialog altogether.
            _ => Match::No,
        },
    }
}

/// Whether what a dialog shows of a tool's input is that input. `whole` when the dialog's top is not cut off.
fn same_input(seen: &Value, told: &Value, whole: bool) -> Match {
    match seen {
        // One text is the command, or all that the dialog shows of some other tool's input.
        Value::String(text) => match told.get("command").and_then(Value::as_str).or(told.as_str()) {
            Some(command) if is_same(text, command) => Match::Yes,
            Some(command) if !whole && squash(command).contains(&squash(text)) => Match::Perhaps,
            Some(_) => Match::No,
            None => Match::Perhaps,
        },
        Value::Object(fields) => {
            let agrees = fields.iter().all(|(name, value)| match (text_of(value), told.get(name)) {
                (Some(seen), Some(told)) => text_of(told).is_some_and(|told| is_same(&seen, &told)),
                _ => true,
            });
            if agrees { Match::Yes } else { Match::No }
        }
        _ => Match::Perhaps,
    }
}

/// A dialog wraps texts anywhere, cuts long ones with `…` and shows paths from its own folder on.
fn is_same(seen: &str, told: &str) -> bool {
    let (seen, told) = (squash(seen), squash(told));
    if seen.contains('…') {
        return seen.split('…').all(|piece| told.contains(piece));
    }
    let from_home = seen.strip_prefix("~/").unwrap_or(&seen);
    seen == told || told.strip_suffix(from_home).is_some_and(|folder| folder.starts_with('/') && folder.ends_with('/'))
}

fn text_of(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(_) | Value::Bool(_) => Some(value.to_string()),
        _ => None,
    }
}
