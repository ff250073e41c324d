//! Line work as Claude Code draws: rows without their frame, rules, lines of key hints, and words re-joined over wraps. It
//! never decides what a row means.

use crate::{
    layout::strokes::{is_horizontal, is_lower_corner, is_upper_corner, is_vertical},
    screen::{Cell, Color, Screen},
};

/// What a row is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RowKind {
    /// Nothing is drawn.
    Blank,
    /// A solid line across the screen; a short caption in it does no harm.
    Rule,
    /// A dashed line across the screen.
    Dashes,
    /// The upper edge of a frame.
    FrameTop,
    /// The lower edge of a frame.
    FrameBottom,
    /// Anything else.
    Text,
}

/// One row of a screen, without the blanks around it and without the frame it stands in.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row<'a> {
    /// Its place on the screen.
    pub(super) index: usize,
    /// From the first drawn cell to the last. The text cursor, a blank in inverse, counts as drawn.
    pub(super) cells: &'a [Cell],
    /// What it is made of.
    pub(super) kind: RowKind,
    /// True inside a frame, `│ so │`.
    pub(super) framed: bool,
    /// Everything drawn, the frame included.
    pub(super) raw: &'a [Cell],
}

/// Every row of a screen. A line is one of Claude's own only where Claude draws it: over the full width from the first column on,
/// or, in a panel that itself begins with such a line, set in alike at both sides. Whatever a command or a file draws stands
/// further in, and is text. A pane that has just grown is wider than what is drawn.
pub(super) fn rows(screen: &Screen) -> Vec<Row<'_>> {
    let cols = screen.cols;
    let mut rows: Vec<Row<'_>> =
        screen.lines.iter().enumerate().map(|(index, line)| Row::new(index, &line.cells, cols)).collect();
    let is_line = |row: &Row<'_>| matches!(row.kind, RowKind::Rule | RowKind::Dashes);
    // A notice may hide the beginning of a panel's edge, but never its end.
    let is_panel = |row: &Row<'_>| row.start() <= 1 && row.cells.last().is_some_and(|cell| cell.ch == PANEL_EDGE);
    let edges = rows.iter().filter(|row| is_panel(row) || is_line(row) && row.start() == 0);
    let Some(width) = edges.map(|row| span(row.cells).1).max() else {
        rows.iter_mut().filter(|row| is_line(row)).for_each(|row| row.kind = RowKind::Text);
        return rows;
    };
    let mut in_panel = false;
    for row in &mut rows {
        let (start, end) = span(row.cells);
        in_panel |= is_panel(row) && end == width;
        let own = start == 0 && end == width || in_panel && start == PANEL_INSET && start + end == width;
        if is_line(row) && !own {
            row.kind = RowKind::Text;
        }
    }
    rows
}

/// How far the lines in a panel are set in.
const PANEL_INSET: u16 = 2;
/// What the upper edge of a panel is drawn with.
const PANEL_EDGE: char = '▔';

/// True for strokes that a solid line is made of.
fn is_stroke(ch: char) -> bool {
    is_horizontal(ch) || matches!(ch, '▔' | '▁' | '⎯')
}

/// True for strokes that a dashed line is made of.
fn is_dash(ch: char) -> bool {
    matches!(ch, '╌' | '╍' | '┄' | '┅' | '┈' | '┉')
}

/// True for a row that is drawn rather than written: a line or the edge of a frame, wherever it stands.
pub(super) fn is_drawing(row: &Row<'_>) -> bool {
    /// Fewer are an ornament in a text.
    const FEW: usize = 8;
    let strokes = row.cells.iter().filter(|cell| is_stroke(cell.ch) || is_dash(cell.ch)).count();
    let letters = row.cells.iter().filter(|cell| cell.ch.is_alphanumeric()).count();
    strokes >= FEW && strokes > 2 * letters
}

fn is_drawn(cell: &Cell) -> bool {
    cell.ch != ' ' || cell.style.inverse
}

/// The cells without blanks on both sides.
pub(super) fn trim(cells: &[Cell]) -> &[Cell] {
    let Some(first) = cells.iter().position(is_drawn) else { return &[] };
    let last = cells.iter().rposition(is_drawn).unwrap_or(first);
    cells.get(first..=last).unwrap_or_default()
}

