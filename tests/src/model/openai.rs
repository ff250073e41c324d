//! The Responses API, as Codex speaks it.

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
    for item in body["input"].as_array().into_iter().flatten() {
        let kind = item["type"].as_str().unwrap_or("message");
        match (kind, item["role"].as_str()) {
            ("message", Some("user")) => {
                for part in item["content"].as_array().into_iter().flatten() {
                    conversation.user(part["text"].as_str().unwrap_or_default());
                }
            }
            ("message", Some("assistant")) | ("reasoning", _) => conversation.reply(None),
            (kind, _) if kind.ends_with("_call_output") => {
                conversation.result(item["call_id"].as_str().unwrap_or_default(), text_of(&item["output"]));
            }
            (kind, _) if kind.ends_with("_call") => conversation.reply(item["call_id"].as_str()),
            _ => {}
        }
    }
    // Every new conversation is given a title by a request that wants JSON.
    (conversation.items(), !body["text"]["format"]["schema"].is_null())
}

/// What a request beside the conversation gets.
pub(super) fn aside() -> String {
    json!({ "title": "A story" }).to_string()
}

pub(super) fn failure(failure: &Failure) -> Value {
    json!({ "error": { "message": failure.message, "type": "error", "code": null, "param": null } })
}

/// Writes a reply.
pub(super) struct Responses {
    reply: usize,
    parts: usize,
    calls: usize,
}

impl Responses {
    pub(super) fn new(reply: usize) -> Self {
        Self { reply, parts: 0, calls: 0 }
    }

    fn id(&self) -> String {
        format!("resp_{}", self.reply)
    }
}

impl Writer for Responses {
    fn begin(&mut self) -> String {
        event("response.created", json!({ "response": { "id": self.id() } }))
    }

    fn part(&mut self, part: &Part) -> String {
        let index = self.parts;
        self.parts += 1;
        match part {
            Part::Thinking(text) => {
                let id = format!("rs_{}_{index}", self.reply);
                let delta = json!({ "item_id": id, "output_index": index, "summary_index": 0, "delta": text });
                let summary = json!([{ "type": "summary_text", "text": text }]);
                event("response.output_item.added", json!({ "item": { "type": "reasoning", "id": id, "summary": [] } }))
                    + &event("response.reasoning_summary_text.delta", delta)
                    + &event(
                        "response.output_item.done",
                        json!({ "item": { "type": "reasoning", "id": id, "summary": summary } }),
                    )
            }
            Part::Text(text) => {
                let id = format!("msg_{}_{index}", self.reply);
                let message =
                    |content: Value| json!({ "type": "message", "role": "assistant", "id": id, "content": content });
                let delta = json!({ "item_id": id, "output_index": index, "content_index": 0, "delta": text });
                event("response.output_item.added", json!({ "item": message(json!([])) }))
                    + &event("response.output_text.delta", delta)
                    + &event(
                        "response.output_item.done",
                        json!({ "item": message(json!([{ "type": "output_text", "text": text }])) }),
                    )
            }
            Part::Call(call) => {
                let id = call_id(self.reply, self.calls);
                self.calls += 1;
                let mut item = match &call.input {
                    Value::String(text) => json!({ "type": "custom_tool_call", "input": text }),
                    input => json!({ "type": "function_call", "arguments": input.to_string() }),
                };
                item["call_id"] = id.into();
                item["name"] = call.name.clone().into();
                if let Some(namespace) = &call.namespace {
                    item["namespace"] = namespace.clone().into();
                }
                event("response.output_item.done", json!({ "item": item }))
            }
            Part::Hold(_) => String::new(),
        }
    }

    fn end(&mut self) -> String {
        let usage = json!({
            "input_tokens": 1000, "input_tokens_details": { "cached_tokens": 0 },
            "output_tokens": 50, "output_tokens_details": { "reasoning_tokens": 0 }, "total_tokens": 1050,
        });
        event("response.completed", json!({ "response": { "id": self.id(), "usage": usage } }))
    }
}

fn event(kind: &str, mut data: Value) -> String {
    data["type"] = kind.into();
    sse(Some(kind), &data)
}

fn text_of(output: &Value) -> String {
    match output {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts.iter().filter_map(|part| part["text"].as_str()).collect::<Vec<_>>().join("\n"),
        other => other.to_string(),
    }
}
