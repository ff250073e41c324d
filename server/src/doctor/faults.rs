//! What is wrong on the disk and can be put right without asking: folders that are missing, files that others may read or change,
//! sockets that a killed server has left. Nothing that a person made is ever taken away.

use std::{
    fs, io,
    os::unix::{
        fs::{FileTypeExt as _, MetadataExt as _, PermissionsExt as _},
        net::UnixStream,
    },
    path::{Path, PathBuf},
};

use rustix::fs::FlockOperation;
use shared_types::Verdict;

use crate::{config::Settings, paths::Paths};

/// Bits that let others in.
const OTHERS: u32 = 0o077;
/// Bits that let others change something.
const OTHERS_WRITE: u32 = 0o022;

/// Something that is wrong, and what puts it right.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    /// What is meant, in a word or two.
    pub(crate) what: String,
    pub(crate) verdict: Verdict,
    /// What is wrong with it.
    pub(crate) detail: String,
    remedy: Remedy,
}

#[derive(Debug, PartialEq, Eq)]
enum Remedy {
    MakeFolders(Paths),
    SetMode(PathBuf, u32),
    Remove(PathBuf),
}

impl Fault {
    /// Puts it right, and says what was done.
    pub(crate) fn mend(&self) -> io::Result<String> {
        match &self.remedy {
            Remedy::MakeFolders(paths) => {
                paths.create()?;
                Ok(format!("made {} and {}, for you alone", paths.data.display(), paths.runtime.display()))
            }
            Remedy::SetMode(path, mode) => {
                fs::set_permissions(path, fs::Permissions::from_mode(*mode))?;
                Ok(format!("closed {} to others (chmod {mode:o})", path.display()))
            }
            Remedy::Remove(path) => {
                fs::remove_file(path)?;
                Ok(format!("took {} away", path.display()))
            }
        }
    }

    /// What a person types where we may not put it right.
    pub(crate) fn by_hand(&self) -> String {
        match &self.remedy {
            Remedy::MakeFolders(paths) => {
                format!("mkdir -p -m 700 '{}' '{}'", paths.data.display(), paths.runtime.display())
            }
            Remedy::SetMode(path, mode) => format!("chmod {mode:o} '{}'", path.display()),
            Remedy::Remove(path) => format!("rm '{}'", path.display()),
        }
    }
}

/// All that is wrong.
pub(crate) fn faults(settings: &Settings) -> Vec<Fault> {
    let Settings { paths, file, rules, .. } = settings;
    let mut faults = Vec::new();
    for (what, folder) in [("data folder", &paths.data), ("run folder", &paths.runtime)] {
        faults.extend(folder_fault(what, folder, paths));
    }
    faults.extend(secrets(&paths.data).filter_map(|path| open_to(&path, OTHERS, "others can read")));
    // Both say what runs and what is allowed on this machine.
    faults.extend([file, rules].into_iter().filter_map(|path| open_to(path, OTHERS_WRITE, "others can change")));
    if !server_runs(&paths.data) {
        faults.extend([paths.control_socket(), paths.hook_socket()].into_iter().filter_map(stale_socket));
    }
    // Two folders that are one have one fault.
    faults.dedup();
    faults
}

