//! What is known of each pane between two looks: its counter, how its terminal is set, whether it is gone.
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

use adapters::screen::{Foreground, TtyMode};
use tokio::{
    sync::watch,
    time::{Duration, Instant},
};

use super::{frames::FrameScanner, rows::Row, snapshot::TerminalState};
use crate::pane::{Drawn, PaneIdentity};

/// How long a pane must have drawn nothing before its device is opened: by then tmux has read everything, also under load.
const TTY_QUIET: Duration = Duration::from_millis(100);

/// The longest that a program which did something else may wait for its terminal before that is seen.
const ELSEWHERE_LIMIT: Duration = Duration::from_secs(3);

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
    drawn: watch::Sender<Drawn>,
    gone: AtomicBool,
    /// True while a reason to look again is on its way.
    asks_later: AtomicBool,
    /// True while a look at a program is planned that did not wait for its terminal.
    watches: AtomicBool,
    notes: Mutex<Notes>,
}

#[derive(Debug, Default)]
struct Notes {
    window: Option<u32>,
    frames: FrameScanner,
    /// The pane's summary at the last reconcile, and the counter then.
    summary: Option<(String, u64)>,
    /// When the pane drew last.
    last_output: Option<Instant>,
    /// How the line discipline was set when it was last asked.
    tty: Option<TtyMode>,
}

impl PaneState {
    fn new(server: ServerId, number: u32) -> Self {
        let (drawn, _) = watch::channel(Drawn::default());
        let (gone, asks_later, watches) = Default::default();
        Self { server, number, drawn, gone, asks_later, watches, notes: Mutex::default() }
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
    pub(super) fn drawn(&self) -> watch::Receiver<Drawn> {
        self.drawn.subscribe()
    }

    /// Gives a reason to look.
    pub(super) fn bump(&self) {
        self.drawn.send_modify(Drawn::again);
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

    /// How the line discipline is set, and what its foreground waits for. It is asked only of a pane that has been quiet for a
    /// while: only a program that waits is read by it, and nobody's device is touched while it may be ending. Until then the
    /// last mode stands, and there will be a reason to look again when it is time to ask. A program that does not wait for its
    /// terminal may begin to without drawing anything, so it is looked at again now and then.
    pub(super) fn terminal(self: &Arc<Self>, ask: impl FnOnce() -> TerminalState) -> TerminalState {
        let begun = *self.notes().last_output.get_or_insert_with(Instant::now);
        let quiet_from = begun + TTY_QUIET;
        let now = Instant::now();
        if now >= quiet_from {
            let state = ask();
            self.notes().tty = state.mode;
            if state.foreground == Some(Foreground::Elsewhere) {
                let then = now + ((now - begun) / 4).clamp(TTY_QUIET, ELSEWHERE_LIMIT);
                self.look_at(then, |pane| &pane.watches);
            }
            return state;
        }
        self.look_at(quiet_from, |pane| &pane.asks_later);
        TerminalState { mode: self.notes().tty, foreground: None }
    }

    /// Gives one reason to look again then; `planned` is whether one is on its way.
    fn look_at(self: &Arc<Self>, then: Instant, planned: fn(&Self) -> &AtomicBool) {
        if !planned(self).swap(true, Ordering::AcqRel) {
            let pane = Arc::clone(self);
            tokio::spawn(async move {
                tokio::time::sleep_until(then).await;
                planned(&pane).store(false, Ordering::Release);
                pane.bump();
            });
        }
    }

    fn output(&self, data: &[u8]) {
        let mut notes = self.notes();
        notes.last_output = Some(Instant::now());
        let frame_ended = notes.frames.feed(data);
        drop(notes);
        self.drawn.send_modify(if frame_ended { Drawn::again_at_frame_end } else { Drawn::again });
    }

    /// A changed summary without output in between means that output was missed, or that there is none to see.
    fn compare(&self, row: &Row) {
        let count = self.drawn.borrow().count;
        let mut notes = self.notes();
        notes.window = Some(row.window);
        let missed = matches!(&notes.summary, Some((summary, then)) if *summary != row.summary && *then == count);
        if missed {
            self.bump();
        }
        notes.summary = Some((row.summary.clone(), self.drawn.borrow().count));
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
