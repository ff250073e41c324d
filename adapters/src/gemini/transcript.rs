//! What Gemini CLI writes down of a conversation.
//!
//! New versions write a line for every change, and a message again, with the same id, when more is known of it: the last one
//! counts. Old ones write one document anew each time; its messages have the same form and are read as if they were lines. One
//! message of Gemini's holds thoughts, words and tools with their results; each becomes a message of its own.

#[cfg(test)]
mod tests;
mod tools;

use serde_json::Value;
use shared_types::{MessageRole, Usage};

use crate::{
    TranscriptEntry,
    hook::Detail,
    transcript::{
        build::Said,
        pending::Pending,
        pictures::Pictures,
        place::{FolderMark, Head, Shelf, early_text},
        value::{content_text, count, list, moment, parse, text},
    },
};

/// What the CLI tells the model on its own begins so.
const NOT_TYPED: [&str; 3] = ["<session_context>", "<hook_context>", "<environment_context>"];

/// What one line says.
pub(super) fn read(line: &str) -> Vec<TranscriptEntry> {
    let Ok(line) = serde_json::from_str::<Value>(line) else { return Vec::new() };
    match line.get("$set") {
        // Several at once, as when an old conversation is gone on with.
        Some(set) => list(set, "messages").iter().flat_map(message).collect(),
        None => message(&line),
    }
}

/// The commands in these lines that have no result yet. A message is written again when more is known of its calls, so the last
/// one counts. Versions that write calls down only once they are done tell nothing here.
pub(super) fn pending<'a>(lines: impl IntoIterator<Item = &'a str>) -> Vec<Detail> {
    let mut pending = Pending::default();
    for line in lines.into_iter().filter_map(parse) {
        let several = line.get("$set").map(|set| list(set, "messages"));
        for message in several.unwrap_or(std::slice::from_ref(&line)) {
            for call in list(message, "toolCalls") {
                let done = call.get("result").is_some_and(|result| !result.is_null())
                    || matches!(text(call, "status"), "success" | "error" | "cancelled");
                let command = call["args"]["command"].as_str().filter(|_| text(call, "name") == "run_shell_command");
                match command {
                    Some(command) if !done => {
                        let tool_input = Some(Value::String(command.to_owned()));
                        pending.told(text(call, "id"), Detail { tool_input, ..Detail::default() });
                    }
                    _ => pending.answered(text(call, "id")),
                }
            }
        }
    }
    pending.into_details()
}

fn message(message: &Value) -> Vec<TranscriptEntry> {
    let id = text(message, "id");
    if id.is_empty() {
        return Vec::new();
    }
    let said = Said { id: id.to_owned(), at: moment(text(message, "timestamp")), agent: None };
    let words = content_text(&message["content"]);
    match text(message, "type") {
        "user" if NOT_TYPED.iter().any(|mark| words.trim_start().starts_with(mark)) => Vec::new(),
        "user" => said.sent(&words, pictures(&message["content"])),
        "gemini" => model(message, &said, &words),
        "info" | "warning" | "error" => said.notice(&words).into_iter().collect(),
        _ => Vec::new(),
    }
}

fn pictures(content: &Value) -> Pictures {
    let mut pictures = Pictures::default();
    for held in content.as_array().into_iter().flatten().filter_map(|part| part.get("inlineData")) {
        pictures.take(text(held, "mimeType"), text(held, "data"));
    }
    pictures
}

fn model(message: &Value, said: &Said<'_>, words: &str) -> Vec<TranscriptEntry> {
    let thought =
        |thought: &Value| [text(thought, "subject"), text(thought, "description")].join("\n").trim().to_owned();
    let thoughts: Vec<String> = list(message, "thoughts").iter().map(thought).collect();
    let mut entries = Vec::new();
    entries.extend(Said { id: format!("{}/thoughts", said.id), ..said.clone() }.thinking(&thoughts.join("\n\n")));
    entries.extend(said.text(MessageRole::Assistant, words));
    entries.extend(
        list(message, "toolCalls").iter().filter_map(|call| tools::used(call, said)).map(TranscriptEntry::Message),
    );
    let usage = Usage {
        model: Some(text(message, "model").to_owned()).filter(|model| !model.is_empty()),
        context_tokens: count(&message["tokens"], "total"),
        ..Usage::default()
    };
    if usage != Usage::default() {
        entries.push(TranscriptEntry::Usage(usage));
    }
    entries
}

/// The name that a line gives to the conversation.
pub(super) fn title(line: &str) -> Option<String> {
    let line: Value = serde_json::from_str(line).ok()?;
    let title = text(line.get("$set")?, "summary");
    (!title.is_empty()).then(|| title.to_owned())
}

/// Where all conversations are: by project, under names that only the CLI knows.
pub(super) fn shelf() -> Shelf {
    Shelf::new(("GEMINI_CLI_HOME", ".gemini"), ".gemini", "tmp/*/chats/session-*.json*")
}

/// What the beginning of a file says about the conversation; it names its folder by a hash.
pub(super) fn head(name: &str, head: &str) -> Option<Head> {
    if !name.starts_with("session-") {
        return None;
    }
    // Behind the messages of a document nothing of it is looked at, and in them anything may stand.
    let head = head.split_once("\"messages\"").map_or(head, |(head, _)| head);
    if early_text(head, "kind").is_some_and(|kind| kind != "main") {
        return None;
    }
    Some(Head {
        id: early_text(head, "sessionId")?,
        folder: early_text(head, "projectHash").map(FolderMark::Sha256),
        started_at: early_text(head, "startTime").map(|at| moment(&at)),
    })
}
