//! The messages that sessions are started with, until they are taken.

use rusqlite::{OptionalExtension as _, params};
use shared_types::{FirstMessage, SessionId};

use super::{Store, StoreError, records::FirstMessageRecord};

impl Store {
    /// Keeps the first message of a session, in place of what was kept of it.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn set_first_message(&self, id: SessionId, message: &FirstMessage) -> Result<(), StoreError> {
        let message = serde_json::to_string(&FirstMessageRecord::from(message.clone()))?;
        self.write(move |db| {
            db.execute(
                "INSERT INTO first_messages (session_id, message) VALUES (?1, ?2)
                 ON CONFLICT (session_id) DO UPDATE SET message = excluded.message",
                params![id.0.to_string(), message],
            )?;
            Ok(())
        })
        .await
    }

    /// The first message of a session, while it is not known to be taken.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn first_message(&self, id: SessionId) -> Result<Option<FirstMessage>, StoreError> {
        self.read(move |db| {
            let json: Option<String> = db
                .query_row("SELECT message FROM first_messages WHERE session_id = ?1", [id.0.to_string()], |row| {
                    row.get(0)
                })
                .optional()?;
            Ok(json.map(|json| read(id, &json)))
        })
        .await
    }

    /// The first message has been taken, or is no longer wanted.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn drop_first_message(&self, id: SessionId) -> Result<(), StoreError> {
        self.write(move |db| {
            db.execute("DELETE FROM first_messages WHERE session_id = ?1", [id.0.to_string()])?;
            Ok(())
        })
        .await
    }
}

/// A first message from its JSON. One that cannot be read is not typed, and says so.
fn read(session: SessionId, json: &str) -> FirstMessage {
    serde_json::from_str::<FirstMessageRecord>(json).map(FirstMessage::from).unwrap_or_else(|error| {
        let error = StoreError::from(error);
        tracing::warn!(session = %session.0, %error, "a stored first message cannot be read");
        let problem = Some("this version of Answerback cannot read it".to_owned());
        FirstMessage { text: String::new(), problem }
    })
}
