//! A message is typed once, whatever the network and the server do; and what the CLI queues is told.

use std::{fs, io::Write as _};

use adapters::Keystroke;
use shared_types::{ErrorCode, Event, Message, MessageBody, MessageId, MessageRole, SessionId, SessionState};
use uuid::Uuid;

use super::stage::{Code as _, Draw as _, Stage, demo};
use crate::{clock::now_millis, pane::PaneError};

fn busy() -> SessionState {
    SessionState::Busy { detail: "Working…".to_owned() }
}

fn typed(text: &str) -> [Keystroke; 2] {
    [Keystroke::Paste(text.to_owned()), Keystroke::ENTER]
}

fn say(stage: &Stage, session: SessionId, text: &str) {
    let path = stage.folder.path().join("sessions").join(session.0.to_string()).join("transcript.jsonl");
    let mut file = fs::OpenOptions::new().create(true).append(true).open(&path).expect("the transcript");
    let message = Message {
        id: MessageId(Uuid::new_v4().to_string()),
        role: MessageRole::User,
        at: now_millis(),
        body: MessageBody::Text { text: text.to_owned(), streaming: false },
        agent: None,
        images: None,
    };
    writeln!(file, "{}", serde_json::json!({ "type": "message", "message": message })).expect("write");
}

async fn wait_queued(stage: &mut Stage, session: SessionId, queued: &[&str]) {
    stage
        .wait("the queue", |event| match event {
            Event::Session { session: told } => (told.id == session && told.queued == queued).then_some(()),
            _ => None,
        })
        .await;
}

#[tokio::test]
async fn a_message_that_is_repeated_while_it_is_typed_has_the_same_outcome() {
    let mut stage = Stage::new();
    let (session, pane) = stage.start_demo("ready", &SessionState::Ready).await;
    // It stands in the composer until Enter is pressed a second time, seconds later.
    let mut enters = 0;
    pane.react(move |key, shown| {
        enters += u32::from(*key == Keystroke::ENTER);
        *shown = if enters < 2 { demo("draft-list") } else { demo("ready") };
    });
    let key = Some(Uuid::new_v4());
    let send = || stage.sessions.send_text(session, "hello".to_owned(), key, &[]);
    let (first, second, third) = tokio::join!(send(), send(), send());
    assert_eq!((first, second, third), (Ok(()), Ok(()), Ok(())));
    assert_eq!(pane.pressed(), [&typed("hello")[..], &[Keystroke::ENTER]].concat());
    let refused = stage.sessions.send_text(session, "hello".to_owned(), key, &[]).await;
    assert_eq!(refused, Ok(()), "and afterwards as well");
}

#[tokio::test]
async fn a_message_that_was_taken_is_known_after_a_restart() {
    let mut stage = Stage::new();
    let (session, pane) = stage.start_demo("ready", &SessionState::Ready).await;
    let (key, other) = (Some(Uuid::new_v4()), Some(Uuid::new_v4()));
    stage.sessions.send_text(session, "hello".to_owned(), key, &[]).await.expect("taken");
    let mut stage = stage.restart().await;
    stage.wait_state(session, &SessionState::Ready).await;
    stage.sessions.send_text(session, "hello".to_owned(), key, &[]).await.expect("known");
    assert_eq!(pane.take_pressed(), typed("hello"));
    stage.sessions.send_text(session, "hello".to_owned(), other, &[]).await.expect("taken");
    assert_eq!(pane.pressed(), typed("hello"), "another is another");
}

#[tokio::test]
async fn a_message_whose_outcome_nobody_saw_is_not_typed_again_by_itself() {
    let mut stage = Stage::new();
    let (session, pane) = stage.start_demo("ready", &SessionState::Ready).await;
    let key = Uuid::new_v4();
    // The server is killed between the first key and the last look.
    stage.store.begin_message(session, key, "hello", now_millis()).await.expect("noted");
    let mut stage = stage.restart().await;
    stage.wait_state(session, &SessionState::Ready).await;
    let refused = stage.sessions.send_text(session, "hello".to_owned(), Some(key), &[]).await.expect_err("unknown");
    assert_eq!(refused.code(), ErrorCode::NotTaken);
    say(&stage, session, "hello");
    stage.wait("the message", |event| matches!(event, Event::Message { .. }).then_some(())).await;
    stage.sessions.send_text(session, "hello".to_owned(), Some(key), &[]).await.expect("the conversation shows it");
    assert_eq!(pane.pressed(), []);
}

#[tokio::test]
async fn a_message_that_could_not_be_typed_keeps_nobody_waiting() {
    let mut stage = Stage::new();
    let (session, pane) = stage.start_demo("ready", &SessionState::Ready).await;
    pane.fail(PaneError::Unavailable("gone for a moment".to_owned()));
    let key = Some(Uuid::new_v4());
    let refused = stage.sessions.send_text(session, "hello".to_owned(), key, &[]).await.expect_err("out of reach");
    assert_eq!(refused.code(), ErrorCode::TerminalUnavailable);
    pane.recover();
    stage.wait_state(session, &SessionState::Ready).await;
    stage.sessions.send_text(session, "hello".to_owned(), key, &[]).await.expect("taken now");
    assert_eq!(pane.pressed(), typed("hello"));
}

#[tokio::test]
async fn what_is_sent_while_the_cli_works_is_told_as_queued_until_it_begins_with_it() {
    let mut stage = Stage::new();
    let (session, pane) = stage.start_demo("busy", &busy()).await;
    for text in ["one", "two"] {
        stage.sessions.send_text(session, text.to_owned(), Some(Uuid::new_v4()), &[]).await.expect("taken");
    }
    wait_queued(&mut stage, session, &["one", "two"]).await;
    say(&stage, session, "one");
    wait_queued(&mut stage, session, &["two"]).await;
    pane.draw(&demo("ready"));
    wait_queued(&mut stage, session, &[]).await;
    stage.sessions.send_text(session, "three".to_owned(), None, &[]).await.expect("taken");
    assert_eq!(stage.bus.session(session).expect("the session").queued, [] as [&str; 0], "it was not working");
}
