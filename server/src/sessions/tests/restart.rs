//! The server stops and starts while the CLIs run on.

use std::sync::Arc;

use shared_types::{AdapterKind, EndReason, ErrorCode, Event, PromptOutcome, SessionState};

use super::stage::{Code as _, Draw as _, Stage, behave_as_list, choose, demo, line, wish};
use crate::pane::{
    PaneError,
    fake::{FakePane, FakeTerminal},
};

#[tokio::test]
async fn a_prompt_keeps_its_id_and_can_still_be_answered() {
    let mut stage = Stage::new();
    let (session, pane, prompt) = stage.start_asking().await;
    let mut stage = stage.restart().await;
    assert_eq!(stage.wait_prompt(session).await, prompt);
    stage.wait_state(session, &SessionState::Waiting).await;
    behave_as_list(&pane, demo("command"), 4, demo("answered"));
    stage.respond(choose(&prompt, "Yes"), "phone").await.expect("the first answer");
    assert!(matches!(stage.wait_closed(prompt.request_id).await, PromptOutcome::Verified { .. }));
}

#[tokio::test]
async fn an_answer_that_comes_before_the_first_look_counts() {
    let mut stage = Stage::new();
    let (_, pane, prompt) = stage.start_asking().await;
    behave_as_list(&pane, demo("command"), 4, demo("answered"));
    let mut stage = stage.restart().await;
    assert!(stage.bus.prompt(prompt.request_id).is_none(), "the prompt has not been seen yet");
    stage.respond(choose(&prompt, "Yes"), "phone").await.expect("the first answer");
    assert!(matches!(stage.wait_closed(prompt.request_id).await, PromptOutcome::Verified { .. }));
}

#[tokio::test]
async fn an_answer_that_comes_before_the_first_look_and_after_the_prompt_is_refused() {
    let mut stage = Stage::new();
    let (_, pane, prompt) = stage.start_asking().await;
    let stage = stage.next_run().await;
    pane.draw(&demo("answered"));
    stage.sessions.recover().await.expect("taking up");
    let refused = stage.respond(choose(&prompt, "Yes"), "phone").await.expect_err("it is over");
    assert_eq!(refused.code(), ErrorCode::PromptGone);
    assert!(pane.pressed().is_empty());
}

#[tokio::test]
async fn a_screen_nobody_understands_keeps_its_id_too() {
    let mut stage = Stage::new();
    let (session, _) = stage.start(AdapterKind::new("demo"), demo("puzzle")).await;
    let prompt = stage.wait_prompt(session).await;
    let mut stage = stage.restart().await;
    assert_eq!(stage.wait_prompt(session).await, prompt);
}

#[tokio::test]
async fn a_prompt_that_was_answered_at_the_desk_meanwhile_is_over() {
    let mut stage = Stage::new();
    let (session, pane, prompt) = stage.start_asking().await;
    let stage = stage.next_run().await;
    pane.draw(&demo("choice"));
    stage.sessions.recover().await.expect("taking up");
    let mut stage = stage;
    assert_eq!(stage.wait_closed(prompt.request_id).await, PromptOutcome::Gone);
    let other = stage.wait_prompt(session).await;
    assert_ne!(other.request_id, prompt.request_id, "another prompt stands there");
    assert_eq!(stage.store.open_prompts(session).await.expect("read").prompts.len(), 1);
}

/// The server goes down with an answer on its way; what is on the screen afterwards says whether it arrived.
#[tokio::test]
async fn an_answer_under_way_is_judged_by_the_screen() {
    for (after, taken) in [("answered", true), ("command", false)] {
        let mut stage = Stage::new();
        let (session, pane, prompt) = stage.start_asking().await;
        stage.respond(choose(&prompt, "Yes"), "phone").await.expect("the first answer");
        stage.wait_pressed(&pane, 1).await;
        let stage = stage.next_run().await;
        pane.draw(&demo(after));
        stage.sessions.recover().await.expect("taking up");
        let mut stage = stage;
        if taken {
            let outcome = stage.wait_closed(prompt.request_id).await;
            assert!(matches!(outcome, PromptOutcome::Verified { answer } if answer.summary == "Yes"));
        } else {
            assert_eq!(stage.wait_prompt(session).await.request_id, prompt.request_id);
            let why = stage.wait_failed().await;
            assert!(why.contains("still there"), "{why}");
            behave_as_list(&pane, demo("command"), 4, demo("answered"));
            stage.respond(choose(&prompt, "No"), "phone").await.expect("it can be answered again");
            let outcome = stage.wait_closed(prompt.request_id).await;
            assert!(matches!(outcome, PromptOutcome::Verified { answer } if answer.summary == "No"));
        }
    }
}

