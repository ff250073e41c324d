//! The one place where errors of the inside become the wire's codes and sentences.

use adapters::{mode::NotSwitched, send::NotSent};
use answerback_ledger::RespondError;
use shared_types::{ErrorCode, WireError};

use crate::sessions::{SendError, SessionError};

impl From<SessionError> for WireError {
    fn from(error: SessionError) -> Self {
        let code = match &error {
            SessionError::Unknown => ErrorCode::UnknownSession,
            SessionError::Ended => ErrorCode::SessionEnded,
            SessionError::Busy | SessionError::Running(_) => ErrorCode::SessionBusy,
            SessionError::DialogOpen => ErrorCode::DialogOpen,
            SessionError::ScreenChanged => ErrorCode::PromptChanged,
            SessionError::Respond(error) => respond_code(error),
            SessionError::Send(error) => send_code(error),
            SessionError::Mode(NotSwitched::NotReady) => ErrorCode::SessionBusy,
            SessionError::BadFolder(_) => ErrorCode::BadFolder,
            SessionError::NotInstalled(_) => ErrorCode::NotInstalled,
            SessionError::Mode(_)
            | SessionError::Launch(_)
            | SessionError::NoConversation
            | SessionError::BadValue(_) => ErrorCode::BadValue,
            SessionError::TooLarge(_) => ErrorCode::TooLarge,
            SessionError::Unreachable(_) => ErrorCode::TerminalUnavailable,
            SessionError::Store(_) => ErrorCode::StoreUnavailable,
            SessionError::Internal(_) => ErrorCode::Internal,
        };
        Self { code, message: error.to_string() }
    }
}

fn respond_code(error: &RespondError) -> ErrorCode {
    match error {
        RespondError::Gone => ErrorCode::PromptGone,
        RespondError::Changed => ErrorCode::PromptChanged,
        RespondError::AlreadyAnswered(_) | RespondError::Taken => ErrorCode::AlreadyAnswered,
        RespondError::FailedBefore => ErrorCode::NotTaken,
        RespondError::Busy | RespondError::DialogComing => ErrorCode::SessionBusy,
        RespondError::NotDrawn | RespondError::Refused(_) => ErrorCode::BadResponse,
        RespondError::Store(_) => ErrorCode::StoreUnavailable,
        RespondError::Unreachable(_) => ErrorCode::TerminalUnavailable,
        RespondError::Ended => ErrorCode::SessionEnded,
    }
}

fn send_code(error: &SendError) -> ErrorCode {
    match error {
        SendError::NotSent(NotSent::DialogOpen) => ErrorCode::DialogOpen,
        SendError::NotSent(NotSent::Unrecognized) => ErrorCode::ScreenUnrecognized,
        SendError::NotSent(NotSent::Starting) => ErrorCode::SessionStarting,
        SendError::NotSent(NotSent::Busy) => ErrorCode::SessionBusy,
        SendError::NotSent(NotSent::Ended) => ErrorCode::SessionEnded,
        SendError::NotSent(NotSent::InUse) => ErrorCode::ComposerInUse,
        SendError::NotSent(NotSent::NotTaken) | SendError::Unknown(_) | SendError::Interrupted => ErrorCode::NotTaken,
        SendError::Unreachable(_) => ErrorCode::TerminalUnavailable,
    }
}
