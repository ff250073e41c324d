//! The store: one SQLite file, written by one thread and read by two others, so that none waits for another: one reads what
//! sessions wait for, the other what people look through, such as a search.
//!
//! Every call is a closure on its way to one of these threads and an answer on its way back. WAL with `synchronous=NORMAL`:
//! a crash of ours loses nothing, a power cut at most the last moments. Secrets that a person types never get here.

mod attempts;
mod chats;
mod devices;
mod first_messages;
mod history;
mod images;
mod insight;
mod journal;
mod journal_file;
mod journal_query;
mod levels;
mod messages;
mod notify;
mod prompts;
mod records;
mod reservations;
mod reviews;
mod rules;
mod schema;
mod search;
mod sent;
mod session_life;
mod sessions;
#[cfg(test)]
mod tests;
mod trusted_folders;

use std::{
    fs,
    os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _},
    path::{Path, PathBuf},
    thread,
    time::Duration,
};

use rusqlite::{Connection, Row};
use serde::de::DeserializeOwned;
use tokio::sync::{mpsc, oneshot};
use uuid::Uuid;

pub use chats::{StoredChat, StoredChatMessage};
pub use devices::StoredDevice;
pub use history::{HistoryPage, PastPrompt};
pub use images::StoredImage;
pub use journal_file::JournalFile;
pub use journal_query::{JournalFilter, JournalPage};
pub use levels::StoreLevels;
pub use messages::{MessagePage, Place};
pub use notify::{StoredNotice, StoredToken, Used};
pub use prompts::OpenPrompts;
pub use reservations::Reservation;
pub use rules::{MadeRule, RuleRecord, RuleUses, StoredRules};
pub use sent::SentMessage;
pub use session_life::{Added, Revived};
pub use sessions::{SessionRecord, StoredSessions, UnreadableSession};

/// Jobs that may wait for a thread. A caller beyond that waits its turn: the sessions slow down, nothing is lost.
const QUEUE: usize = 256;

/// How long to wait for another program that has the file open, such as a backup.
const BUSY: Duration = Duration::from_secs(5);

type Job = Box<dyn FnOnce(&mut Connection) + Send>;

/// A cheap handle on the store.
#[derive(Clone)]
pub struct Store {
    writer: mpsc::Sender<Job>,
    reader: mpsc::Sender<Job>,
    history: mpsc::Sender<Job>,
}

/// Why the store did not do it.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// SQLite says no: a full disk, a read-only folder, a broken file.
    #[error("the database: {0}")]
    Sqlite(#[from] rusqlite::Error),
    /// What is stored cannot be understood.
    #[error("the database holds something unreadable: {}", unquoted(.0))]
    Unreadable(#[from] serde_json::Error),
    /// What reads a session is not in this version.
    #[error("there is no adapter {0}")]
    NoAdapter(shared_types::AdapterKind),
    /// An id that is stored is not one.
    #[error("the database holds {0:?} in place of an id")]
    BadId(String),
    /// A file or folder is not as it must be.
    #[error("the database file: {0}")]
    Io(#[from] std::io::Error),
    /// The file was written by a newer Answerback.
    #[error("the database is of version {found}, newer than this program's {known}: use the newer answerback")]
    FromTheFuture {
        /// Its version.
        found: usize,
        /// The newest version this program knows.
        known: usize,
    },
    /// The file was written by an Answerback that kept no journal.
    #[error("the database is of a version without a journal: start the server once")]
    NoJournal,
    /// The store's thread is gone.
    #[error("the database is closed")]
    Closed,
}

/// Why JSON cannot be read, without the value that was found: that may be what somebody said, and errors are logged.
fn unquoted(error: &serde_json::Error) -> String {
    let words = error.to_string();
    // "invalid type", "invalid value": serde quotes what it found.
    match words.starts_with("invalid") {
        true => format!("a value of another kind at line {} column {}", error.line(), error.column()),
        false => words,
    }
}

/// The file of the store in a folder.
pub(crate) fn file_in(folder: &Path) -> PathBuf {
    folder.join("answerback.db")
}

impl Store {
    /// Opens the store in a folder, creating and migrating it as needed. Only the owner can read it.
    ///
    /// # Errors
    /// When the file cannot be opened, created or migrated.
    pub fn open(folder: &Path) -> Result<Self, StoreError> {
        let path = file_in(folder);
        // Made before SQLite makes it, so that it is never readable by others, not even for a moment.
        fs::OpenOptions::new().create(true).append(true).mode(0o600).open(&path)?;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600))?;
        let mut writer = connect(&path)?;
        schema::migrate(&mut writer)?;
        reservations::drop_unconfirmed(&writer)?;
        Ok(Self {
            writer: start("store-write", writer)?,
            reader: start("store-read", connect(&path)?)?,
            history: start("store-history", connect(&path)?)?,
        })
    }

    /// Runs on the writing thread, in a transaction: all of it happens or none.
    async fn write<T: Send + 'static>(
        &self,
        work: impl FnOnce(&rusqlite::Transaction<'_>) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        run(&self.writer, |connection| {
            let transaction = connection.transaction()?;
            let value = work(&transaction)?;
            transaction.commit()?;
            Ok(value)
        })
        .await
    }

    /// Runs on the thread for what people look through: searches, pages of messages, the journal. They may take their time.
    async fn read_history<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        run(&self.history, |connection| work(connection)).await
    }

    /// Runs on the thread for what sessions wait for. Only what is found at once belongs here.
    async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        run(&self.reader, |connection| work(connection)).await
    }
}

/// An id from its text.
fn read_uuid(text: &str) -> Result<Uuid, StoreError> {
    Uuid::parse_str(text).map_err(|_| StoreError::BadId(text.to_owned()))
}

/// A column that holds JSON.
fn json_column<T: DeserializeOwned>(row: &Row<'_>, column: &str) -> Result<Option<T>, StoreError> {
    let text: Option<String> = row.get(column)?;
    Ok(text.map(|text| serde_json::from_str(&text)).transpose()?)
}

fn connect(path: &Path) -> Result<Connection, StoreError> {
    let connection = Connection::open(path)?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.busy_timeout(BUSY)?;
    Ok(connection)
}

fn start(name: &str, mut connection: Connection) -> Result<mpsc::Sender<Job>, StoreError> {
    let (sender, mut jobs) = mpsc::channel::<Job>(QUEUE);
    thread::Builder::new().name(name.into()).spawn(move || {
        while let Some(job) = jobs.blocking_recv() {
            job(&mut connection);
        }
    })?;
    Ok(sender)
}

async fn run<T: Send + 'static>(
    thread: &mpsc::Sender<Job>,
    work: impl FnOnce(&mut Connection) -> Result<T, StoreError> + Send + 'static,
) -> Result<T, StoreError> {
    let (answer, answered) = oneshot::channel();
    let job: Job = Box::new(move |connection| {
        // A caller that went away does not want to know.
        let _ = answer.send(work(connection));
    });
    thread.send(job).await.map_err(|_| StoreError::Closed)?;
    answered.await.map_err(|_| StoreError::Closed)?
}
