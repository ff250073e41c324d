//! One session: one task that owns the session's state and alone types into its pane.
//!
//! Everything that can wake it is one of: an [`Input`], something drawn in the pane, lines of the transcript, a deadline. It
//! captures the screen, lets the pure machines of `adapters` decide, and carries out what they say. What the person asks for
//! is in `typing.rs` and `sending.rs`, what happens to prompts in `prompting.rs`, what hooks say in `asking.rs`, messages in `talk.rs`.

use std::{sync::Arc, time::Duration};

use adapters::{Adapter, Fingerprint, LaunchRequest, Reading, Screen, adapter_for, reading::Look, tracker::Tracker};
use shared_types::{
    AnswerProgress, EndReason, Event, InteractivePrompt, Key, Message, MessageId, Millis, PermissionMode, PromptId,
    PromptOutcome, PromptResponse, Question, ScreenFrame, Session, SessionState, WireError,
};
use tokio::{
    sync::{mpsc, oneshot, watch},
    time::Instant,
};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::{
    Begins,
    asking::{Decided, Held},
    conversation::Source,
    details::Details,
    refuse::session_ended,
    typing::Activity,
};
use crate::{
    bus::Bus,
    clock::now_millis,
    conversations::Shelves,
    hooks::Arrived,
    pane::{Pane, PaneError},
    store::{AttemptRecord, SessionRecord, Store, StoredPrompt},
    transcripts::Transcripts,
};

/// A frame is looked at when the pane has been quiet for this long: programs write one frame in several pieces.
const QUIET: Duration = Duration::from_millis(3);
/// A pane that is never quiet is looked at this often all the same.
const BEHIND: Duration = Duration::from_millis(30);
/// How soon after typing the screen is looked at even if nothing was drawn.
pub(super) const AFTER_KEYS: Duration = Duration::from_millis(15);
/// How long to wait before asking a terminal server again that does not answer.
const RETRY: Duration = Duration::from_secs(1);
/// How long a conversation may take to come back on the screen; one in which nothing was said never does.
const RESUME_LIMIT: Duration = Duration::from_secs(20);
/// How often a screen that changes is kept, for the day on which the terminal is gone.
const KEEP_PACE: Duration = Duration::from_secs(5);
/// How often a change of mere details, such as a spinner's words, is told to the phones.
const DETAIL_PACE: Duration = Duration::from_secs(1);

/// What others ask of a session.
pub(super) enum Input {
    Respond {
        response: PromptResponse,
        by: shared_types::AnsweredBy,
        reply: Reply,
    },
    SendText {
        text: String,
        key: Option<Uuid>,
        reply: Reply,
    },
    SendKeys {
        keys: Vec<Key>,
        reply: Reply,
    },
    SetMode {
        mode: PermissionMode,
        reply: Reply,
    },
    Interrupt {
        reply: Reply,
    },
    Rename {
        name: String,
        reply: Reply,
    },
    End {
        reply: Reply,
    },
    Hook(Arrived),
    HookLeft(Uuid),
    /// A change of what the phones know of the session.
    Amend(Box<dyn FnOnce(&mut Session) + Send>),
}

/// Where the answer to an input goes.
pub(super) type Reply = oneshot::Sender<Result<(), WireError>>;

/// What the manager hands to a new task.
pub(super) struct Parts {
    pub(super) record: SessionRecord,
    pub(super) pane: Arc<dyn Pane>,
    pub(super) store: Store,
    pub(super) bus: Arc<Bus>,
    pub(super) view: Session,
    /// Prompts that were open when the server last ran: seen again, they keep their ids.
    pub(super) remembered: Vec<StoredPrompt>,
    pub(super) launch: LaunchRequest,
    pub(super) source: Source,
    pub(super) transcripts: Transcripts,
    pub(super) shelves: Shelves,
    pub(super) frames: watch::Sender<Option<Arc<ScreenFrame>>>,
    pub(super) begins: Begins,
    /// Messages that were being typed when the server last ran.
    pub(super) last_sent: Vec<String>,
}

/// A prompt that waits.
pub(super) struct OpenPrompt {
    pub(super) prompt: InteractivePrompt,
    /// What recognises its dialog; of an unseen one, nothing on the screen has it.
    pub(super) fingerprint: Fingerprint,
    /// The hook that waits with it.
    pub(super) held: Option<Held>,
    /// Since when it waits; once its dialog is on the screen, since then.
    pub(super) since: Instant,
    /// When the hook was let go so that the dialog may come.
    pub(super) let_go_at: Option<Instant>,
    /// The answer that the hook was given; the screen has not shown its effect yet.
    pub(super) decided: Option<Decided>,
    /// What is written down of the answer under way.
    pub(super) attempt: Option<AttemptRecord>,
    /// The idempotency keys of answers that did not work.
    pub(super) tried: Vec<Uuid>,
    pub(super) progress: Option<AnswerProgress>,
}

