//! The numbered rows of a boxed dialog, `❯ 1. Yes`, and the row that takes text.
//!
//! Labels wrap. A label that fills its row loses a column of its indent, so the number tells where an option begins: it must be
//! the next one. A row that takes text shows what is typed in place of its label while the cursor is on it, and may then be drawn
//! in two columns, the second one for the remark about the key.

use std::ops::Range;

use super::lines;
use crate::{SightedOption, SightedText, screen::Line};

/// The glyph of the selected row.
pub(super) const CURSOR: char = '❯';

/// The options of a dialog.
pub(super) struct OptionList {
    /// The rows they were read from.
    pub(super) rows: Range<usize>,
    pub(super) options: Vec<SightedOption>,
    pub(super) selected: Option<usize>,
    /// True when the list does not begin on the screen.
    pub(super) is_clipped: bool,
}

/// The beginning of an option.
struct Start {
    number: usize,
    is_selected: bool,
    /// Where its label begins.
    column: u16,
}

/// Reads the list in these rows, which end with it. `may_be_clipped`: its beginning may be off the screen.
pub(super) fn read(
    all: &[Line],
    rows: Range<usize>,
    cursor: Option<(usize, u16)>,
    may_be_clipped: bool,
) -> Option<OptionList> {
    let starts: Vec<(usize, Start)> = rows.clone().filter_map(|row| Some((row, start(all.get(row)?)?))).collect();
    let holds_cursor = |list: &Vec<usize>| list.iter().any(|at| starts[*at].1.is_selected);
    let ones = (0..starts.len()).rev().filter(|at| starts[*at].1.number == 1);
    let found = ones.map(|first| counted(&starts, first)).find(holds_cursor);
    let is_clipped = found.is_none();
    let list = match found {
        Some(list) => list,
        None if may_be_clipped => (!starts.is_empty()).then(|| counted(&starts, 0))?,
        None => return None,
    };
    let begins: Vec<usize> = list.iter().map(|at| starts[*at].0).collect();
    let ends = begins.iter().skip(1).copied().chain([rows.end]);
    let options = list.iter().zip(begins.iter().zip(ends)).map(|(at, (begin, end))| {
        let start = &starts[*at].1;
        option(&all[*begin..end], start, cursor.and_then(|(row, column)| Some((row.checked_sub(*begin)?, column))))
    });
    let options = options.collect();
    let selected = list.iter().position(|at| starts[*at].1.is_selected);
    Some(OptionList { rows: begins.first().copied()?..rows.end, options, selected, is_clipped })
}

/// The starts from one on whose numbers go up by one; others are a part of a label.
fn counted(starts: &[(usize, Start)], first: usize) -> Vec<usize> {
    let mut list = vec![first];
    let mut next = starts[first].1.number + 1;
    for (at, (_, start)) in starts.iter().enumerate().skip(first + 1) {
        if start.number == next {
            list.push(at);
            next += 1;
        }
    }
    list
}

fn start(line: &Line) -> Option<Start> {
    let first = line.first_drawn()?;
    let is_selected = first.ch == CURSOR && first.column == 0;
    let digits = line.cells.iter().find(|cell| cell.ch != ' ' && !(is_selected && cell.column == 0))?;
    if digits.column == 0 || digits.column > 2 {
        return None;
    }
    let text = line.text_from(digits.column);
    let (number, label) = text.split_once('.')?;
    let is_number = !number.is_empty() && number.len() < 4 && number.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number || !label.starts_with(' ') {
        return None;
    }
    let column = digits.column + u16::try_from(number.len()).ok()? + 2;
    Some(Start { number: number.parse().ok()?, is_selected, column })
}

fn option(rows: &[Line], start: &Start, cursor: Option<(usize, u16)>) -> SightedOption {
    let focused = start.is_selected && cursor.is_some_and(|(row, _)| row < rows.len());
    let texts: Vec<Line> = rows
        .iter()
        .enumerate()
        .map(|(row, line)| lines::inner(line, if row == 0 { start.column } else { 1 }, u16::MAX))
        .collect();
    let (label, beside) = if focused { in_two_columns(&texts) } else { (lines::prose(&texts), String::new()) };
    let drawn = if beside.is_empty() { label } else { format!("{label} {beside}") };
    let (label, remark) = lines::split_remark(&drawn);
    let text = (focused || takes_text(label, remark)).then(|| {
        let is_empty = !focused || cursor == Some((0, start.column));
        SightedText {
            value: if is_empty { String::new() } else { label.to_owned() },
            focused,
            ..SightedText::default()
        }
    });
    SightedOption {
        text,
        hint: remark.map(str::to_owned),
        number: Some(start.number.to_string()),
        ..SightedOption::new(label)
    }
}

/// The words of the left column and those of the right one.
fn in_two_columns(rows: &[Line]) -> (String, String) {
    let (mut left, mut right) = (Vec::new(), Vec::new());
    for line in rows {
        let (words, remark) = line.text.trim().split_once("  ").unwrap_or((line.text.trim(), ""));
        left.push(words.trim());
        right.push(remark.trim());
    }
    let join = |parts: Vec<&str>| parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ");
    (join(left), join(right))
}

/// Whether a row opens a field. Where Enter sends a text, what is said of Escape is more than its name: `(Esc to stop)`.
pub(super) fn takes_text(label: &str, remark: Option<&str>) -> bool {
    let label = label.to_lowercase();
    remark.is_some_and(|remark| remark.contains(' '))
        || ["type your answer", "suggest changes"].iter().any(|words| label.contains(words))
}
