//! Rows of styled characters, and how text is wrapped into them.
//!
//! One rule keeps the screen readable for the adapter: column 0 belongs to the frame. Only rules and the marks of a
//! chat entry begin there; wrapped text is always indented.

use unicode_width::UnicodeWidthChar;

/// How a character looks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Look {
    color: Option<u8>,
    bold: bool,
    dim: bool,
}

impl Look {
    pub(super) const PLAIN: Self = Self { color: None, bold: false, dim: false };
    pub(super) const BOLD: Self = Self { color: None, bold: true, dim: false };
    pub(super) const DIM: Self = Self { color: None, bold: false, dim: true };
    pub(super) const ACCENT: Self = Self { color: Some(5), bold: false, dim: false };
    pub(super) const RED: Self = Self { color: Some(1), bold: false, dim: false };
    pub(super) const GREEN: Self = Self { color: Some(2), bold: false, dim: false };
    pub(super) const YELLOW: Self = Self { color: Some(3), bold: false, dim: false };
    pub(super) const CYAN: Self = Self { color: Some(6), bold: false, dim: false };

    /// The same, bold.
    pub(super) const fn bold(self) -> Self {
        Self { bold: true, ..self }
    }

    fn codes(self) -> String {
        let mut codes = String::from("\u{1b}[0");
        if self.bold {
            codes.push_str(";1");
        }
        if self.dim {
            codes.push_str(";2");
        }
        if let Some(color) = self.color {
            codes.push_str(&format!(";3{color}"));
        }
        codes.push('m');
        codes
    }
}

/// A styled character.
pub(super) type Cell = (char, Look);

/// One row of the terminal.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Row(pub(super) Vec<Cell>);

impl Row {
    /// A row with this text behind `indent` blanks.
    pub(super) fn new(indent: usize, text: &str, look: Look) -> Self {
        Self::default().and(&" ".repeat(indent), Look::PLAIN).and(text, look)
    }

    /// The row with more text at its end.
    pub(super) fn and(mut self, text: &str, look: Look) -> Self {
        self.0.extend(styled(text, look));
        self
    }

    /// A full-width rule.
    pub(super) fn rule(width: usize, look: Look) -> Self {
        Self::new(0, &"─".repeat(width), look)
    }

    /// The row cut to a width, an ellipsis in place of what does not fit.
    pub(super) fn cut(mut self, width: usize) -> Self {
        if cells_width(&self.0) > width {
            let look = self.0.last().map_or(Look::PLAIN, |cell| cell.1);
            while cells_width(&self.0) + 1 > width && self.0.pop().is_some() {}
            self.0.push(('…', look));
        }
        self
    }

    /// The row with SGR codes, its style ended.
    pub(super) fn to_ansi(&self) -> String {
        let mut ansi = String::new();
        let mut look = Look::PLAIN;
        for (ch, next) in &self.0 {
            if *next != look {
                look = *next;
                ansi.push_str(&look.codes());
            }
            ansi.push(*ch);
        }
        if look != Look::PLAIN {
            ansi.push_str("\u{1b}[0m");
        }
        ansi
    }
}

/// Rows to show, and where the cursor stands in them as (column, row).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Drawing {
    pub(super) rows: Vec<Row>,
    pub(super) cursor: Option<(usize, usize)>,
}

/// How text is broken into rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wrap {
    /// Between words, for prose.
    Words,
    /// Wherever the row ends, for commands and code: what was there can be told exactly.
    Characters,
}

/// The text as cells of one look. Tabs and control characters become blanks.
pub(super) fn styled(text: &str, look: Look) -> impl Iterator<Item = Cell> {
    text.chars().map(move |ch| (if ch.is_control() { ' ' } else { ch }, look))
}

/// One line of markdown as cells: headings bold, `code` in colour, every character kept.
pub(super) fn markdown(line: &str) -> Vec<Cell> {
    let base = if line.starts_with('#') { Look::BOLD } else { Look::PLAIN };
    let mut code = false;
    styled(line, base)
        .map(|(ch, look)| {
            let tick = ch == '`' && !line.starts_with("```");
            let colored = code || tick;
            code ^= tick;
            (ch, if colored { Look::CYAN } else { look })
        })
        .collect()
}

/// The cells in rows of at most `width` columns, the first behind `first`, the others behind `indent` blanks.
pub(super) fn hang(first: &Row, indent: usize, cells: &[Cell], width: usize, wrap: Wrap) -> Vec<Row> {
    let room = width.saturating_sub(indent).max(1);
    let lines = match wrap {
        Wrap::Words => wrap_words(cells, room),
        Wrap::Characters => wrap_characters(cells, room),
    };
    let mut rows = Vec::with_capacity(lines.len());
    for (at, line) in lines.into_iter().enumerate() {
        let mut row = if at == 0 { first.clone() } else { Row::new(indent, "", Look::PLAIN) };
        row.0.extend(line);
        rows.push(row);
    }
    rows
}

/// How many columns a character takes.
pub(super) fn char_width(ch: char) -> usize {
    ch.width().unwrap_or(0)
}

fn cells_width(cells: &[Cell]) -> usize {
    cells.iter().map(|cell| char_width(cell.0)).sum()
}

fn wrap_characters(cells: &[Cell], width: usize) -> Vec<Vec<Cell>> {
    let mut lines = vec![Vec::new()];
    let mut used = 0;
    for cell in cells {
        let wide = char_width(cell.0);
        if used + wide > width && used > 0 {
            lines.push(Vec::new());
            used = 0;
        }
        used += wide;
        if let Some(line) = lines.last_mut() {
            line.push(*cell);
        }
    }
    lines
}

/// Breaks at the last blank that fits; a word wider than a row is broken anywhere. Earlier rows never change when more is
/// appended, which is what lets a streamed text be printed row by row.
fn wrap_words(cells: &[Cell], width: usize) -> Vec<Vec<Cell>> {
    let mut lines = Vec::new();
    let mut rest = cells;
    loop {
        let mut used = 0;
        let fits = rest.iter().take_while(|cell| {
            used += char_width(cell.0);
            used <= width
        });
        let fits = fits.count();
        if fits == rest.len() {
            lines.push(rest.to_vec());
            return lines;
        }
        let blank = rest[..=fits].iter().rposition(|cell| cell.0 == ' ').filter(|at| !is_blank(&rest[..*at]));
        let (end, next) = blank.map_or((fits.max(1), fits.max(1)), |at| (at, at + 1));
        lines.push(rest[..end].to_vec());
        rest = &rest[next..];
    }
}

fn is_blank(cells: &[Cell]) -> bool {
    cells.iter().all(|cell| cell.0 == ' ')
}
