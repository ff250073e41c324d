//! A multi-select: every box as wanted, each seen, then the row that ends it.
//!
//! Such a list shows few of its rows at a time, and what is out of view is not known. So it is ended only from where all that
//! was chosen is in view and checked; a choice that never stands together in one view is for the terminal.

use crate::{Keystroke, Refusal, Sighting, answer::Expect, layout::squash};

use super::{Choice, Next, clear, fill, go, is_list_end, scroll, take, text_row};

/// The next step of a multi-select that is submitted by its last row.
pub(super) fn next(sighting: &Sighting, choice: &Choice<'_>) -> Result<Next, Refusal> {
    if let Some(value) = missing(sighting, choice) {
        return scroll(sighting, Refusal::UnknownOption(value.to_owned()));
    }
    if choice.text.is_some() && text_row(sighting).is_none() {
        return scroll(sighting, Refusal::NoTextTaken);
    }
    if let Some(next) = correct(sighting, choice)? {
        return Ok(next);
    }
    if let Some(end) = sighting.options.iter().position(|option| option.number.is_none()) {
        return Ok(go(sighting, end)?.unwrap_or_else(take));
    }
    // Above the first row comes the last again, and that is the one that ends the list.
    if sighting.more_options && sighting.options.first().is_some_and(|option| option.number.as_deref() == Some("1")) {
        let end = Next::Take([Keystroke::vertical(-1), vec![Keystroke::ENTER]].concat());
        return Ok(go(sighting, 0)?.unwrap_or(end));
    }
    Err(Refusal::TerminalOnly)
}

/// The next step of a multi-select on a tab: nothing when it can be left. What is out of view is seen on the review page.
pub(super) fn next_on_tab(sighting: &Sighting, choice: &Choice<'_>) -> Result<Option<Next>, Refusal> {
    if let Some(next) = correct(sighting, choice)? {
        return Ok(Some(next));
    }
    let text_missing = choice.text.is_some() && text_row(sighting).is_none();
    let at_end = sighting.options.last().is_none_or(|option| is_list_end(sighting, option));
    match missing(sighting, choice) {
        Some(value) if !sighting.more_options => Err(Refusal::UnknownOption(value.to_owned())),
        None if !text_missing => Ok(None),
        _ if at_end => Ok(None),
        _ => scroll(sighting, Refusal::TerminalOnly).map(Some),
    }
}

/// What was chosen and is not in view.
fn missing<'r>(sighting: &Sighting, choice: &Choice<'r>) -> Option<&'r str> {
    // The field's row is named by what it suggested while it was empty.
    let is_field = |value: &str| choice.text.is_some() && sighting.find_option(value).is_none();
    let unseen = |value: &&&str| sighting.find_offered(value).is_none() && (sighting.more_options || !is_field(value));
    choice.options.iter().find(unseen).copied()
}

/// The step that corrects the first row in view that is not as wanted.
fn correct(sighting: &Sighting, choice: &Choice<'_>) -> Result<Option<Next>, Refusal> {
    let rows: Vec<Option<usize>> = choice.options.iter().map(|value| sighting.find_offered(value)).collect();
    let all = all_row(sighting);
    let all_wanted = all.is_some_and(|row| rows.contains(&Some(row)));
    for (row, option) in sighting.options.iter().enumerate() {
        let wanted = rows.contains(&Some(row));
        // The row for all follows the others, or the others follow it.
        let follows = all.is_some() && all_wanted != (all == Some(row));
        if option.text.is_some()
            || follows && (all_wanted || all == Some(row))
            || option.checked.is_none_or(|checked| checked == wanted)
        {
            continue;
        }
        let toggle = Next::Press(vec![Keystroke::ENTER], Expect::Checked(row, wanted));
        return Ok(Some(go(sighting, row)?.unwrap_or(toggle)));
    }
    let Some((row, field)) = text_row(sighting) else { return Ok(None) };
    let write = match choice.text {
        Some(text) => fill(field, text)?,
        None if squash(&field.value).is_empty() => None,
        None => Some(clear(field)),
    };
    write.map(|write| Ok(go(sighting, row)?.unwrap_or(write))).transpose()
}

/// The row that checks all others: the last before the one that takes text, and it says so.
pub(super) fn all_row(sighting: &Sighting) -> Option<usize> {
    let is_all = |row: &usize| sighting.options[*row].label.to_lowercase().starts_with("all ");
    match text_row(sighting) {
        Some((text, _)) => text.checked_sub(1).filter(is_all),
        // Its row may be the last in view.
        None => sighting.options.len().checked_sub(1).filter(|_| sighting.more_options).filter(is_all),
    }
}
