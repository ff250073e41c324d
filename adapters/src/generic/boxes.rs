//! Dialogs in a drawn box with buttons, as `whiptail` and `dialog` make them for installers.

use std::ops::Range;

use shared_types::{Confidence, OptionRole, PromptKind, PromptSource};

use super::{keys, patterns};
use crate::{
    Screen, SightedOption, SightedText, Sighting,
    screen::{Color, Line},
};

/// A dialog in a box.
pub(super) fn read(screen: &Screen) -> Option<Sighting> {
    if screen.tty.is_some_and(|tty| tty.canonical) {
        return None;
    }
    let frame = Frame::find(screen)?;
    let button_row = frame.rows.clone().rev().find(|row| !frame.text(screen, *row).trim().is_empty())?;
    let buttons = buttons(&screen.lines[button_row], &frame)?;
    if let Some(sighting) = field(screen, &frame, button_row) {
        return Some(sighting);
    }
    let away = screen.cursor.visible && usize::from(screen.cursor.y) != button_row;
    if away || frame.rows.clone().any(|row| frame.text(screen, row).contains("____")) {
        return None;
    }
    let items = items(screen, &frame, button_row);
    let text_end = items.first().map_or(button_row, |item| item.row);
    let words: Vec<String> = (frame.rows.start..text_end)
        .map(|row| frame.text(screen, row).trim_matches(|ch: char| ch == ' ' || is_rule(ch)).to_owned())
        .filter(|text| !text.is_empty())
        .collect();
    let mut sighting = if items.is_empty() { of_buttons(&buttons)? } else { of_items(items)? };
    sighting.confidence = Confidence::Likely;
    sighting.title = words.first().cloned().or(frame.caption.clone()).unwrap_or_else(|| "Choose one".to_owned());
    sighting.description = words.get(1..).unwrap_or_default().join("\n");
    sighting.rows = frame.rows.start.saturating_sub(1)..frame.rows.end + 1;
    Some(sighting)
}

/// A field to type in: the cursor stands in it.
fn field(screen: &Screen, frame: &Frame, button_row: usize) -> Option<Sighting> {
    let row = usize::from(screen.cursor.y);
    if !screen.cursor.visible || !frame.rows.contains(&row) || row >= button_row {
        return None;
    }
    let shown = frame.text(screen, row);
    let drawn = shown.contains("__")
        || shown.contains('│')
        || screen.lines[row]
            .cells
            .iter()
            .any(|cell| frame.columns.contains(&cell.column) && (cell.style.bg != frame.ground || cell.style.inverse));
    if !drawn {
        return None;
    }
    let words = |row| frame.text(screen, row).trim_matches(|ch: char| ch == ' ' || is_rule(ch)).to_owned();
    let said: Vec<String> = (frame.rows.start..row).map(words).filter(|text: &String| !text.is_empty()).collect();
    let title = said.first().cloned().or(frame.caption.clone())?;
    let value = shown.trim_matches(|ch: char| matches!(ch, ' ' | '_') || is_rule(ch)).to_owned();
    let masked = !value.is_empty() && value.chars().all(|ch| ch == '*');
    let secret = masked || patterns::is_secret(&title);
    let build = if secret { keys::SECRET } else { keys::TEXT };
    let mut sighting = Sighting::new(PromptKind::Question, PromptSource::Pattern, build);
    sighting.confidence = Confidence::Likely;
    sighting.title = title;
    sighting.description = said.get(1..).unwrap_or_default().join("\n");
    sighting.rows = frame.rows.start.saturating_sub(1)..frame.rows.end + 1;
    let value = if secret { String::new() } else { value };
    sighting.text = Some(SightedText { value, secret, focused: true, ..SightedText::default() });
    Some(sighting)
}

fn of_buttons(buttons: &[Button]) -> Option<Sighting> {
    let selected = only(buttons.iter().map(|button| button.lit)).or((buttons.len() == 1).then_some(0))?;
    let says = |words: &[&str]| buttons.iter().any(|button| words.contains(&button.label.to_lowercase().as_str()));
    let yes_no = says(&["yes", "ja", "ok"]) && says(&["no", "nein", "cancel"]);
    let kind = if yes_no { PromptKind::Permission } else { PromptKind::Question };
    let mut sighting = Sighting::new(kind, PromptSource::Pattern, keys::BUTTONS);
    sighting.selected = Some(selected);
    sighting.options = buttons
        .iter()
        .map(|button| SightedOption {
            role: match button.label.to_lowercase().as_str() {
                "yes" | "ja" => Some(OptionRole::Allow),
                "ok" if yes_no => Some(OptionRole::Allow),
                "no" | "nein" | "cancel" | "abort" => Some(OptionRole::Deny),
                _ => None,
            },
            ..SightedOption::new(button.label.clone())
        })
        .collect();
    Some(sighting)
}

fn of_items(items: Vec<Item>) -> Option<Sighting> {
    let selected = lit_row(&items)?;
    let build = match items[selected].check {
        Some((_, true)) => keys::RADIO,
        Some((_, false)) => keys::CHECKS,
        None => keys::MENU,
    };
    let mut sighting = Sighting::new(PromptKind::Question, PromptSource::Pattern, build);
    sighting.selected = Some(selected);
    sighting.multi_select = build == keys::CHECKS;
    sighting.more_options = items.iter().any(|item| item.scrolls);
    sighting.options = items
        .into_iter()
        .map(|item| SightedOption { checked: item.check.map(|(on, _)| on), ..SightedOption::new(item.label) })
        .collect();
    Some(sighting)
}

