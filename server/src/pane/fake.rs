//! A terminal in memory, for tests: what panes show is set, what is pressed is seen.
//!
//! A [`FakePane`] is driven from outside: [`FakePane::show`] draws, [`FakePane::react`] answers keys the way a program
//! would, [`FakePane::exit`], [`FakePane::fail`], [`FakePane::fail_next_press`], [`FakePane::reconnect`] and
//! [`FakePane::vanish`] let things go wrong. Every change is told through [`Pane::drawn`], as tmux does.

#[cfg(test)]
mod tests;

use std::{
    collections::VecDeque,
    path::PathBuf,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

use adapters::{
    Capture, Keystroke,
    screen::{Cursor, Exit, TtyMode},
};
use async_trait::async_trait;
use shared_types::SessionId;
use tokio::sync::watch;

use super::{Captured, Drawn, FoundPane, Generation, Pane, PaneError, PaneIdentity, PaneSpec, Press, Terminal};

/// What a fake program does with a key: it changes what its pane shows.
pub type Reaction = Box<dyn FnMut(&Keystroke, &mut Capture) + Send>;
/// What happens to each pane that is opened.
pub type Opening = Box<dyn FnMut(&PaneSpec, &FakePane) + Send>;

/// How a press goes wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PressFault {
    /// The terminal server says no: [`Press::NotPressed`].
    Refused(PaneError),
    /// The keys arrive and the reply is lost: [`Press::Unknown`].
    LostButArrives,
    /// The keys are lost, and nobody can tell: [`Press::Unknown`].
    LostOnTheWay,
}

/// A terminal server in memory.
#[derive(Default)]
pub struct FakeTerminal {
    state: Mutex<TerminalState>,
}

#[derive(Default)]
struct TerminalState {
    panes: Vec<(PaneSpec, Arc<FakePane>)>,
    failures: VecDeque<PaneError>,
    opening: Option<Opening>,
}

impl FakeTerminal {
    /// A terminal server without panes.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets what happens to each pane that is opened from now on, such as drawing its first screen.
    pub fn on_open(&self, opening: impl FnMut(&PaneSpec, &FakePane) + Send + 'static) {
        self.state().opening = Some(Box::new(opening));
    }

    /// Lets the next [`Terminal::open`] or [`Terminal::find`] fail.
    pub fn fail_next(&self, error: PaneError) {
        self.state().failures.push_back(error);
    }

    /// Everything that was opened, in order, what is gone by now included.
    pub fn opened(&self) -> Vec<PaneSpec> {
        self.state().panes.iter().map(|(spec, _)| spec.clone()).collect()
    }

    /// The pane that was last opened for a session.
    pub fn pane(&self, session: SessionId) -> Option<Arc<FakePane>> {
        let state = self.state();
        state.panes.iter().rev().find(|(spec, _)| spec.session == session).map(|(_, pane)| Arc::clone(pane))
    }

    fn state(&self) -> MutexGuard<'_, TerminalState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl Terminal for FakeTerminal {
    async fn open(&self, spec: PaneSpec) -> Result<Arc<dyn Pane>, PaneError> {
        let mut state = self.state();
        if let Some(error) = state.failures.pop_front() {
            return Err(error);
        }
        let there = |(other, pane): &(PaneSpec, Arc<FakePane>)| other.session == spec.session && !pane.is_gone();
        if state.panes.iter().any(there) {
            return Err(PaneError::Refused("the session has a pane already".into()));
        }
        let pane = Arc::new(FakePane::new(spec.cols, spec.rows));
        state.panes.push((spec.clone(), Arc::clone(&pane)));
        // Called without the lock, so that it may ask the terminal.
        let opening = state.opening.take();
        drop(state);
        if let Some(mut opening) = opening {
            opening(&spec, &pane);
            self.state().opening.get_or_insert(opening);
        }
        Ok(pane)
    }

    async fn find(&self) -> Result<Vec<FoundPane>, PaneError> {
        let mut state = self.state();
        if let Some(error) = state.failures.pop_front() {
            return Err(error);
        }
        let there = state.panes.iter().filter(|(_, pane)| !pane.is_gone());
        Ok(there.map(|(spec, pane)| FoundPane { session: spec.session, pane: Arc::clone(pane) as _ }).collect())
    }

    fn attach_command(&self, session: SessionId) -> Vec<String> {
        vec!["attach-fake".into(), session.0.to_string()]
    }
}

/// A pane in memory.
pub struct FakePane {
    identity: PaneIdentity,
    drawn: watch::Sender<Drawn>,
    state: Mutex<PaneState>,
}

struct PaneState {
    capture: Capture,
    pressed: Vec<Keystroke>,
    reaction: Option<Reaction>,
    open_files: Vec<PathBuf>,
    processes: Vec<i32>,
    failure: Option<PaneError>,
    /// What happens to the next presses.
    faults: VecDeque<PressFault>,
    generation: Generation,
}

