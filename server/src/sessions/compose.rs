//! Writing to a session: the message itself, and what helps to write it.

use std::path::PathBuf;

use adapters::{adapter_for, send::SendStyle};
use shared_types::{SessionId, SessionState, SlashCommand};
use uuid::Uuid;

use super::{SessionError, Sessions, start, task::Request};
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
    ) -> Result<(), SessionError> {
        let text = clean_text(&self.with_files(session, text, files).await?)?;
        self.send_clean(session, text, key).await?;
        // Whoever goes on talking has dealt with a first message that was not taken.
        let first = self.world.bus.session(session).and_then(|session| session.first_message);
        if first.is_some_and(|first| first.problem.is_some()) {
            self.note_first(session, None).await;
        }
        Ok(())
    }

    /// Sends a message that [`clean_text`] has let through.
    pub(super) async fn send_clean(
        &self,
        session: SessionId,
        text: String,
        key: Option<Uuid>,
    ) -> Result<(), SessionError> {
        self.ask(session, |reply| Request::SendText { text, key, reply }).await
    }

    /// The message with the files that go with it, each named as its CLI wants it.
    async fn with_files(&self, session: SessionId, text: String, files: &[String]) -> Result<String, SessionError> {
        if files.is_empty() {
            return Ok(text);
        }
        if files.len() > FILES_LIMIT {
            return Err(SessionError::TooLarge(format!("a message has at most {FILES_LIMIT} files")));
        }
        let view = self.world.bus.session(session).ok_or(SessionError::Unknown)?;
        let adapter = adapter_for(view.adapter);
        let folder = start::session_folder(&self.world.folder, session);
        let mut parts: Vec<String> = Some(text).filter(|text| !text.trim().is_empty()).into_iter().collect();
        for id in files {
            let Some(path) = attached::find(&folder, id).await else {
                return Err(SessionError::BadValue("a file that goes with the message is no longer there".to_owned()));
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
    pub async fn slash_commands(&self, session: SessionId) -> Result<Vec<SlashCommand>, SessionError> {
        let view = self.world.bus.session(session).ok_or(SessionError::Unknown)?;
        let (commands, home) = (adapter_for(view.adapter).commands(), self.world.shelves.cli_home(view.adapter));
        let reading = move || defined_commands(commands, view.folder.as_ref(), &home);
        let found = tokio::task::spawn_blocking(reading).await;
        found.map_err(|_| SessionError::Internal("reading the commands failed".to_owned()))
    }

    /// The files of a session's folder that fit a few letters, the likeliest first.
    ///
    /// # Errors
    /// When there is no such session.
    pub async fn files(&self, session: SessionId, query: String) -> Result<Vec<String>, SessionError> {
        let view = self.world.bus.session(session).ok_or(SessionError::Unknown)?;
        let folders = std::sync::Arc::clone(&self.folders);
        let looking = move || folders.matching(view.folder.as_ref(), &query);
        let found = tokio::task::spawn_blocking(looking).await;
        found.map_err(|_| SessionError::Internal("looking for files failed".to_owned()))
    }

    /// Where the files of a session are kept that go with its messages.
    ///
    /// # Errors
    /// When there is no such session, or it has ended.
    pub fn session_folder(&self, session: SessionId) -> Result<PathBuf, SessionError> {
        match self.world.bus.session(session).ok_or(SessionError::Unknown)?.state {
            SessionState::Ended { .. } => Err(SessionError::Ended),
            _ => Ok(start::session_folder(&self.world.folder, session)),
        }
    }
}

/// A message as it can be typed.
pub(super) fn clean_text(text: &str) -> Result<String, SessionError> {
    if text.trim().is_empty() {
        return Err(SessionError::BadValue("the message is empty".to_owned()));
    }
    let text = text.replace("\r\n", "\n");
    if text.len() > TEXT_LIMIT {
        return Err(SessionError::TooLarge(format!("the message is longer than {TEXT_LIMIT} bytes")));
    }
    if text.chars().any(|ch| ch.is_control() && !matches!(ch, '\n' | '\t')) {
        return Err(SessionError::BadValue("the message holds control characters".to_owned()));
    }
    Ok(text)
}
