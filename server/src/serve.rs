//! Puts the server together, listens, and stops in good order. Stopping leaves every CLI running.

use std::{
    fs,
    net::{IpAddr, SocketAddr},
    os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _},
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use anyhow::{Context as _, bail};
use axum_server::{Handle, tls_rustls::RustlsAcceptor};
use rustix::fs::FlockOperation;
use shared_types::{Event, PairingOffer};
use tokio::{net::UnixListener, time::Instant};
use tokio_util::sync::CancellationToken;

use crate::{
    access::Access,
    bus::Bus,
    config::{self, Settings, Tls},
    conversations::Shelves,
    hooks,
    http::{self, AllowedHosts, App, Door},
    journal,
    listen::{Port, listen},
    notify::{Notifier, listen_to_chats},
    pane::Terminal,
    paths::Paths,
    peer::Gate,
    programs,
    rules::{self, Rules},
    sessions::{Sessions, World},
    store::Store,
    transcripts::Transcripts,
};

/// The longest head of a request, in bytes.
const HEAD_LIMIT: usize = 32 * 1024;
/// How long open connections may take to end when the server stops.
const STOP_LIMIT: Duration = Duration::from_secs(3);
/// How long the lock of a server that was killed may outlive it.
const LOCK_LIMIT: Duration = Duration::from_secs(1);
const LOCK_PAUSE: Duration = Duration::from_millis(20);

/// What is known once the server listens.
pub struct Started {
    /// Where it listens.
    pub address: SocketAddr,
    /// Where the page can be reached, best first.
    pub addresses: Vec<String>,
    /// True when the wished port was busy.
    pub moved: bool,
    app: Arc<App>,
}

impl Started {
    /// A pairing code for the first phone.
    ///
    /// # Errors
    /// When the system has no randomness.
    pub fn offer(&self) -> anyhow::Result<PairingOffer> {
        http::make_offer(&self.app).map_err(|error| anyhow::anyhow!(error.message))
    }

    /// SHA-256 of the certificate, where the server encrypts.
    #[must_use]
    pub fn fingerprint(&self) -> Option<&str> {
        self.app.fingerprint.as_deref()
    }
}

