//! The next step from real screens: rows by label from the cursor, text only into fields, and refusals.

use shared_types::{AdapterKind, PromptResponse};

use super::sighting;
use crate::{
    Keystroke, Refusal, Step, adapter_for,
    answer::{
        Expect,
        responses::{both, check, choose, fill_in, nothing, say, with_text},
    },
    keys::NamedKey,
};

fn next(case: &str, response: &PromptResponse) -> Result<Step, Refusal> {
    adapter_for(AdapterKind::new("claude")).answer(&sighting(case), response)
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
        ("perm-bash-2.1.325-46x30", choose("Yes"), submit(&[ENTER])),
        ("perm-bash-2.1.325-46x30", choose("No"), moves(1, 1)),
        ("perm-bash-lastrow-2.1.50-46x30", choose("No"), submit(&[ENTER])),
        ("perm-bash-lastrow-2.1.50-46x30", choose(always), moves(-1, 1)),
        // The refusing row comes first, and digits do nothing.
        ("perm-bash-in-automode-2.1.325-80x24", choose("Yes"), moves(1, 1)),
        ("plan-2.1.325-80x24", choose("Yes, manually approve edits"), moves(1, 1)),
        ("startup-trust-2.1.325-46x30", choose("Yes, I trust this folder"), moves(1, 1)),
        ("startup-apikey-2.0.76-80x24", choose("Yes"), moves(-1, 0)),
        // An editable row comes filled in, and its label is cut while it is edited.
        ("perm-bash-npm-2nd-2.1.50-80x24", choose("Yes, and don’t ask again for: npm run test"), submit(&[ENTER])),
    ];
    for (case, response, wanted) in table {
        assert_eq!(next(case, &response), wanted, "{case} {response:?}");
    }
}

#[test]
fn a_digit_is_pressed_only_where_the_cursor_is_out_of_view() {
    assert_eq!(next("perm-bash-tiny-30x12-2.1.325", &choose("No")), submit(&[Keystroke::Text("4".to_owned())]));
    assert_eq!(next("perm-bash-tiny-30x12-2.1.325", &choose("Yes")), Err(Refusal::UnknownOption("Yes".to_owned())));
}

#[test]
fn what_is_asked_aside_is_answered_by_its_key_in_an_empty_composer() {
    for (label, key) in [("Bad", "1"), ("Good", "3"), ("Dismiss", "0")] {
        for case in ["aside-survey-2.1.325-80x24", "aside-survey-2.0.76-46x30"] {
            assert_eq!(next(case, &choose(label)), submit(&[Keystroke::Text(key.to_owned())]), "{case}");
        }
    }
    // A second digit would make a message of both.
    assert_eq!(next("aside-survey-typed-2.1.325-80x24", &choose("Bad")), Err(Refusal::TerminalOnly));
    let case = "aside-survey-2.1.325-80x24";
    assert_eq!(next(case, &choose("Best")), Err(Refusal::UnknownOption("Best".to_owned())));
    assert_eq!(next(case, &both("Good", "indeed")), Err(Refusal::NoTextTaken));
    assert_eq!(next(case, &nothing()), Err(Refusal::NothingChosen));
}

#[test]
fn text_goes_into_fields_only() {
    let placeholder = "Type here to tell Claude what to do differently";
    let change = "Tell Claude what to change";
    let table = [
        // A text row is moved to, typed into, and entered.
        ("perm-bash-2.0.76-80x24", both(placeholder, "use mv"), moves(1, 1)),
        ("perm-bash-2.0.76-80x24", say("use mv"), moves(1, 1)),
        ("perm-bash-typing-2.0.76-120x40", both(placeholder, "use cargo test"), submit(&[ENTER])),
        ("plan-feedback-empty-2.1.325-80x24", both(change, "use OAuth"), types("use OAuth")),
        ("plan-feedback-typed-2.1.325-80x24", both(change, "use OAuth instead"), submit(&[ENTER])),
        ("ask-single-typing-empty-2.1.325-46x30", say("1. MariaDB"), types("1. MariaDB")),
        ("ask-single-typed-2.0.76-80x24", both("Type something.", "MariaDB, please"), submit(&[ENTER])),
        // What somebody else has begun is taken out first.
        ("ask-single-typed-2.1.325-80x24", say("SQLite"), press(&[Keystroke::Ctrl('u')], Expect::Text(String::new()))),
        // Words along with yes or no: Tab opens the field.
        ("perm-bash-lastrow-2.1.50-46x30", both("No", "use mv"), press(&[Keystroke::TAB], Expect::TextFocused)),
        ("perm-bash-2.1.325-46x30", both("No", "use mv"), moves(1, 1)),
        ("perm-bash-amend-no-2.1.50-46x30", both("No", "use mv"), types("use mv")),
        ("perm-bash-amend-no-typed-2.1.50-46x30", both("No", "use mv"), submit(&[ENTER])),
        (
            "perm-bash-amend-yes-typed-2.1.50-120x40",
            choose("Yes"),
            press(&[Keystroke::Ctrl('u')], Expect::Text(String::new())),
        ),
        // A note beside a preview.
        (
            "ask-preview-2nd-2.1.325-80x24",
            both("Topbar", "wide"),
            press(&[Keystroke::Text("n".to_owned())], Expect::TextFocused),
        ),
        ("ask-preview-notes-2.1.200-46x30", both("Topbar", "wide"), types("wide")),
        ("ask-preview-notes-typed-2.1.200-80x24", both("Topbar", "hello"), submit(&[ENTER])),
    ];
    for (case, response, wanted) in table {
        assert_eq!(next(case, &response), wanted, "{case} {response:?}");
    }
    let lines = Keystroke::Paste("a\nb".to_owned());
    let pasted = press(&[lines], Expect::Text("a\nb".to_owned()));
    assert_eq!(next("ask-single-typing-empty-2.1.325-46x30", &say("a\nb")), pasted);
}

