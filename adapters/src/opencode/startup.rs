//! What opencode may show over its first screen: a list of providers, where none can be used.
//!
//! Such a list looks like any that the person opens, so here, and only here, words decide.

use shared_types::{OptionRole, PromptKind, PromptSource};

use crate::{Keystroke, Refusal, Screen, SightedOption, Sighting, StartupDialog, StartupKind, Step};

/// A list with a field to search in, which Escape closes.
pub(super) const LIST: &str = "opencode-list";

/// What closing it is called.
const CLOSE: &str = "Close";

/// Reads the list of providers.
pub(super) fn read(screen: &Screen) -> Option<StartupDialog> {
    let is_head = |row: &usize| {
        let text = screen.text(*row).trim();
        text.ends_with(" esc") && text.to_lowercase().contains("connect a provider")
    };
    // Once something was said the person has opened it.
    let head = (0..screen.lines.len()).find(is_head).filter(|_| screen.title == "OpenCode")?;
    let left = screen.lines[head].indent()?;
    let title = screen.text(head).trim().trim_end_matches("esc").trim().to_owned();
    let mut sighting = Sighting::new(PromptKind::Question, PromptSource::Screen, LIST);
    sighting.title = title;
    let end = screen.lines.len();
    let rows =
        (head + 1..end).filter(|row| screen.lines[*row].indent() == Some(left)).map(|row| screen.text(row).trim());
    sighting.description = rows.collect::<Vec<_>>().join("\n");
    let close =
        SightedOption { role: Some(OptionRole::Deny), hint: Some("esc".to_owned()), ..SightedOption::new(CLOSE) };
    sighting.options = vec![close];
    sighting.rows = head..screen.last_row().map_or(end, |last| last + 1);
    Some(StartupDialog { kind: StartupKind::Other, pass: None, sighting })
}

/// Closes the list.
pub(super) fn close(sighting: &Sighting, wanted: Option<&str>) -> Result<Step, Refusal> {
    let wanted = wanted.ok_or(Refusal::NothingChosen)?;
    sighting.find_offered(wanted).ok_or_else(|| Refusal::UnknownOption(wanted.to_owned()))?;
    Ok(Step::Submit { keys: vec![Keystroke::ESCAPE] })
}
