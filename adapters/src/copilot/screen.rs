//! What a screen of Copilot CLI says. It is a full-screen program: all that it draws is there at once. Structure decides, in this
//! order:
//!
//! 1. A box over the whole width down to the last row, with numbered rows and a line of keys: a dialog ([`super::dialog`]).
//! 2. Rules over the whole width around rows and a line of keys, down to the last row: a question ([`super::question`]).
//! 3. The composer with the row below it: ready or busy ([`super::composer`]).
//! 4. Anything else is a menu that a person opened, another tab, or unknown: not understood, and never ready.

use super::{composer, dialog, question, startup};
use crate::{Reading, Screen};

/// Reads a screen. Total.
pub(super) fn read(screen: &Screen) -> Reading {
    if screen.exit.is_some() {
        return Reading::Exited;
    }
    if screen.last_row().is_none() {
        return Reading::Starting { detail: String::new() };
    }
    if let Some(seen) = composer::find(screen) {
        return composer::read(seen);
    }
    if let Some(sighting) = dialog::read(screen) {
        return match startup::kind(&sighting) {
            Some(kind) => Reading::Startup(startup::dialog(kind, sighting)),
            None => Reading::Prompt(sighting),
        };
    }
    question::read(screen).map_or(Reading::Unrecognized, Reading::Prompt)
}
