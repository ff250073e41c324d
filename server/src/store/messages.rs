//! Messages in the store. They are taken over from the CLIs' transcripts together with how far the file was read, in one
//! transaction, so that no line is ever lost or taken twice.

use rusqlite::{Connection, OptionalExtension as _, params};
use shared_types::{Message, MessageId, SessionId};

use super::{Store, StoreError};

impl Store {
    /// Takes over messages (new ones at the end, known ones in place) and how far the transcript was read. Says which of them
    /// are new or other than they were.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn put_messages(
        &self,
        session: SessionId,
        messages: Vec<Message>,
        offset: u64,
    ) -> Result<Vec<MessageId>, StoreError> {
        self.write(move |db| {
            let session = session.0.to_string();
            let mut changed = Vec::new();
            let mut put = db.prepare_cached(
                "INSERT INTO messages (session_id, position, message_id, message)
                 VALUES (?1, (SELECT coalesce(max(position), 0) + 1 FROM messages WHERE session_id = ?1), ?2, ?3)
                 ON CONFLICT (session_id, message_id) DO UPDATE SET message = excluded.message
                 WHERE message <> excluded.message",
            )?;
            for message in messages {
                if put.execute(params![session, message.id.0, serde_json::to_string(&message)?])? > 0 {
                    changed.push(message.id);
                }
            }
            db.execute("UPDATE sessions SET transcript_offset = ?2 WHERE id = ?1", params![session, offset])?;
            Ok(changed)
        })
        .await
    }

    /// One message.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn message(&self, session: SessionId, id: MessageId) -> Result<Option<Message>, StoreError> {
        self.read(move |db| {
            let json: Option<String> = db
                .query_row(
                    "SELECT message FROM messages WHERE session_id = ?1 AND message_id = ?2",
                    params![session.0.to_string(), id.0],
                    |row| row.get(0),
                )
                .optional()?;
            Ok(json.map(|json| serde_json::from_str(&json)).transpose()?)
        })
        .await
    }

    /// A page of messages, oldest first, and whether it reaches the start. A `before` that is not known gives the newest.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn messages(
        &self,
        session: SessionId,
        before: Option<MessageId>,
        limit: u32,
    ) -> Result<(Vec<Message>, bool), StoreError> {
        self.read(move |db| {
            let session = session.0.to_string();
            let before = match before {
                Some(id) => position(db, &session, &id)?,
                None => None,
            };
            let mut statement = db.prepare_cached(
                "SELECT message FROM messages WHERE session_id = ?1 AND position < ?2 ORDER BY position DESC LIMIT ?3",
            )?;
            let mut rows = statement.query(params![session, before.unwrap_or(i64::MAX), i64::from(limit) + 1])?;
            let mut messages: Vec<Message> = Vec::new();
            while let Some(row) = rows.next()? {
                messages.push(serde_json::from_str(&row.get::<_, String>(0)?)?);
            }
            let at_start = messages.len() <= limit as usize;
            messages.truncate(limit as usize);
            messages.reverse();
            Ok((messages, at_start))
        })
        .await
    }

    /// How many messages a session has, and the last of them.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn message_tail(&self, session: SessionId) -> Result<(u64, Option<Message>), StoreError> {
        self.read(move |db| {
            let session = session.0.to_string();
            // Positions have no gaps, so the last one is the count, found without counting.
            let count = db.query_row(
                "SELECT coalesce(max(position), 0) FROM messages WHERE session_id = ?1",
                [&session],
                |row| row.get(0),
            )?;
            let last: Option<String> = db
                .query_row(
                    "SELECT message FROM messages WHERE session_id = ?1 ORDER BY position DESC LIMIT 1",
                    [&session],
                    |row| row.get(0),
                )
                .optional()?;
            Ok((count, last.map(|json| serde_json::from_str(&json)).transpose()?))
        })
        .await
    }
}

fn position(db: &Connection, session: &str, id: &MessageId) -> Result<Option<i64>, StoreError> {
    Ok(db
        .query_row(
            "SELECT position FROM messages WHERE session_id = ?1 AND message_id = ?2",
            params![session, id.0],
            |row| row.get(0),
        )
        .optional()?)
}