/// Runs the server until `stop` is cancelled. `ready` is called once, when it answers.
///
/// # Errors
/// When it cannot start; the error says what to do.
pub async fn serve(
    settings: Settings,
    terminal: Arc<dyn Terminal>,
    stop: CancellationToken,
    ready: impl FnOnce(&Started),
) -> anyhow::Result<()> {
    settings.paths.create().with_context(|| format!("making the folder {}", settings.paths.data.display()))?;
    let _lock = lock(&settings.paths).await?;
    let store = Store::open(&settings.paths.data).context("opening the database")?;
    let bus = Arc::new(Bus::new(programs::adapters_here()));
    let gate = Arc::new(Gate::new(Arc::clone(&terminal)));
    let rules = Rules::new(store.clone(), Arc::clone(&bus), settings.rules.clone());
    let world = World {
        terminal,
        store: store.clone(),
        bus: Arc::clone(&bus),
        transcripts: Transcripts::new(),
        shelves: Shelves::of_this_machine(),
        folder: settings.paths.data.join("sessions"),
        answerback: std::env::current_exe().context("finding this program")?,
        hook_socket: settings.hooks.then(|| settings.paths.hook_socket()),
        resume_lost: settings.resume_all,
        own_prompts: config::follow(settings.file.clone(), settings.prompts.clone()),
        rules: Arc::clone(&rules),
        expiry: settings.expiry.clone(),
    };
    tokio::spawn({
        let bus = Arc::clone(&bus);
        async move {
            let adapters = programs::adapters_with_versions().await;
            if adapters.iter().any(|adapter| adapter.version.is_some()) {
                bus.publish(Event::Adapters { adapters });
            }
        }
    });
    if let Some(days) = settings.journal_days {
        tokio::spawn(journal::retention::keep(store.clone(), days, stop.clone()));
    }
    let sessions = Sessions::new(world, stop.clone());
    sessions.recover().await.context("taking up the sessions")?;
    tokio::spawn(rules::follow(rules, stop.clone()));
    let access = Access::load(store.clone()).await.context("loading the paired devices")?;

    let Port { listener, moved } = listen(settings.host, settings.port, access.has_devices())?;
    let address = listener.local_addr()?;
    let own = own_addresses(&settings);
    let names = machine_names(&settings);
    let certificate_names: Vec<String> =
        own.iter().map(IpAddr::to_string).chain(names.clone()).chain(["localhost".to_owned()]).collect();
    let tls = http::tls::load(&settings.tls, &settings.paths.data, &certificate_names)?;
    let data = &settings.paths.data;
    let metrics_token = settings.metrics.then(|| http::load_metrics_token(data)).transpose();
    let metrics_token = metrics_token.context("reading the token of the metrics")?;
    let addresses = addresses(&settings, &own, address.port(), tls.is_some());
    // Of the addresses that others can open, the best.
    let page =
        addresses.iter().find(|address| address.starts_with("https://") && !address.contains("//localhost")).cloned();
    let (notify, data) = (settings.notify.clone(), &settings.paths.data);
    let notifier = Notifier::load(notify, data, store.clone(), Arc::clone(&bus), &access, page).await;
    let notifier = notifier.context("setting up notifications")?;
    tokio::spawn(Arc::clone(&notifier).run(access.revocations(), stop.clone()));
    tokio::spawn(listen_to_chats(Arc::clone(&notifier), Arc::clone(&sessions), stop.clone()));
    let app = Arc::new(App {
        access,
        gate: Arc::clone(&gate),
        notifier,
        sessions: Arc::clone(&sessions),
        bus,
        store,
        hosts: AllowedHosts::new(&own, names),
        addresses: addresses.clone(),
        browse_roots: browse_roots(&settings),
        settings: settings.clone(),
        fingerprint: tls.as_ref().map(|tls| tls.fingerprint.clone()),
        metrics_token,
        stop: stop.clone(),
    });

    let control = private_socket(&settings.paths.control_socket())?;
    // Also when new sessions get no hooks: those of before may have them.
    let hook_socket = private_socket(&settings.paths.hook_socket())?;
    let hooks = tokio::spawn(hooks::listen(hook_socket, gate, Arc::clone(&sessions), stop.clone()));
    let router = http::device_router(Arc::clone(&app)).into_make_service();
    let handle = Handle::new();
    let local = axum::serve(control, http::local_router(Arc::clone(&app)))
        .with_graceful_shutdown(stop.clone().cancelled_owned());
    let local = tokio::spawn(local.into_future());
    let stopping = tokio::spawn({
        let (handle, stop) = (handle.clone(), stop.clone());
        async move {
            stop.cancelled().await;
            handle.graceful_shutdown(Some(STOP_LIMIT));
        }
    });
    ready(&Started { address, addresses, moved, app });
    // HTTP/2 would bring a hundred requests at once over each connection of a stranger; a phone needs one socket.
    let mut server = axum_server::from_tcp(listener)?.http1_only().handle(handle);
    server.http_builder().http1().max_buf_size(HEAD_LIMIT);
    let served = match tls {
        Some(http::tls::Certificate { config, .. }) => {
            if settings.tls == Tls::SelfSigned {
                let data = settings.paths.data.clone();
                tokio::spawn(http::tls::keep_renewed(config.clone(), data, certificate_names, stop.clone()));
            }
            server.acceptor(RustlsAcceptor::new(config).acceptor(Door::default())).serve(router).await
        }
        None => server.acceptor(Door::default()).serve(router).await,
    };
    stop.cancel();
    let _ = tokio::time::timeout(STOP_LIMIT, async {
        let _ = stopping.await;
        let _ = local.await;
        let _ = hooks.await;
        sessions.stopped().await;
    })
    .await;
    let _ = fs::remove_file(settings.paths.control_socket());
    let _ = fs::remove_file(settings.paths.hook_socket());
    served.context("listening")
}

