//! A CLI that goes round its modes, and ones that do not.

use shared_types::PermissionMode::{self, AcceptEdits, Ask, Bypass, Plan};

use super::{Action, NotSwitched, SHOW_LIMIT, Switch};
use crate::{Composer, Keystroke, Reading};

#[expect(clippy::disallowed_methods, reason = "an instant to count from; nothing waits for it")]
fn start() -> std::time::Instant {
    std::time::Instant::now()
}

fn ready(mode: Option<PermissionMode>) -> Reading {
    Reading::Ready(Composer { mode, ..Composer::default() })
}

fn press() -> Action {
    Action::Press(vec![Keystroke::TAB])
}

fn walk(wanted: PermissionMode, looks: &[(Reading, Action)]) {
    let (mut switch, now) = (Switch::new(wanted, &[Keystroke::TAB]), start());
    for (reading, action) in looks {
        assert_eq!(switch.on_look(reading, now), *action, "{reading:?}");
    }
}

#[test]
fn it_goes_on_until_the_mode_is_seen() {
    let now = start();
    let mut switch = Switch::new(Plan, &[Keystroke::TAB]);
    assert_eq!(switch.on_look(&ready(Some(Ask)), now), press());
    assert_eq!(switch.on_look(&ready(Some(Ask)), now), Action::Wait(now + SHOW_LIMIT), "not drawn yet");
    assert_eq!(switch.on_look(&ready(None), now), Action::Wait(now + SHOW_LIMIT), "half drawn");
    assert_eq!(switch.on_look(&ready(Some(AcceptEdits)), now), press());
    assert_eq!(switch.on_look(&ready(Some(Plan)), now), Action::Switched);
}

#[test]
fn the_mode_that_is_there_needs_no_key() {
    walk(Ask, &[(ready(Some(Ask)), Action::Switched)]);
}

#[test]
fn a_mode_that_never_comes_is_not_offered() {
    let refused = Action::Refused(NotSwitched::NotOffered);
    walk(Bypass, &[(ready(Some(Ask)), press()), (ready(Some(Plan)), press()), (ready(Some(Ask)), refused)]);
}

#[test]
fn nothing_is_pressed_while_it_works_or_asks_or_says_nothing() {
    let busy = Reading::Busy { detail: String::new(), composer: Some(Composer::default()) };
    for (reading, why) in [
        (busy, NotSwitched::NotReady),
        (Reading::Unrecognized, NotSwitched::NotReady),
        (ready(None), NotSwitched::Unknown),
    ] {
        walk(Plan, &[(reading, Action::Refused(why))]);
    }
}

#[test]
fn a_key_without_effect_is_told() {
    let now = start();
    let mut switch = Switch::new(Plan, &[Keystroke::TAB]);
    assert_eq!(switch.on_look(&ready(Some(Ask)), now), press());
    let refused = switch.on_look(&ready(Some(Ask)), now + SHOW_LIMIT);
    assert_eq!(refused, Action::Refused(NotSwitched::NotFollowed));
}
