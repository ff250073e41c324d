//! Follows the files in which CLIs write down their conversations: woken by `notify`, read on from where we were, whole lines
//! only. A file is never read twice, unless it has become shorter or another one has taken its place; one that does not exist
//! yet is waited for. A file that is written anew every time is read whole, and what is new in it is handed over as lines
//! (`whole.rs`). What agents do that were set to work may stand in files of their own, which are made as we look (`folder.rs`).

mod folder;
mod tail;
#[cfg(test)]
mod tests;
mod watches;
mod whole;

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use adapters::transcript::Form;
use shared_types::Millis;
use tokio::{sync::mpsc, task::AbortHandle};

use self::{
    tail::Tail,
    watches::{FolderWatch, Watches},
};
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

/// Follows files for all sessions.
#[derive(Clone)]
pub struct Transcripts {
    watches: Watches,
}

/// What wakes a follower: something happens in its folder, or it is time to look all the same.
struct Wake {
    pace: Pace,
    folder: FolderWatch,
}

impl Wake {
    async fn wait(&mut self) {
        if !self.folder.is_watched() {
            self.folder.begin().await;
            if self.folder.is_watched() {
                // The file may have been made before the folder was watched: nobody tells that any more.
                return;
            }
        }
        let pause = if self.folder.is_watched() { POLL } else { FOLDER_POLL };
        tokio::select! {
            () = self.folder.changed() => {}
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
        Self { watches: Watches::new() }
    }

    /// Follows a file from an offset on.
    #[must_use]
    pub fn follow(&self, path: PathBuf, offset: u64, pace: Pace) -> Follow {
        let (watches, folder) = (self.watches.clone(), path.parent().unwrap_or(Path::new("/")).to_owned());
        let (sender, batches) = mpsc::channel(QUEUE);
        let task = tokio::spawn(async move {
            let wake = Wake { pace, folder: watches.watch(&folder).await };
            match Form::of(&path) {
                Form::Lines => follow_lines(path, offset, wake, sender).await,
                Form::Whole => whole::watch(path, wake, sender).await,
            }
        });
        Follow { batches, task: task.abort_handle() }
    }

    /// Follows all files of a folder whose names fit a pattern and that were changed since, each from its start.
    #[must_use]
    pub fn follow_folder(&self, folder: PathBuf, pattern: &'static str, since: Millis, pace: Pace) -> Follow {
        let watches = self.watches.clone();
        let (sender, batches) = mpsc::channel(QUEUE);
        let task = tokio::spawn(async move {
            let wake = Wake { pace, folder: watches.watch(&folder).await };
            folder::watch(folder, pattern, since, wake, sender).await;
        });
        Follow { batches, task: task.abort_handle() }
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
