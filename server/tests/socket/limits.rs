//! Hello, limits, and how connections end.

use std::{
    fs,
    io::Write as _,
    time::{Duration, Instant},
};

use answerback_client::Frame;
use shared_types::{
    ClientMessage, Command, ErrorCode, Event, Message as Said, MessageBody, MessageId, MessageRole, PROTOCOL_VERSION,
    ReplyData, ServerMessage, SessionState,
};
use tokio::time::timeout;
use uuid::Uuid;

use crate::client::{Client, LIMIT, Server};

/// Requests of one page that are carried out at once.
const REQUESTS: usize = 16;
/// Screens that one page may watch at once.
const WATCHES: usize = 4;

#[tokio::test]
async fn hello_comes_first_once_and_in_our_version() {
    let server = Server::start().await;
    let mut client = server.first_client().await;
    let hello = |protocol| ClientMessage::Hello { protocol, epoch: None, last_seq: None, proof: None };
    client.say(&hello(PROTOCOL_VERSION)).await;
    assert_eq!(client.complaint().await, ErrorCode::HelloFirst, "twice");
    assert!(client.ask(Command::Devices).await.is_ok(), "it stays usable");

    let text = |message: &ClientMessage| Frame::text(serde_json::to_string(message).expect("JSON"));
    for (first, code) in [
        (text(&hello(PROTOCOL_VERSION + 1)), ErrorCode::ProtocolVersion),
        (text(&hello(0)), ErrorCode::ProtocolVersion),
        (
            text(&ClientMessage::Request { id: shared_types::RequestId(1), command: Command::Devices }),
            ErrorCode::HelloFirst,
        ),
        (Frame::text("hello"), ErrorCode::HelloFirst),
        (Frame::binary(vec![1, 2, 3]), ErrorCode::HelloFirst),
    ] {
        let mut other = Client::connect(server.address, client.credential.clone(), None).await;
        other.say_raw(first.clone()).await;
        assert_eq!(other.complaint().await, code, "{first:?}");
        assert_eq!(other.closed().await, Some(4406), "{first:?}");
    }
}

#[tokio::test]
async fn who_comes_back_gets_what_it_missed() {
    let server = Server::start().await;
    let mut client = server.first_client().await;
    let session_id = client.start_demo().await;
    let mut other = Client::connect(server.address, client.credential.clone(), None).await;
    other.say_hello(None).await;
    let Ok(ServerMessage::Welcome { epoch, .. }) = other.next().await else { panic!("no welcome") };
    let Ok(ServerMessage::Snapshot { seq, .. }) = other.next().await else { panic!("no snapshot") };
    drop(other);
    for name in ["a", "b", "c"] {
        client.ask(Command::Rename { session_id, name: name.to_owned() }).await.expect("renamed");
    }
    let mut back = Client::connect(server.address, client.credential.clone(), None).await;
    back.say_hello(Some((epoch, seq))).await;
    assert!(matches!(back.next().await, Ok(ServerMessage::Welcome { .. })));
    let mut names = Vec::new();
    while names.last().is_none_or(|name| name != "c") {
        match back.next().await.expect("an event") {
            ServerMessage::Event(event) => {
                if let Event::Session { session } = event.event {
                    names.push(session.name);
                }
            }
            other => panic!("no event: {other:?}"),
        }
    }
    assert_eq!(back.seen, (seq + 1..=seq + back.seen.len() as u64).collect::<Vec<_>>());
    // Whatever else of the session changes in between is told with the name it has by then.
    names.dedup();
    let renamed: Vec<&String> = names.iter().filter(|name| name.len() == 1).collect();
    assert_eq!(renamed, ["a", "b", "c"]);
}

#[tokio::test]
async fn a_device_that_is_revoked_is_out_at_once() {
    let server = Server::start().await;
    let mut keeper = server.first_client().await;
    let mut lost = server.next_client(&mut keeper).await;
    let Ok(ReplyData::Devices { devices }) = keeper.ask(Command::Devices).await else { panic!("no devices") };
    let [_, of_lost] = devices.as_slice() else { panic!("two devices expected: {devices:?}") };
    keeper.ask(Command::Revoke { device_id: of_lost.id }).await.expect("revoked");
    assert_eq!(lost.closed().await, Some(4401));
    let again = keeper.ask(Command::Revoke { device_id: of_lost.id }).await;
    assert_eq!(again.expect_err("there is none such").code, ErrorCode::UnknownDevice);
    assert!(keeper.ask(Command::Devices).await.is_ok(), "the other is not disturbed");
}

