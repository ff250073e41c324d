//! One session reviews what was said or done in another.

use std::sync::Arc;

use shared_types::{ErrorCode, Review, ReviewId, Reviewer, SessionId, StartSession, WireError};

use super::{
    Sessions,
    refuse::{from_store, refuse, unknown_session},
};
use crate::clock::now_millis;

/// The longest subject that is kept, in characters: it names the review in a list.
const SUBJECT_LIMIT: usize = 120;

impl Sessions {
    /// Hands something of `parent` to a reviewer and notes the pair. The same id asked for again is the same review.
    ///
    /// # Errors
    /// When the reviewer cannot be started or does not take the message; then nothing is noted.
    pub async fn review(
        self: &Arc<Self>,
        parent: SessionId,
        id: ReviewId,
        reviewer: Reviewer,
        subject: &str,
        message: String,
    ) -> Result<SessionId, WireError> {
        self.world.bus.session(parent).ok_or_else(unknown_session)?;
        let known = self.world.store.reviews(parent).await.map_err(|error| from_store(&error))?;
        if let Some(known) = known.iter().find(|review| review.id == id) {
            return Ok(known.reviewer);
        }
        let reviewer = match reviewer {
            Reviewer::New { start } => self.start(StartSession { message: Some(message), ..start }).await?,
            Reviewer::Existing { session_id } if session_id == parent => {
                return Err(refuse(ErrorCode::BadValue, "a session does not review itself"));
            }
            Reviewer::Existing { session_id } => {
                self.send_text(session_id, message, Some(id.0), &[]).await?;
                session_id
            }
        };
        let subject = subject.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(SUBJECT_LIMIT).collect();
        let review = Review { id, reviewer, subject, created_at: now_millis() };
        self.world.store.add_review(parent, review.clone()).await.map_err(|error| from_store(&error))?;
        self.amend(parent, move |view| view.reviews.get_or_insert_default().push(review)).await;
        Ok(reviewer)
    }

    /// A session is forgotten: the reviews it made are forgotten with it.
    pub(super) async fn forget_reviews_by(&self, reviewer: SessionId) {
        for parent in self.world.bus.sessions() {
            if parent.reviews.iter().flatten().any(|review| review.reviewer == reviewer) {
                let without = move |view: &mut shared_types::Session| {
                    let mut left = view.reviews.take().unwrap_or_default();
                    left.retain(|review| review.reviewer != reviewer);
                    view.reviews = Some(left).filter(|left| !left.is_empty());
                };
                self.amend(parent.id, without).await;
            }
        }
    }
}
