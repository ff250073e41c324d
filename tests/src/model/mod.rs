//! A model that says what the story wants: one server on loopback that speaks the APIs of the three vendors.
//!
//! A story gives it scripts. A script is found by the user's message that begins it, so that requests beside the conversation
//! eat no turns and a sub-agent, whose first message is what it was told to do, gets a script of its own. Which turn is due is
//! counted in the request itself: a CLI that tries again gets the same turn again.
//!
//! What the CLI sent is read back in the same words for all of them: [`Model::tool_results`], [`Model::user_texts`].

mod anthropic;
mod chat;
mod gemini;
mod openai;
mod request;
mod turn;
mod wire;

pub use request::{Item, Request, ToolResult};
pub use turn::{Call, Gate, Turn};

use std::{
    collections::HashMap,
    convert::Infallible,
    hash::Hash,
    net::SocketAddr,
    sync::{Arc, Mutex, MutexGuard},
};

use axum::{
    Router,
    body::{Body, Bytes},
    extract::{DefaultBodyLimit, State},
    http::{HeaderMap, StatusCode, Uri},
    response::Response,
};
use futures_util::stream;
use serde_json::Value;
use tokio::{
    net::TcpListener,
    sync::{mpsc, watch},
    task::JoinHandle,
    time::timeout,
};

use self::{turn::Part, wire::Wire};
use crate::LIMIT;

/// How much of one item a report shows.
const ITEM_LIMIT: usize = 400;

/// The model, until it is dropped.
pub struct Model {
    address: SocketAddr,
    shared: Arc<Shared>,
    serving: JoinHandle<()>,
}

#[derive(Default)]
struct Shared {
    scripts: Mutex<Vec<Script>>,
    requests: Mutex<Vec<Request>>,
    /// Paths that were asked for and are not the model's.
    strangers: Mutex<Vec<String>>,
    /// How many requests there were: whoever waits for one is woken by it.
    count: watch::Sender<usize>,
}

struct Script {
    message: String,
    turns: Vec<Turn>,
    /// How many of its turns were errors: they leave no reply in the conversation to be counted.
    failures: usize,
}

impl Model {
    /// Starts it.
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("the port");
        let shared = Arc::new(Shared::default());
        let router = Router::new().fallback(answer).layer(DefaultBodyLimit::disable()).with_state(Arc::clone(&shared));
        let serving = tokio::spawn(async move { axum::serve(listener, router).await.expect("serve the model") });
        Self { address, shared, serving }
    }

    /// Where it listens, as CLIs want to be told.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// What it says after a message of the user that contains this text; given again, it replaces what was said before. After the
    /// last turn it is done.
    pub fn script(&self, message: &str, turns: impl IntoIterator<Item = Turn>) {
        let mut scripts = locked(&self.shared.scripts);
        scripts.retain(|script| script.message != message);
        scripts.push(Script { message: message.to_owned(), turns: turns.into_iter().collect(), failures: 0 });
    }

    /// Every request of a conversation so far, oldest first; those beside it are left out.
    #[must_use]
    pub fn requests(&self) -> Vec<Request> {
        locked(&self.shared.requests).iter().filter(|request| !request.is_aside).cloned().collect()
    }

    /// What it received as results of tool calls, in the order of their arrival; each once, however often it was sent along.
    #[must_use]
    pub fn tool_results(&self) -> Vec<ToolResult> {
        each_once(&self.requests(), |item| match item {
            Item::Result(result) => Some(result.clone()),
            _ => None,
        })
    }

    /// What it received in the name of the user, in the order of arrival. A message that was sent twice is here twice.
    #[must_use]
    pub fn user_texts(&self) -> Vec<String> {
        each_once(&self.requests(), |item| match item {
            Item::User(text) => Some(text.clone()),
            _ => None,
        })
    }

    /// Waits until it has received so many results of tool calls.
    pub async fn wait_tool_results(&self, count: usize) -> Vec<ToolResult> {
        self.wait(&format!("{count} tool results"), |model| {
            Some(model.tool_results()).filter(|results| results.len() >= count)
        })
        .await
    }

    /// Waits until a text of the user contains this.
    pub async fn wait_user_text(&self, part: &str) -> String {
        self.wait(&format!("a message with {part:?}"), |model| {
            model.user_texts().into_iter().find(|text| text.contains(part))
        })
        .await
    }

    /// Waits until something has been asked of it.
    pub async fn wait<T>(&self, what: &str, pick: impl Fn(&Self) -> Option<T>) -> T {
        let mut count = self.shared.count.subscribe();
        let waiting = async {
            loop {
                if let Some(found) = pick(self) {
                    return found;
                }
                count.changed().await.expect("the model is there");
            }
        };
        timeout(LIMIT, waiting)
            .await
            .unwrap_or_else(|_| panic!("the model waited in vain for {what}\n{}", self.report()))
    }

    /// The end of what it was asked, for a failure's report.
    #[must_use]
    pub fn report(&self) -> String {
        let requests = locked(&self.shared.requests);
        let mut report = format!("the model got {} requests", requests.len());
        let strangers = locked(&self.shared.strangers);
        if !strangers.is_empty() {
            report += &format!(", and others to {strangers:?}");
        }
        if let Some(last) = requests.last() {
            let beside = if last.is_aside { " (beside the conversation)" } else { "" };
            report += &format!("; the end of the last one{beside}, to {}:\n", last.path);
            for item in last.items.iter().rev().take(6).rev() {
                // CLIs put whole manuals into the conversation.
                report.extend(format!("  {item:?}").chars().take(ITEM_LIMIT));
                report.push('\n');
            }
        }
        report
    }
}

