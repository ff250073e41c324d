//! The place where a message is typed, and whether Claude works.
//!
//! The composer is two rules (or a frame, in old versions) with a prompt glyph between them and nothing but the footer
//! below. As long as it is drawn no dialog is open: that is what tells a real prompt from a quoted one.

use shared_types::PermissionMode;

use super::{
    lines::{Row, RowKind, text, trim},
    mark::Mark,
};
use crate::{
    Composer,
    screen::{Cell, Color},
};

/// What stands at the left of the composer: for a message, a shell command, a note, a background task.
const PROMPTS: &[char] = &['❯', '>', '›', '!', '#', '&'];
/// The frames of the spinner in front of what Claude is doing.
const SPINNER: &[char] = &['·', '✢', '*', '✶', '✻', '✽', '✳', '∗', '✺', '✹'];

/// A composer on the screen.
pub(super) struct Found {
    /// What stands in it.
    pub(super) composer: Composer,
    /// The row of its upper edge.
    pub(super) top: usize,
    /// The row of its lower edge.
    pub(super) bottom: usize,
}

/// The composer, when it is the lowest thing of its kind on the screen.
pub(super) fn find(rows: &[Row<'_>]) -> Option<Found> {
    let bottom = rows.iter().rposition(|row| matches!(row.kind, RowKind::Rule | RowKind::FrameBottom))?;
    let top = rows.get(..bottom)?.iter().rposition(|row| matches!(row.kind, RowKind::Rule | RowKind::FrameTop))?;
    let inner = rows.get(top + 1..bottom)?;
    let first = inner.first()?;
    let glyph = first.cells.first()?;
    // A message already sent has the same glyph, but on a background of its own.
    let is_prompt = PROMPTS.contains(&glyph.ch) && glyph.column <= 2 && glyph.style.bg == Color::Default;
    let apart = first.cells.get(1).is_none_or(|cell| matches!(cell.ch, ' ' | '\u{a0}'));
    if !is_prompt || !apart || is_dialog(rows.get(bottom + 1..)?) {
        return None;
    }
    let left = glyph.column + 2;
    let mut lines: Vec<String> = vec![typed(first.cells.get(1..).unwrap_or_default())];
    lines.extend(inner.iter().skip(1).map(|row| {
        let indent = row.cells.first().map_or(0, |cell| usize::from(cell.column.saturating_sub(left)));
        " ".repeat(indent) + &typed(row.cells)
    }));
    let draft = lines.join("\n").trim().to_owned();
    let mode = rows.get(bottom + 1..)?.iter().find_map(|row| mode(&row.text()));
    Some(Found { composer: Composer { draft, mode }, top, bottom })
}

/// The permission mode that the footer names. Versions that call the careful one nothing offer their shortcuts instead.
fn mode(footer: &str) -> Option<PermissionMode> {
    let said = [
        ("manual mode on", PermissionMode::Ask),
        ("accept edits on", PermissionMode::AcceptEdits),
        ("plan mode on", PermissionMode::Plan),
        ("auto mode on", PermissionMode::Auto),
        ("bypass permissions on", PermissionMode::Bypass),
        ("? for ", PermissionMode::Ask),
    ];
    said.iter().find(|(words, _)| footer.contains(words)).map(|(_, mode)| *mode)
}

/// True when a list of options is below what looks like a composer: then a redraw has left that behind. The menu of a slash
/// command has neither numbers nor a title.
fn is_dialog(below: &[Row<'_>]) -> bool {
    let titled = below.iter().find(|row| !row.is_blank()).and_then(|row| row.cells.first());
    let titled = titled.is_some_and(|cell| cell.style.bold);
    below.iter().map(Mark::of).any(|mark| mark.cursor.is_some() && (mark.number.is_some() || titled))
}

/// What a person typed into a field: ghost text is dim, and its first character may lie under the text cursor.
pub(super) fn typed(cells: &[Cell]) -> String {
    let ghost_begins = cells.iter().enumerate().position(|(at, cell)| {
        let next_is_ghost = cells.get(at + 1).is_some_and(|next| next.style.dim);
        cell.style.dim || (cell.style.inverse && cell.ch != ' ' && next_is_ghost)
    });
    text(cells.get(..ghost_begins.unwrap_or(cells.len())).unwrap_or_default())
}

/// What Claude says it is doing, where it works: the status line at the end of the rows above `said`, or the offer to interrupt
/// in the footer below the composer.
pub(super) fn work(rows: &[Row<'_>], said: usize, bottom: usize) -> Option<String> {
    let status = rows.get(..said).and_then(status);
    let footer = rows.get(bottom + 1..).unwrap_or_default().iter().any(|row| offers_interrupt(&row.text()));
    match status {
        Some(Status { detail, working }) if working || footer => Some(detail),
        _ if footer => Some(String::new()),
        _ => None,
    }
}

/// What Claude says it is doing on a screen that has no composer.
pub(super) fn work_alone(rows: &[Row<'_>]) -> Option<String> {
    let end = rows.iter().rposition(|row| !row.is_blank()).map_or(0, |last| last + 1);
    status(rows.get(..end)?).filter(|status| status.working).map(|status| status.detail)
}

struct Status {
    detail: String,
    working: bool,
}

/// The status line: the nearest row above that begins in the first column, when it begins with a frame of the spinner.
/// What is indented belongs to it: tips, tasks, queued messages.
fn status(above: &[Row<'_>]) -> Option<Status> {
    /// A status line too long for its row goes on in the first column.
    const WRAPPED_ROWS: usize = 2;
    let mut flush = above.iter().rev().filter(|row| row.is_text() && row.start() == 0).take(WRAPPED_ROWS + 1);
    let row = flush.find(|row| row.head().is_some_and(|head| SPINNER.contains(&head) || is_marker(head)))?;
    let (glyph, rest) = row.cells.split_first()?;
    if !SPINNER.contains(&glyph.ch) || rest.first().is_none_or(|cell| cell.ch != ' ') {
        return None;
    }
    let line = text(trim(rest));
    // At work it says `Pondering…`; when the turn is over, `Pondered for 3s`.
    let working = line.contains('…') || offers_interrupt(&line);
    let detail = match line.find('…') {
        Some(at) => line.get(..at).map(|verb| format!("{verb}…")),
        None => line.split(" · ").next().and_then(|part| part.split(" (").next()).map(str::to_owned),
    };
    Some(Status { detail: detail.unwrap_or_default(), working })
}

/// True for the glyph that a message, an answer or a tool call in the conversation begins with.
pub(super) fn is_marker(ch: char) -> bool {
    matches!(ch, '●' | '⏺' | '⎿' | '❯' | '>' | '›')
}

fn offers_interrupt(line: &str) -> bool {
    let line = line.to_lowercase();
    line.contains("to interrupt") || line.contains("esc to int")
}
