//! The small signs on one option: its number, its check box, the key that chooses it, and what choosing it means.
//!
//! Meaning comes from the first word and from a few words of lasting permission; where the words are not known, from the
//! key the CLI draws behind the label.

use shared_types::OptionRole;

use crate::{codex::lines, reading::SightedOption};

/// Makes an option of its label and description as they stand on the screen.
pub(super) fn marked(label: &str, description: &str, number: Option<usize>) -> SightedOption {
    let (checked, label) = check_box(label);
    SightedOption {
        label: label.trim().to_owned(),
        description: Some(description.trim().to_owned()).filter(|description| !description.is_empty()),
        checked,
        number: number.map(|number| number.to_string()),
        ..SightedOption::default()
    }
}

/// Splits the key that chooses an option from its label.
pub(super) fn take_key(option: &mut SightedOption) {
    if let Some((label, key)) = lines::key_hint(&option.label) {
        option.hint = Some(key.to_owned());
        option.label = label.to_owned();
    } else if option.description.as_deref().is_some_and(lines::is_key) {
        // 0.50 writes the key without brackets, dim, behind the label or downwards in a column of its own.
        option.hint = option.description.take();
    } else if let Some(label) = option.label.strip_suffix(" esc") {
        // The same on its selected row, where nothing is dim.
        option.hint = Some("esc".to_owned());
        option.label = label.to_owned();
    }
}

/// Splits a check box from the front of a label.
fn check_box(label: &str) -> (Option<bool>, &str) {
    let boxes = [("[ ]", false), ("[x]", true), ("[X]", true), ("[✓]", true), ("[*]", true), ("☐", false), ("☑", true)];
    let found = boxes.into_iter().find_map(|(sign, state)| Some((state, label.strip_prefix(sign)?)));
    found.map_or((None, label), |(state, rest)| (Some(state), rest.trim_start()))
}

/// What choosing an option means, where the words or the key say so.
pub(super) fn role(option: &SightedOption) -> Option<OptionRole> {
    let label = option.label.to_lowercase();
    let says = |words: &[&str]| words.iter().any(|word| label.contains(word));
    let first = label.split(|ch: char| !ch.is_alphanumeric()).find(|word| !word.is_empty()).unwrap_or_default();
    let lasting_key = matches!(option.hint.as_deref(), Some("a" | "p" | "s"));
    let lasting =
        lasting_key || says(&["ask again", "always", "session", "conversation", "future", "remember", "every time"]);
    match (first, option.hint.as_deref()) {
        ("no" | "deny" | "decline" | "cancel" | "reject" | "refuse" | "don" | "block" | "never", _) => {
            Some(OptionRole::Deny)
        }
        ("yes" | "allow" | "approve" | "accept" | "grant" | "always" | "proceed", _) => {
            Some(if lasting { OptionRole::AllowAlways } else { OptionRole::Allow })
        }
        ("none", _) => Some(OptionRole::Other),
        (_, Some("esc" | "n" | "d")) => Some(OptionRole::Deny),
        (_, Some("y")) => Some(OptionRole::Allow),
        (_, Some("a" | "p" | "s")) => Some(OptionRole::AllowAlways),
        (_, Some(_)) => Some(OptionRole::Other),
        (_, None) => None,
    }
}
