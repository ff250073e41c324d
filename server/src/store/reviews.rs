//! Reviews of one session by another.

use rusqlite::params;
use shared_types::{Review, ReviewId, SessionId};

use super::{Store, StoreError, prompts::uuid};

impl Store {
    /// Keeps a review.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn add_review(&self, parent: SessionId, review: Review) -> Result<(), StoreError> {
        self.write(move |db| {
            db.execute(
                "INSERT INTO reviews (id, parent_id, reviewer_id, subject, created_at) VALUES (?1, ?2, ?3, ?4, ?5)",
                params![
                    review.id.0.to_string(),
                    parent.0.to_string(),
                    review.reviewer.0.to_string(),
                    review.subject,
                    review.created_at
                ],
            )?;
            Ok(())
        })
        .await
    }

    /// The reviews of a session, oldest first.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn reviews(&self, parent: SessionId) -> Result<Vec<Review>, StoreError> {
        self.read(move |db| {
            let mut statement = db.prepare("SELECT * FROM reviews WHERE parent_id = ?1 ORDER BY created_at, id")?;
            let mut rows = statement.query([parent.0.to_string()])?;
            let mut reviews = Vec::new();
            while let Some(row) = rows.next()? {
                reviews.push(Review {
                    id: ReviewId(uuid(row, "id")?),
                    reviewer: SessionId(uuid(row, "reviewer_id")?),
                    subject: row.get("subject")?,
                    created_at: row.get("created_at")?,
                });
            }
            Ok(reviews)
        })
        .await
    }
}
