//! How a dialog of Claude Code is answered, one checked step at a time.
//!
//! Every step is planned from the screen as it is then: rows are found by label and counted from the cursor. Enter is
//! pressed only on the row that was seen to be selected, and text is typed only into a field that was seen to take it,
//! because everywhere else letters and digits are keys.

use std::cmp::Ordering;

use shared_types::{OptionRole, PromptResponse, QuestionAnswer};

use super::{fill, sight::build};
use crate::{
    Keystroke, Refusal, SightedOption, SightedText, Sighting, Step,
    answer::{Expect, check_text},
    keys::NamedKey,
    layout::squash,
};

/// The next step towards a response.
pub(super) fn next(sighting: &Sighting, response: &PromptResponse) -> Result<Step, Refusal> {
    match sighting.build {
        build::KEYS => press_key(sighting, response),
        build::ASIDE => beside_composer(sighting, response),
        // A second key would make a message of both.
        build::CLIPPED | build::ASIDE_TYPED => Err(Refusal::TerminalOnly),
        build::REVIEW => review(sighting, response),
        build::TABS => question(sighting, response),
        build::FORM | build::OPEN_FIELD => fill::next(sighting, response),
        // Check boxes outside a question: how they are sent differs from dialog to dialog.
        _ if sighting.multi_select => Err(Refusal::TerminalOnly),
        _ => {
            let wish = Wish::of(response);
            choose_one(sighting, &wish, End::Answered)
        }
    }
}

/// What the person wants of one question.
struct Wish<'a> {
    values: Vec<&'a str>,
    text: Option<&'a str>,
}

impl<'a> Wish<'a> {
    fn of(response: &'a PromptResponse) -> Self {
        let several = response.selected_options.iter().flatten();
        let values = response.selected_option.iter().chain(several).map(String::as_str).collect();
        Self { values, text: response.text_value.as_deref() }
    }

    fn of_answer(answer: &'a QuestionAnswer) -> Self {
        let values = answer.selected_options.iter().map(String::as_str).collect();
        Self { values, text: answer.text_value.as_deref() }
    }

    fn is_empty(&self) -> bool {
        self.values.is_empty() && self.text.is_none()
    }
}

/// What the last Enter of a question leads to.
#[derive(Clone, Copy)]
enum End {
    /// The prompt is answered.
    Answered,
    /// Another tab comes to the front.
    Tab(usize),
}

impl End {
    fn step(self, keys: Vec<Keystroke>) -> Step {
        match self {
            End::Answered => Step::Submit { keys },
            End::Tab(index) => Step::Press { keys, expect: Expect::Question(index) },
        }
    }
}

/// A dialog without rows: the key that its hint line names.
fn press_key(sighting: &Sighting, response: &PromptResponse) -> Result<Step, Refusal> {
    let option = chosen_alone(sighting, response)?;
    let key = option.hint.as_deref().and_then(keystroke).ok_or(Refusal::TerminalOnly)?;
    Ok(Step::Submit { keys: vec![key] })
}

/// A question beside the composer: the key in front of the answer, which is not sent as a message.
fn beside_composer(sighting: &Sighting, response: &PromptResponse) -> Result<Step, Refusal> {
    let option = chosen_alone(sighting, response)?;
    let key = option.number.clone().ok_or(Refusal::TerminalOnly)?;
    Ok(Step::Submit { keys: vec![Keystroke::Text(key)] })
}

/// The one option of a response that says nothing else.
fn chosen_alone<'a>(sighting: &'a Sighting, response: &PromptResponse) -> Result<&'a SightedOption, Refusal> {
    let wanted = response.selected_option.as_deref().ok_or(Refusal::NothingChosen)?;
    if response.text_value.is_some() {
        return Err(Refusal::NoTextTaken);
    }
    let option = sighting.find_option(wanted).and_then(|row| sighting.options.get(row));
    option.ok_or_else(|| Refusal::UnknownOption(wanted.to_owned()))
}

