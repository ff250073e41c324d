//! How Qwen Code's dialogs take keys.
//!
//! Every step is worked out from what is on the screen now, and names what must be seen before the next. Rows are reached with the
//! arrow keys and taken with Enter: a digit would submit at once, and which digit means what depends on the folder's trust.

use shared_types::PromptResponse;

use crate::{
    Keystroke, Refusal, Sighting, Step,
    answer::Expect,
    gemini_family::keys::{Choice, Next, clear, fill, is_given, tells, text_row},
    keys::NamedKey,
};

/// A list: arrows and Enter.
pub(super) const CHOICE: &str = "choice";
/// A question of the model's, whose last row takes text.
pub(super) const ASK: &str = "ask";
/// Several questions on tabs, with a page that submits.
pub(super) const TABS: &str = "tabs";

/// The next step towards an answer.
pub(super) fn answer(sighting: &Sighting, response: &PromptResponse) -> Result<Step, Refusal> {
    if sighting.build == TABS {
        return on_tabs(sighting, response);
    }
    next(sighting, &Choice::of_response(response)).map(Next::into_step)
}

fn next(sighting: &Sighting, choice: &Choice<'_>) -> Result<Next, Refusal> {
    if choice.is_empty() {
        return Err(Refusal::NothingChosen);
    }
    if sighting.multi_select {
        return boxes(sighting, choice);
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
        (_, Some(text), _) => write(sighting, text),
        (None, None, Some(value)) => Err(Refusal::UnknownOption((*value).to_owned())),
        (None, None, None) => Err(Refusal::NothingChosen),
    }
}

/// Brings the cursor to a row; nothing when it is there. Of several arrows at once all but one were lost, so each is seen.
fn go(sighting: &Sighting, row: usize) -> Result<Option<Next>, Refusal> {
    let selected = sighting.selected.ok_or(Refusal::NoCursor)?;
    Ok((selected != row).then(|| {
        let (key, next) = if row > selected { (1, selected + 1) } else { (-1, selected - 1) };
        Next::Press(Keystroke::vertical(key), Expect::Selected(next))
    }))
}

fn take() -> Next {
    Next::Take(vec![Keystroke::ENTER])
}

/// Writes into the row that takes text. The row must have the cursor first: there a digit is a letter like any other.
fn write(sighting: &Sighting, text: &str) -> Result<Next, Refusal> {
    let (row, field) = text_row(sighting).ok_or(Refusal::NoTextTaken)?;
    if let Some(next) = go(sighting, row)? {
        return Ok(next);
    }
    Ok(fill(field, text)?.unwrap_or_else(take))
}

/// A multi-select: every box as wanted, each seen, then Enter, which takes it from any row.
fn boxes(sighting: &Sighting, choice: &Choice<'_>) -> Result<Next, Refusal> {
    let is_field = |row: usize| sighting.options[row].text.is_some();
    let mut wanted = Vec::new();
    for value in &choice.options {
        match sighting.find_offered(value) {
            Some(row) if !is_field(row) => wanted.push(row),
            // The field's row is named by what it suggested while it was empty.
            _ if choice.text.is_some() => {}
            Some(_) => return Err(Refusal::TextMissing),
            None => return Err(Refusal::UnknownOption((*value).to_owned())),
        }
    }
    for (at, row) in sighting.options.iter().enumerate().filter(|(at, _)| !is_field(*at)) {
        let wants = wanted.contains(&at);
        if row.checked.is_some_and(|checked| checked != wants) {
            let toggle = Next::Press(vec![Keystroke::SPACE], Expect::Checked(at, wants));
            return Ok(go(sighting, at)?.unwrap_or(toggle));
        }
    }
    if let Some((row, field)) = text_row(sighting) {
        let step = match choice.text {
            Some(text) => fill(field, text)?,
            None if field.value.is_empty() => None,
            None => Some(clear(field)),
        };
        if let Some(step) = step {
            return Ok(go(sighting, row)?.unwrap_or(step));
        }
    } else if choice.text.is_some() {
        return Err(Refusal::NoTextTaken);
    }
    Ok(take())
}

/// Several questions on tabs. Each is answered when it is in front; the last page shows what was answered, and is left by Enter
/// only when it shows what the person chose.
fn on_tabs(sighting: &Sighting, response: &PromptResponse) -> Result<Step, Refusal> {
    let questions = sighting.questions.len();
    let choices: Vec<Choice<'_>> = response.answers.iter().flatten().map(Choice::of).collect();
    if choices.len() != questions {
        return Err(Refusal::AnswerCount { questions, answers: choices.len() });
    }
    if choices.iter().all(Choice::is_empty) {
        return Err(Refusal::NothingChosen);
    }
    let front = sighting.question_index.ok_or(Refusal::NoCursor)?;
    let Some(choice) = choices.get(front) else { return review(sighting, &choices) };
    if choice.is_empty() || !sighting.multi_select && is_given(sighting, choice) {
        return Ok(turn(sighting, front, front + 1));
    }
    Ok(match next(sighting, choice)? {
        Next::Press(keys, expect) => Step::Press { keys, expect },
        // An answer that is taken brings the next tab to the front.
        Next::Take(keys) => Step::Press { keys, expect: Expect::Question(front + 1) },
    })
}

/// On the last page: back to the first question that was answered otherwise, or done.
fn review(sighting: &Sighting, choices: &[Choice<'_>]) -> Result<Step, Refusal> {
    let given = |index: usize| sighting.questions[index].options.first().map(|option| option.label.as_str());
    let wrong = (0..choices.len()).find(|index| !tells(given(*index), &choices[*index]));
    match (wrong, sighting.options.first()) {
        (Some(index), _) => Ok(turn(sighting, choices.len(), index)),
        // The first row submits, the second cancels.
        (None, Some(_)) => Ok(go(sighting, 0)?.unwrap_or_else(take).into_step()),
        (None, None) => Err(Refusal::NoCursor),
    }
}

/// Turns towards another tab, one at a time. In a field the arrows would move its cursor, so the cursor leaves it first.
fn turn(sighting: &Sighting, from: usize, to: usize) -> Step {
    let in_field = sighting.selected.is_some_and(|row| sighting.options[row].text.is_some());
    if in_field && sighting.options.len() > 1 {
        let above = sighting.options.len() - 2;
        return Step::Press { keys: Keystroke::vertical(-1), expect: Expect::Selected(above) };
    }
    let key = if to > from { NamedKey::Right } else { NamedKey::Left };
    let next = if to > from { from + 1 } else { from - 1 };
    Step::Press { keys: vec![Keystroke::Named(key)], expect: Expect::Question(next) }
}
