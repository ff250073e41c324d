//! Prompts in the store: what makes an answer happen at most once, across restarts too.

use adapters::Fingerprint;
use rusqlite::{OptionalExtension as _, Row, params};
use shared_types::{Answer, InteractivePrompt, Millis, PromptId, PromptOutcome, SessionId};
use uuid::Uuid;

use super::{AttemptRecord, Store, StoreError};

/// A prompt as it is kept.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredPrompt {
    /// The prompt as it was sent to the phones.
    pub prompt: InteractivePrompt,
    /// What recognises it on the screen.
    pub fingerprint: Fingerprint,
    /// The answer that won, if any; it may still be under way.
    pub answer: Option<Answer>,
    /// How far that answer has got.
    pub attempt: Option<AttemptRecord>,
    /// The idempotency keys of answers that did not work.
    pub tried: Vec<Uuid>,
    /// False once the prompt is over.
    pub open: bool,
}

impl StoredPrompt {
    /// What became of it, now that it is over: an answer whose last keys were typed was taken, another was not.
    pub(crate) fn outcome_when(&self, unanswered: PromptOutcome) -> PromptOutcome {
        match &self.answer {
            Some(answer) if self.attempt.as_ref().is_none_or(AttemptRecord::may_have_arrived) => {
                PromptOutcome::Verified { answer: answer.clone() }
            }
            _ => unanswered,
        }
    }

    /// Whether this hook asked it.
    pub(crate) fn is_asked_by(&self, hook: Uuid) -> bool {
        self.prompt.request_id.0 == hook || self.attempt.as_ref().is_some_and(|attempt| attempt.hook == Some(hook))
    }

    /// True for an answer that won and comes again.
    pub(crate) fn is_winner(&self, key: Option<Uuid>) -> bool {
        self.answer.is_some() && key.is_some() && self.attempt.as_ref().is_some_and(|attempt| attempt.key == key)
    }
}

impl Store {
    /// Adds an open prompt, or takes over its changed content.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn put_prompt(
        &self,
        session: SessionId,
        prompt: InteractivePrompt,
        fingerprint: Fingerprint,
        at: Millis,
    ) -> Result<(), StoreError> {
        self.write(move |db| {
            db.execute(
                "INSERT INTO prompts (id, session_id, fingerprint, state, prompt, created_at) VALUES (?1, ?2, ?3, 'open', ?4, ?5)
                 ON CONFLICT (id) DO UPDATE SET prompt = excluded.prompt, fingerprint = excluded.fingerprint",
                params![
                    prompt.request_id.0.to_string(),
                    session.0.to_string(),
                    fingerprint.0.cast_signed(),
                    serde_json::to_string(&prompt)?,
                    at,
                ],
            )?;
            Ok(())
        })
        .await
    }

    /// Writes down that an answer begins. Returns false when the prompt is over or an answer is already under way: the
    /// store is the last judge of who was first.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn begin_answer(
        &self,
        id: PromptId,
        answer: Answer,
        attempt: AttemptRecord,
        at: Millis,
    ) -> Result<bool, StoreError> {
        self.write(move |db| {
            let (answer, attempt) = (serde_json::to_string(&answer)?, serde_json::to_string(&attempt)?);
            let changed = db.execute(
                "UPDATE prompts SET state = 'answering', answer = ?2, attempt = ?3, answered_at = ?4
                 WHERE id = ?1 AND state = 'open'",
                params![id.0.to_string(), answer, attempt, at],
            )?;
            Ok(changed == 1)
        })
        .await
    }

    /// Writes down that an answer failed and the prompt is open again. The same answer, sent once more by a phone that does
    /// not know, is then known to have failed.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn reopen_prompt(&self, id: PromptId) -> Result<(), StoreError> {
        self.write(move |db| {
            db.execute(
                "UPDATE prompts SET state = 'open', answer = NULL, answered_at = NULL, attempt = NULL,
                    tried = CASE WHEN attempt ->> 'key' IS NULL THEN tried
                        ELSE json_insert(coalesce(tried, '[]'), '$[#]', attempt ->> 'key') END
                 WHERE id = ?1 AND state = 'answering'",
                [id.0.to_string()],
            )?;
            Ok(())
        })
        .await
    }

    /// Takes back that a prompt is over: its hook is here again and has heard nothing. Its answer was not one.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn revive_prompt(&self, id: PromptId) -> Result<(), StoreError> {
        self.write(move |db| {
            db.execute(
                "UPDATE prompts SET state = 'answering', closed_at = NULL WHERE id = ?1 AND closed_at IS NOT NULL",
                [id.0.to_string()],
            )?;
            Ok(())
        })
        .await?;
        self.reopen_prompt(id).await
    }

    /// Writes down how a prompt ended.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn close_prompt(&self, id: PromptId, outcome: &PromptOutcome, at: Millis) -> Result<(), StoreError> {
        let (state, answer) = match outcome {
            PromptOutcome::Verified { answer } => ("verified", Some(serde_json::to_string(answer)?)),
            PromptOutcome::Gone => ("gone", None),
            PromptOutcome::SessionEnded => ("session-ended", None),
        };
        self.write(move |db| {
            db.execute(
                "UPDATE prompts SET state = ?2, answer = ?3, closed_at = ?4, attempt = json_remove(attempt, '$.response')
                 WHERE id = ?1",
                params![id.0.to_string(), state, answer, at],
            )?;
            Ok(())
        })
        .await
    }

    /// A prompt, open or over.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn prompt(&self, id: PromptId) -> Result<Option<StoredPrompt>, StoreError> {
        self.read(move |db| {
            let row = db
                .query_row("SELECT * FROM prompts WHERE id = ?1", [id.0.to_string()], |row| Ok(stored(row)))
                .optional()?;
            row.transpose()
        })
        .await
    }

    /// The prompts of a session that were not over when they were last written down.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn open_prompts(&self, session: SessionId) -> Result<Vec<StoredPrompt>, StoreError> {
        self.read(move |db| {
            let mut statement = db.prepare(
                "SELECT * FROM prompts WHERE session_id = ?1 AND state IN ('open', 'answering') ORDER BY created_at, id",
            )?;
            let mut rows = statement.query([session.0.to_string()])?;
            let mut prompts = Vec::new();
            while let Some(row) = rows.next()? {
                prompts.push(stored(row)?);
            }
            Ok(prompts)
        })
        .await
    }
}

fn stored(row: &Row<'_>) -> Result<StoredPrompt, StoreError> {
    let state: String = row.get("state")?;
    let answer: Option<String> = row.get("answer")?;
    Ok(StoredPrompt {
        prompt: serde_json::from_str(&row.get::<_, String>("prompt")?)?,
        fingerprint: Fingerprint(row.get::<_, i64>("fingerprint")?.cast_unsigned()),
        answer: answer.map(|json| serde_json::from_str(&json)).transpose()?,
        attempt: from_json(row.get("attempt")?)?,
        tried: from_json(row.get("tried")?)?.unwrap_or_default(),
        open: matches!(state.as_str(), "open" | "answering"),
    })
}

fn from_json<T: serde::de::DeserializeOwned>(text: Option<String>) -> Result<Option<T>, StoreError> {
    Ok(text.map(|json| serde_json::from_str(&json)).transpose()?)
}

/// An id from a text column.
pub(super) fn uuid(row: &Row<'_>, column: &str) -> Result<Uuid, StoreError> {
    let text: String = row.get(column)?;
    Ok(serde_json::from_value(serde_json::Value::String(text))?)
}
