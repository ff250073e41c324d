//! The states of one prompt. Each variant holds what only that state has, so that impossible combinations cannot be written.
//!
//! A prompt is *unseen* (its hook has told of it, no dialog shows it yet) or *shown* (its dialog is on the screen). Either way
//! it waits, is being claimed by an answer, or has been decided through its hook; a shown one may also be typed into. Prompts
//! from before a restart are *remembered* ([`crate::record::StoredPrompt`]) until the screen or their hook says which they are.

use std::time::{Duration, Instant};

use adapters::{Fingerprint, Sighting, answer::Attempt, hook::Request, survey::Survey};
use shared_types::{Answer, InteractivePrompt, Millis, PromptId, PromptOutcome, PromptResponse};
use uuid::Uuid;

use crate::{
    event::{HookCall, Ticket},
    record::AttemptRecord,
};

/// How long the CLI may take to close its dialog after its hook was answered; then the answer is typed.
pub(crate) const DECIDED_LIMIT: Duration = Duration::from_secs(5);
/// Keys of failed answers that are remembered; of more the oldest is forgotten, and sent again it is a new answer.
pub(crate) const TRIED_LIMIT: usize = 32;
/// Repetitions of one answer that may wait for its result; one more is refused as busy.
pub(crate) const TICKETS_LIMIT: usize = 16;

/// What every open prompt has.
#[derive(Debug)]
pub(crate) struct Prompt {
    pub(crate) wire: InteractivePrompt,
    /// What recognises its dialog; of an unseen one, nothing on the screen has it.
    pub(crate) fingerprint: Fingerprint,
    tried: Vec<Uuid>,
}

impl Prompt {
    pub(crate) fn new(wire: InteractivePrompt, fingerprint: Fingerprint, tried: Vec<Uuid>) -> Self {
        Self { wire, fingerprint, tried }
    }

    pub(crate) fn id(&self) -> PromptId {
        self.wire.request_id
    }

    /// Remembers that the answer with this key did not work.
    pub(crate) fn note_failed(&mut self, key: Option<Uuid>) {
        self.tried.extend(key);
        let too_many = self.tried.len().saturating_sub(TRIED_LIMIT);
        self.tried.drain(..too_many);
    }

    /// True for an answer that was tried, did not work, and now comes again by itself.
    pub(crate) fn has_failed(&self, response: &PromptResponse) -> bool {
        response.idempotency_key.is_some_and(|key| self.tried.contains(&key))
    }
}

/// The hook that belongs to a prompt.
#[derive(Debug)]
pub(crate) struct HeldHook {
    pub(crate) id: Uuid,
    pub(crate) request: Request,
    /// True until it was answered or let go.
    pub(crate) waits: bool,
}

impl From<HookCall> for HeldHook {
    fn from(call: HookCall) -> Self {
        Self { id: call.id, request: call.request, waits: true }
    }
}

/// What stands in front on the screen, and what is being done with it.
#[derive(Debug)]
pub(crate) enum Front {
    /// No dialog.
    Clear,
    /// A start-up dialog that is passed without asking.
    Passing(Box<Passing>),
    /// A dialog whose pages are looked through before the person gets it.
    Surveying(Box<Survey>),
    /// A prompt of the person's.
    Shown(Box<Shown>),
}

/// A start-up dialog on its way past.
#[derive(Debug)]
pub(crate) struct Passing {
    pub(crate) attempt: Attempt,
    pub(crate) fingerprint: Fingerprint,
    pub(crate) detail: String,
}

/// A prompt whose dialog is on the screen.
#[derive(Debug)]
pub(crate) struct Shown {
    pub(crate) prompt: Prompt,
    pub(crate) hook: Option<HeldHook>,
    /// Since when the dialog is there.
    pub(crate) since: Instant,
    pub(crate) state: ShownState,
}

