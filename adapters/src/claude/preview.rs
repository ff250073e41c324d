//! A box drawn beside a list of options, on the same rows, and the note field below it.

use super::{
    composer::typed,
    lines::{Row, RowKind, text, trim},
};
use crate::{
    SightedText,
    layout::strokes::{is_upper_corner, is_vertical},
    screen::Cell,
};

/// What is drawn beside the list.
pub(super) struct Preview {
    /// The column it begins in.
    pub(super) column: u16,
    /// The row behind its last one.
    pub(super) end: usize,
    /// What the box holds.
    pub(super) text: String,
    /// The field below the box, such as `Notes: press n to add notes`.
    pub(super) notes: Option<SightedText>,
}

impl Preview {
    /// The box whose upper edge is drawn on the list's first row.
    pub(super) fn find(rows: &[Row<'_>], first: usize) -> Option<Self> {
        let corner = rows.get(first)?.raw.windows(4).find_map(|cells| match cells {
            [a, b, c, d] if a.ch == ' ' && b.ch == ' ' && is_upper_corner(c.ch) && d.ch == '─' => Some(c.column),
            _ => None,
        })?;
        let beside = |row: &Row<'_>| -> String { text(right_of(row.raw, corner)) };
        let close = rows.iter().skip(first).position(|row| beside(row).starts_with(['└', '╰']))? + first;
        let inside = rows.get(first + 1..close).unwrap_or_default().iter().map(|row| {
            let line = beside(row);
            line.trim_start_matches(is_vertical).trim_end_matches(is_vertical).trim_end().to_owned()
        });
        let lines = inside.map(|line| line.strip_prefix(' ').unwrap_or(&line).to_owned());
        let lines = without_cut(lines.collect());
        let mut end = close + 1;
        let mut notes: Vec<&[Cell]> = Vec::new();
        for row in rows.iter().skip(close + 1) {
            let blank_left = row.raw.first().is_none_or(|cell| cell.column >= corner);
            if row.kind == RowKind::Rule || !blank_left {
                break;
            }
            notes.push(trim(right_of(row.raw, corner)));
            end = row.index + 1;
        }
        Some(Self { column: corner, end, text: lines.join("\n"), notes: field(&notes) })
    }

    /// The row without what is drawn beside the list.
    pub(super) fn clip<'a>(&self, row: &Row<'a>) -> Row<'a> {
        if row.index >= self.end || row.kind == RowKind::Rule {
            return *row;
        }
        let at = row.raw.iter().position(|cell| cell.column >= self.column).unwrap_or(row.raw.len());
        let cells = trim(row.raw.get(..at).unwrap_or_default());
        let kind = if cells.is_empty() { RowKind::Blank } else { RowKind::Text };
        Row { cells, kind, framed: false, ..*row }
    }
}

/// The lines with the row that cuts them off, `├─── ✂ ─── 3 lines hidden ───┤`, as plain words. It may itself be wrapped.
fn without_cut(mut lines: Vec<String>) -> Vec<String> {
    if let Some(at) = lines.iter().position(|line| line.starts_with('├')) {
        let words = lines.split_off(at).join(" ");
        let words = words.replace(['├', '┤', '─'], " ");
        lines.push(words.split_whitespace().collect::<Vec<_>>().join(" "));
    }
    lines
}

/// A field with a caption in front: what is typed into it, or what it suggests.
fn field(rows: &[&[Cell]]) -> Option<SightedText> {
    let first = rows.iter().find(|cells| !cells.is_empty())?;
    let caption = first.iter().take_while(|cell| cell.ch != ' ').count();
    let held = trim(first.get(caption..).unwrap_or_default());
    let focused = held.iter().any(|cell| cell.style.inverse);
    let suggests = !focused && held.iter().any(|cell| cell.style.italic || cell.style.dim);
    let value = if suggests { String::new() } else { typed(held) };
    let words = std::iter::once(text(held))
        .chain(rows.iter().skip_while(|cells| cells.is_empty()).skip(1).map(|cells| text(cells)));
    let words = words.filter(|words| words.len() > 1).collect::<Vec<_>>().join(" ");
    Some(SightedText { placeholder: value.is_empty().then_some(words), value, focused, ..SightedText::default() })
}

fn right_of(cells: &[Cell], column: u16) -> &[Cell] {
    let at = cells.iter().position(|cell| cell.column >= column).unwrap_or(cells.len());
    cells.get(at..).unwrap_or_default()
}
