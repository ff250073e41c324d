//! Which dialog belongs to which request of a hook.
//!
//! A dialog wraps what it shows, cuts it at the end of a row, clips its top, and draws other signs for characters that cannot be
//! seen; all of that is allowed for, on both sides alike. A permission is never joined on a mere chance: it shows what the
//! request is about, or it is another one.

use serde_json::Value;
use shared_types::{FileDiff, InteractivePrompt, PromptKind, visible::without_unseen};

use super::Request;
use crate::{
    Sighting,
    layout::{cuts::is_cut_mark, squash},
};

/// Whether a dialog on the screen belongs to a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Match {
    /// It is another one, or shows too little of a permission to tell.
    No,
    /// A question whose text the dialog does not show, as the page that reviews the answers. Never said of a permission.
    Perhaps,
    /// It says the same.
    Yes,
}

/// Whether a settled permission dialog contradicts every permission that is asked for: they say one thing, and the dialog says
/// another. Such a dialog must not be answered by buttons: a text may have been drawn to look like a dialog.
#[must_use]
pub fn contradicts<'a>(dialog: &Sighting, held: impl IntoIterator<Item = &'a Request>) -> bool {
    let mut asked = held.into_iter().filter(|request| request.sighting.kind == PromptKind::Permission).peekable();
    let is_other = |request: &Request| compare(dialog, &Subject::of_sighting(&request.sighting)) == Comparison::Other;
    dialog.kind == PromptKind::Permission && asked.peek().is_some() && asked.all(is_other)
}

/// What a prompt is about.
pub(super) struct Subject<'a> {
    kind: PromptKind,
    tool: Option<&'a str>,
    input: Option<&'a Value>,
    questions: Vec<&'a str>,
}

/// What comparing a permission dialog with a request tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Comparison {
    /// The dialog shows what the request is about.
    Same,
    /// It shows something else.
    Other,
    /// It shows nothing that could be compared.
    Unknown,
}

impl<'a> Subject<'a> {
    pub(super) fn of_sighting(sighting: &'a Sighting) -> Self {
        let several = sighting.questions.iter().map(|question| question.question.as_str());
        Self {
            kind: sighting.kind,
            tool: sighting.tool_name.as_deref(),
            input: sighting.tool_input.as_ref(),
            questions: several.chain([sighting.title.as_str()]).collect(),
        }
    }

    pub(super) fn of_prompt(prompt: &'a InteractivePrompt) -> Self {
        let several = prompt.questions.iter().flatten().map(|question| question.question.as_str());
        Self {
            kind: prompt.kind,
            tool: prompt.tool_name.as_deref(),
            input: prompt.tool_input.as_ref(),
            questions: several.chain([prompt.title.as_str()]).collect(),
        }
    }
}

/// Whether a dialog shows what a prompt is about.
pub(super) fn shows(dialog: &Sighting, subject: &Subject<'_>) -> Match {
    if dialog.kind != subject.kind {
        return Match::No;
    }
    match dialog.kind {
        _ if is_other_tool(dialog, subject) => Match::No,
        PromptKind::Question => {
            let seen = bare(&dialog.title);
            // The page that reviews the answers shows none of the questions as its title.
            if subject.questions.iter().any(|question| bare(question) == seen) { Match::Yes } else { Match::Perhaps }
        }
        // There is one plan at a time, and its dialog may scroll.
        PromptKind::Plan => Match::Yes,
        _ if compare(dialog, subject) == Comparison::Same => Match::Yes,
        _ => Match::No,
    }
}

fn is_other_tool(dialog: &Sighting, subject: &Subject<'_>) -> bool {
    dialog.tool_name.as_deref().zip(subject.tool).is_some_and(|(seen, told)| bare(seen) != bare(told))
}

fn compare(dialog: &Sighting, subject: &Subject<'_>) -> Comparison {
    if is_other_tool(dialog, subject) {
        return Comparison::Other;
    }
    let Some(told) = subject.input else { return Comparison::Unknown };
    let same_tool = dialog.tool_name.is_some() && subject.tool.is_some();
    match &dialog.tool_input {
        Some(Value::String(seen)) => compare_text(seen, told, dialog.incomplete),
        Some(Value::Object(fields)) => {
            let compared: Vec<bool> =
                fields.iter().filter_map(|(name, seen)| compare_field(name, seen, told)).collect();
            match compared.iter().all(|same| *same) {
                false => Comparison::Other,
                true if compared.is_empty() && !(same_tool && told.is_object()) => Comparison::Unknown,
                true if shows_other_change(dialog, told) => Comparison::Unknown,
                true => Comparison::Same,
            }
        }
        Some(_) => Comparison::Unknown,
        // Its words may still name what the tool would be given.
        None if same_tool => {
            let words = bare(&format!("{}\n{}", dialog.title, dialog.description));
            let mut texts = texts_of(told).into_iter().filter(|text| !text.is_empty()).peekable();
            let named = texts.peek().is_none() || texts.any(|text| words.contains(&text));
            if named { Comparison::Same } else { Comparison::Unknown }
        }
        None => Comparison::Unknown,
    }
}

