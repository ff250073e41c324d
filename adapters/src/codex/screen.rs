//! What a Codex screen says. Structure decides, in this order:
//!
//! 1. The visible cursor stands in the composer: ready, busy or still loading, whatever else is on the screen
//!    ([`super::composer`]).
//! 2. A pager covers the screen: it may quote any dialog, and takes other keys. Not understood.
//! 3. The last thing drawn is a list with a selected row, or a text field: a dialog ([`super::dialog`]), read into a
//!    sighting ([`super::prompt`]) and, at the start, into a start-up dialog ([`super::startup`]).
//! 4. Anything else that is drawn is not understood, and never ready. The spinner in the title does not help here: 0.120
//!    spins on while a dialog is open.

use crate::{
    Reading, Screen,
    codex::{composer, dialog, prompt, startup},
};

/// Reads a screen. Total.
pub(super) fn read(screen: &Screen) -> Reading {
    if screen.exit.is_some() {
        return Reading::Exited;
    }
    if screen.last_row().is_none() {
        return Reading::Starting { detail: String::new() };
    }
    if let Some(seen) = composer::find(screen) {
        return composer::read(screen, seen);
    }
    if is_pager(screen) {
        return Reading::Unrecognized;
    }
    if let Some(dialog) = dialog::find(screen) {
        let sighting = prompt::sighting(screen, &dialog);
        return match startup::read(screen, &sighting) {
            Some(dialog) => Reading::Startup(dialog),
            None => Reading::Prompt(sighting),
        };
    }
    startup::read_notice(screen).unwrap_or(Reading::Unrecognized)
}

/// A pager, such as the transcript or a long command in full, is headed `/ T R A N S C R I P T / / / /`.
fn is_pager(screen: &Screen) -> bool {
    screen.lines.iter().take(2).any(|line| line.text.starts_with("/ ") && line.text.ends_with(" / /"))
}
