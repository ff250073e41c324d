//! tmux run as a process, one command at a time. Everything that is done often goes over the control connection instead.
//!
//! `tmux_interface` writes these command lines: its types know which flag of which command takes what. It is used for nothing
//! else: its `Display` does not quote, and its reader of control mode drops lines. Each command has a limit, because a stopped
//! server answers nobody.

use std::{
    io,
    path::PathBuf,
    process::{Output, Stdio},
    time::Duration,
};

use tmux_interface::{HasSession, Tmux, commands::tmux_command::TmuxCommand};
use tokio::{process::Command, time};

use crate::pane::PaneError;

/// The session that is always there and has every window, so that one client sees the output of all.
pub(super) const HUB: &str = "hub";
/// The oldest tmux that works: pausing a flooding pane and `remain-on-exit-format` came with it.
const OLDEST: (u32, u32) = (3, 3);
/// Starting a server takes some 10 ms; a machine under load may take a hundred times as long.
const LIMIT: Duration = Duration::from_secs(5);
/// What the tmux processes need of our environment; the server's own copy is cleared afterwards.
const ENVIRONMENT: [&str; 7] = ["PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "TMUX_TMPDIR", "TERMINFO"];

/// How a tmux server is reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Address {
    /// By the path of its socket.
    Path(PathBuf),
    /// By the name of its socket in tmux's own folder, where earlier versions of Answerback had it.
    Name(String),
}

/// What became of asking a server for its hub.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Hub {
    /// It is there.
    There,
    /// The server runs without it.
    Missing,
    /// No server runs there.
    NoServer,
}

impl Address {
    /// A tmux command line for this server, without the command.
    pub(super) fn tmux(&self) -> Tmux<'static> {
        match self {
            Self::Path(path) => Tmux::new().socket_path(path.to_string_lossy().into_owned()),
            Self::Name(name) => Tmux::new().socket_name(name.clone()),
        }
    }

    /// The words of a tmux command line for this server, for somebody else to run.
    pub(super) fn words(&self) -> Vec<String> {
        match self {
            Self::Path(path) => vec!["tmux".into(), "-S".into(), path.to_string_lossy().into_owned()],
            Self::Name(name) => vec!["tmux".into(), "-L".into(), name.clone()],
        }
    }

    /// Runs one command.
    pub(super) async fn run<'a>(&self, command: impl Into<TmuxCommand<'a>>) -> Result<Output, PaneError> {
        run(self.tmux().command(command)).await
    }

    /// Whether a server of ours runs there.
    pub(super) async fn hub(&self) -> Result<Hub, PaneError> {
        let output = self.run(HasSession::new().target_session(format!("={HUB}"))).await?;
        if output.status.success() {
            return Ok(Hub::There);
        }
        let reason = reason(&output);
        if reason.starts_with("can't find session") {
            Ok(Hub::Missing)
        } else if reason.starts_with("no server running")
            || (reason.starts_with("error connecting") && reason.contains("No such file"))
        {
            Ok(Hub::NoServer)
        } else {
            Err(PaneError::Unavailable(reason))
        }
    }
}

/// The version of tmux, if it is new enough.
pub(super) async fn version() -> Result<String, PaneError> {
    let output = run(Tmux::new().version()).await?;
    let text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    match parse_version(&text) {
        Some(version) if version < OLDEST => {
            Err(PaneError::Unavailable(format!("{text} is too old: install tmux {}.{} or newer", OLDEST.0, OLDEST.1)))
        }
        // A version without a number is a development build, newer than any.
        _ => Ok(text),
    }
}

/// The process to run, with nothing of our environment but what tmux needs.
pub(super) fn process(tmux: Tmux<'_>) -> Command {
    let mut command = Command::from(tmux.into_command());
    command.env_clear().kill_on_drop(true).current_dir("/").stdin(Stdio::null());
    for name in ENVIRONMENT {
        if let Some(value) = std::env::var_os(name) {
            command.env(name, value);
        }
    }
    command
}

/// Runs it and waits for its end.
pub(super) async fn run(tmux: Tmux<'_>) -> Result<Output, PaneError> {
    match time::timeout(LIMIT, process(tmux).output()).await {
        Ok(Ok(output)) => Ok(output),
        Ok(Err(error)) => Err(not_run(&error)),
        Err(_) => Err(PaneError::Unavailable(format!("tmux did not answer within {} s", LIMIT.as_secs()))),
    }
}

/// Why tmux was not run.
pub(super) fn not_run(error: &io::Error) -> PaneError {
    PaneError::Unavailable(if error.kind() == io::ErrorKind::NotFound {
        "tmux is not installed: install it with `apt install tmux`, `dnf install tmux` or `brew install tmux`".into()
    } else {
        format!("running tmux: {error}")
    })
}

/// What it said when it failed.
pub(super) fn reason(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).trim().to_owned()
}

/// Reads `tmux 3.3a`, `tmux 3.4-rc2` or `tmux next-3.6`.
fn parse_version(text: &str) -> Option<(u32, u32)> {
    let numbers = text.trim_start_matches(|letter: char| !letter.is_ascii_digit());
    let (major, rest) = numbers.split_once('.')?;
    let minor: String = rest.chars().take_while(char::is_ascii_digit).collect();
    Some((major.parse().ok()?, minor.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_tmux_is_named() {
        let error = not_run(&io::Error::from(io::ErrorKind::NotFound)).to_string();
        assert!(error.contains("tmux is not installed: install it with"), "{error}");
    }

    #[test]
    fn versions_are_read() {
        for (text, expected) in [
            ("tmux 3.3a", Some((3, 3))),
            ("tmux next-3.6", Some((3, 6))),
            ("tmux 2.9", Some((2, 9))),
            ("tmux 3.10-rc", Some((3, 10))),
            ("tmux master", None),
            ("", None),
        ] {
            assert_eq!(parse_version(text), expected, "{text}");
        }
    }
}
