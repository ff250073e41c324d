//! Reads what an MCP server asks of the person: a form with fields, a plain yes or no, or a link to be opened.
//!
//! No other dialog ends like these: buttons side by side on one row, and below them the keys, Enter not among them. What the
//! server writes is grey or in its own column, so that none of its words can pass for a field. A field that is chosen from shows
//! its rows only while it is opened, and the kind of a field only while the cursor is on it: the dialog is looked through first
//! ([`crate::survey`]).

use serde_json::json;
use shared_types::{OptionRole, PromptKind, PromptOption, Question, TextInput};

use super::{
    composer::typed,
    lines::{Row, RowKind, join, key_hints, text, trim},
    mark::{Mark, is_cursor},
    sight::{build, joined, new},
    words,
};
use crate::{
    Offer, SightedOption, SightedText, Sighting,
    screen::{Cell, Color},
};

/// Leaves a field that need not be filled in as it is.
pub(super) const LEAVE: &str = "Leave it as it is";
/// The states of a field that is ticked or not.
pub(super) const YES: &str = "Yes";
pub(super) const NO: &str = "No";

/// The glyphs of ticked and unticked boxes, of one or of many.
const TICKED: &[char] = &['☒', '☑', '◉'];
const UNTICKED: &[char] = &['☐', '◯'];

/// How a field is filled in, as far as it shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FieldKind {
    Unknown,
    Text,
    Flag,
    Closed,
    Open,
}

struct Field {
    label: String,
    description: String,
    /// What stands in it; empty when it is not set.
    value: String,
    kind: FieldKind,
    /// The dialog says that it must be filled in, and it is not.
    missing: bool,
    /// What the dialog has against what stands in it.
    complaint: Option<String>,
    /// The rows of a field that is opened.
    rows: Vec<SightedOption>,
    cursor: Option<usize>,
}