impl Drop for Model {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

impl Shared {
    /// What is due.
    fn turn(&self, wire: Wire, request: &Request) -> Turn {
        if request.is_aside {
            return Turn::say(&wire.aside(request));
        }
        let mut scripts = locked(&self.scripts);
        let script_of = |text: &str| scripts.iter().rposition(|script| text.contains(&script.message));
        let found = request.items.iter().enumerate().rev().find_map(|(index, item)| match item {
            Item::User(text) => script_of(text).map(|script| (index, script)),
            _ => None,
        });
        let Some((began, script)) = found else { return Turn::say("Nobody told me what to say to that.") };
        let replies = request.items.iter().skip(began).filter(|item| **item == Item::Reply).count();
        let script = &mut scripts[script];
        let Some(turn) = script.turns.get(replies + script.failures) else { return Turn::say("That was all.") };
        let turn = turn.made_from.as_ref().map_or_else(|| turn.clone(), |make| make(request));
        if turn.failure.is_some() {
            script.failures += 1;
        }
        turn
    }
}

/// Takes one request.
async fn answer(State(shared): State<Arc<Shared>>, uri: Uri, headers: HeaderMap, body: Bytes) -> Response {
    let path = uri.path();
    let Some(wire) = Wire::of(path) else {
        locked(&shared.strangers).push(path.to_owned());
        return reply(StatusCode::NOT_FOUND, "application/json", Body::from("{}"));
    };
    let Ok(body) = serde_json::from_slice::<Value>(&body) else {
        panic!("{path}: not JSON: {headers:?}");
    };
    let request = wire.read(path, body);
    let turn = shared.turn(wire, &request);
    let number = {
        let mut requests = locked(&shared.requests);
        requests.push(request.clone());
        requests.len()
    };
    shared.count.send_replace(number);
    if let Some(failure) = &turn.failure {
        let status = StatusCode::from_u16(failure.status).expect("a status");
        return reply(status, "application/json", Body::from(wire.failure(failure).to_string()));
    }
    // The one wire on which a CLI asks for a reply in one piece, and only beside the conversation.
    if path.ends_with(":generateContent") {
        let text = wire.aside(&request);
        return reply(
            StatusCode::OK,
            "application/json",
            Body::from(gemini::Contents::whole(number, &text).to_string()),
        );
    }
    let writer = wire.writer(number, &request);
    let headers = turn.headers.clone();
    let mut response = reply(StatusCode::OK, "text/event-stream", streamed(turn.parts, writer));
    for (name, value) in &headers {
        let name = axum::http::HeaderName::from_bytes(name.as_bytes()).expect("a header name");
        response.headers_mut().insert(name, value.parse().expect("a header"));
    }
    response
}

/// Sends a turn piece by piece, and stops when nobody listens any more.
fn streamed(parts: Vec<Part>, mut writer: Box<dyn wire::Writer>) -> Body {
    // A few pieces ahead of the CLI is enough; when it does not read, the turn waits.
    let (pieces, arrived) = mpsc::channel::<String>(8);
    tokio::spawn(async move {
        if pieces.send(writer.begin()).await.is_err() {
            return;
        }
        for part in parts {
            if pieces.send(writer.part(&part)).await.is_err() {
                return;
            }
            if let Part::Hold(gate) = &part {
                tokio::select! {
                    () = gate.passed() => {}
                    () = pieces.closed() => return,
                }
            }
        }
        let _ = pieces.send(writer.end()).await;
    });
    Body::from_stream(stream::unfold(arrived, async |mut arrived| {
        let piece = arrived.recv().await?;
        Some((Ok::<_, Infallible>(piece), arrived))
    }))
}

fn reply(status: StatusCode, kind: &'static str, body: Body) -> Response {
    Response::builder().status(status).header("content-type", kind).body(body).expect("a response")
}

/// One event of a stream.
fn sse(name: Option<&str>, data: &Value) -> String {
    let name = name.map_or_else(String::new, |name| format!("event: {name}\n"));
    format!("{name}data: {data}\n\n")
}

/// What the requests hold, without what a later one only repeats: each carries the conversation from its beginning.
fn each_once<T: Clone + Eq + Hash>(requests: &[Request], pick: impl Fn(&Item) -> Option<T>) -> Vec<T> {
    let mut known: HashMap<T, usize> = HashMap::new();
    let mut all = Vec::new();
    for request in requests {
        let mut here: HashMap<T, usize> = HashMap::new();
        for found in request.items.iter().filter_map(&pick) {
            let times = here.entry(found.clone()).or_default();
            *times += 1;
            let known = known.entry(found.clone()).or_default();
            if *times > *known {
                *known = *times;
                all.push(found);
            }
        }
    }
    all
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().expect("no story has failed while holding it")
}
