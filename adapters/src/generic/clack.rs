//! Prompts down the side of which a bar is drawn, with their question behind a diamond: `@clack/prompts`, which `create-vite`
//! and its like ask with.
//!
//! The cursor is hidden and parked below, so what is typed and which row is marked are read from the rows themselves. Menus of
//! radio buttons are left to `menu`.

use shared_types::{Confidence, PromptKind, PromptSource};

use super::{keys, live::Live, menu, patterns};
use crate::{
    SightedOption, SightedText, Sighting,
    screen::{Cell, Line},
};

/// How far below its question a prompt may reach.
const ROWS_LIMIT: usize = 60;

/// A prompt behind a diamond that ends with the screen.
pub(super) fn read(live: &Live<'_>) -> Option<Sighting> {
    let screen = live.screen;
    if screen.tty.is_some_and(|tty| tty.canonical) || screen.cursor.visible {
        return None;
    }
    let last = screen.last_row()?;
    if !screen.text(last).starts_with('└') {
        return None;
    }
    let top = (0..last).rev().take(ROWS_LIMIT).find(|row| !screen.text(*row).starts_with('│'))?;
    let title = screen.text(top).strip_prefix(['◆', '▲'])?.trim();
    let rows: Vec<&Line> = screen.lines[top + 1..last].iter().collect();
    let mut sighting =
        toggle(&rows).or_else(|| boxes(&rows)).or_else(|| letters(&rows)).or_else(|| field(&rows, title))?;
    sighting.confidence = Confidence::Likely;
    sighting.title = patterns::clean_title(title);
    sighting.rows = top..last + 1;
    menu::ask_for_permission(&mut sighting);
    sighting.identity = format!("clack {}", sighting.title);
    Some(sighting)
}

fn question(build: &'static str) -> Sighting {
    Sighting::new(PromptKind::Question, PromptSource::Pattern, build)
}

/// The cells of a row behind its bar.
fn inside(line: &Line) -> &[Cell] {
    let start = line.cells.iter().position(|cell| cell.ch != '│' && cell.ch != ' ').unwrap_or(line.cells.len());
    &line.cells[start..]
}

fn text(cells: &[Cell]) -> String {
    cells.iter().map(|cell| cell.ch).collect::<String>().trim().to_owned()
}

/// `● Yes / ○ No` on one row.
fn toggle(rows: &[&Line]) -> Option<Sighting> {
    let cells = rows.first().map(|line| inside(line))?;
    let shown = text(cells);
    let (one, other) = shown.split_once(" / ")?;
    let selected = [one, other].iter().position(|side| side.starts_with('●'))?;
    let label = |side: &str| side.trim_start_matches(['●', '○', ' ']).trim().to_owned();
    let mut sighting = question(keys::TOGGLE);
    sighting.options = [one, other].map(|side| SightedOption::new(label(side))).into();
    sighting.selected = Some(selected);
    Some(sighting)
}

/// Rows with boxes; the one the cursor is on is not dim.
fn boxes(rows: &[&Line]) -> Option<Sighting> {
    let mut sighting = question(keys::CHECKS);
    sighting.multi_select = true;
    for line in rows {
        let cells = inside(line);
        let Some(mark) = cells.first().filter(|cell| matches!(cell.ch, '◻' | '◼')) else { continue };
        let grey =
            cells.iter().skip(1).position(|cell| cell.ch == '(' && cell.style.dim).map_or(cells.len(), |at| at + 1);
        // A box that is ticked keeps its colour; of its label only the marked one is bright.
        let label = cells.iter().skip(1).find(|cell| cell.ch != ' ')?;
        if !mark.style.dim && !label.style.dim {
            sighting.selected = sighting.selected.or(Some(sighting.options.len()));
        }
        sighting.options.push(SightedOption {
            checked: Some(mark.ch == '◼'),
            description: Some(text(&cells[grey..]))
                .map(|hint| hint.trim_matches(['(', ')']).to_owned())
                .filter(|hint| !hint.is_empty()),
            ..SightedOption::new(text(&cells[1..grey]))
        });
    }
    (!sighting.options.is_empty()).then_some(sighting)
}

/// Rows that each begin with the key that chooses them, drawn like a key.
fn letters(rows: &[&Line]) -> Option<Sighting> {
    let mut sighting = question(keys::KEY);
    for line in rows.iter().filter(|line| !text(inside(line)).is_empty()) {
        let mut words = text(inside(line)).split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let key = words.first().filter(|word| word.chars().count() == 1)?.clone();
        let drawn = inside(line).first()?;
        if !(drawn.style.inverse || drawn.style.bg != crate::screen::Color::Default || drawn.style.dim)
            || words.len() < 2
        {
            return None;
        }
        words.remove(0);
        sighting.options.push(SightedOption { number: Some(key), ..SightedOption::new(words.join(" ")) });
    }
    (sighting.options.len() > 1).then_some(sighting)
}

/// One row that is typed into. Its cursor is an inverse cell; what is only suggested is dim behind it.
fn field(rows: &[&Line], title: &str) -> Option<Sighting> {
    let [line, refusals @ ..] = rows else { return None };
    if refusals.iter().any(|line| text(inside(line)).starts_with(['●', '○', '◻', '◼'])) {
        return None;
    }
    let cells = inside(line);
    let suggested =
        cells.iter().skip(1).any(|cell| cell.style.dim) && cells.first().is_some_and(|cell| cell.style.inverse);
    let shown = text(cells);
    let (placeholder, value) = match () {
        () if suggested => (Some(shown), String::new()),
        () => (None, shown.trim_end_matches(['_', '█']).to_owned()),
    };
    let mask = |ch: char| matches!(ch, '▪' | '•' | '*');
    if patterns::is_secret(title) || value.chars().count() > 1 && value.chars().all(mask) {
        let mut sighting = question(keys::SECRET);
        sighting.text = Some(SightedText { secret: true, focused: true, ..SightedText::default() });
        return Some(sighting);
    }
    let mut sighting = question(keys::TEXT);
    let may_be_empty = placeholder.is_some();
    sighting.text = Some(SightedText { placeholder, value, focused: true, may_be_empty, ..SightedText::default() });
    Some(sighting)
}
