//! The place where a chat message is typed: rows between two rules from one side of the screen to the other, the first with a
//! sign. Below it stand a footer or a menu. Nothing the conversation shows begins at the left edge, so nothing in it looks like
//! this; and while a dialog is open there is none.

use shared_types::PermissionMode;

use crate::{
    Composer,
    gemini_family::lines::{Span, is_rule},
    screen::{Cell, Color},
};

/// A composer on the screen.
#[derive(Debug)]
pub(super) struct Found {
    /// What stands in it.
    pub(super) composer: Composer,
    /// The row of its upper rule.
    pub(super) top: usize,
    /// True when the footer counts messages that wait, also for a CLI that has not come up yet.
    pub(super) queued: bool,
}

/// Finds the lowest composer.
pub(super) fn find(rows: &[Span<'_>], cols: u16) -> Option<Found> {
    let is_edge = |row: &usize| is_rule(rows[*row], cols) && rows[*row].column() == Some(0);
    let rules: Vec<usize> = (0..rows.len()).filter(is_edge).collect();
    rules.windows(2).rev().find_map(|pair| {
        let (top, bottom) = (pair[0], pair[1]);
        let inside = &rows[top + 1..bottom];
        let sign = sign(*inside.first()?)?;
        let set_in = inside.iter().skip(1).all(|span| span.column().is_none_or(|column| column >= TEXT));
        let mode = mode(sign, &rows[bottom + 1..]);
        let queued = rows[bottom + 1..].iter().any(|span| span.drawn().any(|cell| cell.ch == '⏳'));
        set_in.then(|| Found { composer: Composer { draft: draft(inside, sign), mode }, top, queued })
    })
}

/// The column in which the text begins, behind the sign and a blank.
const TEXT: u16 = 2;

/// The sign a composer begins with: `>`, `*` where nothing is asked, `!` for shell commands, `(r:)` for a search.
fn sign(first: Span<'_>) -> Option<char> {
    let cell = first.first().filter(|cell| cell.column == 0)?;
    let apart = first.cells().get(1).is_none_or(|cell| cell.ch == ' ');
    (matches!(cell.ch, '>' | '*' | '!') && apart || first.text().starts_with("(r:)")).then_some(cell.ch)
}

/// What stands in the composer. A suggestion, be it the placeholder or a message that the model thinks likely, has another colour
/// than what was typed.
fn draft(inside: &[Span<'_>], sign: char) -> String {
    // In these modes a message would not be taken for one, so that they count as something typed.
    let mode = match sign {
        '!' => "!",
        '(' => return inside[0].text(),
        _ => "",
    };
    let rows: Vec<Span<'_>> = inside.iter().map(|span| span.from(TEXT)).collect();
    let cells = || rows.iter().flat_map(|span| span.cells());
    // Behind typed text stands a mark of no width where the cursor is.
    let marked = cells().any(|cell| cell.ch == MARK);
    let is_text = |cell: &&Cell| !cell.ch.is_whitespace() && !is_cursor(cell);
    let suggested = cells().find(is_text).is_some_and(|cell| cell.style.dim || cell.style.fg != Color::Default);
    if suggested && !marked {
        return mode.to_owned();
    }
    let lines: Vec<String> = rows.iter().map(|span| span.raw_text().replace(MARK, "")).collect();
    let lines: Vec<&str> = lines.iter().map(|line| line.trim_end()).collect();
    format!("{mode}{}", lines.join("\n").trim_end())
}

const MARK: char = '\u{200b}';

/// The cursor that the CLI draws: one cell on a ground of its own.
fn is_cursor(cell: &Cell) -> bool {
    cell.style.inverse || cell.style.bg != Color::Default
}

/// The permission mode, which is said in the footer; where nothing is asked the sign says it as well.
fn mode(sign: char, below: &[Span<'_>]) -> Option<PermissionMode> {
    let said = [
        ("Ask permissions", PermissionMode::Ask),
        ("auto-accept edits", PermissionMode::AcceptEdits),
        ("Auto mode", PermissionMode::Auto),
        ("YOLO mode", PermissionMode::Bypass),
        ("plan mode", PermissionMode::Plan),
        ("⏸", PermissionMode::Ask),
    ];
    let lines: Vec<String> = below.iter().map(|span| span.text()).collect();
    let told = said.iter().find(|(words, _)| lines.iter().any(|line| line.contains(words))).map(|(_, mode)| *mode);
    told.or(Some(PermissionMode::Bypass).filter(|_| sign == '*'))
}
