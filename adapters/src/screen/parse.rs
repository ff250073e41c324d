//! Text with SGR codes becomes rows of cells. Other escape sequences are skipped, control characters dropped.

use unicode_width::UnicodeWidthChar;

use super::{Cell, Color, Line, Style};

/// Splits captured text into exactly `rows` lines. tmux ends the style of one row only on the next, so style carries over.
pub(super) fn lines(text: &str, rows: usize) -> Vec<Line> {
    let mut style = Style::default();
    let mut lines: Vec<Line> = text.split('\n').take(rows).map(|row| line(row, &mut style)).collect();
    lines.resize_with(rows, Line::default);
    lines
}

fn line(row: &str, style: &mut Style) -> Line {
    let mut cells = Vec::with_capacity(row.len());
    let mut column: u16 = 0;
    let mut chars = row.chars();
    while let Some(ch) = chars.next() {
        if ch == '\u{1b}' {
            escape(&mut chars, style);
        } else if let Some(width) = ch.width() {
            let width = u8::try_from(width).unwrap_or(2);
            cells.push(Cell { ch, column, width, style: *style });
            column = column.saturating_add(u16::from(width));
        }
    }
    let drawn = cells.iter().rposition(|cell| cell.ch != ' ' || cell.style != Style::default()).map_or(0, |at| at + 1);
    cells.truncate(drawn);
    let mut text: String = cells.iter().map(|cell| cell.ch).collect();
    text.truncate(text.trim_end().len());
    Line { cells, text }
}

/// Takes one escape sequence, its introducer already taken.
fn escape(chars: &mut std::str::Chars<'_>, style: &mut Style) {
    match chars.next() {
        Some('[') => control_sequence(chars, style),
        // An operating system command, such as a hyperlink, ends with BEL or ESC \.
        Some(']') => {
            while let Some(ch) = chars.next() {
                if ch == '\u{7}' {
                    return;
                }
                if ch == '\u{1b}' {
                    chars.next();
                    return;
                }
            }
        }
        // A character set choice has one more character.
        Some('(' | ')' | '*' | '+' | '#' | '%') => {
            chars.next();
        }
        _ => {}
    }
}

fn control_sequence(chars: &mut std::str::Chars<'_>, style: &mut Style) {
    let mut parameters = String::new();
    for ch in chars.by_ref() {
        match ch {
            '\u{40}'..='\u{7e}' => {
                if ch == 'm' {
                    select_rendition(&parameters, style);
                }
                return;
            }
            _ => parameters.push(ch),
        }
    }
}

fn select_rendition(parameters: &str, style: &mut Style) {
    // tmux writes `38:2::r:g:b` or `38;2;r;g;b`, depending on its version; empty parts of the first form say nothing.
    let mut codes = parameters.split(';');
    while let Some(code) = codes.next() {
        let mut parts = code.split(':');
        let head = parts.next().unwrap_or_default();
        match head.parse::<u16>().unwrap_or(0) {
            0 => *style = Style::default(),
            1 => style.bold = true,
            2 => style.dim = true,
            3 => style.italic = true,
            4 => style.underline = parts.next() != Some("0"),
            7 => style.inverse = true,
            9 => style.strike = true,
            22 => {
                style.bold = false;
                style.dim = false;
            }
            23 => style.italic = false,
            24 => style.underline = false,
            27 => style.inverse = false,
            29 => style.strike = false,
            code @ 30..=37 => style.fg = indexed(code - 30),
            38 => style.fg = extended(&mut parts.filter(|part| !part.is_empty()), &mut codes),
            39 => style.fg = Color::Default,
            code @ 40..=47 => style.bg = indexed(code - 40),
            48 => style.bg = extended(&mut parts.filter(|part| !part.is_empty()), &mut codes),
            49 => style.bg = Color::Default,
            code @ 90..=97 => style.fg = indexed(code - 90 + 8),
            code @ 100..=107 => style.bg = indexed(code - 100 + 8),
            _ => {}
        }
    }
}

fn indexed(index: u16) -> Color {
    Color::Indexed(u8::try_from(index).unwrap_or(0))
}

/// The rest of `38` or `48`: from the same code's parts when it has any, else from the codes that follow.
fn extended<'a>(parts: &mut dyn Iterator<Item = &'a str>, codes: &mut std::str::Split<'a, char>) -> Color {
    let mut next = || parts.next().or_else(|| codes.next()).and_then(|part| part.parse::<u8>().ok());
    match next() {
        Some(5) => next().map_or(Color::Default, Color::Indexed),
        Some(2) => match (next(), next(), next()) {
            (Some(red), Some(green), Some(blue)) => Color::Rgb(red, green, blue),
            _ => Color::Default,
        },
        _ => Color::Default,
    }
}
