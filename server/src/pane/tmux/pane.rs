//! A pane in tmux: looks at it, types into it, takes it away.

use std::{path::PathBuf, sync::Arc, time::Duration};

use adapters::{Capture, Keystroke, keys::NamedKey, screen::Exit};
use async_trait::async_trait;
use shared_types::SessionId;
use tokio::{sync::watch, time};
use uuid::Uuid;

use super::{
    connection::{Failure, Ran, Reply, collect_status},
    link::{Link, Need},
    processes,
    registry::{PaneState, Registry},
    script::{Expect, Script},
    session_target,
    snapshot::{self, TerminalState},
};
use crate::pane::{Captured, Drawn, Generation, Pane, PaneError, PaneIdentity, Press};

/// The longest text that is taken at once; 1 MB was measured to arrive whole within half a second.
const MAX_TEXT: usize = 2 * 1024 * 1024;
/// How often, and how far apart, the exit status is asked for again: see [`collect_status`].
const STATUS_ATTEMPTS: u32 = 10;
const STATUS_PAUSE: Duration = Duration::from_millis(20);

/// A pane of the private tmux server.
pub(super) struct TmuxPane {
    pub(super) session: SessionId,
    pub(super) link: Link,
    pub(super) registry: Arc<Registry>,
    pub(super) state: Arc<PaneState>,
}

#[async_trait]
impl Pane for TmuxPane {
    async fn capture(&self) -> Result<Captured, PaneError> {
        let mut captured = self.look().await?;
        for _ in 0..STATUS_ATTEMPTS {
            if captured.capture.exit != Some(Exit { status: None }) {
                break;
            }
            self.run(collect_status()).await?;
            time::sleep(STATUS_PAUSE).await;
            captured = self.look().await?;
        }
        Ok(captured)
    }

    async fn press(&self, keys: &[Keystroke], checked_on: Option<Generation>) -> Press {
        if keys.is_empty() {
            return Press::Pressed;
        }
        if self.state.is_gone() {
            return Press::NotPressed(PaneError::Gone);
        }
        let buffer = format!("answerback-{}", Uuid::new_v4().simple());
        let script = match key_script(keys, &self.state.target(), &buffer) {
            Ok(script) => script,
            Err(error) => return Press::NotPressed(error),
        };
        let pressed = self.link.run_on(self.state.server, checked_on, script).await;
        if pressed.is_err() && keys.iter().any(|key| matches!(key, Keystroke::Paste(_))) {
            // The text may have been left in the buffer.
            let _ = self.run(Script::of(&["delete-buffer", "-b", &buffer])).await;
        }
        match pressed {
            Ok(reply) if reply.blocks.first().is_some_and(|dead| dead == b"1") => {
                Press::NotPressed(PaneError::Refused("the program has ended".into()))
            }
            Ok(_) => Press::Pressed,
            Err(Failure { error, ran: Ran::Exactly(commands) }) if commands <= BEFORE_KEYS => Press::NotPressed(error),
            Err(Failure { error, .. }) => Press::Unknown(error),
        }
    }

    async fn kill(&self) -> Result<(), PaneError> {
        if self.state.is_gone() {
            return Ok(());
        }
        let target = self.state.target();
        let format = "#{pane_id} #{window_id} #{pane_dead} #{pane_pid} #{pane_tty}";
        let facts = ["display-message", "-p", "-t", &target, format];
        let facts = match self.run(Script::default().then_expect(Expect::OneLine, &facts)).await {
            Err(PaneError::Gone) => return Ok(()),
            facts => facts?,
        };
        let facts = String::from_utf8_lossy(facts.blocks.first().map_or(&[], Vec::as_slice)).into_owned();
        // Of a pane that is not there tmux says nothing rather than failing.
        let [_, window, dead, pid, tty] = facts.split(' ').collect::<Vec<_>>()[..] else { return Ok(()) };
        if !facts.starts_with(&format!("{target} ")) {
            return Ok(());
        }
        // The id and the terminal of a program that ended may belong to others by now.
        let family = match pid.parse() {
            Ok(pid) if dead == "0" => processes::family(pid, tty).await,
            _ => Default::default(),
        };
        // The session first: it may have further windows. Its own window then still is in the hub.
        for command in [["kill-session", "-t", &session_target(self.session)], ["kill-window", "-t", window]] {
            match self.run(Script::of(&command)).await {
                Ok(_) | Err(PaneError::Gone) => {}
                Err(error) => return Err(error),
            }
        }
        self.registry.remove(&self.state);
        processes::end(family).await;
        Ok(())
    }

    fn drawn(&self) -> watch::Receiver<Drawn> {
        self.state.drawn()
    }

    fn identity(&self) -> PaneIdentity {
        self.state.identity()
    }

