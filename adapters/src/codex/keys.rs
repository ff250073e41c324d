//! How a response becomes keys, one step at a time, from what is on the screen now.
//!
//! An approval is answered with the letter that it shows behind the option: one key, which does nothing in a dialog that has no
//! such letter. Where it shows none, or `esc`, which would interrupt the work once the dialog has gone, and in every other
//! dialog, the row is found by its label and reached with arrows and Enter. Digits are never pressed: `2` is *don't ask again*
//! in one approval and *no* in the next, and in the review of hooks a digit only moves. Text goes only into a field that has
//! the focus; a free text in an approval would answer it with the first `y` in it, so none is ever typed there.

use shared_types::{OptionRole, PromptResponse, QuestionAnswer};

use crate::{
    Keystroke, Refusal, SightedText, Sighting, Step,
    answer::{Expect, check_text, move_to},
    codex::prompt,
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
    let (wish, end) = match sighting.questions.len() {
        0 | 1 => (wish(response)?, End::Prompt),
        count => match page(sighting, response, count)? {
            Page::Answer(wish, end) => (wish, end),
            Page::Turn(step) => return Ok(step),
        },
    };
    if sighting.options.is_empty() {
        return fill(sighting, &wish, end);
    }
    let row = wanted_row(sighting, &wish)?;
    match (&sighting.text, wish.text) {
        (None, Some(_)) => return Err(Refusal::NoTextTaken),
        (Some(field), Some(text)) => {
            check_text(text, field.multiline)?;
        }
        (_, None) => {}
    }
    if let Some(letter) = letter(sighting, row) {
        return Ok(Step::Submit { keys: vec![Keystroke::Text(letter.to_owned())] });
    }
    if let Some(step) = move_to(sighting, row)? {
        return Ok(step);
    }
    match &sighting.text {
        Some(field) => note(sighting, row, field, wish.text.unwrap_or_default(), end),
        None => Ok(end.step()),
    }
}

/// The keys that turn to the next page. They work in a text field too, where the arrows move in the text.
pub(super) fn next_page(sighting: &Sighting) -> Option<Vec<Keystroke>> {
    (sighting.questions.len() > 1).then(|| vec![Keystroke::Ctrl('n')])
}

/// The letter that an approval shows behind an option, if no other option shows the same.
fn letter(sighting: &Sighting, row: usize) -> Option<&str> {
    let hint = |row: usize| sighting.options.get(row)?.hint.as_deref();
    let is_letter = |hint: &&str| matches!(hint.as_bytes(), [letter] if letter.is_ascii_lowercase());
    let letter = hint(row).filter(is_letter).filter(|_| sighting.build == prompt::APPROVAL)?;
    let alone = (0..sighting.options.len()).all(|other| other == row || hint(other) != Some(letter));
    alone.then_some(letter)
}

/// What comes after the answer in front.
#[derive(Debug, Clone, Copy)]
enum End {
    /// The prompt is answered.
    Prompt,
    /// This page is in front.
    Page(usize),
}

impl End {
    /// Enter, and what must be seen then.
    fn step(self) -> Step {
        let keys = vec![Keystroke::ENTER];
        match self {
            End::Prompt => Step::Submit { keys },
            End::Page(page) => Step::Press { keys, expect: Expect::Question(page) },
        }
    }
}

/// What to do on one page of several.
enum Page<'a> {
    Answer(Wish<'a>, End),
    Turn(Step),
}

/// The page in front. A question without an answer is passed over; Codex then asks whether that is meant.
fn page<'a>(sighting: &Sighting, response: &'a PromptResponse, count: usize) -> Result<Page<'a>, Refusal> {
    let answers = response.answers.as_deref().unwrap_or_default();
    if answers.len() != count {
        return Err(Refusal::AnswerCount { questions: count, answers: answers.len() });
    }
    let front = sighting.question_index.unwrap_or(0);
    let wishes: Vec<Wish<'a>> = answers.iter().map(Wish::of).collect::<Result<_, _>>()?;
    let skipped = wishes.iter().filter(|wish| wish.is_empty()).count();
    let is_last = front + 1 == count;
    let wish = *wishes.get(front).ok_or(Refusal::NothingChosen)?;
    if skipped == count || is_last && wish.is_empty() {
        return Err(Refusal::NothingChosen);
    }
    // Enter on the last page sends all answers, so those that are missing come first.
    let others_missing = is_last && sighting.unanswered > skipped + 1;
    if others_missing || wish.is_empty() {
        let expect = Expect::Question((front + 1) % count);
        return Ok(Page::Turn(Step::Press { keys: next_page(sighting).unwrap_or_default(), expect }));
    }
    Ok(Page::Answer(wish, if is_last { End::Prompt } else { End::Page(front + 1) }))
}

impl<'a> Wish<'a> {
    fn of(answer: &'a QuestionAnswer) -> Result<Self, Refusal> {
        if answer.selected_options.len() > 1 {
            return Err(Refusal::TerminalOnly);
        }
        let option = answer.selected_options.first().map(String::as_str);
        Ok(Self { option, text: answer.text_value.as_deref().filter(|text| !text.trim().is_empty()) })
    }

    fn is_empty(&self) -> bool {
        self.option.is_none() && self.text.is_none()
    }
}

/// The person's choice, where there is one question.
fn wish(response: &PromptResponse) -> Result<Wish<'_>, Refusal> {
    match response.answers.as_deref() {
        Some([answer]) => Wish::of(answer),
        Some(answers) => Err(Refusal::AnswerCount { questions: 1, answers: answers.len() }),
        None => {
            let single = response.selected_options.as_deref().and_then(|options| options.first());
            let option = response.selected_option.as_ref().or(single).map(String::as_str);
            let text = response.text_value.as_deref().filter(|text| !text.trim().is_empty());
            Ok(Wish { option, text })
        }
    }
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
fn fill(sighting: &Sighting, wish: &Wish<'_>, end: End) -> Result<Step, Refusal> {
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
    Ok(write(field, text, &[Keystroke::Ctrl('u')], end))
}

/// The notes beside the selected row, then Enter. Tab opens them, and clears and closes them when they are open.
fn note(sighting: &Sighting, row: usize, field: &SightedText, text: &str, end: End) -> Result<Step, Refusal> {
    // On the row that stands for none of the others, Enter opens the notes instead of answering, so Tab does it first.
    let opens = sighting.options.get(row).is_some_and(|option| option.role == Some(OptionRole::Other));
    if !field.focused && !field.value.is_empty() {
        return Err(Refusal::TerminalOnly);
    }
    if !field.focused && (opens || !text.is_empty()) {
        return Ok(Step::Press { keys: vec![Keystroke::TAB], expect: Expect::TextFocused });
    }
    Ok(write(field, text, &[Keystroke::TAB], end))
}

/// Brings a text into the field, first clearing what stands there, and submits once it is seen.
fn write(field: &SightedText, text: &str, clear: &[Keystroke], end: End) -> Step {
    let shown = shown(text);
    if squash(&field.value) == squash(&shown) {
        end.step()
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
