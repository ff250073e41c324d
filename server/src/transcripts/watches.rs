//! The folders that are watched for all followers, with one watcher, because each watcher takes one of the few the system has.
//! A folder is watched while somebody follows a file in it, and given back with the last of them.
//!
//! Two locks, because `notify` holds up whoever adds or removes a folder until its own thread has taken it, and that thread may
//! just then be waiting for the wakers. The watcher's lock comes first and is held for the whole change, so that a folder that
//! is given back by one and taken by another stays watched; the wakers' is never held while `notify` is asked.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use notify::{RecommendedWatcher, RecursiveMode, Watcher as _};
use tokio::{runtime::Handle, sync::Notify, task::spawn_blocking};

/// Who is to be woken when something happens in a folder.
type Wakers = HashMap<PathBuf, Vec<Arc<Notify>>>;

/// The watched folders.
#[derive(Clone)]
pub(super) struct Watches {
    watcher: Arc<Mutex<Option<RecommendedWatcher>>>,
    wakers: Arc<Mutex<Wakers>>,
}

impl Watches {
    /// Starts the watcher; without one, as when the system has none left, nobody is woken.
    pub(super) fn new() -> Self {
        let wakers = Arc::new(Mutex::new(Wakers::new()));
        let told = Arc::clone(&wakers);
        let watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
            let Ok(event) = event else { return };
            // Our own reading is told as well; woken by it, we would read for ever.
            if event.kind.is_access() {
                return;
            }
            let wakers = told.lock().unwrap_or_else(PoisonError::into_inner);
            for folder in event.paths.iter().filter_map(|path| path.parent()) {
                for waker in wakers.get(folder).into_iter().flatten() {
                    waker.notify_one();
                }
            }
        });
        if let Err(error) = &watcher {
            tracing::warn!(%error, "no file watcher: transcripts are looked at now and then");
        }
        Self { watcher: Arc::new(Mutex::new(watcher.ok())), wakers }
    }

    /// Watches a folder until the watch is dropped. The folder, not a file: that may not exist yet, or be replaced.
    pub(super) async fn watch(&self, folder: &Path) -> FolderWatch {
        let (watches, folder) = (self.clone(), folder.to_owned());
        let waker = Arc::new(Notify::new());
        let mut watch = FolderWatch { folder, waker, is_watched: false, watches };
        watch.begin().await;
        watch
    }

    /// Adds a waker and watches its folder; false while there is no such folder.
    fn add(&self, folder: &Path, waker: &Arc<Notify>) -> bool {
        let mut watcher = self.watcher();
        {
            let mut wakers = self.wakers();
            let wakers = wakers.entry(folder.to_owned()).or_default();
            if !wakers.iter().any(|known| Arc::ptr_eq(known, waker)) {
                wakers.push(Arc::clone(waker));
            }
        }
        if !folder.is_dir() {
            return false;
        }
        if let Some(watcher) = &mut *watcher
            && let Err(error) = watcher.watch(folder, RecursiveMode::NonRecursive)
        {
            tracing::warn!(%error, folder = %folder.display(), "cannot watch a folder: looking now and then");
        }
        true
    }

    fn remove(&self, folder: &Path, waker: &Arc<Notify>) {
        let mut watcher = self.watcher();
        let is_last = {
            let mut wakers = self.wakers();
            let left = wakers.get_mut(folder).map_or(0, |wakers| {
                wakers.retain(|known| !Arc::ptr_eq(known, waker));
                wakers.len()
            });
            left == 0 && wakers.remove(folder).is_some()
        };
        if is_last && let Some(watcher) = &mut *watcher {
            // One that was never there, or is gone, is not watched: no fault.
            let _ = watcher.unwatch(folder);
        }
    }

    fn watcher(&self) -> MutexGuard<'_, Option<RecommendedWatcher>> {
        self.watcher.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn wakers(&self) -> MutexGuard<'_, Wakers> {
        self.wakers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A folder that is watched for one follower.
pub(super) struct FolderWatch {
    folder: PathBuf,
    waker: Arc<Notify>,
    is_watched: bool,
    watches: Watches,
}

impl FolderWatch {
    /// True once the folder is there and watched.
    pub(super) fn is_watched(&self) -> bool {
        self.is_watched
    }

    /// Watches the folder if it is there by now. The disk and `notify` may both take their time.
    pub(super) async fn begin(&mut self) {
        let (watches, folder, waker) = (self.watches.clone(), self.folder.clone(), Arc::clone(&self.waker));
        let add = move || {
            let is_watched = watches.add(&folder, &waker);
            // Only the list and this closure have it: the follower went away meanwhile, and was removed before it was added.
            if Arc::strong_count(&waker) <= 2 {
                watches.remove(&folder, &waker);
            }
            is_watched
        };
        self.is_watched = spawn_blocking(add).await.unwrap_or(false);
    }

    /// Waits until something happens in the folder.
    pub(super) async fn changed(&self) {
        self.waker.notified().await;
    }
}

impl Drop for FolderWatch {
    fn drop(&mut self) {
        let (watches, folder, waker) = (self.watches.clone(), self.folder.clone(), Arc::clone(&self.waker));
        let remove = move || watches.remove(&folder, &waker);
        match Handle::try_current() {
            Ok(runtime) => drop(runtime.spawn_blocking(remove)),
            Err(_) => remove(),
        }
    }
}
