//! Several questions on tabs. Each is answered when it is in front; the review page at the end shows what was answered, and
//! is left by Enter only when it shows what the person chose.

use shared_types::PromptResponse;

use crate::{
    Keystroke, Refusal, Sighting, Step,
    answer::Expect,
    gemini_family::keys::{Choice, Next, is_given, tells},
    keys::NamedKey,
};

use super::{boxes, next};

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
