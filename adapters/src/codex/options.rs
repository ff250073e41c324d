//! The list of options of a dialog: which rows are options, what each says in its label and its description column, and
//! which one the cursor glyph stands on.
//!
//! Codex draws all its lists alike: a glyph and a blank before the selected row, two blanks before every other, most often
//! a number, the label, and sometimes a second column that begins in the same column on every row. Label and second column
//! wrap each in its own column. Nothing here reads words.

use std::ops::Range;

use crate::{
    Screen,
    codex::{
        lines::{self, Piece, Wrap},
        marks,
    },
    reading::SightedOption,
    screen::Line,
};

/// A list of options as it stands on the screen.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct OptionList {
    /// The rows it takes.
    pub(super) rows: Range<usize>,
    /// The column of the cursor glyph.
    pub(super) glyph_column: u16,
    /// The options in order.
    pub(super) options: Vec<SightedOption>,
    /// The one the glyph stands on.
    pub(super) selected: usize,
    /// The number of the first one; more than 1 when the list is scrolled.
    pub(super) first_number: Option<usize>,
}

/// Where one option stands.
#[derive(Debug, Clone, Copy)]
struct Item {
    row: usize,
    /// The column its label begins in.
    label_column: u16,
    number: Option<usize>,
    /// The state of its check box.
    checked: Option<bool>,
}

/// How many rows one option may take at the most; a list whose next number is further away is another list.
const OPTION_ROWS: usize = 16;

impl OptionList {
    /// Reads the list around its selected row.
    pub(super) fn around(screen: &Screen, selected_row: usize, glyph_column: u16) -> Option<Self> {
        let text_column = glyph_column + 2;
        let selected_item = item(screen.lines.get(selected_row)?, selected_row, text_column)?;
        let mut items = match selected_item.number {
            Some(number) => numbered_items(screen, selected_item, number, text_column),
            None => plain_items(screen, selected_item, text_column),
        };
        items.sort_by_key(|item| item.row);
        let first = *items.first()?;
        let last = *items.last()?;
        let end = last_row_end(screen, &last, text_column);
        let rows = first.row..end;
        let description_column = description_column(&screen.lines, &items, end);
        let mut options: Vec<SightedOption> = Vec::with_capacity(items.len());
        for (index, item) in items.iter().enumerate() {
            let item_end = items.get(index + 1).map_or(end, |next| next.row);
            options.push(read_option(screen, item, item_end, description_column));
        }
        // Only lists at the left edge carry keys: those further in hold the model's own words, which may end in brackets.
        if glyph_column == 0 {
            options.iter_mut().for_each(marks::take_key);
        }
        let selected = items.iter().position(|item| item.row == selected_row)?;
        Some(Self { rows, glyph_column, options, selected, first_number: first.number })
    }
}

fn item(line: &Line, row: usize, text_column: u16) -> Option<Item> {
    let text = lines::between(line, text_column, u16::MAX);
    let begins = !lines::is_blank_at(line, text_column);
    let number = lines::numbered(&text).filter(|_| begins);
    let checked = marks::check_box(&text).filter(|_| begins);
    let mark_width = number.map_or(0, |(_, width)| width) + checked.map_or(0, |_| marks::CHECK_BOX_WIDTH);
    let item = Item { row, label_column: text_column + mark_width, number: number.map(|(number, _)| number), checked };
    (!text.is_empty()).then_some(item)
}

/// The item that an unselected row is: nothing is drawn left of the text column.
fn unselected(line: &Line, row: usize, text_column: u16) -> Option<Item> {
    (line.indent() == Some(text_column)).then(|| item(line, row, text_column)).flatten()
}

/// Follows the numbers up and down from the selected one.
fn numbered_items(screen: &Screen, selected: Item, number: usize, text_column: u16) -> Vec<Item> {
    let mut items = vec![selected];
    for step in [-1isize, 1] {
        let mut wanted = number.checked_add_signed(step).filter(|wanted| *wanted > 0);
        let mut from = selected.row;
        while let Some(number) = wanted {
            let Some(found) = next_numbered(screen, from, step, number, text_column) else { break };
            from = found.row;
            wanted = number.checked_add_signed(step).filter(|wanted| *wanted > 0);
            items.push(found);
        }
    }
    items
}

fn next_numbered(screen: &Screen, from: usize, step: isize, number: usize, text_column: u16) -> Option<Item> {
    let mut row = from;
    let mut blanks = 0;
    for _ in 0..OPTION_ROWS {
        row = row.checked_add_signed(step)?;
        let line = screen.lines.get(row)?;
        let Some(indent) = line.indent() else {
            blanks += 1;
            if blanks > 1 {
                return None;
            }
            continue;
        };
        if let Some(found) = unselected(line, row, text_column).filter(|item| item.number == Some(number)) {
            return Some(found);
        }
        // Only what belongs to an option may stand between two.
        if indent <= text_column && !wraps_left(screen, row, text_column) {
            return None;
        }
        blanks = 0;
    }
    None
}

/// The rows next to the selected one that are built like it. A blank row ends the list.
fn plain_items(screen: &Screen, selected: Item, text_column: u16) -> Vec<Item> {
    let mut items = vec![selected];
    for step in [-1isize, 1] {
        let mut row = selected.row;
        while let Some(next) = row.checked_add_signed(step) {
            let Some(line) = screen.lines.get(next) else { break };
            match line.indent() {
                Some(indent) if indent == text_column => items.extend(unselected(line, next, text_column)),
                Some(indent) if indent > text_column => {}
                _ => break,
            }
            row = next;
        }
    }
    items
}

