//! Files that go with messages: who may hand one over, what is refused, and that nothing is left of it.

use shared_types::{ATTACH_LIMIT, AttachedFile, Command, ErrorCode, PROOF_HEADER, SessionId, WireError, request_proof};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
    time::timeout,
};

use super::client::{Client, LIMIT, Server};

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n the rest of a picture";

type Header<'a> = (&'a str, &'a str);

struct Answer {
    status: u16,
    head: String,
    body: Vec<u8>,
}

impl Answer {
    fn code(&self) -> ErrorCode {
        serde_json::from_slice::<WireError>(&self.body).expect("a refusal").code
    }

    fn file(&self) -> AttachedFile {
        serde_json::from_slice(&self.body).unwrap_or_else(|_| panic!("no file: {}", self.head))
    }
}

async fn http(server: &Server, line: &str, headers: &[Header<'_>], body: &[u8]) -> Answer {
    let mut request = format!("{line} HTTP/1.1\r\nconnection: close\r\n");
    for (name, value) in headers {
        request.push_str(&format!("{name}: {value}\r\n"));
    }
    request.push_str("\r\n");
    let exchange = async {
        let mut stream = TcpStream::connect(server.address).await.expect("connect");
        stream.write_all(request.as_bytes()).await.expect("send");
        // A server that has refused already need not read on.
        let _ = stream.write_all(body).await;
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer).await;
        answer
    };
    let answer = timeout(LIMIT, exchange).await.expect("an answer in time");
    let end = answer.windows(4).position(|four| four == b"\r\n\r\n").expect("a head");
    let head = String::from_utf8_lossy(&answer[..end]).into_owned();
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
    Answer { status, head, body: answer[end + 4..].to_vec() }
}

