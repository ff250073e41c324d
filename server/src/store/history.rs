//! The history of prompts in pages, newest first. The table is kept up by triggers from the facts of the journal
//! (`schema.rs`). A page is found along one index by the number of its first row: a million facts make no difference.

use rusqlite::{Connection, OptionalExtension as _, Row, params, params_from_iter, types::Value};
use serde::de::DeserializeOwned;
use shared_types::{
    HistoryFilter, HistoryOutcome, HistoryRow, HistoryStep, InteractivePrompt, MessageId, Millis, PromptId, PromptKind,
    SessionId,
};

use super::{Store, StoreError, journal::journal_row, read_uuid, search::words, sessions::word};

/// Clocks are set back, seldom by more than this: so far around a time rows are looked at one by one.
const CLOCK_SLACK: Millis = 24 * 60 * 60 * 1000;

/// A page of the history.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HistoryPage {
    /// The prompts, newest first.
    pub rows: Vec<HistoryRow>,
    /// True when there are older ones.
    pub more: bool,
}

/// A prompt of the history with all that happened to it.
#[derive(Debug, Clone, PartialEq)]
pub struct PastPrompt {
    /// As it was shown when it was answered, or last.
    pub prompt: InteractivePrompt,
    /// What happened to it, oldest first.
    pub steps: Vec<HistoryStep>,
    /// The last message of its session before it was shown.
    pub message: Option<MessageId>,
}

impl Store {
    /// A page of the history.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn history(
        &self,
        filter: HistoryFilter,
        before: Option<u64>,
        limit: u32,
    ) -> Result<HistoryPage, StoreError> {
        self.read_history(move |db| {
            let Some(query) = HistoryQuery::new(&filter, before)? else { return Ok(HistoryPage::default()) };
            let mut statement = db.prepare_cached(&query.sql)?;
            let mut found = statement.query(params_from_iter(query.values))?;
            let mut page = HistoryPage::default();
            while let Some(row) = found.next()? {
                if page.rows.len() == limit as usize {
                    page.more = true;
                    break;
                }
                page.rows.push(history_row(row)?);
            }
            Ok(page)
        })
        .await
    }

    /// A prompt of the history; nothing when there is none such, or it was dropped.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn past_prompt(&self, id: PromptId) -> Result<Option<PastPrompt>, StoreError> {
        self.read_history(move |db| past_prompt(db, id)).await
    }
}

/// A query that walks down one index, without sorting.
pub(super) struct HistoryQuery {
    pub(super) sql: String,
    pub(super) values: Vec<Value>,
}

impl HistoryQuery {
    /// The query for a filter; nothing when its words have no letter in them, so that nothing fits.
    pub(super) fn new(filter: &HistoryFilter, before: Option<u64>) -> Result<Option<Self>, StoreError> {
        let HistoryFilter { session_id, folder, adapter, actor, outcome, kind, text, since, until } = filter;
        let mut conditions = Vec::new();
        let mut values = Vec::new();
        let mut from = "history";
        let mut indexed = false;
        if let Some(text) = text.as_deref().filter(|text| !text.trim().is_empty()) {
            let Some(words) = words(text) else { return Ok(None) };
            from = "history_words CROSS JOIN history ON history.seq = history_words.rowid";
            conditions.push("history_words MATCH ?".to_owned());
            values.push(Value::from(words));
            indexed = true;
        }
        let is_of_words = indexed;
        // The fewest rows first; a plus keeps SQLite from a second index, which would have to be sorted.
        let equal = [
            ("session_id", session_id.map(|id| id.0.to_string())),
            ("folder", folder.clone()),
            ("actor_type", actor.as_ref().map(word).transpose()?),
            ("outcome", outcome.as_ref().map(word).transpose()?),
            ("kind", kind.as_ref().map(word).transpose()?),
            ("adapter", adapter.as_ref().map(word).transpose()?),
        ];
        for (column, value) in equal.into_iter().filter_map(|(column, value)| Some((column, value?))) {
            let plus = if indexed { "+" } else { "" };
            conditions.push(format!("{plus}history.{column} = ?"));
            values.push(Value::from(value));
            indexed = true;
        }
        let order = if is_of_words { "history_words.rowid" } else { "history.seq" };
        if let Some(before) = before {
            conditions.push(format!("{order} < ?"));
            values.push(number(before));
        }
        if let Some(since) = since {
            // Along the index of times to a place, then by number: no row is sorted.
            conditions.push(format!(
                "{order} >= coalesce((SELECT seq FROM history WHERE seen_at >= ? ORDER BY seen_at LIMIT 1), 1 << 62)"
            ));
            conditions.push("+history.seen_at >= ?".to_owned());
            values.extend([number(since.saturating_sub(CLOCK_SLACK)), number(*since)]);
        }
        if let Some(until) = until {
            conditions.push(format!(
                "{order} <= coalesce((SELECT seq FROM history WHERE seen_at < ? ORDER BY seen_at DESC LIMIT 1), 0)"
            ));
            conditions.push("+history.seen_at < ?".to_owned());
            values.extend([number(until.saturating_add(CLOCK_SLACK)), number(*until)]);
        }
        let conditions = match conditions.as_slice() {
            [] => String::new(),
            conditions => format!("WHERE {}", conditions.join(" AND ")),
        };
        let name = "(SELECT name FROM history_sessions WHERE session_id = history.session_id) AS session_name";
        let sql = format!("SELECT history.*, {name} FROM {from} {conditions} ORDER BY {order} DESC");
        Ok(Some(Self { sql, values }))
    }
}