/// The dialog, when it is one of these. The screen must not have a composer.
pub(super) fn read(rows: &[Row<'_>], cols: u16) -> Option<Sighting> {
    let end = rows.iter().rposition(|row| !row.is_blank())? + 1;
    let foot = rows.get(..end)?.iter().rposition(Row::is_blank)? + 1;
    let hints = key_hints(&join(rows.get(foot..end)?.iter().map(|row| row.cells), cols));
    let is = |key: &str| hints.iter().any(|hint| hint.key.eq_ignore_ascii_case(key));
    let moves = hints.iter().any(|hint| matches!(hint.action.as_str(), "navigate" | "switch"));
    let leaves = hints.first().filter(|hint| hint.key.eq_ignore_ascii_case("esc") && moves && !is("enter"))?;
    let at = rows.get(..foot)?.iter().rposition(|row| !row.is_blank())?;
    let (buttons, pressed) = buttons(rows.get(at)?)?;
    let top = rows.get(..at)?.iter().rposition(|row| row.kind == RowKind::Rule)?;
    let within = rows.get(top + 1..at)?;
    let title = within.first().filter(|row| row.is_text())?;
    let left = title.start();
    // The server's own words come next, in grey.
    let first = within.iter().skip(1).find(|row| row.is_text());
    let said = first.filter(|row| row.start() == left && !has_cursor(row));
    let grey = said.map(Row::fg).filter(|fg| *fg != Color::Default);
    let is_field = |row: &Row<'_>| field_label(row, left, grey).is_some();
    let begin = within.iter().position(is_field).unwrap_or(within.len());
    let fields = fields(within.get(begin..).unwrap_or_default(), left, grey, cols);
    let focused = fields.iter().position(|field| field.kind != FieldKind::Unknown);
    if focused.is_none() == pressed.is_none() {
        return None;
    }
    let said: Vec<&[Row<'_>]> = within.get(1..begin)?.split(Row::is_blank).filter(|rows| !rows.is_empty()).collect();
    let in_grey = |rows: &&&[Row<'_>]| grey.is_none_or(|grey| rows.first().is_some_and(|row| row.fg() == grey));
    let message = said.iter().filter(in_grey).map(|rows| joined(rows, cols)).collect::<Vec<_>>().join("\n");
    let further: Vec<&[Row<'_>]> = said.iter().filter(|rows| !in_grey(rows)).copied().collect();
    let kind = if fields.is_empty() { PromptKind::Permission } else { PromptKind::Question };
    let mut sighting = new(kind, build::FORM);
    let heading = title.text();
    let link = further.first().map(|rows| rows.iter().map(|row| row.text()).collect::<String>());
    let notes = further.iter().map(|rows| joined(rows, cols));
    sighting.description = std::iter::once(heading.clone()).chain(notes).collect::<Vec<_>>().join("\n");
    sighting.tool_input = link.filter(|link| link.contains("://")).map(|url| json!({ "url": url }));
    sighting.title = if message.is_empty() { heading.clone() } else { message.clone() };
    // Arrows in the place of a field say that others are out of view.
    let scrolls = |row: &Row<'_>| matches!(row.head(), Some('↑' | '↓')) && row.start() < left + 6;
    sighting.more_options = within.get(begin..).unwrap_or_default().iter().any(scrolls);
    let labels: Vec<&str> = fields.iter().map(|field| field.label.as_str()).collect();
    let labels = if sighting.more_options { String::new() } else { labels.join("\n") };
    sighting.identity = format!("{heading}\n{message}\n{:?}\n{labels}", sighting.tool_input);
    sighting.rows = top..end;
    sighting.question_index = focused;
    let refusal = buttons.iter().find(|label| words::role(&SightedOption::new(*label)) == OptionRole::Deny).cloned();
    sighting.questions = fields.iter().map(|field| question(field, refusal.as_deref())).collect();
    if let Some(open) = fields.iter().find(|field| field.kind == FieldKind::Open) {
        sighting.build = build::OPEN_FIELD;
        sighting.multi_select = open.rows.iter().any(|row| row.hint.is_some());
        sighting.options.clone_from(&open.rows);
        sighting.selected = open.cursor;
        return Some(sighting);
    }
    let offer = if fields.is_empty() { Offer::Offered } else { Offer::Button };
    sighting.selected = focused.or(pressed.map(|button| fields.len() + button));
    sighting.options = fields.iter().map(field_row).collect();
    sighting.options.extend(buttons.into_iter().map(|label| {
        let mut option = SightedOption { offer, ..SightedOption::new(label) };
        option.role = Some(words::role(&option));
        option
    }));
    let leaving =
        SightedOption { offer, hint: Some(leaves.key.clone()), ..SightedOption::new(capital(&leaves.action)) };
    sighting.options.push(SightedOption { role: Some(OptionRole::Deny), ..leaving });
    Some(sighting)
}

/// The buttons on a row, and which of them has the cursor.
fn buttons(row: &Row<'_>) -> Option<(Vec<String>, Option<usize>)> {
    let mut labels: Vec<(String, bool)> = Vec::new();
    let mut gap = 2;
    let mut cursor = false;
    for cell in row.cells {
        match cell.ch {
            ch if is_cursor(ch) => (gap, cursor) = (2, true),
            ' ' => gap += 1,
            ch => {
                if gap >= 2 {
                    labels.push((String::new(), std::mem::take(&mut cursor)));
                }
                let (label, _) = labels.last_mut()?;
                if gap == 1 {
                    label.push(' ');
                }
                label.push(ch);
                gap = 0;
            }
        }
    }
    // Sentences and lists are no buttons.
    let named = labels.iter().all(|(label, _)| label.starts_with(char::is_alphabetic) && label.len() < 40);
    let pressed = labels.iter().position(|(_, cursor)| *cursor);
    (labels.len() > 1 && named).then(|| (labels.into_iter().map(|(label, _)| label).collect(), pressed))
}

/// The cells of a field's label and value, when the row is one: in the label's column, and not in the grey of what servers say.
fn field_label<'a>(row: &Row<'a>, left: u16, grey: Option<Color>) -> Option<&'a [Cell]> {
    let begins = row.is_text() && (has_cursor(row) && row.start() == left || row.start() >= left + 2);
    let at = row.cells.iter().position(|cell| cell.column == left + 4).filter(|_| begins && row.start() <= left + 4)?;
    let (front, label) = row.cells.split_at(at);
    let marks = front.iter().filter(|cell| cell.ch != ' ');
    let marked = marks.clone().all(|cell| cell.column == left || cell.column == left + 2);
    let own = label.first().is_some_and(|cell| cell.ch != ' ' && Some(cell.style.fg) != grey);
    (marked && own && label.iter().any(|cell| cell.ch == ':')).then_some(label)
}

fn fields(rows: &[Row<'_>], left: u16, grey: Option<Color>, cols: u16) -> Vec<Field> {
    let mut fields: Vec<Field> = Vec::new();
    for row in rows {
        if let Some(cells) = field_label(row, left, grey) {
            fields.push(field(row, cells, left));
            continue;
        }
        let Some(field) = fields.last_mut().filter(|_| row.is_text()) else { continue };
        let mark = Mark::of(row);
        if let Some((state, glyph)) =
            mark.checked.filter(|(_, glyph)| field.kind == FieldKind::Open && Some(glyph.style.fg) != grey)
        {
            if mark.cursor.is_some() {
                field.cursor = Some(field.rows.len());
            }
            // A square takes several, a circle one.
            let several = matches!(glyph.ch, '☐' | '☒' | '☑').then(|| "Space".to_owned());
            field.rows.push(SightedOption {
                checked: Some(state),
                hint: several,
                ..SightedOption::new(text(mark.label))
            });
        } else if grey.is_none_or(|grey| row.fg() == grey) {
            field.description = join([row.cells], cols);
        } else {
            field.complaint = Some(row.text());
        }
    }
    fields
}

fn field(row: &Row<'_>, cells: &[Cell], left: u16) -> Field {
    let status = row.cells.iter().find(|cell| cell.column == left + 2).map_or(' ', |cell| cell.ch);
    let colon = cells.iter().position(|cell| cell.ch == ':').unwrap_or(cells.len());
    let (label, rest) = cells.split_at(colon);
    let shown = trim(rest.get(1..).unwrap_or_default());
    let focused = has_cursor(row) && row.start() == left;
    let first = shown.first().map_or(' ', |cell| cell.ch);
    let is_box = shown.len() == 1 && (TICKED.contains(&first) || UNTICKED.contains(&first));
    let kind = match first {
        _ if !focused => FieldKind::Unknown,
        '▸' => FieldKind::Closed,
        '▾' => FieldKind::Open,
        _ if is_box => FieldKind::Flag,
        _ => FieldKind::Text,
    };
    // A tick, or a warning where the dialog does not like it, says that something stands in it.
    let is_set = !matches!(status, ' ' | '*');
    let value = match kind {
        FieldKind::Open => String::new(),
        FieldKind::Text => typed(shown),
        _ if !is_set => String::new(),
        _ if is_box => (if TICKED.contains(&first) { YES } else { NO }).to_owned(),
        FieldKind::Closed => text(shown.get(1..).unwrap_or_default()),
        FieldKind::Unknown | FieldKind::Flag => text(shown),
    };
    Field {
        label: text(label),
        description: String::new(),
        value,
        kind,
        missing: status == '*',
        complaint: None,
        rows: Vec::new(),
        cursor: None,
    }
}

/// A field as one of the rows that the cursor goes through. No answer chooses it.
fn field_row(field: &Field) -> SightedOption {
    let hint = match field.kind {
        FieldKind::Unknown => None,
        FieldKind::Text | FieldKind::Open => Some(String::new()),
        FieldKind::Flag => Some("y/n".to_owned()),
        FieldKind::Closed => Some("Right".to_owned()),
    };
    let value = SightedText {
        value: field.value.clone(),
        focused: field.kind != FieldKind::Unknown,
        placeholder: field.missing.then(|| field.label.clone()),
        ..SightedText::default()
    };
    SightedOption {
        description: field.complaint.clone(),
        text: Some(value),
        hint,
        offer: Offer::Button,
        ..SightedOption::new(field.label.clone())
    }
}

/// A field as a question. Without its kind nothing but its name is known.
fn question(field: &Field, refusal: Option<&str>) -> Question {
    let mut options: Vec<PromptOption> = match field.kind {
        FieldKind::Open => field.rows.iter().map(|row| own_option(&row.label, None)).collect(),
        FieldKind::Flag => [YES, NO].map(|label| own_option(label, None)).into(),
        _ => Vec::new(),
    };
    let is_known = !matches!(field.kind, FieldKind::Unknown | FieldKind::Closed);
    if is_known && !field.missing {
        options.push(own_option(LEAVE, None));
    }
    options.extend(refusal.filter(|_| is_known).map(|label| own_option(label, Some(OptionRole::Deny))));
    let words = if field.description.is_empty() { &field.label } else { &field.description };
    Question {
        header: field.label.clone(),
        question: if is_known { words.clone() } else { String::new() },
        options,
        multi_select: field.rows.iter().any(|row| row.hint.is_some()).then_some(true),
        text_input: (field.kind == FieldKind::Text).then(TextInput::default),
    }
}

fn own_option(label: &str, role: Option<OptionRole>) -> PromptOption {
    SightedOption { role, ..SightedOption::new(label) }.to_wire(label.to_owned())
}

fn has_cursor(row: &Row<'_>) -> bool {
    row.head().is_some_and(is_cursor)
}

fn capital(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
