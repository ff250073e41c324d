//! The sessions: started, recovered after a restart, and asked by whoever may.
//!
//! The manager only knows who is there; each session is one task ([`task`]) that owns all its state. A task that fails is
//! started again and never disturbs another. Stopping the server stops the tasks, not the CLIs.
//!
//! # Layout
//!
//! - The task: `task` drives, `screen_watch` looks, `effects` carries out what the ledger decides, `typist` types messages,
//!   `conversation` reads the transcript (`transcript_source`, `message_batch`), `view` publishes, `replies` holds who waits,
//!   `hook_requests` adds diffs, `automatic` lets rules answer.
//! - The manager: `start`, `resume`, `earlier` (the CLIs' own conversations), `supervisor` (recovery and restarts of tasks),
//!   `first_message`, `compose`, `reviews`, `keyed_locks` (what is asked for at once is done in turn), `error`.

mod automatic;
mod compose;
mod conversation;
mod earlier;
mod effects;
mod error;
mod facts;
mod first_message;
mod hook_requests;
mod keyed_locks;
mod message_batch;
pub(crate) mod refuse;
mod remembering;
mod replies;
mod resume;
mod reviews;
mod screen_watch;
mod start;
mod supervisor;
mod task;
#[cfg(test)]
mod tests;
mod transcript_source;
mod trust;
mod turn_files;
mod typist;
mod view;

