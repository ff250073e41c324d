//! The history in numbers: of all prompts since some time, of each CLI, session and day.

use std::collections::HashMap;

use rusqlite::{Connection, Row, params};
use shared_types::{Insight, InsightGroup, InsightNumbers, Millis};

use super::{Store, StoreError};

/// How many sessions are told of: those with the most prompts.
const SESSIONS: usize = 20;

impl Store {
    /// The prompts since a time in numbers. Days begin as the clock of the person says, so many minutes ahead of UTC.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn insight(&self, since: Millis, utc_offset: i32) -> Result<Insight, StoreError> {
        self.read_history(move |db| insight(db, since, utc_offset)).await
    }
}

/// What counts of a prompt.
struct Counted {
    answered: bool,
    by_rule: bool,
    refused: bool,
    not_understood: bool,
    failed: bool,
    /// How long a person took to answer.
    waited: Option<Millis>,
}

#[derive(Default)]
struct Tally {
    numbers: InsightNumbers,
    waits: Vec<Millis>,
    name: Option<String>,
}

impl Tally {
    fn count(&mut self, prompt: &Counted) {
        let Self { numbers, waits, .. } = self;
        numbers.prompts += 1;
        numbers.answered += u32::from(prompt.answered);
        numbers.by_rule += u32::from(prompt.by_rule);
        numbers.refused += u32::from(prompt.refused);
        numbers.not_understood += u32::from(prompt.not_understood);
        numbers.failed += u32::from(prompt.failed);
        waits.extend(prompt.waited);
    }

    fn finish(mut self) -> InsightNumbers {
        let middle = self.waits.len() / 2;
        self.numbers.median_wait = (!self.waits.is_empty()).then(|| *self.waits.select_nth_unstable(middle).1);
        self.numbers
    }
}

fn insight(db: &Connection, since: Millis, utc_offset: i32) -> Result<Insight, StoreError> {
    let mut statement = db.prepare_cached(
        "SELECT history.adapter, history.session_id, name, kind, actor_type, refused, outcome, seen_at, answered_at,
                date(seen_at / 1000 + ?2 * 60, 'unixepoch') AS day
         FROM history LEFT JOIN history_sessions USING (session_id) WHERE seen_at >= ?1",
    )?;
    let (mut total, mut adapters, mut sessions, mut days) =
        (Tally::default(), HashMap::new(), HashMap::new(), HashMap::new());
    let mut rows = statement.query(params![i64::try_from(since).unwrap_or(i64::MAX), utc_offset])?;
    while let Some(row) = rows.next()? {
        let prompt = counted(row)?;
        total.count(&prompt);
        for (column, groups) in [("adapter", &mut adapters), ("session_id", &mut sessions), ("day", &mut days)] {
            if let Some(key) = row.get::<_, Option<String>>(column)? {
                let tally: &mut Tally = groups.entry(key).or_default();
                tally.count(&prompt);
                if column == "session_id" && tally.name.is_none() {
                    tally.name = row.get("name")?;
                }
            }
        }
    }
    let (adapters, mut sessions, mut days) = (groups(adapters), groups(sessions), groups(days));
    sessions.truncate(SESSIONS);
    days.sort_by(|one, other| one.key.cmp(&other.key));
    Ok(Insight { total: total.finish(), adapters, sessions, days })
}

fn counted(row: &Row<'_>) -> Result<Counted, rusqlite::Error> {
    let word = |column: &str| row.get::<_, Option<String>>(column).map(Option::unwrap_or_default);
    let (kind, actor, outcome) = (word("kind")?, word("actor_type")?, word("outcome")?);
    let answered_at: Option<Millis> = row.get("answered_at")?;
    let seen_at: Millis = row.get("seen_at")?;
    let by_person = matches!(actor.as_str(), "device" | "desk" | "notification");
    Ok(Counted {
        answered: answered_at.is_some(),
        by_rule: answered_at.is_some() && actor == "rule",
        refused: row.get("refused")?,
        not_understood: kind == "unrecognized",
        failed: matches!(outcome.as_str(), "failed" | "unknown"),
        waited: answered_at.filter(|_| by_person).map(|at| at.saturating_sub(seen_at)),
    })
}

/// The most prompts first.
fn groups(tallies: HashMap<String, Tally>) -> Vec<InsightGroup> {
    let mut groups: Vec<InsightGroup> = tallies
        .into_iter()
        .map(|(key, tally)| {
            let name = tally.name.clone().unwrap_or_else(|| key.clone());
            InsightGroup { key, name, numbers: tally.finish() }
        })
        .collect();
    groups.sort_by(|one, other| (other.numbers.prompts, &one.key).cmp(&(one.numbers.prompts, &other.key)));
    groups
}
