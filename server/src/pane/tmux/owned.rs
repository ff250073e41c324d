//! The tmux server that is ours: started, configured and kept in order by the one Answerback server that runs.

use std::{
    fs,
    io::{self, Write as _},
    os::unix::fs::OpenOptionsExt,
    path::PathBuf,
    process::Stdio,
    time::Duration,
};

use rustix::process::{Pid, Signal};
use tmux_interface::{AttachSession, ListClients, NewSession, SourceFile};
use tokio::{process::Child, time};

use super::{
    command::{self, Address, HUB, not_run, reason},
    config,
};
use crate::pane::PaneError;

/// The size of panes unless asked otherwise.
const HUB_SIZE: (usize, usize) = (120, 40);
/// A server that is just going away refuses a new session; it is gone within milliseconds.
const START_ATTEMPTS: u32 = 10;
const START_PAUSE: Duration = Duration::from_millis(100);

/// What we do to our own server, and never to one that is only borrowed.
#[derive(Debug, Clone)]
pub(super) struct OwnedServer {
    /// Where it is.
    pub(super) address: Address,
    /// Where we keep its configuration.
    pub(super) folder: PathBuf,
}

impl OwnedServer {
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
            let tmux = self.address.tmux().file(self.config_path().to_string_lossy().into_owned());
            let output = command::run(tmux.command(hub)).await?;
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
        let output = self.address.run(SourceFile::new().path(self.config_path().to_string_lossy())).await?;
        if !output.status.success() {
            tracing::warn!(reason = reason(&output), "tmux does not take all of its configuration");
        }
        Ok(())
    }

    /// Ends control clients of servers of ours that were killed: tmux 3.3a keeps one that had output waiting. Nobody else is
    /// attached to the hub, and only one Answerback server runs at a time; its commands use [`super::borrowed`].
    pub(super) async fn end_stale_clients(&self) {
        let list = ListClients::new().target_session(format!("={HUB}")).format("#{client_control_mode} #{client_pid}");
        let Ok(output) = self.address.run(list).await else { return };
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
        command::process(self.address.tmux().force_utf8().control_mode().command(attach))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| not_run(&error))
    }

    fn config_path(&self) -> PathBuf {
        self.folder.join("tmux.conf")
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
