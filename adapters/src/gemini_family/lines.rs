//! Line work as Gemini draws: parts of rows, frames, wraps and numbered rows. It knows boxes and lists, no words and no dialog.

use std::ops::Range;

use unicode_width::UnicodeWidthStr;

use crate::{
    layout::strokes::{is_corner, is_horizontal, is_lower_corner, is_upper_corner, is_vertical},
    screen::{Cell, Color, Line, Screen},
};

/// A part of one row: its cells from one column to another.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Span<'a> {
    cells: &'a [Cell],
}

impl<'a> Span<'a> {
    /// The whole row.
    pub(crate) fn of(line: &'a Line) -> Self {
        Self { cells: &line.cells }
    }

    /// Every cell, blanks included.
    pub(crate) fn cells(self) -> &'a [Cell] {
        self.cells
    }

    /// The cells that show something.
    pub(crate) fn drawn(self) -> impl DoubleEndedIterator<Item = &'a Cell> + Clone {
        self.cells.iter().filter(|cell| !cell.ch.is_whitespace())
    }

    /// The first cell that shows something.
    pub(crate) fn first(self) -> Option<&'a Cell> {
        self.drawn().next()
    }

    /// The last cell that shows something.
    pub(crate) fn last(self) -> Option<&'a Cell> {
        self.drawn().next_back()
    }

    /// The first drawn character.
    pub(crate) fn glyph(self) -> Option<char> {
        self.first().map(|cell| cell.ch)
    }

    /// True when nothing is drawn.
    pub(crate) fn is_blank(self) -> bool {
        self.first().is_none()
    }

    /// The column of the first drawn cell.
    pub(crate) fn column(self) -> Option<u16> {
        self.first().map(|cell| cell.column)
    }

    /// The part from a column on.
    pub(crate) fn from(self, column: u16) -> Self {
        let at = self.cells.partition_point(|cell| cell.column < column);
        Self { cells: self.cells.get(at..).unwrap_or_default() }
    }

    /// The part before a column.
    pub(crate) fn before(self, column: u16) -> Self {
        let at = self.cells.partition_point(|cell| cell.column < column);
        Self { cells: self.cells.get(..at).unwrap_or_default() }
    }

    /// The characters, blanks at both ends left out.
    pub(crate) fn text(self) -> String {
        self.raw_text().trim_start().to_owned()
    }

    /// The characters, blanks at the end left out.
    pub(crate) fn raw_text(self) -> String {
        let mut text: String = self.cells.iter().map(|cell| cell.ch).collect();
        text.truncate(text.trim_end().len());
        text
    }

    /// The cursor a program draws itself: one cell in inverse video. More of them are an emphasis.
    pub(crate) fn cursor(self) -> Option<&'a Cell> {
        let mut inverse = self.cells.iter().filter(|cell| cell.style.inverse);
        inverse.next().filter(|_| inverse.next().is_none())
    }

    /// The colour of the first drawn character that is not the drawn cursor.
    pub(crate) fn color(self) -> Option<Color> {
        self.drawn().find(|cell| !cell.style.inverse).map(|cell| cell.style.fg)
    }
}

/// A box around the lowest part of a screen.
#[derive(Debug, Clone)]
pub(crate) struct Frame<'a> {
    /// Its rows on the screen, borders included.
    pub(crate) rows: Range<usize>,
    /// The column of its left border.
    pub(crate) left: u16,
    /// What is inside, row by row.
    pub(crate) inside: Vec<Span<'a>>,
    /// True when its upper border is on the screen.
    pub(crate) topped: bool,
    /// The colour of its border.
    pub(crate) color: Color,
    /// How many columns a text line inside can have, paddings taken off.
    pub(crate) width: usize,
}

impl<'a> Frame<'a> {
    /// The lowest frame above the row `end` whose left border is no further in than `max_left`.
    pub(crate) fn lowest(screen: &'a Screen, end: usize, max_left: u16) -> Option<Self> {
        let bottom = screen.lines.get(..end)?.iter().rposition(|line| {
            let span = Span::of(line);
            is_lower_border(span) && span.column().is_some_and(|column| column <= max_left)
        })?;
        Self::ending_at(screen, bottom)
    }

    fn ending_at(screen: &'a Screen, bottom: usize) -> Option<Self> {
        let border = without_scroll_bar(Span::of(screen.lines.get(bottom)?));
        let Cell { column: left, style, .. } = *border.first()?;
        let closed = border.last().is_some_and(|cell| is_corner(cell.ch));
        let right = border.last().map_or(left, |cell| if closed { cell.column } else { screen.cols });
        let mut inside = Vec::new();
        let mut top = bottom;
        let mut topped = false;
        for row in (0..bottom).rev() {
            let span = Span::of(&screen.lines[row]);
            match span.first() {
                Some(cell) if cell.column == left && is_vertical(cell.ch) => {
                    let content = without_scroll_bar(span.from(left + 1));
                    let end = content.last().filter(|cell| closed && is_vertical(cell.ch));
                    inside.push(end.map_or(content, |cell| content.before(cell.column)));
                    top = row;
                }
                Some(cell) if cell.column == left && is_upper_corner(cell.ch) => {
                    top = row;
                    topped = true;
                    break;
                }
                _ => break,
            }
        }
        inside.reverse();
        let padding = inside.iter().filter_map(|span| span.column()).min().map_or(1, |column| column - left);
        let width = usize::from(right.saturating_sub(left)).saturating_sub(2 * usize::from(padding) - 1);
        Some(Self { rows: top..bottom + 1, left, inside, topped, color: style.fg, width })
    }
}