/// The key that a hint names.
fn keystroke(name: &str) -> Option<Keystroke> {
    let name = name.to_lowercase().replace(['-', ' '], "+");
    Some(match name.as_str() {
        "enter" | "return" => Keystroke::ENTER,
        "esc" | "escape" => Keystroke::ESCAPE,
        "tab" => Keystroke::TAB,
        "space" => Keystroke::SPACE,
        "shift+tab" => Keystroke::Named(NamedKey::BackTab),
        _ => {
            let held = name.strip_prefix("ctrl+");
            let mut chars = held.unwrap_or(&name).chars();
            let letter = chars.next().filter(|ch| ch.is_ascii_alphanumeric() && chars.next().is_none())?;
            if held.is_some() { Keystroke::Ctrl(letter) } else { Keystroke::Text(letter.to_string()) }
        }
    })
}

/// One row towards another, or nothing when the cursor is there. One at a time: 2.1.50 loses arrow keys that come at once.
pub(super) fn move_to(sighting: &Sighting, row: usize) -> Result<Option<Step>, Refusal> {
    let selected = sighting.selected.ok_or(Refusal::NoCursor)?;
    let (count, next) = match row.cmp(&selected) {
        Ordering::Equal => return Ok(None),
        Ordering::Less => (-1, selected - 1),
        Ordering::Greater => (1, selected + 1),
    };
    Ok(Some(Step::Press { keys: Keystroke::vertical(count), expect: Expect::Selected(next) }))
}

/// The row that a value names. While a row is edited its label may show more or less than when the person saw it.
fn find_row(sighting: &Sighting, value: &str) -> Result<usize, Refusal> {
    /// Shorter beginnings are shared by too many labels.
    const TELLING: usize = 8;
    let unknown = || Refusal::UnknownOption(value.to_owned());
    let offered = |row: &usize| sighting.options.get(*row).is_some_and(SightedOption::is_offered);
    if let Some(row) = sighting.find_option(value) {
        return if offered(&row) { Ok(row) } else { Err(unknown()) };
    }
    let wanted = squash(value);
    let wanted = wanted.trim_end_matches('…');
    let alike = |label: &str| {
        let label = squash(label);
        let label = label.trim_end_matches('…');
        let shorter = label.chars().count().min(wanted.chars().count());
        shorter >= TELLING && (label.starts_with(wanted) || wanted.starts_with(label))
    };
    let mut rows = (0..sighting.options.len())
        .filter(|row| offered(row) && sighting.options.get(*row).is_some_and(|option| alike(&option.label)));
    match (rows.next(), rows.next()) {
        (Some(row), None) => Ok(row),
        _ => Err(unknown()),
    }
}

/// The only row that is nothing but a text field.
fn text_row(sighting: &Sighting) -> Option<usize> {
    let mut rows = sighting.options.iter().enumerate().filter(|(_, option)| {
        option.text.is_some() && matches!(option.role, Some(OptionRole::Feedback | OptionRole::Other) | None)
    });
    rows.next().map(|(row, _)| row).filter(|_| rows.next().is_none())
}

fn choose_one(sighting: &Sighting, wish: &Wish<'_>, end: End) -> Result<Step, Refusal> {
    let row = match (wish.values.as_slice(), wish.text) {
        ([value], text) => match (find_row(sighting, value), text) {
            (Ok(row), _) => row,
            // Once something is typed into it, a text row shows that instead of its own words.
            (Err(unknown), Some(_)) => text_row(sighting).ok_or(unknown)?,
            (Err(unknown), None) => return Err(unknown),
        },
        ([], Some(_)) => text_row(sighting).ok_or(Refusal::NothingChosen)?,
        ([], None) => return Err(Refusal::NothingChosen),
        ([_, second, ..], _) => return Err(Refusal::UnknownOption((*second).to_owned())),
    };
    choose(sighting, row, wish.text, end)
}

