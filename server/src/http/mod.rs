//! The door: HTTP and the WebSocket, for paired devices over TCP and for this binary's own commands over a unix socket.
//!
//! [`door`] lets no crowd stand in the way, [`guard`] turns away what comes from a wrong place, [`pairing`] lets devices in,
//! [`credential`] knows them again, [`local`] looks at who comes over the unix socket, [`socket`] speaks with the page, [`commands`]
//! carries out what the page asks for, [`history`] what it asks of the past, [`metrics`] what is counted, [`files`] takes what goes with a message,
//! [`notify`] takes the answers of notifications' buttons, [`images`] gives out the pictures of conversations, [`page`] serves the page itself from inside the binary.

mod commands;
mod credential;
mod door;
mod files;
mod frame;
mod guard;
mod history;
mod images;
mod local;
mod metrics;
mod notify;
mod page;
mod pairing;
mod rules;
mod socket;
pub mod tls;
mod to_wire;

use std::{path::PathBuf, sync::Arc};

use axum::{
    Extension, Router,
    extract::{DefaultBodyLimit, connect_info::IntoMakeServiceWithConnectInfo},
    middleware, routing,
};
use shared_types::{Actor, DeviceId};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

pub(crate) use door::Door;
pub use guard::AllowedHosts;
pub use metrics::load_token as load_metrics_token;
pub(crate) use pairing::make_offer;

use crate::{
    access::Access, bus::Bus, config::Settings, notify::Notifier, peer::Gate, sessions::Sessions, store::Store,
};

/// The longest body that is read of somebody who is not paired, in bytes: a code and a name are far shorter.
const STRANGERS_BODY: usize = 4096;

/// What the door needs from the rest of the server.
pub struct App {
    /// Who may come in.
    pub access: Access,
    /// Who may use our unix sockets.
    pub gate: Arc<Gate>,
    /// Who tells people of prompts.
    pub notifier: Arc<Notifier>,
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
    /// SHA-256 of the certificate, where we encrypt.
    pub fingerprint: Option<String>,
    /// What opens `/metrics`, where that is switched on.
    pub metrics_token: Option<String>,
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
    /// Who acts when this client asks for something.
    pub(crate) fn actor(&self) -> Actor {
        Actor::Device { device_id: self.device, name: self.name.clone() }
    }

    /// This binary's own commands, let in by the file permissions of the unix socket.
    fn local() -> Self {
        Self { device: DeviceId(Uuid::nil()), name: "this computer".to_owned() }
    }

    /// Whether it is one of this binary's own commands.
    pub(crate) fn is_local(&self) -> bool {
        self.device.0.is_nil()
    }
}

/// The door for devices.
pub fn device_router(app: Arc<App>) -> Router {
    Router::new()
        .route("/ws", routing::get(socket::for_device))
        .route("/api/me", routing::get(pairing::who_am_i))
        .route("/api/pair", routing::post(pairing::pair).layer(DefaultBodyLimit::max(STRANGERS_BODY)))
        .route("/api/notify/answer", routing::post(notify::answer).layer(DefaultBodyLimit::max(STRANGERS_BODY)))
        .route("/api/sessions/{session}/files", routing::post(files::hand_over))
        .route("/api/sessions/{session}/files/{file}", routing::get(files::show).delete(files::remove))
        .route("/api/sessions/{session}/images/{id}", routing::get(images::serve))
        .route("/metrics", routing::get(metrics::serve))
        .fallback(page::serve)
        .layer(middleware::from_fn_with_state(Arc::clone(&app), guard::check))
        .with_state(app)
}

/// The door for this binary's own commands. It is only ever served on a socket that nobody but the owner can open, and looks at
/// each process that comes; what can be asked for there is little.
pub fn local_router(app: Arc<App>) -> IntoMakeServiceWithConnectInfo<Router, local::Peer> {
    let router = Router::new()
        .route("/ws", routing::get(socket::for_local))
        .layer(middleware::from_fn_with_state(Arc::clone(&app), local::check))
        .layer(Extension(Client::local()))
        .with_state(app);
    router.into_make_service_with_connect_info::<local::Peer>()
}
