//! Sessions in the store.

use std::path::{Path, PathBuf};

use rusqlite::{OptionalExtension as _, Row, named_params, params};
use serde::{Serialize, de::DeserializeOwned};
use shared_types::{AdapterKind, EndReason, Millis, PermissionMode, ScreenFrame, SessionId, Usage};

use super::{Store, StoreError};
use crate::pane::PaneIdentity;

/// What is kept of a session.
#[derive(Debug, Clone, PartialEq)]
pub struct SessionRecord {
    /// Its id.
    pub id: SessionId,
    /// Its name.
    pub name: String,
    /// Who reads it.
    pub adapter: AdapterKind,
    /// The folder it works in.
    pub folder: PathBuf,
    /// The person's program and arguments.
    pub command: Vec<String>,
    /// The permission mode it was started in.
    pub mode: Option<PermissionMode>,
    /// The conversation's id in the CLI's own words.
    pub cli_session_id: Option<String>,
    /// The file the CLI writes its conversation to.
    pub transcript: Option<PathBuf>,
    /// How far that file has been taken over.
    pub transcript_offset: u64,
    /// Which pane it runs in.
    pub pane: Option<PaneIdentity>,
    /// What the conversation has used.
    pub usage: Option<Usage>,
    /// When it was started.
    pub created_at: Millis,
    /// When and how it ended.
    pub ended: Option<(Millis, EndReason)>,
}

impl Store {
    /// Adds a session that is about to start; its pane is noted once there is one.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn add_session(&self, record: SessionRecord) -> Result<(), StoreError> {
        self.write(move |db| {
            db.execute(
                "INSERT INTO sessions (id, name, adapter, folder, command, mode, cli_session_id, transcript, created_at)
                 VALUES (:id, :name, :adapter, :folder, :command, :mode, :cli_session_id, :transcript, :created_at)",
                named_params! {
                    ":id": record.id.0.to_string(),
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
            Ok(())
        })
        .await
    }

    /// Notes which pane a session runs in.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn set_pane(&self, id: SessionId, pane: PaneIdentity) -> Result<(), StoreError> {
        self.write(move |db| {
            let pane = serde_json::to_string(&pane)?;
            db.execute("UPDATE sessions SET pane = ?2 WHERE id = ?1", params![id.0.to_string(), pane])?;
            Ok(())
        })
        .await
    }

