//! Two words on the line of a question, one of them marked: `? Can you toggle? › no / yes`.

use shared_types::{Confidence, PromptKind, PromptSource};

use super::{keys, live::Live, menu, patterns};
use crate::{SightedOption, Sighting, screen::Cell};

/// The toggle on the line the cursor is on.
pub(super) fn read(live: &Live<'_>) -> Option<Sighting> {
    let screen = live.screen;
    if !live.takes_keys() || screen.cursor.visible {
        return None;
    }
    let (row, line) = (screen.last_row()?, &screen.lines[screen.last_row()?]);
    let mark = line.cells.iter().rposition(|cell| matches!(cell.ch, '›' | '‣' | '»' | '·'))?;
    let slash = mark + line.cells[mark..].iter().position(|cell| cell.ch == '/')?;
    let sides = [&line.cells[mark + 1..slash], &line.cells[slash + 1..]];
    let words = sides.map(|side| side.iter().map(|cell| cell.ch).collect::<String>().trim().to_owned());
    if words.iter().any(|word| word.is_empty() || word.contains(' ') || word.contains(['(', ')', '/'])) {
        return None;
    }
    let lit = sides.map(|side| side.iter().any(is_lit));
    let selected = lit.iter().position(|lit| *lit).filter(|_| lit[0] != lit[1])?;
    let mut sighting = Sighting::new(PromptKind::Question, PromptSource::Pattern, keys::TOGGLE);
    sighting.confidence = Confidence::Likely;
    let title: String = line.cells[..mark].iter().map(|cell| cell.ch).collect();
    sighting.title = patterns::clean_title(&title);
    sighting.options = words
        .map(|word| {
            let mut letters = word.chars();
            let first = letters.next().into_iter().flat_map(char::to_uppercase);
            SightedOption::new(first.chain(letters).collect::<String>())
        })
        .into();
    sighting.selected = Some(selected);
    sighting.rows = row..row + 1;
    menu::ask_for_permission(&mut sighting);
    Some(sighting)
}

fn is_lit(cell: &Cell) -> bool {
    cell.ch != ' ' && (cell.style.underline || cell.style.inverse)
}
