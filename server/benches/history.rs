//! `npm run bench`: how long a conversation of 100,000 messages takes to open, to jump into, and to be searched, from the
//! question to the answer as it goes to the phone.

#![expect(clippy::expect_used, clippy::print_stdout, reason = "a benchmark reads the clock and prints its figures")]

use std::time::{Duration, Instant};

use answerback::store::{Place, SessionRecord, Store};
use shared_types::{
    AdapterKind, Message, MessageBody, MessageId, MessageRole, Reply, ReplyData, RequestId, ServerMessage, SessionId,
    ToolResult, ToolUse,
};
use uuid::Uuid;

const MESSAGES: usize = 100_000;
/// As many as one look into a transcript brings.
const BATCH: usize = 1_000;
/// As many as the page asks for.
const PAGE: u32 = 100;
const ROUNDS: usize = 50;

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let folder = tempfile::tempdir().expect("a folder");
    let session = SessionId(Uuid::now_v7());
    let begun = Instant::now();
    fill(&Store::open(folder.path()).expect("a store"), session).await;
    println!("{MESSAGES} messages taken over in {:.1?}", begun.elapsed());

    let begun = Instant::now();
    let store = Store::open(folder.path()).expect("the store again");
    let first = page(&store, session, Place::Newest).await;
    println!("{:<34} {:>10.1?} (the server just started)", "opening it, the first time", begun.elapsed());
    assert_eq!(first.matches("\"role\"").count(), PAGE as usize);

    let middle = || Place::Around(MessageId(format!("m{}", MESSAGES / 2)));
    let early = || Place::Before(MessageId("m500".to_owned()));
    measure("opening it", async || page(&store, session, Place::Newest).await.len()).await;
    measure("jumping into the middle", async || page(&store, session, middle()).await.len()).await;
    measure("an old page", async || page(&store, session, early()).await.len()).await;
    for (name, query) in [
        ("searching a rare word", "needle50000"),
        ("searching what each has", "message"),
        ("searching while typing", "me"),
    ] {
        measure(name, async || found(&store, query, Some(session)).await).await;
    }
    measure("searching all sessions", async || found(&store, "message", None).await).await;
}

async fn measure(name: &str, mut work: impl AsyncFnMut() -> usize) {
    let mut times: Vec<Duration> = Vec::new();
    for _ in 0..ROUNDS {
        let begun = Instant::now();
        std::hint::black_box(work().await);
        times.push(begun.elapsed());
    }
    times.sort_unstable();
    let slowest = times[times.len() - 1];
    println!("{name:<34} {:>10.1?} median {slowest:>10.1?} slowest", times[times.len() / 2]);
}

/// A page as it goes to the phone.
async fn page(store: &Store, session: SessionId, place: Place) -> String {
    let page = store.messages(session, place, PAGE).await.expect("a page");
    let data = ReplyData::Messages { messages: page.messages, at_start: page.at_start, at_end: page.at_end };
    let reply = ServerMessage::Reply { id: RequestId(1), result: Reply::Ok { data } };
    serde_json::to_string(&reply).expect("a frame")
}

async fn found(store: &Store, query: &str, session: Option<SessionId>) -> usize {
    store.search(query.to_owned(), session, 50).await.expect("a search").0.len()
}

async fn fill(store: &Store, session: SessionId) {
    let record = SessionRecord {
        id: session,
        name: "long".to_owned(),
        adapter: AdapterKind::new("claude"),
        folder: "/".into(),
        command: Vec::new(),
        mode: None,
        cli_session_id: None,
        transcript: None,
        transcript_offset: 0,
        pane: None,
        usage: None,
        created_at: 1,
        ended: None,
    };
    store.add_session(record, None, Vec::new()).await.expect("a session");
    let numbers: Vec<usize> = (0..MESSAGES).collect();
    for batch in numbers.chunks(BATCH) {
        let messages = batch.iter().map(|number| message(*number)).collect();
        store.put_messages(session, messages, 0).await.expect("messages");
    }
}

/// Every third a tool with some output, the rest a paragraph.
fn message(number: usize) -> Message {
    let body = if number.is_multiple_of(3) {
        MessageBody::Tool {
            name: "Bash".to_owned(),
            summary: format!("message {number}"),
            input: serde_json::Value::Null,
            purpose: Some(ToolUse::Command { command: format!("cargo test --package shop needle{number}") }),
            result: Some(ToolResult { ok: true, output: "test result: ok\n".repeat(60), ..ToolResult::default() }),
        }
    } else {
        let text = format!("This is message {number} with needle{number}. ").repeat(8);
        MessageBody::Text { text, streaming: false }
    };
    let at = 1_790_000_000_000 + number as u64;
    Message { id: MessageId(format!("m{number}")), role: MessageRole::Assistant, at, body, agent: None, images: None }
}
