//! Menus by arrow, as the prompt libraries draw them: rows that begin alike, one of them marked, perhaps boxes to check.
//!
//! The run of rows must be the last thing on the screen but for a hint, and the program must take single keys: a list in
//! somebody's output has a shell or more output below it.

use std::ops::Range;

use shared_types::{Confidence, OptionRole, PromptKind, PromptSource};

use super::{
    keys,
    live::{Live, is_ghost},
    patterns::clean_title,
};
use crate::{
    Offer, SightedOption, Sighting,
    screen::{Cell, Color, Line},
};

/// Marks that libraries draw before the row they are on.
const POINTERS: [char; 8] = ['❯', '›', '▸', '➤', '➜', '▶', '»', '⮞'];
/// The same, but usual in output too: they count only below a question or above a hint.
const WEAK_POINTERS: [char; 3] = ['>', '*', '→'];
/// Rows of hints below a menu.
const HINT_ROWS: usize = 4;
/// How far above a menu its question may stand, with instructions between.
const TITLE_ROWS: usize = 7;
/// Words of hints.
const HINTS: [&str; 14] = [
    "arrow",
    "↑",
    "↓",
    "space",
    "enter",
    "⏎",
    "navigate",
    "toggle",
    "esc",
    "to move",
    "select",
    "submit",
    "confirm",
    "pfeiltaste",
];

