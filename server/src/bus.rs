//! The bus: every event passes here once, gets its number, and goes to every subscriber.
//!
//! Subscribers inside the server get typed events. The frame that goes to the phones is encoded by the first connection that
//! needs it ([`Published::frame`]) and shared by the others: the bus itself knows nothing of sockets.
//! The board, that is the state a newcomer gets as a snapshot, is kept under the same lock that gives out the numbers, so a
//! snapshot and the events after it always fit together.

#[cfg(test)]
mod tests;

use std::{
    collections::{BTreeMap, VecDeque},
    ops::Deref,
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError},
};

use bytes::Bytes;
use shared_types::{
    AdapterInfo, Alert, AlertId, AlertKind, Event, PendingPrompt, PromptId, RulesStatus, SequencedEvent, Session,
    SessionId, SessionState, Snapshot,
};
use tokio::sync::broadcast;
use uuid::Uuid;

use crate::{clock::now_millis, metrics::Counters};

/// How many events a connection may lag behind. One that lags further is dropped and comes back for a snapshot; others
/// never wait for it.
const QUEUE: usize = 1024;
/// How many past events are kept for phones that come back; one that missed more gets a snapshot. Long enough for a tunnel.
const HISTORY: usize = 2048;
/// How many bytes those may take together, so that a few huge messages cannot fill the memory.
const HISTORY_BYTES: usize = 4 << 20;

/// How many alerts a page that comes later is still told; a further one replaces the oldest.
const ALERTS: usize = 20;

/// An event on its way to all subscribers. It derefs to the [`SequencedEvent`] itself.
#[derive(Debug)]
pub struct Published {
    event: SequencedEvent,
    /// How long it is as JSON.
    size: usize,
    frame: OnceLock<Bytes>,
}

impl Published {
    /// The event as a frame, encoded by whoever needs it first.
    pub fn frame(&self, encode: impl FnOnce(&SequencedEvent) -> Bytes) -> Bytes {
        self.frame.get_or_init(|| encode(&self.event)).clone()
    }
}

impl Deref for Published {
    type Target = SequencedEvent;

    fn deref(&self) -> &SequencedEvent {
        &self.event
    }
}

/// What brings a page up to date.
#[derive(Debug)]
pub enum CatchUp {
    /// The events it missed, in their order.
    Missed(Vec<Arc<Published>>),
    /// It has seen nothing yet, or missed too much.
    Snapshot {
        /// The last event that is already in it.
        seq: u64,
        /// Everything as it is now.
        snapshot: Snapshot,
    },
}

/// Numbers events, remembers the recent ones, and sends them to everybody.
pub struct Bus {
    epoch: Uuid,
    inner: Mutex<Inner>,
    counters: Counters,
    sender: broadcast::Sender<Arc<Published>>,
}

struct Inner {
    seq: u64,
    history: VecDeque<Arc<Published>>,
    history_bytes: usize,
    board: Board,
}

/// Everything as it is now: the fold of all events.
#[derive(Default)]
struct Board {
    sessions: BTreeMap<SessionId, Session>,
    prompts: BTreeMap<PromptId, PendingPrompt>,
    adapters: Vec<AdapterInfo>,
    alerts: VecDeque<Alert>,
    rules: Option<RulesStatus>,
}

impl Bus {
    /// A bus with nothing on its board but the adapters.
    #[must_use]
    pub fn new(adapters: Vec<AdapterInfo>) -> Self {
        let board = Board { adapters, ..Board::default() };
        let inner = Inner { seq: 0, history: VecDeque::new(), history_bytes: 0, board };
        let sender = broadcast::Sender::new(QUEUE);
        Self { epoch: Uuid::new_v4(), inner: Mutex::new(inner), counters: Counters::new(), sender }
    }

    /// This run of the server.
    #[must_use]
    pub fn epoch(&self) -> Uuid {
        self.epoch
    }

    /// Publishes an event.
    pub fn publish(&self, event: Event) {
        let size = json_size(&event);
        self.send(&mut self.lock(), event, size);
    }

    /// Changes a session's view and publishes it, both under the lock: no event of another task gets in between. False, and
    /// nothing happens, when the session is not on the board.
    pub fn update(&self, id: SessionId, change: impl FnOnce(&mut Session)) -> bool {
        let mut inner = self.lock();
        let Some(mut session) = inner.board.sessions.get(&id).cloned() else { return false };
        change(&mut session);
        let event = Event::Session { session };
        let size = json_size(&event);
        self.send(&mut inner, event, size);
        true
    }

