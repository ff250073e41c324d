//! Tables of (look, time) → action. No runtime, no clock: time is counted from one arbitrary instant.

use std::time::{Duration, Instant};

use shared_types::{PromptKind, PromptSource};

use super::{Action, Delivery, HALF_DRAWN, NotSent, SHOW_LIMIT, SendStyle, TAKE_LIMIT};
use crate::{Composer, Keystroke, Reading, Sighting, StartupDialog, StartupKind, reading::Look};

const GAP: Duration = Duration::from_millis(150);
const COMPOSER: SendStyle = SendStyle::Composer { gap: GAP, typed: Some('!') };

#[expect(clippy::disallowed_methods, reason = "an instant to count from; nothing waits for it")]
fn start() -> Instant {
    Instant::now()
}

fn look(reading: Reading) -> Look {
    Look::of(reading)
}

fn ready(draft: &str) -> Reading {
    Reading::Ready(Composer { draft: draft.to_owned(), ..Composer::default() })
}

fn dialog() -> Reading {
    Reading::Prompt(Sighting::new(PromptKind::Permission, PromptSource::Screen, "test"))
}

fn working(composer: Option<&str>) -> Reading {
    let composer = composer.map(|draft| Composer { draft: draft.to_owned(), ..Composer::default() });
    Reading::Busy { detail: String::new(), composer }
}

fn paste() -> Then {
    Then::Does(Action::Press(vec![Keystroke::Paste("hello".to_owned())]))
}

fn enter() -> Then {
    Then::Does(Action::Press(vec![Keystroke::ENTER]))
}

const fn ms(count: u64) -> Duration {
    Duration::from_millis(count)
}

/// What a look is expected to bring.
enum Then {
    Does(Action),
    /// A wait until so long after the start.
    Waits(Duration),
}

fn wait(until: Duration) -> Then {
    Then::Waits(until)
}

fn taken() -> Then {
    Then::Does(Action::Taken)
}

fn refused(why: NotSent) -> Then {
    Then::Does(Action::Refused(why))
}

/// Sends `hello` and compares the action of each look.
fn walk(style: SendStyle, table: Vec<(Duration, Reading, Then)>) {
    let mut delivery = Delivery::new("hello".to_owned(), style);
    let begun = start();
    for (at, reading, then) in table {
        let wanted = match then {
            Then::Does(action) => action,
            Then::Waits(until) => Action::Wait(begun + until),
        };
        assert_eq!(delivery.on_look(&look(reading.clone()), begun + at), wanted, "at {at:?}, {reading:?}");
    }
}

#[test]
fn a_message_is_pasted_then_entered_then_seen_to_be_taken() {
    walk(
        COMPOSER,
        vec![
            (ms(0), ready(""), paste()),
            (ms(10), ready(""), wait(SHOW_LIMIT)),
            (ms(20), ready("hello"), wait(GAP)),
            (ms(149), ready("hello"), wait(GAP)),
            (ms(150), ready("hello"), enter()),
            (ms(160), ready("hello"), wait(ms(150) + TAKE_LIMIT)),
            (ms(170), ready(""), taken()),
        ],
    );
}

#[test]
fn every_state_that_takes_no_message_refuses_with_its_reason_and_types_nothing() {
    let sighting = Sighting::new(PromptKind::Question, PromptSource::Screen, "test");
    let startup = Reading::Startup(StartupDialog { kind: StartupKind::Notice, pass: None, sighting });
    let table = [
        (dialog(), NotSent::DialogOpen),
        (startup, NotSent::DialogOpen),
        (Reading::Starting { detail: String::new() }, NotSent::Starting),
        (working(None), NotSent::Busy),
        (Reading::Exited, NotSent::Ended),
        (ready("half a word"), NotSent::InUse),
        (working(Some("half a word")), NotSent::InUse),
    ];
    for (reading, why) in table {
        for style in [COMPOSER, SendStyle::Lines] {
            let mut delivery = Delivery::new("hello".to_owned(), style);
            let now = start();
            let mut action = delivery.on_look(&look(reading.clone()), now);
            if matches!(why, NotSent::Starting | NotSent::Busy) {
                // It may be the middle of a frame.
                assert_eq!(action, Action::Wait(now + HALF_DRAWN));
                action = delivery.on_look(&look(reading.clone()), now + HALF_DRAWN);
            }
            assert_eq!(action, Action::Refused(why), "{reading:?} {style:?}");
            assert!(!delivery.has_typed(), "{reading:?} {style:?}");
        }
    }
}

