//! How full the store is.

use tokio::sync::mpsc;

use super::{Job, Store, StoreError, journal::head};

/// How full the store is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StoreLevels {
    /// The size of its file, without what is still in the log beside it.
    pub bytes: u64,
    /// The number of the journal's last row.
    pub journal_rows: u64,
    /// How many jobs wait for its threads.
    pub queue: u64,
}

impl Store {
    /// How full the store is.
    ///
    /// # Errors
    /// When it does not answer.
    pub async fn levels(&self) -> Result<StoreLevels, StoreError> {
        let waiting = |thread: &mpsc::Sender<Job>| (thread.max_capacity() - thread.capacity()) as u64;
        let queue = [&self.writer, &self.reader, &self.history].into_iter().map(waiting).sum();
        self.read(move |db| {
            let pragma = |name: &str| db.pragma_query_value(None, name, |row| row.get::<_, u64>(0));
            let bytes = pragma("page_count")? * pragma("page_size")?;
            Ok(StoreLevels { bytes, journal_rows: head(db)?.seq, queue })
        })
        .await
    }
}
