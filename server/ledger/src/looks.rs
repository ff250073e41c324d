//! A look at the screen: prompts open, change and close, and what is being typed goes a step further.

use adapters::{
    Fingerprint, Reading, Screen, Sighting, StartupDialog, StartupKind,
    answer::{Action, Attempt, HALF_DRAWN},
    digest::digest,
    hook,
    reading::Look,
    risk,
    survey::{self, Survey},
    trust,
};
use shared_types::{
    AnswerStep, Confidence, InteractivePrompt, Millis, PromptId, PromptKind, PromptOutcome, PromptResponse,
    PromptSource, Risk, RiskLevel, SessionState,
};

use crate::{
    AFTER_KEYS, FolderTrust, Ledger,
    answers::Pressing,
    event::{Effect, Moment},
    prompt::{Front, Passing, Prompt, Shown, ShownState},
    record::{AttemptStage, StoredPrompt},
};

/// All screens that are not understood are one and the same prompt until something else is there.
const UNRECOGNIZED: Fingerprint = Fingerprint(0);

/// Why an answer to a prompt that looks otherwise by now is not typed.
const CHANGED: &str = "the prompt has changed since it was read; nothing was typed";

/// Why a dialog has no buttons.
const CONTRADICTED: &str = "The terminal shows something else than the CLI asks for through its hook. Look at the terminal before you answer there.";

/// What a prompt is called.
struct Named {
    id: PromptId,
    created_at: Millis,
    /// What is remembered of it from before a restart.
    remembered: Option<StoredPrompt>,
}

impl Ledger {
    pub(crate) fn looked(&mut self, look: Look, screen: &Screen, m: &Moment) {
        self.wake = None;
        let was_away = std::mem::take(&mut self.away);
        if self.pressing.is_some() {
            // Whether the last keys were pressed is not known yet: nothing is decided before.
            return self.wake_by(m.at + AFTER_KEYS);
        }
        let look = look.answering(self.front.known(), screen, self.adapter);
        self.drive(&look, m);
        match self.echoes.hidden_until() {
            Some(until) if m.at < until => self.wake_by(until),
            _ => self.show_hidden(),
        }
        // While an answer is being typed, its own machine watches the prompt; the tracker takes over when it is done.
        if !self.front.is_typed_into() {
            let verdict = self.tracker.on_look(look, m.at);
            if let Some(again) = verdict.look_again {
                self.wake_by(again);
            }
            if verdict.prompt_gone {
                let outcome = self.front.shown().map_or(PromptOutcome::Gone, Shown::outcome_when_gone);
                self.close_shown(outcome, m);
            }
            // A session that was out of reach and shows what it showed before is again what it was before.
            let settled = verdict.settled.or_else(|| self.tracker.settled().filter(|_| was_away).cloned());
            if let Some(reading) = settled {
                self.settled(reading, screen, m);
            }
        }
        self.place_arrived(m);
        let is_named = self.front.shown().is_some();
        if self.tracker.settled().is_some_and(|reading| is_named || !reading.asks()) {
            self.close_remembered(m);
        }
        self.watch_requests(m);
        self.write_again(m);
        self.take_early(m);
        self.expire(m);
    }

