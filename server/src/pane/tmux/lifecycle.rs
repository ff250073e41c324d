//! The life of the private tmux server: is there a tmux, is it new enough, does the server run, start it.
//!
//! These few commands are run as processes, built with `tmux_interface`; everything else goes over the control connection.
//! Each has a limit, because a stopped server answers nobody.

use std::{
    fs,
    io::{self, Write as _},
    os::unix::fs::OpenOptionsExt,
    path::PathBuf,
    process::{Output, Stdio},
    time::Duration,
};

use rustix::process::{Pid, Signal};
use tmux_interface::{AttachSession, HasSession, ListClients, NewSession, SourceFile, Tmux};
use tokio::{
    process::{Child, Command},
    time,
};

use super::config;
use crate::pane::PaneError;

/// The session that is always there and has every window, so that one client sees the output of all.
pub(super) const HUB: &str = "hub";
/// The size of panes unless asked otherwise.
const HUB_SIZE: (usize, usize) = (120, 40);
/// The oldest tmux that works: pausing a flooding pane and `remain-on-exit-format` came with it.
const OLDEST: (u32, u32) = (3, 3);
/// Starting a server takes some 10 ms; a machine under load may take a hundred times as long.
const LIMIT: Duration = Duration::from_secs(5);
/// A server that is just going away refuses a new session; it is gone within milliseconds.
const START_ATTEMPTS: u32 = 10;
const START_PAUSE: Duration = Duration::from_millis(100);
/// What the tmux processes need of our environment; the server's own copy is cleared afterwards.
const ENVIRONMENT: [&str; 7] = ["PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "TMUX_TMPDIR", "TERMINFO"];

/// Where the private server is.
#[derive(Debug, Clone)]
pub(super) struct Place {
    /// The name of its socket.
    pub(super) name: String,
    /// Where we keep its configuration.
    pub(super) folder: PathBuf,
}

/// Whether the server runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Running {
    /// With its hub.
    Yes,
    /// Somebody ended the hub.
    WithoutHub,
    /// Not at all.
    No,
}

impl Place {
    /// The version of tmux, if it is new enough.
    pub(super) async fn version(&self) -> Result<String, PaneError> {
        let output = run(Tmux::new().version()).await?;
        let text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        match parse_version(&text) {
            Some(version) if version < OLDEST => Err(PaneError::Unavailable(format!(
                "{text} is too old: install tmux {}.{} or newer",
                OLDEST.0, OLDEST.1
            ))),
            // A version without a number is a development build, newer than any.
            _ => Ok(text),
        }
    }

    /// Whether the server runs.
    pub(super) async fn running(&self) -> Result<Running, PaneError> {
        let output = run(self.tmux().command(HasSession::new().target_session(format!("={HUB}")))).await?;
        if output.status.success() {
            return Ok(Running::Yes);
        }
        let reason = reason(&output);
        if reason.starts_with("can't find session") {
            Ok(Running::WithoutHub)
        } else if reason.starts_with("no server running")
            || (reason.starts_with("error connecting") && reason.contains("No such file"))
        {
            Ok(Running::No)
        } else {
            Err(PaneError::Unavailable(reason))
        }
    }

    /// Starts the server, or only its hub when that alone is missing.
    pub(super) async fn start(&self) -> Result<(), PaneError> {
        self.write_config()?;
        let mut refusal = String::new();
        for attempt in 0..START_ATTEMPTS {
            if attempt > 0 {
                time::sleep(START_PAUSE).await;
            }
            // The hub's own program ends at once; its pane remains and costs nothing.
            let hub = NewSession::new()
                .detached()
                .session_name(HUB)
                .width(HUB_SIZE.0)
                .height(HUB_SIZE.1)
                .shell_command("exec true");
            let output = run(self.tmux().command(hub)).await?;
            refusal = reason(&output);
            if output.status.success() || refusal.starts_with("duplicate session") {
                return Ok(());
            }
            tracing::debug!(attempt, %refusal, "tmux did not start");
        }
        Err(PaneError::Unavailable(format!("tmux did not start: {refusal}")))
    }

