//! Line work by columns, as Codex draws: what stands between two columns, and how its wrapped rows become one text again.

use crate::screen::{Cell, Line, Style};

/// How a program broke its lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wrap {
    /// At blanks only; a word longer than a whole row is cut where the row ends.
    Blanks,
    /// At blanks, and behind a hyphen or a slash inside a word.
    Parts,
}

/// One row of a wrapped text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Piece {
    /// What stands there, without the blanks around it.
    pub(super) text: String,
    /// True when it reaches the right edge of the room it has.
    pub(super) full: bool,
}

/// The cell that begins in a column.
pub(super) fn cell_at(line: &Line, column: u16) -> Option<&Cell> {
    let at = line.cells.partition_point(|cell| cell.column < column);
    line.cells.get(at).filter(|cell| cell.column == column)
}

/// The first drawn cell from a column on.
pub(super) fn drawn_from(line: &Line, column: u16) -> Option<&Cell> {
    let at = line.cells.partition_point(|cell| cell.column < column);
    line.cells.get(at..)?.iter().find(|cell| cell.ch != ' ')
}

/// True when nothing is drawn in this one column.
pub(super) fn is_blank_at(line: &Line, column: u16) -> bool {
    cell_at(line, column).is_none_or(|cell| cell.ch == ' ')
}

/// What stands between two columns, without the blanks around it.
pub(super) fn between(line: &Line, from: u16, to: u16) -> String {
    let start = line.cells.partition_point(|cell| cell.column < from);
    let cells = line.cells.get(start..).unwrap_or_default();
    let text: String = cells.iter().take_while(|cell| cell.column < to).map(|cell| cell.ch).collect();
    text.trim().to_owned()
}

/// The style of the first letter or digit of a row; the first drawn cell's where there is none.
pub(super) fn first_style(line: &Line) -> Style {
    let letter = line.cells.iter().find(|cell| cell.ch.is_alphanumeric());
    letter.or_else(|| line.first_drawn()).map_or_else(Style::default, |cell| cell.style)
}

/// Joins the rows of a wrapped text.
pub(super) fn join(pieces: &[Piece], wrap: Wrap) -> String {
    let mut joined = String::new();
    let mut before: Option<&Piece> = None;
    for piece in pieces.iter().filter(|piece| !piece.text.is_empty()) {
        if before.is_some_and(|before| !breaks_word(before, &piece.text, wrap)) {
            joined.push(' ');
        }
        joined.push_str(&piece.text);
        before = Some(piece);
    }
    joined
}

/// True when the line break behind a piece stands inside a word, so that no blank was there.
pub(super) fn breaks_word(before: &Piece, after: &str, wrap: Wrap) -> bool {
    if before.full && !before.text.contains(' ') {
        return true;
    }
    let mut tail = before.text.chars().rev();
    let goes_on = after.chars().next().is_some_and(|ch| ch.is_alphanumeric() || ch == '_' || ch == '.');
    match (wrap, tail.next()) {
        (Wrap::Parts, Some('/')) => goes_on,
        (Wrap::Parts, Some('-')) => goes_on && tail.next().is_some_and(char::is_alphanumeric),
        _ => false,
    }
}

/// The first `3/5` in a text, as (3, 5).
pub(super) fn count(text: &str) -> Option<(usize, usize)> {
    text.split(|ch: char| !(ch.is_ascii_digit() || ch == '/')).find_map(|part| {
        let (index, total) = part.split_once('/')?;
        Some((index.parse().ok()?, total.parse().ok()?))
    })
}

/// Splits a number with a full stop from the front of a text: `2. No` is (2, columns taken by `2. `).
pub(super) fn numbered(text: &str) -> Option<(usize, u16)> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let number = text.get(..digits)?.parse().ok()?;
    let rest = text.get(digits..)?.strip_prefix('.')?;
    // A bare `2.` at the end of a row is a number whose label is empty or was cut.
    (rest.is_empty() || rest.starts_with(' ')).then(|| (number, u16::try_from(digits).map_or(4, |digits| digits + 2)))
}

/// The segments of a hint line, such as `enter to confirm` and `esc to cancel`.
pub(super) fn segments(text: &str) -> impl Iterator<Item = &str> {
    text.split(['|', '·', ';']).flat_map(|part| part.split(" or ")).map(str::trim).filter(|part| !part.is_empty())
}
