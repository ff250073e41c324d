//! Where sessions are played: a terminal in memory, a store in a folder of its own, and everything the bus tells, kept for
//! looking back.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use adapters::{
    Capture, Keystroke,
    keys::NamedKey,
    screen::{Cursor, TtyMode},
};
use serde_json::Value;
use shared_types::{
    Actor, AdapterKind, AnswerStep, DeviceId, ErrorCode, Event, InteractivePrompt, PermissionMode, PromptId,
    PromptOutcome, PromptResponse, SessionId, SessionState, StartSession,
};
use tempfile::TempDir;
use tokio::{
    sync::{broadcast, oneshot},
    time::{Instant, timeout_at},
};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::{
    bus::{Bus, Published},
    clock::now_millis,
    conversations::Shelves,
    hooks::Arrived,
    pane::{
        PaneSpec, Terminal,
        fake::{FakePane, FakeTerminal},
    },
    rules::Rules,
    sessions::{SessionError, Sessions, World, task::Request},
    store::{SessionRecord, Store},
    transcripts::Transcripts,
};

/// How long anything may take before the test gives up. Nothing takes that long: the longest wait of the product is 8 s.
pub(super) const LIMIT: Duration = Duration::from_secs(30);

/// What becomes of sessions whose terminal is gone.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Lost {
    StayEnded,
    GoOn,
}

/// A run of the server's inner part.
pub(super) struct Stage {
    pub(super) folder: TempDir,
    pub(super) terminal: Arc<FakeTerminal>,
    /// What the sessions see of it.
    seen_as: Arc<dyn Terminal>,
    pub(super) store: Store,
    pub(super) bus: Arc<Bus>,
    pub(super) sessions: Arc<Sessions>,
    pub(super) rules: Arc<Rules>,
    stop: CancellationToken,
    events: broadcast::Receiver<Arc<Published>>,
    /// Every event of this run so far.
    pub(super) told: Vec<Event>,
}

impl Stage {
    pub(super) fn new() -> Self {
        let terminal = Arc::new(FakeTerminal::new());
        Self::with(Arc::clone(&terminal), terminal)
    }

    /// With a terminal that stands between the sessions and the one in memory.
    pub(super) fn with(terminal: Arc<FakeTerminal>, seen_as: Arc<dyn Terminal>) -> Self {
        Self::build(tempfile::tempdir().expect("a folder"), terminal, seen_as, Lost::StayEnded)
    }

    fn build(folder: TempDir, terminal: Arc<FakeTerminal>, seen_as: Arc<dyn Terminal>, lost: Lost) -> Self {
        let store = Store::open(folder.path()).expect("a store");
        let bus = Arc::new(Bus::new(Vec::new()));
        let events = bus.listen();
        let rules = Rules::new(store.clone(), Arc::clone(&bus), folder.path().join("rules.toml"));
        let world = World {
            hook_socket: None,
            resume_lost: lost == Lost::GoOn,
            terminal: Arc::clone(&seen_as),
            store: store.clone(),
            bus: Arc::clone(&bus),
            transcripts: Transcripts::new(),
            shelves: Shelves::below(folder.path()),
            folder: folder.path().join("sessions"),
            answerback: "/opt/answerback".into(),
            own_prompts: tokio::sync::watch::channel(Default::default()).1,
            rules: Arc::clone(&rules),
            expiry: Default::default(),
        };
        let stop = CancellationToken::new();
        let sessions = Sessions::new(world, stop.clone());
        Self { folder, terminal, seen_as, store, bus, sessions, rules, stop, events, told: Vec::new() }
    }

    /// Stops the server; the panes go on.
    pub(super) async fn stop(&self) {
        self.stop.cancel();
        self.sessions.stopped().await;
    }

    /// Another server in the same place, before it has taken up anything.
    pub(super) async fn next_run(self) -> Self {
        self.stop().await;
        Self::build(self.folder, self.terminal, self.seen_as, Lost::StayEnded)
    }

