//! Dialogs that show one of several pages: looked through, then asked as one prompt.

use adapters::{Capture, Keystroke};
use shared_types::{AdapterKind, Event, InteractivePrompt, PromptOutcome, PromptResponse, QuestionAnswer};

use super::{
    stage::{Draw as _, Stage, captured, response_to},
    startup::found,
};
use crate::pane::fake::FakePane;

fn page(number: usize) -> Capture {
    let case = if number == 0 { "v166-question-two" } else { "v166-question-two-second" };
    captured(&format!("codex/screens/{case}-120x40"))
}

/// A dialog of two pages: Ctrl-N turns them, Enter answers the one in front, and the last Enter ends it.
fn behave_as_pages(pane: &FakePane) {
    let mut front = 0;
    pane.react(move |key, shown| match key {
        Keystroke::Ctrl('n') => {
            front = 1 - front;
            *shown = page(front);
        }
        key if *key == Keystroke::ENTER && front == 0 => {
            front = 1;
            *shown = page(front);
        }
        key if *key == Keystroke::ENTER => *shown = captured("codex/screens/v166-ready-plan-mode-120x40"),
        _ => {}
    });
}

fn is_whole(prompt: &InteractivePrompt) -> bool {
    let questions = prompt.questions.as_deref().unwrap_or_default();
    questions.len() == 2 && questions.iter().all(|question| !question.options.is_empty())
}

#[tokio::test]
async fn its_pages_are_looked_through_and_asked_as_one() {
    let mut stage = Stage::new();
    let (session, pane) = found(&stage, AdapterKind::new("codex"), &page(0), behave_as_pages).await;
    stage.sessions.recover().await.expect("taking up");
    let prompt = stage.wait_prompt(session).await;
    assert!(is_whole(&prompt), "{prompt:?}");
    assert_eq!(pane.take_pressed(), [Keystroke::Ctrl('n'), Keystroke::Ctrl('n')]);

    // Another server looks through it again, and it is the same prompt.
    let mut stage = stage.restart().await;
    let again = stage.wait_prompt(session).await;
    assert_eq!(again.request_id, prompt.request_id);
    assert!(is_whole(&again), "{again:?}");
    pane.take_pressed();

    // Somebody at the desk turns a page: nothing is asked anew.
    pane.draw(&page(1));
    pane.draw(&page(0));
    let answer = |option: &str| QuestionAnswer { selected_options: vec![option.to_owned()], text_value: None };
    let answers = vec![answer("PostgreSQL (Recommended)"), answer("Staging")];
    let response = PromptResponse { answers: Some(answers), ..response_to(&again) };
    stage.respond(response, "phone").await.expect("the first answer");
    assert!(matches!(stage.wait_closed(prompt.request_id).await, PromptOutcome::Verified { .. }));
    assert_eq!(pane.pressed(), [Keystroke::ENTER, Keystroke::ENTER]);
    let others = stage.told.iter().filter(
        |event| matches!(event, Event::Prompt { prompt } if prompt.request_id != again.request_id || !is_whole(prompt)),
    );
    assert_eq!(others.count(), 0);
}

#[tokio::test]
async fn a_page_that_does_not_turn_is_asked_all_the_same() {
    let mut stage = Stage::new();
    let (session, pane) = found(&stage, AdapterKind::new("codex"), &page(0), |_| {}).await;
    stage.sessions.recover().await.expect("taking up");
    let prompt = stage.wait_prompt(session).await;
    assert!(!is_whole(&prompt), "{prompt:?}");
    assert_eq!(pane.pressed(), [Keystroke::Ctrl('n')], "one key, no more");
}
