//! What a tool would be given, as far as the dialog shows it: the command, the change, the plan.

use serde_json::{Map, Value};
use shared_types::FileDiff;

use super::lines::{Row, join_lines, text};
use crate::layout::diff::{Change, unified};

/// The text of rows, wrapped lines re-joined, bars at the left cut off.
pub(super) fn block(rows: &[Row<'_>], right: u16) -> String {
    let rows: Vec<Row<'_>> = rows.iter().map(|row| row.unbarred()).collect();
    let left = rows.iter().filter(|row| !row.is_blank()).map(Row::start).min().unwrap_or(0);
    join_lines(rows.iter().map(|row| row.cells), left, right)
}

/// `name: value` rows as a tool's input. None unless the first row begins one; rows without a name go on with the last.
pub(super) fn fields(rows: &[Row<'_>], right: u16) -> Option<Value> {
    let is_name =
        |name: &str| !name.is_empty() && name.chars().all(|ch| ch.is_ascii_alphanumeric() || matches!(ch, '_' | '-'));
    let begins = |row: &Row<'_>| {
        let line = row.unbarred().text();
        line.split_once(':').is_some_and(|(name, value)| is_name(name) && (value.is_empty() || value.starts_with(' ')))
    };
    if !rows.first().is_some_and(begins) {
        return None;
    }
    let mut fields: Map<String, Value> = Map::new();
    for rows in rows.chunk_by(|_, next| !begins(next)) {
        let line = block(rows, right);
        let (name, value) = line.split_once(':')?;
        let value = value.trim();
        let parsed = serde_json::from_str(value).unwrap_or_else(|_| Value::String(value.to_owned()));
        fields.insert(name.to_owned(), parsed);
    }
    Some(Value::Object(fields))
}

/// A drawn change as a unified diff: numbered rows with a sign, or, for a new file, nothing but its lines.
pub(super) fn diff(path: &str, rows: &[Row<'_>], new_file: bool) -> Option<FileDiff> {
    let mut changes: Vec<Change> = Vec::new();
    let signed = rows
        .iter()
        .any(|row| row_number(row).is_some_and(|(_, rest)| rest.starts_with(" +") || rest.starts_with(" -")));
    let left = rows.iter().filter(|row| !row.is_blank()).map(Row::start).min().unwrap_or(0);
    for row in rows {
        match row_number(row) {
            Some((number, rest)) if signed || new_file => {
                let rest = rest.strip_prefix(' ').unwrap_or(&rest);
                let mut chars = rest.chars();
                let sign = if signed { chars.next().unwrap_or(' ') } else { '+' };
                changes.push(Change { number: Some(number), sign, text: chars.collect(), apart: false });
            }
            _ if !signed && new_file => {
                let indent = usize::from(row.start().saturating_sub(left));
                let line = if row.is_blank() { String::new() } else { " ".repeat(indent) + &row.text() };
                changes.push(Change { number: None, sign: '+', text: line, apart: false });
            }
            // A line too long for its row goes on below, without a number.
            _ if !row.is_blank() && row.text() != "..." => {
                if let Some(change) = changes.last_mut() {
                    change.text.push_str(text(row.cells).trim_start_matches(['+', '-']));
                }
            }
            _ => {}
        }
    }
    (!changes.is_empty()).then(|| FileDiff { path: path.to_owned(), unified: unified(&changes) })
}

/// A row's number and what follows it, blanks kept.
fn row_number(row: &Row<'_>) -> Option<(u32, String)> {
    let digits = row.cells.iter().take_while(|cell| cell.ch.is_ascii_digit()).count();
    let number: String = row.cells.iter().take(digits).map(|cell| cell.ch).collect();
    let rest: String = row.cells.iter().skip(digits).map(|cell| cell.ch).collect();
    let apart = rest.is_empty() || rest.starts_with(' ');
    number.parse().ok().filter(|_| apart).map(|number| (number, rest))
}
