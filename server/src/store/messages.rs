//! Messages in the store. They are taken over from the CLIs' transcripts together with how far the file was read, in one
//! transaction, so that no line is ever lost or taken twice.

use rusqlite::{Connection, OptionalExtension as _, params};
use shared_types::{Message, MessageId, SessionId};

use super::{Store, StoreError, records::MessageRecord};

/// Where a page of messages is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// At the end.
    Newest,
    /// Just before a message.
    Before(MessageId),
    /// Just after a message.
    After(MessageId),
    /// On both sides of a message, which is among them.
    Around(MessageId),
}

/// A page of messages.
#[derive(Debug, Clone, PartialEq)]
pub struct MessagePage {
    /// The messages, oldest first.
    pub messages: Vec<Message>,
    /// True when there are none before these.
    pub at_start: bool,
    /// True when there are none after these.
    pub at_end: bool,
}

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
                let id = message.id.clone();
                let json = serde_json::to_string(&MessageRecord::from(message))?;
                if put.execute(params![session, id.0, json])? > 0 {
                    changed.push(id);
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
            Ok(json.map(|json| MessageRecord::read(id.0, &json)))
        })
        .await
    }

    /// A page of messages, oldest first. A place at a message that is not known is the end.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn messages(&self, session: SessionId, place: Place, limit: u32) -> Result<MessagePage, StoreError> {
        self.read_history(move |db| {
            let session = session.0.to_string();
            let at = match &place {
                Place::Newest => None,
                Place::Before(id) | Place::After(id) | Place::Around(id) => position(db, &session, id)?,
            };
            match (place, at) {
                (Place::After(_), Some(at)) => page(db, &session, at, (0, limit)),
                (Place::Around(_), Some(at)) => page(db, &session, at - 1, (limit / 2, limit - limit / 2)),
                (Place::Before(_), Some(at)) => page(db, &session, at - 1, (limit, 0)),
                _ => page(db, &session, i64::MAX, (limit, 0)),
            }
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
            let last: Option<(String, String)> = db
                .query_row(
                    "SELECT message_id, message FROM messages WHERE session_id = ?1 ORDER BY position DESC LIMIT 1",
                    [&session],
                    |row| Ok((row.get(0)?, row.get(1)?)),
                )
                .optional()?;
            Ok((count, last.map(|(id, json)| MessageRecord::read(id, &json))))
        })
        .await
    }
}

/// So many up to a position, and so many after it.
fn page(db: &Connection, session: &str, at: i64, (before, after): (u32, u32)) -> Result<MessagePage, StoreError> {
    let (mut messages, at_start) = older(db, session, at, before)?;
    let (newer, at_end) = newer(db, session, at, after)?;
    messages.extend(newer);
    Ok(MessagePage { messages, at_start, at_end })
}

/// The last ones up to a position, oldest first, and whether they reach the start.
fn older(db: &Connection, session: &str, at: i64, limit: u32) -> Result<(Vec<Message>, bool), StoreError> {
    let sql = "SELECT message_id, message FROM messages WHERE session_id = ?1 AND position <= ?2
               ORDER BY position DESC LIMIT ?3";
    let (mut messages, all) = some_of(db, sql, session, at, limit)?;
    messages.reverse();
    Ok((messages, all))
}

/// The first ones after a position, and whether they reach the end.
fn newer(db: &Connection, session: &str, at: i64, limit: u32) -> Result<(Vec<Message>, bool), StoreError> {
    let sql = "SELECT message_id, message FROM messages WHERE session_id = ?1 AND position > ?2
               ORDER BY position LIMIT ?3";
    some_of(db, sql, session, at, limit)
}

/// At most so many of what a query gives, and whether that is all of it.
fn some_of(db: &Connection, sql: &str, session: &str, at: i64, limit: u32) -> Result<(Vec<Message>, bool), StoreError> {
    let mut statement = db.prepare_cached(sql)?;
    let mut rows = statement.query(params![session, at, i64::from(limit) + 1])?;
    let mut messages: Vec<Message> = Vec::new();
    while let Some(row) = rows.next()? {
        if messages.len() == limit as usize {
            return Ok((messages, false));
        }
        messages.push(MessageRecord::read(row.get(0)?, row.get_ref(1)?.as_str().map_err(rusqlite::Error::from)?));
    }
    Ok((messages, true))
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
