//! What is known of each pane between two looks: its counter, its paste mode, whether it is gone.
//!
//! Only panes of the tmux server that is connected are held here; when another one takes its place, all are gone. A pane's
//! entry is made by whoever meets it first, a caller or its first output, so that nothing it draws is missed.

use std::{
    collections::{HashMap, HashSet},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use adapters::screen::TtyMode;
use tokio::{
    sync::watch,
    time::{Duration, Instant},
};

use super::{paste::PasteWatch, rows::Row};
use crate::pane::{PaneIdentity, PasteMode};

/// How long a pane must have drawn nothing before its device is opened: by then tmux has read everything, also under load.
const TTY_QUIET: Duration = Duration::from_millis(100);

/// Which tmux server: ids of panes start again with every one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ServerId {
    /// Its process id.
    pub(super) pid: u32,
    /// When it was started, in seconds since the Unix epoch.
    pub(super) started: u64,
}

/// One pane.
#[derive(Debug)]
pub(super) struct PaneState {
    /// The server it lives in.
    pub(super) server: ServerId,
    /// Its number there: `%3` is 3.
    pub(super) number: u32,
    drawn: watch::Sender<u64>,
    gone: AtomicBool,
    /// True while a reason to look again is on its way.
    asks_later: AtomicBool,
    notes: Mutex<Notes>,
}

#[derive(Debug, Default)]
struct Notes {
    window: Option<u32>,
    paste: PasteWatch,
    /// The pane's summary at the last reconcile, and the counter then.
    summary: Option<(String, u64)>,
    /// When the pane drew last.
    last_output: Option<Instant>,
    /// How the line discipline was set when it was last asked.
    tty: Option<TtyMode>,
}

impl PaneState {
    fn new(server: ServerId, number: u32) -> Self {
        let (drawn, _) = watch::channel(0);
        let (gone, asks_later) = (AtomicBool::new(false), AtomicBool::new(false));
        Self { server, number, drawn, gone, asks_later, notes: Mutex::default() }
    }

    /// How tmux calls the pane.
    pub(super) fn target(&self) -> String {
        format!("%{}", self.number)
    }

    /// The name it has for everyone else.
    pub(super) fn identity(&self) -> PaneIdentity {
        PaneIdentity { server_pid: self.server.pid, server_started: self.server.started, pane: self.target() }
    }

    /// Counts whenever there is a reason to look.
    pub(super) fn drawn(&self) -> watch::Receiver<u64> {
        self.drawn.subscribe()
    }

    /// Gives a reason to look.
    pub(super) fn bump(&self) {
        self.drawn.send_modify(|count| *count += 1);
    }

    /// True once the pane is not there any more.
    pub(super) fn is_gone(&self) -> bool {
        self.gone.load(Ordering::Acquire)
    }

    /// Notes that it is not there any more.
    pub(super) fn set_gone(&self) {
        if !self.gone.swap(true, Ordering::AcqRel) {
            self.bump();
        }
    }

    /// Whether the program takes pastes as a block.
    pub(super) fn paste_mode(&self) -> PasteMode {
        self.notes().paste.mode()
    }

    /// Changes what is known of the paste mode.
    pub(super) fn paste_watch(&self, change: impl FnOnce(&mut PasteWatch)) {
        change(&mut self.notes().paste);
    }

    /// How the line discipline is set. It is asked only of a pane that has been quiet for a while: only a program
    /// that waits is read by it, and nobody's device is touched while it may be ending. Until then the last answer stands, and there will be a reason to look again when it is time to ask.
    pub(super) fn tty_mode(self: &Arc<Self>, ask: impl FnOnce() -> Option<TtyMode>) -> Option<TtyMode> {
        let begun = *self.notes().last_output.get_or_insert_with(Instant::now);
        let quiet_from = begun + TTY_QUIET;
        if Instant::now() >= quiet_from {
            let mode = ask();
            self.notes().tty = mode;
            return mode;
        }
        if !self.asks_later.swap(true, Ordering::AcqRel) {
            let pane = Arc::clone(self);
            tokio::spawn(async move {
                tokio::time::sleep_until(quiet_from).await;
                pane.asks_later.store(false, Ordering::Release);
                pane.bump();
            });
        }
        self.notes().tty
    }

    fn output(&self, data: &[u8]) {
        let mut notes = self.notes();
        notes.paste.feed(data);
        notes.last_output = Some(Instant::now());
        drop(notes);
        self.bump();
    }

    /// A changed summary without output in between means that output was missed, or that there is none to see.
    fn compare(&self, row: &Row) {
        let count = *self.drawn.borrow();
        let mut notes = self.notes();
        notes.window = Some(row.window);
        let missed = matches!(&notes.summary, Some((summary, then)) if *summary != row.summary && *then == count);
        if missed {
            self.bump();
        }
        notes.summary = Some((row.summary.clone(), *self.drawn.borrow()));
    }

    fn notes(&self) -> MutexGuard<'_, Notes> {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// All panes of the connected server.
#[derive(Debug, Default)]
pub(super) struct Registry {
    panes: Mutex<HashMap<u32, Arc<PaneState>>>,
}

impl Registry {
    /// The pane's entry, made if need be. One of another server is made apart from the others, and gone.
    pub(super) fn pane(&self, server: ServerId, number: u32) -> Arc<PaneState> {
        let mut panes = self.panes();
        let pane = panes.entry(number).or_insert_with(|| Arc::new(PaneState::new(server, number)));
        if pane.server == server {
            return Arc::clone(pane);
        }
        let stranger = PaneState::new(server, number);
        stranger.set_gone();
        Arc::new(stranger)
    }

    /// A pane drew something.
    pub(super) fn output(&self, server: ServerId, number: u32, data: &[u8]) {
        self.pane(server, number).output(data);
    }

    /// There is a reason to look at this pane.
    pub(super) fn bump(&self, number: u32) {
        if let Some(pane) = self.panes().get(&number) {
            pane.bump();
        }
    }

    /// There is a reason to look at the panes of this window.
    pub(super) fn bump_window(&self, window: u32) {
        self.panes().values().filter(|pane| pane.notes().window == Some(window)).for_each(|pane| pane.bump());
    }

    /// There is a reason to look at every pane, as after a gap in the connection.
    pub(super) fn bump_all(&self) {
        self.panes().values().for_each(|pane| pane.bump());
    }

    /// Another server is connected, or none: the panes of all others are gone.
    pub(super) fn keep_only(&self, server: Option<ServerId>) {
        self.panes().retain(|_, pane| keep(pane, Some(pane.server) == server));
    }

    /// Takes the list of all panes there are.
    pub(super) fn reconcile(&self, rows: &[Row]) {
        let there: HashSet<u32> = rows.iter().map(|row| row.pane).collect();
        let mut panes = self.panes();
        panes.retain(|number, pane| keep(pane, there.contains(number)));
        for row in rows {
            if let Some(pane) = panes.get(&row.pane) {
                pane.compare(row);
            }
        }
    }

    /// The pane was taken away.
    pub(super) fn remove(&self, pane: &PaneState) {
        self.panes().retain(|_, other| keep(other, other.server != pane.server || other.number != pane.number));
        pane.set_gone();
    }

    fn panes(&self) -> MutexGuard<'_, HashMap<u32, Arc<PaneState>>> {
        self.panes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn keep(pane: &PaneState, there: bool) -> bool {
    if !there {
        pane.set_gone();
    }
    there
}
