//! The journal read straight from the file, for commands: it can be looked at, checked and exported while no server runs.

use std::{ops::ControlFlow, path::Path};

use rusqlite::{Connection, OpenFlags, Row as SqlRow};
use shared_types::{Millis, SessionId};

use super::{
    JournalFilter, JournalPage, StoreError,
    journal::{head, journal_row},
    journal_query::{page, sessions_called, sessions_in_folder},
};
use crate::journal::{Head, Row, UnreadableRow};

/// The journal of a store, for reading only.
pub struct JournalFile {
    db: Connection,
}

impl JournalFile {
    /// Opens the store's file in a folder. It is not changed, nor brought up to date.
    ///
    /// # Errors
    /// When there is no such file, or it was written by a version without a journal.
    pub fn open(folder: &Path) -> Result<Self, StoreError> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let db = Connection::open_with_flags(super::file_in(folder), flags)?;
        db.busy_timeout(super::BUSY)?;
        let sql = "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'journal')";
        if !db.query_row(sql, [], |row| row.get(0))? {
            return Err(StoreError::NoJournal);
        }
        Ok(Self { db })
    }

    /// The last row.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn head(&self) -> Result<Head, StoreError> {
        head(&self.db)
    }

    /// Every row, oldest first, all of one moment.
    ///
    /// # Errors
    /// When the file cannot be read; a row that cannot is given as such.
    pub fn each(&self, mut take: impl FnMut(Result<Row, UnreadableRow>) -> ControlFlow<()>) -> Result<(), StoreError> {
        let mut statement = self.db.prepare("SELECT * FROM journal ORDER BY seq")?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let read = journal_row(row).map_err(|error| unreadable(row, &error));
            if take(read).is_break() {
                break;
            }
        }
        Ok(())
    }

    /// A page, newest first.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn page(&self, filter: &JournalFilter, limit: u32) -> Result<JournalPage, StoreError> {
        page(&self.db, filter, limit)
    }

    /// The sessions with this name, or whose id begins so.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn sessions_called(&self, name: &str) -> Result<Vec<SessionId>, StoreError> {
        sessions_called(&self.db, name)
    }

    /// The sessions that worked in a folder.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn sessions_in_folder(&self, folder: &str) -> Result<Vec<SessionId>, StoreError> {
        sessions_in_folder(&self.db, folder)
    }

    /// A time as a person here reads it. SQLite knows the calendar and the time zone.
    ///
    /// # Errors
    /// When SQLite does not know that time.
    pub fn local_time(&self, at: Millis) -> Result<String, StoreError> {
        let mut statement = self.db.prepare_cached("SELECT datetime(?1 / 1000, 'unixepoch', 'localtime')")?;
        Ok(statement.query_row([at], |row| row.get(0))?)
    }

    /// A time that a person wrote, such as `2026-11-18` or `2026-11-18 07:30`, here.
    ///
    /// # Errors
    /// When SQLite cannot be asked.
    pub fn parse_time(&self, text: &str) -> Result<Option<Millis>, StoreError> {
        let mut statement = self.db.prepare_cached("SELECT unixepoch(?1, 'utc') * 1000")?;
        Ok(statement.query_row([text], |row| row.get(0))?)
    }
}

fn unreadable(row: &SqlRow<'_>, error: &rusqlite::Error) -> UnreadableRow {
    UnreadableRow { seq: row.get("seq").unwrap_or_default(), reason: error.to_string() }
}
