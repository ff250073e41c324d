//! Reservations: what is asked for twice at once is done once. The row comes first, the work after it; the store is the judge.

use rusqlite::{Connection, OptionalExtension as _, params};
use shared_types::{Millis, Review, ReviewId, SessionId};
use uuid::Uuid;

use super::{Store, StoreError};

/// Whether the caller is the one to do it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reservation {
    /// The caller does it now, and confirms or releases it.
    Reserved,
    /// Somebody else is doing it right now.
    Pending,
    /// It has been done: this is the session that came of it.
    Existing(SessionId),
}

impl Store {
    /// Reserves the start of a session by the page's idempotency key. [`Store::add_session`] confirms it.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn reserve_start(&self, key: Uuid, at: Millis) -> Result<Reservation, StoreError> {
        self.write(move |db| {
            let sql = "INSERT INTO starts (key, at) VALUES (?1, ?2) ON CONFLICT DO NOTHING";
            let reserved = db.execute(sql, params![key.to_string(), at])? == 1;
            answer(db, reserved, "SELECT session_id FROM starts WHERE key = ?1", &key.to_string())
        })
        .await
    }

    /// Gives a start back that did not get as far as [`Store::add_session`].
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn release_start(&self, key: Uuid) -> Result<(), StoreError> {
        self.write(move |db| {
            db.execute("DELETE FROM starts WHERE key = ?1 AND session_id IS NULL", [key.to_string()])?;
            Ok(())
        })
        .await
    }

    /// Reserves a review of `parent`, before its reviewer is started or told.
    ///
    /// # Errors
    /// When the store does not answer or there is no such session.
    pub async fn reserve_review(
        &self,
        parent: SessionId,
        id: ReviewId,
        subject: String,
        at: Millis,
    ) -> Result<Reservation, StoreError> {
        self.write(move |db| {
            let sql = "INSERT INTO reviews (id, parent_id, subject, created_at) VALUES (?1, ?2, ?3, ?4)
                       ON CONFLICT DO NOTHING";
            let id = id.0.to_string();
            let reserved = db.execute(sql, params![id, parent.0.to_string(), subject, at])? == 1;
            answer(db, reserved, "SELECT reviewer_id FROM reviews WHERE id = ?1", &id)
        })
        .await
    }

    /// The reviewer of a reserved review has it. Returns the review, or nothing when its session was forgotten meanwhile.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn confirm_review(&self, id: ReviewId, reviewer: SessionId) -> Result<Option<Review>, StoreError> {
        self.write(move |db| {
            let sql = "UPDATE reviews SET reviewer_id = ?2 WHERE id = ?1 RETURNING subject, created_at";
            let confirmed = db.query_row(sql, params![id.0.to_string(), reviewer.0.to_string()], |row| {
                Ok(Review { id, reviewer, subject: row.get(0)?, created_at: row.get(1)? })
            });
            Ok(confirmed.optional()?)
        })
        .await
    }

    /// Gives a review back whose reviewer could not be started or told.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn release_review(&self, id: ReviewId) -> Result<(), StoreError> {
        self.write(move |db| {
            db.execute("DELETE FROM reviews WHERE id = ?1 AND reviewer_id IS NULL", [id.0.to_string()])?;
            Ok(())
        })
        .await
    }
}

/// Whoever reserved in a run of the server that has ended does nothing any more.
pub(super) fn drop_unconfirmed(db: &Connection) -> Result<(), StoreError> {
    db.execute_batch("DELETE FROM starts WHERE session_id IS NULL; DELETE FROM reviews WHERE reviewer_id IS NULL;")?;
    Ok(())
}

fn answer(db: &Connection, reserved: bool, find: &str, key: &str) -> Result<Reservation, StoreError> {
    if reserved {
        return Ok(Reservation::Reserved);
    }
    let session: Option<String> = db.query_row(find, [key], |row| row.get(0))?;
    match session {
        None => Ok(Reservation::Pending),
        Some(id) => Ok(Reservation::Existing(SessionId(super::read_uuid(&id)?))),
    }
}
