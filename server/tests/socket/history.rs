//! The history over the socket, for paired devices alone; and what is counted.

use answerback::{
    journal::{Fact, FactKind},
    store::Store,
};
use answerback_client::Client as LocalClient;
use serde_json::json;
use shared_types::{Actor, Command, ErrorCode, HistoryFilter, HistoryOutcome, Insight, PromptId, ReplyData, SessionId};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};
use uuid::Uuid;

use crate::client::Server;

fn commands(id: PromptId) -> [Command; 3] {
    [
        Command::History { filter: HistoryFilter::default(), before: None, limit: 9 },
        Command::HistoryPrompt { request_id: id },
        Command::Insight { since: 0, utc_offset: 0 },
    ]
}

#[tokio::test]
async fn history_is_for_devices_and_not_for_the_socket_of_commands() {
    let server = Server::start().await;
    let mut client = server.first_client().await;
    let (session, id) = (SessionId(Uuid::from_u128(1)), PromptId(Uuid::from_u128(2)));
    let prompt = json!({ "requestId": id, "type": "permission", "title": "May I?", "description": "" });
    let about = |kind, at| Fact::new(kind, at).in_session(session).about(id);
    let facts = vec![
        about(FactKind::PromptSeen, 10).with(json!({ "prompt": prompt })),
        about(FactKind::Verified, 14).by(Actor::Desk).with(json!({ "answer": "Yes" })),
    ];
    Store::open(server.folder.path()).expect("the store").record(facts).await.expect("recorded");

    let [history, past, insight] = commands(id);
    let Ok(ReplyData::History { rows, more: false }) = client.ask(history).await else { panic!("no history") };
    let [row] = rows.as_slice() else { panic!("{rows:?}") };
    assert_eq!(
        (row.title.as_str(), row.outcome, row.answer.as_deref()),
        ("May I?", HistoryOutcome::Verified, Some("Yes"))
    );
    let Ok(ReplyData::HistoryPrompt { prompt, steps, .. }) = client.ask(past).await else { panic!("no prompt") };
    assert_eq!((prompt.title.as_str(), steps.len()), ("May I?", 2));
    let Ok(ReplyData::Insight { insight: Insight { total, .. } }) = client.ask(insight).await else {
        panic!("no numbers")
    };
    assert_eq!((total.prompts, total.median_wait), (1, Some(4)));

    let unknown = Command::HistoryPrompt { request_id: PromptId(Uuid::from_u128(3)) };
    assert_eq!(client.ask(unknown).await.expect_err("unknown").code, ErrorCode::PromptGone);
    let long = HistoryFilter { text: Some("x".repeat(2000)), ..HistoryFilter::default() };
    let long = Command::History { filter: long, before: None, limit: 9 };
    assert_eq!(client.ask(long).await.expect_err("too long").code, ErrorCode::TooLarge);

    let socket = answerback::paths::Paths::resolve(Some(server.folder.path())).control_socket();
    let mut local = LocalClient::connect_local(&socket).await.expect("the local socket");
    local.hello(None).await.expect("hello");
    for command in commands(id) {
        let refused = local.ask(command).await.expect("an answer").expect_err("refused");
        assert_eq!(refused.code, ErrorCode::Forbidden);
    }
}

#[tokio::test]
async fn metrics_are_for_the_owner_and_for_who_has_the_token() {
    let server = Server::start().await;
    let mut client = server.first_client().await;
    client.start_demo().await;
    let socket = answerback::paths::Paths::resolve(Some(server.folder.path())).control_socket();
    let mut local = LocalClient::connect_local(&socket).await.expect("the local socket");
    local.hello(None).await.expect("hello");
    let Ok(ReplyData::Metrics { text }) = local.ask(Command::Metrics).await.expect("an answer") else {
        panic!("no metrics")
    };
    // The page, this command, and the part of the server that notifies people.
    assert!(text.contains("\nanswerback_sessions 1\n") && text.contains("\nanswerback_listeners 3\n"), "{text}");

    let get = async |header: &str| {
        let mut stream = TcpStream::connect(server.address).await.expect("connect");
        let address = server.address;
        let request = format!("GET /metrics HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n{header}\r\n");
        stream.write_all(request.as_bytes()).await.expect("send");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.expect("an answer");
        answer
    };
    let token = std::fs::read_to_string(server.folder.path().join("metrics-token")).expect("the token");
    let answer = get(&format!("authorization: Bearer {token}\r\n")).await;
    assert!(answer.starts_with("HTTP/1.1 200") && answer.contains("answerback_build_info{version="), "{answer}");
    let cookie = format!("cookie: {}\r\n", client.credential.cookie);
    for wrong in ["", "authorization: Bearer 00\r\n", "authorization: Bearer \r\n", &cookie] {
        let answer = get(wrong).await;
        assert!(answer.starts_with("HTTP/1.1 401") && !answer.contains("answerback_build"), "{wrong}: {answer}");
    }
}