/// An answer that came before the screen was looked at.
pub(super) struct Early {
    pub(super) response: PromptResponse,
    pub(super) by: shared_types::AnsweredBy,
    pub(super) reply: Reply,
}

pub(super) struct SessionTask {
    pub(super) record: SessionRecord,
    pub(super) pane: Arc<dyn Pane>,
    pub(super) store: Store,
    pub(super) bus: Arc<Bus>,
    pub(super) adapter: &'static dyn Adapter,
    pub(super) launch: LaunchRequest,
    pub(super) tracker: Tracker,
    pub(super) view: Session,
    /// How prompts ended that the store has not taken yet.
    pub(super) unwritten: Vec<(PromptId, PromptOutcome, Millis)>,
    /// The prompt whose dialog is on the screen.
    pub(super) open: Option<OpenPrompt>,
    /// Prompts that a hook has told and no dialog shows yet.
    pub(super) unseen: Vec<OpenPrompt>,
    /// Hooks that ask and have no place yet.
    pub(super) arrived: Vec<Held>,
    /// What hooks have told of dialogs.
    pub(super) details: Details,
    pub(super) remembered: Vec<StoredPrompt>,
    /// Prompts of hooks that did not come again soon enough after a restart.
    pub(super) given_up: Vec<PromptId>,
    /// Answers to remembered prompts, until it is seen whether those still stand.
    pub(super) early: Vec<Early>,
    pub(super) activity: Activity,
    /// What stands on the pages of the dialog on the screen, which shows one at a time.
    pub(super) pages: Option<(Fingerprint, Vec<Question>)>,
    /// The screen as it was last seen.
    pub(super) screen: Screen,
    /// Messages that are still being written.
    pub(super) streaming: Vec<(MessageId, Message)>,
    /// The last message that was taken, and those typed since of which nobody knows whether they are in the composer.
    pub(super) last_sent: Vec<String>,
    /// The start-up dialog that could not be passed: it is then asked of the person.
    pub(super) unpassable: Option<Fingerprint>,
    /// Where the conversation comes from.
    pub(super) source: Source,
    pub(super) transcripts: Transcripts,
    pub(super) shelves: Shelves,
    frames: watch::Sender<Option<Arc<ScreenFrame>>>,
    /// Since when something drawn has not been looked at.
    dirty_since: Option<Instant>,
    /// When the task began, which may be long after the session did.
    pub(super) began_at: Instant,
    /// Whether a conversation is gone on with that has not been seen on the screen yet.
    resumes: bool,
    /// When to look next.
    look_at: Option<Instant>,
    /// When the phones were last told what the session is, and whether a detail has changed since.
    told_at: Instant,
    untold: bool,
    /// When the screen was last kept, and whether it has changed since.
    kept_at: Option<Instant>,
    unkept: bool,
}

/// Whether the session goes on.
pub(super) enum Life {
    GoesOn,
    Over,
}

impl SessionTask {
    pub(super) fn new(parts: Parts) -> Self {
        let adapter = adapter_for(parts.record.adapter);
        Self {
            adapter,
            // Only such a session knows its file from the start; one that is taken over later has read some of it.
            resumes: parts.record.transcript.is_some()
                && (parts.record.transcript_offset == 0 || parts.begins == Begins::Now),
            record: parts.record,
            pane: parts.pane,
            store: parts.store,
            bus: parts.bus,
            launch: parts.launch,
            tracker: Tracker::new(adapter.profile().first_ready),
            view: parts.view,
            unwritten: Vec::new(),
            open: None,
            unseen: Vec::new(),
            arrived: Vec::new(),
            details: Details::default(),
            remembered: parts.remembered,
            given_up: Vec::new(),
            early: Vec::new(),
            activity: Activity::Idle,
            pages: None,
            screen: Screen::default(),
            streaming: Vec::new(),
            last_sent: parts.last_sent,
            unpassable: None,
            source: parts.source,
            transcripts: parts.transcripts,
            shelves: parts.shelves,
            frames: parts.frames,
            dirty_since: None,
            began_at: Instant::now(),
            look_at: Some(Instant::now()),
            told_at: Instant::now(),
            untold: false,
            kept_at: None,
            unkept: false,
        }
    }

