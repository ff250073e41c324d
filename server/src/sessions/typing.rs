//! What the person asks for: answers, keys, modes; messages are in `sending.rs`. One at a time, each driven look by look until it is seen to be done.

use adapters::{
    Fingerprint, Keystroke,
    answer::{self, Attempt},
    mode::{self, NotSwitched, Switch},
    reading::Look,
    send::NotSent,
    survey::{self, Survey},
};
use shared_types::{
    Answer, AnswerStep, AnsweredBy, EndReason, ErrorCode, InteractivePrompt, Key, PermissionMode, PromptId,
    PromptOutcome, PromptResponse, WireError,
};
use tokio::time::Instant;
use uuid::Uuid;

use super::{
    refuse::{from_not_sent, from_pane, from_refusal, from_store, refuse, session_busy},
    sending::Outgoing,
    summary::summarize,
    task::{AFTER_KEYS, Early, Input, Life, Reply, SessionTask},
};
use crate::{
    clock::now_millis,
    pane::PaneError,
    store::{AttemptRecord, AttemptStage, StoreError},
};

/// What is being typed just now.
pub(super) enum Activity {
    /// Nothing.
    Idle,
    /// A person's answer to the open prompt.
    Answering { attempt: Attempt, answer: Answer, key: Option<Uuid> },
    /// Our own way past a start-up dialog.
    Passing { attempt: Attempt, fingerprint: Fingerprint, detail: String },
    /// Our own look through the pages of a dialog, before the person gets it.
    Surveying { survey: Survey },
    /// A chat message.
    Sending(Outgoing),
    /// The keys that go on to another permission mode.
    Switching { switch: Switch, reply: Reply },
    /// The keys that stop the CLI's work, once it is seen that no dialog would take them.
    Interrupting { reply: Reply },
}

impl Activity {
    /// True while the activity decides itself whether the prompt is still there.
    pub(super) fn watches_the_prompt(&self) -> bool {
        matches!(self, Activity::Answering { .. } | Activity::Passing { .. } | Activity::Surveying { .. })
    }

    /// Tells whoever waits why nothing comes of it any more. Answers go on: nobody waits for them.
    pub(super) fn refuse(&mut self, error: WireError) {
        match std::mem::replace(self, Activity::Idle) {
            Activity::Sending(outgoing) => outgoing.reply(&Err(error)),
            Activity::Switching { reply, .. } | Activity::Interrupting { reply } => {
                let _ = reply.send(Err(error));
            }
            other => *self = other,
        }
    }
}

impl SessionTask {
    pub(super) async fn on_input(&mut self, input: Input) -> Life {
        match input {
            Input::Respond { response, by, reply } if self.is_remembered(response.request_id) => {
                self.early.push(Early { response, by, reply });
                return self.look().await;
            }
            Input::Respond { response, by, reply } => {
                let result = self.respond(response, by).await;
                let accepted = result.is_ok();
                // The phone may be gone; the answer counts all the same.
                let _ = reply.send(result);
                if accepted {
                    return self.look().await;
                }
            }
            Input::SendText { text, key, reply } => return self.send_text(text, key, reply).await,
            Input::SendKeys { keys, reply } => {
                let _ = reply.send(self.send_keys(keys).await);
                self.look_by(Instant::now() + AFTER_KEYS);
            }
            Input::SetMode { mode, reply } => return self.set_mode(mode, reply).await,
            Input::Interrupt { reply } => {
                if !matches!(self.activity, Activity::Idle) {
                    let _ = reply.send(Err(session_busy()));
                    return Life::GoesOn;
                }
                self.activity = Activity::Interrupting { reply };
                return self.look().await;
            }
            Input::Rename { name, reply } => {
                let _ = reply.send(self.rename(name).await);
            }
            Input::End { reply } => {
                let life = self.finish(EndReason::Killed).await;
                let _ = reply.send(Ok(()));
                return life;
            }
            Input::Hook(arrived) => {
                self.on_hook(arrived).await;
                return self.look().await;
            }
            Input::HookLeft(id) => self.on_hook_left(id).await,
            Input::Amend(change) => {
                change(&mut self.view);
                self.tell();
            }
        }
        Life::GoesOn
    }

    fn is_remembered(&self, id: PromptId) -> bool {
        self.remembered.iter().any(|stored| stored.prompt.request_id == id)
    }

    /// Takes the answers that came before it was known what the screen shows: right after a restart phones are quick.
    pub(super) async fn take_early(&mut self) {
        if self.tracker.settled().is_none() || matches!(self.activity, Activity::Surveying { .. }) {
            return;
        }
        for Early { response, by, reply } in std::mem::take(&mut self.early) {
            let _ = reply.send(self.respond(response, by).await);
            self.look_by(Instant::now());
        }
    }

