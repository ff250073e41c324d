//! A multi-select: every box as wanted, each seen, then the row that ends it.
//!
//! Such a list shows few of its rows at a time. It is gone through from one end to the other: what is in view is corrected, and
//! what has gone out of view is known from when it was last seen. It is ended only when every row has been seen to be right.

use crate::{
    Keystroke, Refusal, SightedOption, Sighting,
    answer::Expect,
    gemini_family::keys::{Choice, Next, clear, fill, go, text_row},
    layout::squash,
};

use super::{scroll, take};

/// The next step of a multi-select that is submitted by its last row.
pub(super) fn next(sighting: &Sighting, choice: &Choice<'_>) -> Result<Next, Refusal> {
    if let Some(next) = next_on_tab(sighting, choice)? {
        return Ok(next);
    }
    match sighting.options.iter().position(|option| option.number.is_none()) {
        Some(end) => Ok(go(sighting, end)?.unwrap_or_else(take)),
        None => scroll(sighting, Refusal::TerminalOnly),
    }
}

/// The next step of a multi-select until all of its rows are right: nothing when they are.
pub(super) fn next_on_tab(sighting: &Sighting, choice: &Choice<'_>) -> Result<Option<Next>, Refusal> {
    let all_seen = is_all_seen(sighting);
    if all_seen {
        if let Some(value) = missing(sighting, choice) {
            return Err(Refusal::UnknownOption(value.to_owned()));
        }
        if choice.text.is_some() && !rows(sighting).any(|row| row.text.is_some()) {
            return Err(Refusal::NoTextTaken);
        }
    }
    if let Some(next) = correct(sighting, choice)? {
        return Ok(Some(next));
    }
    if all_seen && sighting.out_of_view.iter().all(|row| is_right(row, choice)) {
        return Ok(None);
    }
    scroll(sighting, Refusal::TerminalOnly).map(Some)
}

/// All rows that are known: those in view, and those that were.
fn rows(sighting: &Sighting) -> impl Iterator<Item = &SightedOption> {
    sighting.options.iter().chain(&sighting.out_of_view)
}

/// True when no row is left that has never been seen.
fn is_all_seen(sighting: &Sighting) -> bool {
    if !sighting.more_options {
        return true;
    }
    let numbers: Vec<usize> =
        rows(sighting).filter_map(|row| row.number.as_deref().and_then(|number| number.parse().ok())).collect();
    let ends = rows(sighting).any(|row| row.number.is_none());
    ends && numbers.iter().max() == Some(&numbers.len())
}

/// What was chosen and is no row.
fn missing<'r>(sighting: &Sighting, choice: &Choice<'r>) -> Option<&'r str> {
    let is_row = |value: &str| rows(sighting).any(|row| row.is_offered() && squash(&row.label) == squash(value));
    // The field's row is named by what it suggested while it was empty.
    let is_field = |value: &str| choice.text.is_some() && squash(value) != squash(choice.text.unwrap_or_default());
    let spare = usize::from(choice.text.is_some());
    let unknown: Vec<&str> = choice.options.iter().copied().filter(|value| !is_row(value)).collect();
    unknown.iter().find(|value| !is_field(value) || unknown.len() > spare).copied()
}

/// Whether a row that is out of view was left as it is wanted.
fn is_right(row: &SightedOption, choice: &Choice<'_>) -> bool {
    if let Some(field) = &row.text {
        return squash(&field.value) == choice.text.map(squash).unwrap_or_default();
    }
    follows(row, choice) || row.checked.is_none_or(|checked| checked == is_wanted(row, choice))
}

fn is_wanted(row: &SightedOption, choice: &Choice<'_>) -> bool {
    choice.options.iter().any(|value| squash(value) == squash(&row.label))
}

/// The row for all follows the others; while it is wanted itself, the others follow it.
fn follows(row: &SightedOption, choice: &Choice<'_>) -> bool {
    choice.options.iter().any(|value| is_all(value)) != is_all(&row.label)
}

/// The step that corrects the first row in view that is not as wanted.
fn correct(sighting: &Sighting, choice: &Choice<'_>) -> Result<Option<Next>, Refusal> {
    for (at, row) in sighting.options.iter().enumerate() {
        let wanted = is_wanted(row, choice);
        if row.text.is_some() || follows(row, choice) || row.checked.is_none_or(|checked| checked == wanted) {
            continue;
        }
        let toggle = Next::Press(vec![Keystroke::ENTER], Expect::Checked(at, wanted));
        return Ok(Some(go(sighting, at)?.unwrap_or(toggle)));
    }
    let Some((row, field)) = text_row(sighting) else { return Ok(None) };
    let write = match choice.text {
        Some(text) => fill(field, text)?,
        None if squash(&field.value).is_empty() => None,
        None => Some(clear(field)),
    };
    write.map(|write| Ok(go(sighting, row)?.unwrap_or(write))).transpose()
}

/// True for the row that checks all others.
fn is_all(label: &str) -> bool {
    label.to_lowercase().starts_with("all ")
}
