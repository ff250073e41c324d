//! What Codex writes down of a conversation: a *rollout*, one JSON object a line, each `{timestamp, type, payload}`.
//!
//! What was said comes as events: `item_completed` in new versions, `user_message` and `agent_message` in old ones. The same
//! words stand in the model's own items beside them, among instructions that nobody typed, so those are passed over; of the
//! model's items only the tools count, and their results. What a tool is for is in `tools.rs`.

pub(super) mod patch;
#[cfg(test)]
mod tests;
pub(super) mod tools;

use std::path::PathBuf;

use serde_json::Value;
use shared_types::{MessageId, MessageRole, Usage};

use crate::{
    TranscriptEntry,
    transcript::{
        build::Said,
        pictures::Pictures,
        place::{FolderMark, Head, Shelf, early, early_text, sha256},
        value::{content_text, count, list, moment, text},
    },
};

/// How long the id at the end of a file's name is: that of a UUID.
const ID_LENGTH: usize = 36;

/// What one line says.
pub(super) fn read(line: &str) -> Vec<TranscriptEntry> {
    let Ok(value) = serde_json::from_str::<Value>(line) else { return Vec::new() };
    let payload = &value["payload"];
    // Old versions give most things no id; a line says the same whenever it is read.
    let said = Said { id: line_id(line), at: moment(text(&value, "timestamp")), agent: None };
    match text(&value, "type") {
        "event_msg" => event(payload, &said),
        "response_item" => tools::read(payload, &said),
        "compacted" => said.notice("Conversation compacted").into_iter().collect(),
        "turn_context" => model(payload),
        _ => Vec::new(),
    }
}

fn event(event: &Value, said: &Said<'_>) -> Vec<TranscriptEntry> {
    let entry = match text(event, "type") {
        "item_completed" => return item(&event["item"], said),
        "user_message" => return said.sent(text(event, "message"), pictures(list(event, "images").iter())),
        "agent_message" => said.text(MessageRole::Assistant, text(event, "message")),
        "agent_reasoning" => said.thinking(text(event, "text")),
        "turn_aborted" => said.notice(match text(event, "reason") {
            "" | "interrupted" => "Interrupted",
            reason => reason,
        }),
        "error" | "stream_error" | "warning" => said.notice(text(event, "message")),
        "context_compacted" => said.notice("Conversation compacted"),
        "token_count" => tokens(&event["info"]),
        _ => None,
    };
    entry.into_iter().collect()
}

/// Something of the conversation that is complete.
fn item(item: &Value, said: &Said<'_>) -> Vec<TranscriptEntry> {
    let id = text(item, "id");
    let said = if id.is_empty() { said.clone() } else { Said { id: id.to_owned(), ..said.clone() } };
    let entry = match text(item, "type") {
        "UserMessage" => return spoken(item, &said),
        "AgentMessage" => said.text(MessageRole::Assistant, &content_text(&item["content"])),
        "Reasoning" => {
            let lines = list(item, "summary_text").iter().filter_map(Value::as_str);
            said.thinking(&lines.collect::<Vec<_>>().join("\n"))
        }
        "Plan" => Some(TranscriptEntry::Message(tools::plan(&said, text(item, "text")))),
        "ContextCompaction" => said.notice("Conversation compacted"),
        _ => None,
    };
    entry.into_iter().collect()
}

/// What the person sent: words and pictures. One that is only named by its file is not opened.
fn spoken(item: &Value, said: &Said<'_>) -> Vec<TranscriptEntry> {
    let parts = list(item, "content");
    let is_shown = |part: &Value| Pictures::default().take_address(text(part, "image_url"));
    let words = |part: &Value| match text(part, "type") {
        "image" | "local_image" if is_shown(part) => String::new(),
        "image" | "local_image" => "[image]".to_owned(),
        _ => text(part, "text").to_owned(),
    };
    let words = parts.iter().map(words).filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n");
    said.sent(&words, pictures(parts.iter().filter_map(|part| part.get("image_url"))))
}

fn pictures<'a>(addresses: impl Iterator<Item = &'a Value>) -> Pictures {
    let mut pictures = Pictures::default();
    for address in addresses.filter_map(Value::as_str) {
        pictures.take_address(address);
    }
    pictures
}

fn tokens(info: &Value) -> Option<TranscriptEntry> {
    let (total, last) = (info.get("total_token_usage")?, &info["last_token_usage"]);
    Some(TranscriptEntry::Usage(Usage {
        context_tokens: count(last, "total_tokens"),
        context_window: count(info, "model_context_window"),
        input_tokens: count(total, "input_tokens"),
        output_tokens: count(total, "output_tokens"),
        ..Usage::default()
    }))
}

fn model(context: &Value) -> Vec<TranscriptEntry> {
    let model = Some(text(context, "model").to_owned()).filter(|model| !model.is_empty());
    let usage = model.map(|model| TranscriptEntry::Usage(Usage { model: Some(model), ..Usage::default() }));
    usage.into_iter().collect()
}

/// Where all conversations are: by day, whatever their folder.
pub(super) fn shelf() -> Shelf {
    Shelf { kept_open: true, ..Shelf::new(("CODEX_HOME", ""), ".codex", "sessions/*/*/*/rollout-*.jsonl") }
}

/// What the first line says about the conversation. Those of agents that were set to work are no conversations of a person.
pub(super) fn head(name: &str, head: &str) -> Option<Head> {
    let name = name.strip_suffix(".jsonl")?;
    let id = name.get(name.len().checked_sub(ID_LENGTH)?..)?;
    let first = head.lines().next().unwrap_or_default();
    let source = early(first, "source");
    let set_to_work = source.is_some_and(|source| !source.is_string());
    if !first.contains("\"session_meta\"")
        || set_to_work
        || early_text(first, "thread_source").is_some_and(|by| by != "user")
    {
        return None;
    }
    // The line has a time of its own, which is that of the first message; the time of the start is in what it carries.
    let payload = first.split_once("\"payload\"").map_or(first, |(_, payload)| payload);
    Some(Head {
        id: id.to_owned(),
        folder: early_text(payload, "cwd").map(|path| FolderMark::Path(PathBuf::from(path))),
        started_at: early_text(payload, "timestamp").map(|at| moment(&at)),
    })
}

fn line_id(line: &str) -> String {
    sha256(line).chars().take(24).collect()
}

/// The id of the message of a tool's use.
fn call_message(item: &Value) -> MessageId {
    MessageId(text(item, "call_id").to_owned())
}
