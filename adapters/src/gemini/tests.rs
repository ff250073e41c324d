//! Tests of the adapter: the captured screens, the same changed on purpose, and what is typed.

mod answers;
mod builds;
mod corpus;
mod launches;
mod mutations;
mod properties;

use serde_json::Value;

use super::Gemini;
use crate::{Adapter, Capture, Reading, Screen, Sighting, screen::Cursor};

/// One captured moment.
struct Case {
    name: String,
    meta: Value,
    capture: Capture,
}

const SCREENS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/gemini/screens");

/// Every captured moment, in the order of their names.
fn cases() -> Vec<Case> {
    let entries = std::fs::read_dir(SCREENS).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names.iter().map(|name| case(name)).collect()
}

/// The captured moment with this name.
#[expect(clippy::disallowed_methods, reason = "the captured screens are files")]
fn case(name: &str) -> Case {
    let file = |file: &str| std::fs::read_to_string(format!("{SCREENS}/{name}/{file}")).unwrap();
    let meta: Value = serde_json::from_str(&file("meta.json")).unwrap();
    let number = |value: &Value| u16::try_from(value.as_u64().unwrap_or(0)).unwrap();
    let terminal = &meta["terminal"];
    let capture = Capture {
        text: file("screen.ansi"),
        cols: number(&meta["cols"]),
        rows: number(&meta["rows"]),
        cursor: Cursor {
            x: number(&terminal["cursorX"]),
            y: number(&terminal["cursorY"]),
            visible: terminal["cursorVisible"].as_bool().unwrap_or(false),
        },
        title: terminal["title"].as_str().unwrap_or_default().to_owned(),
        alternate: terminal["alternate"].as_bool().unwrap_or(false),
        ..Capture::default()
    };
    Case { name: name.to_owned(), meta, capture }
}

impl Case {
    fn kind(&self) -> &str {
        self.meta["kind"].as_str().unwrap()
    }

    fn is_prompt(&self) -> bool {
        matches!(self.kind(), "permission" | "question" | "plan" | "loop")
    }
}

fn read(capture: &Capture) -> Reading {
    Gemini.read_screen(&Screen::from_capture(capture))
}

/// Reads a screen drawn in a test, without styles.
fn read_text(text: &str, title: &str) -> Reading {
    let cols = text.lines().map(|line| line.chars().count()).max().unwrap_or(1);
    let rows = text.lines().count();
    read(&Capture {
        text: text.to_owned(),
        cols: u16::try_from(cols).unwrap(),
        rows: u16::try_from(rows).unwrap(),
        title: title.to_owned(),
        ..Capture::default()
    })
}

/// The prompt of a captured screen.
fn sighting(name: &str) -> Sighting {
    read(&case(name).capture).sighting().cloned().unwrap_or_else(|| panic!("{name} shows no prompt"))
}

/// A word for a reading, as `answerback read` prints it.
fn state(reading: &Reading) -> &'static str {
    match reading {
        Reading::Starting { .. } => "starting",
        Reading::Ready(_) => "ready",
        Reading::Busy { .. } => "busy",
        Reading::Prompt(_) => "prompt",
        Reading::Startup(_) => "startup",
        Reading::Unrecognized => "unrecognized",
        Reading::Exited => "exited",
    }
}

/// The labels of a prompt.
fn labels(sighting: &Sighting) -> Vec<&str> {
    sighting.options.iter().map(|option| option.label.as_str()).collect()
}
