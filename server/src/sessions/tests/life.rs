//! How sessions begin and end.

use shared_types::{
    AdapterKind, EndReason, ErrorCode, Event, PermissionMode, PromptOutcome, SessionId, SessionState, StartSession,
};
use uuid::Uuid;

use super::stage::{Code as _, Stage, demo, line, wish};
use crate::pane::PaneError;

fn ended(reason: EndReason) -> SessionState {
    SessionState::Ended { reason }
}

#[tokio::test]
async fn a_session_is_started_listed_renamed_ended_and_forgotten() {
    let mut stage = Stage::new();
    let (session, pane) = stage.start_demo("ready", &SessionState::Ready).await;
    let spec = stage.terminal.opened().remove(0);
    let folder = stage.folder.path().join("sessions").join(session.0.to_string());
    let transcript = folder.join("transcript.jsonl").to_string_lossy().into_owned();
    assert_eq!(spec.argv, ["/opt/answerback", "demo", "--transcript", &transcript]);
    assert_eq!((spec.cols, spec.rows, spec.folder.to_str()), (120, 40, Some("/")));
    assert!(folder.is_dir());
    let view = stage.bus.session(session).expect("it is listed");
    assert_eq!((view.name.as_str(), view.adapter, view.has_messages), ("root", AdapterKind::new("demo"), true));
    assert_eq!(view.attach_command, format!("attach-fake {}", session.0));
    let kept = stage.store.sessions().await.expect("sessions").records;
    assert_eq!(kept[0].pane, Some(crate::pane::Pane::identity(&*pane)));

    stage.sessions.rename(session, "  the \t shop ").await.expect("another name");
    assert_eq!(stage.bus.session(session).map(|session| session.name), Some("the shop".to_owned()));
    for name in ["", " \n", &"x".repeat(81), "a\u{7}b"] {
        let refused = stage.sessions.rename(session, name).await.expect_err("not a name");
        assert_eq!(refused.code(), ErrorCode::BadValue, "{name:?}");
    }
    let refused = stage.sessions.forget(session).await.expect_err("it runs");
    assert_eq!(refused.code(), ErrorCode::SessionBusy);

    stage.sessions.end(session, shared_types::Actor::Desk).await.expect("ended");
    assert!(pane.is_gone());
    assert_eq!(stage.bus.session(session).map(|session| session.state), Some(ended(EndReason::Killed)));
    for refused in [
        stage.sessions.end(session, shared_types::Actor::Desk).await,
        stage.sessions.interrupt(session).await,
        stage.sessions.send_text(session, "hello".to_owned(), None, &[]).await,
        stage.sessions.send_keys(session, Vec::new(), shared_types::Actor::Desk).await,
    ] {
        assert_eq!(refused.map_err(|error| error.code()), Err(ErrorCode::SessionEnded));
    }
    let frame = stage.sessions.frames(session).await.expect("its last screen").borrow().clone();
    assert!(frame.is_some_and(|frame| !frame.lines.is_empty()));
    stage.sessions.rename(session, "an old one").await.expect("another name, after its end too");
    let kept = stage.store.sessions().await.expect("sessions").records;
    assert_eq!((kept[0].name.as_str(), &kept[0].ended.as_ref().expect("ended").1), ("an old one", &EndReason::Killed));

    stage.sessions.forget(session).await.expect("forgotten");
    assert_eq!(
        (stage.bus.session(session), stage.store.sessions().await.expect("sessions").records),
        (None, Vec::new())
    );
    assert!(!folder.exists());
    assert_eq!(stage.sessions.forget(session).await.expect_err("gone").code(), ErrorCode::UnknownSession);
    assert!(stage.sessions.frames(session).await.is_err());
}

#[tokio::test]
async fn sessions_in_one_folder_get_names_of_their_own() {
    let stage = Stage::new();
    let mut names = Vec::new();
    for _ in 0..3 {
        let (session, _) = stage.start(AdapterKind::new("generic"), line("$ ")).await;
        names.push(stage.bus.session(session).expect("it is listed").name);
    }
    assert_eq!(names, ["root", "root 2", "root 3"]);
    // Also when they are started at the same moment.
    let started = futures_util::future::join_all(
        (0..3).map(|_| stage.sessions.start(wish(AdapterKind::new("demo")), shared_types::Actor::Desk)),
    )
    .await;
    let names = started.into_iter().map(|started| stage.bus.session(started.expect("started")).expect("listed").name);
    let mut names: Vec<String> = names.collect();
    names.sort_unstable();
    assert_eq!(names, ["root 4", "root 5", "root 6"]);
}

