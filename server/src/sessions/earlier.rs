//! Earlier conversations of the CLIs: listed, and gone on with.

use std::path::{Path, PathBuf};

use shared_types::{AdapterKind, ConversationInfo, SessionId, SessionState};

use crate::conversations::Listing;

use super::{SessionError, Sessions, existing_folder};

/// The longest id of a conversation; the CLIs' own are UUIDs.
const ID_LIMIT: usize = 64;

impl Sessions {
    /// The conversations a CLI has kept, newest first: those of a folder, and those that fit what was typed.
    ///
    /// # Errors
    /// When the folder does not exist.
    pub async fn conversations(
        &self,
        adapter: AdapterKind,
        folder: Option<&str>,
        query: String,
    ) -> Result<Vec<ConversationInfo>, SessionError> {
        let folder = match folder {
            Some(folder) => Some(existing_folder(folder).await?),
            None => None,
        };
        let shelves = self.world.shelves.clone();
        let known = self.world.bus.sessions().into_iter().map(|session| session.folder.into());
        let wanted = Listing { folder, query, known: known.collect() };
        let listing = tokio::task::spawn_blocking(move || shelves.list(adapter, &wanted));
        listing.await.map_err(|_| SessionError::Internal("listing the conversations failed".to_owned()))
    }

    /// Two sessions never have the same conversation open.
    pub(super) fn conversation_open(&self, running: SessionId) -> SessionError {
        let name = self.world.bus.session(running).map(|running| running.name).unwrap_or_default();
        SessionError::Running(format!("this conversation is open already, in the session {name}"))
    }

    /// The file of a conversation that somebody wants to resume.
    pub(super) async fn earlier(&self, adapter: AdapterKind, folder: &Path, id: &str) -> Result<PathBuf, SessionError> {
        // It becomes an argument of the CLI: nothing that could be taken for anything else.
        let plain = |ch: char| ch.is_ascii_alphanumeric() || ch == '-';
        if id.is_empty() || id.len() > ID_LIMIT || id.starts_with('-') || !id.chars().all(plain) {
            return Err(SessionError::BadValue("that is not the id of a conversation".to_owned()));
        }
        let running = self.world.bus.sessions().into_iter().find(|session| {
            session.conversation.as_deref() == Some(id) && !matches!(session.state, SessionState::Ended { .. })
        });
        if let Some(running) = running {
            return Err(self.conversation_open(running.id));
        }
        let (shelves, folder, id) = (self.world.shelves.clone(), folder.to_owned(), id.to_owned());
        let found = tokio::task::spawn_blocking(move || shelves.find(adapter, &folder, &id)).await;
        found.ok().flatten().ok_or(SessionError::NoConversation)
    }
}
