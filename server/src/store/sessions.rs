//! Sessions in the store: what is kept of them while they run. [`super::session_life`] begins and ends them.

use std::path::{Path, PathBuf};

use rusqlite::{OptionalExtension as _, Row, named_params, params};
use serde::{Serialize, de::DeserializeOwned};
use shared_types::{AdapterKind, EndReason, Millis, PermissionMode, ScreenFrame, SessionId, Usage};

use super::{Store, StoreError, json_column, read_uuid, records::EndRecord};
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

/// The sessions of a store.
#[derive(Debug, Default, PartialEq)]
pub struct StoredSessions {
    /// Those that can be read, oldest first.
    pub records: Vec<SessionRecord>,
    /// Those that cannot.
    pub unreadable: Vec<UnreadableSession>,
}

/// A session that this version cannot read. Its row stays as it is, for the version that can.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnreadableSession {
    /// Its id, as it is stored.
    pub id: String,
    /// Its name.
    pub name: String,
    /// The folder it works in.
    pub folder: String,
    /// When it was started.
    pub created_at: Millis,
    /// Why, in a sentence for people.
    pub reason: String,
}

impl Store {
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

    /// All sessions, oldest first. One that cannot be read is reported, and keeps nobody else from being listed.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn sessions(&self) -> Result<StoredSessions, StoreError> {
        self.read(|db| {
            let mut statement = db.prepare(&format!("SELECT {COLUMNS} FROM sessions ORDER BY created_at, id"))?;
            let mut rows = statement.query([])?;
            let mut found = StoredSessions::default();
            while let Some(row) = rows.next()? {
                match record(row) {
                    Ok(record) => found.records.push(record),
                    Err(error) => found.unreadable.push(UnreadableSession {
                        id: row.get("id")?,
                        name: row.get("name")?,
                        folder: row.get("folder")?,
                        created_at: row.get("created_at")?,
                        reason: why_unreadable(row, &error),
                    }),
                }
            }
            Ok(found)
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
                .query_row(&format!("SELECT {COLUMNS} FROM sessions WHERE id = ?1"), [id.0.to_string()], |row| {
                    Ok(record(row))
                })
                .optional()?;
            row.transpose()
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

    /// What an ended session showed last.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn last_screen(&self, id: SessionId) -> Result<Option<ScreenFrame>, StoreError> {
        self.read_history(move |db| {
            let json: Option<Option<String>> = db
                .query_row("SELECT last_screen FROM sessions WHERE id = ?1", [id.0.to_string()], |row| row.get(0))
                .optional()?;
            Ok(json.flatten().map(|json| serde_json::from_str(&json)).transpose()?)
        })
        .await
    }
}

/// Everything but the last screen, which is long and rarely wanted.
const COLUMNS: &str =
    "id, name, adapter, folder, command, mode, cli_session_id, transcript, transcript_offset, pane, usage,
    created_at, ended_at, end_reason";

fn record(row: &Row<'_>) -> Result<SessionRecord, StoreError> {
    let ended_at: Option<Millis> = row.get("ended_at")?;
    let end_reason: Option<EndReason> = json_column::<EndRecord>(row, "end_reason")?.map(EndReason::from);
    Ok(SessionRecord {
        id: SessionId(read_uuid(&row.get::<_, String>("id")?)?),
        name: row.get("name")?,
        adapter: known_adapter(row.get("adapter")?)?,
        folder: row.get::<_, String>("folder")?.into(),
        command: serde_json::from_str(&row.get::<_, String>("command")?)?,
        mode: row.get::<_, Option<String>>("mode")?.map(from_word).transpose()?,
        cli_session_id: row.get("cli_session_id")?,
        transcript: row.get::<_, Option<String>>("transcript")?.map(PathBuf::from),
        transcript_offset: row.get("transcript_offset")?,
        pane: json_column(row, "pane")?,
        // Only shown: a session runs as well without it.
        usage: json_column(row, "usage").ok().flatten(),
        created_at: row.get("created_at")?,
        ended: ended_at.zip(end_reason),
    })
}

/// Why a session cannot be read, in a sentence for people.
fn why_unreadable(row: &Row<'_>, error: &StoreError) -> String {
    let adapter: String = row.get("adapter").unwrap_or_default();
    match known_adapter(adapter.clone()) {
        Err(_) => format!("it was made by another version of Answerback: this one does not know {adapter:?}"),
        Ok(_) => format!("what is stored of it cannot be read: {error}"),
    }
}

/// The wire's word for a plain enum, such as `claude`.
pub(super) fn word<T: Serialize>(value: &T) -> Result<String, StoreError> {
    Ok(serde_json::to_value(value)?.as_str().unwrap_or_default().to_owned())
}

/// An adapter that this version has.
fn known_adapter(word: String) -> Result<AdapterKind, StoreError> {
    let kind = from_word(word)?;
    if adapters::registry::find(kind).is_none() {
        return Err(StoreError::NoAdapter(kind));
    }
    Ok(kind)
}

fn from_word<T: DeserializeOwned>(word: String) -> Result<T, StoreError> {
    Ok(serde_json::from_value(serde_json::Value::String(word))?)
}
