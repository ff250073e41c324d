//! What Qwen Code writes down of a conversation: one JSON object a line. A message of the model's holds thoughts, words and calls
//! of tools; each becomes a message of its own. A call is written down before it is asked about, and its result in a line of its own.

#[cfg(test)]
mod tests;
mod tools;

use std::path::{Path, PathBuf};

use serde_json::Value;
use shared_types::{MessageId, MessageRole, Usage};

use super::complete;
use crate::{
    TranscriptEntry,
    hook::Detail,
    transcript::{
        build::Said,
        pending::Pending,
        pictures::Pictures,
        place::{FolderMark, Head, Shelf, early_text},
        value::{count, is, list, moment, parse, text},
    },
};

/// What one line says.
pub(super) fn read(line: &str) -> Vec<TranscriptEntry> {
    let Some(line) = parse(line) else { return Vec::new() };
    let said = Said { id: text(&line, "uuid").to_owned(), at: moment(text(&line, "timestamp")), agent: None };
    if said.id.is_empty() {
        return Vec::new();
    }
    let parts = list(&line["message"], "parts");
    match text(&line, "type") {
        // What the CLI tells the model by itself has another origin; old versions name none.
        "user" if matches!(text(&line, "provenance"), "" | "real_user") => person(parts, &said),
        "assistant" => model(&line, parts, &said),
        "tool_result" => results(&line, parts),
        _ => Vec::new(),
    }
}

fn person(parts: &[Value], said: &Said<'_>) -> Vec<TranscriptEntry> {
    let words: Vec<&str> = parts.iter().map(|part| text(part, "text")).filter(|text| !text.is_empty()).collect();
    let mut pictures = Pictures::default();
    for held in parts.iter().filter_map(|part| part.get("inlineData")) {
        pictures.take(text(held, "mimeType"), text(held, "data"));
    }
    said.sent(&words.join("\n"), pictures)
}

fn model(line: &Value, parts: &[Value], said: &Said<'_>) -> Vec<TranscriptEntry> {
    let mut entries = Vec::new();
    for (number, part) in parts.iter().enumerate() {
        let id = if number == 0 { said.id.clone() } else { format!("{}/{number}", said.id) };
        let said = Said { id, ..said.clone() };
        match part.get("functionCall") {
            Some(call) => entries.extend(tools::used(call, &said).map(TranscriptEntry::Message)),
            None if is(part, "thought") => entries.extend(said.thinking(text(part, "text"))),
            None => entries.extend(said.text(MessageRole::Assistant, text(part, "text"))),
        }
    }
    let usage = Usage {
        model: Some(text(line, "model").to_owned()).filter(|model| !model.is_empty()),
        context_tokens: count(&line["usageMetadata"], "totalTokenCount"),
        ..Usage::default()
    };
    if usage.context_tokens.is_some() {
        entries.push(TranscriptEntry::Usage(usage));
    }
    entries
}

fn results(line: &Value, parts: &[Value]) -> Vec<TranscriptEntry> {
    let told = parts.iter().filter_map(|part| part.get("functionResponse"));
    let result = |response: &Value| TranscriptEntry::Result {
        id: MessageId(text(response, "id").to_owned()),
        result: tools::result(response, &line["toolCallResult"]),
    };
    told.filter(|response| !text(response, "id").is_empty()).map(result).collect()
}

/// The calls in these lines that have no result yet.
pub(super) fn pending<'a>(lines: impl IntoIterator<Item = &'a str>) -> Vec<Detail> {
    let mut pending = Pending::default();
    for line in lines.into_iter().filter_map(parse) {
        for part in list(&line["message"], "parts") {
            if let Some(call) = part.get("functionCall")
                && let Some(detail) = complete::detail(text(call, "name"), &call["args"])
            {
                pending.told(text(call, "id"), detail);
            }
            if let Some(response) = part.get("functionResponse") {
                pending.answered(text(response, "id"));
            }
        }
    }
    pending.into_details()
}

/// Where the conversations of a folder are, or of all folders.
pub(super) fn shelf(folder: Option<&Path>) -> Shelf {
    let place = folder.and_then(folder_name).unwrap_or_else(|| "*".to_owned());
    Shelf::new(("QWEN_HOME", ""), ".qwen", &format!("projects/{place}/chats/*.jsonl"))
}

/// The file of a conversation.
pub(super) fn file(home: &Path, folder: &Path, id: &str) -> Option<PathBuf> {
    Some(home.join("projects").join(folder_name(folder)?).join("chats").join(format!("{id}.jsonl")))
}

/// The folder's path as the CLI makes a name of it: what is no letter or digit becomes a dash.
fn folder_name(folder: &Path) -> Option<String> {
    let plain = |ch: char| if ch.is_ascii_alphanumeric() { ch } else { '-' };
    Some(folder.to_str()?.chars().map(plain).collect())
}

/// What the beginning of a file says about the conversation; its id is the file's name.
pub(super) fn head(name: &str, head: &str) -> Option<Head> {
    let id = name.strip_suffix(".jsonl")?;
    let folder = early_text(head, "cwd").map(|path| FolderMark::Path(PathBuf::from(path)));
    let started_at = early_text(head, "timestamp").map(|at| moment(&at));
    Some(Head { id: id.to_owned(), folder, started_at })
}
