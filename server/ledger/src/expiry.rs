//! The end of a prompt's time, where the person has set one: a permission is refused, and nothing is ever approved.
//!
//! The timeout runs on the monotonic clock, from when the prompt was first shown. The wall clock counts only across a restart, where the
//! remaining time is clamped between [`GRACE`] and the whole timeout, so a clock that jumps neither expires a prompt at once nor keeps it
//! open for ever. A prompt expires once: a refusal that fails is not retried.

use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};

use shared_types::{
    Actor, Confidence, InteractivePrompt, Millis, OptionRole, PromptId, PromptKind, PromptResponse, PromptSource,
};
use uuid::Uuid;

use crate::{
    Ledger,
    event::{Effect, Moment, Ticket},
};

/// The least time a prompt has left after a restart, however long the server was down.
const GRACE: Duration = Duration::from_secs(60);
/// How soon a prompt is looked at again whose time is over while something else is being done with it.
const LATER: Duration = Duration::from_secs(1);
/// Nobody waits for the result.
pub(crate) const NOBODY: Ticket = Ticket(u64::MAX);
/// Makes the key of the answer out of the prompt's id: given again after a restart it is the same answer.
const KEY: u128 = 0x6578_7069_7279_0000_0000_0000_0000_0001;

/// How long the prompts of a session wait, by kind. Without an entry for ever.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ExpiryPolicy(pub Vec<(PromptKind, Duration)>);

impl ExpiryPolicy {
    fn limit(&self, kind: PromptKind) -> Option<Duration> {
        self.0.iter().find(|(of, _)| *of == kind).map(|(_, limit)| *limit)
    }
}

/// The clocks of the open prompts.
#[derive(Debug, Default)]
pub(crate) struct Clocks {
    policy: ExpiryPolicy,
    /// One for each open prompt at most.
    running: BTreeMap<PromptId, Clock>,
}

#[derive(Debug)]
struct Clock {
    /// When its time ends; nothing once it has.
    at: Option<Instant>,
    /// The same for people.
    wall: Millis,
}

impl Clocks {
    pub(crate) fn new(policy: ExpiryPolicy) -> Self {
        Self { policy, running: BTreeMap::new() }
    }

    /// Says on a prompt when its time ends, and starts its clock when it is new here.
    pub(crate) fn stamp(&mut self, prompt: &mut InteractivePrompt, m: &Moment) {
        let Some(limit) = self.policy.limit(prompt.kind).filter(|_| prompt.optional != Some(true)) else { return };
        let clock = self.running.entry(prompt.request_id).or_insert_with(|| {
            let waited = m.wall.saturating_sub(prompt.created_at.unwrap_or(m.wall));
            let left = limit.saturating_sub(Duration::from_millis(waited)).max(GRACE.min(limit));
            let wall = m.wall.saturating_add(Millis::try_from(left.as_millis()).unwrap_or(Millis::MAX));
            Clock { at: Some(m.at + left), wall }
        });
        prompt.expires_at = Some(clock.wall);
    }

    pub(crate) fn forget(&mut self, prompt: PromptId) {
        self.running.remove(&prompt);
    }

    pub(crate) fn next_deadline(&self) -> Option<Instant> {
        self.running.values().filter_map(|clock| clock.at).min()
    }

    fn due(&self, now: Instant) -> Vec<PromptId> {
        let over = |clock: &Clock| clock.at.is_some_and(|at| at <= now);
        self.running.iter().filter(|(_, clock)| over(clock)).map(|(prompt, _)| *prompt).collect()
    }

    fn set(&mut self, prompt: PromptId, at: Option<Instant>) {
        if let Some(clock) = self.running.get_mut(&prompt) {
            clock.at = at;
        }
    }
}

impl Ledger {
    /// The time of prompts is over that nobody has answered.
    pub(crate) fn expire(&mut self, m: &Moment) {
        for id in self.clocks.due(m.at) {
            let busy = m.typing || self.front.is_typed_into() || self.is_answered(id);
            if busy {
                self.clocks.set(id, Some(m.at + LATER));
                continue;
            }
            self.clocks.set(id, None);
            let Some(refusal) = self.wire(id).map(refusal) else { continue };
            self.effect(Effect::Expired { prompt: id, refuses: refusal.is_some() });
            if let Some(response) = refusal {
                self.responded(response, Actor::Expiry, NOBODY, m);
            }
        }
    }
}

/// The answer at the end of a prompt's time: the one plain refusal of a permission whose dialog is certain, and nothing else.
#[must_use]
pub fn refusal(prompt: &InteractivePrompt) -> Option<PromptResponse> {
    let certain = prompt.kind == PromptKind::Permission
        && prompt.confidence == Some(Confidence::Certain)
        && matches!(prompt.source, Some(PromptSource::Hook | PromptSource::Screen));
    let plain = prompt.questions.is_none()
        && prompt.multi_select != Some(true)
        && prompt.startup != Some(true)
        && prompt.optional != Some(true)
        && prompt.more_options != Some(true)
        && prompt.warning.is_none();
    if !certain || !plain {
        return None;
    }
    let mut refusals = prompt.options.iter().flatten().filter(|option| option.role == Some(OptionRole::Deny));
    let (Some(only), None) = (refusals.next(), refusals.next()) else { return None };
    Some(PromptResponse {
        selected_option: Some(only.value.clone()),
        digest: prompt.digest.clone(),
        idempotency_key: Some(Uuid::from_u128(prompt.request_id.0.as_u128() ^ KEY)),
        ..PromptResponse::to(prompt.request_id)
    })
}