fn folder_fault(what: &str, folder: &Path, paths: &Paths) -> Option<Fault> {
    match folder.symlink_metadata() {
        Ok(meta) if meta.is_dir() => {
            open_to(folder, OTHERS, "others can look into").map(|fault| Fault { what: what.to_owned(), ..fault })
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Some(Fault {
            what: what.to_owned(),
            verdict: Verdict::Note,
            detail: format!("{} is made at the first start", folder.display()),
            remedy: Remedy::MakeFolders(paths.clone()),
        }),
        _ => None,
    }
}

/// The files of the data folder that open something: the database, keys and tokens.
fn secrets(data: &Path) -> impl Iterator<Item = PathBuf> {
    let is_secret = |name: &str| {
        name.starts_with("answerback.db") || ["-key.pem", "-key.der", "-token"].iter().any(|end| name.ends_with(end))
    };
    let entries = fs::read_dir(data).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> =
        entries.filter(|entry| entry.file_name().to_str().is_some_and(is_secret)).map(|entry| entry.path()).collect();
    paths.sort();
    paths.into_iter()
}

/// A file or folder of which others have some of these bits. Where a link leads is not ours to change.
fn open_to(path: &Path, bits: u32, others_can: &str) -> Option<Fault> {
    let meta = path.symlink_metadata().ok().filter(|meta| !meta.is_symlink())?;
    let mode = meta.mode() & 0o777;
    (mode & bits != 0).then(|| Fault {
        what: path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        verdict: Verdict::Bad,
        detail: format!("{others_can} {}", path.display()),
        remedy: Remedy::SetMode(path.to_owned(), mode & !bits),
    })
}

/// A socket at which nobody listens any more.
fn stale_socket(path: PathBuf) -> Option<Fault> {
    let is_socket = path.symlink_metadata().is_ok_and(|meta| meta.file_type().is_socket());
    let is_refused = || UnixStream::connect(&path).is_err_and(|error| error.kind() == io::ErrorKind::ConnectionRefused);
    (is_socket && is_refused()).then(|| Fault {
        what: path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        verdict: Verdict::Note,
        detail: format!("{} was left by a server that was killed; the next start takes it away", path.display()),
        remedy: Remedy::Remove(path),
    })
}

/// Whether a server has this data folder, be it only just starting.
pub(crate) fn server_runs(data: &Path) -> bool {
    let Ok(lock) = fs::OpenOptions::new().write(true).open(data.join("lock")) else { return false };
    rustix::fs::flock(&lock, FlockOperation::NonBlockingLockExclusive) == Err(rustix::io::Errno::WOULDBLOCK)
}

#[cfg(test)]
mod tests {
    use std::os::unix::net::UnixListener;

    use super::*;
    use crate::config::Flags;

    /// Settings in a folder of the test's own, with the folder's parts readable as given.
    fn settings(folder: &Path) -> Settings {
        let config = folder.join("config.toml");
        write(&config, 0o600);
        let flags = Flags { data_dir: Some(folder.join("data")), config: Some(config), ..Flags::default() };
        Settings::load(&flags).expect("settings")
    }

    fn write(path: &Path, mode: u32) {
        fs::write(path, "").expect("written");
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("its mode");
    }

    fn found(settings: &Settings) -> Vec<String> {
        faults(settings).into_iter().map(|fault| fault.what).collect()
    }

    fn mode(path: &Path) -> u32 {
        path.metadata().expect("it is there").mode() & 0o777
    }

    #[test]
    fn missing_folders_are_made_for_the_owner_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        let settings = settings(folder.path());
        let missing = faults(&settings);
        assert_eq!(found(&settings), ["data folder", "run folder"]);
        missing[0].mend().expect("made");
        assert_eq!(found(&settings), [""; 0]);
        assert_eq!((mode(&settings.paths.data), mode(&settings.paths.runtime)), (0o700, 0o700));
    }

    #[test]
    fn what_others_may_read_or_change_is_closed_and_nothing_else_is_touched() {
        let folder = tempfile::tempdir().expect("a folder");
        let settings = settings(folder.path());
        let data = &settings.paths.data;
        settings.paths.create().expect("folders");
        for (name, mode) in
            [("answerback.db", 0o644), ("tls-key.pem", 0o640), ("vapid-key.der", 0o600), ("notes", 0o644)]
        {
            write(&data.join(name), mode);
        }
        fs::set_permissions(data, fs::Permissions::from_mode(0o755)).expect("its mode");
        write(&settings.file, 0o666);
        write(&settings.rules, 0o644);
        assert_eq!(found(&settings), ["data folder", "answerback.db", "tls-key.pem", "config.toml"]);
        for fault in faults(&settings) {
            fault.mend().expect("put right");
        }
        assert_eq!(found(&settings), [""; 0]);
        let modes = [data.clone(), data.join("tls-key.pem"), data.join("notes"), settings.file, settings.rules];
        assert_eq!(modes.map(|path| mode(&path)), [0o700, 0o600, 0o644, 0o644, 0o644]);
    }

    #[test]
    fn socket_is_taken_away_only_when_nobody_listens() {
        let folder = tempfile::tempdir().expect("a folder");
        let settings = settings(folder.path());
        settings.paths.create().expect("folders");
        let _listens = UnixListener::bind(settings.paths.control_socket()).expect("a socket");
        drop(UnixListener::bind(settings.paths.hook_socket()).expect("a socket"));
        assert_eq!(found(&settings), ["hooks.sock"]);
        let lock = fs::File::create(settings.paths.data.join("lock")).expect("a lock");
        rustix::fs::flock(&lock, FlockOperation::NonBlockingLockExclusive).expect("locked");
        assert!(server_runs(&settings.paths.data));
        assert_eq!(found(&settings), [""; 0], "a server that starts makes it anew");
        drop(lock);
        faults(&settings)[0].mend().expect("taken away");
        assert!(settings.paths.control_socket().exists() && !settings.paths.hook_socket().exists());
    }
}
