//! A change as Codex draws it: a row with the file and its counts, then numbered rows with a sign.

use std::ops::Range;

use shared_types::FileDiff;

use crate::{
    Screen,
    layout::diff::{Change, unified},
    screen::Line,
};

/// True for a row that names a file and counts its changes: `main.py (+2 -1)`.
pub(super) fn heads_file(line: &Line) -> bool {
    file_name(&line.text).is_some()
}

/// The change that stands in some rows.
pub(super) fn read(screen: &Screen, rows: Range<usize>) -> Vec<FileDiff> {
    let mut files: Vec<(String, Vec<Change>)> = Vec::new();
    for line in screen.lines.get(rows).unwrap_or_default() {
        if let Some(path) = file_name(&line.text) {
            files.push((path.to_owned(), Vec::new()));
        } else if let Some((_, rows)) = files.last_mut() {
            match numbered_row(&line.text) {
                Some(row) => rows.push(row),
                None if is_wrap(line, rows) => {
                    if let Some(last) = rows.last_mut() {
                        last.text.push_str(line.text.trim_start());
                    }
                }
                None => {}
            }
        }
    }
    // `Edited 2 files (+3 -1)` heads no rows of its own.
    files.retain(|(_, rows)| !rows.is_empty());
    files.into_iter().map(|(path, rows)| FileDiff { path, unified: unified(&rows) }).collect()
}

/// True when as many lines are drawn below each file as the row above them counts.
pub(super) fn is_whole(screen: &Screen, rows: Range<usize>) -> bool {
    let mut files: Vec<(usize, usize)> = Vec::new();
    let mut drawn: Vec<(usize, usize)> = Vec::new();
    for line in screen.lines.get(rows).unwrap_or_default() {
        if let Some((_, counts)) = file_row(&line.text) {
            files.push(counts);
            drawn.push((0, 0));
        } else if let (Some(row), Some((added, removed))) = (numbered_row(&line.text), drawn.last_mut()) {
            match row.sign {
                '+' => *added += 1,
                '-' => *removed += 1,
                _ => {}
            }
        } else if numbered_row(&line.text).is_some() {
            // Rows of a file whose name is scrolled away.
            return false;
        }
    }
    // `Edited 2 files (+3 -1)` counts those of the files below it.
    let sum = |counts: &[(usize, usize)]| counts.iter().fold((0, 0), |sum, it| (sum.0 + it.0, sum.1 + it.1));
    let skipped = usize::from(files.len() > 1 && files[0] == sum(&files[1..]) && drawn[0] == (0, 0));
    !files.is_empty() && files[skipped..] == drawn[skipped..]
}

fn file_name(text: &str) -> Option<&str> {
    file_row(text).map(|(path, _)| path)
}

/// The path of a row such as `main.py (+2 -1)`, and how many lines it counts as added and removed.
fn file_row(text: &str) -> Option<(&str, (usize, usize))> {
    let (front, counts) = text.trim().strip_suffix(')')?.rsplit_once(" (")?;
    let (added, removed) = counts.split_once(' ')?;
    let counts = (added.strip_prefix('+')?.parse().ok()?, removed.strip_prefix('-')?.parse().ok()?);
    let path = front.trim_start_matches(['•', '└', ' ']);
    // In the conversation a verb stands before the path; a path with a blank in it is kept whole otherwise.
    let verbs = ["Edited ", "Added ", "Deleted ", "Proposed Change "];
    Some((verbs.iter().find_map(|verb| path.strip_prefix(verb)).unwrap_or(path), counts))
}

fn numbered_row(text: &str) -> Option<Change> {
    let text = text.trim_start();
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let number = text.get(..digits)?.parse().ok()?;
    let mut rest = text.get(digits..)?.chars();
    if rest.next().is_some_and(|ch| ch != ' ') {
        return None;
    }
    let sign = rest.next().unwrap_or(' ');
    matches!(sign, '+' | '-' | ' ').then(|| Change {
        number: Some(number),
        sign,
        text: rest.as_str().to_owned(),
        apart: false,
    })
}

/// A wrapped row is indented further than the numbers.
fn is_wrap(line: &Line, rows: &[Change]) -> bool {
    let wrapped = line.indent().is_some_and(|indent| indent > 5);
    wrapped && !rows.is_empty()
}
