//! Where a session's conversation comes from: a file that is followed, or one that is still looked for.

use std::path::PathBuf;

use adapters::adapter_for;

use super::task::SessionTask;
use crate::{
    conversations::{Found, Search, Shelves, Wanted},
    store::{SessionRecord, Store},
    transcripts::{Follow, Lines, Transcripts},
};

/// Where the conversation comes from.
pub(super) enum Source {
    /// From nowhere: there is nothing but the screen.
    Nowhere,
    /// From a file.
    File(Follow),
    /// From a file that is not known yet.
    Search(Search),
}

/// What a source tells.
pub(super) enum News {
    /// More of the conversation.
    Lines(Lines),
    /// Its file.
    Found(Found),
}

impl Source {
    /// The source of a session, from what is stored of it.
    pub(super) fn of(record: &SessionRecord, transcripts: &Transcripts, shelves: &Shelves, store: &Store) -> Self {
        if let Some(path) = &record.transcript {
            return Self::File(transcripts.follow(path.clone(), record.transcript_offset));
        }
        if adapter_for(record.adapter).shelf(None).is_none() {
            return Self::Nowhere;
        }
        let wanted = Wanted {
            session: Some(record.id),
            adapter: record.adapter,
            folder: record.folder.clone(),
            since: record.created_at,
            id: record.cli_session_id.clone(),
        };
        Self::Search(shelves.search(store.clone(), wanted))
    }

    /// The next thing it tells; never, when it has nothing to tell.
    pub(super) async fn next(&mut self) -> News {
        match self {
            Self::File(follow) => {
                if let Some(lines) = follow.batches.recv().await {
                    return News::Lines(lines);
                }
            }
            Self::Search(search) => {
                if let Ok(found) = (&mut search.found).await {
                    return News::Found(found);
                }
            }
            Self::Nowhere => {}
        }
        // It has told all it had to tell.
        *self = Self::Nowhere;
        std::future::pending().await
    }
}

impl SessionTask {
    pub(super) async fn on_news(&mut self, news: News) {
        match news {
            News::Lines(lines) => self.on_lines(lines).await,
            News::Found(found) => self.follow_conversation(found.id, found.file).await,
        }
    }

    /// The session is in this conversation now: its file is read from the start, and what was said before stays.
    pub(super) async fn follow_conversation(&mut self, cli_session_id: String, transcript: PathBuf) {
        let same = self.record.transcript.as_ref() == Some(&transcript);
        if same && self.record.cli_session_id.as_ref() == Some(&cli_session_id) {
            return;
        }
        let stored = self.store.set_conversation(self.record.id, cli_session_id.clone(), &transcript).await;
        if let Err(error) = stored {
            // It is followed all the same; after a restart it is looked for again.
            tracing::error!(%error, "cannot write down which conversation a session is in");
        }
        self.source = Source::File(self.transcripts.follow(transcript.clone(), 0));
        self.streaming.clear();
        self.record.cli_session_id = Some(cli_session_id.clone());
        self.record.transcript = Some(transcript);
        self.record.transcript_offset = 0;
        self.view.conversation = Some(cli_session_id);
        self.tell();
    }
}
