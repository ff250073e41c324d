//! The bus: every event passes here once, gets its number, and goes to every connection.
//!
//! The board, that is the state a newcomer gets as a snapshot, is kept under the same lock that gives out the numbers, so a
//! snapshot and the events after it always fit together. Each event is written as JSON once, however many phones there are.

#[cfg(test)]
mod tests;

use std::{
    collections::{BTreeMap, VecDeque},
    sync::{Mutex, MutexGuard, PoisonError},
};

use axum::extract::ws::Utf8Bytes;
use shared_types::{
    AdapterInfo, Event, PendingPrompt, PromptId, SequencedEvent, ServerMessage, Session, SessionId, Snapshot,
};
use tokio::sync::broadcast;
use uuid::Uuid;

/// How many events a connection may lag behind. One that lags further is dropped and comes back for a snapshot; others
/// never wait for it.
const QUEUE: usize = 1024;
/// How many past events are kept for phones that come back; one that missed more gets a snapshot. Long enough for a tunnel.
const HISTORY: usize = 2048;
/// How many bytes those may take together, so that a few huge messages cannot fill the memory.
const HISTORY_BYTES: usize = 4 << 20;

/// An event on its way to the phones, already written as a frame.
#[derive(Debug, Clone)]
pub struct Published {
    /// Its number.
    pub seq: u64,
    /// The whole [`ServerMessage::Event`] as JSON.
    pub frame: Utf8Bytes,
}

/// Numbers events, remembers the recent ones, and sends them to everybody.
pub struct Bus {
    epoch: Uuid,
    inner: Mutex<Inner>,
    sender: broadcast::Sender<Published>,
}

struct Inner {
    seq: u64,
    history: VecDeque<Published>,
    history_bytes: usize,
    board: Board,
}

/// Everything as it is now: the fold of all events.
#[derive(Default)]
struct Board {
    sessions: BTreeMap<SessionId, Session>,
    prompts: BTreeMap<PromptId, PendingPrompt>,
    adapters: Vec<AdapterInfo>,
}

impl Bus {
    /// A bus with nothing on its board but the adapters.
    #[must_use]
    pub fn new(adapters: Vec<AdapterInfo>) -> Self {
        let board = Board { adapters, ..Board::default() };
        let inner = Inner { seq: 0, history: VecDeque::new(), history_bytes: 0, board };
        Self { epoch: Uuid::new_v4(), inner: Mutex::new(inner), sender: broadcast::Sender::new(QUEUE) }
    }

    /// This run of the server.
    #[must_use]
    pub fn epoch(&self) -> Uuid {
        self.epoch
    }

    /// Tells everybody.
    pub fn publish(&self, event: Event) {
        let mut inner = self.lock();
        inner.board.apply(&event);
        inner.seq += 1;
        let message = ServerMessage::Event(SequencedEvent { seq: inner.seq, event });
        let published = Published { seq: inner.seq, frame: to_frame(&message) };
        inner.history_bytes += published.frame.len();
        inner.history.push_back(published.clone());
        while inner.history.len() > HISTORY || inner.history_bytes > HISTORY_BYTES {
            let Some(oldest) = inner.history.pop_front() else { break };
            inner.history_bytes -= oldest.frame.len();
        }
        // Sent under the lock, so that no two events overtake each other; nobody listening is no fault.
        let _ = self.sender.send(published);
    }

    /// Begins to listen: the frames that bring a page up to date, and everything from then on. `seen` is an epoch and the last
    /// number seen in it; a page that missed too much, or has seen nothing yet, gets one snapshot.
    pub fn subscribe(&self, seen: Option<(Uuid, u64)>) -> (Vec<Utf8Bytes>, broadcast::Receiver<Published>) {
        let inner = self.lock();
        let receiver = self.sender.subscribe();
        let missed = seen.filter(|(epoch, _)| *epoch == self.epoch).and_then(|(_, seq)| inner.since(seq));
        let frames = missed.unwrap_or_else(|| {
            vec![to_frame(&ServerMessage::Snapshot { seq: inner.seq, snapshot: inner.board.snapshot() })]
        });
        (frames, receiver)
    }

    /// Begins to listen to what happens from now on.
    pub fn listen(&self) -> broadcast::Receiver<Published> {
        self.sender.subscribe()
    }

    /// A session as it was last told.
    #[must_use]
    pub fn session(&self, id: SessionId) -> Option<Session> {
        self.lock().board.sessions.get(&id).cloned()
    }

    /// All sessions as they were last told.
    #[must_use]
    pub fn sessions(&self) -> Vec<Session> {
        self.lock().board.sessions.values().cloned().collect()
    }

    /// A prompt that waits, as it was last told.
    #[must_use]
    pub fn prompt(&self, id: PromptId) -> Option<PendingPrompt> {
        self.lock().board.prompts.get(&id).cloned()
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        // The board is only ever changed by whole, panic-free steps, so it is sound even after a panic elsewhere.
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inner {
    /// The events after `seq`, or nothing when some of them are no longer kept or `seq` is from the future.
    fn since(&self, seq: u64) -> Option<Vec<Utf8Bytes>> {
        let missing = usize::try_from(self.seq.checked_sub(seq)?).ok()?;
        let skip = self.history.len().checked_sub(missing)?;
        Some(self.history.iter().skip(skip).map(|published| published.frame.clone()).collect())
    }
}

impl Board {
    fn apply(&mut self, event: &Event) {
        match event {
            Event::Session { session } => {
                self.sessions.insert(session.id, session.clone());
            }
            Event::SessionForgotten { session_id } => {
                self.sessions.remove(session_id);
            }
            Event::Prompt { prompt } => {
                let progress = self.prompts.remove(&prompt.request_id).and_then(|pending| pending.progress);
                self.prompts.insert(prompt.request_id, PendingPrompt { prompt: prompt.clone(), progress });
            }
            Event::PromptProgress { progress } => {
                if let Some(pending) = self.prompts.get_mut(&progress.request_id) {
                    pending.progress = Some(progress.clone());
                }
            }
            Event::PromptClosed { request_id, .. } => {
                self.prompts.remove(request_id);
            }
            Event::Adapters { adapters } => self.adapters.clone_from(adapters),
            Event::Message { .. } | Event::MessageDelta { .. } | Event::ManyMessages { .. } => {}
        }
    }

    fn snapshot(&self) -> Snapshot {
        Snapshot {
            sessions: self.sessions.values().cloned().collect(),
            prompts: self.prompts.values().cloned().collect(),
            adapters: self.adapters.clone(),
        }
    }
}

/// A message as a text frame.
#[must_use]
pub fn to_frame(message: &ServerMessage) -> Utf8Bytes {
    // The wire types hold no map with keys that are not strings, the one thing that could fail here.
    serde_json::to_string(message).unwrap_or_default().into()
}