/// The box: the rows inside it and the columns of its sides.
struct Frame {
    rows: Range<usize>,
    columns: Range<u16>,
    caption: Option<String>,
    ground: Color,
}

impl Frame {
    fn find(screen: &Screen) -> Option<Self> {
        let top = screen.lines.iter().position(|line| line.text.trim_start().starts_with('┌'))?;
        let left = screen.lines[top].first_drawn()?;
        let right = screen.lines[top].cells.iter().find(|cell| cell.ch == '┐')?.column;
        let bottom = (top + 1..screen.lines.len()).find(|row| at(&screen.lines[*row], left.column) == Some('└'))?;
        let caption = screen.lines[top].text.trim_matches(|ch: char| ch == ' ' || is_rule(ch)).to_owned();
        Some(Self {
            rows: top + 1..bottom,
            columns: left.column + 1..right,
            caption: (!caption.is_empty()).then_some(caption),
            ground: left.style.bg,
        })
    }

    fn text(&self, screen: &Screen, row: usize) -> String {
        let cells = screen.lines[row].cells.iter().filter(|cell| self.columns.contains(&cell.column));
        cells.map(|cell| cell.ch).collect()
    }
}

struct Button {
    label: String,
    lit: bool,
}

/// The buttons `<Yes>   < No >` of a row; nothing when anything else stands there.
fn buttons(line: &Line, frame: &Frame) -> Option<Vec<Button>> {
    let mut buttons = Vec::new();
    let mut open: Option<(String, bool)> = None;
    for cell in line.cells.iter().filter(|cell| frame.columns.contains(&cell.column)) {
        match (cell.ch, &mut open) {
            ('<', None) => open = Some((String::new(), cell.style.bg != frame.ground || cell.style.inverse)),
            ('>', Some(_)) => {
                let (label, lit) = open.take()?;
                buttons.push(Button { label: label.trim().to_owned(), lit });
            }
            (ch, Some((label, _))) => label.push(ch),
            (' ', None) => {}
            (ch, None) if is_rule(ch) => {}
            _ => return None,
        }
    }
    let worded = buttons.iter().all(|button| button.label.chars().any(char::is_alphabetic));
    (!buttons.is_empty() && worded).then_some(buttons)
}

struct Item {
    row: usize,
    label: String,
    /// Whether it is on, and whether only one can be.
    check: Option<(bool, bool)>,
    /// Backgrounds other than the box's own, and whether anything is inverse.
    grounds: Vec<(Color, bool)>,
    scrolls: bool,
}

/// The rows of a list: those with boxes, or else the last block of rows when one of them is lit.
fn items(screen: &Screen, frame: &Frame, button_row: usize) -> Vec<Item> {
    let mut items: Vec<Item> = Vec::new();
    for row in (frame.rows.start..button_row).rev() {
        let text = frame.text(screen, row);
        let scrolls = text.contains(['↑', '↓', '▮', '▒', '░', '█']) || text.contains("(+)") || text.contains("(-)");
        let text = text.trim_matches(|ch: char| {
            is_rule(ch) || matches!(ch, ' ' | '↑' | '↓' | '▮' | '▒' | '░' | '█' | '^' | 'v' | '#')
        });
        if text.is_empty() {
            if items.is_empty() { continue } else { break }
        }
        let check = match text.as_bytes() {
            [open @ (b'[' | b'('), mark, close, b' ', ..] if matches!((open, close), (b'[', b']') | (b'(', b')')) => {
                Some((*mark != b' ', *open == b'('))
            }
            _ => None,
        };
        let label = check.map_or(text, |_| &text[4..]);
        let label = label.split_whitespace().collect::<Vec<_>>().join(" ");
        let inside = screen.lines[row].cells.iter().filter(|cell| frame.columns.contains(&cell.column));
        let grounds = inside
            .filter(|cell| cell.style.bg != frame.ground || cell.style.inverse)
            .map(|cell| (cell.style.bg, cell.style.inverse))
            .collect();
        items.push(Item { row, label, check, grounds, scrolls });
    }
    items.reverse();
    if lit_row(&items).is_some() { items } else { Vec::new() }
}

/// The row that shows a background which no other shows.
fn lit_row(items: &[Item]) -> Option<usize> {
    only(items.iter().enumerate().map(|(at, item)| {
        let others = || items.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, item)| item);
        item.grounds.iter().any(|ground| others().all(|other| !other.grounds.contains(ground)))
    }))
}

fn only(mut flags: impl Iterator<Item = bool>) -> Option<usize> {
    let first = flags.by_ref().position(|lit| lit)?;
    flags.all(|lit| !lit).then_some(first)
}

fn at(line: &Line, column: u16) -> Option<char> {
    line.cells.iter().find(|cell| cell.column == column).map(|cell| cell.ch)
}

fn is_rule(ch: char) -> bool {
    ('\u{2500}'..='\u{257f}').contains(&ch)
}
