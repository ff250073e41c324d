//! Where a dialog begins: the rows above its list that belong to it.
//!
//! A title stands out (bold, or a dim count such as `Question 1/2`). Blocks of one dialog are
//! one blank row apart, the dialog is two blank rows apart from the conversation; but a body may hold blank rows of its own,
//! so the title decides where there is one.

use std::ops::Range;

use crate::{
    Screen,
    codex::{
        dialog::{GlyphRow, glyph_row, is_said},
        lines,
    },
    screen::Line,
};

/// The rows above `list_start` that belong to the dialog.
pub(super) fn above(screen: &Screen, list_start: usize) -> Range<usize> {
    let limit = conversation_end(screen, list_start);
    let mut title: Option<usize> = None;
    let mut row = list_start;
    let mut blanks = 0;
    let mut met_text = false;
    let mut crossed_gap = false;
    while row > limit {
        row -= 1;
        let Some(line) = screen.lines.get(row) else { break };
        if line.is_blank() {
            blanks += 1;
            // Two blank rows above a block that holds the title end the dialog.
            if blanks > 1 && met_text {
                if title.is_some() {
                    break;
                }
                crossed_gap = true;
            }
            continue;
        }
        blanks = 0;
        met_text = true;
        let is_heading = glyph_row(screen, row) == Some(GlyphRow::Heading);
        // The highest row that stands out is the title; below it, a value in bold may stand out as well.
        if is_title(line) || is_heading {
            title = Some(row);
            if is_count(line) || is_heading {
                break;
            }
        }
    }
    // Further up there may be a title too, but of the conversation: only a command may have such gaps inside.
    let title = title.filter(|title| !crossed_gap || has_command(screen, *title..list_start));
    let start = title.unwrap_or_else(|| untitled(screen, list_start));
    start..list_start
}

/// True when a dialog that begins in this row shows its title, so that nothing above it is missing.
pub(super) fn is_titled(screen: &Screen, row: usize) -> bool {
    let title = screen.lines.get(row).is_some_and(is_title);
    title || glyph_row(screen, row) == Some(GlyphRow::Heading)
}

/// True for the dim row that counts the pages of a dialog.
pub(super) fn is_count(line: &Line) -> bool {
    line.first_drawn().is_some_and(|cell| cell.style.dim)
        && line
            .cells
            .iter()
            .take_while(|cell| cell.ch != '(' && cell.ch != '·')
            .filter(|cell| cell.ch != ' ')
            .all(|cell| cell.style.dim)
        && lines::count(&line.text).is_some()
}

/// True for the first row of a command to run.
pub(super) fn is_command(line: &Line) -> bool {
    let mut drawn = line.cells.iter().skip_while(|cell| cell.ch == ' ');
    drawn.next().is_some_and(|cell| cell.ch == '$') && drawn.next().is_none_or(|cell| cell.ch == ' ')
}

fn has_command(screen: &Screen, rows: Range<usize>) -> bool {
    screen.lines.get(rows).is_some_and(|lines| lines.iter().any(is_command))
}

fn is_title(line: &Line) -> bool {
    let style = lines::first_style(line);
    let inset = line.indent().is_some_and(|indent| indent > 0);
    inset && (style.bold && !style.inverse || is_count(line))
}

/// The row behind the last one of the conversation: the nearest one above that is drawn in the first column, other than a
/// heading.
fn conversation_end(screen: &Screen, from: usize) -> usize {
    let ends = |row: usize| {
        let line = screen.lines.get(row);
        line.and_then(Line::indent) == Some(0) && glyph_row(screen, row) != Some(GlyphRow::Heading)
    };
    (0..from).rev().find(|row| ends(*row)).map_or(0, |row| row + 1)
}

/// Without a title that stands out: the block just above the list, and a single row above that if the block is a longer
/// text. Some dialogs of the start write at the very left edge, so only what the conversation is marked with ends them.
fn untitled(screen: &Screen, list_start: usize) -> usize {
    let Some(block) = block_above(screen, list_start) else { return list_start };
    if block.len() == 1 {
        return block.start;
    }
    let higher = block_above(screen, block.start).filter(|higher| higher.len() == 1 && block.start - higher.end == 1);
    higher.map_or(block.start, |higher| higher.start)
}

fn block_above(screen: &Screen, from: usize) -> Option<Range<usize>> {
    let drawn = |row: &usize| screen.lines.get(*row).is_some_and(|line| !line.is_blank());
    let last = (0..from).rev().find(drawn)?;
    let first = (0..=last).rev().take_while(drawn).last()?;
    let is_said = |row| is_said(screen, row);
    (!(first..=last).any(is_said)).then_some(first..last + 1)
}
