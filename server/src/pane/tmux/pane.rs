//! A pane in tmux: looks at it, types into it, takes it away.

use std::{path::PathBuf, sync::Arc, time::Duration};

use adapters::{Capture, Keystroke, keys::NamedKey, screen::Exit};
use async_trait::async_trait;
use shared_types::SessionId;
use tokio::{sync::watch, time};
use uuid::Uuid;

use super::{
    connection::{Reply, collect_status},
    link::{Link, Need},
    processes,
    registry::{PaneState, Registry},
    script::{Expect, Script},
    session_target, snapshot,
};
use crate::pane::{Pane, PaneError, PaneIdentity, PasteMode};

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
    async fn capture(&self) -> Result<Capture, PaneError> {
        let mut capture = self.look().await?;
        for _ in 0..STATUS_ATTEMPTS {
            if capture.exit != Some(Exit { status: None }) {
                break;
            }
            self.run(collect_status()).await?;
            time::sleep(STATUS_PAUSE).await;
            capture = self.look().await?;
        }
        Ok(capture)
    }

    async fn press(&self, keys: &[Keystroke]) -> Result<(), PaneError> {
        if keys.is_empty() {
            return Ok(());
        }
        let target = self.state.target();
        let buffer = format!("answerback-{}", Uuid::new_v4().simple());
        // Somebody at the desk may be scrolling back; keys would then move in the history instead of reaching the program.
        let mut script = Script::default()
            .then_expect(Expect::OneLine, &["display-message", "-p", "-t", &target, "#{pane_dead}"])
            .then(&["copy-mode", "-q", "-t", &target]);
        for key in keys {
            script = add_key(script, key, &target, &buffer)?;
        }
        let pressed = self.run(script).await;
        if pressed.is_err() && keys.iter().any(|key| matches!(key, Keystroke::Paste(_))) {
            // The text may have been left in the buffer.
            let _ = self.run(Script::of(&["delete-buffer", "-b", &buffer])).await;
        }
        if pressed?.blocks.first().is_some_and(|dead| dead == b"1") {
            return Err(PaneError::Refused("the program has ended".into()));
        }
        Ok(())
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

    fn drawn(&self) -> watch::Receiver<u64> {
        self.state.drawn()
    }

    fn identity(&self) -> PaneIdentity {
        self.state.identity()
    }

    async fn open_files(&self) -> Vec<PathBuf> {
        let target = self.state.target();
        let pid = ["display-message", "-p", "-t", &target, "#{?pane_dead,,#{pane_pid}}"];
        let reply = self.run(Script::default().then_expect(Expect::OneLine, &pid)).await;
        let text = reply.ok().and_then(|reply| String::from_utf8(reply.blocks.into_iter().next()?).ok());
        let Some(pid) = text.and_then(|text| text.trim().parse().ok()) else { return Vec::new() };
        tokio::task::spawn_blocking(move || processes::open_files(pid)).await.unwrap_or_default()
    }

    fn paste_mode(&self) -> PasteMode {
        self.state.paste_mode()
    }
}

impl TmuxPane {
    async fn look(&self) -> Result<Capture, PaneError> {
        let reply = self.run(snapshot::script(&self.state.target())).await?;
        let snapshot = snapshot::read(&reply.blocks)
            .ok_or_else(|| PaneError::Refused("tmux described the pane in an unknown way".into()))?;
        if let Some(on) = snapshot.bracketed_paste {
            self.state.paste_watch(|watch| watch.told(on));
        }
        let tty = snapshot.tty.as_deref().and_then(|path| self.state.tty_mode(|| snapshot::tty_mode(path)));
        Ok(Capture { tty, ..snapshot.capture })
    }

    async fn run(&self, script: Script) -> Result<Reply, PaneError> {
        if self.state.is_gone() {
            return Err(PaneError::Gone);
        }
        self.link.run(Need::This(self.state.server), script).await
    }
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
