//! Notifications in the store: how devices are reached, what was told of which prompt, and the tokens of buttons.

use rusqlite::{OptionalExtension as _, params};
use shared_types::{DeviceId, Millis, PromptId, PushSubscription};

use super::{Store, StoreError};
use crate::journal::Fact;

/// Something that was told of a prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredNotice {
    /// Of which prompt.
    pub prompt: PromptId,
    /// To whom, as one word.
    pub target: String,
    /// Which step of the ladder.
    pub step: usize,
    /// When.
    pub at: Millis,
}

/// What a token answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredToken {
    /// SHA-256 of the token.
    pub hash: [u8; 32],
    /// Which prompt.
    pub prompt: PromptId,
    /// Whom it was sent to, as one word.
    pub target: String,
    /// The prompt as it was shown.
    pub digest: String,
    /// The option's value.
    pub choice: String,
}

/// What became of a token that was shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Used {
    /// It was good, and is used from now on.
    Now(StoredToken),
    /// It was used before.
    Before,
    /// It was sent to somebody else.
    Foreign,
    /// There is no such token, or its prompt is forgotten.
    Unknown,
}

impl Store {
    /// How the devices are reached that want to be told, and since when.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn push_subscriptions(&self) -> Result<Vec<(DeviceId, PushSubscription, Millis)>, StoreError> {
        self.read(|db| {
            let mut statement = db.prepare("SELECT * FROM push_subscriptions")?;
            let mut rows = statement.query([])?;
            let mut found = Vec::new();
            while let Some(row) = rows.next()? {
                let device = DeviceId(super::read_uuid(&row.get::<_, String>("device_id")?)?);
                let text: String = row.get("subscription")?;
                found.push((device, serde_json::from_str(&text)?, row.get("since")?));
            }
            Ok(found)
        })
        .await
    }

    /// Keeps how a device is reached, or forgets it.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn put_push_subscription(
        &self,
        device: DeviceId,
        subscription: Option<PushSubscription>,
        since: Millis,
    ) -> Result<(), StoreError> {
        self.write(move |db| {
            let id = device.0.to_string();
            match subscription {
                Some(subscription) => {
                    let sql = "INSERT INTO push_subscriptions (device_id, subscription, since) VALUES (?1, ?2, ?3)
                               ON CONFLICT (device_id) DO UPDATE SET subscription = ?2, since = ?3";
                    db.execute(sql, params![id, serde_json::to_string(&subscription)?, since])?;
                }
                None => {
                    db.execute("DELETE FROM push_subscriptions WHERE device_id = ?1", [id])?;
                }
            }
            Ok(())
        })
        .await
    }

    /// Writes down that something was told, or that it was tried, with its fact.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn put_notice(&self, notice: Option<StoredNotice>, facts: Vec<Fact>) -> Result<(), StoreError> {
        self.write_with(facts, move |db| {
            if let Some(StoredNotice { prompt, target, step, at }) = notice {
                // A prompt that could not be written down has none: it is told again after a restart.
                let sql = "INSERT OR REPLACE INTO notices (prompt_id, target, step, at)
                           SELECT ?1, ?2, ?3, ?4 WHERE EXISTS (SELECT 1 FROM prompts WHERE id = ?1)";
                db.execute(sql, params![prompt.0.to_string(), target, i64::try_from(step).unwrap_or(0), at])?;
            }
            Ok(())
        })
        .await
    }

    /// What was told of a prompt, the first first.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn notices(&self, prompt: PromptId) -> Result<Vec<StoredNotice>, StoreError> {
        self.read(move |db| {
            let sql = "SELECT target, step, at FROM notices WHERE prompt_id = ?1 ORDER BY at";
            let mut statement = db.prepare(sql)?;
            let found = statement.query_map([prompt.0.to_string()], |row| {
                let step = row.get::<_, i64>("step")?;
                let step = usize::try_from(step).unwrap_or(0);
                Ok(StoredNotice { prompt, target: row.get("target")?, step, at: row.get("at")? })
            })?;
            Ok(found.collect::<Result<_, _>>()?)
        })
        .await
    }

    /// Keeps the tokens of a notification's buttons. False when their prompt is not written down: then there are no buttons.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn add_answer_tokens(&self, tokens: Vec<StoredToken>) -> Result<bool, StoreError> {
        self.write(move |db| {
            let mut kept = true;
            for StoredToken { hash, prompt, target, digest, choice } in tokens {
                let sql = "INSERT INTO answer_tokens (hash, prompt_id, target, digest, choice)
                           SELECT ?1, ?2, ?3, ?4, ?5 WHERE EXISTS (SELECT 1 FROM prompts WHERE id = ?2)";
                kept &= db.execute(sql, params![hash, prompt.0.to_string(), target, digest, choice])? == 1;
            }
            Ok(kept)
        })
        .await
    }

    /// Uses a token, once.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn use_answer_token(&self, hash: [u8; 32], target: String, at: Millis) -> Result<Used, StoreError> {
        self.write(move |db| {
            let sql = "SELECT prompt_id, target, digest, choice, used_at FROM answer_tokens WHERE hash = ?1";
            let found = db
                .query_row(sql, [hash], |row| {
                    let texts: (String, String, String, String) = (row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?);
                    Ok((texts, row.get::<_, Option<Millis>>(4)?))
                })
                .optional()?;
            let Some(((prompt, sent_to, digest, choice), used_at)) = found else { return Ok(Used::Unknown) };
            if sent_to != target {
                return Ok(Used::Foreign);
            }
            if used_at.is_some() {
                return Ok(Used::Before);
            }
            db.execute("UPDATE answer_tokens SET used_at = ?2 WHERE hash = ?1", params![hash, at])?;
            let prompt = PromptId(super::read_uuid(&prompt)?);
            Ok(Used::Now(StoredToken { hash, prompt, target, digest, choice }))
        })
        .await
    }
}
