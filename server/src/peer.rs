//! Who is at the other end of a unix socket, and whether they may speak.
//!
//! The file permissions of our sockets keep other users out. They do not keep out the programs that run in our panes, which are the
//! person's too: an approved test script could then approve everything after it, and a sandboxed command could start one that is
//! not. So the process of every peer is looked at when it connects.
//!
//! - The control socket is for the person's own commands: a process of theirs that is not below our panes or on their terminals, in
//!   our namespaces, and no more confined than we are (`NoNewPrivs`, seccomp filters).
//! - The hook socket is for the hooks that the CLI of a session runs: below the pane of that session, and no more confined than we are.
//!
//! The decisions are pure ([`judge_command`], [`judge_hook`]); [`Gate`] reads `/proc` for them. Only Linux tells all this; elsewhere only
//! the user counts. None of it stops a program of the same user that goes out of its way, such as one that debugs our process:
//! `docs/security.md` says what remains.

mod proc;
#[cfg(test)]
mod tests;

use std::sync::{Arc, Mutex, PoisonError};

use shared_types::SessionId;
use tokio::{net::unix::UCred, time::timeout};

pub(crate) use proc::tty_device;
pub use proc::{Namespaces, Standing};

use crate::pane::{PaneProcesses, Terminal};

/// How long the terminal server may take to say which panes there are; then what it said last counts.
const ASK_LIMIT: std::time::Duration = std::time::Duration::from_secs(2);

/// Why a peer is not heard.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// It belongs to another user.
    #[error("this is another user's")]
    OtherUser,
    /// It has ended, or hides what it is.
    #[error("it cannot be told what program this is")]
    Unknown,
    /// It is in a sandbox or a container.
    #[error("programs in a sandbox or container are not heard: run this in a terminal of your own")]
    Confined,
    /// It came from one of our panes.
    #[error("programs inside a session are not heard: run this in a terminal of your own")]
    InPane,
    /// It did not come from the pane of the session it speaks for.
    #[error("this does not come from its session")]
    NotOfSession,
    /// The terminal server does not say which panes there are.
    #[error("the terminal server does not answer")]
    NotNow,
}

/// Whether a process may use the control socket. `us` is this server.
///
/// # Errors
/// Why not.
pub fn judge_command(peer: &Standing, us: &Standing, panes: &PaneProcesses) -> Result<(), Refusal> {
    if peer.pid == us.pid {
        return Ok(());
    }
    if !peer.is_as_free_as(us) {
        return Err(Refusal::Confined);
    }
    let below_a_pane = peer.ancestry.iter().any(|pid| panes.servers.contains(pid));
    let on_a_pane = panes.panes.iter().any(|pane| is_of(peer, pane.pid, pane.tty));
    if below_a_pane || on_a_pane { Err(Refusal::InPane) } else { Ok(()) }
}

/// Whether a process may speak for a session on the hook socket. `us` is this server.
///
/// # Errors
/// Why not.
pub fn judge_hook(peer: &Standing, us: &Standing, panes: &PaneProcesses, session: SessionId) -> Result<(), Refusal> {
    let mut own = panes.panes.iter().filter(|pane| pane.session == session);
    if !own.any(|pane| is_of(peer, pane.pid, pane.tty)) {
        return Err(Refusal::NotOfSession);
    }
    if peer.is_as_free_as(us) { Ok(()) } else { Err(Refusal::Confined) }
}

/// Whether a process came from a pane's first one, or sits at its terminal.
fn is_of(peer: &Standing, pane: u32, tty: Option<u64>) -> bool {
    peer.ancestry.contains(&pane) || (tty.is_some() && peer.tty == tty)
}

/// Looks at who connects.
pub struct Gate {
    terminal: Arc<dyn Terminal>,
    /// What the terminal server said last.
    last: Mutex<PaneProcesses>,
}

impl Gate {
    /// A gate in front of the panes of this terminal.
    #[must_use]
    pub fn new(terminal: Arc<dyn Terminal>) -> Self {
        Self { terminal, last: Mutex::default() }
    }

    /// Whether this peer may use the control socket.
    ///
    /// # Errors
    /// Why not.
    pub async fn admit_command(&self, peer: &UCred) -> Result<(), Refusal> {
        let Some((peer, us)) = standings(peer).await? else { return Ok(()) };
        // Who descends from a terminal server stays the same, also while it does not answer.
        let panes = self.panes().await.unwrap_or_else(|| self.last().clone());
        judge_command(&peer, &us, &panes)
    }

    /// Whether this peer may speak for a session on the hook socket.
    ///
    /// # Errors
    /// Why not; [`Refusal::NotNow`] when it should come again.
    pub async fn admit_hook(&self, peer: &UCred, session: SessionId) -> Result<(), Refusal> {
        let Some((peer, us)) = standings(peer).await? else { return Ok(()) };
        let last = judge_hook(&peer, &us, &self.last(), session);
        if last.is_ok() {
            return last;
        }
        let panes = self.panes().await.ok_or(Refusal::NotNow)?;
        judge_hook(&peer, &us, &panes, session)
    }

    async fn panes(&self) -> Option<PaneProcesses> {
        let panes = timeout(ASK_LIMIT, self.terminal.processes()).await.ok()?.ok()?;
        self.last().clone_from(&panes);
        Some(panes)
    }

    fn last(&self) -> std::sync::MutexGuard<'_, PaneProcesses> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What the system tells of the peer and of us; `None` where it tells nothing but the user.
async fn standings(peer: &UCred) -> Result<Option<(Standing, Standing)>, Refusal> {
    if peer.uid() != rustix::process::getuid().as_raw() {
        return Err(Refusal::OtherUser);
    }
    if !cfg!(target_os = "linux") {
        return Ok(None);
    }
    let pid = peer.pid().and_then(|pid| u32::try_from(pid).ok()).filter(|pid| *pid > 0).ok_or(Refusal::Unknown)?;
    let read = tokio::task::spawn_blocking(move || Some((proc::read(pid)?, proc::read(std::process::id())?))).await;
    read.ok().flatten().map(Some).ok_or(Refusal::Unknown)
}