    /// The machine is started anew: no pane is left, and the server is started with these intentions.
    pub(super) async fn reboot(self, lost: Lost) -> Self {
        self.stop().await;
        for spec in self.terminal.opened() {
            self.pane(spec.session).vanish();
        }
        let next = Self::build(self.folder, self.terminal, self.seen_as, lost);
        next.sessions.recover().await.expect("taking up");
        next
    }

    /// Stops the server and starts another in the same place.
    pub(super) async fn restart(self) -> Self {
        let next = self.next_run().await;
        next.sessions.recover().await.expect("taking up");
        next
    }

    /// Starts a session whose pane shows this from the start.
    pub(super) async fn start(&self, adapter: AdapterKind, capture: Capture) -> (SessionId, Arc<FakePane>) {
        self.terminal.on_open(move |_, pane| pane.draw(&capture));
        let id = self.sessions.start(wish(adapter), shared_types::Actor::Desk).await.expect("a session");
        (id, self.pane(id))
    }

    /// Starts the demo agent with one of its captured screens, and waits until the session is in a state.
    pub(super) async fn start_demo(&mut self, screen: &str, state: &SessionState) -> (SessionId, Arc<FakePane>) {
        let (id, pane) = self.start(AdapterKind::new("demo"), demo(screen)).await;
        self.wait_state(id, state).await;
        (id, pane)
    }

    /// Starts the demo agent where it asks whether it may run a command.
    pub(super) async fn start_asking(&mut self) -> (SessionId, Arc<FakePane>, InteractivePrompt) {
        let (id, pane) = self.start(AdapterKind::new("demo"), demo("command")).await;
        let prompt = self.wait_prompt(id).await;
        (id, pane, prompt)
    }

    /// A session of a CLI that need not be installed and is ready, found running as after a restart.
    pub(super) async fn running(&self, adapter: AdapterKind, transcript: Option<PathBuf>) -> SessionId {
        let id = SessionId(Uuid::now_v7());
        let record = SessionRecord {
            id,
            name: "running".to_owned(),
            adapter,
            folder: "/".into(),
            command: Vec::new(),
            mode: Some(PermissionMode::Ask),
            cli_session_id: None,
            transcript,
            transcript_offset: 0,
            pane: None,
            usage: None,
            created_at: now_millis(),
            ended: None,
        };
        self.store.add_session(record, None, Vec::new()).await.expect("a session");
        let spec = PaneSpec { session: id, argv: Vec::new(), env: Vec::new(), folder: "/".into(), cols: 120, rows: 40 };
        self.terminal.open(spec).await.expect("a pane");
        self.pane(id).draw(&captured("claude/screens/ready-2.1.325-80x24"));
        id
    }

    /// A hook of a session's CLI arrives, and gets what it is told.
    pub(super) fn hook(&self, session: SessionId, id: Uuid, payload: Value) -> oneshot::Receiver<String> {
        let (reply, told) = oneshot::channel();
        let handle = self.sessions.handle(session).expect("it runs");
        assert!(handle.requests.try_send(Request::Hook(Arrived { id, payload, reply })).is_ok(), "the session listens");
        told
    }

    pub(super) fn pane(&self, session: SessionId) -> Arc<FakePane> {
        self.terminal.pane(session).expect("a pane")
    }

    /// Answers a prompt of this stage from a phone.
    pub(super) async fn respond(&self, response: PromptResponse, phone: &str) -> Result<(), SessionError> {
        self.sessions.respond(response, device(phone)).await
    }

    /// Waits for something among everything that was told in this run.
    pub(super) async fn wait<T>(&mut self, what: &str, pick: impl Fn(&Event) -> Option<T>) -> T {
        let ends = Instant::now() + LIMIT;
        let mut at = 0;
        loop {
            while let Some(event) = self.told.get(at) {
                at += 1;
                if let Some(found) = pick(event) {
                    return found;
                }
            }
            self.listen(what, ends).await;
        }
    }

