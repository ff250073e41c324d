//! The place where a chat message is typed, and the line above it that says what is being worked at.
//!
//! 0.22 draws the composer as a box, later versions as rows below a rule; all begin it with one sign and draw a cursor in
//! inverse video. Messages already sent look alike but have neither cursor nor rule.

use shared_types::PermissionMode;

use crate::{
    Composer,
    gemini_family::lines::{Span, is_border, is_lower_border, is_rule, unframed},
    layout::strokes::is_vertical,
    screen::Screen,
};

use super::words;

/// A composer on the screen.
#[derive(Debug)]
pub(super) struct Found {
    /// What stands in it.
    pub(super) composer: Composer,
    /// Its first row, the border of its box included.
    pub(super) top: usize,
}

/// Finds the composer. It is the lowest thing on the screen but for its menus and the footer, so nothing above the row
/// `above`, where the lowest box ends, is looked at.
pub(super) fn find(screen: &Screen, above: Option<usize>) -> Option<Found> {
    above.and_then(|bottom| boxed(screen, bottom)).or_else(|| free(screen, above.map_or(0, |bottom| bottom + 1)))
}

/// A box that holds the composer and nothing else.
fn boxed(screen: &Screen, bottom: usize) -> Option<Found> {
    let left = Span::of(screen.lines.get(bottom)?).column()?;
    let inside = |row: usize| {
        let span = Span::of(&screen.lines[row]);
        let border = span.first().filter(|cell| cell.column == left && is_vertical(cell.ch))?;
        let content = span.from(border.column + 1);
        let end = content.last().filter(|cell| is_vertical(cell.ch)).map_or(u16::MAX, |cell| cell.column);
        Some(content.before(end))
    };
    let mut rows = Vec::new();
    let mut top = bottom;
    while let Some(span) = top.checked_sub(1).and_then(inside) {
        rows.push(span);
        top -= 1;
    }
    top = top.checked_sub(1).filter(|row| is_border(Span::of(&screen.lines[*row])))?;
    rows.reverse();
    let sign = rows.first().and_then(|span| sign(*span))?;
    // A dialog may begin with the same sign, but its other rows are not set in by the sign's width.
    let plain = rows.iter().skip(1).all(|span| span.column().is_none_or(|column| column >= sign + 2));
    // In its old versions, which draw it in a box, only what differs from the careful mode is said.
    let mode = mode(screen, top).unwrap_or(PermissionMode::Ask);
    plain.then(|| Found { composer: Composer { draft: draft(&rows, sign), mode: Some(mode) }, top })
}

/// Rows that begin with the sign, below a rule or with a cursor in them. Without a coloured ground they have sides, but no
/// corners.
fn free(screen: &Screen, from: usize) -> Option<Found> {
    for row in (from..screen.lines.len()).rev() {
        let line = Span::of(&screen.lines[row]);
        let first = unframed(line);
        let framed = first.cells().len() != line.cells().len();
        let reach = if framed { 1 } else { RULE_DISTANCE };
        let Some(sign) = sign(first).filter(|column| *column <= if framed { 3 } else { 1 }) else { continue };
        let mut rows = vec![first];
        for line in &screen.lines[row + 1..] {
            let span = unframed(Span::of(line));
            if span.column().is_some_and(|column| column < sign + 2) {
                break;
            }
            rows.push(span);
        }
        let drawn = rows.iter().rposition(|span| !span.is_blank() || span.cursor().is_some()).map_or(1, |at| at + 1);
        rows.truncate(drawn);
        let cursor = !framed && rows.iter().any(|span| span.cursor().is_some());
        let ruled = (row.saturating_sub(reach)..row).any(|row| is_rule(Span::of(&screen.lines[row]), screen.cols));
        if cursor || ruled {
            let composer = Composer { draft: draft(&rows, sign), mode: mode(screen, row) };
            return Some(Found { composer, top: row });
        }
    }
    None
}

/// The permission mode, which is said right above the composer: the present one, or in the careful mode the next.
fn mode(screen: &Screen, top: usize) -> Option<PermissionMode> {
    /// On narrow screens one more line stands between.
    const REACH: usize = 3;
    let said = [
        ("Shift+Tab to accept edits", PermissionMode::Ask),
        ("auto-accept edits", PermissionMode::AcceptEdits),
        ("accepting edits", PermissionMode::AcceptEdits),
        ("plan Shift+Tab", PermissionMode::Plan),
        ("YOLO", PermissionMode::Bypass),
    ];
    let mut above = (top.saturating_sub(REACH)..top).rev().map(|row| screen.text(row));
    above.find_map(|text| said.iter().find(|(words, _)| text.contains(words)).map(|(_, mode)| *mode))
}

/// Between the rule and the composer stand the mode line, on narrow screens one more line, and blanks.
const RULE_DISTANCE: usize = 5;

/// The column of the sign a composer begins with: `>`, `*` where nothing is asked, `!` for shell commands, `(r:)` for a
/// search of the history.
fn sign(span: Span<'_>) -> Option<u16> {
    let first = span.first()?;
    let next = span.from(first.column + 1);
    let apart = next.cells().first().is_none_or(|cell| cell.ch == ' ');
    let search = first.ch == '(' && span.text().starts_with("(r:)");
    (matches!(first.ch, '>' | '*' | '!' | '❯') && apart || search).then_some(first.column)
}

