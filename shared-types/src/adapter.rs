//! Which adapter reads a session: an open name, and what is told of the adapter behind it.

use std::fmt;

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::PermissionMode;

/// How long the name of an adapter may be.
const LONGEST: usize = 16;

/// Names an adapter: a word of small letters, digits and dashes, such as `claude`. Which there are, [`AdapterInfo`] tells; a name that
/// nobody has is a name all the same, of an adapter that an older or newer server knows.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, TS)]
#[serde(try_from = "String", into = "String")]
#[ts(export_to = "session.ts", type = "string")]
pub struct AdapterKind([u8; LONGEST]);

/// Why a word names no adapter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoAdapterName;

impl AdapterKind {
    /// The adapter of this name.
    ///
    /// # Panics
    /// When the word cannot be a name; where it is a constant, that is an error of the compiler.
    #[must_use]
    pub const fn new(name: &str) -> Self {
        let given = name.as_bytes();
        assert!(!given.is_empty() && given.len() <= LONGEST, "the name of an adapter is short, and not empty");
        let mut letters = [0; LONGEST];
        let mut at = 0;
        while at < given.len() {
            assert!(is_of_name(given[at]), "the name of an adapter has small letters, digits and dashes");
            letters[at] = given[at];
            at += 1;
        }
        Self(letters)
    }

    /// The name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        let length = self.0.iter().position(|letter| *letter == 0).unwrap_or(LONGEST);
        str::from_utf8(&self.0[..length]).unwrap_or_default()
    }
}

const fn is_of_name(letter: u8) -> bool {
    letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == b'-'
}

impl TryFrom<String> for AdapterKind {
    type Error = NoAdapterName;

    fn try_from(name: String) -> Result<Self, NoAdapterName> {
        let fits = (1..=LONGEST).contains(&name.len()) && name.bytes().all(is_of_name);
        if fits { Ok(Self::new(&name)) } else { Err(NoAdapterName) }
    }
}

impl From<AdapterKind> for String {
    fn from(kind: AdapterKind) -> Self {
        kind.as_str().to_owned()
    }
}

impl fmt::Display for AdapterKind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.as_str())
    }
}

impl fmt::Debug for AdapterKind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.as_str())
    }
}

impl fmt::Display for NoAdapterName {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "the name of an adapter has 1 to {LONGEST} small letters, digits and dashes")
    }
}

/// An adapter as the page shows it, and offers it for a new session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "session.ts", optional_fields)]
pub struct AdapterInfo {
    /// Which.
    pub kind: AdapterKind,
    /// Its name, for people.
    pub name: String,
    /// Its name within a sentence.
    pub short_name: String,
    /// True for an AI CLI, rather than the demo or any program.
    pub is_agent: bool,
    /// How it is told from the others at a glance.
    pub mark: AdapterMark,
    /// True when its program was found on this machine.
    pub installed: bool,
    /// The permission modes it can be started in; the first is the default. Empty: it has none.
    pub modes: Vec<PermissionMode>,
    /// True when the person names the program to run.
    pub takes_command: bool,
    /// True when the mode of a running session can be changed.
    pub changes_mode: bool,
    /// The version of its program, once that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// Models to suggest; absent when none can be chosen at the start. Any other name is taken as well.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub models: Option<Vec<String>>,
}

/// A shape and a hue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "session.ts")]
pub struct AdapterMark {
    /// The lines of its icon: the `d` of an SVG path in a square of 16.
    pub icon: String,
    /// Its colour on a light ground, as `#rrggbb`.
    pub light: String,
    /// Its colour on a dark ground.
    pub dark: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_adapter_is_named_by_any_short_word() {
        for name in ["toy", "opencode", "a-1", "sixteen-letters-"] {
            let kind: AdapterKind = serde_json::from_value(serde_json::json!(name)).unwrap();
            assert_eq!((kind.as_str(), kind.to_string().as_str()), (name, name));
            assert_eq!((kind, serde_json::to_value(kind).unwrap()), (AdapterKind::new(name), serde_json::json!(name)));
        }
    }

    #[test]
    fn anything_else_is_no_name() {
        for name in ["", "Claude", "of a later version", "a_b", "é", "seventeen-letters", "../x", "a\u{0}"] {
            assert!(serde_json::from_value::<AdapterKind>(serde_json::json!(name)).is_err(), "{name:?}");
        }
    }
}
