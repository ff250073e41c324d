//! Fuzzy finders such as `fzf`: a line to filter by, a count beside it, and the matches above or below.

use shared_types::{Confidence, PromptKind, PromptSource};

use super::{keys, live::Live, patterns::clean_title};
use crate::{
    SightedOption, Sighting,
    screen::{Color, Line},
};

/// Where a match's label begins, behind the pointer and the mark.
const LABEL_COLUMN: u16 = 2;

/// The list of a finder.
pub(super) fn read(live: &Live<'_>) -> Option<Sighting> {
    let screen = live.screen;
    let takes_raw = screen.tty.is_none_or(|tty| !tty.canonical && !tty.echo);
    if !takes_raw || !screen.cursor.visible || !live.before.contains("> ") {
        return None;
    }
    let above = live.row.checked_sub(1).and_then(|row| count(screen.text(row)).map(|count| (row, count)));
    let (info, (matched, multi)) =
        above.or_else(|| count(screen.text(live.row + 1)).map(|count| (live.row + 1, count)))?;
    let rows: Vec<usize> =
        if info < live.row { (0..info).rev().collect() } else { (info + 1..screen.lines.len()).collect() };
    let mut header = String::new();
    let mut items: Vec<usize> = Vec::new();
    for row in rows {
        let line = &screen.lines[row];
        if is_item(line) {
            items.push(row);
        } else if items.is_empty() && !line.text.is_empty() {
            header = line.text.trim().to_owned();
        } else {
            break;
        }
    }
    items.sort_unstable();
    let pointers: Vec<usize> = (0..items.len()).filter(|at| points(&screen.lines[items[*at]])).collect();
    let &[selected] = pointers.as_slice() else { return None };
    let mut sighting =
        Sighting::new(PromptKind::Question, PromptSource::Pattern, if multi { keys::TAB_CHECKS } else { keys::MENU });
    sighting.confidence = Confidence::Likely;
    let prompt = live.before.split('>').next().unwrap_or_default().trim();
    let title = [header.as_str(), prompt].into_iter().find(|text| !text.is_empty());
    sighting.title = clean_title(title.unwrap_or(if multi { "Choose any" } else { "Choose one" }));
    sighting.rows = *items.first()?.min(&live.row)..(items.last()? + 1).max(live.row + 1);
    sighting.more_options = matched > items.len();
    sighting.multi_select = multi;
    sighting.selected = Some(selected);
    sighting.options = items
        .iter()
        .map(|row| {
            let line = &screen.lines[*row];
            let marked = line.cells.iter().any(|cell| cell.column == 1 && cell.ch != ' ');
            let label = line.text_from(LABEL_COLUMN);
            SightedOption {
                checked: multi.then_some(marked),
                ..SightedOption::new(label.trim_end_matches(['│', '▌', ' ']))
            }
        })
        .collect();
    Some(sighting)
}

/// `  3/12` or `  3/12 (0)`: how many match, and whether several can be marked.
fn count(text: &str) -> Option<(usize, bool)> {
    let text = text.trim();
    let (matched, rest) = text.split_once('/')?;
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let rest = rest.get(digits..).filter(|_| digits > 0)?.trim_start();
    let ruled = rest.trim_start_matches(|ch: char| ch == '(' || ch == ')' || ch.is_ascii_digit() || ch == ' ');
    let plain = ruled.chars().all(|ch| ('\u{2500}'..='\u{257f}').contains(&ch) || ch == ' ' || ch == '-');
    plain.then_some((matched.parse().ok()?, rest.starts_with('(')))
}

/// A match has its pointer or its coloured gutter in the first column.
fn is_item(line: &Line) -> bool {
    let gutter =
        line.cells.first().is_some_and(|cell| cell.ch == '▌' || cell.ch == '>' || cell.style.bg != Color::Default);
    gutter && !line.text_from(LABEL_COLUMN).is_empty()
}

fn points(line: &Line) -> bool {
    // Newer finders draw the gutter with the same bar as the pointer, but only the pointer's row is bold.
    line.cells.first().is_some_and(|cell| cell.ch == '>' || (cell.ch == '▌' && cell.style.bold))
}
