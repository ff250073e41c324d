//! A tmux server that somebody else looks after: it is asked, and nothing about it is changed, unless it is to end.
//!
//! The commands of this binary look at panes this way while the Answerback server runs. Each question is a process of its own;
//! no control client is attached and none is ended, no configuration is read, no size and no environment is touched.

use std::{collections::HashSet, process::Output};

use adapters::Capture;
use shared_types::SessionId;
use tmux_interface::{CapturePane, DisplayMessage, KillServer, ListPanes, TmuxCommands};
use uuid::Uuid;

use super::{
    command::{self, Address, Hub, reason},
    door::Door,
    rows::SESSION_OPTION,
    session_target,
    snapshot::{self, TerminalState},
};
use crate::{pane::PaneError, paths::Paths};

/// A tmux server that is not ours to change.
#[derive(Debug, Clone)]
pub struct BorrowedServer {
    door: Door,
}

impl BorrowedServer {
    /// The private tmux server of this name.
    #[must_use]
    pub fn new(name: &str, paths: &Paths) -> Self {
        Self { door: Door::new(name, paths) }
    }

    /// What the pane of a session shows now.
    ///
    /// # Errors
    /// When the session has no pane, or tmux does not answer.
    pub async fn capture(&self, session: SessionId) -> Result<Capture, PaneError> {
        let address = self.address().await?;
        let format = format!("#{{pane_id}} #{{{SESSION_OPTION}}}");
        let listed = text(address.run(ListPanes::new().all().format(format)).await?)?;
        let listed = String::from_utf8_lossy(&listed);
        let pane = listed.lines().find_map(|line| {
            let (pane, id) = line.split_once(' ')?;
            (Uuid::parse_str(id) == Ok(session.0)).then_some(pane)
        });
        let pane = pane.ok_or(PaneError::Gone)?;
        let shown = TmuxCommands::new()
            .cmd(DisplayMessage::new().print().target_pane(pane).message(snapshot::FACTS))
            .cmd(DisplayMessage::new().print().target_pane(pane).message(snapshot::TITLE))
            .cmd(CapturePane::new().escape_sequences().stdout().target_pane(pane));
        let shown = text(command::run(address.tmux().commands(shown)).await?)?;
        // One line of facts, one with the title, and the rest is the screen.
        let replies: Vec<Vec<u8>> = shown.splitn(3, |byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
        let snapshot = snapshot::read(&replies).ok_or(PaneError::Gone)?;
        let TerminalState { mode: tty, foreground } = snapshot.ask_terminal();
        Ok(Capture { tty, foreground, ..snapshot.capture })
    }

    /// The words of a tmux command for this server, good for the next few seconds.
    ///
    /// # Errors
    /// When no server runs, or it does not answer.
    pub async fn words(&self, command: &[String]) -> Result<Vec<String>, PaneError> {
        let mut words = self.address().await?.words();
        words.extend_from_slice(command);
        Ok(words)
    }

    /// The words of the tmux command that shows a session in this terminal.
    ///
    /// # Errors
    /// When no server runs, or it does not answer.
    pub async fn attach_words(&self, session: SessionId) -> Result<Vec<String>, PaneError> {
        self.words(&["attach".to_owned(), "-t".to_owned(), session_target(session)]).await
    }

    /// How many sessions have a pane; nothing where no server runs.
    ///
    /// # Errors
    /// When it does not answer.
    pub async fn sessions(&self) -> Result<Option<usize>, PaneError> {
        let (address, Hub::There | Hub::Missing) = self.door.visit().await? else { return Ok(None) };
        let listed = address.run(ListPanes::new().all().format(format!("#{{{SESSION_OPTION}}}"))).await?;
        let listed = text(listed)?;
        // A pane is listed with each session of tmux that its window is in.
        let sessions: HashSet<&[u8]> = listed.split(|byte| *byte == b'\n').filter(|id| !id.is_empty()).collect();
        Ok(Some(sessions.len()))
    }

    /// Ends the server and whatever runs in it.
    ///
    /// # Errors
    /// When none runs, or it does not answer.
    pub async fn end(&self) -> Result<(), PaneError> {
        text(self.address().await?.run(KillServer::new()).await?).map(drop)
    }

    async fn address(&self) -> Result<Address, PaneError> {
        match self.door.visit().await? {
            (_, Hub::NoServer) => Err(PaneError::Unavailable("no tmux server of Answerback runs".into())),
            (address, _) => Ok(address),
        }
    }
}

/// What a command printed, without the last line end.
fn text(output: Output) -> Result<Vec<u8>, PaneError> {
    if !output.status.success() {
        return Err(PaneError::Unavailable(reason(&output)));
    }
    let mut printed = output.stdout;
    if printed.last() == Some(&b'\n') {
        printed.pop();
    }
    Ok(printed)
}
