//! Drives a change of the permission mode: press the key that goes on to the next mode, see which it is, until it is the wanted
//! one. Only while the CLI waits for a message: on the way it passes through modes that nobody asked for.

#[cfg(test)]
mod tests;

use std::time::{Duration, Instant};

use shared_types::PermissionMode;

use crate::{Keystroke, Reading};

/// How long the CLI may take to show the next mode.
pub const SHOW_LIMIT: Duration = Duration::from_secs(2);
/// More than any CLI has: whoever has seen that many has seen all.
const PRESSES: u8 = 8;

/// What to do now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// Press these and look again soon.
    Press(Vec<Keystroke>),
    /// Nothing to press; look again by then at the latest.
    Wait(Instant),
    /// The CLI shows the wanted mode.
    Switched,
    /// It does not.
    Refused(NotSwitched),
}

/// Why the mode was not changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotSwitched {
    /// The CLI does not wait for a message.
    #[error("the mode can be changed when it waits for a message")]
    NotReady,
    /// The screen does not say which mode it is.
    #[error("the terminal does not show the mode: change it there")]
    Unknown,
    /// The key was pressed and another mode did not come.
    #[error("the terminal did not follow the key")]
    NotFollowed,
    /// It has gone through all its modes without the wanted one.
    #[error("this session does not offer that mode")]
    NotOffered,
}

/// One change of the mode on its way.
#[derive(Debug, Clone)]
pub struct Switch {
    wanted: PermissionMode,
    keys: &'static [Keystroke],
    first: Option<PermissionMode>,
    pressed: Option<(PermissionMode, Instant)>,
    presses: u8,
}

impl Switch {
    /// Begins to change the mode with the keys that go on to the next one.
    #[must_use]
    pub fn new(wanted: PermissionMode, keys: &'static [Keystroke]) -> Self {
        Self { wanted, keys, first: None, pressed: None, presses: 0 }
    }

    /// Takes a look at the screen.
    pub fn on_look(&mut self, reading: &Reading, now: Instant) -> Action {
        let Some(composer) = reading.awaiting() else { return Action::Refused(NotSwitched::NotReady) };
        let shown = composer.mode;
        if let Some((before, deadline)) = self.pressed
            && shown.is_none_or(|shown| shown == before)
        {
            return if now < deadline { Action::Wait(deadline) } else { Action::Refused(NotSwitched::NotFollowed) };
        }
        let Some(shown) = shown else { return Action::Refused(NotSwitched::Unknown) };
        if shown == self.wanted {
            return Action::Switched;
        }
        if self.presses == PRESSES || (self.presses > 0 && self.first == Some(shown)) {
            return Action::Refused(NotSwitched::NotOffered);
        }
        self.first.get_or_insert(shown);
        self.presses += 1;
        self.pressed = Some((shown, now + SHOW_LIMIT));
        Action::Press(self.keys.to_vec())
    }
}
