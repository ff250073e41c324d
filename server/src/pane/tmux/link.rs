//! The way to the tmux server: a queue of scripts, and the one task that owns the control connection and renews it.
//!
//! States: *no server* (idle until somebody asks) → *connected* → *lost* (tries again, at once and then ever slower) → one
//! of the two. A caller never hangs: each script has a limit, and when the connection is lost it is told so.

use std::{sync::Arc, time::Duration};

use tokio::{
    sync::{mpsc, oneshot},
    time,
};

use super::{
    connection::{Answer, Connection, Lost, REPLY_LIMIT, Reply},
    lifecycle::{Place, Running},
    registry::{Registry, ServerId},
    script::Script,
};
use crate::pane::PaneError;

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
}

/// A handle to the task; the connection is closed when the last one is dropped. The tmux server stays.
#[derive(Debug, Clone)]
pub(super) struct Link {
    requests: mpsc::Sender<Request>,
}

#[derive(Debug)]
struct Request {
    need: Need,
    script: Script,
    answer: Answer,
}

impl Link {
    /// Starts the task. Nothing is connected until it is needed.
    pub(super) fn new(place: Place, registry: Arc<Registry>) -> Self {
        let (requests, waiting) = mpsc::channel(QUEUE);
        tokio::spawn(Task { place, registry, requests: waiting }.run());
        Self { requests }
    }

    /// Runs a script and waits for its replies.
    pub(super) async fn run(&self, need: Need, script: Script) -> Result<Reply, PaneError> {
        let (answer, reply) = oneshot::channel();
        let request = Request { need, script, answer };
        let outcome = time::timeout(CALL_LIMIT, async {
            self.requests.send(request).await.ok()?;
            reply.await.ok()
        });
        match outcome.await {
            Ok(Some(reply)) => reply.map_err(|error| if need == Need::Started { error } else { gone(error) }),
            Ok(None) => Err(PaneError::Unavailable("the connection to tmux was closed".into())),
            Err(_) => Err(PaneError::Unavailable(format!("tmux did not answer within {} s", CALL_LIMIT.as_secs()))),
        }
    }
}

/// tmux's words for a target that is not there.
fn gone(error: PaneError) -> PaneError {
    match error {
        PaneError::Refused(reason) if reason.starts_with("can't find ") => PaneError::Gone,
        other => other,
    }
}

struct Task {
    place: Place,
    registry: Arc<Registry>,
    requests: mpsc::Receiver<Request>,
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
                    connection.close(&lost);
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
    async fn connect(&self, need: Need) -> Result<Option<Connection>, PaneError> {
        match (self.place.running().await?, need) {
            (Running::Yes, _) => {
                self.place.configure().await?;
                self.place.end_stale_clients().await;
            }
            (Running::No, Need::Any | Need::This(_)) => {
                self.registry.keep_only(None);
                return Ok(None);
            }
            (Running::No, Need::Started) => {
                self.registry.keep_only(None);
                let version = self.place.version().await?;
                self.place.start().await?;
                tracing::info!(%version, "started a tmux server");
            }
            (Running::WithoutHub, _) => self.place.start().await?,
        }
        let connection = Connection::open(&self.place, Arc::clone(&self.registry)).await?;
        self.registry.bump_all();
        Ok(Some(connection))
    }
}

fn take(connection: &mut Connection, request: Request) {
    match request.need {
        Need::This(server) if server != connection.server() => refuse(request, PaneError::Gone),
        _ => connection.submit(request.script, request.answer),
    }
}

fn refuse(request: Request, error: PaneError) {
    let _ = request.answer.send(Err(error));
}
