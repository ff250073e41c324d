//! How a response becomes keys, one step at a time, from what is on the screen now.
//!
//! Buttons are reached with the arrows, rows as well, and Enter is pressed only on what was seen to be selected. Digits are never
//! pressed: one chooses at once, and in a permission it does nothing. Escape is never pressed in a dialog of the work: behind one that
//! has just gone it would begin to interrupt. Text goes only into a field that has the cursor.

use shared_types::{PromptResponse, QuestionAnswer};

use super::{permission, question, startup};
use crate::{
    Keystroke, Refusal, SightedText, Sighting, Step,
    answer::{Expect, check_text, move_to},
    keys::NamedKey,
    layout::squash,
};

/// What the person wants of one question.
#[derive(Debug, Clone, Default)]
struct Wish<'r> {
    options: Vec<&'r str>,
    text: Option<&'r str>,
}

impl<'r> Wish<'r> {
    fn of(response: &'r PromptResponse) -> Self {
        let several = response.selected_options.iter().flatten();
        let options = response.selected_option.iter().chain(several).map(String::as_str).collect();
        Self { options, text: response.text_value.as_deref().filter(|text| !text.trim().is_empty()) }
    }

    fn of_answer(answer: &'r QuestionAnswer) -> Self {
        let options = answer.selected_options.iter().map(String::as_str).collect();
        Self { options, text: answer.text_value.as_deref().filter(|text| !text.trim().is_empty()) }
    }

    fn is_empty(&self) -> bool {
        self.options.is_empty() && self.text.is_none()
    }
}

/// What the last Enter of a question leads to.
#[derive(Clone, Copy)]
enum End {
    /// The prompt is answered.
    Answered,
    /// The next page comes by itself.
    Page(usize),
}

/// The next step towards a response.
pub(super) fn answer(sighting: &Sighting, response: &PromptResponse) -> Result<Step, Refusal> {
    match sighting.build {
        permission::BUTTONS => button(sighting, &Wish::of(response)),
        permission::INSTEAD => instead(sighting, &Wish::of(response)),
        question::TABS | question::REVIEW => page(sighting, response),
        startup::LIST => startup::close(sighting, response.selected_option.as_deref()),
        _ => choose_one(sighting, &Wish::of(response), End::Answered),
    }
}

/// The key that turns to the next page of several.
pub(super) fn next_page(sighting: &Sighting) -> Option<Vec<Keystroke>> {
    (sighting.questions.len() > 1).then(|| vec![Keystroke::TAB])
}

/// Buttons stand side by side.
fn button(sighting: &Sighting, wish: &Wish<'_>) -> Result<Step, Refusal> {
    if wish.text.is_some() {
        return Err(Refusal::NoTextTaken);
    }
    let wanted = row_of(sighting, wish)?;
    let selected = sighting.selected.ok_or(Refusal::NoCursor)?;
    if selected == wanted {
        return Ok(Step::Submit { keys: vec![Keystroke::ENTER] });
    }
    let key = if wanted < selected { NamedKey::Left } else { NamedKey::Right };
    let keys = vec![Keystroke::Named(key); wanted.abs_diff(selected)];
    Ok(Step::Press { keys, expect: Expect::Selected(wanted) })
}

/// The field that says what to do instead; without a text the permission is only refused.
fn instead(sighting: &Sighting, wish: &Wish<'_>) -> Result<Step, Refusal> {
    if let Some(option) = wish.options.first() {
        return Err(Refusal::UnknownOption((*option).to_owned()));
    }
    let field = sighting.text.as_ref().ok_or(Refusal::TerminalOnly)?;
    fill(field, wish.text.unwrap_or_default(), End::Answered)
}

/// The row that was chosen, and nothing else.
fn row_of(sighting: &Sighting, wish: &Wish<'_>) -> Result<usize, Refusal> {
    match wish.options.as_slice() {
        [] => Err(Refusal::NothingChosen),
        [option] => sighting.find_offered(option).ok_or_else(|| Refusal::UnknownOption((*option).to_owned())),
        [_, second, ..] => Err(Refusal::UnknownOption((*second).to_owned())),
    }
}

