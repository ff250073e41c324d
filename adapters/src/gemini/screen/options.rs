//! The list of options in a dialog: `● 1. Label`, a description below, `[x]` boxes, `▲` and `▼` where it scrolls.
//!
//! The list is known by its build alone: numbers that count up, aligned at their dots, and one row that is marked. The mark
//! is whatever sign stands before one of the numbers and not before the others, so another sign in another version is no
//! matter.

use crate::{
    SightedOption, SightedText,
    gemini_family::lines::{NumberedRow, Span, is_wrap, numbered_row},
    layout::hints::split_hint,
    screen::Color,
};

/// The options of a dialog.
#[derive(Debug)]
pub(super) struct OptionList {
    /// The rows it takes inside its frame, scroll arrows included.
    pub(super) rows: std::ops::Range<usize>,
    /// The options that are drawn.
    pub(super) options: Vec<SightedOption>,
    /// The row the cursor is on.
    pub(super) selected: usize,
    /// True when the list scrolls, so that not all options are drawn.
    pub(super) scrolls: bool,
    /// True when the options have boxes to check.
    pub(super) multi: bool,
}

/// One option with the rows it was read from.
struct Item<'a> {
    at: usize,
    number: Option<u32>,
    marked: bool,
    label: Span<'a>,
    /// The rows below it that belong to it.
    below: Vec<Span<'a>>,
}

