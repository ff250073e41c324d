//! Chat messages that were sent, by the phone's own name for each: one that is sent again after a restart is not typed again.

use rusqlite::{OptionalExtension as _, params};
use shared_types::{Millis, SessionId};
use uuid::Uuid;

use super::{Store, StoreError};

/// How many are remembered for each session; a phone repeats only the last few.
const KEPT: u32 = 64;

/// What is known of a message before it is typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SentBefore {
    /// It is new, and written down as being typed.
    No,
    /// The CLI has taken it.
    Taken,
    /// It was being typed at this time, when the server went down.
    CutShort(Millis),
}

impl Store {
    /// Writes down that a message is about to be typed, unless it is known already.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn begin_message(
        &self,
        session: SessionId,
        key: Uuid,
        text: &str,
        at: Millis,
    ) -> Result<SentBefore, StoreError> {
        let text = text.to_owned();
        self.write(move |db| {
            let (session, key) = (session.0.to_string(), key.to_string());
            let known: Option<(String, Millis)> = db
                .query_row("SELECT state, at FROM sent WHERE session_id = ?1 AND key = ?2", [&session, &key], |row| {
                    Ok((row.get(0)?, row.get(1)?))
                })
                .optional()?;
            match known {
                Some((state, _)) if state == "taken" => return Ok(SentBefore::Taken),
                Some((_, at)) => return Ok(SentBefore::CutShort(at)),
                None => {}
            }
            db.execute(
                "INSERT INTO sent (session_id, key, state, text, at) VALUES (?1, ?2, 'typing', ?3, ?4)",
                params![session, key, text, at],
            )?;
            db.execute(
                "DELETE FROM sent WHERE session_id = ?1 AND key NOT IN
                    (SELECT key FROM sent WHERE session_id = ?1 ORDER BY at DESC, key DESC LIMIT ?2)",
                params![session, KEPT],
            )?;
            Ok(SentBefore::No)
        })
        .await
    }

    /// Writes down that the CLI has taken a message.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn message_taken(&self, session: SessionId, key: Uuid) -> Result<(), StoreError> {
        self.write(move |db| {
            db.execute(
                "UPDATE sent SET state = 'taken', text = NULL WHERE session_id = ?1 AND key = ?2",
                [session.0.to_string(), key.to_string()],
            )?;
            Ok(())
        })
        .await
    }

    /// Forgets a message of which nothing was typed: it can be sent again.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn forget_message(&self, session: SessionId, key: Uuid) -> Result<(), StoreError> {
        self.write(move |db| {
            db.execute(
                "DELETE FROM sent WHERE session_id = ?1 AND key = ?2",
                [session.0.to_string(), key.to_string()],
            )?;
            Ok(())
        })
        .await
    }

    /// The last message that was being typed when the server went down: what stands in the composer may be ours.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn cut_short_message(&self, session: SessionId) -> Result<Option<String>, StoreError> {
        self.read(move |db| {
            let text = db.query_row(
                "SELECT text FROM sent WHERE session_id = ?1 AND text IS NOT NULL ORDER BY at DESC, key DESC LIMIT 1",
                [session.0.to_string()],
                |row| row.get(0),
            );
            Ok(text.optional()?)
        })
        .await
    }

    /// Whether the conversation has a message of the person's with these words, said at this time or later.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn was_said(&self, session: SessionId, text: &str, since: Millis) -> Result<bool, StoreError> {
        let text = text.trim().to_owned();
        self.read(move |db| {
            let said: bool = db.query_row(
                "SELECT EXISTS (SELECT 1 FROM messages WHERE session_id = ?1
                    AND json_extract(message, '$.role') = 'user'
                    AND json_extract(message, '$.at') >= ?3
                    AND trim(json_extract(message, '$.body.text'), char(9, 10, 13, 32)) = ?2)",
                params![session.0.to_string(), text, since],
                |row| row.get(0),
            )?;
            Ok(said)
        })
        .await
    }
}
