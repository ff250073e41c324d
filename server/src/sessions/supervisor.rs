//! Recovers the sessions that run: after a restart by tmux's own identity of the pane, after a fault of ours from the store.

use std::{
    sync::{Arc, PoisonError},
    time::Duration,
};

use answerback_ledger::{FolderTrust, StartupPolicy};
use shared_types::{EndReason, Event, Session, SessionId, SessionState};
use tokio::sync::{mpsc, watch};

use super::{
    Handle, QUEUE, Sessions, StartedBy,
    conversation::ConversationDeps,
    facts::ended_fact,
    start,
    task::{Request, SessionTask, TaskInit},
    trust::trust_now,
};
use crate::{
    clock::now_millis,
    hooks::HookAccess,
    pane::{FoundPane, Pane, PaneError},
    store::{OpenPrompts, SessionRecord, StoreError, StoredSessions, UnreadableSession},
};

/// Ended sessions that are listed after a restart; older ones stay in the store.
pub(super) const ENDED_SHOWN: usize = 50;
/// How long to wait before the task of a session that failed is started again.
const RESTART_PAUSE: Duration = Duration::from_secs(1);
/// How soon a terminal server that did not answer is asked again, and how seldom at most.
const ASK_AGAIN: (Duration, Duration) = (Duration::from_millis(200), Duration::from_secs(5));

/// A task that is ready to run.
pub(super) struct Prepared {
    pub(super) task: SessionTask,
    pub(super) requests: mpsc::Receiver<Request>,
    /// Names this very task among those that a session has had.
    identity: mpsc::Sender<Request>,
}

