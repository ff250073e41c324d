//! What goes wrong: terminals that do not answer, faults of our own, too much at once.

use std::{
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
};

use adapters::Keystroke;
use async_trait::async_trait;
use shared_types::{AdapterKind, AnswerStep, ErrorCode, Key, PromptOutcome, SessionId, SessionState};
use tokio::sync::{Semaphore, watch};

use super::stage::{Code as _, Draw as _, LIMIT, Stage, behave_as_list, choose, demo, device};
use crate::{
    pane::{
        Captured, Drawn, FoundPane, Generation, Pane, PaneError, PaneIdentity, PaneSpec, Press, Terminal,
        fake::{FakeTerminal, PressFault},
    },
    sessions::QUEUE,
};

/// What shall go wrong, and is told once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Trap {
    PanicOnCapture,
    PanicOnPress,
    FailPress,
    /// The connection is lost and made again between the look and the keys.
    ReconnectBeforePress,
}

/// A terminal whose panes do as they should until a trap is set.
struct Trapped {
    inner: Arc<FakeTerminal>,
    traps: Arc<Traps>,
}

pub(super) struct Traps {
    set: Mutex<Option<(SessionId, Trap)>>,
    /// Looks wait here while there are no permits.
    gate: Semaphore,
    /// Panes that were taken away wait here before they say so.
    pub(super) taking_away: Semaphore,
}

impl Traps {
    pub(super) fn set(&self, session: SessionId, trap: Trap) {
        *self.set.lock().unwrap_or_else(PoisonError::into_inner) = Some((session, trap));
    }

    fn springs(&self, session: SessionId, trap: Trap) -> bool {
        let mut set = self.set.lock().unwrap_or_else(PoisonError::into_inner);
        let springs = *set == Some((session, trap));
        if springs {
            *set = None;
        }
        springs
    }
}

struct TrappedPane {
    inner: Arc<dyn Pane>,
    terminal: Arc<FakeTerminal>,
    session: SessionId,
    traps: Arc<Traps>,
}

impl Trapped {
    fn trap(&self, session: SessionId, inner: Arc<dyn Pane>) -> Arc<dyn Pane> {
        let (terminal, traps) = (Arc::clone(&self.inner), Arc::clone(&self.traps));
        Arc::new(TrappedPane { inner, terminal, session, traps })
    }
}

#[async_trait]
impl Terminal for Trapped {
    async fn open(&self, spec: PaneSpec) -> Result<Arc<dyn Pane>, PaneError> {
        let session = spec.session;
        Ok(self.trap(session, self.inner.open(spec).await?))
    }

    async fn find(&self) -> Result<Vec<FoundPane>, PaneError> {
        let found = self.inner.find().await?.into_iter();
        Ok(found.map(|found| FoundPane { pane: self.trap(found.session, found.pane), ..found }).collect())
    }

    fn attach_command(&self, session: SessionId) -> Vec<String> {
        self.inner.attach_command(session)
    }
}

#[async_trait]
impl Pane for TrappedPane {
    async fn capture(&self) -> Result<Captured, PaneError> {
        let _open = self.traps.gate.acquire().await.expect("the gate");
        assert!(!self.traps.springs(self.session, Trap::PanicOnCapture), "a panic on purpose");
        self.inner.capture().await
    }

    async fn press(&self, keys: &[Keystroke], checked_on: Option<Generation>) -> Press {
        assert!(!self.traps.springs(self.session, Trap::PanicOnPress), "a panic on purpose");
        if self.traps.springs(self.session, Trap::FailPress) {
            return Press::NotPressed(PaneError::Refused("on purpose".to_owned()));
        }
        if self.traps.springs(self.session, Trap::ReconnectBeforePress) {
            self.terminal.pane(self.session).expect("its pane").reconnect();
        }
        self.inner.press(keys, checked_on).await
    }

