//! The live end of a screen: the line the cursor is on, as far as it was written, and what lies around it.

use std::ops::Range;

use crate::{
    Screen,
    screen::{Cell, Color, Line},
};

/// The farthest a cursor may stand behind a prompt and still belong to it.
const GAP: usize = 2;
/// The most rows one wrapped line is followed over, so that a screen full of unbroken text stays cheap.
const WRAPPED_ROWS: usize = 12;
/// The most rows above a question that are shown with it.
const CONTEXT_ROWS: usize = 8;

/// The line the cursor is on.
pub(super) struct Live<'a> {
    pub(super) screen: &'a Screen,
    /// The cursor's row.
    pub(super) row: usize,
    /// The rows the line is wrapped over, the cursor's last.
    pub(super) rows: Range<usize>,
    /// From the line's beginning to the cursor, the blanks before the cursor included.
    pub(super) before: String,
    /// Behind the cursor, without ghost text.
    pub(super) after: String,
    /// Ghost text behind the cursor: what is suggested to be typed.
    pub(super) ghost: String,
    /// True when rows below the cursor show anything.
    pub(super) below: bool,
}

impl<'a> Live<'a> {
    pub(super) fn of(screen: &'a Screen) -> Self {
        let row = usize::from(screen.cursor.y).min(screen.lines.len().saturating_sub(1));
        // A hidden cursor is parked anywhere: what counts is where the text ends.
        let hidden = screen.lines.get(row).and_then(|line| line.cells.last()).filter(|_| !screen.cursor.visible);
        let column = hidden.map_or(screen.cursor.x, |last| last.column + 1).max(screen.cursor.x);
        let mut first = row;
        // A cursor in the first column follows a finished line, not a wrapped one.
        while column > 0 && first > 0 && row - first < WRAPPED_ROWS && is_full(screen, first - 1) {
            first -= 1;
        }
        let mut before = String::new();
        for upper in first..row {
            before.push_str(screen.text(upper));
        }
        let empty = Line::default();
        let line = screen.lines.get(row).unwrap_or(&empty);
        let mut drawn = 0;
        for cell in line.cells.iter().take_while(|cell| cell.column < column) {
            before.push(cell.ch);
            drawn = cell.column.saturating_add(u16::from(cell.width));
        }
        before.extend(std::iter::repeat_n(' ', usize::from(column.min(screen.cols).saturating_sub(drawn))));
        let behind = |ghost: bool| -> String {
            let cells = line.cells.iter().filter(|cell| cell.column >= column && is_ghost(cell) == ghost);
            cells.map(|cell| cell.ch).collect::<String>().trim().to_owned()
        };
        Self {
            screen,
            row,
            rows: first..row + 1,
            before,
            after: behind(false),
            ghost: behind(true),
            below: screen.last_row().is_some_and(|last| last > row),
        }
    }

    /// True when the cursor waits right behind the line's text and nothing else follows on the screen.
    pub(super) fn waits(&self) -> bool {
        let blanks = self.before.len() - self.before.trim_end().len();
        !self.below && blanks <= GAP && !self.before.trim().is_empty()
    }

    /// True when single keys are taken, false when whole lines are or when it is not known.
    pub(super) fn takes_keys(&self) -> bool {
        self.screen.tty.is_some_and(|tty| !tty.canonical)
    }

    /// The rows directly above a row, until an empty one: what a question is about. One empty row may part them from it.
    pub(super) fn context(&self, row: usize) -> String {
        let mut rows: Vec<&str> = Vec::new();
        let parted = row.checked_sub(1).is_some_and(|upper| self.screen.text(upper).trim().is_empty());
        for upper in (0..row - usize::from(parted)).rev().take(CONTEXT_ROWS) {
            let text = self.screen.text(upper).trim_end();
            if text.trim().is_empty() || super::shell::is_prompt(text) {
                break;
            }
            rows.push(text);
        }
        rows.reverse();
        rows.join("\n")
    }

    /// True when the line counts or spins rather than asks.
    pub(super) fn is_progress(&self) -> bool {
        let text = self.before.trim_end();
        let spins = |ch: char| ('\u{2800}'..='\u{28ff}').contains(&ch) || matches!(ch, '█' | '▓' | '▒' | '░' | '━');
        text.ends_with("...")
            || text.ends_with(['…', '%', '|', '\\', '/'])
            || text.contains("ETA")
            || text.contains("====")
            || text.contains("####")
            || text.chars().next_back().is_some_and(spins)
            || text.chars().next().is_some_and(spins)
    }
}

/// Ghost text is dim, or grey where the program's library has no dim.
pub(super) fn is_ghost(cell: &Cell) -> bool {
    cell.style.dim || cell.style.fg == Color::Indexed(8)
}

/// True when a row is written to its last column, so that the next continues it. A drawn rule does not continue.
fn is_full(screen: &Screen, row: usize) -> bool {
    let last = screen.lines.get(row).and_then(|line| line.cells.last());
    last.is_some_and(|cell| {
        cell.ch != ' '
            && !('\u{2500}'..='\u{259f}').contains(&cell.ch)
            && usize::from(cell.column) + usize::from(cell.width) == usize::from(screen.cols)
    })
}
