//! Building messages out of what a transcript says, within bounds: a phone gets them.

use serde_json::Value;
use shared_types::{
    AskedQuestion, FileDiff, Message, MessageBody, MessageId, MessageRole, Millis, TodoItem, TodoState, ToolResult,
    ToolUse,
};

use super::{TranscriptEntry, pictures::Pictures, value};

/// The longest prose, in bytes. Longer is cut: no phone shows a book in one bubble.
const TEXT_LIMIT: usize = 200_000;
/// How much of a tool's output is kept, from its end, in bytes.
const OUTPUT_LIMIT: usize = 16_000;
/// The longest diff of one file, in bytes.
const DIFF_LIMIT: usize = 100_000;
/// The longest raw input of a tool nobody knows, in bytes of JSON.
const INPUT_LIMIT: usize = 20_000;
/// The longest line that sums a tool up, in characters.
const SUMMARY_LIMIT: usize = 200;

/// Who says something, and when: what the messages of one line share.
#[derive(Debug, Clone)]
pub struct Said<'a> {
    /// The message's id.
    pub id: String,
    /// When.
    pub at: Millis,
    /// The agent that speaks, when it is not the session's own.
    pub agent: Option<&'a str>,
}

impl Said<'_> {
    /// Prose; nothing when there is none.
    #[must_use]
    pub fn text(&self, role: MessageRole, text: &str) -> Option<TranscriptEntry> {
        let text = text.trim();
        let body = MessageBody::Text { text: cut(text, TEXT_LIMIT), streaming: false };
        (!text.is_empty()).then(|| self.message(role, body))
    }

    /// What a person sent: words and pictures, which come first. Nothing when there is neither.
    #[must_use]
    pub fn sent(&self, text: &str, pictures: Pictures) -> Vec<TranscriptEntry> {
        let (images, mut entries) = pictures.into_parts();
        let text = text.trim();
        if images.is_some() || !text.is_empty() {
            let body = MessageBody::Text { text: cut(text, TEXT_LIMIT), streaming: false };
            let message = Message { images, ..self.whole(MessageRole::User, body) };
            entries.push(TranscriptEntry::Message(message));
        }
        entries
    }

    /// Thinking; nothing when there is none.
    #[must_use]
    pub fn thinking(&self, text: &str) -> Option<TranscriptEntry> {
        let text = text.trim();
        let body = MessageBody::Thinking { text: cut(text, TEXT_LIMIT) };
        (!text.is_empty()).then(|| self.message(MessageRole::Assistant, body))
    }

    /// Something the CLI says of itself; nothing when it is empty.
    #[must_use]
    pub fn notice(&self, text: &str) -> Option<TranscriptEntry> {
        let text = text.trim();
        let body = MessageBody::Notice { text: cut(text, TEXT_LIMIT) };
        (!text.is_empty()).then(|| self.message(MessageRole::System, body))
    }

    /// The use of a tool. The raw input goes along only where its purpose is not known.
    #[must_use]
    pub fn tool(&self, name: &str, purpose: Option<ToolUse>, summary: &str, input: &Value) -> Message {
        let input = match &purpose {
            Some(_) => Value::Null,
            None if input.to_string().len() > INPUT_LIMIT => Value::String(cut(&input.to_string(), INPUT_LIMIT)),
            None => input.clone(),
        };
        let summary =
            if summary.is_empty() { purpose.as_ref().map(summary_of).unwrap_or_default() } else { summary.to_owned() };
        let body =
            MessageBody::Tool { name: name.to_owned(), summary: one_line(&summary), input, purpose, result: None };
        self.whole(MessageRole::Assistant, body)
    }

    fn message(&self, role: MessageRole, body: MessageBody) -> TranscriptEntry {
        TranscriptEntry::Message(self.whole(role, body))
    }

    fn whole(&self, role: MessageRole, body: MessageBody) -> Message {
        let agent = self.agent.map(str::to_owned);
        Message { id: MessageId(self.id.clone()), role, at: self.at, body, agent, images: None }
    }
}

