//! The text field of a dialog: notes beside an option, an answer of one's own, or a boxed field of the sign-in screens.

use std::ops::Range;

use crate::{
    Screen,
    codex::lines::{self, Piece, Wrap},
    reading::SightedText,
    screen::Line,
};

/// A text field as it stands on the screen.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct TextField {
    /// The rows it takes.
    pub(super) rows: Range<usize>,
    /// What stands in it.
    pub(super) text: SightedText,
}

/// Reads the field whose glyph stands in a row. It goes on below as far as rows are indented like its text.
pub(super) fn read(screen: &Screen, row: usize, glyph_column: u16) -> TextField {
    let column = glyph_column + 2;
    let goes_on = |line: &&Line| line.indent().is_some_and(|indent| indent >= column);
    let more = screen.lines.iter().skip(row + 1).take_while(goes_on).count();
    let rows = row..row + 1 + more;
    let focused = screen.cursor.visible && rows.contains(&usize::from(screen.cursor.y));
    let text = contents(screen, rows.clone(), column, u16::MAX, focused);
    TextField { rows, text: SightedText { multiline: true, ..text } }
}

/// Reads a field drawn as a box with a caption, as the sign-in screens have it. They hide the terminal's cursor and draw
/// none of their own. Only rows from `from` on are looked at.
pub(super) fn boxed(screen: &Screen, from: usize) -> Option<TextField> {
    if screen.cursor.visible {
        return None;
    }
    let begins = |line: &Line, glyph: char| line.first_drawn().is_some_and(|cell| cell.ch == glyph);
    let bottom = screen.lines.iter().rposition(|line| begins(line, '╰'))?;
    let top = screen.lines.iter().take(bottom).rposition(|line| begins(line, '╭')).filter(|top| *top >= from)?;
    let left = screen.lines.get(top)?.indent()?;
    // A box without a caption is the conversation's banner.
    let caption = lines::between(screen.lines.get(top)?, left + 1, u16::MAX);
    let caption = caption.trim_matches(|ch: char| ch == '─' || ch == '╮' || ch == ' ');
    if caption.is_empty() {
        return None;
    }
    let right = screen.lines.get(bottom)?.end().saturating_sub(1);
    let text = contents(screen, top + 1..bottom, left + 1, right, true);
    let lower = caption.to_lowercase();
    let secret = ["key", "token", "password", "secret"].iter().any(|word| lower.contains(word));
    Some(TextField { rows: top..bottom + 1, text: SightedText { secret, ..text } })
}

/// What stands between two columns of some rows; dim text is a suggestion.
fn contents(screen: &Screen, rows: Range<usize>, from: u16, to: u16, focused: bool) -> SightedText {
    let lines = screen.lines.get(rows).unwrap_or_default();
    let edge = screen.cols.saturating_sub(2);
    let piece = |line: &Line| Piece { text: lines::between(line, from, to), full: line.end() >= edge };
    let text = lines::join(&lines.iter().map(piece).collect::<Vec<_>>(), Wrap::Parts);
    let ghost = lines.iter().find_map(|line| lines::drawn_from(line, from)).is_some_and(|cell| cell.style.dim);
    let (placeholder, value) = if ghost { (Some(text), String::new()) } else { (None, text) };
    SightedText { placeholder, value, focused, ..SightedText::default() }
}
