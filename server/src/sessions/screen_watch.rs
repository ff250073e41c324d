//! The screen of a session: when to look, what was seen, and the keys that are pressed against it.

use std::{sync::Arc, time::Duration};

use adapters::{Adapter, Keystroke, Reading, Screen, reading::Look};
use shared_types::{ScreenFrame, SessionId};
use tokio::{sync::watch, time::Instant};

use crate::{
    config::OwnPrompts,
    pane::{Captured, Drawn, Generation, Pane, PaneError, Press},
    store::Store,
};

/// A frame is looked at when the pane has been quiet for this long: programs write one frame in several pieces.
const QUIET: Duration = Duration::from_millis(3);
/// A pane that is never quiet is looked at this often all the same.
const BEHIND: Duration = Duration::from_millis(30);
/// How long to wait before asking a terminal server again that does not answer.
const RETRY: Duration = Duration::from_secs(1);
/// How long a resumed conversation may take to come back on the screen; one in which nothing was said never does.
const RESUME_LIMIT: Duration = Duration::from_secs(20);
/// How often a changing screen is stored: after a reboot it is all that can be shown of the session.
const KEEP_PACE: Duration = Duration::from_secs(5);

/// Where frames of the screen go.
pub(super) type Frames = watch::Sender<Option<Arc<ScreenFrame>>>;

/// Looks at one pane.
pub(super) struct ScreenWatch {
    pane: Arc<dyn Pane>,
    adapter: &'static dyn Adapter,
    /// The screen as it was last seen.
    screen: Screen,
    /// The connection it was seen over.
    generation: Generation,
    frames: Frames,
    /// Since when something drawn has not been looked at.
    dirty_since: Option<Instant>,
    /// True when the last thing drawn was the end of a frame.
    frame_ended: bool,
    /// When to look next, for a reason of its own.
    look_at: Option<Instant>,
    /// When the watch began, which may be long after the session did.
    began_at: Instant,
    /// True while a resumed conversation has not been redrawn yet.
    resumes: bool,
    /// When the screen was last stored, and whether it has changed since.
    kept_at: Option<Instant>,
    unkept: bool,
    /// Prompts that the person has described.
    own_prompts: watch::Receiver<OwnPrompts>,
}

impl ScreenWatch {
    pub(super) fn new(
        pane: Arc<dyn Pane>,
        adapter: &'static dyn Adapter,
        frames: Frames,
        resumes: bool,
        own_prompts: watch::Receiver<OwnPrompts>,
    ) -> Self {
        let now = Instant::now();
        Self {
            pane,
            adapter,
            screen: Screen::default(),
            generation: Generation::default(),
            frames,
            dirty_since: None,
            frame_ended: false,
            look_at: Some(now),
            began_at: now,
            resumes,
            kept_at: None,
            unkept: false,
            own_prompts,
        }
    }

    pub(super) fn pane(&self) -> &Arc<dyn Pane> {
        &self.pane
    }

    pub(super) fn screen(&self) -> &Screen {
        &self.screen
    }

    /// Something was drawn. Where the program says that a frame has ended, it is looked at without waiting for a quiet moment.
    pub(super) fn on_drawn(&mut self, drawn: Drawn) {
        let now = Instant::now();
        let since = *self.dirty_since.get_or_insert(now);
        self.frame_ended = drawn.is_frame_end();
        self.look_at = Some(if self.frame_ended { now } else { (now + QUIET).min(since + BEHIND) });
    }

    /// True when nothing was drawn since the last look.
    pub(super) fn is_current(&self) -> bool {
        self.dirty_since.is_none()
    }

    /// When to look, given when others want to. What is being drawn is looked at when it is quiet, whoever waits for a look.
    pub(super) fn next_look(&self, others: Option<Instant>) -> Option<Instant> {
        match (self.look_at, others) {
            (Some(own), _) if self.dirty_since.is_some() => Some(own),
            (Some(own), Some(others)) => Some(own.min(others)),
            (own, others) => own.or(others),
        }
    }

    /// Looks at the latest by then.
    pub(super) fn look_by(&mut self, at: Instant) {
        self.look_at = Some(self.look_at.map_or(at, |current| current.min(at)));
    }

    /// Captures the screen and reads it.
    pub(super) async fn look(&mut self) -> Result<Look, PaneError> {
        (self.look_at, self.dirty_since) = (None, None);
        let frame_ended = std::mem::take(&mut self.frame_ended);
        let Captured { capture, generation } = match self.pane.capture().await {
            Ok(captured) => captured,
            Err(error) => {
                self.look_by(Instant::now() + RETRY);
                return Err(error);
            }
        };
        self.screen = Screen::from_capture(&capture);
        self.generation = generation;
        let mut look = self.read(&self.screen).with_frame_complete(frame_ended);
        self.unkept |= self.frames.send_if_modified(|frame| {
            let fresh = ScreenFrame { asks: Some(what_asks(&look)), ..self.screen.frame() };
            let changed = frame.as_deref() != Some(&fresh);
            if changed {
                *frame = Some(Arc::new(fresh));
            }
            changed
        });
        self.wait_for_history(&mut look);
        Ok(look)
    }

    fn read(&self, screen: &Screen) -> Look {
        // A CLI that is known needs no describing.
        let any_program = self.adapter.profile().kind == adapters::generic::KIND;
        let own = if any_program { self.own_prompts.borrow().clone() } else { OwnPrompts::default() };
        Look::with_own(screen, self.adapter, &own)
    }

    /// What is asked on the screen at this very moment, by the number that frames carry.
    pub(super) async fn asks(&self) -> Result<u32, PaneError> {
        let Captured { capture, .. } = self.pane.capture().await?;
        Ok(what_asks(&self.read(&Screen::from_capture(&capture))))
    }

    /// Presses keys that were decided on the screen as it was last seen; over another connection they are not pressed.
    pub(super) async fn press(&self, keys: &[Keystroke]) -> Press {
        self.pane.press(keys, Some(self.generation)).await
    }

    /// Presses keys that a person chose by hand.
    pub(super) async fn press_by_hand(&self, keys: &[Keystroke]) -> Press {
        self.pane.press(keys, None).await
    }

    /// A CLI that resumes a conversation may draw its composer before it has read it: it takes no messages yet.
    fn wait_for_history(&mut self, look: &mut Look) {
        if !self.resumes {
            return;
        }
        let is_late = self.began_at.elapsed() > RESUME_LIMIT;
        self.resumes = !self.adapter.is_resumed(&self.screen) && !is_late;
        if self.resumes && look.reading.awaiting().is_some() {
            look.reading = Reading::Starting { detail: "reading the conversation".to_owned() };
            self.look_by(self.began_at + RESUME_LIMIT);
        }
    }

    /// Stores what is on the screen now and then.
    pub(super) async fn keep_when_due(&mut self, store: &Store, session: SessionId) {
        let now = Instant::now();
        match self.kept_at.map(|at| at + KEEP_PACE) {
            _ if !self.unkept || self.screen.exit.is_some() => {}
            Some(due) if now < due => self.look_by(due),
            _ => {
                (self.kept_at, self.unkept) = (Some(now), false);
                if let Err(error) = store.keep_screen(session, self.screen.frame()).await {
                    tracing::error!(%error, "cannot store the screen");
                }
            }
        }
    }
}

/// Names what is asked: the same for the same dialog while it stands, 0 for none.
fn what_asks(look: &Look) -> u32 {
    look.reading.sighting().map_or(0, |sighting| {
        let [.., a, b, c, d] = sighting.fingerprint().0.to_be_bytes();
        u32::from_be_bytes([a, b, c, d]).max(1)
    })
}
