//! How the commands of this binary reach the server: the page's own protocol, over a unix socket that only the owner can open.

use std::{path::Path, time::Duration};

use anyhow::{Context as _, bail};
use futures_util::{SinkExt as _, StreamExt as _};
use shared_types::{
    ClientMessage, Command, PROTOCOL_VERSION, Reply, ReplyData, RequestId, ServerMessage, Session, SessionState,
    Snapshot,
};
use tokio::{net::UnixStream, time::timeout};
use tokio_tungstenite::{WebSocketStream, client_async, tungstenite::Message};

/// How long the server may take to answer. Starting a session on a loaded machine takes seconds.
const ANSWER_LIMIT: Duration = Duration::from_secs(30);

/// A connection to the server on this machine.
pub(crate) struct LocalServer {
    socket: WebSocketStream<UnixStream>,
    /// Everything, as of the connection.
    pub(crate) snapshot: Snapshot,
}

impl LocalServer {
    /// Connects, or says that no server runs.
    pub(crate) async fn connect(socket: &Path) -> anyhow::Result<Self> {
        let Ok(stream) = UnixStream::connect(socket).await else {
            bail!("no Answerback server runs here: start it with `answerback`");
        };
        let (mut socket, _) = client_async("ws://localhost/ws", stream).await.context("speaking with the server")?;
        let hello = ClientMessage::Hello { protocol: PROTOCOL_VERSION, epoch: None, last_seq: None };
        socket.send(Message::text(serde_json::to_string(&hello)?)).await?;
        let mut server = Self { socket, snapshot: Snapshot::default() };
        loop {
            match server.next().await? {
                ServerMessage::Snapshot { snapshot, .. } => {
                    server.snapshot = snapshot;
                    return Ok(server);
                }
                ServerMessage::Error { error } => bail!("{}", error.message),
                _ => {}
            }
        }
    }

    /// The sessions that have not ended.
    pub(crate) fn running(&self) -> Vec<&Session> {
        let sessions = self.snapshot.sessions.iter();
        sessions.filter(|session| !matches!(session.state, SessionState::Ended { .. })).collect()
    }

    /// Asks for something and waits for the answer.
    pub(crate) async fn request(&mut self, command: Command) -> anyhow::Result<ReplyData> {
        let request = ClientMessage::Request { id: RequestId(1), command };
        self.socket.send(Message::text(serde_json::to_string(&request)?)).await?;
        loop {
            match self.next().await? {
                ServerMessage::Reply { result: Reply::Ok { data }, .. } => return Ok(data),
                ServerMessage::Reply { result: Reply::Refused { error }, .. } => bail!("{}", error.message),
                _ => {}
            }
        }
    }

    async fn next(&mut self) -> anyhow::Result<ServerMessage> {
        loop {
            let frame = timeout(ANSWER_LIMIT, self.socket.next()).await.context("the server does not answer")?;
            match frame {
                Some(Ok(Message::Text(text))) => return Ok(serde_json::from_str(&text)?),
                Some(Ok(Message::Close(_)) | Err(_)) | None => bail!("the server closed the connection"),
                Some(Ok(_)) => {}
            }
        }
    }
}