    async fn open_files(&self) -> Vec<PathBuf> {
        let Some(pid) = self.pid().await else { return Vec::new() };
        tokio::task::spawn_blocking(move || processes::open_files(pid)).await.unwrap_or_default()
    }

    async fn processes(&self) -> Vec<i32> {
        let Some(pid) = self.pid().await else { return Vec::new() };
        tokio::task::spawn_blocking(move || processes::with_descendants(pid)).await.unwrap_or_default()
    }
}

impl TmuxPane {
    /// The process that the pane was opened with, while it runs.
    async fn pid(&self) -> Option<i32> {
        let target = self.state.target();
        let pid = ["display-message", "-p", "-t", &target, "#{?pane_dead,,#{pane_pid}}"];
        let reply = self.run(Script::default().then_expect(Expect::OneLine, &pid)).await.ok()?;
        String::from_utf8(reply.blocks.into_iter().next()?).ok()?.trim().parse().ok()
    }

    async fn look(&self) -> Result<Captured, PaneError> {
        let reply = self.run(snapshot::script(&self.state.target())).await?;
        let snapshot = snapshot::read(&reply.blocks)
            .ok_or_else(|| PaneError::Refused("tmux described the pane in an unknown way".into()))?;
        let runs = snapshot.tty.is_some();
        let terminal = if runs { self.state.terminal(|| snapshot.ask_terminal()) } else { TerminalState::default() };
        let TerminalState { mode: tty, foreground } = terminal;
        Ok(Captured { capture: Capture { tty, foreground, ..snapshot.capture }, generation: reply.generation })
    }

    async fn run(&self, script: Script) -> Result<Reply, PaneError> {
        if self.state.is_gone() {
            return Err(PaneError::Gone);
        }
        self.link.run(Need::This(self.state.server), script).await
    }
}

/// How many commands of a [`key_script`] come before the first key.
const BEFORE_KEYS: usize = 2;

/// Asks whether the program still runs, then presses the keys.
fn key_script(keys: &[Keystroke], target: &str, buffer: &str) -> Result<Script, PaneError> {
    let before = Script::default()
        .then_expect(Expect::OneLine, &["display-message", "-p", "-t", target, "#{pane_dead}"])
        // Somebody at the desk may be scrolling back; keys would then move in the history instead of reaching the program.
        .then(&["copy-mode", "-q", "-t", target]);
    keys.iter().try_fold(before, |script, key| add_key(script, key, target, buffer))
}

fn add_key(script: Script, key: &Keystroke, target: &str, buffer: &str) -> Result<Script, PaneError> {
    let refused = |reason: &str| Err(PaneError::Refused(reason.into()));
    match key {
        Keystroke::Named(key) => Ok(script.then(&["send-keys", "-t", target, name(*key)])),
        Keystroke::Ctrl(letter) if letter.is_ascii_alphabetic() || "@[\\]^_".contains(*letter) => {
            let name = format!("C-{}", letter.to_ascii_lowercase());
            Ok(script.then(&["send-keys", "-t", target, &name]))
        }
        Keystroke::Ctrl(_) => refused("there is no such key with Ctrl"),
        Keystroke::Text(text) | Keystroke::Paste(text) if text.len() > MAX_TEXT => refused("the text is too long"),
        Keystroke::Text(text) | Keystroke::Paste(text) if text.is_empty() => Ok(script),
        Keystroke::Text(text) => {
            // A line feed would be Enter, an escape any key at all.
            if text.chars().any(|letter| letter.is_control() && letter != '\t') {
                return refused("the text has control characters: it can only be pasted");
            }
            Ok(script.then(&["send-keys", "-l", "-t", target, "--", text]))
        }
        Keystroke::Paste(text) => {
            // What follows the code that ends a paste would be typed as keys.
            if ["\u{1b}[201~", "\u{9b}201~", "\0"].iter().any(|code| text.contains(code)) {
                return refused("the text contains a code that ends the paste");
            }
            let script = script.then(&["set-buffer", "-b", buffer, "--", text]);
            Ok(script.then(&["paste-buffer", "-d", "-p", "-r", "-b", buffer, "-t", target]))
        }
    }
}

/// tmux's name of a key.
fn name(key: NamedKey) -> &'static str {
    match key {
        NamedKey::Enter => "Enter",
        NamedKey::Escape => "Escape",
        NamedKey::Tab => "Tab",
        NamedKey::BackTab => "BTab",
        NamedKey::Space => "Space",
        NamedKey::Backspace => "BSpace",
        NamedKey::Delete => "DC",
        NamedKey::Up => "Up",
        NamedKey::Down => "Down",
        NamedKey::Left => "Left",
        NamedKey::Right => "Right",
        NamedKey::Home => "Home",
        NamedKey::End => "End",
        NamedKey::PageUp => "PPage",
        NamedKey::PageDown => "NPage",
    }
}
