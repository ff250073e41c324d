//! The journal in pages, newest first. A page is found by the number of its first row and by the indexes, never by counting
//! rows: a million of them make no difference.

use rusqlite::{Connection, params_from_iter, types::Value};
use shared_types::{Millis, PromptId, SessionId};

use super::{Store, StoreError, journal::journal_row, read_uuid};
use crate::journal::{FactKind, Row};

/// Clocks are set back, seldom by more than this. Beyond it no older row is looked at when rows since some time are wanted.
const CLOCK_SLACK: Millis = 24 * 60 * 60 * 1000;

/// The types of actors. Any other word is the name or id of one.
const ACTORS: [&str; 6] = ["device", "desk", "rule", "notification", "expiry", "unknown"];

/// Which rows are wanted; the default is all of them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct JournalFilter {
    /// Those of one of these sessions.
    pub sessions: Option<Vec<SessionId>>,
    /// Those about this prompt.
    pub prompt: Option<PromptId>,
    /// Those of this actor: a type such as `desk` or `device`, a name, or an id.
    pub actor: Option<String>,
    /// Those of one of these kinds; empty means any.
    pub kinds: Vec<FactKind>,
    /// Those from this time on.
    pub since: Option<Millis>,
    /// Those before this row.
    pub before: Option<u64>,
}

/// A page of the journal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JournalPage {
    /// The rows, newest first.
    pub rows: Vec<Row>,
    /// True when there are older ones: they come `before` the last of these.
    pub more: bool,
}

impl Store {
    /// A page of the journal.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn journal(&self, filter: JournalFilter, limit: u32) -> Result<JournalPage, StoreError> {
        self.read_history(move |db| page(db, &filter, limit)).await
    }

    /// The sessions that worked in a folder, forgotten ones too.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn sessions_in_folder(&self, folder: String) -> Result<Vec<SessionId>, StoreError> {
        self.read_history(move |db| sessions_in_folder(db, &folder)).await
    }
}

/// A page of the journal. Each value of the most selective condition is one walk along its index; their rows are merged.
pub(super) fn page(db: &Connection, filter: &JournalFilter, limit: u32) -> Result<JournalPage, StoreError> {
    let limit = limit as usize;
    let mut rows = Vec::new();
    for query in queries(filter) {
        rows.extend(walk(db, &query, filter.since.unwrap_or(0), limit + 1)?);
    }
    rows.sort_by_key(|row| std::cmp::Reverse(row.seq));
    let more = rows.len() > limit;
    rows.truncate(limit);
    Ok(JournalPage { rows, more })
}

/// The newest rows that a query finds.
fn walk(db: &Connection, query: &Query, oldest: Millis, limit: usize) -> Result<Vec<Row>, StoreError> {
    let mut statement = db.prepare_cached(&query.sql())?;
    let mut found = statement.query(params_from_iter(&query.values))?;
    let mut rows = Vec::new();
    while rows.len() < limit
        && let Some(row) = found.next()?
    {
        let at: Millis = row.get("at")?;
        if at.saturating_add(CLOCK_SLACK) < oldest {
            break;
        }
        if at >= oldest {
            rows.push(journal_row(row)?);
        }
    }
    Ok(rows)
}

/// The sessions that were started or resumed in a folder.
pub(super) fn sessions_in_folder(db: &Connection, folder: &str) -> Result<Vec<SessionId>, StoreError> {
    sessions(
        db,
        "SELECT DISTINCT session_id FROM journal
         WHERE kind IN ('session-started', 'session-resumed') AND body ->> '$.folder' = ?1 AND session_id IS NOT NULL",
        folder,
    )
}

