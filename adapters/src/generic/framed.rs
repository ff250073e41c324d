//! Questions in a drawn frame at the end of the screen, as full-screen programs and `fzf --border` draw them: the frame is taken
//! away, and what is inside is read like any other screen.

use crate::{
    Screen,
    screen::{Cell, Line},
};

/// The screen without the frame around its last rows, shifted to the frame's inside; nothing where there is none.
pub(super) fn inside(screen: &Screen) -> Option<Screen> {
    if screen.tty.is_none_or(|tty| tty.canonical) {
        return None;
    }
    let bottom = screen.last_row()?;
    let left = screen.lines[bottom].first_drawn().filter(|cell| cell.ch == '╰')?.column;
    let right = screen.lines[bottom].cells.iter().rfind(|cell| cell.ch != ' ').filter(|cell| cell.ch == '╯')?.column;
    let at = |line: &Line, column: u16| line.cells.iter().find(|cell| cell.column == column).map(|cell| cell.ch);
    let top = (0..bottom).rev().find(|row| at(&screen.lines[*row], left) != Some('│'))?;
    if at(&screen.lines[top], left) != Some('╭') || right < left + 3 {
        return None;
    }
    let mut unframed = screen.clone();
    // The frame has a blank between its side and what is inside.
    let from = left + 2;
    for row in top..=bottom {
        let kept = screen.lines[row].cells.iter().filter(|cell| cell.column >= from && cell.column < right);
        let kept = kept.filter(|_| row != top && row != bottom);
        let mut cells: Vec<Cell> = kept.map(|cell| Cell { column: cell.column - from, ..*cell }).collect();
        let drawn = cells.iter().rposition(|cell| cell.ch != ' ' || cell.style != Default::default());
        cells.truncate(drawn.map_or(0, |last| last + 1));
        let text: String = cells.iter().map(|cell| cell.ch).collect();
        unframed.lines[row] = Line { cells, text: text.trim_end().to_owned() };
    }
    unframed.cols = right - from;
    if (top..=bottom).contains(&usize::from(screen.cursor.y)) {
        unframed.cursor.x = screen.cursor.x.saturating_sub(from);
    }
    Some(unframed)
}
