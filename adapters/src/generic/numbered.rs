//! Menus by number or letter: a list, and below it the line where the choice is typed.

use shared_types::{Confidence, OptionRole, PromptKind, PromptSource};

use super::{keys, live::Live, patterns::clean_title};
use crate::{SightedOption, Sighting};

/// How many rows of prose may stand between a list and a line that plainly asks for a choice.
const PROSE_ROWS: usize = 2;
/// Words that make a line ask for a choice.
const CHOOSING: [&str; 12] =
    ["choice", "choose", "select", "option", "number", "pick", "which", "answer", "auswahl", "wählen", "#?", "enter"];

/// A list of numbered answers above the line the cursor is on.
pub(super) fn read(live: &Live<'_>) -> Option<Sighting> {
    if !live.waits() || !live.after.is_empty() {
        return None;
    }
    let (head, draft) = choice_line(&live.before)?;
    let lower = head.to_lowercase();
    let asks = CHOOSING.iter().any(|word| lower.contains(word));
    // A mere `>` is an interpreter's prompt wherever keys are taken one by one.
    if !head.chars().any(char::is_alphanumeric) && head != "#?" && live.takes_keys() {
        return None;
    }
    let list = list_above(live, if asks { PROSE_ROWS } else { 0 })?;
    let mut sighting = Sighting::new(PromptKind::Question, PromptSource::Pattern, build(live));
    sighting.confidence = if asks { Confidence::Likely } else { Confidence::Guess };
    let above = list.first_row.checked_sub(1).map_or("", |row| live.screen.text(row)).trim();
    let indented = live.screen.text(list.first_row).starts_with(' ');
    let parts = ["choose", "select", "pick", "your choice", "enter"].iter().any(|word| lower.trim().starts_with(word));
    let heads =
        indented && parts && !above.is_empty() && !live.screen.text(list.first_row.saturating_sub(1)).starts_with(' ');
    let names_list = above.ends_with([':', '?']) && !super::shell::is_prompt(above);
    sighting.title = clean_title(if names_list || heads && above.len() < 80 && !super::shell::is_prompt(above) {
        above
    } else {
        head
    });
    if !sighting.title.chars().any(char::is_alphabetic) {
        sighting.title = "Choose one".to_owned();
    }
    sighting.rows = list.first_row..live.rows.end;
    let default = default_of(head);
    sighting.head = live.head(draft);
    sighting.options = list.items.into_iter().map(|item| item.option(default)).collect();
    sighting.options.push(keys::typed(draft));
    Some(sighting)
}

/// A list below the line the cursor is on, where a number is typed behind the question.
pub(super) fn below(live: &Live<'_>) -> Option<Sighting> {
    let screen = live.screen;
    let last = screen.last_row().filter(|last| *last > live.row && live.takes_keys() && screen.cursor.visible)?;
    if !live.before.starts_with(['?', '[']) {
        return None;
    }
    let found: Option<Vec<Item>> = (live.row + 1..=last)
        .filter(|row| !screen.lines[*row].is_blank() && !screen.lines[*row].is_dim())
        .map(|row| items(screen.text(row)).into_iter().next())
        .collect();
    let found = found?;
    if found.len() < 2 || (1..).zip(&found).any(|(at, item): (u32, &Item)| order(&item.number) != at) {
        return None;
    }
    let (title, draft) = match live.before.trim_end().rsplit_once("  ") {
        Some((title, draft)) if draft.len() <= 3 => (title, draft),
        _ => (live.before.trim_end(), ""),
    };
    let mut sighting = Sighting::new(PromptKind::Question, PromptSource::Pattern, keys::EDIT);
    sighting.confidence = Confidence::Likely;
    sighting.title = clean_title(title);
    sighting.head = live.head(draft);
    sighting.rows = live.rows.clone();
    sighting.options = found.into_iter().map(|item| item.option(None)).collect();
    sighting.options.push(keys::typed(draft));
    Some(sighting)
}

