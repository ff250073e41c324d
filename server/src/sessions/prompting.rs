//! What happens to prompts: they open, change, and close, and everybody is told.

use std::time::Duration;

use adapters::{Fingerprint, Sighting, StartupDialog, hook, risk, survey::Survey};
use shared_types::{
    Confidence, Event, InteractivePrompt, Millis, PromptId, PromptKind, PromptOutcome, PromptResponse, PromptSource,
    SessionState,
};
use tokio::time::Instant;
use uuid::Uuid;

use super::{
    task::{AFTER_KEYS, OpenPrompt, SessionTask},
    typing::Activity,
};
use crate::{clock::now_millis, store::StoredPrompt};

/// All screens that are not understood are one and the same prompt until something else is there.
const UNRECOGNIZED: Fingerprint = Fingerprint(0);

/// How long after a restart the hooks that wait may take to come again; they try several times a second.
const HOOKS_COME_AGAIN: Duration = Duration::from_secs(3);

/// How soon what could not be written down is tried again.
const WRITE_AGAIN: Duration = Duration::from_secs(1);

/// What a prompt is called.
struct Named {
    id: PromptId,
    created_at: Millis,
    /// What is remembered of it from before a restart.
    remembered: Option<StoredPrompt>,
}

impl SessionTask {
    /// A prompt has settled on the screen, or has changed its look.
    pub(super) async fn on_prompt(&mut self, sighting: &Sighting) {
        let fingerprint = sighting.fingerprint();
        if self.looks_through(sighting) {
            return;
        }
        if self.open.as_ref().is_none_or(|open| open.fingerprint != fingerprint)
            && let Some(unseen) = self.take_unseen(sighting)
        {
            // Its hook was first: the same prompt, now with its dialog.
            self.open = Some(OpenPrompt { fingerprint, since: Instant::now(), ..unseen });
        }
        let Named { id, created_at, remembered } = self.name_prompt(fingerprint, Some(sighting)).await;
        let held = self.open.as_ref().and_then(|open| open.held.as_ref());
        let whole = held.map_or_else(|| sighting.clone(), |held| held.request.complete(sighting));
        let mut whole = self.details.complete(self.adapter, fingerprint, whole);
        if let Some((_, questions)) = self.pages.as_ref().filter(|(of, _)| *of == fingerprint) {
            whole.know_questions(questions);
        }
        let prompt = self.judged(whole.to_prompt(id, self.record.id, self.record.adapter, created_at));
        self.open_prompt(prompt, fingerprint).await;
        if let Some(stored) = remembered {
            self.take_over(stored).await;
        }
    }

    /// The prompt with what saying yes would risk.
    pub(super) fn judged(&self, mut prompt: InteractivePrompt) -> InteractivePrompt {
        prompt.risk = risk::judge(&prompt, &self.record.folder);
        prompt
    }

    /// Begins to look through the pages of a dialog that are not known yet: the person gets them all at once.
    fn looks_through(&mut self, sighting: &Sighting) -> bool {
        if self.pages.as_ref().is_some_and(|(of, _)| *of == sighting.fingerprint()) {
            return false;
        }
        let Some(survey) = Survey::of(sighting, self.adapter) else { return false };
        if matches!(self.activity, Activity::Idle) {
            self.activity = Activity::Surveying { survey };
        } else {
            // What is being typed comes first; the dialog is still there then.
            self.tracker.settle_again();
        }
        self.look_by(Instant::now() + AFTER_KEYS);
        true
    }

    /// A start-up dialog: passed when the person's choice at the start covers it, else asked like any other prompt.
    pub(super) async fn on_startup(&mut self, dialog: &StartupDialog) {
        let fingerprint = dialog.sighting.fingerprint();
        let row = dialog.pass.filter(|_| self.launch.covers(dialog.kind) && self.unpassable != Some(fingerprint));
        let value = row.and_then(|row| dialog.sighting.option_values().into_iter().nth(row));
        let Some(value) = value else { return self.on_prompt(&dialog.sighting).await };
        if !matches!(self.activity, Activity::Idle) {
            return;
        }
        let detail = format!("{}: {value}", dialog.sighting.title.trim_end_matches(':'));
        self.set_state(SessionState::Starting { detail: detail.clone() });
        let response = PromptResponse { selected_option: Some(value), ..PromptResponse::to(PromptId(Uuid::now_v7())) };
        self.begin_passing(response, fingerprint, detail);
    }

