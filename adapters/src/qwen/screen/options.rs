//! The options of a dialog: `› 1. Label`, `❯ [✓] 2. Label`, a description below, and in the model's questions a last row that takes
//! text.
//!
//! A list is known by its build: numbers that count up, aligned, and one row with a sign before it. Which sign that is, is no matter.

use std::ops::Range;

use crate::{
    SightedOption, SightedText,
    gemini_family::lines::{Span, is_wrap, numbered_row},
    layout::hints::split_hint,
    screen::Color,
};

/// The options of a dialog.
#[derive(Debug)]
pub(super) struct OptionList<'a> {
    /// The rows it takes.
    pub(super) rows: Range<usize>,
    /// The options that are drawn.
    items: Vec<Item<'a>>,
    /// True when the first one is out of view.
    pub(super) clipped: bool,
}

/// One option with the rows it was read from.
#[derive(Debug)]
struct Item<'a> {
    marked: bool,
    checked: Option<bool>,
    number: u32,
    label: Span<'a>,
    /// The rows below it that belong to it.
    below: Vec<Span<'a>>,
}

/// The parts of one row.
#[derive(Debug, Clone, Copy)]
struct Row<'a> {
    marked: bool,
    checked: Option<bool>,
    number: u32,
    dot: u16,
    label: Span<'a>,
}

