//! What a CLI asks beside its composer: a prompt that may be left alone, in a session that takes messages all the same.

use adapters::{Capture, Keystroke};
use shared_types::{AdapterKind, PermissionMode, PromptOutcome, SessionId, SessionState};

use super::{
    stage::{Draw as _, Stage, captured, choose},
    startup::found,
};
use crate::{journal::FactKind, pane::fake::FakePane, store::JournalFilter};

fn shown(case: &str) -> Capture {
    captured(&format!("claude/screens/{case}-2.1.325-80x24"))
}

/// A composer takes what is typed; the digit stands there for a moment, and then counts.
fn behave_as_composer(pane: &FakePane) {
    pane.react(|key, screen| match key {
        Keystroke::Text(_) => *screen = shown("aside-survey-typed"),
        Keystroke::Paste(_) => *screen = captured("claude/screens/ready-draft-2.1.50-46x30"),
        _ => *screen = shown("ready"),
    });
}

async fn asked() -> (Stage, SessionId, std::sync::Arc<FakePane>) {
    let mut stage = Stage::new();
    let (session, pane) = found(&stage, AdapterKind::new("claude"), &shown("aside-survey"), behave_as_composer).await;
    stage.sessions.recover().await.expect("taking up");
    stage.wait_state(session, &SessionState::Ready).await;
    (stage, session, pane)
}

#[tokio::test]
async fn it_is_answered_once_the_cli_was_seen_to_take_it() {
    let (mut stage, session, pane) = asked().await;
    let prompt = stage.wait_prompt(session).await;
    assert_eq!(prompt.optional, Some(true));
    stage.respond(choose(&prompt, "Good"), "iPhone").await.expect("the first answer");
    stage.wait_pressed(&pane, 1).await;
    assert_eq!(pane.pressed(), [Keystroke::Text("3".to_owned())]);
    // What stands in the composer is not taken yet.
    let twice = stage.respond(choose(&prompt, "Bad"), "iPad").await;
    assert!(twice.is_err(), "it is being answered");
    pane.draw(&shown("ready-survey-rated"));
    let outcome = stage.wait_closed(prompt.request_id).await;
    assert!(matches!(&outcome, PromptOutcome::Verified { answer } if answer.summary == "Good"), "{outcome:?}");
    assert_eq!(pane.pressed().len(), 1, "typed once, without Enter");
}

#[tokio::test]
async fn a_message_goes_past_it_and_the_mode_is_changed_beside_it() {
    let (mut stage, session, pane) = asked().await;
    let prompt = stage.wait_prompt(session).await;
    stage.sessions.set_mode(session, PermissionMode::Ask, shared_types::Actor::Desk).await.expect("it is in that mode");
    assert_eq!(pane.pressed(), []);
    stage.sessions.send_text(session, "go on".to_owned(), None, &[]).await.expect("taken");
    assert_eq!(pane.pressed(), [Keystroke::Paste("go on".to_owned()), Keystroke::ENTER]);
    assert_eq!(stage.wait_closed(prompt.request_id).await, PromptOutcome::Gone);
    let changed = JournalFilter { kinds: vec![FactKind::Mode], ..JournalFilter::default() };
    let rows = stage.store.journal(changed, 9).await.expect("the journal").rows;
    let actors: Vec<_> = rows.iter().map(|row| row.entry.actor.as_deref()).collect();
    assert_eq!(actors, [Some(r#"{"type":"desk"}"#)]);
}

#[tokio::test]
async fn it_keeps_its_id_over_a_restart() {
    let (mut stage, session, _) = asked().await;
    let before = stage.wait_prompt(session).await;
    let mut stage = stage.restart().await;
    assert_eq!(stage.wait_prompt(session).await.request_id, before.request_id);
    stage.wait_state(session, &SessionState::Ready).await;
}

#[tokio::test]
async fn a_key_that_was_not_taken_is_in_nobodys_way() {
    let (mut stage, session, pane) = asked().await;
    let prompt = stage.wait_prompt(session).await;
    stage.respond(choose(&prompt, "Good"), "iPhone").await.expect("the first answer");
    assert_eq!(stage.wait_failed().await, "typed, but the prompt is still there");
    stage.sessions.send_text(session, "go on".to_owned(), None, &[]).await.expect("taken");
    let message = [Keystroke::Paste("go on".to_owned()), Keystroke::ENTER];
    assert_eq!(pane.pressed(), [&[Keystroke::Text("3".to_owned()), Keystroke::Ctrl('u')][..], &message].concat());
}
