//! Dialogs of the full-screen CLIs: redrawn, followed by an equal one, told at first sight.

use super::{
    super::{AGAIN_SETTLE, DIFF_SETTLE, NEXT_SETTLE, REST_SETTLE, SETTLE, STALL, Tracker, Verdict},
    Then, below, busy, look, ms, prompt, start, walk,
};
use crate::{Composer, Reading, reading::Look};

/// The same below rows that the program draws anew while the prompt stands.
fn redrawn(title: &str, rows: &[u64]) -> Look {
    Look { redrawn: true, ..below(title, rows, (80, 24)) }
}

fn working() -> Look {
    look(working_reading(), 2)
}

fn working_reading() -> Reading {
    Reading::Busy { detail: String::new(), composer: Some(Composer::default()) }
}

#[test]
fn rows_redrawn_above_a_dialog_leave_it_the_same() {
    walk(
        &mut Tracker::default(),
        start(),
        vec![
            (ms(0), redrawn("Run it?", &[7, 1, 2]), Then::AgainAt(SETTLE)),
            (SETTLE, redrawn("Run it?", &[7, 1, 2]), Then::Settled(prompt("Run it?"))),
            // The spinner goes, the tool's line comes, an agent beside it writes on; each stays for as long as it likes.
            (ms(13), redrawn("Run it?", &[1, 2]), Then::Nothing),
            (ms(13) + NEXT_SETTLE, redrawn("Run it?", &[1, 2]), Then::Nothing),
            (ms(400), redrawn("Run it?", &[3, 1, 2]), Then::Nothing),
            (ms(400) + NEXT_SETTLE, redrawn("Run it?", &[3, 1, 2]), Then::Nothing),
            (ms(9000), redrawn("Run it?", &[4, 5]), Then::Nothing),
            (ms(9000) + NEXT_SETTLE, redrawn("Run it?", &[4, 5]), Then::Nothing),
        ],
    );
}

#[test]
fn a_dialog_drawn_in_two_parts_with_new_rows_above_is_the_same() {
    walk(
        &mut Tracker::default(),
        start(),
        vec![
            (ms(0), redrawn("Run it?", &[1, 2]), Then::AgainAt(SETTLE)),
            (SETTLE, redrawn("Run it?", &[1, 2]), Then::Settled(prompt("Run it?"))),
            // Half of a frame: neither the dialog nor a composer.
            (ms(50), look(busy(""), 2), Then::AgainAt(ms(50) + SETTLE)),
            (ms(52), redrawn("Run it?", &[3, 1, 2]), Then::Nothing),
            (ms(52) + NEXT_SETTLE, redrawn("Run it?", &[3, 1, 2]), Then::Nothing),
        ],
    );
}

#[test]
fn a_dialog_that_was_away_for_one_look_is_another_one() {
    let (mut tracker, start, next) = (Tracker::default(), start(), ms(102) + NEXT_SETTLE);
    walk(
        &mut tracker,
        start,
        vec![
            (ms(0), redrawn("Run it?", &[1, 2]), Then::AgainAt(SETTLE)),
            (SETTLE, redrawn("Run it?", &[1, 2]), Then::Settled(prompt("Run it?"))),
            (ms(100), working(), Then::AgainAt(ms(100) + SETTLE)),
            // What is above it is drawn a frame later.
            (ms(101), redrawn("Run it?", &[1, 2]), Then::Nothing),
            (ms(102), redrawn("Run it?", &[3, 1, 2]), Then::AgainAt(next)),
        ],
    );
    let gone = Verdict { prompt_gone: true, settled: None, look_again: Some(start + next + AGAIN_SETTLE) };
    assert_eq!(tracker.on_look(redrawn("Run it?", &[3, 1, 2]), start + next), gone);
}

#[test]
fn the_rest_of_a_dialog_that_was_answered_unseen_is_no_prompt() {
    let (mut tracker, start) = (Tracker::default(), start());
    walk(
        &mut tracker,
        start,
        vec![(ms(0), working(), Then::AgainAt(SETTLE)), (SETTLE, working(), Then::Settled(working_reading()))],
    );
    tracker.expect_rest(start + ms(100));
    walk(
        &mut tracker,
        start,
        vec![
            // Half of it is overwritten; 20 ms later nothing is left.
            (ms(110), redrawn("Run", &[1, 2]), Then::AgainAt(ms(110) + REST_SETTLE)),
            (ms(130), redrawn("Run", &[1, 2]), Then::AgainAt(ms(110) + REST_SETTLE)),
            (ms(131), working(), Then::AgainAt(ms(131) + SETTLE)),
            (ms(131) + SETTLE, working(), Then::Settled(working_reading())),
            // One that stays is a prompt.
            (ms(200), redrawn("Run", &[1, 2]), Then::AgainAt(ms(200) + REST_SETTLE)),
            (ms(200) + REST_SETTLE, redrawn("Run", &[1, 2]), Then::Settled(prompt("Run"))),
        ],
    );
}

#[test]
fn a_change_that_may_be_drawn_anew_stands_for_a_while_first() {
    let cut = |content| Look { diff_may_change: true, whole: true, content, ..redrawn("Apply it?", &[1, 2]) };
    let (mut tracker, start) = (Tracker::default(), start());
    walk(
        &mut tracker,
        start,
        vec![
            (ms(0), cut(1), Then::AgainAt(DIFF_SETTLE)),
            (ms(20), cut(2), Then::AgainAt(DIFF_SETTLE)),
            (DIFF_SETTLE, cut(2), Then::Settled(prompt("Apply it?"))),
        ],
    );
}