    /// Takes what is being typed one look further.
    fn drive(&mut self, look: &Look, m: &Moment) {
        match &mut self.front {
            Front::Clear => {}
            Front::Passing(passing) => match passing.attempt.on_look(look, self.adapter, m.at) {
                Action::Press { keys, .. } => {
                    self.pressing = Some(Pressing::Pass);
                    self.effect(Effect::Press { keys, record: None, into_composer: false });
                }
                Action::Wait(until) => self.wake_by(until),
                Action::Verified => {
                    let notice = format!("Passed at the start: {}", passing.detail);
                    self.front = Front::Clear;
                    self.tracker.prompt_answered(m.at);
                    self.effect(Effect::Passed(notice));
                }
                Action::Failed(_) => self.not_passed(m),
            },
            Front::Surveying(survey) => match survey.on_look(look, self.adapter, m.at) {
                survey::Action::Press(keys) => {
                    self.pressing = Some(Pressing::Survey);
                    self.effect(Effect::Press { keys, record: None, into_composer: false });
                }
                survey::Action::Wait(until) => self.wake_by(until),
                survey::Action::Done => self.surveyed(look, m),
            },
            Front::Shown(shown) => {
                let ShownState::Typing(typing) = &mut shown.state else { return };
                if typing
                    .reads_otherwise(look, |dialog| self.details.complete(self.adapter, dialog.fingerprint(), dialog))
                {
                    // It may be half drawn: nothing is typed while it reads otherwise, and only a change that stays counts.
                    let by = *typing.otherwise_since.get_or_insert(m.at) + HALF_DRAWN;
                    if m.at < by {
                        return self.wake_by(by);
                    }
                    return self.answer_failed("changed", CHANGED.to_owned(), m);
                }
                typing.otherwise_since = None;
                match typing.machine.on_look(look, self.adapter, m.at) {
                    Action::Press { keys, last } => {
                        typing.presses = typing.presses.saturating_add(1);
                        typing.submitted_at = last.then_some(m.wall);
                        let record = typing.advance().map(|record| (shown.prompt.id(), record));
                        let into_composer = shown.prompt.wire.optional == Some(true);
                        self.pressing = Some(Pressing::Answer { last });
                        self.effect(Effect::Press { keys, record, into_composer });
                    }
                    Action::Wait(until) => self.wake_by(until),
                    Action::Verified => {
                        let outcome = PromptOutcome::Verified { answer: typing.answer.clone() };
                        let trusted = match (self.tracker.settled(), &typing.record.response) {
                            (Some(Reading::Startup(dialog)), Some(response)) => {
                                self.startup.trusted_by(dialog, response)
                            }
                            _ => None,
                        };
                        let trusted = trusted.map(str::to_owned);
                        // The last keys were read at some time before the prompt was seen to go: on a busy machine much
                        // later than they were pressed, and CLIs that time their keys time them when they are read.
                        self.typed_at = Some(m.at);
                        self.close_shown(outcome, m);
                        self.out.extend(trusted.map(|contents| Effect::FolderTrusted { contents }));
                        self.tracker.prompt_answered(m.at);
                    }
                    // It may have been taken: the prompt is over, and nobody is told more than is known.
                    Action::Failed(failure) if failure.is_unknown() => {
                        let outcome = PromptOutcome::Gone;
                        self.publish_typing(AnswerStep::Unknown { reason: failure.to_string() });
                        self.close_shown(outcome, m);
                        self.tracker.prompt_answered(m.at);
                    }
                    Action::Failed(failure) => self.answer_failed(failure.name(), failure.to_string(), m),
                }
            }
        }
    }

    /// What the screen shows counts now.
    fn settled(&mut self, reading: Reading, screen: &Screen, m: &Moment) {
        match reading {
            Reading::Starting { detail } => self.without_prompt(SessionState::Starting { detail }, m),
            Reading::Ready(composer) => {
                self.awaiting(composer.mode);
                self.without_prompt(SessionState::Ready, m);
            }
            Reading::Aside { composer, sighting } => {
                self.awaiting(composer.mode);
                self.prompt_seen(&sighting, None, m);
            }
            Reading::Busy { detail, composer } => {
                self.effect(Effect::Mode(composer.and_then(|composer| composer.mode)));
                self.without_prompt(SessionState::Busy { detail }, m);
            }
            Reading::Prompt(sighting) => self.prompt_seen(&sighting, None, m),
            Reading::Startup(dialog) => self.startup_seen(&dialog, m),
            Reading::Unrecognized => self.unrecognized_seen(screen, m),
            Reading::Exited => self.effect(Effect::Exited),
        }
    }

    /// The CLI waits for a message: what was told of dialogs belongs to nothing any more.
    fn awaiting(&mut self, mode: Option<shared_types::PermissionMode>) {
        self.effect(Effect::Mode(mode));
        self.effect(Effect::Awaiting);
        self.details.clear();
    }

    /// A settled screen without a prompt: whatever was remembered as open is over.
    fn without_prompt(&mut self, state: SessionState, m: &Moment) {
        self.echoes.dialog_gone();
        self.close_remembered(m);
        self.set_state_unless_asked(state);
    }

