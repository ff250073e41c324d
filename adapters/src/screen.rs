//! What a terminal shows: rows of styled cells, the cursor, the title and a few flags.
//!
//! A [`Screen`] is made from one [`Capture`], that is `tmux capture-pane -e` and what tmux knows beside it. It never fails:
//! unknown escape sequences are skipped, missing rows are empty. It holds the visible screen only, never the scrollback.

mod parse;
#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};
use shared_types::{ScreenCursor, ScreenFrame, ScreenRun};

/// One look at a pane, as the terminal server tells it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Capture {
    /// The visible rows with SGR codes, separated by line feeds.
    pub text: String,
    /// Width in columns.
    pub cols: u16,
    /// Height in rows.
    pub rows: u16,
    /// Where the cursor is.
    pub cursor: Cursor,
    /// The title the program gave its terminal.
    pub title: String,
    /// True while the program uses the alternate screen.
    pub alternate: bool,
    /// How the terminal line discipline is set, where it could be asked.
    pub tty: Option<TtyMode>,
    /// What the program in the foreground was waiting for, where it could be asked.
    pub foreground: Option<Foreground>,
    /// Set once the program has ended.
    pub exit: Option<Exit>,
}

/// Where the cursor is; column and row count from 0.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Cursor {
    /// Column.
    pub x: u16,
    /// Row.
    pub y: u16,
    /// False when the program hides it.
    pub visible: bool,
}

/// How the terminal's line discipline is set: what tells a password from a menu when the words do not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TtyMode {
    /// Typed characters are shown by the terminal itself.
    pub echo: bool,
    /// Input arrives line by line; false when the program takes single keys.
    pub canonical: bool,
}

/// What the program in the foreground of a terminal was waiting for when the screen was captured: the witness that tells a
/// question from output that only looks like one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Foreground {
    /// It is blocked in a read of its terminal: it waits for input, surely.
    Reads,
    /// It waits for several things at once, and its terminal may be among them.
    Polls,
    /// It works, or waits for something that is not its terminal: nobody is asked anything.
    Elsewhere,
}

/// How a program ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exit {
    /// Its exit status, where it is known.
    pub status: Option<i32>,
}

/// What a terminal shows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Screen {
    /// Width in columns.
    pub cols: u16,
    /// Exactly as many as the screen is high.
    pub lines: Vec<Line>,
    /// Where the cursor is.
    pub cursor: Cursor,
    /// The title the program gave its terminal.
    pub title: String,
    /// True while the program uses the alternate screen.
    pub alternate: bool,
    /// How the line discipline is set, where known.
    pub tty: Option<TtyMode>,
    /// What the program in the foreground was waiting for, where known.
    pub foreground: Option<Foreground>,
    /// Set once the program has ended.
    pub exit: Option<Exit>,
}

/// One row: its cells, and the same as text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Line {
    /// Every drawn cell from the left; blanks at the end that have no style are left out.
    pub cells: Vec<Cell>,
    /// The characters of the cells, blanks at the end left out.
    pub text: String,
}

/// One character with its place and style. A combining mark is a cell of width 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cell {
    /// The character.
    pub ch: char,
    /// The column it begins in.
    pub column: u16,
    /// How many columns it takes: 0, 1 or 2.
    pub width: u8,
    /// How it looks.
    pub style: Style,
}

/// How a cell looks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "these are the terminal's own attributes")]
#[expect(missing_docs, reason = "each name is the attribute's own")]
pub struct Style {
    pub fg: Color,
    pub bg: Color,
    pub bold: bool,
    pub dim: bool,
    pub italic: bool,
    pub underline: bool,
    pub inverse: bool,
    pub strike: bool,
}

/// A colour.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Color {
    /// The terminal's own.
    #[default]
    Default,
    /// One of the palette of 256.
    Indexed(u8),
    /// Red, green, blue.
    Rgb(u8, u8, u8),
}