/// Keys listed below a question, as `nano` does: ` Y Yes`, `^C Cancel`.
pub(super) fn keys_below(live: &Live<'_>) -> Option<Sighting> {
    let screen = live.screen;
    let last = screen.last_row().filter(|last| *last > live.row && last - live.row < 4)?;
    if !live.takes_keys() || !live.before.trim_end().ends_with('?') || !live.after.is_empty() {
        return None;
    }
    let mut options = Vec::new();
    for row in live.row + 1..=last {
        for listed in screen.text(row).split("  ").map(str::trim).filter(|listed| !listed.is_empty()) {
            let (key, label) = listed.split_once(' ')?;
            let hint = match key.strip_prefix('^') {
                Some("C") => "ctrl-c".to_owned(),
                None if key.chars().count() == 1 && key.chars().all(char::is_alphanumeric) => key.to_lowercase(),
                _ => return None,
            };
            options.push(SightedOption { hint: Some(hint), ..SightedOption::new(label.trim()) });
        }
    }
    let mut sighting = Sighting::new(PromptKind::Question, PromptSource::Pattern, keys::KEY);
    sighting.confidence = Confidence::Likely;
    sighting.title = clean_title(&live.before);
    sighting.rows = live.rows.clone();
    let role = |label: &str| match label {
        "Yes" => Some(OptionRole::Allow),
        "No" | "Cancel" => Some(OptionRole::Deny),
        _ => None,
    };
    options.iter_mut().for_each(|option| option.role = role(&option.label));
    if ["Yes", "No"].iter().all(|word| options.iter().any(|option| option.label == *word)) {
        sighting.kind = PromptKind::Permission;
    }
    sighting.options = options;
    (sighting.options.len() > 1).then_some(sighting)
}

struct List {
    first_row: usize,
    items: Vec<Item>,
}

struct Item {
    number: String,
    label: String,
}

impl Item {
    fn option(self, default: Option<&str>) -> SightedOption {
        let description = (default == Some(self.number.as_str())).then(|| "default".to_owned());
        SightedOption { description, number: Some(self.number), ..SightedOption::new(self.label) }
    }
}

/// The line that asks, and the one short word typed behind it.
fn choice_line(text: &str) -> Option<(&str, &str)> {
    let end = text.trim_end();
    if end.ends_with([':', '?', '>']) {
        return Some((end.trim(), ""));
    }
    let at = end.rfind([':', '?', '>'])?;
    let draft = end[at + 1..].trim();
    (draft.len() <= 3 && draft.chars().all(char::is_alphanumeric)).then(|| (end[..=at].trim(), draft))
}

/// The list that ends directly above the line, in one or several columns.
fn list_above(live: &Live<'_>, prose: usize) -> Option<List> {
    let mut row = live.rows.start;
    let mut blanks = 0;
    let mut skipped = 0;
    loop {
        row = row.checked_sub(1)?;
        let text = live.screen.text(row);
        if !items(text).is_empty() {
            break;
        }
        if text.trim().is_empty() {
            blanks += 1;
        } else {
            skipped += 1;
        }
        if blanks > 2 || skipped > prose {
            return None;
        }
    }
    let mut first_row = row;
    let mut found = Vec::new();
    let mut gap = 0;
    for upper in (0..=row).rev() {
        let here = items(live.screen.text(upper));
        if here.is_empty() {
            // One blank row or one wrapped row may stand between two answers.
            gap += 1;
            if gap > 1 || !live.screen.text(upper).starts_with(' ') && !live.screen.text(upper).is_empty() {
                break;
            }
            continue;
        }
        gap = 0;
        first_row = upper;
        found.extend(here);
        if found.iter().any(|item| item.number == "1" || item.number.eq_ignore_ascii_case("a"))
            && !is_zero_next(live, upper)
        {
            break;
        }
    }
    found.sort_by_key(|item| order(&item.number));
    // A list counts, and may skip what cannot be chosen here: `(4)`, `(14)`. A letter may end it: `q. Quit`.
    let numbers = found.iter().filter(|item| item.number.starts_with(|ch: char| ch.is_ascii_digit())).count();
    let last_letter = numbers > 1 && numbers + 1 == found.len();
    let counted = if last_letter { &found[..numbers] } else { &found[..] };
    let steps = || counted.windows(2).map(|pair| order(&pair[1].number).saturating_sub(order(&pair[0].number)));
    let consecutive =
        steps().next() == Some(1) && steps().all(|step| step >= 1) && steps().filter(|step| *step > 1).count() < 2;
    let begins = found.first().is_some_and(|item| ["0", "1", "a", "A"].contains(&item.number.as_str()));
    (found.len() >= 2 && consecutive && begins).then_some(List { first_row, items: found })
}