#[derive(Debug)]
pub(crate) enum ShownState {
    /// Nobody has answered, or the last answer failed.
    Waiting,
    /// The store is asked whether this answer is the first.
    Claiming(Claiming),
    /// The hook is being given the answer.
    Telling(Telling),
    /// The hook was given the answer; the screen has not shown its effect yet.
    Decided(Decided),
    /// The answer is being typed.
    Typing(Box<Typing>),
}

/// A prompt that a hook has told and no dialog shows yet.
#[derive(Debug)]
pub(crate) struct Unseen {
    pub(crate) prompt: Prompt,
    pub(crate) hook: HeldHook,
    pub(crate) since: Instant,
    pub(crate) state: UnseenState,
}

#[derive(Debug)]
pub(crate) enum UnseenState {
    /// Nobody has answered, or the last answer failed.
    Waiting,
    /// The hook was let go so that the dialog may come.
    LetGo(Instant),
    /// The store is asked whether this answer is the first.
    Claiming(Claiming),
    /// The hook is being given the answer.
    Telling(Telling),
    /// The hook was given the answer.
    Decided {
        decided: Decided,
        /// True once the hook has gone with it.
        hook_left: bool,
    },
}

/// An answer on its way to the store.
#[derive(Debug)]
pub(crate) struct Claiming {
    pub(crate) tickets: Vec<Ticket>,
    pub(crate) response: PromptResponse,
    pub(crate) answer: Answer,
    pub(crate) attempt: AttemptRecord,
    /// What the hook will be told; nothing when the answer is typed.
    pub(crate) decision: Option<String>,
}

/// An answer on its way to the hook.
#[derive(Debug)]
pub(crate) struct Telling {
    /// Who waits for the result; nobody for an answer from before a restart.
    pub(crate) tickets: Vec<Ticket>,
    pub(crate) response: PromptResponse,
    pub(crate) answer: Answer,
    pub(crate) attempt: AttemptRecord,
}

/// An answer that was given to a hook.
#[derive(Debug)]
pub(crate) struct Decided {
    pub(crate) answer: Answer,
    pub(crate) response: PromptResponse,
    pub(crate) attempt: AttemptRecord,
    /// When it is typed instead, if the dialog still stands.
    pub(crate) type_at: Instant,
}

/// An answer that is being typed.
#[derive(Debug)]
pub(crate) struct Typing {
    pub(crate) machine: Attempt,
    pub(crate) answer: Answer,
    pub(crate) record: AttemptRecord,
    /// The dialog as it was when the person's answer was accepted.
    pub(crate) read: Option<Sighting>,
    /// Since when the dialog reads otherwise than it did then.
    pub(crate) otherwise_since: Option<Instant>,
    /// How often keys were pressed, the press under way included.
    pub(crate) presses: u16,
    /// When the last keys were decided on.
    pub(crate) submitted_at: Option<Millis>,
}

impl Telling {
    /// The hook has taken it.
    pub(crate) fn heard(self, now: Instant) -> Decided {
        self.typed_at(now + DECIDED_LIMIT)
    }

    /// The hook has not taken it: it is typed at this time.
    pub(crate) fn typed_at(self, type_at: Instant) -> Decided {
        let Self { answer, response, attempt, .. } = self;
        Decided { answer, response, attempt, type_at }
    }
}

impl Shown {
    /// Let go by the session's end or by its own: who waits for a result is told by the caller.
    pub(crate) fn tickets(&mut self) -> Vec<Ticket> {
        match &mut self.state {
            ShownState::Claiming(Claiming { tickets, .. }) | ShownState::Telling(Telling { tickets, .. }) => {
                std::mem::take(tickets)
            }
            ShownState::Waiting | ShownState::Decided(_) | ShownState::Typing(_) => Vec::new(),
        }
    }

