//! The life of a prompt, as a pure state machine: an [`Event`] comes in, a list of [`Effect`]s goes out.
//!
//! No async, no clock, no store, no bus (`clippy.toml` and a test forbid them). The session task of the server captures the
//! screen, talks to hooks, the store and the phones, and tells the ledger what happened; the ledger alone decides what becomes
//! of each prompt. So every promise about prompts is kept here, and can be tested as a table:
//!
//! - one winner: an answer is claimed in the store before its first key, and only one claim wins;
//! - no final key twice: keys that complete an answer are pressed once, whatever becomes of their reply;
//! - nothing lost: a prompt ends verified, gone or with its session, and every hook is answered or let go.
//!
//! # Contract
//!
//! [`Ledger::on`] is called with one event at a time. Its effects are carried out in order, and the event that an effect asks
//! for ([`Event::Claimed`], [`Event::Pressed`], [`Event::HookAnswered`]) is told before any other. When
//! [`Ledger::next_deadline`] has come, the screen is looked at.
//!
//! # Layout, in the order of a prompt's life
//!
//! - [`event`]: the closed lists of events and effects.
//! - `looks`: a look at the screen; prompts open, change and close.
//! - `hooks`: hooks that ask, joined to their dialogs. `echoes`: dialogs that come after their hook was answered.
//! - `answers`: responses, claims, keys.
//! - `recovery`: what was open or under way before a restart.
//! - `prompt`: the states of one prompt. [`record`]: what is written down of them. [`startup`]: which dialogs of a CLI's
//!   start are passed. `expiry`: the end of a prompt's time. `details`: what hooks tell without asking. `summary`: an answer in words.

mod answers;
mod details;
mod echoes;
pub mod event;
mod expiry;
mod hooks;
mod looks;
mod prompt;
pub mod record;
mod recovery;
pub mod startup;
mod summary;
#[cfg(test)]
mod tests;

use std::{
    collections::VecDeque,
    path::PathBuf,
    time::{Duration, Instant},
};

use adapters::{Adapter, Fingerprint, adapter_for, tracker::Tracker};
use shared_types::{
    Actor, AdapterKind, Answer, AnswerProgress, AnswerStep, Millis, PromptId, PromptKind, PromptOutcome, Question,
    SessionId,
};

pub use event::{Claim, Closing, Effect, Event, HookCall, Moment, Pressed, RespondError, Ticket};
pub use expiry::{ExpiryPolicy, refusal};
pub use record::{AttemptRecord, AttemptStage, StoredPrompt};
pub use startup::{FolderTrust, StartupPolicy};

use details::Details;
use echoes::Echoes;
use expiry::Clocks;
use prompt::{Front, HeldHook, Shown, Unseen};

/// How soon after keys the screen is looked at even if nothing was drawn.
pub const AFTER_KEYS: Duration = Duration::from_millis(15);
/// How soon what the store did not take is written again.
const WRITE_AGAIN: Duration = Duration::from_secs(1);
/// Endings that wait for the store. One more drops the oldest: its prompt is found open, and gone, at the next start.
const UNWRITTEN_LIMIT: usize = 256;

/// What a ledger is made from.
pub struct Setup {
    /// The session.
    pub session: SessionId,
    /// Its CLI.
    pub adapter: AdapterKind,
    /// Its folder: what lies outside of it is riskier.
    pub folder: PathBuf,
    /// Which dialogs of the start are passed.
    pub startup: StartupPolicy,
    /// How long its prompts wait.
    pub expiry: ExpiryPolicy,
    /// Prompts that were open when the server last ran: seen again, they keep their ids.
    pub remembered: Vec<StoredPrompt>,
    /// Now.
    pub began_at: Instant,
}

/// The prompts of one session.
pub struct Ledger {
    adapter: &'static dyn Adapter,
    session: SessionId,
    kind: AdapterKind,
    folder: PathBuf,
    startup: StartupPolicy,
    tracker: Tracker,
    /// The dialog on the screen.
    front: Front,
    /// Prompts that hooks have told and no dialog shows yet.
    unseen: Vec<Unseen>,
    /// Hooks that ask and have no place yet, with what the store knows of them.
    arrived: Vec<(HeldHook, Option<StoredPrompt>)>,
    /// Requests that were answered before their dialog was drawn.
    echoes: Echoes,
    details: Details,
    clocks: Clocks,
    remembered: Vec<StoredPrompt>,
    /// Prompts of hooks that did not come again soon enough after a restart.
    given_up: VecDeque<PromptId>,
    /// Answers to remembered prompts, until it is seen whether those still stand.
    early: Vec<answers::Early>,
    /// What stands on the pages of the dialog on the screen, which shows one at a time.
    pages: Option<(Fingerprint, Vec<Question>)>,
    /// The start-up dialog that could not be passed: the person is asked.
    unpassable: Option<Fingerprint>,
    /// When the ledger last pressed keys.
    typed_at: Option<Instant>,
    /// Whose keys are being pressed just now.
    pressing: Option<answers::Pressing>,
    /// How prompts ended that the store has not taken, and when it is asked again.
    unwritten: VecDeque<Closing>,
    write_at: Option<Instant>,
    /// True since the terminal did not answer.
    away: bool,
    began_at: Instant,
    wake: Option<Instant>,
    out: Vec<Effect>,
}

