//! Lines of type `user`: what the person typed, what tools gave back, and what Claude tells itself.

use serde_json::Value;
use shared_types::{MessageRole, ToolResult};

use super::{tool_message, tools};
use crate::{
    TranscriptEntry,
    transcript::{
        build::{self, Said},
        pictures::Pictures,
        value::{between, is, list, plain, text},
    },
};

/// What stands in the place of a picture that cannot be shown.
const NO_PICTURE: &str = "[image]";

pub(super) fn read(line: &Value, said: &Said<'_>) -> Vec<TranscriptEntry> {
    // What Claude tells itself, and the summary that a compacted conversation begins with.
    if is(line, "isMeta") || is(line, "isCompactSummary") || is(line, "repeatsCompactSummary") {
        return Vec::new();
    }
    let content = &line["message"]["content"];
    if let Value::String(typed_text) = content {
        // The task that an agent was given is in the message of its use.
        return if said.agent.is_some() { Vec::new() } else { typed(typed_text, said) };
    }
    let mut entries = Vec::new();
    let mut prose: Vec<String> = Vec::new();
    let mut pictures = Pictures::default();
    for block in content.as_array().into_iter().flatten() {
        match text(block, "type") {
            "tool_result" => {
                let id = tool_message(text(block, "tool_use_id"));
                let (images, shown) = result_pictures(block).into_parts();
                entries.extend(shown);
                let result = ToolResult { images, ..tools::result(block, &line["toolUseResult"]) };
                entries.push(TranscriptEntry::Result { id, result });
            }
            "text" => prose.push(text(block, "text").to_owned()),
            "image" if picture(block, &mut pictures) => {}
            "image" => prose.push(NO_PICTURE.to_owned()),
            _ => {}
        }
    }
    if said.agent.is_none() {
        entries.extend(typed_with(&prose.join("\n"), pictures, said));
    }
    entries
}

/// What somebody typed, without what Claude wrapped around it or put in its place.
pub(super) fn typed(typed: &str, said: &Said<'_>) -> Vec<TranscriptEntry> {
    typed_with(typed, Pictures::default(), said)
}

fn typed_with(typed: &str, pictures: Pictures, said: &Said<'_>) -> Vec<TranscriptEntry> {
    let typed = without_reminders(typed);
    let typed = typed.trim();
    if let Some(notification) = between(typed, "<task-notification>", "</task-notification>") {
        return agent_done(notification).into_iter().collect();
    }
    let entry = if let Some(name) = between(typed, "<command-name>", "</command-name>") {
        let arguments = between(typed, "<command-args>", "</command-args>").unwrap_or_default();
        said.text(MessageRole::User, &format!("{name} {arguments}"))
    } else if let Some(command) = between(typed, "<bash-input>", "</bash-input>") {
        said.text(MessageRole::User, &format!("!{command}"))
    } else if let Some(output) = printed(typed) {
        said.notice(&output)
    } else if typed.starts_with("[Request interrupted by user") {
        said.notice("Interrupted")
    } else if typed.starts_with("<local-command-caveat>") {
        None
    } else {
        return said.sent(typed, pictures);
    };
    entry.into_iter().collect()
}

/// What a command that was run without the model printed.
fn printed(typed: &str) -> Option<String> {
    let marks = ["local-command-stdout", "local-command-stderr", "bash-stdout", "bash-stderr"];
    if !marks.iter().any(|mark| typed.starts_with(&format!("<{mark}>"))) {
        return None;
    }
    let parts = marks.iter().filter_map(|mark| between(typed, &format!("<{mark}>"), &format!("</{mark}>")));
    Some(plain(&parts.filter(|part| !part.trim().is_empty()).collect::<Vec<_>>().join("\n")))
}

/// An agent that was set to work in the background is done: that is what came of the tool that set it to work.
fn agent_done(notification: &str) -> Option<TranscriptEntry> {
    let part = |name: &str| between(notification, &format!("<{name}>"), &format!("</{name}>"));
    let id = tool_message(part("tool-use-id")?);
    let output = part("result").or(part("summary")).unwrap_or_default();
    Some(TranscriptEntry::Result { id, result: build::result(part("status") == Some("completed"), output) })
}

fn without_reminders(typed: &str) -> String {
    const MARKS: (&str, &str) = ("<system-reminder>", "</system-reminder>");
    let mut kept = String::new();
    let mut rest = typed;
    while let Some((before, inside)) = rest.split_once(MARKS.0) {
        kept.push_str(before);
        // One that does not end goes to the end.
        rest = inside.split_once(MARKS.1).map_or("", |(_, after)| after);
    }
    kept.push_str(rest);
    kept
}

/// The blocks of a tool's result, as text.
pub(super) fn result_text(block: &Value) -> String {
    let part = |part: &Value| match text(part, "type") {
        "image" if picture(part, &mut Pictures::default()) => String::new(),
        "image" => NO_PICTURE.to_owned(),
        _ => text(part, "text").to_owned(),
    };
    match &block["content"] {
        Value::String(text) => text.clone(),
        Value::Array(_) => list(block, "content").iter().map(part).collect::<Vec<_>>().join("\n"),
        _ => String::new(),
    }
}

fn result_pictures(block: &Value) -> Pictures {
    let mut pictures = Pictures::default();
    for part in list(block, "content").iter().filter(|part| text(part, "type") == "image") {
        picture(part, &mut pictures);
    }
    pictures
}

/// Takes the picture of a block; false when it cannot be shown.
fn picture(block: &Value, pictures: &mut Pictures) -> bool {
    let source = &block["source"];
    pictures.take(text(source, "media_type"), text(source, "data"))
}
