//! The composer, and what the row below it says of the work.
//!
//! While the composer is drawn and has the cursor no dialog is open, whatever stands above. Lists and the palette are drawn over
//! it and take the cursor.

use shared_types::PermissionMode;

use super::panel::{BAR, bar_of};
use crate::{
    Composer, Reading, Screen,
    screen::{Color, Line},
};

/// What there is of a composer.
#[derive(Debug, PartialEq)]
pub(super) enum Found {
    /// It has the cursor.
    Open(Box<Reading>),
    /// It is drawn, but something else has the cursor.
    Covered,
    /// There is none.
    Missing,
}

/// Where the composer's lower edge is.
struct Edge {
    row: usize,
    bar: u16,
    right: u16,
}

/// Finds the composer.
pub(super) fn find(screen: &Screen) -> Found {
    let Some(edge) = edge(screen) else {
        return compact(screen).map_or(Found::Missing, |reading| Found::Open(Box::new(reading)));
    };
    let line = |row: usize| screen.lines.get(row);
    let inside = |row: usize| line(row).map(|line| between(line, edge.bar + 1, edge.right)).unwrap_or_default();
    let is_side = |row: &usize| line(*row).and_then(bar_of).is_some_and(|bar| bar.column == edge.bar);
    let about = (0..edge.row).rev().take_while(|row| is_side(row) && !inside(*row).trim().is_empty()).last();
    let Some(about) = about else { return Found::Covered };
    // The list of commands stands above and has a second side.
    let is_draft = |row: &usize| is_side(row) && !inside(*row).trim_end().ends_with(BAR);
    let top = (0..about).rev().take_while(is_draft).last().unwrap_or(about);
    let (x, y) = (screen.cursor.x, usize::from(screen.cursor.y));
    if !screen.cursor.visible || !(top..about).contains(&y) || x <= edge.bar || x > edge.right {
        return Found::Covered;
    }
    let about_rows = screen.lines.get(about..edge.row).unwrap_or_default();
    let muted = muted(about_rows, edge.right);
    let text_column = edge.bar + 3;
    let drawn = |row: usize| inside(row).chars().skip(2).collect::<String>().trim_end().to_owned();
    let rows: Vec<String> = (top..about).map(drawn).collect();
    let text = rows.join("\n").trim().to_owned();
    let first = (top..about).find(|row| !inside(*row).trim().is_empty());
    let colour = first.and_then(line).and_then(|line| colour_from(line, text_column));
    let is_ghost = x == text_column && first == Some(y) && colour.is_some() && colour == muted;
    let names: String =
        about_rows.iter().map(|line| between(line, edge.bar + 1, edge.right)).collect::<Vec<_>>().join("\n");
    let agent = names.split_once('·').map(|(agent, _)| agent.trim().to_owned());
    let draft = match (&agent, is_ghost) {
        // Where no model is named a command for the shell is typed.
        (None, _) => format!("!{text}"),
        (Some(_), true) => String::new(),
        (Some(_), false) => text,
    };
    let composer = Composer { draft, mode: agent.as_deref().and_then(mode) };
    Found::Open(Box::new(reading(screen.lines.get(edge.row + 1), edge.bar, edge.right, composer)))
}

/// The lower edge of a composer that no other block stands below.
fn edge(screen: &Screen) -> Option<Edge> {
    /// Less is no edge.
    const SHORTEST: usize = 8;
    let last =
        screen.lines.iter().rposition(|line| line.first_drawn().is_some_and(|cell| matches!(cell.ch, '╹' | BAR)))?;
    let line = &screen.lines[last];
    let corner = line.first_drawn().filter(|cell| cell.ch == '╹')?;
    let run: Vec<_> =
        line.cells.iter().filter(|cell| cell.column > corner.column).take_while(|cell| cell.ch == '▀').collect();
    let right = run.last().filter(|_| run.len() >= SHORTEST)?.column + 1;
    Some(Edge { row: last, bar: corner.column, right })
}

