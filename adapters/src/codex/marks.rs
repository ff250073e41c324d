//! The small signs on one option: its number, its check box, the key that chooses it, and what choosing it means.
//!
//! Meaning comes from the first word and from a few words of lasting permission; where the words are not known, from the
//! key the CLI draws behind the label.

use shared_types::OptionRole;

use crate::{layout::hints, reading::SightedOption};

/// Splits the key that chooses an option from its label.
pub(super) fn take_key(option: &mut SightedOption) {
    if let (label, Some(key)) = hints::split_hint(&option.label) {
        option.hint = Some(key.to_owned());
        option.label = label.to_owned();
    } else if option.description.as_deref().is_some_and(hints::is_named_key) {
        // 0.50 writes the key without brackets, dim, behind the label or downwards in a column of its own.
        option.hint = option.description.take();
    } else if let Some(label) = option.label.strip_suffix(" esc") {
        // The same on its selected row, where nothing is dim.
        option.hint = Some("esc".to_owned());
        option.label = label.to_owned();
    }
}

/// The state of a check box at the front of a label: any one sign in square brackets, of which a few mean checked.
pub(super) fn check_box(label: &str) -> Option<bool> {
    let mut chars = label.chars();
    let (open, sign, close, gap) = (chars.next()?, chars.next()?, chars.next()?, chars.next().unwrap_or(' '));
    (open == '[' && close == ']' && gap == ' ').then_some(matches!(sign, 'x' | 'X' | '✓' | '✔' | '*'))
}

/// How many columns a check box and the blank behind it take.
pub(super) const CHECK_BOX_WIDTH: u16 = 4;

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
