//! Chat completions, as Qwen Code speaks them.

use serde_json::{Map, Value, json};

use super::{
    request::{Conversation, Item, call_id},
    sse,
    turn::{Failure, Part},
    wire::Writer,
};

/// The conversation, and whether the request is beside it.
pub(super) fn read(body: &Value) -> (Vec<Item>, bool) {
    let mut conversation = Conversation::default();
    for message in body["messages"].as_array().into_iter().flatten() {
        let calls = || message["tool_calls"].as_array().into_iter().flatten();
        match message["role"].as_str() {
            Some("user") => texts(&message["content"]).for_each(|text| conversation.user(text)),
            Some("tool") => {
                let text = texts(&message["content"]).collect::<Vec<_>>().join("\n");
                conversation.result(message["tool_call_id"].as_str().unwrap_or_default(), text);
            }
            Some("assistant") if calls().next().is_none() => conversation.reply(None),
            Some("assistant") => calls().for_each(|call| conversation.reply(call["id"].as_str())),
            _ => {}
        }
    }
    // What is asked beside the conversation comes with no tools, or with the one that the reply must have the form of.
    let tools = body["tools"].as_array().map_or(0, Vec::len);
    (conversation.items(), tools < 2)
}

/// What a request beside the conversation gets.
pub(super) fn aside() -> String {
    "Fine.".to_owned()
}

pub(super) fn failure(failure: &Failure) -> Value {
    json!({ "error": { "message": failure.message, "type": "error", "code": null, "param": null } })
}

/// Writes a reply.
pub(super) struct Completions {
    reply: usize,
    calls: usize,
}

impl Completions {
    pub(super) fn new(reply: usize) -> Self {
        Self { reply, calls: 0 }
    }

    fn chunk(&self, delta: &Value, finish: Option<&str>) -> String {
        let mut choice = Map::new();
        choice.insert("index".to_owned(), 0.into());
        choice.insert("delta".to_owned(), delta.clone());
        choice.insert("finish_reason".to_owned(), finish.into());
        let mut chunk = json!({
            "id": format!("reply_{}", self.reply), "object": "chat.completion.chunk", "created": 0, "model": "story",
            "choices": [choice],
        });
        if finish.is_some() {
            chunk["usage"] = json!({ "prompt_tokens": 1000, "completion_tokens": 50, "total_tokens": 1050 });
        }
        sse(None, &chunk)
    }
}

impl Writer for Completions {
    fn begin(&mut self) -> String {
        self.chunk(&json!({ "role": "assistant", "content": "" }), None)
    }

    fn part(&mut self, part: &Part) -> String {
        match part {
            Part::Thinking(text) => self.chunk(&json!({ "reasoning_content": text }), None),
            Part::Text(text) => self.chunk(&json!({ "content": text }), None),
            Part::Call(call) => {
                let index = self.calls;
                self.calls += 1;
                let function = json!({ "name": call.name, "arguments": call.input.to_string() });
                let id = call_id(self.reply, index);
                let call = json!({ "index": index, "id": id, "type": "function", "function": function });
                self.chunk(&json!({ "tool_calls": [call] }), None)
            }
            Part::Hold(_) => String::new(),
        }
    }

    fn end(&mut self) -> String {
        let reason = if self.calls > 0 { "tool_calls" } else { "stop" };
        self.chunk(&json!({}), Some(reason)) + "data: [DONE]\n\n"
    }
}

/// A text alone, or the texts among the parts.
fn texts(content: &Value) -> impl Iterator<Item = &str> {
    let parts = content.as_array().into_iter().flatten().filter_map(|part| part["text"].as_str());
    content.as_str().into_iter().chain(parts)
}
