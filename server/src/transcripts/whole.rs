//! A file that is one document and is written anew every time something is added: read whole when it has changed, and only
//! those of its messages that are new or other than before are handed over.

use std::{
    collections::HashSet,
    hash::{DefaultHasher, Hash as _, Hasher as _},
    os::unix::fs::MetadataExt as _,
    path::{Path, PathBuf},
};

use adapters::transcript::units;
use tokio::sync::mpsc;

use super::{Lines, Wake};

/// A longer document is left alone: it would have to be held in memory twice for every message.
const LIMIT: u64 = 64 << 20;

/// By what a file is known to be as it was.
type Stamp = (u64, u64, i64, i64);

pub(super) async fn watch(path: PathBuf, mut wake: Wake, sender: mpsc::Sender<Lines>) {
    let mut read: Option<Stamp> = None;
    let mut known: HashSet<u64> = HashSet::new();
    loop {
        let stamp = stamp(&path).await;
        if let Some(stamp) = stamp.filter(|stamp| Some(*stamp) != read)
            // One that is half written is looked at again when it is written on.
            && let Some(units) = read_units(&path, stamp.1).await
        {
            read = Some(stamp);
            let hashes: Vec<u64> = units.iter().map(|unit| hash(unit)).collect();
            let lines: Vec<String> = units
                .into_iter()
                .zip(&hashes)
                .filter(|(_, hash)| !known.contains(hash))
                .map(|(unit, _)| unit)
                .collect();
            known = hashes.into_iter().collect();
            if !lines.is_empty() && sender.send(Lines { lines, offset: stamp.1 }).await.is_err() {
                return;
            }
            continue;
        }
        wake.wait().await;
    }
}

async fn stamp(path: &Path) -> Option<Stamp> {
    let meta = tokio::fs::metadata(path).await.ok()?;
    Some((meta.ino(), meta.len(), meta.mtime(), meta.mtime_nsec()))
}

async fn read_units(path: &Path, length: u64) -> Option<Vec<String>> {
    if length > LIMIT {
        tracing::warn!(path = %path.display(), "a conversation's file is too long to be read");
        return Some(Vec::new());
    }
    let bytes = tokio::fs::read(path).await.ok()?;
    units(&String::from_utf8_lossy(&bytes))
}

fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}