    async fn kill(&self) -> Result<(), PaneError> {
        let killed = self.inner.kill().await;
        let _open = self.traps.taking_away.acquire().await.expect("the gate");
        killed
    }

    fn drawn(&self) -> watch::Receiver<Drawn> {
        self.inner.drawn()
    }

    fn identity(&self) -> PaneIdentity {
        self.inner.identity()
    }

    async fn open_files(&self) -> Vec<PathBuf> {
        self.inner.open_files().await
    }
}

pub(super) fn trapped() -> (Stage, Arc<Traps>) {
    let inner = Arc::new(FakeTerminal::new());
    let open = || Semaphore::new(1000);
    let traps = Arc::new(Traps { set: Mutex::new(None), gate: open(), taking_away: open() });
    let seen_as = Arc::new(Trapped { inner: Arc::clone(&inner), traps: Arc::clone(&traps) });
    (Stage::with(inner, seen_as), traps)
}

fn away() -> PaneError {
    PaneError::Unavailable("away".to_owned())
}

fn unreachable() -> SessionState {
    SessionState::Unreachable { detail: away().to_string() }
}

#[tokio::test]
async fn a_terminal_that_does_not_answer_makes_the_session_unreachable_until_it_does() {
    let mut stage = Stage::new();
    let (session, pane) = stage.start_demo("ready", &SessionState::Ready).await;
    pane.fail(away());
    stage.wait_state(session, &unreachable()).await;
    // The screen is as it was.
    pane.recover();
    stage.wait_state(session, &SessionState::Ready).await;
}

#[tokio::test]
async fn a_prompt_outlasts_a_terminal_that_does_not_answer() {
    let mut stage = Stage::new();
    let (session, pane, prompt) = stage.start_asking().await;
    pane.fail(away());
    stage.wait_state(session, &unreachable()).await;
    assert!(stage.bus.prompt(prompt.request_id).is_some());
    pane.recover();
    stage.wait_state(session, &SessionState::Waiting).await;
    behave_as_list(&pane, demo("command"), 4, demo("answered"));
    stage.respond(choose(&prompt, "Yes"), "phone").await.expect("the first answer");
    assert!(matches!(stage.wait_closed(prompt.request_id).await, PromptOutcome::Verified { .. }));
}

#[tokio::test]
async fn what_is_asked_of_an_unreachable_session_is_refused_and_not_typed_later() {
    let mut stage = Stage::new();
    let (session, pane) = stage.start_demo("ready", &SessionState::Ready).await;
    let (_, asking_pane, prompt) = stage.start_asking().await;
    pane.fail(away());
    asking_pane.fail(away());
    let sent = tokio::time::timeout(LIMIT, stage.sessions.send_text(session, "hello".to_owned(), None, &[])).await;
    assert_eq!(sent.expect("an answer").expect_err("nobody there").code(), ErrorCode::TerminalUnavailable);
    let stopped = tokio::time::timeout(LIMIT, stage.sessions.interrupt(session)).await;
    assert_eq!(stopped.expect("an answer").expect_err("nobody there").code(), ErrorCode::TerminalUnavailable);
    let keys =
        stage.sessions.send_keys(session, vec![Key::Text { text: "a".to_owned() }], shared_types::Actor::Desk).await;
    assert_eq!(keys.expect_err("nobody there").code(), ErrorCode::TerminalUnavailable);
    stage.respond(choose(&prompt, "Yes"), "phone").await.expect("it is open as far as anybody knows");
    assert_eq!(stage.wait_failed().await, away().to_string());

    pane.recover();
    asking_pane.recover();
    stage.wait_state(session, &SessionState::Ready).await;
    stage.wait_state(prompt.session_id.expect("a session"), &SessionState::Waiting).await;
    assert_eq!((pane.pressed(), asking_pane.pressed()), (Vec::new(), Vec::new()));
    behave_as_list(&asking_pane, demo("command"), 4, demo("answered"));
    stage.respond(choose(&prompt, "Yes"), "phone").await.expect("again");
    assert!(matches!(stage.wait_closed(prompt.request_id).await, PromptOutcome::Verified { .. }));
}

