//! Tables of (look, time) → verdict. No runtime, no clock: time is counted from one arbitrary instant.

mod dialogs;

use std::time::{Duration, Instant};

use shared_types::{PromptKind, PromptSource};

use super::{AGAIN_SETTLE, NEXT_SETTLE, PATTERN_SETTLE, SETTLE, STALL, STARTUP_SETTLE, Tracker, Verdict};
use crate::{
    Composer, Reading, SightedOption, Sighting, StartupDialog, StartupKind,
    reading::{Context, Look},
};

#[expect(clippy::disallowed_methods, reason = "an instant to count from; nothing waits for it")]
fn start() -> Instant {
    Instant::now()
}

fn prompt(title: &str) -> Reading {
    sourced(title, PromptSource::Screen)
}

fn guess(title: &str) -> Reading {
    sourced(title, PromptSource::Pattern)
}

fn sourced(title: &str, source: PromptSource) -> Reading {
    let mut sighting = Sighting::new(PromptKind::Permission, source, "test");
    sighting.title = title.to_owned();
    sighting.options = vec![SightedOption::new("Yes"), SightedOption::new("No")];
    sighting.selected = Some(0);
    Reading::Prompt(sighting)
}

fn on_row(reading: Reading, row: usize) -> Reading {
    let Reading::Prompt(mut sighting) = reading else { return reading };
    sighting.selected = Some(row);
    Reading::Prompt(sighting)
}

fn aside(title: &str) -> Reading {
    let Reading::Prompt(mut sighting) = prompt(title) else { unreachable!("a prompt") };
    sighting.optional = true;
    Reading::Aside { composer: Composer::default(), sighting }
}

fn busy(detail: &str) -> Reading {
    Reading::Busy { detail: detail.to_owned(), composer: None }
}

fn ready() -> Reading {
    Reading::Ready(Composer::default())
}

fn look(reading: Reading, content: u64) -> Look {
    Look { content, ..Look::of(reading) }
}

/// What a look is expected to bring, in the words of the tables below.
enum Then {
    /// Nothing counts yet; look again so long after the start.
    AgainAt(Duration),
    /// Nothing changed.
    Nothing,
    /// This counts now.
    Settled(Reading),
    /// The prompt that was there has gone, and this counts now.
    GoneFor(Reading),
}

/// Feeds a tracker one look after the other, each at its time after the start.
fn walk(tracker: &mut Tracker, start: Instant, table: Vec<(Duration, Look, Then)>) {
    for (at, look, then) in table {
        let wanted = match then {
            Then::AgainAt(when) => Verdict { look_again: Some(start + when), ..Verdict::default() },
            Then::Nothing => Verdict::default(),
            Then::Settled(reading) => Verdict { settled: Some(reading), ..Verdict::default() },
            Then::GoneFor(reading) => Verdict { prompt_gone: true, settled: Some(reading), look_again: None },
        };
        assert_eq!(tracker.on_look(look, start + at), wanted, "at {at:?}");
    }
}

const fn ms(count: u64) -> Duration {
    Duration::from_millis(count)
}

#[test]
fn a_prompt_is_told_at_exactly_its_settling_time() {
    let mut tracker = Tracker::default();
    walk(
        &mut tracker,
        start(),
        vec![
            (ms(0), look(prompt("Run it?"), 1), Then::AgainAt(SETTLE)),
            (SETTLE - ms(1), look(prompt("Run it?"), 1), Then::AgainAt(SETTLE)),
            (SETTLE, look(prompt("Run it?"), 1), Then::Settled(prompt("Run it?"))),
            (SETTLE + ms(1), look(prompt("Run it?"), 1), Then::Nothing),
        ],
    );
    assert_eq!(tracker.settled(), Some(&prompt("Run it?")));
}

