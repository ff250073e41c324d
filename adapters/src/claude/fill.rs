//! How what an MCP server asks is answered: each field is brought to the cursor, filled in and seen to hold it, and the button is
//! pressed when every field does.

use shared_types::{PromptResponse, QuestionAnswer};

use super::{
    form::{LEAVE, NO, YES},
    keys::{clear, move_to, typing},
    sight::build,
};
use crate::{
    Keystroke, Refusal, SightedOption, Sighting, Step,
    answer::{Expect, check_text},
    keys::NamedKey,
    layout::squash,
};

/// A field shows about so much of a longer text.
const FIELD_WIDTH: usize = 40;

/// The next step towards a response.
pub(super) fn next(sighting: &Sighting, response: &PromptResponse) -> Result<Step, Refusal> {
    let fields = sighting.questions.len();
    let answers = response.answers.as_deref().unwrap_or_default();
    let chosen = || response.selected_option.iter().chain(answers.iter().flat_map(|answer| &answer.selected_options));
    if let Some(row) = chosen().find_map(|value| button(sighting, value)) {
        return press(sighting, row);
    }
    if sighting.more_options {
        return Err(Refusal::TerminalOnly);
    }
    if fields == 0 {
        let wanted = response.selected_option.clone().ok_or(Refusal::NothingChosen)?;
        return Err(Refusal::UnknownOption(wanted));
    }
    if answers.len() != fields {
        return Err(Refusal::AnswerCount { questions: fields, answers: answers.len() });
    }
    if sighting.build == build::OPEN_FIELD {
        let field = sighting.question_index.ok_or(Refusal::NoCursor)?;
        return choose(sighting, &answers[field]);
    }
    let rows = sighting.options.get(..fields).ok_or(Refusal::NoCursor)?;
    match rows.iter().zip(answers).position(|(row, answer)| !holds(row, answer)) {
        // The dialog would only point to the field.
        None if rows.iter().any(|row| row.text.as_ref().is_some_and(|text| text.placeholder.is_some())) => {
            Err(Refusal::TextMissing)
        }
        None => press(sighting, fields),
        Some(row) => match step_towards(sighting, row)? {
            Some(step) => Ok(step),
            None => fill(&rows[row], &answers[row]),
        },
    }
}

/// One step through the pages: a field that is chosen from is opened, and its rows are gone through to the next field.
pub(super) fn next_page(sighting: &Sighting) -> Option<Vec<Keystroke>> {
    let front = sighting.question_index.and_then(|field| sighting.options.get(field));
    let closed = sighting.build == build::FORM && front.is_some_and(|row| row.hint.as_deref() == Some("Right"));
    let key = if closed { NamedKey::Right } else { NamedKey::Down };
    (!sighting.questions.is_empty() && !sighting.more_options).then(|| vec![Keystroke::Named(key)])
}

/// The button of this name. What leaves the whole dialog is one as well, and so is what a field that is opened hides.
fn button(sighting: &Sighting, value: &str) -> Option<usize> {
    let fields = sighting.questions.len();
    let row = sighting.find_option(value).filter(|row| *row >= fields && sighting.build == build::FORM);
    let hidden = sighting.build == build::OPEN_FIELD
        && sighting
            .questions
            .iter()
            .flat_map(|question| &question.options)
            .any(|option| option.value == value && option.role == Some(shared_types::OptionRole::Deny));
    row.or(hidden.then_some(fields))
}

/// Brings the cursor to a button and presses it.
fn press(sighting: &Sighting, row: usize) -> Result<Step, Refusal> {
    if sighting.build == build::OPEN_FIELD {
        return Ok(close());
    }
    // The one behind the buttons is a key.
    if sighting.options.get(row).is_some_and(|option| option.hint.is_some()) {
        return Ok(Step::Submit { keys: vec![Keystroke::ESCAPE] });
    }
    Ok(step_towards(sighting, row)?.unwrap_or(Step::Submit { keys: vec![Keystroke::ENTER] }))
}

/// One step of the cursor towards a row. Buttons stand side by side.
fn step_towards(sighting: &Sighting, row: usize) -> Result<Option<Step>, Refusal> {
    let fields = sighting.questions.len();
    let Some(selected) = sighting.selected.filter(|selected| *selected >= fields && row >= fields) else {
        return move_to(sighting, row);
    };
    let (key, next) = match row.cmp(&selected) {
        std::cmp::Ordering::Equal => return Ok(None),
        std::cmp::Ordering::Less => (NamedKey::Left, selected - 1),
        std::cmp::Ordering::Greater => (NamedKey::Right, selected + 1),
    };
    Ok(Some(Step::Press { keys: vec![Keystroke::Named(key)], expect: Expect::Selected(next) }))
}

