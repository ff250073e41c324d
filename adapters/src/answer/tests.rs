//! Tables of (look, time) → action. No runtime, no clock: time is counted from one arbitrary instant.

mod steps;

use std::time::{Duration, Instant};

use shared_types::{AdapterKind, PromptKind, PromptResponse, PromptSource};

use super::{
    Action, Attempt, Deaf, Expect, Failure, HALF_DRAWN, LEAVE_LIMIT, LEAVE_SETTLE, Refusal, STEP_LIMIT, Step, move_to,
    responses::{choose, nothing, say},
};
use crate::{
    Adapter, Composer, Keystroke, LaunchPlan, LaunchRefusal, LaunchRequest, Profile, Reading, Screen, SightedOption,
    SightedText, Sighting,
    reading::{Context, Look},
    send::SendStyle,
};

/// Moves to the chosen row and presses Enter; a text is typed, seen, then entered.
struct Fake;

static PROFILE: Profile = Profile {
    kind: AdapterKind::new("generic"),
    short_name: "Test",
    is_agent: false,
    mark: crate::Mark { icon: "", light: "", dark: "" },
    name: "Fake",
    program: "",
    tested_versions: &[],
    modes: &[],
    models: None,
    takes_command: true,
    has_messages: false,
    interrupt: &[],
    next_mode: &[],
    send: SendStyle::Lines,
    first_ready: Duration::ZERO,
    deaf: Deaf::NEVER,
    redraws_above: false,
    redraws_diff: false,
    tells_start: false,
};

impl Adapter for Fake {
    fn profile(&self) -> &'static Profile {
        &PROFILE
    }

    fn launch(&self, _request: &LaunchRequest) -> Result<LaunchPlan, LaunchRefusal> {
        Err(LaunchRefusal::NoCommand)
    }

    fn read_screen(&self, _screen: &Screen) -> Reading {
        Reading::Unrecognized
    }

    fn answer(&self, sighting: &Sighting, response: &PromptResponse) -> Result<Step, Refusal> {
        let submit = Step::Submit { keys: vec![Keystroke::ENTER] };
        if let Some(text) = &response.text_value {
            let field = sighting.text.as_ref().ok_or(Refusal::NoTextTaken)?;
            let press = Step::Press { keys: vec![Keystroke::Text(text.clone())], expect: Expect::Text(text.clone()) };
            return Ok(if field.value == *text { submit } else { press });
        }
        let value = response.selected_option.as_ref().ok_or(Refusal::NothingChosen)?;
        let row = sighting.find_option(value).ok_or_else(|| Refusal::UnknownOption(value.clone()))?;
        Ok(move_to(sighting, row)?.unwrap_or(submit))
    }
}

#[expect(clippy::disallowed_methods, reason = "an instant to count from; nothing waits for it")]
fn start() -> Instant {
    Instant::now()
}

const fn ms(count: u64) -> Duration {
    Duration::from_millis(count)
}

fn sighting(title: &str, selected: usize) -> Sighting {
    let mut sighting = Sighting::new(PromptKind::Permission, PromptSource::Screen, "test");
    sighting.title = title.to_owned();
    sighting.options = ["Yes", "Always", "No"].map(SightedOption::new).into();
    sighting.selected = Some(selected);
    sighting
}

fn field(value: &str) -> Sighting {
    let mut sighting = sighting("Name?", 0);
    sighting.text = Some(SightedText { value: value.to_owned(), ..SightedText::default() });
    sighting
}

fn look(reading: Reading, context: u64) -> Look {
    Look { context: Context(vec![context]), ..Look::of(reading) }
}

/// The prompt with the cursor on a row.
fn on(row: usize) -> Look {
    look(Reading::Prompt(sighting("Run it?", row)), 1)
}

/// The same prompt below other rows: it was asked again.
fn asked_again() -> Look {
    look(Reading::Prompt(sighting("Run it?", 0)), 2)
}

fn other() -> Look {
    look(Reading::Prompt(sighting("Delete it?", 0)), 1)
}

fn gone() -> Look {
    look(Reading::Ready(Composer::default()), 0)
}

/// What a look is expected to bring.
#[derive(Clone)]
enum Then {
    Presses(Vec<Keystroke>),
    /// The last keys.
    Submits,
    /// A wait until so long after the start.
    Waits(Duration),
    Verified,
    Fails(Failure),
}

fn down(count: isize) -> Then {
    Then::Presses(Keystroke::vertical(count))
}

/// Answers the prompt of [`on`], look by look, each at its time after the start.
fn walk(response: PromptResponse, table: &[(Duration, Look, Then)]) -> Attempt {
    walk_from(&sighting("Run it?", 0), response, table)
}