    /// Lets a server that runs already read our configuration, which may be newer than it is. Not done over the control
    /// connection: there every command of the file would give a reply of its own.
    pub(super) async fn configure(&self) -> Result<(), PaneError> {
        self.write_config()?;
        let output = run(self.tmux().command(SourceFile::new().path(self.config_path().to_string_lossy()))).await?;
        if !output.status.success() {
            tracing::warn!(reason = reason(&output), "tmux does not take all of its configuration");
        }
        Ok(())
    }

    /// Ends control clients of servers of ours that were killed: tmux 3.3a keeps one that had output waiting. Nobody else is
    /// attached to the hub, and only one server of ours runs at a time.
    pub(super) async fn end_stale_clients(&self) {
        let list = ListClients::new().target_session(format!("={HUB}")).format("#{client_control_mode} #{client_pid}");
        let Ok(output) = run(self.tmux().command(list)).await else { return };
        let clients = String::from_utf8_lossy(&output.stdout).into_owned();
        for pid in clients.lines().filter_map(|line| line.strip_prefix("1 ")) {
            if let Some(pid) = pid.parse().ok().and_then(Pid::from_raw) {
                // It may have ended just now.
                let _ = rustix::process::kill_process(pid, Signal::KILL);
            }
        }
    }

    /// Attaches the control client.
    pub(super) fn attach(&self) -> Result<Child, PaneError> {
        let attach = AttachSession::new().target_session(format!("={HUB}"));
        command(self.tmux().force_utf8().control_mode().command(attach))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| not_run(&error))
    }

    /// Where the configuration is.
    pub(super) fn config_path(&self) -> PathBuf {
        self.folder.join("tmux.conf")
    }

    fn tmux(&self) -> Tmux<'_> {
        Tmux::new().socket_name(self.name.as_str()).file(self.config_path().to_string_lossy().into_owned())
    }

    fn write_config(&self) -> Result<(), PaneError> {
        // Most often it is there already, and then no full disk can be in the way.
        if fs::read_to_string(self.config_path()).is_ok_and(|there| there == config::text()) {
            return Ok(());
        }
        let write = || {
            fs::create_dir_all(&self.folder)?;
            let mut options = fs::OpenOptions::new();
            let mut file = options.write(true).create(true).truncate(true).mode(0o600).open(self.config_path())?;
            file.write_all(config::text().as_bytes())
        };
        write().map_err(|error: io::Error| {
            PaneError::Unavailable(format!("writing tmux's configuration in {}: {error}", self.folder.display()))
        })
    }
}

/// The process to run, with nothing of our environment but what tmux needs.
fn command(tmux: Tmux<'_>) -> Command {
    let mut command = Command::from(tmux.into_command());
    command.env_clear().kill_on_drop(true).current_dir("/").stdin(Stdio::null());
    for name in ENVIRONMENT {
        if let Some(value) = std::env::var_os(name) {
            command.env(name, value);
        }
    }
    command
}

async fn run(tmux: Tmux<'_>) -> Result<Output, PaneError> {
    match time::timeout(LIMIT, command(tmux).output()).await {
        Ok(Ok(output)) => Ok(output),
        Ok(Err(error)) => Err(not_run(&error)),
        Err(_) => Err(PaneError::Unavailable(format!("tmux did not answer within {} s", LIMIT.as_secs()))),
    }
}

fn not_run(error: &io::Error) -> PaneError {
    PaneError::Unavailable(if error.kind() == io::ErrorKind::NotFound {
        "tmux is not installed: install it with `apt install tmux`, `dnf install tmux` or `brew install tmux`".into()
    } else {
        format!("running tmux: {error}")
    })
}

fn reason(output: &Output) -> String {
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