/// The row that takes a text.
fn own_row(sighting: &Sighting) -> Option<(usize, &SightedText)> {
    sighting.options.iter().enumerate().find_map(|(row, option)| Some((row, option.text.as_ref()?)))
}

/// True while somebody types into the row that takes a text: the arrows and Tab then belong to the text.
fn is_typing(sighting: &Sighting) -> bool {
    own_row(sighting).is_some_and(|(_, field)| field.focused)
}

fn choose_one(sighting: &Sighting, wish: &Wish<'_>, end: End) -> Result<Step, Refusal> {
    let own = own_row(sighting);
    let row = match (wish.options.is_empty(), wish.text, own) {
        (true, Some(_), Some((row, _))) => row,
        (true, Some(_), None) => return Err(Refusal::NoTextTaken),
        _ => row_of(sighting, wish)?,
    };
    match (own.filter(|(at, _)| *at == row), wish.text) {
        (Some(_), None) => Err(Refusal::TextMissing),
        (None, Some(_)) => Err(Refusal::NoTextTaken),
        (Some((row, field)), Some(text)) => write(sighting, row, field, text, end),
        (None, None) if is_typing(sighting) => Err(Refusal::TerminalOnly),
        (None, None) => Ok(move_to(sighting, row)?.unwrap_or_else(|| end.step())),
    }
}

/// Brings a text into the row that takes one: the row is selected, Enter opens its field, the text is seen in it.
fn write(sighting: &Sighting, row: usize, field: &SightedText, text: &str, end: End) -> Result<Step, Refusal> {
    check_text(text, field.multiline)?;
    if field.focused {
        return fill(field, text, end);
    }
    let open = || Step::Press { keys: vec![Keystroke::ENTER], expect: Expect::TextFocused };
    Ok(move_to(sighting, row)?.unwrap_or_else(open))
}

/// Makes a field that has the cursor hold a text, then goes on.
fn fill(field: &SightedText, text: &str, end: End) -> Result<Step, Refusal> {
    check_text(text, field.multiline)?;
    if !field.focused {
        return Err(Refusal::TerminalOnly);
    }
    let keys = |keys: Vec<Keystroke>, shown: &str| Step::Press { keys, expect: Expect::Text(shown.to_owned()) };
    Ok(if squash(&field.value) == squash(text) {
        end.step()
    } else if field.value.is_empty() {
        keys(vec![Keystroke::Paste(text.to_owned())], text)
    } else {
        keys(vec![Keystroke::Named(NamedKey::End), Keystroke::Ctrl('u')], "")
    })
}

impl End {
    fn step(self) -> Step {
        let keys = vec![Keystroke::ENTER];
        match self {
            End::Answered => Step::Submit { keys },
            End::Page(page) => Step::Press { keys, expect: Expect::Question(page) },
        }
    }
}

/// One page below tabs. Every page is left as it is wanted, and the last one is sent when it shows all that was chosen.
fn page(sighting: &Sighting, response: &PromptResponse) -> Result<Step, Refusal> {
    let count = sighting.questions.len().max(1);
    let wishes: Vec<Wish<'_>> = match &response.answers {
        Some(answers) if answers.len() == count => answers.iter().map(Wish::of_answer).collect(),
        Some(answers) => return Err(Refusal::AnswerCount { questions: count, answers: answers.len() }),
        None if count == 1 => vec![Wish::of(response)],
        None => return Err(Refusal::AnswerCount { questions: count, answers: 0 }),
    };
    if wishes.iter().all(Wish::is_empty) {
        return Err(Refusal::NothingChosen);
    }
    let front = sighting.question_index.ok_or(Refusal::NoCursor)?;
    let Some(wish) = wishes.get(front) else { return Ok(review(sighting, &wishes)) };
    if sighting.multi_select {
        return Ok(correct(sighting, wish)?.unwrap_or_else(|| turn(front, front + 1)));
    }
    if wish.is_empty() {
        return if is_typing(sighting) { Err(Refusal::TerminalOnly) } else { Ok(turn(front, front + 1)) };
    }
    choose_one(sighting, wish, End::Page(front + 1))
}

