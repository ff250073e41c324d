//! The captured screens of all adapters, for the tests: `<adapter>/screens/<case>/`.
//!
//! A case folder holds
//!
//! - `screen.ansi`: what `tmux capture-pane -e -p` wrote;
//! - `meta.json`: a [`CaseMeta`]: which CLI, its size, what the terminal said, and what a person saw there (`kind` and
//!   `expected`; the rules by which these are compared are in [`expected`]);
//! - `reading.json`: all that is read there now (see [`snapshot`]), so that every change of a reading shows in review.
//!
//! # Adding a case
//!
//! 1. `answerback read --capture NAME DIR` writes the screen of a running session as a case folder. Look through it for
//!    anything private, name it for what it shows, then version and size: `perm-edit-2.1.325-46x30`.
//! 2. Fill in `kind` and `expected` in `meta.json` from what you see, before looking at what is read: `expected` may leave
//!    out whatever does not matter for the case. Best in three sizes: 120x40, 80x24 and 46x30.
//! 3. `cargo test -p adapters corpus` now fails if the screen is misread. Once it is read right,
//!    `UPDATE_READINGS=1 cargo test -p adapters corpus` writes `reading.json`; read it before you commit it.
//!
//! Look-alikes are as welcome as prompts: `kind` is then what the CLI really does, or `none`.

mod any_screen;
mod expected;
mod snapshot;
mod tests;
mod whole;

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    sync::OnceLock,
};

use shared_types::AdapterKind;

use crate::{Capture, Reading, Screen, Sighting, adapter_for, all_adapters, case::CaseMeta};

/// One captured moment.
#[derive(Debug, Clone)]
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) meta: CaseMeta,
    pub(crate) capture: Capture,
    folder: PathBuf,
}

/// Every case of an adapter, by name.
pub(crate) fn cases(cli: AdapterKind) -> &'static [Case] {
    static CASES: OnceLock<HashMap<AdapterKind, Vec<Case>>> = OnceLock::new();
    let load = || all_adapters().map(|adapter| adapter.profile().kind).map(|kind| (kind, load_all(kind)));
    &CASES.get_or_init(|| load().collect())[&cli]
}

/// Every case of every adapter.
pub(crate) fn all_cases() -> impl Iterator<Item = &'static Case> {
    all_adapters().flat_map(|adapter| cases(adapter.profile().kind))
}

/// The case of this name.
pub(crate) fn case(cli: AdapterKind, name: &str) -> &'static Case {
    let cases = cases(cli);
    let at = cases.binary_search_by_key(&name, |case| &case.name);
    &cases[at.unwrap_or_else(|_| panic!("there is no case {name}"))]
}

/// The prompt on the screen of the case of this name.
pub(crate) fn sighting(cli: AdapterKind, name: &str) -> Sighting {
    let reading = case(cli, name).reading();
    reading.sighting().cloned().unwrap_or_else(|| panic!("{name} shows no prompt: {reading:?}"))
}

/// The labels of a prompt's options.
pub(crate) fn labels(sighting: &Sighting) -> Vec<&str> {
    sighting.options.iter().map(|option| option.label.as_str()).collect()
}

impl Case {
    #[expect(clippy::disallowed_methods, reason = "the captured screens are files")]
    fn load(folder: &Path) -> Self {
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        let meta = std::fs::read_to_string(folder.join("meta.json")).unwrap();
        let meta: CaseMeta = serde_json::from_str(&meta).unwrap_or_else(|error| panic!("{name}: {error}"));
        let text = String::from_utf8_lossy(&std::fs::read(folder.join("screen.ansi")).unwrap()).into_owned();
        let capture = meta.capture(text);
        Self { name, meta, capture, folder: folder.to_owned() }
    }

    /// What a person saw there.
    pub(crate) fn kind(&self) -> &str {
        &self.meta.kind
    }

    /// True when a prompt of the CLI's work waits there.
    pub(crate) fn is_prompt(&self) -> bool {
        matches!(self.kind(), "permission" | "question" | "plan" | "loop")
    }

    pub(crate) fn screen(&self) -> Screen {
        Screen::from_capture(&self.capture)
    }

    pub(crate) fn reading(&self) -> Reading {
        adapter_for(self.meta.cli).read_screen(&self.screen())
    }
}

fn load_all(cli: AdapterKind) -> Vec<Case> {
    let screens = Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(cli.as_str()).join("screens");
    let folders = std::fs::read_dir(screens).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir());
    let mut cases: Vec<Case> = folders.map(|folder| Case::load(&folder)).collect();
    assert!(cases.iter().all(|case| case.meta.cli == cli), "a case of another CLI is among those of {cli:?}");
    cases.sort_by(|one, other| one.name.cmp(&other.name));
    cases
}