impl OptionList {
    /// Finds the lowest list in a frame.
    pub(super) fn find(inside: &[Span<'_>], width: usize) -> Option<Self> {
        let rows: Vec<Option<NumberedRow<'_>>> = inside.iter().map(|span| numbered_row(*span)).collect();
        let mut end = inside.len();
        while let Some(last) = rows.get(..end)?.iter().rposition(Option::is_some) {
            let first = run_start(&rows, inside, last);
            if let Some(items) = items(&rows, inside, first, last) {
                return Some(Self::from_items(inside, &items, width));
            }
            end = first;
        }
        None
    }

    fn from_items(inside: &[Span<'_>], items: &[Item<'_>], width: usize) -> Self {
        let mut rows = items.first().map_or(0, |item| item.at)..0;
        rows.end = items.last().map_or(rows.start, |item| item.at + 1 + item.below.len());
        let arrow = |at: Option<usize>, arrows: [char; 2]| {
            at.and_then(|at| inside.get(at)).is_some_and(|span| {
                span.glyph().is_some_and(|glyph| arrows.contains(&glyph)) && span.drawn().count() == 1
            })
        };
        let above = arrow(rows.start.checked_sub(1), ['▲', '↑']);
        let below = arrow(Some(rows.end), ['▼', '↓']);
        rows.start -= usize::from(above);
        rows.end += usize::from(below);
        // Hints stand below the list, and suggestions have their colour.
        let ghost = inside[rows.end..].iter().rev().find_map(|span| span.color());
        let colors: Vec<Option<Color>> = items.iter().map(|item| label_of(item.label).1.color()).collect();
        let options = items
            .iter()
            .enumerate()
            .map(|(index, item)| {
                let last = items.iter().rposition(|item| item.number.is_some()) == Some(index);
                option(item, width, &TextTell { ghost, others: &colors, index, last })
            })
            .collect();
        let selected = items.iter().position(|item| item.marked).unwrap_or(0);
        let multi = items.iter().any(|item| label_of(item.label).0.is_some());
        Self { rows, options, selected, scrolls: above || below, multi }
    }
}

/// The first row of the run of numbers that ends with row `last`.
fn run_start(rows: &[Option<NumberedRow<'_>>], inside: &[Span<'_>], last: usize) -> usize {
    let Some(mut lower) = rows[last] else { return last };
    let mut start = last;
    let mut blanks = 0;
    for at in (0..last).rev() {
        if let Some(row) = rows[at] {
            if row.dot != lower.dot || row.number + 1 != lower.number {
                break;
            }
            (start, lower, blanks) = (at, row, 0);
            continue;
        }
        match inside[at].column() {
            None if blanks == 0 => blanks = 1,
            Some(column) if column > lower.dot => {}
            _ => break,
        }
    }
    start
}

/// The options between two rows, and those without a number behind them; nothing unless exactly one is marked.
fn items<'a>(
    rows: &[Option<NumberedRow<'a>>],
    inside: &[Span<'a>],
    first: usize,
    last: usize,
) -> Option<Vec<Item<'a>>> {
    let mut items: Vec<Item<'a>> = Vec::new();
    let mut dot = 0;
    let mut lit = Vec::new();
    for at in first..=last {
        if let Some(row) = rows[at] {
            dot = row.dot;
            lit.push(row.lit);
            let marked = row.marker.is_some();
            items.push(Item { at, number: Some(row.number), marked, label: row.label, below: Vec::new() });
        } else if let Some(item) = items.last_mut() {
            item.below.push(inside[at]);
        }
    }
    let boxes = items.iter().any(|item| label_of(item.label).0.is_some());
    for (at, span) in inside.iter().enumerate().skip(last + 1) {
        let Some(column) = span.column() else { break };
        if column > dot {
            items.last_mut()?.below.push(*span);
        } else if boxes && let Some((marked, label)) = unnumbered(*span, dot) {
            // The row below the last option of a multi-select has its own description at its own column.
            match items.last_mut() {
                Some(item) if item.number.is_none() => item.below.push(*span),
                _ => items.push(Item { at, number: None, marked, label, below: Vec::new() }),
            }
        } else {
            break;
        }
    }
    let marks = items.iter().filter(|item| item.marked).count();
    if marks == 0 && lit.iter().filter(|lit| **lit).count() == 1 {
        let index = lit.iter().position(|lit| *lit)?;
        items[index].marked = true;
        return Some(items);
    }
    // One lone row with some sign before it may be anything; the known sign may not.
    let lone = items.len() == 1 && inside[items[0].at].glyph() != Some('●');
    (marks == 1 && !lone).then_some(items)
}

/// A row of a list that has no number, such as the one that ends a multi-select: `●  Done`.
fn unnumbered(span: Span<'_>, dot: u16) -> Option<(bool, Span<'_>)> {
    let first = span.first()?;
    if matches!(first.ch, '▼' | '▲' | '↓' | '↑') {
        return None;
    }
    if first.ch.is_alphanumeric() {
        return (first.column + 1 >= dot).then_some((false, span));
    }
    let rest = span.from(first.column + 1);
    (rest.cells().first()?.ch == ' ' && rest.column()? <= dot).then_some((true, rest))
}

/// What tells a row that takes text from one that does not.
struct TextTell<'c> {
    /// The colour of hints and suggestions.
    ghost: Option<Color>,
    /// The colours of all labels.
    others: &'c [Option<Color>],
    /// Which one it is.
    index: usize,
    /// True for the last row that has a number: only that one ever takes text.
    last: bool,
}

impl TextTell<'_> {
    /// A field shows a cursor when it is in use, its suggestion in the colour of hints when it is empty, and what was typed
    /// in no colour at all, where labels have one.
    fn text(&self, label: Span<'_>, below: &[Span<'_>]) -> Option<SightedText> {
        let rows = std::iter::once(label).chain(below.iter().copied()).map(Span::text);
        let shown = rows.filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n");
        let color = self.others[self.index];
        let alone = self.others.iter().enumerate().all(|(index, other)| index == self.index || *other != color);
        if let Some(cursor) = label.cursor() {
            let suggestion = label.column() == Some(cursor.column)
                && cursor.ch != ' '
                && label
                    .from(cursor.column + 1)
                    .color()
                    .is_none_or(|color| self.ghost.is_none_or(|ghost| color == ghost));
            return Some(field(shown, suggestion, true));
        }
        if below.iter().any(|span| span.cursor().is_some()) {
            return Some(field(shown, false, true));
        }
        if !self.last {
            return None;
        }
        match (color, self.ghost) {
            (Some(color), Some(ghost)) if color == ghost && (alone || color == Color::Default) => {
                (alone || super::words::invites_text(&shown)).then(|| field(shown, true, false))
            }
            (Some(Color::Default), _) if alone && self.others.len() > 1 => Some(field(shown, false, false)),
            _ => None,
        }
    }
}

