//! Where a session's conversation comes from: a file that is followed, or one that is still looked for.

use std::sync::Arc;

use adapters::adapter_for;

use crate::{
    conversations::{Found, SLACK, Search, Shelves, Wanted},
    pace::Pace,
    pane::Pane,
    store::{SessionRecord, Store},
    transcripts::{Follow, Lines, Transcripts},
};

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
#[derive(Debug)]
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

    /// True when there is nothing but the screen.
    pub(super) fn is_nowhere(&self) -> bool {
        matches!(self.main, Main::Nowhere)
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