/// The characters of the cells, blanks on both sides left out.
pub(super) fn text(cells: &[Cell]) -> String {
    let text: String = cells.iter().map(|cell| cell.ch).collect();
    text.trim().to_owned()
}

impl<'a> Row<'a> {
    fn new(index: usize, cells: &'a [Cell], cols: u16) -> Self {
        let cells = trim(cells);
        let row = |inner, kind, framed| Self { index, cells: inner, kind, framed, raw: cells };
        let (Some(first), Some(last)) = (cells.first(), cells.last()) else { return row(cells, RowKind::Blank, false) };
        let strokes = cells.iter().filter(|cell| is_stroke(cell.ch)).count();
        let dashes = cells.iter().filter(|cell| is_dash(cell.ch)).count();
        match (first.ch, last.ch) {
            (left, right) if strokes > 1 && is_upper_corner(left) && is_upper_corner(right) => {
                row(cells, RowKind::FrameTop, false)
            }
            (left, right) if strokes > 1 && is_lower_corner(left) && is_lower_corner(right) => {
                row(cells, RowKind::FrameBottom, false)
            }
            (left, right) if cells.len() > 2 && is_vertical(left) && is_vertical(right) => {
                let inner = trim(cells.get(1..cells.len() - 1).unwrap_or_default());
                row(inner, if inner.is_empty() { RowKind::Blank } else { RowKind::Text }, true)
            }
            // A rule begins at the left and takes most of the width; a stroke inside a sentence or a table does not.
            _ if first.column <= 4 && is_stroke(first.ch) && strokes * 2 >= usize::from(cols) => {
                row(cells, RowKind::Rule, false)
            }
            _ if first.column <= 4 && is_dash(first.ch) && dashes * 2 >= usize::from(cols) => {
                row(cells, RowKind::Dashes, false)
            }
            _ => row(cells, RowKind::Text, false),
        }
    }

    /// The column of the first drawn cell.
    pub(super) fn start(&self) -> u16 {
        self.cells.first().map_or(0, |cell| cell.column)
    }

    /// The first drawn character.
    pub(super) fn head(&self) -> Option<char> {
        self.cells.first().map(|cell| cell.ch)
    }

    /// The colour of the first drawn character.
    pub(super) fn fg(&self) -> Color {
        self.cells.first().map_or(Color::Default, |cell| cell.style.fg)
    }

    pub(super) fn is_blank(&self) -> bool {
        self.kind == RowKind::Blank
    }

    pub(super) fn is_text(&self) -> bool {
        self.kind == RowKind::Text
    }

    pub(super) fn text(&self) -> String {
        text(self.cells)
    }

    /// The same row without a bar at its left, `│ so`.
    pub(super) fn unbarred(mut self) -> Self {
        if matches!(self.head(), Some('│' | '┃' | '▎' | '▏' | '⎸')) {
            self.cells = trim(self.cells.get(1..).unwrap_or_default());
            if self.cells.is_empty() {
                self.kind = RowKind::Blank;
            }
        }
        self
    }
}

/// The columns a run of cells covers, from its first column to the one behind its last.
pub(super) fn span(cells: &[Cell]) -> (u16, u16) {
    let start = cells.first().map_or(0, |cell| cell.column);
    let end = cells.last().map_or(0, |cell| cell.column + u16::from(cell.width.max(1)));
    (start, end)
}

fn first_word(cells: &[Cell]) -> usize {
    cells.iter().take_while(|cell| cell.ch != ' ').count()
}

fn last_word(cells: &[Cell]) -> usize {
    cells.iter().rev().take_while(|cell| cell.ch != ' ').count()
}

/// How many columns a program may leave free at the right before it wraps: padding, and a blank that is itself wrapped.
const WRAP_SLACK: u16 = 4;

/// True when the next row's first word did not fit behind this one, so that both may be one wrapped line.
pub(super) fn wraps(cells: &[Cell], next: &[Cell], right: u16) -> bool {
    let (_, end) = span(cells);
    let word = u16::try_from(first_word(next)).unwrap_or(u16::MAX);
    end.saturating_add(1).saturating_add(word) > right.saturating_sub(WRAP_SLACK)
}

