//! One session: one task that owns the session's state and alone types into its pane.
//!
//! The task only drives: it captures the screen ([`super::screen_watch`]), tells the ledger what happened and carries out its
//! effects (`effects.rs`), lets the [`super::typist`] type messages, the [`super::conversation`] read the transcript, and the
//! [`super::view`] publish what the phones know. Everything that can wake it is one [`TaskEvent`].

use std::{fmt, ops::ControlFlow, path::PathBuf, sync::Arc};

use adapters::{Adapter, Keystroke, adapter_for};
use answerback_ledger::{Event, ExpiryPolicy, Ledger, Moment, Setup, StartupPolicy, StoredPrompt};
use answerback_rules::guard::Pause;
use shared_types::{Actor, EndReason, Key, PromptId, PromptResponse, Session, SessionId, SessionState};
use tokio::{
    sync::{mpsc, oneshot, watch},
    time::Instant,
};
use tokio_util::sync::CancellationToken;
use tracing::Instrument as _;
use uuid::Uuid;

use super::{
    ByHand, SessionError, StartedBy,
    automatic::AutomaticAnswers,
    conversation::{Conversation, ConversationDeps},
    facts::ended_fact,
    hook_requests,
    replies::{HookReplies, Tickets},
    screen_watch::{Frames, ScreenWatch},
    transcript_source::News,
    trust::trust_now,
    typist::{Desk, ModeWanted, Typist},
    view::{SessionView, ViewChange},
};
use crate::{
    clock::now_millis,
    config::OwnPrompts,
    hooks::Arrived,
    journal::Fact,
    pane::{Drawn, Pane, PaneError, Press},
    rules::Rules,
    store::{SessionRecord, Store},
};

/// What others ask of a session.
pub(super) enum Request {
    Respond { response: Box<PromptResponse>, by: Actor, reply: Reply },
    SendText { text: String, key: Option<Uuid>, reply: Reply },
    SendKeys { keys: ByHand, by: Actor, reply: Reply },
    SetMode(ModeWanted),
    Interrupt { reply: Reply },
    Rename { name: String, reply: Reply },
    End { by: Actor, reply: Reply },
    Hook(Arrived),
    HookLeft(Uuid),
    Change(ViewChange),
}

/// Where the answer to a request goes.
pub(super) type Reply = oneshot::Sender<Result<(), SessionError>>;

/// Everything that can wake a session's task.
enum TaskEvent {
    Request(Request),
    News(News),
    /// Something was drawn in the pane.
    Drawn(Drawn),
    /// It is time to look at the screen.
    Due,
}

/// What the manager hands to a new task.
pub(super) struct TaskInit {
    pub(super) record: SessionRecord,
    pub(super) pane: Arc<dyn Pane>,
    pub(super) view: Session,
    /// Prompts that were open when the server last ran: seen again, they keep their ids.
    pub(super) remembered: Vec<StoredPrompt>,
    pub(super) startup: StartupPolicy,
    pub(super) expiry: ExpiryPolicy,
    pub(super) deps: ConversationDeps,
    pub(super) frames: Frames,
    pub(super) started_by: StartedBy,
    /// True when the CLI was told to run our hooks.
    pub(super) has_hooks: bool,
    /// Messages that were being typed when the server last ran.
    pub(super) last_sent: Vec<String>,
    /// Prompts that the person has described.
    pub(super) own_prompts: watch::Receiver<OwnPrompts>,
    pub(super) rules: Arc<Rules>,
}

pub(super) struct SessionTask {
    pub(super) session: SessionId,
    pub(super) folder: PathBuf,
    pub(super) adapter: &'static dyn Adapter,
    pub(super) store: Store,
    pub(super) watch: ScreenWatch,
    pub(super) ledger: Ledger,
    pub(super) typist: Typist,
    pub(super) conversation: Conversation,
    pub(super) view: SessionView,
    pub(super) hooks: HookReplies,
    pub(super) tickets: Tickets,
    pub(super) automatic: AutomaticAnswers,
}

