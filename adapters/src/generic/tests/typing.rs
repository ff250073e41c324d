//! Answers on their way: what is typed is found again behind its question, and its fate is told as far as it was seen.

use std::time::{Duration, Instant};

use shared_types::PromptResponse;

use super::{COOKED, RAW, screen};
use crate::{
    Keystroke,
    answer::{
        Action, Attempt, Failure, LEAVE_LIMIT, LETTER_SETTLE, STEP_LIMIT,
        responses::{choose, say},
    },
    generic::Generic,
    reading::Look,
    screen::TtyMode,
};

/// What a look is expected to bring.
#[derive(Debug, Clone)]
enum Then {
    Types(&'static str),
    Enters,
    Waits,
    Verified,
    Fails(Failure),
}

/// Plays an answer to the first screen: each screen with the time after the start, and what must follow.
fn play(response: PromptResponse, tty: TtyMode, looks: &[(&str, Duration, Then)]) {
    #[expect(clippy::disallowed_methods, reason = "an instant to count from; nothing waits for it")]
    let begun = Instant::now();
    let seen = Look::at(&screen(looks[0].0, tty), &Generic);
    let prompt = seen.reading.sighting().unwrap_or_else(|| panic!("{:?} is no prompt", looks[0].0)).fingerprint();
    let mut attempt = Attempt::new(response, prompt);
    for (shown, after, then) in looks {
        let screen = screen(shown, tty);
        let look = Look::at(&screen, &Generic).answering(attempt.known(), &screen, &Generic);
        let action = attempt.on_look(&look, &Generic, begun + *after);
        match then {
            Then::Types(text) => {
                let keys = vec![Keystroke::Text((*text).to_owned())];
                assert_eq!(action, Action::Press { keys, last: false }, "{shown:?}");
            }
            Then::Enters => {
                assert_eq!(action, Action::Press { keys: vec![Keystroke::ENTER], last: true }, "{shown:?}");
            }
            Then::Waits => assert!(matches!(action, Action::Wait(_)), "{shown:?}: {action:?}"),
            Then::Verified => assert_eq!(action, Action::Verified, "{shown:?}"),
            Then::Fails(failure) => assert_eq!(action, Action::Failed(failure.clone()), "{shown:?}"),
        }
    }
}

const fn ms(count: u64) -> Duration {
    Duration::from_millis(count)
}

#[test]
fn a_typed_line_is_found_again_whatever_stands_before_it() {
    let table = [
        ("Region [eu-1]: ", "us-2", COOKED),
        ("Command (m for help): ", "n", COOKED),
        ("author: ", "Ada", RAW),
        ("How many rockets?: ", "many", COOKED),
        ("Country Name (2 letter code) [AU]:", "DE", COOKED),
        ("Author [None, n to skip]: ", "n", RAW),
        ("Branch: ", "a: b?", COOKED),
        ("Say it: ", "Really? [y/N]", RAW),
        ("File (x): ", "a (b)", COOKED),
    ];
    for (head, text, tty) in table {
        let typed = format!("{head}{text}");
        let next = format!("{typed}\nNext: ");
        play(
            say(text),
            tty,
            &[
                (head, ms(0), Then::Types(text)),
                (&typed, ms(20), Then::Enters),
                (&next, ms(40), Then::Waits),
                (&next, ms(90), Then::Verified),
            ],
        );
    }
}

#[test]
fn a_default_that_goes_with_the_first_letter_is_no_matter() {
    play(
        say("pnpm"),
        RAW,
        &[
            ("? \u{1b}[1mPackage manager\u{1b}[0m \u{1b}[2m(npm)\u{1b}[0m ", ms(0), Then::Types("pnpm")),
            ("? \u{1b}[1mPackage manager\u{1b}[0m pnpm", ms(20), Then::Enters),
            ("✔ Package manager pnpm\n", ms(40), Then::Waits),
            ("✔ Package manager pnpm\n", ms(90), Then::Verified),
        ],
    );
}

#[test]
fn a_key_that_is_taken_at_once_is_the_answer_and_gets_no_enter() {
    play(
        choose("Yes"),
        RAW,
        &[
            ("zsh: sure you want to delete all 2 files? [yn] ", ms(0), Then::Types("y")),
            ("zsh: sure you want to delete all 2 files? [yn] y\n$ ", ms(20), Then::Waits),
            ("zsh: sure you want to delete all 2 files? [yn] y\n$ ", ms(20) + LETTER_SETTLE, Then::Verified),
        ],
    );
}

#[test]
fn a_letter_that_stands_behind_its_question_is_entered() {
    let asked = "rm -rf build\nRun shell command? (Y)es/(N)o/(D)on't ask again [Yes]: ";
    let typed = format!("{asked}N");
    play(
        choose("No"),
        RAW,
        &[
            (asked, ms(0), Then::Types("N")),
            (&typed, ms(20), Then::Waits),
            (&typed, ms(20) + LETTER_SETTLE, Then::Enters),
        ],
    );
}

#[test]
fn the_same_question_asked_again_is_another_one() {
    // At the top of the screen, below the first, and in its place.
    for again in ["Delete it? [y/N] y\n  took y\nDelete it? [y/N] ", "Delete it? [y/N] "] {
        play(
            choose("Yes"),
            COOKED,
            &[
                ("Delete it? [y/N] ", ms(0), Then::Types("y")),
                ("Delete it? [y/N] y", ms(20), Then::Enters),
                (again, ms(40), Then::Waits),
                (again, ms(90), Then::Verified),
            ],
        );
    }
}

#[test]
fn what_is_masked_or_not_shown_at_all_is_entered() {
    let masked = "? \u{1b}[1mSay the magic word\u{1b}[0m *******";
    play(
        say("hunter2"),
        RAW,
        &[("? \u{1b}[1mSay the magic word\u{1b}[0m ", ms(0), Then::Types("hunter2")), (masked, ms(20), Then::Enters)],
    );
    play(
        say("hunter2"),
        RAW,
        &[
            ("? \u{1b}[1mSay the magic word\u{1b}[0m ", ms(0), Then::Types("hunter2")),
            ("? \u{1b}[1mSay the magic word\u{1b}[0m ", ms(20), Then::Waits),
            ("? \u{1b}[1mSay the magic word\u{1b}[0m ", STEP_LIMIT, Then::Enters),
        ],
    );
}

#[test]
fn fates_that_were_not_seen_are_told_as_they_are() {
    // Something else stands there: not entered.
    play(
        say("main"),
        COOKED,
        &[("Branch: ", ms(0), Then::Types("main")), ("Branch: ma^L", STEP_LIMIT, Then::Fails(Failure::NotFollowed))],
    );
    // The program went on by itself: nobody knows what it has read.
    play(
        say("main"),
        COOKED,
        &[
            ("Branch: ", ms(0), Then::Types("main")),
            ("Branch: \ntimed out\n$ ", ms(20), Then::Waits),
            ("Branch: \ntimed out\n$ ", STEP_LIMIT, Then::Fails(Failure::WentOn)),
        ],
    );
    // Entered, and surely not taken: it still stands there.
    play(
        say("main"),
        RAW,
        &[
            ("Branch: ", ms(0), Then::Types("main")),
            ("Branch: main", ms(20), Then::Enters),
            ("Branch: main", ms(20) + LEAVE_LIMIT, Then::Fails(Failure::StillThere)),
        ],
    );
    assert!(Failure::WentOn.is_unknown() && !Failure::StillThere.is_unknown());
}
