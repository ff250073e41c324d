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
                "DELETE FROM sent WHERE session_id = ?1 AND number NOT IN
                    (SELECT number FROM sent WHERE session_id = ?1 ORDER BY number DESC LIMIT ?2)",
                params![session, KEPT],
            )?;
            Ok(SentBefore::No)
        })
        .await
    }

    /// Writes down that the CLI has taken a message; so nothing of those before it is left in its composer.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn message_taken(&self, session: SessionId, key: Uuid) -> Result<(), StoreError> {
        self.write(move |db| {
            let session = session.0.to_string();
            db.execute(
                "UPDATE sent SET state = 'taken' WHERE session_id = ?1 AND key = ?2",
                [&session, &key.to_string()],
            )?;
            db.execute("UPDATE sent SET text = NULL WHERE session_id = ?1", [&session])?;
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

    /// Messages of which nobody knows what became of them, oldest first: what stands in the composer may be ours.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn messages_in_doubt(&self, session: SessionId) -> Result<Vec<String>, StoreError> {
        self.read(move |db| {
            let query = "SELECT text FROM sent WHERE session_id = ?1 AND text IS NOT NULL ORDER BY number";
            let mut statement = db.prepare(query)?;
            let texts = statement.query_map([session.0.to_string()], |row| row.get(0))?;
            Ok(texts.collect::<Result<_, _>>()?)
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