#[test]
fn a_composer_that_is_drawn_too_early_is_believed_later_and_only_at_the_start() {
    let Reading::Prompt(sighting) = prompt("Trust this folder?") else { unreachable!() };
    let dialog = Reading::Startup(StartupDialog { kind: StartupKind::FolderTrust, pass: Some(0), sighting });
    walk(
        &mut Tracker::new(ms(2000)),
        start(),
        vec![
            (ms(0), look(ready(), 1), Then::AgainAt(ms(2000))),
            (ms(700), look(dialog.clone(), 2), Then::AgainAt(ms(1700))),
            (ms(1700), look(dialog.clone(), 2), Then::Settled(dialog)),
            (ms(3000), look(ready(), 3), Then::AgainAt(ms(5000))),
            (ms(5000), look(ready(), 3), Then::GoneFor(ready())),
            (ms(6000), look(prompt("Run it?"), 4), Then::AgainAt(ms(6000) + SETTLE)),
            (ms(6020), look(prompt("Run it?"), 4), Then::Settled(prompt("Run it?"))),
            (ms(7000), look(ready(), 5), Then::AgainAt(ms(7000) + SETTLE)),
            (ms(7020), look(ready(), 5), Then::GoneFor(ready())),
        ],
    );
}

#[test]
fn half_drawn_frames_never_become_a_prompt() {
    let mut tracker = Tracker::default();
    walk(
        &mut tracker,
        start(),
        vec![
            (ms(0), look(prompt("Run"), 1), Then::AgainAt(SETTLE)),
            (ms(15), look(prompt("Run this"), 2), Then::AgainAt(ms(15) + SETTLE)),
            (ms(30), look(Reading::Unrecognized, 3), Then::AgainAt(ms(30) + STALL)),
            (ms(45), look(prompt("Run this command?"), 4), Then::AgainAt(ms(45) + SETTLE)),
            (ms(60), look(busy("thinking"), 5), Then::AgainAt(ms(60) + SETTLE)),
            (ms(80), look(busy("thinking"), 5), Then::Settled(busy("thinking"))),
        ],
    );
}

#[test]
fn a_known_build_settles_while_a_spinner_turns_beside_it() {
    walk(
        &mut Tracker::default(),
        start(),
        vec![
            (ms(0), look(prompt("Run it?"), 1), Then::AgainAt(SETTLE)),
            (ms(2), look(on_row(prompt("Run it?"), 1), 2), Then::AgainAt(SETTLE)),
            (SETTLE, look(on_row(prompt("Run it?"), 1), 3), Then::Settled(on_row(prompt("Run it?"), 1))),
        ],
    );
}

#[test]
fn a_guess_must_stand_still_for_all_of_its_time() {
    let still = ms(399) + PATTERN_SETTLE;
    walk(
        &mut Tracker::default(),
        start(),
        vec![
            (ms(0), look(guess("Go on?"), 1), Then::AgainAt(PATTERN_SETTLE)),
            (ms(399), look(guess("Go on?"), 2), Then::AgainAt(still)),
            (PATTERN_SETTLE, look(guess("Go on?"), 2), Then::AgainAt(still)),
            (still - ms(1), look(guess("Go on?"), 2), Then::AgainAt(still)),
            (still, look(guess("Go on?"), 2), Then::Settled(guess("Go on?"))),
            // Once it counts it may be redrawn.
            (still + ms(5), look(guess("Go on?"), 3), Then::Nothing),
        ],
    );
}

#[test]
fn a_guess_that_passes_by_in_output_is_never_told() {
    let table = (0..20u64).map(|line| {
        let at = ms(line * 100);
        let reading = if line % 2 == 0 { guess("Go on?") } else { guess("Overwrite?") };
        (at, look(reading, line), Then::AgainAt(at + PATTERN_SETTLE))
    });
    walk(&mut Tracker::default(), start(), table.collect());
}

#[test]
fn silence_that_is_not_understood_is_told_after_the_stall() {
    let begun = ms(2900);
    walk(
        &mut Tracker::default(),
        start(),
        vec![
            (ms(0), look(Reading::Unrecognized, 1), Then::AgainAt(STALL)),
            (begun, look(Reading::Unrecognized, 2), Then::AgainAt(begun + STALL)),
            (STALL, look(Reading::Unrecognized, 2), Then::AgainAt(begun + STALL)),
            (begun + STALL, look(Reading::Unrecognized, 2), Then::Settled(Reading::Unrecognized)),
            (begun + STALL + ms(1), look(Reading::Unrecognized, 3), Then::Nothing),
            (begun + STALL + ms(2), look(busy(""), 4), Then::AgainAt(begun + STALL + ms(2) + SETTLE)),
            (begun + STALL + ms(22), look(busy(""), 4), Then::GoneFor(busy(""))),
        ],
    );
}

