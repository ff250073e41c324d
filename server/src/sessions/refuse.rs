//! Refusals, said once: each has a code for programs and a sentence for people.

use adapters::{LaunchRefusal, Refusal, send::NotSent};
use shared_types::{ErrorCode, WireError};

use crate::{pane::PaneError, store::StoreError};

/// A refusal with a code and a sentence.
pub(crate) fn refuse(code: ErrorCode, message: impl Into<String>) -> WireError {
    WireError { code, message: message.into() }
}

/// The session is not there.
pub(crate) fn unknown_session() -> WireError {
    refuse(ErrorCode::UnknownSession, "there is no such session")
}

/// The session has ended.
pub(crate) fn session_ended() -> WireError {
    refuse(ErrorCode::SessionEnded, "the session has ended")
}

/// Something else is being typed, or too much waits.
pub(crate) fn session_busy() -> WireError {
    refuse(ErrorCode::SessionBusy, "something else is being typed into this session: try again in a moment")
}

pub(crate) fn from_store(error: &StoreError) -> WireError {
    tracing::error!(%error, "the store does not answer");
    refuse(ErrorCode::StoreUnavailable, error.to_string())
}

pub(crate) fn from_pane(error: &PaneError) -> WireError {
    match error {
        PaneError::Gone => session_ended(),
        PaneError::Unavailable(_) | PaneError::Refused(_) => refuse(ErrorCode::TerminalUnavailable, error.to_string()),
    }
}

pub(crate) fn from_refusal(refusal: &Refusal) -> WireError {
    refuse(ErrorCode::BadResponse, refusal.to_string())
}

pub(crate) fn from_launch(refusal: &LaunchRefusal) -> WireError {
    refuse(ErrorCode::BadValue, refusal.to_string())
}

pub(crate) fn from_not_sent(why: NotSent) -> WireError {
    let code = match why {
        NotSent::DialogOpen => ErrorCode::DialogOpen,
        NotSent::Unrecognized => ErrorCode::ScreenUnrecognized,
        NotSent::Starting => ErrorCode::SessionStarting,
        NotSent::Busy => ErrorCode::SessionBusy,
        NotSent::Ended => ErrorCode::SessionEnded,
        NotSent::InUse => ErrorCode::ComposerInUse,
        NotSent::NotTaken => ErrorCode::NotTaken,
    };
    refuse(code, why.to_string())
}
