//! How each way of asking takes its answer. Only this file reads a sighting's `build`.
//!
//! A line that can be seen is typed, seen and only then entered. What cannot be seen, a secret above all, goes in one piece:
//! the prompt was checked just before.

use shared_types::PromptResponse;

use crate::{
    Keystroke, Offer, Refusal, SightedOption, SightedText, Sighting, Step,
    answer::{Expect, check_text, move_to},
    keys::NamedKey,
};

/// A line with its Enter; the terminal echoes it.
pub(super) const LINE: &str = "generic-line";
/// One key, no Enter.
pub(super) const KEY: &str = "generic-key";
/// A line in a line editor, which shows it before the Enter, or one key that is taken at once: what is seen tells.
pub(super) const EDIT: &str = "generic-edit";
/// Free text that shows behind its prompt.
pub(super) const TEXT: &str = "generic-text";
/// A password.
pub(super) const SECRET: &str = "generic-secret";
/// Arrows and Enter.
pub(super) const MENU: &str = "generic-menu";
/// Arrows, Space for each box, Enter.
pub(super) const CHECKS: &str = "generic-checks";
/// The same with Tab, as fuzzy finders have it.
pub(super) const TAB_CHECKS: &str = "generic-tab-checks";
/// Arrows, Space for the one that is wanted, Enter.
pub(super) const RADIO: &str = "generic-radio";
/// Two words on a row: left and right, Enter.
pub(super) const TOGGLE: &str = "generic-toggle";
/// Buttons in a row: Tab and Enter.
pub(super) const BUTTONS: &str = "generic-buttons";

/// What stands on the line of a question that has options: an option that is never offered, so that the page shows no
/// field, but that the answering can check.
pub(super) fn typed(draft: &str) -> SightedOption {
    let text = SightedText { value: draft.to_owned(), focused: true, ..SightedText::default() };
    SightedOption { text: Some(text), offer: Offer::Button, ..SightedOption::new("(typed)") }
}

/// The next step towards the answer.
pub(super) fn answer(sighting: &Sighting, response: &PromptResponse) -> Result<Step, Refusal> {
    match sighting.build {
        CHECKS => toggled(sighting, response, &Keystroke::SPACE),
        // Boxes drawn like radio buttons look like these while one of them is on.
        RADIO if response.selected_options.is_some() => toggled(sighting, response, &Keystroke::SPACE),
        TAB_CHECKS => toggled(sighting, response, &Keystroke::TAB),
        SECRET => {
            let text = check_text(response.text_value.as_deref().ok_or(Refusal::TextMissing)?, false)?;
            Ok(Step::Submit { keys: entered(text) })
        }
        TEXT => {
            let text = response.text_value.as_deref().ok_or(Refusal::TextMissing)?;
            Ok(line(sighting, check_text(text, false)?))
        }
        build => match (&response.selected_option, &response.text_value) {
            (Some(value), _) => {
                let row = find(sighting, value)?;
                chosen(sighting, row, build)
            }
            (None, Some(_)) if sighting.text.is_none() => Err(Refusal::NoTextTaken),
            (None, Some(text)) => Ok(line(sighting, check_text(text, false)?)),
            (None, None) => Err(Refusal::NothingChosen),
        },
    }
}

fn chosen(sighting: &Sighting, row: usize, build: &str) -> Result<Step, Refusal> {
    let option = &sighting.options[row];
    match build {
        KEY => Ok(Step::Submit { keys: vec![key(option)] }),
        LINE | EDIT => match (&option.hint, &option.number) {
            (Some(hint), _) if hint == "enter" || hint == "ctrl-c" => Ok(Step::Submit { keys: vec![key(option)] }),
            (Some(text), _) | (None, Some(text)) => Ok(line(sighting, text)),
            (None, None) => Err(Refusal::TerminalOnly),
        },
        MENU => Ok(walk(sighting, row)?.unwrap_or_else(enter)),
        RADIO => Ok(match walk(sighting, row)? {
            Some(step) => step,
            // Where the old mark stays on, they are read as boxes from then on, and never entered like this.
            None if option.checked == Some(true) => enter(),
            None => Step::Press { keys: vec![Keystroke::SPACE], expect: Expect::Checked(row, true) },
        }),
        TOGGLE => {
            let selected = sighting.selected.ok_or(Refusal::NoCursor)?;
            let side = if row > selected { NamedKey::Right } else { NamedKey::Left };
            let step = Step::Press { keys: vec![Keystroke::Named(side)], expect: Expect::Selected(row) };
            Ok(if row == selected { enter() } else { step })
        }
        BUTTONS => {
            let selected = sighting.selected.ok_or(Refusal::NoCursor)?;
            if selected == row {
                return Ok(enter());
            }
            let presses = (row + sighting.options.len() - selected) % sighting.options.len();
            Ok(Step::Press { keys: vec![Keystroke::TAB; presses], expect: Expect::Selected(row) })
        }
        _ => Err(Refusal::TerminalOnly),
    }
}