impl<'a> OptionList<'a> {
    /// Finds the lowest list. One without a mark counts only where the row with the mark may be out of view.
    pub(super) fn find(inside: &[Span<'a>]) -> Option<Self> {
        let rows: Vec<Option<Row<'a>>> = inside.iter().map(|span| row(*span)).collect();
        let mut end = rows.len();
        while let Some(last) = rows[..end].iter().rposition(Option::is_some) {
            let first = run_start(&rows, inside, last);
            let list = Self::between(&rows, inside, first, last);
            let marks = list.items.iter().filter(|item| item.marked).count();
            if marks == 1 || marks == 0 && list.clipped {
                return Some(list);
            }
            end = first;
        }
        None
    }

    fn between(rows: &[Option<Row<'a>>], inside: &[Span<'a>], first: usize, last: usize) -> Self {
        let mut items: Vec<Item<'a>> = Vec::new();
        let mut dot = 0;
        let mut end = last + 1;
        for at in first..inside.len() {
            match rows[at].filter(|_| at <= last) {
                Some(row) => {
                    dot = row.dot;
                    let Row { marked, checked, number, label, .. } = row;
                    items.push(Item { marked, checked, number, label, below: Vec::new() });
                }
                None if at > last && inside[at].column().is_none_or(|column| column <= dot) => break,
                None => {
                    items.last_mut().into_iter().for_each(|item| item.below.push(inside[at]));
                    end = end.max(at + 1);
                }
            }
        }
        let clipped = items.first().is_some_and(|item| item.number > 1);
        Self { rows: first..end, items, clipped }
    }

    /// The row the cursor is on.
    pub(super) fn selected(&self) -> Option<usize> {
        self.items.iter().position(|item| item.marked)
    }

    /// True when the options have boxes to check.
    pub(super) fn is_multi(&self) -> bool {
        self.items.iter().any(|item| item.checked.is_some())
    }

    /// The options. The last one of a question takes text; `width` is that of a line.
    pub(super) fn options(&self, takes_text: bool, width: usize) -> Vec<SightedOption> {
        let last = self.items.len() - 1;
        let option = |(at, item): (usize, &Item<'_>)| {
            if takes_text && at == last && item.below.iter().all(|span| span.is_blank()) {
                text_option(item)
            } else {
                plain_option(item, width)
            }
        };
        self.items.iter().enumerate().map(option).collect()
    }
}

/// The first row of the run of numbers that ends with row `last`.
fn run_start(rows: &[Option<Row<'_>>], inside: &[Span<'_>], last: usize) -> usize {
    let Some(mut lower) = rows[last] else { return last };
    let mut start = last;
    for at in (0..last).rev() {
        if let Some(row) = rows[at] {
            let aligned = row.dot == lower.dot || (row.number < 10) != (lower.number < 10);
            if !aligned || row.number + 1 != lower.number || row.checked.is_some() != lower.checked.is_some() {
                break;
            }
            (start, lower) = (at, row);
        } else if inside[at].column().is_none_or(|column| column <= lower.dot) {
            break;
        }
    }
    start
}

/// Reads a row: a sign, a box, a number, a label; sign and box may be missing.
fn row(span: Span<'_>) -> Option<Row<'_>> {
    let first = span.first()?;
    let plain = first.ch.is_ascii_digit() || first.ch == '[';
    let rest = if plain {
        span.from(first.column)
    } else {
        let rest = span.from(first.column + u16::from(first.width.max(1)));
        let apart = rest.cells().first().is_some_and(|cell| cell.ch == ' ');
        if first.ch.is_alphanumeric() || !apart {
            return None;
        }
        rest.from(rest.column()?)
    };
    let mut cells = rest.cells().iter().map(|cell| cell.ch);
    let (checked, rest) = match (cells.next(), cells.next(), cells.next()) {
        (Some('['), Some(mark), Some(']')) if !mark.is_alphanumeric() || matches!(mark, 'x' | 'X') => {
            let behind = rest.from(rest.column()? + 3);
            (Some(mark != ' '), behind.from(behind.column()?))
        }
        _ => (None, rest),
    };
    if !rest.glyph()?.is_ascii_digit() {
        return None;
    }
    let row = numbered_row(rest)?;
    Some(Row { marked: !plain, checked, number: row.number, dot: row.dot, label: row.label })
}

fn plain_option(item: &Item<'_>, width: usize) -> SightedOption {
    let mut label = item.label.text();
    let mut rows = item.below.iter().filter(|span| !span.is_blank()).peekable();
    // Old versions wrap a label, new ones cut it. A description is drawn fainter.
    let mut line = label.clone();
    let room = width.saturating_sub(usize::from(item.label.column().unwrap_or(0)));
    let faint = |span: &Span<'_>| span.first().is_some_and(|cell| cell.style.dim);
    while let Some(span) =
        rows.next_if(|span| !faint(span) && span.color() == item.label.color() && is_wrap(&line, &span.text(), room))
    {
        line = span.text();
        label = format!("{label} {line}");
    }
    let description: Vec<String> = rows.map(|span| span.text()).collect();
    // The answer given before, on a tab that was left and entered again.
    let given = label.strip_suffix(" ✓").map(|before| before.trim_end().to_owned());
    let chosen = given.is_some().then_some(true);
    let label = given.unwrap_or(label);
    let (words, hint) = split_hint(&label);
    SightedOption {
        label: words.to_owned(),
        description: (!description.is_empty()).then(|| description.join(" ")),
        checked: item.checked.or(chosen),
        number: Some(item.number.to_string()),
        hint: hint.map(str::to_owned),
        ..SightedOption::default()
    }
}

/// While the cursor is on it, the field shows a sign and what was typed, or its suggestion in a colour.
fn text_option(item: &Item<'_>) -> SightedOption {
    let label = item.label.text();
    let typed = item.label.column().map(|column| item.label.from(column + 1));
    let field = match typed.filter(|_| item.marked && item.label.glyph() == Some('>')) {
        Some(typed) => {
            let suggested = typed
                .drawn()
                .find(|cell| !cell.style.inverse && cell.style.bg == Color::Default)
                .is_none_or(|cell| cell.style.dim || cell.style.fg != Color::Default);
            let shown = typed.text().replace('\u{200b}', "").trim_end().to_owned();
            let (placeholder, value) = if suggested { (Some(shown), String::new()) } else { (None, shown) };
            SightedText { placeholder, value, focused: true, ..SightedText::default() }
        }
        // What was typed stays when the cursor leaves it: with its box checked, or with the sign of an answer that was given.
        None => match label.strip_suffix('✓').or(Some(label.as_str()).filter(|_| item.checked == Some(true))) {
            Some(typed) => SightedText { value: typed.trim_end().to_owned(), ..SightedText::default() },
            None => SightedText { placeholder: Some(label.clone()), ..SightedText::default() },
        },
    };
    let label = field.placeholder.clone().filter(|shown| !shown.is_empty()).unwrap_or_else(|| field.value.clone());
    let given = item.label.last().filter(|cell| cell.ch == '✓').map(|_| true);
    SightedOption {
        label,
        checked: item.checked.or(given),
        number: Some(item.number.to_string()),
        text: Some(field),
        ..SightedOption::default()
    }
}
