//! The door: HTTP and the WebSocket, for paired devices over TCP and for this binary's own commands over a unix socket.
//!
//! [`door`] lets no crowd stand in the way, [`guard`] turns away what comes from a wrong place, [`pairing`] lets devices in,
//! [`socket`] speaks with the page, [`commands`] carries out what the page asks for, [`files`] takes what goes with a message,
//! [`images`] gives out the pictures of conversations, [`page`] serves the page itself from inside the binary.

mod commands;
mod door;
mod files;
mod guard;
mod images;
mod page;
mod pairing;
mod socket;
pub mod tls;

use std::{path::PathBuf, sync::Arc};

use axum::{Extension, Router, middleware, routing};
use shared_types::DeviceId;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

pub(crate) use door::Door;
pub use guard::AllowedHosts;
pub(crate) use pairing::make_offer;

use crate::{access::Access, bus::Bus, config::Settings, sessions::Sessions, store::Store};

/// What the door needs from the rest of the server.
pub struct App {
    /// Who may come in.
    pub access: Access,
    /// All sessions.
    pub sessions: Arc<Sessions>,
    /// Where events come from.
    pub bus: Arc<Bus>,
    /// What is kept.
    pub store: Store,
    /// Under which names we may be called.
    pub hosts: AllowedHosts,
    /// Where the page can be reached, best first, without a pairing code.
    pub addresses: Vec<String>,
    /// Folders that may be browsed.
    pub browse_roots: Vec<PathBuf>,
    /// What we were started with.
    pub settings: Settings,
    /// True when cookies travel encrypted.
    pub tls: bool,
    /// Ends all connections.
    pub stop: CancellationToken,
}

/// Who is speaking.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Client {
    /// The device; all zeros for this machine's own commands.
    pub(crate) device: DeviceId,
    /// Its name, for people.
    pub(crate) name: String,
}

impl Client {
    /// This binary's own commands, let in by the file permissions of the unix socket.
    fn local() -> Self {
        Self { device: DeviceId(Uuid::nil()), name: "this computer".to_owned() }
    }
}

/// The door for devices.
pub fn device_router(app: Arc<App>) -> Router {
    Router::new()
        .route("/ws", routing::get(socket::for_device))
        .route("/api/me", routing::get(pairing::who_am_i))
        .route("/api/pair", routing::post(pairing::pair))
        .route("/api/sessions/{session}/files", routing::post(files::hand_over))
        .route("/api/sessions/{session}/files/{file}", routing::get(files::show).delete(files::remove))
        .route("/api/sessions/{session}/images/{id}", routing::get(images::serve))
        .fallback(page::serve)
        .layer(middleware::from_fn_with_state(Arc::clone(&app), guard::check))
        .with_state(app)
}

/// The door for this binary's own commands. It is only ever served on a socket that nobody but the owner can open.
pub fn local_router(app: Arc<App>) -> Router {
    Router::new().route("/ws", routing::get(socket::for_local)).layer(Extension(Client::local())).with_state(app)
}
