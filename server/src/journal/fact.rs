//! Facts: what the journal keeps, as the rest of the server says it.

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use shared_types::{Actor, InteractivePrompt, Key, Millis, PromptId, SessionId};

use super::{Head, chain::hex};
use crate::store::SessionRecord;

/// The longest prompt that is kept whole, in bytes of JSON. Of a longer one the parts that people read first are kept, and the
/// digest of the whole.
const PROMPT_LIMIT: usize = 32 * 1024;

/// Something that happened, for the journal. It is redacted when it is written, whatever its body holds.
#[derive(Debug, Clone, PartialEq)]
pub struct Fact {
    /// When.
    pub at: Millis,
    /// The session it happened in.
    pub session: Option<SessionId>,
    /// The prompt it is about.
    pub prompt: Option<PromptId>,
    /// Who did it.
    pub actor: Option<Actor>,
    /// What happened.
    pub kind: FactKind,
    /// The rest, a JSON object; docs/journal.md lists the fields of each kind.
    pub body: Value,
}

/// What happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "docs/journal.md says when each is written and what its body holds")]
pub enum FactKind {
    PromptSeen,
    PromptChanged,
    Answered,
    Pressed,
    ToldHook,
    Verified,
    Failed,
    Unknown,
    Gone,
    Expired,
    Keys,
    MessageSent,
    Mode,
    SessionStarted,
    SessionResumed,
    SessionEnded,
    StartupPassed,
    DevicePaired,
    DeviceRenamed,
    DeviceRevoked,
    RuleMade,
    RuleChanged,
    RuleUsed,
    RuleTried,
    RulePaused,
    Notification,
    Checkpoint,
}

impl FactKind {
    /// All of them.
    pub const ALL: [Self; 27] = [
        Self::PromptSeen,
        Self::PromptChanged,
        Self::Answered,
        Self::Pressed,
        Self::ToldHook,
        Self::Verified,
        Self::Failed,
        Self::Unknown,
        Self::Gone,
        Self::Expired,
        Self::Keys,
        Self::MessageSent,
        Self::Mode,
        Self::SessionStarted,
        Self::SessionResumed,
        Self::SessionEnded,
        Self::StartupPassed,
        Self::DevicePaired,
        Self::DeviceRenamed,
        Self::DeviceRevoked,
        Self::RuleMade,
        Self::RuleChanged,
        Self::RuleUsed,
        Self::RuleTried,
        Self::RulePaused,
        Self::Notification,
        Self::Checkpoint,
    ];

    /// The kind with this word.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.word() == word)
    }

    /// Its word in the journal, such as `prompt-seen`.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::PromptSeen => "prompt-seen",
            Self::PromptChanged => "prompt-changed",
            Self::Answered => "answered",
            Self::Pressed => "pressed",
            Self::ToldHook => "told-hook",
            Self::Verified => "verified",
            Self::Failed => "failed",
            Self::Unknown => "unknown",
            Self::Gone => "gone",
            Self::Expired => "expired",
            Self::Keys => "keys",
            Self::MessageSent => "message-sent",
            Self::Mode => "mode",
            Self::SessionStarted => "session-started",
            Self::SessionResumed => "session-resumed",
            Self::SessionEnded => "session-ended",
            Self::StartupPassed => "startup-passed",
            Self::DevicePaired => "device-paired",
            Self::DeviceRenamed => "device-renamed",
            Self::DeviceRevoked => "device-revoked",
            Self::RuleMade => "rule-made",
            Self::RuleChanged => "rule-changed",
            Self::RuleUsed => "rule-used",
            Self::RuleTried => "rule-tried",
            Self::RulePaused => "rule-paused",
            Self::Notification => "notification",
            Self::Checkpoint => "checkpoint",
        }
    }
}

impl Fact {
    /// A fact about nothing in particular yet, with an empty body.
    #[must_use]
    pub fn new(kind: FactKind, at: Millis) -> Self {
        Self { at, session: None, prompt: None, actor: None, kind, body: json!({}) }
    }

