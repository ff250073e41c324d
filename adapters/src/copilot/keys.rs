//! How a dialog of Copilot CLI is answered, one checked step at a time.
//!
//! Arrows move, Enter chooses the row that was seen to be selected. Digits would choose at once in most dialogs and do nothing in
//! others, so none is pressed. Text is typed only into a field that was seen to take it: elsewhere letters are ignored, and the Enter
//! behind them would choose a row.

use shared_types::PromptResponse;

use super::{
    dialog::{FIELD, LIST, takes_reason},
    question::{ROWS, TEXT},
};
use crate::{
    Keystroke, Refusal, SightedText, Sighting, Step,
    answer::{Expect, check_text, move_to},
    layout::squash,
};

/// The next step towards a response.
pub(super) fn answer(sighting: &Sighting, response: &PromptResponse) -> Result<Step, Refusal> {
    let several = response.selected_options.iter().flatten();
    let values: Vec<&str> = response.selected_option.iter().chain(several).map(String::as_str).collect();
    let text = response.text_value.as_deref().filter(|text| !text.trim().is_empty());
    if response.answers.is_some() {
        return Err(Refusal::AnswerCount { questions: 1, answers: response.answers.iter().flatten().count() });
    }
    match sighting.build {
        FIELD | TEXT => {
            if let Some(value) = values.first() {
                return Err(Refusal::UnknownOption((*value).to_owned()));
            }
            let field = sighting.text.as_ref().ok_or(Refusal::NoTextTaken)?;
            fill(field, text.ok_or(Refusal::TextMissing)?)
        }
        ROWS if sighting.multi_select => choose_several(sighting, &values, text),
        LIST | ROWS => match values.as_slice() {
            [] => choose(sighting, only_text_row(sighting, text)?, text),
            [value] => choose(sighting, find_row(sighting, value, text)?, text),
            _ => Err(Refusal::TerminalOnly),
        },
        _ => Err(Refusal::TerminalOnly),
    }
}

/// The row that a value names. The row that takes text shows what is typed in place of its label.
fn find_row(sighting: &Sighting, value: &str, text: Option<&str>) -> Result<usize, Refusal> {
    let unknown = || Refusal::UnknownOption(value.to_owned());
    sighting.find_offered(value).map_or_else(|| text.and_then(|_| text_row(sighting)).ok_or_else(unknown), Ok)
}

/// The one row that takes text.
fn text_row(sighting: &Sighting) -> Option<usize> {
    let mut rows = (0..sighting.options.len()).filter(|row| field_of(sighting, *row).is_some());
    rows.next().filter(|_| rows.next().is_none())
}

/// The field that a row opens: its own, or the dialog's, which belongs to the refusal.
fn field_of(sighting: &Sighting, row: usize) -> Option<&SightedText> {
    let option = sighting.options.get(row)?;
    option.text.as_ref().or_else(|| sighting.text.as_ref().filter(|_| takes_reason(option)))
}

fn only_text_row(sighting: &Sighting, text: Option<&str>) -> Result<usize, Refusal> {
    text.ok_or(Refusal::NothingChosen)?;
    text_row(sighting).ok_or(Refusal::NoTextTaken)
}

fn choose(sighting: &Sighting, row: usize, text: Option<&str>) -> Result<Step, Refusal> {
    let option = sighting.options.get(row).ok_or(Refusal::NoCursor)?;
    match (field_of(sighting, row), text) {
        (None, Some(_)) => Err(Refusal::NoTextTaken),
        (None, None) => Ok(move_to(sighting, row)?.unwrap_or_else(enter)),
        // An empty field is not sent. Escape says the same without a word, where the row says so.
        (Some(_), None) if takes_reason(option) && stops(option.hint.as_deref()) => {
            Ok(Step::Submit { keys: vec![Keystroke::ESCAPE] })
        }
        (Some(_), None) => Err(Refusal::TextMissing),
        (Some(field), Some(text)) => {
            check_text(text, false)?;
            if let Some(step) = move_to(sighting, row)? {
                return Ok(step);
            }
            if field.focused {
                return fill(field, text);
            }
            // A row that only opens its field when it is chosen.
            Ok(Step::Press { keys: vec![Keystroke::ENTER], expect: Expect::TextFocused })
        }
    }
}

fn stops(hint: Option<&str>) -> bool {
    hint.is_some_and(|hint| hint.to_lowercase().starts_with("esc"))
}

fn enter() -> Step {
    Step::Submit { keys: vec![Keystroke::ENTER] }
}

/// Makes a field hold the text, then sends it. What somebody left in it goes first.
fn fill(field: &SightedText, text: &str) -> Result<Step, Refusal> {
    let text = check_text(text, false)?.trim();
    Ok(if squash(&field.value) == squash(text) {
        enter()
    } else if !field.focused {
        return Err(Refusal::NoCursor);
    } else if field.value.is_empty() {
        Step::Press { keys: vec![Keystroke::Text(text.to_owned())], expect: Expect::Text(text.to_owned()) }
    } else {
        Step::Press { keys: vec![Keystroke::Ctrl('u')], expect: Expect::Text(String::new()) }
    })
}

/// Each wrong mark is changed and seen to change; Enter then sends them all, whichever row the cursor is on.
fn choose_several(sighting: &Sighting, values: &[&str], text: Option<&str>) -> Result<Step, Refusal> {
    if values.is_empty() && text.is_none() {
        return Err(Refusal::NothingChosen);
    }
    let wanted = values.iter().map(|value| find_row(sighting, value, text)).collect::<Result<Vec<_>, _>>()?;
    let takes_text = |row: usize| sighting.options.get(row).is_some_and(|option| option.text.is_some());
    if text.is_none() && wanted.iter().any(|row| takes_text(*row)) {
        return Err(Refusal::TextMissing);
    }
    // A space on the row that takes text is typed into its field.
    for (row, option) in sighting.options.iter().enumerate().filter(|(row, _)| !takes_text(*row)) {
        let state = wanted.contains(&row);
        if option.checked.is_some_and(|checked| checked != state) {
            let press = || Step::Press { keys: vec![Keystroke::SPACE], expect: Expect::Checked(row, state) };
            return Ok(move_to(sighting, row)?.unwrap_or_else(press));
        }
    }
    if text.is_some() {
        return choose(sighting, only_text_row(sighting, text)?, text);
    }
    // Enter on the row for an answer of one's own would send what stands in its field.
    match (0..sighting.options.len()).find(|row| !takes_text(*row)) {
        Some(row) if sighting.selected.is_some_and(takes_text) => Ok(move_to(sighting, row)?.unwrap_or_else(enter)),
        _ => Ok(enter()),
    }
}