    /// Waits until a session is in a state; it may be already.
    pub(super) async fn wait_state(&mut self, session: SessionId, state: &SessionState) {
        let ends = Instant::now() + LIMIT;
        while self.bus.session(session).is_none_or(|session| session.state != *state) {
            self.listen(&format!("{state:?}"), ends).await;
        }
    }

    /// Waits until a session has a prompt; it may already.
    pub(super) async fn wait_prompt(&mut self, session: SessionId) -> InteractivePrompt {
        self.wait("a prompt", |event| match event {
            Event::Prompt { prompt } if prompt.session_id == Some(session) => Some(prompt.clone()),
            _ => None,
        })
        .await
    }

    /// Waits for the next prompt with another id.
    pub(super) async fn wait_other_prompt(&mut self, than: &InteractivePrompt) -> InteractivePrompt {
        self.wait("another prompt", |event| match event {
            Event::Prompt { prompt } if prompt.request_id != than.request_id => Some(prompt.clone()),
            _ => None,
        })
        .await
    }

    /// Waits until a prompt is over.
    pub(super) async fn wait_closed(&mut self, prompt: PromptId) -> PromptOutcome {
        self.wait("the prompt's end", |event| match event {
            Event::PromptClosed { request_id, outcome, .. } if *request_id == prompt => Some(outcome.clone()),
            _ => None,
        })
        .await
    }

    /// Waits until an answer has failed, and returns why.
    pub(super) async fn wait_failed(&mut self) -> String {
        self.wait("the answer's failure", |event| match event {
            Event::PromptProgress { progress } => match &progress.step {
                AnswerStep::Failed { reason } => Some(reason.clone()),
                _ => None,
            },
            _ => None,
        })
        .await
    }

    /// The steps of all answers told so far.
    pub(super) fn steps(&self) -> Vec<AnswerStep> {
        let step = |event: &Event| match event {
            Event::PromptProgress { progress } => Some(progress.step.clone()),
            _ => None,
        };
        self.told.iter().filter_map(step).collect()
    }

    /// Waits until the pane got this many keys.
    pub(super) async fn wait_pressed(&self, pane: &FakePane, count: usize) {
        let mut drawn = crate::pane::Pane::drawn(pane);
        let pressed = async {
            while pane.pressed().len() < count {
                drawn.changed().await.expect("the pane is there");
            }
        };
        let waited = tokio::time::timeout(LIMIT, pressed).await;
        assert!(waited.is_ok(), "{count} keys expected, but pressed was {:?}", pane.pressed());
    }

    async fn listen(&mut self, what: &str, ends: Instant) {
        let next = timeout_at(ends, self.events.recv()).await;
        let last = self.told.iter().rev().take(6).rev().map(|event| format!("  {event:?}\n")).collect::<String>();
        let published = next.unwrap_or_else(|_| panic!("waited in vain for {what}; told last:\n{last}"));
        self.told.push(published.expect("an event").event.clone());
    }
}

/// The code that a phone would get for an error.
pub(super) trait Code {
    fn code(&self) -> ErrorCode;
}

impl Code for SessionError {
    fn code(&self) -> ErrorCode {
        shared_types::WireError::from(self.clone()).code
    }
}

/// What fake panes lack: a whole capture at once.
pub(super) trait Draw {
    fn draw(&self, capture: &Capture);
}

impl Draw for FakePane {
    fn draw(&self, capture: &Capture) {
        self.change(|shown| capture.clone_into(shown));
    }
}

pub(super) fn wish(adapter: AdapterKind) -> StartSession {
    let command = (adapter == AdapterKind::new("generic")).then(|| vec!["sh".to_owned()]);
    StartSession {
        adapter,
        folder: "/".to_owned(),
        command,
        name: None,
        mode: None,
        resume: None,
        model: None,
        message: None,
        size: None,
        trust_folder: None,
        idempotency_key: None,
    }
}

pub(super) fn device(name: &str) -> Actor {
    Actor::Device { device_id: DeviceId(Uuid::nil()), name: name.to_owned() }
}

/// An answer with nothing in it yet.
pub(super) fn response_to(prompt: &InteractivePrompt) -> PromptResponse {
    PromptResponse::to(prompt.request_id)
}

