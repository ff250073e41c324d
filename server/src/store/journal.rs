//! The journal in the store: facts are appended in the transaction of what they tell about, and read in pages.

use rusqlite::{Connection, OptionalExtension as _, Row as SqlRow, Transaction, params};
use shared_types::Millis;

use super::{Store, StoreError};
use crate::journal::{ChainHash, Entry, Fact, Head, Row};

/// How many rows are dropped in one transaction: some hundredths of a second.
const DROPPED_AT_ONCE: u64 = 2_000;

impl Store {
    /// Records facts that nothing else in the store tells about, such as keys that were pressed by hand.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn record(&self, facts: Vec<Fact>) -> Result<(), StoreError> {
        self.write_with(facts, |_| Ok(())).await
    }

    /// The last row of the journal.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn journal_head(&self) -> Result<Head, StoreError> {
        self.read(head).await
    }

    /// Drops the journal's oldest rows, up to the first that is of `since` or later: at most a few at once, so that nobody
    /// waits long for the writing thread. A checkpoint in the chain says what was dropped. Returns how many rows that were.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn drop_journal_before(&self, since: Millis, now: Millis) -> Result<u64, StoreError> {
        self.write(move |db| {
            let first: Option<u64> = db.query_row("SELECT min(seq) FROM journal", [], |row| row.get(0))?;
            let Some(first) = first else { return Ok(0) };
            // Clocks are set back: what comes after a row that stays, stays. The head stays: the next row holds its hash.
            let end = (first + DROPPED_AT_ONCE).min(head(db)?.seq);
            let stays = "SELECT min(seq) FROM journal WHERE seq >= ?1 AND seq < ?2 AND at >= ?3";
            let kept: Option<u64> = db.query_row(stays, params![first, end, since], |row| row.get(0))?;
            let last = kept.unwrap_or(end).saturating_sub(1);
            if last < first {
                return Ok(0);
            }
            let hash = db.query_row("SELECT hash FROM journal WHERE seq = ?1", [last], |row| row.get(0))?;
            append(db, vec![Fact::checkpoint(Head { seq: last, hash: ChainHash(hash) }, now).into()])?;
            db.execute("DELETE FROM journal WHERE seq <= ?1", [last])?;
            Ok(last - first + 1)
        })
        .await
    }

    /// Runs in a transaction on the writing thread; the facts are appended in the same one.
    pub(super) async fn write_with<T: Send + 'static>(
        &self,
        facts: Vec<Fact>,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        // Redacted here, so that a long prompt does not keep the writing thread.
        let entries: Vec<Entry> = facts.into_iter().map(Entry::from).collect();
        self.write(move |db| {
            let value = work(db)?;
            append(db, entries)?;
            Ok(value)
        })
        .await
    }

    /// The same for a write that decides who was first: the facts are appended only when it says yes.
    pub(super) async fn write_if(
        &self,
        facts: Vec<Fact>,
        work: impl FnOnce(&Transaction<'_>) -> Result<bool, StoreError> + Send + 'static,
    ) -> Result<bool, StoreError> {
        let entries: Vec<Entry> = facts.into_iter().map(Entry::from).collect();
        self.write(move |db| {
            let won = work(db)?;
            if won {
                append(db, entries)?;
            }
            Ok(won)
        })
        .await
    }
}

/// Appends to the chain.
pub(super) fn append(db: &Transaction<'_>, entries: Vec<Entry>) -> Result<(), StoreError> {
    if entries.is_empty() {
        return Ok(());
    }
    let mut head = head(db)?;
    let mut insert = db.prepare_cached(
        "INSERT INTO journal (seq, at, actor, session_id, prompt_id, kind, body, prev, hash)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
    )?;
    for entry in entries {
        let row = Row::after(head, entry);
        head = row.head();
        let Row { seq, entry, prev, hash } = row;
        let Entry { at, actor, session, prompt, kind, body } = entry;
        insert.execute(params![seq, at, actor, session, prompt, kind, body, prev.0, hash.0])?;
    }
    Ok(())
}

/// The last row of the chain.
pub(super) fn head(db: &Connection) -> Result<Head, StoreError> {
    let mut last = db.prepare_cached("SELECT seq, hash FROM journal ORDER BY seq DESC LIMIT 1")?;
    let found = last.query_row([], |row| Ok(Head { seq: row.get(0)?, hash: ChainHash(row.get(1)?) })).optional()?;
    Ok(found.unwrap_or(Head::START))
}

/// A row of the table, as `SELECT *` gives it.
pub(super) fn journal_row(row: &SqlRow<'_>) -> Result<Row, rusqlite::Error> {
    Ok(Row {
        seq: row.get("seq")?,
        entry: Entry {
            at: row.get("at")?,
            actor: row.get("actor")?,
            session: row.get("session_id")?,
            prompt: row.get("prompt_id")?,
            kind: row.get("kind")?,
            body: row.get("body")?,
        },
        prev: ChainHash(row.get("prev")?),
        hash: ChainHash(row.get("hash")?),
    })
}
