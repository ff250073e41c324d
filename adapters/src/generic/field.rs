//! Where a line that asks for text ends and what is typed begins, and the default it names.

use super::{
    choices::listed,
    live::{Live, is_ghost},
    patterns::{asks_for_text, clean_title},
};
use crate::screen::Cell;

/// A text field at the end of a line.
pub(super) struct Field {
    pub(super) title: String,
    pub(super) placeholder: Option<String>,
    pub(super) draft: String,
}

/// Splits the line the cursor is on.
pub(super) fn split(live: &Live<'_>) -> Option<Field> {
    let ghost = (!live.ghost.is_empty()).then(|| live.ghost.clone());
    if live.takes_keys()
        && let Some(field) = styled(live)
    {
        return Some(Field { placeholder: field.placeholder.or(ghost), ..field });
    }
    let (head, draft) = plain(&live.before)?;
    let (title, placeholder) = default_of(head);
    let title = clean_title(title);
    let field = Field { title, placeholder: placeholder.map(str::to_owned).or(ghost), draft: draft.trim().to_owned() };
    field.title.chars().any(char::is_alphabetic).then_some(field)
}

/// The lines of prompt libraries: a mark, the bold question, a dim default, then what is typed.
fn styled(live: &Live<'_>) -> Option<Field> {
    let cells: Vec<&Cell> =
        live.rows.clone().filter_map(|row| live.screen.lines.get(row)).flat_map(|line| &line.cells).collect();
    if cells.first()?.ch != '?' {
        return None;
    }
    let drawn = |cell: &Cell| cell.ch != ' ';
    let first = cells.iter().skip(1).position(|cell| drawn(cell))? + 1;
    if !cells[first].style.bold {
        return None;
    }
    // What is typed may be bold as well, but not in the question's colour.
    let question = cells[first].style;
    let others = cells.iter().skip(first).position(|cell| drawn(cell) && cell.style != question);
    let end = first + others.unwrap_or(cells.len() - first);
    let collect = |cells: &[&Cell], wanted: fn(&Cell) -> bool| -> String {
        cells.iter().filter(|cell| wanted(cell)).map(|cell| cell.ch).collect::<String>().trim().to_owned()
    };
    let rest = &cells[end..];
    let ghost = collect(rest, is_ghost);
    let draft = collect(rest, |cell| !is_ghost(cell));
    let placeholder = ghost.trim_matches(['(', ')', '›', ' ', '…']);
    Some(Field {
        title: clean_title(&collect(&cells[first..end], |_| true)),
        placeholder: (!placeholder.is_empty()).then(|| placeholder.to_owned()),
        draft,
    })
}

/// The head and what is typed behind it. With something typed, only a head that asks for text counts: otherwise every line
/// of output with a colon would.
fn plain(text: &str) -> Option<(&str, &str)> {
    let end = text.trim_end();
    for mark in ["› ", "‣ ", "» "] {
        if let Some((head, draft)) = text.split_once(mark) {
            return Some((head, draft));
        }
    }
    if end.ends_with([':', '?']) || names_default(end) {
        return Some((end, ""));
    }
    let at = [": ", "? "].iter().filter_map(|mark| text.rfind(mark)).max()?;
    let (head, draft) = text.split_at(at + 1);
    // The default that stands behind the colon belongs to the head.
    let draft = draft.trim_start();
    let group = match draft.chars().next() {
        Some('(') => draft.find(") ").map(|close| close + 1),
        Some('[') => draft.find("] ").map(|close| close + 1),
        _ => None,
    };
    match group {
        // A list of answers is not a default; what follows it is output.
        Some(close) if listed(&draft[1..close - 1], draft).is_some() => None,
        Some(close) => {
            let head_end = text.len() - draft.len() + close;
            Some((&text[..head_end], &text[head_end..]))
        }
        None => asks_for_text(head).then_some((head, draft)),
    }
}

/// True for `package name: (foo)`: a default right behind the colon.
fn names_default(end: &str) -> bool {
    let open = match end.chars().next_back() {
        Some(')') => end.rfind('('),
        Some(']') => end.rfind('['),
        _ => None,
    };
    open.is_some_and(|open| end[..open].trim_end().ends_with([':', '?']))
}

/// The head without the default it names, before or behind its colon.
fn default_of(head: &str) -> (&str, Option<&str>) {
    let body = head.trim_end().trim_end_matches([':', '?', ' ']);
    for (open, close) in [('(', ')'), ('[', ']')] {
        if let Some(inner) = body.strip_suffix(close)
            && let Some(at) = inner.rfind(open)
            && let Some(default) = default_in(inner[at + 1..].trim(), open)
        {
            return (body[..at].trim_end(), Some(default));
        }
    }
    (head, None)
}

/// What brackets name to be taken when nothing is typed. They may as well say what is asked for.
fn default_in(inside: &str, open: char) -> Option<&str> {
    const ASIDES: [&str; 14] = [
        " for ",
        "must",
        "letter",
        "e.g",
        "optional",
        "empty",
        "digit",
        "required",
        "press",
        "such as",
        "max",
        "min ",
        "separated",
        "example",
    ];
    let lower = inside.to_lowercase();
    let range = inside.split_once('-').is_some_and(|(from, to)| {
        !from.is_empty()
            && !to.is_empty()
            && [from, to].iter().all(|end| end.trim().chars().all(|ch| ch.is_ascii_digit()))
    });
    if inside.is_empty() || range || (open == '(' && ASIDES.iter().any(|aside| lower.contains(aside))) {
        return None;
    }
    let inside = ["default is ", "default: ", "default=", "default "]
        .iter()
        .find_map(|word| inside.strip_prefix(word))
        .unwrap_or(inside);
    // `[None, n to skip]`
    Some(inside.split_once(", ").filter(|(_, more)| more.contains(" to ")).map_or(inside, |(default, _)| default))
}
