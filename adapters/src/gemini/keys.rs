//! How Gemini CLI's dialogs take keys.
//!
//! Every step is worked out from what is on the screen now, and names what must be seen before the next. Rows are reached
//! with the arrow keys and taken with Enter: a digit would submit at once, and which digit means what depends on the folder's
//! trust. The selection sticks from one queued prompt to the next, so where the cursor is counts, never where it should be.
//!
//! [`boxes`] answers multi-selects, [`tabs`] several questions at once.

mod boxes;
mod tabs;

use shared_types::PromptResponse;

use crate::{
    Keystroke, Refusal, SightedOption, Sighting, Step,
    answer::Expect,
    gemini_family::keys::{Choice, Next, fill, go, text_row},
    keys::NamedKey,
};

/// A list: arrows and Enter.
pub(super) const CHOICE: &str = "choice";
/// A question of the model's or a plan: a list whose last row may take text, or a field. The list may scroll.
pub(super) const ASK: &str = "ask";
/// Several questions on tabs, with a page that reviews them.
pub(super) const TABS: &str = "tabs";
/// A field and nothing else.
pub(super) const FIELD: &str = "field";

/// What confirms a field as it stands; no row of the dialog, and never offered to a person.
pub(super) const KEEP: &str = "as it stands";

/// The next step towards an answer.
pub(super) fn answer(sighting: &Sighting, response: &PromptResponse) -> Result<Step, Refusal> {
    if sighting.build == TABS {
        return tabs::step(sighting, response);
    }
    next(sighting, &Choice::of_response(response)).map(Next::into_step)
}

fn next(sighting: &Sighting, choice: &Choice<'_>) -> Result<Next, Refusal> {
    if choice.is_empty() {
        return Err(if sighting.options.is_empty() { Refusal::TextMissing } else { Refusal::NothingChosen });
    }
    if sighting.multi_select {
        return boxes::next(sighting, choice);
    }
    if sighting.build == FIELD && choice.text.is_none() && choice.options == [KEEP] {
        // Only a dialog of the start that says where its text comes from has this option.
        let may = sighting.find_option(KEEP).is_some();
        return if may { Ok(take()) } else { Err(Refusal::UnknownOption(KEEP.to_owned())) };
    }
    if let Some(field) = sighting.text.as_ref().filter(|_| !sighting.options.iter().any(SightedOption::is_item)) {
        let text = choice.text.ok_or(Refusal::TextMissing)?;
        return Ok(fill(field, text)?.unwrap_or_else(take_text));
    }
    if choice.options.len() > 1 {
        return Err(Refusal::UnknownOption(choice.options.join(", ")));
    }
    let named = choice.options.first().and_then(|value| sighting.find_offered(value));
    match (named, choice.text, choice.options.first()) {
        (Some(row), None, _) if sighting.options[row].text.is_some() => Err(Refusal::TextMissing),
        (Some(row), None, _) => Ok(go(sighting, row)?.unwrap_or_else(take)),
        (Some(row), Some(_), _) if sighting.options[row].text.is_none() => Err(Refusal::NoTextTaken),
        // The field's row is named by what it suggested while it was empty, which it no longer shows.
        (_, Some(text), _) => write(sighting, text, Refusal::NoTextTaken),
        (None, None, Some(value)) => scroll(sighting, Refusal::UnknownOption((*value).to_owned())),
        (None, None, None) => Err(Refusal::NothingChosen),
    }
}

fn take() -> Next {
    Next::Take(vec![Keystroke::ENTER])
}

/// An Enter right behind typed text is taken for a line break (within 30 ms, 0.34 and 0.61), unless another key comes between.
fn take_text() -> Next {
    Next::Take(vec![Keystroke::Named(NamedKey::End), Keystroke::ENTER])
}

/// Writes into the row that takes text. The row must have the cursor first: what is typed before is lost but for a letter.
fn write(sighting: &Sighting, text: &str, missing: Refusal) -> Result<Next, Refusal> {
    let Some((row, field)) = text_row(sighting) else { return scroll(sighting, missing) };
    if let Some(next) = go(sighting, row)? {
        return Ok(next);
    }
    Ok(fill(field, text)?.unwrap_or_else(take_text))
}

/// Brings further options of a list that scrolls into view, downwards, one at a time.
fn scroll(sighting: &Sighting, missing: Refusal) -> Result<Next, Refusal> {
    let selected = sighting.selected.ok_or(Refusal::NoCursor)?;
    let Some(last) = sighting.options.len().checked_sub(1).filter(|_| sighting.more_options) else {
        return Err(missing);
    };
    if last == 0 {
        // With one row in view nothing on the screen would tell whether the cursor has moved.
        return Err(Refusal::TerminalOnly);
    }
    if selected < last {
        return Ok(go(sighting, last)?.unwrap_or_else(take));
    }
    if !is_list_end(sighting, &sighting.options[last]) {
        // The cursor stays on the lowest row, and another option comes there. A way back in the same breath would undo it
        // before it is drawn.
        return Ok(Next::Press(Keystroke::vertical(1), Expect::Left(sighting.options[last].label.clone())));
    }
    if sighting.options[0].number.as_deref() == Some("1") {
        return Err(missing);
    }
    // Behind the last option comes the first again.
    Ok(Next::Press(Keystroke::vertical(1), Expect::Selected(0)))
}

/// True for the row that always comes last: the one that takes text, and in a multi-select the one that ends it.
fn is_list_end(sighting: &Sighting, option: &SightedOption) -> bool {
    if sighting.multi_select { option.number.is_none() } else { option.text.is_some() }
}