/// Brings the cursor to a row, its text into its field, and presses Enter.
fn choose(sighting: &Sighting, row: usize, text: Option<&str>, end: End) -> Result<Step, Refusal> {
    let option = sighting.options.get(row).ok_or(Refusal::NothingChosen)?;
    let decides = matches!(option.role, Some(OptionRole::Allow | OptionRole::AllowAlways | OptionRole::Deny));
    let amendable = |option: &SightedOption| matches!(option.role, Some(OptionRole::Allow | OptionRole::Deny));
    // The hint is only there while the cursor is on a row that can be amended; from any other row nobody can tell.
    let on_other = sighting.selected.and_then(|row| sighting.options.get(row)).is_some_and(|option| !amendable(option));
    let amends = amendable(option) && (sighting.build == build::AMEND || on_other);
    if let (None, Some(text)) = (&option.text, text) {
        if let Some(notes) = &sighting.text {
            return add_note(sighting, row, notes, text, end);
        }
        if !amends {
            return Err(Refusal::NoTextTaken);
        }
        check_text(text, false)?;
        let tab = || Step::Press { keys: vec![Keystroke::TAB], expect: Expect::TextFocused };
        return Ok(move_to(sighting, row)?.unwrap_or_else(tab));
    }
    if sighting.selected.is_none() {
        return digit(sighting, row, end);
    }
    let moved = move_to(sighting, row)?;
    match (&option.text, text) {
        (Some(field), Some(text)) => fill(field, text, moved, end),
        (Some(field), None) if field.value.is_empty() && !decides => Err(Refusal::TextMissing),
        // What somebody typed at the desk does not go along with an answer that has no text. A row that ends with a
        // colon comes filled in by Claude itself.
        (Some(field), None) if moved.is_none() && !field.value.is_empty() && !option.label.ends_with(':') => {
            Ok(clear())
        }
        _ => Ok(moved.unwrap_or_else(|| end.step(vec![Keystroke::ENTER]))),
    }
}

/// Where the cursor is out of view, a digit chooses a numbered row at once: Claude takes one in all dialogs that have
/// numbers.
fn digit(sighting: &Sighting, row: usize, end: End) -> Result<Step, Refusal> {
    let option = sighting.options.get(row).filter(|option| option.text.is_none() && option.checked.is_none());
    let number = option.and_then(|option| option.number.clone()).filter(|number| number.len() == 1);
    number.map(|number| end.step(vec![Keystroke::Text(number)])).ok_or(Refusal::NoCursor)
}

fn fill(field: &SightedText, text: &str, moved: Option<Step>, end: End) -> Result<Step, Refusal> {
    check_text(text, field.multiline)?;
    if text.trim().is_empty() {
        return Err(Refusal::TextMissing);
    }
    Ok(match moved {
        Some(step) => step,
        None if squash(&field.value) == squash(text) => end.step(vec![Keystroke::ENTER]),
        None if !field.value.is_empty() => clear(),
        None => typing(text),
    })
}

pub(super) fn clear() -> Step {
    Step::Press { keys: vec![Keystroke::Ctrl('u')], expect: Expect::Text(String::new()) }
}

pub(super) fn typing(text: &str) -> Step {
    let key = if text.contains('\n') { Keystroke::Paste(text.to_owned()) } else { Keystroke::Text(text.to_owned()) };
    Step::Press { keys: vec![key], expect: Expect::Text(text.to_owned()) }
}

/// A note beside a previewed option: `n` opens its field, Escape leaves it again.
fn add_note(sighting: &Sighting, row: usize, notes: &SightedText, text: &str, end: End) -> Result<Step, Refusal> {
    check_text(text, false)?;
    let written = squash(&notes.value) == squash(text);
    if notes.focused {
        return Ok(match (written, notes.value.is_empty()) {
            (true, _) => end.step(vec![Keystroke::ENTER]),
            (false, true) => typing(text),
            (false, false) => clear(),
        });
    }
    let open = || Step::Press { keys: vec![Keystroke::Text("n".to_owned())], expect: Expect::TextFocused };
    Ok(move_to(sighting, row)?.unwrap_or_else(open))
}

