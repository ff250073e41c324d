//! The history: what was asked, by whom it was answered, and what came of it, also of sessions that were forgotten. It is
//! read from the journal, so nothing secret is in it.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::{Actor, AdapterKind, Millis, PromptId, PromptKind, RiskLevel, SessionId};

/// Which prompts of the history are wanted; each field narrows it down, the default is all of them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "history.ts", optional_fields)]
pub struct HistoryFilter {
    /// Of this session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<SessionId>,
    /// Of the sessions in this folder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder: Option<String>,
    /// Of this CLI.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adapter: Option<AdapterKind>,
    /// Answered by an actor of this type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub actor: Option<ActorType>,
    /// With this outcome.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<HistoryOutcome>,
    /// Of this kind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<PromptKind>,
    /// With all these words in the question, what it is about, or the answer, each at least by its beginning.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Seen at this time or later.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<Millis>,
    /// Seen before this time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Millis>,
}

/// The type of an [`Actor`], for looking for what such actors did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
#[ts(export_to = "history.ts")]
pub enum ActorType {
    /// A paired device.
    Device,
    /// Somebody at the terminal itself.
    Desk,
    /// A rule.
    Rule,
    /// A button or reply of a notification.
    Notification,
    /// The end of the prompt's time.
    Expiry,
}

/// What came of a prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
#[ts(export_to = "history.ts")]
pub enum HistoryOutcome {
    /// It waits for an answer.
    Waiting,
    /// It was answered; whether the CLI has taken that is not seen yet.
    Answered,
    /// The CLI was seen to take the answer.
    Verified,
    /// The answer did not work, and the prompt waits again.
    Failed,
    /// Nobody knows whether the answer arrived.
    Unknown,
    /// It is over without an answer from here: withdrawn, or answered at the desk.
    Gone,
    /// Its session ended first.
    SessionEnded,
    /// Its time was over.
    Expired,
}

/// A prompt in the history.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "history.ts", optional_fields)]
pub struct HistoryRow {
    /// Its place: the number of the journal's row that tells when it was first shown.
    pub seq: u64,
    /// The prompt.
    pub request_id: PromptId,
    /// The session that asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<SessionId>,
    /// The session's name when it was started.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_name: Option<String>,
    /// Its folder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder: Option<String>,
    /// Its CLI.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adapter: Option<AdapterKind>,
    /// What was asked for.
    #[serde(rename = "type")]
    pub kind: PromptKind,
    /// The question.
    pub title: String,
    /// The beginning of what it was about: a command, a file, the CLI's reason; may be empty.
    pub about: String,
    /// What saying yes risked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub risk: Option<RiskLevel>,
    /// When it was first shown.
    pub seen_at: Millis,
    /// The answer, in the CLI's words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
    /// Who answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Actor>,
    /// When it was answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answered_at: Option<Millis>,
    /// True when the answer was a refusal.
    pub refused: bool,
    /// What came of it.
    pub outcome: HistoryOutcome,
    /// Why it failed, or why nobody knows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// When it was over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended_at: Option<Millis>,
}

/// Something that happened to a prompt of the history.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "history.ts", optional_fields)]
pub struct HistoryStep {
    /// The number of the journal's row.
    pub seq: u64,
    /// When.
    pub at: Millis,
    /// The kind of the journal's row, such as `answered`; a later version may have more.
    pub kind: String,
    /// Who did it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Actor>,
    /// The answer or the reason, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// The prompts of some time in numbers.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "history.ts")]
pub struct Insight {
    /// Of all of them.
    pub total: InsightNumbers,
    /// Of each CLI, the most prompts first.
    pub adapters: Vec<InsightGroup>,
    /// Of each session, the most prompts first; only the first few.
    pub sessions: Vec<InsightGroup>,
    /// Of each day that has any, the oldest first.
    pub days: Vec<InsightGroup>,
}

/// The prompts that have something in common.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "history.ts")]
pub struct InsightGroup {
    /// What they have in common: a CLI, a session's id, or a day such as `2026-11-18`.
    pub key: String,
    /// What to call it: for a session its name when it was started, else the same.
    pub name: String,
    /// The numbers.
    pub numbers: InsightNumbers,
}

/// Prompts in numbers.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "history.ts", optional_fields)]
pub struct InsightNumbers {
    /// How many there were.
    pub prompts: u32,
    /// How many have an answer, whoever gave it.
    pub answered: u32,
    /// How many of these a rule answered.
    pub by_rule: u32,
    /// How many of these were refusals.
    pub refused: u32,
    /// How many were screens that were not understood.
    pub not_understood: u32,
    /// How many ended, or stand, as failed or unknown.
    pub failed: u32,
    /// Half of those with an answer by a person waited longer than this, in milliseconds; rules do not count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub median_wait: Option<Millis>,
}
