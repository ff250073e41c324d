//! What Copilot CLI writes down of a conversation: `session-state/<id>/events.jsonl`, one event a line, each `{type, data, id,
//! timestamp, parentId}`, and of what sub-agents do with an `agentId`. What a tool is for is in `tools.rs`.

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
        pictures::Pictures,
        place::{FolderMark, Head, Shelf, early_text},
        value::{count, moment, parse, text},
    },
};

/// The folder of all conversations below the CLI's own.
const FOLDER: &str = "session-state";
const FILE: &str = "events.jsonl";

/// What one line says.
pub(super) fn read(line: &str) -> Vec<TranscriptEntry> {
    let Some(event) = parse(line) else { return Vec::new() };
    let data = &event["data"];
    let agent = Some(text(&event, "agentId")).filter(|agent| !agent.is_empty());
    let said = Said { id: text(&event, "id").to_owned(), at: moment(text(&event, "timestamp")), agent };
    let entry = match text(&event, "type") {
        // What an agent is told is in the call that set it to work.
        "user.message" if agent.is_none() => return said.sent(text(data, "content"), Pictures::default()),
        "assistant.message" => said.text(MessageRole::Assistant, text(data, "content")),
        "assistant.reasoning" => said.thinking(text(data, "content")),
        "tool.execution_start" => Some(TranscriptEntry::Message(tools::used(data, &said))),
        "tool.execution_complete" => {
            let id = MessageId(text(data, "toolCallId").to_owned());
            Some(TranscriptEntry::Result { id, result: tools::result(data) })
        }
        "abort" => said.notice("Interrupted"),
        "session.error" => said.notice(text(data, "message")),
        "session.compaction_complete" => said.notice("Conversation compacted"),
        "session.start" | "session.model_change" => model(data),
        "session.usage_record" if agent.is_none() => usage(&data["usage"]),
        _ => None,
    };
    entry.into_iter().collect()
}

fn model(data: &Value) -> Option<TranscriptEntry> {
    let names = ["newModel", "selectedModel"].map(|key| text(data, key));
    let model = names.into_iter().find(|name| !name.is_empty())?;
    Some(TranscriptEntry::Usage(Usage { model: Some(model.to_owned()), ..Usage::default() }))
}

/// What one request took of the model's memory.
fn usage(usage: &Value) -> Option<TranscriptEntry> {
    let tokens = count(usage, "inputTokens")?.saturating_add(count(usage, "outputTokens").unwrap_or(0));
    Some(TranscriptEntry::Usage(Usage {
        context_tokens: Some(tokens),
        context_window: count(usage, "maxPromptTokens"),
        ..Usage::default()
    }))
}

/// The file of a conversation.
pub(super) fn file(cli_home: &Path, id: &str) -> PathBuf {
    cli_home.join(FOLDER).join(id).join(FILE)
}

/// Where all conversations are, whatever their folder.
pub(super) fn shelf() -> Shelf {
    Shelf::new(("COPILOT_HOME", ""), ".copilot", &format!("{FOLDER}/*/{FILE}"))
}

/// What the first line says about the conversation.
pub(super) fn head(head: &str) -> Option<Head> {
    let first = head.lines().next().filter(|line| line.contains("\"session.start\""))?;
    Some(Head {
        id: early_text(first, "sessionId")?,
        folder: early_text(first, "cwd").map(|path| FolderMark::Path(PathBuf::from(path))),
        started_at: early_text(first, "startTime").map(|at| moment(&at)),
    })
}
