//! The closed lists of what can happen to a session's prompts and of what the server must then do.
//!
//! Both print themselves without contents: a log line names prompts, hooks and counts, never keys, texts or commands.

use std::{fmt, time::Instant};

use adapters::{Fingerprint, Keystroke, Reading, Refusal, Screen, hook, reading::Look};
use shared_types::{
    Actor, Answer, AnswerProgress, InteractivePrompt, Millis, PermissionMode, PromptId, PromptOutcome, PromptResponse,
    SessionState,
};
use uuid::Uuid;

use crate::{
    record::{AttemptRecord, StoredPrompt},
    startup::FolderTrust,
};

/// What the outside knows at the moment of an event.
#[derive(Debug, Clone, Copy)]
pub struct Moment {
    /// The time, for deadlines.
    pub at: Instant,
    /// The wall clock, for people.
    pub wall: Millis,
    /// An id for the next prompt that is read from the screen; a new one for every event.
    pub fresh: PromptId,
    /// True while something else is being typed into the pane: a message, a mode switch, an interrupt.
    pub typing: bool,
}

/// Names a response that waits for its result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Ticket(pub u64);

/// One call of a hook that waits for a decision.
#[derive(Debug, Clone, PartialEq)]
pub struct HookCall {
    /// Names this call, also when it comes again after a lost connection.
    pub id: Uuid,
    /// What it asks.
    pub request: hook::Request,
}

/// Something that happened.
#[expect(clippy::large_enum_variant, reason = "an event lives for one call; a box would not make it faster or clearer")]
pub enum Event<'a> {
    /// The screen was captured and read.
    Looked {
        /// What it says.
        look: Look,
        /// The screen itself, for prompts that are shown as they are.
        screen: &'a Screen,
    },
    /// The terminal does not answer.
    Unreachable {
        /// Why.
        why: String,
    },
    /// A hook asks and waits.
    HookArrived {
        /// The call.
        call: HookCall,
        /// What the store has under its id, when it came before.
        known: Option<StoredPrompt>,
        /// True when nothing was drawn since the last look, so that the screen is known.
        screen_is_current: bool,
    },
    /// A hook has gone: it took its decision, or the CLI ended it.
    HookLeft {
        /// Which call.
        hook: Uuid,
    },
    /// A hook was given its decision, or was not there any more.
    HookAnswered {
        /// Which call.
        hook: Uuid,
        /// True when it took it.
        heard: bool,
    },
    /// A hook tells more about a dialog, without waiting.
    Detailed(hook::Detail),
    /// The CLI has written down the result of this call, since [`crate::Ledger::watches_end_since`].
    CallEnded(hook::Detail),
    /// What the folder would run was read once more, before an answer to [`crate::Ledger::asks_for_trust`].
    FolderRead(FolderTrust),
    /// Somebody answers a prompt.
    Responded {
        /// What.
        response: PromptResponse,
        /// Who.
        by: Actor,
        /// Where the result goes.
        ticket: Ticket,
    },
    /// The store has decided about an answer that wants to begin.
    Claimed {
        /// To which prompt.
        prompt: PromptId,
        /// The result.
        claim: Claim,
    },
    /// Keys were pressed, or not.
    Pressed(Pressed),
    /// The store did not take how a prompt ended.
    NotWritten(Closing),
    /// The session is over.
    Ended,
}

/// What the store says to an answer that wants to begin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Claim {
    /// It is the first.
    Won,
    /// Another one was first.
    Lost,
    /// The store does not answer.
    Failed(String),
}

/// What became of keys.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pressed {
    /// The terminal has taken them.
    Pressed,
    /// None of them was typed.
    NotPressed(String),
    /// Nobody knows whether they arrived.
    Unknown(String),
    /// How far the answer has got could not be written down, so none was typed.
    NotStored(String),
}

