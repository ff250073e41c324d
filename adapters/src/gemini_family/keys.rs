//! What is alike in answering the dialogs of these CLIs: what the person chose, how a row is reached and a field filled, and
//! whether a question on a tab is answered already.

use shared_types::{PromptResponse, QuestionAnswer};

use crate::{
    Keystroke, Refusal, SightedText, Sighting, Step,
    answer::{Expect, check_text, move_to},
    keys::NamedKey,
    layout::squash,
};

/// What the person chose for one question.
#[derive(Debug)]
pub(crate) struct Choice<'r> {
    /// The options, by their values.
    pub(crate) options: Vec<&'r str>,
    /// What was typed.
    pub(crate) text: Option<&'r str>,
}

impl<'r> Choice<'r> {
    /// What was chosen in a dialog that asks one question.
    pub(crate) fn of_response(response: &'r PromptResponse) -> Self {
        let mut options: Vec<&str> = response.selected_options.iter().flatten().map(String::as_str).collect();
        if options.is_empty() {
            options.extend(response.selected_option.as_deref());
        }
        Self { options, text: response.text_value.as_deref().filter(|text| !text.is_empty()) }
    }

    /// What was chosen for one of several questions.
    pub(crate) fn of(answer: &'r QuestionAnswer) -> Self {
        let options = answer.selected_options.iter().map(String::as_str).collect();
        Self { options, text: answer.text_value.as_deref().filter(|text| !text.is_empty()) }
    }

    /// True when nothing was.
    pub(crate) fn is_empty(&self) -> bool {
        self.options.is_empty() && self.text.is_none()
    }
}

/// What to do next for one question.
pub(crate) enum Next {
    /// Press these and see that.
    Press(Vec<Keystroke>, Expect),
    /// Press these, and the question is answered.
    Take(Vec<Keystroke>),
}

impl Next {
    /// The step of a dialog that asks one question.
    pub(crate) fn into_step(self) -> Step {
        match self {
            Self::Press(keys, expect) => Step::Press { keys, expect },
            Self::Take(keys) => Step::Submit { keys },
        }
    }
}

/// Brings the cursor to a row; nothing when it is there.
pub(crate) fn go(sighting: &Sighting, row: usize) -> Result<Option<Next>, Refusal> {
    Ok(move_to(sighting, row)?.map(|step| match step {
        Step::Press { keys, expect } => Next::Press(keys, expect),
        Step::Submit { keys } => Next::Take(keys),
        // Moving types nothing.
        Step::Type { .. } => Next::Take(vec![Keystroke::ENTER]),
    }))
}

/// The row that takes text, and its field.
pub(crate) fn text_row(sighting: &Sighting) -> Option<(usize, &SightedText)> {
    sighting.options.iter().enumerate().find_map(|(row, option)| Some((row, option.text.as_ref()?)))
}

/// Makes a field hold a text; nothing when it does.
pub(crate) fn fill(field: &SightedText, text: &str) -> Result<Option<Next>, Refusal> {
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

/// Empties a field.
pub(crate) fn clear(field: &SightedText) -> Next {
    let mut keys = vec![Keystroke::Named(NamedKey::End)];
    keys.extend(vec![Keystroke::Named(NamedKey::Backspace); field.value.chars().count()]);
    Next::Press(keys, Expect::Text(String::new()))
}

/// True when the question in front is already answered as wanted.
pub(crate) fn is_given(sighting: &Sighting, choice: &Choice<'_>) -> bool {
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
pub(crate) fn tells(given: Option<&str>, choice: &Choice<'_>) -> bool {
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
