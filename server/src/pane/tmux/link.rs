//! The way to the tmux server: a queue of scripts, and the one task that owns the control connection and renews it.
//!
//! States: *no server* (idle until somebody asks) → *connected* → *lost* (tries again, at once and then ever slower) → one
//! of the two. A caller never hangs: each script has a limit, and when the connection is lost it is told so.
//!
//! Most scripts may wait for the next connection. Keys may not: they were decided on a screen, and are only typed over the
//! connection that screen was captured on ([`Link::run_on`]). What nobody waits for any more is never sent.

use std::{path::PathBuf, sync::Arc, time::Duration};

use tokio::{
    sync::{mpsc, oneshot, watch},
    time,
};

use super::{
    command::{self, Hub},
    connection::{Answer, Connection, Failure, Lost, REPLY_LIMIT, Ran, Reply},
    door::Door,
    owned::OwnedServer,
    registry::{Registry, ServerId},
    script::Script,
};
use crate::pane::{Generation, PaneError};

/// Scripts that wait for the task. When it is full callers wait, within their limit: tmux is slower than they are.
const QUEUE: usize = 64;
const FIRST_PAUSE: Duration = Duration::from_millis(50);
const LONGEST_PAUSE: Duration = Duration::from_secs(2);
/// The caller's own limit is a little longer, so that it learns the reason from the connection first.
const CALL_LIMIT: Duration = REPLY_LIMIT.saturating_add(Duration::from_secs(5));

/// Which server a script is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Need {
    /// One that runs; it is started if there is none.
    Started,
    /// The one that runs, if one does; without one the script is answered with [`PaneError::Gone`].
    Any,
    /// This very one; without it the script is answered with [`PaneError::Gone`].
    This(ServerId),
    /// This very one, over this very connection.
    Over(ServerId, Generation),
}

/// A handle to the task; the connection is closed when the last one is dropped. The tmux server stays.
#[derive(Debug, Clone)]
pub(super) struct Link {
    requests: mpsc::Sender<Request>,
    /// The connection there is now.
    connected: watch::Receiver<Option<Generation>>,
}

#[derive(Debug)]
struct Request {
    need: Need,
    script: Script,
    answer: Answer,
}

impl Link {
    /// Starts the task. Nothing is connected until it is needed.
    pub(super) fn new(door: Door, config_folder: PathBuf, registry: Arc<Registry>) -> Self {
        let (requests, waiting) = mpsc::channel(QUEUE);
        let (connected, connection) = watch::channel(None);
        tokio::spawn(Task { door, config_folder, registry, requests: waiting, connected, connections: 0 }.run());
        Self { requests, connected: connection }
    }

    /// Runs a script and waits for its replies, over the next connection if there is none now.
    pub(super) async fn run(&self, need: Need, script: Script) -> Result<Reply, PaneError> {
        let (answer, reply) = oneshot::channel();
        let request = Request { need, script, answer };
        let outcome = time::timeout(CALL_LIMIT, async {
            self.requests.send(request).await.ok()?;
            reply.await.ok()
        });
        let reply = match outcome.await {
            Ok(reply) => reply.unwrap_or_else(|| Err(closed())),
            Err(_) => Err(no_answer()),
        };
        reply.map_err(|failure| if need == Need::Started { failure.error } else { gone(failure.error) })
    }

    /// Runs a script over this connection, or over the one there is now, and over no other. Says how much of it was run.
    pub(super) async fn run_on(
        &self,
        server: ServerId,
        generation: Option<Generation>,
        script: Script,
    ) -> Result<Reply, Failure> {
        let mut connected = self.connected.clone();
        let now = *connected.borrow_and_update();
        let Some(generation) = now.filter(|now| generation.is_none_or(|wanted| wanted == *now)) else {
            return Err(renewed());
        };
        let (answer, mut reply) = oneshot::channel();
        let request = Request { need: Need::Over(server, generation), script, answer };
        let outcome = time::timeout(CALL_LIMIT, async {
            let answered = async {
                self.requests.send(request).await.ok()?;
                (&mut reply).await.ok()
            };
            tokio::select! {
                answer = answered => answer.unwrap_or_else(|| Err(closed())),
                // Whatever was sent over the connection has been answered by now; the rest never will be sent.
                _ = connected.changed() => reply.try_recv().unwrap_or_else(|_| Err(renewed())),
            }
        });
        // The request may still be in the queue, or on its way.
        let reply = outcome.await.unwrap_or_else(|_| Err(no_answer()));
        reply.map_err(|failure| Failure { error: gone(failure.error), ..failure })
    }
}