#[tokio::test]
async fn a_start_that_cannot_work_is_refused_and_leaves_nothing_behind() {
    let stage = Stage::new();
    let generic = |command: &[&str]| StartSession {
        command: Some(command.iter().map(|word| (*word).to_owned()).collect()),
        ..wish(AdapterKind::new("generic"))
    };
    let demo = || wish(AdapterKind::new("demo"));
    let table = [
        (StartSession { folder: "/no/such/folder".to_owned(), ..demo() }, ErrorCode::BadFolder),
        (StartSession { folder: "/etc/passwd".to_owned(), ..demo() }, ErrorCode::BadFolder),
        (StartSession { folder: "relative".to_owned(), ..demo() }, ErrorCode::BadFolder),
        (StartSession { name: Some(" ".to_owned()), ..demo() }, ErrorCode::BadValue),
        (StartSession { mode: Some(PermissionMode::Bypass), ..demo() }, ErrorCode::BadValue),
        (wish(AdapterKind::new("of-tomorrow")), ErrorCode::BadValue),
        (generic(&[]), ErrorCode::BadValue),
        (generic(&[""]), ErrorCode::BadValue),
        (generic(&["no-such-program-anywhere"]), ErrorCode::NotInstalled),
        (generic(&["/etc/passwd"]), ErrorCode::NotInstalled),
    ];
    for (start, code) in table {
        let refused = stage.sessions.start(start.clone(), shared_types::Actor::Desk).await.expect_err("refused");
        assert_eq!(refused.code(), code, "{start:?}");
    }
    stage.terminal.fail_next(PaneError::Unavailable("away".to_owned()));
    let refused = stage.sessions.start(demo(), shared_types::Actor::Desk).await.expect_err("no terminal");
    assert_eq!(refused.code(), ErrorCode::TerminalUnavailable);

    assert_eq!(
        (stage.bus.sessions(), stage.store.sessions().await.expect("sessions").records),
        (Vec::new(), Vec::new())
    );
    assert_eq!(stage.terminal.opened().len(), 0);
    let left = std::fs::read_dir(stage.folder.path().join("sessions")).map_or(0, Iterator::count);
    assert_eq!(left, 0, "files of sessions that were never started");
    let unknown = SessionId(Uuid::nil());
    assert_eq!(
        stage.sessions.end(unknown, shared_types::Actor::Desk).await.expect_err("unknown").code(),
        ErrorCode::UnknownSession
    );
    assert_eq!(stage.sessions.rename(unknown, "x").await.expect_err("unknown").code(), ErrorCode::UnknownSession);
}

#[tokio::test]
async fn a_terminal_brings_its_size_within_reason() {
    let stage = Stage::new();
    for (size, expected) in [((90, 30), (90, 30)), ((5, 9999), (20, 500))] {
        let start = StartSession { size: Some(size), ..wish(AdapterKind::new("demo")) };
        stage.sessions.start(start, shared_types::Actor::Desk).await.expect("a session");
        let spec = stage.terminal.opened().pop().expect("a pane");
        assert_eq!((spec.cols, spec.rows), expected);
    }
}

#[tokio::test]
async fn a_program_that_ends_leaves_its_last_screen() {
    let mut stage = Stage::new();
    let (session, pane) = stage.start(AdapterKind::new("generic"), line("error: no such file")).await;
    pane.exit(3);
    stage.wait_state(session, &ended(EndReason::Exited { status: Some(3) })).await;
    let frame = stage.sessions.frames(session).await.expect("its last screen").borrow().clone();
    let text: String = frame.expect("a screen").lines[0].iter().map(|run| run.text.as_str()).collect();
    assert_eq!(text, "error: no such file");
    assert!(pane.is_gone(), "the pane is taken away");
}

#[tokio::test]
async fn a_program_that_ends_takes_its_prompt_with_it() {
    let mut stage = Stage::new();
    let (session, pane, prompt) = stage.start_asking().await;
    pane.exit(0);
    let outcome = stage.wait_closed(prompt.request_id).await;
    stage.wait_state(session, &ended(EndReason::Exited { status: Some(0) })).await;
    let stored = stage.store.prompt(prompt.request_id).await.expect("read").expect("it is kept");
    assert!(!stored.open);
    // Exiting is a reading like any other: the prompt is gone from the screen before the session is over.
    assert!(matches!(outcome, PromptOutcome::Gone | PromptOutcome::SessionEnded), "{outcome:?}");
    let closed = stage.told.iter().filter(|event| matches!(event, Event::PromptClosed { .. })).count();
    assert_eq!(closed, 1);
}

#[tokio::test]
async fn a_session_whose_pane_is_gone_is_lost() {
    let mut stage = Stage::new();
    let (session, pane, prompt) = stage.start_asking().await;
    pane.vanish();
    assert_eq!(stage.wait_closed(prompt.request_id).await, PromptOutcome::SessionEnded);
    stage.wait_state(session, &ended(EndReason::Lost)).await;
    assert!(stage.store.last_screen(session).await.expect("read").is_some(), "what was seen last");
}

#[tokio::test]
async fn ending_a_session_closes_its_prompt() {
    let mut stage = Stage::new();
    let (session, _, prompt) = stage.start_asking().await;
    stage.sessions.end(session, shared_types::Actor::Desk).await.expect("ended");
    assert_eq!(stage.wait_closed(prompt.request_id).await, PromptOutcome::SessionEnded);
    assert_eq!(stage.bus.prompt(prompt.request_id), None);
}

#[tokio::test]
async fn a_watched_screen_is_what_the_pane_shows() {
    let mut stage = Stage::new();
    let (session, pane) = stage.start_demo("ready", &SessionState::Ready).await;
    let mut frames = stage.sessions.frames(session).await.expect("frames");
    // Neither of them asks anything.
    let shows =
        |capture| shared_types::ScreenFrame { asks: Some(0), ..adapters::Screen::from_capture(&capture).frame() };
    assert_eq!(frames.borrow_and_update().as_deref(), Some(&shows(demo("ready"))));
    super::stage::Draw::draw(&*pane, &demo("busy"));
    frames.changed().await.expect("another screen");
    assert_eq!(frames.borrow_and_update().as_deref(), Some(&shows(demo("busy"))));
}
