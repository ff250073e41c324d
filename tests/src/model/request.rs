//! What a CLI sent to the model, in words that are the same for every vendor.

use serde_json::Value;

/// A request for a reply.
#[derive(Debug, Clone)]
pub struct Request {
    /// The path it was sent to.
    pub path: String,
    /// The body as it came.
    pub body: Value,
    /// The conversation so far, oldest first.
    pub items: Vec<Item>,
    /// Whether it is a small request beside the conversation: a title, a summary, a choice of the model.
    pub is_aside: bool,
}

/// A piece of the conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Item {
    /// A text in the name of the user: the person's own, or one that the CLI puts in.
    User(String),
    /// One reply of the model.
    Reply,
    /// What came of a tool call.
    Result(ToolResult),
}

/// What the model received as the result of a tool call.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ToolResult {
    /// The id of the call; the tool's name where the CLI keeps no ids.
    pub call: String,
    /// The output, or why there is none.
    pub text: String,
}

/// Collects a conversation; knows replies that arrive in pieces as one.
#[derive(Default)]
pub(super) struct Conversation {
    items: Vec<Item>,
    /// The number of the reply that was last added, where it is known.
    reply: Option<String>,
}

impl Conversation {
    pub(super) fn user(&mut self, text: &str) {
        let text = without_reminders(text);
        if !text.is_empty() {
            self.items.push(Item::User(text));
        }
    }

    pub(super) fn result(&mut self, call: &str, text: String) {
        self.items.push(Item::Result(ToolResult { call: call.to_owned(), text }));
    }

    /// A piece of a reply. CLIs send the calls of one reply back one by one, each followed by its result, so that only the
    /// call's id tells that they belong together.
    pub(super) fn reply(&mut self, call: Option<&str>) {
        let number = call.and_then(reply_of);
        let is_same = match (&number, &self.reply) {
            (Some(number), Some(known)) => number == known,
            _ => self.items.last() == Some(&Item::Reply),
        };
        if !is_same {
            self.items.push(Item::Reply);
            self.reply = None;
        }
        self.reply = number.or(self.reply.take());
    }

    pub(super) fn items(self) -> Vec<Item> {
        self.items
    }
}

/// The id of a call: it says which reply it was part of.
pub(super) fn call_id(reply: usize, index: usize) -> String {
    format!("call_{reply}_{index}")
}

fn reply_of(call: &str) -> Option<String> {
    let (number, _) = call.strip_prefix("call_")?.split_once('_')?;
    Some(number.to_owned())
}

/// The text without what Claude Code adds to it for the model alone.
fn without_reminders(text: &str) -> String {
    const BEGIN: &str = "<system-reminder>";
    const END: &str = "</system-reminder>";
    let mut kept = String::new();
    let mut rest = text;
    while let Some((before, reminder)) = rest.split_once(BEGIN) {
        kept.push_str(before);
        rest = reminder.split_once(END).map_or("", |(_, after)| after);
    }
    kept.push_str(rest);
    kept.trim().to_owned()
}
