//! Messages to the CLI and from it, keys, and stopping its work.

use std::{fs, io::Write as _};

use adapters::{Capture, Keystroke};
use shared_types::{AdapterKind, ErrorCode, Event, Key, Message, MessageBody, MessageId, MessageRole, SessionState};
use uuid::Uuid;

use super::stage::{Code as _, Draw as _, Stage, demo, line};

fn busy() -> SessionState {
    SessionState::Busy { detail: "Working…".to_owned() }
}

#[tokio::test]
async fn a_message_is_pasted_entered_and_seen_to_be_taken() {
    let mut stage = Stage::new();
    let (session, pane) = stage.start_demo("ready", &SessionState::Ready).await;
    pane.react(|key, shown| match key {
        Keystroke::Paste(_) => *shown = demo("draft-list"),
        _ => *shown = demo("busy"),
    });
    let text = "first\r\nsecond".to_owned();
    stage.sessions.send_text(session, text, None, &[]).await.expect("the message is taken");
    assert_eq!(pane.pressed(), [Keystroke::Paste("first\nsecond".to_owned()), Keystroke::ENTER]);
    stage.wait_state(session, &busy()).await;
}

#[tokio::test]
async fn the_same_message_sent_twice_is_one_message() {
    let mut stage = Stage::new();
    let (session, pane) = stage.start_demo("ready", &SessionState::Ready).await;
    let (key, other) = (Some(Uuid::new_v4()), Some(Uuid::new_v4()));
    for key in [key, key, other] {
        stage.sessions.send_text(session, "hello".to_owned(), key, &[]).await.expect("taken");
    }
    let once = [Keystroke::Paste("hello".to_owned()), Keystroke::ENTER];
    assert_eq!(pane.pressed(), [once.clone(), once].concat());
}

#[tokio::test]
async fn a_message_that_was_refused_can_be_sent_again_with_its_key() {
    let mut stage = Stage::new();
    let (session, pane, _) = stage.start_asking().await;
    let key = Some(Uuid::new_v4());
    let refused = stage.sessions.send_text(session, "hello".to_owned(), key, &[]).await.expect_err("a dialog is open");
    assert_eq!(refused.code(), ErrorCode::DialogOpen);
    pane.draw(&demo("ready"));
    stage.sessions.send_text(session, "hello".to_owned(), key, &[]).await.expect("taken");
    assert_eq!(pane.pressed(), [Keystroke::Paste("hello".to_owned()), Keystroke::ENTER]);
}

#[tokio::test]
async fn no_message_is_typed_where_it_would_not_be_one() {
    let stage = Stage::new();
    let silent = Capture { tty: None, ..line("Compiling 3 of 7") };
    let table = [
        (AdapterKind::new("demo"), demo("command"), ErrorCode::DialogOpen),
        (AdapterKind::new("demo"), demo("yesno"), ErrorCode::DialogOpen),
        (AdapterKind::new("demo"), demo("password"), ErrorCode::DialogOpen),
        (AdapterKind::new("demo"), demo("puzzle"), ErrorCode::ScreenUnrecognized),
        (AdapterKind::new("demo"), Capture { text: String::new(), ..demo("ready") }, ErrorCode::SessionStarting),
        (AdapterKind::new("demo"), demo("draft-list"), ErrorCode::ComposerInUse),
        (AdapterKind::new("generic"), line("Continue? [y/N] "), ErrorCode::DialogOpen),
        (AdapterKind::new("generic"), line("$ rm -r important"), ErrorCode::ComposerInUse),
        (AdapterKind::new("generic"), Capture { cursor: Default::default(), ..silent }, ErrorCode::SessionBusy),
    ];
    for (adapter, capture, code) in table {
        let (session, pane) = stage.start(adapter, capture.clone()).await;
        let refused = stage.sessions.send_text(session, "hello".to_owned(), None, &[]).await;
        assert_eq!(refused.map_err(|error| error.code()), Err(code), "{}", capture.text);
        assert_eq!(pane.pressed(), [], "{}", capture.text);
    }
}

