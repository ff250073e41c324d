//! What a screen of opencode says. Structure decides, in this order:
//!
//! 1. The cursor stands in the composer: ready or busy ([`super::composer`]).
//! 2. A list of the start is drawn over it ([`super::startup`]).
//! 3. The last block on the screen is a dialog: buttons, numbered rows or a field, and no cursor but in that field
//!    ([`super::permission`], [`super::question`]).
//! 4. Anything else that is drawn is not understood: lists, the palette, the view of a sub-agent.

use super::{
    composer::{self, Found},
    panel::{Panel, Row},
    permission, question, startup,
};
use crate::{Reading, Screen, Sighting};

/// Reads a screen. Total.
pub(super) fn read(screen: &Screen) -> Reading {
    if screen.exit.is_some() {
        return Reading::Exited;
    }
    let Some(last) = screen.last_row() else { return Reading::Starting { detail: String::new() } };
    let covered = match composer::find(screen) {
        Found::Open(reading) => return *reading,
        Found::Covered => true,
        Found::Missing => false,
    };
    if let Some(dialog) = startup::read(screen) {
        return Reading::Startup(dialog);
    }
    if covered {
        return Reading::Unrecognized;
    }
    if let Some(sighting) = dialog(screen) {
        return Reading::Prompt(sighting);
    }
    // What it says before it draws anything, or why it does not.
    if screen.alternate || screen.cursor.visible && screen.lines.iter().any(|line| line.text.contains('▣')) {
        return Reading::Unrecognized;
    }
    Reading::Starting { detail: screen.text(last).trim().to_owned() }
}

/// The dialog that is the last thing on the screen.
fn dialog(screen: &Screen) -> Option<Sighting> {
    let panel = match Panel::lowest(screen) {
        Some(panel) => panel,
        None if !screen.alternate && !screen.cursor.visible => Panel::bare(screen)?,
        None => return None,
    };
    let cursor = panel.cursor(screen);
    if screen.cursor.visible && cursor.is_none() {
        return None;
    }
    permission::read(screen, &panel).or_else(|| question::read(screen, &panel))
}

/// True when something that was said stands on the screen.
pub(super) fn shows_conversation(screen: &Screen) -> bool {
    screen.lines.iter().any(|line| line.first_drawn().is_some_and(|cell| matches!(cell.ch, '▣' | '›')))
}

/// True when a dialog is drawn to the row below its keys.
pub(super) fn is_whole(screen: &Screen, sighting: &Sighting) -> bool {
    let Some(panel) = Panel::lowest(screen).filter(|panel| panel.rows.end == sighting.rows.end) else { return false };
    let rows: Vec<_> = sighting.rows.clone().rev().map(|row| panel.row(screen, row)).collect();
    let [padding, last, before, ..] = rows.as_slice() else { return false };
    padding.is_blank() && !last.is_blank() && (tells_enter(last) || tells_enter(before))
}

/// True for the keys below a dialog, which always name the one that answers it.
pub(super) fn tells_enter(row: &Row<'_>) -> bool {
    row.tells_keys() && row.text().contains("enter")
}
