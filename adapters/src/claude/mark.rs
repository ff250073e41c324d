//! What stands in front of an option's words: cursor, number, check box, tick.

use super::lines::{Row, trim};
use crate::screen::{Cell, Color};

/// Glyphs of a list's cursor. `>` is one only in front of a number: it also begins quotes and redirections.
const CURSORS: &[char] = &['❯', '›', '▶', '►', '▸', '➤'];
const TICKS: &[char] = &['✔', '✓', '√'];

/// True for a list's cursor, where a list is known to be.
pub(super) fn is_cursor(ch: char) -> bool {
    CURSORS.contains(&ch)
}

/// The front of an option row.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mark<'a> {
    /// The list's cursor, where it is on this row.
    pub(super) cursor: Option<&'a Cell>,
    /// An arrow in the cursor's place: further options are scrolled out of view.
    pub(super) scroll: bool,
    /// The number, and its first digit.
    pub(super) number: Option<(u32, &'a Cell)>,
    /// The check box's state, and its first cell.
    pub(super) checked: Option<(bool, &'a Cell)>,
    /// The words, a tick behind them left out.
    pub(super) label: &'a [Cell],
    /// True when a tick marks it as the present choice.
    pub(super) ticked: bool,
}

impl<'a> Mark<'a> {
    /// Reads the front of a row.
    pub(super) fn of(row: &Row<'a>) -> Self {
        let mut rest = row.cells;
        let mut mark = Self { cursor: None, scroll: false, number: None, checked: None, label: rest, ticked: false };
        if let Some((first, behind)) = rest.split_first() {
            let apart = behind.first().is_none_or(|cell| matches!(cell.ch, ' ' | '\u{a0}'));
            let before_number = || number(trim(behind)).is_some();
            if apart && (CURSORS.contains(&first.ch) || first.ch == '>' && before_number()) {
                mark.cursor = Some(first);
                rest = trim(behind);
            } else if apart && matches!(first.ch, '↑' | '↓' | '…') && before_number() {
                mark.scroll = true;
                rest = trim(behind);
            }
        }
        if let Some((value, behind)) = number(rest) {
            mark.number = rest.first().map(|cell| (value, cell));
            rest = trim(behind);
        }
        if let Some((state, behind)) = check_box(rest) {
            mark.checked = rest.first().map(|cell| (state, cell));
            rest = trim(behind);
        }
        match rest {
            [tick, blank, ..] if TICKS.contains(&tick.ch) && blank.ch == ' ' => {
                mark.ticked = true;
                rest = trim(rest.get(1..).unwrap_or_default());
            }
            _ => {
                mark.ticked = rest.windows(2).any(|pair| pair[0].ch == ' ' && TICKS.contains(&pair[1].ch));
                rest = without_tick(rest);
            }
        }
        mark.label = rest;
        mark
    }

    /// The column its words begin in.
    pub(super) fn label_column(&self) -> Option<u16> {
        self.label.first().map(|cell| cell.column)
    }

    /// True when the cursor stands alone on the row: some versions draw it below an option whose words they wrapped.
    pub(super) fn is_bare_cursor(&self) -> bool {
        self.cursor.is_some() && self.number.is_none() && self.label.is_empty()
    }

    /// The colour of the number, where it has one.
    pub(super) fn number_fg(&self) -> Color {
        self.number.map_or(Color::Default, |(_, cell)| cell.style.fg)
    }
}

/// The words without a tick behind them.
pub(super) fn without_tick(cells: &[Cell]) -> &[Cell] {
    match cells {
        [words @ .., blank, tick] if TICKS.contains(&tick.ch) && blank.ch == ' ' => trim(words),
        _ => cells,
    }
}

/// A number with a full stop or a bracket, and what follows: `2. `, `2)`, also `2.Yes`, but not `2.1`.
fn number(cells: &[Cell]) -> Option<(u32, &[Cell])> {
    let digits = cells.iter().take_while(|cell| cell.ch.is_ascii_digit()).count();
    let after = cells.get(digits..)?;
    let (stop, behind) = after.split_first()?;
    let closes = matches!(stop.ch, '.' | ')') && behind.first().is_none_or(|cell| !cell.ch.is_ascii_digit());
    if digits == 0 || digits > 3 || !closes {
        return None;
    }
    let value = cells.iter().take(digits).try_fold(0u32, |sum, cell| Some(sum * 10 + cell.ch.to_digit(10)?))?;
    Some((value, behind))
}

/// A check box and what follows: `[ ]`, `[✔]`, `[x]`, or a glyph of its own.
fn check_box(cells: &[Cell]) -> Option<(bool, &[Cell])> {
    let ends = |at: usize| cells.get(at).is_none_or(|cell| cell.ch == ' ');
    match cells {
        [open, inner, close, behind @ ..] if open.ch == '[' && close.ch == ']' && ends(3) => match inner.ch {
            ' ' => Some((false, behind)),
            'x' | 'X' | '*' | '•' | '■' | '✗' => Some((true, behind)),
            ch if TICKS.contains(&ch) => Some((true, behind)),
            _ => None,
        },
        [glyph, behind @ ..] if ends(1) => match glyph.ch {
            '☐' | '◯' | '○' | '◻' | '▢' => Some((false, behind)),
            '☑' | '☒' | '◉' | '◼' | '▣' => Some((true, behind)),
            _ => None,
        },
        _ => None,
    }
}
