//! Telegram chats in the store: which are told, and which messages of ours stand in them.

use rusqlite::{OptionalExtension as _, Row, params};
use shared_types::{Millis, PromptId};

use super::{Store, StoreError};
use crate::journal::Fact;

/// A chat that is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredChat {
    /// Telegram's id of it.
    pub id: i64,
    /// Its name, for people.
    pub name: String,
    /// When it was paired.
    pub since: Millis,
    /// Until when it wants to be left alone; 0 for not at all.
    pub paused_until: Millis,
}

/// A message of ours that stands in a chat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredChatMessage {
    /// In which chat.
    pub chat: i64,
    /// What it is about; a chat has one message for each.
    pub tag: String,
    /// Telegram's id of it, within the chat.
    pub id: i64,
    /// Its first line.
    pub title: String,
    /// The prompt that it shows, with the digest of what it showed.
    pub prompt: Option<(PromptId, String)>,
    /// When it was sent.
    pub at: Millis,
}

impl Store {
    /// The chats that are told.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn chats(&self) -> Result<Vec<StoredChat>, StoreError> {
        self.read(|db| {
            let mut statement = db.prepare("SELECT id, name, since, paused_until FROM chats ORDER BY since, id")?;
            let found = statement.query_map([], |row| {
                Ok(StoredChat { id: row.get(0)?, name: row.get(1)?, since: row.get(2)?, paused_until: row.get(3)? })
            })?;
            Ok(found.collect::<Result<_, _>>()?)
        })
        .await
    }

    /// Keeps a chat, with the facts about it.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn put_chat(&self, chat: StoredChat, facts: Vec<Fact>) -> Result<(), StoreError> {
        self.write_with(facts, move |db| {
            let StoredChat { id, name, since, paused_until } = chat;
            let sql = "INSERT INTO chats (id, name, since, paused_until) VALUES (?1, ?2, ?3, ?4)
                       ON CONFLICT (id) DO UPDATE SET name = ?2, paused_until = ?4";
            db.execute(sql, params![id, name, since, paused_until])?;
            Ok(())
        })
        .await
    }

    /// Forgets a chat and its messages, with the facts about that.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn remove_chat(&self, id: i64, facts: Vec<Fact>) -> Result<(), StoreError> {
        self.write_with(facts, move |db| {
            db.execute("DELETE FROM chats WHERE id = ?1", [id])?;
            Ok(())
        })
        .await
    }

    /// Keeps a message in the place of the one before it about the same.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn put_chat_message(&self, message: StoredChatMessage) -> Result<(), StoreError> {
        self.write(move |db| {
            let StoredChatMessage { chat, tag, id, title, prompt, at } = message;
            let (prompt, digest) = prompt.map(|(prompt, digest)| (prompt.0.to_string(), digest)).unzip();
            // A chat that was removed meanwhile keeps nothing.
            let sql = "INSERT OR REPLACE INTO chat_messages (chat_id, tag, message_id, title, prompt_id, digest, at)
                       SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7 WHERE EXISTS (SELECT 1 FROM chats WHERE id = ?1)";
            db.execute(sql, params![chat, tag, id, title, prompt, digest, at])?;
            Ok(())
        })
        .await
    }

    /// The message about something that stands in a chat.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn chat_message_about(&self, chat: i64, tag: String) -> Result<Option<StoredChatMessage>, StoreError> {
        let sql = "SELECT * FROM chat_messages WHERE chat_id = ?1 AND tag = ?2";
        self.read(move |db| Ok(db.query_row(sql, params![chat, tag], message).optional()?)).await
    }

    /// The message of ours with this id that stands in a chat.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn chat_message(&self, chat: i64, id: i64) -> Result<Option<StoredChatMessage>, StoreError> {
        let sql = "SELECT * FROM chat_messages WHERE chat_id = ?1 AND message_id = ?2";
        self.read(move |db| Ok(db.query_row(sql, params![chat, id], message).optional()?)).await
    }

    /// Forgets a message that says nothing of use any more, and those that were sent before a time.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn remove_chat_message(&self, chat: i64, tag: String, before: Millis) -> Result<(), StoreError> {
        self.write(move |db| {
            let sql = "DELETE FROM chat_messages WHERE (chat_id = ?1 AND tag = ?2) OR at < ?3";
            db.execute(sql, params![chat, tag, before])?;
            Ok(())
        })
        .await
    }
}

fn message(row: &Row<'_>) -> rusqlite::Result<StoredChatMessage> {
    let prompt: Option<String> = row.get("prompt_id")?;
    let prompt = prompt.and_then(|id| id.parse().ok()).map(PromptId);
    Ok(StoredChatMessage {
        chat: row.get("chat_id")?,
        tag: row.get("tag")?,
        id: row.get("message_id")?,
        title: row.get("title")?,
        prompt: prompt.zip(row.get("digest")?),
        at: row.get("at")?,
    })
}
