//! The change that a permission to edit shows: rows with a number and a sign, or the old and the new side by side.

use std::ops::Range;

use shared_types::FileDiff;

use super::panel::Panel;
use crate::{
    Screen, Sighting,
    layout::diff::{Change, unified},
};

/// Where the numbers begin.
const TEXT: u16 = 2;

/// Puts the change of a file into a sighting. False when a part of it is not on the screen.
pub(super) fn tell(screen: &Screen, panel: &Panel, rows: Range<usize>, path: &str, sighting: &mut Sighting) -> bool {
    let drawn: Vec<String> = rows.map(|row| panel.row(screen, row).text_from(TEXT)).collect();
    let drawn: Vec<&str> = drawn.iter().map(String::as_str).skip_while(|row| row.is_empty()).collect();
    let scrolls = drawn.iter().any(|row| row.ends_with(['█', '▀', '▄']));
    let rows: Vec<&str> = drawn.iter().map(|row| row.trim_end_matches(['█', '▀', '▄', ' '])).collect();
    let changes = match second_column(&rows) {
        Some(column) => side_by_side(&rows, column),
        None => one_below_another(&rows),
    };
    if changes.is_empty() {
        return false;
    }
    sighting.diff = vec![FileDiff { path: path.to_owned(), unified: unified(&changes) }];
    !scrolls
}

/// `12 + text`: the number, the sign, and what follows. The number is set in by what others are longer.
fn numbered(row: &str) -> Option<(u32, char, &str)> {
    let row = row.trim_start();
    let end = row.find(|ch: char| !ch.is_ascii_digit()).unwrap_or(row.len());
    let number = row.get(..end)?.parse().ok()?;
    let rest = row.get(end..)?;
    let mut signs = rest.chars().skip(1);
    match (rest.chars().next(), signs.next(), signs.next()) {
        (None, ..) => Some((number, ' ', "")),
        (Some(' '), Some(sign @ ('+' | '-' | ' ')), None | Some(' ')) => {
            Some((number, sign, rest.get(3..).unwrap_or("")))
        }
        _ => None,
    }
}

fn one_below_another(rows: &[&str]) -> Vec<Change> {
    let mut changes: Vec<Change> = Vec::new();
    let mut apart = false;
    for row in rows {
        match (numbered(row), changes.last_mut()) {
            (Some((number, sign, text)), _) => {
                changes.push(Change { number: Some(number), sign, text: text.to_owned(), apart });
                apart = false;
            }
            // The rest of a line that was wrapped.
            (None, Some(last)) if !row.trim().is_empty() && row.starts_with("    ") => {
                last.text.push_str(row.trim_start())
            }
            (None, last) => apart = last.is_some(),
        }
    }
    changes
}

/// The column that the new side begins in: where every row that is long enough has a number with a blank before it.
fn second_column(rows: &[&str]) -> Option<usize> {
    let rows: Vec<Vec<char>> =
        rows.iter().map(|row| row.chars().collect()).filter(|row: &Vec<char>| !row.is_empty()).collect();
    let from = |row: &[char], column: usize| row.get(column..).unwrap_or_default().iter().collect::<String>();
    let widest = rows.iter().map(Vec::len).max()?;
    let begins = |column: &usize| {
        let sides = rows.iter().filter(|row| row.len() > *column);
        let fits = |row: &&Vec<char>| {
            let blank = row.get(column - 2..*column).is_some_and(|gap| gap.iter().all(|ch| *ch == ' '));
            blank
                && from(row, *column).starts_with(|ch: char| ch.is_ascii_digit())
                && numbered(&from(row, *column)).is_some()
        };
        sides.clone().count() >= 2 && sides.clone().all(|row| fits(&row))
    };
    // The halves are equally wide, so nothing but the second is far to the right.
    const LEAST: usize = 30;
    (LEAST..widest).find(begins)
}

fn side_by_side(rows: &[&str], column: usize) -> Vec<Change> {
    let (mut changes, mut removed, mut added) = (Vec::new(), Vec::new(), Vec::new());
    for row in rows {
        let old: String = row.chars().take(column).collect();
        let new: String = row.chars().skip(column).collect();
        let change = |(number, sign, text): (u32, char, &str)| Change {
            number: Some(number),
            sign,
            text: text.trim_end().to_owned(),
            apart: false,
        };
        let (old, new) = (numbered(old.trim_end()).map(change), numbered(&new).map(change));
        let stays = new.as_ref().is_some_and(|new| new.sign == ' ');
        removed.extend(old.filter(|old| old.sign == '-'));
        if stays {
            changes.append(&mut removed);
            changes.append(&mut added);
            changes.extend(new);
        } else {
            added.extend(new.filter(|new| new.sign == '+'));
        }
    }
    changes.append(&mut removed);
    changes.append(&mut added);
    changes
}
