//! The block that a dialog stands in: rows with a bar at their left and a ground of their own, the last thing on the screen.
//!
//! The same bar begins messages, output of tools and the composer; its colour and what is below tell them apart. To the right of
//! the block there may be a side bar, whose ground is another one.

use std::ops::Range;

use crate::{
    Screen,
    screen::{Cell, Color, Line},
};

/// The left side of every block.
pub(super) const BAR: char = '┃';

/// The lowest block of a screen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Panel {
    /// Its rows, those of its padding included.
    pub(super) rows: Range<usize>,
    /// The first column behind the bar.
    pub(super) left: u16,
    /// The column behind its last one.
    pub(super) right: u16,
}

/// One row of a panel. Its columns count from the panel's left.
#[derive(Debug, Clone)]
pub(super) struct Row<'a> {
    cells: Vec<&'a Cell>,
    left: u16,
}

/// Drawn words with at least two blanks on either side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Segment {
    /// The words.
    pub(super) text: String,
    /// The colour behind the first of them.
    pub(super) ground: Color,
    /// True when they have more than one colour, as a key and what it does.
    pub(super) mixed: bool,
}

impl Panel {
    /// The lowest block with a bar, when nothing is below it.
    pub(super) fn lowest(screen: &Screen) -> Option<Self> {
        /// Dialogs are set in by two columns.
        const MAX_BAR: u16 = 4;
        let bar = |row: usize| screen.lines.get(row).and_then(|line| bar_of(line)).filter(|bar| bar.column <= MAX_BAR);
        let last = (0..screen.lines.len()).rev().find(|row| bar(*row).is_some())?;
        let edge = *bar(last)?;
        let same =
            |row: &usize| bar(*row).is_some_and(|bar| bar.column == edge.column && bar.style.fg == edge.style.fg);
        let start = (0..=last).rev().take_while(same).last()?;
        let left = edge.column + 1;
        let right = right_edge(&screen.lines[start], edge.column, screen.cols);
        let is_blank = |line: &Line| line.cells.iter().all(|cell| cell.ch == ' ' || cell.column >= right);
        let panel = Self { rows: start..last + 1, left, right };
        screen.lines[last + 1..].iter().all(is_blank).then_some(panel)
    }

    /// The rows of an interface without bars: all below what begins at the left edge.
    pub(super) fn bare(screen: &Screen) -> Option<Self> {
        let last = screen.last_row()?;
        let said = |row: &usize| screen.lines[*row].indent().is_some_and(|indent| indent < 2);
        let start = (0..=last).rev().find(said).map_or(0, |row| row + 1);
        (start <= last).then_some(Self { rows: start..last + 1, left: 0, right: screen.cols })
    }

    /// A row of it.
    pub(super) fn row<'a>(&self, screen: &'a Screen, row: usize) -> Row<'a> {
        let cells = screen.lines.get(row).map_or(&[][..], |line| &line.cells);
        let inside = cells.iter().filter(|cell| cell.column >= self.left && cell.column < self.right);
        Row { cells: inside.collect(), left: self.left }
    }

    /// How many columns its text may take.
    pub(super) fn text_width(&self) -> usize {
        /// Two before the text and three behind it.
        const MARGINS: u16 = 5;
        usize::from(self.right.saturating_sub(self.left).saturating_sub(MARGINS))
    }

    /// Where the cursor is, as row and column, when it is shown inside.
    pub(super) fn cursor(&self, screen: &Screen) -> Option<(usize, u16)> {
        let (row, column) = (usize::from(screen.cursor.y), screen.cursor.x);
        let inside = self.rows.contains(&row) && (self.left..=self.right).contains(&column);
        (screen.cursor.visible && inside).then(|| (row, column - self.left))
    }
}

/// The bar that a row begins with.
pub(super) fn bar_of(line: &Line) -> Option<&Cell> {
    line.first_drawn().filter(|cell| cell.ch == BAR)
}

