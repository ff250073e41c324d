//! What the model asks with its own tool: rows between two rules over the whole width, without a box and without numbers. From
//! above: a heading, the model's own words, the names of the fields where there are several, the field in front with its rows, and
//! the keys. An answer of one's own is typed into a row below that looks like the composer.
//!
//! Of a form one field is in front at a time, and each is a prompt of its own: Enter goes on to the next.

use std::ops::Range;

use shared_types::{OptionRole, PromptKind, PromptSource};

use super::{
    dialog, lines,
    options::{self, CURSOR},
};
use crate::{Screen, SightedOption, SightedText, Sighting, screen::Line};

/// A question with rows.
pub(super) const ROWS: &str = "copilot/rows";
/// A question that takes a text.
pub(super) const TEXT: &str = "copilot/text";

/// The marks of rows of which several can be chosen: not chosen, chosen.
const MARKS: [(char, bool); 6] = [('•', false), ('✓', true), ('☐', false), ('☑', true), ('◯', false), ('◉', true)];
/// The column of the cursor, and the one of the labels.
const COLUMNS: (u16, u16) = (1, 3);

/// Reads the question that is open.
pub(super) fn read(screen: &Screen) -> Option<Sighting> {
    let is_rule = |row: usize| screen.lines.get(row).is_some_and(|line| lines::is_rule(line, screen.cols));
    let last = screen.last_row().filter(|last| is_rule(*last))?;
    let above = |row: usize| (0..row).rev().find(|row| is_rule(*row));
    let middle = above(last);
    // What stands in the first column between the two lowest rules is a field for an answer of one's own.
    let own = middle.filter(|row| holds_field(screen.lines.get(row + 1)));
    let (top, bottom) = match own {
        // The question is closed by a rule of its own; nothing stands between that and the field's.
        Some(row) => {
            let parts = |rule: &usize| (rule + 1..row).all(|row| screen.text(row).is_empty());
            let closing = above(row).filter(parts).unwrap_or(row);
            (above(closing), closing)
        }
        None => (middle, last),
    };
    let first = top.map_or_else(|| first_row(screen, bottom), |top| top + 1);
    let rows = screen.lines.get(first..bottom)?;
    let paragraphs = lines::paragraphs(rows);
    let (keys, rest) = paragraphs.split_last()?;
    let key_line = lines::prose(&rows[keys.clone()]);
    if !lines::is_key_line(&key_line) {
        return None;
    }
    let (front, before) = rest.split_last()?;
    let mut sighting = Sighting::new(PromptKind::Question, PromptSource::Screen, ROWS);
    sighting.rows = top.unwrap_or(first)..last + 1;
    sighting.incomplete = top.is_none();
    let cursor = screen.cursor.visible.then(|| (usize::from(screen.cursor.y), screen.cursor.x));
    let begin = fill_front(&rows[front.clone()], first + front.start, cursor, &mut sighting)?;
    if let Some(field) = own.and_then(|row| own_field(screen, row + 1..last, cursor)) {
        let other = sighting.options.iter_mut().rev().find(|option| option.text.is_some())?;
        other.text = Some(field);
    }
    let has_tabs = key_line.split([' ', '+', '·']).any(|word| word == "tab");
    let (tabs, said) = match before.split_last() {
        Some((tabs, said)) if has_tabs => (tabs_of(&rows[tabs.clone()]), said),
        _ => (None, before),
    };
    let heading = rows[front.start..front.start + begin].to_vec();
    fill_words(rows, said, &heading, top.is_some(), &mut sighting);
    sighting.position = tabs;
    let labels: Vec<&str> =
        sighting.options.iter().filter(|option| option.text.is_none()).map(|option| option.label.as_str()).collect();
    sighting.identity = format!("{}|{}|{}", sighting.title, sighting.description, labels.join("|"));
    Some(sighting)
}

/// The first row of a question whose top is off the screen: below the row of tabs, which a blank row parts from it.
fn first_row(screen: &Screen, bottom: usize) -> usize {
    let is_side =
        |row: &usize| screen.lines.get(*row).is_some_and(|line| line.indent() == Some(0) || line.text.ends_with('┃'));
    (0..bottom).rev().find(is_side).map_or(usize::from(bottom > 1), |row| row + 1)
}

fn holds_field(line: Option<&Line>) -> bool {
    line.and_then(Line::first_drawn).is_some_and(|cell| cell.column == 0 && cell.ch == CURSOR)
}

