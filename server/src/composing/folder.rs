//! The files of a session's folder, for naming one in a message.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use ignore::WalkBuilder;

use super::fuzzy;

/// How many files are offered.
const OFFERED: usize = 30;
/// How many files of a folder are looked at; in a larger one those nearest to its top are.
const LOOKED_AT: usize = 50_000;
/// How long a look may take; what was found by then is offered.
const LOOK_LIMIT: Duration = Duration::from_millis(1500);
/// How long a look counts: a person types a few letters in that time.
const FRESH: Duration = Duration::from_secs(10);
/// How many folders are remembered; the one that was looked at longest ago makes room.
const REMEMBERED: usize = 8;
/// The longest path that is offered, and the longest query.
const PATH_LIMIT: usize = 400;

/// The files of folders, remembered for a moment.
///
/// The list of folders is locked for a moment only; whoever looks through a folder locks that one, so that two who ask for the
/// same look once, and one with a slow disk delays nobody else.
#[derive(Debug, Default)]
pub struct FolderFiles {
    folders: Mutex<HashMap<PathBuf, Folder>>,
}

#[derive(Debug, Clone)]
struct Folder {
    asked_at: Instant,
    look: Arc<Mutex<Option<Look>>>,
}

#[derive(Debug)]
struct Look {
    at: Instant,
    paths: Arc<Vec<String>>,
}

impl FolderFiles {
    /// The files of a folder that fit a few letters, the likeliest first, as paths in it. Reads the disk.
    #[must_use]
    pub fn matching(&self, folder: &Path, query: &str) -> Vec<String> {
        let query: String = query.chars().take(PATH_LIMIT).collect();
        let paths = self.paths(folder, walk);
        let mut found: Vec<_> =
            paths.iter().filter_map(|path| Some((std::cmp::Reverse(fuzzy::score(&query, path)?), path))).collect();
        found.sort();
        found.into_iter().take(OFFERED).map(|(_, path)| path.clone()).collect()
    }

    fn paths(&self, folder: &Path, walk: impl FnOnce(&Path) -> Vec<String>) -> Arc<Vec<String>> {
        let look = self.look_of(folder);
        let mut look = look.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(look) = look.as_ref().filter(|look| look.at.elapsed() < FRESH) {
            return Arc::clone(&look.paths);
        }
        let paths = Arc::new(walk(folder));
        *look = Some(Look { at: Instant::now(), paths: Arc::clone(&paths) });
        paths
    }

    fn look_of(&self, folder: &Path) -> Arc<Mutex<Option<Look>>> {
        let mut folders = self.folders.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = folders.get_mut(folder) {
            known.asked_at = Instant::now();
            return Arc::clone(&known.look);
        }
        if folders.len() >= REMEMBERED
            && let Some(oldest) = folders.iter().min_by_key(|(_, known)| known.asked_at).map(|(path, _)| path.clone())
        {
            folders.remove(&oldest);
        }
        let known = Folder { asked_at: Instant::now(), look: Arc::default() };
        folders.insert(folder.to_owned(), known.clone());
        known.look
    }
}

/// The files below a folder that git would not ignore. Links are not followed, so nothing outside is ever named.
fn walk(folder: &Path) -> Vec<String> {
    let ends = Instant::now() + LOOK_LIMIT;
    let walk = WalkBuilder::new(folder)
        .hidden(false)
        .follow_links(false)
        .require_git(false)
        .same_file_system(true)
        .filter_entry(|entry| entry.file_name() != ".git")
        .build();
    walk.take_while(|_| Instant::now() < ends)
        .filter_map(Result::ok)
        .filter(|entry| entry.file_type().is_some_and(|kind| kind.is_file()))
        .filter_map(|entry| Some(entry.path().strip_prefix(folder).ok()?.to_str()?.to_owned()))
        .filter(|path| path.len() <= PATH_LIMIT && !path.chars().any(char::is_control))
        .take(LOOKED_AT)
        .collect()
}

#[cfg(test)]
mod tests {
    use std::{fs, os::unix::fs::symlink, sync::mpsc, thread};

    use super::*;

    fn write(folder: &Path, path: &str, text: &str) {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        fs::write(path, text).expect("a file");
    }

    #[test]
    fn what_git_ignores_is_not_offered() {
        let folder = tempfile::tempdir().expect("a folder");
        write(folder.path(), ".gitignore", "target/\n*.log\n");
        write(folder.path(), "src/main.rs", "");
        write(folder.path(), "target/main.rs", "");
        write(folder.path(), "main.log", "");
        write(folder.path(), ".git/main", "");
        write(folder.path(), ".github/main.yml", "");
        let files = FolderFiles::default();
        assert_eq!(files.matching(folder.path(), "main"), ["src/main.rs", ".github/main.yml"]);
        assert_eq!(files.matching(folder.path(), "gitignore"), [".gitignore"]);
    }

    #[test]
    fn nothing_outside_the_folder_is_offered() {
        let outside = tempfile::tempdir().expect("a folder");
        write(outside.path(), "secret.txt", "");
        write(outside.path(), "work/inside.txt", "");
        let folder = outside.path().join("work");
        symlink(outside.path(), folder.join("up")).expect("a link");
        symlink(outside.path().join("secret.txt"), folder.join("secret.txt")).expect("a link");
        let files = FolderFiles::default();
        assert_eq!(files.matching(&folder, ""), ["inside.txt"]);
        assert_eq!(files.matching(&folder, "../secret"), [] as [&str; 0]);
    }

    #[test]
    fn a_look_counts_for_a_moment_and_few_are_remembered() {
        let folder = tempfile::tempdir().expect("a folder");
        let files = FolderFiles::default();
        for at in 0..REMEMBERED + 3 {
            write(folder.path(), &format!("{at}/file"), "");
            assert_eq!(files.matching(&folder.path().join(at.to_string()), "file"), ["file"]);
        }
        assert_eq!(files.folders.lock().expect("the folders").len(), REMEMBERED);
    }

    #[test]
    fn slow_folder_delays_only_who_asks_for_it() {
        let files = &FolderFiles::default();
        let (slow, quick) = (Path::new("/slow"), Path::new("/quick"));
        let found = |path: &str| vec![path.to_owned()];
        let (go_on, wait) = mpsc::channel::<()>();
        let (begun, begins) = mpsc::channel::<()>();
        thread::scope(|scope| {
            let first = scope.spawn(move || {
                files.paths(slow, |_| {
                    begun.send(()).expect("somebody waits");
                    wait.recv_timeout(Duration::from_secs(60)).expect("the other was answered");
                    found("a")
                })
            });
            begins.recv().expect("it looks");
            assert_eq!(*files.paths(quick, |_| found("b")), found("b"));
            let second = scope.spawn(move || files.paths(slow, |_| panic!("one look is enough for both")));
            go_on.send(()).expect("it waits");
            assert_eq!(*first.join().expect("no panic"), found("a"));
            assert_eq!(*second.join().expect("no panic"), found("a"));
        });
    }
}
