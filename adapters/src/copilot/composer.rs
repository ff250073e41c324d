//! The screen without a dialog: the composer between two rules over the whole width, and one row below it that says whether the CLI
//! works or waits. What a question opens for an answer of one's own looks alike, but has no row below.

use shared_types::PermissionMode;

use super::{lines, options::CURSOR};
use crate::{Composer, Reading, Screen, screen::Line};

/// What the composer is marked with while it takes a command for a shell.
const SHELL: char = '!';

/// The composer as it stands on the screen.
pub(super) struct Seen<'a> {
    draft: String,
    footer: &'a Line,
}

/// Finds it.
pub(super) fn find(screen: &Screen) -> Option<Seen<'_>> {
    let last = screen.last_row().filter(|_| screen.cursor.visible)?;
    let footer = screen.lines.get(last)?;
    let bottom = last.checked_sub(1)?;
    let is_rule = |row: usize| screen.lines.get(row).is_some_and(|line| lines::is_rule(line, screen.cols));
    if !is_rule(bottom) || is_rule(last) {
        return None;
    }
    let top = (0..bottom).rev().find(|row| is_rule(*row))?;
    let rows = screen.lines.get(top + 1..bottom)?;
    // A leading `!` makes the composer a shell; it is drawn in place of the glyph.
    let glyph = rows.first()?.first_drawn().filter(|cell| cell.column == 0 && matches!(cell.ch, CURSOR | SHELL))?;
    let mark = if glyph.ch == SHELL { "!" } else { "" };
    let draft: Vec<String> = rows.iter().map(|line| line.text_from(2)).collect();
    Some(Seen { draft: format!("{mark}{}", draft.join("\n").trim_end()), footer })
}

/// What the screen says, given its composer.
pub(super) fn read(seen: Seen<'_>) -> Reading {
    let composer = Composer { draft: seen.draft, mode: mode(&seen.footer.text) };
    match work(seen.footer) {
        Some(detail) => Reading::Busy { detail, composer: Some(composer) },
        None => Reading::Ready(composer),
    }
}

/// What it works at, behind a sign that turns: `◉ Working · 264 B esc esc interrupt`.
fn work(footer: &Line) -> Option<String> {
    let sign = footer.first_drawn().filter(|cell| is_spinner(cell.ch))?;
    let text = footer.text_from(sign.column + 2);
    let words = text.split(" · ").next().unwrap_or_default().split("  ").next().unwrap_or_default();
    Some(words.split(" esc ").next().unwrap_or_default().trim().to_owned())
}

/// Circles, squares and the like, and the dots of braille.
fn is_spinner(ch: char) -> bool {
    ('\u{25a0}'..='\u{25ff}').contains(&ch) || ('\u{2800}'..='\u{28ff}').contains(&ch)
}

/// The mode that the row below names, as `Interactive · Manual Approval`.
fn mode(footer: &str) -> Option<PermissionMode> {
    let parts: Vec<&str> = footer.split('·').map(str::trim).collect();
    let says = |word: &str| parts.iter().take(4).any(|part| part.starts_with(word));
    if says("Plan") || parts.first() == Some(&"plan") {
        Some(PermissionMode::Plan)
    } else if says("Autopilot") {
        Some(PermissionMode::Auto)
    } else if says("Interactive") {
        Some(if says("Allow All") { PermissionMode::Bypass } else { PermissionMode::Ask })
    } else {
        None
    }
}
