//! Panes in a private tmux server.
//!
//! One server of our own (its own configuration, its socket in our runtime folder and most of the time not even there), a permanent `hub` session that has every window, and one
//! control-mode client attached to it: that client is pushed what every pane draws, and takes every command. The server
//! outlives us; after a restart [`Terminal::find`] gives the same panes with the same identities.
//!
//! # Layout
//!
//! - [`pane`]: looking, typing, ending. [`snapshot`]: one consistent look.
//! - [`link`]: the queue and the task that connects and connects again. [`connection`]: one control client at work.
//! - [`protocol`]: what tmux says, pure. [`script`]: what we say, quoted. [`rows`]: the list of panes. [`frames`]: where they end.
//! - [`registry`]: what is known of each pane. [`processes`]: what outlives a pane.
//! - [`owned`], [`config`]: the server itself. [`door`]: the way in to it. [`borrowed`]: looking at it from another process. [`command`]: tmux as a process.

mod borrowed;
mod command;
mod config;
mod connection;
mod door;
mod foreground;
mod frames;
mod link;
mod owned;
mod pane;
mod processes;
mod protocol;
mod registry;
mod rows;
mod script;
mod snapshot;

use std::{
    env,
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, Instant},
};

use async_trait::async_trait;
use rustix::fs::Access;
use shared_types::SessionId;
use tokio::time;
use uuid::Uuid;

pub use self::borrowed::BorrowedServer;
use self::{
    command::HUB,
    connection::Reply,
    door::Door,
    link::{Link, Need},
    pane::TmuxPane,
    registry::{Registry, ServerId},
    rows::{SESSION_OPTION, SIZE_OPTION},
    script::Script,
};
use super::{FoundPane, Pane, PaneError, PaneProcess, PaneProcesses, PaneSpec, Terminal};
use crate::{paths::Paths, peer::tty_device, programs};

/// The smallest pane while nobody is attached: smaller ones hide options of dialogs.
const SMALLEST: (u16, u16) = (100, 40);
/// For so long a lost connection is a reason to open once more: a server that was told to end is gone within milliseconds.
const OPEN_AGAIN: Duration = Duration::from_secs(2);
const OPEN_PAUSE: Duration = Duration::from_millis(50);
/// The name that need not be said.
const DEFAULT_NAME: &str = "answerback";
/// Linux takes no longer word, and macOS takes no more words together.
const LONGEST_WORD: usize = 128 * 1024 - 1;
const MOST_WORDS: usize = 900 * 1024;
/// Where programs are looked for when the environment does not say; tmux sets the same.
const DEFAULT_PATH: &str = "/usr/bin:/bin";
/// Holds the folder of the session being opened, because `-c` itself would expand formats in it.
const FOLDER_OPTION: &str = "@answerback_folder";

/// A private tmux server.
pub struct TmuxTerminal {
    name: String,
    paths: Paths,
    /// This program, which panes are started through.
    program: Option<PathBuf>,
    link: Link,
    registry: Arc<Registry>,
}

impl TmuxTerminal {
    /// The tmux server of this name, reached and configured in these folders, which exist. Nothing is started or connected
    /// before it is needed. Must be called within a tokio runtime.
    #[must_use]
    pub fn new(name: &str, paths: &Paths) -> Self {
        let registry = Arc::new(Registry::default());
        let link = Link::new(Door::new(name, paths), paths.runtime.clone(), Arc::clone(&registry));
        Self { name: name.to_owned(), paths: paths.clone(), program: None, link, registry }
    }

    /// Starts panes through this program (`answerback pane`), so that whatever a pane leaves behind stays below it; and people
    /// attach with it.
    #[must_use]
    pub fn with_program(mut self, program: PathBuf) -> Self {
        self.program = Some(program);
        self
    }

    /// The version of the installed tmux, such as `tmux 3.3a`.
    ///
    /// # Errors
    /// When there is none, or it is too old; the message says what to install.
    pub async fn version() -> Result<String, PaneError> {
        command::version().await
    }

    /// Which tmux is used: its version, and the program on the person's path.
    ///
    /// # Errors
    /// As [`Self::version`].
    pub async fn found() -> Result<String, PaneError> {
        let version = Self::version().await?;
        let program = programs::find_in("tmux", Path::new("/"));
        Ok(program.map_or(version.clone(), |program| format!("{version} ({})", program.display())))
    }

