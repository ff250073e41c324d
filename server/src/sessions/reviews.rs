//! One session reviews what was said or done in another.

use std::sync::Arc;

use shared_types::{Actor, ReviewId, Reviewer, SessionId, StartSession};

use super::{SessionError, Sessions, view::ViewChange};
use crate::{clock::now_millis, store::Reservation};

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
        by: Actor,
    ) -> Result<SessionId, SessionError> {
        self.world.bus.session(parent).ok_or(SessionError::Unknown)?;
        if matches!(reviewer, Reviewer::Existing { session_id } if session_id == parent) {
            return Err(SessionError::BadValue("a session does not review itself".to_owned()));
        }
        let subject = subject.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(SUBJECT_LIMIT).collect();
        match self.world.store.reserve_review(parent, id, subject, now_millis()).await? {
            Reservation::Reserved => {}
            Reservation::Existing(reviewer) => return Ok(reviewer),
            Reservation::Pending => return Err(SessionError::Running("this review is being started".to_owned())),
        }
        let begun = match reviewer {
            Reviewer::New { start } => self.start(StartSession { message: Some(message), ..start }, by).await,
            Reviewer::Existing { session_id } => {
                self.send_text(session_id, message, Some(id.0), &[]).await.map(|()| session_id)
            }
        };
        if begun.is_err()
            && let Err(error) = self.world.store.release_review(id).await
        {
            tracing::error!(%error, "cannot give back a review that was not begun");
        }
        let reviewer = begun?;
        if let Some(review) = self.world.store.confirm_review(id, reviewer).await? {
            self.change_view(parent, ViewChange::AddReview(review)).await;
        }
        Ok(reviewer)
    }

    /// A session is forgotten: the reviews it made are forgotten with it.
    pub(super) async fn forget_reviews_by(&self, reviewer: SessionId) {
        for parent in self.world.bus.sessions() {
            if parent.reviews.iter().flatten().any(|review| review.reviewer == reviewer) {
                self.change_view(parent.id, ViewChange::DropReviewsBy(reviewer)).await;
            }
        }
    }
}