/// The sessions with this name, or whose id begins so.
pub(super) fn sessions_called(db: &Connection, name: &str) -> Result<Vec<SessionId>, StoreError> {
    sessions(
        db,
        "SELECT session_id FROM journal
         WHERE kind IN ('session-started', 'session-resumed') AND body ->> '$.name' = ?1 AND session_id IS NOT NULL
         UNION SELECT id FROM sessions WHERE name = ?1
         UNION SELECT session_id FROM journal WHERE session_id >= ?1 AND session_id < ?1 || '~'",
        name,
    )
}

fn sessions(db: &Connection, sql: &str, value: &str) -> Result<Vec<SessionId>, StoreError> {
    let mut statement = db.prepare_cached(sql)?;
    let mut rows = statement.query([value])?;
    let mut sessions = Vec::new();
    while let Some(row) = rows.next()? {
        sessions.push(SessionId(read_uuid(&row.get::<_, String>(0)?)?));
    }
    Ok(sessions)
}

/// Conditions and their values.
#[derive(Debug, Clone, Default)]
pub(super) struct Query {
    conditions: Vec<String>,
    values: Vec<Value>,
}

impl Query {
    fn and(mut self, condition: &str, value: impl Into<Value>) -> Self {
        self.conditions.push(condition.to_owned());
        self.values.push(value.into());
        self
    }

    /// One of several values. The plus keeps SQLite from an index that would have to be sorted afterwards.
    fn and_one_of(mut self, column: &str, values: impl IntoIterator<Item = String>) -> Self {
        let before = self.values.len();
        self.values.extend(values.into_iter().map(Value::from));
        let marks = vec!["?"; self.values.len() - before].join(", ");
        self.conditions.push(format!("+{column} IN ({marks})"));
        self
    }

    /// The values, in the order of their marks.
    #[cfg(test)]
    pub(super) fn values(&self) -> &[Value] {
        &self.values
    }

    pub(super) fn sql(&self) -> String {
        let conditions = match self.conditions.as_slice() {
            [] => String::new(),
            conditions => format!("WHERE {}", conditions.join(" AND ")),
        };
        format!("SELECT * FROM journal {conditions} ORDER BY seq DESC")
    }
}

/// The walks that find what is wanted, each along one index.
pub(super) fn queries(filter: &JournalFilter) -> Vec<Query> {
    let mut all = Query::default();
    if let Some(before) = filter.before {
        all = all.and("seq < ?", i64::try_from(before).unwrap_or(i64::MAX));
    }
    let session_ids = filter.sessions.iter().flatten().map(|id| id.0.to_string()).collect::<Vec<_>>();
    let kinds = filter.kinds.iter().map(|kind| kind.word().to_owned()).collect::<Vec<_>>();
    if let Some(prompt) = filter.prompt {
        all = all.and("prompt_id = ?", prompt.0.to_string());
        if filter.sessions.is_some() {
            all = all.and_one_of("session_id", session_ids.iter().cloned());
        }
    }
    let by_session = filter.prompt.is_none() && filter.sessions.is_some();
    let by_kind = filter.prompt.is_none() && !by_session && !kinds.is_empty();
    if !kinds.is_empty() && !by_kind {
        all = all.and_one_of("kind", kinds.iter().cloned());
    }
    if let Some(actor) = &filter.actor {
        let is_free = filter.prompt.is_none() && !by_session && !by_kind;
        all = match (ACTORS.contains(&actor.as_str()), is_free) {
            (true, true) => all.and("actor IS NOT NULL AND actor ->> '$.type' = ?", actor.clone()),
            (true, false) => all.and("+(actor ->> '$.type') = ?", actor.clone()),
            (false, _) => all.and(
                "? IN (actor ->> '$.name', actor ->> '$.deviceId', actor ->> '$.ruleId', actor ->> '$.channel')",
                actor.clone(),
            ),
        };
    }
    if by_session {
        session_ids.into_iter().map(|id| all.clone().and("session_id = ?", id)).collect()
    } else if by_kind {
        kinds.into_iter().map(|kind| all.clone().and("kind = ?", kind)).collect()
    } else {
        vec![all]
    }
}