#[test]
fn a_dialog_whose_hook_was_answered_may_be_followed_by_an_equal_one() {
    let (mut tracker, start, next) = (Tracker::default(), start(), ms(500) + NEXT_SETTLE);
    walk(
        &mut tracker,
        start,
        vec![
            (ms(0), redrawn("Run it?", &[1, 2]), Then::AgainAt(SETTLE)),
            (SETTLE, redrawn("Run it?", &[1, 2]), Then::Settled(prompt("Run it?"))),
        ],
    );
    tracker.expect_end(start + ms(5000));
    walk(&mut tracker, start, vec![(ms(500), redrawn("Run it?", &[3, 1, 2]), Then::AgainAt(next))]);
    let gone = Verdict { prompt_gone: true, settled: None, look_again: Some(start + next + AGAIN_SETTLE) };
    assert_eq!(tracker.on_look(redrawn("Run it?", &[3, 1, 2]), start + next), gone);
}

fn whole(title: &str) -> Look {
    Look { whole: true, redrawn: true, ..look(prompt(title), 1) }
}

#[test]
fn a_whole_dialog_is_told_at_first_sight_and_looked_at_again() {
    let (mut tracker, start) = (Tracker::default(), start());
    let told = Verdict { settled: Some(prompt("Run it?")), look_again: Some(start + SETTLE), ..Verdict::default() };
    assert_eq!(tracker.on_look(whole("Run it?"), start), told);
    walk(
        &mut tracker,
        start,
        vec![
            (SETTLE, whole("Run it?"), Then::Nothing),
            // What takes its place may be half of each.
            (ms(90), whole("Run that?"), Then::AgainAt(ms(90) + REST_SETTLE)),
            (ms(90) + REST_SETTLE, whole("Run that?"), Then::GoneFor(prompt("Run that?"))),
        ],
    );
}

#[test]
fn the_rest_of_a_dialog_that_goes_is_no_prompt() {
    let rest = || redrawn("Run", &[1]);
    let (mut tracker, start) = (Tracker::default(), start());
    tracker.on_look(whole("Run it?"), start);
    walk(
        &mut tracker,
        start,
        vec![
            // Half overwritten, for as long as the program is kept from drawing on.
            (ms(100), rest(), Then::AgainAt(ms(100) + REST_SETTLE)),
            (ms(140), rest(), Then::AgainAt(ms(100) + REST_SETTLE)),
            (ms(150), working(), Then::AgainAt(ms(150) + SETTLE)),
            (ms(160), working(), Then::GoneFor(working_reading())),
            // Soon after, too.
            (ms(200), rest(), Then::AgainAt(ms(200) + REST_SETTLE)),
            (ms(240), working(), Then::Nothing),
            // Later on a dialog that is not known to be whole is believed as ever.
            (ms(900), rest(), Then::AgainAt(ms(900) + SETTLE)),
        ],
    );
}

#[test]
fn an_equal_dialog_right_after_an_answer_waits_although_it_is_whole() {
    let (mut tracker, start) = (Tracker::default(), start());
    tracker.on_look(whole("Run it?"), start);
    tracker.prompt_answered(start + ms(30));
    let again = ms(30) + AGAIN_SETTLE;
    walk(&mut tracker, start, vec![(ms(50), whole("Run it?"), Then::AgainAt(again))]);
}

#[test]
fn at_the_end_of_a_frame_what_is_there_counts_at_once() {
    let (mut tracker, start) = (Tracker::default(), start());
    let at_end = |reading: Reading| look(reading, 1).with_frame_complete(true);
    walk(&mut tracker, start, vec![(ms(0), at_end(busy("")), Then::Settled(busy("")))]);
    let told =
        Verdict { settled: Some(prompt("Run it?")), look_again: Some(start + ms(10) + SETTLE), ..Verdict::default() };
    assert_eq!(tracker.on_look(at_end(prompt("Run it?")), start + ms(10)), told);
    walk(
        &mut tracker,
        start,
        vec![
            // It may be drawn once more in the next frame.
            (ms(20), at_end(busy("")), Then::AgainAt(ms(20) + SETTLE)),
            (ms(22), at_end(prompt("Run it?")), Then::Nothing),
            // A guess is none the surer for it.
            (ms(40), at_end(Reading::Unrecognized), Then::AgainAt(ms(40) + STALL)),
        ],
    );
}

#[test]
fn a_draft_that_changes_tells_when_somebody_typed() {
    let (mut tracker, start) = (Tracker::default(), start());
    let draft = |text: &str| Reading::Ready(Composer { draft: text.to_owned(), ..Composer::default() });
    tracker.on_look(look(draft(""), 1), start);
    assert_eq!(tracker.typed_at(), None);
    tracker.on_look(look(draft("a"), 2), start + ms(100));
    tracker.on_look(look(draft("a"), 2), start + ms(200));
    assert_eq!(tracker.typed_at(), Some(start + ms(100)));
    // A dialog hides the composer; what stands in it afterwards is what stood there before.
    tracker.on_look(whole("Run it?"), start + ms(300));
    tracker.on_look(look(draft("a"), 2), start + ms(400));
    assert_eq!(tracker.typed_at(), Some(start + ms(100)));
}