/// Something the server must do, in order.
#[derive(Clone, PartialEq)]
pub enum Effect {
    /// Write the prompt down and publish it: it is new, or its content changed.
    Open {
        /// The prompt.
        prompt: Box<InteractivePrompt>,
        /// What recognises it.
        fingerprint: Fingerprint,
        /// True when it was not shown before.
        is_new: bool,
    },
    /// Write down that an answer begins, if it is the first; then tell with [`Event::Claimed`].
    Claim {
        /// The prompt, in case the store does not have it yet.
        prompt: Box<InteractivePrompt>,
        /// What recognises it.
        fingerprint: Fingerprint,
        /// The answer for people.
        answer: Answer,
        /// The answer for a restart.
        attempt: AttemptRecord,
    },
    /// Write down how far the answer has got, then press keys; then tell with [`Event::Pressed`].
    Press {
        /// The keys.
        keys: Vec<Keystroke>,
        /// The prompt and what to write down before the first key.
        record: Option<(PromptId, AttemptRecord)>,
        /// True when the keys go into the composer, beside which something is asked.
        into_composer: bool,
    },
    /// Give a waiting hook its decision; then tell with [`Event::HookAnswered`].
    AnswerHook {
        /// Which call.
        hook: Uuid,
        /// The prompt it asks.
        prompt: PromptId,
        /// What it prints.
        decision: String,
    },
    /// Let a waiting hook go without a decision.
    ReleaseHook {
        /// Which call.
        hook: Uuid,
    },
    /// Publish how far an answer has got.
    Progress(AnswerProgress),
    /// Write down that an answer failed and its prompt is open again.
    Reopen {
        /// Which prompt.
        prompt: PromptId,
        /// Why, for people: it may quote the dialog.
        reason: String,
        /// Why, for the log: it quotes nothing.
        cause: &'static str,
    },
    /// Take back that a prompt is over.
    Revive {
        /// Which prompt.
        prompt: PromptId,
    },
    /// Write down that a prompt's time is over. When it refuses, its answer follows; else the prompt waits on.
    Expired {
        /// Which prompt.
        prompt: PromptId,
        /// True when it is refused now.
        refuses: bool,
    },
    /// Write down how a prompt ended and publish it; on failure tell with [`Event::NotWritten`].
    Close(Closing),
    /// Write down how a prompt ended that was published earlier; on failure tell with [`Event::NotWritten`].
    WriteClosed(Closing),
    /// Tell the one who answered.
    Reply {
        /// Which response.
        ticket: Ticket,
        /// Accepted, or why not.
        result: Result<(), RespondError>,
    },
    /// The session's state.
    State(SessionState),
    /// The permission mode that the screen shows.
    Mode(Option<PermissionMode>),
    /// The CLI waits for a message: what was queued has been taken.
    Awaiting,
    /// A dialog of the start was passed, to be said in the conversation.
    Passed(String),
    /// The person has trusted the folder with these contents: remember it.
    FolderTrusted {
        /// The hash of [`crate::FolderTrust::Ask`].
        contents: String,
    },
    /// The program has ended.
    Exited,
}

/// How a prompt ended.
#[derive(Debug, Clone, PartialEq)]
pub struct Closing {
    /// Which prompt.
    pub prompt: PromptId,
    /// How.
    pub outcome: PromptOutcome,
    /// Who ended it, where no answer from here did.
    pub by: Option<Actor>,
    /// When.
    pub at: Millis,
}

/// Why a response was not accepted. Nothing was typed for it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RespondError {
    /// The prompt is over, or was never there.
    #[error("this prompt is over")]
    Gone,
    /// The prompt looks otherwise than the person read it.
    #[error("the prompt has changed since it was read: read it again")]
    Changed,
    /// Somebody else was first.
    #[error("already answered by {}: {}", .0.by.name(), .0.summary)]
    AlreadyAnswered(Answer),
    /// Somebody else was first, as the store knows.
    #[error("this prompt has already been answered")]
    Taken,
    /// The same answer was tried and did not work.
    #[error("this answer did not work: look at the prompt and answer again")]
    FailedBefore,
    /// Something else is being typed, or too many answers wait.
    #[error("something else is being typed into this session: try again in a moment")]
    Busy,
    /// The dialog is not on the screen yet, and its hook cannot say this.
    #[error("this cannot be answered before its dialog is drawn")]
    NotDrawn,
    /// The dialog is about to be drawn.
    #[error("its dialog is about to be drawn: try again in a moment")]
    DialogComing,
    /// It does not fit the prompt.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// It cannot be written down.
    #[error("{0}")]
    Store(String),
    /// The terminal does not answer.
    #[error("{0}")]
    Unreachable(String),
    /// The session has ended.
    #[error("the session has ended")]
    Ended,
}

impl fmt::Debug for Event<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Looked { look, .. } => write!(f, "Looked({})", reading_name(&look.reading)),
            Self::Unreachable { why } => write!(f, "Unreachable({why})"),
            Self::HookArrived { call, known, .. } => {
                write!(f, "HookArrived({}{})", call.id, if known.is_some() { ", again" } else { "" })
            }
            Self::HookLeft { hook } => write!(f, "HookLeft({hook})"),
            Self::HookAnswered { hook, heard } => write!(f, "HookAnswered({hook}, heard: {heard})"),
            Self::Detailed(_) => write!(f, "Detailed"),
            Self::CallEnded(_) => write!(f, "CallEnded"),
            Self::FolderRead(_) => write!(f, "FolderRead"),
            Self::Responded { response, by, .. } => write!(f, "Responded({}, by {})", response.request_id.0, by.name()),
            Self::Claimed { prompt, claim } => write!(f, "Claimed({}, {claim:?})", prompt.0),
            Self::Pressed(pressed) => write!(f, "{pressed:?}"),
            Self::NotWritten(closing) => write!(f, "NotWritten({})", closing.prompt.0),
            Self::Ended => write!(f, "Ended"),
        }
    }
}