    /// Opens a session; tries again while the server is just going away, and never leaves half of one behind.
    async fn run_open(&self, session: SessionId, script: Script) -> Result<Reply, PaneError> {
        let deadline = Instant::now() + OPEN_AGAIN;
        let window = format!("{}:", session_target(session));
        loop {
            let error = match self.link.run(Need::Started, script.clone()).await {
                Err(PaneError::Refused(reason)) if reason.starts_with("duplicate session") => {
                    return Err(PaneError::Refused("the session has a pane already".into()));
                }
                Err(error) => error,
                reply => return reply,
            };
            // Most often nothing was made of it, and then it can be tried again.
            let cleared = self.link.run(Need::Any, Script::of(&["kill-window", "-t", &window])).await;
            let lost = matches!((&error, cleared), (PaneError::Unavailable(_), Err(_)));
            if !lost || Instant::now() >= deadline {
                return Err(error);
            }
            time::sleep(OPEN_PAUSE).await;
        }
    }

    fn pane(&self, server: ServerId, number: u32, session: SessionId) -> TmuxPane {
        let state = self.registry.pane(server, number);
        TmuxPane { session, link: self.link.clone(), registry: Arc::clone(&self.registry), state }
    }
}

#[async_trait]
impl Terminal for TmuxTerminal {
    async fn open(&self, spec: PaneSpec) -> Result<Arc<dyn Pane>, PaneError> {
        let script = open_script(&spec, self.program.as_deref())?;
        let reply = self.run_open(spec.session, script).await?;
        let number =
            opened_pane(&reply).ok_or_else(|| PaneError::Refused("tmux did not say which pane it opened".into()))?;
        Ok(Arc::new(self.pane(reply.server, number, spec.session)))
    }

    async fn find(&self) -> Result<Vec<FoundPane>, PaneError> {
        let reply = match self.link.run(Need::Any, rows::script()).await {
            // No server, no panes; but without tmux there can never be any, and that is worth an error.
            Err(PaneError::Gone) => return Self::version().await.map(|_| Vec::new()),
            reply => reply?,
        };
        let rows = rows::read(reply.blocks.first().map_or(&[], Vec::as_slice), &reply.hub);
        let found = rows.into_iter().filter_map(|row| {
            let session = row.session?;
            Some(FoundPane { session, pane: Arc::new(self.pane(reply.server, row.pane, session)) })
        });
        Ok(found.collect())
    }

    fn attach_command(&self, session: SessionId) -> Vec<String> {
        let program = self.program.as_ref().map_or("answerback".into(), |program| program.to_string_lossy());
        let mut words = vec![program.into_owned(), "attach".to_owned(), session.0.to_string()];
        if self.paths != Paths::resolve(None) {
            words.extend(["--data-dir".to_owned(), self.paths.data.to_string_lossy().into_owned()]);
        }
        if self.name != DEFAULT_NAME {
            words.extend(["--tmux".to_owned(), self.name.clone()]);
        }
        words.iter().map(|word| shell_word(word)).collect()
    }

    async fn processes(&self) -> Result<PaneProcesses, PaneError> {
        let format = format!("#{{pane_pid}} #{{pane_dead}} #{{{SESSION_OPTION}}} #{{pane_tty}}");
        let reply = match self.link.run(Need::Any, Script::of(&["list-panes", "-a", "-F", &format])).await {
            Err(PaneError::Gone) => return Ok(PaneProcesses::default()),
            reply => reply?,
        };
        let text = String::from_utf8_lossy(reply.blocks.first().map_or(&[], Vec::as_slice)).into_owned();
        Ok(PaneProcesses { servers: vec![reply.server.pid], panes: text.lines().filter_map(pane_process).collect() })
    }
}

/// Reads `PID DEAD SESSION TTY`. The number and the terminal of a program that ended may belong to others by now.
fn pane_process(line: &str) -> Option<PaneProcess> {
    let [pid, "0", session, tty] = line.split(' ').collect::<Vec<_>>()[..] else { return None };
    let session = SessionId(Uuid::parse_str(session).ok()?);
    Some(PaneProcess { session, pid: pid.parse().ok()?, tty: tty_device(tty) })
}

/// The session's name in tmux, as an exact target.
fn session_target(session: SessionId) -> String {
    format!("={}", session_name(session))
}

fn session_name(session: SessionId) -> String {
    format!("ab-{}", session.0.simple())
}