impl SessionTask {
    pub(super) fn new(init: TaskInit) -> Self {
        let TaskInit {
            record,
            pane,
            view,
            remembered,
            startup,
            expiry,
            deps,
            frames,
            started_by,
            has_hooks,
            last_sent,
            own_prompts,
            rules,
        } = init;
        let adapter = adapter_for(record.adapter);
        // Only such a session knows its file from the start; one that is recovered later has read some of it.
        let resumes =
            record.transcript.is_some() && (record.transcript_offset == 0 || started_by == StartedBy::ThisRun);
        let setup = Setup {
            session: record.id,
            adapter: record.adapter,
            folder: record.folder.clone(),
            startup,
            expiry,
            remembered,
            began_at: Instant::now().into_std(),
        };
        Self {
            session: record.id,
            folder: record.folder.clone(),
            adapter,
            store: deps.store.clone(),
            watch: ScreenWatch::new(Arc::clone(&pane), adapter, frames, resumes, own_prompts),
            ledger: Ledger::new(setup),
            typist: Typist::new(last_sent),
            automatic: AutomaticAnswers::new(rules, Arc::clone(&deps.bus)),
            view: SessionView::new(view, Arc::clone(&deps.bus)),
            conversation: Conversation::new(record, adapter, pane, deps),
            hooks: HookReplies::awaiting(has_hooks && adapter.profile().tells_start),
            tickets: Tickets::default(),
        }
    }

    /// Runs until the session has ended or the server stops. Stopping leaves the CLI running.
    pub(super) async fn run(self, requests: mpsc::Receiver<Request>, stop: CancellationToken) {
        let span = tracing::info_span!("session", id = %self.session.0);
        self.drive(requests, stop).instrument(span).await;
    }

    async fn drive(mut self, mut requests: mpsc::Receiver<Request>, stop: CancellationToken) {
        let mut drawn = self.watch.pane().drawn();
        let mut drawing = true;
        loop {
            let due = self.next_look();
            let event = tokio::select! {
                () = stop.cancelled() => return,
                request = requests.recv() => match request {
                    Some(request) => TaskEvent::Request(request),
                    None => return,
                },
                news = self.conversation.next() => TaskEvent::News(news),
                change = drawn.changed(), if drawing => {
                    drawing = change.is_ok();
                    TaskEvent::Drawn(*drawn.borrow_and_update())
                }
                () = until(due) => TaskEvent::Due,
            };
            tracing::trace!(?event);
            if self.on(event).await.is_break() {
                return;
            }
        }
    }

    async fn on(&mut self, event: TaskEvent) -> ControlFlow<()> {
        match event {
            TaskEvent::Request(request) => self.on_request(request).await,
            TaskEvent::News(news) => {
                if self.conversation.on_news(news, &mut self.view).await {
                    self.look_for_ended_call().await?;
                }
                ControlFlow::Continue(())
            }
            TaskEvent::Drawn(drawn) => {
                self.watch.on_drawn(drawn);
                ControlFlow::Continue(())
            }
            TaskEvent::Due => self.look().await,
        }
    }

    /// When to look at the screen: the earliest of what the parts wait for.
    fn next_look(&self) -> Option<Instant> {
        let ledger = self.ledger.next_deadline().map(Instant::from_std);
        let others = [ledger, self.typist.deadline(), self.view.deadline(), self.automatic.deadline()];
        self.watch.next_look(others.into_iter().flatten().min())
    }

    /// Looks at the screen and does what follows from it.
    async fn look(&mut self) -> ControlFlow<()> {
        let look = match self.watch.look().await {
            Ok(look) => look,
            Err(PaneError::Gone) => return self.finish(EndReason::Lost, None).await,
            Err(error) => {
                let why = error.to_string();
                self.typist.fail(&SessionError::Unreachable(why.clone()));
                self.tell_ledger(Event::Unreachable { why: why.clone() }).await?;
                self.view.set_state(SessionState::Unreachable { detail: why });
                return ControlFlow::Continue(());
            }
        };
        let (typist, desk) = self.typist_and_desk();
        if let Some(queued) = typist.on_look(&look, &desk).await {
            self.view.queue(queued);
        }
        let moment = self.moment();
        let event = Event::Looked { look, screen: self.watch.screen() };
        tracing::trace!(?event);
        let effects = self.ledger.on(event, moment);
        self.carry_out(effects).await?;
        self.fetch_the_rest().await?;
        self.judge_again().await?;
        if self.hooks.are_missed(self.ledger.unhooked_since().map(Instant::from_std)) {
            self.view.set_screen_only(true);
        }
        if !self.view.get().has_messages {
            let screen = self.watch.screen();
            let line = screen.last_row().map_or("", |row| screen.text(row)).trim().to_owned();
            self.view.set_last_line(&line);
        }
        self.view.publish_when_due();
        self.watch.keep_when_due(&self.store, self.session).await;
        ControlFlow::Continue(())
    }

    /// Tells the ledger what happened, and does what it says.
    pub(super) async fn tell_ledger(&mut self, event: Event<'_>) -> ControlFlow<()> {
        tracing::debug!(?event);
        let moment = self.moment();
        let effects = self.ledger.on(event, moment);
        self.carry_out(effects).await
    }

