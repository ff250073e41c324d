//! Sessions begin, end, begin again and are forgotten. Each is one statement that decides: of several who ask at once, one wins.

use rusqlite::{Connection, OptionalExtension as _, named_params, params};
use shared_types::{EndReason, Millis, PermissionMode, ScreenFrame, SessionId};
use uuid::Uuid;

use super::{SessionRecord, Store, StoreError, journal::append, read_uuid, records::EndRecord, sessions::word};
use crate::journal::{Entry, Fact};

/// Whether a session was added.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Added {
    /// It was.
    Added,
    /// Its conversation is open in this session, so it was not.
    ConversationOpen(SessionId),
}

/// Whether an ended session was taken back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Revived {
    /// It was, by this caller.
    Revived,
    /// It runs, somebody else was first, or there is no such session.
    NotEnded,
    /// Its conversation is open in this other session.
    ConversationOpen(SessionId),
}

impl Store {
    /// Adds a session that is about to start; its pane is noted once there is one. Its conversation must not be open in another
    /// one. A start that was reserved by a key is confirmed with it.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn add_session(
        &self,
        record: SessionRecord,
        start_key: Option<Uuid>,
        facts: Vec<Fact>,
    ) -> Result<Added, StoreError> {
        let entries: Vec<Entry> = facts.into_iter().map(Entry::from).collect();
        self.write(move |db| {
            if let Some(open) = open_in(db, record.cli_session_id.as_deref())? {
                return Ok(Added::ConversationOpen(open));
            }
            let id = record.id.0.to_string();
            db.execute(
                "INSERT INTO sessions (id, name, adapter, folder, command, mode, cli_session_id, transcript, created_at)
                 VALUES (:id, :name, :adapter, :folder, :command, :mode, :cli_session_id, :transcript, :created_at)",
                named_params! {
                    ":id": id,
                    ":name": record.name,
                    ":adapter": word(&record.adapter)?,
                    ":folder": record.folder.to_string_lossy(),
                    ":command": serde_json::to_string(&record.command)?,
                    ":mode": record.mode.as_ref().map(word).transpose()?,
                    ":cli_session_id": record.cli_session_id,
                    ":transcript": record.transcript.map(|path| path.to_string_lossy().into_owned()),
                    ":created_at": record.created_at,
                },
            )?;
            if let Some(key) = start_key {
                db.execute("UPDATE starts SET session_id = ?2 WHERE key = ?1", params![key.to_string(), id])?;
            }
            append(db, entries)?;
            Ok(Added::Added)
        })
        .await
    }

    /// Takes back that a session has ended. Of several who ask at once one wins, and only then writes the session's files.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn revive_session(
        &self,
        id: SessionId,
        mode: Option<PermissionMode>,
        facts: Vec<Fact>,
    ) -> Result<Revived, StoreError> {
        let entries: Vec<Entry> = facts.into_iter().map(Entry::from).collect();
        self.write(move |db| {
            let sql = "SELECT cli_session_id FROM sessions WHERE id = ?1 AND ended_at IS NOT NULL";
            let ended: Option<Option<String>> = db.query_row(sql, [id.0.to_string()], |row| row.get(0)).optional()?;
            let Some(conversation) = ended else { return Ok(Revived::NotEnded) };
            if let Some(open) = open_in(db, conversation.as_deref())? {
                return Ok(Revived::ConversationOpen(open));
            }
            db.execute(
                "UPDATE sessions SET ended_at = NULL, end_reason = NULL, pane = NULL, mode = ?2 WHERE id = ?1",
                params![id.0.to_string(), mode.as_ref().map(word).transpose()?],
            )?;
            append(db, entries)?;
            Ok(Revived::Revived)
        })
        .await
    }

    /// Marks a session as ended, with what it showed last; without that, what was last kept stays. Its open prompts end with it.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn end_session(
        &self,
        id: SessionId,
        at: Millis,
        reason: EndReason,
        last_screen: Option<ScreenFrame>,
        facts: Vec<Fact>,
    ) -> Result<(), StoreError> {
        self.write_with(facts, move |db| {
            let screen = last_screen.map(|frame| serde_json::to_string(&frame)).transpose()?;
            db.execute(
                "UPDATE sessions SET ended_at = ?2, end_reason = ?3, last_screen = coalesce(?4, last_screen) WHERE id = ?1",
                params![id.0.to_string(), at, serde_json::to_string(&EndRecord::from(reason))?, screen],
            )?;
            db.execute(
                "UPDATE prompts SET state = 'session-ended', closed_at = ?2, attempt = json_remove(attempt, '$.response')
                 WHERE session_id = ?1 AND state IN ('open', 'answering')",
                params![id.0.to_string(), at],
            )?;
            Ok(())
        })
        .await
    }

    /// Takes an ended session out of the store, its prompts and messages with it. False when it runs, or runs again.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn forget_session(&self, id: SessionId) -> Result<bool, StoreError> {
        self.write(move |db| {
            let sql = "DELETE FROM sessions WHERE id = ?1 AND ended_at IS NOT NULL";
            Ok(db.execute(sql, [id.0.to_string()])? == 1)
        })
        .await
    }

    /// Takes a session out of the store that was added and could not be started after all.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn discard_session(&self, id: SessionId, facts: Vec<Fact>) -> Result<(), StoreError> {
        self.write_with(facts, move |db| {
            db.execute("DELETE FROM sessions WHERE id = ?1", [id.0.to_string()])?;
            Ok(())
        })
        .await
    }
}

/// The running session that has this conversation open.
fn open_in(db: &Connection, conversation: Option<&str>) -> Result<Option<SessionId>, StoreError> {
    let sql = "SELECT id FROM sessions WHERE cli_session_id = ?1 AND ended_at IS NULL LIMIT 1";
    let open: Option<String> = match conversation {
        Some(conversation) => db.query_row(sql, [conversation], |row| row.get(0)).optional()?,
        None => None,
    };
    open.map(|id| read_uuid(&id).map(SessionId)).transpose()
}
