//! Prompts in the store: what makes an answer happen at most once, across restarts too.

use adapters::Fingerprint;
use answerback_ledger::{AttemptRecord, StoredPrompt};
use rusqlite::{Connection, OptionalExtension as _, Row, params};
use shared_types::{Answer, InteractivePrompt, Millis, PromptId, PromptOutcome, SessionId};

use super::{
    Store, StoreError, json_column, read_uuid,
    records::{AnswerRecord, PromptRecord},
    rules,
};
use crate::journal::Fact;

/// The open prompts of a session.
#[derive(Debug, Default, PartialEq)]
pub struct OpenPrompts {
    /// Those that can be read, oldest first.
    pub prompts: Vec<StoredPrompt>,
    /// Those that cannot, and why. They stay as they are in the store until their session ends.
    pub unreadable: Vec<(PromptId, String)>,
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
        facts: Vec<Fact>,
    ) -> Result<(), StoreError> {
        let id = prompt.request_id.0.to_string();
        let json = serde_json::to_string(&PromptRecord::from(prompt))?;
        self.write_with(facts, move |db| {
            db.execute(
                "INSERT INTO prompts (id, session_id, fingerprint, state, prompt, created_at) VALUES (?1, ?2, ?3, 'open', ?4, ?5)
                 ON CONFLICT (id) DO UPDATE SET prompt = excluded.prompt, fingerprint = excluded.fingerprint",
                params![
                    id,
                    session.0.to_string(),
                    fingerprint.0.cast_signed(),
                    json,
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
        facts: Vec<Fact>,
    ) -> Result<bool, StoreError> {
        let used = rules::used_by(&facts);
        self.write_if(facts, move |db| {
            let answer = serde_json::to_string(&AnswerRecord::from(answer))?;
            let attempt = serde_json::to_string(&attempt)?;
            let changed = db.execute(
                "UPDATE prompts SET state = 'answering', answer = ?2, attempt = ?3, answered_at = ?4
                 WHERE id = ?1 AND state = 'open'",
                params![id.0.to_string(), answer, attempt, at],
            )?;
            if changed == 1 {
                rules::count_uses(db, &used, at)?;
            }
            Ok(changed == 1)
        })
        .await
    }

    /// Writes down that an answer failed and the prompt is open again. The same answer, sent once more by a phone that does
    /// not know, is then known to have failed.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn reopen_prompt(&self, id: PromptId, facts: Vec<Fact>) -> Result<(), StoreError> {
        self.write_with(facts, move |db| reopen(db, id)).await
    }

    /// Takes back that a prompt is over: its hook is here again and has heard nothing. Its answer was not one.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn revive_prompt(&self, id: PromptId, facts: Vec<Fact>) -> Result<(), StoreError> {
        self.write_with(facts, move |db| {
            db.execute(
                "UPDATE prompts SET state = 'answering', closed_at = NULL WHERE id = ?1 AND closed_at IS NOT NULL",
                [id.0.to_string()],
            )?;
            reopen(db, id)
        })
        .await
    }

    /// Writes down how a prompt ended.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn close_prompt(
        &self,
        id: PromptId,
        outcome: &PromptOutcome,
        at: Millis,
        facts: Vec<Fact>,
    ) -> Result<(), StoreError> {
        let (state, answer) = match outcome {
            PromptOutcome::Verified { answer } => {
                ("verified", Some(serde_json::to_string(&AnswerRecord::from(answer.clone()))?))
            }
            PromptOutcome::Gone => ("gone", None),
            PromptOutcome::SessionEnded => ("session-ended", None),
        };
        self.write_with(facts, move |db| {
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

    /// The prompts of a session that were not over when they were last written down. One that cannot be read is passed over
    /// and reported.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn open_prompts(&self, session: SessionId) -> Result<OpenPrompts, StoreError> {
        self.read(move |db| {
            let mut statement = db.prepare(
                "SELECT * FROM prompts WHERE session_id = ?1 AND state IN ('open', 'answering') ORDER BY created_at, id",
            )?;
            let mut rows = statement.query([session.0.to_string()])?;
            let mut found = OpenPrompts::default();
            while let Some(row) = rows.next()? {
                match stored(row) {
                    Ok(prompt) => found.prompts.push(prompt),
                    Err(error) => {
                        found.unreadable.push((PromptId(read_uuid(&row.get::<_, String>("id")?)?), error.to_string()));
                    }
                }
            }
            Ok(found)
        })
        .await
    }
}

/// An answer under way was none: its key is kept, who gave it is in the journal.
fn reopen(db: &Connection, id: PromptId) -> Result<(), StoreError> {
    db.execute(
        "UPDATE prompts SET state = 'open', answer = NULL, answered_at = NULL, attempt = NULL,
            tried = CASE WHEN attempt ->> 'key' IS NULL THEN tried
                ELSE json_insert(coalesce(tried, '[]'), '$[#]', attempt ->> 'key') END
         WHERE id = ?1 AND state = 'answering'",
        [id.0.to_string()],
    )?;
    Ok(())
}

pub(super) fn stored(row: &Row<'_>) -> Result<StoredPrompt, StoreError> {
    let state: String = row.get("state")?;
    let prompt: PromptRecord = serde_json::from_str(&row.get::<_, String>("prompt")?)?;
    Ok(StoredPrompt {
        prompt: prompt.into(),
        fingerprint: Fingerprint(row.get::<_, i64>("fingerprint")?.cast_unsigned()),
        answer: json_column::<AnswerRecord>(row, "answer")?.map(Answer::from),
        attempt: json_column(row, "attempt")?,
        tried: json_column(row, "tried")?.unwrap_or_default(),
        open: matches!(state.as_str(), "open" | "answering"),
    })
}
