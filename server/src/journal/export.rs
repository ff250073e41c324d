//! The journal for other programs. A line of JSON is the row in its canonical form, so that the chain can be checked from it
//! (docs/journal.md has a program that does); CSV is for tables.

use std::io::{self, Write};

use super::Row;

/// How rows are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// A JSON object on each line
    Json,
    /// Comma-separated values, with a line of names first
    Csv,
}

/// What comes before the first row.
///
/// # Errors
/// When it cannot be written.
pub fn write_header(out: &mut impl Write, format: Format) -> io::Result<()> {
    match format {
        Format::Json => Ok(()),
        Format::Csv => out.write_all(b"seq,at,actor,session,prompt,kind,body,prev,hash\r\n"),
    }
}

/// One row.
///
/// # Errors
/// When it cannot be written.
pub fn write_row(out: &mut impl Write, format: Format, row: &Row) -> io::Result<()> {
    if format == Format::Json {
        return writeln!(out, "{}", row.to_json_line());
    }
    let entry = &row.entry;
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    let fields = [
        row.seq.to_string(),
        entry.at.to_string(),
        text(&entry.actor),
        text(&entry.session),
        text(&entry.prompt),
        entry.kind.clone(),
        entry.body.clone(),
        row.prev.to_string(),
        row.hash.to_string(),
    ];
    write!(out, "{}\r\n", fields.map(|field| csv_field(&field)).join(","))
}

fn csv_field(text: &str) -> String {
    if text.contains(['"', ',', '\r', '\n']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
}
