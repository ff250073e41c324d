//! The next step from real screens: rows by label from the cursor, text only into fields, and refusals.

use shared_types::{AdapterKind, PromptId, PromptResponse, QuestionAnswer};
use uuid::Uuid;

use super::sighting;
use crate::{Keystroke, Refusal, Step, adapter_for, answer::Expect, keys::NamedKey};

fn response() -> PromptResponse {
    PromptResponse {
        request_id: PromptId(Uuid::nil()),
        selected_option: None,
        text_value: None,
        selected_options: None,
        answers: None,
        remember: None,
        idempotency_key: None,
    }
}

fn option(label: &str) -> PromptResponse {
    PromptResponse { selected_option: Some(label.to_owned()), ..response() }
}

fn option_with(label: &str, text: &str) -> PromptResponse {
    PromptResponse { text_value: Some(text.to_owned()), ..option(label) }
}

fn text(text: &str) -> PromptResponse {
    PromptResponse { text_value: Some(text.to_owned()), ..response() }
}

fn several(labels: &[&str], text: Option<&str>) -> PromptResponse {
    let labels = labels.iter().map(|&label| label.to_owned()).collect();
    PromptResponse { selected_options: Some(labels), text_value: text.map(str::to_owned), ..response() }
}

fn answers(answers: &[(&[&str], Option<&str>)]) -> PromptResponse {
    let answers = answers.iter().map(|(labels, text)| QuestionAnswer {
        selected_options: labels.iter().map(|&label| label.to_owned()).collect(),
        text_value: text.map(str::to_owned),
    });
    PromptResponse { answers: Some(answers.collect()), ..response() }
}

fn next(case: &str, response: &PromptResponse) -> Result<Step, Refusal> {
    adapter_for(AdapterKind::Claude).answer(&sighting(case), response)
}

fn submit(keys: &[Keystroke]) -> Result<Step, Refusal> {
    Ok(Step::Submit { keys: keys.to_vec() })
}

fn press(keys: &[Keystroke], expect: Expect) -> Result<Step, Refusal> {
    Ok(Step::Press { keys: keys.to_vec(), expect })
}

fn moves(count: isize, row: usize) -> Result<Step, Refusal> {
    press(&Keystroke::vertical(count), Expect::Selected(row))
}

fn types(text: &str) -> Result<Step, Refusal> {
    press(&[Keystroke::Text(text.to_owned())], Expect::Text(text.to_owned()))
}

const ENTER: Keystroke = Keystroke::ENTER;

#[test]
fn rows_are_reached_from_the_cursor_and_entered() {
    let always = "Yes, and always allow access to output/ from this project";
    let table = [
        ("perm-bash-2.1.325-46x30", option("Yes"), submit(&[ENTER])),
        ("perm-bash-2.1.325-46x30", option("No"), moves(1, 1)),
        ("perm-bash-lastrow-2.1.50-46x30", option("No"), submit(&[ENTER])),
        ("perm-bash-lastrow-2.1.50-46x30", option(always), moves(-1, 1)),
        // The refusing row comes first, and digits do nothing.
        ("perm-bash-in-automode-2.1.325-80x24", option("Yes"), moves(1, 1)),
        ("plan-2.1.325-80x24", option("Yes, manually approve edits"), moves(1, 1)),
        ("startup-trust-2.1.325-46x30", option("Yes, I trust this folder"), moves(1, 1)),
        ("startup-apikey-2.0.76-80x24", option("Yes"), moves(-1, 0)),
        // An editable row comes filled in, and its label is cut while it is edited.
        ("perm-bash-npm-2nd-2.1.50-80x24", option("Yes, and don’t ask again for: npm run test"), submit(&[ENTER])),
    ];
    for (case, response, wanted) in table {
        assert_eq!(next(case, &response), wanted, "{case} {response:?}");
    }
}

#[test]
fn a_digit_is_pressed_only_where_the_cursor_is_out_of_view() {
    assert_eq!(next("perm-bash-tiny-30x12-2.1.325", &option("No")), submit(&[Keystroke::Text("4".to_owned())]));
    assert_eq!(next("perm-bash-tiny-30x12-2.1.325", &option("Yes")), Err(Refusal::UnknownOption("Yes".to_owned())));
}