/// Where the ground of the page begins again. Without a ground of its own the block ends at the side bar.
fn right_edge(line: &Line, bar: u16, cols: u16) -> u16 {
    /// Wider terminals have a side bar of this width.
    const SIDE_BAR: u16 = 42;
    const WIDE: u16 = 120;
    let ground = |column: u16| line.cells.iter().find(|cell| cell.column == column).map(|cell| cell.style.bg);
    let page = bar.checked_sub(1).and_then(ground).unwrap_or_default();
    let own = ground(bar + 1).unwrap_or_default();
    let limit = if cols > WIDE { cols - SIDE_BAR } else { cols };
    if own == page {
        return limit;
    }
    let end = line.cells.iter().find(|cell| cell.column > bar + 1 && cell.style.bg == page);
    let drawn = line.cells.last().map_or(limit, |cell| cell.column.saturating_add(1));
    end.map_or(drawn, |cell| cell.column)
}

impl Row<'_> {
    /// What is drawn, from the panel's left on, blanks at the end left out.
    pub(super) fn text(&self) -> String {
        self.text_from(0)
    }

    /// What is drawn from a column on.
    pub(super) fn text_from(&self, column: u16) -> String {
        let text: String = self.cells.iter().filter(|cell| self.column(cell) >= column).map(|cell| cell.ch).collect();
        text.trim_end().to_owned()
    }

    /// What is drawn, without blanks at either end.
    pub(super) fn words(&self) -> String {
        self.text().trim().to_owned()
    }

    /// The column of the first drawn cell.
    pub(super) fn indent(&self) -> Option<u16> {
        self.first().map(|cell| self.column(cell))
    }

    /// The first drawn cell.
    pub(super) fn first(&self) -> Option<&Cell> {
        self.cells.iter().copied().find(|cell| cell.ch != ' ')
    }

    /// True when nothing is drawn.
    pub(super) fn is_blank(&self) -> bool {
        self.first().is_none()
    }

    /// The colour of the first drawn cell from a column on.
    pub(super) fn colour_at(&self, column: u16) -> Option<Color> {
        self.cells.iter().find(|cell| cell.ch != ' ' && self.column(cell) >= column).map(|cell| cell.style.fg)
    }

    /// The row's own ground, which what is selected stands out from.
    pub(super) fn ground(&self) -> Color {
        self.cells.first().map(|cell| cell.style.bg).unwrap_or_default()
    }

    /// The words of the row in pieces.
    pub(super) fn segments(&self) -> Vec<Segment> {
        let mut segments: Vec<Vec<&Cell>> = Vec::new();
        let mut blanks = 2;
        for cell in &self.cells {
            if cell.ch == ' ' {
                blanks += 1;
                continue;
            }
            if blanks >= 2 {
                segments.push(Vec::new());
            }
            if let Some(segment) = segments.last_mut() {
                segment.push(cell);
            }
            blanks = 0;
        }
        segments.iter().filter_map(|cells| self.segment(cells)).collect()
    }

    /// True for a row that tells keys: pieces of a key and what it does.
    pub(super) fn tells_keys(&self) -> bool {
        let numbered = self.first().is_some_and(|cell| cell.ch.is_ascii_digit());
        !numbered && self.segments().iter().any(|segment| segment.mixed)
    }

    fn segment(&self, cells: &[&Cell]) -> Option<Segment> {
        let (first, last) = (cells.first()?, cells.last()?);
        let within = |cell: &&&Cell| cell.column >= first.column && cell.column <= last.column;
        let text = self.cells.iter().filter(within).map(|cell| cell.ch).collect();
        let mixed = cells.iter().any(|cell| cell.style.fg != first.style.fg);
        Some(Segment { text, ground: first.style.bg, mixed })
    }

    fn column(&self, cell: &Cell) -> u16 {
        cell.column.saturating_sub(self.left)
    }
}
