//! Which chat messages were typed, by the keys their pages gave them: a message that is sent twice is one message.

use rusqlite::{OptionalExtension as _, params};
use shared_types::{Millis, SessionId};
use uuid::Uuid;

use super::{Store, StoreError};
use crate::journal::Fact;

/// How many are remembered of a session. A page repeats what it had no reply to, which is never more than a few.
const KEPT: u32 = 256;

/// What became of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SentMessage {
    /// When it was begun.
    pub at: Millis,
    /// Whether the CLI was seen to take it. False also when the server ended in between.
    pub taken: bool,
}

impl Store {
    /// What became of the message with this key; nothing when it was never typed.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn sent_message(&self, session: SessionId, key: Uuid) -> Result<Option<SentMessage>, StoreError> {
        self.read(move |db| {
            let found = db
                .query_row(
                    "SELECT at, taken FROM sent_messages WHERE key = ?1 AND session_id = ?2",
                    params![key.to_string(), session.0.to_string()],
                    |row| Ok(SentMessage { at: row.get(0)?, taken: row.get(1)? }),
                )
                .optional()?;
            Ok(found)
        })
        .await
    }

    /// Writes down that a message is about to be typed.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn begin_message(&self, session: SessionId, key: Uuid, text: &str, at: Millis) -> Result<(), StoreError> {
        let text = text.to_owned();
        self.write(move |db| {
            let session = session.0.to_string();
            db.execute(
                "INSERT OR REPLACE INTO sent_messages (key, session_id, at, text, number) VALUES (?1, ?2, ?3, ?4,
                    (SELECT coalesce(max(number), 0) + 1 FROM sent_messages WHERE session_id = ?2))",
                params![key.to_string(), session, at, text],
            )?;
            db.execute(
                "DELETE FROM sent_messages WHERE session_id = ?1 AND key NOT IN
                 (SELECT key FROM sent_messages WHERE session_id = ?1 ORDER BY number DESC LIMIT ?2)",
                params![session, KEPT],
            )?;
            Ok(())
        })
        .await
    }

    /// Writes down that the CLI has taken a message; so nothing of those before it is left in its composer.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn message_taken(&self, key: Uuid, facts: Vec<Fact>) -> Result<(), StoreError> {
        self.write_with(facts, move |db| {
            let key = key.to_string();
            db.execute("UPDATE sent_messages SET taken = 1 WHERE key = ?1", [&key])?;
            db.execute(
                "UPDATE sent_messages SET text = NULL
                 WHERE session_id = (SELECT session_id FROM sent_messages WHERE key = ?1)",
                [&key],
            )?;
            Ok(())
        })
        .await
    }

    /// Messages of which nobody knows what became of them, oldest first: what stands in the composer may be ours.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn messages_in_doubt(&self, session: SessionId) -> Result<Vec<String>, StoreError> {
        self.read(move |db| {
            let query = "SELECT text FROM sent_messages WHERE session_id = ?1 AND text IS NOT NULL ORDER BY number";
            let mut statement = db.prepare(query)?;
            let texts = statement.query_map([session.0.to_string()], |row| row.get(0))?;
            Ok(texts.collect::<Result<_, _>>()?)
        })
        .await
    }

    /// A message was surely not sent: it may be tried again with its key.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn message_not_sent(&self, key: Uuid) -> Result<(), StoreError> {
        self.write(move |db| {
            db.execute("DELETE FROM sent_messages WHERE key = ?1", params![key.to_string()])?;
            Ok(())
        })
        .await
    }
}