/// Each box in turn is brought into the wanted state; then Enter.
fn toggled(sighting: &Sighting, response: &PromptResponse, toggle: &Keystroke) -> Result<Step, Refusal> {
    let values = match (&response.selected_options, &response.selected_option) {
        (Some(values), _) => values.clone(),
        (None, Some(value)) => vec![value.clone()],
        (None, None) => return Err(Refusal::NothingChosen),
    };
    let wanted = values.iter().map(|value| find(sighting, value)).collect::<Result<Vec<usize>, Refusal>>()?;
    // Without any box checked a finder takes the row its cursor is on.
    if wanted.is_empty() && sighting.build == TAB_CHECKS {
        return Err(Refusal::NothingChosen);
    }
    for (row, option) in sighting.options.iter().enumerate() {
        let state = wanted.contains(&row);
        if option.checked.is_some_and(|checked| checked != state) {
            let press = Step::Press { keys: vec![toggle.clone()], expect: Expect::Checked(row, state) };
            return Ok(walk(sighting, row)?.unwrap_or(press));
        }
    }
    Ok(enter())
}

/// Moves to a row, known by its label: a list may scroll under its cursor.
fn walk(sighting: &Sighting, row: usize) -> Result<Option<Step>, Refusal> {
    let label = sighting.options.get(row).map(|option| option.label.clone()).unwrap_or_default();
    let alike = sighting.options.iter().filter(|option| option.label == label).count() > 1;
    Ok(move_to(sighting, row)?.map(|step| match step {
        Step::Press { keys, .. } if !alike => Step::Press { keys, expect: Expect::On(label) },
        step => step,
    }))
}

/// Types one line. What somebody left on it is cleared first, and seen to be.
fn line(sighting: &Sighting, text: &str) -> Step {
    let fields = sighting.text.iter().chain(sighting.options.iter().filter_map(|option| option.text.as_ref()));
    let value = fields.map(|field| field.value.as_str()).next().unwrap_or_default();
    if value.trim() == text.trim() {
        return enter();
    }
    if !value.is_empty() {
        return Step::Press { keys: vec![Keystroke::Ctrl('u')], expect: Expect::Text(String::new()) };
    }
    if sighting.head.is_empty() && sighting.build == LINE {
        // It stands on a row of its own, where nothing tells it from output.
        return Step::Submit { keys: entered(text) };
    }
    Step::Type { text: text.to_owned(), alone: sighting.build == EDIT }
}

fn find(sighting: &Sighting, value: &str) -> Result<usize, Refusal> {
    sighting.find_offered(value).ok_or_else(|| Refusal::UnknownOption(value.to_owned()))
}

fn key(option: &SightedOption) -> Keystroke {
    match option.hint.as_deref().or(option.number.as_deref()) {
        Some("space") => Keystroke::SPACE,
        Some("ctrl-c") => Keystroke::Ctrl('c'),
        Some("enter") | None => Keystroke::ENTER,
        Some(text) => Keystroke::Text(text.to_owned()),
    }
}

fn entered(text: &str) -> Vec<Keystroke> {
    let typed = (!text.is_empty()).then(|| Keystroke::Text(text.to_owned()));
    typed.into_iter().chain([Keystroke::ENTER]).collect()
}

fn enter() -> Step {
    Step::Submit { keys: vec![Keystroke::ENTER] }
}
