//! The parts an attempt is made of: what a step expects, how a row is reached, what can be typed.

use super::{field, sighting};
use crate::{
    Keystroke, Refusal, Step,
    answer::{Expect, check_text, move_to},
};

#[test]
fn every_expectation_is_met_by_what_it_names_and_nothing_else() {
    let mut sighting = field("some text");
    sighting.options[1].checked = Some(true);
    sighting.question_index = Some(1);
    sighting.questions = vec![shared_types::Question {
        header: String::new(),
        question: String::new(),
        options: vec![shared_types::PromptOption { value: "a".into(), checked: Some(true), ..Default::default() }],
        multi_select: Some(true),
        text_input: None,
    }];
    let table = [
        (Expect::Selected(0), true),
        (Expect::Selected(1), false),
        (Expect::Checked(1, true), true),
        (Expect::Checked(1, false), false),
        (Expect::Checked(0, false), false),
        (Expect::Checked(9, false), false),
        (Expect::Text("some  text".into()), true),
        (Expect::Text(String::new()), false),
        (Expect::TextFocused, false),
        (Expect::Question(1), true),
        (Expect::Question(0), false),
        (Expect::QuestionChecked(0, "a".into(), true), true),
        (Expect::QuestionChecked(0, "b".into(), true), false),
        (Expect::QuestionChecked(1, "a".into(), true), false),
    ];
    for (expect, met) in table {
        assert_eq!(expect.is_met(&sighting), met, "{expect:?}");
    }
}

#[test]
fn a_row_is_counted_from_the_cursor_and_never_without_one() {
    let mut sighting = sighting("Run it?", 2);
    let up = Step::Press { keys: Keystroke::vertical(-2), expect: Expect::Selected(0) };
    assert_eq!(move_to(&sighting, 0), Ok(Some(up)));
    assert_eq!(move_to(&sighting, 2), Ok(None));
    sighting.selected = None;
    assert_eq!(move_to(&sighting, 2), Err(Refusal::NoCursor));
}

#[test]
fn a_text_that_would_press_keys_is_refused() {
    let table = [
        ("plain äöü 日本", false, Ok(())),
        ("two\nlines", false, Err(Refusal::OneLineOnly)),
        ("two\nlines", true, Ok(())),
        ("carriage\rreturn", false, Err(Refusal::OneLineOnly)),
        ("carriage\rreturn", true, Err(Refusal::ControlCharacters)),
        ("escape \u{1b}[A", true, Err(Refusal::ControlCharacters)),
        ("tab\t", false, Err(Refusal::ControlCharacters)),
        ("interrupt \u{3}", false, Err(Refusal::ControlCharacters)),
        ("\u{9b}", false, Err(Refusal::ControlCharacters)),
    ];
    for (text, multiline, wanted) in table {
        assert_eq!(check_text(text, multiline).map(|_| ()), wanted, "{text:?}");
    }
}
