//! All files of a folder that grow line by line: one for each agent that was set to work, made while we look.

use std::path::{Path, PathBuf};

use adapters::transcript::place::fits;
use shared_types::Millis;
use tokio::sync::mpsc;

use super::{Lines, Wake, tail::Tail};

/// How many files are followed at once; those that come later wait for nobody and are left out.
const FILES: usize = 64;

/// Follows every file whose name fits and that was changed since, from its start.
pub(super) async fn watch(
    folder: PathBuf,
    pattern: &'static str,
    since: Millis,
    mut wake: Wake,
    sender: mpsc::Sender<Lines>,
) {
    let mut tails: Vec<Tail> = Vec::new();
    loop {
        for path in new_files(&folder, pattern, since).await {
            if tails.len() < FILES && tails.iter().all(|tail| tail.path() != path) {
                tails.push(Tail::new(path, 0));
            }
        }
        let mut quiet = true;
        for tail in &mut tails {
            while let Some(lines) = tail.read().await {
                quiet = false;
                if !lines.lines.is_empty() && sender.send(lines).await.is_err() {
                    return;
                }
            }
        }
        if quiet {
            wake.wait().await;
        }
    }
}

pub(super) async fn new_files(folder: &Path, pattern: &str, since: Millis) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let Ok(mut entries) = tokio::fs::read_dir(folder).await else { return files };
    while let Ok(Some(entry)) = entries.next_entry().await {
        let modified = entry.metadata().await.and_then(|meta| meta.modified());
        let age = modified.ok().and_then(|at| at.duration_since(std::time::UNIX_EPOCH).ok());
        if age.is_some_and(|age| age.as_millis() >= u128::from(since))
            && fits(pattern, &entry.file_name().to_string_lossy())
        {
            files.push(entry.path());
        }
    }
    files.sort();
    files
}
