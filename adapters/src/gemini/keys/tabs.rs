//! Several questions on tabs. Each is answered when it is in front; the review page at the end shows what was answered, and
//! is left by Enter only when it shows what the person chose.

use shared_types::PromptResponse;

use crate::{Keystroke, Refusal, Sighting, Step, answer::Expect, keys::NamedKey, layout::squash};

use super::{Choice, Next, boxes, next, text_row};

/// The next step from the tab that is in front.
pub(super) fn step(sighting: &Sighting, response: &PromptResponse) -> Result<Step, Refusal> {
    let questions = sighting.questions.len();
    let choices: Vec<Choice<'_>> = response.answers.iter().flatten().map(Choice::of).collect();
    if choices.len() != questions {
        return Err(Refusal::AnswerCount { questions, answers: choices.len() });
    }
    if choices.iter().all(Choice::is_empty) {
        return Err(Refusal::NothingChosen);
    }
    let front = sighting.question_index.ok_or(Refusal::NoCursor)?;
    let Some(choice) = choices.get(front) else { return Ok(review(sighting, &choices)) };
    if choice.is_empty() || !sighting.multi_select && is_given(sighting, choice) {
        return Ok(turn(front, front + 1));
    }
    let step =
        if sighting.multi_select { boxes::next_on_tab(sighting, choice)? } else { Some(next(sighting, choice)?) };
    let Some(step) = step else { return Ok(turn(front, front + 1)) };
    Ok(match step {
        Next::Press(keys, expect) => Step::Press { keys, expect },
        // An answer that is taken brings the next tab to the front.
        Next::Take(keys) => Step::Press { keys, expect: Expect::Question(front + 1) },
    })
}

/// On the review page: back to the first question that was answered otherwise, or done.
fn review(sighting: &Sighting, choices: &[Choice<'_>]) -> Step {
    let given = |index: usize| sighting.questions[index].options.first().map(|option| option.label.as_str());
    let wrong = (0..choices.len()).find(|index| !tells(given(*index), &choices[*index]));
    match wrong {
        Some(index) => turn(choices.len(), index),
        None => Step::Submit { keys: vec![Keystroke::ENTER] },
    }
}

/// Turns to another tab. Tab works everywhere, the arrows only outside of fields.
fn turn(from: usize, to: usize) -> Step {
    let key = if to > from { NamedKey::Tab } else { NamedKey::BackTab };
    Step::Press { keys: vec![Keystroke::Named(key); to.abs_diff(from)], expect: Expect::Question(to) }
}

/// True when the question in front is already answered as wanted.
fn is_given(sighting: &Sighting, choice: &Choice<'_>) -> bool {
    if let Some(field) = &sighting.text {
        return choice.text.is_some_and(|text| squash(text) == squash(&field.value));
    }
    let text = text_row(sighting).map(|(_, field)| squash(&field.value)).unwrap_or_default();
    if text != choice.text.map(squash).unwrap_or_default() {
        return false;
    }
    let row = choice.options.first().and_then(|value| sighting.find_offered(value));
    row.is_none_or(|row| sighting.options[row].checked == Some(true)) && (row.is_some() || choice.text.is_some())
}

/// True when an answer on the review page is what the person chose. Several are shown in one line with commas between.
fn tells(given: Option<&str>, choice: &Choice<'_>) -> bool {
    let Some(given) = given else { return choice.is_empty() };
    let wanted: Vec<String> = choice.options.iter().copied().chain(choice.text).map(squash).collect();
    let given = squash(given);
    // The row that checks all others is shown as what it has checked, and a long answer may be cut.
    if given.contains('…') || wanted.iter().any(|part| part.to_lowercase().starts_with("allof")) {
        return true;
    }
    // A text row that was chosen by its suggestion is shown as what was typed.
    let length = |parts: &[String]| parts.iter().map(String::len).sum::<usize>() + parts.len().saturating_sub(1);
    let typed: Vec<String> = wanted.iter().filter(|part| given.contains(part.as_str())).cloned().collect();
    let enough = typed.len() == wanted.len() || choice.text.is_some() && typed.len() + 1 == wanted.len();
    enough && length(&typed) == given.len()
}