fn walk_from(seen: &Sighting, response: PromptResponse, table: &[(Duration, Look, Then)]) -> Attempt {
    let begun = start();
    let mut attempt = Attempt::new(response, seen.fingerprint());
    assert!(!attempt.has_typed());
    for (at, look, then) in table {
        let wanted = match then.clone() {
            Then::Presses(keys) => Action::Press { keys, last: false },
            Then::Submits => Action::Press { keys: vec![Keystroke::ENTER], last: true },
            Then::Waits(until) => Action::Wait(begun + until),
            Then::Verified => Action::Verified,
            Then::Fails(failure) => Action::Failed(failure),
        };
        assert_eq!(attempt.on_look(look, &Fake, begun + *at), wanted, "at {at:?}");
    }
    attempt
}

#[test]
fn a_prompt_that_is_gone_or_another_is_never_typed_into() {
    for (look, failure) in [(gone(), Failure::Gone), (other(), Failure::Changed)] {
        let attempt = walk(choose("Yes"), &[(ms(0), look, Then::Fails(failure))]);
        assert!(!attempt.has_typed());
    }
}

#[test]
fn a_response_that_does_not_fit_is_refused_with_nothing_typed() {
    let refusals = [
        (choose("Maybe"), Refusal::UnknownOption("Maybe".to_owned())),
        (nothing(), Refusal::NothingChosen),
        (say("hello"), Refusal::NoTextTaken),
    ];
    for (response, refusal) in refusals {
        let attempt = walk(response, &[(ms(0), on(0), Then::Fails(Failure::Refused(refusal)))]);
        assert!(!attempt.has_typed(), "a refusal is not typing");
    }
}

#[test]
fn each_step_waits_to_be_seen_before_the_next() {
    let attempt = walk(
        choose("No"),
        &[
            (ms(0), on(0), down(2)),
            (ms(5), on(0), Then::Waits(STEP_LIMIT)),
            (ms(10), on(1), Then::Waits(STEP_LIMIT)),
            (ms(15), on(2), Then::Submits),
            (ms(20), on(2), Then::Waits(ms(15) + LEAVE_LIMIT)),
            (ms(30), gone(), Then::Waits(ms(30) + LEAVE_SETTLE)),
            (ms(69), gone(), Then::Waits(ms(30) + LEAVE_SETTLE)),
            (ms(70), gone(), Then::Verified),
        ],
    );
    assert!(attempt.has_typed());
}

#[test]
fn a_step_that_is_not_followed_is_planned_anew_from_where_the_cursor_is() {
    let second = STEP_LIMIT;
    let third = STEP_LIMIT * 2;
    walk(
        choose("No"),
        &[
            (ms(0), on(0), down(2)),
            (second - ms(1), on(1), Then::Waits(second)),
            // One of two arrows was lost, and somebody at the desk goes up again.
            (second, on(1), down(1)),
            (third, on(0), down(2)),
            (third + ms(1), on(2), Then::Submits),
        ],
    );
}

#[test]
fn a_terminal_that_never_follows_is_given_up_without_the_last_keys() {
    walk(
        choose("No"),
        &[
            (ms(0), on(0), down(2)),
            (STEP_LIMIT, on(0), down(2)),
            (STEP_LIMIT * 2, on(0), down(2)),
            (STEP_LIMIT * 3 - ms(1), on(0), Then::Waits(STEP_LIMIT * 3)),
            (STEP_LIMIT * 3, on(0), Then::Fails(Failure::NotFollowed)),
        ],
    );
}

#[test]
fn a_prompt_that_flickers_between_steps_is_waited_for_and_one_that_leaves_is_not() {
    walk(
        choose("No"),
        &[(ms(0), on(0), down(2)), (ms(5), gone(), Then::Waits(STEP_LIMIT)), (ms(10), on(2), Then::Submits)],
    );
    for leaves in [gone(), other()] {
        walk(
            choose("No"),
            &[
                (ms(0), on(0), down(2)),
                (STEP_LIMIT - ms(1), leaves.clone(), Then::Waits(STEP_LIMIT)),
                (STEP_LIMIT, leaves, Then::Fails(Failure::WentAway)),
            ],
        );
    }
}

#[test]
fn a_redraw_in_two_parts_is_not_the_end_of_the_prompt() {
    walk(
        choose("Yes"),
        &[
            (ms(0), on(0), Then::Submits),
            (ms(10), gone(), Then::Waits(ms(10) + LEAVE_SETTLE)),
            (ms(30), on(0), Then::Waits(LEAVE_LIMIT)),
            (ms(60), gone(), Then::Waits(ms(60) + LEAVE_SETTLE)),
            (ms(100), gone(), Then::Verified),
        ],
    );
}

#[test]
fn another_prompt_or_the_same_one_asked_again_shows_that_the_answer_was_taken() {
    for next in [other(), asked_again(), look(Reading::Exited, 0)] {
        walk(
            choose("Yes"),
            &[
                (ms(0), on(0), Then::Submits),
                (ms(10), next.clone(), Then::Waits(ms(10) + LEAVE_SETTLE)),
                (ms(50), next, Then::Verified),
            ],
        );
    }
}

