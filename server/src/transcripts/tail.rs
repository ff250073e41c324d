//! The end of a file that grows line by line.

use std::{
    fs::File,
    io::{self, Read as _, Seek as _, SeekFrom},
    os::unix::fs::MetadataExt as _,
    path::{Path, PathBuf},
};

use super::Lines;

/// How much is read at once; a line longer than [`LINE_LIMIT`] is skipped.
pub(super) const CHUNK: u64 = 256 * 1024;
/// A longer line is not a message: it is skipped, so that a broken file cannot fill the memory.
pub(super) const LINE_LIMIT: usize = 16 << 20;

/// How far a file was read.
pub(super) struct Tail {
    path: PathBuf,
    /// How far it was read; whole lines are handed over with how far they reach.
    read_to: u64,
    /// What was read of a line that has no end yet.
    partial: Vec<u8>,
    /// True until the end of an overlong line, the beginning of which is thrown away already.
    skipping: bool,
    /// Which file it was.
    inode: Option<u64>,
}

impl Tail {
    pub(super) fn new(path: PathBuf, offset: u64) -> Self {
        Self { path, read_to: offset, partial: Vec::new(), skipping: false, inode: None }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Reads on: the next whole lines, perhaps none yet. Nothing when there was nothing to read.
    pub(super) async fn read(&mut self) -> Option<Lines> {
        let read = read_on(&self.path, self.read_to).await.ok()?;
        if read.length < self.read_to || *self.inode.get_or_insert(read.inode) != read.inode {
            // Another file, or less of it: all of it is read anew. What was known keeps its id and is not told again.
            *self = Self { inode: Some(read.inode), ..Self::new(self.path.clone(), 0) };
            return Some(Lines { lines: Vec::new(), offset: 0 });
        }
        let bytes = Some(read.bytes).filter(|bytes| !bytes.is_empty())?;
        self.read_to += bytes.len() as u64;
        let line_end = bytes.iter().position(|byte| *byte == b'\n');
        let skipped = if self.skipping { line_end.map_or(bytes.len(), |end| end + 1) } else { 0 };
        self.skipping &= line_end.is_none();
        self.partial.extend_from_slice(&bytes[skipped..]);
        // Without a line end in it, what came adds to a line that was looked through before.
        let lines = if line_end.is_some() { take_lines(&mut self.partial) } else { Vec::new() };
        if self.partial.len() > LINE_LIMIT {
            tracing::warn!(path = %self.path.display(), "skipping an overlong transcript line");
            self.partial.clear();
            self.skipping = true;
        }
        Some(Lines { lines, offset: self.read_to - self.partial.len() as u64 })
    }
}

/// What was read, and of which file.
pub(super) struct ReadOn {
    pub(super) bytes: Vec<u8>,
    length: u64,
    inode: u64,
}

/// Reads on in one go, away from the tasks: four small steps would each be handed to another thread.
pub(super) async fn read_on(path: &Path, from: u64) -> io::Result<ReadOn> {
    let path = path.to_owned();
    let read = move || {
        let mut file = File::open(path)?;
        let meta = file.metadata()?;
        file.seek(SeekFrom::Start(from))?;
        let mut bytes = Vec::new();
        file.take(CHUNK).read_to_end(&mut bytes)?;
        Ok(ReadOn { bytes, length: meta.len(), inode: meta.ino() })
    };
    tokio::task::spawn_blocking(read).await.unwrap_or_else(|_| Err(io::ErrorKind::Interrupted.into()))
}

/// Takes the whole lines off the front; what follows the last line end stays.
pub(super) fn take_lines(bytes: &mut Vec<u8>) -> Vec<String> {
    let Some(end) = bytes.iter().rposition(|byte| *byte == b'\n') else { return Vec::new() };
    let rest = bytes.split_off(end + 1);
    let whole = std::mem::replace(bytes, rest);
    let lines = whole.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    lines.map(|line| String::from_utf8_lossy(line).into_owned()).collect()
}
