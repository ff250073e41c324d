//! The corpus, mutations of it, steps, and properties.

mod corpus;
mod launch;
mod mutations;
mod properties;
mod reading;
mod steps;

use std::{
    path::{Path, PathBuf},
    sync::OnceLock,
};

use serde_json::Value;
use shared_types::AdapterKind;

use crate::{
    Capture, Reading, Screen, adapter_for,
    screen::{Cursor, Exit},
};

/// One captured moment.
struct Case {
    name: String,
    meta: Value,
    capture: Capture,
}

impl Case {
    /// Loads a case of the corpus.
    #[expect(clippy::disallowed_methods, reason = "the corpus is on disk; only the crate itself reads no files")]
    fn load(folder: &Path) -> Self {
        let meta = std::fs::read_to_string(folder.join("meta.json")).unwrap();
        let meta: Value = serde_json::from_str(&meta).unwrap();
        let text = String::from_utf8_lossy(&std::fs::read(folder.join("screen.ansi")).unwrap()).into_owned();
        let number = |value: &Value| u16::try_from(value.as_u64().unwrap_or(0)).unwrap();
        let terminal = &meta["terminal"];
        let capture = Capture {
            text,
            cols: number(&meta["cols"]),
            rows: number(&meta["rows"]),
            cursor: Cursor {
                x: number(&terminal["cursorX"]),
                y: number(&terminal["cursorY"]),
                visible: terminal["cursorVisible"].as_bool().unwrap_or(true),
            },
            title: terminal["title"].as_str().unwrap_or_default().to_owned(),
            alternate: terminal["alternate"].as_bool().unwrap_or(false),
            ..Capture::default()
        };
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        Self { name, meta, capture }
    }

    /// A case by its name.
    fn named(name: &str) -> Self {
        Self::load(&folder().join(name))
    }

    fn kind(&self) -> &str {
        self.meta["kind"].as_str().unwrap()
    }

    fn reading(&self) -> Reading {
        read(&self.capture)
    }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src/claude/screens")
}

/// Every case of the corpus, by name.
fn cases() -> &'static [Case] {
    static CASES: OnceLock<Vec<Case>> = OnceLock::new();
    CASES.get_or_init(|| {
        let entries = std::fs::read_dir(folder()).unwrap();
        let mut folders: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
        folders.sort();
        folders.iter().map(|folder| Case::load(folder)).collect()
    })
}

fn read(capture: &Capture) -> Reading {
    adapter_for(AdapterKind::Claude).read_screen(&Screen::from_capture(capture))
}

/// A capture of lines that were written here, as wide as it is said.
fn drawn(cols: u16, lines: &[&str]) -> Capture {
    let rows = u16::try_from(lines.len()).unwrap();
    Capture { text: lines.join("\n"), cols, rows, ..Capture::default() }
}

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

#[test]
fn a_program_that_has_ended_is_exited_whatever_it_left_behind() {
    let mut capture = Case::named("ready-2.1.325-80x24").capture;
    capture.exit = Some(Exit { status: Some(0) });
    assert_eq!(read(&capture), Reading::Exited);
}