    /// How the prompt ended, given that its dialog is gone: by what was decided, or by something that was not done here.
    pub(crate) fn outcome_when_gone(&self) -> PromptOutcome {
        match &self.state {
            ShownState::Decided(Decided { answer, .. }) | ShownState::Telling(Telling { answer, .. }) => {
                PromptOutcome::Verified { answer: answer.clone() }
            }
            ShownState::Waiting | ShownState::Claiming(_) | ShownState::Typing(_) => PromptOutcome::Gone,
        }
    }

    /// True when no answer is under way and no hook belongs to it yet.
    pub(crate) fn takes_a_hook(&self) -> bool {
        self.hook.is_none() && matches!(self.state, ShownState::Waiting)
    }

    /// True when this hook call waits with it.
    pub(crate) fn is_held_for(&self, hook: Uuid) -> bool {
        self.hook.as_ref().is_some_and(|held| held.id == hook)
    }

    /// True when this hook call was told the answer before a restart.
    pub(crate) fn was_told_by(&self, hook: Uuid) -> bool {
        let ShownState::Decided(decided) = &self.state else { return false };
        self.prompt.id().0 == hook || decided.attempt.hook == Some(hook)
    }
}

impl Unseen {
    pub(crate) fn tickets(&mut self) -> Vec<Ticket> {
        match &mut self.state {
            UnseenState::Claiming(Claiming { tickets, .. }) | UnseenState::Telling(Telling { tickets, .. }) => {
                std::mem::take(tickets)
            }
            UnseenState::Waiting | UnseenState::LetGo(_) | UnseenState::Decided { .. } => Vec::new(),
        }
    }

    pub(crate) fn outcome_when_gone(&self) -> PromptOutcome {
        match &self.state {
            UnseenState::Decided { decided: Decided { answer, .. }, .. }
            | UnseenState::Telling(Telling { answer, .. }) => PromptOutcome::Verified { answer: answer.clone() },
            UnseenState::Waiting | UnseenState::LetGo(_) | UnseenState::Claiming(_) => PromptOutcome::Gone,
        }
    }

    /// True when no answer has been given through the hook.
    pub(crate) fn is_undecided(&self) -> bool {
        !matches!(self.state, UnseenState::Decided { .. } | UnseenState::Telling(_))
    }

    /// Its dialog is on the screen now.
    pub(crate) fn shown(self, fingerprint: Fingerprint, since: Instant) -> Shown {
        let state = match self.state {
            UnseenState::Waiting | UnseenState::LetGo(_) => ShownState::Waiting,
            UnseenState::Claiming(claiming) => ShownState::Claiming(claiming),
            UnseenState::Telling(telling) => ShownState::Telling(telling),
            UnseenState::Decided { decided, .. } => ShownState::Decided(decided),
        };
        Shown { prompt: Prompt { fingerprint, ..self.prompt }, hook: Some(self.hook), since, state }
    }
}

impl Front {
    /// True while the prompt is watched by the machine that types into it, so that the tracker must not.
    pub(crate) fn is_typed_into(&self) -> bool {
        match self {
            Self::Passing(_) | Self::Surveying(_) => true,
            Self::Shown(shown) => matches!(shown.state, ShownState::Typing(_)),
            Self::Clear => false,
        }
    }

    /// The prompt that is being typed into, as it was last seen.
    pub(crate) fn known(&self) -> Option<&Sighting> {
        match self.shown().map(|shown| &shown.state) {
            Some(ShownState::Typing(typing)) => typing.machine.known(),
            _ => None,
        }
    }

    pub(crate) fn shown(&self) -> Option<&Shown> {
        match self {
            Self::Shown(shown) => Some(shown),
            _ => None,
        }
    }

    pub(crate) fn shown_mut(&mut self) -> Option<&mut Shown> {
        match self {
            Self::Shown(shown) => Some(shown),
            _ => None,
        }
    }

    /// The shown prompt, off the screen.
    pub(crate) fn take_shown(&mut self) -> Option<Shown> {
        match std::mem::replace(self, Self::Clear) {
            Self::Shown(shown) => Some(*shown),
            other => {
                *self = other;
                None
            }
        }
    }
}