use std::{
    collections::{HashMap, HashSet},
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use adapters::LaunchRequest;
use answerback_ledger::{RespondError, StoredPrompt};
use shared_types::{
    Actor, Event, Key, Millis, PermissionMode, PromptResponse, ScreenFrame, Session, SessionId, SessionState,
};
use tokio::sync::{mpsc, oneshot, watch};
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use uuid::Uuid;

pub use self::error::{SendError, SessionError};
pub(crate) use self::start::{existing_folder, find_folder};
use self::{
    keyed_locks::KeyedLocks,
    task::{Reply, Request},
    typist::ModeWanted,
};
use crate::{
    bus::Bus,
    composing::FolderFiles,
    config::{ExpirySettings, OwnPrompts},
    conversations::Shelves,
    hooks::{Arrived, same_secret},
    pane::Terminal,
    rules::Rules,
    store::{SessionRecord, Store, StoreError},
    transcripts::Transcripts,
};

/// Inputs that may wait for a session. One more is refused as busy: the person is told, nothing piles up.
const QUEUE: usize = 32;
/// The longest session name, in characters.
const NAME_LIMIT: usize = 80;

/// Keys that a person chose by hand.
#[derive(Debug)]
pub struct ByHand {
    /// The keys, in order.
    pub keys: Vec<Key>,
    /// What was asked on the screen that the person saw, where they say it.
    pub seen: Option<u32>,
}

impl From<Vec<Key>> for ByHand {
    fn from(keys: Vec<Key>) -> Self {
        Self { keys, seen: None }
    }
}

/// What the sessions need from the rest of the server.
pub struct World {
    /// Where panes are.
    pub terminal: Arc<dyn Terminal>,
    /// What is kept.
    pub store: Store,
    /// Where events go.
    pub bus: Arc<Bus>,
    /// Who follows the conversations.
    pub transcripts: Transcripts,
    /// Where the CLIs keep them.
    pub shelves: Shelves,
    /// A folder for the files of sessions.
    pub folder: PathBuf,
    /// This very binary.
    pub answerback: PathBuf,
    /// Where hooks of the CLIs arrive; nothing when they are switched off.
    pub hook_socket: Option<PathBuf>,
    /// Whether sessions whose terminal is found to be gone are gone on with.
    pub resume_lost: bool,
    /// Prompts that the person has described, for programs of which nothing is known.
    pub own_prompts: watch::Receiver<OwnPrompts>,
    /// The person's rules.
    pub rules: Arc<Rules>,
    /// How long prompts wait.
    pub expiry: ExpirySettings,
}

/// All sessions.
pub struct Sessions {
    world: World,
    /// The files of folders, for naming one in a message.
    folders: Arc<FolderFiles>,
    running: Mutex<HashMap<SessionId, Handle>>,
    /// Names of sessions that are being started.
    given: Mutex<HashSet<String>>,
    /// One start at a time under one key: the same request may come again while it is carried out.
    starts: KeyedLocks,
    /// One change at a time to a session that has no task to do them in turn: its name, its resuming, its forgetting.
    changes: KeyedLocks,
    /// Sessions whose folder the person has trusted by starting them so.
    trusted: Mutex<HashSet<SessionId>>,
    stop: CancellationToken,
    tasks: TaskTracker,
}

/// Which run of the server started the program of a session.
#[derive(Clone, Copy, PartialEq, Eq)]
enum StartedBy {
    ThisRun,
    EarlierRun,
}

#[derive(Clone)]
struct Handle {
    requests: mpsc::Sender<Request>,
    /// What the session's hooks must know; none come to a session without.
    hook_secret: Option<String>,
    frames: watch::Receiver<Option<Arc<ScreenFrame>>>,
}

impl Sessions {
    /// No sessions yet. `stop` ends the tasks, not the CLIs.
    #[must_use]
    pub fn new(world: World, stop: CancellationToken) -> Arc<Self> {
        Arc::new(Self {
            world,
            folders: Arc::default(),
            running: Mutex::default(),
            given: Mutex::default(),
            starts: KeyedLocks::default(),
            changes: KeyedLocks::default(),
            trusted: Mutex::default(),
            stop,
            tasks: TaskTracker::new(),
        })
    }

    /// Waits until every task has ended; `stop` must have been cancelled.
    pub async fn stopped(&self) {
        self.tasks.close();
        self.tasks.wait().await;
    }

    /// Answers a prompt. `Ok` means that this answer won.
    ///
    /// # Errors
    /// When it came too late or does not fit; the error says who was first.
    pub async fn respond(&self, response: PromptResponse, by: Actor) -> Result<(), SessionError> {
        let id = response.request_id;
        let session = match self.world.bus.prompt(id) {
            Some(pending) => pending.prompt.session_id,
            // Right after a restart the prompt may be open and not yet be seen again: its session knows.
            None => match self.world.store.prompt(id).await {
                Ok(Some(stored)) if stored.open => stored.prompt.session_id,
                _ => None,
            },
        };
        let Some(session) = session else { return self.late_response(&response).await };
        let rule = self.wanted_rule(session, &response).await?;
        let result = self
            .ask(session, |reply| Request::Respond { response: Box::new(response.clone()), by: by.clone(), reply })
            .await;
        match result {
            Err(SessionError::Respond(RespondError::Gone)) => self.late_response(&response).await,
            Ok(()) => {
                if let Some(rule) = rule {
                    self.remember(rule, by).await;
                }
                Ok(())
            }
            result => result,
        }
    }

    /// Presses keys in a session's terminal.
    ///
    /// # Errors
    /// When they were not pressed.
    pub async fn send_keys(&self, session: SessionId, keys: impl Into<ByHand>, by: Actor) -> Result<(), SessionError> {
        let keys = keys.into();
        self.ask(session, |reply| Request::SendKeys { keys, by, reply }).await
    }

    /// Changes the permission mode, and returns when the CLI shows it.
    ///
    /// # Errors
    /// When the CLI cannot, or does not wait for a message.
    pub async fn set_mode(&self, session: SessionId, mode: PermissionMode, by: Actor) -> Result<(), SessionError> {
        self.ask(session, |reply| Request::SetMode(ModeWanted { mode, by, reply })).await
    }

    /// Stops what the CLI is doing.
    ///
    /// # Errors
    /// When a dialog is open, which the key would answer.
    pub async fn interrupt(&self, session: SessionId) -> Result<(), SessionError> {
        self.ask(session, |reply| Request::Interrupt { reply }).await
    }

    /// Gives a session another name.
    ///
    /// # Errors
    /// When the name is not usable or the store does not answer.
    pub async fn rename(&self, session: SessionId, name: &str) -> Result<(), SessionError> {
        let name = clean_name(name)?;
        // One that is being resumed has a task afterwards, which would not know the name.
        let _changing = self.changes.lock(session.0).await;
        if self.handle(session).is_some() {
            let renamed = self.ask(session, |reply| Request::Rename { name: name.clone(), reply }).await;
            // One that has just ended is renamed as any that ended long ago.
            if renamed != Err(SessionError::Ended) {
                return renamed;
            }
        }
        self.world.bus.session(session).ok_or(SessionError::Unknown)?;
        let stored = self.world.store.rename_session(session, name.clone()).await;
        stored?;
        self.world.bus.update(session, |view| view.name = name);
        Ok(())
    }

    /// Ends a session: its program is stopped.
    ///
    /// # Errors
    /// When there is no such session or it has ended.
    pub async fn end(&self, session: SessionId, by: Actor) -> Result<(), SessionError> {
        self.ask(session, |reply| Request::End { by, reply }).await
    }

    /// Takes an ended session off the list and out of the store.
    ///
    /// # Errors
    /// When it still runs.
    pub async fn forget(&self, session: SessionId) -> Result<(), SessionError> {
        let _changing = self.changes.lock(session.0).await;
        let view = self.world.bus.session(session).ok_or(SessionError::Unknown)?;
        if !matches!(view.state, SessionState::Ended { .. }) {
            return Err(SessionError::Running("the session still runs: end it first".to_owned()));
        }
        if !self.world.store.forget_session(session).await? {
            return Err(SessionError::Running("the session runs again: end it first".to_owned()));
        }
        self.forget_reviews_by(session).await;
        self.world.rules.forget_session(session).await;
        self.world.bus.publish(Event::SessionForgotten { session_id: session });
        start::remove_session_folder(&self.world.folder, session).await;
        Ok(())
    }

    /// A session's screen, now and from now on; of an ended one, what it showed last.
    ///
    /// # Errors
    /// When there is no such session.
    pub async fn frames(&self, session: SessionId) -> Result<watch::Receiver<Option<Arc<ScreenFrame>>>, SessionError> {
        if let Some(handle) = self.handle(session) {
            return Ok(handle.frames);
        }
        self.world.bus.session(session).ok_or(SessionError::Unknown)?;
        let last = self.world.store.last_screen(session).await?;
        Ok(watch::Sender::new(last.map(Arc::new)).subscribe())
    }

    /// Hands a hook to its session. False when there is no such session, or the secret is not its own.
    pub(crate) fn take_hook(&self, session: SessionId, secret: &str, arrived: Arrived) -> bool {
        let Some(handle) = self.handle(session) else { return false };
        if !handle.hook_secret.as_deref().is_some_and(|own| same_secret(own, secret)) {
            tracing::warn!(session = %session.0, "a hook with a wrong secret");
            return false;
        }
        // Full: the reply is dropped with it, and the hook comes again.
        let _ = handle.requests.try_send(Request::Hook(arrived));
        true
    }

    /// Tells a session that a hook of its own is gone.
    pub(crate) async fn hook_left(&self, session: SessionId, hook: Uuid) {
        if let Some(handle) = self.handle(session) {
            let _ = handle.requests.send(Request::HookLeft(hook)).await;
        }
    }

    /// Hands an input to a session's task and waits for its answer.
    async fn ask(&self, session: SessionId, request: impl FnOnce(Reply) -> Request) -> Result<(), SessionError> {
        let Some(handle) = self.handle(session) else { return Err(self.unreachable_reason(session)) };
        let (reply, answered) = oneshot::channel();
        handle.requests.try_send(request(reply)).map_err(|error| match error {
            mpsc::error::TrySendError::Full(_) => SessionError::Busy,
            mpsc::error::TrySendError::Closed(_) => self.unreachable_reason(session),
        })?;
        answered.await.unwrap_or_else(|_| Err(self.unreachable_reason(session)))
    }

    /// Why a session has no task that could be asked.
    fn unreachable_reason(&self, session: SessionId) -> SessionError {
        match self.world.bus.session(session).map(|session| session.state) {
            None => SessionError::Unknown,
            Some(SessionState::Ended { .. }) => SessionError::Ended,
            Some(_) => SessionError::Unreachable("the session cannot be reached: try again in a moment".to_owned()),
        }
    }

    /// An answer to a prompt that is over: accepted when it is the one that won, else refused with who did.
    async fn late_response(&self, response: &PromptResponse) -> Result<(), SessionError> {
        match self.world.store.prompt(response.request_id).await? {
            Some(record) if record.is_winner(response.idempotency_key) => Ok(()),
            Some(StoredPrompt { answer: Some(answer), .. }) => Err(RespondError::AlreadyAnswered(answer).into()),
            Some(_) | None => Err(RespondError::Gone.into()),
        }
    }

    /// A session as the phones see it, from what is stored.
    async fn view(&self, record: &SessionRecord) -> Result<Session, StoreError> {
        let (message_count, last) = self.world.store.message_tail(record.id).await?;
        let (state, state_since): (SessionState, Millis) = match &record.ended {
            Some((at, reason)) => (SessionState::Ended { reason: reason.clone() }, *at),
            None => (SessionState::Starting { detail: String::new() }, record.created_at),
        };
        Ok(Session {
            id: record.id,
            name: record.name.clone(),
            adapter: record.adapter,
            folder: record.folder.to_string_lossy().into_owned(),
            state,
            state_since,
            created_at: record.created_at,
            last_line: last.as_ref().map(conversation::last_line).unwrap_or_default(),
            message_count,
            has_messages: adapters::adapter_for(record.adapter).profile().has_messages,
            attach_command: self.world.terminal.attach_command(record.id).join(" "),
            mode: record.mode,
            conversation: record.cli_session_id.clone(),
            usage: record.usage.clone(),
            queued: Vec::new(),
            first_message: self.world.store.first_message(record.id).await?,
            reviews: Some(self.world.store.reviews(record.id).await?).filter(|reviews| !reviews.is_empty()),
            screen_only: None,
            started_by: None,
        })
    }

    fn launch_request(&self, record: &SessionRecord) -> LaunchRequest {
        LaunchRequest {
            session_id: record.id,
            folder: record.folder.clone(),
            program: PathBuf::new(),
            version: None,
            command: record.command.clone(),
            mode: record.mode,
            answerback: self.world.answerback.clone(),
            session_folder: start::session_folder(&self.world.folder, record.id),
            hook_command: None,
            cli_home: self.world.shelves.cli_home(record.adapter),
            resume: None,
            surroundings: adapters::Surroundings::default(),
        }
    }

    fn handle(&self, session: SessionId) -> Option<Handle> {
        self.lock().get(&session).cloned()
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<SessionId, Handle>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn clean_name(name: &str) -> Result<String, SessionError> {
    let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
    if name.is_empty() {
        return Err(SessionError::BadValue("the name is empty".to_owned()));
    }
    if name.chars().count() > NAME_LIMIT || name.chars().any(char::is_control) {
        return Err(SessionError::BadValue(format!("a name has at most {NAME_LIMIT} plain characters")));
    }
    Ok(name)
}