/// Takes off a scroll bar, which is drawn right behind the border of what it scrolls.
fn without_scroll_bar(span: Span<'_>) -> Span<'_> {
    let mut drawn = span.drawn().rev();
    match (drawn.next(), drawn.next()) {
        (Some(bar), Some(side))
            if matches!(bar.ch, '\u{2580}'..='\u{259f}') && (is_vertical(side.ch) || is_corner(side.ch)) =>
        {
            span.before(bar.column)
        }
        _ => span,
    }
}

/// True for a row that closes a frame below: `╰───╯`, also where the right corner is cut off.
pub(crate) fn is_lower_border(span: Span<'_>) -> bool {
    let span = without_scroll_bar(span);
    let mut drawn = span.drawn();
    drawn.next().is_some_and(|cell| is_lower_corner(cell.ch))
        && drawn.next().is_some_and(|cell| is_horizontal(cell.ch))
        && span.last().is_some_and(|cell| is_horizontal(cell.ch) || is_corner(cell.ch))
}

/// True for a row that is the upper or lower border of a frame, or a rule.
pub(crate) fn is_border(span: Span<'_>) -> bool {
    let mut drawn = span.drawn();
    match drawn.next() {
        Some(cell) if is_corner(cell.ch) => true,
        Some(cell) if is_horizontal(cell.ch) => drawn.all(|cell| is_horizontal(cell.ch)),
        _ => false,
    }
}

/// True for a rule from one side of the screen to the other.
pub(crate) fn is_rule(span: Span<'_>, cols: u16) -> bool {
    let count = span.drawn().count();
    count >= 3 && count + 4 >= usize::from(cols) && span.drawn().all(|cell| is_horizontal(cell.ch))
}

/// Takes the borders of an inner frame off a row: `│ text │` becomes ` text `.
pub(crate) fn unframed(span: Span<'_>) -> Span<'_> {
    let (Some(first), Some(last)) = (span.first(), span.last()) else { return span };
    if first.column == last.column || !is_vertical(first.ch) || !is_vertical(last.ch) {
        return span;
    }
    span.from(first.column + 1).before(last.column)
}

/// True when the row `next` looks like the end of the row `span`: a text that goes on does not change its style at a wrap.
pub(crate) fn is_alike(span: Span<'_>, next: Span<'_>) -> bool {
    let style = |cell: &Cell| (cell.style.fg, cell.style.bold, cell.style.italic);
    span.last().map(style) == next.first().map(style)
}

/// True when `next` goes on with the line `line` that was too long for `width` columns: its first word had no room there.
pub(crate) fn is_wrap(line: &str, next: &str, width: usize) -> bool {
    let word = next.split_whitespace().next().unwrap_or_default();
    !line.is_empty() && !word.is_empty() && line.width() + 1 + word.width() > width
}

/// Joins rows to the lines they were before they were wrapped at `width` columns. Rows that are lines of their own stay so.
pub(crate) fn join_wraps<'t>(rows: impl IntoIterator<Item = &'t str>, width: usize) -> String {
    let mut joined = String::new();
    let mut line = "";
    for (count, row) in rows.into_iter().enumerate() {
        if count > 0 {
            if !is_wrap(line, row, width) {
                joined.push('\n');
            } else if !is_broken_word(line, row, width) {
                joined.push(' ');
            }
        }
        joined.push_str(row);
        line = row;
    }
    joined
}

/// True when the break between two rows is inside a word: a word longer than a row has no other place to break.
fn is_broken_word(line: &str, next: &str, width: usize) -> bool {
    let tail = line.rsplit(char::is_whitespace).next().unwrap_or_default();
    let head = next.split(char::is_whitespace).next().unwrap_or_default();
    line.width() >= width && tail.width() + head.width() > width
}

/// A row of a numbered list, such as `● 2. Label`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NumberedRow<'a> {
    /// The sign before the number, and the column it is in.
    pub(crate) marker: Option<(char, u16)>,
    /// The number.
    pub(crate) number: u32,
    /// The column of the dot behind the number. Equal for all rows of a list, because numbers are aligned to the right.
    pub(crate) dot: u16,
    /// True when the number stands on a background of its own.
    pub(crate) lit: bool,
    /// All behind the dot.
    pub(crate) label: Span<'a>,
}

/// Reads a row of a numbered list.
pub(crate) fn numbered_row(span: Span<'_>) -> Option<NumberedRow<'_>> {
    let first = span.first()?;
    let (marker, rest) = if first.ch.is_ascii_digit() {
        (None, span.from(first.column))
    } else {
        let rest = span.from(first.column + u16::from(first.width.max(1)));
        let apart = rest.cells().first().is_some_and(|cell| cell.ch == ' ');
        if first.ch.is_alphanumeric() || !apart {
            return None;
        }
        (Some((first.ch, first.column)), rest.from(rest.column()?))
    };
    let digits = rest.cells().iter().take_while(|cell| cell.ch.is_ascii_digit()).count();
    // Four digits are a year, not the number of an option.
    if !(1..=3).contains(&digits) {
        return None;
    }
    let number = rest.cells()[..digits].iter().fold(0, |sum, cell| sum * 10 + cell.ch.to_digit(10).unwrap_or(0));
    let dot = rest.cells().get(digits).filter(|cell| matches!(cell.ch, '.' | ')'))?;
    let label = rest.from(dot.column + 1);
    if label.cells().first().is_some_and(|cell| cell.ch != ' ') {
        return None;
    }
    let lit = rest.cells()[0].style.bg != Color::Default;
    Some(NumberedRow { marker, number, dot: dot.column, lit, label })
}
