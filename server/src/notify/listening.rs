//! What the bus tells: prompts come and go, sessions begin to wait or end. It is noted for the planner, and nothing is sent from here.

use std::{
    collections::BTreeSet,
    time::{Duration, Instant},
};

use shared_types::{Actor, AnswerStep, DeviceId, Event, InteractivePrompt, PromptId, PromptOutcome, RiskLevel};

use super::{
    Notifier,
    planner::{Decision, Earlier, TargetId, Waits},
};
use crate::{bus::CatchUp, clock::now_millis};

impl Notifier {
    /// What there is already, at the start and after having missed something.
    pub(super) async fn take_up(&self, catch_up: CatchUp) {
        let CatchUp::Snapshot { snapshot, .. } = catch_up else { return };
        let open: BTreeSet<PromptId> = snapshot.prompts.iter().map(|pending| pending.prompt.request_id).collect();
        let known = self.lock().planner.waiting();
        for prompt in known.into_iter().filter(|prompt| !open.contains(prompt)) {
            self.prompt_over(prompt, "It is over.", None).await;
        }
        for session in &snapshot.sessions {
            self.session_is(session);
        }
        for pending in &snapshot.prompts {
            self.prompt_waits(&pending.prompt).await;
            if let Some(progress) = &pending.progress {
                self.lock().planner.prompt_answering(progress.request_id, is_under_way(&progress.step));
            }
        }
        self.tell_due().await;
    }

    /// Takes what happened. False when nothing can be due because of it.
    pub(super) async fn take(&self, event: &Event) -> bool {
        match event {
            Event::Prompt { prompt } => self.prompt_waits(prompt).await,
            Event::PromptProgress { progress } => {
                self.lock().planner.prompt_answering(progress.request_id, is_under_way(&progress.step));
            }
            Event::PromptClosed { request_id, outcome, by } => {
                let (words, device) = closing_words(outcome, by.as_ref());
                self.prompt_over(*request_id, &words, device).await;
            }
            Event::Session { session } => self.session_is(session),
            Event::Message { session_id, message } => {
                self.session_says(*session_id, message);
                return false;
            }
            Event::MessageDelta { session_id, .. } | Event::ManyMessages { session_id } => {
                self.session_goes_on(*session_id);
                return false;
            }
            Event::SessionForgotten { session_id } => {
                let mut state = self.lock();
                state.running.remove(session_id);
                state.planner.session_goes_on(*session_id);
            }
            _ => return false,
        }
        true
    }

    async fn prompt_waits(&self, prompt: &InteractivePrompt) {
        // What may be left alone calls nobody.
        if prompt.optional == Some(true) {
            return;
        }
        let id = prompt.request_id;
        let is_new = !self.lock().open.contains_key(&id);
        let earlier = if is_new { self.earlier(id).await } else { Earlier::default() };
        let dangerous = prompt.risk.as_ref().is_some_and(|risk| risk.level == RiskLevel::High);
        let mut state = self.lock();
        state.open.entry(id).or_default();
        let expires_in = prompt.expires_at.map(|at| Duration::from_millis(at.saturating_sub(now_millis())));
        state.planner.prompt_waits(Waits { prompt: id, dangerous, expires_in }, earlier, Instant::now());
    }

    /// What was told of a prompt before a restart.
    async fn earlier(&self, prompt: PromptId) -> Earlier {
        let notices = match self.store.notices(prompt).await {
            Ok(notices) => notices,
            Err(error) => {
                tracing::error!(%error, "cannot read what was told of a prompt");
                Vec::new()
            }
        };
        let first = notices.first().map_or(0, |notice| now_millis().saturating_sub(notice.at));
        Earlier {
            steps: notices.iter().map(|notice| notice.step + 1).max().unwrap_or(0),
            since: Duration::from_millis(first),
            told: notices.iter().filter_map(|notice| TargetId::from_word(&notice.target)).collect(),
        }
    }

    async fn prompt_over(&self, prompt: PromptId, words: &str, answered_on: Option<DeviceId>) {
        let decisions = {
            let mut state = self.lock();
            if let Some(open) = state.open.remove(&prompt) {
                open.cancel();
            }
            let button = state.answered_on.remove(&prompt);
            let answered_on = answered_on.map(TargetId::Device).or(button);
            state.planner.prompt_over(prompt, answered_on.as_ref())
        };
        for decision in decisions {
            if let Decision::Withdraw { from, subject } = decision {
                self.withdraw(&from, &subject, words);
            }
        }
    }
}

fn is_under_way(step: &AnswerStep) -> bool {
    matches!(step, AnswerStep::Sending | AnswerStep::Typed)
}

/// How a prompt ended, and the device that answered it.
fn closing_words(outcome: &PromptOutcome, by: Option<&Actor>) -> (String, Option<DeviceId>) {
    match (outcome, by) {
        (PromptOutcome::Verified { answer }, _) => {
            let device = if let Actor::Device { device_id, .. } = &answer.by { Some(*device_id) } else { None };
            (format!("Answered by {}", answer.by.name()), device)
        }
        (PromptOutcome::Gone, Some(by)) => (format!("Answered by {}", by.name()), None),
        (PromptOutcome::Gone, None) => ("It is not asked any more".to_owned(), None),
        (PromptOutcome::SessionEnded, _) => ("The session has ended".to_owned(), None),
    }
}