impl Ledger {
    /// A ledger that has not seen the screen yet.
    #[must_use]
    pub fn new(setup: Setup) -> Self {
        let adapter = adapter_for(setup.adapter);
        Self {
            adapter,
            session: setup.session,
            kind: setup.adapter,
            folder: setup.folder,
            startup: setup.startup,
            tracker: Tracker::new(adapter.profile().first_ready),
            front: Front::Clear,
            unseen: Vec::new(),
            arrived: Vec::new(),
            echoes: Echoes::default(),
            details: Details::default(),
            clocks: Clocks::new(setup.expiry),
            remembered: setup.remembered,
            given_up: VecDeque::new(),
            early: Vec::new(),
            pages: None,
            unpassable: None,
            typed_at: None,
            pressing: None,
            unwritten: VecDeque::new(),
            write_at: None,
            away: false,
            began_at: setup.began_at,
            wake: Some(setup.began_at),
            out: Vec::new(),
        }
    }

    /// Takes an event and says what to do.
    pub fn on(&mut self, event: Event<'_>, moment: Moment) -> Vec<Effect> {
        let m = &moment;
        match event {
            Event::Looked { look, screen } => self.looked(look, screen, m),
            Event::Unreachable { why } => self.unreachable(&why, m),
            Event::HookArrived { call, known, screen_is_current } => {
                self.hook_arrived(call, known, screen_is_current, m);
            }
            Event::HookLeft { hook } => self.hook_left(hook, m),
            Event::HookAnswered { hook, heard } => self.hook_answered(hook, heard, m),
            Event::Detailed(detail) => self.detailed(detail, m),
            Event::CallEnded(call) => self.call_ended(&call, m),
            Event::FolderRead(trust) => self.folder_read(trust, m),
            Event::Responded { response, by, ticket } => self.responded(response, by, ticket, m),
            Event::Claimed { prompt, claim } => self.claimed(prompt, claim, m),
            Event::Pressed(pressed) => self.pressed(pressed, m),
            Event::NotWritten(closing) => self.not_written(closing, m),
            Event::Ended => self.ended(m),
        }
        std::mem::take(&mut self.out)
    }

    /// When the screen must be looked at, at the latest.
    #[must_use]
    pub fn next_deadline(&self) -> Option<Instant> {
        // While the terminal is out of reach nothing could be answered.
        let expiry = self.clocks.next_deadline().filter(|_| !self.away);
        [self.wake, self.write_at, expiry].into_iter().flatten().min()
    }

    /// True while the ledger has keys of its own to type, so that nobody else may.
    #[must_use]
    pub fn is_typing(&self) -> bool {
        self.front.is_typed_into()
    }

    /// True while the CLI asks something whose dialog may be drawn at any moment.
    #[must_use]
    pub fn expects_dialog(&self) -> bool {
        !self.unseen.is_empty() || !self.arrived.is_empty()
    }

    /// True when this hook call is known and needs no look into the store.
    #[must_use]
    pub fn knows_hook(&self, hook: uuid::Uuid) -> bool {
        self.front.shown().is_some_and(|shown| shown.is_held_for(hook))
            || self.unseen.iter().any(|unseen| unseen.hook.id == hook)
            || self.remembered.iter().any(|record| record.is_asked_by(hook))
    }

    /// The prompt on the screen, when a part of what it asks about is not shown.
    #[must_use]
    pub fn incomplete_prompt(&self) -> Option<PromptId> {
        let shown = self.front.shown().filter(|shown| matches!(shown.state, prompt::ShownState::Waiting))?;
        (shown.prompt.wire.incomplete == Some(true)).then(|| shown.prompt.id())
    }

    /// The prompt on the screen, when saying yes to it lets the folder run what is listed: that is read once more before an answer.
    #[must_use]
    pub fn asks_for_trust(&self) -> Option<PromptId> {
        let shown = self.front.shown().filter(|shown| matches!(shown.state, prompt::ShownState::Waiting))?;
        shown.prompt.wire.would_run.is_some().then(|| shown.prompt.id())
    }

