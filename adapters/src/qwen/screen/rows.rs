//! The rows of a screen without its scroll bar, and the line that says what the CLI is at.

use crate::{gemini_family::lines::Span, screen::Screen};

/// The rows of a screen. While the conversation is higher than the screen, each of its rows ends in a piece of a scroll bar, in
/// the last column; it stands behind options as well.
pub(super) fn of(screen: &Screen) -> Vec<Span<'_>> {
    let last = screen.cols.saturating_sub(1);
    let mut spans: Vec<Span<'_>> = screen.lines.iter().map(Span::of).collect();
    for span in &mut spans {
        if span.last().is_some_and(|cell| cell.column == last && matches!(cell.ch, '│' | '\u{2580}'..='\u{259f}')) {
            *span = span.before(last);
        }
    }
    spans
}

/// The line with the turning sign, a pattern of dots at the left edge.
#[derive(Debug)]
pub(super) struct Status {
    /// Its row.
    pub(super) row: usize,
    /// What it says, without the sign and what stands in brackets.
    pub(super) detail: String,
    /// True when it tells how long it has gone on and how to cancel it, as all work does. Waiting for the person does not.
    pub(super) cancellable: bool,
}

/// Finds the lowest such line above the row `end`, no further up than `reach` rows.
pub(super) fn status(rows: &[Span<'_>], end: usize, reach: usize) -> Option<Status> {
    (end.saturating_sub(reach)..end)
        .rev()
        .filter(|row| is_turning(rows[*row]))
        .find_map(|row| status_at(rows, row, end))
}

fn status_at(rows: &[Span<'_>], row: usize, end: usize) -> Option<Status> {
    // Between the jokes it tells and the time it may be wrapped anywhere.
    let mut text = rows[row].text();
    let column = rows[row].column();
    for span in rows[row + 1..end].iter().take(3).take_while(|span| span.column() == column) {
        text = format!("{text} {}", span.text());
    }
    let (detail, rest) = text.rsplit_once('(').unwrap_or((&text, ""));
    let cancellable = rest.starts_with(|ch: char| ch.is_ascii_digit()) && rest.contains('·') && rest.contains("esc");
    let detail = if cancellable { detail } else { text.as_str() };
    let detail = detail.trim_start_matches(|ch: char| matches!(ch, '\u{2800}'..='\u{28ff}' | '.')).trim().to_owned();
    // Dots alone may be anything.
    (cancellable || rows[row].glyph() != Some('.')).then_some(Status { row, detail, cancellable })
}

/// 0.15 draws one to three dots instead where it knows that it runs inside tmux.
fn is_turning(span: Span<'_>) -> bool {
    span.first().is_some_and(|cell| cell.column <= 2 && matches!(cell.ch, '\u{2801}'..='\u{28ff}' | '.'))
}
