//! Reads what Claude asks beside its composer, which takes messages all the same: how it is doing, and what may follow, such
//! as whether the conversation may be looked at.
//!
//! A question behind a coloured marker, and below it the answers on one row, each behind its key in the same colour:
//! `1: Bad    2: Fine   3: Good   0: Dismiss`. What is said in the conversation has a marker of another colour than whatever
//! is coloured in it, so nobody's words can pass for this. One key answers, when it stands alone in the composer: 2.1.325
//! leaves it there for a moment, in case that more is typed.

use shared_types::PromptKind;

use super::{
    lines::{Row, join, text, trim},
    sight::{build, new},
};
use crate::{
    SightedOption, Sighting,
    screen::{Cell, Color},
};

/// What may stand between the answers and the composer: notices that come and go.
const NOTICE_ROWS: usize = 3;
/// How far above its answers a question may begin.
const QUESTION_ROWS: usize = 12;

/// What is asked right above the composer, whose upper edge is on row `top`.
pub(super) fn find(rows: &[Row<'_>], top: usize, draft: &str, cols: u16) -> Option<Sighting> {
    let above = rows.get(..top)?;
    let mut near = above.iter().rev().filter(|row| !row.is_blank()).take(NOTICE_ROWS + 1);
    let (answers, (color, options)) = near.find_map(|row| Some((row.index, options(row)?)))?;
    let is_marker = |row: &Row<'_>| row.start() == 0 && row.head() == Some('●') && row.fg() == color;
    let first = answers.saturating_sub(QUESTION_ROWS)..answers;
    let first = first.rev().find(|at| above.get(*at).is_some_and(is_marker))?;
    // What stands in the composer hides the question, unless it is one of the answers.
    let typed = !draft.is_empty();
    if typed && !options.iter().any(|option| option.number.as_deref() == Some(draft)) {
        return None;
    }
    let mut sighting = new(PromptKind::Question, if typed { build::ASIDE_TYPED } else { build::ASIDE });
    (sighting.title, sighting.description) = words(above.get(first..answers)?, cols);
    sighting.identity.clone_from(&sighting.title);
    sighting.options = options;
    sighting.optional = true;
    sighting.rows = first..answers + 1;
    Some(sighting)
}

/// The question and what is said with it. The question is bold, or else it comes last.
fn words(rows: &[Row<'_>], cols: u16) -> (String, String) {
    let mut rows: Vec<&[Cell]> = rows.iter().map(|row| row.cells).collect();
    if let Some(first) = rows.first_mut() {
        *first = trim(first.get(1..).unwrap_or_default());
    }
    let is_bold = |cells: &&[Cell]| cells.first().is_some_and(|cell| cell.style.bold);
    let (question, more) = match rows.iter().take_while(|cells| is_bold(cells)).count() {
        0 => {
            let begin = rows.iter().rposition(|cells| cells.is_empty()).map_or(0, |blank| blank + 1);
            let (more, question) = rows.split_at(begin);
            (question, more)
        }
        bold => rows.split_at(bold),
    };
    (join(question.iter().copied(), cols), join(more.iter().copied(), cols))
}

/// The answers of a row that has nothing else, and the colour of their keys.
fn options(row: &Row<'_>) -> Option<(Color, Vec<SightedOption>)> {
    let color = row.fg();
    let begins: Vec<usize> = (0..row.cells.len()).filter(|at| is_key(row.cells, *at, color)).collect();
    if color == Color::Default || begins.first() != Some(&0) || begins.len() < 2 {
        return None;
    }
    let ends = begins.iter().skip(1).copied().chain([row.cells.len()]);
    let option = |(begin, end): (&usize, usize)| {
        let cells = row.cells.get(*begin..end)?;
        let label = text(cells.get(2..)?);
        let number = cells.first().map(|cell| cell.ch.to_string());
        (!label.is_empty()).then(|| SightedOption { number, ..SightedOption::new(label) })
    };
    let options: Option<Vec<_>> = begins.iter().zip(ends).map(option).collect();
    Some((color, options?))
}

/// True for the coloured key in front of an answer, `1: Bad`.
fn is_key(cells: &[Cell], at: usize, color: Color) -> bool {
    let is = |at: usize, ch: char| cells.get(at).is_some_and(|cell| cell.ch == ch && cell.style.fg != color);
    let key = cells.get(at).is_some_and(|cell| cell.ch.is_ascii_alphanumeric() && cell.style.fg == color);
    let apart = at.checked_sub(1).is_none_or(|before| cells.get(before).is_some_and(|cell| cell.ch == ' '));
    key && apart && is(at + 1, ':') && cells.get(at + 2).is_some_and(|cell| cell.ch == ' ')
}