    /// When the last keys of an answer were pressed whose dialog has not been seen to go. A result of its call that the CLI has
    /// written down since then says that it has gone, even when an equal dialog took its place within one frame.
    #[must_use]
    pub fn watches_end_since(&self) -> Option<Millis> {
        match &self.front.shown()?.state {
            prompt::ShownState::Typing(typing) => typing.submitted_at,
            _ => None,
        }
    }

    /// Since when a permission stands on the screen that no hook has told of.
    #[must_use]
    pub fn unhooked_since(&self) -> Option<Instant> {
        let permission = |shown: &&Shown| {
            shown.prompt.wire.kind == PromptKind::Permission
                && shown.prompt.wire.startup.is_none()
                && shown.hook.is_none()
        };
        self.front.shown().filter(permission).map(|shown| shown.since)
    }

    /// The ids of the prompts that are open, shown or not.
    #[must_use]
    pub fn open_prompt_ids(&self) -> Vec<PromptId> {
        let shown = self.front.shown().map(|shown| shown.prompt.id());
        shown.into_iter().chain(self.unseen.iter().map(|unseen| unseen.prompt.id())).collect()
    }

    fn wake_by(&mut self, at: Instant) {
        self.wake = Some(self.wake.map_or(at, |current| current.min(at)));
    }

    fn effect(&mut self, effect: Effect) {
        self.out.push(effect);
    }

    fn publish_step(&mut self, prompt: PromptId, answer: Answer, step: AnswerStep) {
        self.effect(Effect::Progress(AnswerProgress { request_id: prompt, answer, step }));
    }

    fn reply(&mut self, tickets: Vec<Ticket>, result: &Result<(), RespondError>) {
        for ticket in tickets.into_iter().filter(|ticket| *ticket != expiry::NOBODY) {
            self.effect(Effect::Reply { ticket, result: result.clone() });
        }
    }

    /// Lets a hook go that still waits; dropped without this, it would come again.
    fn release(&mut self, hook: Option<HeldHook>) {
        if let Some(hook) = hook.filter(|hook| hook.waits) {
            self.effect(Effect::ReleaseHook { hook: hook.id });
        }
    }

    fn close(&mut self, prompt: PromptId, outcome: PromptOutcome, by: Option<Actor>, m: &Moment) {
        self.clocks.forget(prompt);
        self.effect(Effect::Close(Closing { prompt, outcome, by, at: m.wall }));
    }

    /// The prompt on the screen is over.
    fn close_shown(&mut self, outcome: PromptOutcome, m: &Moment) {
        self.pages = None;
        let Some(mut shown) = self.front.take_shown() else { return };
        self.reply(shown.tickets(), &Err(RespondError::Gone));
        let Shown { prompt, hook, .. } = shown;
        self.release(hook);
        self.details.prompt_closed();
        // Its dialog was on the screen, and no answer of ours closed it: somebody did so there.
        let by = (outcome == PromptOutcome::Gone).then_some(Actor::Desk);
        self.close(prompt.id(), outcome, by, m);
    }

    /// The session is over, and everything open with it.
    fn ended(&mut self, m: &Moment) {
        for record in std::mem::take(&mut self.remembered) {
            self.close(record.prompt.request_id, record.outcome_when(PromptOutcome::SessionEnded), None, m);
        }
        for early in std::mem::take(&mut self.early) {
            self.reply(vec![early.ticket], &Err(RespondError::Ended));
        }
        if let Some(shown) = self.front.shown_mut() {
            let tickets = shown.tickets();
            self.reply(tickets, &Err(RespondError::Ended));
        }
        self.close_shown(PromptOutcome::SessionEnded, m);
        self.front = Front::Clear;
        for (hook, _) in std::mem::take(&mut self.arrived) {
            self.release(Some(hook));
        }
        for mut unseen in std::mem::take(&mut self.unseen) {
            self.reply(unseen.tickets(), &Err(RespondError::Ended));
            let id = unseen.prompt.id();
            self.release(Some(unseen.hook));
            self.close(id, PromptOutcome::SessionEnded, None, m);
        }
        self.wake = None;
    }

    /// What a full disk did not take is written when there is room: nobody closes it again.
    fn not_written(&mut self, closing: Closing, m: &Moment) {
        if self.unwritten.len() == UNWRITTEN_LIMIT {
            self.unwritten.pop_front();
        }
        self.unwritten.push_back(closing);
        self.write_at = Some(m.at + WRITE_AGAIN);
    }

    fn write_again(&mut self, m: &Moment) {
        if self.write_at.is_some_and(|at| at <= m.at) {
            self.write_at = None;
            for closing in std::mem::take(&mut self.unwritten) {
                self.effect(Effect::WriteClosed(closing));
            }
        }
    }
}