#[test]
fn a_prompt_goes_only_when_another_reading_has_settled_in_its_place() {
    walk(
        &mut Tracker::default(),
        start(),
        vec![
            (ms(0), look(prompt("First?"), 1), Then::AgainAt(SETTLE)),
            (ms(20), look(prompt("First?"), 1), Then::Settled(prompt("First?"))),
            // A flicker tells nothing.
            (ms(30), look(busy(""), 2), Then::AgainAt(ms(30) + SETTLE)),
            (ms(40), look(prompt("First?"), 1), Then::Nothing),
            (ms(45), look(busy(""), 2), Then::AgainAt(ms(45) + SETTLE)),
            (ms(50), look(prompt("Second?"), 3), Then::AgainAt(ms(50) + SETTLE)),
            (ms(70), look(prompt("Second?"), 3), Then::GoneFor(prompt("Second?"))),
            (ms(80), look(ready(), 4), Then::AgainAt(ms(80) + SETTLE)),
            (ms(100), look(ready(), 4), Then::GoneFor(ready())),
            (ms(110), look(busy(""), 5), Then::AgainAt(ms(110) + SETTLE)),
            (ms(130), look(busy(""), 5), Then::Settled(busy(""))),
        ],
    );
}

#[test]
fn the_same_prompt_redrawn_otherwise_only_changes() {
    walk(
        &mut Tracker::default(),
        start(),
        vec![
            (ms(0), look(prompt("Run it?"), 1), Then::AgainAt(SETTLE)),
            (ms(20), look(prompt("Run it?"), 1), Then::Settled(prompt("Run it?"))),
            (ms(21), look(on_row(prompt("Run it?"), 1), 2), Then::Settled(on_row(prompt("Run it?"), 1))),
            (ms(22), look(on_row(prompt("Run it?"), 1), 3), Then::Nothing),
        ],
    );
}

#[test]
fn an_equal_prompt_after_an_answer_is_new() {
    let start = start();
    let mut tracker = Tracker::default();
    let table = |base| {
        vec![
            (base, look(prompt("Run it?"), 1), Then::AgainAt(base + SETTLE)),
            (base + SETTLE, look(prompt("Run it?"), 1), Then::Settled(prompt("Run it?"))),
        ]
    };
    walk(&mut tracker, start, table(ms(0)));
    tracker.prompt_answered(start + ms(30));
    assert_eq!(tracker.settled(), None);
    // The answered one is not told to be gone: its end was told with the answer. What still stands there may be itself.
    let again = ms(30) + AGAIN_SETTLE;
    walk(&mut tracker, start, vec![(ms(50), look(prompt("Run it?"), 1), Then::AgainAt(again))]);
    walk(&mut tracker, start, vec![(again, look(prompt("Run it?"), 1), Then::Settled(prompt("Run it?")))]);
}

#[test]
fn an_answer_forgets_nothing_but_a_prompt() {
    let start = start();
    let mut tracker = Tracker::default();
    walk(
        &mut tracker,
        start,
        vec![(ms(0), look(ready(), 1), Then::AgainAt(SETTLE)), (SETTLE, look(ready(), 1), Then::Settled(ready()))],
    );
    tracker.prompt_answered(start);
    walk(&mut tracker, start, vec![(ms(50), look(ready(), 1), Then::Nothing)]);
}

#[test]
fn the_end_of_the_program_counts_at_once_and_takes_the_prompt_along() {
    walk(
        &mut Tracker::default(),
        start(),
        vec![
            (ms(0), look(prompt("Run it?"), 1), Then::AgainAt(SETTLE)),
            (ms(20), look(prompt("Run it?"), 1), Then::Settled(prompt("Run it?"))),
            (ms(21), look(Reading::Exited, 2), Then::GoneFor(Reading::Exited)),
            (ms(22), look(Reading::Exited, 2), Then::Nothing),
        ],
    );
}

