//! The way in to our own tmux server: a socket that is only there while one of us comes in.
//!
//! Whoever opens tmux's socket types into every pane and runs programs outside of every sandbox, so it must not stand open to the
//! programs in the panes. Once the control client is connected the socket is removed, together with its folder. tmux makes it
//! again when it gets SIGUSR1, but only while the folder is there: a sandbox that may not write in our runtime folder cannot
//! bring it back. 200 of 200 times that worked with tmux 3.3a, within milliseconds.
//!
//! The server itself closes behind its control client. The other commands of this binary leave a mark with their process id beside
//! the socket; while such a process runs, and not for long, the server leaves the socket there.
//!
//! A server whose socket is away is known by a record of its process. It is kept in the data folder, because the runtime folder
//! of a person who logs out may be emptied while their sessions run on.
//!
//! Earlier versions had the socket in tmux's own folder (`tmux -L NAME`). A server that still runs there is used as it is until it
//! ends; only when none does is one started here.

use std::{
    fs, io,
    os::unix::fs::DirBuilderExt as _,
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

use rustix::process::{Pid, Signal};
use tokio::{
    net::UnixStream,
    time::{self, Instant},
};

use super::{
    command::{Address, Hub},
    processes::{self, Process},
};
use crate::{pane::PaneError, paths::Paths};

/// How long tmux may take to make its socket again; it takes milliseconds, unless it is stopped.
const OPEN_LIMIT: Duration = Duration::from_secs(2);
const LOOK_AGAIN: Duration = Duration::from_millis(5);
/// For how long a visitor keeps the socket there: enough to attach on a machine under load.
const VISIT_LIMIT: Duration = Duration::from_secs(30);

/// Where our server is found, also while its socket is away.
#[derive(Debug, Clone)]
pub(super) struct Door {
    name: String,
    /// Holds nothing but the socket.
    folder: PathBuf,
    /// Says which process the server is.
    record: PathBuf,
}

impl Door {
    /// The way in to the server of this name.
    pub(super) fn new(name: &str, paths: &Paths) -> Self {
        Self {
            name: name.to_owned(),
            folder: paths.runtime.join(format!("tmux-{name}")),
            record: paths.data.join(format!("tmux-{name}.json")),
        }
    }

    /// Finds the server that runs and makes its socket if need be. Without one this is where it would be started.
    pub(super) async fn open(&self) -> Result<(Address, Hub), PaneError> {
        let own = Address::Path(self.socket());
        let mut hub = own.hub().await?;
        if hub == Hub::NoServer && self.ask_for_socket().await? {
            hub = own.hub().await?;
        }
        if hub == Hub::NoServer {
            let earlier = Address::Name(self.name.clone());
            // Whatever else is the matter with tmux's own folder is none of our business.
            if let Ok(hub @ (Hub::There | Hub::Missing)) = earlier.hub().await {
                return Ok((earlier, hub));
            }
            self.make_folder().map_err(|error| self.no_folder(&error))?;
        }
        Ok((own, hub))
    }

    /// Notes which process the server is, and closes. Without the note the socket stays: it is the only way back in.
    pub(super) async fn close_behind(&self, address: &Address, server_pid: u32) {
        if !matches!(address, Address::Path(_)) {
            return;
        }
        match self.remember(server_pid).await {
            Ok(()) => self.close_behind_visitors(server_pid),
            Err(error) => tracing::warn!(%error, "cannot note which process tmux is: its socket stays open"),
        }
    }

    /// Comes in from another process than the server's.
    pub(super) async fn visit(&self) -> Result<(Address, Hub), PaneError> {
        let mark = self.folder.join(std::process::id().to_string());
        self.make_folder().and_then(|()| fs::write(mark, "")).map_err(|error| self.no_folder(&error))?;
        let found = self.open().await?;
        if found.1 == Hub::NoServer {
            self.close();
        }
        Ok(found)
    }

    /// Closes what visitors of this server have left open.
    pub(super) fn close_behind_visitors(&self, server_pid: u32) {
        let is_recorded = || self.recorded().is_some_and(|server| u32::try_from(server.pid()) == Ok(server_pid));
        if self.folder.exists() && is_recorded() && !self.has_visitors() {
            self.close();
        }
    }

    fn has_visitors(&self) -> bool {
        fs::read_dir(&self.folder).into_iter().flatten().flatten().any(|entry| {
            let pid = entry.file_name().to_str().and_then(|name| name.parse().ok()).and_then(Pid::from_raw);
            let made = entry.metadata().and_then(|meta| meta.modified());
            let is_young = |made: SystemTime| made.elapsed().is_ok_and(|age| age < VISIT_LIMIT);
            pid.is_some_and(|pid| rustix::process::test_kill_process(pid).is_ok()) && made.is_ok_and(is_young)
        })
    }

    fn socket(&self) -> PathBuf {
        self.folder.join("socket")
    }

    fn close(&self) {
        for entry in fs::read_dir(&self.folder).into_iter().flatten().flatten() {
            let _ = fs::remove_file(entry.path());
        }
        let _ = fs::remove_dir(&self.folder);
    }

    fn no_folder(&self, error: &io::Error) -> PaneError {
        PaneError::Unavailable(format!("making tmux's folder {}: {error}", self.folder.display()))
    }

    fn make_folder(&self) -> io::Result<()> {
        fs::DirBuilder::new().recursive(true).mode(0o700).create(&self.folder)
    }

    /// Lets the server that is on record make its socket again; false when it does not run.
    async fn ask_for_socket(&self) -> Result<bool, PaneError> {
        let Some(server) = self.recorded() else { return Ok(false) };
        let Some(pid) = Pid::from_raw(server.pid()) else { return Ok(false) };
        // Anything else that has this number by now would be ended by the signal.
        if !is_running(&server).await? {
            return Ok(false);
        }
        self.make_folder().map_err(|error| self.no_folder(&error))?;
        let deadline = Instant::now() + OPEN_LIMIT;
        // A stale socket would be taken for a new one.
        let _ = fs::remove_file(self.socket());
        if rustix::process::kill_process(pid, Signal::USR1).is_err() {
            return Ok(false);
        }
        // It is there a moment before anybody listens, and whoever came in between would take the server for one that is gone.
        while UnixStream::connect(self.socket()).await.is_err() {
            if Instant::now() > deadline {
                return match is_running(&server).await? {
                    true => Err(PaneError::Unavailable("tmux does not make its socket".into())),
                    false => Ok(false),
                };
            }
            if rustix::process::test_kill_process(pid).is_err() {
                return Ok(false);
            }
            time::sleep(LOOK_AGAIN).await;
        }
        Ok(true)
    }

    fn recorded(&self) -> Option<Process> {
        serde_json::from_slice(&fs::read(&self.record).ok()?).ok()
    }

    async fn remember(&self, server_pid: u32) -> io::Result<()> {
        let pid = i32::try_from(server_pid).map_err(io::Error::other)?;
        let server = processes::find(pid).await.ok_or_else(|| io::Error::other("its process is not listed"))?;
        if self.recorded().as_ref() == Some(&server) {
            return Ok(());
        }
        write_whole(&self.record, &serde_json::to_vec(&server)?)
    }
}

/// Whether the server on record runs. Not to know is no answer: another server would be started beside the sessions of this one.
async fn is_running(server: &Process) -> Result<bool, PaneError> {
    let unknown = |error| PaneError::Unavailable(format!("asking whether tmux runs: {error}"));
    processes::runs(server).await.map_err(unknown)
}

/// Writes a file so that there is never half of one.
fn write_whole(path: &Path, content: &[u8]) -> io::Result<()> {
    let beside = path.with_extension("new");
    fs::write(&beside, content)?;
    fs::rename(&beside, path)
}

#[cfg(test)]
mod tests {
    use rustix::net::{AddressFamily, SocketAddrUnix, SocketType};
    use tokio::signal::unix::{SignalKind, signal};

    use super::*;

    /// Under load there was a moment between the two halves of what tmux does; whoever came in then was told "no server running".
    #[tokio::test]
    async fn socket_is_waited_for_until_somebody_listens() {
        let folder = tempfile::tempdir().expect("a folder");
        let paths = Paths::resolve(Some(folder.path()));
        paths.create().expect("folders");
        let door = Door::new("half-made", &paths);
        // This process plays the server: it is on record, gets the signal, and makes the socket in two steps.
        let mut asked = signal(SignalKind::user_defined1()).expect("a handler");
        door.remember(std::process::id()).await.expect("a record");
        let opening = tokio::spawn({
            let door = door.clone();
            async move { door.ask_for_socket().await }
        });
        asked.recv().await.expect("the signal");
        let socket = rustix::net::socket(AddressFamily::UNIX, SocketType::STREAM, None).expect("a socket");
        let address = SocketAddrUnix::new(door.socket()).expect("an address");
        rustix::net::bind(&socket, &address).expect("its file");
        let mut looked = time::interval(LOOK_AGAIN);
        for _ in 0..5 {
            looked.tick().await;
        }
        assert!(!opening.is_finished(), "nobody listens yet");
        rustix::net::listen(&socket, 8).expect("somebody listens");
        assert_eq!(opening.await.expect("no panic"), Ok(true));
    }
}
