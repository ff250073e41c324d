//! How the demo agent's dialogs are answered. Up and Down move, Space checks, Enter chooses or sends; a row with a field takes
//! what is typed while the cursor is on it.
//!
//! Every function looks at the sighting as it is now and returns the first thing that is still to be done, so a key that got
//! lost or came twice is made good by the next look.

use shared_types::{PromptResponse, QuestionAnswer};

use super::screen::{CHECKS, FORM, LIST};
use crate::{
    Keystroke, Refusal, SightedText, Sighting, Step,
    answer::{Expect, check_text, move_to},
    layout,
};

/// The next step towards the answer.
pub(super) fn next_step(sighting: &Sighting, response: &PromptResponse) -> Result<Step, Refusal> {
    match sighting.build {
        LIST => list(sighting, response),
        CHECKS => checks(sighting, response),
        FORM => form(sighting, response),
        _ => Err(Refusal::TerminalOnly),
    }
}

fn list(sighting: &Sighting, response: &PromptResponse) -> Result<Step, Refusal> {
    let text = text_of(response.text_value.as_deref());
    let row = match (chosen(response).unwrap_or_default().as_slice(), text) {
        ([value], _) => find(sighting, value)?,
        (values @ [_, _, ..], _) => return Err(Refusal::AnswerCount { questions: 1, answers: values.len() }),
        ([], Some(_)) => only_text_row(sighting)?,
        ([], None) => return Err(Refusal::NothingChosen),
    };
    let wanted = match (&sighting.options[row].text, text) {
        (Some(field), Some(text)) => Some((field, check_text(text, field.multiline)?)),
        (Some(_), None) => return Err(Refusal::TextMissing),
        (None, Some(_)) => return Err(Refusal::NoTextTaken),
        (None, None) => None,
    };
    if let Some(step) = move_to(sighting, row)? {
        return Ok(step);
    }
    if let Some(step) = wanted.and_then(|(field, text)| fill(field, text)) {
        return Ok(step);
    }
    Ok(Step::Submit { keys: vec![Keystroke::ENTER] })
}

fn checks(sighting: &Sighting, response: &PromptResponse) -> Result<Step, Refusal> {
    if text_of(response.text_value.as_deref()).is_some() {
        return Err(Refusal::NoTextTaken);
    }
    let values = chosen(response).ok_or(Refusal::NothingChosen)?;
    let wanted = values.iter().map(|value| find(sighting, value)).collect::<Result<Vec<_>, _>>()?;
    for (row, option) in sighting.options.iter().enumerate().filter(|(_, option)| option.is_item()) {
        let check = wanted.contains(&row);
        if option.checked != Some(check) {
            return match move_to(sighting, row)? {
                Some(step) => Ok(step),
                None => Ok(Step::Press { keys: vec![Keystroke::SPACE], expect: Expect::Checked(row, check) }),
            };
        }
    }
    submit(sighting)
}

fn form(sighting: &Sighting, response: &PromptResponse) -> Result<Step, Refusal> {
    let answers = response.answers.as_deref().ok_or(Refusal::NothingChosen)?;
    if answers.len() != sighting.questions.len() {
        return Err(Refusal::AnswerCount { questions: sighting.questions.len(), answers: answers.len() });
    }
    // Everything is checked before the first key, so that nothing is left half filled in.
    for (question, answer) in answers.iter().enumerate() {
        check_answer(sighting, question, answer)?;
    }
    let mut row = 0;
    for (index, (question, answer)) in sighting.questions.iter().zip(answers).enumerate() {
        for option in &question.options {
            let check = answer.selected_options.iter().any(|value| is_named(value, &option.value));
            let checked = option.checked.unwrap_or(false);
            // Of several radio buttons only the wanted one is pressed; the others go out by themselves.
            if checked != check && (check || question.multi_select == Some(true)) {
                let expect = Expect::QuestionChecked(index, option.value.clone(), check);
                return match move_to(sighting, row)? {
                    Some(step) => Ok(step),
                    None => Ok(Step::Press { keys: vec![Keystroke::SPACE], expect }),
                };
            }
            row += 1;
        }
        if question.text_input.is_some() {
            let field =
                sighting.options.get(row).and_then(|option| option.text.as_ref()).ok_or(Refusal::NoTextTaken)?;
            if let Some(step) = text_of(answer.text_value.as_deref()).and_then(|text| fill(field, text)) {
                return Ok(move_to(sighting, row)?.unwrap_or(step));
            }
            row += 1;
        }
    }
    submit(sighting)
}

fn check_answer(sighting: &Sighting, index: usize, answer: &QuestionAnswer) -> Result<(), Refusal> {
    let question = &sighting.questions[index];
    for value in &answer.selected_options {
        if !question.options.iter().any(|option| is_named(value, &option.value)) {
            return Err(Refusal::UnknownOption(value.clone()));
        }
    }
    if !question.options.is_empty() && question.multi_select != Some(true) {
        match answer.selected_options.len() {
            0 => return Err(Refusal::NothingChosen),
            1 => {}
            answers => return Err(Refusal::AnswerCount { questions: 1, answers }),
        }
    }
    match (&question.text_input, text_of(answer.text_value.as_deref())) {
        (Some(field), Some(text)) => check_text(text, field.multiline == Some(true)).map(|_| ()),
        (Some(_), None) => Err(Refusal::TextMissing),
        (None, Some(_)) => Err(Refusal::NoTextTaken),
        (None, None) => Ok(()),
    }
}

/// To the Submit row, and Enter on it.
fn submit(sighting: &Sighting) -> Result<Step, Refusal> {
    let row = sighting.options.iter().rposition(|option| !option.is_item()).ok_or(Refusal::TerminalOnly)?;
    Ok(move_to(sighting, row)?.unwrap_or(Step::Submit { keys: vec![Keystroke::ENTER] }))
}

/// The step that makes a field hold a text; nothing when it does. What somebody left in it goes first.
fn fill(field: &SightedText, text: &str) -> Option<Step> {
    if layout::squash(&field.value) == layout::squash(text) {
        None
    } else if field.value.is_empty() {
        Some(Step::Press { keys: vec![Keystroke::Text(text.to_owned())], expect: Expect::Text(text.to_owned()) })
    } else {
        Some(Step::Press { keys: vec![Keystroke::Ctrl('u')], expect: Expect::Text(String::new()) })
    }
}

/// The values a response names, where it names any.
fn chosen(response: &PromptResponse) -> Option<Vec<String>> {
    response.selected_options.clone().or_else(|| response.selected_option.clone().map(|value| vec![value]))
}

/// A text without the blanks around it; nothing when only blanks were given.
fn text_of(text: Option<&str>) -> Option<&str> {
    text.map(str::trim).filter(|text| !text.is_empty())
}

fn find(sighting: &Sighting, value: &str) -> Result<usize, Refusal> {
    let row = sighting.find_offered(value);
    row.ok_or_else(|| Refusal::UnknownOption(value.to_owned()))
}

/// A text alone means the one row that takes text; with two of them it would be a guess.
fn only_text_row(sighting: &Sighting) -> Result<usize, Refusal> {
    let mut rows = sighting.options.iter().enumerate().filter(|(_, option)| option.text.is_some());
    match (rows.next(), rows.next()) {
        (Some((row, _)), None) => Ok(row),
        (Some(_), Some(_)) => Err(Refusal::NothingChosen),
        (None, _) => Err(Refusal::NoTextTaken),
    }
}

fn is_named(value: &str, name: &str) -> bool {
    layout::squash(value) == layout::squash(name)
}
