//! Answers across a restart: how far one has got is written down before its keys are pressed, and what was under way when the
//! server went down is finished, watched or reported, as the screen has it now.

use adapters::{answer::Attempt, reading::Context};
use shared_types::{
    Answer, AnswerProgress, AnswerStep, Event, InteractivePrompt, PromptId, PromptResponse, QuestionAnswer,
};
use tokio::time::Instant;

use super::{
    asking::Decided,
    task::{OpenPrompt, SessionTask},
    typing::Activity,
};
use crate::store::{AttemptRecord, AttemptStage, StoredPrompt};

/// Why an answer that was under way is not on its way any more.
const CUT_SHORT: &str = "Answerback was interrupted while it typed this answer, and the prompt is still there";

impl SessionTask {
    /// What is written down of an answer that begins.
    pub(super) fn attempt_record(
        &self,
        open: &OpenPrompt,
        response: &PromptResponse,
        stage: AttemptStage,
    ) -> AttemptRecord {
        AttemptRecord {
            stage,
            key: response.idempotency_key,
            response: (!holds_secret(&open.prompt, response)).then(|| response.clone()),
            hook: open.held.as_ref().map(|held| held.id).filter(|_| stage == AttemptStage::Told),
            context: self.tracker.above().0.clone(),
        }
    }

    /// Writes down that the answer under way goes a step further, before its keys are pressed.
    pub(super) async fn advance(&mut self, attempt: &Attempt) -> Result<(), crate::store::StoreError> {
        let Some(open) = &mut self.open else { return Ok(()) };
        let Some(record) = &mut open.attempt else { return Ok(()) };
        let (stage, context) = match attempt.left_below() {
            Some(above) => (AttemptStage::Submitted, above.0.clone()),
            None => (AttemptStage::Stepping, record.context.clone()),
        };
        if record.stage == stage {
            return Ok(());
        }
        *record = AttemptRecord { stage, context, ..record.clone() };
        self.store.advance_attempt(open.prompt.request_id, record).await
    }

    /// The prompt on the screen was open before a restart: what was under way to it is taken over.
    pub(super) async fn take_over(&mut self, stored: StoredPrompt) {
        let above = self.tracker.above().clone();
        let Some(open) = &mut self.open else { return };
        open.tried = stored.tried;
        let Some(answer) = stored.answer else { return };
        let (id, fingerprint) = (open.prompt.request_id, open.fingerprint);
        let Some(attempt) = stored.attempt.filter(|_| matches!(self.activity, Activity::Idle)) else {
            return self.report_cut_short(id, answer).await;
        };
        let same = Context(attempt.context.clone()).agrees(&above);
        match (attempt.stage, &attempt.response) {
            // The keys may be on their way through the CLI: whether they have arrived is for the screen to say.
            (AttemptStage::Submitted, response) => {
                let response = response.clone().unwrap_or_else(|| PromptResponse::to(id));
                let (before, now) = (Context(attempt.context.clone()), Instant::now().into_std());
                let key = attempt.key;
                open.attempt = Some(attempt);
                let attempt = Attempt::submitted(response, fingerprint, before, now);
                self.activity = Activity::Answering { attempt, answer, key };
                self.tell_progress(AnswerStep::Typed);
                self.look_by(Instant::now());
            }
            // Its hook was told. When that comes again it was not; when neither happens, the answer is typed.
            (AttemptStage::Told, Some(response)) => {
                open.decided = Some(Decided::now(answer.clone(), response.clone()));
                open.attempt = Some(attempt);
                self.tell_step(id, answer, AnswerStep::Typed);
                self.look_by(Instant::now());
            }
            (AttemptStage::Begun | AttemptStage::Stepping, Some(response)) if same && !attempt.may_be_half_typed() => {
                let response = response.clone();
                open.attempt = Some(attempt);
                self.begin_answering(response, answer);
            }
            _ => self.report_cut_short(id, answer).await,
        }
    }

    /// Whoever answered believes that the answer is on its way: it is not, and the prompt is open again.
    pub(super) async fn report_cut_short(&mut self, id: PromptId, answer: Answer) {
        self.reopen(id).await;
        self.tell_step(id, answer, AnswerStep::Failed { reason: CUT_SHORT.to_owned() });
    }

    /// The answer to a prompt did not work: it is open again, and the same answer is not taken a second time.
    pub(super) async fn reopen(&mut self, id: PromptId) {
        if let Some(open) = self.open_by_id(id) {
            let key = open.attempt.take().and_then(|attempt| attempt.key);
            open.tried.extend(key);
        }
        if let Err(error) = self.store.reopen_prompt(id).await {
            tracing::error!(%error, "cannot reopen a prompt");
        }
    }

    /// Tells every phone how far an answer has got.
    pub(super) fn tell_step(&mut self, id: PromptId, answer: Answer, step: AnswerStep) {
        let Some(open) = self.open_by_id(id) else { return };
        let progress = AnswerProgress { request_id: id, answer, step };
        open.progress = Some(progress.clone());
        self.bus.publish(Event::PromptProgress { progress });
    }
}

impl OpenPrompt {
    /// True for an answer that was tried and did not work, and now comes again by itself.
    pub(super) fn has_failed(&self, response: &PromptResponse) -> bool {
        response.idempotency_key.is_some_and(|key| self.tried.contains(&key))
    }
}

/// Whether a response holds something that must not be written down.
fn holds_secret(prompt: &InteractivePrompt, response: &PromptResponse) -> bool {
    let is_secret = |text: &Option<shared_types::TextInput>| text.as_ref().and_then(|text| text.secret) == Some(true);
    let has_text = |answer: &QuestionAnswer| answer.text_value.is_some();
    let questions = prompt.questions.iter().flatten();
    let mut answers = questions.zip(response.answers.iter().flatten());
    (response.text_value.is_some() && is_secret(&prompt.text_input))
        || answers.any(|(question, answer)| has_text(answer) && is_secret(&question.text_input))
}
