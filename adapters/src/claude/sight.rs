//! Makes a sighting of a dialog: what kind of question it is, its words, its options with their roles.

use shared_types::{PromptKind, PromptSource};

use super::{
    approval::approval,
    dialog::{Dialog, paragraphs},
    lines::{self, KeyHint, Row, join},
    mark::Mark,
    question::question,
    tabs::Tabs,
    words,
};
use crate::{
    SightedOption, Sighting,
    layout::cuts::{ends_cut, is_cut_mark},
};

/// How a dialog takes keys: words between the reading and `keys.rs`.
pub(super) mod build {
    /// Rows, chosen with the arrow keys and Enter; where they have numbers, a digit chooses at once.
    pub(in super::super) const SELECT: &str = "select";
    /// The same, and Tab opens a text field on the row.
    pub(in super::super) const AMEND: &str = "select, tab amends";
    /// One of several tabs with questions, or the one question with check boxes; a review follows.
    pub(in super::super) const TABS: &str = "tabs";
    /// The review of the answers to such a dialog.
    pub(in super::super) const REVIEW: &str = "review";
    /// No rows: the options are the keys it names.
    pub(in super::super) const KEYS: &str = "keys";
    /// Asked beside the composer: a key that stands alone in it answers.
    pub(in super::super) const ASIDE: &str = "aside";
    /// The same while such a key stands there.
    pub(in super::super) const ASIDE_TYPED: &str = "aside, typed";
    /// What an MCP server asks: fields, and buttons side by side.
    pub(in super::super) const FORM: &str = "form";
    /// The same while the rows of a field are drawn.
    pub(in super::super) const OPEN_FIELD: &str = "form, field opened";
    /// Its end is out of view.
    pub(in super::super) const CLIPPED: &str = "clipped";
}

/// The sighting of a dialog.
pub(super) fn sighting(dialog: &Dialog<'_>) -> Sighting {
    let tabs = dialog.parts.first().and_then(|part| part.first()).filter(|_| dialog.has_top).and_then(Tabs::of);
    let mut sighting = match (&dialog.list, tabs) {
        (None, _) => keys_only(dialog),
        (Some(list), Some(tabs)) => question(dialog, list, &tabs),
        (Some(list), None) if selects(&dialog.hints) && !dialog.has_top => question(dialog, list, &Tabs::default()),
        (Some(list), None) => approval(dialog, list),
    };
    // Tabs share one identity. What tells them apart is the question above the options, which therefore counts as
    // context.
    let by_question = [build::TABS, build::REVIEW].contains(&sighting.build);
    let first = dialog.list.as_ref().filter(|_| by_question).map_or(dialog.first, |list| list.rows.start);
    sighting.rows = first..dialog.end;
    sighting.incomplete |= is_cut(dialog) || sighting.kind == PromptKind::Permission && holds_dialog(dialog);
    sighting
}

/// True when the dialog does not show all that is asked about: its upper edge is not on the screen, or Claude left rows out.
fn is_cut(dialog: &Dialog<'_>) -> bool {
    let mut rows = dialog.parts.iter().flat_map(|part| part.iter());
    dialog.is_clipped() || rows.any(|row| is_cut_mark(&row.unbarred().text()) || ends_cut(&row.text()))
}

/// True when what is asked about holds what dialogs are made of: a line, a frame, an option or another question. It may have been
/// written to be read as a dialog, so the person is to look twice.
fn holds_dialog(dialog: &Dialog<'_>) -> bool {
    let rows: Vec<Row<'_>> = dialog.parts.iter().flat_map(|part| part.iter().copied()).collect();
    // The last paragraph is Claude's own question.
    let end = rows.iter().rposition(Row::is_blank).or_else(|| rows.len().checked_sub(1)).unwrap_or(0);
    rows.iter().take(end).map(|row| row.unbarred()).any(|row| {
        let text = row.text().to_lowercase();
        let asks = ["do you want to ", "would you like to "].iter().any(|words| text.starts_with(words));
        let mark = Mark::of(&row);
        lines::is_drawing(&row) || asks && text.ends_with('?') || mark.cursor.is_some() && mark.number.is_some()
    })
}

/// True for the hint line of a question; every other dialog confirms, cancels or amends.
fn selects(hints: &[KeyHint]) -> bool {
    hints.iter().any(|hint| hint.key.eq_ignore_ascii_case("enter") && hint.action.starts_with("select"))
}

/// An empty sighting, read from the screen.
pub(super) fn new(kind: PromptKind, build: &'static str) -> Sighting {
    Sighting::new(kind, PromptSource::Screen, build)
}

/// One line of the rows it was wrapped over, a bar at the left cut off.
pub(super) fn joined(rows: &[Row<'_>], cols: u16) -> String {
    let rows: Vec<Row<'_>> = rows.iter().map(|row| row.unbarred()).collect();
    join(rows.iter().map(|row| row.cells), cols)
}

/// A dialog without rows: what its keys do are the options.
fn keys_only(dialog: &Dialog<'_>) -> Sighting {
    let cols = dialog.cols;
    let clipped = dialog.hints.is_empty();
    let mut sighting = new(PromptKind::Permission, if clipped { build::CLIPPED } else { build::KEYS });
    let all: Vec<Row<'_>> = dialog.parts.iter().flat_map(|part| part.iter().copied()).collect();
    let paragraphs = paragraphs(&all);
    sighting.title = paragraphs.first().map(|rows| joined(rows, cols)).unwrap_or_default();
    let rest = paragraphs.iter().skip(1).map(|rows| joined(rows, cols));
    sighting.description = rest.collect::<Vec<_>>().join("\n\n");
    sighting.more_options = clipped;
    sighting.incomplete = clipped;
    sighting.options = dialog.hints.iter().map(key_option).collect();
    sighting
}

fn key_option(hint: &KeyHint) -> SightedOption {
    let label = hint.action.trim_end_matches('…');
    let mut option = SightedOption { hint: Some(hint.key.clone()), ..SightedOption::new(label) };
    option.role = Some(words::role(&option));
    option
}
