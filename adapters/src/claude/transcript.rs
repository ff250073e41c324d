//! What Claude Code writes down of a conversation: one JSON object a line, one block of content an assistant's line.
//!
//! A person's message, a tool's result and much that Claude tells itself all come as lines of type `user`; [`said`] tells them
//! apart. What a tool is for is in `tools.rs`.

mod said;
#[cfg(test)]
mod tests;
mod tools;

use std::path::{Path, PathBuf};

use serde_json::Value;
use shared_types::{MessageId, MessageRole, Usage};

use crate::{
    TranscriptEntry,
    transcript::{
        build::Said,
        place::{FolderMark, Head, Running, Shelf, early_text},
        value::{self, count, is, list, moment, text},
    },
};

/// The model that Claude names where it speaks itself.
const NO_MODEL: &str = "<synthetic>";
/// Longer folder names are cut and get a number nobody else can know, so the file is then looked for by its id.
const FOLDER_NAME_LIMIT: usize = 200;

/// What one line says.
pub(super) fn read(line: &str) -> Vec<TranscriptEntry> {
    let Ok(line) = serde_json::from_str::<Value>(line) else { return Vec::new() };
    let said = Said {
        id: text(&line, "uuid").to_owned(),
        at: moment(text(&line, "timestamp")),
        // Old versions write what such an agent does into the same file and do not name it.
        agent: is(&line, "isSidechain")
            .then(|| Some(text(&line, "agentId")).filter(|id| !id.is_empty()).unwrap_or("agent")),
    };
    match text(&line, "type") {
        "user" => said::read(&line, &said),
        "assistant" => assistant(&line, &said),
        "attachment" => queued(&line, &said),
        "system" if text(&line, "subtype") == "compact_boundary" => {
            said.notice(&compaction(&line)).into_iter().collect()
        }
        "cost-state" => cost(&line),
        _ => Vec::new(),
    }
}

/// A name for the conversation, where a line gives one.
pub(super) fn title(line: &str) -> Option<String> {
    let line: Value = serde_json::from_str(line).ok()?;
    let title = match text(&line, "type") {
        "custom-title" => text(&line, "customTitle"),
        "ai-title" => text(&line, "aiTitle"),
        "summary" => text(&line, "summary"),
        _ => "",
    };
    (!title.is_empty()).then(|| title.to_owned())
}

/// Where the conversations of a folder are, or of all folders.
pub(super) fn shelf(folder: Option<&Path>) -> Shelf {
    let place = folder.and_then(folder_name).unwrap_or_else(|| "*".to_owned());
    let files = Shelf::new(("CLAUDE_CONFIG_DIR", ""), ".claude", &format!("projects/{place}/*.jsonl"));
    Shelf { running: Some("sessions"), ..files }
}

/// What Claude writes down about a process of its own; 2.1.325 does, 2.0.76 does not. It changes with `/clear` and `/resume`.
pub(super) fn running(record: &str) -> Option<Running> {
    let record: Value = serde_json::from_str(record).ok()?;
    let conversation = record.get("sessionId")?.as_str().filter(|id| !id.is_empty())?.to_owned();
    let process_start = record.get("procStart").and_then(Value::as_str).map(str::to_owned);
    Some(Running { conversation, process_start })
}

/// What the beginning of a file says about the conversation; its id is the file's name.
pub(super) fn head(name: &str, head: &str) -> Option<Head> {
    let id = name.strip_suffix(".jsonl")?;
    // Files of agents that were set to work stand beside the conversations in old versions.
    if id.starts_with("agent-") {
        return None;
    }
    let folder = early_text(head, "cwd").map(|path| FolderMark::Path(PathBuf::from(path)));
    let started_at = early_text(head, "timestamp").map(|at| moment(&at));
    Some(Head { id: id.to_owned(), folder, started_at })
}

/// The file of a conversation, where its place can be known before it is there.
pub(super) fn file(home: &Path, folder: &Path, id: &str) -> Option<PathBuf> {
    Some(home.join("projects").join(folder_name(folder)?).join(format!("{id}.jsonl")))
}

/// Where agents that were set to work write: a folder beside the file, with its name. Old versions put their files beside it,
/// together with those of other conversations; these are left alone.
pub(super) fn agents(transcript: &Path) -> (PathBuf, &'static str) {
    (transcript.with_extension("").join("subagents"), "agent-*.jsonl")
}