fn renewed() -> Failure {
    Failure::not_sent(PaneError::Unavailable("the connection to tmux was renewed".into()))
}

/// The task has ended, and with it whatever it had not sent.
fn closed() -> Failure {
    Failure { error: PaneError::Unavailable("the connection to tmux was closed".into()), ran: Ran::Unknown }
}

fn no_answer() -> Failure {
    let reason = format!("tmux did not answer within {} s", CALL_LIMIT.as_secs());
    Failure { error: PaneError::Unavailable(reason), ran: Ran::Unknown }
}

/// tmux's words for a target that is not there.
fn gone(error: PaneError) -> PaneError {
    match error {
        PaneError::Refused(reason) if reason.starts_with("can't find ") => PaneError::Gone,
        other => other,
    }
}

struct Task {
    door: Door,
    config_folder: PathBuf,
    registry: Arc<Registry>,
    requests: mpsc::Receiver<Request>,
    connected: watch::Sender<Option<Generation>>,
    /// How many connections there have been.
    connections: u64,
}

impl Task {
    async fn run(mut self) {
        loop {
            let Some(request) = self.requests.recv().await else { return };
            let mut connected = match self.connect(request.need).await {
                Ok(Some(mut connection)) => {
                    take(&mut connection, request);
                    Some(connection)
                }
                Ok(None) => {
                    refuse(request, PaneError::Gone);
                    None
                }
                Err(error) => {
                    refuse(request, error);
                    None
                }
            };
            while let Some(connection) = connected {
                let Some(lost) = self.serve(connection).await else { return };
                tracing::info!(reason = lost.0, "lost the connection to tmux");
                connected = self.reconnect().await;
            }
        }
    }

    /// Serves until the connection is lost; `None` when nobody is left to serve.
    async fn serve(&mut self, mut connection: Connection) -> Option<Lost> {
        loop {
            tokio::select! {
                request = self.requests.recv(), if connection.has_room() => take(&mut connection, request?),
                step = connection.step() => if let Err(lost) = step {
                    // First every script that was sent is answered, then whoever is still queued is told.
                    connection.close(&lost);
                    self.connected.send_replace(None);
                    return Some(lost);
                },
            }
        }
    }

    /// Connects again; `None` when the server is gone, or nobody is left to serve.
    async fn reconnect(&mut self) -> Option<Connection> {
        let mut pause = FIRST_PAUSE;
        while !self.requests.is_closed() {
            match self.connect(Need::Any).await {
                Ok(connection) => return connection,
                Err(error) => {
                    tracing::warn!(%error, "connecting to tmux again");
                    while let Ok(request) = self.requests.try_recv() {
                        refuse(request, error.clone());
                    }
                }
            }
            time::sleep(pause).await;
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
        None
    }

    /// Connects to the server that runs, or starts one if that is needed; `None` when there is none.
    async fn connect(&mut self, need: Need) -> Result<Option<Connection>, PaneError> {
        let (address, hub) = self.door.open().await?;
        let server = OwnedServer { address, folder: self.config_folder.clone() };
        match (hub, need) {
            (Hub::There, _) => {
                server.configure().await?;
                server.end_stale_clients().await;
            }
            (Hub::NoServer, Need::Any | Need::This(_) | Need::Over(..)) => {
                self.registry.keep_only(None);
                return Ok(None);
            }
            (Hub::NoServer, Need::Started) => {
                self.registry.keep_only(None);
                let version = command::version().await?;
                server.start().await?;
                tracing::info!(%version, "started a tmux server");
            }
            (Hub::Missing, _) => server.start().await?,
        }
        let generation = Generation(self.connections + 1);
        let connection = Connection::open(&server, self.door.clone(), Arc::clone(&self.registry), generation).await?;
        self.door.close_behind(&server.address, connection.server().pid).await;
        self.connections = generation.0;
        self.connected.send_replace(Some(generation));
        self.registry.bump_all();
        Ok(Some(connection))
    }
}

fn take(connection: &mut Connection, request: Request) {
    // Nobody waits for it any more: what it would do now was meant for an earlier moment.
    if request.answer.is_closed() {
        return;
    }
    match request.need {
        Need::This(server) | Need::Over(server, _) if server != connection.server() => {
            refuse(request, PaneError::Gone);
        }
        Need::Over(_, generation) if generation != connection.generation() => {
            let _ = request.answer.send(Err(renewed()));
        }
        _ => connection.submit(request.script, request.answer),
    }
}

fn refuse(request: Request, error: PaneError) {
    let _ = request.answer.send(Err(Failure::not_sent(error)));
}