fn field(shown: String, suggestion: bool, focused: bool) -> SightedText {
    let (placeholder, value) = if suggestion { (Some(shown), String::new()) } else { (None, shown) };
    SightedText { placeholder, value, focused, secret: false, multiline: true, may_be_empty: false }
}

fn option(item: &Item<'_>, width: usize, tell: &TextTell<'_>) -> SightedOption {
    let (checked, label) = label_of(item.label);
    let text = item.number.and_then(|_| tell.text(label, &item.below));
    if text.is_some() {
        return SightedOption { label: label.text(), checked, number: number(item), text, ..SightedOption::default() };
    }
    let (label, remark) = split_remark(label);
    let mut shown = label.text();
    let mut chosen = None;
    if let Some(before) = shown.strip_suffix(" ✓") {
        // The answer given before, on a tab that was left and entered again.
        chosen = Some(true);
        shown = before.trim_end().to_owned();
    }
    let mut rows = item.below.iter().filter(|span| !span.is_blank()).peekable();
    let room = width.saturating_sub(usize::from(label.column().unwrap_or(0).saturating_sub(indent(item))));
    let mut line = shown.clone();
    while let Some(span) = rows.next_if(|span| span.color() == label.color() && is_wrap(&line, &span.text(), room)) {
        line = span.text();
        shown.push(' ');
        shown.push_str(&line);
    }
    let rest: Vec<String> = remark.into_iter().chain(rows.map(|span| span.text())).collect();
    let (label, hint) = split_hint(&shown);
    SightedOption {
        label: label.to_owned(),
        description: (!rest.is_empty()).then(|| rest.join(" ")),
        checked: checked.or(chosen),
        number: number(item),
        hint: hint.map(str::to_owned),
        ..SightedOption::default()
    }
}

/// Parts a label from what stands behind it in another colour.
fn split_remark(label: Span<'_>) -> (Span<'_>, Option<String>) {
    let color = label.color();
    let other = label.drawn().find(|cell| Some(cell.style.fg) != color && cell.ch != '✓');
    let split = other.map(|cell| (label.before(cell.column), label.from(cell.column)));
    match split {
        Some((before, remark)) if before.cells().last().is_some_and(|cell| cell.ch == ' ') => {
            (before, Some(remark.text()))
        }
        _ => (label, None),
    }
}

fn number(item: &Item<'_>) -> Option<String> {
    item.number.map(|number| number.to_string())
}

/// The column in which the options begin: the sign's, three before the dot of a one-digit number.
fn indent(item: &Item<'_>) -> u16 {
    item.label.cells().first().map_or(0, |cell| cell.column.saturating_sub(4))
}

/// Takes a check box off a label.
fn label_of(label: Span<'_>) -> (Option<bool>, Span<'_>) {
    let start = label.column().unwrap_or(0);
    let mut cells = label.from(start).cells().iter();
    let (open, mark, close) = (cells.next(), cells.next(), cells.next());
    match (open.map(|cell| cell.ch), mark.map(|cell| cell.ch), close.map(|cell| cell.ch)) {
        (Some('['), Some(mark), Some(']')) if mark == ' ' || matches!(mark, 'x' | 'X' | '✓' | '✔' | '*') => {
            (Some(mark != ' '), label.from(start + 3))
        }
        (Some(glyph @ ('☐' | '☑' | '☒')), _, _) => (Some(glyph != '☐'), label.from(start + 1)),
        _ => (None, label),
    }
}
