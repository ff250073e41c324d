//! The sessions: started, found again after a restart, and asked by whoever may.
//!
//! The manager only knows who is there; each session is one task ([`task`]) that owns all its state. A session that fails is
//! taken up again and never disturbs another. Stopping the server stops the tasks, not the CLIs.

mod asking;
mod attempts;
mod composing;
mod conversation;
mod details;
mod earlier;
mod opening;
mod prompting;
pub(crate) mod refuse;
mod resuming;
mod reviewing;
mod sending;
mod starting;
mod summary;
mod taken;
mod taking_up;
mod talk;
mod task;
#[cfg(test)]
mod tests;
mod typing;

use std::{
    collections::{HashMap, HashSet},
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use adapters::LaunchRequest;
use shared_types::{
    AnsweredBy, ErrorCode, Event, Key, Millis, PermissionMode, PromptResponse, ScreenFrame, Session, SessionId,
    SessionState, WireError,
};
use tokio::sync::{mpsc, oneshot, watch};
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use uuid::Uuid;

pub(crate) use self::starting::existing_folder;
use self::{
    refuse::{from_store, refuse, session_busy, session_ended, unknown_session},
    task::{Input, Reply},
};
use crate::{
    bus::Bus,
    composing::FolderFiles,
    conversations::Shelves,
    hooks::{Arrived, same_secret},
    pane::Terminal,
    store::{SessionRecord, Store, StoreError, StoredPrompt},
    transcripts::Transcripts,
};

/// Inputs that may wait for a session. One more is refused as busy: the person is told, nothing piles up.
const QUEUE: usize = 32;
/// The longest session name, in characters.
const NAME_LIMIT: usize = 80;

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
}

/// All sessions.
pub struct Sessions {
    world: World,
    /// The files of folders, for naming one in a message.
    folders: Arc<FolderFiles>,
    running: Mutex<HashMap<SessionId, Handle>>,
    /// Names of sessions that are being started.
    given: Mutex<HashSet<String>>,
    stop: CancellationToken,
    tasks: TaskTracker,
}

/// Whether the program of a session has just been started, or runs since an earlier day of ours.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Begins {
    Now,
    Earlier,
}

#[derive(Clone)]
struct Handle {
    inputs: mpsc::Sender<Input>,
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
    pub async fn respond(&self, response: PromptResponse, by: AnsweredBy) -> Result<(), WireError> {
        let id = response.request_id;
        let session = match self.world.bus.prompt(id) {
            Some(pending) => pending.prompt.session_id,
            // Right after a restart the prompt may be open and not yet be seen again: its session knows.
            None => match self.world.store.prompt(id).await {
                Ok(Some(stored)) if stored.open => stored.prompt.session_id,
                _ => None,
            },
        };
        let Some(session) = session else { return self.come_late(&response).await };
        let result = self.ask(session, |reply| Input::Respond { response: response.clone(), by, reply }).await;
        match result {
            Err(error) if error.code == ErrorCode::PromptGone => self.come_late(&response).await,
            result => result,
        }
    }

    /// Presses keys in a session's terminal.
    ///
    /// # Errors
    /// When they were not pressed.
    pub async fn send_keys(&self, session: SessionId, keys: Vec<Key>) -> Result<(), WireError> {
        self.ask(session, |reply| Input::SendKeys { keys, reply }).await
    }

    /// Changes the permission mode, and returns when the CLI shows it.
    ///
    /// # Errors
    /// When the CLI cannot, or does not wait for a message.
    pub async fn set_mode(&self, session: SessionId, mode: PermissionMode) -> Result<(), WireError> {
        self.ask(session, |reply| Input::SetMode { mode, reply }).await
    }

    /// Stops what the CLI is doing.
    ///
    /// # Errors
    /// When a dialog is open, which the key would answer.
    pub async fn interrupt(&self, session: SessionId) -> Result<(), WireError> {
        self.ask(session, |reply| Input::Interrupt { reply }).await
    }

    /// Gives a session another name.
    ///
    /// # Errors
    /// When the name is not usable or the store does not answer.
    pub async fn rename(&self, session: SessionId, name: &str) -> Result<(), WireError> {
        let name = clean_name(name)?;
        if self.handle(session).is_some() {
            let renamed = self.ask(session, |reply| Input::Rename { name: name.clone(), reply }).await;
            // One that has just ended is renamed as any that ended long ago.
            if !matches!(&renamed, Err(error) if error.code == ErrorCode::SessionEnded) {
                return renamed;
            }
        }
        let mut view = self.world.bus.session(session).ok_or_else(unknown_session)?;
        let stored = self.world.store.rename_session(session, name.clone()).await;
        stored.map_err(|error| from_store(&error))?;
        view.name = name;
        self.world.bus.publish(Event::Session { session: view });
        Ok(())
    }