/// The field below the question.
fn own_field(screen: &Screen, rows: Range<usize>, cursor: Option<(usize, u16)>) -> Option<SightedText> {
    dialog::field(screen.lines.get(rows.clone())?, cursor, rows.start)
}

/// Reads the rows of the field in front, and says how many stand above them.
fn fill_front(rows: &[Line], first: usize, cursor: Option<(usize, u16)>, sighting: &mut Sighting) -> Option<usize> {
    if let Some(rule) = rows.iter().position(dialog_rule) {
        sighting.build = TEXT;
        sighting.text = Some(dialog::field(&rows[rule + 1..], cursor, first + rule + 1)?);
        return Some(rule);
    }
    if let Some(at) = rows.iter().position(|line| is_glyph(line) && cursor_is_on(line, first, rows, cursor)) {
        sighting.build = TEXT;
        sighting.text = Some(dialog::field(&rows[at..], cursor, first + at)?);
        return Some(at);
    }
    let begin = rows.iter().position(|line| is_glyph(line) || line.indent() == Some(COLUMNS.1))?;
    for line in &rows[begin..] {
        let is_selected = is_glyph(line);
        if !is_selected && line.indent() != Some(COLUMNS.1) {
            let last = sighting.options.last_mut()?;
            last.label = format!("{} {}", last.label, line.text.trim());
            continue;
        }
        if is_selected {
            sighting.selected = Some(sighting.options.len());
        }
        sighting.options.push(option(line));
    }
    for option in &mut sighting.options {
        if options::takes_text(&option.label, None) {
            option.text = Some(SightedText::default());
            option.role = Some(OptionRole::Other);
        }
    }
    sighting.multi_select = sighting.options.iter().any(|option| option.checked.is_some());
    sighting.more_options = sighting.selected.is_none();
    (!sighting.options.is_empty()).then_some(begin)
}

fn dialog_rule(line: &Line) -> bool {
    line.indent() == Some(COLUMNS.0) && super::body::is_only_strokes(line.text.trim())
}

fn is_glyph(line: &Line) -> bool {
    line.first_drawn().is_some_and(|cell| cell.ch == CURSOR && cell.column == COLUMNS.0)
}

/// Where the cursor is shown there is a field, not a list.
fn cursor_is_on(line: &Line, first: usize, rows: &[Line], cursor: Option<(usize, u16)>) -> bool {
    let at = cursor.and_then(|(row, _)| row.checked_sub(first));
    at.and_then(|at| rows.get(at)).is_some_and(|on| std::ptr::eq(on, line))
}

fn option(line: &Line) -> SightedOption {
    let label = line.text_from(COLUMNS.1);
    let marked = MARKS.iter().find_map(|(mark, checked)| {
        let rest = label.strip_prefix(*mark)?.strip_prefix(' ')?;
        Some((rest.to_owned(), *checked))
    });
    match marked {
        Some((label, checked)) => SightedOption { checked: Some(checked), ..SightedOption::new(label.trim()) },
        None => SightedOption::new(label.trim()),
    }
}

/// What is asked, and what the field is.
fn fill_words(rows: &[Line], said: &[Range<usize>], heading: &[Line], has_top: bool, sighting: &mut Sighting) {
    // The first row below the rule is the CLI's own.
    let skip = usize::from(has_top);
    let from = said.first().map_or(0, |first| first.start + skip);
    let to = said.last().map_or(from, |last| last.end);
    let asked = rows.get(from..to).map(lines::prose).unwrap_or_default();
    let name = heading.first().map(|line| line.text.trim().trim_end_matches(':').to_owned()).unwrap_or_default();
    let more = heading.get(1..).map(lines::prose).unwrap_or_default();
    sighting.title = if asked.is_empty() { name.clone() } else { asked };
    sighting.description = [name, more].into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n");
}

/// Which of the fields is in front, where all of them are shown: `1 of 4`.
fn tabs_of(rows: &[Line]) -> Option<String> {
    let text = lines::prose(rows);
    let names: Vec<&str> = text.split("  ").map(str::trim).filter(|name| !name.is_empty()).collect();
    let front = names.iter().position(|name| name.starts_with('[') && name.ends_with(']'))?;
    let is_cut = text.contains(['→', '←']);
    (!is_cut).then(|| format!("{} of {}", front + 1, names.len()))
}
