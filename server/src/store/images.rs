//! Pictures in the store. A conversation names them; a page fetches each when it shows it.

use rusqlite::{OptionalExtension as _, params};
use shared_types::SessionId;

use super::{Store, StoreError};

/// A picture of a conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredImage {
    /// Its name within the session.
    pub id: String,
    /// What kind of picture it is.
    pub media_type: String,
    /// The picture itself.
    pub data: Vec<u8>,
}

impl Store {
    /// Keeps pictures; those that are known stay as they are.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn put_images(&self, session: SessionId, images: Vec<StoredImage>) -> Result<(), StoreError> {
        self.write(move |db| {
            let mut put = db.prepare_cached("INSERT OR IGNORE INTO images VALUES (?1, ?2, ?3, ?4)")?;
            for image in images {
                put.execute(params![session.0.to_string(), image.id, image.media_type, image.data])?;
            }
            Ok(())
        })
        .await
    }

    /// One picture.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn image(&self, session: SessionId, id: String) -> Result<Option<StoredImage>, StoreError> {
        self.read_history(move |db| {
            let sql = "SELECT media_type, data FROM images WHERE session_id = ?1 AND id = ?2";
            let found = db.query_row(sql, params![session.0.to_string(), id], |row| Ok((row.get(0)?, row.get(1)?)));
            Ok(found.optional()?.map(|(media_type, data)| StoredImage { id, media_type, data }))
        })
        .await
    }
}