#[test]
fn a_busy_cli_with_a_composer_takes_a_message() {
    walk(
        COMPOSER,
        vec![
            (ms(0), working(Some("")), paste()),
            (ms(150), working(Some("hello")), enter()),
            (ms(160), working(Some("")), taken()),
        ],
    );
}

#[test]
fn a_text_that_never_shows_is_entered_after_its_limit() {
    walk(
        COMPOSER,
        vec![
            (ms(0), ready(""), paste()),
            (SHOW_LIMIT - ms(1), ready(""), wait(SHOW_LIMIT)),
            (SHOW_LIMIT, ready(""), enter()),
            (SHOW_LIMIT + ms(1), working(None), taken()),
        ],
    );
}

#[test]
fn enter_is_repeated_once_and_then_the_text_is_left_standing() {
    let again = GAP + TAKE_LIMIT;
    let last = again + TAKE_LIMIT;
    walk(
        COMPOSER,
        vec![
            (ms(0), ready(""), paste()),
            (GAP, ready("hello"), enter()),
            (again - ms(1), ready("hello"), wait(again)),
            (again, ready("hello"), enter()),
            (last - ms(1), ready("hello"), wait(last)),
            (last, ready("hello"), refused(NotSent::NotTaken)),
        ],
    );
}

#[test]
fn whatever_opens_between_paste_and_enter_is_not_answered_by_the_enter() {
    for (reading, why) in [(dialog(), NotSent::DialogOpen), (Reading::Exited, NotSent::Ended)] {
        walk(COMPOSER, vec![(ms(0), ready(""), paste()), (GAP, reading, refused(why))]);
    }
}

#[test]
fn the_dialog_a_message_leads_to_shows_that_it_was_taken() {
    for reading in [dialog(), working(None), Reading::Exited] {
        walk(COMPOSER, vec![(ms(0), ready(""), paste()), (GAP, ready("hello"), enter()), (ms(160), reading, taken())]);
    }
}

#[test]
fn lines_are_typed_each_with_its_enter() {
    let mut delivery = Delivery::new("one\ntwo".to_owned(), SendStyle::Lines);
    let now = start();
    let text = |text: &str| Keystroke::Text(text.to_owned());
    let wanted = vec![text("one"), Keystroke::ENTER, text("two"), Keystroke::ENTER];
    assert_eq!(delivery.on_look(&look(ready("")), now), Action::Press(wanted));
    assert!(delivery.has_typed());
    assert_eq!(delivery.on_look(&look(dialog()), now), Action::Taken);
}

#[test]
fn nothing_counts_as_typed_before_the_first_look() {
    assert!(!Delivery::new("hello".to_owned(), COMPOSER).has_typed());
}

#[test]
fn a_message_that_was_put_back_makes_room() {
    let start = start();
    let mut delivery = Delivery::new("next".to_owned(), COMPOSER).after(Some("one\ntwo".to_owned()));
    let clear = Action::Press(vec![Keystroke::Ctrl('u')]);
    for (draft, wanted) in [
        ("one\ntwo", clear.clone()),
        ("one\ntwo", Action::Wait(start + super::CLEAR_LIMIT)),
        ("one\n", clear.clone()),
        ("one", clear),
        ("", Action::Press(vec![Keystroke::Paste("next".to_owned())])),
    ] {
        assert_eq!(delivery.on_look(&look(ready(draft)), start), wanted, "{draft:?}");
    }
}

