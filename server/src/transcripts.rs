//! Follows the files in which CLIs write down their conversations: woken by `notify`, read on from where we were, whole lines
//! only. A file is never read twice, unless it has become shorter or another one has taken its place; one that does not exist
//! yet is waited for. A file that is written anew every time is read whole, and what is new in it is handed over as lines
//! (`whole.rs`).

#[cfg(test)]
mod tests;
mod whole;

use std::{
    collections::HashMap,
    io::SeekFrom,
    os::unix::fs::MetadataExt as _,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use adapters::transcript::Form;
use notify::{RecommendedWatcher, RecursiveMode, Watcher as _};
use tokio::{
    fs::File,
    io::{AsyncReadExt as _, AsyncSeekExt as _},
    sync::{Notify, mpsc},
    task::AbortHandle,
};

/// How much is read at once; a line longer than [`LINE_LIMIT`] is skipped.
const CHUNK: u64 = 256 * 1024;
/// A longer line is not a message: it is skipped, so that a broken file cannot fill the memory.
const LINE_LIMIT: usize = 16 << 20;
/// Looks without being woken, for file systems that tell nothing.
const POLL: Duration = Duration::from_secs(2);
/// Looks whether a folder that is not there yet has been made, so that it can be watched.
const FOLDER_POLL: Duration = Duration::from_millis(200);
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
        let _ = tokio::time::timeout(pause, self.told.notified()).await;
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
    /// Starts the watcher. Without one, as when the system has none left, files are looked at every two seconds.
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
            tracing::warn!(%error, "no file watcher: transcripts are looked at every two seconds");
        }
        Self { watcher: Arc::new(Mutex::new(watcher.ok())), wakers }
    }

    /// Follows a file from an offset on.
    #[must_use]
    pub fn follow(&self, path: PathBuf, offset: u64) -> Follow {
        let folder = path.parent().unwrap_or(Path::new("/")).to_owned();
        let watched = folder.is_dir();
        let told = self.wake_for(&folder);
        let wake = Wake { folder, told, watched, transcripts: self.clone() };
        let (sender, batches) = mpsc::channel(QUEUE);
        let task = match Form::of(&path) {
            Form::Lines => tokio::spawn(tail(path, offset, wake, sender)),
            Form::Whole => tokio::spawn(whole::watch(path, wake, sender)),
        };
        Follow { batches, task: task.abort_handle() }
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
            tracing::warn!(%error, folder = %folder.display(), "cannot watch a folder: looking every two seconds");
        }
    }
}

impl Default for Transcripts {
    fn default() -> Self {
        Self::new()
    }
}

async fn tail(path: PathBuf, offset: u64, mut wake: Wake, sender: mpsc::Sender<Lines>) {
    let mut partial: Vec<u8> = Vec::new();
    // True until the end of an overlong line, the beginning of which is thrown away already.
    let mut skipping = false;
    // How far the file was read; whole lines are handed over with how far they reach.
    let mut read_to = offset;
    // Which file it was.
    let mut inode = None;
    loop {
        let read = read_on(&path, read_to).await;
        if let Ok(read) = &read
            && (read.length < read_to || *inode.get_or_insert(read.inode) != read.inode)
        {
            // Another file, or less of it: all of it is read anew. What was known keeps its id and is not told again.
            (read_to, skipping, inode) = (0, false, Some(read.inode));
            partial.clear();
            continue;
        }
        match read.map(|read| read.bytes) {
            Ok(bytes) if !bytes.is_empty() => {
                read_to += bytes.len() as u64;
                let line_end = bytes.iter().position(|byte| *byte == b'\n');
                let skipped = if skipping { line_end.map_or(bytes.len(), |end| end + 1) } else { 0 };
                skipping &= line_end.is_none();
                partial.extend_from_slice(&bytes[skipped..]);
                // Without a line end in it, what came adds to a line that was looked through before.
                let lines = if line_end.is_some() { take_lines(&mut partial) } else { Vec::new() };
                if partial.len() > LINE_LIMIT {
                    tracing::warn!(path = %path.display(), "skipping an overlong transcript line");
                    partial.clear();
                    skipping = true;
                }
                let offset = read_to - partial.len() as u64;
                if !lines.is_empty() && sender.send(Lines { lines, offset }).await.is_err() {
                    return;
                }
            }
            // Nothing new, or no file yet: wait until something happens there.
            _ => wake.wait().await,
        }
    }
}

/// What was read, and of which file.
struct ReadOn {
    bytes: Vec<u8>,
    length: u64,
    inode: u64,
}

async fn read_on(path: &Path, from: u64) -> std::io::Result<ReadOn> {
    let mut file = File::open(path).await?;
    let meta = file.metadata().await?;
    file.seek(SeekFrom::Start(from)).await?;
    let mut bytes = Vec::new();
    file.take(CHUNK).read_to_end(&mut bytes).await?;
    Ok(ReadOn { bytes, length: meta.len(), inode: meta.ino() })
}

/// Takes the whole lines off the front; what follows the last line end stays.
fn take_lines(bytes: &mut Vec<u8>) -> Vec<String> {
    let Some(end) = bytes.iter().rposition(|byte| *byte == b'\n') else { return Vec::new() };
    let rest = bytes.split_off(end + 1);
    let whole = std::mem::replace(bytes, rest);
    let lines = whole.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    lines.map(|line| String::from_utf8_lossy(line).into_owned()).collect()
}