#[tokio::test]
async fn frames_that_are_too_long_are_refused_and_longer_ones_end_the_connection() {
    let server = Server::start().await;
    let mut client = server.first_client().await;
    client.say_raw(Frame::text("x".repeat(256 * 1024 + 1))).await;
    assert_eq!(client.complaint().await, ErrorCode::TooLarge);
    client.say_raw(Frame::binary(vec![0; 1000])).await;
    assert_eq!(client.complaint().await, ErrorCode::Malformed);
    assert!(client.ask(Command::Devices).await.is_ok(), "it stays usable");

    let mut other = Client::hello(server.address, client.credential.clone()).await;
    // The server may be gone before all of it is sent.
    let _ = other.socket.send_frame(Frame::text("x".repeat((1 << 20) + 1))).await;
    other.closed().await;
    assert!(client.ask(Command::Devices).await.is_ok(), "the other is not disturbed");
}

#[tokio::test]
async fn too_many_requests_at_once_are_refused() {
    let server = Server::start().await;
    let mut client = server.first_client().await;
    let mut sessions = Vec::new();
    for _ in 0..REQUESTS {
        sessions.push(client.start_demo().await);
    }
    // What is pasted stands in the composer and no Enter empties it: each of these takes seconds.
    let rule = "─".repeat(120);
    for session in &sessions {
        let taken = format!("{rule}\n> hello\n{rule}\n  hints");
        server.terminal.pane(*session).expect("a pane").react(move |_, shown| taken.clone_into(&mut shown.text));
    }
    let mut waiting = Vec::new();
    for session_id in sessions.clone() {
        let send = Command::SendText { session_id, text: "hello".to_owned(), idempotency_key: None, files: Vec::new() };
        waiting.push(client.begin(send).await);
    }
    let refused = client.ask(Command::Devices).await.expect_err("one too many");
    assert_eq!(refused.code, ErrorCode::SessionBusy, "{refused:?}");
    // Screens are watched all the same: that is no request to carry out.
    client.ask(Command::Watch { session_id: sessions[0] }).await.expect("watched");
    let mut other = Client::hello(server.address, client.credential.clone()).await;
    assert!(other.ask(Command::Devices).await.is_ok(), "another page has its own");
    for session in &sessions {
        server.terminal.pane(*session).expect("a pane").show(&format!("{rule}\n> \n{rule}\n  hints"));
    }
    let mut answered = Vec::new();
    while answered.len() < waiting.len() {
        if let ServerMessage::Reply { id, .. } = client.next().await.expect("the socket stays open") {
            answered.push(id);
        }
    }
    answered.sort();
    assert_eq!(answered, waiting, "every one of them is answered");
    assert!(client.ask(Command::Devices).await.is_ok(), "there is room again");
}

