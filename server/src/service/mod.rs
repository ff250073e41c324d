//! Answerback as a service of the person's own: started with the session, started again after a fault. Pure: texts and places;
//! `cli/service.rs` writes them.
//!
//! A service manager ends everything a service has started when it stops the service. Both files say that it must not: the
//! terminal server and the CLIs in it run on.
//!
//! systemd also holds the port (`answerback.socket`): stopped or started anew, it is never free for another program, which
//! phones would then send their cookies to.

mod launchd;
mod systemd;

use std::{
    net::SocketAddr,
    path::{Path, PathBuf},
};

/// The first words of every file that is ours; another file is never touched.
pub const MARK: &str = "Written by `answerback service install`";

/// Who starts services here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Manager {
    /// systemd, for this user.
    Systemd,
    /// launchd, for this user.
    Launchd,
}

/// What the service runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Service {
    /// This very binary.
    pub program: PathBuf,
    /// The flags of `answerback serve`.
    pub flags: Vec<String>,
    /// Where programs are found: a service manager gives little, and the CLIs are elsewhere.
    pub path: String,
    /// The person's home folder.
    pub home: PathBuf,
    /// Where it listens: held by the service manager where that can, so that nobody else ever gets the port.
    pub address: SocketAddr,
}

/// A file of a service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServiceFile {
    /// Where it stands.
    pub path: PathBuf,
    /// What stands in it.
    pub text: String,
}

impl Manager {
    /// The one of this system.
    #[must_use]
    pub fn of_this_system() -> Self {
        if cfg!(target_os = "macos") { Self::Launchd } else { Self::Systemd }
    }

    /// Where its files are.
    #[must_use]
    pub fn paths(self, home: &Path) -> Vec<PathBuf> {
        match self {
            Self::Systemd => {
                let folder = home.join(".config/systemd/user");
                vec![folder.join("answerback.service"), folder.join("answerback.socket")]
            }
            Self::Launchd => vec![home.join("Library/LaunchAgents/dev.answerback.plist")],
        }
    }

    /// Its files, with what stands in them.
    #[must_use]
    pub fn files(self, service: &Service) -> Vec<ServiceFile> {
        let texts = match self {
            Self::Systemd => vec![systemd::unit(service), systemd::socket(service)],
            // launchd hands sockets over only through a call of its own C library: the port is free while the server is stopped.
            Self::Launchd => vec![launchd::plist(service)],
        };
        let files = self.paths(&service.home).into_iter().zip(texts);
        files.map(|(path, text)| ServiceFile { path, text }).collect()
    }

    /// The program that one of its files starts, if it is a file of ours that starts one.
    #[must_use]
    pub fn program_in(self, text: &str) -> Option<PathBuf> {
        if !text.contains(MARK) {
            return None;
        }
        match self {
            Self::Systemd => systemd::program(text),
            Self::Launchd => launchd::program(text),
        }
    }

    /// What to type to start it now and always.
    #[must_use]
    pub fn start_commands(self, home: &Path) -> Vec<String> {
        match self {
            Self::Systemd => vec![
                "systemctl --user daemon-reload".to_owned(),
                "systemctl --user enable --now answerback.socket answerback.service".to_owned(),
                "loginctl enable-linger   # so that it runs while you are not logged in".to_owned(),
            ],
            Self::Launchd => {
                let load = |file: PathBuf| format!("launchctl bootstrap gui/$(id -u) '{}'", file.display());
                self.paths(home).into_iter().map(load).collect()
            }
        }
    }

    /// What to type to stop it, now and always.
    #[must_use]
    pub fn stop_commands(self) -> Vec<String> {
        match self {
            Self::Systemd => vec![
                "systemctl --user disable --now answerback.service answerback.socket".to_owned(),
                "systemctl --user daemon-reload".to_owned(),
            ],
            Self::Launchd => vec!["launchctl bootout gui/$(id -u)/dev.answerback".to_owned()],
        }
    }

    /// How to ask whether it runs.
    #[must_use]
    pub fn status_command(self) -> &'static [&'static str] {
        match self {
            Self::Systemd => &["systemctl", "--user", "is-active", "answerback"],
            Self::Launchd => &["launchctl", "list", "dev.answerback"],
        }
    }
}