#[test]
fn what_somebody_else_typed_is_left_alone() {
    let mut delivery = Delivery::new("next".to_owned(), COMPOSER).after(Some("one".to_owned()));
    assert_eq!(delivery.on_look(&look(ready("one more")), start()), Action::Refused(NotSent::InUse));
    let mut delivery = Delivery::new("next".to_owned(), COMPOSER).after(Some("one".to_owned()));
    delivery.on_look(&look(ready("one")), start());
    let typed = delivery.on_look(&look(ready("one two")), start());
    assert_eq!(typed, Action::Refused(NotSent::InUse), "somebody types while it is cleared");
}

#[test]
fn what_would_be_completed_or_taken_for_an_answer_is_closed_with_a_blank() {
    let pasted = |text: &str| match Delivery::new(text.to_owned(), COMPOSER).on_look(&look(ready("")), start()) {
        Action::Press(keys) => keys,
        other => panic!("{other:?}"),
    };
    for (text, typed) in [
        ("see @a", "see @a "),
        ("me@example.com", "me@example.com "),
        ("@a first", "@a first"),
        ("see @a ", "see @a "),
        ("2", "2 "),
        ("y", "y "),
        ("?", "?"),
        ("12", "12"),
    ] {
        assert_eq!(pasted(text), [Keystroke::Paste(typed.to_owned())], "{text:?}");
    }
}

#[test]
fn a_screen_that_is_drawn_in_two_parts_is_waited_out_and_one_that_stays_unclear_refuses() {
    let unclear = || Reading::Unrecognized;
    walk(
        COMPOSER,
        vec![
            (ms(0), unclear(), wait(HALF_DRAWN)),
            (ms(20), ready(""), paste()),
            (ms(30), unclear(), wait(ms(30) + HALF_DRAWN)),
            (ms(200), ready("hello"), enter()),
            (ms(210), ready(""), taken()),
        ],
    );
    walk(COMPOSER, vec![(ms(0), unclear(), wait(HALF_DRAWN)), (HALF_DRAWN, unclear(), refused(NotSent::Unrecognized))]);
    // What opens in the meantime is not answered by the Enter.
    let pasted = |then: Reading, why: NotSent| {
        vec![
            (ms(0), ready(""), paste()),
            (ms(10), unclear(), wait(ms(10) + HALF_DRAWN)),
            (ms(10) + HALF_DRAWN, then, refused(why)),
        ]
    };
    walk(COMPOSER, pasted(dialog(), NotSent::DialogOpen));
    walk(COMPOSER, pasted(unclear(), NotSent::Unrecognized));
}

#[test]
fn a_sign_that_must_be_typed_comes_first_and_alone() {
    let begun = start();
    let mut delivery = Delivery::new("!ls -l".to_owned(), COMPOSER);
    let press = |key: Keystroke| Action::Press(vec![key]);
    assert_eq!(delivery.on_look(&look(ready("")), begun), press(Keystroke::Text("!".to_owned())));
    assert_eq!(delivery.on_look(&look(ready("")), begun + ms(20)), Action::Wait(begun + GAP));
    assert_eq!(delivery.on_look(&look(ready("")), begun + GAP), press(Keystroke::Paste("ls -l".to_owned())));
    assert_eq!(delivery.on_look(&look(ready("ls -l")), begun + GAP * 2), press(Keystroke::ENTER));
    assert_eq!(delivery.on_look(&look(ready("")), begun + GAP * 3), Action::Taken);
    // A dialog that opens meanwhile gets nothing of it, and a sign alone is a message like any other.
    let mut delivery = Delivery::new("!ls".to_owned(), COMPOSER);
    delivery.on_look(&look(ready("")), begun);
    assert_eq!(delivery.on_look(&look(dialog()), begun + GAP), Action::Refused(NotSent::DialogOpen));
    let mut alone = Delivery::new("!".to_owned(), COMPOSER);
    assert_eq!(alone.on_look(&look(ready("")), begun), press(Keystroke::Paste("!".to_owned())));
}
