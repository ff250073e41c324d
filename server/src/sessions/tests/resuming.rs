//! The terminal server or the whole machine has gone down: what ran is listed with its last screen, and goes on where it was.

use adapters::screen::Exit;
use shared_types::{AdapterKind, EndReason, ErrorCode, PermissionMode, SessionState, StartSession};

use super::stage::{Code as _, Lost, Stage, demo, line, wish};
use crate::pane::PaneError;

fn lost() -> SessionState {
    SessionState::Ended { reason: EndReason::Lost }
}

#[tokio::test]
async fn after_a_reboot_a_session_is_listed_with_its_last_screen() {
    let mut stage = Stage::new();
    let (session, _) = stage.start_demo("ready", &SessionState::Ready).await;
    let mut stage = stage.reboot(Lost::StayEnded).await;
    stage.wait_state(session, &lost()).await;
    let shown = stage.sessions.frames(session).await.expect("its screen").borrow().clone();
    let shown = shown.expect("what it showed last");
    let expected = adapters::Screen::from_capture(&demo("ready")).frame();
    assert_eq!(*shown, expected);
}

#[tokio::test]
async fn a_lost_session_goes_on_in_its_place() {
    let mut stage = Stage::new();
    let (session, _) = stage.start_demo("ready", &SessionState::Ready).await;
    stage.sessions.rename(session, "shop").await.expect("a name");
    let mut stage = stage.reboot(Lost::StayEnded).await;
    stage.wait_state(session, &lost()).await;
    stage.sessions.resume(session, shared_types::Actor::Desk).await.expect("it goes on");
    stage.wait_state(session, &SessionState::Ready).await;
    assert_eq!(stage.bus.session(session).expect("the session").name, "shop");
    assert_eq!(stage.store.session(session).await.expect("read").expect("it is kept").ended, None);
    let runs = stage.sessions.resume(session, shared_types::Actor::Desk).await.expect_err("it runs");
    assert_eq!(runs.code(), ErrorCode::SessionBusy);
    // And it is found again like any other.
    let mut stage = stage.restart().await;
    stage.wait_state(session, &SessionState::Ready).await;
}

#[tokio::test]
async fn of_two_who_resume_at_once_one_wins() {
    let mut stage = Stage::new();
    let (session, _) = stage.start_demo("ready", &SessionState::Ready).await;
    let mut stage = stage.reboot(Lost::StayEnded).await;
    let (one, other) = tokio::join!(
        stage.sessions.resume(session, shared_types::Actor::Desk),
        stage.sessions.resume(session, shared_types::Actor::Desk)
    );
    assert_eq!(usize::from(one.is_ok()) + usize::from(other.is_ok()), 1, "{one:?} {other:?}");
    stage.wait_state(session, &SessionState::Ready).await;
    assert_eq!(stage.terminal.opened().len(), 2, "once at first and once again");
}

#[tokio::test]
async fn all_that_was_lost_goes_on_when_that_is_wanted() {
    let mut stage = Stage::new();
    let (one, _) = stage.start_demo("ready", &SessionState::Ready).await;
    let (over, pane) = stage.start_demo("ready", &SessionState::Ready).await;
    pane.change(|shown| shown.exit = Some(Exit { status: Some(0) }));
    stage.wait_state(over, &SessionState::Ended { reason: EndReason::Exited { status: Some(0) } }).await;
    stage.terminal.fail_next(PaneError::Unavailable("not up yet".to_owned()));
    let mut stage = stage.reboot(Lost::GoOn).await;
    stage.wait_state(one, &SessionState::Ready).await;
    let state = stage.bus.session(over).expect("it is listed").state;
    assert!(matches!(state, SessionState::Ended { .. }), "what had ended by itself stays so: {state:?}");
}

#[tokio::test]
async fn what_cannot_go_on_says_why_and_stays_as_it_is() {
    let mut stage = Stage::new();
    stage.terminal.on_open(|_, pane| super::stage::Draw::draw(pane, &line("$ ")));
    let plain =
        stage.sessions.start(wish(AdapterKind::new("generic")), shared_types::Actor::Desk).await.expect("a session");
    let (session, _) = stage.start_demo("ready", &SessionState::Ready).await;
    let mut stage = stage.reboot(Lost::StayEnded).await;
    stage.wait_state(session, &lost()).await;
    let refused = stage
        .sessions
        .resume(plain, shared_types::Actor::Desk)
        .await
        .expect_err("a program is not run again by itself");
    assert_eq!(refused.code(), ErrorCode::BadValue);
    stage.terminal.fail_next(PaneError::Unavailable("away".to_owned()));
    let refused = stage.sessions.resume(session, shared_types::Actor::Desk).await.expect_err("no terminal");
    assert_eq!(refused.code(), ErrorCode::TerminalUnavailable);
    let record = stage.store.session(session).await.expect("read").expect("it is kept");
    assert!(matches!(record.ended, Some((_, EndReason::Lost))), "{record:?}");
    stage.sessions.resume(session, shared_types::Actor::Desk).await.expect("now it goes on");
}

#[tokio::test]
async fn never_asking_is_not_resumed() {
    let stage = Stage::new();
    let start = StartSession { mode: Some(PermissionMode::Ask), ..wish(AdapterKind::new("demo")) };
    stage.terminal.on_open(|_, pane| super::stage::Draw::draw(pane, &demo("ready")));
    // The demo has no such mode; as if it had been started so by another version.
    let session =
        stage.sessions.start(StartSession { mode: None, ..start }, shared_types::Actor::Desk).await.expect("a session");
    stage.sessions.end(session, shared_types::Actor::Desk).await.expect("ended");
    let file = rusqlite::Connection::open(stage.folder.path().join("answerback.db")).expect("the file");
    file.execute("UPDATE sessions SET mode = 'bypass'", []).expect("a mode");
    stage.sessions.resume(session, shared_types::Actor::Desk).await.expect("it goes on");
    assert_eq!(stage.store.session(session).await.expect("read").expect("it is kept").mode, None);
}
