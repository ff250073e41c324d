//! The Messages API, as Claude Code speaks it.

use serde_json::{Value, json};

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
        let blocks = match &message["content"] {
            Value::String(text) => vec![json!({ "type": "text", "text": text })],
            Value::Array(blocks) => blocks.clone(),
            _ => Vec::new(),
        };
        for block in &blocks {
            match (message["role"].as_str(), block["type"].as_str()) {
                (Some("assistant"), _) => conversation.reply(block["id"].as_str()),
                (Some("user"), Some("text")) => conversation.user(block["text"].as_str().unwrap_or_default()),
                (Some("user"), Some("tool_result")) => {
                    conversation.result(block["tool_use_id"].as_str().unwrap_or_default(), text_of(&block["content"]));
                }
                _ => {}
            }
        }
    }
    let has_tools = body["tools"].as_array().is_some_and(|tools| !tools.is_empty());
    (conversation.items(), !has_tools || !body["output_config"]["format"].is_null())
}

/// What a request beside the conversation gets. Old versions ask for a title in JSON; everything else takes any text.
pub(super) fn aside() -> String {
    json!({ "title": "A story", "isNewTopic": true }).to_string()
}

pub(super) fn failure(failure: &Failure) -> Value {
    let kind = match failure.status {
        429 => "rate_limit_error",
        529 => "overloaded_error",
        400..500 => "invalid_request_error",
        _ => "api_error",
    };
    json!({ "type": "error", "error": { "type": kind, "message": failure.message } })
}

/// Writes a reply.
pub(super) struct Messages {
    reply: usize,
    model: Value,
    blocks: usize,
    calls: usize,
}

impl Messages {
    pub(super) fn new(reply: usize, body: &Value) -> Self {
        Self { reply, model: body["model"].clone(), blocks: 0, calls: 0 }
    }

    /// A block: how it begins, and what is added to it.
    fn block(&mut self, begins: &Value, deltas: &[Value]) -> String {
        let index = self.blocks;
        self.blocks += 1;
        let mut frames = event(&json!({ "type": "content_block_start", "index": index, "content_block": begins }));
        for delta in deltas {
            frames += &event(&json!({ "type": "content_block_delta", "index": index, "delta": delta }));
        }
        frames + &event(&json!({ "type": "content_block_stop", "index": index }))
    }
}

impl Writer for Messages {
    fn begin(&mut self) -> String {
        let usage = json!({ "input_tokens": 1000, "output_tokens": 1 });
        let message = json!({
            "id": format!("msg_{}", self.reply), "type": "message", "role": "assistant", "model": self.model,
            "content": [], "stop_reason": null, "stop_sequence": null, "usage": usage,
        });
        event(&json!({ "type": "message_start", "message": message }))
    }

    fn part(&mut self, part: &Part) -> String {
        match part {
            Part::Thinking(text) => self.block(
                &json!({ "type": "thinking", "thinking": "", "signature": "" }),
                &[
                    json!({ "type": "thinking_delta", "thinking": text }),
                    json!({ "type": "signature_delta", "signature": "c3Rvcnk=" }),
                ],
            ),
            Part::Text(text) => {
                self.block(&json!({ "type": "text", "text": "" }), &[json!({ "type": "text_delta", "text": text })])
            }
            Part::Call(call) => {
                let id = call_id(self.reply, self.calls);
                self.calls += 1;
                self.block(
                    &json!({ "type": "tool_use", "id": id, "name": call.name, "input": {} }),
                    &[json!({ "type": "input_json_delta", "partial_json": call.input.to_string() })],
                )
            }
            Part::Hold(_) => String::new(),
        }
    }

    fn end(&mut self) -> String {
        let reason = if self.calls > 0 { "tool_use" } else { "end_turn" };
        let delta = json!({ "stop_reason": reason, "stop_sequence": null });
        event(&json!({ "type": "message_delta", "delta": delta, "usage": { "output_tokens": 50 } }))
            + &event(&json!({ "type": "message_stop" }))
    }
}

fn event(data: &Value) -> String {
    sse(data["type"].as_str(), data)
}

fn text_of(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(blocks) => blocks.iter().filter_map(|block| block["text"].as_str()).collect::<Vec<_>>().join("\n"),
        _ => String::new(),
    }
}
