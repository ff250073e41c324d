//! Rows that take free text: what is typed, what is only suggested, and whether the keys go there.
//!
//! Told by style, because the words are anybody's: an untouched text row has the grey of its number, a focused one
//! shows the text cursor and dim ghost text, a typed one lacks the colour that the cursor gives to an ordinary option.

use super::{composer::typed, mark::Mark, options::field_text};
use crate::{
    SightedText,
    screen::{Cell, Color},
};

/// A text row as it stands.
pub(super) struct Found {
    /// The option's words in front of the field, or what the field shows where it has none.
    pub(super) label: String,
    /// The field.
    pub(super) text: SightedText,
}

/// Reads an option's label as a text row, when it is one. `rest` are the label's further rows.
pub(super) fn read<'a>(
    mark: &Mark<'a>,
    selected: bool,
    rest: impl Iterator<Item = &'a [Cell]> + Clone,
    right: u16,
) -> Option<Found> {
    let rows = std::iter::once(mark.label).chain(rest);
    let shown = field_text(rows.clone(), right);
    let unstyled = mark.number_fg() == Color::Default;
    if !selected {
        let grey =
            !unstyled && mark.label.iter().filter(|cell| cell.ch != ' ').all(|cell| cell.style.fg == mark.number_fg());
        return grey.then(|| Found {
            label: shown.clone(),
            text: SightedText { placeholder: Some(shown), ..SightedText::default() },
        });
    }
    let field = field_start(mark)?;
    let (words, held) = mark.label.split_at_checked(field)?;
    let label = super::lines::text(words).trim_end_matches([',', ' ']).to_owned();
    let value = typed(held);
    let value = if value.is_empty() || rows.clone().count() == 1 {
        value
    } else {
        field_text(std::iter::once(held).chain(rows.skip(1)), right)
    };
    let placeholder = value.is_empty().then(|| super::lines::text(held)).filter(|ghost| !ghost.is_empty());
    let label = match (label.is_empty(), value.is_empty()) {
        (false, _) => label,
        (true, true) => shown,
        (true, false) => value.clone(),
    };
    Some(Found { label, text: SightedText { placeholder, value, focused: true, ..SightedText::default() } })
}

/// True when the row shows a text cursor.
pub(super) fn is_focused(mark: &Mark<'_>) -> bool {
    mark.label.iter().any(|cell| cell.style.inverse) || field_start(mark).is_some()
}

/// Where the field begins in a selected row's label, when it has one.
fn field_start(mark: &Mark<'_>) -> Option<usize> {
    let cursor_fg = mark.cursor.map_or(Color::Default, |cell| cell.style.fg);
    let text_cursor = mark.label.iter().position(|cell| cell.style.inverse);
    if cursor_fg == Color::Default {
        // Without colours, or with the cursor drawn elsewhere, words before the field cannot be told from typed ones;
        // the ghost text still can.
        let ghost = mark.label.iter().position(|cell| cell.style.dim);
        return match (text_cursor, ghost) {
            (Some(at), Some(_)) => Some(at),
            (Some(_), None) => Some(coloured_words(mark)),
            _ => None,
        };
    }
    let plain = mark.label.iter().position(|cell| cell.ch != ' ' && cell.style.fg == Color::Default);
    match (text_cursor, plain) {
        (Some(at), Some(plain)) => Some(at.min(plain)),
        (Some(at), None) => Some(at),
        (None, Some(plain)) if !mark.ticked => Some(plain),
        _ => None,
    }
}

/// How many cells at the label's beginning have a colour.
fn coloured_words(mark: &Mark<'_>) -> usize {
    mark.label.iter().take_while(|cell| cell.style.fg != Color::Default || cell.ch == ' ').count()
}
