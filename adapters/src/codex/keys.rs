//! How a response becomes keys, one step at a time, from what is on the screen now.
//!
//! Only arrows, Enter and Tab are pressed, and text goes only into a field that has the focus. Codex would take digits and
//! letters as well, but they act at once and differ from dialog to dialog: `2` is *don't ask again* in one approval and *no*
//! in the next, and in the review of hooks a digit only moves. A free text in an approval would answer it with the first
//! `y` in it, so none is ever typed there.

use shared_types::{NamedKey, OptionRole, PromptResponse};

use crate::{
    Keystroke, Refusal, SightedText, Sighting, Step,
    answer::{Expect, check_text, move_to},
    codex::{lines, prompt},
    layout::squash,
};

/// What the person wants of the dialog in front.
#[derive(Debug, Clone, Copy, Default)]
struct Wish<'a> {
    option: Option<&'a str>,
    text: Option<&'a str>,
}

/// The next step towards a response.
pub(super) fn answer(sighting: &Sighting, response: &PromptResponse) -> Result<Step, Refusal> {
    if sighting.multi_select || response.selected_options.as_ref().is_some_and(|options| options.len() > 1) {
        return Err(Refusal::TerminalOnly);
    }
    let wish = wish(sighting, response)?;
    if sighting.options.is_empty() {
        return fill(sighting, &wish);
    }
    let row = wanted_row(sighting, &wish)?;
    match (&sighting.text, wish.text) {
        (None, Some(_)) => return Err(Refusal::NoTextTaken),
        (Some(field), Some(text)) => {
            check_text(text, field.multiline)?;
        }
        (_, None) => {}
    }
    if let Some(step) = move_to(sighting, row)? {
        return Ok(step);
    }
    match &sighting.text {
        Some(field) => note(sighting, row, field, wish.text.unwrap_or_default()),
        None => Ok(submit()),
    }
}

/// The person's choice for the question in front.
fn wish<'a>(sighting: &Sighting, response: &'a PromptResponse) -> Result<Wish<'a>, Refusal> {
    let single = response.selected_options.as_deref().and_then(|options| options.first());
    let mut wish = Wish {
        option: response.selected_option.as_ref().or(single).map(String::as_str),
        text: response.text_value.as_deref(),
    };
    if let Some(answers) = &response.answers {
        let (index, questions) = sighting.position.as_deref().and_then(lines::count).unwrap_or((1, 1));
        let count = Refusal::AnswerCount { questions, answers: answers.len() };
        // Codex shows one question at a time, so an answer to the one in front alone is as good as one to them all.
        let answer = match answers.as_slice() {
            [only] => only,
            all if all.len() == questions => all.get(index.saturating_sub(1)).ok_or(count)?,
            _ => return Err(count),
        };
        if answer.selected_options.len() > 1 {
            return Err(Refusal::TerminalOnly);
        }
        wish.option = answer.selected_options.first().map(String::as_str);
        wish.text = answer.text_value.as_deref();
    }
    wish.text = wish.text.filter(|text| !text.trim().is_empty());
    Ok(wish)
}

/// The row of the chosen option. A text without an option goes to the row that stands for none of the others.
fn wanted_row(sighting: &Sighting, wish: &Wish<'_>) -> Result<usize, Refusal> {
    match (wish.option, wish.text) {
        (Some(option), _) => sighting.find_option(option).ok_or_else(|| Refusal::UnknownOption(option.to_owned())),
        (None, Some(_)) if sighting.text.is_none() => Err(Refusal::NoTextTaken),
        (None, Some(_)) => sighting
            .options
            .iter()
            .position(|option| option.role == Some(OptionRole::Other))
            .ok_or(Refusal::NothingChosen),
        (None, None) => Err(Refusal::NothingChosen),
    }
}

/// A dialog that is nothing but a text field.
fn fill(sighting: &Sighting, wish: &Wish<'_>) -> Result<Step, Refusal> {
    let Some(field) = sighting.text.as_ref().filter(|_| sighting.build == prompt::FIELD) else {
        return Err(Refusal::TerminalOnly);
    };
    if let Some(option) = wish.option {
        return Err(Refusal::UnknownOption(option.to_owned()));
    }
    let text = check_text(wish.text.ok_or(Refusal::TextMissing)?, field.multiline)?;
    if !field.focused {
        return Err(Refusal::TerminalOnly);
    }
    Ok(write(field, text, &[Keystroke::Ctrl('u')]))
}

/// The notes beside the selected row, then Enter. Tab opens them, and clears and closes them when they are open.
fn note(sighting: &Sighting, row: usize, field: &SightedText, text: &str) -> Result<Step, Refusal> {
    // On the row that stands for none of the others, Enter opens the notes instead of answering, so Tab does it first.
    let opens = sighting.options.get(row).is_some_and(|option| option.role == Some(OptionRole::Other));
    if !field.focused && !field.value.is_empty() {
        return Err(Refusal::TerminalOnly);
    }
    if !field.focused && (opens || !text.is_empty()) {
        return Ok(Step::Press { keys: vec![Keystroke::TAB], expect: Expect::TextFocused });
    }
    Ok(write(field, text, &[Keystroke::TAB]))
}

/// Brings a text into the field, first clearing what stands there, and submits once it is seen.
fn write(field: &SightedText, text: &str, clear: &[Keystroke]) -> Step {
    let shown = shown(text);
    if squash(&field.value) == squash(&shown) {
        submit()
    } else if field.value.is_empty() {
        // Pasted, because typed letters that come fast are taken for a paste, and the Enter behind them for a line break.
        Step::Press { keys: vec![Keystroke::Paste(text.to_owned())], expect: Expect::Text(shown) }
    } else {
        Step::Press { keys: clear.to_vec(), expect: Expect::Text(String::new()) }
    }
}

/// What a field shows of a pasted text: Codex draws a long one as its length, and sends it whole.
fn shown(text: &str) -> String {
    let length = text.chars().count();
    if length > LONG_PASTE { format!("[Pasted Content {length} chars]") } else { text.to_owned() }
}

/// The longest paste that Codex shows as it is.
const LONG_PASTE: usize = 1000;

fn submit() -> Step {
    Step::Submit { keys: vec![Keystroke::Named(NamedKey::Enter)] }
}
