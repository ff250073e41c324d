//! Finds the dialog that is open, by its build: a rule or frame above, a list or a line of key hints below, no
//! composer.
//!
//! What was said before stands above the *floor*, the last row of the conversation. A list without a rule between it
//! and the floor is part of what was said: a quoted prompt, or one that is long answered.

use super::{
    lines::{KeyHint, Row, RowKind, join, key_hints, text},
    mark::Mark,
    options::{self, List},
    tabs::Tabs,
};
use crate::screen::{Color, Screen};

/// Among these there is text where something has left the screen at its top: dialogs have one or two empty rows in a row.
const TOP_ROWS: usize = 3;

/// A dialog on the screen, not yet understood.
pub(super) struct Dialog<'a> {
    /// Its first row.
    pub(super) first: usize,
    /// The row behind its last.
    pub(super) end: usize,
    /// What stands above it.
    pub(super) above: &'a [Row<'a>],
    /// What stands above the list or the hints, cut at its rules. No part is empty.
    pub(super) parts: Vec<&'a [Row<'a>]>,
    /// True when its upper edge is on the screen.
    pub(super) has_top: bool,
    /// Its options; empty for a dialog that takes keys only.
    pub(super) list: Option<List>,
    /// The keys it names at its end.
    pub(super) hints: Vec<KeyHint>,
    /// The text behind the list.
    pub(super) footer: String,
    /// True when nothing of a conversation is above it.
    pub(super) alone: bool,
    /// True when the person opened it with a slash command.
    pub(super) menu: bool,
    /// The width of the screen.
    pub(super) cols: u16,
}

impl Dialog<'_> {
    /// True when its beginning may have left the screen: no edge is above it, and what is there begins in the first row.
    pub(super) fn is_clipped(&self) -> bool {
        !self.has_top
    }
}