#[test]
fn a_start_up_dialog_is_another_thing_than_the_prompt_it_looks_like() {
    let Reading::Prompt(sighting) = prompt("Trust this folder?") else { unreachable!() };
    let dialog = Reading::Startup(StartupDialog { kind: StartupKind::FolderTrust, pass: Some(0), sighting });
    walk(
        &mut Tracker::default(),
        start(),
        vec![
            (ms(0), look(dialog.clone(), 1), Then::AgainAt(STARTUP_SETTLE)),
            // Drawn a second time, as Claude Code does.
            (ms(140), look(dialog.clone(), 2), Then::AgainAt(STARTUP_SETTLE)),
            (ms(1000), look(dialog.clone(), 2), Then::Settled(dialog)),
            (ms(1010), look(prompt("Trust this folder?"), 1), Then::AgainAt(ms(1010) + SETTLE)),
            (ms(1030), look(prompt("Trust this folder?"), 1), Then::GoneFor(prompt("Trust this folder?"))),
        ],
    );
}

/// A look at a prompt with these rows above it, the nearest first.
fn below(title: &str, rows: &[u64], size: (u16, usize)) -> Look {
    Look { context: Context(rows.to_vec()), size, ..look(prompt(title), 1) }
}

#[test]
fn an_equal_prompt_below_something_else_is_another_one() {
    let (size, next) = ((80, 24), ms(100) + NEXT_SETTLE);
    let (mut tracker, start) = (Tracker::default(), start());
    walk(
        &mut tracker,
        start,
        vec![
            (ms(0), below("Run it?", &[1, 2], size), Then::AgainAt(SETTLE)),
            (SETTLE, below("Run it?", &[1, 2], size), Then::Settled(prompt("Run it?"))),
            (ms(100), below("Run it?", &[9, 1, 2], size), Then::AgainAt(next)),
            (next - ms(1), below("Run it?", &[9, 1, 2], size), Then::AgainAt(next)),
        ],
    );
    // The one is over; whether the other stays is seen a little later.
    let again = next + AGAIN_SETTLE;
    let gone = Verdict { prompt_gone: true, settled: None, look_again: Some(start + again) };
    assert_eq!(tracker.on_look(below("Run it?", &[9, 1, 2], size), start + next), gone);
    walk(&mut tracker, start, vec![(again, below("Run it?", &[9, 1, 2], size), Then::Settled(prompt("Run it?")))]);
}

#[test]
fn what_passes_by_above_a_prompt_leaves_it_the_same() {
    let size = (80, 24);
    walk(
        &mut Tracker::default(),
        start(),
        vec![
            (ms(0), below("Run it?", &[1, 2, 3], size), Then::AgainAt(SETTLE)),
            (SETTLE, below("Run it?", &[1, 2, 3], size), Then::Settled(prompt("Run it?"))),
            // Half a redraw.
            (ms(50), below("Run it?", &[7], size), Then::AgainAt(ms(50) + NEXT_SETTLE)),
            (ms(60), below("Run it?", &[1, 2, 3], size), Then::Nothing),
            // Something that never stands still.
            (ms(100), below("Run it?", &[8], size), Then::AgainAt(ms(100) + NEXT_SETTLE)),
            (ms(240), below("Run it?", &[9], size), Then::AgainAt(ms(240) + NEXT_SETTLE)),
            (ms(260), below("Run it?", &[1, 2, 3], size), Then::Nothing),
            // The dialog grows: less is seen above it, then nothing at all.
            (ms(400), below("Run it?", &[1], size), Then::Nothing),
            (ms(600), below("Run it?", &[], size), Then::Nothing),
            // Another size.
            (ms(800), below("Run it?", &[4, 5, 6], (40, 24)), Then::Nothing),
            (ms(999), below("Run it?", &[4, 5, 6], (40, 24)), Then::Nothing),
        ],
    );
}

#[test]
fn what_is_asked_aside_comes_and_goes_like_any_prompt() {
    let (start, mut tracker) = (start(), Tracker::new(ms(50)));
    walk(
        &mut tracker,
        start,
        vec![
            // A composer is a composer, whatever is asked above it.
            (ms(0), look(aside("How is it?"), 1), Then::AgainAt(ms(50))),
            (ms(50), look(aside("How is it?"), 1), Then::Settled(aside("How is it?"))),
            (ms(60), look(ready(), 2), Then::AgainAt(ms(60) + SETTLE)),
            (ms(80), look(ready(), 2), Then::GoneFor(ready())),
        ],
    );
}