/// Only one server for one data folder: two would type into the same panes.
///
/// One that was killed while it started a program leaves its lock to that program until the program runs: it is waited for.
async fn lock(paths: &Paths) -> anyhow::Result<fs::File> {
    let path = paths.data.join("lock");
    let file = fs::OpenOptions::new().create(true).truncate(false).write(true).mode(0o600).open(&path)?;
    let ends = Instant::now() + LOCK_LIMIT;
    loop {
        match rustix::fs::flock(&file, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => return Ok(file),
            Err(rustix::io::Errno::WOULDBLOCK) if Instant::now() < ends => tokio::time::sleep(LOCK_PAUSE).await,
            Err(rustix::io::Errno::WOULDBLOCK) => {
                bail!("Answerback already runs here: `answerback pair` shows its address and a code for the next phone")
            }
            Err(error) => return Err(error).with_context(|| format!("locking {}", path.display())),
        }
    }
}

/// A socket that only the owner can open.
fn private_socket(path: &Path) -> anyhow::Result<UnixListener> {
    // The lock is ours, so a socket that is there belongs to nobody any more.
    let _ = fs::remove_file(path);
    let listener = UnixListener::bind(path).with_context(|| format!("listening on {}", path.display()))?;
    fs::set_permissions(path, fs::Permissions::from_mode(0o600))?;
    Ok(listener)
}

/// The addresses of this machine under which we listen, loopback left out.
fn own_addresses(settings: &Settings) -> Vec<IpAddr> {
    if !settings.host.is_unspecified() {
        return vec![settings.host];
    }
    let interfaces = if_addrs::get_if_addrs().unwrap_or_default();
    let addresses = interfaces.iter().filter(|interface| !interface.is_loopback()).map(if_addrs::Interface::ip);
    // Link-local IPv6 addresses need a zone, which no URL of a phone has.
    addresses.filter(|address| !matches!(address, IpAddr::V6(v6) if v6.is_unicast_link_local())).collect()
}

/// The machine's own names, and those the person allows. Its own only count when others can reach us at all.
fn machine_names(settings: &Settings) -> Vec<String> {
    let mut names = settings.allowed_hosts.clone();
    if !settings.is_loopback() {
        let host = gethostname::gethostname().to_string_lossy().to_ascii_lowercase();
        names.push(format!("{host}.local"));
        names.push(host);
    }
    names
}

/// Where the page can be reached, best for a phone first.
fn addresses(settings: &Settings, own: &[IpAddr], port: u16, tls: bool) -> Vec<String> {
    let scheme = if tls { "https" } else { "http" };
    let mut addresses: Vec<String> = settings
        .allowed_hosts
        .iter()
        .map(|name| {
            // On loopback a further name can only be that of a proxy or tunnel in front of us, which encrypts by itself.
            if settings.is_loopback() { format!("https://{name}") } else { format!("{scheme}://{name}:{port}") }
        })
        .collect();
    let mut own: Vec<&IpAddr> = own.iter().filter(|address| !address.is_loopback()).collect();
    own.sort_by_key(|address| address.is_ipv6());
    addresses.extend(own.into_iter().map(|address| format!("{scheme}://{}", SocketAddr::new(*address, port))));
    if settings.host.is_loopback() || settings.host.is_unspecified() {
        addresses.push(format!("{scheme}://localhost:{port}"));
    }
    addresses
}

fn browse_roots(settings: &Settings) -> Vec<PathBuf> {
    let home = std::env::home_dir().unwrap_or_else(|| PathBuf::from("/"));
    let named = settings.folders.iter().map(PathBuf::as_path);
    std::iter::once(home.as_path()).chain(named).filter_map(|folder| Path::canonicalize(folder).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn lock_that_outlives_its_server_for_a_moment_is_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let paths = Paths::resolve(Some(folder.path()));
        let held = lock(&paths).await.unwrap();
        assert!(lock(&paths).await.unwrap_err().to_string().contains("already runs here"));
        let (taken, ()) = tokio::join!(lock(&paths), async {
            tokio::time::sleep(LOCK_LIMIT / 2).await;
            drop(held);
        });
        taken.unwrap();
    }
}
