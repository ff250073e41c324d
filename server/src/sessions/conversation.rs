//! Where a session's conversation comes from: a file that is followed, or one that is still looked for.

use std::{path::PathBuf, sync::Arc, time::Duration};

use adapters::adapter_for;
use tokio::time::{Instant, timeout_at};

use super::task::SessionTask;
use crate::{
    conversations::{Found, SLACK, Search, Shelves, Wanted},
    pace::Pace,
    pane::Pane,
    store::{SessionRecord, Store},
    transcripts::{Follow, Lines, Transcripts},
};

/// After so much silence a CLI that has ended has said all; what it wrote is there before it is gone.
const SILENCE: Duration = Duration::from_millis(100);
/// How long the end of a session is put off at most.
const HEAR_OUT: Duration = Duration::from_secs(2);

/// Where the conversation comes from.
pub(super) struct Source {
    main: Main,
    /// What agents do that the conversation has set to work, where they write it into files of their own.
    agents: Option<Follow>,
    /// The conversation that the CLI turns to, where that can be seen.
    another: Option<Search>,
}

enum Main {
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
    /// More of what an agent does.
    AgentLines(Lines),
    /// Its file.
    Found(Found),
}

impl Source {
    /// The source of a session, from what is stored of it.
    pub(super) fn of(
        record: &SessionRecord,
        transcripts: &Transcripts,
        shelves: &Shelves,
        store: &Store,
        pane: &Arc<dyn Pane>,
    ) -> Self {
        let adapter = adapter_for(record.adapter);
        let pace = || Pace::with(pane.drawn());
        let wanted = Wanted {
            session: Some(record.id),
            adapter: record.adapter,
            folder: record.folder.clone(),
            since: record.created_at,
            id: record.cli_session_id.clone(),
        };
        if let Some(path) = &record.transcript {
            let main = Main::File(transcripts.follow(path.clone(), record.transcript_offset, pace()));
            // What was done before the session began would come too late to stand in its place.
            let since = record.created_at.saturating_sub(SLACK);
            let follow = |(folder, names)| transcripts.follow_folder(folder, names, since, pace());
            let another = Some(shelves.search_another(store.clone(), wanted, path.clone(), Arc::clone(pane)));
            return Self { main, agents: adapter.agents_of(path).map(follow), another };
        }
        if adapter.shelf(None).is_none() {
            return Self { main: Main::Nowhere, agents: None, another: None };
        }
        let search = shelves.search(store.clone(), wanted, Arc::clone(pane));
        Self { main: Main::Search(search), agents: None, another: None }
    }

    /// The next thing it tells; never, when it has nothing to tell.
    pub(super) async fn next(&mut self) -> News {
        tokio::select! {
            news = self.main.next() => news,
            lines = next_lines(self.agents.as_mut()) => News::AgentLines(lines),
            found = next_found(self.another.as_mut()) => News::Found(found),
        }
    }
}

impl Main {
    async fn next(&mut self) -> News {
        match self {
            Self::File(follow) => News::Lines(next_lines(Some(follow)).await),
            Self::Search(search) => News::Found(next_found(Some(search)).await),
            Self::Nowhere => std::future::pending().await,
        }
    }
}

/// What a search finds, once.
async fn next_found(search: Option<&mut Search>) -> Found {
    if let Some(search) = search.filter(|search| !search.found.is_terminated())
        && let Ok(found) = (&mut search.found).await
    {
        return found;
    }
    std::future::pending().await
}

async fn next_lines(follow: Option<&mut Follow>) -> Lines {
    if let Some(follow) = follow
        && let Some(lines) = follow.batches.recv().await
    {
        return lines;
    }
    std::future::pending().await
}

impl SessionTask {
    pub(super) async fn on_news(&mut self, news: News) {
        match news {
            News::Lines(lines) => self.on_lines(lines).await,
            // How far the conversation's own file was read does not change by it.
            News::AgentLines(lines) => {
                self.on_lines(Lines { offset: self.record.transcript_offset, ..lines }).await;
            }
            News::Found(found) => self.follow_conversation(found.id, found.file).await,
        }
    }

    /// What the CLI wrote down last is taken over before its session is over.
    pub(super) async fn hear_out(&mut self) {
        if matches!(self.source.main, Main::Nowhere) {
            return;
        }
        let ends = Instant::now() + HEAR_OUT;
        while let Ok(news) = timeout_at(ends.min(Instant::now() + SILENCE), self.source.next()).await {
            self.on_news(news).await;
        }
    }

    /// The session is in this conversation now: its file is read from the start, and what was said before stays.
    pub(super) async fn follow_conversation(&mut self, cli_session_id: String, transcript: PathBuf) {
        let same = self.record.transcript.as_ref() == Some(&transcript);
        if same && self.record.cli_session_id.as_ref() == Some(&cli_session_id) {
            return;
        }
        let begins_anew = self.record.transcript.is_some()
            && self.record.cli_session_id.as_ref().is_some_and(|known| *known != cli_session_id);
        let stored = self.store.set_conversation(self.record.id, cli_session_id.clone(), &transcript).await;
        if let Err(error) = stored {
            // It is followed all the same; after a restart it is looked for again.
            tracing::error!(%error, "cannot write down which conversation a session is in");
        }
        self.streaming.clear();
        self.record.cli_session_id = Some(cli_session_id.clone());
        self.record.transcript = Some(transcript);
        self.record.transcript_offset = 0;
        self.source = Source::of(&self.record, &self.transcripts, &self.shelves, &self.store, &self.pane);
        self.view.conversation = Some(cli_session_id);
        self.tell();
        if begins_anew {
            self.note("Another conversation begins here.".to_owned()).await;
        }
    }
}
