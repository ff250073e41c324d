//! The steps of answers, as a table: from the screen as it is to the next keys.

use shared_types::{NamedKey, PromptResponse, QuestionAnswer};

use super::{drawn, sighting};
use crate::{
    Adapter, Keystroke, Refusal, Sighting, Step,
    answer::{
        Expect,
        responses::{both, choose, nothing, say},
    },
    codex::{Codex, tests::read},
};

fn step(sighting: &Sighting, response: &PromptResponse) -> Result<Step, Refusal> {
    Codex.answer(sighting, response)
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

fn letter(letter: &str) -> Result<Step, Refusal> {
    Ok(Step::Submit { keys: vec![Keystroke::Text(letter.to_owned())] })
}

#[test]
fn an_approval_is_answered_with_the_letter_it_shows() {
    let exec = sighting("v166-exec-approval-46x30");
    let always = "Yes, and don't ask again for commands that start with `touch /tmp/codexh_probe`";
    assert_eq!(step(&exec, &choose("Yes, proceed")), letter("y"));
    assert_eq!(step(&exec, &choose(always)), letter("p"));
    // Esc would interrupt the work if the dialog had just gone.
    let no = "No, and tell Codex what to do differently";
    assert_eq!(step(&exec, &choose(no)), press(down(2), Expect::Selected(2)));
    let grants = sighting("v166-request-permissions-120x40");
    for (label, key) in [
        ("Yes, grant these permissions for this turn", "y"),
        ("Yes, grant for this turn with strict auto review", "r"),
        ("Yes, grant these permissions for this session", "a"),
        ("No, continue without permissions", "d"),
    ] {
        assert_eq!(step(&grants, &choose(label)), letter(key), "{label}");
    }
    // Two rows with one letter: neither is meant by it.
    let mut twice = exec;
    twice.options[1].hint = Some("y".to_owned());
    assert_eq!(step(&twice, &choose("Yes, proceed")), enter());
}

#[test]
fn an_option_is_reached_by_its_label_and_submitted_with_enter() {
    let mut exec = sighting("v166-exec-approval-46x30");
    for option in &mut exec.options {
        option.hint = None;
    }
    let always = "Yes, and don't ask again for commands that start with `touch /tmp/codexh_probe`";
    let no = "No, and tell Codex what to do differently";
    assert_eq!(step(&exec, &choose("Yes, proceed")), enter());
    assert_eq!(step(&exec, &choose(always)), press(down(1), Expect::Selected(1)));
    assert_eq!(step(&exec, &choose(no)), press(down(2), Expect::Selected(2)));
    let moved = Sighting { selected: Some(2), ..exec.clone() };
    assert_eq!(step(&moved, &choose(no)), enter());
    assert_eq!(step(&moved, &choose("Yes, proceed")), press(Keystroke::vertical(-2), Expect::Selected(0)));
    let lost = Sighting { selected: None, ..exec };
    assert_eq!(step(&lost, &choose(no)), Err(Refusal::NoCursor));
}

#[test]
fn the_same_label_is_another_row_in_another_dialog() {
    let no = "No, and tell Codex what to do differently";
    assert_eq!(step(&sighting("v166-exec-heredoc-80x24"), &choose(no)), press(down(1), Expect::Selected(1)));
    assert_eq!(step(&sighting("v166-exec-prefix-rule-80x24"), &choose(no)), press(down(2), Expect::Selected(2)));
}

#[test]
fn an_approval_takes_no_text_and_only_its_own_options() {
    let exec = sighting("v166-exec-approval-120x40");
    assert_eq!(step(&exec, &both("Yes, proceed", "yes please")), Err(Refusal::NoTextTaken));
    assert_eq!(step(&exec, &say("hello")), Err(Refusal::NoTextTaken));
    assert_eq!(step(&exec, &choose("Maybe")), Err(Refusal::UnknownOption("Maybe".to_owned())));
    assert_eq!(step(&exec, &nothing()), Err(Refusal::NothingChosen));
    let many = PromptResponse { selected_options: Some(vec!["Yes, proceed".into(), "No".into()]), ..nothing() };
    assert_eq!(step(&exec, &many), Err(Refusal::TerminalOnly));
}

#[test]
fn notes_go_row_tab_text_enter() {
    let closed = sighting("v166-question-single-80x24");
    let open = sighting("v166-question-notes-empty-80x24");
    let typed = sighting("v166-question-notes-typed-80x24");
    let wish = both("SQLite", "keep it simple");
    assert_eq!(step(&closed, &wish), press(down(1), Expect::Selected(1)));
    let on_row = Sighting { selected: Some(1), ..closed };
    assert_eq!(step(&on_row, &wish), press(vec![Keystroke::TAB], Expect::TextFocused));
    let paste = vec![Keystroke::Paste("keep it simple".to_owned())];
    assert_eq!(step(&open, &wish), press(paste, Expect::Text("keep it simple".to_owned())));
    assert_eq!(step(&typed, &wish), enter());
    // What somebody at the desk typed is cleared, not sent along.
    assert_eq!(step(&typed, &choose("SQLite")), press(vec![Keystroke::TAB], Expect::Text(String::new())));
    assert_eq!(step(&typed, &both("SQLite", "other")), press(vec![Keystroke::TAB], Expect::Text(String::new())));
    assert_eq!(step(&open, &choose("SQLite")), enter());
    let long = "word ".repeat(300);
    let paste = press(vec![Keystroke::Paste(long.clone())], Expect::Text("[Pasted Content 1500 chars]".to_owned()));
    assert_eq!(step(&open, &both("SQLite", &long)), paste);
    assert_eq!(step(&open, &both("SQLite", "a\u{1b}b")), Err(Refusal::ControlCharacters));
}

#[test]
fn a_text_of_ones_own_goes_to_the_row_for_none_of_the_others() {
    let question = sighting("v166-question-single-80x24");
    assert_eq!(step(&question, &say("MySQL")), press(down(3), Expect::Selected(3)));
    let on_row = Sighting { selected: Some(3), ..question };
    assert_eq!(step(&on_row, &say("MySQL")), press(vec![Keystroke::TAB], Expect::TextFocused));
    // Enter would open the notes there, so they are opened first even when there is nothing to write.
    assert_eq!(step(&on_row, &choose("None of the above")), press(vec![Keystroke::TAB], Expect::TextFocused));
}

#[test]
fn several_answers_are_given_to_the_question_in_front() {
    let answer = |option: &str| QuestionAnswer { selected_options: vec![option.to_owned()], text_value: None };
    let answers = |options: &[&str]| PromptResponse {
        answers: Some(options.iter().map(|option| answer(option)).collect()),
        ..nothing()
    };
    let first = sighting("v166-question-two-120x40");
    let second = sighting("v166-question-two-second-120x40");
    let both = answers(&["Redis", "Production"]);
    assert_eq!(step(&first, &both), press(down(2), Expect::Selected(2)));
    let on_row = Sighting { selected: Some(2), ..first.clone() };
    assert_eq!(step(&on_row, &both), press(vec![Keystroke::ENTER], Expect::Question(1)));
    assert_eq!(step(&second, &both), press(down(1), Expect::Selected(1)));
    assert_eq!(step(&Sighting { selected: Some(1), ..second.clone() }, &both), enter());
    // The first was passed over at the desk: it comes before the last Enter.
    let turn = |page| press(vec![Keystroke::Ctrl('n')], Expect::Question(page));
    assert_eq!(step(&Sighting { unanswered: 2, ..second.clone() }, &both), turn(0));
    // Or it was left open by the person.
    let mut open = both;
    open.answers.as_mut().unwrap()[0].selected_options.clear();
    assert_eq!(step(&first, &open), turn(1));
    assert_eq!(step(&Sighting { unanswered: 2, selected: Some(1), ..second.clone() }, &open), enter());
    open.answers.as_mut().unwrap()[1].selected_options.clear();
    assert_eq!(step(&first, &open), Err(Refusal::NothingChosen));
    // What is not said for every question is said for none: the labels of two pages may be alike.
    assert_eq!(step(&second, &choose("Staging")), Err(Refusal::AnswerCount { questions: 2, answers: 0 }));
    let three = answers(&["Redis", "Staging", "x"]);
    assert_eq!(step(&first, &three), Err(Refusal::AnswerCount { questions: 2, answers: 3 }));
}

#[test]
fn forms_are_answered_field_by_field() {
    let answer = |option: &str, text: &str| QuestionAnswer {
        selected_options: Some(option.to_owned()).filter(|option| !option.is_empty()).into_iter().collect(),
        text_value: Some(text.to_owned()),
    };
    let with_name = |name: &str| PromptResponse {
        answers: Some(vec![answer("False", ""), answer("", name), answer("ap-south", "")]),
        ..nothing()
    };
    let form = with_name("new");
    assert_eq!(step(&sighting("v166-mcp-form-46x30"), &form), press(down(1), Expect::Selected(1)));
    let region = sighting("v166-mcp-form-enum-46x30");
    assert_eq!(step(&region, &form), press(down(2), Expect::Selected(2)));
    let mut capture = drawn(&[
        "d  Field 2/3 (1 required unanswered)",
        "   Please fill in the deployment details.",
        " ",
        "   Name",
        "b  ›\u{1b}[0m old",
        "   enter to submit answer | esc to cancel",
    ]);
    capture.cursor = crate::screen::Cursor { x: 7, y: 4, visible: true };
    let reading = read(&capture);
    let name = reading.sighting().unwrap();
    assert_eq!((name.questions[1].header.as_str(), name.question_index), ("Name", Some(1)));
    assert_eq!(step(name, &with_name("old")), press(vec![Keystroke::ENTER], Expect::Question(2)));
    assert_eq!(step(name, &form), press(vec![Keystroke::Ctrl('u')], Expect::Text(String::new())));
    let mut wrong = with_name("");
    wrong.answers.as_mut().unwrap()[1].selected_options = vec!["old".to_owned()];
    assert_eq!(step(name, &wrong), Err(Refusal::UnknownOption("old".to_owned())));
}

#[test]
fn start_up_dialogs_are_answered_with_arrows_and_enter_too() {
    assert_eq!(step(&sighting("v166-startup-trust-80x24"), &choose("Trust and continue")), enter());
    let model = sighting("v166-startup-model-migration-46x30");
    assert_eq!(step(&model, &choose("Use existing model")), press(down(1), Expect::Selected(1)));
    let hooks = sighting("v166-startup-hooks-review-46x30");
    let without = "Continue without trusting (hooks won't run)";
    assert_eq!(step(&hooks, &choose(without)), press(down(2), Expect::Selected(2)));
    let key = sighting("v166-startup-login-apikey-120x40");
    let paste = vec![Keystroke::Paste("sk-1".to_owned())];
    assert_eq!(step(&key, &say("sk-1")), press(paste, Expect::Text("sk-1".to_owned())));
    assert_eq!(step(&key, &say("a\nb")), Err(Refusal::OneLineOnly));
}

#[test]
fn check_boxes_are_left_to_the_terminal() {
    let rows =
        ["b  Skills", " ", "i› [x] Repo Scout", "   [ ] Changelog", " ", "d  Press space to toggle; esc to close"];
    let reading = read(&drawn(&rows));
    assert_eq!(step(reading.sighting().unwrap(), &choose("Changelog")), Err(Refusal::TerminalOnly));
}
