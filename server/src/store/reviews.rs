//! Reviews of one session by another.

use shared_types::{Review, ReviewId, SessionId};

use super::{Store, StoreError, read_uuid};

impl Store {
    /// The reviews of a session, oldest first.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn reviews(&self, parent: SessionId) -> Result<Vec<Review>, StoreError> {
        self.read(move |db| {
            let mut statement = db.prepare(
                "SELECT * FROM reviews WHERE parent_id = ?1 AND reviewer_id IS NOT NULL
                 ORDER BY created_at, id",
            )?;
            let mut rows = statement.query([parent.0.to_string()])?;
            let mut reviews = Vec::new();
            while let Some(row) = rows.next()? {
                reviews.push(Review {
                    id: ReviewId(read_uuid(&row.get::<_, String>("id")?)?),
                    reviewer: SessionId(read_uuid(&row.get::<_, String>("reviewer_id")?)?),
                    subject: row.get("subject")?,
                    created_at: row.get("created_at")?,
                });
            }
            Ok(reviews)
        })
        .await
    }
}