    /// In this session.
    #[must_use]
    pub fn in_session(mut self, session: SessionId) -> Self {
        self.session = Some(session);
        self
    }

    /// About this prompt.
    #[must_use]
    pub fn about(mut self, prompt: PromptId) -> Self {
        self.prompt = Some(prompt);
        self
    }

    /// Done by this actor.
    #[must_use]
    pub fn by(mut self, actor: Actor) -> Self {
        self.actor = Some(actor);
        self
    }

    /// With this body, a JSON object.
    #[must_use]
    pub fn with(mut self, body: Value) -> Self {
        self.body = body;
        self
    }

    /// A prompt was shown for the first time ([`FactKind::PromptSeen`]) or otherwise than before
    /// ([`FactKind::PromptChanged`]), with the digest of exactly what was shown.
    #[must_use]
    pub fn prompt_shown(kind: FactKind, prompt: &InteractivePrompt, at: Millis) -> Self {
        let digest = prompt.digest.clone().unwrap_or_else(|| digest_of(prompt));
        let mut fact = Self::new(kind, at).about(prompt.request_id);
        fact.session = prompt.session_id;
        fact.with(json!({ "digest": digest, "prompt": shown(prompt) }))
    }

    /// Keys that somebody pressed by hand. Named keys are kept, characters only counted: they may be a password.
    #[must_use]
    pub fn keys(session: SessionId, keys: &[Key], at: Millis) -> Self {
        let mut named = Vec::new();
        let mut characters = 0;
        for key in keys {
            match key {
                Key::Named { key } => named.push(json!(key)),
                Key::Ctrl { letter } => named.push(json!(format!("ctrl-{letter}"))),
                Key::Text { text } => characters += text.chars().count(),
            }
        }
        Self::new(FactKind::Keys, at).in_session(session).with(json!({ "named": named, "characters": characters }))
    }

    /// A message that the CLI has taken: its hash and length, never its text.
    #[must_use]
    pub fn message_sent(session: SessionId, text: &str, at: Millis) -> Self {
        let body = json!({ "sha256": hex(&Sha256::digest(text.as_bytes())), "characters": text.chars().count() });
        Self::new(FactKind::MessageSent, at).in_session(session).with(body)
    }

    /// All rows up to this one are dropped.
    #[must_use]
    pub fn checkpoint(last: Head, at: Millis) -> Self {
        Self::new(FactKind::Checkpoint, at).with(json!({ "seq": last.seq, "hash": last.hash.to_string() }))
    }

    /// A session was started ([`FactKind::SessionStarted`]) or resumed ([`FactKind::SessionResumed`]).
    #[must_use]
    pub fn session_runs(kind: FactKind, record: &SessionRecord, at: Millis) -> Self {
        Self::new(kind, at).in_session(record.id).with(json!({
            "name": record.name,
            "adapter": record.adapter,
            "folder": record.folder.to_string_lossy(),
            "command": record.command,
            "mode": record.mode,
            "conversation": record.cli_session_id,
        }))
    }
}

/// SHA-256 over a prompt as JSON, for one that brings no digest of its own.
fn digest_of(prompt: &InteractivePrompt) -> String {
    let text = serde_json::to_string(prompt).unwrap_or_default();
    hex(&Sha256::digest(text.as_bytes()))
}

/// What is kept of a prompt: without its raw screen, and without its largest parts when it is too long.
fn shown(prompt: &InteractivePrompt) -> Value {
    let mut prompt = InteractivePrompt { screen: None, ..prompt.clone() };
    let size = |prompt: &InteractivePrompt| serde_json::to_string(prompt).map_or(0, |json| json.len());
    if size(&prompt) > PROMPT_LIMIT {
        (prompt.diff, prompt.plan, prompt.would_run) = (None, None, None);
        prompt.incomplete = Some(true);
    }
    if size(&prompt) > PROMPT_LIMIT {
        prompt.tool_input = None;
        prompt.description = prompt.description.chars().take(PROMPT_LIMIT / 8).collect();
    }
    serde_json::to_value(&prompt).unwrap_or_default()
}