impl Screen {
    /// Makes a screen of a capture. Total: any text and any size give a screen.
    #[must_use]
    pub fn from_capture(capture: &Capture) -> Self {
        Self {
            cols: capture.cols,
            lines: parse::lines(&capture.text, usize::from(capture.rows)),
            cursor: capture.cursor,
            title: capture.title.clone(),
            alternate: capture.alternate,
            tty: capture.tty,
            foreground: capture.foreground,
            exit: capture.exit,
        }
    }

    /// The text of a row; empty beyond the end.
    #[must_use]
    pub fn text(&self, row: usize) -> &str {
        self.lines.get(row).map_or("", |line| line.text.as_str())
    }

    /// The lowest row that shows anything.
    #[must_use]
    pub fn last_row(&self) -> Option<usize> {
        self.lines.iter().rposition(|line| !line.text.is_empty())
    }

    /// The whole text, row by row, without the empty rows at the end.
    #[must_use]
    pub fn plain_text(&self) -> String {
        let end = self.last_row().map_or(0, |row| row + 1);
        self.lines.iter().take(end).map(|line| line.text.as_str()).collect::<Vec<_>>().join("\n")
    }

    /// The screen as the page shows it.
    #[must_use]
    pub fn frame(&self) -> ScreenFrame {
        let drawn = self.lines.iter().rposition(|line| !line.cells.is_empty()).map_or(0, |row| row + 1);
        ScreenFrame {
            cols: self.cols,
            rows: u16::try_from(self.lines.len()).unwrap_or(u16::MAX),
            lines: self.lines.iter().take(drawn).map(Line::runs).collect(),
            cursor: ScreenCursor { x: self.cursor.x, y: self.cursor.y, visible: self.cursor.visible },
            asks: None,
        }
    }
}

impl Line {
    /// The first cell that is not a blank.
    #[must_use]
    pub fn first_drawn(&self) -> Option<&Cell> {
        self.cells.iter().find(|cell| cell.ch != ' ')
    }

    /// True when nothing is drawn on it.
    #[must_use]
    pub fn is_blank(&self) -> bool {
        self.first_drawn().is_none()
    }

    /// The column of the first drawn character.
    #[must_use]
    pub fn indent(&self) -> Option<u16> {
        self.first_drawn().map(|cell| cell.column)
    }

    /// The column behind the last drawn character.
    #[must_use]
    pub fn end(&self) -> u16 {
        let last = self.cells.iter().rfind(|cell| cell.ch != ' ');
        last.map_or(0, |cell| cell.column.saturating_add(u16::from(cell.width)))
    }

    /// True when everything drawn on this row is dim, as ghost text is. An empty row is not.
    #[must_use]
    pub fn is_dim(&self) -> bool {
        let mut drawn = self.cells.iter().filter(|cell| cell.ch != ' ').peekable();
        drawn.peek().is_some() && drawn.all(|cell| cell.style.dim)
    }

    /// The text from a column on, blanks at the end left out.
    #[must_use]
    pub fn text_from(&self, column: u16) -> String {
        let text: String = self.cells.iter().filter(|cell| cell.column >= column).map(|cell| cell.ch).collect();
        text.trim_end().to_owned()
    }

    fn runs(&self) -> Vec<ScreenRun> {
        let mut runs: Vec<(Style, ScreenRun)> = Vec::new();
        for cell in &self.cells {
            match runs.last_mut() {
                Some((style, run)) if *style == cell.style => run.text.push(cell.ch),
                _ => runs.push((cell.style, cell.style.run(cell.ch))),
            }
        }
        runs.into_iter().map(|(_, run)| run).collect()
    }
}

impl Style {
    fn run(self, first: char) -> ScreenRun {
        ScreenRun {
            text: first.to_string(),
            fg: self.fg.to_wire(),
            bg: self.bg.to_wire(),
            bold: self.bold,
            dim: self.dim,
            italic: self.italic,
            underline: self.underline,
            inverse: self.inverse,
            strike: self.strike,
        }
    }
}

impl Color {
    fn to_wire(self) -> Option<String> {
        match self {
            Color::Default => None,
            Color::Indexed(index) => Some(index.to_string()),
            Color::Rgb(red, green, blue) => Some(format!("#{red:02x}{green:02x}{blue:02x}")),
        }
    }
}