#[test]
fn text_goes_into_fields_only() {
    let placeholder = "Type here to tell Claude what to do differently";
    let change = "Tell Claude what to change";
    let table = [
        // A text row is moved to, typed into, and entered.
        ("perm-bash-2.0.76-80x24", option_with(placeholder, "use mv"), moves(1, 1)),
        ("perm-bash-2.0.76-80x24", text("use mv"), moves(1, 1)),
        ("perm-bash-typing-2.0.76-120x40", option_with(placeholder, "use cargo test"), submit(&[ENTER])),
        ("plan-feedback-empty-2.1.325-80x24", option_with(change, "use OAuth"), types("use OAuth")),
        ("plan-feedback-typed-2.1.325-80x24", option_with(change, "use OAuth instead"), submit(&[ENTER])),
        ("ask-single-typing-empty-2.1.325-46x30", text("1. MariaDB"), types("1. MariaDB")),
        ("ask-single-typed-2.0.76-80x24", option_with("Type something.", "MariaDB, please"), submit(&[ENTER])),
        // What somebody else has begun is taken out first.
        ("ask-single-typed-2.1.325-80x24", text("SQLite"), press(&[Keystroke::Ctrl('u')], Expect::Text(String::new()))),
        // Words along with yes or no: Tab opens the field.
        ("perm-bash-lastrow-2.1.50-46x30", option_with("No", "use mv"), press(&[Keystroke::TAB], Expect::TextFocused)),
        ("perm-bash-2.1.325-46x30", option_with("No", "use mv"), moves(1, 1)),
        ("perm-bash-amend-no-2.1.50-46x30", option_with("No", "use mv"), types("use mv")),
        ("perm-bash-amend-no-typed-2.1.50-46x30", option_with("No", "use mv"), submit(&[ENTER])),
        (
            "perm-bash-amend-yes-typed-2.1.50-120x40",
            option("Yes"),
            press(&[Keystroke::Ctrl('u')], Expect::Text(String::new())),
        ),
        // A note beside a preview.
        (
            "ask-preview-2nd-2.1.325-80x24",
            option_with("Topbar", "wide"),
            press(&[Keystroke::Text("n".to_owned())], Expect::TextFocused),
        ),
        ("ask-preview-notes-2.1.200-46x30", option_with("Topbar", "wide"), types("wide")),
        ("ask-preview-notes-typed-2.1.200-80x24", option_with("Topbar", "hello"), submit(&[ENTER])),
    ];
    for (case, response, wanted) in table {
        assert_eq!(next(case, &response), wanted, "{case} {response:?}");
    }
    let lines = Keystroke::Paste("a\nb".to_owned());
    let pasted = press(&[lines], Expect::Text("a\nb".to_owned()));
    assert_eq!(next("ask-single-typing-empty-2.1.325-46x30", &text("a\nb")), pasted);
}

#[test]
fn check_boxes_are_changed_one_by_one_and_then_submitted() {
    let both = several(&["Logging", "Tracing"], None);
    let with_text = several(&["Logging", "Tracing"], Some("Alerts"));
    let table = [
        ("ask-multi-2.1.325-80x24", both.clone(), press(&[ENTER], Expect::Checked(0, true))),
        ("ask-multi-2.1.325-80x24", several(&["Metrics"], None), moves(1, 1)),
        ("ask-multi-toggled-2.1.325-80x24", several(&["Tracing"], None), press(&[ENTER], Expect::Checked(0, false))),
        // All is right: down to `Submit`, which no person chooses.
        ("ask-multi-toggled-2.1.325-80x24", both.clone(), moves(1, 1)),
        ("ask-multi-toggled-2.1.325-80x24", with_text.clone(), moves(1, 1)),
        ("ask-multi-texttyped-2.1.50-46x30", with_text.clone(), moves(1, 4)),
        // Typing has checked it; the answer has no text, so it is taken out again.
        ("ask-multi-texttyped-2.1.50-46x30", both.clone(), press(&[ENTER], Expect::Checked(3, false))),
        ("ask-multi-submitrow-2.1.50-46x30", with_text, press(&[ENTER], Expect::Question(1))),
        ("ask-multi-after-tab-2.1.325-80x24", both, submit(&[ENTER])),
        ("ask-multi-after-tab-2.1.325-80x24", option("Cancel"), moves(1, 1)),
        // The review does not show what was chosen: nobody sends it from afar.
        ("ask-multi-after-tab-2.1.325-80x24", several(&["Metrics"], None), Err(Refusal::TerminalOnly)),
        ("ask-multi-2.1.325-80x24", option("Chat about this"), moves(1, 1)),
    ];
    for (case, response, wanted) in table {
        assert_eq!(next(case, &response), wanted, "{case} {response:?}");
    }
}

