//! Where the hooks of the CLIs arrive.
//!
//! A CLI runs `answerback hook FILE` ([`relay`]), which hands over what it was given on a unix socket that only the owner can
//! open, together with the secret of its session; only a process below the pane of that session is heard ([`crate::peer`]). The
//! session's task says what the hook is told; a hook that asks is held until
//! then. When the server goes away in the meantime the connection breaks and the relay comes again.
//!
//! One connection is one hook: a line with a [`Header`], the payload, and in return `done`, a line end and what the hook prints.
//! An end without `done` means: not now, come again.

pub mod relay;

use std::{fs, io, os::unix::fs::OpenOptionsExt as _, path::Path, path::PathBuf, sync::Arc, time::Duration};

use serde::{Deserialize, Serialize};
use shared_types::SessionId;
use tokio::{
    io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader},
    net::{UnixListener, UnixStream},
    sync::{Semaphore, oneshot},
    time::timeout,
};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::{
    peer::{Gate, Refusal},
    sessions::Sessions,
};

/// The largest payload: a file that is written whole, quoted twice, and some.
const PAYLOAD_LIMIT: usize = 8 * 1024 * 1024;
const HEADER_LIMIT: u64 = 4096;
/// How long a relay may take to hand over what it has in its hands already.
const READ_LIMIT: Duration = Duration::from_secs(5);
/// Hooks at a time. One more is told to come again; the dialogs stand on the screen meanwhile.
const HOOKS_LIMIT: usize = 512;
/// What precedes the answer.
const DONE: &[u8] = b"done\n";

/// What a relay needs to reach its session; kept in the session's own folder, for the owner only.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct HookAccess {
    /// Where the server listens.
    pub socket: PathBuf,
    /// Whose hooks these are.
    pub session: SessionId,
    /// Known to this session's hooks alone.
    pub secret: String,
}

/// What precedes a payload.
#[derive(Debug, Serialize, Deserialize)]
struct Header {
    /// Names this run of the hook, also when it comes again.
    request: Uuid,
    session: SessionId,
    secret: String,
    length: usize,
}

/// A hook that has arrived.
pub(crate) struct Arrived {
    /// Names this run of the hook, also when it comes again.
    pub(crate) id: Uuid,
    /// What the CLI gave it.
    pub(crate) payload: serde_json::Value,
    /// What it shall print goes here; dropped, the hook comes again.
    pub(crate) reply: oneshot::Sender<String>,
}

impl HookAccess {
    /// The access of a new session, with a new secret.
    ///
    /// # Errors
    /// When the system gives no randomness.
    pub(crate) fn create(socket: PathBuf, session: SessionId) -> io::Result<Self> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes).map_err(io::Error::other)?;
        let secret = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(Self { socket, session, secret })
    }

    /// Where it is kept.
    pub(crate) fn path(session_folder: &Path) -> PathBuf {
        session_folder.join("hook.json")
    }

    /// Writes it down for the owner only.
    pub(crate) fn write(&self, session_folder: &Path) -> io::Result<()> {
        let mut options = fs::OpenOptions::new();
        let file = options.write(true).create(true).truncate(true).mode(0o600).open(Self::path(session_folder))?;
        serde_json::to_writer(file, self).map_err(io::Error::other)
    }

    /// Reads it again.
    pub(crate) fn read(path: &Path) -> io::Result<Self> {
        serde_json::from_slice(&fs::read(path)?).map_err(io::Error::other)
    }
}

/// Compares without telling by the time it takes how much was right.
pub(crate) fn same_secret(one: &str, other: &str) -> bool {
    one.len() == other.len() && one.bytes().zip(other.bytes()).fold(0, |differs, (a, b)| differs | (a ^ b)) == 0
}

/// Takes hooks until `stop`.
pub(crate) async fn listen(listener: UnixListener, gate: Arc<Gate>, sessions: Arc<Sessions>, stop: CancellationToken) {
    let places = Arc::new(Semaphore::new(HOOKS_LIMIT));
    loop {
        let stream = tokio::select! {
            () = stop.cancelled() => return,
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => stream,
                Err(error) => {
                    tracing::warn!(%error, "cannot take a hook");
                    tokio::time::sleep(Duration::from_millis(100)).await;
                    continue;
                }
            },
        };
        let Ok(place) = Arc::clone(&places).try_acquire_owned() else { continue };
        let (gate, sessions, stop) = (Arc::clone(&gate), Arc::clone(&sessions), stop.clone());
        tokio::spawn(async move {
            tokio::select! {
                () = stop.cancelled() => {}
                served = serve(stream, &gate, &sessions) => if let Err(error) = served {
                    tracing::debug!(%error, "a hook was not served");
                },
            }
            drop(place);
        });
    }
}

async fn serve(stream: UnixStream, gate: &Gate, sessions: &Sessions) -> io::Result<()> {
    let peer = stream.peer_cred()?;
    let (reading, mut writing) = stream.into_split();
    let mut reading = BufReader::new(reading);
    let (header, payload) = timeout(READ_LIMIT, read(&mut reading)).await??;
    if let Err(refusal) = gate.admit_hook(&peer, header.session).await {
        tracing::warn!(session = %header.session.0, pid = peer.pid(), %refusal, "a hook is not heard");
        // Without an answer it comes again; one that is not heard goes its way.
        return if refusal == Refusal::NotNow { Ok(()) } else { writing.write_all(DONE).await };
    }
    let (reply, mut decided) = oneshot::channel();
    let arrived = Arrived { id: header.request, payload, reply };
    if !sessions.take_hook(header.session, &header.secret, arrived) {
        return writing.write_all(DONE).await;
    }
    let mut rest = [0; 1];
    let printed = tokio::select! {
        decision = &mut decided => decision,
        // The CLI has ended its hook, which is how it says that somebody at the desk said no.
        _ = reading.read(&mut rest) => {
            sessions.hook_left(header.session, header.request).await;
            return Ok(());
        }
    };
    // Without a decision the session's task has ended: the hook comes again and finds the next one.
    let Ok(printed) = printed else { return Ok(()) };
    writing.write_all(DONE).await?;
    writing.write_all(printed.as_bytes()).await?;
    writing.shutdown().await?;
    // It has all of it when it closes.
    let _ = timeout(READ_LIMIT, reading.read(&mut rest)).await;
    sessions.hook_left(header.session, header.request).await;
    Ok(())
}

async fn read(reading: &mut BufReader<tokio::net::unix::OwnedReadHalf>) -> io::Result<(Header, serde_json::Value)> {
    let mut line = Vec::new();
    (&mut *reading).take(HEADER_LIMIT).read_until(b'\n', &mut line).await?;
    let header: Header = serde_json::from_slice(&line).map_err(io::Error::other)?;
    if header.length > PAYLOAD_LIMIT {
        return Err(io::Error::other("the payload is too large"));
    }
    let mut payload = vec![0; header.length];
    reading.read_exact(&mut payload).await?;
    Ok((header, serde_json::from_slice(&payload).map_err(io::Error::other)?))
}