/// The dialog that is open. The screen must not have a composer.
pub(super) fn find<'a>(rows: &'a [Row<'a>], screen: &Screen) -> Option<Dialog<'a>> {
    let floor = floor(rows);
    with_list(rows, floor, screen.cols).or_else(|| keys_only(rows, floor, screen))
}

fn with_list<'a>(rows: &'a [Row<'a>], floor: usize, cols: u16) -> Option<Dialog<'a>> {
    let list = options::find(rows, floor, cols)?;
    let framed = rows.get(list.rows.start).is_some_and(|row| row.framed);
    let coloured = is_coloured(rows);
    let edges = |row: &Row<'_>| if framed { row.kind == RowKind::FrameTop } else { is_edge(row, coloured) };
    let top = top(rows, floor..list.rows.start, edges);
    let below = rows.get(list.rows.end..).unwrap_or_default();
    let footer = join(below.iter().filter(|row| row.is_text()).map(|row| row.cells), cols);
    let hints = last_hints(below, cols);
    let ruled_below = below.iter().any(|row| row.kind == RowKind::Rule);
    let alone = floor == 0;
    let drawn = match (top, list.selected) {
        (Some(_), Some(_)) => true,
        (Some(_), None) => !hints.is_empty(),
        // The top is clipped, or it never had one: then the list must be the last thing on the screen, and a drawn one.
        (None, Some(_)) => alone && (!hints.is_empty() || list.cursor_coloured),
        (None, None) => alone && !hints.is_empty() && list.numbered && !asks_to_go_on(&footer),
    };
    if !drawn || ruled_below || is_left_over(rows, top, &list) {
        return None;
    }
    let first = top.unwrap_or_else(|| below_ornament(rows, floor, list.rows.start));
    let head = rows.get(top.map_or(first, |top| top + 1)..list.rows.start).unwrap_or_default();
    let end = rows.iter().rposition(|row| !row.is_blank()).map_or(0, |last| last + 1);
    let (parts, has_top) = (parts(head), top.is_some());
    let opened = has_top && (opened_by_command(rows, floor, first) || has_pages(&parts));
    let menu = opened || is_settings(&list, &footer, &hints);
    let above = rows.get(..first).unwrap_or_default();
    Some(Dialog { first, end, above, parts, has_top, list: Some(list), hints, footer, alone, menu, cols })
}

/// A dialog without rows: a rule, a title in bold, text, and at the end the keys it takes.
fn keys_only<'a>(rows: &'a [Row<'a>], floor: usize, screen: &Screen) -> Option<Dialog<'a>> {
    let cols = screen.cols;
    let end = rows.iter().rposition(|row| !row.is_blank())? + 1;
    let coloured = is_coloured(rows);
    let top = top(rows, floor..end, |row| is_edge(row, coloured));
    let first = top.unwrap_or_else(|| below_ornament(rows, floor, end));
    let head = rows.get(top.map_or(first, |top| top + 1)..end)?;
    let last_blank = head.iter().rposition(Row::is_blank);
    let (body, foot) = head.split_at_checked(last_blank.map_or(head.len(), |blank| blank + 1))?;
    let footer = join(foot.iter().map(|row| row.cells), cols);
    let hints: Vec<KeyHint> = key_hints(&footer).into_iter().filter(|hint| !hint.action.contains("navigate")).collect();
    let titled =
        head.iter().find(|row| !row.is_blank()).is_some_and(|row| row.cells.iter().any(|cell| cell.style.bold));
    let alone = floor == 0;
    // A screen that can only be left is something to read, not a question.
    let leaves_only = !hints.is_empty() && hints.iter().all(|hint| hint.key.to_lowercase().starts_with("esc"));
    let framed = body.iter().any(|row| row.kind == RowKind::FrameTop);
    let clipped = end == rows.len() && hints.is_empty();
    let drawn = match top {
        Some(_) => titled && !body.is_empty() && (!hints.is_empty() || clipped && !screen.cursor.visible),
        None => alone && asks_to_go_on(&footer) && !hints.is_empty(),
    };
    if !drawn || leaves_only || framed || body.iter().any(|row| Mark::of(row).cursor.is_some()) {
        return None;
    }
    let parts = parts(if clipped { head } else { body });
    let menu = opened_by_command(rows, floor, first) || has_pages(&parts);
    let above = rows.get(..first).unwrap_or_default();
    Some(Dialog { first, end, above, parts, has_top: top.is_some(), list: None, hints, footer, alone, menu, cols })
}

/// The row behind the last one of the conversation: 0 when there is none on the screen.
fn floor(rows: &[Row<'_>]) -> usize {
    let mut rule_below = false;
    for row in rows.iter().rev() {
        rule_below |= row.kind == RowKind::Rule;
        let Some(first) = row.cells.first().filter(|_| row.is_text() && !row.framed) else { continue };
        let marker = match first.ch {
            '●' | '⏺' | '✢' | '✶' | '✻' | '✽' | '✳' => first.column == 0,
            '⎿' => first.column == 2,
            '❯' | '>' | '›' if first.column == 0 => {
                let mark = Mark::of(row);
                let message = mark.number.is_none() && mark.label_column().is_none_or(|column| column == 2);
                first.style.bg != Color::Default || message && rule_below
            }
            _ => false,
        };
        if marker {
            return row.index + 1;
        }
    }
    0
}

/// True for the line above a dialog: Claude draws it in the dialog's colour. A terminal without colours shows it without.
fn is_edge(row: &Row<'_>, coloured: bool) -> bool {
    row.kind == RowKind::Rule && (!coloured || row.fg() != Color::Default)
}

fn is_coloured(rows: &[Row<'_>]) -> bool {
    rows.iter().flat_map(|row| row.raw).any(|cell| cell.style.fg != Color::Default)
}

/// The upper edge: the highest one in the range, but of several with nothing between them the lowest, as a redraw
/// leaves some behind.
fn top(rows: &[Row<'_>], range: std::ops::Range<usize>, is_edge: impl Fn(&Row<'_>) -> bool) -> Option<usize> {
    let within = rows.get(range)?;
    let mut top = None;
    for row in within {
        if is_edge(row) {
            top = Some(row.index);
        } else if top.is_some() && !row.is_blank() {
            break;
        }
    }
    top
}

/// Whether this is what is left of a dialog that is being taken away: one whose edge has left the screen begins in its first rows, and
/// below an edge the first option is there. Claude Code 2.1.326 was seen to leave `4. No` alone, below the edge of its composer.
fn is_left_over(rows: &[Row<'_>], top: Option<usize>, list: &List) -> bool {
    if top.is_some() { list.begins_late } else { !rows.iter().take(TOP_ROWS).any(Row::is_text) }
}

/// The first row behind a picture, as the welcome has one: rows that are drawn, but hold neither letter nor digit.
fn below_ornament(rows: &[Row<'_>], floor: usize, end: usize) -> usize {
    let is_ornament = |row: &Row<'_>| row.is_text() && !row.cells.iter().any(|cell| cell.ch.is_alphanumeric());
    let last = rows.get(floor..end).and_then(|within| within.iter().rposition(is_ornament));
    last.map_or(floor, |last| floor + last + 1)
}

/// The hints of the last paragraph, or of its last row where other words stand before them.
fn last_hints(below: &[Row<'_>], cols: u16) -> Vec<KeyHint> {
    let Some(end) = below.iter().rposition(Row::is_text) else { return Vec::new() };
    let begin = below.iter().take(end).rposition(|row| !row.is_text()).map_or(0, |gap| gap + 1);
    let last = below.get(begin..=end).unwrap_or_default();
    let hints = key_hints(&join(last.iter().map(|row| row.cells), cols));
    if hints.is_empty() { below.get(end).map(|row| key_hints(&row.text())).unwrap_or_default() } else { hints }
}

/// True for `Press Enter to continue…`.
fn asks_to_go_on(footer: &str) -> bool {
    footer.to_lowercase().starts_with("press ")
}

/// Cuts at rules, leaves out empty parts and the blank rows at their ends.
fn parts<'a>(head: &'a [Row<'a>]) -> Vec<&'a [Row<'a>]> {
    let is_edge = |row: &Row<'_>| matches!(row.kind, RowKind::Rule | RowKind::Dashes);
    let within = head.split(is_edge).filter_map(|part| {
        let first = part.iter().position(|row| !row.is_blank())?;
        let last = part.iter().rposition(|row| !row.is_blank())?;
        part.get(first..=last)
    });
    within.collect()
}

/// True when the row above the dialog is the person's own slash command: then it is a menu, not a question of Claude's.
fn opened_by_command(rows: &[Row<'_>], floor: usize, first: usize) -> bool {
    let said = floor.checked_sub(1).and_then(|at| rows.get(at));
    let between = rows.get(floor..first).unwrap_or_default();
    let command = said.is_some_and(|row| {
        let words = text(Mark::of(row).label);
        row.head().is_some_and(|head| matches!(head, '❯' | '>' | '›')) && words.starts_with('/')
    });
    command && between.iter().all(|row| row.is_blank() || row.kind == RowKind::Rule)
}

/// True when the title names several pages beside each other, as menus do. The tabs of a question have boxes.
fn has_pages(parts: &[&[Row<'_>]]) -> bool {
    let title = parts.first().and_then(|part| part.first());
    title.is_some_and(|row| row.text().contains("  ") && Tabs::of(row).is_none())
}

/// True for a list that shows what is set and lets it be changed. A question of Claude's has no present choice.
fn is_settings(list: &List, footer: &str, hints: &[KeyHint]) -> bool {
    let sets = hints.iter().any(|hint| {
        hint.key.eq_ignore_ascii_case("enter") && (hint.action.starts_with("select") || hint.action.starts_with("set"))
    });
    let footer = footer.to_lowercase();
    list.ticks.contains(&true) && sets && list.last_own.is_some()
        || ["to adjust", "type to filter", "type to search"].iter().any(|words| footer.contains(words))
}

/// The rows of a part, cut at blank ones.
pub(super) fn paragraphs<'a>(part: &'a [Row<'a>]) -> Vec<&'a [Row<'a>]> {
    part.split(|row| row.is_blank()).filter(|rows| !rows.is_empty()).collect()
}