impl FakePane {
    /// An empty pane of this size, with a program that takes single keys.
    #[must_use]
    pub fn new(cols: u16, rows: u16) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let pane = format!("%{}", NEXT.fetch_add(1, Ordering::Relaxed));
        let cursor = Cursor { visible: true, ..Cursor::default() };
        let tty = Some(TtyMode { echo: false, canonical: false });
        Self {
            identity: PaneIdentity { server_pid: 1, server_started: 0, pane },
            drawn: watch::channel(Drawn::default()).0,
            state: Mutex::new(PaneState {
                capture: Capture { cols, rows, cursor, tty, ..Capture::default() },
                pressed: Vec::new(),
                reaction: None,
                open_files: Vec::new(),
                processes: Vec::new(),
                failure: None,
                faults: VecDeque::new(),
                generation: Generation(1),
            }),
        }
    }

    /// Draws this text, SGR codes and all, in place of what was shown.
    pub fn show(&self, text: &str) {
        self.change(|capture| text.clone_into(&mut capture.text));
    }

    /// Draws this text as a frame of synchronized output.
    pub fn show_frame(&self, text: &str) {
        text.clone_into(&mut self.state().capture.text);
        self.drawn.send_modify(Drawn::again_at_frame_end);
    }

    /// Changes anything about what the pane shows.
    pub fn change(&self, change: impl FnOnce(&mut Capture)) {
        change(&mut self.state().capture);
        self.bump();
    }

    /// Sets what the program does with each key.
    pub fn react(&self, reaction: impl FnMut(&Keystroke, &mut Capture) + Send + 'static) {
        self.state().reaction = Some(Box::new(reaction));
    }

    /// Sets which files the program holds open; something is drawn then, as programs do when they turn to another file.
    pub fn hold_open(&self, files: Vec<PathBuf>) {
        self.state().open_files = files;
        self.bump();
    }

    /// Sets which processes the program is.
    pub fn run_as(&self, processes: Vec<i32>) {
        self.state().processes = processes;
    }

    /// Everything pressed so far.
    pub fn pressed(&self) -> Vec<Keystroke> {
        self.state().pressed.clone()
    }

    /// Everything pressed since this was last asked.
    pub fn take_pressed(&self) -> Vec<Keystroke> {
        std::mem::take(&mut self.state().pressed)
    }

    /// Ends the program; its last screen stays.
    pub fn exit(&self, status: i32) {
        self.change(|capture| {
            capture.exit = Some(Exit { status: Some(status) });
            capture.tty = None;
        });
    }

    /// Lets every look and key fail with this, until [`FakePane::recover`].
    pub fn fail(&self, error: PaneError) {
        self.state().failure = Some(error);
        self.bump();
    }

    /// The terminal server answers again.
    pub fn recover(&self) {
        self.state().failure = None;
        self.bump();
    }

    /// Lets the next press go wrong; said several times, each is for one press, in order.
    pub fn fail_next_press(&self, fault: PressFault) {
        self.state().faults.push_back(fault);
    }

    /// The connection was lost and made again: keys that were checked before are not pressed any more.
    pub fn reconnect(&self) {
        self.state().generation.0 += 1;
        self.bump();
    }

    /// The connection there is now.
    #[must_use]
    pub fn generation(&self) -> Generation {
        self.state().generation
    }

    /// Takes the pane away for ever.
    pub fn vanish(&self) {
        self.fail(PaneError::Gone);
    }

    /// Whether the pane was taken away.
    #[must_use]
    pub fn is_gone(&self) -> bool {
        self.state().failure == Some(PaneError::Gone)
    }

    fn bump(&self) {
        self.drawn.send_modify(Drawn::again);
    }

    fn state(&self) -> MutexGuard<'_, PaneState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl Pane for FakePane {
    async fn capture(&self) -> Result<Captured, PaneError> {
        let state = self.state();
        let captured = || Captured { capture: state.capture.clone(), generation: state.generation };
        state.failure.clone().map_or_else(|| Ok(captured()), Err)
    }

    async fn press(&self, keys: &[Keystroke], checked_on: Option<Generation>) -> Press {
        let mut guard = self.state();
        let state = &mut *guard;
        if let Some(error) = state.failure.clone() {
            return Press::NotPressed(error);
        }
        if checked_on.is_some_and(|generation| generation != state.generation) {
            return Press::NotPressed(PaneError::Unavailable("the connection was renewed".into()));
        }
        if state.capture.exit.is_some() {
            return Press::NotPressed(PaneError::Refused("the program has ended".into()));
        }
        let lost = || Press::Unknown(PaneError::Unavailable("the reply was lost".into()));
        let outcome = match state.faults.pop_front() {
            Some(PressFault::Refused(error)) => return Press::NotPressed(error),
            Some(PressFault::LostOnTheWay) => return lost(),
            Some(PressFault::LostButArrives) => lost(),
            None => Press::Pressed,
        };
        for key in keys {
            state.pressed.push(key.clone());
            if let Some(reaction) = &mut state.reaction {
                reaction(key, &mut state.capture);
            }
        }
        drop(guard);
        self.bump();
        outcome
    }

    async fn kill(&self) -> Result<(), PaneError> {
        self.vanish();
        Ok(())
    }

    fn drawn(&self) -> watch::Receiver<Drawn> {
        self.drawn.subscribe()
    }

    fn identity(&self) -> PaneIdentity {
        self.identity.clone()
    }

    async fn open_files(&self) -> Vec<PathBuf> {
        self.state().open_files.clone()
    }

    async fn processes(&self) -> Vec<i32> {
        self.state().processes.clone()
    }
}