#[tokio::test]
async fn a_few_screens_can_be_watched_at_once() {
    let server = Server::start().await;
    let mut client = server.first_client().await;
    let mut sessions = Vec::new();
    for _ in 0..=WATCHES {
        sessions.push(client.start_demo().await);
    }
    let (last, first) = sessions.split_last().expect("sessions");
    for session_id in first {
        client.ask(Command::Watch { session_id: *session_id }).await.expect("watched");
        client.ask(Command::Watch { session_id: *session_id }).await.expect("twice is once");
    }
    let refused = client.ask(Command::Watch { session_id: *last }).await.expect_err("one too many");
    assert_eq!(refused.code, ErrorCode::BadValue);
    client.ask(Command::Unwatch { session_id: first[0] }).await.expect("not watched");
    client.ask(Command::Watch { session_id: *last }).await.expect("watched");
    server.terminal.pane(*last).expect("a pane").show("something else");
    loop {
        if let ServerMessage::Screen { session_id, frame } = client.next().await.expect("a screen")
            && session_id == *last
            && frame.lines.first().and_then(|line| line.first()).is_some_and(|run| run.text == "something else")
        {
            break;
        }
    }
    let unknown = shared_types::SessionId(Uuid::nil());
    let refused = client.ask(Command::Watch { session_id: unknown }).await.expect_err("no such session");
    assert_eq!(refused.code, ErrorCode::BadValue, "no room for it either");
    client.ask(Command::Unwatch { session_id: *last }).await.expect("not watched");
    let refused = client.ask(Command::Watch { session_id: unknown }).await.expect_err("no such session");
    assert_eq!(refused.code, ErrorCode::UnknownSession);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_phone_that_lags_is_dropped_and_the_others_get_everything() {
    const MESSAGES: u64 = 2200;
    // By then the buffers in between are full for long, and more than the bus keeps for anybody has passed by.
    const FAR_BEHIND: usize = 2000;
    // The server waits this long for a socket to take what is sent.
    const TAKEN_FOR_DEAD: Duration = Duration::from_secs(10);
    let server = Server::start().await;
    let mut quick = server.first_client().await;
    let session = quick.start_demo().await;
    let credential = server.pair_by(&mut quick).await;
    let slow = Client::hello_with(server.address, credential.clone(), Some(4096)).await;
    let said_hello = Instant::now();

    let path = server.folder.path().join("sessions").join(session.0.to_string()).join("transcript.jsonl");
    let writer = tokio::task::spawn_blocking(move || {
        let mut file = fs::OpenOptions::new().create(true).append(true).open(path).expect("the transcript");
        for number in 0..MESSAGES {
            let body = MessageBody::Text { text: "x".repeat(6000), streaming: false };
            let id = MessageId(number.to_string());
            let message = Said { id, role: MessageRole::Assistant, at: 1, body, agent: None, images: None };
            writeln!(file, "{}", serde_json::json!({ "type": "message", "message": message })).expect("write");
        }
    });
    // The slow one does not read at all at first.
    let mut messages = Vec::new();
    let mut waiting = Some(slow);
    let mut dropped = None;
    while messages.len() < usize::try_from(MESSAGES).expect("a count") {
        if let ServerMessage::Event(event) = quick.next().await.expect("it keeps up")
            && let Event::Message { message, .. } = event.event
        {
            messages.push(message.id.0);
        }
        if messages.len() == FAR_BEHIND
            && let Some(mut slow) = waiting.take()
        {
            let silence = said_hello.elapsed();
            dropped = Some(tokio::spawn(async move { (slow.closed().await, slow.seen.len(), silence) }));
        }
    }
    writer.await.expect("written");
    let expected: Vec<String> = (0..MESSAGES).map(|number| number.to_string()).collect();
    assert!(messages == expected, "in order, each once");
    let first = quick.seen[0];
    assert_eq!(quick.seen, (first..first + quick.seen.len() as u64).collect::<Vec<_>>(), "no event is missing");

    let (code, told, silence) = dropped.expect("it began to read").await.expect("no panic");
    // On a very busy machine it has not read for so long that it was taken for dead, and was left without a word.
    assert!(code == Some(4408) || code.is_none() && silence > TAKEN_FOR_DEAD, "{code:?} after {silence:?}");
    assert!(told < FAR_BEHIND, "it was told {told} events");
    // It comes back for a snapshot, and all is well.
    let mut back = Client::hello(server.address, credential).await;
    assert!(back.ask(Command::Devices).await.is_ok());
}

#[tokio::test]
async fn a_server_that_stops_says_goodbye_and_leaves_the_panes_alone() {
    let mut server = Server::start().await;
    let mut client = server.first_client().await;
    let session = client.start_demo().await;
    let (stopped, code) = {
        let stopped = server.stopped().await;
        (stopped, client.closed().await)
    };
    assert!(stopped.is_ok(), "{stopped:?}");
    assert_eq!(code, Some(1001));
    assert!(!server.terminal.pane(session).expect("a pane").is_gone());
}

#[tokio::test]
async fn a_session_that_ended_shows_its_last_screen_when_watched() {
    let server = Server::start().await;
    let mut client = server.first_client().await;
    let session_id = client.start_demo().await;
    client
        .wait_event(|event| match event {
            Event::Session { session } => session.state == SessionState::Ready,
            _ => false,
        })
        .await;
    client.ask(Command::End { session_id }).await.expect("ended");
    client.ask(Command::Watch { session_id }).await.expect("watched");
    loop {
        if let ServerMessage::Screen { session_id: of, frame } = client.next().await.expect("a screen") {
            assert_eq!((of, frame.lines.len()), (session_id, 4));
            break;
        }
    }
}

#[tokio::test]
async fn watched_screen_goes_on_when_its_session_is_resumed() {
    let server = Server::start().await;
    let mut client = server.first_client().await;
    let session_id = client.start_demo().await;
    client.ask(Command::Watch { session_id }).await.expect("watched");
    client.ask(Command::End { session_id }).await.expect("ended");
    let resumed = async { while client.ask(Command::Resume { session_id }).await.is_err() {} };
    timeout(LIMIT, resumed).await.expect("it has ended, so it can be resumed");
    server.terminal.pane(session_id).expect("a pane").show("the resumed one");
    let shown = async {
        loop {
            if let ServerMessage::Screen { frame, .. } = client.next().await.expect("a screen")
                && frame.lines.first().and_then(|line| line.first()).is_some_and(|run| run.text == "the resumed one")
            {
                return;
            }
        }
    };
    timeout(LIMIT, shown).await.expect("the screen of the resumed session, without being watched anew");
}
