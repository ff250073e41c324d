//! Prompts and answers across a restart: what was under way is finished, watched or reported, as the screen has it now.

use std::time::Duration;

use adapters::{answer::Attempt, reading::Context};
use shared_types::{Answer, AnswerStep, PromptId, PromptOutcome, PromptResponse, PromptSource};
use uuid::Uuid;

use crate::{
    Ledger,
    event::{Effect, Moment},
    prompt::{ShownState, Telling, Typing, UnseenState},
    record::{AttemptStage, StoredPrompt},
};

/// How long after a restart the hooks that wait may take to come again; they try several times a second.
pub(crate) const HOOKS_COME_AGAIN: Duration = Duration::from_secs(3);
/// Prompts of hooks that did not come again in time. Of more the oldest is forgotten: its hook is then let go.
pub(crate) const GIVEN_UP_LIMIT: usize = 64;
/// Why an answer that was under way is not on its way any more.
const CUT_SHORT: &str = "Answerback was interrupted while it typed this answer, and the prompt is still there";

impl Ledger {
    /// The prompt on the screen was open before a restart: what was under way to it is taken over.
    pub(crate) fn take_over(&mut self, record: StoredPrompt, m: &Moment) {
        let above = self.tracker.above().clone();
        let busy = m.typing || self.pressing.is_some();
        let Some(shown) = self.front.shown_mut() else { return };
        for key in record.tried {
            shown.prompt.note_failed(Some(key));
        }
        let Some(answer) = record.answer else { return };
        let (id, fingerprint) = (shown.prompt.id(), shown.prompt.fingerprint);
        let Some(attempt) = record.attempt.filter(|_| !busy) else {
            return self.report_cut_short(id, answer, None);
        };
        let before = Context(attempt.context.clone());
        let same = before.agrees(&above);
        match (attempt.stage, attempt.response.clone()) {
            // The keys may be on their way through the CLI: whether they have arrived is for the screen to say.
            (AttemptStage::Submitted, response) => {
                let response = response.unwrap_or_else(|| PromptResponse::to(id));
                let machine = Attempt::submitted(response, fingerprint, before, m.at);
                shown.state = ShownState::Typing(Box::new(Typing {
                    machine,
                    answer: answer.clone(),
                    record: attempt,
                    read: None,
                    otherwise_since: None,
                    presses: 0,
                    submitted_at: Some(m.wall),
                }));
                self.publish_step(id, answer, AnswerStep::Typed);
                self.wake_by(m.at);
            }
            // Its hook was told. When that comes again it was not; when neither happens, the answer is typed.
            (AttemptStage::Told, Some(response)) => {
                let telling = Telling { tickets: Vec::new(), response, answer: answer.clone(), attempt };
                shown.state = ShownState::Decided(telling.heard(m.at));
                self.publish_step(id, answer, AnswerStep::Typed);
                self.wake_by(m.at);
            }
            (AttemptStage::Begun | AttemptStage::Stepping, Some(response)) if same && !attempt.may_be_half_typed() => {
                self.begin_typing(response, answer, attempt, m);
            }
            _ => self.report_cut_short(id, answer, attempt.key),
        }
    }

    /// Whoever answered believes that the answer is on its way: it is not, and the prompt is open again.
    pub(crate) fn report_cut_short(&mut self, id: PromptId, answer: Answer, key: Option<Uuid>) {
        if let Some(shown) = self.front.shown_mut().filter(|shown| shown.prompt.id() == id) {
            shown.state = ShownState::Waiting;
            shown.prompt.note_failed(key);
        } else if let Some(unseen) = self.unseen.iter_mut().find(|unseen| unseen.prompt.id() == id) {
            unseen.state = UnseenState::Waiting;
            unseen.prompt.note_failed(key);
        }
        self.effect(Effect::Reopen { prompt: id, reason: CUT_SHORT.to_owned(), cause: "cut short" });
        self.publish_step(id, answer, AnswerStep::Failed { reason: CUT_SHORT.to_owned() });
    }

    /// Prompts from before a restart that are not on the screen any more are over. One whose last keys were typed has been
    /// answered. One that a hook had told may not be on the screen yet; it is over only when its hook does not come again.
    pub(crate) fn close_remembered(&mut self, m: &Moment) {
        let hooks_are_back = self.began_at + HOOKS_COME_AGAIN;
        let waits = |record: &StoredPrompt| record.prompt.source == Some(PromptSource::Hook) && m.at < hooks_are_back;
        let (wait, over): (Vec<_>, Vec<_>) = std::mem::take(&mut self.remembered).into_iter().partition(waits);
        if !wait.is_empty() {
            self.wake_by(hooks_are_back);
        }
        self.remembered = wait;
        for record in over {
            if record.prompt.source == Some(PromptSource::Hook) {
                if self.given_up.len() == GIVEN_UP_LIMIT {
                    self.given_up.pop_front();
                }
                self.given_up.push_back(record.prompt.request_id);
            }
            let outcome = record.outcome_when(PromptOutcome::Gone);
            self.close(record.prompt.request_id, outcome, None, m);
        }
    }
}