fn number(value: u64) -> Value {
    Value::from(i64::try_from(value).unwrap_or(i64::MAX))
}

/// A row of the table. What this version has no word for is told as the nearest that it has.
fn history_row(row: &Row<'_>) -> Result<HistoryRow, StoreError> {
    let word = |column: &str| row.get::<_, Option<String>>(column);
    let session: Option<String> = row.get("session_id")?;
    Ok(HistoryRow {
        seq: row.get("seq")?,
        request_id: PromptId(read_uuid(&row.get::<_, String>("prompt_id")?)?),
        session_id: session.map(|id| read_uuid(&id).map(SessionId)).transpose()?,
        session_name: row.get("session_name")?,
        folder: row.get("folder")?,
        adapter: from_word(word("adapter")?),
        kind: from_word(word("kind")?).unwrap_or(PromptKind::Question),
        title: row.get("title")?,
        about: row.get("about")?,
        risk: from_word(word("risk")?),
        seen_at: row.get("seen_at")?,
        answer: row.get("answer")?,
        by: word("actor")?.and_then(|actor| serde_json::from_str(&actor).ok()),
        answered_at: row.get("answered_at")?,
        refused: row.get("refused")?,
        outcome: from_word(word("outcome")?).unwrap_or(HistoryOutcome::Unknown),
        reason: row.get("reason")?,
        ended_at: row.get("ended_at")?,
    })
}

fn from_word<T: DeserializeOwned>(word: Option<String>) -> Option<T> {
    serde_json::from_value(serde_json::Value::String(word?)).ok()
}

/// Who was told, and what became of it.
fn told(body: &serde_json::Value) -> Option<String> {
    let (to, channel) = (body["to"].as_str()?, body["channel"].as_str()?);
    let to = if to == channel { to.to_owned() } else { format!("{to} ({channel})") };
    let about = if body["about"] == "withdrawn" { "that it is over, " } else { "" };
    let became = if body["taken"] == true { "taken" } else { body["detail"].as_str()? };
    Some(format!("{to}: {about}{became}"))
}

fn past_prompt(db: &Connection, id: PromptId) -> Result<Option<PastPrompt>, StoreError> {
    let mut statement = db.prepare_cached("SELECT * FROM journal WHERE prompt_id = ?1 ORDER BY seq")?;
    let facts = statement.query_map([id.0.to_string()], journal_row)?.collect::<Result<Vec<_>, _>>()?;
    let mut shown: Vec<serde_json::Value> = Vec::new();
    let mut answered = None;
    let mut steps = Vec::new();
    for fact in facts {
        let mut body: serde_json::Value = serde_json::from_str(&fact.entry.body)?;
        let text = [&body["answer"], &body["reason"], &body["why"]].into_iter().find_map(|text| text.as_str());
        let text = text.map(str::to_owned).or_else(|| told(&body));
        steps.push(HistoryStep {
            seq: fact.seq,
            at: fact.entry.at,
            text,
            by: fact.entry.actor.and_then(|actor| serde_json::from_str(&actor).ok()),
            kind: fact.entry.kind,
        });
        if body["prompt"].is_object() {
            shown.push(body["prompt"].take());
        } else if body["digest"].is_string() {
            answered = Some(body["digest"].take());
        }
    }
    // What was read is what the answer names by its digest.
    let read = shown.iter().rposition(|prompt| answered.as_ref().is_some_and(|digest| prompt["digest"] == *digest));
    let at = read.or(shown.len().checked_sub(1));
    let Some(prompt) = at.map(|at| shown.swap_remove(at)) else { return Ok(None) };
    let prompt: InteractivePrompt = serde_json::from_value(prompt)?;
    let message = prompt.session_id.zip(steps.first()).map(|(session, first)| message_before(db, session, first.at));
    Ok(Some(PastPrompt { prompt, steps, message: message.transpose()?.flatten() }))
}

/// The last message of a session that is not younger.
fn message_before(db: &Connection, session: SessionId, at: Millis) -> Result<Option<MessageId>, StoreError> {
    let mut statement = db.prepare_cached(
        "SELECT message_id FROM messages WHERE session_id = ?1 AND message ->> '$.at' <= ?2 ORDER BY position DESC LIMIT 1",
    )?;
    let found = statement.query_row(params![session.0.to_string(), number(at)], |row| row.get(0)).optional()?;
    Ok(found.map(MessageId))
}
