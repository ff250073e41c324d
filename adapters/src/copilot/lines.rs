//! Line work without any dialog in it: parts of rows, paragraphs, wraps and key lines.

use std::ops::Range;

use crate::{
    layout::{hints, strokes},
    screen::Line,
};

/// The part of a row between two columns, as a row of its own that begins in column 0.
pub(super) fn inner(line: &Line, from: u16, to: u16) -> Line {
    let inside = line.cells.iter().filter(|cell| (from..to).contains(&cell.column)).copied();
    let cells: Vec<_> = inside
        .map(|mut cell| {
            cell.column -= from;
            cell
        })
        .collect();
    let text: String = cells.iter().map(|cell| cell.ch).collect();
    Line { text: text.trim_end().to_owned(), cells }
}

/// True for a rule over the whole width.
pub(super) fn is_rule(line: &Line, width: u16) -> bool {
    width > 0 && line.indent() == Some(0) && line.end() == width && line.text.chars().all(strokes::is_horizontal)
}

/// The blocks of rows that blank rows part.
pub(super) fn paragraphs(lines: &[Line]) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    for row in (0..lines.len()).filter(|row| !lines[*row].is_blank()) {
        match found.last_mut() {
            Some(last) if last.end == row => last.end += 1,
            _ => found.push(row..row + 1),
        }
    }
    found
}

/// The rows of a sentence as one line. A word that was broken at its hyphen or slash is made whole again.
pub(super) fn prose(lines: &[Line]) -> String {
    let mut whole = String::new();
    for text in lines.iter().map(|line| line.text.trim()).filter(|text| !text.is_empty()) {
        let is_broken = whole.ends_with(['-', '/']) && !whole.ends_with(" -") && !whole.ends_with(" /");
        if !whole.is_empty() && !is_broken {
            whole.push(' ');
        }
        whole.push_str(text);
    }
    whole
}

/// A text that was wrapped into `width` columns. A row goes on where the next word had no room on it; everything else is a line
/// of its own.
pub(super) fn unwrap(lines: &[Line], width: u16) -> String {
    let mut whole = String::new();
    let mut end: Option<u16> = None;
    for line in lines {
        let text = line.text.trim_end();
        let word = u16::try_from(text.split(' ').next().unwrap_or_default().chars().count()).unwrap_or(u16::MAX);
        match end {
            None => {}
            Some(end) if end >= width => {}
            Some(end) if end > 0 && word > 0 && end + 1 + word > width => whole.push(' '),
            Some(_) => whole.push('\n'),
        }
        whole.push_str(text);
        end = Some(line.end());
    }
    whole.trim_end().to_owned()
}

/// True for a row such as `↑/↓ to navigate · enter to select · esc to cancel`: every part of it names a key.
pub(super) fn is_key_line(text: &str) -> bool {
    let mut parts = text.split('·').map(str::trim).filter(|part| !part.is_empty()).peekable();
    text.contains('·') && parts.peek().is_some() && parts.all(names_key)
}

/// True when one of the words is a key.
pub(super) fn names_key(part: &str) -> bool {
    part.split([' ', '/', '+']).any(|word| {
        let word = word.to_lowercase();
        hints::is_named_key(&word) || word == "ctrl" || word.contains(['↑', '↓'])
    })
}

/// Splits what is said of a key off the end of a label: `No (Esc)` and `No, and tell it why (Esc to stop)` have one.
pub(super) fn split_remark(label: &str) -> (&str, Option<&str>) {
    let split = label.strip_suffix(')').and_then(|rest| rest.rsplit_once('('));
    let remark = split.filter(|(words, remark)| {
        let first = remark.split(' ').next().unwrap_or_default().to_lowercase();
        !words.trim().is_empty() && hints::is_named_key(&first)
    });
    remark.map_or((label, None), |(words, remark)| (words.trim_end(), Some(remark)))
}