#[tokio::test]
async fn an_answer_that_was_typed_survives_a_terminal_that_does_not_answer() {
    let mut stage = Stage::new();
    let (session, pane, prompt) = stage.start_asking().await;
    stage.respond(choose(&prompt, "Yes"), "phone").await.expect("the first answer");
    stage.wait_pressed(&pane, 1).await;
    pane.fail(away());
    stage.wait_state(session, &unreachable()).await;
    pane.draw(&demo("answered"));
    pane.recover();
    assert!(matches!(stage.wait_closed(prompt.request_id).await, PromptOutcome::Verified { .. }));
    stage.wait_state(session, &SessionState::Ready).await;
}

#[tokio::test]
async fn keys_that_could_not_be_pressed_fail_the_answer() {
    let (mut stage, traps) = trapped();
    let (session, pane, prompt) = stage.start_asking().await;
    traps.set(session, Trap::FailPress);
    stage.respond(choose(&prompt, "Yes"), "phone").await.expect("the first answer");
    assert_eq!(stage.wait_failed().await, "the terminal server refused: on purpose");
    behave_as_list(&pane, demo("command"), 4, demo("answered"));
    stage.respond(choose(&prompt, "Yes"), "phone").await.expect("again");
    assert!(matches!(stage.wait_closed(prompt.request_id).await, PromptOutcome::Verified { .. }));
}

#[tokio::test]
async fn answer_whose_reply_is_lost_but_that_arrived_is_verified_and_pressed_once() {
    let mut stage = Stage::new();
    let (_, pane, prompt) = stage.start_asking().await;
    behave_as_list(&pane, demo("command"), 4, demo("answered"));
    pane.fail_next_press(PressFault::LostButArrives);
    stage.respond(choose(&prompt, "Yes"), "phone").await.expect("the first answer");
    assert!(matches!(stage.wait_closed(prompt.request_id).await, PromptOutcome::Verified { .. }));
    let steps = stage.steps();
    assert!(steps.iter().any(|step| matches!(step, AnswerStep::Unknown { .. })), "{steps:?}");
    assert!(!steps.iter().any(|step| matches!(step, AnswerStep::Failed { .. })), "{steps:?}");
    assert_eq!(pane.pressed(), [Keystroke::ENTER]);
    let stored = stage.store.prompt(prompt.request_id).await.expect("read").expect("its row");
    assert_eq!(stored.answer.map(|answer| answer.by), Some(device("phone")), "who answered is not forgotten");
}

#[tokio::test]
async fn keys_decided_on_before_a_reconnect_are_not_pressed() {
    let (mut stage, traps) = trapped();
    let (session, pane, prompt) = stage.start_asking().await;
    traps.set(session, Trap::ReconnectBeforePress);
    stage.respond(choose(&prompt, "Yes"), "phone").await.expect("the first answer");
    let why = stage.wait_failed().await;
    assert!(why.contains("the connection was renewed"), "{why}");
    assert_eq!(pane.pressed(), []);
    behave_as_list(&pane, demo("command"), 4, demo("answered"));
    stage.respond(choose(&prompt, "Yes"), "phone").await.expect("again, over the new connection");
    assert!(matches!(stage.wait_closed(prompt.request_id).await, PromptOutcome::Verified { .. }));
}

