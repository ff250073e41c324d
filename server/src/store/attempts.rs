//! How far an answer has got: written down before the keys are pressed, so that a restarted server can tell from the screen
//! whether they arrived, and finish or report what was under way.

use rusqlite::params;
use serde::{Deserialize, Serialize};
use shared_types::{PromptId, PromptResponse};
use uuid::Uuid;

use super::{Store, StoreError};

/// An answer that is under way.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AttemptRecord {
    /// How far it has got.
    pub stage: AttemptStage,
    /// The phone's name for this answer, however often it is sent.
    pub key: Option<Uuid>,
    /// The answer itself, for finishing it. Not there when it holds a secret, and no more once the prompt is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub response: Option<PromptResponse>,
    /// The hook that is told. It may come again after a restart, and a prompt whose dialog was first has another id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hook: Option<Uuid>,
    /// What stood above the prompt: an equal one that has taken its place has something else there.
    pub context: Vec<u64>,
}

/// How far an answer has got.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AttemptStage {
    /// It has won; no key was pressed.
    Begun,
    /// Keys were pressed that do not answer yet.
    Stepping,
    /// The keys that answer are being pressed, or were.
    Submitted,
    /// The CLI's hook is being told, or was.
    Told,
}

impl AttemptRecord {
    /// True when the CLI may have got the answer.
    #[must_use]
    pub fn may_have_arrived(&self) -> bool {
        matches!(self.stage, AttemptStage::Submitted | AttemptStage::Told)
    }

    /// True when a text may stand half typed in its field.
    #[must_use]
    pub fn may_be_half_typed(&self) -> bool {
        let texts = |response: &PromptResponse| {
            response.text_value.is_some() || response.answers.iter().flatten().any(|answer| answer.text_value.is_some())
        };
        self.stage != AttemptStage::Begun && self.response.as_ref().is_none_or(texts)
    }
}

impl Store {
    /// Writes down how far the answer under way has got.
    ///
    /// # Errors
    /// When the store does not answer: then the keys must not be pressed.
    pub async fn advance_attempt(&self, id: PromptId, attempt: &AttemptRecord) -> Result<(), StoreError> {
        let attempt = serde_json::to_string(attempt)?;
        self.write(move |db| {
            db.execute(
                "UPDATE prompts SET attempt = ?2 WHERE id = ?1 AND state = 'answering'",
                params![id.0.to_string(), attempt],
            )?;
            Ok(())
        })
        .await
    }
}