    /// Takes an answer if it is the first and fits. It is written down before any key is pressed.
    async fn respond(&mut self, response: PromptResponse, by: AnsweredBy) -> Result<(), WireError> {
        let (id, key) = (response.request_id, response.idempotency_key);
        let open = self.open.iter().chain(&self.unseen).find(|open| open.prompt.request_id == id);
        let Some(open) = open else { return Err(refuse(ErrorCode::PromptGone, "this prompt is over")) };
        if open.has_failed(&response) {
            return Err(refuse(ErrorCode::NotTaken, "this answer did not work: look at the prompt and answer again"));
        }
        if let Some(decided) = &open.decided {
            let again = key.is_some() && key == decided.response.idempotency_key;
            return if again { Ok(()) } else { Err(already_answered(&decided.answer)) };
        }
        let seen = self.open.as_ref().is_some_and(|open| open.prompt.request_id == id);
        match &self.activity {
            Activity::Idle => {}
            _ if !seen => {}
            Activity::Answering { key: first, .. } if key.is_some() && *first == key => return Ok(()),
            Activity::Answering { answer, .. } => return Err(already_answered(answer)),
            _ => return Err(session_busy()),
        }
        let Some(shown) = self.shown(open) else { return Err(from_refusal(&adapters::Refusal::TerminalOnly)) };
        let request = open.held.as_ref().map(|held| &held.request);
        let decision = request.and_then(|request| self.adapter.decide(request, &shown, &response));
        if decision.is_none() {
            if !seen {
                return Err(refuse(ErrorCode::BadResponse, "this cannot be answered before its dialog is drawn"));
            }
            self.adapter.answer(&shown, &response).map_err(|refusal| from_refusal(&refusal))?;
        }
        let answer = Answer { by, summary: summarize(&open.prompt, &response) };
        let stage = if decision.is_some() { AttemptStage::Told } else { AttemptStage::Begun };
        let attempt = self.attempt_record(open, &response, stage);
        let (prompt, fingerprint) = (open.prompt.clone(), open.fingerprint);
        let won = self.begin_answer(prompt, fingerprint, &answer, &attempt).await;
        if !won.map_err(|error| from_store(&error))? {
            return Err(refuse(ErrorCode::AlreadyAnswered, "this prompt has already been answered"));
        }
        if let Some(open) = self.open_by_id(id) {
            open.attempt = Some(attempt);
        }
        if let Some(decision) = decision
            && self.tell_hook(id, decision, answer.clone(), response.clone())
        {
            return Ok(());
        }
        if !seen {
            // Its hook is gone, or was let go so that the dialog may come; either is seen in a moment.
            if let Some(open) = self.open_by_id(id) {
                // Nothing was typed: the same answer may come again.
                open.attempt = None;
            }
            let _ = self.store.reopen_prompt(id).await;
            return Err(refuse(ErrorCode::SessionBusy, "its dialog is about to be drawn: try again in a moment"));
        }
        self.begin_answering(response, answer);
        Ok(())
    }

    /// Writes down that an answer begins. A prompt that could not be written down when it came, on a full disk, is now.
    async fn begin_answer(
        &self,
        prompt: InteractivePrompt,
        fingerprint: Fingerprint,
        answer: &Answer,
        attempt: &AttemptRecord,
    ) -> Result<bool, StoreError> {
        let (id, now) = (prompt.request_id, now_millis());
        if self.store.begin_answer(id, answer.clone(), attempt.clone(), now).await? {
            return Ok(true);
        }
        if self.store.prompt(id).await?.is_some() {
            return Ok(false);
        }
        self.store.put_prompt(self.record.id, prompt, fingerprint, now).await?;
        self.store.begin_answer(id, answer.clone(), attempt.clone(), now).await
    }

    /// Begins to type an answer to the prompt on the screen.
    pub(super) fn begin_answering(&mut self, response: PromptResponse, answer: Answer) {
        let Some(open) = &self.open else { return };
        let key = response.idempotency_key;
        let hears_keys = open.since + self.adapter.profile().deaf;
        let attempt = Attempt::new(response, open.fingerprint).not_before(hears_keys.into_std());
        self.activity = Activity::Answering { attempt, answer, key };
        self.tell_progress(AnswerStep::Sending);
        self.look_by(Instant::now());
    }

    /// True while the CLI asks something whose dialog may be drawn at any moment.
    pub(super) fn is_asked(&self) -> bool {
        !self.unseen.is_empty() || !self.arrived.is_empty()
    }

    async fn send_keys(&mut self, keys: Vec<Key>) -> Result<(), WireError> {
        if !matches!(self.activity, Activity::Idle) {
            return Err(session_busy());
        }
        let keystrokes = keys.into_iter().map(keystroke).collect::<Result<Vec<_>, _>>()?;
        self.pane.press(&keystrokes).await.map_err(|error| from_pane(&error))
    }