    /// Runs until the session has ended or the server stops. Stopping leaves the CLI running.
    pub(super) async fn run(mut self, mut inputs: mpsc::Receiver<Input>, stop: CancellationToken) {
        let mut drawn = self.pane.drawn();
        let mut drawing = true;
        loop {
            let look_at = self.look_at;
            let life = tokio::select! {
                () = stop.cancelled() => return,
                input = inputs.recv() => match input {
                    Some(input) => self.on_input(input).await,
                    None => return,
                },
                news = self.source.next() => {
                    self.on_news(news).await;
                    Life::GoesOn
                }
                change = drawn.changed(), if drawing => {
                    drawing = change.is_ok();
                    self.on_drawn();
                    Life::GoesOn
                }
                () = until(look_at) => self.look().await,
            };
            if let Life::Over = life {
                return;
            }
        }
    }

    /// Something was drawn: look when it is quiet, but not much later.
    fn on_drawn(&mut self) {
        let now = Instant::now();
        let since = *self.dirty_since.get_or_insert(now);
        // Replaces any other deadline: every look sets those anew, and this one is near.
        self.look_at = Some((now + QUIET).min(since + BEHIND));
    }

    /// Whether nothing was drawn since the last look.
    pub(super) fn has_seen_all(&self) -> bool {
        self.dirty_since.is_none()
    }

    /// Looks at the latest by then.
    pub(super) fn look_by(&mut self, at: Instant) {
        self.look_at = Some(self.look_at.map_or(at, |current| current.min(at)));
    }

    /// Looks at the screen and does what follows from it.
    pub(super) async fn look(&mut self) -> Life {
        self.look_at = None;
        self.dirty_since = None;
        let capture = match self.pane.capture().await {
            Ok(capture) => capture,
            Err(PaneError::Gone) => return self.finish(EndReason::Lost).await,
            Err(error) => {
                self.on_unreachable(&error).await;
                self.set_state(SessionState::Unreachable { detail: error.to_string() });
                self.look_by(Instant::now() + RETRY);
                return Life::GoesOn;
            }
        };
        let now = Instant::now();
        self.screen = Screen::from_capture(&capture);
        self.unkept |= self.frames.send_if_modified(|frame| {
            let fresh = self.screen.frame();
            let changed = frame.as_deref() != Some(&fresh);
            if changed {
                *frame = Some(Arc::new(fresh));
            }
            changed
        });
        let mut look = Look::at(&self.screen, self.adapter);
        self.wait_for_history(&mut look);
        self.drive(&look, now).await;
        // While an answer is being typed, its own machine watches the prompt; the tracker takes over when it is done.
        if !self.activity.watches_the_prompt() {
            let verdict = self.tracker.on_look(look, now.into_std());
            if let Some(again) = verdict.look_again {
                self.look_by(Instant::from_std(again));
            }
            if verdict.prompt_gone {
                let outcome = self.open.as_ref().map_or(PromptOutcome::Gone, OpenPrompt::outcome_when_gone);
                self.close_prompt(outcome).await;
            }
            // A session that was out of reach and shows what it showed before is again what it was before.
            let was_away = matches!(self.view.state, SessionState::Unreachable { .. });
            let settled = verdict.settled.or_else(|| self.tracker.settled().filter(|_| was_away).cloned());
            if let Some(reading) = settled
                && let Life::Over = self.on_settled(reading).await
            {
                return Life::Over;
            }
        }
        self.place_arrived().await;
        if self.tracker.settled().is_some_and(|reading| !reading.asks()) {
            self.close_remembered().await;
        }
        self.watch_requests(now).await;
        self.write_closed().await;
        self.take_early().await;
        if !self.view.has_messages {
            let line = self.screen.last_row().map_or("", |row| self.screen.text(row)).trim().to_owned();
            self.set_last_line(&line);
        }
        self.tell_when_due();
        self.keep_screen_when_due().await;
        Life::GoesOn
    }

    /// Keeps what is on the screen now and then: after a reboot it is all that can be shown of the session.
    async fn keep_screen_when_due(&mut self) {
        let now = Instant::now();
        match self.kept_at.map(|at| at + KEEP_PACE) {
            _ if !self.unkept || self.screen.exit.is_some() => {}
            Some(due) if now < due => self.look_by(due),
            _ => {
                (self.kept_at, self.unkept) = (Some(now), false);
                if let Err(error) = self.store.keep_screen(self.record.id, self.screen.frame()).await {
                    tracing::error!(%error, "cannot keep what a session shows");
                }
            }
        }
    }

    /// A CLI that goes on with a conversation may draw its composer before it has read it: it takes no messages yet.
    fn wait_for_history(&mut self, look: &mut Look) {
        if !self.resumes {
            return;
        }
        let is_late = self.began_at.elapsed() > RESUME_LIMIT;
        self.resumes = !self.adapter.is_resumed(&self.screen) && !is_late;
        if self.resumes && look.reading.awaiting().is_some() {
            look.reading = Reading::Starting { detail: "reading the conversation".to_owned() };
            self.look_by(self.began_at + RESUME_LIMIT);
        }
    }