impl Sessions {
    /// Recovers the sessions that ran before: those whose pane is still there go on, the others are published as lost. While
    /// the terminal server does not answer they are published as unreachable, and it is asked again.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn recover(self: &Arc<Self>) -> Result<(), StoreError> {
        self.world.rules.load().await?;
        let StoredSessions { records, unreadable } = self.world.store.sessions().await?;
        for session in unreadable {
            self.show_unreadable(session);
        }
        let ended = records.iter().filter(|record| record.ended.is_some()).count();
        let mut skip = ended.saturating_sub(ENDED_SHOWN);
        let mut running = Vec::new();
        for record in records {
            if record.ended.is_some() && skip > 0 {
                skip -= 1;
                continue;
            }
            // One session that cannot be read does not keep the others from starting.
            match self.view(&record).await {
                Ok(view) => self.world.bus.publish(Event::Session { session: view }),
                Err(error) => {
                    tracing::error!(%error, session = %record.id.0, "a session cannot be read and is left out");
                    continue;
                }
            }
            if record.ended.is_none() {
                running.push(record.id);
            }
        }
        match self.world.terminal.find().await {
            Ok(panes) => self.join_panes(running, &panes).await,
            Err(error) => {
                self.publish_unreachable(&running, &error);
                let sessions = Arc::clone(self);
                self.tasks.spawn(async move { sessions.find_again(running).await });
            }
        }
        Ok(())
    }

    /// A session that this version cannot read is listed with the reason, and left alone: the version that made it can.
    fn show_unreadable(&self, unreadable: UnreadableSession) {
        let UnreadableSession { id, name, folder, created_at, reason } = unreadable;
        tracing::error!(session = id, name, reason, "a stored session cannot be read");
        let Ok(id) = id.parse() else { return };
        let session = Session {
            id: SessionId(id),
            name,
            adapter: adapters::generic::KIND,
            folder,
            state: SessionState::Unreachable { detail: reason },
            state_since: created_at,
            created_at,
            last_line: String::new(),
            message_count: 0,
            has_messages: false,
            attach_command: String::new(),
            mode: None,
            conversation: None,
            usage: None,
            queued: Vec::new(),
            first_message: None,
            reviews: None,
            screen_only: None,
            started_by: None,
        };
        self.world.bus.publish(Event::Session { session });
    }

    /// Asks the terminal server again until it answers. Whether the sessions run cannot be known before; so in the store they
    /// stay as they are.
    async fn find_again(self: Arc<Self>, running: Vec<SessionId>) {
        let (mut pause, longest) = ASK_AGAIN;
        loop {
            tokio::select! {
                () = self.stop.cancelled() => return,
                () = tokio::time::sleep(pause) => {}
            }
            pause = (pause * 2).min(longest);
            match self.world.terminal.find().await {
                Ok(panes) => return self.join_panes(running, &panes).await,
                Err(error) => self.publish_unreachable(&running, &error),
            }
        }
    }

    fn publish_unreachable(&self, running: &[SessionId], error: &PaneError) {
        for id in running {
            let state = SessionState::Unreachable { detail: error.to_string() };
            self.world.bus.update(*id, |view| view.state = state);
        }
    }

    /// Runs the sessions whose panes are there. What the store says now counts: they may have been renamed meanwhile.
    async fn join_panes(self: &Arc<Self>, running: Vec<SessionId>, panes: &[FoundPane]) {
        let mut lost = Vec::new();
        for id in running {
            match self.join_pane(id, panes).await {
                Ok(true) => {}
                Ok(false) => lost.push(id),
                Err(error) => {
                    tracing::error!(%error, session = %id.0, "a session cannot be recovered");
                    let detail = format!("it cannot be recovered: {error}");
                    self.world.bus.update(id, |view| view.state = SessionState::Unreachable { detail });
                }
            }
        }
        if self.world.resume_lost && !lost.is_empty() {
            let sessions = Arc::clone(self);
            self.tasks.spawn(async move { sessions.resume_lost(lost).await });
        }
    }

    /// Runs a session whose pane is there; false when it is lost.
    async fn join_pane(self: &Arc<Self>, id: SessionId, panes: &[FoundPane]) -> Result<bool, StoreError> {
        let _changing = self.changes.lock(id.0).await;
        let Some(record) = self.world.store.session(id).await? else { return Ok(true) };
        let view = self.view(&record).await?;
        let Some(found) = panes.iter().find(|pane| is_pane_of(pane, &record)) else {
            self.lose(&record, view).await?;
            return Ok(false);
        };
        let first = view.first_message.clone();
        self.run(record, Arc::clone(&found.pane), view, StartedBy::EarlierRun).await?;
        if let Some(first) = first.filter(|first| first.problem.is_none()) {
            self.send_first_when_ready(id, first.text);
        }
        Ok(true)
    }

    /// Starts the task of a session and watches over it: one that fails is started again.
    pub(super) async fn run(
        self: &Arc<Self>,
        record: SessionRecord,
        pane: Arc<dyn Pane>,
        view: Session,
        started_by: StartedBy,
    ) -> Result<(), StoreError> {
        let id = record.id;
        let mut next = Some(self.prepare(record, Arc::clone(&pane), view, started_by).await?);
        let sessions = Arc::clone(self);
        self.tasks.spawn(async move {
            while let Some(Prepared { task, requests, identity }) = next.take() {
                let failed = tokio::spawn(task.run(requests, sessions.stop.clone())).await.is_err();
                sessions.remove_handle(id, &identity);
                if failed && !sessions.stop.is_cancelled() {
                    next = sessions.restart_task(id, &pane).await;
                }
            }
        });
        Ok(())
    }

    /// Takes away the handle of a task that has ended, but not that of another task which the session has by now.
    pub(super) fn remove_handle(&self, id: SessionId, identity: &mpsc::Sender<Request>) {
        let mut running = self.lock();
        if running.get(&id).is_some_and(|handle| handle.requests.same_channel(identity)) {
            running.remove(&id);
        }
    }

    /// Makes the task of a session, ready to run and to be asked.
    pub(super) async fn prepare(
        &self,
        record: SessionRecord,
        pane: Arc<dyn Pane>,
        view: Session,
        started_by: StartedBy,
    ) -> Result<Prepared, StoreError> {
        let OpenPrompts { prompts: remembered, unreadable } = self.world.store.open_prompts(record.id).await?;
        for (prompt, reason) in unreadable {
            tracing::error!(session = %record.id.0, prompt = %prompt.0, reason, "a stored prompt cannot be read");
        }
        let last_sent = self.world.store.messages_in_doubt(record.id).await?;
        let frames = watch::Sender::new(None);
        let (identity, requests) = mpsc::channel(QUEUE);
        let access = HookAccess::path(&start::session_folder(&self.world.folder, record.id));
        let hook_secret = tokio::task::spawn_blocking(move || HookAccess::read(&access)).await;
        let hook_secret = hook_secret.ok().and_then(Result::ok).map(|access| access.secret);
        let has_hooks = hook_secret.is_some();
        let handle = Handle { requests: identity.clone(), hook_secret, frames: frames.subscribe() };
        self.lock().insert(record.id, handle);
        let deps = ConversationDeps {
            store: self.world.store.clone(),
            bus: Arc::clone(&self.world.bus),
            transcripts: self.world.transcripts.clone(),
            shelves: self.world.shelves.clone(),
        };
        let chosen = self.trusted.lock().unwrap_or_else(PoisonError::into_inner).contains(&record.id);
        let trust = if chosen {
            FolderTrust::Chosen
        } else {
            let folder = record.folder.to_string_lossy().into_owned();
            let trusted = self.world.store.trusted_contents(record.adapter, folder).await?;
            trust_now(record.adapter, record.folder.clone(), trusted).await
        };
        let startup = StartupPolicy { mode: record.mode, trust };
        let expiry = self.world.expiry.of_folder(&record.folder);
        let own_prompts = self.world.own_prompts.clone();
        let rules = Arc::clone(&self.world.rules);
        let init = TaskInit {
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
        };
        Ok(Prepared { task: SessionTask::new(init), requests, identity })
    }

    /// The task of a session has panicked: a fault of ours. The CLI runs on, so the task is started again from the store.
    async fn restart_task(&self, id: SessionId, pane: &Arc<dyn Pane>) -> Option<Prepared> {
        tracing::error!(session = %id.0, "the task of a session failed; starting it again");
        let detail = "a fault of Answerback's own; trying again".to_owned();
        if !self.world.bus.update(id, |view| view.state = SessionState::Unreachable { detail }) {
            return None;
        }
        loop {
            tokio::select! {
                () = self.stop.cancelled() => return None,
                () = tokio::time::sleep(RESTART_PAUSE) => {}
            }
            let again = async {
                let _changing = self.changes.lock(id.0).await;
                let Some(record) = self.world.store.session(id).await? else { return Ok(None) };
                let view = self.view(&record).await?;
                self.prepare(record, Arc::clone(pane), view, StartedBy::EarlierRun).await.map(Some)
            };
            match again.await {
                Ok(prepared) => return prepared,
                // The CLI runs on, and so there is no reason to give it up.
                Err(error) => {
                    let error: StoreError = error;
                    tracing::error!(%error, session = %id.0, "cannot start the task of a session; trying again");
                }
            }
        }
    }

    /// The pane of a session is gone. What it showed last was stored while it ran.
    async fn lose(&self, record: &SessionRecord, view: Session) -> Result<(), StoreError> {
        let now = now_millis();
        self.world
            .store
            .end_session(record.id, now, EndReason::Lost, None, vec![ended_fact(record.id, &EndReason::Lost, now)])
            .await?;
        let state = SessionState::Ended { reason: EndReason::Lost };
        self.world.bus.publish(Event::Session { session: Session { state, state_since: now, ..view } });
        Ok(())
    }
}

/// The pane says which session it belongs to, and is the very one that was written down.
fn is_pane_of(found: &FoundPane, record: &SessionRecord) -> bool {
    found.session == record.id && record.pane.as_ref().is_none_or(|pane| *pane == found.pane.identity())
}
