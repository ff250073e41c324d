//! How far an answer has got: written down before the keys are pressed, so that a restarted server can tell from the screen
//! whether they arrived, and finish or report what was under way.

use answerback_ledger::AttemptRecord;
use rusqlite::params;
use shared_types::PromptId;

use super::{Store, StoreError};
use crate::journal::Fact;

impl Store {
    /// Writes down how far the answer under way has got.
    ///
    /// # Errors
    /// When the store does not answer: then the keys must not be pressed.
    pub async fn advance_attempt(
        &self,
        id: PromptId,
        attempt: &AttemptRecord,
        facts: Vec<Fact>,
    ) -> Result<(), StoreError> {
        let attempt = serde_json::to_string(attempt)?;
        self.write_with(facts, move |db| {
            db.execute(
                "UPDATE prompts SET attempt = ?2 WHERE id = ?1 AND state = 'answering'",
                params![id.0.to_string(), attempt],
            )?;
            Ok(())
        })
        .await
    }
}
