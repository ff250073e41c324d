//! What `answerback doctor` finds.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// One thing that `answerback doctor` looks at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "finding.ts")]
pub struct Finding {
    /// What was looked at.
    pub what: String,
    /// Whether it is in place.
    pub verdict: Verdict,
    /// How it is, and what to do about it.
    pub detail: String,
}

/// Whether a thing is in place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
#[ts(export_to = "finding.ts")]
pub enum Verdict {
    /// It is.
    Good,
    /// Worth knowing; nothing is broken.
    Note,
    /// It is not.
    Bad,
}
