//! A conversation as a few lines of text, for tests.

use shared_types::{Message, MessageBody, MessageRole, ToolResult, Usage};

use super::{TranscriptEntry, join};

/// All messages of a file with their results joined, the last of each id, and what was used in the end.
pub(crate) fn conversation<'a>(
    lines: impl Iterator<Item = &'a str>,
    read: impl FnMut(&'a str) -> Vec<TranscriptEntry>,
) -> (Vec<Message>, Usage) {
    let (mut messages, mut usage): (Vec<Message>, _) = (Vec::new(), Usage::default());
    for entry in lines.flat_map(read) {
        match entry {
            TranscriptEntry::Message(message) => match messages.iter_mut().find(|known| known.id == message.id) {
                Some(known) => *known = message,
                None => messages.push(message),
            },
            TranscriptEntry::Result { id, result } => {
                let message = messages.iter_mut().find(|message| message.id == id).expect("a use before its result");
                join(message, result);
            }
            TranscriptEntry::Image { .. } => {}
            TranscriptEntry::Usage(newer) => usage.update(newer),
            TranscriptEntry::Delta { .. } => panic!("CLIs write whole messages"),
        }
    }
    (messages, usage)
}

/// One line a message: `>` what the person said, `()` thinking, `*` what the CLI says of itself, a tool with its result.
pub(crate) fn outline(messages: &[Message]) -> Vec<String> {
    let line = |message: &Message| match &message.body {
        MessageBody::Text { text, .. } if message.role == MessageRole::User => format!("> {text}"),
        MessageBody::Text { text, .. } => text.clone(),
        MessageBody::Thinking { text } => format!("({text})"),
        MessageBody::Notice { text } => format!("* {text}"),
        MessageBody::Automatic { asked, rule, .. } => format!("* {asked}: {rule}"),
        MessageBody::Tool { name, summary, result, .. } => format!("{name}: {summary} -> {}", told(result.as_ref())),
    };
    messages.iter().map(line).collect()
}

fn told(result: Option<&ToolResult>) -> String {
    let Some(result) = result else { return "…".to_owned() };
    let code = result.exit_code.map_or(String::new(), |code| format!(" [{code}]"));
    let first: String = result.output.lines().next().unwrap_or_default().chars().take(40).collect();
    format!("{}{code} {first}", if result.ok { "ok" } else { "failed" }).trim_end().to_owned()
}
