//! How the commands of this binary reach the server: the page's own protocol, over a unix socket that only the owner can open.

use std::{path::Path, time::Duration};

use answerback_client::{Client, ClientError};
use anyhow::{Context as _, bail};
use shared_types::{Command, ReplyData, ServerMessage, Session, SessionState, Snapshot};
use tokio::{net::UnixStream, time::timeout};

/// How long the server may take to answer. Starting a session on a loaded machine takes seconds.
const ANSWER_LIMIT: Duration = Duration::from_secs(30);

/// Nobody listens.
#[derive(Debug, thiserror::Error)]
#[error("no Answerback server runs here: start it with `answerback`")]
pub(crate) struct NoServer;

/// A connection to the server on this machine.
pub(crate) struct LocalServer {
    client: Client<UnixStream>,
    /// Everything, as of the connection.
    pub(crate) snapshot: Snapshot,
}

impl LocalServer {
    /// Connects, or says that no server runs.
    pub(crate) async fn connect(socket: &Path) -> anyhow::Result<Self> {
        let mut client = match Client::connect_local(socket).await {
            Err(ClientError::Unreachable(_)) => return Err(NoServer.into()),
            // It says why in words.
            Err(ClientError::NotLetIn(Some(error))) => bail!("{}", error.message),
            connected => connected.context("speaking with the server")?,
        };
        client.hello(None).await?;
        loop {
            match in_time(client.next()).await? {
                ServerMessage::Snapshot { snapshot, .. } => return Ok(Self { client, snapshot }),
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
        match in_time(self.client.ask(command)).await? {
            Ok(data) => Ok(data),
            Err(error) => bail!("{}", error.message),
        }
    }
}

async fn in_time<T>(answer: impl Future<Output = Result<T, ClientError>>) -> anyhow::Result<T> {
    Ok(timeout(ANSWER_LIMIT, answer).await.context("the server does not answer")??)
}
