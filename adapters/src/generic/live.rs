//! The live end of a screen: the line the cursor is on, as far as it was written, and what lies around it.

use std::ops::Range;

use super::patterns;
use crate::{
    Screen,
    screen::{Cell, Color, Foreground, Line},
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
    /// True when rows below the cursor show anything but hints.
    pub(super) below: bool,
    /// True when the question ended with its line, and the answer is typed on the next.
    pub(super) parted: bool,
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
            before.push_str(&ascii_marks(screen.text(upper)));
        }
        let empty = Line::default();
        let line = screen.lines.get(row).unwrap_or(&empty);
        let mut drawn = 0;
        for cell in line.cells.iter().take_while(|cell| cell.column < column) {
            before.push(ascii_mark(cell.ch));
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
            below: screen
                .last_row()
                .is_some_and(|last| (row + 1..=last).any(|lower| !is_footnote(screen, lower, last))),
            parted: false,
        }
    }

    /// The line above as the one that asks, where the program reads its terminal and the cursor is at the beginning of the next.
    pub(super) fn above(&self) -> Option<Self> {
        let reads = self.screen.foreground == Some(Foreground::Reads);
        let empty = self.before.is_empty() && !self.below && self.screen.text(self.row).is_empty();
        let by_line = self.screen.tty.is_some_and(|tty| tty.canonical);
        let row = self.row.checked_sub(1).filter(|_| reads && empty && by_line)?;
        let text = self.screen.text(row).trim_end();
        if text.trim().is_empty() || super::shell::is_prompt(text) {
            return None;
        }
        Some(Self {
            screen: self.screen,
            row: self.row,
            rows: row..self.row + 1,
            before: format!("{} ", ascii_marks(text)),
            after: String::new(),
            ghost: String::new(),
            below: false,
            parted: true,
        })
    }

    /// The line without what is typed at its end: what finds the prompt again.
    pub(super) fn head(&self, draft: &str) -> String {
        let whole = self.before.trim_end();
        match whole.strip_suffix(draft.trim_end()) {
            _ if self.parted => String::new(),
            Some(head) if !draft.is_empty() => head.to_owned(),
            _ => self.before.clone(),
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
        let mut rows: Vec<String> = Vec::new();
        let parted = row.checked_sub(1).is_some_and(|upper| self.screen.text(upper).trim().is_empty());
        for upper in (0..row - usize::from(parted)).rev().take(CONTEXT_ROWS) {
            let text = self.screen.text(upper).trim_end();
            if text.trim().is_empty() || super::shell::is_prompt(text) {
                break;
            }
            rows.push(patterns::without_secret(text));
        }
        rows.reverse();
        rows.join("\n")
    }

    /// True when the line counts or spins rather than asks.
    pub(super) fn is_progress(&self) -> bool {
        let text = self.before.trim_end();
        let spins = |ch: char| ('\u{2800}'..='\u{28ff}').contains(&ch) || matches!(ch, '█' | '▓' | '▒' | '░' | '━');
        (text.ends_with("...") && !text.ends_with("?..."))
            || text.ends_with(['…', '%', '|', '\\', '/'])
            || text.contains("ETA")
            || text.contains("====")
            || text.contains("####")
            || text.chars().next_back().is_some_and(spins)
            || text.chars().next().is_some_and(spins)
    }
}

/// Rows below a line that is typed into, as line editors draw them: hints, a bar at the bottom, why an answer was refused.
fn is_footnote(screen: &Screen, row: usize, last: usize) -> bool {
    let line = &screen.lines[row];
    let Some(first) = line.first_drawn() else { return true };
    if screen.tty.is_none_or(|tty| tty.canonical) {
        return false;
    }
    let drawn = || line.cells.iter().filter(|cell| cell.ch != ' ');
    let refused = first.ch == '>' && first.style.fg != Color::Default;
    let bar = row == last && row + 1 == screen.lines.len() && drawn().all(|cell| cell.style.inverse);
    let text = line.text.to_lowercase();
    let keys =
        ["ctrl+", "ctrl-", "navigate", "toggle", "to submit", "to cancel"].iter().any(|word| text.contains(word));
    refused || bar || keys || line.is_dim()
}

/// Marks of Asian typography as their narrow relatives: they mean the same.
fn ascii_mark(ch: char) -> char {
    match ch {
        '：' => ':',
        '？' => '?',
        '（' => '(',
        '）' => ')',
        '［' | '【' => '[',
        '］' | '】' => ']',
        '／' => '/',
        ch => ch,
    }
}

fn ascii_marks(text: &str) -> String {
    text.chars().map(ascii_mark).collect()
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