#[test]
fn check_boxes_are_changed_one_by_one_and_then_submitted() {
    let both = check(&["Logging", "Tracing"]);
    let with_text = with_text("Alerts", check(&["Logging", "Tracing"]));
    let table = [
        ("ask-multi-2.1.325-80x24", both.clone(), press(&[ENTER], Expect::Checked(0, true))),
        ("ask-multi-2.1.325-80x24", check(&["Metrics"]), moves(1, 1)),
        ("ask-multi-toggled-2.1.325-80x24", check(&["Tracing"]), press(&[ENTER], Expect::Checked(0, false))),
        // All is right: down to `Submit`, which no person chooses.
        ("ask-multi-toggled-2.1.325-80x24", both.clone(), moves(1, 1)),
        ("ask-multi-toggled-2.1.325-80x24", with_text.clone(), moves(1, 1)),
        ("ask-multi-texttyped-2.1.50-46x30", with_text.clone(), moves(1, 4)),
        // Typing has checked it; the answer has no text, so it is taken out again.
        ("ask-multi-texttyped-2.1.50-46x30", both.clone(), press(&[ENTER], Expect::Checked(3, false))),
        ("ask-multi-submitrow-2.1.50-46x30", with_text, press(&[ENTER], Expect::Question(1))),
        ("ask-multi-after-tab-2.1.325-80x24", both, submit(&[ENTER])),
        ("ask-multi-after-tab-2.1.325-80x24", choose("Cancel"), moves(1, 1)),
        // The review does not show what was chosen: nobody sends it from afar.
        ("ask-multi-after-tab-2.1.325-80x24", check(&["Metrics"]), Err(Refusal::TerminalOnly)),
        ("ask-multi-2.1.325-80x24", choose("Chat about this"), moves(1, 1)),
    ];
    for (case, response, wanted) in table {
        assert_eq!(next(case, &response), wanted, "{case} {response:?}");
    }
}

#[test]
fn several_questions_are_answered_tab_by_tab() {
    let all = fill_in(&[(&["Go"], None), (&["Cache", "Queue"], None), (&["Bare metal"], None)]);
    let table = [
        ("ask-tabs-q1-2.1.325-46x30", all.clone(), moves(1, 1)),
        ("ask-tabs-q2-2.1.325-80x24", all.clone(), moves(1, 1)),
        ("ask-tabs-q3-2.0.76-46x30", all.clone(), moves(1, 1)),
        (
            "ask-tabs-q1-2.1.325-46x30",
            fill_in(&[(&["Rust (Recommended)"], None), (&["Auth"], None), (&[], Some("k8s"))]),
            press(&[ENTER], Expect::Question(1)),
        ),
        // Only the question in front: its Enter completes the answer.
        ("ask-tabs-q1-2.1.325-46x30", choose("Rust (Recommended)"), submit(&[ENTER])),
        (
            "ask-tabs-q1-2.1.325-46x30",
            fill_in(&[(&["Rust (Recommended)"], None), (&[], None), (&[], None)]),
            submit(&[ENTER]),
        ),
        (
            "ask-tabs-review-2.1.325-80x24",
            fill_in(&[(&["Rust (Recommended)"], None), (&["Cache", "Queue"], None), (&["Bare metal"], None)]),
            submit(&[ENTER]),
        ),
        ("ask-tabs-review-2.1.325-80x24", all, Err(Refusal::TerminalOnly)),
        (
            "ask-tabs-q1-2.1.325-46x30",
            fill_in(&[(&["Go"], None)]),
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
    assert_eq!(next(case, &choose("stay in auto mode")), submit(&[ENTER]));
    let leave = "leave for accept edits mode and stop";
    assert_eq!(next(case, &choose(leave)), submit(&[Keystroke::Named(NamedKey::BackTab)]));
    assert_eq!(next(case, &choose("cancel")), submit(&[Keystroke::ESCAPE]));
    assert_eq!(next("startup-onboarding-2-2.1.325-120x40", &choose("continue")), submit(&[ENTER]));
    assert_eq!(next("perm-automode-unavailable-2.1.325-46x30", &choose("cancel")), Err(Refusal::TerminalOnly));
}

#[test]
fn what_does_not_fit_is_refused() {
    let bash = "perm-bash-2.1.325-46x30";
    let table = [
        (bash, nothing(), Refusal::NothingChosen),
        (bash, choose("Maybe"), Refusal::UnknownOption("Maybe".to_owned())),
        (bash, say("just do it"), Refusal::NothingChosen),
        (bash, check(&["Yes", "No"]), Refusal::UnknownOption("No".to_owned())),
        (bash, both("No", "two\nlines"), Refusal::OneLineOnly),
        (bash, both("No", "\u{1b}[A"), Refusal::ControlCharacters),
        ("perm-webfetch-2.1.325-80x24", both("Yes", "and then?"), Refusal::NoTextTaken),
        ("perm-bash-2.0.76-80x24", choose("Type here to tell Claude what to do differently"), Refusal::TextMissing),
        ("ask-single-2.1.325-80x24", both("SQLite", "fast"), Refusal::NoTextTaken),
        ("ask-multi-2.1.325-80x24", choose("Submit"), Refusal::UnknownOption("Submit".to_owned())),
        ("ask-multi-2.1.325-80x24", check(&[]), Refusal::NothingChosen),
    ];
    for (case, response, wanted) in table {
        assert_eq!(next(case, &response), Err(wanted), "{case} {response:?}");
    }
}
