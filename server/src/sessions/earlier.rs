//! Earlier conversations of the CLIs: listed, and gone on with.

use std::path::{Path, PathBuf};

use shared_types::{AdapterKind, ConversationInfo, ErrorCode, SessionState, WireError};

use crate::conversations::Listing;

use super::{Sessions, existing_folder, refuse::refuse};

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
    ) -> Result<Vec<ConversationInfo>, WireError> {
        let folder = folder.map(existing_folder).transpose()?;
        let shelves = self.world.shelves.clone();
        let known = self.world.bus.sessions().into_iter().map(|session| session.folder.into());
        let wanted = Listing { folder, query, known: known.collect() };
        let listing = tokio::task::spawn_blocking(move || shelves.list(adapter, &wanted));
        listing.await.map_err(|_| refuse(ErrorCode::Internal, "listing the conversations failed"))
    }

    /// The file of a conversation that somebody wants to go on with.
    pub(super) async fn earlier(&self, adapter: AdapterKind, folder: &Path, id: &str) -> Result<PathBuf, WireError> {
        // It becomes an argument of the CLI: nothing that could be taken for anything else.
        let plain = |ch: char| ch.is_ascii_alphanumeric() || ch == '-';
        if id.is_empty() || id.len() > ID_LIMIT || id.starts_with('-') || !id.chars().all(plain) {
            return Err(refuse(ErrorCode::BadValue, "that is not the id of a conversation"));
        }
        let running = self.world.bus.sessions().into_iter().find(|session| {
            session.conversation.as_deref() == Some(id) && !matches!(session.state, SessionState::Ended { .. })
        });
        if let Some(running) = running {
            let message = format!("this conversation is open already, in the session {}", running.name);
            return Err(refuse(ErrorCode::SessionBusy, message));
        }
        let (shelves, folder, id) = (self.world.shelves.clone(), folder.to_owned(), id.to_owned());
        let found = tokio::task::spawn_blocking(move || shelves.find(adapter, &folder, &id)).await;
        found.ok().flatten().ok_or_else(|| refuse(ErrorCode::BadValue, "there is no such conversation in this folder"))
    }
}