    async fn set_mode(&mut self, mode: PermissionMode, reply: Reply) -> Life {
        let profile = self.adapter.profile();
        let refusal = if profile.next_mode.is_empty() {
            refuse(ErrorCode::BadValue, format!("{} cannot change its mode while it runs", profile.name))
        } else if !matches!(self.activity, Activity::Idle) {
            session_busy()
        } else if self.is_asked() {
            from_not_sent(NotSent::DialogOpen)
        } else {
            self.activity = Activity::Switching { switch: Switch::new(mode, profile.next_mode), reply };
            return self.look().await;
        };
        let _ = reply.send(Err(refusal));
        Life::GoesOn
    }

    async fn rename(&mut self, name: String) -> Result<(), WireError> {
        let stored = self.store.rename_session(self.record.id, name.clone()).await;
        stored.map_err(|error| from_store(&error))?;
        self.view.name = name;
        self.tell();
        Ok(())
    }

    /// Begins to pass a start-up dialog.
    pub(super) fn begin_passing(&mut self, response: PromptResponse, fingerprint: Fingerprint, detail: String) {
        self.activity = Activity::Passing { attempt: Attempt::new(response, fingerprint), fingerprint, detail };
        self.look_by(Instant::now());
    }

    /// The terminal does not answer: what was asked for is refused now rather than typed some time later. An answer whose
    /// keys are typed goes on: whether they arrived is for the screen to say.
    pub(super) async fn on_unreachable(&mut self, error: &PaneError) {
        self.activity.refuse(from_pane(error));
        if matches!(&self.activity, Activity::Answering { attempt, .. } if !attempt.has_typed()) {
            self.answer_failed(error.to_string()).await;
        }
    }

    /// Takes the activity one look further.
    pub(super) async fn drive(&mut self, look: &Look, now: Instant) {
        match std::mem::replace(&mut self.activity, Activity::Idle) {
            Activity::Idle => {}
            Activity::Answering { mut attempt, answer, key } => {
                let action = attempt.on_look(look, self.adapter, now.into_std());
                self.on_answering(action, attempt, answer, key).await;
            }
            Activity::Passing { mut attempt, fingerprint, detail } => {
                let action = attempt.on_look(look, self.adapter, now.into_std());
                self.on_passing(action, attempt, fingerprint, detail).await;
            }
            Activity::Surveying { mut survey } => {
                let action = survey.on_look(look, self.adapter, now.into_std());
                self.on_surveying(action, survey, look).await;
            }
            Activity::Sending(outgoing) => self.drive_message(outgoing, look, now).await,
            Activity::Switching { mut switch, reply } => {
                let action = switch.on_look(&look.reading, now.into_std());
                self.on_switching(action, switch, reply).await;
            }
            Activity::Interrupting { reply } => {
                let result = if look.reading.insists() {
                    Err(refuse(ErrorCode::DialogOpen, "a dialog is open: answer it, or use the keys of the terminal"))
                } else {
                    self.pane.press(self.adapter.profile().interrupt).await.map_err(|error| from_pane(&error))
                };
                let _ = reply.send(result);
                self.look_by(now + AFTER_KEYS);
            }
        }
    }

    async fn on_answering(&mut self, action: answer::Action, attempt: Attempt, answer: Answer, key: Option<Uuid>) {
        match action {
            answer::Action::Press { keys, last } => {
                let noted = self.advance(&attempt).await;
                self.activity = Activity::Answering { attempt, answer, key };
                if let Err(error) = noted {
                    return self.answer_failed(format!("nothing was typed: {error}")).await;
                }
                // What is asked beside a composer is answered in it.
                if self.open.as_ref().is_some_and(|open| open.prompt.optional == Some(true)) {
                    let typed = keys.iter().filter_map(Keystroke::typed).collect();
                    self.note_typed(typed);
                }
                if let Err(error) = self.pane.press(&keys).await {
                    return self.answer_failed(error.to_string()).await;
                }
                if last {
                    self.tell_progress(AnswerStep::Typed);
                }
                self.look_by(Instant::now() + AFTER_KEYS);
            }
            answer::Action::Wait(until) => {
                self.activity = Activity::Answering { attempt, answer, key };
                self.look_by(Instant::from_std(until));
            }
            answer::Action::Verified => {
                self.close_prompt(PromptOutcome::Verified { answer }).await;
                self.tracker.prompt_answered(Instant::now().into_std());
            }
            answer::Action::Failed(failure) => {
                self.activity = Activity::Answering { attempt, answer, key };
                self.answer_failed(failure.to_string()).await;
            }
        }
    }

    /// The answer under way did not work: the prompt is open again, and everybody knows why.
    async fn answer_failed(&mut self, reason: String) {
        self.tell_progress(AnswerStep::Failed { reason });
        self.activity = Activity::Idle;
        if let Some(id) = self.open.as_ref().map(|open| open.prompt.request_id) {
            self.reopen(id).await;
        }
        self.look_by(Instant::now() + AFTER_KEYS);
    }

