//! What somebody did to a session is in the journal, with who it was.

use adapters::Keystroke;
use shared_types::{Actor, DeviceId, Key, NamedKey, SessionId, SessionState};
use uuid::Uuid;

use super::stage::{Stage, demo, wish};
use crate::{pane::PaneError, store::JournalFilter};

/// The kinds of a session's facts and who did them, oldest first.
async fn facts(stage: &Stage, session: Option<SessionId>) -> Vec<(String, Option<String>)> {
    let filter = JournalFilter { sessions: session.map(|session| vec![session]), ..JournalFilter::default() };
    let page = stage.store.journal(filter, 50).await.expect("the journal");
    assert!(!page.more);
    let name = |actor: String| serde_json::from_str::<Actor>(&actor).expect("an actor").name().to_owned();
    page.rows.into_iter().rev().map(|row| (row.entry.kind, row.entry.actor.map(name))).collect()
}

fn phone(name: &str) -> Actor {
    Actor::Device { device_id: DeviceId(Uuid::from_u128(7)), name: name.to_owned() }
}

#[tokio::test]
async fn what_somebody_did_is_written_down_with_who_it_was() {
    let mut stage = Stage::new();
    stage.terminal.on_open(|_, pane| pane.change(|capture| *capture = demo("ready")));
    let wanted = wish(shared_types::AdapterKind::new("demo"));
    let session = stage.sessions.start(wanted, phone("starter")).await.expect("a session");
    stage.wait_state(session, &SessionState::Ready).await;
    let pane = stage.pane(session);
    let key = Key::Named { key: NamedKey::Right };
    stage.sessions.send_keys(session, vec![key], phone("presser")).await.expect("pressed");
    pane.react(|key, shown| match key {
        Keystroke::Paste(_) => *shown = demo("draft-list"),
        _ => *shown = demo("busy"),
    });
    // Also one that no phone has given a key.
    stage.sessions.send_text(session, "hello".to_owned(), None, &[]).await.expect("taken");
    stage.sessions.end(session, phone("ender")).await.expect("ended");

    let written = facts(&stage, Some(session)).await;
    let by = |kind: &str, name: &str| (kind.to_owned(), Some(name.to_owned()));
    assert!(written.contains(&("message-sent".to_owned(), None)), "{written:?}");
    for expected in [by("session-started", "starter"), by("keys", "presser"), by("session-ended", "ender")] {
        assert!(written.contains(&expected), "{expected:?} is not in {written:?}");
    }
}

#[tokio::test]
async fn session_that_could_not_begin_is_told_as_over() {
    let stage = Stage::new();
    stage.terminal.fail_next(PaneError::Unavailable("away".to_owned()));
    let wanted = wish(shared_types::AdapterKind::new("demo"));
    stage.sessions.start(wanted, phone("starter")).await.expect_err("no terminal");
    let kinds: Vec<String> = facts(&stage, None).await.into_iter().map(|(kind, _)| kind).collect();
    assert_eq!(kinds, ["session-started", "session-ended"]);
}
