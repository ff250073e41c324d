//! A stand-in for Telegram's Bot API: keeps every call, tells what the story lets happen in the chats, and fails when it is told to.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex},
    time::Duration,
};

use axum::{
    Json, Router,
    extract::{Path, State},
    http::StatusCode,
    response::{IntoResponse as _, Response},
    routing,
};
use serde_json::{Value, json};
use tokio::sync::Notify;

use crate::wait_until;

/// The token of its one bot.
pub const BOT_TOKEN: &str = "123456:story-token";
/// How long it holds a question for updates; shorter than Telegram does, so that stories end soon.
const HOLD: Duration = Duration::from_secs(2);

/// The stand-in.
#[derive(Clone, Default)]
pub struct Telegram {
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    state: Mutex<Happened>,
    more: Notify,
}

#[derive(Default)]
struct Happened {
    address: String,
    updates: VecDeque<Value>,
    last_number: i64,
    last_message: i64,
    calls: Vec<(String, Value)>,
    /// What the next questions for updates are answered with instead.
    failures: VecDeque<(u16, Value)>,
}

impl Telegram {
    /// Starts it on a port of this machine.
    pub async fn start() -> Self {
        let telegram = Self::default();
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
        telegram.lock().address = format!("http://{}", listener.local_addr().expect("an address"));
        let router = Router::new().route("/{bot}/{method}", routing::post(called)).with_state(telegram.clone());
        tokio::spawn(axum::serve(listener, router).into_future());
        telegram
    }

    /// Where it listens.
    #[must_use]
    pub fn address(&self) -> String {
        self.lock().address.clone()
    }

    /// The next question for updates is answered with this status and these parameters.
    pub fn fails_with(&self, status: u16, parameters: Value) {
        self.lock().failures.push_back((status, parameters));
        self.shared.more.notify_waiters();
    }

    /// Somebody writes in their chat with the bot. Returns the message's number.
    pub fn writes(&self, person: i64, text: &str, reply_to: Option<i64>) -> i64 {
        let message_id = self.next_message();
        let mut message = json!({
            "message_id": message_id,
            "chat": { "id": person, "type": "private" },
            "from": { "id": person, "first_name": format!("Person {person}") },
            "text": text,
        });
        if let Some(to) = reply_to {
            message["reply_to_message"] = json!({ "message_id": to });
        }
        self.happens(json!({ "message": message }));
        message_id
    }

    /// Somebody taps a button.
    pub fn taps(&self, person: i64, data: &str) {
        let message = json!({ "message_id": 1, "chat": { "id": person, "type": "private" } });
        let query = json!({ "id": "tap", "from": { "id": person }, "message": message, "data": data });
        self.happens(json!({ "callback_query": query }));
    }

    /// How many calls there were.
    #[must_use]
    pub fn calls(&self) -> usize {
        self.lock().calls.len()
    }

    /// Waits for a call after the first so many, by its method and a part of what it says.
    pub async fn call_after(&self, seen: usize, method: &str, part: &str) -> Value {
        let found = || {
            let state = self.lock();
            let mut calls = state.calls.iter().skip(seen);
            calls.find(|(name, said)| name == method && said.to_string().contains(part)).map(|(_, said)| said.clone())
        };
        wait_until(&format!("the call {method} with {part:?}"), found, || format!("{:#?}", self.lock().calls)).await
    }

    /// Every call of a method.
    #[must_use]
    pub fn all(&self, method: &str) -> Vec<Value> {
        self.lock().calls.iter().filter(|(name, _)| name == method).map(|(_, said)| said.clone()).collect()
    }

    fn next_message(&self) -> i64 {
        let mut state = self.lock();
        state.last_message += 1;
        state.last_message
    }

    fn happens(&self, mut update: Value) {
        let mut state = self.lock();
        state.last_number += 1;
        update["update_id"] = json!(state.last_number);
        state.updates.push_back(update);
        drop(state);
        self.shared.more.notify_waiters();
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Happened> {
        self.shared.state.lock().expect("no story panics while it holds this")
    }

    async fn updates(&self, offset: Option<i64>) -> Response {
        let ends = tokio::time::Instant::now() + HOLD;
        loop {
            let more = self.shared.more.notified();
            tokio::pin!(more);
            // From here on nothing that happens is missed.
            more.as_mut().enable();
            {
                let mut state = self.lock();
                if let Some((status, parameters)) = state.failures.pop_front() {
                    return refuse(status, &parameters);
                }
                state.updates.retain(|update| update["update_id"].as_i64() >= offset);
                if !state.updates.is_empty() {
                    return good(&json!(state.updates));
                }
            }
            if tokio::time::timeout_at(ends, more).await.is_err() {
                return good(&json!([]));
            }
        }
    }
}

async fn called(
    State(telegram): State<Telegram>,
    Path((bot, method)): Path<(String, String)>,
    Json(said): Json<Value>,
) -> Response {
    if bot != format!("bot{BOT_TOKEN}") {
        return refuse(401, &json!({}));
    }
    if method == "getUpdates" {
        return telegram.updates(said["offset"].as_i64()).await;
    }
    let sends = (method == "sendMessage").then(|| telegram.next_message());
    let mut kept = said;
    if let Some(id) = sends {
        kept["message_id"] = json!(id);
    }
    telegram.lock().calls.push((method.clone(), kept));
    match method.as_str() {
        "getMe" => good(&json!({ "id": 1, "username": "story_bot" })),
        "sendMessage" => good(&json!({ "message_id": sends })),
        _ => good(&json!(true)),
    }
}

fn good(result: &Value) -> Response {
    Json(json!({ "ok": true, "result": result })).into_response()
}

fn refuse(status: u16, parameters: &Value) -> Response {
    let body = json!({ "ok": false, "error_code": status, "description": "refused", "parameters": parameters });
    (StatusCode::from_u16(status).expect("a status"), Json(body)).into_response()
}
