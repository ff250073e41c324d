//! Finds the dialog on a screen: its header, its list or text field, and what stands below.
//!
//! A dialog is the last thing drawn. Looking up from the bottom, its cursor glyph is met before anything of the
//! conversation is; a composer or a bullet of the conversation that is met first means that there is none. The glyph of a
//! selected option shares the look of its label (both inverse, both coloured, both bold); the glyph of a composer or of a
//! text field does not: that alone tells a real option from a draft that reads like one.

use std::ops::Range;

use crate::{
    Screen,
    codex::{
        header, lines,
        options::OptionList,
        text_field::{self, TextField},
    },
    screen::{Color, Line, Style},
};

/// A dialog as it stands on the screen.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Dialog {
    /// Title and body; ends where the list or the field begins.
    pub(super) header: Range<usize>,
    /// Its options.
    pub(super) list: Option<OptionList>,
    /// Its text field.
    pub(super) field: Option<TextField>,
    /// The rows below list and field: key hints and notes.
    pub(super) footer: Range<usize>,
}

/// What a row with a cursor glyph is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum GlyphRow {
    /// The selected option of a list whose glyph is in this column.
    Selected(u16),
    /// The first row of a text field whose glyph is in this column.
    Field(u16),
    /// Where a chat message is typed.
    Composer,
    /// A message in the conversation.
    Sent,
    /// The heading of a start-up screen.
    Heading,
}

/// The glyphs that begin a row of the conversation.
const BULLETS: [char; 8] = ['•', '◦', '■', '✔', '✗', '✘', '✓', '⚠'];
/// The furthest column in which a cursor glyph was seen, with room for one more level.
const GLYPH_LIMIT: u16 = 4;

/// Finds the dialog.
pub(super) fn find(screen: &Screen) -> Option<Dialog> {
    let last = screen.last_row()?;
    let mut field: Option<TextField> = None;
    let mut conversation_end = 0;
    for row in (0..=last).rev() {
        conversation_end = row + 1;
        match glyph_row(screen, row) {
            Some(GlyphRow::Selected(column)) => {
                let list = OptionList::around(screen, row, column).filter(|list| !is_menu(screen, list.rows.start))?;
                let bottom = field.as_ref().map_or(list.rows.end, |field| field.rows.end);
                let header = header::above(screen, list.rows.start);
                return Some(Dialog { header, list: Some(list), field, footer: bottom..last + 1 });
            }
            Some(GlyphRow::Field(column)) if field.is_none() => field = Some(text_field::read(screen, row, column)),
            Some(GlyphRow::Field(_)) => break,
            Some(GlyphRow::Composer | GlyphRow::Sent) => break,
            Some(GlyphRow::Heading) | None => {}
        }
        if is_said(screen, row) {
            break;
        }
        conversation_end = row;
    }
    let field = field.or_else(|| text_field::boxed(screen, conversation_end))?;
    let header = header::above(screen, field.rows.start);
    let footer = field.rows.end..last + 1;
    Some(Dialog { header, list: None, field: Some(field), footer })
}

/// True for the first row of something said in the conversation.
pub(super) fn is_said(screen: &Screen, row: usize) -> bool {
    let first = screen.lines.get(row).and_then(Line::first_drawn);
    let bullet = first.is_some_and(|cell| cell.column == 0 && BULLETS.contains(&cell.ch));
    bullet || glyph_row(screen, row) == Some(GlyphRow::Sent)
}

/// What a row with a cursor glyph is; nothing for any other row.
pub(super) fn glyph_row(screen: &Screen, row: usize) -> Option<GlyphRow> {
    let line = screen.lines.get(row)?;
    let glyph = line.first_drawn().filter(|cell| cell.column <= GLYPH_LIMIT && matches!(cell.ch, '›' | '>' | '❯'))?;
    if !lines::is_blank_at(line, glyph.column + 1) {
        return None;
    }
    let label = lines::drawn_from(line, glyph.column + 1);
    let holds_cursor = screen.cursor.visible && usize::from(screen.cursor.y) == row;
    let style = glyph.style;
    if label.is_some_and(|label| shares_selection(style, label.style, holds_cursor)) {
        return Some(GlyphRow::Selected(glyph.column));
    }
    if glyph.ch == '>' {
        let heading = glyph.column == 0 && label.is_some_and(|label| label.style.bold && !style.bold);
        if heading {
            return Some(GlyphRow::Heading);
        }
    } else if style.dim && style.bold {
        return (glyph.column == 0).then_some(GlyphRow::Sent);
    } else if style.bold || holds_cursor {
        return Some(if glyph.column == 0 { GlyphRow::Composer } else { GlyphRow::Field(glyph.column) });
    }
    // Without any style, as a terminal without attributes shows it, a number and a hidden cursor have to do.
    let numbered = lines::numbered(&lines::between(line, glyph.column + 2, u16::MAX)).is_some();
    (numbered && !screen.cursor.visible && is_plain(screen)).then_some(GlyphRow::Selected(glyph.column))
}

/// True when nothing on the screen has any style.
fn is_plain(screen: &Screen) -> bool {
    screen.lines.iter().flat_map(|line| &line.cells).all(|cell| cell.style == Style::default())
}

/// True for a list that stands below a composer: a menu of what can be typed. A dialog takes the composer's place.
fn is_menu(screen: &Screen, list_start: usize) -> bool {
    let at_edge = |row: &usize| screen.lines.get(*row).and_then(Line::indent) == Some(0);
    let nearest = (0..list_start).rev().find(at_edge);
    nearest.is_some_and(|row| glyph_row(screen, row) == Some(GlyphRow::Composer))
}

/// True when a glyph and the label behind it are both drawn as selected. Where the cursor stands, a colour alone does not
/// count: what was pasted into a composer has one too.
fn shares_selection(glyph: Style, label: Style, holds_cursor: bool) -> bool {
    let coloured = !holds_cursor && glyph.fg == label.fg && glyph.fg != Color::Default;
    glyph.inverse && label.inverse || glyph.bold && label.bold && !glyph.dim || coloured
}