/// Opens a session in one line, so that the hub has its window before the program draws anything.
fn open_script(spec: &PaneSpec, launcher: Option<&Path>) -> Result<Script, PaneError> {
    let refused = |reason: &str| PaneError::Refused(reason.to_owned());
    // tmux would quietly start the program in the home folder instead.
    if !spec.folder.is_dir() {
        return Err(refused("there is no such folder"));
    }
    let folder = spec.folder.to_str().ok_or_else(|| refused("the folder's name is not valid UTF-8"))?;
    let (program, arguments) = spec.argv.split_first().ok_or_else(|| refused("no program is named"))?;
    if !can_start(program, spec) {
        return Err(PaneError::Refused(format!("there is no program {program}")));
    }
    if spec.env.iter().any(|(name, _)| name.is_empty() || name.contains('=')) {
        return Err(refused("a variable has no usable name"));
    }

    let (name, target) = (session_name(spec.session), format!("{}:", session_target(spec.session)));
    let (cols, rows) = (spec.cols.max(SMALLEST.0), spec.rows.max(SMALLEST.1));
    let (cols_text, rows_text) = (cols.to_string(), rows.to_string());
    let folder_format = format!("#{{{FOLDER_OPTION}}}");
    let variables: Vec<String> = spec.env.iter().map(|(name, value)| format!("{name}={value}")).collect();
    let shell = variables.iter().rev().find(|variable| variable.starts_with("SHELL=")).map(String::as_str);
    check_words(variables.iter().chain(&spec.argv))?;

    let mut new_session = vec!["new-session", "-d", "-E", "-P", "-F", "#{pane_id}", "-s", &name];
    new_session.extend(["-x", &cols_text, "-y", &rows_text, "-c", &folder_format]);
    new_session.extend(variables.iter().flat_map(|variable| ["-e", variable]));
    new_session.push("--");
    let launcher = launcher.filter(|path| is_executable(path)).and_then(Path::to_str);
    new_session.extend(launcher.into_iter().flat_map(|launcher| [launcher, "pane"]));
    new_session.extend(launch(program, shell));
    new_session.extend(arguments.iter().map(String::as_str));

    Ok(Script::of(&["set-option", "-g", FOLDER_OPTION, folder])
        .then(&new_session)
        .then(&["link-window", "-d", "-s", &target, "-t", &format!("={HUB}:")])
        .then(&["set-option", "-p", "-t", &target, SESSION_OPTION, &spec.session.0.to_string()])
        .then(&["set-option", "-p", "-t", &target, SIZE_OPTION, &rows::write_size(cols, rows)])
        // A new pane's title is the name of the machine, which no program gave it.
        .then(&["select-pane", "-t", &target, "-T", ""]))
}

/// Runs the program, stays a moment after it and ends as it did. When a program ends within milliseconds of printing, the
/// kernel may still hold its last words while tmux already closes the terminal; with somebody else on the terminal it does not.
/// The keys for interrupt and quit are the program's alone: a trap, unlike an ignored signal, is not inherited.
const STAY_AFTER: &str =
    r#"trap : INT QUIT; "$0" "$@"; status=$?; PATH=/usr/bin:/bin:$PATH sleep 0.1 2>/dev/null; exit "$status""#;

/// Starts the program through `env`: tmux gives a command of one word to a shell, says nothing of a program that it cannot
/// start, and sets variables by itself. TMUX and TMUX_PANE would lead every `tmux` in the pane to our server, and
/// `tmux kill-server` is a thing that agents and test suites do; SHELL is the person's.
fn launch<'a>(program: &'a str, shell: Option<&'a str>) -> Vec<&'a str> {
    let mut words = vec!["/usr/bin/env", "-u", "TMUX", "-u", "TMUX_PANE"];
    match shell {
        Some(variable) => words.extend(["--", variable]),
        None => words.extend(["-u", "SHELL", "--"]),
    }
    words.extend(["/bin/sh", "-c", STAY_AFTER, program]);
    words
}

/// tmux would start nothing and say nothing if the system did not take these.
fn check_words<'a>(words: impl Iterator<Item = &'a String>) -> Result<(), PaneError> {
    let mut total = 0;
    for word in words {
        total += word.len() + 1;
        if word.contains('\0') || word.len() > LONGEST_WORD || total > MOST_WORDS {
            return Err(PaneError::Refused(
                "the arguments or the environment are too long, or contain a zero byte".into(),
            ));
        }
    }
    Ok(())
}

/// Whether the program is there. Asked beforehand, so that the one who starts it is told and not the screen.
fn can_start(program: &str, spec: &PaneSpec) -> bool {
    if program.contains('/') {
        return is_executable(&spec.folder.join(program));
    }
    let path = spec.env.iter().rev().find(|(name, _)| name == "PATH").map_or(DEFAULT_PATH, |(_, value)| value);
    env::split_paths(path).any(|folder| is_executable(&spec.folder.join(folder).join(program)))
}

fn is_executable(path: &Path) -> bool {
    path.is_file() && rustix::fs::access(path, Access::EXEC_OK).is_ok()
}

/// A word that a shell reads back as it is.
fn shell_word(word: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "/._-=".contains(letter);
    if word.chars().all(plain) { word.to_owned() } else { format!("'{}'", word.replace('\'', r"'\''")) }
}

fn opened_pane(reply: &Reply) -> Option<u32> {
    let printed = String::from_utf8_lossy(reply.blocks.get(1)?).into_owned();
    printed.strip_prefix('%')?.parse().ok()
}