/// What stands in the composer. An empty one shows a suggestion, set in by two blanks, with the cursor on the first.
fn draft(rows: &[Span<'_>], sign: u16) -> String {
    let start = sign + 2;
    let Some(first) = rows.first().map(|span| span.from(start)) else { return String::new() };
    // In these modes a message would not be taken for one, so that they count as something typed.
    let mode = rows[0].text();
    let mode = ["!", "(r:)"].into_iter().find(|sign| mode.starts_with(sign)).unwrap_or_default();
    let cursor = rows.iter().find_map(|span| span.cursor());
    let set_in = first.cells().iter().take(2).all(|cell| cell.ch == ' ');
    let at_start = cursor.is_some_and(|cell| cell.column == start && first.cursor().is_some());
    if first.is_blank() && rows.len() == 1 || set_in && (at_start || cursor.is_none()) {
        return mode.to_owned();
    }
    let lines: Vec<String> = rows.iter().map(|span| without_ghost(span.from(start))).collect();
    format!("{mode}{}", lines.join("\n").trim_end())
}

/// Leaves out the completion that is offered behind the cursor, in a colour that the text before it does not have.
fn without_ghost(span: Span<'_>) -> String {
    let Some(cursor) = span.cursor().filter(|cell| cell.ch == ' ') else { return span.raw_text() };
    let (before, behind) = (span.before(cursor.column), span.from(cursor.column + 1));
    let ghost = behind.color().is_some_and(|color| before.drawn().all(|cell| cell.style.fg != color));
    if ghost { before.raw_text() } else { span.raw_text() }
}

/// What the CLI is busy with.
#[derive(Debug)]
pub(super) struct Work {
    /// In its own words.
    pub(super) detail: String,
    /// True when it says that it can be cancelled, as all work can and no start can.
    pub(super) cancellable: bool,
}

/// The line with the turning sign, looked for upwards from `row`, no further than the conversation.
pub(super) fn work(screen: &Screen, row: usize) -> Option<Work> {
    /// Queued messages, a list of things to do and the mode line stand between; there are never more of them.
    const REACH: usize = 16;
    for at in (row.saturating_sub(REACH)..row).rev() {
        let span = Span::of(&screen.lines[at]);
        let Some(first) = span.first() else { continue };
        let text = status(screen, at);
        let cancellable = is_cancellable(&text);
        if is_turning(span) {
            return Some(Work { detail: detail(&text), cancellable });
        }
        if cancellable && first.column <= 1 && !is_conversation(span) {
            // On narrow screens the time stands below the sign.
            let above = (at.saturating_sub(2)..at).rev().find(|row| is_turning(Span::of(&screen.lines[*row])));
            let text = above.map_or(text, |row| status(screen, row));
            return Some(Work { detail: detail(&text), cancellable });
        }
        if is_conversation(span) || is_lower_border(span) || is_vertical(first.ch) {
            return None;
        }
    }
    None
}

/// True for the sign that turns while work goes on, a pattern of dots.
fn is_turning(span: Span<'_>) -> bool {
    span.first().is_some_and(|cell| cell.column <= 1 && matches!(cell.ch, '\u{2801}'..='\u{28ff}'))
}

/// True when the text says how to cancel and for how long it has gone on: `(esc to cancel, 4s)`.
fn is_cancellable(text: &str) -> bool {
    let lower = text.to_lowercase();
    let Some((_, rest)) = lower.split_once("(esc to ") else { return false };
    rest.split(')').next().is_some_and(|inner| inner.contains(',') && inner.chars().any(|ch| ch.is_ascii_digit()))
}

/// A status line with what was wrapped of it, and without what stands at its right end.
fn status(screen: &Screen, row: usize) -> String {
    let mut text = screen.text(row).trim_start().to_owned();
    if let Some((left, right)) = text.split_once("    ")
        && !right.contains("esc to")
    {
        text = left.to_owned();
    }
    if !is_cancellable(&text) {
        let rest = (row + 1..row + 3).map(|row| screen.text(row).trim());
        for rest in rest.take_while(|rest| !rest.is_empty() && !rest.starts_with('─')) {
            text = format!("{text} {rest}");
        }
    }
    text
}

fn detail(status: &str) -> String {
    let text = status.trim_start_matches(|ch: char| !ch.is_alphanumeric() && ch != '(');
    let end = text.to_lowercase().find("(esc to").filter(|at| text.is_char_boundary(*at)).unwrap_or(text.len());
    text[..end].trim().to_owned()
}

/// True for the first row of something said, done or told: it has a sign of its own at the left edge.
pub(super) fn is_conversation(span: Span<'_>) -> bool {
    span.first().is_some_and(|cell| cell.column <= 1 && matches!(cell.ch, '✦' | 'ℹ' | '✕' | '⚠' | '✗' | '>' | '✓'))
}

/// True when the status says that the CLI is not ready to work yet.
pub(super) fn is_start(work: &Work) -> bool {
    !work.cancellable && words::says_starting(&work.detail)
}
