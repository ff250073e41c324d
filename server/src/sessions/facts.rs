//! What the journal is told of a session's prompts: one fact for every effect that changes something.

use answerback_ledger::{AttemptRecord, AttemptStage, Closing};
use serde_json::json;
use shared_types::{
    Answer, EndReason, InteractivePrompt, Millis, OptionRole, PermissionMode, PromptId, PromptOption, PromptOutcome,
    PromptResponse, SessionId,
};

use crate::journal::{Fact, FactKind};

/// An answer has won.
pub(super) fn answered_fact(prompt: &InteractivePrompt, answer: &Answer, attempt: &AttemptRecord, at: Millis) -> Fact {
    let channel = if attempt.stage == AttemptStage::Told { "hook" } else { "keys" };
    let mut fact = Fact::new(FactKind::Answered, at).about(prompt.request_id).by(answer.by.clone());
    fact.session = prompt.session_id;
    let mut body = json!({ "answer": answer.summary, "channel": channel, "digest": prompt.digest });
    if attempt.response.as_ref().is_some_and(|response| is_refusal(prompt, response)) {
        body["refused"] = json!(true);
    }
    fact.with(body)
}

/// Whether the option that was chosen means no.
fn is_refusal(prompt: &InteractivePrompt, response: &PromptResponse) -> bool {
    let chosen = |option: &&PromptOption| response.selected_option.as_ref() == Some(&option.value);
    let option = prompt.options.iter().flatten().find(chosen);
    option.is_some_and(|option| matches!(option.role, Some(OptionRole::Deny | OptionRole::Feedback)))
}

/// Keys of an answer are about to be pressed.
pub(super) fn pressed_fact(
    session: SessionId,
    prompt: PromptId,
    attempt: &AttemptRecord,
    keys: usize,
    at: Millis,
) -> Fact {
    let last = attempt.stage == AttemptStage::Submitted;
    Fact::new(FactKind::Pressed, at).in_session(session).about(prompt).with(json!({ "keys": keys, "last": last }))
}

/// An answer did not work.
pub(super) fn failed_fact(session: SessionId, prompt: PromptId, reason: &str, at: Millis) -> Fact {
    Fact::new(FactKind::Failed, at).in_session(session).about(prompt).with(json!({ "reason": reason }))
}

/// Whether the last keys of an answer arrived is not known.
pub(super) fn unknown_fact(session: SessionId, prompt: PromptId, reason: &str, at: Millis) -> Fact {
    Fact::new(FactKind::Unknown, at).in_session(session).about(prompt).with(json!({ "reason": reason }))
}

/// A hook was given its decision.
pub(super) fn told_hook_fact(session: SessionId, prompt: PromptId, at: Millis) -> Fact {
    Fact::new(FactKind::ToldHook, at).in_session(session).about(prompt)
}

/// A prompt is over.
pub(super) fn closed_fact(session: SessionId, closing: &Closing) -> Fact {
    let kind = match &closing.outcome {
        PromptOutcome::Verified { .. } => FactKind::Verified,
        PromptOutcome::Gone | PromptOutcome::SessionEnded => FactKind::Gone,
    };
    let fact = Fact::new(kind, closing.at).in_session(session).about(closing.prompt);
    match (&closing.outcome, &closing.by) {
        (PromptOutcome::Verified { answer }, _) => fact.by(answer.by.clone()).with(json!({ "answer": answer.summary })),
        (PromptOutcome::SessionEnded, _) => fact.with(json!({ "why": "session-ended" })),
        (PromptOutcome::Gone, Some(by)) => fact.by(by.clone()),
        (PromptOutcome::Gone, None) => fact.with(json!({ "why": "withdrawn" })),
    }
}

/// A prompt's time is over.
pub(super) fn expired_fact(session: SessionId, prompt: PromptId, refuses: bool, at: Millis) -> Fact {
    Fact::new(FactKind::Expired, at).in_session(session).about(prompt).with(json!({ "refuses": refuses }))
}

/// A session has ended.
pub(super) fn ended_fact(session: SessionId, reason: &EndReason, at: Millis) -> Fact {
    Fact::new(FactKind::SessionEnded, at).in_session(session).with(json!({ "reason": reason }))
}

/// A session was written down as begun and could not be.
pub(super) fn not_begun_fact(session: SessionId, at: Millis) -> Fact {
    Fact::new(FactKind::SessionEnded, at).in_session(session).with(json!({ "reason": { "type": "not-begun" } }))
}

/// A dialog of the start was passed without asking.
pub(super) fn passed_fact(session: SessionId, notice: &str, at: Millis) -> Fact {
    Fact::new(FactKind::StartupPassed, at).in_session(session).with(json!({ "dialog": notice }))
}

/// The permission mode was switched from a phone.
pub(super) fn mode_fact(session: SessionId, mode: PermissionMode, at: Millis) -> Fact {
    Fact::new(FactKind::Mode, at).in_session(session).with(json!({ "mode": mode }))
}