    /// The screen waits for somebody and is not understood: the person gets it as it is.
    pub(super) async fn on_unrecognized(&mut self) {
        let Named { id, created_at, .. } = self.name_prompt(UNRECOGNIZED, None).await;
        let mut sighting = Sighting::new(PromptKind::Unrecognized, PromptSource::Stall, "unrecognized");
        sighting.confidence = Confidence::Guess;
        sighting.title = "This screen waits for you".to_owned();
        sighting.description = "It is not a question that can be shown as buttons. Use the keys below.".to_owned();
        let mut prompt = sighting.to_prompt(id, self.record.id, self.record.adapter, created_at);
        prompt.screen = Some(self.screen.frame());
        self.open_prompt(prompt, UNRECOGNIZED).await;
    }

    /// The id of the prompt with this fingerprint: that of the one already open, that of one remembered from before a restart,
    /// or a new one. Others that were remembered are over.
    async fn name_prompt(&mut self, fingerprint: Fingerprint, dialog: Option<&Sighting>) -> Named {
        if let Some(open) = self.open.as_ref().filter(|open| open.fingerprint == fingerprint) {
            let created_at = open.prompt.created_at.unwrap_or_else(now_millis);
            return Named { id: open.prompt.request_id, created_at, remembered: None };
        }
        let remembered = self.remembered.iter().position(|stored| stored.fingerprint == fingerprint).or_else(|| {
            // Of this one only the hook had been seen.
            let dialog = dialog?;
            self.remembered.iter().position(|stored| hook::shows_prompt(dialog, &stored.prompt))
        });
        let remembered = remembered.map(|at| self.remembered.swap_remove(at));
        self.close_remembered().await;
        let known = remembered.as_ref().map(|stored| &stored.prompt);
        Named {
            id: known.map_or_else(|| PromptId(Uuid::now_v7()), |prompt| prompt.request_id),
            created_at: known.and_then(|prompt| prompt.created_at).unwrap_or_else(now_millis),
            remembered,
        }
    }

    async fn open_prompt(&mut self, prompt: InteractivePrompt, fingerprint: Fingerprint) {
        let optional = prompt.optional == Some(true);
        if self.open.as_ref().is_some_and(|open| open.prompt == prompt) {
            return self.note_asked(optional);
        }
        let before = self.open.take().filter(|open| open.prompt.request_id == prompt.request_id);
        self.tell_prompt(&prompt, fingerprint).await;
        self.open = Some(match before {
            Some(before) => OpenPrompt { prompt, fingerprint, ..before },
            None => OpenPrompt {
                prompt,
                fingerprint,
                held: None,
                since: Instant::now(),
                let_go_at: None,
                decided: None,
                attempt: None,
                tried: Vec::new(),
                progress: None,
            },
        });
        self.note_asked(optional);
    }

    /// A session with a prompt waits for the person, unless that may be left alone.
    fn note_asked(&mut self, optional: bool) {
        if optional {
            self.set_state_unless_asked(SessionState::Ready);
        } else {
            self.set_state(SessionState::Waiting);
        }
    }

    /// The open prompt is over.
    pub(super) async fn close_prompt(&mut self, outcome: PromptOutcome) {
        self.pages = None;
        let Some(mut open) = self.open.take() else { return };
        open.release_hook();
        self.details.prompt_closed();
        self.tell_closed(open.prompt.request_id, outcome).await;
    }

    /// Prompts from before a restart that are not on the screen any more are over. One whose last keys were typed has been
    /// answered.
    ///
    /// One that a hook had told may not be on the screen yet; it is over only when its hook does not come again.
    pub(super) async fn close_remembered(&mut self) {
        let hooks_are_back = self.began_at + HOOKS_COME_AGAIN;
        let waits =
            |stored: &StoredPrompt| stored.prompt.source == Some(PromptSource::Hook) && Instant::now() < hooks_are_back;
        let (wait, over): (Vec<_>, Vec<_>) = std::mem::take(&mut self.remembered).into_iter().partition(waits);
        if !wait.is_empty() {
            self.look_by(hooks_are_back);
        }
        self.remembered = wait;
        for stored in over {
            if stored.prompt.source == Some(PromptSource::Hook) {
                self.given_up.push(stored.prompt.request_id);
            }
            self.tell_closed(stored.prompt.request_id, stored.outcome_when(PromptOutcome::Gone)).await;
        }
    }

    pub(super) async fn tell_closed(&mut self, id: PromptId, outcome: PromptOutcome) {
        self.unwritten.push((id, outcome.clone(), now_millis()));
        self.write_closed().await;
        self.bus.publish(Event::PromptClosed { request_id: id, outcome });
    }

    /// Writes down how prompts ended. What a full disk does not take is written when there is room: nobody closes it again.
    pub(super) async fn write_closed(&mut self) {
        while let Some((id, outcome, at)) = self.unwritten.first().cloned() {
            if let Err(error) = self.store.close_prompt(id, &outcome, at).await {
                tracing::error!(%error, "cannot write down how a prompt ended; trying again");
                return self.look_by(Instant::now() + WRITE_AGAIN);
            }
            self.unwritten.remove(0);
        }
    }
}