    /// A request whose dialog is not drawn yet waits for the person, whatever the screen shows.
    pub(crate) fn set_state_unless_asked(&mut self, state: SessionState) {
        self.effect(Effect::State(if self.unseen.is_empty() { state } else { SessionState::Waiting }));
    }

    /// A prompt has settled on the screen, has changed its look, or more is known of it.
    pub(crate) fn prompt_seen(&mut self, sighting: &Sighting, startup: Option<StartupKind>, m: &Moment) {
        let fingerprint = sighting.fingerprint();
        if self.begins_survey(sighting, m) {
            return;
        }
        if self.front.shown().is_none_or(|shown| shown.prompt.fingerprint != fingerprint)
            && let Some(unseen) = self.take_unseen(sighting)
        {
            // Its hook was first: the same prompt, now with its dialog.
            self.replace_front(Front::Shown(Box::new(unseen.shown(fingerprint, m.at))), m);
        }
        if self.is_answered_already(sighting, m) {
            return;
        }
        let Named { id, created_at, remembered } = self.name_prompt(fingerprint, Some(sighting), m);
        let hook = self.front.shown().and_then(|shown| shown.hook.as_ref());
        let whole = hook.map_or_else(|| sighting.clone(), |hook| hook.request.complete(sighting));
        let mut whole = self.details.complete(self.adapter, fingerprint, whole);
        if let Some((_, questions)) = self.pages.as_ref().filter(|(of, _)| *of == fingerprint) {
            whole.know_questions(questions);
        }
        let mut prompt = self.judged(whole.to_prompt(id, self.session, self.kind, created_at));
        if let Some(kind) = startup {
            self.explain_startup(&mut prompt, kind);
        }
        self.warn_of_contradiction(&mut prompt, sighting);
        self.open_prompt(prompt, fingerprint, m);
        if let Some(record) = remembered {
            self.take_over(record, m);
        }
    }

    /// Whether a dialog belongs to a request that was answered before it was drawn, and to no other.
    fn is_answered_already(&mut self, dialog: &Sighting, m: &Moment) -> bool {
        let is_asked = self.front.shown().is_some()
            || self.arrived.iter().any(|(hook, _)| hook.request.shown_by(dialog) > hook::Match::No);
        let hidden = !is_asked && self.echoes.hide(dialog, m.at);
        if let Some(until) = self.echoes.hidden_until().filter(|_| hidden) {
            self.wake_by(until);
        }
        hidden
    }

    /// Judges a dialog anew that was taken for an answered one: another request has come, or it should have gone by now.
    pub(crate) fn show_hidden(&mut self) {
        if self.echoes.hidden_until().is_some() {
            self.echoes.show();
            self.tracker.settle_again();
        }
    }

    /// The prompt with what saying yes would risk.
    pub(crate) fn judged(&self, mut prompt: InteractivePrompt) -> InteractivePrompt {
        prompt.risk = risk::judge(&prompt, &self.folder);
        prompt
    }

    /// A dialog of the start says what the folder would run, and counts as risky when it would run anything.
    fn explain_startup(&self, prompt: &mut InteractivePrompt, kind: StartupKind) {
        prompt.startup = Some(true);
        if let Some(found) = self.startup.would_run(kind) {
            prompt.would_run = Some(found.to_vec());
            if found.iter().any(trust::is_cut) {
                prompt.incomplete = Some(true);
            }
            prompt.risk = Some(Risk {
                level: RiskLevel::High,
                reasons: vec!["trusting this folder lets its own settings run or allow what is listed".to_owned()],
            });
        }
    }

    /// A permission dialog that contradicts every request that a hook holds may be drawn by the very command it is about: it
    /// cannot be answered with buttons.
    fn warn_of_contradiction(&self, prompt: &mut InteractivePrompt, dialog: &Sighting) {
        if self.front.shown().is_some_and(|shown| shown.hook.is_some() && shown.prompt.id() == prompt.request_id) {
            return;
        }
        let unseen = self.unseen.iter().filter(|unseen| unseen.is_undecided()).map(|unseen| &unseen.hook.request);
        if hook::contradicts(dialog, unseen.chain(self.arrived.iter().map(|(hook, _)| &hook.request))) {
            prompt.warning = Some(CONTRADICTED.to_owned());
            (prompt.options, prompt.text_input) = (None, None);
        }
    }