/// The step that corrects the first box that is not as wanted; nothing when all are.
fn correct(sighting: &Sighting, wish: &Wish<'_>) -> Result<Option<Step>, Refusal> {
    let own = own_row(sighting);
    let rows: Vec<usize> = wish
        .options
        .iter()
        .map(|value| sighting.find_offered(value).ok_or_else(|| Refusal::UnknownOption((*value).to_owned())))
        .collect::<Result<_, _>>()?;
    if sighting.more_options {
        return Err(Refusal::TerminalOnly);
    }
    let is_own = |row: usize| own.is_some_and(|(own, _)| own == row);
    if wish.text.is_none() && rows.iter().any(|row| is_own(*row)) {
        return Err(Refusal::TextMissing);
    }
    if let (Some((row, field)), Some(text)) = (own, wish.text) {
        let checked = sighting.options.get(row).and_then(|option| option.checked) == Some(true);
        if field.focused && squash(&field.value) == squash(text) {
            return Ok(Some(Step::Press { keys: vec![Keystroke::ENTER], expect: Expect::Checked(row, true) }));
        }
        if field.focused || !checked || squash(&field.value) != squash(text) {
            return write(sighting, row, field, text, End::Answered).map(Some);
        }
    } else if wish.text.is_some() {
        return Err(Refusal::NoTextTaken);
    } else if is_typing(sighting) {
        return Err(Refusal::TerminalOnly);
    }
    for (row, option) in sighting.options.iter().enumerate() {
        let wanted = rows.contains(&row) || is_own(row) && wish.text.is_some();
        if option.checked.is_some_and(|checked| checked != wanted) {
            let toggle = Step::Press { keys: vec![Keystroke::ENTER], expect: Expect::Checked(row, wanted) };
            return Ok(Some(move_to(sighting, row)?.unwrap_or(toggle)));
        }
    }
    Ok(None)
}

/// Turns to another page.
fn turn(from: usize, to: usize) -> Step {
    let key = if to > from { NamedKey::Tab } else { NamedKey::BackTab };
    Step::Press { keys: vec![Keystroke::Named(key); to.abs_diff(from)], expect: Expect::Question(to) }
}

/// All answers are in view: back to the first page that was answered otherwise, or done.
fn review(sighting: &Sighting, wishes: &[Wish<'_>]) -> Step {
    let given = given(sighting, wishes.len());
    match (0..wishes.len()).find(|at| !tells(given.get(*at).map_or("", String::as_str), &wishes[*at])) {
        Some(at) => turn(wishes.len(), at),
        None => Step::Submit { keys: vec![Keystroke::ENTER] },
    }
}

/// What the review tells of each question, without its name. An answer may take several rows.
fn given(sighting: &Sighting, count: usize) -> Vec<String> {
    let headers: Vec<&str> = sighting.questions.iter().map(|question| question.header.as_str()).collect();
    let mut given: Vec<String> = Vec::new();
    for line in sighting.description.lines() {
        let next = headers.get(given.len()).is_none_or(|header| line.starts_with(&format!("{header}:")));
        let is_full = given.len() == count;
        match given.last_mut() {
            Some(last) if is_full || !next => {
                last.push(' ');
                last.push_str(line);
            }
            _ => given.push(line.split_once(':').map_or(line, |(_, answer)| answer).trim().to_owned()),
        }
    }
    given
}

/// True when an answer on the review page is what the person chose. Several are shown with commas between.
fn tells(given: &str, wish: &Wish<'_>) -> bool {
    if wish.is_empty() {
        // In brackets it says that there is no answer.
        return given.is_empty() || given.starts_with('(');
    }
    let given = squash(given);
    // The row that takes the text is not named in the review: the text is.
    let named = wish.options.iter().copied().filter(|option| wish.text.is_none() || given.contains(&squash(option)));
    let wanted: Vec<String> = named.chain(wish.text).map(squash).collect();
    let length = wanted.iter().map(String::len).sum::<usize>() + wanted.len().saturating_sub(1);
    wanted.iter().all(|part| given.contains(part.as_str())) && length == given.len()
}
