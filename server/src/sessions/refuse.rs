//! Refusals, said once: each has a code for programs and a sentence for people.

use shared_types::{ErrorCode, WireError};

use crate::store::StoreError;

/// A refusal with a code and a sentence.
pub(crate) fn refuse(code: ErrorCode, message: impl Into<String>) -> WireError {
    WireError { code, message: message.into() }
}

/// The session is not there.
pub(crate) fn unknown_session() -> WireError {
    refuse(ErrorCode::UnknownSession, "there is no such session")
}

pub(crate) fn from_store(error: &StoreError) -> WireError {
    tracing::error!(%error, "the store does not answer");
    refuse(ErrorCode::StoreUnavailable, error.to_string())
}