#[tokio::test]
async fn a_fault_in_one_session_is_survived_and_disturbs_no_other() {
    let (mut stage, traps) = trapped();
    let (other, other_pane) = stage.start_demo("ready", &SessionState::Ready).await;
    let (session, pane, prompt) = stage.start_asking().await;
    let asked_before = stage.told.len();
    traps.set(session, Trap::PanicOnCapture);
    // Anything drawn makes it look, and fall.
    pane.draw(&demo("command"));
    let detail = "a fault of Answerback's own; trying again".to_owned();
    stage.wait_state(session, &SessionState::Unreachable { detail }).await;
    let refused = stage.sessions.interrupt(session).await.expect_err("nobody there just now");
    assert_ne!(refused.code(), ErrorCode::SessionEnded, "it runs on: {refused:?}");

    // The other one works while this one is down.
    stage.sessions.send_text(other, "hello".to_owned(), None, &[]).await.expect("taken");
    assert_eq!(other_pane.pressed(), [Keystroke::Paste("hello".to_owned()), Keystroke::ENTER]);

    stage.wait_state(session, &SessionState::Waiting).await;
    let pending = stage.bus.prompt(prompt.request_id).expect("the same prompt, under the same id");
    assert_eq!(pending.prompt, prompt);
    behave_as_list(&pane, demo("command"), 4, demo("answered"));
    stage.respond(choose(&prompt, "Yes"), "phone").await.expect("the first answer");
    assert!(matches!(stage.wait_closed(prompt.request_id).await, PromptOutcome::Verified { .. }));
    let states = stage.told[asked_before..].iter().filter_map(|event| match event {
        shared_types::Event::Session { session } if session.id == other => Some(session.state.clone()),
        _ => None,
    });
    assert!(states.clone().all(|state| state == SessionState::Ready), "{:?}", states.collect::<Vec<_>>());
}

#[tokio::test]
async fn an_answer_that_a_fault_cut_short_is_told_as_failed() {
    let (mut stage, traps) = trapped();
    let (session, pane, prompt) = stage.start_asking().await;
    traps.set(session, Trap::PanicOnPress);
    stage.respond(choose(&prompt, "Yes"), "phone").await.expect("the first answer");
    let why = stage.wait_failed().await;
    assert!(!why.is_empty());
    stage.wait_state(session, &SessionState::Waiting).await;
    behave_as_list(&pane, demo("command"), 4, demo("answered"));
    stage.respond(choose(&prompt, "Yes"), "phone").await.expect("again");
    assert!(matches!(stage.wait_closed(prompt.request_id).await, PromptOutcome::Verified { .. }));
}

#[tokio::test]
async fn more_than_a_session_can_take_is_refused_as_busy() {
    let (mut stage, traps) = trapped();
    let (session, pane) = stage.start_demo("ready", &SessionState::Ready).await;
    let closed = traps.gate.acquire_many(1000).await.expect("the gate");
    // The session's task is stuck in a look.
    let stuck = stage.sessions.interrupt(session);
    let key = || vec![Key::Text { text: "a".to_owned() }];
    let waiting = (0..QUEUE).map(|_| stage.sessions.send_keys(session, key(), shared_types::Actor::Desk));
    let all = async {
        let mut waiting: Vec<_> = waiting.map(Box::pin).collect();
        for future in &mut waiting {
            assert!(futures_util::poll!(future).is_pending());
        }
        let refused =
            stage.sessions.send_keys(session, key(), shared_types::Actor::Desk).await.expect_err("one too many");
        assert_eq!(refused.code(), ErrorCode::SessionBusy);
        drop(closed);
        for future in waiting {
            future.await.expect("pressed");
        }
    };
    let mut stuck = Box::pin(stuck);
    assert!(futures_util::poll!(&mut stuck).is_pending());
    // Let the task take the first input off its queue.
    while traps.gate.available_permits() == 0 && stage.sessions.lock()[&session].requests.capacity() < QUEUE {
        tokio::task::yield_now().await;
    }
    all.await;
    stuck.await.expect("interrupted");
    assert_eq!(pane.pressed().len(), QUEUE + 1);
    let (_, other) = stage.start_demo("ready", &SessionState::Ready).await;
    assert_eq!(other.pressed(), []);
    assert_eq!(stage.bus.session(session).map(|session| session.adapter), Some(AdapterKind::new("demo")));
}