impl fmt::Debug for Effect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Open { prompt, .. } => write!(f, "Open({}, {:?})", prompt.request_id.0, prompt.kind),
            Self::Claim { prompt, answer, .. } => {
                write!(f, "Claim({}, by {})", prompt.request_id.0, answer.by.name())
            }
            Self::Press { keys, record, .. } => {
                let stage = record.as_ref().map(|(_, attempt)| attempt.stage);
                write!(f, "Press({} keys, {stage:?})", keys.len())
            }
            Self::AnswerHook { hook, .. } => write!(f, "AnswerHook({hook})"),
            Self::ReleaseHook { hook } => write!(f, "ReleaseHook({hook})"),
            Self::Progress(progress) => {
                let step = match &progress.step {
                    shared_types::AnswerStep::Sending => "sending",
                    shared_types::AnswerStep::Typed => "typed",
                    shared_types::AnswerStep::Unknown { .. } => "unknown",
                    shared_types::AnswerStep::Failed { .. } => "failed",
                };
                write!(f, "Progress({}, {step})", progress.request_id.0)
            }
            Self::Reopen { prompt, cause, .. } => write!(f, "Reopen({}, {cause})", prompt.0),
            Self::Revive { prompt } => write!(f, "Revive({})", prompt.0),
            Self::Expired { prompt, refuses } => write!(f, "Expired({}, refuses: {refuses})", prompt.0),
            Self::Close(closing) => write!(f, "Close({}, {})", closing.prompt.0, outcome_name(&closing.outcome)),
            Self::WriteClosed(closing) => write!(f, "WriteClosed({})", closing.prompt.0),
            Self::Reply { result: Ok(()), .. } => write!(f, "Reply(accepted)"),
            Self::Reply { result: Err(error), .. } => write!(f, "Reply({})", error.kind()),
            Self::State(state) => write!(f, "State({})", state_name(state)),
            Self::Mode(mode) => write!(f, "Mode({mode:?})"),
            Self::Awaiting => write!(f, "Awaiting"),
            Self::Passed(_) => write!(f, "Passed"),
            Self::FolderTrusted { .. } => write!(f, "FolderTrusted"),
            Self::Exited => write!(f, "Exited"),
        }
    }
}

impl RespondError {
    /// Its name, for the log: its words may quote the dialog and the answer.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Gone => "gone",
            Self::Changed => "changed",
            Self::AlreadyAnswered(_) | Self::Taken => "already answered",
            Self::FailedBefore => "failed before",
            Self::Busy => "busy",
            Self::NotDrawn | Self::DialogComing => "not drawn",
            Self::Refused(_) => "refused",
            Self::Store(_) => "not stored",
            Self::Unreachable(_) => "unreachable",
            Self::Ended => "ended",
        }
    }
}

fn reading_name(reading: &Reading) -> String {
    match reading {
        Reading::Starting { .. } => "starting".to_owned(),
        Reading::Ready(_) => "ready".to_owned(),
        Reading::Aside { sighting, .. } => format!("aside {:016x}", sighting.fingerprint().0),
        Reading::Busy { .. } => "busy".to_owned(),
        Reading::Prompt(sighting) => format!("prompt {:016x}", sighting.fingerprint().0),
        Reading::Startup(dialog) => format!("start-up {:?}", dialog.kind),
        Reading::Unrecognized => "unrecognized".to_owned(),
        Reading::Exited => "exited".to_owned(),
    }
}

fn outcome_name(outcome: &PromptOutcome) -> &'static str {
    match outcome {
        PromptOutcome::Verified { .. } => "verified",
        PromptOutcome::Gone => "gone",
        PromptOutcome::SessionEnded => "session ended",
    }
}

fn state_name(state: &SessionState) -> &'static str {
    match state {
        SessionState::Starting { .. } => "starting",
        SessionState::Busy { .. } => "busy",
        SessionState::Waiting => "waiting",
        SessionState::Ready => "ready",
        SessionState::Unreachable { .. } => "unreachable",
        SessionState::Ended { .. } => "ended",
    }
}