    pub(super) fn moment(&self) -> Moment {
        Moment {
            at: Instant::now().into_std(),
            wall: now_millis(),
            fresh: PromptId(Uuid::now_v7()),
            typing: self.typist.is_typing(),
        }
    }

    /// The typist, and what it needs of the session.
    fn typist_and_desk(&mut self) -> (&mut Typist, Desk<'_>) {
        let desk = Desk {
            session: self.session,
            adapter: self.adapter,
            store: &self.store,
            watch: &self.watch,
            expects_dialog: self.ledger.expects_dialog(),
            answering: self.ledger.is_typing(),
        };
        (&mut self.typist, desk)
    }

    async fn on_request(&mut self, request: Request) -> ControlFlow<()> {
        let begun = match request {
            Request::Respond { response, by, reply } => {
                let ticket = self.tickets.hold(reply);
                if self.ledger.asks_for_trust() == Some(response.request_id) {
                    // It may have been read an hour ago, and a program may have written to the folder since.
                    let trust = trust_now(self.adapter.profile().kind, self.folder.clone(), None).await;
                    self.tell_ledger(Event::FolderRead(trust)).await?;
                }
                self.tell_ledger(Event::Responded { response: *response, by, ticket }).await?;
                true
            }
            Request::Hook(arrived) => {
                self.on_hook(arrived).await?;
                true
            }
            Request::HookLeft(hook) => {
                self.hooks.forget(hook);
                self.tell_ledger(Event::HookLeft { hook }).await?;
                false
            }
            Request::SendText { text, key, reply } => {
                self.note_rules_progress();
                let (typist, desk) = self.typist_and_desk();
                typist.send(text, key, reply, &desk).await
            }
            Request::SetMode(wanted) => {
                let (typist, desk) = self.typist_and_desk();
                typist.switch(wanted, &desk)
            }
            Request::Interrupt { reply } => {
                self.pause_rules(Pause::AfterInterrupt, None).await;
                let (typist, desk) = self.typist_and_desk();
                typist.interrupt(reply, &desk)
            }
            Request::SendKeys { keys, by, reply } => {
                let _ = reply.send(self.press_by_hand(keys, by).await);
                self.watch.look_by(Instant::now() + answerback_ledger::AFTER_KEYS);
                false
            }
            Request::Rename { name, reply } => {
                let stored = self.store.rename_session(self.session, name.clone()).await;
                if stored.is_ok() {
                    self.view.set_name(name);
                }
                let _ = reply.send(stored.map_err(SessionError::from));
                false
            }
            Request::End { by, reply } => {
                let flow = self.finish(EndReason::Killed, Some(by)).await;
                let _ = reply.send(Ok(()));
                return flow;
            }
            Request::Change(change) => {
                self.view.apply(change);
                false
            }
        };
        // What was asked for goes on with a fresh look.
        if begun { self.look().await } else { ControlFlow::Continue(()) }
    }

    /// A hook of the CLI has arrived.
    async fn on_hook(&mut self, arrived: Arrived) -> ControlFlow<()> {
        self.hooks.came();
        self.view.set_screen_only(false);
        let reading = self.adapter.read_hook(&arrived.payload);
        if let Some(detail) = self.adapter.read_detail(&arrived.payload) {
            self.tell_ledger(Event::Detailed(detail)).await?;
        }
        if let Some(conversation) = reading.conversation {
            self.conversation.follow(conversation.id, conversation.transcript, &mut self.view).await;
        }
        let Some(request) = reading.request else {
            // It only tells: the CLI waits for it, so it is let go at once.
            let _ = arrived.reply.send(String::new());
            return ControlFlow::Continue(());
        };
        let request = hook_requests::with_diff(request, self.folder.clone()).await;
        let known = if self.ledger.knows_hook(arrived.id) {
            None
        } else {
            self.store.prompt(PromptId(arrived.id)).await.ok().flatten()
        };
        self.hooks.hold(arrived.id, arrived.reply);
        let call = answerback_ledger::HookCall { id: arrived.id, request };
        let screen_is_current = self.watch.is_current();
        self.tell_ledger(Event::HookArrived { call, known, screen_is_current }).await
    }

    /// A prompt that does not fit the screen is completed from the CLI's own record, where that has it.
    async fn fetch_the_rest(&mut self) -> ControlFlow<()> {
        let Some(prompt) = self.ledger.incomplete_prompt() else { return ControlFlow::Continue(()) };
        for detail in self.conversation.pending_calls(prompt).await {
            self.tell_ledger(Event::Detailed(detail)).await?;
        }
        ControlFlow::Continue(())
    }

