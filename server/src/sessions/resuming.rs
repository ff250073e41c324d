//! A session that has ended goes on: the same entry, name, folder and conversation, in a new pane.

use std::sync::Arc;

use shared_types::{AdapterKind, ErrorCode, PermissionMode, SessionId, WireError};

use super::{
    Sessions, existing_folder,
    refuse::{from_store, refuse, unknown_session},
    starting::session_folder,
};
use crate::store::SessionRecord;

impl Sessions {
    /// Goes on with an ended session by the CLI's own id of its conversation. Of several who ask at once, one wins.
    ///
    /// # Errors
    /// When it runs, has no conversation to go on with, or cannot be started; it is then as it was.
    pub async fn resume(self: &Arc<Self>, id: SessionId) -> Result<(), WireError> {
        let record = self.world.store.session(id).await.map_err(|error| from_store(&error))?;
        let mut record = record.ok_or_else(unknown_session)?;
        let Some((ended_at, reason)) = record.ended.take() else { return Err(still_runs()) };
        record.folder = existing_folder(&record.folder.to_string_lossy())?;
        // To be asked nothing is chosen anew each time.
        record.mode =
            record.mode.filter(|mode| *mode != PermissionMode::Bypass).or_else(|| default_mode(record.adapter));
        record.pane = None;
        match &record.cli_session_id {
            Some(conversation) => {
                match self.earlier(record.adapter, &record.folder, conversation).await {
                    Ok(file) if record.transcript.as_ref() == Some(&file) => {}
                    Ok(file) => (record.transcript, record.transcript_offset) = (Some(file), 0),
                    // Nothing was said in it, so the CLI has kept nothing: it begins anew.
                    Err(error) if error.code == ErrorCode::BadValue && self.is_silent(id).await => {
                        (record.cli_session_id, record.transcript) = (None, None);
                    }
                    Err(error) => return Err(error),
                }
            }
            None if self.keeps_its_conversation(&record) => {}
            None => {
                return Err(refuse(ErrorCode::BadValue, "it has no conversation to go on with: start a new session"));
            }
        }
        let plan = self.plan(&record).await?;
        record.cli_session_id = record.cli_session_id.or_else(|| plan.cli_session_id.clone());
        record.transcript = record.transcript.or_else(|| plan.transcript.clone());
        if !self.world.store.revive_session(id, record.mode).await.map_err(|error| from_store(&error))? {
            return Err(still_runs());
        }
        let opened = self.open(record, &plan, None).await;
        if opened.is_err() {
            let _ = self.world.store.end_session(id, ended_at, reason, None).await;
        }
        opened
    }

    async fn is_silent(&self, id: SessionId) -> bool {
        matches!(self.world.store.message_tail(id).await, Ok((0, _)))
    }

    /// Goes on with sessions whose terminal was gone at the start, one after the other. What one cannot, the person is told.
    pub async fn resume_lost(self: &Arc<Self>, lost: Vec<SessionId>) {
        for id in lost {
            if let Err(error) = self.resume(id).await {
                tracing::warn!(session = %id.0, error = error.message, "a session was not resumed");
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

fn still_runs() -> WireError {
    refuse(ErrorCode::SessionBusy, "the session runs: there is nothing to resume")
}
