//! What a dialog's header says: count, title, labelled lines, the command, the change, and plain text.

use std::ops::Range;

use shared_types::FileDiff;

use crate::{
    Screen,
    codex::{
        dialog::{GlyphRow, glyph_row},
        diff, header,
        lines::{self, Piece, Wrap},
    },
    layout::cuts::is_cut_mark,
    screen::Line,
};

/// What a header says.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Body {
    /// The words before the brackets of `Question 1/2 (2 unanswered)`, with its numbers.
    pub(super) page: Option<Page>,
    /// The title, re-joined.
    pub(super) title: String,
    /// Lines such as `Reason: …`, in order.
    pub(super) labelled: Vec<(String, String)>,
    /// The command, with its own line breaks.
    pub(super) command: Option<String>,
    /// The change, file by file.
    pub(super) diff: Vec<FileDiff>,
    /// Everything else, paragraph by paragraph.
    pub(super) text: Vec<String>,
    /// True when the CLI left something out, or the beginning is not on the screen.
    pub(super) cut: bool,
}

/// One page of a dialog of several.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Page {
    /// What is counted: `Question` or `Field`.
    pub(super) noun: String,
    /// Which one, from 1.
    pub(super) index: usize,
    /// Of how many.
    pub(super) total: usize,
    /// How many have no answer yet; of a form, those that need one.
    pub(super) unanswered: usize,
}

/// Reads a header.
pub(super) fn read(screen: &Screen, rows: Range<usize>) -> Body {
    let mut body = Body::default();
    let mut row = rows.start;
    if let Some(line) = screen.lines.get(row).filter(|line| rows.contains(&row) && header::is_count(line)) {
        body.page = page(&line.text);
        row += 1;
    }
    let title_end = title_end(screen, row, rows.end);
    body.title = title(screen, row..title_end);
    row = title_end;
    while row < rows.end {
        let Some(line) = screen.lines.get(row) else { break };
        if line.is_blank() {
            row += 1;
        } else if is_cut_mark(&line.text) {
            body.cut = true;
            row += 1;
        } else if header::is_command(line) {
            // Codex cuts the end of what is too long, and says so in the last row.
            let marked = (row..rows.end).find(|row| screen.lines.get(*row).is_some_and(|line| is_cut_mark(&line.text)));
            body.cut |= marked.is_some();
            body.command = Some(command(screen, row..marked.unwrap_or(rows.end)));
            break;
        } else if diff::heads_file(line) {
            body.diff = diff::read(screen, row..rows.end);
            body.cut |= !diff::is_whole(screen, row..rows.end);
            break;
        } else {
            let mut end = paragraph_end(screen, row, rows.end);
            // A form names its field on a row of its own, above what it says of it.
            if body.page.is_some() && body.text.is_empty() && body.labelled.is_empty() {
                end = row + 1;
            }
            let text = paragraph(screen, row..end);
            match label(&text) {
                Some((key, value)) => body.labelled.push((key.to_owned(), value.to_owned())),
                None => body.text.push(text),
            }
            row = end;
        }
    }
    if body.title.is_empty() {
        // Where the title had no room either, what the CLI says of it is the best there is.
        let first = screen.lines.get(rows).and_then(|lines| lines.iter().find(|line| !line.is_blank()));
        body.title = first.map(|line| line.text.trim().to_owned()).unwrap_or_default();
    }
    body
}

impl Body {
    /// The value of a labelled line.
    pub(super) fn labelled(&self, key: &str) -> Option<&str> {
        let found = self.labelled.iter().find(|(candidate, _)| candidate.eq_ignore_ascii_case(key));
        found.map(|(_, value)| value.as_str())
    }
}

fn page(text: &str) -> Option<Page> {
    let (index, total) = lines::count(text)?;
    let noun = text.trim().split(' ').next().unwrap_or_default().to_owned();
    let counted = text.split_once('(').and_then(|(_, brackets)| brackets.split(' ').next()?.parse().ok());
    Some(Page { noun, index, total, unanswered: counted.unwrap_or(0) })
}