/// What was lost between two rows of one wrapped line: nothing when a word longer than a row was cut, else a blank.
fn joint(cells: &[Cell], next: &[Cell], right: u16) -> &'static str {
    let (start, end) = span(cells);
    let (next_start, _) = span(next);
    let full = end + 2 >= right;
    let word = last_word(cells) + first_word(next);
    // A piece left of its own line is what a terminal wraps by itself, at its very edge: the row was too long for the
    // program's own count.
    let spilt = next_start < start && end + 1 >= right;
    let cut = spilt || full && word + 2 >= usize::from(right.saturating_sub(start));
    if cut { "" } else { " " }
}

/// One line of text out of the rows it was wrapped over.
pub(super) fn join<'a>(rows: impl IntoIterator<Item = &'a [Cell]>, right: u16) -> String {
    let mut joined = String::new();
    let mut before: Option<&[Cell]> = None;
    for cells in rows.into_iter().map(trim).filter(|cells| !cells.is_empty()) {
        if let Some(before) = before {
            joined.push_str(joint(before, cells, right));
        }
        joined.push_str(&text(cells));
        before = Some(cells);
    }
    joined
}

/// Several lines of text: rows that were one wrapped line become one again, indentation beyond `left` is kept.
pub(super) fn join_lines<'a>(rows: impl IntoIterator<Item = &'a [Cell]>, left: u16, right: u16) -> String {
    let mut joined = String::new();
    let mut before: Option<&[Cell]> = None;
    for cells in rows.into_iter().map(trim) {
        let indent = usize::from(span(cells).0.saturating_sub(left));
        match before {
            None => joined.push_str(&" ".repeat(indent)),
            Some(before) if indent <= 1 && !before.is_empty() && goes_on(before, cells, right) => {
                joined.push_str(joint(before, cells, right));
            }
            Some(_) => {
                joined.push('\n');
                joined.push_str(&" ".repeat(if cells.is_empty() { 0 } else { indent }));
            }
        }
        joined.push_str(&text(cells));
        before = Some(cells);
    }
    joined.trim_end().to_owned()
}

/// True when the second row may be the rest of the first: there was no room, and it begins no item of a list.
fn goes_on(cells: &[Cell], next: &[Cell], right: u16) -> bool {
    let digits = next.iter().take_while(|cell| cell.ch.is_ascii_digit()).count();
    let item = match next.get(digits..) {
        Some([mark, blank, ..]) if blank.ch == ' ' => {
            digits > 0 && matches!(mark.ch, '.' | ')') || digits == 0 && matches!(mark.ch, '-' | '*' | '•')
        }
        _ => false,
    };
    !next.is_empty() && !item && wraps(cells, next, right)
}

/// A key and what it does, as a hint line says it: `Esc to cancel`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct KeyHint {
    /// The key in the program's words.
    pub(super) key: String,
    /// What it does.
    pub(super) action: String,
}

/// The hints of a hint line, `Enter to select · Esc to cancel`. Parts of another form are left out.
pub(super) fn key_hints(line: &str) -> Vec<KeyHint> {
    line.split(['·', '․', '•', '|']).filter_map(|part| key_hint(part.trim())).collect()
}

fn key_hint(part: &str) -> Option<KeyHint> {
    let (key, action) = part.split_once(" to ")?;
    let key = key.strip_prefix("press ").or_else(|| key.strip_prefix("Press ")).unwrap_or(key).trim();
    is_key(key).then(|| KeyHint { key: key.to_owned(), action: action.trim().to_owned() })
}

/// True for what a person calls a key: `Enter`, `shift+tab`, `↑/↓`, `Tab/Arrow keys`, `ctrl-g`, `n`, `ctrl+x ctrl+k
/// twice`.
fn is_key(name: &str) -> bool {
    const NAMES: &[&str] = &[
        "enter",
        "return",
        "esc",
        "escape",
        "tab",
        "space",
        "backspace",
        "delete",
        "arrow",
        "arrows",
        "keys",
        "key",
        "twice",
        "or",
        "home",
        "end",
        "pgup",
        "pgdn",
        "up",
        "down",
        "left",
        "right",
        "double",
        "any",
    ];
    let mut words = name.split([' ', '/', '+', '-', ',']).filter(|word| !word.is_empty()).peekable();
    words.peek().is_some()
        && words.all(|word| {
            let lower = word.to_lowercase();
            let named = NAMES.contains(&lower.as_str())
                || matches!(lower.as_str(), "ctrl" | "shift" | "alt" | "cmd" | "option");
            named || word.chars().count() == 1 || word.chars().all(|ch| matches!(ch, '←' | '→' | '↑' | '↓'))
        })
}