    /// A tool has come to a result: perhaps the one that an answer was about whose dialog has not been seen to go.
    async fn look_for_ended_call(&mut self) -> ControlFlow<()> {
        let Some(since) = self.ledger.watches_end_since() else { return ControlFlow::Continue(()) };
        for call in self.conversation.ended_calls(since).await {
            self.tell_ledger(Event::CallEnded(call)).await?;
        }
        ControlFlow::Continue(())
    }

    /// Presses keys that the person chose in the terminal view.
    async fn press_by_hand(&mut self, ByHand { keys, seen }: ByHand, by: Actor) -> Result<(), SessionError> {
        if self.typist.is_typing() || self.ledger.is_typing() {
            return Err(SessionError::Busy);
        }
        let keystrokes = keys.iter().cloned().map(keystroke).collect::<Result<Vec<_>, _>>()?;
        if let Some(seen) = seen
            && self.watch.asks().await? != seen
        {
            return Err(SessionError::ScreenChanged);
        }
        let pressed = self.watch.press_by_hand(&keystrokes).await;
        if !matches!(pressed, Press::NotPressed(_)) {
            self.record(Fact::keys(self.session, &keys, now_millis()).by(by)).await;
        }
        Ok(pressed.into_result()?)
    }

    /// Ends the session: the store knows, the phones know, the pane is taken away. `by` is who wanted it, where somebody did.
    pub(super) async fn finish(&mut self, reason: EndReason, by: Option<Actor>) -> ControlFlow<()> {
        self.conversation.drain(&mut self.view).await;
        let now = now_millis();
        let moment = self.moment();
        let effects = self.ledger.on(Event::Ended, moment);
        // No effect of an end can end the session again.
        let _ = self.carry_out(effects).await;
        self.typist.fail(&SessionError::Ended);
        let screen = self.watch.screen();
        let frame = screen.last_row().map(|_| screen.frame());
        let ended = ended_fact(self.session, &reason, now);
        let facts = vec![Fact { actor: by, ..ended }];
        if let Err(error) = self.store.end_session(self.session, now, reason.clone(), frame, facts).await {
            tracing::error!(%error, "cannot write down that the session ended");
        }
        if !matches!(reason, EndReason::Lost)
            && let Err(error) = self.watch.pane().kill().await
        {
            tracing::warn!(%error, "cannot take away the pane of an ended session");
        }
        self.view.set_state(SessionState::Ended { reason });
        ControlFlow::Break(())
    }
}

impl fmt::Debug for TaskEvent {
    /// Without contents: what is logged names no text, key or answer.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Request(request) => write!(f, "Request({})", request.name()),
            Self::News(News::Lines(lines)) => write!(f, "News({} lines)", lines.lines.len()),
            Self::News(News::AgentLines(lines)) => write!(f, "News({} lines of an agent)", lines.lines.len()),
            Self::News(News::Found(found)) => write!(f, "News(found {})", found.id),
            Self::Drawn(drawn) if drawn.is_frame_end() => write!(f, "Drawn(frame end)"),
            Self::Drawn(_) => write!(f, "Drawn"),
            Self::Due => write!(f, "Due"),
        }
    }
}

impl Request {
    fn name(&self) -> &'static str {
        match self {
            Self::Respond { .. } => "respond",
            Self::SendText { .. } => "send text",
            Self::SendKeys { .. } => "send keys",
            Self::SetMode(_) => "set mode",
            Self::Interrupt { .. } => "interrupt",
            Self::Rename { .. } => "rename",
            Self::End { .. } => "end",
            Self::Hook(_) => "hook",
            Self::HookLeft(_) => "hook left",
            Self::Change(_) => "change",
        }
    }
}

fn keystroke(key: Key) -> Result<Keystroke, SessionError> {
    let bad = |why: &str| Err(SessionError::BadValue(why.to_owned()));
    match key {
        Key::Named { key } => Ok(Keystroke::Named(key)),
        Key::Ctrl { letter } if letter.is_ascii_lowercase() => Ok(Keystroke::Ctrl(letter)),
        Key::Ctrl { .. } => bad("Ctrl goes with a letter from a to z"),
        Key::Text { text } if text.is_empty() || text.chars().any(char::is_control) => {
            bad("text for the terminal must be one line without control characters")
        }
        Key::Text { text } => Ok(Keystroke::Text(text)),
    }
}

async fn until(at: Option<Instant>) {
    match at {
        Some(at) => tokio::time::sleep_until(at).await,
        None => std::future::pending().await,
    }
}
