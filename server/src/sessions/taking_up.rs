//! Who runs is found again: after a restart by tmux's own identity of the pane, after a fault of ours from what is stored.

use std::{sync::Arc, time::Duration};

use shared_types::{EndReason, Event, Session, SessionId, SessionState};
use tokio::sync::{mpsc, watch};

use super::{
    Begins, Handle, QUEUE, Sessions, World,
    conversation::Source,
    starting,
    task::{Input, Parts, SessionTask},
};
use crate::{
    clock::now_millis,
    hooks::HookAccess,
    pane::{FoundPane, Pane, PaneError},
    store::{SessionRecord, StoreError},
};

/// Ended sessions that are listed after a restart; older ones stay in the store.
pub(super) const ENDED_SHOWN: usize = 50;
/// How long to wait before a session that failed is taken up again.
const TAKE_UP_AGAIN: Duration = Duration::from_secs(1);
/// How soon a terminal server that did not answer is asked again, and how seldom at most.
const ASK_AGAIN: (Duration, Duration) = (Duration::from_millis(200), Duration::from_secs(5));

impl Sessions {
    /// Takes up the sessions that ran before: those whose pane is still there go on, the others are told as lost. While the
    /// terminal server does not answer they are told as out of reach, and it is asked again.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn take_up(self: &Arc<Self>) -> Result<(), StoreError> {
        let records = self.world.store.sessions().await?;
        let ended = records.iter().filter(|record| record.ended.is_some()).count();
        let mut skip = ended.saturating_sub(ENDED_SHOWN);
        let mut running = Vec::new();
        for record in records {
            if record.ended.is_some() && skip > 0 {
                skip -= 1;
                continue;
            }
            let view = self.view(&record).await?;
            self.world.bus.publish(Event::Session { session: view.clone() });
            if record.ended.is_none() {
                running.push((record, view));
            }
        }
        match self.world.terminal.find().await {
            Ok(panes) => self.join_panes(running, &panes).await,
            Err(error) => {
                self.tell_unreachable(&running, &error);
                let sessions = Arc::clone(self);
                self.tasks.spawn(async move { sessions.find_again(running).await });
                Ok(())
            }
        }
    }

    /// Asks the terminal server again until it answers. Whether the sessions run cannot be known before; so in the store they
    /// stay as they are.
    async fn find_again(self: Arc<Self>, running: Vec<(SessionRecord, Session)>) {
        let (mut pause, longest) = ASK_AGAIN;
        loop {
            tokio::select! {
                () = self.stop.cancelled() => return,
                () = tokio::time::sleep(pause) => {}
            }
            pause = (pause * 2).min(longest);
            match self.world.terminal.find().await {
                Ok(panes) => {
                    if let Err(error) = self.join_panes(running, &panes).await {
                        tracing::error!(%error, "cannot take up the sessions");
                    }
                    return;
                }
                Err(error) => self.tell_unreachable(&running, &error),
            }
        }
    }

    fn tell_unreachable(&self, running: &[(SessionRecord, Session)], error: &PaneError) {
        for (_, view) in running {
            let state = SessionState::Unreachable { detail: error.to_string() };
            self.world.bus.publish(Event::Session { session: Session { state, ..view.clone() } });
        }
    }

    async fn join_panes(
        self: &Arc<Self>,
        running: Vec<(SessionRecord, Session)>,
        panes: &[FoundPane],
    ) -> Result<(), StoreError> {
        let mut lost = Vec::new();
        for (record, view) in running {
            match panes.iter().find(|pane| is_pane_of(pane, &record)) {
                Some(found) => {
                    let (id, first) = (record.id, view.first_message.clone());
                    self.run(record, Arc::clone(&found.pane), view, Begins::Earlier).await?;
                    if let Some(first) = first.filter(|first| first.problem.is_none()) {
                        self.say_first_when_ready(id, first.text);
                    }
                }
                None => {
                    lost.push(record.id);
                    self.lose(&record, view).await?;
                }
            }
        }
        if self.world.resume_lost && !lost.is_empty() {
            let sessions = Arc::clone(self);
            self.tasks.spawn(async move { sessions.resume_lost(lost).await });
        }
        Ok(())
    }

    /// Starts the task of a session and watches over it: one that fails is taken up again.
    pub(super) async fn run(
        self: &Arc<Self>,
        record: SessionRecord,
        pane: Arc<dyn Pane>,
        view: Session,
        begins: Begins,
    ) -> Result<(), StoreError> {
        let id = record.id;
        let mut next = Some(self.prepare(record, Arc::clone(&pane), view, begins).await?);
        let sessions = Arc::clone(self);
        self.tasks.spawn(async move {
            while let Some((task, inputs)) = next.take() {
                let failed = tokio::spawn(task.run(inputs, sessions.stop.clone())).await.is_err();
                sessions.lock().remove(&id);
                if failed && !sessions.stop.is_cancelled() {
                    next = sessions.take_up_again(id, &pane).await;
                }
            }
        });
        Ok(())
    }

    /// Makes the task of a session, ready to run and to be asked.
    pub(super) async fn prepare(
        &self,
        record: SessionRecord,
        pane: Arc<dyn Pane>,
        view: Session,
        begins: Begins,
    ) -> Result<(SessionTask, mpsc::Receiver<Input>), StoreError> {
        let remembered = self.world.store.open_prompts(record.id).await?;
        let last_sent = self.world.store.messages_in_doubt(record.id).await?;
        let frames = watch::Sender::new(None);
        let (sender, inputs) = mpsc::channel(QUEUE);
        let access = HookAccess::path(&starting::session_folder(&self.world.folder, record.id));
        let hook_secret = HookAccess::read(&access).ok().map(|access| access.secret);
        self.lock().insert(record.id, Handle { inputs: sender, hook_secret, frames: frames.subscribe() });
        let World { transcripts, shelves, store, .. } = &self.world;
        let source = Source::of(&record, transcripts, shelves, store, &pane);
        let task = SessionTask::new(Parts {
            pane,
            store: self.world.store.clone(),
            bus: Arc::clone(&self.world.bus),
            remembered,
            launch: self.launch_request(&record),
            source,
            transcripts: self.world.transcripts.clone(),
            shelves: self.world.shelves.clone(),
            frames,
            begins,
            last_sent,
            record,
            view,
        });
        Ok((task, inputs))
    }

    /// A session's task has panicked: a fault of ours. The CLI runs on, so it is taken up again from what is stored.
    async fn take_up_again(&self, id: SessionId, pane: &Arc<dyn Pane>) -> Option<(SessionTask, mpsc::Receiver<Input>)> {
        tracing::error!(session = %id.0, "the task of a session failed; taking it up again");
        let view = self.world.bus.session(id)?;
        let state = SessionState::Unreachable { detail: "a fault of Answerback's own; trying again".to_owned() };
        self.world.bus.publish(Event::Session { session: Session { state, ..view } });
        loop {
            tokio::select! {
                () = self.stop.cancelled() => return None,
                () = tokio::time::sleep(TAKE_UP_AGAIN) => {}
            }
            let again = async {
                let Some(record) = self.world.store.session(id).await? else { return Ok(None) };
                let view = self.view(&record).await?;
                self.prepare(record, Arc::clone(pane), view, Begins::Earlier).await.map(Some)
            };
            match again.await {
                Ok(prepared) => return prepared,
                // The CLI runs on, and so there is no reason to give it up.
                Err(error) => {
                    let error: StoreError = error;
                    tracing::error!(%error, session = %id.0, "cannot take up a session again; trying again");
                }
            }
        }
    }

    /// The pane of a session is gone. What it showed last was kept while it ran.
    async fn lose(&self, record: &SessionRecord, view: Session) -> Result<(), StoreError> {
        let now = now_millis();
        self.world.store.end_session(record.id, now, EndReason::Lost, None).await?;
        let state = SessionState::Ended { reason: EndReason::Lost };
        self.world.bus.publish(Event::Session { session: Session { state, state_since: now, ..view } });
        Ok(())
    }
}

/// The pane says which session it belongs to, and is the very one that was written down.
fn is_pane_of(found: &FoundPane, record: &SessionRecord) -> bool {
    found.session == record.id && record.pane.as_ref().is_none_or(|pane| *pane == found.pane.identity())
}
