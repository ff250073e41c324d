//! Tests of the Codex adapter: the corpus of real screens, the same screens altered, builds known from Codex's public
//! source only, any input at all, and the steps of answers.

mod altered;
mod any_input;
mod builds;
mod corpus;
mod launching;
mod start;
mod steps;

use serde_json::Value;

use crate::{
    Adapter, Capture, Reading, Screen, Sighting,
    codex::Codex,
    screen::{Cursor, Line},
};

/// One captured moment of the real CLI, with what was observed.
struct Case {
    name: String,
    meta: Value,
    capture: Capture,
}

/// Every case folder, by name.
#[expect(clippy::disallowed_methods, reason = "the corpus is test data on disk")]
fn cases() -> Vec<Case> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/codex/screens");
    let mut folders: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    let read = |path: &std::path::Path| std::fs::read_to_string(path).unwrap();
    folders
        .iter()
        .map(|path| {
            let meta: Value = serde_json::from_str(&read(&path.join("meta.json"))).unwrap();
            let terminal = &meta["terminal"];
            let number = |value: &Value| u16::try_from(value.as_u64().unwrap_or(0)).unwrap();
            let capture = Capture {
                text: read(&path.join("screen.ansi")),
                cols: number(&meta["cols"]),
                rows: number(&meta["rows"]),
                cursor: Cursor {
                    x: number(&terminal["cursorX"]),
                    y: number(&terminal["cursorY"]),
                    visible: terminal["cursorVisible"].as_bool().unwrap(),
                },
                title: terminal["title"].as_str().unwrap().to_owned(),
                alternate: terminal["alternate"].as_bool().unwrap(),
                tty: None,
                exit: None,
            };
            Case { name: path.file_name().unwrap().to_string_lossy().into_owned(), meta, capture }
        })
        .collect()
}

/// The case of this name.
fn case(name: &str) -> Case {
    cases().into_iter().find(|case| case.name == name).unwrap_or_else(|| panic!("no case {name}"))
}

fn read(capture: &Capture) -> Reading {
    Codex.read_screen(&Screen::from_capture(capture))
}

/// The sighting on the screen of this case.
fn sighting(name: &str) -> Sighting {
    read(&case(name).capture).sighting().unwrap_or_else(|| panic!("no prompt in {name}")).clone()
}

/// A screen drawn by hand. The first character of a row is its look (`b` bold, `d` dim, `s` selected as up to 0.120, `i`
/// selected as in 0.166, `>` a heading, a blank for none), the rest its text; `~` makes what follows dim.
fn drawn(rows: &[&str]) -> Capture {
    let cols = rows.iter().map(|row| row.chars().count()).max().unwrap_or(0).max(80);
    let text = rows.iter().map(|row| {
        let look = match row.chars().next() {
            Some('b') => "\u{1b}[1m",
            Some('d') => "\u{1b}[2m",
            Some('s') => "\u{1b}[1;36m",
            Some('i') => "\u{1b}[1;7m",
            _ => "",
        };
        let text = row.get(1..).unwrap_or_default().replace('~', "\u{1b}[2m");
        let text = if row.starts_with('>') { text.replacen("> ", "> \u{1b}[1m", 1) } else { text };
        format!("{look}{text}\u{1b}[0m")
    });
    Capture {
        text: text.collect::<Vec<_>>().join("\n"),
        cols: u16::try_from(cols).unwrap(),
        rows: u16::try_from(rows.len()).unwrap(),
        ..Capture::default()
    }
}

fn labels(sighting: &Sighting) -> Vec<&str> {
    sighting.options.iter().map(|option| option.label.as_str()).collect()
}

fn row_of(screen: &Screen, wanted: impl Fn(&Line) -> bool) -> Option<usize> {
    screen.lines.iter().position(wanted)
}
