//! A session that has ended is resumed: the same entry, name, folder and conversation, in a new pane.

use std::sync::Arc;

use shared_types::{Actor, AdapterKind, PermissionMode, SessionId};

use super::{SessionError, Sessions, existing_folder, facts::not_begun_fact, start::session_folder};
use crate::{
    clock::now_millis,
    journal::{Fact, FactKind},
    store::{Revived, SessionRecord},
};

impl Sessions {
    /// Resumes an ended session by the CLI's own id of its conversation. Of several who ask at once, one wins.
    ///
    /// # Errors
    /// When it runs, has no conversation, or cannot be started; it is then as it was.
    pub async fn resume(self: &Arc<Self>, id: SessionId, by: Actor) -> Result<(), SessionError> {
        self.resume_for(id, Some(by)).await
    }

    async fn resume_for(self: &Arc<Self>, id: SessionId, by: Option<Actor>) -> Result<(), SessionError> {
        let _changing = self.changes.lock(id.0).await;
        let mut record = self.world.store.session(id).await?.ok_or(SessionError::Unknown)?;
        let Some((ended_at, reason)) = record.ended.take() else { return Err(still_runs()) };
        if let Some(ending) = self.handle(id) {
            // Its pane is still being taken away; after that it publishes that it has ended.
            ending.requests.closed().await;
        }
        record.folder = existing_folder(&record.folder.to_string_lossy()).await?;
        // To be asked nothing is chosen anew each time.
        record.mode =
            record.mode.filter(|mode| *mode != PermissionMode::Bypass).or_else(|| default_mode(record.adapter));
        record.pane = None;
        match &record.cli_session_id {
            Some(conversation) => {
                match self.earlier(record.adapter, &record.folder, conversation).await {
                    Ok(file) if record.transcript.as_ref() == Some(&file) => {}
                    Ok(file) => (record.transcript, record.transcript_offset) = (Some(file), 0),
                    // Nothing was said in it, so the CLI has kept nothing: it begins from the start.
                    Err(SessionError::NoConversation) if self.is_silent(id).await => {
                        (record.cli_session_id, record.transcript) = (None, None);
                    }
                    Err(error) => return Err(error),
                }
            }
            None if self.keeps_its_conversation(&record) => {}
            None => {
                let why = "it has no conversation to resume: start a new session";
                return Err(SessionError::BadValue(why.to_owned()));
            }
        }
        // The winner is known before a file is written: the loser would overwrite the secret of the winner's hooks.
        let fact = Fact { actor: by, ..Fact::session_runs(FactKind::SessionResumed, &record, now_millis()) };
        match self.world.store.revive_session(id, record.mode, vec![fact]).await? {
            Revived::Revived => {}
            Revived::NotEnded => return Err(still_runs()),
            Revived::ConversationOpen(open) => return Err(self.conversation_open(open)),
        }
        let opened = self.open_resumed(record).await;
        if opened.is_err() {
            let _ =
                self.world.store.end_session(id, ended_at, reason, None, vec![not_begun_fact(id, now_millis())]).await;
        }
        opened
    }

    async fn open_resumed(self: &Arc<Self>, mut record: SessionRecord) -> Result<(), SessionError> {
        let plan = self.plan(&record).await?;
        record.cli_session_id = record.cli_session_id.or_else(|| plan.cli_session_id.clone());
        record.transcript = record.transcript.or_else(|| plan.transcript.clone());
        self.open(record, &plan, None).await
    }

    async fn is_silent(&self, id: SessionId) -> bool {
        matches!(self.world.store.message_tail(id).await, Ok((0, _)))
    }

    /// Resumes sessions whose terminal was gone at the start, one after the other.
    pub async fn resume_lost(self: &Arc<Self>, lost: Vec<SessionId>) {
        for id in lost {
            if let Err(error) = self.resume_for(id, None).await {
                tracing::warn!(session = %id.0, %error, "a session was not resumed");
            }
        }
    }

    /// True when the program writes its conversation into the session's own folder: started again, it goes on there.
    fn keeps_its_conversation(&self, record: &SessionRecord) -> bool {
        let own = session_folder(&self.world.folder, record.id);
        record.transcript.as_ref().is_some_and(|file| file.starts_with(own))
    }
}

fn default_mode(adapter: AdapterKind) -> Option<PermissionMode> {
    adapters::adapter_for(adapter).profile().modes.first().copied()
}

fn still_runs() -> SessionError {
    SessionError::Running("the session runs: there is nothing to resume".to_owned())
}
