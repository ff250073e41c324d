//! Which folders a person has trusted, and what their settings were then.

use rusqlite::{OptionalExtension as _, params};
use shared_types::{AdapterKind, Millis};

use super::{Store, StoreError, sessions::word};

impl Store {
    /// Remembers that a folder was trusted with these contents. What was trusted before is not any more.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn trust_folder(
        &self,
        adapter: AdapterKind,
        folder: String,
        contents: String,
        at: Millis,
    ) -> Result<(), StoreError> {
        self.write(move |db| {
            let sql = "INSERT OR REPLACE INTO trusted_folders (adapter, folder, contents, at) VALUES (?1, ?2, ?3, ?4)";
            db.execute(sql, params![word(&adapter)?, folder, contents, at])?;
            Ok(())
        })
        .await
    }

    /// The contents that were last trusted in a folder.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn trusted_contents(&self, adapter: AdapterKind, folder: String) -> Result<Option<String>, StoreError> {
        self.read(move |db| {
            let sql = "SELECT contents FROM trusted_folders WHERE adapter = ?1 AND folder = ?2";
            Ok(db.query_row(sql, params![word(&adapter)?, folder], |row| row.get(0)).optional()?)
        })
        .await
    }
}