/// Ready, or busy with what the row below tells.
fn reading(below: Option<&Line>, left: u16, right: u16, composer: Composer) -> Reading {
    match below.and_then(|line| work(&between(line, left, right))) {
        Some(detail) => Reading::Busy { detail, composer: Some(composer) },
        None => Reading::Ready(composer),
    }
}

/// What a row says of the work: a moving bar, or dots in its place, then what is waited for.
fn work(text: &str) -> Option<String> {
    const CELLS: [char; 2] = ['⬝', '■'];
    /// The bar has eight cells; some may be cut off.
    const LEAST: usize = 4;
    let text = text.trim_start();
    let rest = text.trim_start_matches(CELLS);
    let is_bar = text.chars().count() - rest.chars().count() >= LEAST;
    let rest = if is_bar { rest } else { text.strip_prefix("[⋯]")? };
    let what = rest.trim().split("  ").next().unwrap_or_default();
    Some(if what.starts_with("esc") { String::new() } else { what.to_owned() })
}

/// The composer of the interface without bars: a row that names the agent at its left on a ground of its own, and the cursor
/// above it.
fn compact(screen: &Screen) -> Option<Reading> {
    let last = screen.last_row().filter(|_| !screen.alternate)?;
    let status = screen.lines.get(last)?;
    let name = status.first_drawn().filter(|cell| cell.column == 1)?;
    let mut named = status.cells.iter().filter(|cell| cell.style.bg == name.style.bg && cell.ch != ' ');
    let is_name =
        name.style.bold && name.style.bg != Color::Default && named.clone().all(|cell| cell.ch.is_uppercase());
    let y = usize::from(screen.cursor.y);
    if !is_name || !screen.cursor.visible || y >= last {
        return None;
    }
    let end = named.next_back().map_or(0, |cell| cell.column + 1);
    let agent: String = between(status, 0, end).trim().to_owned();
    let top = (0..=y).rev().take_while(|row| !screen.text(*row).is_empty()).last();
    let rows: Vec<&str> = top.map(|top| (top..last).map(|row| screen.text(row)).collect()).unwrap_or_default();
    let muted = status.cells.iter().rfind(|cell| cell.ch != ' ').map(|cell| cell.style.fg);
    let colour = top.and_then(|top| screen.lines.get(top)).and_then(|line| colour_from(line, 0));
    let is_ghost = screen.cursor.x == 0 && colour == muted;
    let draft = if is_ghost { String::new() } else { rows.join("\n").trim().to_owned() };
    Some(reading(Some(status), end, screen.cols, Composer { draft, mode: mode(&agent) }))
}

/// The agents that the CLI has from the start; others say nothing of what they may do. The sessions that we start are told to ask.
fn mode(agent: &str) -> Option<PermissionMode> {
    let words: Vec<String> = agent.split_whitespace().map(str::to_lowercase).collect();
    match words.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["plan"] => Some(PermissionMode::Plan),
        ["build"] => Some(PermissionMode::Ask),
        [_, "auto"] => Some(PermissionMode::Bypass),
        _ => None,
    }
}

/// The colour of what is only a remark: that of the dot behind the agent's name.
fn muted(rows: &[Line], right: u16) -> Option<Color> {
    let cells = || rows.iter().flat_map(|line| &line.cells).filter(|cell| cell.column < right);
    cells().find(|cell| cell.ch == '·').map(|cell| cell.style.fg)
}

fn colour_from(line: &Line, column: u16) -> Option<Color> {
    line.cells.iter().find(|cell| cell.ch != ' ' && cell.column >= column).map(|cell| cell.style.fg)
}

fn between(line: &Line, from: u16, to: u16) -> String {
    line.cells.iter().filter(|cell| cell.column >= from && cell.column < to).map(|cell| cell.ch).collect()
}
