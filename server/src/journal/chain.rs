//! The chain: each row holds the hash of the row before it, so that none can be changed, taken out or put in unnoticed.
//!
//! The canonical form of a row is one line of JSON: its fields sorted by name, no white space, text as it is. That form without
//! `hash` is what the hash is made of; with `hash` it is a line of an export. Numbers are integers ([`super::redact`] sees to
//! it), so that every language writes them alike.

use std::{fmt, str::FromStr};

use serde_json::Value;
use sha2::{Digest as _, Sha256};
use shared_types::Millis;

use super::{Fact, redact};

/// A SHA-256 of the chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ChainHash(pub [u8; 32]);

impl ChainHash {
    /// What the first row holds in place of a row before it.
    pub const START: Self = Self([0; 32]);
}

impl fmt::Display for ChainHash {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&hex(&self.0))
    }
}

impl FromStr for ChainHash {
    type Err = NotAHash;

    fn from_str(text: &str) -> Result<Self, NotAHash> {
        let digits: Option<Vec<u8>> =
            text.chars().map(|ch| ch.to_digit(16).and_then(|digit| u8::try_from(digit).ok())).collect();
        let bytes: Vec<u8> = digits
            .ok_or(NotAHash)?
            .chunks(2)
            .map(|pair| pair.iter().fold(0, |byte, digit| byte << 4 | digit))
            .collect();
        if text.len() == 64 { bytes.try_into().map(Self).map_err(|_| NotAHash) } else { Err(NotAHash) }
    }
}

/// A text that is not a SHA-256 in hexadecimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a SHA-256 of 64 hexadecimal digits")]
pub struct NotAHash;

/// The last row of a chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Head {
    /// Its number; 0 when there is no row.
    pub seq: u64,
    /// Its hash.
    pub hash: ChainHash,
}

impl Head {
    /// Before the first row.
    pub const START: Self = Self { seq: 0, hash: ChainHash::START };
}

/// A fact as it is written: redacted, its parts in canonical JSON.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// When.
    pub at: Millis,
    /// Who, as JSON.
    pub actor: Option<String>,
    /// The session's id.
    pub session: Option<String>,
    /// The prompt's id.
    pub prompt: Option<String>,
    /// The word of its kind; a later version may have kinds that this one does not know.
    pub kind: String,
    /// The rest, a JSON object.
    pub body: String,
}

impl From<Fact> for Entry {
    fn from(fact: Fact) -> Self {
        let json = |value: Value| canonical(&redact::redacted(value));
        Self {
            at: fact.at,
            actor: fact.actor.and_then(|actor| serde_json::to_value(actor).ok()).map(json),
            session: fact.session.map(|id| id.0.to_string()),
            prompt: fact.prompt.map(|id| id.0.to_string()),
            kind: fact.kind.word().to_owned(),
            body: json(fact.body),
        }
    }
}

/// A row of the journal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// Its number: 1, 2, 3 and so on, without a gap.
    pub seq: u64,
    /// What happened.
    pub entry: Entry,
    /// The hash of the row before it.
    pub prev: ChainHash,
    /// The hash of this row.
    pub hash: ChainHash,
}

impl Row {
    /// The row that comes after `head`.
    #[must_use]
    pub fn after(head: Head, entry: Entry) -> Self {
        let mut row = Self { seq: head.seq + 1, entry, prev: head.hash, hash: ChainHash::START };
        row.hash = row.computed_hash();
        row
    }

    /// This row as the head of a chain.
    #[must_use]
    pub fn head(&self) -> Head {
        Head { seq: self.seq, hash: self.hash }
    }

    /// The hash that fits what the row holds.
    #[must_use]
    pub fn computed_hash(&self) -> ChainHash {
        ChainHash(Sha256::digest(self.line(None).as_bytes()).into())
    }

    /// The row as a line of an export.
    #[must_use]
    pub fn to_json_line(&self) -> String {
        self.line(Some(self.hash))
    }

    /// True when the parts that are JSON are objects, written as [`canonical`] writes them: otherwise bytes could move between the
    /// fields of a row without changing its line.
    #[must_use]
    pub fn is_canonical(&self) -> bool {
        let is_canonical = |text: &str| match serde_json::from_str::<Value>(text) {
            Ok(value) => value.is_object() && canonical(&value) == text,
            Err(_) => false,
        };
        is_canonical(&self.entry.body) && self.entry.actor.as_deref().is_none_or(is_canonical)
    }

    fn line(&self, hash: Option<ChainHash>) -> String {
        let Entry { at, actor, session, prompt, kind, body } = &self.entry;
        let text = |value: &Option<String>| value.as_ref().map_or_else(|| "null".to_owned(), |text| quoted(text));
        let actor = actor.as_deref().unwrap_or("null");
        let hash = hash.map(|hash| format!("\"hash\":\"{hash}\",")).unwrap_or_default();
        let (kind, prompt, session) = (quoted(kind), text(prompt), text(session));
        let (seq, prev) = (self.seq, self.prev);
        format!(
            "{{\"actor\":{actor},\"at\":{at},\"body\":{body},{hash}\"kind\":{kind},\"prev\":\"{prev}\",\"prompt\":{prompt},\
             \"seq\":{seq},\"session\":{session}}}"
        )
    }
}

/// A value as canonical JSON: the fields of objects sorted by name, no white space.
#[must_use]
pub fn canonical(value: &Value) -> String {
    match value {
        Value::Object(fields) => {
            let mut fields: Vec<_> = fields.iter().collect();
            fields.sort_by_key(|(name, _)| name.as_str());
            let fields = fields.into_iter().map(|(name, value)| format!("{}:{}", quoted(name), canonical(value)));
            format!("{{{}}}", fields.collect::<Vec<_>>().join(","))
        }
        Value::Array(items) => format!("[{}]", items.iter().map(canonical).collect::<Vec<_>>().join(",")),
        Value::String(text) => quoted(text),
        plain => plain.to_string(),
    }
}

fn quoted(text: &str) -> String {
    Value::String(text.to_owned()).to_string()
}

/// Bytes as hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
