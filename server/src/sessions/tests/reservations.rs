//! The same thing asked for twice at once is done once.

use std::time::Duration;

use shared_types::{
    Actor, AdapterKind, EndReason, ErrorCode, ReviewId, Reviewer, SessionId, SessionState, StartSession,
};
use uuid::Uuid;

use super::{
    faults::trapped,
    stage::{Code as _, Draw as _, Lost, Stage, demo, wish},
};
use crate::store::{Revived, SessionRecord};

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

#[test]
fn resume_that_lost_writes_no_file_over_the_winners() {
    // While the one thread for files is held up, a resume gets no further than to know that the session has ended.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().max_blocking_threads(1).build();
    runtime.expect("a runtime").block_on(async {
        let mut stage = Stage::new();
        let (session, _) = stage.start_demo("ready", &SessionState::Ready).await;
        let stage = stage.reboot(Lost::StayEnded).await;
        let files = stage.folder.path().join("sessions").join(session.0.to_string());
        std::fs::remove_dir_all(&files).expect("its files");
        let (release, held_up) = std::sync::mpsc::channel::<()>();
        let holding_up = tokio::task::spawn_blocking(move || held_up.recv());
        let mut losing = Box::pin(stage.sessions.resume(session, Actor::Desk));
        assert!(futures_util::poll!(&mut losing).is_pending());
        // One thread reads: what the loser asked for first is answered by now.
        stage.store.session(session).await.expect("read");
        let won = stage.store.revive_session(session, None, Vec::new()).await.expect("another one wins");
        assert_eq!(won, Revived::Revived);
        release.send(()).expect("held up");
        holding_up.await.expect("joined").expect("released");
        assert_eq!(losing.await.expect_err("too late").code(), ErrorCode::SessionBusy);
        assert!(!files.exists(), "the secret of the winner's hooks would be another one");
    });
}

#[tokio::test]
async fn session_renamed_while_it_is_resumed_keeps_the_name() {
    let mut stage = Stage::new();
    let (session, _) = stage.start_demo("ready", &SessionState::Ready).await;
    let mut stage = stage.reboot(Lost::StayEnded).await;
    let (resumed, renamed) =
        tokio::join!(stage.sessions.resume(session, Actor::Desk), stage.sessions.rename(session, "the shop"));
    assert_eq!((resumed, renamed), (Ok(()), Ok(())));
    stage.wait_state(session, &SessionState::Ready).await;
    assert_eq!(stage.bus.session(session).map(|session| session.name), Some("the shop".to_owned()));
    let kept = stage.store.session(session).await.expect("read").expect("it is kept");
    assert_eq!((kept.name.as_str(), kept.ended), ("the shop", None));
}

#[tokio::test]
async fn session_resumed_while_its_pane_is_taken_away_goes_on() {
    let (mut stage, traps) = trapped();
    let (session, _) = stage.start_demo("ready", &SessionState::Ready).await;
    let closed = traps.taking_away.acquire_many(1000).await.expect("the gate");
    let resume = async {
        while stage.store.session(session).await.expect("read").expect("it is kept").ended.is_none() {}
        let mut resuming = Box::pin(stage.sessions.resume(session, Actor::Desk));
        // It has ended in the store alone: its task has still to say so, and must not say it of the next one.
        let early = tokio::time::timeout(Duration::from_millis(200), &mut resuming).await;
        assert!(early.is_err(), "the ended one is not over yet: {early:?}");
        drop(closed);
        resuming.await
    };
    let (ended, resumed) = tokio::join!(stage.sessions.end(session, Actor::Desk), resume);
    assert_eq!((ended, resumed), (Ok(()), Ok(())));
    stage.wait_state(session, &SessionState::Ready).await;
    stage.sessions.rename(session, "the shop").await.expect("it has a task");
    assert_eq!(stage.bus.session(session).map(|session| session.state), Some(SessionState::Ready));
}

#[tokio::test]
async fn handle_of_a_task_that_ended_is_not_taken_for_the_next_ones() {
    let mut stage = Stage::new();
    let (session, _) = stage.start_demo("ready", &SessionState::Ready).await;
    let ended = stage.sessions.handle(session).expect("it runs");
    stage.sessions.end(session, Actor::Desk).await.expect("it ends");
    stage.sessions.resume(session, Actor::Desk).await.expect("it goes on");
    stage.sessions.remove_handle(session, &ended.requests);
    let mut next = stage.sessions.handle(session).expect("the next one's stays");
    next.requests.reserve().await.expect("its task listens");
    stage.sessions.remove_handle(session, &std::mem::replace(&mut next, ended).requests);
    assert!(stage.sessions.handle(session).is_none());
}
