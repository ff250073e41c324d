//! Writing to a session: the message itself, and what helps to write it.

use std::path::PathBuf;

use adapters::{adapter_for, send::SendStyle};
use shared_types::{ErrorCode, SessionId, SessionState, SlashCommand, WireError};
use uuid::Uuid;

use super::{
    Sessions,
    refuse::{refuse, session_ended, unknown_session},
    starting,
    task::Input,
};
use crate::composing::{attached, defined_commands};

/// The longest chat message.
const TEXT_LIMIT: usize = 100_000;
/// How many files one message may have.
const FILES_LIMIT: usize = 20;

impl Sessions {
    /// Sends a chat message, and returns when the CLI has taken it. The same key twice is one message.
    ///
    /// # Errors
    /// When it was not typed, or not taken; the error says which.
    pub async fn send_text(
        &self,
        session: SessionId,
        text: String,
        key: Option<Uuid>,
        files: &[String],
    ) -> Result<(), WireError> {
        if text.trim().is_empty() && files.is_empty() {
            return Err(refuse(ErrorCode::BadValue, "the message is empty"));
        }
        let text = self.with_files(session, text.replace("\r\n", "\n"), files)?;
        if text.len() > TEXT_LIMIT {
            return Err(refuse(ErrorCode::TooLarge, format!("the message is longer than {TEXT_LIMIT} bytes")));
        }
        if text.chars().any(|ch| ch.is_control() && !matches!(ch, '\n' | '\t')) {
            return Err(refuse(ErrorCode::BadValue, "the message holds control characters"));
        }
        self.ask(session, |reply| Input::SendText { text, key, reply }).await
    }

    /// The message with the files that go with it, each named as its CLI wants it.
    fn with_files(&self, session: SessionId, text: String, files: &[String]) -> Result<String, WireError> {
        if files.is_empty() {
            return Ok(text);
        }
        if files.len() > FILES_LIMIT {
            return Err(refuse(ErrorCode::TooLarge, format!("a message has at most {FILES_LIMIT} files")));
        }
        let view = self.world.bus.session(session).ok_or_else(unknown_session)?;
        let adapter = adapter_for(view.adapter);
        let folder = starting::session_folder(&self.world.folder, session);
        let mut parts: Vec<String> = Some(text).filter(|text| !text.trim().is_empty()).into_iter().collect();
        for id in files {
            let Some(path) = attached::find(&folder, id) else {
                return Err(refuse(ErrorCode::BadValue, "a file that goes with the message is no longer there"));
            };
            parts.push(adapter.mention(&path.to_string_lossy()));
        }
        // Where every line is a message of its own, all of it has to stand on one.
        let between = if adapter.profile().send == SendStyle::Lines { " " } else { "\n" };
        Ok(parts.join(between))
    }

    /// The commands that a message to a session can begin with.
    ///
    /// # Errors
    /// When there is no such session.
    pub async fn slash_commands(&self, session: SessionId) -> Result<Vec<SlashCommand>, WireError> {
        let view = self.world.bus.session(session).ok_or_else(unknown_session)?;
        let (commands, home) = (adapter_for(view.adapter).commands(), self.world.shelves.cli_home(view.adapter));
        let reading = move || defined_commands(commands, view.folder.as_ref(), &home);
        let found = tokio::task::spawn_blocking(reading).await;
        found.map_err(|_| refuse(ErrorCode::Internal, "reading the commands failed"))
    }

    /// The files of a session's folder that fit a few letters, the likeliest first.
    ///
    /// # Errors
    /// When there is no such session.
    pub async fn files(&self, session: SessionId, query: String) -> Result<Vec<String>, WireError> {
        let view = self.world.bus.session(session).ok_or_else(unknown_session)?;
        let folders = std::sync::Arc::clone(&self.folders);
        let looking = move || folders.matching(view.folder.as_ref(), &query);
        let found = tokio::task::spawn_blocking(looking).await;
        found.map_err(|_| refuse(ErrorCode::Internal, "looking for files failed"))
    }

    /// Where the files of a session are kept that go with its messages.
    ///
    /// # Errors
    /// When there is no such session, or it has ended.
    pub fn session_folder(&self, session: SessionId) -> Result<PathBuf, WireError> {
        match self.world.bus.session(session).ok_or_else(unknown_session)?.state {
            SessionState::Ended { .. } => Err(session_ended()),
            _ => Ok(starting::session_folder(&self.world.folder, session)),
        }
    }
}