/// The folder's path as Claude makes a name of it. It counts as JavaScript does: in halves of characters beyond 16 bits.
fn folder_name(folder: &Path) -> Option<String> {
    let folder = folder.to_str()?;
    let plain = |unit: u16| char::from_u32(u32::from(unit)).filter(char::is_ascii_alphanumeric).unwrap_or('-');
    let name: String = folder.encode_utf16().map(plain).collect();
    (name.len() <= FOLDER_NAME_LIMIT).then_some(name)
}

fn assistant(line: &Value, said: &Said<'_>) -> Vec<TranscriptEntry> {
    let message = line.get("message").unwrap_or(&Value::Null);
    let model = text(message, "model");
    let blocks = list(message, "content");
    if is(line, "isApiErrorMessage") {
        return said.notice(&value::content_text(&message["content"])).into_iter().collect();
    }
    // Claude answers itself so when a turn needs no answer.
    if model == NO_MODEL {
        return Vec::new();
    }
    let mut entries = Vec::new();
    for (number, block) in blocks.iter().enumerate() {
        let id = if number == 0 { said.id.clone() } else { format!("{}/{number}", said.id) };
        let said = Said { id, ..said.clone() };
        match text(block, "type") {
            "text" => entries.extend(said.text(MessageRole::Assistant, text(block, "text"))),
            "thinking" => entries.extend(said.thinking(text(block, "thinking"))),
            "tool_use" | "server_tool_use" => {
                entries.push(TranscriptEntry::Message(tools::used(
                    &Said { id: text(block, "id").to_owned(), ..said },
                    block,
                )));
            }
            _ => {}
        }
    }
    // The memory of an agent that was set to work is its own.
    if said.agent.is_none() {
        entries.extend(message.get("usage").map(|usage| context(usage, model)));
    }
    entries
}

/// What the conversation takes of the model's memory: all that was sent, however it was kept, and what came back.
fn context(usage: &Value, model: &str) -> TranscriptEntry {
    let parts = ["input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "output_tokens"];
    let tokens = parts.iter().filter_map(|part| count(usage, part)).fold(0, u64::saturating_add);
    let model = (!model.is_empty()).then(|| model.to_owned());
    TranscriptEntry::Usage(Usage { model, context_tokens: Some(tokens), ..Usage::default() })
}

fn cost(line: &Value) -> Vec<TranscriptEntry> {
    let models = line.get("modelUsage").and_then(Value::as_object);
    let sum = |keys: &[&str]| {
        let counts = models.into_iter().flat_map(serde_json::Map::values);
        counts.flat_map(|model| keys.iter().filter_map(|key| count(model, key))).fold(0, u64::saturating_add)
    };
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a cost is small and not negative; a cast holds at the limits"
    )]
    let cost_micros = line.get("totalCostUSD").and_then(Value::as_f64).map(|dollars| (dollars * 1e6).round() as u64);
    vec![TranscriptEntry::Usage(Usage {
        input_tokens: models.map(|_| sum(&["inputTokens", "cacheReadInputTokens", "cacheCreationInputTokens"])),
        output_tokens: models.map(|_| sum(&["outputTokens"])),
        cost_micros,
        ..Usage::default()
    })]
}

fn compaction(line: &Value) -> String {
    let sizes =
        line.get("compactMetadata").and_then(|meta| Some((count(meta, "preTokens")?, count(meta, "postTokens")?)));
    match sizes {
        Some((before, after)) => format!("Conversation compacted: {before} → {after} tokens"),
        None => "Conversation compacted".to_owned(),
    }
}

/// A message that was sent while Claude worked, written down when it was taken.
fn queued(line: &Value, said: &Said<'_>) -> Vec<TranscriptEntry> {
    let attachment = line.get("attachment").unwrap_or(&Value::Null);
    if text(attachment, "type") != "queued_command" || !matches!(text(attachment, "commandMode"), "" | "prompt") {
        return Vec::new();
    }
    said::typed(&value::content_text(&attachment["prompt"]), said)
}

/// The id of the message of a tool's use.
fn tool_message(id: &str) -> MessageId {
    MessageId(id.to_owned())
}
