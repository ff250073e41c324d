//! Why a session did not do what it was asked. The wire's codes are made of these in `http/to_wire.rs` and nowhere else.

use adapters::{LaunchRefusal, mode::NotSwitched, send::NotSent};
use answerback_ledger::RespondError;

use crate::{pane::PaneError, store::StoreError};

/// Why a session did not do what it was asked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SessionError {
    /// There is no such session.
    #[error("there is no such session")]
    Unknown,
    /// The session has ended.
    #[error("the session has ended")]
    Ended,
    /// It runs, so what is asked for cannot be done.
    #[error("{0}")]
    Running(String),
    /// Something else is being typed, or too many requests wait.
    #[error("something else is being typed into this session: try again in a moment")]
    Busy,
    /// A dialog is open that the keys would answer.
    #[error("a dialog is open: answer it, or use the keys of the terminal")]
    DialogOpen,
    /// Something else is asked on the screen than the person saw.
    #[error("the screen has changed: look at it before you press a key")]
    ScreenChanged,
    /// A response was not accepted.
    #[error(transparent)]
    Respond(#[from] RespondError),
    /// A message was not sent.
    #[error(transparent)]
    Send(#[from] SendError),
    /// The mode was not switched.
    #[error(transparent)]
    Mode(#[from] NotSwitched),
    /// The folder cannot be used.
    #[error("{0}")]
    BadFolder(String),
    /// There is no such program.
    #[error("{0}")]
    NotInstalled(String),
    /// The adapter cannot start what was asked for.
    #[error(transparent)]
    Launch(#[from] LaunchRefusal),
    /// There is no such conversation.
    #[error("there is no such conversation in this folder")]
    NoConversation,
    /// A value is not acceptable.
    #[error("{0}")]
    BadValue(String),
    /// A text is too long.
    #[error("{0}")]
    TooLarge(String),
    /// The terminal does not answer.
    #[error("{0}")]
    Unreachable(String),
    /// The store does not answer.
    #[error("{0}")]
    Store(String),
    /// A fault of the server's own.
    #[error("{0}")]
    Internal(String),
}

/// Why a message was not sent, or is not known to be.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SendError {
    /// The CLI was not ready for it, or did not take it.
    #[error(transparent)]
    NotSent(#[from] NotSent),
    /// The terminal was lost before the first key.
    #[error("{0}")]
    Unreachable(String),
    /// The terminal was lost after the first key: whether it arrived is not known.
    #[error("the terminal was lost while this was typed: look whether it has arrived ({0})")]
    Unknown(String),
    /// The server was stopped while it was typed.
    #[error("the server was stopped while this was typed: look whether it has arrived")]
    Interrupted,
}

impl SendError {
    /// True when not one key was pressed, so that it can be sent again.
    #[must_use]
    pub fn is_untyped(&self) -> bool {
        match self {
            Self::NotSent(why) => !matches!(why, NotSent::NotTaken | NotSent::Ended),
            Self::Unreachable(_) => true,
            Self::Unknown(_) | Self::Interrupted => false,
        }
    }
}

impl From<StoreError> for SessionError {
    fn from(error: StoreError) -> Self {
        tracing::error!(%error, "the store does not answer");
        Self::Store(error.to_string())
    }
}

impl From<PaneError> for SessionError {
    fn from(error: PaneError) -> Self {
        match error {
            PaneError::Gone => Self::Ended,
            PaneError::Unavailable(_) | PaneError::Refused(_) => Self::Unreachable(error.to_string()),
        }
    }
}