#[test]
fn several_questions_are_answered_tab_by_tab() {
    let all = answers(&[(&["Go"], None), (&["Cache", "Queue"], None), (&["Bare metal"], None)]);
    let table = [
        ("ask-tabs-q1-2.1.325-46x30", all.clone(), moves(1, 1)),
        ("ask-tabs-q2-2.1.325-80x24", all.clone(), moves(1, 1)),
        ("ask-tabs-q3-2.0.76-46x30", all.clone(), moves(1, 1)),
        (
            "ask-tabs-q1-2.1.325-46x30",
            answers(&[(&["Rust (Recommended)"], None), (&["Auth"], None), (&[], Some("k8s"))]),
            press(&[ENTER], Expect::Question(1)),
        ),
        // Only the question in front: its Enter completes the answer.
        ("ask-tabs-q1-2.1.325-46x30", option("Rust (Recommended)"), submit(&[ENTER])),
        (
            "ask-tabs-q1-2.1.325-46x30",
            answers(&[(&["Rust (Recommended)"], None), (&[], None), (&[], None)]),
            submit(&[ENTER]),
        ),
        (
            "ask-tabs-review-2.1.325-80x24",
            answers(&[(&["Rust (Recommended)"], None), (&["Cache", "Queue"], None), (&["Bare metal"], None)]),
            submit(&[ENTER]),
        ),
        ("ask-tabs-review-2.1.325-80x24", all, Err(Refusal::TerminalOnly)),
        (
            "ask-tabs-q1-2.1.325-46x30",
            answers(&[(&["Go"], None)]),
            Err(Refusal::AnswerCount { questions: 3, answers: 1 }),
        ),
    ];
    for (case, response, wanted) in table {
        assert_eq!(next(case, &response), wanted, "{case} {response:?}");
    }
}

#[test]
fn a_dialog_without_rows_takes_the_keys_it_names() {
    let case = "perm-automode-unavailable-2.1.325-80x24";
    assert_eq!(next(case, &option("stay in auto mode")), submit(&[ENTER]));
    let leave = "leave for accept edits mode and stop";
    assert_eq!(next(case, &option(leave)), submit(&[Keystroke::Named(NamedKey::BackTab)]));
    assert_eq!(next(case, &option("cancel")), submit(&[Keystroke::ESCAPE]));
    assert_eq!(next("startup-onboarding-2-2.1.325-120x40", &option("continue")), submit(&[ENTER]));
    assert_eq!(next("perm-automode-unavailable-2.1.325-46x30", &option("cancel")), Err(Refusal::TerminalOnly));
}

#[test]
fn what_does_not_fit_is_refused() {
    let bash = "perm-bash-2.1.325-46x30";
    let table = [
        (bash, response(), Refusal::NothingChosen),
        (bash, option("Maybe"), Refusal::UnknownOption("Maybe".to_owned())),
        (bash, text("just do it"), Refusal::NothingChosen),
        (bash, several(&["Yes", "No"], None), Refusal::UnknownOption("No".to_owned())),
        (bash, option_with("No", "two\nlines"), Refusal::OneLineOnly),
        (bash, option_with("No", "\u{1b}[A"), Refusal::ControlCharacters),
        ("perm-webfetch-2.1.325-80x24", option_with("Yes", "and then?"), Refusal::NoTextTaken),
        ("perm-bash-2.0.76-80x24", option("Type here to tell Claude what to do differently"), Refusal::TextMissing),
        ("ask-single-2.1.325-80x24", option_with("SQLite", "fast"), Refusal::NoTextTaken),
        ("ask-multi-2.1.325-80x24", option("Submit"), Refusal::UnknownOption("Submit".to_owned())),
        ("ask-multi-2.1.325-80x24", several(&[], None), Refusal::NothingChosen),
    ];
    for (case, response, wanted) in table {
        assert_eq!(next(case, &response), Err(wanted), "{case} {response:?}");
    }
}