/// A request with the proof of the client's key.
async fn http_as(server: &Server, client: &Client, line: &str, headers: &[Header<'_>], body: &[u8]) -> Answer {
    let (method, path) = line.split_once(' ').expect("a method and a path");
    let proof = request_proof(&client.credential.key, client.epoch, method, path);
    let headers = [headers, &[(PROOF_HEADER, proof.as_str())]].concat();
    http(server, line, &headers, body).await
}

/// Hands a file over as the page does.
async fn hand_over(
    server: &Server,
    client: &Client,
    session: SessionId,
    kind: &str,
    name: &str,
    body: &[u8],
) -> Answer {
    let (host, length) = (server.address.to_string(), body.len().to_string());
    let origin = format!("http://{host}");
    let headers = [
        ("host", host.as_str()),
        ("origin", &origin),
        ("cookie", &client.credential.cookie),
        ("content-type", kind),
        ("content-length", &length),
    ];
    let line = format!("POST /api/sessions/{}/files?name={name}", session.0);
    http_as(server, client, &line, &headers, body).await
}

fn kept(server: &Server, session: SessionId) -> Vec<String> {
    let folder = server.folder.path().join("sessions").join(session.0.to_string()).join("files");
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect()
}

#[tokio::test]
async fn a_file_goes_with_a_message_and_with_the_session() {
    let server = Server::start().await;
    let mut client = server.first_client().await;
    let session = client.start_demo().await;
    let answer = hand_over(&server, &client, session, "image/png", "..%2F..%2Fetc%2Fpasswd", PNG).await;
    assert_eq!(answer.status, 200, "{}", answer.head);
    let file = answer.file();
    assert_eq!(file.name, "passwd", "only ever shown");
    assert_eq!(kept(&server, session), [file.id.as_str()]);

    let host = server.address.to_string();
    let origin = format!("http://{host}");
    let cookie = client.credential.cookie.clone();
    let own = [("host", host.as_str()), ("origin", &origin), ("cookie", &cookie)];
    let path = format!("/api/sessions/{}/files/{}", session.0, file.id);
    let shown = http_as(&server, &client, &format!("GET {path}"), &own, b"").await;
    assert_eq!((shown.status, shown.body.as_slice()), (200, PNG));
    assert!(shown.head.contains("content-type: image/png"), "{}", shown.head);
    assert_eq!(http(&server, &format!("GET {path}"), &own[..1], b"").await.status, 401, "for paired devices alone");

    let send = |files: Vec<String>| Command::SendText {
        session_id: session,
        text: "look".to_owned(),
        idempotency_key: None,
        files,
    };
    client.ask(send(vec![file.id.clone()])).await.expect("taken");
    let pressed = format!("{:?}", server.terminal.pane(session).expect("a pane").pressed());
    assert!(pressed.contains(&format!("look\\n{}", server.folder.path().display())), "{pressed}");
    assert!(pressed.contains(&file.id), "{pressed}");
    for id in ["../../answerback.db", "0123456789abcdef.png", ""] {
        let refused = client.ask(send(vec![id.to_owned()])).await.expect_err("no such file");
        assert_eq!(refused.code, ErrorCode::BadValue, "{id}");
    }

    let another = hand_over(&server, &client, session, "text/plain", "a.md", b"text").await.file();
    let line = format!("DELETE /api/sessions/{}/files/{}", session.0, another.id);
    assert_eq!(http(&server, &line, &own, b"").await.status, 401, "the cookie alone removes nothing");
    assert_eq!(http_as(&server, &client, &line, &own, b"").await.status, 204);
    assert_eq!(kept(&server, session), [file.id]);
    client.ask(Command::End { session_id: session }).await.expect("ended");
    let refused = hand_over(&server, &client, session, "image/png", "a.png", PNG).await;
    assert_eq!((refused.status, refused.code()), (409, ErrorCode::SessionEnded));
    client.ask(Command::Forget { session_id: session }).await.expect("forgotten");
    assert_eq!(kept(&server, session), [] as [&str; 0]);
}

#[tokio::test]
async fn what_may_not_come_in_leaves_nothing_behind() {
    let server = Server::start().await;
    let mut client = server.first_client().await;
    let session = client.start_demo().await;
    let host = server.address.to_string();
    let origin = format!("http://{host}");
    let line = format!("POST /api/sessions/{}/files?name=a.png", session.0);
    let kind = ("content-type", "image/png");
    let length = ("content-length", "30");
    let cookie = ("cookie", client.credential.cookie.as_str());
    let ours = ("host", host.as_str());
    let proof = request_proof(&client.credential.key, client.epoch, "POST", "/api/sessions/another/files?name=a.png");
    let old = request_proof(&client.credential.key, uuid::Uuid::nil(), "POST", line.split_once(' ').expect("a path").1);
    let table: [(&str, &[Header<'_>], u16); 8] = [
        ("another origin", &[ours, ("origin", "http://evil.example"), cookie, kind, length], 403),
        ("no origin", &[ours, cookie, kind, length], 403),
        ("another host", &[("host", "evil.example"), ("origin", "http://evil.example"), cookie, kind, length], 403),
        ("no device", &[ours, ("origin", &origin), kind, length], 401),
        ("a cookie alone", &[ours, ("origin", &origin), cookie, kind, length], 401),
        ("another request's proof", &[ours, ("origin", &origin), cookie, kind, length, (PROOF_HEADER, &proof)], 401),
        ("an earlier run's proof", &[ours, ("origin", &origin), cookie, kind, length, (PROOF_HEADER, &old)], 401),
        ("a made-up device", &[ours, ("origin", &origin), ("cookie", "answerback-0=0"), kind, length], 401),
    ];
    for (what, headers, status) in table {
        assert_eq!(http(&server, &line, headers, &PNG[..30]).await.status, status, "{what}");
    }
    for (kind, body, status, code) in [
        ("image/png", &b"#!/bin/sh"[..], 422, ErrorCode::BadValue),
        ("image/svg+xml", b"<svg/>", 422, ErrorCode::BadValue),
        ("text/plain", PNG, 422, ErrorCode::BadValue),
    ] {
        let refused = hand_over(&server, &client, session, kind, "a.png", body).await;
        assert_eq!((refused.status, refused.code()), (status, code), "{kind}");
    }
    let nobody = SessionId(uuid::Uuid::from_u128(7));
    assert_eq!(hand_over(&server, &client, nobody, "image/png", "a.png", PNG).await.status, 404);
    assert_eq!(kept(&server, session), [] as [&str; 0]);
}

#[tokio::test]
async fn a_file_that_is_too_large_is_stopped_on_its_way() {
    let server = Server::start().await;
    let mut client = server.first_client().await;
    let session = client.start_demo().await;
    let host = server.address.to_string();
    let origin = format!("http://{host}");
    let own = [
        ("host", host.as_str()),
        ("origin", &origin),
        ("cookie", &client.credential.cookie),
        ("content-type", "text/plain"),
    ];
    let line = format!("POST /api/sessions/{}/files", session.0);
    // One that says so is not even begun.
    let length = (ATTACH_LIMIT + 1).to_string();
    let headers: Vec<_> = own.into_iter().chain([("content-length", length.as_str())]).collect();
    let refused = http_as(&server, &client, &line, &headers, b"").await;
    assert_eq!((refused.status, refused.code()), (413, ErrorCode::TooLarge));
    // One that does not is stopped when it gets there: pieces without end.
    let headers: Vec<_> = own.into_iter().chain([("transfer-encoding", "chunked")]).collect();
    let piece = [b"100000\r\n".as_slice(), &vec![b'x'; 0x0010_0000], b"\r\n"].concat();
    let refused = http_as(&server, &client, &line, &headers, &piece.repeat(12)).await;
    assert_eq!((refused.status, refused.code()), (413, ErrorCode::TooLarge));
    assert_eq!(kept(&server, session), [] as [&str; 0]);
}
