//! Tests of the adapter: the captured screens, the same changed on purpose, and what is typed.

mod answers;
mod builds;
mod corpus;
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

/// Every captured moment, in the order of their names.
#[expect(clippy::disallowed_methods, reason = "the captured screens are files")]
fn cases() -> Vec<Case> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/gemini/screens");
    let mut cases: Vec<Case> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| {
            let path = entry.unwrap().path();
            let meta: Value = serde_json::from_str(&std::fs::read_to_string(path.join("meta.json")).unwrap()).unwrap();
            let size = |key: &str| u16::try_from(meta[key].as_u64().unwrap()).unwrap();
            let terminal = &meta["terminal"];
            let place = |key: &str| u16::try_from(terminal[key].as_u64().unwrap_or(0)).unwrap();
            let capture = Capture {
                text: std::fs::read_to_string(path.join("screen.ansi")).unwrap(),
                cols: size("cols"),
                rows: size("rows"),
                cursor: Cursor {
                    x: place("cursorX"),
                    y: place("cursorY"),
                    visible: terminal["cursorVisible"].as_bool().unwrap_or(false),
                },
                title: terminal["title"].as_str().unwrap_or_default().to_owned(),
                alternate: terminal["alternate"].as_bool().unwrap_or(false),
                ..Capture::default()
            };
            Case { name: path.file_name().unwrap().to_string_lossy().into_owned(), meta, capture }
        })
        .collect();
    cases.sort_by(|one, other| one.name.cmp(&other.name));
    cases
}

impl Case {
    fn kind(&self) -> &str {
        self.meta["kind"].as_str().unwrap()
    }

    fn is_prompt(&self) -> bool {
        matches!(self.kind(), "permission" | "question" | "plan" | "loop")
    }
}

/// The case with this name.
fn case(name: &str) -> Case {
    cases().into_iter().find(|case| case.name == name).unwrap_or_else(|| panic!("no case {name}"))
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
