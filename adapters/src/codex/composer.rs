//! The screen without a dialog: the composer, and whether the CLI works, waits or is still loading.
//!
//! The composer is where the visible cursor stands: a glyph in the first column, text from the third on, a blank row, and
//! the status below. A text that fills it may look like anything; it is never read as more than a draft.

use crate::{
    Composer, Reading, Screen,
    codex::{
        dialog::{GlyphRow, glyph_row},
        lines,
    },
    screen::{Cell, Color, Line},
};

/// The composer as it stands on the screen.
pub(super) struct Seen {
    row: usize,
    draft: String,
    has_status: bool,
}

/// Finds the composer that the cursor stands in.
pub(super) fn find(screen: &Screen) -> Option<Seen> {
    if !screen.cursor.visible {
        return None;
    }
    let cursor_row = usize::from(screen.cursor.y);
    let mut row = cursor_row;
    loop {
        match (glyph_row(screen, row), screen.lines.get(row).and_then(|line| line.first_drawn())) {
            (Some(GlyphRow::Composer), _) => break,
            (Some(GlyphRow::Field(_)), _) => return None,
            // A leading `!` makes the composer a shell; it is drawn in place of the glyph.
            (_, Some(cell)) if cell.column == 0 && cell.ch == '!' && row_is_shell(screen, row) => break,
            (_, Some(cell)) if cell.column < 2 => return None,
            _ => row = row.checked_sub(1)?,
        }
    }
    let last = screen.last_row()?;
    let footer = footer_start(screen, row, cursor_row.max(row), last);
    let draft = draft(screen, row, footer.unwrap_or(last + 1));
    let has_status = footer.is_some_and(|footer| has_status(screen, row, footer, last, draft.is_empty()));
    Some(Seen { row, draft, has_status })
}

/// What the screen says, given its composer.
pub(super) fn read(screen: &Screen, seen: Seen) -> Reading {
    let composer = Composer { draft: seen.draft, mode: None };
    if let Some(detail) = work(screen, seen.row) {
        return Reading::Busy { detail, composer: Some(composer) };
    }
    if !seen.has_status || is_loading(screen, seen.row) {
        return Reading::Starting { detail: "loading".to_owned() };
    }
    Reading::Ready(composer)
}

/// What the CLI works at, if it does. Its row stands above the composer; while text streams in there is none (0.166), and
/// only the spinner in the title tells.
fn work(screen: &Screen, from: usize) -> Option<String> {
    let at_edge = |line: &&Line| line.indent() == Some(0);
    let mut above = screen.lines.get(..from)?.iter().rev().filter(at_edge);
    let nearest = above.next();
    // Waiting messages may stand between the row and the composer.
    let clock = nearest.into_iter().chain(above.take(WAITING_ROWS)).find_map(clocked);
    let spins = screen.title.chars().next().is_some_and(|ch| ('\u{2800}'..='\u{28ff}').contains(&ch));
    clock.or_else(|| nearest.and_then(shimmering)).or_else(|| spins.then(String::new))
}

/// How many rows in the first column are looked at for the working row; enough for a few waiting messages.
const WAITING_ROWS: usize = 8;

fn row_is_shell(screen: &Screen, row: usize) -> bool {
    screen.lines.get(row).is_some_and(|line| lines::is_blank_at(line, 1))
}

/// The last block of rows, if a blank row parts it from the draft.
fn footer_start(screen: &Screen, row: usize, cursor_row: usize, last: usize) -> Option<usize> {
    let blank = (row + 1..last).rev().find(|row| screen.lines.get(*row).is_some_and(Line::is_blank))?;
    (blank + 1 > cursor_row).then_some(blank + 1)
}

/// What was typed; text that is dim throughout is a suggestion.
fn draft(screen: &Screen, row: usize, end: usize) -> String {
    let lines = screen.lines.get(row..end).unwrap_or_default();
    let is_ghost = lines.first().and_then(|line| lines::drawn_from(line, 1)).is_some_and(|cell| cell.style.dim);
    if is_ghost {
        return String::new();
    }
    let shell = lines.first().and_then(|line| line.first_drawn()).is_some_and(|cell| cell.ch == '!');
    let rows: Vec<String> = lines.iter().map(|line| line.text_from(2)).collect();
    let text = rows.join("\n").trim_end().to_owned();
    if shell { format!("!{text}") } else { text }
}

/// A status is more than the hint for the shortcuts and a count of warnings. 0.166 keeps a row free for it while it loads,
/// so a gap of two rows below an empty composer means that it is missing.
fn has_status(screen: &Screen, row: usize, footer: usize, last: usize, is_empty: bool) -> bool {
    let rows = screen.lines.get(footer..=last).unwrap_or_default();
    let gap = footer - row - 1;
    let says_more = rows.iter().any(|line| {
        let parts = line.text.split("  ").flat_map(|part| part.split('·')).map(str::trim);
        parts
            .filter(|part| !part.is_empty())
            .any(|part| !part.starts_with('?') && !part.starts_with('⚠') && !part.starts_with("f2"))
    });
    says_more && !(is_empty && gap > 1 && rows.len() == 1)
}

/// The banner says `loading` in place of the model or the folder until the session is set up.
fn is_loading(screen: &Screen, composer_row: usize) -> bool {
    let banner = screen.lines.iter().take(composer_row).rposition(|line| line.text.contains(">_ "));
    let rows = banner.and_then(|row| screen.lines.get(row + 1..(row + 5).min(composer_row))).unwrap_or_default();
    rows.iter().any(|line| line.text.split([' ', '│']).any(|word| word == "loading"))
}

/// Reads `• Working (3s • esc to interrupt)`: a bullet, what is done, and a dim clock in brackets, maybe cut at the right
/// edge. Nothing in the conversation is dim in the middle of a row of this form.
fn clocked(line: &Line) -> Option<String> {
    line.first_drawn().filter(|bullet| !bullet.ch.is_alphanumeric() && lines::is_blank_at(line, 1))?;
    let (_, open) = line.cells.iter().enumerate().find(|(at, cell)| {
        let dim_bracket = cell.ch == '(' && cell.style.dim;
        dim_bracket && is_clock(&line.cells.iter().skip(at + 1).map(|cell| cell.ch).collect::<String>())
    })?;
    let what = lines::between(line, 1, open.column);
    let rest = line.text_from(open.column);
    let aside = rest.split_once(')').map_or("", |(_, aside)| aside.trim());
    Some(format!("{what} {aside}").trim().to_owned())
}

/// The same row where it is too long for its clock (0.80 and older in a narrow terminal): bullet and words shimmer, that
/// is they are bold in shades of their own.
fn shimmering(line: &Line) -> Option<String> {
    let shimmers = |cell: &Cell| cell.style.bold && matches!(cell.style.fg, Color::Rgb(..));
    let bullet = line.first_drawn().filter(|cell| shimmers(cell) && !cell.ch.is_alphanumeric())?;
    let words = lines::drawn_from(line, bullet.column + 1).filter(|cell| shimmers(cell))?;
    Some(lines::between(line, words.column, u16::MAX))
}

/// True for `1m 03s • …`, also when it is cut off.
fn is_clock(text: &str) -> bool {
    let mut rest = text;
    let mut units = 0;
    loop {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let after = rest.get(digits..).unwrap_or_default();
        if digits == 0 {
            break;
        }
        let Some(behind) = after.strip_prefix(['h', 'm', 's']) else { return after.is_empty() };
        units += 1;
        rest = behind.trim_start();
    }
    units > 0 && (rest.is_empty() || rest.starts_with(['•', '·', ')']))
}
