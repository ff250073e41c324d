//! The unix socket of this binary's own commands: who may connect, and what they may ask for.

use std::{io, sync::Arc};

use axum::{
    extract::{ConnectInfo, Request, State, connect_info::Connected},
    http::StatusCode,
    middleware::Next,
    response::Response,
    serve::IncomingStream,
};
use shared_types::{Command, ErrorCode, NotifyCommand};
use tokio::net::{UnixListener, unix::UCred};

use super::{App, pairing};
use crate::{peer::Refusal, sessions::refuse::refuse};

/// The process at the other end.
#[derive(Debug, Clone)]
pub struct Peer(Arc<io::Result<UCred>>);

impl Connected<IncomingStream<'_, UnixListener>> for Peer {
    fn connect_info(stream: IncomingStream<'_, UnixListener>) -> Self {
        Self(Arc::new(stream.io().peer_cred()))
    }
}

/// Lets in only the person's own commands.
pub(super) async fn check(
    State(app): State<Arc<App>>,
    ConnectInfo(Peer(peer)): ConnectInfo<Peer>,
    request: Request,
    next: Next,
) -> Response {
    let admitted = match &*peer {
        Ok(peer) => app.gate.admit_command(peer).await,
        Err(_) => Err(Refusal::Unknown),
    };
    match admitted {
        Ok(()) => next.run(request).await,
        Err(refusal) => {
            let pid = peer.as_ref().as_ref().ok().and_then(UCred::pid);
            tracing::warn!(pid, %refusal, "a program is kept from the control socket");
            pairing::refused(StatusCode::FORBIDDEN, refuse(ErrorCode::Forbidden, refusal.to_string()))
        }
    }
}

/// Whether this binary's own commands use this. Answers, keys, texts and modes are for paired devices alone, which every phone
/// can see and revoke. Rules are the person's as their `rules.toml` is; what is changed of them here, every page is told.
pub(super) fn may_ask(command: &Command) -> bool {
    matches!(
        command,
        Command::Start { .. }
            | Command::Pair
            | Command::Devices
            | Command::Revoke { .. }
            | Command::Doctor
            | Command::Metrics
            | Command::Rules { .. }
            | Command::Notify {
                notify: NotifyCommand::Status
                    | NotifyCommand::Test
                    | NotifyCommand::OfferChat
                    | NotifyCommand::RemoveChat { .. }
            }
    )
}
