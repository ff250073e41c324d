//! Answerback as a service of the person's own: started with the session, started again after a fault. Pure: texts and places;
//! `cli/service.rs` writes them.
//!
//! A service manager ends everything a service has started when it stops the service. Both files say that it must not: the
//! terminal server and the CLIs in it run on.

mod launchd;
mod systemd;

use std::path::{Path, PathBuf};

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
}

impl Manager {
    /// The one of this system.
    #[must_use]
    pub fn of_this_system() -> Self {
        if cfg!(target_os = "macos") { Self::Launchd } else { Self::Systemd }
    }

    /// Where its file is.
    #[must_use]
    pub fn file(self, home: &Path) -> PathBuf {
        match self {
            Self::Systemd => home.join(".config/systemd/user/answerback.service"),
            Self::Launchd => home.join("Library/LaunchAgents/dev.answerback.plist"),
        }
    }

    /// What stands in it.
    #[must_use]
    pub fn text(self, service: &Service) -> String {
        match self {
            Self::Systemd => systemd::unit(service),
            Self::Launchd => launchd::plist(service),
        }
    }

    /// What to type to start it now and always.
    #[must_use]
    pub fn start_commands(self, file: &Path) -> Vec<String> {
        match self {
            Self::Systemd => vec![
                "systemctl --user daemon-reload".to_owned(),
                "systemctl --user enable --now answerback".to_owned(),
                "loginctl enable-linger   # so that it runs while you are not logged in".to_owned(),
            ],
            Self::Launchd => vec![format!("launchctl bootstrap gui/$(id -u) '{}'", file.display())],
        }
    }

    /// What to type to stop it, now and always.
    #[must_use]
    pub fn stop_commands(self) -> Vec<String> {
        match self {
            Self::Systemd => vec![
                "systemctl --user disable --now answerback".to_owned(),
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
