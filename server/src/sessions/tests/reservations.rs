//! The same thing asked for twice at once is done once.

use shared_types::{
    Actor, AdapterKind, EndReason, ErrorCode, ReviewId, Reviewer, SessionId, SessionState, StartSession,
};
use uuid::Uuid;

use super::stage::{Code as _, Draw as _, Stage, demo, wish};
use crate::store::SessionRecord;

#[tokio::test]
async fn review_asked_for_twice_at_once_starts_one_reviewer() {
    let mut stage = Stage::new();
    let (parent, _) = stage.start_demo("ready", &SessionState::Ready).await;
    stage.terminal.on_open(|_, pane| pane.draw(&demo("ready")));
    let id = ReviewId(Uuid::now_v7());
    let review = || {
        let with = Reviewer::New { start: wish(AdapterKind::new("demo")) };
        stage.sessions.review(parent, id, with, "plan", "look".to_owned(), Actor::Desk)
    };
    let (one, other) = tokio::join!(review(), review());
    let started: Vec<_> = [one, other].into_iter().collect();
    let [won, lost] = started.as_slice() else { panic!("two results") };
    let (won, lost) = if won.is_ok() { (won, lost) } else { (lost, won) };
    assert_eq!(lost.as_ref().map_err(|error| error.code()), Err(ErrorCode::SessionBusy));
    assert_eq!(stage.terminal.opened().len(), 2, "the parent and one reviewer");
    assert_eq!(review().await.as_ref().ok(), won.as_ref().ok(), "asked for again, it is the same review");
    assert_eq!(stage.terminal.opened().len(), 2);
}

#[tokio::test]
async fn start_asked_for_twice_at_once_is_one_session() {
    let stage = Stage::new();
    stage.terminal.on_open(|_, pane| pane.draw(&demo("ready")));
    let key = Some(Uuid::now_v7());
    let start =
        || stage.sessions.start(StartSession { idempotency_key: key, ..wish(AdapterKind::new("demo")) }, Actor::Desk);
    let (one, other) = tokio::join!(start(), start());
    assert_eq!(one.expect("a session"), other.expect("the same"));
    assert_eq!(stage.terminal.opened().len(), 1);
}

#[tokio::test]
async fn start_cut_short_by_a_crash_is_made_when_it_is_asked_for_again() {
    let stage = Stage::new();
    stage.terminal.on_open(|_, pane| pane.draw(&demo("ready")));
    let key = Uuid::now_v7();
    stage.store.reserve_start(key, 1).await.expect("reserved by the run before");
    let start = StartSession { idempotency_key: Some(key), ..wish(AdapterKind::new("demo")) };
    stage.sessions.start(start, Actor::Desk).await.expect("a session");
    assert_eq!(stage.terminal.opened().len(), 1);
}

#[tokio::test]
async fn start_cut_short_before_its_terminal_is_made_when_it_is_asked_for_again() {
    let mut stage = Stage::new();
    let (session, _) = stage.start_demo("ready", &SessionState::Ready).await;
    let (key, id) = (Uuid::now_v7(), SessionId(Uuid::now_v7()));
    let record = stage.store.session(session).await.expect("read").expect("a session");
    let record = SessionRecord { id, name: "cut short".to_owned(), cli_session_id: None, pane: None, ..record };
    stage.store.reserve_start(key, 1).await.expect("reserved");
    stage.store.add_session(record, Some(key), Vec::new()).await.expect("written down");
    let stage = stage.restart().await;
    stage.terminal.on_open(|_, pane| pane.draw(&demo("ready")));
    let start = || {
        stage.sessions.start(StartSession { idempotency_key: Some(key), ..wish(AdapterKind::new("demo")) }, Actor::Desk)
    };
    let started = start().await.expect("a session");
    assert_ne!(started, id);
    assert_eq!(stage.terminal.opened().len(), 2, "the other one and this");
    assert!(stage.store.session(id).await.expect("read").is_none(), "the one that never ran is gone");
    assert_eq!(start().await.expect("the same"), started);
}

#[tokio::test]
async fn review_that_could_not_begin_may_be_asked_for_again() {
    let mut stage = Stage::new();
    let (parent, _) = stage.start_demo("ready", &SessionState::Ready).await;
    stage.terminal.on_open(|_, pane| pane.draw(&demo("ready")));
    let id = ReviewId(Uuid::now_v7());
    let review = |with: Reviewer| stage.sessions.review(parent, id, with, "plan", "look".to_owned(), Actor::Desk);
    let wrong = StartSession { folder: "/nowhere/at/all".to_owned(), ..wish(AdapterKind::new("demo")) };
    review(Reviewer::New { start: wrong }).await.expect_err("there is no such folder");
    review(Reviewer::New { start: wish(AdapterKind::new("demo")) }).await.expect("a review");
}

#[tokio::test]
async fn session_resumed_behind_the_list_is_not_forgotten() {
    let mut stage = Stage::new();
    let (session, _) = stage.start_demo("ready", &SessionState::Ready).await;
    stage.sessions.end(session, Actor::Desk).await.expect("it ends");
    stage.wait_state(session, &SessionState::Ended { reason: EndReason::Killed }).await;
    // A resume has won in the store and has not published anything yet.
    stage.store.revive_session(session, None, Vec::new()).await.expect("revived");
    let refused = stage.sessions.forget(session).await.expect_err("it runs again");
    assert_eq!(refused.code(), ErrorCode::SessionBusy);
    assert!(stage.store.session(session).await.expect("read").is_some());
}