    /// Sends under the lock, so that no two events overtake each other.
    fn send(&self, inner: &mut Inner, event: Event, size: usize) {
        self.counters.on_event(&event, now_millis());
        inner.board.apply(&event);
        inner.seq += 1;
        let event = SequencedEvent { seq: inner.seq, event };
        let published = Arc::new(Published { event, size, frame: OnceLock::new() });
        inner.keep(Arc::clone(&published));
        // Nobody listening is no fault.
        let _ = self.sender.send(published);
    }

    /// Tells everybody of something that the owner should have done, and nobody else.
    pub fn alert(&self, what: AlertKind) {
        let alert = Alert { id: AlertId(Uuid::now_v7()), at: now_millis(), what };
        self.publish(Event::Alert { alert });
    }

    /// Begins to listen: what brings a page up to date, and everything from then on. `seen` is an epoch and the last number
    /// seen in it.
    pub fn subscribe(&self, seen: Option<(Uuid, u64)>) -> (CatchUp, broadcast::Receiver<Arc<Published>>) {
        self.counters.on_connection(seen.is_some());
        let inner = self.lock();
        let receiver = self.sender.subscribe();
        let missed = seen.filter(|(epoch, _)| *epoch == self.epoch).and_then(|(_, seq)| inner.since(seq));
        let catch_up = missed
            .map_or_else(|| CatchUp::Snapshot { seq: inner.seq, snapshot: inner.board.snapshot() }, CatchUp::Missed);
        (catch_up, receiver)
    }

    /// What is counted of all that passes here.
    #[must_use]
    pub fn counters(&self) -> &Counters {
        &self.counters
    }

    /// How many sessions run, how many prompts wait, and how many listen.
    #[must_use]
    pub fn levels(&self) -> (u64, u64, u64) {
        let inner = self.lock();
        let runs = |session: &&Session| !matches!(session.state, SessionState::Ended { .. });
        let running = inner.board.sessions.values().filter(runs).count();
        (running as u64, inner.board.prompts.len() as u64, self.sender.receiver_count() as u64)
    }

    /// Begins to listen to what happens from now on.
    pub fn listen(&self) -> broadcast::Receiver<Arc<Published>> {
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
    fn keep(&mut self, published: Arc<Published>) {
        self.history_bytes += published.size;
        self.history.push_back(published);
        while self.history.len() > HISTORY || self.history_bytes > HISTORY_BYTES {
            let Some(oldest) = self.history.pop_front() else { break };
            self.history_bytes -= oldest.size;
        }
    }

    /// The events after `seq`, or nothing when some of them are no longer kept or `seq` is from the future.
    fn since(&self, seq: u64) -> Option<Vec<Arc<Published>>> {
        let missing = usize::try_from(self.seq.checked_sub(seq)?).ok()?;
        let skip = self.history.len().checked_sub(missing)?;
        Some(self.history.iter().skip(skip).cloned().collect())
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
            Event::Alert { alert } => {
                if self.alerts.len() == ALERTS {
                    self.alerts.pop_front();
                }
                self.alerts.push_back(alert.clone());
            }
            Event::Rules { status } => self.rules = Some(status.clone()),
            Event::Adapters { adapters } => self.adapters.clone_from(adapters),
            Event::Message { .. } | Event::MessageDelta { .. } | Event::ManyMessages { .. } => {}
        }
    }

    fn snapshot(&self) -> Snapshot {
        Snapshot {
            sessions: self.sessions.values().cloned().collect(),
            prompts: self.prompts.values().cloned().collect(),
            adapters: self.adapters.clone(),
            alerts: self.alerts.iter().cloned().collect(),
            rules: self.rules.clone(),
        }
    }
}

/// How long an event is as JSON, without making it: many events are published while no phone is there.
fn json_size(event: &Event) -> usize {
    struct Count(usize);
    impl std::io::Write for Count {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0 += bytes.len();
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let mut count = Count(0);
    // The wire types hold no map with keys that are not strings, the one thing that could fail here.
    let _ = serde_json::to_writer(&mut count, event);
    count.0
}