/// What a tool printed: of much only the end, which is where it says how it went.
#[must_use]
pub fn result(ok: bool, output: &str) -> ToolResult {
    let output = value::plain(output);
    let output = output.trim_end().trim_start_matches('\n');
    let (output, clipped) = tail(output);
    ToolResult { ok, output: output.to_owned(), clipped: clipped.then_some(true), ..ToolResult::default() }
}

fn tail(text: &str) -> (&str, bool) {
    if text.len() <= OUTPUT_LIMIT {
        return (text, false);
    }
    let from = (text.len() - OUTPUT_LIMIT..text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len());
    let end = &text[from..];
    // Whole lines, unless it is one endless line.
    (end.split_once('\n').map_or(end, |(_, rest)| rest), true)
}

/// A change of one file as hunks, cut where it is too long for a phone.
#[must_use]
pub fn diff(path: &str, unified: &str) -> FileDiff {
    FileDiff { path: path.to_owned(), unified: cut(unified.trim_end_matches('\n'), DIFF_LIMIT) }
}

/// A change that replaces one text by another, without knowing where it stands in the file.
#[must_use]
pub fn replacement(path: &str, old: &str, new: &str) -> FileDiff {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let start = |lines: &[&str]| usize::from(!lines.is_empty());
    let head = format!("@@ -{},{} +{},{} @@", start(&old), old.len(), start(&new), new.len());
    let removed = old.iter().map(|line| format!("-{line}"));
    let added = new.iter().map(|line| format!("+{line}"));
    diff(path, &std::iter::once(head).chain(removed).chain(added).collect::<Vec<_>>().join("\n"))
}

/// The questions of a tool that asks the person, in the form all CLIs share: `questions` with `question` and `options`.
#[must_use]
pub fn questions(input: &Value) -> Vec<AskedQuestion> {
    let label = |option: &Value| option.as_str().unwrap_or_else(|| value::text(option, "label")).to_owned();
    let asked = |question: &Value| AskedQuestion {
        question: value::text(question, "question").to_owned(),
        options: value::list(question, "options").iter().map(label).collect(),
    };
    value::list(input, "questions").iter().map(asked).collect()
}

/// A list of things to do, each with its text under one of these names.
#[must_use]
pub fn todos(items: &[Value], names: &[&str]) -> Vec<TodoItem> {
    let state = |word: &str| match word {
        "completed" => TodoState::Done,
        "in_progress" => TodoState::Doing,
        "cancelled" => TodoState::Dropped,
        _ => TodoState::Open,
    };
    let item = |item: &Value| TodoItem {
        text: names
            .iter()
            .map(|name| value::text(item, name))
            .find(|text| !text.is_empty())
            .unwrap_or_default()
            .to_owned(),
        state: state(value::text(item, "status")),
    };
    items.iter().map(item).filter(|item| !item.text.is_empty()).collect()
}

/// One line that says what a tool was used for.
fn summary_of(purpose: &ToolUse) -> String {
    match purpose {
        ToolUse::Command { command } => command.clone(),
        ToolUse::Edit { diff } => diff.iter().map(|file| file.path.as_str()).collect::<Vec<_>>().join(", "),
        ToolUse::Read { path } => path.clone(),
        ToolUse::Search { query, place: Some(place) } => format!("{query} in {place}"),
        ToolUse::Search { query, place: None } => query.clone(),
        ToolUse::Web { target } => target.clone(),
        ToolUse::Todos { items } => {
            let done = items.iter().filter(|item| item.state == TodoState::Done).count();
            format!("{done} of {} done", items.len())
        }
        ToolUse::Agent { task, .. } => task.clone(),
        ToolUse::Questions { questions } => questions.first().map(|asked| asked.question.clone()).unwrap_or_default(),
        ToolUse::Plan { plan } => plan.lines().find(|line| !line.trim().is_empty()).unwrap_or_default().to_owned(),
    }
}

fn one_line(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= SUMMARY_LIMIT {
        return line;
    }
    line.chars().take(SUMMARY_LIMIT - 1).chain(['…']).collect()
}

fn cut(text: &str, limit: usize) -> String {
    if text.len() <= limit {
        return text.to_owned();
    }
    let end = (0..=limit).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    format!("{}\n…", &text[..end])
}