/// True when the row above the first begins with 0: lists that count from there.
fn is_zero_next(live: &Live<'_>, row: usize) -> bool {
    row.checked_sub(1).is_some_and(|upper| items(live.screen.text(upper)).iter().any(|item| item.number == "0"))
}

fn order(number: &str) -> u32 {
    number.parse().unwrap_or_else(|_| number.chars().next().map_or(0, |ch| u32::from(ch.to_ascii_lowercase())))
}

/// The numbered answers on one row: `1) foo   3) baz`, `[2] bar`, `a. first`.
fn items(text: &str) -> Vec<Item> {
    let mut items = Vec::new();
    let mut rest = text.trim();
    while let Some((number, after)) = numbered(rest) {
        // The next column begins after two blanks or more, with a number of its own.
        let next = after.match_indices("  ").map(|(at, _)| at).find(|at| {
            let column = after[*at..].trim_start();
            numbered(column).is_some_and(|(number, _)| number.starts_with(|ch: char| ch.is_ascii_digit()))
        });
        let (label, following) = next.map_or((after, ""), |at| (&after[..at], after[at..].trim_start()));
        items.push(Item { number: number.to_owned(), label: label.trim().to_owned() });
        rest = following;
    }
    items
}

/// A number or letter with its mark, and what follows.
fn numbered(text: &str) -> Option<(&str, &str)> {
    let open = text.starts_with(['[', '(']);
    let body = if open { &text[1..] } else { text };
    let digits = body.bytes().take_while(u8::is_ascii_digit).count();
    let length = match digits {
        0 => body.chars().next().filter(char::is_ascii_alphabetic).map(|_| 1)?,
        1..=3 => digits,
        _ => return None,
    };
    let (number, rest) = body.split_at(length);
    let behind = match rest.chars().next()? {
        ')' | ']' => &rest[1..],
        '.' if !open => &rest[1..],
        ':' if !open && digits > 0 => &rest[1..],
        ' ' if !open && digits > 0 && rest.starts_with(" - ") => &rest[2..],
        _ => return None,
    };
    (behind.starts_with(' ') && !behind.trim().is_empty()).then(|| (number, behind.trim_start()))
}

/// The default a line names: the `1` of `Enter a selection [1]:`.
fn default_of(head: &str) -> Option<&str> {
    let body = head.trim_end_matches([':', '?', '>', ' ']);
    let (_, inside) = body.strip_suffix([']', ')'])?.rsplit_once(['[', '('])?;
    let inside = inside.strip_prefix("default").map_or(inside, |rest| rest.trim_start_matches([' ', ':', '=']));
    (!inside.is_empty() && inside.len() <= 3 && inside.chars().all(char::is_alphanumeric)).then_some(inside)
}

fn build(live: &Live<'_>) -> &'static str {
    match live.screen.tty {
        Some(tty) if !tty.canonical && tty.echo => keys::KEY,
        Some(tty) if !tty.canonical => keys::EDIT,
        _ => keys::LINE,
    }
}