    /// Begins to look through the pages of a dialog that are not known yet: the person gets them all at once.
    fn begins_survey(&mut self, sighting: &Sighting, m: &Moment) -> bool {
        if self.pages.as_ref().is_some_and(|(of, _)| *of == sighting.fingerprint()) {
            return false;
        }
        let Some(survey) = Survey::of(sighting, self.adapter) else { return false };
        if m.typing || self.front.is_typed_into() {
            // What is being typed comes first; the dialog is still there then.
            self.tracker.settle_again();
        } else {
            self.replace_front(Front::Surveying(Box::new(survey)), m);
        }
        self.wake_by(m.at + AFTER_KEYS);
        true
    }

    /// The pages were looked through.
    fn surveyed(&mut self, look: &Look, m: &Moment) {
        let Front::Surveying(survey) = std::mem::replace(&mut self.front, Front::Clear) else { return };
        let fingerprint = survey.fingerprint();
        match look.reading.sighting().filter(|sighting| sighting.fingerprint() == fingerprint) {
            Some(sighting) => {
                self.pages = Some((fingerprint, survey.questions()));
                self.prompt_seen(sighting, None, m);
            }
            // It has gone meanwhile; what is there now settles next.
            None => self.tracker.settle_again(),
        }
    }

    /// A start-up dialog: passed when the person's choice at the start covers it, else asked like any other prompt.
    fn startup_seen(&mut self, dialog: &StartupDialog, m: &Moment) {
        let fingerprint = dialog.sighting.fingerprint();
        let row = dialog.pass.filter(|_| self.startup.covers(dialog.kind) && self.unpassable != Some(fingerprint));
        let value = row.and_then(|row| dialog.sighting.option_values().into_iter().nth(row));
        let Some(value) = value else { return self.prompt_seen(&dialog.sighting, Some(dialog.kind), m) };
        if m.typing || self.front.is_typed_into() {
            return self.tracker.settle_again();
        }
        let detail = format!("{}: {value}", dialog.sighting.title.trim_end_matches(':'));
        self.effect(Effect::State(SessionState::Starting { detail: detail.clone() }));
        let response = PromptResponse { selected_option: Some(value), ..PromptResponse::to(m.fresh) };
        let attempt = Attempt::new(response, fingerprint);
        self.replace_front(Front::Passing(Box::new(Passing { attempt, fingerprint, detail })), m);
        self.wake_by(m.at);
    }

    /// The settings of the folder may have changed while their list was read: then the prompt is another one, and an answer to the
    /// earlier list is refused.
    pub(crate) fn folder_read(&mut self, trust: FolderTrust, m: &Moment) {
        // What has gone from the list hurts nobody.
        if !matches!(trust, FolderTrust::Ask { .. }) || self.asks_for_trust().is_none() {
            return;
        }
        self.startup.trust = trust;
        if let Some(Reading::Startup(dialog)) = self.tracker.settled().cloned() {
            self.prompt_seen(&dialog.sighting, Some(dialog.kind), m);
        }
    }

    /// A start-up dialog did not go: seen again, it is asked like any other prompt.
    pub(crate) fn not_passed(&mut self, m: &Moment) {
        let Front::Passing(passing) = std::mem::replace(&mut self.front, Front::Clear) else { return };
        self.unpassable = Some(passing.fingerprint);
        self.tracker.prompt_answered(m.at);
        self.wake_by(m.at + AFTER_KEYS);
    }

    /// The screen waits for somebody and is not understood: the person gets it as it is.
    fn unrecognized_seen(&mut self, screen: &Screen, m: &Moment) {
        let Named { id, created_at, .. } = self.name_prompt(UNRECOGNIZED, None, m);
        let mut sighting = Sighting::new(PromptKind::Unrecognized, PromptSource::Stall, "unrecognized");
        sighting.confidence = Confidence::Guess;
        sighting.title = "This screen waits for you".to_owned();
        sighting.description = "It is not a question that can be shown as buttons. Use the keys below.".to_owned();
        let mut prompt = sighting.to_prompt(id, self.session, self.kind, created_at);
        prompt.screen = Some(screen.frame());
        self.open_prompt(prompt, UNRECOGNIZED, m);
    }