/// The tab in front: one of several questions, or the only one with check boxes.
fn question(sighting: &Sighting, response: &PromptResponse) -> Result<Step, Refusal> {
    let front = sighting.question_index.unwrap_or(0);
    let (wish, end) = match &response.answers {
        Some(answers) => {
            let questions = sighting.questions.len().max(1);
            if answers.len() != questions {
                return Err(Refusal::AnswerCount { questions, answers: answers.len() });
            }
            let given = |index: usize| answers.get(index).is_some_and(|answer| !Wish::of_answer(answer).is_empty());
            let only_front = questions > 1 && (0..questions).all(|index| given(index) == (index == front));
            let wish = answers.get(front).map(Wish::of_answer).ok_or(Refusal::NothingChosen)?;
            (wish, if only_front { End::Answered } else { End::Tab(front + 1) })
        }
        // Of several questions the screen shows one at a time, and so may the answers come.
        None if !sighting.questions.is_empty() => (Wish::of(response), End::Answered),
        None => (Wish::of(response), End::Tab(front + 1)),
    };
    if wish.is_empty() {
        return Err(Refusal::NothingChosen);
    }
    if sighting.multi_select { choose_several(sighting, &wish, end) } else { choose_one(sighting, &wish, end) }
}

/// Check boxes: each wrong one is changed and seen to change, then the button below them is pressed.
fn choose_several(sighting: &Sighting, wish: &Wish<'_>, end: End) -> Result<Step, Refusal> {
    let field = sighting.options.iter().position(|option| option.text.is_some() && option.checked.is_some());
    let mut wanted: Vec<usize> = Vec::new();
    for value in &wish.values {
        match find_row(sighting, value) {
            Ok(row) if sighting.options.get(row).is_some_and(|option| option.checked.is_none()) => {
                return choose(sighting, row, None, End::Answered);
            }
            Ok(row) => wanted.push(row),
            // The text row, which shows what is typed by now.
            Err(_) if wish.text.is_some() && field.is_some() => {}
            Err(unknown) => return Err(unknown),
        }
    }
    let boxes = sighting.options.iter().enumerate().filter(|(row, _)| Some(*row) != field);
    for (row, state) in boxes.filter_map(|(row, option)| option.checked.map(|state| (row, state))) {
        if state != wanted.contains(&row) {
            return toggle(sighting, row, !state);
        }
    }
    if let Some(row) = field
        && let Some(option) = sighting.options.get(row)
        && let Some(text) = &option.text
    {
        let checked = option.checked == Some(true);
        match wish.text {
            Some(wanted) if squash(&text.value) != squash(wanted) => {
                return fill(text, wanted, move_to(sighting, row)?, end);
            }
            Some(_) if !checked => return toggle(sighting, row, true),
            None if checked => return toggle(sighting, row, false),
            _ => {}
        }
    } else if wish.text.is_some() {
        return Err(Refusal::NoTextTaken);
    }
    let button = sighting.options.iter().position(|option| !option.is_item()).ok_or(Refusal::TerminalOnly)?;
    Ok(move_to(sighting, button)?.unwrap_or_else(|| end.step(vec![Keystroke::ENTER])))
}

fn toggle(sighting: &Sighting, row: usize, state: bool) -> Result<Step, Refusal> {
    let press = || Step::Press { keys: vec![Keystroke::ENTER], expect: Expect::Checked(row, state) };
    Ok(move_to(sighting, row)?.unwrap_or_else(press))
}

/// The review of all answers: sent when it shows what the person chose.
fn review(sighting: &Sighting, response: &PromptResponse) -> Result<Step, Refusal> {
    if let Some(value) = &response.selected_option
        && let Ok(row) = find_row(sighting, value)
    {
        return choose(sighting, row, response.text_value.as_deref(), End::Answered);
    }
    let wishes: Vec<Wish<'_>> = match &response.answers {
        Some(answers) => answers.iter().map(Wish::of_answer).collect(),
        None => vec![Wish::of(response)],
    };
    let shown = squash(&sighting.description);
    let texts = wishes.iter().flat_map(|wish| wish.values.iter().chain(&wish.text));
    let missing = texts.map(|text| squash(text)).any(|text| !shown.contains(&text));
    if missing || wishes.iter().all(Wish::is_empty) {
        return Err(Refusal::TerminalOnly);
    }
    let send = sighting.options.iter().position(|option| option.role == Some(OptionRole::Allow));
    choose(sighting, send.ok_or(Refusal::TerminalOnly)?, None, End::Answered)
}