    async fn on_settled(&mut self, reading: Reading) -> Life {
        match reading {
            Reading::Starting { detail } => self.without_prompt(SessionState::Starting { detail }).await,
            Reading::Ready(composer) => {
                self.on_awaiting(composer.mode);
                self.without_prompt(SessionState::Ready).await;
            }
            Reading::Aside { composer, sighting } => {
                self.on_awaiting(composer.mode);
                self.on_prompt(&sighting).await;
            }
            Reading::Busy { detail, composer } => {
                self.note_mode(composer.and_then(|composer| composer.mode));
                self.without_prompt(SessionState::Busy { detail }).await;
            }
            Reading::Prompt(sighting) => self.on_prompt(&sighting).await,
            Reading::Startup(dialog) => self.on_startup(&dialog).await,
            Reading::Unrecognized => self.on_unrecognized().await,
            Reading::Exited => {
                let status = self.screen.exit.and_then(|exit| exit.status);
                return self.finish(EndReason::Exited { status }).await;
            }
        }
        Life::GoesOn
    }

    /// The CLI waits for a message: what went before is over.
    fn on_awaiting(&mut self, mode: Option<PermissionMode>) {
        self.note_mode(mode);
        self.details.clear();
        self.queue_is_over();
    }

    /// A settled screen without a prompt: whatever was remembered as open is over.
    async fn without_prompt(&mut self, state: SessionState) {
        self.close_remembered().await;
        self.set_state_unless_asked(state);
    }

    /// Takes over a state in which the session waits for nobody; but a request whose dialog is not drawn yet waits for the person
    /// all the same.
    pub(super) fn set_state_unless_asked(&mut self, state: SessionState) {
        self.set_state(if self.unseen.is_empty() { state } else { SessionState::Waiting });
    }

    /// Ends the session: the store knows, the phones know, the pane is taken away.
    pub(super) async fn finish(&mut self, reason: EndReason) -> Life {
        self.hear_out().await;
        let now = now_millis();
        for stored in std::mem::take(&mut self.remembered) {
            self.tell_closed(stored.prompt.request_id, stored.outcome_when(PromptOutcome::SessionEnded)).await;
        }
        self.close_prompt(PromptOutcome::SessionEnded).await;
        self.arrived.clear();
        for mut open in std::mem::take(&mut self.unseen) {
            open.release_hook();
            self.tell_closed(open.prompt.request_id, PromptOutcome::SessionEnded).await;
        }
        self.activity.refuse(session_ended());
        let frame = self.screen.last_row().map(|_| self.screen.frame());
        if let Err(error) = self.store.end_session(self.record.id, now, reason.clone(), frame).await {
            tracing::error!(%error, session = %self.record.id.0, "cannot write down that a session ended");
        }
        if !matches!(reason, EndReason::Lost)
            && let Err(error) = self.pane.kill().await
        {
            tracing::warn!(%error, session = %self.record.id.0, "cannot take away the pane of an ended session");
        }
        self.set_state(SessionState::Ended { reason });
        Life::Over
    }

    /// Takes over a state and tells the phones; a mere change of details is told now and then only.
    pub(super) fn set_state(&mut self, state: SessionState) {
        if self.view.state == state {
            return;
        }
        let same_kind = std::mem::discriminant(&self.view.state) == std::mem::discriminant(&state);
        self.view.state = state;
        if same_kind {
            self.untold = true;
        } else {
            self.view.state_since = now_millis();
            self.tell();
        }
    }

    /// Takes over the permission mode that the screen shows; where it shows none, nothing has changed.
    fn note_mode(&mut self, shown: Option<PermissionMode>) {
        if shown.is_some() && self.view.mode != shown {
            self.view.mode = shown;
            self.tell();
        }
    }

    /// Takes over the line that a list shows.
    pub(super) fn set_last_line(&mut self, line: &str) {
        if self.view.last_line != line {
            line.clone_into(&mut self.view.last_line);
            self.untold = true;
        }
    }

    /// Takes over what the conversation has used.
    pub(super) fn set_usage(&mut self, usage: shared_types::Usage) {
        self.view.usage = Some(usage);
        self.untold = true;
    }

    /// Tells what has changed in details, but not more often than a person can read.
    pub(super) fn tell_when_due(&mut self) {
        if self.untold && self.told_at.elapsed() >= DETAIL_PACE {
            self.tell();
        } else if self.untold {
            self.look_by(self.told_at + DETAIL_PACE);
        }
    }

    /// Tells every phone what the session is now.
    pub(super) fn tell(&mut self) {
        self.told_at = Instant::now();
        self.untold = false;
        self.bus.publish(Event::Session { session: self.view.clone() });
    }
}

async fn until(at: Option<Instant>) {
    match at {
        Some(at) => tokio::time::sleep_until(at).await,
        None => std::future::pending().await,
    }
}
