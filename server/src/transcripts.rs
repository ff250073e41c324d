//! Follows the files in which CLIs write down their conversations: woken by `notify`, read on from where we were, whole lines
//! only. A file is never read twice, unless it has become shorter or another one has taken its place; one that does not exist
//! yet is waited for. A file that is written anew every time is read whole, and what is new in it is handed over as lines
//! (`whole.rs`). What agents do that were set to work may stand in files of their own, which are made as we look (`folder.rs`).

mod folder;
mod tail;
#[cfg(test)]
mod tests;
mod whole;

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use adapters::transcript::Form;
use notify::{RecommendedWatcher, RecursiveMode, Watcher as _};
use shared_types::Millis;
use tokio::{
    sync::{Notify, mpsc},
    task::AbortHandle,
};

use self::tail::Tail;
use crate::pace::Pace;

/// Looks without being woken, for file systems that tell nothing; see [`Pace`] for when nothing is drawn.
const POLL: Duration = Duration::from_secs(2);
/// Looks whether a folder that is not there yet has been made, so that it can be watched.
const FOLDER_POLL: Duration = Duration::from_millis(500);
/// Batches that may wait for their session. A full queue stops the reading, not the CLI.
const QUEUE: usize = 4;

/// Whole lines, and how far into the file they reach.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lines {
    /// The lines, without their ends.
    pub lines: Vec<String>,
    /// The offset behind the last of them.
    pub offset: u64,
}

/// Follows files for all sessions with one watcher, because each watcher takes one of the few the system has.
///
/// Two locks, because `notify` holds up whoever adds a folder until its own thread has taken it, and that thread may just
/// then be waiting for the wakers.
#[derive(Clone)]
pub struct Transcripts {
    watcher: Arc<Mutex<Option<RecommendedWatcher>>>,
    wakers: Arc<Mutex<Wakers>>,
}

/// Who is to be woken when something happens in a folder.
type Wakers = HashMap<PathBuf, Vec<Arc<Notify>>>;

/// What wakes a follower: something happens in its folder, or it is time to look all the same.
struct Wake {
    pace: Pace,
    folder: PathBuf,
    told: Arc<Notify>,
    /// False while there is no such folder.
    watched: bool,
    transcripts: Transcripts,
}

impl Wake {
    async fn wait(&mut self) {
        if !self.watched && self.folder.is_dir() {
            self.transcripts.watch(&self.folder);
            // The file may have been made before the folder was watched: nobody tells that any more.
            self.watched = true;
            return;
        }
        let pause = if self.watched { POLL } else { FOLDER_POLL };
        tokio::select! {
            () = self.told.notified() => {}
            () = self.pace.next(pause) => {}
        }
    }
}

/// A file that is followed until this is dropped.
pub struct Follow {
    /// What was read.
    pub batches: mpsc::Receiver<Lines>,
    task: AbortHandle,
}

impl Drop for Follow {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Transcripts {
    /// Starts the watcher. Without one, as when the system has none left, files are looked at every two seconds while the session
    /// draws.
    #[must_use]
    pub fn new() -> Self {
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

    /// Follows a file from an offset on.
    #[must_use]
    pub fn follow(&self, path: PathBuf, offset: u64, pace: Pace) -> Follow {
        let wake = self.wake(path.parent().unwrap_or(Path::new("/")), pace);
        let (sender, batches) = mpsc::channel(QUEUE);
        let task = match Form::of(&path) {
            Form::Lines => tokio::spawn(follow_lines(path, offset, wake, sender)),
            Form::Whole => tokio::spawn(whole::watch(path, wake, sender)),
        };
        Follow { batches, task: task.abort_handle() }
    }

    /// Follows all files of a folder whose names fit a pattern and that were changed since, each from its start.
    #[must_use]
    pub fn follow_folder(&self, folder: PathBuf, pattern: &'static str, since: Millis, pace: Pace) -> Follow {
        let wake = self.wake(&folder, pace);
        let (sender, batches) = mpsc::channel(QUEUE);
        let task = tokio::spawn(folder::watch(folder, pattern, since, wake, sender));
        Follow { batches, task: task.abort_handle() }
    }

    fn wake(&self, folder: &Path, pace: Pace) -> Wake {
        let watched = folder.is_dir();
        Wake { pace, folder: folder.to_owned(), told: self.wake_for(folder), watched, transcripts: self.clone() }
    }

    /// The folder is watched, not the file: the file may not exist yet, or be replaced.
    fn wake_for(&self, folder: &Path) -> Arc<Notify> {
        let waker = Arc::new(Notify::new());
        {
            let mut wakers = self.wakers.lock().unwrap_or_else(PoisonError::into_inner);
            let wakers = wakers.entry(folder.to_owned()).or_default();
            // Wakers whose follower is gone are only held here.
            wakers.retain(|waker| Arc::strong_count(waker) > 1);
            wakers.push(Arc::clone(&waker));
        }
        if folder.is_dir() {
            self.watch(folder);
        }
        waker
    }

    fn watch(&self, folder: &Path) {
        if let Some(watcher) = &mut *self.watcher.lock().unwrap_or_else(PoisonError::into_inner)
            && let Err(error) = watcher.watch(folder, RecursiveMode::NonRecursive)
        {
            tracing::warn!(%error, folder = %folder.display(), "cannot watch a folder: looking now and then");
        }
    }
}

impl Default for Transcripts {
    fn default() -> Self {
        Self::new()
    }
}

async fn follow_lines(path: PathBuf, offset: u64, mut wake: Wake, sender: mpsc::Sender<Lines>) {
    let mut tail = Tail::new(path, offset);
    loop {
        match tail.read().await {
            Some(lines) if lines.lines.is_empty() => {}
            Some(lines) => {
                if sender.send(lines).await.is_err() {
                    return;
                }
            }
            // Nothing new, or no file yet: wait until something happens there.
            None => wake.wait().await,
        }
    }
}
