//! A field that a text is typed into.

use crate::SightedText;

/// The field that shows this.
pub(super) fn of(shown: &str, placeholder: Option<&str>, focused: bool) -> SightedText {
    SightedText {
        placeholder: placeholder.map(str::to_owned),
        value: shown.trim().to_owned(),
        focused,
        ..SightedText::default()
    }
}