#[tokio::test]
async fn a_dialog_that_opens_behind_a_paste_does_not_get_the_enter() {
    let mut stage = Stage::new();
    let (session, pane) = stage.start_demo("ready", &SessionState::Ready).await;
    pane.react(|key, shown| {
        if matches!(key, Keystroke::Paste(_)) {
            *shown = demo("command");
        }
    });
    let refused = stage.sessions.send_text(session, "hello".to_owned(), None, &[]).await.expect_err("a dialog opened");
    assert_eq!(refused.code(), ErrorCode::DialogOpen);
    assert_eq!(pane.pressed(), [Keystroke::Paste("hello".to_owned())]);
}

#[tokio::test]
async fn messages_and_keys_that_cannot_be_typed_are_refused_at_once() {
    let mut stage = Stage::new();
    let (session, pane) = stage.start_demo("ready", &SessionState::Ready).await;
    for (text, code) in [
        (" \n\t".to_owned(), ErrorCode::BadValue),
        ("x".repeat(100_001), ErrorCode::TooLarge),
        ("\u{1b}[201~\r".to_owned(), ErrorCode::BadValue),
        ("a\u{3}".to_owned(), ErrorCode::BadValue),
    ] {
        let refused = stage.sessions.send_text(session, text.clone(), None, &[]).await.expect_err("refused");
        assert_eq!(refused.code(), code, "{:?}", text.get(..20));
    }
    for key in [
        Key::Text { text: String::new() },
        Key::Text { text: "a\n".to_owned() },
        Key::Ctrl { letter: '[' },
        Key::Ctrl { letter: 'A' },
    ] {
        let good = Key::Text { text: "a".to_owned() };
        let refused = stage
            .sessions
            .send_keys(session, vec![good, key.clone()], shared_types::Actor::Desk)
            .await
            .expect_err("refused");
        assert_eq!(refused.code(), ErrorCode::BadValue, "{key:?}");
    }
    assert_eq!(pane.pressed(), [], "all of it or nothing");
}

#[tokio::test]
async fn work_is_stopped_but_no_dialog_is_answered_by_it() {
    let mut stage = Stage::new();
    let (session, pane) = stage.start_demo("busy", &busy()).await;
    stage.sessions.interrupt(session).await.expect("interrupted");
    assert_eq!(pane.take_pressed(), [Keystroke::ESCAPE]);
    for screen in ["command", "puzzle", "yesno"] {
        pane.draw(&demo(screen));
        let refused = stage.sessions.interrupt(session).await.expect_err("Esc would answer it");
        assert_eq!(refused.code(), ErrorCode::DialogOpen, "{screen}");
    }
    assert_eq!(pane.pressed(), []);
}

#[tokio::test]
async fn what_the_transcript_says_is_told_and_kept() {
    let mut stage = Stage::new();
    let (session, _) = stage.start_demo("ready", &SessionState::Ready).await;
    let path = stage.folder.path().join("sessions").join(session.0.to_string()).join("transcript.jsonl");
    let mut file = fs::OpenOptions::new().create(true).append(true).open(&path).expect("the transcript");
    let body = |text: &str, streaming| MessageBody::Text { text: text.to_owned(), streaming };
    let id = MessageId("m1".to_owned());
    let message =
        |body| Message { id: id.clone(), role: MessageRole::Assistant, at: 1, body, agent: None, images: None };
    let line = |message: &Message| serde_json::json!({ "type": "message", "message": message });
    let delta = serde_json::json!({ "type": "delta", "id": "m1", "text": " more\nlast line" });

    writeln!(file, "{}\nnot a line of ours\n{delta}", line(&message(body("some", true)))).expect("write");
    stage
        .wait("the delta", |event| match event {
            Event::MessageDelta { text, .. } => Some(text.clone()),
            _ => None,
        })
        .await;
    let so_far = message(body("some more\nlast line", true));
    assert_eq!(stage.store.message_tail(session).await.expect("tail"), (1, Some(so_far)));
    stage
        .wait("the session's line", |event| match event {
            Event::Session { session } => {
                (session.last_line == "last line" && session.message_count == 1).then_some(())
            }
            _ => None,
        })
        .await;
    let whole = message(body("some more\nlast line", false));
    writeln!(file, "{}", line(&whole)).expect("write");
    stage
        .wait("the whole message", |event| match event {
            Event::Message { message, .. } => (*message == whole).then_some(()),
            _ => None,
        })
        .await;
    let read = file.metadata().expect("its length").len();
    assert_eq!(stage.store.sessions().await.expect("sessions").records[0].transcript_offset, read);
}
