//! Where things are kept: the XDG folders, ours alone to read.

use std::{
    env, fs, io,
    os::unix::fs::{DirBuilderExt as _, PermissionsExt as _},
    path::{Path, PathBuf},
};

/// What we keep in the data folder, and what in the folder for the running server: each by the beginning of its name.
const KEPT: &[&str] = &[
    "answerback.db",
    "journal-pins.jsonl",
    "lock",
    "metrics-token",
    "server.log",
    "sessions",
    "tls-",
    "tmux-",
    "vapid-key.der",
];
const RUNNING: &[&str] = &["control.sock", "hooks.sock", "tmux-", "tmux.conf"];

/// The folders of one installation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Paths {
    /// What must last: the database, certificates, files of sessions.
    pub data: PathBuf,
    /// What lasts as long as the machine is up: sockets, the lock.
    pub runtime: PathBuf,
}

impl Paths {
    /// The usual folders, or all below one that was named.
    #[must_use]
    pub fn resolve(data: Option<&Path>) -> Self {
        if let Some(data) = data {
            return Self { data: data.to_owned(), runtime: data.join("run") };
        }
        let data = xdg("XDG_DATA_HOME", ".local/share").join("answerback");
        let runtime = env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from).filter(|path| path.is_absolute());
        Self { runtime: runtime.map_or_else(|| data.join("run"), |path| path.join("answerback")), data }
    }

    /// Makes the folders, for the owner only.
    ///
    /// # Errors
    /// When they cannot be made.
    pub fn create(&self) -> io::Result<()> {
        for folder in [&self.data, &self.runtime] {
            fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
            fs::set_permissions(folder, fs::Permissions::from_mode(0o700))?;
        }
        Ok(())
    }

    /// Everything of ours that is there, without the folders themselves.
    #[must_use]
    pub fn kept(&self) -> Vec<PathBuf> {
        let mut found: Vec<PathBuf> = [(&self.data, KEPT), (&self.runtime, RUNNING)]
            .into_iter()
            .flat_map(|(folder, ours)| {
                let entries = fs::read_dir(folder).into_iter().flatten().flatten();
                let is_ours = |entry: &fs::DirEntry| {
                    let name = entry.file_name();
                    name.to_str().is_some_and(|name| ours.iter().any(|start| name.starts_with(start)))
                };
                entries.filter(is_ours).map(|entry| entry.path()).collect::<Vec<_>>()
            })
            .collect();
        found.sort();
        found
    }

    /// The socket that the commands of this binary use to reach the server.
    #[must_use]
    pub fn control_socket(&self) -> PathBuf {
        self.runtime.join("control.sock")
    }

    /// The socket on which the hooks of the CLIs arrive.
    #[must_use]
    pub fn hook_socket(&self) -> PathBuf {
        self.runtime.join("hooks.sock")
    }
}

/// The usual place of the configuration file.
#[must_use]
pub fn config_file() -> PathBuf {
    xdg("XDG_CONFIG_HOME", ".config").join("answerback/config.toml")
}

fn xdg(variable: &str, below_home: &str) -> PathBuf {
    let set = env::var_os(variable).map(PathBuf::from).filter(|path| path.is_absolute());
    set.unwrap_or_else(|| env::home_dir().unwrap_or_else(|| PathBuf::from("/")).join(below_home))
}