#[tokio::test]
async fn sessions_that_run_go_on_and_the_others_are_told_as_lost() {
    let mut stage = Stage::new();
    let (runs, _) = stage.start_demo("ready", &SessionState::Ready).await;
    let (gone, pane) = stage.start_demo("ready", &SessionState::Ready).await;
    let (over, _) = stage.start_demo("ready", &SessionState::Ready).await;
    let (asks, asking_pane, prompt) = stage.start_asking().await;
    stage.sessions.rename(runs, "the one that runs").await.expect("a name");
    stage.sessions.end(over, shared_types::Actor::Desk).await.expect("ended");
    let stage = stage.next_run().await;
    pane.vanish();
    asking_pane.vanish();
    stage.sessions.recover().await.expect("taking up");
    let mut stage = stage;
    stage.wait_state(runs, &SessionState::Ready).await;
    let state = |id| stage.bus.session(id).map(|session| session.state);
    assert_eq!(state(gone), Some(SessionState::Ended { reason: EndReason::Lost }));
    assert_eq!(state(asks), Some(SessionState::Ended { reason: EndReason::Lost }));
    assert_eq!(state(over), Some(SessionState::Ended { reason: EndReason::Killed }));
    assert_eq!(stage.bus.session(runs).map(|session| session.name), Some("the one that runs".to_owned()));
    assert_eq!(stage.store.open_prompts(asks).await.expect("read").prompts, []);
    let late = stage.respond(choose(&prompt, "Yes"), "phone").await.expect_err("it is over");
    assert_eq!(late.code(), ErrorCode::PromptGone);
}

#[tokio::test]
async fn a_pane_of_another_terminal_server_is_not_ours() {
    let mut stage = Stage::new();
    let (session, pane) = stage.start_demo("ready", &SessionState::Ready).await;
    let stage = stage.next_run().await;
    // The same session id in another pane, as if the terminal server had been started anew.
    pane.vanish();
    let spec = stage.terminal.opened().remove(0);
    crate::pane::Terminal::open(&*stage.terminal, spec).await.expect("a pane");
    stage.sessions.recover().await.expect("taking up");
    let state = stage.bus.session(session).map(|session| session.state);
    assert_eq!(state, Some(SessionState::Ended { reason: EndReason::Lost }));
}

#[tokio::test]
async fn a_terminal_that_cannot_be_asked_is_not_taken_for_the_end() {
    let mut stage = Stage::new();
    let (session, _) = stage.start_demo("ready", &SessionState::Ready).await;
    let stage = stage.next_run().await;
    stage.terminal.fail_next(PaneError::Unavailable("away".to_owned()));
    stage.sessions.recover().await.expect("taking up");
    let state = stage.bus.session(session).map(|session| session.state);
    assert!(matches!(state, Some(SessionState::Unreachable { .. })), "{state:?}");
    assert_eq!(stage.store.sessions().await.expect("sessions").records[0].ended, None);
    // It runs for all we know: nobody is told that it has ended.
    let refused = stage.sessions.send_text(session, "hello".to_owned(), None, &[]).await.expect_err("nobody there");
    assert_eq!(refused.code(), ErrorCode::TerminalUnavailable, "{refused:?}");
    assert_eq!(stage.sessions.forget(session).await.expect_err("it may run").code(), ErrorCode::SessionBusy);

    // And it is asked again until it answers.
    let mut stage = stage;
    stage.wait_state(session, &SessionState::Ready).await;
}

#[tokio::test]
async fn stopping_leaves_the_panes_alone() {
    let mut stage = Stage::new();
    let (_, pane, prompt) = stage.start_asking().await;
    stage.stop().await;
    assert_eq!((pane.is_gone(), pane.pressed()), (false, Vec::new()));
    assert!(stage.store.prompt(prompt.request_id).await.expect("read").expect("it is kept").open);
    let told = stage.told.iter().any(|event| matches!(event, Event::PromptClosed { .. }));
    assert!(!told);
}

#[tokio::test]
async fn the_newest_of_many_ended_sessions_are_listed() {
    let terminal = Arc::new(FakeTerminal::new());
    let stage = Stage::with(Arc::clone(&terminal), terminal);
    stage.terminal.on_open(|_, pane: &FakePane| pane.draw(&line("$ ")));
    let mut ids = Vec::new();
    for _ in 0..crate::sessions::supervisor::ENDED_SHOWN + 2 {
        let id = stage
            .sessions
            .start(wish(AdapterKind::new("generic")), shared_types::Actor::Desk)
            .await
            .expect("a session");
        stage.sessions.end(id, shared_types::Actor::Desk).await.expect("ended");
        ids.push(id);
    }
    let stage = stage.restart().await;
    let listed: Vec<_> = stage.bus.sessions().into_iter().map(|session| session.id).collect();
    assert_eq!(listed, ids[2..]);
}

#[tokio::test]
async fn name_given_while_the_terminal_does_not_answer_is_kept() {
    let mut stage = Stage::new();
    let (session, _) = stage.start_demo("ready", &SessionState::Ready).await;
    let mut stage = stage.next_run().await;
    stage.terminal.fail_next(PaneError::Unavailable("not up yet".to_owned()));
    stage.sessions.recover().await.expect("taking up");
    stage.sessions.rename(session, "the shop").await.expect("a name");
    stage.wait_state(session, &SessionState::Ready).await;
    assert_eq!(stage.bus.session(session).map(|session| session.name), Some("the shop".to_owned()));
    let unnamed = |event: &Event| matches!(event, Event::Session { session } if session.name != "the shop");
    let renamed = stage.told.iter().rposition(unnamed);
    let named =
        stage.told.iter().position(|event| matches!(event, Event::Session { session } if session.name == "the shop"));
    assert!(renamed < named, "the old name is never told again");
}
