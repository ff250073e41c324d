//! Checking a chain, row by row. Pure: where the rows come from is the caller's business.
//!
//! A chain whose oldest rows were dropped begins later than with row 1. It fits if one of its checkpoints names the row before
//! its first one, with the hash that the first one holds.

use std::{collections::BTreeMap, fmt};

use serde_json::Value;

use super::{ChainHash, FactKind, Head, Row, pin::Pin};

/// A row that could not even be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnreadableRow {
    /// Its number, where that could be read.
    pub seq: u64,
    /// Why.
    pub reason: String,
}

/// What checking has shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// Every row fits, and nothing that was pinned is missing.
    Fits(Head),
    /// A row does not fit: it, or the row before it, is not what was written.
    Broken(Broken),
    /// Every row fits, but the chain once reached further.
    TailMissing {
        /// Where it ends now.
        head: Head,
        /// Where it ended when it was pinned.
        pinned: u64,
    },
}

/// The first row that does not fit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Broken {
    /// Its number.
    pub seq: u64,
    /// What is wrong with it.
    pub problem: Problem,
}

/// What is wrong with a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Problem {
    /// Another number was due: rows are missing, or stand in another order.
    Number {
        /// The number that was due.
        due: u64,
    },
    /// It does not hold the hash of the row before it.
    Previous,
    /// Its hash does not fit what it holds.
    Hash,
    /// Its JSON is not in canonical form.
    Form,
    /// It is not the row that was pinned.
    Pinned,
    /// It could not be read.
    Unreadable(String),
}

impl fmt::Display for Broken {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seq = self.seq;
        match &self.problem {
            Problem::Number { due } => write!(formatter, "row {seq} stands where row {due} is due"),
            Problem::Previous => write!(formatter, "row {seq} does not follow the row before it"),
            Problem::Hash => write!(formatter, "row {seq} has been changed: its hash does not fit"),
            Problem::Form => write!(formatter, "row {seq} has been changed: it is not in canonical form"),
            Problem::Pinned => write!(formatter, "row {seq} is not the one that was pinned"),
            Problem::Unreadable(reason) => write!(formatter, "row {seq} cannot be read: {reason}"),
        }
    }
}

/// Checks the rows of a chain, oldest first.
pub struct Verifier {
    head: Head,
    pins: BTreeMap<u64, ChainHash>,
    /// The last row that was dropped, as the first row that is here has it; not yet believed.
    start: Head,
    /// Whether a checkpoint has confirmed that.
    confirmed: bool,
}

impl Verifier {
    /// Before the first row, with the heads that were pinned earlier.
    #[must_use]
    pub fn new(pins: &[Pin]) -> Self {
        let pins = pins.iter().map(|pin| (pin.head.seq, pin.head.hash)).collect();
        Self { head: Head::START, pins, start: Head::START, confirmed: true }
    }

    /// How many rows are no longer there at the beginning.
    #[must_use]
    pub fn dropped(&self) -> u64 {
        self.start.seq
    }

    /// Checks the next row.
    ///
    /// # Errors
    /// When it does not fit. There is no use in going on then.
    pub fn check(&mut self, row: Result<Row, UnreadableRow>) -> Result<(), Broken> {
        let row = row.map_err(|row| Broken { seq: row.seq, problem: Problem::Unreadable(row.reason) })?;
        if self.head == Head::START && row.seq > 1 {
            self.start = Head { seq: row.seq - 1, hash: row.prev };
            self.head = self.start;
            self.confirmed = false;
            if self.pins.get(&self.start.seq).is_some_and(|pinned| *pinned != self.start.hash) {
                return Err(Broken { seq: row.seq, problem: Problem::Previous });
            }
        }
        if row.seq <= self.start.seq {
            return Err(self.beginning_missing());
        }
        let due = self.head.seq + 1;
        let problem = if row.seq != due {
            Some(Problem::Number { due })
        } else if row.prev != self.head.hash {
            Some(Problem::Previous)
        } else if row.hash != row.computed_hash() {
            Some(Problem::Hash)
        } else if !row.is_canonical() {
            Some(Problem::Form)
        } else if self.pins.get(&row.seq).is_some_and(|pinned| *pinned != row.hash) {
            Some(Problem::Pinned)
        } else {
            None
        };
        self.head = row.head();
        self.confirmed |= problem.is_none() && checkpoint(&row) == Some(self.start);
        problem.map_or(Ok(()), |problem| Err(Broken { seq: row.seq, problem }))
    }

    /// What checking all rows has shown.
    #[must_use]
    pub fn finish(self) -> Verdict {
        if !self.confirmed {
            return Verdict::Broken(self.beginning_missing());
        }
        match self.pins.last_key_value() {
            Some((&pinned, _)) if pinned > self.head.seq => Verdict::TailMissing { head: self.head, pinned },
            _ => Verdict::Fits(self.head),
        }
    }

    /// The first row that is here is not the first of the chain, and nothing says why.
    fn beginning_missing(&self) -> Broken {
        Broken { seq: self.start.seq + 1, problem: Problem::Number { due: 1 } }
    }
}

/// What a checkpoint says was dropped last.
fn checkpoint(row: &Row) -> Option<Head> {
    if row.entry.kind != FactKind::Checkpoint.word() {
        return None;
    }
    let body: Value = serde_json::from_str(&row.entry.body).ok()?;
    Some(Head { seq: body["seq"].as_u64()?, hash: body["hash"].as_str()?.parse().ok()? })
}

/// Checks a whole chain.
pub fn verify(rows: impl IntoIterator<Item = Result<Row, UnreadableRow>>, pins: &[Pin]) -> Verdict {
    let mut verifier = Verifier::new(pins);
    let broken = rows.into_iter().find_map(|row| verifier.check(row).err());
    broken.map_or_else(|| verifier.finish(), Verdict::Broken)
}
