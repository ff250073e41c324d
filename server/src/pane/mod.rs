//! Panes: the terminals that sessions run in, and the terminal server that keeps them alive.
//!
//! [`Terminal`] opens panes and finds them again; a [`Pane`] is looked at and typed into. The real ones are tmux's
//! (`tmux/`); tests use [`fake`]. Nothing here knows what a screen means.

pub mod fake;
mod tmux;

use std::{path::PathBuf, sync::Arc};

use adapters::{Capture, Keystroke};
use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use shared_types::SessionId;
use tokio::sync::watch;

pub use tmux::TmuxTerminal;

/// The terminal server.
#[async_trait]
pub trait Terminal: Send + Sync {
    /// Starts a program in a pane of its own.
    async fn open(&self, spec: PaneSpec) -> Result<Arc<dyn Pane>, PaneError>;

    /// The panes that are there, as after a restart of ours.
    async fn find(&self) -> Result<Vec<FoundPane>, PaneError>;

    /// What to type at the desk to join a session.
    fn attach_command(&self, session: SessionId) -> Vec<String>;
}

/// One pane.
#[async_trait]
pub trait Pane: Send + Sync {
    /// What the pane shows now.
    async fn capture(&self) -> Result<Capture, PaneError>;

    /// Presses keys, in order. Returns when the terminal server has taken them all.
    async fn press(&self, keys: &[Keystroke]) -> Result<(), PaneError>;

    /// Ends the program, what it started included, and takes the pane away.
    async fn kill(&self) -> Result<(), PaneError>;

    /// Counts up whenever something was drawn, the program ended, or the connection came back: reasons to look.
    fn drawn(&self) -> watch::Receiver<u64>;

    /// Names the pane across restarts of ours; another terminal server never has the same.
    fn identity(&self) -> PaneIdentity;

    /// The files that the program and those it started hold open; none where the system does not tell.
    async fn open_files(&self) -> Vec<PathBuf>;

    /// Whether the program takes a paste as one block just now: if not, each line break of it acts as Enter.
    fn paste_mode(&self) -> PasteMode;
}

/// Whether a program takes a paste as one block ("bracketed paste").
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PasteMode {
    /// Not known: the pane was not watched from its start, and the program has not said so since.
    Unknown,
    /// It does not.
    Off,
    /// It does.
    On,
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