/// A title goes on as long as the rows look alike.
fn title_end(screen: &Screen, start: usize, end: usize) -> usize {
    let Some(first) = screen.lines.get(start) else { return start };
    let look = |line: &Line| {
        let style = lines::first_style(line);
        (style.bold, style.dim, style.fg)
    };
    let same = |row: &usize| {
        screen.lines.get(*row).is_some_and(|line| !line.is_blank() && look(line) == look(first) && !is_body(line))
    };
    (start..end).take_while(same).last().map_or(start, |row| row + 1)
}

fn is_body(line: &Line) -> bool {
    header::is_command(line) || diff::heads_file(line) || is_cut_mark(&line.text)
}

fn title(screen: &Screen, rows: Range<usize>) -> String {
    let heading = glyph_row(screen, rows.start) == Some(GlyphRow::Heading);
    let text = paragraph(screen, rows);
    if heading { text.trim_start_matches('>').trim().to_owned() } else { text }
}

/// A paragraph ends at a blank row, a labelled row, a command or a change.
fn paragraph_end(screen: &Screen, start: usize, end: usize) -> usize {
    let goes_on = |row: &usize| {
        screen.lines.get(*row).is_some_and(|line| {
            // A value in italics may hold a colon of its own at the start of a row.
            let labelled = label(line.text.trim()).is_some() && !lines::first_style(line).italic;
            !line.is_blank() && !is_body(line) && !labelled
        })
    };
    (start + 1..end).take_while(goes_on).last().unwrap_or(start) + 1
}

fn paragraph(screen: &Screen, rows: Range<usize>) -> String {
    let pieces: Vec<Piece> =
        screen.lines.get(rows).unwrap_or_default().iter().map(|line| piece(screen, line)).collect();
    lines::join(&pieces, Wrap::Blanks)
}

fn piece(screen: &Screen, line: &Line) -> Piece {
    Piece { text: line.text.trim().to_owned(), full: line.end() >= right_edge(screen) }
}

/// Dialogs leave two columns free at the right.
fn right_edge(screen: &Screen) -> u16 {
    screen.cols.saturating_sub(2)
}

/// Splits `Reason: because` into its two halves. A key is one to three short words.
fn label(text: &str) -> Option<(&str, &str)> {
    let (key, value) = text.split_once(':')?;
    let words = key.split(' ').count();
    let plain = key.chars().all(|ch| ch.is_alphanumeric() || ch == ' ' || ch == '_' || ch == '-');
    let fits = key.len() <= 32 && words <= 3 && plain && !key.starts_with(' ') && !key.is_empty();
    (fits && (value.is_empty() || value.starts_with(' '))).then(|| (key, value.trim()))
}

/// Re-joins a command. A row that would have had room for the next row's first word ended with a line break of the
/// command's own.
fn command(screen: &Screen, rows: Range<usize>) -> String {
    let lines = screen.lines.get(rows).unwrap_or_default();
    let left = lines.first().and_then(Line::indent).unwrap_or(0);
    let mut joined = String::new();
    let mut before: Option<&Line> = None;
    for line in lines {
        let text = line.text_from(left);
        if let Some(before) = before {
            let first_word = text.split(' ').next().unwrap_or_default().chars().count();
            let room = usize::from(right_edge(screen)).saturating_sub(usize::from(before.end()) + 1);
            let last = Piece { text: before.text_from(left), full: before.end() >= right_edge(screen) };
            if before.is_blank() || first_word == 0 || first_word <= room {
                joined.push('\n');
            } else if !lines::breaks_word(&last, &text, Wrap::Blanks) {
                joined.push(' ');
            }
        }
        joined.push_str(&text);
        before = Some(line);
    }
    joined.trim_end().trim_start_matches('$').trim_start().to_owned()
}