/// One row of a menu.
struct Row {
    row: usize,
    pointer: Option<char>,
    check: Option<Check>,
    label_column: u16,
    label: String,
    description: Option<String>,
    /// The label is drawn inverse or underlined.
    lit: bool,
    /// It is struck out: the cursor stops there, but it cannot be chosen.
    struck: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Check {
    on: bool,
    /// Only one of them can be on.
    radio: bool,
    column: u16,
}

/// A menu at the end of the screen.
pub(super) fn read(live: &Live<'_>) -> Option<Sighting> {
    let screen = live.screen;
    let last = screen.last_row()?;
    if screen.tty.is_some_and(|tty| tty.canonical) || (screen.alternate && screen.cursor.visible) {
        return None;
    }
    let mut end = last + 1;
    let mut hint = false;
    let mut described = false;
    for _ in 0..=HINT_ROWS {
        if let Some((rows, selected)) = run_ending_at(live, end) {
            return sighting(live, &rows, selected, hint);
        }
        let row = end.checked_sub(1)?;
        if !is_hint(&screen.lines[row]) {
            // What the marked answer means may stand between the answers and the hint.
            let parted = row.checked_sub(1).is_some_and(|upper| screen.lines[upper].is_blank());
            if !hint || described || !parted {
                return None;
            }
            described = true;
        }
        hint = hint || !screen.text(row).trim().is_empty();
        end = row;
    }
    None
}

fn sighting(live: &Live<'_>, rows: &[Row], selected: usize, hint: bool) -> Option<Sighting> {
    let screen = live.screen;
    let first = rows.first()?.row;
    let marked = &rows[selected];
    // A shell's mark with a command behind it, below indented output, looks like a menu; its cursor gives it away.
    if screen.cursor.visible && usize::from(screen.cursor.y) == marked.row && !live.before.trim().is_empty() {
        return None;
    }
    let (title, title_row) = title_above(live, first);
    let asks = title.ends_with('?') || title_row.is_some_and(|row| screen.text(row).trim_end().ends_with([':', '?']));
    let library = title_row.is_some_and(|row| screen.text(row).trim_start().starts_with(['?', '◆']));
    let weak = marked.pointer.is_none_or(|pointer| WEAK_POINTERS.contains(&pointer));
    // A library that hides the cursor and colours the marked row has no need of words.
    let styled = screen.lines[marked.row]
        .cells
        .iter()
        .any(|cell| cell.ch != ' ' && (cell.style.bold || cell.style.inverse || cell.style.fg != Color::Default));
    let drawn = !screen.cursor.visible && live.takes_keys() && styled && !title.is_empty() && rows.len() > 1;
    let known = hint || asks || library || drawn;
    if (weak || screen.alternate || screen.tty.is_none()) && !known {
        return None;
    }
    let separate = marked.pointer.is_some() || marked.lit;
    let on = rows.iter().filter(|row| row.check.is_some_and(|check| check.on)).count();
    let words = (title_row.unwrap_or(first)..screen.lines.len().min(rows.last()?.row + HINT_ROWS))
        .map(|row| screen.text(row).to_lowercase())
        .collect::<Vec<_>>()
        .join(" ");
    // A row of radio buttons always has one that is on, and no hint says how to switch them one by one.
    let mixed = rows.iter().any(|row| row.check.is_some_and(|check| !check.radio));
    let boxes = on != 1
        || mixed
        || [
            "space> to select",
            "toggle",
            "space to select",
            "space: select",
            "space select",
            "space to mark",
            "space to choose",
        ]
        .iter()
        .any(|hint| words.contains(hint));
    let build = match marked.check {
        Some(_) if separate && marked.pointer.is_some() && boxes => keys::CHECKS,
        Some(check) if separate && check.radio => keys::RADIO,
        Some(_) if separate => keys::CHECKS,
        _ => keys::MENU,
    };
    let mut sighting = Sighting::new(PromptKind::Question, PromptSource::Pattern, build);
    sighting.confidence = if known { Confidence::Likely } else { Confidence::Guess };
    sighting.multi_select = build == keys::CHECKS;
    sighting.title = if title.is_empty() { "Choose one".to_owned() } else { title };
    // The rows may scroll, and a mark may turn out to be one of several.
    sighting.identity = format!("menu {}", sighting.title.split(" (").next().unwrap_or_default());
    sighting.selected = Some(selected);
    let end = rows.last()?.row + 1;
    sighting.rows = title_row.unwrap_or(first)..end;
    let below = (end..screen.lines.len()).any(|row| screen.text(row).contains("reveal more"));
    sighting.more_options = below || title_row.is_some_and(|row| screen.text(row).contains("reveal more"));
    sighting.options = rows
        .iter()
        .map(|row| SightedOption {
            checked: row.check.filter(|_| build != keys::MENU).map(|check| check.on),
            description: row.description.clone(),
            offer: if row.struck { Offer::Withheld } else { Offer::Offered },
            ..SightedOption::new(row.label.clone())
        })
        .collect();
    take_numbers(&mut sighting.options);
    ask_for_permission(&mut sighting);
    Some(sighting)
}

/// Takes the numbers off labels that count `1. `, `2. `.
fn take_numbers(options: &mut [SightedOption]) {
    let split = |at: usize, label: &str| -> Option<String> {
        let rest = label.strip_prefix(&(at + 1).to_string())?.strip_prefix(['.', ')'])?;
        Some(rest.strip_prefix(' ')?.trim().to_owned())
    };
    let labels: Option<Vec<String>> = options.iter().enumerate().map(|(at, option)| split(at, &option.label)).collect();
    for ((at, option), label) in options.iter_mut().enumerate().zip(labels.into_iter().flatten()) {
        option.label = label;
        option.number = Some((at + 1).to_string());
    }
}

/// A menu of nothing but a yes and a no asks for permission.
pub(super) fn ask_for_permission(sighting: &mut Sighting) {
    let role = |label: &str| match label.to_lowercase().as_str() {
        "yes" | "ja" | "oui" | "sí" | "allow" => Some(OptionRole::Allow),
        "no" | "nein" | "non" | "deny" => Some(OptionRole::Deny),
        _ => None,
    };
    let roles: Vec<_> = sighting.options.iter().map(|option| role(&option.label)).collect();
    if roles.len() == 2 && roles.contains(&Some(OptionRole::Allow)) && roles.contains(&Some(OptionRole::Deny)) {
        sighting.kind = PromptKind::Permission;
        sighting.options.iter_mut().zip(roles).for_each(|(option, role)| option.role = role);
        sighting.title = super::choices::without_list(&sighting.title).to_owned();
    }
}

/// The run of rows that ends above `end`, and which of them is marked.
fn run_ending_at(live: &Live<'_>, end: usize) -> Option<(Vec<Row>, usize)> {
    let mut rows: Vec<Row> = Vec::new();
    let mut aside = None;
    for row in (0..end).rev() {
        // Grey rows between the answers say more of the one above, or part them, or cannot be chosen.
        let line = &live.screen.lines[row];
        let struck = line.cells.iter().any(|cell| cell.style.strike) || line.text.trim_end().ends_with("(disabled)");
        if !rows.is_empty() && !struck && is_grey(line) && parse(line, row).is_none_or(|row| row.check.is_none()) {
            aside = Some(live.screen.text(row).trim().to_owned());
            continue;
        }
        if !rows.is_empty() && parts(&line.text) {
            continue;
        }
        let Some(mut parsed) = parse(line, row) else { break };
        let fits = rows.last().is_none_or(|lower: &Row| {
            lower.label_column == parsed.label_column
                && lower.check.map(|check| check.column) == parsed.check.map(|check| check.column)
        });
        if !fits {
            break;
        }
        let more = aside.take().filter(|text: &String| text.chars().any(char::is_alphanumeric));
        parsed.description = parsed.description.or(more);
        rows.push(parsed);
    }
    rows.reverse();
    // The question itself may begin where the labels do.
    let only = |wanted: &dyn Fn(&Row) -> bool| -> Option<usize> {
        let mut found = rows.iter().enumerate().filter(|(_, row)| wanted(row)).map(|(at, _)| at);
        let first = found.next()?;
        found.next().is_none().then_some(first)
    };
    let has_pointer = rows.iter().any(|row| row.pointer.is_some());
    let selected = if has_pointer {
        only(&|row| row.pointer.is_some())
    } else if rows.iter().any(|row| row.lit) {
        only(&|row| row.lit)
    } else {
        only(&|row| row.check.is_some_and(|check| check.on && check.radio))
    }?;
    // Rows without a mark are indented at least as far as the marked row's label.
    let indented = rows.iter().all(|row| row.label_column > 0 || row.lit || row.check.is_some());
    let drawn_alike = has_pointer || rows.iter().all(|row| row.check.is_some()) || indented;
    (rows.len() >= 2 && drawn_alike).then_some((rows, selected))
}

/// A rule between two answers.
fn parts(text: &str) -> bool {
    let text = text.trim();
    text.chars().count() > 2 && text.chars().all(|ch| matches!(ch, '-' | '─' | '━' | '=' | '—'))
}

fn parse(line: &Line, row: usize) -> Option<Row> {
    let mut cells: &[Cell] = &line.cells;
    // One library draws a bar down the left of everything.
    if let Some(first) = line.first_drawn()
        && matches!(first.ch, '│' | '┃')
    {
        cells = &cells[cells.iter().position(|cell| cell.column > first.column)?..];
    }
    let mut pointer = None;
    skip_blanks(&mut cells);
    let first = cells.first()?;
    if cells.len() > 2 && matches!((first.ch, cells[1].ch, cells[2].ch), ('=' | '-', '>', ' ')) {
        pointer = Some('=');
        cells = &cells[2..];
        skip_blanks(&mut cells);
    } else if POINTERS.contains(&first.ch)
        || (WEAK_POINTERS.contains(&first.ch) && cells.get(1).is_some_and(|next| next.ch == ' '))
    {
        pointer = Some(first.ch);
        cells = &cells[1..];
        skip_blanks(&mut cells);
    }
    // An answer that cannot be chosen has a dash where the others have their pointer.
    let disabled = line.text.trim_end().ends_with("(disabled)");
    if disabled && pointer.is_none() && cells.first().is_some_and(|cell| cell.ch == '-') {
        cells = &cells[1..];
        skip_blanks(&mut cells);
    }
    let check = check(cells);
    if let Some((_, length)) = check {
        cells = &cells[length..];
        skip_blanks(&mut cells);
    }
    let label = cells.first()?;
    // What is said in grey behind an answer often shows only while the answer is marked, so it is no part of its label.
    let grey = if is_ghost(label) { cells.len() } else { cells.iter().position(is_ghost).unwrap_or(cells.len()) };
    let text: String = cells[..grey].iter().map(|cell| cell.ch).collect();
    let text = text.trim();
    let aside: String = cells[grey..].iter().map(|cell| cell.ch).collect();
    let aside = aside.trim_matches([' ', '-', '(', ')']);
    let worded = text.chars().any(char::is_alphanumeric) && !text.starts_with(['?', '◆', '└']);
    worded.then(|| Row {
        row,
        pointer,
        check: check.map(|(check, _)| check),
        label_column: label.column,
        label: text.to_owned(),
        description: (!aside.is_empty()).then(|| aside.to_owned()),
        struck: label.style.strike || disabled,
        lit: label.style.inverse || (label.style.underline && check.is_some()),
    })
}

fn skip_blanks(cells: &mut &[Cell]) {
    let blanks = cells.iter().take_while(|cell| cell.ch == ' ').count();
    *cells = &cells[blanks..];
}

/// A box or a radio button at the beginning, and how many cells it takes.
fn check(cells: &[Cell]) -> Option<(Check, usize)> {
    let first = cells.first()?;
    let of = |on, radio, length| Some((Check { on, radio, column: first.column }, length));
    if cells.len() > 3 && matches!((first.ch, cells[2].ch), ('[', ']') | ('(', ')')) && cells[3].ch == ' ' {
        return match cells[1].ch {
            ' ' => of(false, first.ch == '(', 3),
            'x' | 'X' | '*' | '•' | '✓' | '✔' | '●' | '+' => of(true, first.ch == '(', 3),
            _ => None,
        };
    }
    if cells.get(1).is_some_and(|next| next.ch != ' ') {
        return None;
    }
    match first.ch {
        '◯' | '☐' | '◻' | '□' => of(false, false, 1),
        '◉' | '☑' | '☒' | '◼' | '■' => of(true, false, 1),
        '○' => of(false, true, 1),
        '●' => of(true, true, 1),
        // One library draws every tick and dims those that are off.
        '✔' | '✓' => of(!first.style.dim, false, 1),
        _ => None,
    }
}

fn is_hint(line: &Line) -> bool {
    let text = line.text.trim().to_lowercase();
    text.is_empty()
        || matches!(text.as_str(), "└" | "│")
        || line.is_dim()
        || HINTS.iter().any(|word| text.contains(word))
}

fn is_grey(line: &Line) -> bool {
    line.first_drawn().is_some() && line.cells.iter().all(|cell| cell.ch == ' ' || is_ghost(cell))
}

/// The question above a menu, without the hint some libraries put behind it, and the row it begins on.
fn title_above(live: &Live<'_>, first: usize) -> (String, Option<usize>) {
    let screen = live.screen;
    let near: Range<usize> = first.saturating_sub(TITLE_ROWS)..first;
    let library = near.clone().rev().find(|row| {
        let text = screen.text(*row).trim_start();
        text.starts_with("? ") || text.starts_with('◆')
    });
    let adjacent = near.rev().take(2).find(|row| !screen.text(*row).trim().is_empty());
    let Some(row) = library.or(adjacent) else { return (String::new(), None) };
    let mut title = screen.text(row).to_owned();
    if library == Some(row) {
        // A narrow screen wraps the question at a word.
        let more = (row + 1..first)
            .map(|row| screen.text(row))
            .take_while(|text| !text.is_empty() && !text.contains("nstructions"));
        for text in more.filter(|text| text.trim() != "│") {
            title.push(' ');
            title.push_str(text.trim());
        }
    }
    for hint in [
        "(Use arrow",
        "(Press <",
        "› - Use",
        "- Use arrow",
        "(use arrow",
        "[Use arrow",
        "(Move up",
        "(Use shortcuts",
        "- This option is disabled",
    ] {
        if let Some((question, _)) = title.split_once(hint) {
            title = question.to_owned();
        }
    }
    (clean_title(&title), Some(row))
}
