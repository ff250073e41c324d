//! Finds the list of options that is on the screen now, numbered or not, and reads its rows.
//!
//! The list is found by its build alone: numbers that count up to the lowest one, or rows in one column around the
//! cursor. Words play no part here. What an option means is for `dialog.rs`.

use std::ops::Range;

use super::{
    lines::{Row, RowKind, join, join_lines, key_hints, span, text, trim, wraps},
    mark::{Mark, without_tick},
    preview::Preview,
    textrow,
};
use crate::{
    Offer, SightedOption,
    screen::{Cell, Color},
};

/// A list of options as it is drawn.
pub(super) struct List {
    /// The rows of the screen it takes.
    pub(super) rows: Range<usize>,
    /// The options, buttons such as `Submit` among them as such.
    pub(super) options: Vec<SightedOption>,
    /// The option the cursor is on.
    pub(super) selected: Option<usize>,
    /// True when the options have numbers.
    pub(super) numbered: bool,
    /// True when options are scrolled or clipped out of view.
    pub(super) more: bool,
    /// True when the first of them is not the first of all, and no mark says that more are above.
    pub(super) begins_late: bool,
    /// True when the cursor has a colour of its own, as a drawn one has and a quoted one has not.
    pub(super) cursor_coloured: bool,
    /// The option in front of a rule inside the list, or the last one: where a question takes free text.
    pub(super) last_own: Option<usize>,
    /// Which of the options a tick marks.
    pub(super) ticks: Vec<bool>,
    /// What is drawn beside the list.
    pub(super) preview: Option<Preview>,
}

