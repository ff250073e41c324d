//! The conversation that a session turns to without a word to us, as by `/clear`, `/new` and `/resume` where no hook tells.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use adapters::{Head, Screen, Shelf, adapter_for, layout::squash};
use shared_types::AdapterKind;

use super::{
    Found, LOOK_AGAIN, SLACK, Search, Shelves, Wanted,
    files::{self, File, beginning, on_shelf},
    found, may_be_ours,
    told::{Heard, Witness},
    words::{early_lines, late_lines, words},
};
use crate::{pace::Pace, pane::Pane, store::Store};

/// A conversation in which something was said.
pub(super) struct Begun {
    pub(super) found: Found,
    /// What the person said early in it, and not in the one before.
    words: Vec<String>,
}

/// So many of the first things said are compared: old versions of Claude Code put the command before them.
const EARLY: usize = 5;

/// So much of what was said must stand on the screen; the rest may be folded there.
const SHOWN: usize = 60;
/// Fewer letters than these may stand on any screen.
const TELLING: usize = 4;

impl Shelves {
    /// Waits until a session goes on in another file than this one.
    #[must_use]
    pub fn search_another(&self, store: Store, wanted: Wanted, current: PathBuf, pane: Arc<dyn Pane>) -> Search {
        let shelves = self.clone();
        let kept_open = adapter_for(wanted.adapter).shelf(None).filter(|shelf| shelf.kept_open);
        Search::run(async move {
            let mut pace = Pace::with(pane.drawn());
            let mut witness = Witness::of(&wanted);
            loop {
                pace.next(LOOK_AGAIN).await;
                let found = if let Some(shelf) = &kept_open {
                    shelves.held_open(wanted.adapter, shelf, &*pane).await
                } else if let Some(told) = shelves.told(wanted.adapter, &*pane).await {
                    match witness.hear(&told) {
                        Heard::Another => shelves.look_aside(&wanted.named(told)).await.into_iter().next(),
                        Heard::Same | Heard::NotSure => None,
                    }
                } else if tokio::fs::try_exists(&current).await.unwrap_or(true) {
                    shelves.begun_anew(&store, &wanted, &current, &*pane).await
                } else {
                    shelves.moved(&wanted).await
                };
                if let Some(found) = found.filter(|found| found.file != current) {
                    return found;
                }
            }
        })
    }

    /// The conversation that the program in a pane is in, by the files that it holds open: those it was in before may still
    /// be among them, but it writes only to the one.
    pub(super) async fn held_open(&self, adapter: AdapterKind, shelf: &Shelf, pane: &dyn Pane) -> Option<Found> {
        let (root, pattern) = (self.root(shelf), shelf.pattern.clone());
        let open = pane.open_files().await;
        let look = move || {
            let mut files = files::of_shelf(&root, &pattern, open);
            files.sort_by_key(|file| std::cmp::Reverse(file.modified));
            files.into_iter().find_map(|file| found(adapter_for(adapter), file))
        };
        tokio::task::spawn_blocking(look).await.ok().flatten()
    }

    /// The same conversation in another file: Gemini CLI 0.61 names it after the minute, and starts itself anew. Only the id tells.
    async fn moved(&self, wanted: &Wanted) -> Option<Found> {
        wanted.id.as_ref()?;
        self.look_aside(wanted).await.into_iter().next()
    }

    /// Another conversation of the same folder, begun after the last word of this one. Somebody may have begun it beside us: it is
    /// ours when something that the person said early in it stands on our screen, and was not said in this one; or when it goes by
    /// the same id, as with Gemini CLI 0.22.
    async fn begun_anew(&self, store: &Store, wanted: &Wanted, current: &Path, pane: &dyn Pane) -> Option<Found> {
        let (shelves, sought, file) = (self.clone(), wanted.clone(), current.to_owned());
        let look = move || shelves.begun_since_the_last_word(&sought, file);
        let begun = tokio::task::spawn_blocking(look).await.ok().flatten().filter(|begun| !begun.is_empty())?;
        let screen = squash(&Screen::from_capture(&pane.capture().await.ok()?.capture).plain_text());
        let is_shown = |words: &String| {
            let start: String = squash(words).chars().take(SHOWN).collect();
            start.chars().count() >= TELLING && screen.contains(&start)
        };
        for Begun { found, words } in begun {
            let is_same = wanted.id.as_ref() == Some(&found.id);
            if is_same || words.iter().any(is_shown) && may_be_ours(store, wanted, &found).await {
                return Some(found);
            }
        }
        None
    }

    pub(super) fn begun_since_the_last_word(&self, wanted: &Wanted, current: PathBuf) -> Option<Vec<Begun>> {
        let adapter = adapter_for(wanted.adapter);
        let shelf = adapter.shelf(Some(&wanted.folder))?;
        let current = files::file(current, 0)?;
        let is_later = |head: &Head| {
            head.started_at.is_some_and(|at| at + SLACK >= current.modified)
                && head.folder.as_ref().is_some_and(|folder| folder.is(&wanted.folder))
        };
        // Claude makes the next file, and so changes its folder, before it is done with this one.
        let mut files = on_shelf(&self.root(&shelf), &shelf.pattern, current.modified.saturating_sub(SLACK));
        files.retain(|file| file.path != current.path);
        if files.is_empty() {
            return None;
        }
        let said_before: Vec<String> = words(adapter, &late_lines(&current)).collect();
        let begun = |file: File| {
            let begins = beginning(&file.path)?;
            let head = adapter.read_head(&file.name, &begins).filter(is_later)?;
            let early: Vec<String> = words(adapter, &early_lines(&file, &begins)?).take(EARLY).collect();
            if early.is_empty() {
                return None;
            }
            // A command may be given in any conversation.
            let is_new = |words: &String| !words.starts_with('/') && !said_before.contains(words);
            let found = Found { id: head.id, file: file.path, began: head.started_at };
            Some(Begun { found, words: early.into_iter().filter(is_new).collect() })
        };
        Some(files.into_iter().filter_map(begun).collect())
    }
}