fn wanted(answer: &QuestionAnswer) -> (Vec<&str>, Option<&str>) {
    let values = answer.selected_options.iter().map(String::as_str).filter(|value| *value != LEAVE).collect();
    (values, answer.text_value.as_deref().filter(|text| !text.trim().is_empty()))
}

/// True when a field holds what it should.
fn holds(row: &SightedOption, answer: &QuestionAnswer) -> bool {
    let shown = row.text.as_ref().map(|text| text.value.as_str()).unwrap_or_default();
    let focused = row.text.as_ref().is_some_and(|text| text.focused);
    let (values, text) = wanted(answer);
    match text {
        Some(text) => row.description.is_none() && shows(shown, text, focused),
        None if values.is_empty() => true,
        None => {
            let mut wanted: Vec<String> = values.iter().map(|value| squash(value)).collect();
            let mut held: Vec<String> = shown.split(", ").map(squash).collect();
            wanted.sort();
            held.sort();
            wanted == held || shows(shown, &values.join(", "), false)
        }
    }
}

/// True when a field shows a text: all of it, its beginning where it is cut off, or its end while it is typed into.
fn shows(shown: &str, text: &str, focused: bool) -> bool {
    let (whole, text) = (squash(shown), squash(text));
    let is_long = text.chars().count() > FIELD_WIDTH;
    let cut = whole.strip_suffix('…').is_some_and(|begin| is_long && text.starts_with(begin));
    whole == text || cut || focused && is_long && !whole.is_empty() && text.ends_with(&whole)
}

/// Fills in the field that the cursor is on.
fn fill(row: &SightedOption, answer: &QuestionAnswer) -> Result<Step, Refusal> {
    let (values, text) = wanted(answer);
    match (row.hint.as_deref(), values.as_slice(), text) {
        (Some(""), [], Some(text)) => {
            check_text(text, false)?;
            let shown = row.text.as_ref().map(|text| text.value.as_str()).unwrap_or_default();
            match &row.description {
                Some(complaint) if shows(shown, text, true) => Err(Refusal::NotAccepted(complaint.clone())),
                _ if !shown.is_empty() => Ok(clear()),
                _ if text.chars().count() > FIELD_WIDTH => Ok(Step::Press {
                    keys: vec![Keystroke::Text(text.to_owned())],
                    expect: Expect::TextEnd(text.to_owned()),
                }),
                _ => Ok(typing(text)),
            }
        }
        (Some("y/n"), [value], None) if [YES, NO].contains(value) => {
            let key = if *value == YES { "y" } else { "n" };
            let expect = Expect::Text((*value).to_owned());
            Ok(Step::Press { keys: vec![Keystroke::Text(key.to_owned())], expect })
        }
        (Some("Right"), [_, ..], None) => {
            Ok(Step::Press { keys: vec![Keystroke::Named(NamedKey::Right)], expect: Expect::Rows })
        }
        (Some("y/n" | "Right"), [], Some(_)) => Err(Refusal::NoTextTaken),
        (_, [], None) => Err(Refusal::NothingChosen),
        (_, [value, ..], _) => Err(Refusal::UnknownOption((*value).to_owned())),
        (None, ..) => Err(Refusal::NoCursor),
        _ => Err(Refusal::TextMissing),
    }
}

/// Chooses in the field that is opened.
fn choose(sighting: &Sighting, answer: &QuestionAnswer) -> Result<Step, Refusal> {
    let (values, text) = wanted(answer);
    if text.is_some() {
        return Err(Refusal::NoTextTaken);
    }
    let row = |value: &&str| sighting.find_option(value).ok_or_else(|| Refusal::UnknownOption((*value).to_owned()));
    let rows = values.iter().map(row).collect::<Result<Vec<usize>, Refusal>>()?;
    let space = || vec![Keystroke::SPACE];
    if sighting.multi_select {
        let mut states = sighting.options.iter().enumerate().filter(|_| !values.is_empty());
        let wrong = states.find(|(row, option)| option.checked != Some(rows.contains(row)));
        let Some((row, option)) = wrong else { return Ok(close()) };
        let state = option.checked != Some(true);
        return Ok(move_to(sighting, row)?
            .unwrap_or_else(|| Step::Press { keys: space(), expect: Expect::Checked(row, state) }));
    }
    match rows.as_slice() {
        [] => Ok(close()),
        [row] => {
            let label = sighting.options.get(*row).map(|option| option.label.clone()).unwrap_or_default();
            Ok(move_to(sighting, *row)?.unwrap_or_else(|| Step::Press { keys: space(), expect: Expect::Text(label) }))
        }
        _ => Err(Refusal::UnknownOption(values[1].to_owned())),
    }
}

/// Closes the rows of a field; what is ticked stays.
fn close() -> Step {
    Step::Press { keys: vec![Keystroke::Named(NamedKey::Left)], expect: Expect::TextFocused }
}