/// The list among the rows from `floor` on, the lowest one if there are several.
pub(super) fn find(rows: &[Row<'_>], floor: usize, cols: u16) -> Option<List> {
    let marks: Vec<Mark<'_>> = rows.iter().map(Mark::of).collect();
    let cursor = (floor..rows.len()).rev().find(|&at| marks.get(at).is_some_and(|mark| mark.cursor.is_some()));
    let starts = numbered_run(rows, &marks, floor);
    let first = starts.first().copied();
    let fits = match (first, cursor) {
        (Some(first), Some(cursor)) => cursor >= first && belongs(rows, &starts, cursor),
        (Some(_), None) => true,
        (None, _) => false,
    };
    if fits { Some(numbered(rows, &marks, &starts, cols)) } else { unnumbered(rows, &marks, cursor?, floor, cols) }
}

/// True when the cursor's row is part of the numbered list: among it, directly behind it, or alone behind the rule that
/// ends it.
fn belongs(rows: &[Row<'_>], starts: &[usize], cursor: usize) -> bool {
    let Some(last) = starts.last().copied() else { return false };
    let between = rows.get(last.min(cursor)..cursor).unwrap_or_default();
    let behind_rule = cursor.checked_sub(1).is_some_and(|rule| stands_alone_behind(rows, rule));
    cursor <= last || !between.iter().any(Row::is_blank) || behind_rule
}

/// True when a rule is followed by a single row, as a list's rule is. The rule above a dialog is followed by its title.
fn stands_alone_behind(rows: &[Row<'_>], rule: usize) -> bool {
    let is = |at: usize, kind: RowKind| rows.get(at).is_some_and(|row| row.kind == kind);
    is(rule, RowKind::Rule) && is(rule + 1, RowKind::Text) && rows.get(rule + 2).is_none_or(Row::is_blank)
}

/// The rows of the lowest run of numbers that count down to 1, or as far as they are on the screen, in their order.
fn numbered_run(rows: &[Row<'_>], marks: &[Mark<'_>], floor: usize) -> Vec<usize> {
    /// Right-aligned numbers and some versions' wrapped rows stand a column or two aside.
    const DRIFT: u16 = 2;
    let mut starts: Vec<usize> = Vec::new();
    let mut wanted: Option<(u32, u16)> = None;
    for at in (floor..rows.len()).rev() {
        let (Some(row), Some(mark)) = (rows.get(at), marks.get(at)) else { break };
        let ends = match row.kind {
            RowKind::Dashes | RowKind::FrameTop | RowKind::FrameBottom => !starts.is_empty(),
            // What is above the rule over a dialog is no part of it; a rule inside a list has one row below it.
            RowKind::Rule => !stands_alone_behind(rows, at),
            _ => false,
        };
        if ends {
            break;
        }
        let Some((number, cell)) = mark.number.filter(|_| row.is_text()) else { continue };
        let next = match wanted {
            None => true,
            Some((wanted, column)) => number == wanted && cell.column.abs_diff(column) <= DRIFT,
        };
        if next {
            starts.push(at);
            if number <= 1 {
                break;
            }
            wanted = Some((number - 1, cell.column));
        }
    }
    starts.reverse();
    starts
}

fn numbered(rows: &[Row<'_>], marks: &[Mark<'_>], starts: &[usize], cols: u16) -> List {
    let first = starts.first().copied().unwrap_or(0);
    let last = starts.last().copied().unwrap_or(0);
    let preview = Preview::find(rows, first);
    let clip = |at: usize| rows.get(at).map(|row| preview.as_ref().map_or(*row, |preview| preview.clip(row)));
    let right = preview.as_ref().map_or(cols, |preview| preview.column.saturating_sub(2));
    let multi = starts.iter().any(|&at| marks.get(at).is_some_and(|mark| mark.checked.is_some()));
    let last_box = starts.iter().copied().filter(|&at| marks.get(at).is_some_and(|mark| mark.checked.is_some())).max();
    let number_fg = marks.get(first).map_or(Color::Default, Mark::number_fg);
    let mut builder = Builder::new(right);
    let mut end = last + 1;
    let mut group = 0;
    for at in first..rows.len() {
        let Some(row) = clip(at) else { break };
        if starts.contains(&at) {
            builder.option(&row);
            group = at;
            end = at + 1;
            continue;
        }
        match row.kind {
            RowKind::Text => {}
            // A list beside a preview is shorter than the preview: the rule that ends it comes further down.
            _ if at < last || preview.as_ref().is_some_and(|preview| at < preview.end) => continue,
            _ => break,
        }
        let mark = Mark::of(&row);
        let bold = row.cells.iter().all(|cell| cell.style.bold || cell.ch == ' ' || mark.cursor.is_some());
        let plain = bold || number_fg == Color::Default || row.fg() != number_fg;
        if mark.is_bare_cursor() {
            builder.select_last();
        } else if multi && last_box == Some(group) && (mark.cursor.is_some() || plain) {
            builder.button(&row);
        } else {
            builder.more(&row);
        }
        end = at + 1;
    }
    end = preview.as_ref().map_or(end, |preview| end.max(preview.end));
    // A row of the dialog's own may follow behind a rule, without a number: `Chat about this` beside a preview.
    let gap = rows.iter().skip(end).position(|row| row.kind == RowKind::Rule).map(|gap| end + gap);
    let behind = gap.filter(|&gap| rows.get(end..gap).is_some_and(|between| between.iter().all(Row::is_blank)));
    let own = behind.and_then(|gap| rows.get(gap + 1)).filter(|row| {
        let mark = Mark::of(row);
        row.is_text() && mark.number.is_none() && (mark.cursor.is_some() || row.fg() == Color::Default)
    });
    let ruled = (first..end).find(|&at| rows.get(at).is_some_and(|row| row.kind == RowKind::Rule));
    let last_own = starts.iter().filter(|&&at| ruled.is_none_or(|ruled| at < ruled)).count().checked_sub(1);
    if let Some(row) = own {
        builder.button(row);
        end = row.index + 1;
    }
    let is_later = marks.get(first).and_then(|mark| mark.number).is_some_and(|(number, _)| number > 1);
    let (more, begins_late) = (builder.more_above || is_later, is_later && !builder.more_above);
    List { begins_late, ..builder.list(first..end, true, more, last_own, preview) }
}

/// Rows in one column around the cursor. A row is a new option unless it is indented, or the one before had no room for
/// it.
fn unnumbered(rows: &[Row<'_>], marks: &[Mark<'_>], cursor: usize, floor: usize, cols: u16) -> Option<List> {
    let anchor = marks.get(cursor)?;
    let column = anchor.label_column()?;
    let cell = anchor.cursor?;
    // At the left edge the glyph begins a message, not an option.
    if cell.column == 0 || column > cell.column + 6 {
        return None;
    }
    let row_of = |at: usize| -> Option<(&Row<'_>, &Mark<'_>)> {
        let (row, mark) = (rows.get(at)?, marks.get(at)?);
        let inside = row.is_text() && mark.label_column().is_some_and(|own| own >= column);
        (inside && (at == cursor || mark.cursor.is_none())).then_some((row, mark))
    };
    let first = (floor..=cursor).rev().take_while(|&at| row_of(at).is_some()).last()?;
    let mut builder = Builder::new(cols);
    let mut end = first;
    let mut before: Option<&Row<'_>> = None;
    for at in first..rows.len() {
        let Some((row, mark)) = row_of(at) else { break };
        let lower = mark.label.first().is_some_and(|cell| cell.ch.is_lowercase() || cell.ch == '(' || cell.ch == '/');
        let goes_on = at != cursor && before.is_some_and(|before| lower && wraps(before.cells, mark.label, cols));
        if before.is_some() && (goes_on || mark.label_column().is_some_and(|own| own > column)) {
            builder.more(row);
        } else {
            builder.option(row);
        }
        before = Some(row);
        end = at + 1;
    }
    let count = builder.options.len();
    (count > 1).then(|| builder.list(first..end, false, false, count.checked_sub(1), None))
}

/// One option while its rows come in.
struct Draft<'a> {
    mark: Mark<'a>,
    /// Rows of the label behind the first.
    label: Vec<Row<'a>>,
    description: Vec<Row<'a>>,
    selected: bool,
    button: bool,
}

struct Builder<'a> {
    options: Vec<Draft<'a>>,
    right: u16,
    more_above: bool,
    cursor_coloured: bool,
}

impl<'a> Builder<'a> {
    fn new(right: u16) -> Self {
        Self { options: Vec::new(), right, more_above: false, cursor_coloured: false }
    }

    fn push(&mut self, row: &Row<'a>, button: bool) {
        let mark = Mark::of(row);
        self.more_above |= mark.scroll;
        let selected = mark.cursor.is_some();
        self.cursor_coloured |= mark.cursor.is_some_and(|cell| cell.style.fg != Color::Default);
        self.options.push(Draft { mark, label: Vec::new(), description: Vec::new(), selected, button });
    }

    fn option(&mut self, row: &Row<'a>) {
        self.push(row, false);
    }

    fn button(&mut self, row: &Row<'a>) {
        self.push(row, true);
    }

    fn select_last(&mut self) {
        self.cursor_coloured = true;
        if let Some(draft) = self.options.last_mut() {
            draft.selected = true;
        }
    }

    /// A further row of the last option: of its label when the words and the colour go on, else of its description.
    fn more(&mut self, row: &Row<'a>) {
        let right = self.right;
        let Some(draft) = self.options.last_mut() else { return };
        let mark = Mark::of(row);
        let mut row = *row;
        // Some versions draw the cursor in front of a wrapped label's second row.
        if mark.cursor.is_some() {
            draft.selected = true;
            self.cursor_coloured = true;
            row.cells = mark.label;
        }
        let before = draft.label.last().map_or(draft.mark.label, |before| before.cells);
        let colour_goes_on = before.last().map(|cell| cell.style.fg) == row.cells.first().map(|cell| cell.style.fg);
        let is_hint = key_hints(&row.text()).iter().any(|hint| row.text().starts_with(&hint.key));
        let words_go_on = wraps(before, row.cells, right) || textrow::is_focused(&draft.mark);
        if draft.description.is_empty() && colour_goes_on && words_go_on && !is_hint && columns(before).len() < 2 {
            draft.label.push(row);
        } else {
            draft.description.push(row);
        }
    }

    fn list(
        self,
        rows: Range<usize>,
        numbered: bool,
        more: bool,
        last_own: Option<usize>,
        preview: Option<Preview>,
    ) -> List {
        // 2.1.50 leaves a cursor on `Submit` when it moves further down: the lowest one counts.
        let selected = self.options.iter().rposition(|draft| draft.selected);
        let right = self.right;
        let options = self.options.iter().map(|draft| draft.option(right)).collect();
        let cursor_coloured = self.cursor_coloured;
        let ticks = self.options.iter().map(|draft| draft.mark.ticked).collect();
        List { rows, options, selected, numbered, more, begins_late: false, cursor_coloured, last_own, ticks, preview }
    }
}

impl Draft<'_> {
    fn option(&self, right: u16) -> SightedOption {
        let mark = &self.mark;
        let mut option = SightedOption {
            number: mark.number.map(|(number, _)| number.to_string()),
            checked: mark.checked.map(|(state, _)| state),
            offer: if self.button { Offer::Button } else { Offer::Offered },
            ..SightedOption::default()
        };
        let rest = self.label.iter().map(|row| row.cells);
        let description = join(self.description.iter().map(|row| row.cells), right);
        let field = (!self.button).then(|| textrow::read(mark, self.selected, rest.clone(), right)).flatten();
        if let Some(found) = field {
            option.label = found.label;
            option.text = Some(found.text);
            option.description = Some(description).filter(|text| !text.is_empty());
            return option;
        }
        let columns = columns(mark.label);
        let label = columns.first().copied().unwrap_or_default();
        option.label = join(std::iter::once(without_tick(label)).chain(rest), right);
        let beside = columns.get(1).map(|cells| text(cells)).unwrap_or_default();
        let description = [beside, description].join(" ").trim().to_owned();
        option.description = Some(description).filter(|text| !text.is_empty());
        option
    }
}

/// The cells cut where two or more blanks stand between words: a label, and a description beside it.
fn columns(cells: &[Cell]) -> Vec<&[Cell]> {
    let gap = cells.windows(2).position(|pair| pair.iter().all(|cell| cell.ch == ' ' && !cell.style.inverse));
    match gap.and_then(|gap| cells.split_at_checked(gap)) {
        Some((left, rest)) => vec![trim(left), trim(rest)],
        None => vec![cells],
    }
}

/// The words of several rows as a person would read them; used for what a text field holds.
pub(super) fn field_text<'a>(rows: impl Iterator<Item = &'a [Cell]> + Clone, right: u16) -> String {
    let left = rows.clone().next().map_or(0, |cells| span(cells).0);
    join_lines(rows, left, right)
}