    /// The id of the prompt with this fingerprint: that of the one already open, that of one remembered from before a restart,
    /// or a new one. Others that were remembered are over.
    fn name_prompt(&mut self, fingerprint: Fingerprint, dialog: Option<&Sighting>, m: &Moment) -> Named {
        if let Some(shown) = self.front.shown().filter(|shown| shown.prompt.fingerprint == fingerprint) {
            let created_at = shown.prompt.wire.created_at.unwrap_or(m.wall);
            return Named { id: shown.prompt.id(), created_at, remembered: None };
        }
        let remembered = self.remembered.iter().position(|record| record.fingerprint == fingerprint).or_else(|| {
            // Of this one only the hook had been seen.
            let dialog = dialog?;
            self.remembered.iter().position(|record| hook::shows_prompt(dialog, &record.prompt))
        });
        let remembered = remembered.map(|at| self.remembered.swap_remove(at));
        self.close_remembered(m);
        let known = remembered.as_ref().map(|record| &record.prompt);
        Named {
            id: known.map_or(m.fresh, |prompt| prompt.request_id),
            created_at: known.and_then(|prompt| prompt.created_at).unwrap_or(m.wall),
            remembered,
        }
    }

    fn open_prompt(&mut self, wire: InteractivePrompt, fingerprint: Fingerprint, m: &Moment) {
        let mut wire = with_digest(wire);
        self.clocks.stamp(&mut wire, m);
        let is_new = wire.request_id == m.fresh;
        let optional = wire.optional == Some(true);
        match &mut self.front {
            Front::Shown(shown) if shown.prompt.wire == wire => {}
            Front::Shown(shown) if shown.prompt.id() == wire.request_id => {
                shown.prompt.wire = wire.clone();
                shown.prompt.fingerprint = fingerprint;
                self.effect(Effect::Open { prompt: Box::new(wire), fingerprint, is_new: false });
            }
            _ => {
                let prompt = Prompt::new(wire.clone(), fingerprint, Vec::new());
                let shown = Shown { prompt, hook: None, since: m.at, state: ShownState::Waiting };
                self.replace_front(Front::Shown(Box::new(shown)), m);
                self.effect(Effect::Open { prompt: Box::new(wire), fingerprint, is_new });
            }
        }
        // A session with a prompt waits for the person, unless the prompt may be left alone.
        if optional {
            self.set_state_unless_asked(SessionState::Ready);
        } else {
            self.effect(Effect::State(SessionState::Waiting));
        }
    }

    /// Something else is in front now; a prompt that was there is over.
    fn replace_front(&mut self, front: Front, m: &Moment) {
        if let Some(shown) = self.front.shown() {
            let outcome = shown.outcome_when_gone();
            self.close_shown(outcome, m);
        }
        self.front = front;
    }
}

/// The prompt with the digest that its answer must repeat.
pub(crate) fn with_digest(mut prompt: InteractivePrompt) -> InteractivePrompt {
    prompt.digest = Some(digest(&prompt));
    prompt
}

impl crate::prompt::Typing {
    /// True when nothing was typed yet and the dialog is about something else than the person read: a path, a diff or a plan
    /// may change under the same question. `complete` adds what was told of the dialog: Gemini CLI 0.61 draws the beginning of a
    /// long change first and its end a moment later, and both are the same whole.
    fn reads_otherwise(&self, look: &Look, mut complete: impl FnMut(Sighting) -> Sighting) -> bool {
        let Some(read) = self.read.as_ref().filter(|_| !self.machine.has_typed()) else { return false };
        let fresh = look.reading.sighting().filter(|fresh| fresh.fingerprint() == read.fingerprint());
        fresh.is_some_and(|fresh| !read.content_agrees(fresh) && !read.content_agrees(&complete(fresh.clone())))
    }

    /// What to write down before the keys that the machine has just decided on; nothing when it is written down already.
    fn advance(&mut self) -> Option<crate::record::AttemptRecord> {
        let stage = match self.machine.left_below() {
            Some(above) => {
                self.record.context.clone_from(&above.0);
                AttemptStage::Submitted
            }
            None => AttemptStage::Stepping,
        };
        if self.record.stage == stage {
            return None;
        }
        self.record.stage = stage;
        Some(self.record.clone())
    }
}
