//! The conversations that the CLIs keep in files of their own: found for a session, and listed for going on with one.
//!
//! The adapters say where such files are and what their beginnings mean; here they are looked for, within bounds.

mod another;
mod files;
mod list;
#[cfg(test)]
mod tests;
mod told;
mod words;

use std::{
    env,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use adapters::{Adapter, Head, Shelf, adapter_for};
use shared_types::{AdapterKind, Millis, SessionId};
use tokio::{sync::oneshot, task::AbortHandle};

use self::files::{File, beginning, on_shelf};
pub use self::list::Listing;
use crate::{pace::Pace, pane::Pane, store::Store};

/// How often a conversation that is not there yet is looked for. A look lists a few folders.
const LOOK_AGAIN: Duration = Duration::from_millis(700);
/// How much earlier than its session a conversation may say it began: clocks are cut to whole seconds in places, and the times of
/// files lag behind the clock by some milliseconds on a busy machine.
pub(crate) const SLACK: Millis = 2_000;

/// Where the CLIs' own folders are.
#[derive(Debug, Clone)]
pub struct Shelves {
    home: PathBuf,
    variables: bool,
}

impl Shelves {
    /// In the person's home folder, or where their environment says.
    #[must_use]
    pub fn of_this_machine() -> Self {
        Self { home: env::home_dir().unwrap_or_else(|| PathBuf::from("/")), variables: true }
    }

    /// In a home folder, whatever the environment says.
    #[must_use]
    pub fn below(home: &Path) -> Self {
        Self { home: home.to_owned(), variables: false }
    }

    /// A CLI's own folder; empty when it has none that we know.
    #[must_use]
    pub fn cli_home(&self, adapter: AdapterKind) -> PathBuf {
        adapter_for(adapter).shelf(None).map_or_else(PathBuf::new, |shelf| self.root(&shelf))
    }

    fn root(&self, shelf: &Shelf) -> PathBuf {
        let (variable, below) = shelf.variable;
        let named = env::var_os(variable).filter(|value| self.variables && !value.is_empty());
        match named {
            Some(folder) if below.is_empty() => PathBuf::from(folder),
            Some(folder) => Path::new(&folder).join(below),
            None => self.home.join(shelf.folder),
        }
    }

    /// The file of a conversation whose id is known.
    #[must_use]
    pub fn find(&self, adapter: AdapterKind, folder: &Path, id: &str) -> Option<PathBuf> {
        let wanted = Wanted { session: None, adapter, folder: folder.to_owned(), since: 0, id: Some(id.to_owned()) };
        self.look(&wanted).into_iter().next().map(|found| found.file)
    }

    /// Looks for a session's conversation until it is there.
    #[must_use]
    pub fn search(&self, store: Store, wanted: Wanted, pane: Arc<dyn Pane>) -> Search {
        let shelves = self.clone();
        Search::run(async move { shelves.wait_for(&store, wanted, &*pane).await })
    }

    /// A look that holds nobody up.
    async fn look_aside(&self, wanted: &Wanted) -> Vec<Found> {
        let (shelves, sought) = (self.clone(), wanted.clone());
        tokio::task::spawn_blocking(move || shelves.look(&sought)).await.unwrap_or_default()
    }

    async fn wait_for(self, store: &Store, wanted: Wanted, pane: &dyn Pane) -> Found {
        let shelf = adapter_for(wanted.adapter).shelf(None).filter(|shelf| shelf.kept_open);
        let mut pace = Pace::with(pane.drawn());
        loop {
            if let Some(shelf) = &shelf
                && let Some(found) = self.held_open(wanted.adapter, shelf, pane).await
            {
                return found;
            }
            // What the program itself says leaves nothing to guess.
            let sought = match self.told(wanted.adapter, pane).await {
                Some(told) => wanted.named(told),
                None => wanted.clone(),
            };
            for found in self.look_aside(&sought).await {
                if sought.id.is_some() || may_be_ours(store, &sought, &found).await {
                    return found;
                }
            }
            pace.next(LOOK_AGAIN).await;
        }
    }

    /// The conversations that may be the wanted one, the likeliest first.
    fn look(&self, wanted: &Wanted) -> Vec<Found> {
        let adapter = adapter_for(wanted.adapter);
        let Some(shelf) = adapter.shelf(Some(&wanted.folder)) else { return Vec::new() };
        let since = if wanted.id.is_some() { 0 } else { wanted.since.saturating_sub(SLACK) };
        let mut files = on_shelf(&self.root(&shelf), &shelf.pattern, since);
        // Of two files of one conversation the larger one is it; the other was begun and left.
        files.sort_by_key(|file| std::cmp::Reverse(file.size));
        let named = files.into_iter().filter(|file| wanted.fits_path(&file.path));
        named.filter_map(|file| found_if(adapter, file, |head| wanted.fits(head))).collect()
    }
}

fn found(adapter: &dyn Adapter, file: File) -> Option<Found> {
    found_if(adapter, file, |_| true)
}

fn found_if(adapter: &dyn Adapter, file: File, fits: impl Fn(&Head) -> bool) -> Option<Found> {
    let head = adapter.read_head(&file.name, &beginning(&file.path)?)?;
    fits(&head).then_some(Found { id: head.id, file: file.path, began: head.started_at })
}

async fn may_be_ours(store: &Store, wanted: &Wanted, found: &Found) -> bool {
    let Some(session) = wanted.session else { return false };
    store.may_claim(session, found.id.clone(), found.began).await.unwrap_or_default()
}

/// The conversation that is looked for.
#[derive(Debug, Clone)]
pub struct Wanted {
    /// For which session.
    pub session: Option<SessionId>,
    /// Of which CLI.
    pub adapter: AdapterKind,
    /// In which folder.
    pub folder: PathBuf,
    /// Begun after this, when its id is not known.
    pub since: Millis,
    /// Its id, where it is known.
    pub id: Option<String>,
}

impl Wanted {
    /// The same, now that its id is known.
    fn named(&self, id: String) -> Self {
        Self { id: Some(id), ..self.clone() }
    }

    /// A first sieve that opens no file: every CLI puts its id, or the first part of it, into the name or its folder's.
    fn fits_path(&self, path: &Path) -> bool {
        let part = self.id.as_deref().and_then(|id| id.split('-').next());
        part.is_none_or(|part| path.iter().rev().take(2).any(|name| name.to_string_lossy().contains(part)))
    }

    fn fits(&self, head: &Head) -> bool {
        match &self.id {
            Some(id) => head.id == *id,
            None => {
                head.started_at.is_some_and(|at| at + SLACK >= self.since)
                    && head.folder.as_ref().is_some_and(|folder| folder.is(&self.folder))
            }
        }
    }
}

/// A conversation that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// Its id.
    pub id: String,
    /// Its file.
    pub file: PathBuf,
    /// When it began, where that is told.
    pub began: Option<Millis>,
}

/// A conversation that is looked for until this is dropped.
pub struct Search {
    /// What was found.
    pub found: oneshot::Receiver<Found>,
    task: AbortHandle,
}

impl Search {
    fn run(looking: impl Future<Output = Found> + Send + 'static) -> Self {
        let (sender, found) = oneshot::channel();
        let task = tokio::spawn(async move {
            let _ = sender.send(looking.await);
        });
        Self { found, task: task.abort_handle() }
    }
}

impl Drop for Search {
    fn drop(&mut self) {
        self.task.abort();
    }
}
