//! Panes: the terminals that sessions run in, and the terminal server that keeps them alive.
//!
//! [`Terminal`] opens panes and finds them again; a [`Pane`] is looked at and typed into. The real ones are tmux's
//! (`tmux/`); tests use [`fake`]. Nothing here knows what a screen means.

#[cfg(any(test, feature = "testing"))]
pub mod fake;
pub mod root;
mod tmux;

use std::{path::PathBuf, sync::Arc};

use adapters::{Capture, Keystroke};
use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use shared_types::SessionId;
use tokio::sync::watch;

pub use tmux::{BorrowedServer, TmuxTerminal};

/// The terminal server.
#[async_trait]
pub trait Terminal: Send + Sync {
    /// Starts a program in a pane of its own.
    async fn open(&self, spec: PaneSpec) -> Result<Arc<dyn Pane>, PaneError>;

    /// The panes that are there, as after a restart of ours.
    async fn find(&self) -> Result<Vec<FoundPane>, PaneError>;

    /// What to type at the desk to join a session.
    fn attach_command(&self, session: SessionId) -> Vec<String>;

    /// The processes that panes belong to, by which others are told apart from them.
    async fn processes(&self) -> Result<PaneProcesses, PaneError> {
        Ok(PaneProcesses::default())
    }
}

/// The processes of all panes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PaneProcesses {
    /// The terminal servers: everything in a pane comes from one.
    pub servers: Vec<u32>,
    /// The panes whose program runs.
    pub panes: Vec<PaneProcess>,
}

/// The first process of a pane.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaneProcess {
    /// The session the pane belongs to.
    pub session: SessionId,
    /// The process.
    pub pid: u32,
    /// The device of the pane's terminal, where the system numbers them.
    pub tty: Option<u64>,
}

/// One pane.
#[async_trait]
pub trait Pane: Send + Sync {
    /// What the pane shows now, and the connection it was seen over.
    async fn capture(&self) -> Result<Captured, PaneError>;

    /// Presses keys, in order. Returns when the terminal server has taken them all, or when it is known that it has not.
    ///
    /// `checked_on` is the connection of the capture the keys were decided on: over any other they are not pressed, because
    /// anything may have happened in between. `None` is for keys that a person presses by hand. Either way keys are never
    /// kept for a later connection, and never pressed once the caller has stopped waiting.
    async fn press(&self, keys: &[Keystroke], checked_on: Option<Generation>) -> Press;

    /// Ends the program, what it started included, and takes the pane away.
    async fn kill(&self) -> Result<(), PaneError>;

    /// Changes whenever something was drawn, the program ended, or the connection came back: reasons to look.
    fn drawn(&self) -> watch::Receiver<Drawn>;

    /// Names the pane across restarts of ours; another terminal server never has the same.
    fn identity(&self) -> PaneIdentity;

    /// The files that the program and those it started hold open; none where the system does not tell.
    async fn open_files(&self) -> Vec<PathBuf>;

    /// The ids of the program's process and of those it started, the program's first; none where they are not known.
    async fn processes(&self) -> Vec<i32> {
        Vec::new()
    }
}

/// How much a pane has drawn. Only changes matter; the numbers begin anew with every pane.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Drawn {
    /// Counts reasons to look.
    pub count: u64,
    /// What [`Drawn::count`] was when the program last ended a frame of synchronized output (`CSI ? 2026 l`), with none begun since.
    /// Zero for a program that never did.
    pub frame_end: u64,
}

impl Drawn {
    /// Whether the last thing drawn was the end of a frame: the screen is whole, and waiting for a quiet moment gains nothing. For
    /// a program that marks no frames this is never so, and a quiet moment is all there is.
    #[must_use]
    pub fn is_frame_end(self) -> bool {
        self.frame_end > 0 && self.frame_end == self.count
    }

    /// One more reason to look.
    fn again(&mut self) {
        self.count += 1;
    }

    /// One more reason to look: a frame has ended.
    fn again_at_frame_end(&mut self) {
        self.count += 1;
        self.frame_end = self.count;
    }
}

/// Identifies one connection to the terminal server; keys are only pressed over the connection their screen was captured on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Generation(pub u64);

/// A capture and the connection it came over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Captured {
    /// What the pane showed.
    pub capture: Capture,
    /// The connection.
    pub generation: Generation,
}

/// What became of keys.
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
pub enum Press {
    /// The terminal server has passed all of them to the program.
    Pressed,
    /// None was typed, and none will be.
    NotPressed(PaneError),
    /// They were handed over and the reply was lost: all, some or none may have been typed. Only the screen can tell.
    Unknown(PaneError),
}

impl Press {
    /// Whether they were pressed, for callers that do not tell apart why they may not have been.
    pub(crate) fn into_result(self) -> Result<(), PaneError> {
        match self {
            Self::Pressed => Ok(()),
            Self::NotPressed(error) | Self::Unknown(error) => Err(error),
        }
    }
}

/// What to start in a new pane.
#[derive(Debug, Clone)]
pub struct PaneSpec {
    /// The session the pane belongs to.
    pub session: SessionId,
    /// The program and its arguments.
    pub argv: Vec<String>,
    /// The whole environment of the program.
    pub env: Vec<(String, String)>,
    /// The folder to start in; exists.
    pub folder: PathBuf,
    /// Width in columns.
    pub cols: u16,
    /// Height in rows.
    pub rows: u16,
}

/// A pane that was found running.
#[derive(Clone)]
pub struct FoundPane {
    /// The session it belongs to.
    pub session: SessionId,
    /// The pane.
    pub pane: Arc<dyn Pane>,
}

/// Names a pane: pane ids start again with every terminal server, so the server is part of the name.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct PaneIdentity {
    /// The terminal server's process id.
    pub server_pid: u32,
    /// When it was started, in seconds since the Unix epoch.
    pub server_started: u64,
    /// The pane's id there, such as `%3`.
    pub pane: String,
}

/// Why a pane could not be reached.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PaneError {
    /// The pane is not there any more, and will not come back.
    #[error("the terminal pane is gone")]
    Gone,
    /// The terminal server does not answer just now; it may come back.
    #[error("the terminal server does not answer: {0}")]
    Unavailable(String),
    /// The terminal server refused.
    #[error("the terminal server refused: {0}")]
    Refused(String),
}