/// The answer that chooses an option.
pub(super) fn choose(prompt: &InteractivePrompt, label: &str) -> PromptResponse {
    PromptResponse { selected_option: Some(label.to_owned()), ..response_to(prompt) }
}

/// One of the demo agent's screens, as it was captured.
pub(super) fn demo(case: &str) -> Capture {
    captured(&format!("demo/screens/{case}-120x40"))
}

/// A screen as it was captured from the real CLI.
pub(super) fn captured(case: &str) -> Capture {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../adapters/src").join(case);
    let file = |name: &str| {
        std::fs::read_to_string(folder.join(name)).unwrap_or_else(|error| panic!("{case}/{name}: {error}"))
    };
    let meta: serde_json::Value = serde_json::from_str(&file("meta.json")).expect("JSON");
    let terminal = &meta["terminal"];
    let number = |value: &serde_json::Value| value.as_u64().and_then(|value| u16::try_from(value).ok());
    let flag = |name: &str| terminal[name].as_bool();
    Capture {
        text: file("screen.ansi"),
        cols: number(&meta["cols"]).expect("columns"),
        rows: number(&meta["rows"]).expect("rows"),
        cursor: Cursor {
            x: number(&terminal["cursorX"]).expect("column"),
            y: number(&terminal["cursorY"]).expect("row"),
            visible: flag("cursorVisible").unwrap_or(true),
        },
        title: terminal["title"].as_str().unwrap_or_default().to_owned(),
        alternate: flag("alternate").unwrap_or(false),
        tty: flag("echo").zip(flag("canonical")).map(|(echo, canonical)| TtyMode { echo, canonical }),
        foreground: None,
        exit: None,
    }
}

/// A plain program that has printed this and reads a line.
pub(super) fn line(text: &str) -> Capture {
    let last = text.rsplit('\n').next().unwrap_or_default();
    let place = |count: usize| u16::try_from(count).expect("a small screen");
    Capture {
        text: text.to_owned(),
        cols: 120,
        rows: 40,
        cursor: Cursor { x: place(last.chars().count()), y: place(text.matches('\n').count()), visible: true },
        tty: Some(TtyMode { echo: true, canonical: true }),
        ..Capture::default()
    }
}

/// A captured list with the cursor on another row; rows count from 0. `cursor` is what stands in its first two columns.
pub(super) fn on_row(capture: &Capture, cursor: &str, row: usize) -> Capture {
    let unmarked = capture.text.replacen(cursor.trim(), " ", 1);
    let number = format!("{}. ", row + 1);
    let marked = unmarked.lines().map(|line| match (line.find(&number), line.find("  ")) {
        // Among the blanks that begin the row stand the codes of its colours.
        (Some(number), Some(blanks)) if blanks < number => {
            format!("{}{cursor}{}\u{1b}[0m", &line[..blanks], &line[blanks + 2..])
        }
        _ => line.to_owned(),
    });
    let text = marked.collect::<Vec<_>>().join("\n");
    Capture { text, ..capture.clone() }
}

/// Lets a pane behave as the demo agent's list does: arrows move, Enter chooses and leads on to `then`.
pub(super) fn behave_as_list(pane: &FakePane, dialog: Capture, rows: usize, then: Capture) {
    behave_as_list_with(" ❯", pane, dialog, rows, then);
}

/// The same for a list with another cursor.
pub(super) fn behave_as_list_with(cursor: &'static str, pane: &FakePane, dialog: Capture, rows: usize, then: Capture) {
    let mut selected = 0;
    pane.react(move |key, shown| match key {
        Keystroke::Named(NamedKey::Down) => {
            selected = (selected + 1).min(rows - 1);
            *shown = on_row(&dialog, cursor, selected);
        }
        Keystroke::Named(NamedKey::Up) => {
            selected = selected.saturating_sub(1);
            *shown = on_row(&dialog, cursor, selected);
        }
        Keystroke::Named(NamedKey::Enter) => then.clone_into(shown),
        _ => {}
    });
}
