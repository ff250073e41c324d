//! How the commands of this binary reach the server: the page's own protocol, over a unix socket that only the owner can open.

use std::{path::Path, time::Duration};

use answerback_client::{Client, ClientError};
use anyhow::{Context as _, bail};
use shared_types::{Command, ErrorCode, ReplyData, ServerMessage, Session, SessionState, Snapshot, WireError};
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
                ServerMessage::Error { error } => bail!("{}", in_words(&error)),
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

/// Why the server does not go on, in words for a terminal: those for a page speak of reloading it.
fn in_words(error: &WireError) -> &str {
    match error.code {
        ErrorCode::ProtocolVersion => {
            "the server that runs here is of another version than this program: stop it and start it anew; your sessions run on"
        }
        _ => &error.message,
    }
}

async fn in_time<T>(answer: impl Future<Output = Result<T, ClientError>>) -> anyhow::Result<T> {
    Ok(timeout(ANSWER_LIMIT, answer).await.context("the server does not answer")??)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn server_of_another_version_is_to_be_started_anew() {
        let said = |code| WireError { code, message: "reload the page".to_owned() };
        assert!(in_words(&said(ErrorCode::ProtocolVersion)).contains("start it anew"));
        assert_eq!(in_words(&said(ErrorCode::HelloFirst)), "reload the page");
    }
}
