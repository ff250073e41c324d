//! When a dialog that has just appeared takes keys.

use std::time::{Duration, Instant};

/// How long a dialog ignores keys, so that whoever is typing something else does not answer it.
///
/// Claude Code 2.1.326 times every key. It ignores one that comes within 150 ms of the dialog's first frame, and one that goes on
/// with what was being typed before the dialog came: a key within 700 ms of text, or of the same key. A key that was ignored
/// counts as typed, and after it the dialog takes nothing but that same answer again; so none may come too early.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Deaf {
    /// For so long after it was first seen.
    pub at_first: Duration,
    /// For so long after anything was typed into the terminal, before the dialog came or since.
    pub after_keys: Duration,
}

impl Deaf {
    /// Takes keys as soon as it is drawn.
    pub const NEVER: Self = Self { at_first: Duration::ZERO, after_keys: Duration::ZERO };

    /// From when on the dialog takes keys that was first seen at `appeared`, when something was last typed at `typed`.
    #[must_use]
    pub fn hears_at(self, appeared: Instant, typed: Option<Instant>) -> Instant {
        let after_keys = typed.map(|typed| typed + self.after_keys);
        (appeared + self.at_first).max(after_keys.unwrap_or(appeared))
    }
}