    /// All sessions, oldest first.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn sessions(&self) -> Result<Vec<SessionRecord>, StoreError> {
        self.read(|db| {
            let mut statement = db.prepare("SELECT * FROM sessions ORDER BY created_at, id")?;
            let mut rows = statement.query([])?;
            let mut records = Vec::new();
            while let Some(row) = rows.next()? {
                records.push(record(row)?);
            }
            Ok(records)
        })
        .await
    }

    /// Notes which conversation a session is in now, to be read from the start of its file.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn set_conversation(&self, id: SessionId, cli_session_id: String, file: &Path) -> Result<(), StoreError> {
        let file = file.to_string_lossy().into_owned();
        self.write(move |db| {
            db.execute(
                "UPDATE sessions SET cli_session_id = ?2, transcript = ?3, transcript_offset = 0 WHERE id = ?1",
                params![id.0.to_string(), cli_session_id, file],
            )?;
            Ok(())
        })
        .await
    }

    /// Whether a conversation that began at this time may be this session's: no other session has it, and none of the same
    /// kind and folder that still waits for its own was started closer before it.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn may_claim(
        &self,
        id: SessionId,
        cli_session_id: String,
        began: Option<Millis>,
    ) -> Result<bool, StoreError> {
        self.read(move |db| {
            let other: bool = db.query_row(
                "SELECT EXISTS (
                    SELECT 1 FROM sessions AS own, sessions AS other
                    WHERE own.id = :id AND other.id <> own.id AND (
                        other.cli_session_id = :conversation
                        OR (other.transcript IS NULL AND other.ended_at IS NULL AND other.adapter = own.adapter
                            AND other.folder = own.folder AND other.created_at > own.created_at
                            AND other.created_at <= :began)))",
                named_params! { ":id": id.0.to_string(), ":conversation": cli_session_id, ":began": began },
                |row| row.get(0),
            )?;
            Ok(!other)
        })
        .await
    }

    /// Keeps what the conversation of a session has used.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn set_usage(&self, id: SessionId, usage: &Usage) -> Result<(), StoreError> {
        let usage = serde_json::to_string(usage)?;
        self.write(move |db| {
            db.execute("UPDATE sessions SET usage = ?2 WHERE id = ?1", params![id.0.to_string(), usage])?;
            Ok(())
        })
        .await
    }

    /// Gives a session another name.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn rename_session(&self, id: SessionId, name: String) -> Result<(), StoreError> {
        self.write(move |db| {
            db.execute("UPDATE sessions SET name = ?2 WHERE id = ?1", params![id.0.to_string(), name])?;
            Ok(())
        })
        .await
    }

    /// One session.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn session(&self, id: SessionId) -> Result<Option<SessionRecord>, StoreError> {
        self.read(move |db| {
            let row = db
                .query_row("SELECT * FROM sessions WHERE id = ?1", [id.0.to_string()], |row| Ok(record(row)))
                .optional()?;
            row.transpose()
        })
        .await
    }

    /// Takes back that a session has ended. False when it had not: the store is the judge of who was first.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn revive_session(&self, id: SessionId, mode: Option<PermissionMode>) -> Result<bool, StoreError> {
        self.write(move |db| {
            let changed = db.execute(
                "UPDATE sessions SET ended_at = NULL, end_reason = NULL, pane = NULL, mode = ?2
                 WHERE id = ?1 AND ended_at IS NOT NULL",
                params![id.0.to_string(), mode.as_ref().map(word).transpose()?],
            )?;
            Ok(changed == 1)
        })
        .await
    }

    /// Keeps what a session shows, for the day on which its terminal is gone.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn keep_screen(&self, id: SessionId, screen: ScreenFrame) -> Result<(), StoreError> {
        self.write(move |db| {
            let screen = serde_json::to_string(&screen)?;
            db.execute("UPDATE sessions SET last_screen = ?2 WHERE id = ?1", params![id.0.to_string(), screen])?;
            Ok(())
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
    ) -> Result<(), StoreError> {
        self.write(move |db| {
            let screen = last_screen.map(|frame| serde_json::to_string(&frame)).transpose()?;
            db.execute(
                "UPDATE sessions SET ended_at = ?2, end_reason = ?3, last_screen = coalesce(?4, last_screen) WHERE id = ?1",
                params![id.0.to_string(), at, serde_json::to_string(&reason)?, screen],
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

    /// What an ended session showed last.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn last_screen(&self, id: SessionId) -> Result<Option<ScreenFrame>, StoreError> {
        self.read(move |db| {
            let json: Option<Option<String>> = db
                .query_row("SELECT last_screen FROM sessions WHERE id = ?1", [id.0.to_string()], |row| row.get(0))
                .optional()?;
            Ok(json.flatten().map(|json| serde_json::from_str(&json)).transpose()?)
        })
        .await
    }

    /// Takes a session out of the store, its prompts and messages with it.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn forget_session(&self, id: SessionId) -> Result<(), StoreError> {
        self.write(move |db| {
            db.execute("DELETE FROM sessions WHERE id = ?1", [id.0.to_string()])?;
            Ok(())
        })
        .await
    }
}

fn record(row: &Row<'_>) -> Result<SessionRecord, StoreError> {
    let ended_at: Option<Millis> = row.get("ended_at")?;
    let end_reason: Option<EndReason> = json(row.get::<_, Option<String>>("end_reason")?)?;
    Ok(SessionRecord {
        id: SessionId(super::prompts::uuid(row, "id")?),
        name: row.get("name")?,
        adapter: from_word(row.get("adapter")?)?,
        folder: row.get::<_, String>("folder")?.into(),
        command: serde_json::from_str(&row.get::<_, String>("command")?)?,
        mode: row.get::<_, Option<String>>("mode")?.map(from_word).transpose()?,
        cli_session_id: row.get("cli_session_id")?,
        transcript: row.get::<_, Option<String>>("transcript")?.map(PathBuf::from),
        transcript_offset: row.get("transcript_offset")?,
        pane: json(row.get::<_, Option<String>>("pane")?)?,
        usage: json(row.get::<_, Option<String>>("usage")?)?,
        created_at: row.get("created_at")?,
        ended: ended_at.zip(end_reason),
    })
}

fn json<T: DeserializeOwned>(text: Option<String>) -> Result<Option<T>, StoreError> {
    Ok(text.map(|text| serde_json::from_str(&text)).transpose()?)
}

/// The wire's word for a plain enum, such as `claude`.
fn word<T: Serialize>(value: &T) -> Result<String, StoreError> {
    Ok(serde_json::to_value(value)?.as_str().unwrap_or_default().to_owned())
}

fn from_word<T: DeserializeOwned>(word: String) -> Result<T, StoreError> {
    Ok(serde_json::from_value(serde_json::Value::String(word))?)
}