#[test]
fn a_prompt_that_stays_fails_at_exactly_its_limit_and_nothing_is_pressed_again() {
    walk(
        choose("Yes"),
        &[
            (ms(0), on(0), Then::Submits),
            (ms(1), on(0), Then::Waits(LEAVE_LIMIT)),
            (LEAVE_LIMIT - ms(1), on(1), Then::Waits(LEAVE_LIMIT)),
            (LEAVE_LIMIT, on(0), Then::Fails(Failure::StillThere)),
        ],
    );
}

#[test]
fn a_text_is_entered_only_when_it_stands_in_the_field() {
    let with = |value: &str| look(Reading::Prompt(field(value)), 1);
    walk_from(
        &field(""),
        say("two words"),
        &[
            (ms(0), with(""), Then::Presses(vec![Keystroke::Text("two words".to_owned())])),
            (ms(5), with("two"), Then::Waits(STEP_LIMIT)),
            (ms(10), with("two words"), Then::Submits),
            (ms(20), gone(), Then::Waits(ms(20) + LEAVE_SETTLE)),
            (ms(60), gone(), Then::Verified),
        ],
    );
}

#[test]
fn nothing_is_typed_while_the_dialog_may_ignore_keys() {
    let begun = start();
    let mut attempt = Attempt::new(choose("No"), sighting("Run it?", 0).fingerprint()).not_before(begun + ms(1000));
    assert_eq!(attempt.on_look(&on(0), &Fake, begun), Action::Wait(begun + ms(1000)));
    assert_eq!(attempt.on_look(&on(0), &Fake, begun + ms(999)), Action::Wait(begun + ms(1000)));
    assert!(!attempt.has_typed());
    let pressed = Action::Press { keys: Keystroke::vertical(2), last: false };
    assert_eq!(attempt.on_look(&on(0), &Fake, begun + ms(1000)), pressed);
    // One that goes meanwhile is gone.
    let mut late = Attempt::new(choose("No"), sighting("Run it?", 0).fingerprint()).not_before(begun + ms(1000));
    assert_eq!(late.on_look(&gone(), &Fake, begun), Action::Failed(Failure::Gone));
}

#[test]
fn a_plan_that_goes_round_in_circles_ends() {
    let mut attempt = Attempt::new(choose("No"), sighting("Run it?", 0).fingerprint());
    let now = start();
    let mut row = 0;
    for _ in 0..1000 {
        match attempt.on_look(&on(row), &Circling, now) {
            Action::Press { last: false, .. } => row = 1 - row,
            Action::Failed(Failure::NotFollowed) => return,
            action => panic!("{action:?}"),
        }
    }
    panic!("still going");
}

/// Always wants the other row.
struct Circling;

impl Adapter for Circling {
    fn profile(&self) -> &'static Profile {
        &PROFILE
    }

    fn launch(&self, request: &LaunchRequest) -> Result<LaunchPlan, LaunchRefusal> {
        Fake.launch(request)
    }

    fn read_screen(&self, screen: &Screen) -> Reading {
        Fake.read_screen(screen)
    }

    fn answer(&self, sighting: &Sighting, _response: &PromptResponse) -> Result<Step, Refusal> {
        let row = 1 - sighting.selected.unwrap_or(0);
        Ok(move_to(sighting, row)?.unwrap_or(Step::Submit { keys: Vec::new() }))
    }
}

#[test]
fn a_screen_that_is_drawn_in_two_parts_is_waited_out_before_anything_is_typed() {
    let unclear = look(Reading::Unrecognized, 0);
    let begun = start();
    let mut attempt = Attempt::new(choose("Yes"), sighting("Run it?", 0).fingerprint());
    assert!(matches!(attempt.on_look(&unclear, &Fake, begun), Action::Wait(_)));
    let enter = Action::Press { keys: vec![Keystroke::ENTER], last: true };
    assert_eq!(attempt.on_look(&on(0), &Fake, begun + ms(20)), enter);
    let mut attempt = Attempt::new(choose("Yes"), sighting("Run it?", 0).fingerprint());
    assert!(matches!(attempt.on_look(&unclear, &Fake, begun), Action::Wait(_)));
    assert_eq!(attempt.on_look(&unclear, &Fake, begun + HALF_DRAWN), Action::Failed(Failure::Gone));
}

#[test]
fn a_dialog_is_deaf_for_longer_only_when_something_was_typed() {
    let (appeared, ms) = (start(), Duration::from_millis);
    let deaf = Deaf { at_first: ms(150), after_keys: ms(700) };
    assert_eq!(deaf.hears_at(appeared, None), appeared + ms(150));
    assert_eq!(deaf.hears_at(appeared + ms(2000), Some(appeared)), appeared + ms(2150));
    assert_eq!(deaf.hears_at(appeared + ms(100), Some(appeared)), appeared + ms(700));
    // Keys that were meant for it, and lost, count as well.
    assert_eq!(deaf.hears_at(appeared, Some(appeared + ms(400))), appeared + ms(1100));
    assert_eq!(Deaf::NEVER.hears_at(appeared, Some(appeared)), appeared);
}