    /// Ends a session: its program is stopped.
    ///
    /// # Errors
    /// When there is no such session or it has ended.
    pub async fn end(&self, session: SessionId) -> Result<(), WireError> {
        self.ask(session, |reply| Input::End { reply }).await
    }

    /// Takes an ended session off the list and out of the store.
    ///
    /// # Errors
    /// When it still runs.
    pub async fn forget(&self, session: SessionId) -> Result<(), WireError> {
        let view = self.world.bus.session(session).ok_or_else(unknown_session)?;
        if !matches!(view.state, SessionState::Ended { .. }) {
            return Err(refuse(ErrorCode::SessionBusy, "the session still runs: end it first"));
        }
        self.world.store.forget_session(session).await.map_err(|error| from_store(&error))?;
        self.forget_reviews_by(session).await;
        self.world.bus.publish(Event::SessionForgotten { session_id: session });
        starting::remove_session_folder(&self.world.folder, session).await;
        Ok(())
    }

    /// A session's screen, now and from now on; of an ended one, what it showed last.
    ///
    /// # Errors
    /// When there is no such session.
    pub async fn frames(&self, session: SessionId) -> Result<watch::Receiver<Option<Arc<ScreenFrame>>>, WireError> {
        if let Some(handle) = self.handle(session) {
            return Ok(handle.frames);
        }
        self.world.bus.session(session).ok_or_else(unknown_session)?;
        let last = self.world.store.last_screen(session).await.map_err(|error| from_store(&error))?;
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
        let _ = handle.inputs.try_send(Input::Hook(arrived));
        true
    }

    /// Tells a session that a hook of its own is gone.
    pub(crate) async fn hook_left(&self, session: SessionId, hook: Uuid) {
        if let Some(handle) = self.handle(session) {
            let _ = handle.inputs.send(Input::HookLeft(hook)).await;
        }
    }

    /// Hands an input to a session's task and waits for its answer.
    async fn ask(&self, session: SessionId, input: impl FnOnce(Reply) -> Input) -> Result<(), WireError> {
        let Some(handle) = self.handle(session) else { return Err(self.why_silent(session)) };
        let (reply, answered) = oneshot::channel();
        handle.inputs.try_send(input(reply)).map_err(|error| match error {
            mpsc::error::TrySendError::Full(_) => session_busy(),
            mpsc::error::TrySendError::Closed(_) => self.why_silent(session),
        })?;
        answered.await.unwrap_or_else(|_| Err(self.why_silent(session)))
    }

    /// Why a session has no task that could be asked.
    fn why_silent(&self, session: SessionId) -> WireError {
        match self.world.bus.session(session).map(|session| session.state) {
            None => unknown_session(),
            Some(SessionState::Ended { .. }) => session_ended(),
            Some(_) => refuse(ErrorCode::TerminalUnavailable, "the session cannot be reached: try again in a moment"),
        }
    }

    /// An answer to a prompt that cannot be answered any more: the one that won comes again, or another is told why not.
    async fn come_late(&self, response: &PromptResponse) -> Result<(), WireError> {
        let over = |message: &str| Err(refuse(ErrorCode::PromptGone, message));
        let stored = self.world.store.prompt(response.request_id).await.map_err(|error| from_store(&error))?;
        match stored {
            Some(stored) if stored.is_winner(response.idempotency_key) => Ok(()),
            Some(StoredPrompt { answer: Some(answer), .. }) => Err(typing::already_answered(&answer)),
            Some(_) => over("this prompt is over: it was answered at the desk or withdrawn"),
            None => over("there is no such prompt"),
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
            last_line: last.as_ref().map(talk::last_line).unwrap_or_default(),
            message_count,
            has_messages: adapters::adapter_for(record.adapter).profile().has_messages,
            attach_command: self.world.terminal.attach_command(record.id).join(" "),
            mode: record.mode,
            conversation: record.cli_session_id.clone(),
            usage: record.usage.clone(),
            queued: Vec::new(),
            first_message: self.world.store.first_message(record.id).await?,
            reviews: Some(self.world.store.reviews(record.id).await?).filter(|reviews| !reviews.is_empty()),
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
            session_folder: starting::session_folder(&self.world.folder, record.id),
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

fn clean_name(name: &str) -> Result<String, WireError> {
    let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
    if name.is_empty() {
        return Err(refuse(ErrorCode::BadValue, "the name is empty"));
    }
    if name.chars().count() > NAME_LIMIT || name.chars().any(char::is_control) {
        return Err(refuse(ErrorCode::BadValue, format!("a name has at most {NAME_LIMIT} plain characters")));
    }
    Ok(name)
}
