//! How Gemini CLI's dialogs take keys.
//!
//! Every step is worked out from what is on the screen now, and names what must be seen before the next. Rows are reached
//! with the arrow keys and taken with Enter: a digit would submit at once, and which digit means what depends on the folder's
//! trust. The selection sticks from one queued prompt to the next, so where the cursor is counts, never where it should be.
//!
//! [`boxes`] answers multi-selects, [`tabs`] several questions at once.

mod boxes;
mod tabs;

use shared_types::{PromptResponse, QuestionAnswer};

use crate::{
    Keystroke, Refusal, SightedOption, SightedText, Sighting, Step,
    answer::{Expect, check_text, move_to},
    keys::NamedKey,
    layout::squash,
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
    let mut options: Vec<&str> = response.selected_options.iter().flatten().map(String::as_str).collect();
    if options.is_empty() {
        options.extend(response.selected_option.as_deref());
    }
    let choice = Choice { options, text: response.text_value.as_deref().filter(|text| !text.is_empty()) };
    match next(sighting, &choice)? {
        Next::Press(keys, expect) => Ok(Step::Press { keys, expect }),
        Next::Take(keys) => Ok(Step::Submit { keys }),
    }
}

/// What the person chose for one question.
#[derive(Debug)]
struct Choice<'r> {
    options: Vec<&'r str>,
    text: Option<&'r str>,
}

impl<'r> Choice<'r> {
    fn of(answer: &'r QuestionAnswer) -> Self {
        let options = answer.selected_options.iter().map(String::as_str).collect();
        Self { options, text: answer.text_value.as_deref().filter(|text| !text.is_empty()) }
    }

    fn is_empty(&self) -> bool {
        self.options.is_empty() && self.text.is_none()
    }
}

/// What to do next for one question.
enum Next {
    /// Press these and see that.
    Press(Vec<Keystroke>, Expect),
    /// Press these, and the question is answered.
    Take(Vec<Keystroke>),
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

/// Brings the cursor to a row; nothing when it is there.
fn go(sighting: &Sighting, row: usize) -> Result<Option<Next>, Refusal> {
    Ok(move_to(sighting, row)?.map(|step| match step {
        Step::Press { keys, expect } => Next::Press(keys, expect),
        Step::Submit { keys } => Next::Take(keys),
    }))
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

fn text_row(sighting: &Sighting) -> Option<(usize, &SightedText)> {
    sighting.options.iter().enumerate().find_map(|(row, option)| Some((row, option.text.as_ref()?)))
}

/// Makes a field hold a text; nothing when it does.
fn fill(field: &SightedText, text: &str) -> Result<Option<Next>, Refusal> {
    /// More than this may not fit into the three rows that a field shows.
    const SURELY_SHOWN: usize = 80;
    let text = check_text(text, field.multiline)?;
    let long = text.chars().count() > SURELY_SHOWN || text.contains('\n');
    let (wanted, shown) = (squash(text), squash(&field.value));
    if shown == wanted || long && !shown.is_empty() && wanted.ends_with(&shown) {
        return Ok(None);
    }
    if !shown.is_empty() {
        return Ok(Some(clear(field)));
    }
    let mut keys = Vec::new();
    for (count, line) in text.split('\n').enumerate() {
        // Ctrl-J breaks the line; a paste of many lines would be shown as one mark and could not be checked.
        if count > 0 {
            keys.push(Keystroke::Ctrl('j'));
        }
        if !line.is_empty() {
            keys.push(Keystroke::Text(line.to_owned()));
        }
    }
    let expect = if long { Expect::TextEnd(text.to_owned()) } else { Expect::Text(text.to_owned()) };
    Ok(Some(Next::Press(keys, expect)))
}

fn clear(field: &SightedText) -> Next {
    let mut keys = vec![Keystroke::Named(NamedKey::End)];
    keys.extend(vec![Keystroke::Named(NamedKey::Backspace); field.value.chars().count()]);
    Next::Press(keys, Expect::Text(String::new()))
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
