//! The box of a dialog: it takes the place of the composer, over the whole width, down to the last row. A box that is quoted in the
//! conversation stands further in and has the composer below it.

use std::ops::Range;

use super::lines;
use crate::{
    Screen,
    layout::strokes::{is_lower_corner, is_upper_corner, is_vertical},
    screen::Line,
};

/// The box as it stands on the screen.
pub(super) struct Frame {
    /// Its rows, edges included.
    pub(super) rows: Range<usize>,
    /// False when its top is not on the screen.
    pub(super) has_top: bool,
    /// What is in it, from its first column on; the edges and the margin are left out.
    pub(super) inside: Vec<Line>,
    /// How many columns that has.
    pub(super) width: u16,
}

/// The columns that an edge and its margin take.
const MARGIN: u16 = 2;

/// Finds it.
pub(super) fn find(screen: &Screen) -> Option<Frame> {
    let last = screen.last_row()?;
    let width = screen.cols.checked_sub(2 * MARGIN).filter(|width| *width > 0)?;
    if !has_edges(screen, last, is_lower_corner) {
        return None;
    }
    let mut top = last;
    let mut has_top = false;
    while let Some(row) = top.checked_sub(1) {
        has_top = has_edges(screen, row, is_upper_corner);
        if !has_top && !has_edges(screen, row, is_vertical) {
            break;
        }
        top = row;
        if has_top {
            break;
        }
    }
    let first = if has_top { top + 1 } else { top };
    let inside = screen.lines.get(first..last)?;
    let inside = inside.iter().map(|line| lines::inner(line, MARGIN, MARGIN + width)).collect();
    Some(Frame { rows: top..last + 1, has_top, inside, width })
}

/// True when the row begins and ends with such a stroke, over the whole width.
fn has_edges(screen: &Screen, row: usize, is_edge: fn(char) -> bool) -> bool {
    let Some(line) = screen.lines.get(row) else { return false };
    let first = line.first_drawn().filter(|cell| cell.column == 0 && is_edge(cell.ch));
    let last = line.cells.iter().rfind(|cell| cell.ch != ' ').filter(|cell| is_edge(cell.ch));
    first.is_some() && last.is_some() && line.end() == screen.cols && screen.cols > 1
}

impl Frame {
    /// The row of the screen of a row inside.
    pub(super) fn screen_row(&self, inside: usize) -> usize {
        self.rows.start + usize::from(self.has_top) + inside
    }
}

/// The cursor's place inside, where it is shown there.
pub(super) fn cursor(screen: &Screen, frame: &Frame) -> Option<(usize, u16)> {
    let row = usize::from(screen.cursor.y).checked_sub(frame.screen_row(0))?;
    let column = screen.cursor.x.checked_sub(MARGIN)?;
    (screen.cursor.visible && row < frame.inside.len()).then_some((row, column))
}