fn last_row_end(screen: &Screen, last: &Item, text_column: u16) -> usize {
    let mut row = last.row + 1;
    while let Some(line) = screen.lines.get(row).filter(|_| row < last.row + OPTION_ROWS) {
        let deeper = line.indent().is_some_and(|indent| indent > text_column + 1);
        if !deeper && !wraps_left(screen, row, text_column) {
            break;
        }
        row += 1;
    }
    row
}

/// True for the rest of a description that the sign-in list wraps to the very left edge.
fn wraps_left(screen: &Screen, row: usize, text_column: u16) -> bool {
    let begins_left = screen.lines.get(row).and_then(Line::first_drawn);
    let above = row.checked_sub(1).and_then(|above| screen.lines.get(above)?.indent());
    begins_left.is_some_and(|cell| cell.column == 0 && cell.ch.is_alphanumeric())
        && above.is_some_and(|indent| indent > text_column + 1)
}

/// The column in which the descriptions begin: it is set off by two blanks on some row, or rows hold nothing else, and
/// nothing is drawn just before it on any row.
fn description_column(all: &[Line], items: &[Item], end: usize) -> Option<u16> {
    let rows = all.get(items.first()?.row..end)?;
    let label_column = items.iter().map(|item| item.label_column).max()?;
    let gaps = items.iter().filter_map(|item| Some((all.get(item.row)?, item.label_column)));
    let mut candidates: Vec<u16> = gaps.flat_map(|(line, column)| gap_ends(line, column)).collect();
    candidates.extend(rows.iter().filter_map(Line::indent).filter(|indent| *indent > label_column + 1));
    candidates.sort_unstable();
    candidates.into_iter().find(|column| rows.iter().all(|line| lines::is_blank_at(line, column - 1)))
}

/// The columns behind every run of two or more blanks.
fn gap_ends(line: &Line, from: u16) -> Vec<u16> {
    let mut ends = Vec::new();
    let mut blanks = 0;
    for cell in line.cells.iter().filter(|cell| cell.column >= from) {
        if cell.ch == ' ' {
            blanks += 1;
        } else {
            if blanks > 1 {
                ends.push(cell.column);
            }
            blanks = 0;
        }
    }
    ends
}

fn read_option(screen: &Screen, item: &Item, end: usize, description_column: Option<u16>) -> SightedOption {
    let edge = screen.cols.saturating_sub(1);
    let split = description_column.unwrap_or(u16::MAX);
    let mut label: Vec<Piece> = Vec::new();
    let mut description: Vec<Piece> = Vec::new();
    let label_is_dim = screen
        .lines
        .get(item.row)
        .and_then(|line| lines::drawn_from(line, item.label_column))
        .is_some_and(|cell| cell.style.dim);
    for (row, line) in screen.lines.iter().enumerate().take(end).skip(item.row) {
        let from = if row == item.row { item.label_column } else { 0 };
        let begins = lines::drawn_from(line, from);
        if row > item.row && is_disabled(line, item.label_column, split) {
            break;
        }
        // A whole row of another brightness is a description below the label.
        let below = row > item.row && !label_is_dim && begins.is_some_and(|cell| cell.style.dim && cell.column < split);
        let row_split = if below { from } else { dim_tail(line, from, split, label_is_dim) };
        label.push(piece(line, from, row_split, edge.min(split.saturating_sub(2))));
        description.push(piece(line, row_split, u16::MAX, edge));
    }
    // A column so narrow that it holds one letter a row is one word written downwards.
    let vertical =
        description.iter().filter(|piece| !piece.text.is_empty()).all(|piece| piece.text.chars().count() == 1);
    let description = if vertical {
        description.into_iter().map(|piece| piece.text).collect()
    } else {
        lines::join(&description, Wrap::Parts)
    };
    SightedOption {
        label: lines::join(&label, Wrap::Parts),
        description: (!description.is_empty()).then_some(description),
        checked: item.checked,
        number: item.number.map(|number| number.to_string()),
        ..SightedOption::default()
    }
}

/// True for the first row of an option that cannot be chosen: it has no number, but a label in the label's column and a
/// description beside it. The arrows pass it over.
fn is_disabled(line: &Line, label_column: u16, split: u16) -> bool {
    let label = lines::cell_at(line, label_column).filter(|cell| cell.ch != ' ');
    let described = lines::drawn_from(line, split).is_some();
    let says_so = || lines::between(line, label_column, split).ends_with("(disabled)");
    line.indent() == Some(label_column) && described && (label.is_some_and(|cell| cell.style.dim) || says_so())
}

/// Where the dim end of a row begins that stands behind a label without a column of its own; `split` where there is none.
fn dim_tail(line: &Line, from: u16, split: u16, label_is_dim: bool) -> u16 {
    if label_is_dim {
        return split;
    }
    let drawn = line.cells.iter().rev().filter(|cell| cell.ch != ' ' && cell.column >= from);
    let tail = drawn.take_while(|cell| cell.style.dim).last();
    let apart = tail.filter(|cell| cell.column > from && lines::is_blank_at(line, cell.column - 1));
    apart.map_or(split, |cell| cell.column.min(split))
}

fn piece(line: &Line, from: u16, to: u16, edge: u16) -> Piece {
    let drawn = line.cells.iter().rfind(|cell| cell.ch != ' ' && cell.column < to);
    Piece { text: lines::between(line, from, to), full: drawn.is_some_and(|cell| cell.column + 1 >= edge) }
}
