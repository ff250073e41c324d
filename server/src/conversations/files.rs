//! Files on a shelf: walked by a pattern, read at their beginnings and ends only.

use std::{
    fs,
    io::{Read as _, Seek as _, SeekFrom},
    path::{Path, PathBuf},
    time::{SystemTime, UNIX_EPOCH},
};

use adapters::transcript::place::{fits, fits_path};
use shared_types::Millis;

/// How many names are looked at, in all folders of a shelf. Somebody who has more sees the newest.
const NAMES_LIMIT: usize = 20_000;
/// How much of a file's beginning is read: some CLIs put all their instructions before the first message.
pub(super) const BEGINNING: u64 = 256 * 1024;
/// How much of its end.
const END: u64 = 32 * 1024;

/// A file on a shelf.
#[derive(Debug, Clone)]
pub(super) struct File {
    pub(super) path: PathBuf,
    pub(super) name: String,
    pub(super) size: u64,
    pub(super) modified: Millis,
}

/// Those of these files that are on a shelf.
pub(super) fn of_shelf(root: &Path, pattern: &[String], paths: Vec<PathBuf>) -> Vec<File> {
    // Systems tell the places of open files without links.
    let Ok(root) = root.canonicalize() else { return Vec::new() };
    let paths = paths.into_iter().filter(|path| path.strip_prefix(&root).is_ok_and(|below| fits_path(pattern, below)));
    paths.filter_map(|path| file(path, 0)).collect()
}

/// A file that was changed since.
pub(super) fn file(path: PathBuf, since: Millis) -> Option<File> {
    let meta = path.metadata().ok().filter(fs::Metadata::is_file)?;
    let name = path.file_name()?.to_str()?.to_owned();
    let modified = millis(meta.modified().ok());
    (modified >= since).then_some(File { path, name, size: meta.len(), modified })
}

/// The files that fit a pattern and were changed since.
pub(super) fn on_shelf(root: &Path, pattern: &[String], since: Millis) -> Vec<File> {
    let mut files = Vec::new();
    let mut left = NAMES_LIMIT;
    walk(root, pattern, since, &mut left, &mut files);
    files
}

fn walk(folder: &Path, pattern: &[String], since: Millis, left: &mut usize, files: &mut Vec<File>) {
    let Some((part, rest)) = pattern.split_first() else { return };
    if !part.contains('*') && !rest.is_empty() {
        return walk(&folder.join(part), rest, since, left, files);
    }
    // A folder in which nothing was made since has no new file.
    if rest.is_empty() && since > 0 && millis(folder.metadata().and_then(|meta| meta.modified()).ok()) < since {
        return;
    }
    let Ok(entries) = fs::read_dir(folder) else { return };
    let mut names: Vec<String> = entries
        .take(*left)
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .inspect(|_| *left = left.saturating_sub(1))
        .filter(|name| fits(part, name))
        .collect();
    // Names that are dates come newest first, so that a bound leaves out the oldest.
    names.sort_by(|a, b| b.cmp(a));
    for name in names {
        let path = folder.join(&name);
        if !rest.is_empty() {
            walk(&path, rest, since, left, files);
        } else {
            files.extend(file(path, since));
        }
    }
}

/// The beginning of a file, as text.
pub(super) fn beginning(path: &Path) -> Option<String> {
    let mut bytes = Vec::new();
    fs::File::open(path).ok()?.take(BEGINNING).read_to_end(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// The end of a file, as text; the first line of it may be cut.
pub(super) fn end(path: &Path) -> Option<String> {
    let mut file = fs::File::open(path).ok()?;
    let size = file.metadata().ok()?.len();
    file.seek(SeekFrom::Start(size.saturating_sub(END))).ok()?;
    let mut bytes = Vec::new();
    file.take(END).read_to_end(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

fn millis(time: Option<SystemTime>) -> Millis {
    let since = time.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    since.and_then(|since| u64::try_from(since.as_millis()).ok()).unwrap_or_default()
}