    async fn on_passing(&mut self, action: answer::Action, attempt: Attempt, fingerprint: Fingerprint, detail: String) {
        match action {
            answer::Action::Press { keys, .. } => match self.pane.press(&keys).await {
                Ok(()) => {
                    self.activity = Activity::Passing { attempt, fingerprint, detail };
                    self.look_by(Instant::now() + AFTER_KEYS);
                }
                Err(error) => self.not_passed(fingerprint, &detail, &error.to_string()),
            },
            answer::Action::Wait(until) => {
                self.activity = Activity::Passing { attempt, fingerprint, detail };
                self.look_by(Instant::from_std(until));
            }
            answer::Action::Verified => {
                self.tracker.prompt_answered(Instant::now().into_std());
                self.note(format!("Passed at the start: {detail}")).await;
            }
            answer::Action::Failed(failure) => self.not_passed(fingerprint, &detail, &failure.to_string()),
        }
    }

    async fn on_surveying(&mut self, action: survey::Action, survey: Survey, look: &Look) {
        match action {
            survey::Action::Press(keys) => {
                if let Err(error) = self.pane.press(&keys).await {
                    tracing::warn!(%error, "cannot look through the pages of a dialog");
                }
                self.activity = Activity::Surveying { survey };
                self.look_by(Instant::now() + AFTER_KEYS);
            }
            survey::Action::Wait(until) => {
                self.activity = Activity::Surveying { survey };
                self.look_by(Instant::from_std(until));
            }
            survey::Action::Done => {
                let fingerprint = survey.fingerprint();
                match look.reading.sighting().filter(|sighting| sighting.fingerprint() == fingerprint) {
                    Some(sighting) => {
                        self.pages = Some((fingerprint, survey.questions()));
                        self.on_prompt(sighting).await;
                    }
                    // It has gone meanwhile; what is there now is told.
                    None => self.tracker.settle_again(),
                }
            }
        }
    }

    fn not_passed(&mut self, fingerprint: Fingerprint, detail: &str, why: &str) {
        tracing::warn!(why, detail, "a start-up dialog was not passed: asking the person");
        self.unpassable = Some(fingerprint);
        // Seen anew, it is asked like any other prompt.
        self.tracker.prompt_answered(Instant::now().into_std());
        self.look_by(Instant::now() + AFTER_KEYS);
    }

    async fn on_switching(&mut self, action: mode::Action, switch: Switch, reply: Reply) {
        match action {
            mode::Action::Press(keys) => match self.pane.press(&keys).await {
                Ok(()) => {
                    self.activity = Activity::Switching { switch, reply };
                    self.look_by(Instant::now() + AFTER_KEYS);
                }
                Err(error) => {
                    let _ = reply.send(Err(from_pane(&error)));
                }
            },
            mode::Action::Wait(until) => {
                self.activity = Activity::Switching { switch, reply };
                self.look_by(Instant::from_std(until));
            }
            mode::Action::Switched => {
                let _ = reply.send(Ok(()));
            }
            mode::Action::Refused(why) => {
                let code = if why == NotSwitched::NotReady { ErrorCode::SessionBusy } else { ErrorCode::BadValue };
                let _ = reply.send(Err(refuse(code, why.to_string())));
            }
        }
    }

    /// Tells every phone how far the answer under way has got.
    pub(super) fn tell_progress(&mut self, step: AnswerStep) {
        let (Some(open), Activity::Answering { answer, .. }) = (&self.open, &self.activity) else { return };
        let (id, answer) = (open.prompt.request_id, answer.clone());
        self.tell_step(id, answer, step);
    }
}

pub(super) fn already_answered(answer: &Answer) -> WireError {
    let by = match &answer.by {
        AnsweredBy::Device { name, .. } => name.as_str(),
        AnsweredBy::Desk => "somebody at the desk",
    };
    refuse(ErrorCode::AlreadyAnswered, format!("already answered by {by}: {}", answer.summary))
}

fn keystroke(key: Key) -> Result<Keystroke, WireError> {
    match key {
        Key::Named { key } => Ok(Keystroke::Named(key)),
        Key::Ctrl { letter } if letter.is_ascii_lowercase() => Ok(Keystroke::Ctrl(letter)),
        Key::Ctrl { .. } => Err(refuse(ErrorCode::BadValue, "Ctrl goes with a letter from a to z")),
        Key::Text { text } if text.is_empty() || text.chars().any(char::is_control) => {
            Err(refuse(ErrorCode::BadValue, "text for the terminal must be one line without control characters"))
        }
        Key::Text { text } => Ok(Keystroke::Text(text)),
    }
}
