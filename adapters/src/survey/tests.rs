use std::time::{Duration, Instant};

use shared_types::AdapterKind;

use super::*;
use crate::{
    Reading, Screen, adapter_for,
    corpus::{case, sighting},
};

const FIRST: &str = "v166-question-two-120x40";
const SECOND: &str = "v166-question-two-second-120x40";

#[expect(clippy::disallowed_methods, reason = "an instant to count from; nothing waits for it")]
fn start() -> Instant {
    Instant::now()
}

fn look(name: &str) -> Look {
    Look::at(&case(AdapterKind::new("codex"), name).screen(), adapter_for(AdapterKind::new("codex")))
}

fn survey(name: &str) -> Option<Survey> {
    Survey::of(&sighting(AdapterKind::new("codex"), name), adapter_for(AdapterKind::new("codex")))
}

#[test]
fn every_page_is_seen_and_the_first_is_in_front_again() {
    let codex = adapter_for(AdapterKind::new("codex"));
    let now = start();
    let mut survey = survey(FIRST).unwrap();
    let turn = Action::Press(vec![Keystroke::Ctrl('n')]);
    assert_eq!(survey.on_look(&look(FIRST), codex, now), turn);
    // Drawn late: no key is pressed twice.
    assert_eq!(survey.on_look(&look(FIRST), codex, now), Action::Wait(now + STEP_LIMIT));
    assert_eq!(survey.on_look(&look(SECOND), codex, now), turn);
    assert_eq!(survey.on_look(&look(FIRST), codex, now), Action::Done);
    let questions = survey.questions();
    let texts: Vec<&str> = questions.iter().map(|question| question.question.as_str()).collect();
    assert_eq!(texts, ["Which database should the service use?", "Where should it be deployed first?"]);
    let mut front = sighting(AdapterKind::new("codex"), FIRST);
    assert!(front.questions[1].options.is_empty());
    front.know_questions(&questions);
    assert_eq!(front.questions, questions);
}

#[test]
fn it_ends_when_the_dialog_goes_or_does_not_turn() {
    let codex = adapter_for(AdapterKind::new("codex"));
    let now = start();
    let mut gone = survey(FIRST).unwrap();
    gone.on_look(&look(FIRST), codex, now);
    let blank = Look::at(&Screen::default(), codex);
    assert_eq!(blank.reading, Reading::Starting { detail: String::new() });
    assert_eq!(gone.on_look(&blank, codex, now), Action::Wait(now + STEP_LIMIT));
    assert_eq!(gone.on_look(&blank, codex, now + STEP_LIMIT), Action::Done);
    let mut stuck = survey(SECOND).unwrap();
    stuck.on_look(&look(SECOND), codex, now);
    assert_eq!(stuck.on_look(&look(SECOND), codex, now + STEP_LIMIT + Duration::from_millis(1)), Action::Done);
}

#[test]
fn dialogs_of_one_page_are_not_looked_through() {
    for name in ["v166-question-single-120x40", "v166-exec-approval-120x40", "v166-mcp-bool-120x40"] {
        assert!(survey(name).is_none(), "{name}");
    }
}
