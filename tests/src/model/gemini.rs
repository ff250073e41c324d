//! `streamGenerateContent` and `generateContent`, as Gemini CLI speaks them.

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
    for content in body["contents"].as_array().into_iter().flatten() {
        for part in content["parts"].as_array().into_iter().flatten() {
            let answer = &part["functionResponse"];
            if content["role"] == "model" {
                conversation.reply(part["functionCall"]["id"].as_str());
            } else if answer.is_object() {
                let call = answer["id"].as_str().or(answer["name"].as_str()).unwrap_or_default();
                conversation.result(call, text_of(&answer["response"]));
            } else if let Some(text) = part["text"].as_str() {
                conversation.user(text);
            }
        }
    }
    let has_tools = body["tools"].as_array().is_some_and(|tools| !tools.is_empty());
    (conversation.items(), !has_tools || schema(body).is_some())
}

/// What a request beside the conversation gets: something that fits the form it asks for.
pub(super) fn aside(body: &Value) -> String {
    let Some(schema) = schema(body) else { return "Fine.".to_owned() };
    let fields = schema["properties"].as_object().into_iter().flatten();
    let filled: Map<_, _> = fields.map(|(name, field)| (name.clone(), fitting(name, field))).collect();
    Value::Object(filled).to_string()
}

pub(super) fn failure(failure: &Failure) -> Value {
    let status = match failure.status {
        429 => "RESOURCE_EXHAUSTED",
        503 => "UNAVAILABLE",
        400..500 => "INVALID_ARGUMENT",
        _ => "INTERNAL",
    };
    // A story may bring the whole body, because the CLI decides by details of it what to ask the person.
    serde_json::from_str(&failure.message)
        .ok()
        .filter(Value::is_object)
        .unwrap_or_else(|| json!({ "error": { "code": failure.status, "message": failure.message, "status": status } }))
}

/// Writes a reply.
pub(super) struct Contents {
    reply: usize,
    calls: usize,
    /// The frame that was made last: the one at the end says that it is the end.
    last: Option<Value>,
}

impl Contents {
    pub(super) fn new(reply: usize) -> Self {
        Self { reply, calls: 0, last: None }
    }

    fn frame(&self, part: &Value) -> Value {
        json!({
            "candidates": [{ "content": { "role": "model", "parts": [part] }, "index": 0 }],
            "usageMetadata": { "promptTokenCount": 1000, "candidatesTokenCount": 50, "totalTokenCount": 1050 },
            "modelVersion": "story",
            "responseId": format!("response_{}", self.reply),
        })
    }

    /// The whole reply as one frame, for a request that does not stream.
    pub(super) fn whole(reply: usize, text: &str) -> Value {
        let mut frame = Self::new(reply).frame(&json!({ "text": text }));
        frame["candidates"][0]["finishReason"] = "STOP".into();
        frame
    }
}

impl Writer for Contents {
    fn begin(&mut self) -> String {
        String::new()
    }

    fn part(&mut self, part: &Part) -> String {
        let before = self.last.take().map_or_else(String::new, |frame| sse(None, &frame));
        let part = match part {
            Part::Thinking(text) => json!({ "text": text, "thought": true }),
            Part::Text(text) => json!({ "text": text }),
            Part::Call(call) => {
                let id = call_id(self.reply, self.calls);
                self.calls += 1;
                json!({ "functionCall": { "id": id, "name": call.name, "args": call.input } })
            }
            Part::Hold(_) => return before,
        };
        self.last = Some(self.frame(&part));
        before
    }

    fn end(&mut self) -> String {
        let mut frame = self.last.take().unwrap_or_else(|| self.frame(&json!({ "text": "" })));
        frame["candidates"][0]["finishReason"] = "STOP".into();
        sse(None, &frame)
    }
}

fn schema(body: &Value) -> Option<&Value> {
    let config = &body["generationConfig"];
    [&config["responseSchema"], &config["responseJsonSchema"]].into_iter().find(|schema| schema.is_object())
}

fn fitting(name: &str, field: &Value) -> Value {
    if name == "next_speaker" {
        return "user".into();
    }
    if let Some(first) = field["enum"].as_array().and_then(|values| values.first()) {
        return first.clone();
    }
    match field["type"].as_str().unwrap_or_default().to_lowercase().as_str() {
        "number" | "integer" => 0.into(),
        "boolean" => false.into(),
        "array" => json!([]),
        "object" => json!({}),
        _ => "fine".into(),
    }
}

fn text_of(response: &Value) -> String {
    let text = ["output", "error"].into_iter().find_map(|name| response[name].as_str());
    text.map_or_else(|| response.to_string(), str::to_owned)
}