/// One text in a dialog is the command, or all that it shows of some other tool's input.
fn compare_text(seen: &str, told: &Value, clipped: bool) -> Comparison {
    /// So much of the end of a command that is cut off at its top tells it from others.
    const TAIL: usize = 8;
    let Some(command) = told.get("command").or(Some(told)).and_then(Value::as_str) else {
        let (seen, texts) = (seen.to_owned(), texts_of(told));
        let all = !texts.is_empty() && texts.iter().all(|text| bare(&seen).contains(text));
        let same = all || texts.iter().any(|text| is_same(&seen, text));
        return if same { Comparison::Same } else { Comparison::Unknown };
    };
    let (tail, whole) = (bare(seen), bare(command));
    if is_same(seen, command) || clipped && tail.chars().count() >= TAIL && whole.ends_with(&tail) {
        Comparison::Same
    } else if clipped && whole.contains(&tail) {
        Comparison::Unknown
    } else {
        Comparison::Other
    }
}

/// Whether a field of a dialog says what the tool would be given there; nothing where that cannot be compared.
fn compare_field(name: &str, seen: &Value, told: &Value) -> Option<bool> {
    let seen = text_of(seen).filter(|seen| !seen.is_empty())?;
    match told.get(name) {
        Some(told) => Some(is_same(&seen, &text_of(told)?)),
        // Notebooks have another name for their path.
        None => texts_of(told).iter().any(|told| is_same(&seen, told)).then_some(true),
    }
}

/// True when none of the lines that the dialog adds is among those that the tool would write.
fn shows_other_change(dialog: &Sighting, told: &Value) -> bool {
    const TELLING: usize = 4;
    let added = dialog.diff.iter().flat_map(|file| file.unified.lines()).filter_map(|line| line.strip_prefix('+'));
    let added: Vec<String> = added.map(bare).filter(|line| line.chars().count() >= TELLING).collect();
    let written: Vec<String> = written_by(told).into_iter().filter(|line| line.chars().count() >= TELLING).collect();
    let fits = |line: &String| written.iter().any(|told| told.contains(line) || line.contains(told));
    !added.is_empty() && !written.is_empty() && !added.iter().any(fits)
}

/// A dialog wraps texts anywhere, cuts long ones at their end with `…`, and shows paths from its own folder on.
fn is_same(seen: &str, told: &str) -> bool {
    let (seen, told) = (bare(seen), bare(told));
    if let Some(begins) = seen.strip_suffix('…').filter(|begins| !begins.is_empty()) {
        return told.starts_with(begins);
    }
    let from_home = seen.strip_prefix("~/").unwrap_or(&seen);
    seen == told || told.strip_suffix(from_home).is_some_and(|folder| folder.starts_with('/') && folder.ends_with('/'))
}

/// A dialog shows the end of a long change, wrapped and without its head; all that it does show must be in the change.
pub(crate) fn is_change_of(seen: &FileDiff, told: &FileDiff) -> bool {
    let same_file = told.path == seen.path || told.path.ends_with(&format!("/{}", seen.path));
    let changes = |diff: &FileDiff| -> Vec<String> {
        diff.unified.lines().filter(|line| line.starts_with(['+', '-'])).map(squash).collect()
    };
    let (seen, told) = (changes(seen), changes(told).join("\n"));
    same_file && seen.iter().all(|line| told.contains(line.trim_start_matches(['+', '-'])))
}

/// A dialog shows a command whole, or says that it hides lines of it: of those that it shows, some begin the command and the
/// others end it.
pub(crate) fn is_command_of(seen: &str, told: &str, cut: bool) -> bool {
    const LONG_ENOUGH: usize = 5;
    let told = squash(told);
    let (marks, lines): (Vec<&str>, Vec<&str>) = seen.lines().partition(|line| is_cut_mark(line));
    if !cut && marks.is_empty() {
        return squash(seen) == told;
    }
    let lines: Vec<String> = lines.into_iter().map(squash).filter(|line| !line.is_empty()).collect();
    let fits = |gap: usize| {
        let (before, after) = (lines[..gap].concat(), lines[gap..].concat());
        // 0.61 was seen to leave out the last line without a word; so many lines in a row say enough.
        let is_long = lines.len() - gap >= LONG_ENOUGH;
        told.strip_prefix(&before).is_some_and(|rest| rest.ends_with(&after) || is_long && rest.contains(&after))
    };
    !lines.is_empty() && (0..=lines.len()).any(fits)
}

/// A text without blanks and without what cannot be seen or is drawn in its place.
fn bare(text: &str) -> String {
    squash(&without_unseen(text))
}

fn text_of(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(_) | Value::Bool(_) => Some(value.to_string()),
        _ => None,
    }
}

/// Every text in a value, bare.
fn texts_of(value: &Value) -> Vec<String> {
    strings_of(value).into_iter().map(bare).collect()
}

/// Every line that an editing tool would write, bare.
fn written_by(input: &Value) -> Vec<String> {
    match input {
        Value::Array(steps) => steps.iter().flat_map(written_by).collect(),
        Value::Object(fields) => {
            let written = fields.iter().flat_map(|(name, value)| match (name.as_str(), value) {
                ("new_string" | "content" | "new_source", Value::String(text)) => text.lines().map(bare).collect(),
                (_, value) => written_by(value),
            });
            written.collect()
        }
        _ => Vec::new(),
    }
}

/// Every text in a value.
pub fn strings_of(value: &Value) -> Vec<&str> {
    match value {
        Value::String(text) => vec![text],
        Value::Array(items) => items.iter().flat_map(strings_of).collect(),
        Value::Object(fields) => fields.values().flat_map(strings_of).collect(),
        _ => Vec::new(),
    }
}
