//! The steps of answers, as a table: from the screen as it is to the next keys.

use shared_types::{NamedKey, PromptResponse};

use super::sighting;
use crate::{
    Adapter, Keystroke, Refusal, Sighting, Step,
    answer::{
        Expect,
        responses::{both, check, choose, nothing, say, with_text},
    },
    copilot::Copilot,
};

const NO: &str = "No, and tell Copilot what to do differently (Esc to stop)";

fn step(sighting: &Sighting, response: &PromptResponse) -> Result<Step, Refusal> {
    Copilot.answer(sighting, response)
}

fn enter() -> Result<Step, Refusal> {
    Ok(Step::Submit { keys: vec![Keystroke::ENTER] })
}

fn press(keys: Vec<Keystroke>, expect: Expect) -> Result<Step, Refusal> {
    Ok(Step::Press { keys, expect })
}

fn down(count: usize) -> Vec<Keystroke> {
    vec![Keystroke::Named(NamedKey::Down); count]
}

fn typed(text: &str) -> Vec<Keystroke> {
    vec![Keystroke::Text(text.to_owned())]
}

#[test]
fn an_option_is_reached_by_its_label_and_chosen_with_enter() {
    let shell = sighting("perm-shell-1.0.102-80x24");
    let always = "Yes, and don't ask again for `touch` in this repo (~/proj)";
    assert_eq!(step(&shell, &choose("Yes")), enter());
    assert_eq!(step(&shell, &choose(always)), press(down(1), Expect::Selected(1)));
    assert_eq!(step(&Sighting { selected: Some(1), ..shell.clone() }, &choose(always)), enter());
    assert_eq!(step(&Sighting { selected: None, ..shell.clone() }, &choose(always)), Err(Refusal::NoCursor));
    assert_eq!(step(&shell, &choose("Maybe")), Err(Refusal::UnknownOption("Maybe".to_owned())));
    assert_eq!(step(&shell, &both("Yes", "please")), Err(Refusal::NoTextTaken));
    assert_eq!(step(&shell, &nothing()), Err(Refusal::NothingChosen));
    // The lasting row is selected at first here: a blind Enter would take it.
    let path = sighting("perm-path-shell-1.0.102-80x24");
    assert_eq!(step(&path, &choose("Yes")), press(Keystroke::vertical(-1), Expect::Selected(0)));
    assert_eq!(step(&path, &choose("No")), press(down(1), Expect::Selected(2)));
    assert_eq!(step(&Sighting { selected: Some(2), ..path }, &choose("No")), enter());
}

#[test]
fn a_refusal_goes_with_its_reason_or_by_escape() {
    let shell = sighting("perm-shell-1.0.102-80x24");
    assert_eq!(step(&shell, &choose(NO)), Ok(Step::Submit { keys: vec![Keystroke::ESCAPE] }));
    let wish = both(NO, "use mkdir instead");
    assert_eq!(step(&shell, &wish), press(down(2), Expect::Selected(2)));
    let focused = sighting("perm-shell-no-focused-1.0.102-46x30");
    let text = "use mkdir instead";
    assert_eq!(step(&focused, &wish), press(typed(text), Expect::Text(text.to_owned())));
    // The row now shows the text in place of its label.
    let written = sighting("perm-shell-no-typed-1.0.102-46x30");
    assert_eq!(step(&written, &wish), enter());
    let clear = press(vec![Keystroke::Ctrl('u')], Expect::Text(String::new()));
    assert_eq!(step(&written, &both(NO, "something else")), clear);
    assert_eq!(step(&focused, &both(NO, "two\nlines")), Err(Refusal::OneLineOnly));
    assert_eq!(step(&focused, &both(NO, "a\u{1b}b")), Err(Refusal::ControlCharacters));
    assert_eq!(step(&shell, &say("use mkdir instead")), press(down(2), Expect::Selected(2)));
}

#[test]
fn the_same_label_is_another_row_in_another_dialog() {
    let why = both(NO, "no");
    assert_eq!(step(&sighting("perm-shell-redirect-1.0.102-80x24"), &why), press(down(1), Expect::Selected(1)));
    assert_eq!(step(&sighting("perm-url-fetch-1.0.102-80x24"), &why), press(down(3), Expect::Selected(3)));
}

#[test]
fn a_plan_is_sent_back_with_what_to_change() {
    let plan = sighting("plan-summary-1.0.102-80x24");
    let wish = both("Suggest changes", "please add a test");
    assert_eq!(step(&plan, &wish), press(down(3), Expect::Selected(3)));
    assert_eq!(step(&sighting("plan-suggest-typed-1.0.102-80x24"), &wish), enter());
    assert_eq!(step(&plan, &choose("Suggest changes")), Err(Refusal::TextMissing));
}

#[test]
fn questions_are_chosen_from_or_answered_in_ones_own_words() {
    let one = sighting("question-bool-1.0.102-46x30");
    assert_eq!(step(&one, &choose("No")), press(down(1), Expect::Selected(1)));
    assert_eq!(step(&Sighting { selected: Some(1), ..one.clone() }, &choose("No")), enter());
    assert_eq!(step(&one, &say("later")), press(down(2), Expect::Selected(2)));
    let own = sighting("question-own-answer-1.0.102-80x24");
    let wish = both("Other (type your answer)", "DuckDB");
    assert_eq!(step(&own, &wish), press(typed("DuckDB"), Expect::Text("DuckDB".to_owned())));
    assert_eq!(step(&own, &choose("SQLite")), press(Keystroke::vertical(-2), Expect::Selected(1)));
    let text = sighting("question-text-1.0.102-46x30");
    assert_eq!(step(&text, &say("billing")), press(typed("billing"), Expect::Text("billing".to_owned())));
    assert_eq!(step(&text, &nothing()), Err(Refusal::TextMissing));
}

#[test]
fn marks_are_set_one_by_one_and_sent_together() {
    let many = sighting("question-multi-1.0.102-80x24");
    let space = |row| press(vec![Keystroke::SPACE], Expect::Checked(row, true));
    assert_eq!(step(&many, &check(&["Logging", "Tracing"])), space(0));
    let marked = sighting("question-multi-checked-1.0.102-80x24");
    assert_eq!(step(&marked, &check(&["Logging", "Tracing"])), enter());
    assert_eq!(step(&marked, &check(&["Tracing"])), press(Keystroke::vertical(-2), Expect::Selected(0)));
    // What is typed is one answer more.
    let more = with_text("Alerts", check(&["Logging", "Tracing"]));
    assert_eq!(step(&marked, &more), press(down(1), Expect::Selected(3)));
    assert_eq!(step(&many, &nothing()), Err(Refusal::NothingChosen));
    assert_eq!(step(&many, &check(&["Other (type your answer)"])), Err(Refusal::TextMissing));
}
