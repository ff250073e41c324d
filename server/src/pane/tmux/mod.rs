//! Panes in a private tmux server.
//!
//! One server of our own (`tmux -L NAME`, its own configuration), a permanent `hub` session that has every window, and one
//! control-mode client attached to it: that client is pushed what every pane draws, and takes every command. The server
//! outlives us; after a restart [`Terminal::find`] gives the same panes with the same identities.
//!
//! # Layout
//!
//! - [`pane`]: looking, typing, ending. [`snapshot`]: one consistent look.
//! - [`link`]: the queue and the task that connects and connects again. [`connection`]: one control client at work.
//! - [`protocol`]: what tmux says, pure. [`script`]: what we say, quoted. [`paste`], [`rows`]: what is read out of it.
//! - [`registry`]: what is known of each pane. [`lifecycle`], [`config`]: the server itself. [`processes`]: what outlives a pane.

mod config;
mod connection;
mod lifecycle;
mod link;
mod pane;
mod paste;
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

use self::{
    connection::Reply,
    lifecycle::{HUB, Place},
    link::{Link, Need},
    pane::TmuxPane,
    paste::PasteWatch,
    registry::{Registry, ServerId},
    rows::{SESSION_OPTION, SIZE_OPTION},
    script::Script,
};
use super::{FoundPane, Pane, PaneError, PaneSpec, Terminal};

/// The smallest pane while nobody is attached: smaller ones hide options of dialogs.
const SMALLEST: (u16, u16) = (100, 40);
/// For so long a lost connection is a reason to open once more: a server that was told to end is gone within milliseconds.
const OPEN_AGAIN: Duration = Duration::from_secs(2);
const OPEN_PAUSE: Duration = Duration::from_millis(50);
/// Linux takes no longer word, and macOS takes no more words together.
const LONGEST_WORD: usize = 128 * 1024 - 1;
const MOST_WORDS: usize = 900 * 1024;
/// Where programs are looked for when the environment does not say; tmux sets the same.
const DEFAULT_PATH: &str = "/usr/bin:/bin";
/// Holds the folder of the session being opened, because `-c` itself would expand formats in it.
const FOLDER_OPTION: &str = "@answerback_folder";

/// A private tmux server.
pub struct TmuxTerminal {
    place: Place,
    link: Link,
    registry: Arc<Registry>,
}

impl TmuxTerminal {
    /// The tmux server of this name, with its configuration kept in `folder`. Nothing is started or connected before it
    /// is needed. Must be called within a tokio runtime.
    #[must_use]
    pub fn new(name: impl Into<String>, folder: impl Into<PathBuf>) -> Self {
        let place = Place { name: name.into(), folder: folder.into() };
        let registry = Arc::new(Registry::default());
        let link = Link::new(place.clone(), Arc::clone(&registry));
        Self { place, link, registry }
    }

    /// The version of the installed tmux, such as `tmux 3.3a`.
    ///
    /// # Errors
    /// When there is none, or it is too old; the message says what to install.
    pub async fn version(&self) -> Result<String, PaneError> {
        self.place.version().await
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
        let script = open_script(&spec)?;
        let reply = self.run_open(spec.session, script).await?;
        let number =
            opened_pane(&reply).ok_or_else(|| PaneError::Refused("tmux did not say which pane it opened".into()))?;
        let pane = self.pane(reply.server, number, spec.session);
        pane.state.paste_watch(PasteWatch::watched_from_start);
        Ok(Arc::new(pane))
    }

    async fn find(&self) -> Result<Vec<FoundPane>, PaneError> {
        let reply = match self.link.run(Need::Any, rows::script()).await {
            // No server, no panes; but without tmux there can never be any, and that is worth an error.
            Err(PaneError::Gone) => return self.version().await.map(|_| Vec::new()),
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
        ["tmux", "-L", &self.place.name, "attach", "-t", &session_target(session)].map(str::to_owned).to_vec()
    }
}

/// The session's name in tmux, as an exact target.
fn session_target(session: SessionId) -> String {
    format!("={}", session_name(session))
}

fn session_name(session: SessionId) -> String {
    format!("ab-{}", session.0.simple())
}

/// Opens a session in one line, so that the hub has its window before the program draws anything.
fn open_script(spec: &PaneSpec) -> Result<Script, PaneError> {
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
/// start, and sets SHELL by itself.
fn launch<'a>(program: &'a str, shell: Option<&'a str>) -> Vec<&'a str> {
    let mut words = vec!["/usr/bin/env"];
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
    let executable = |path: &Path| path.is_file() && rustix::fs::access(path, Access::EXEC_OK).is_ok();
    if program.contains('/') {
        return executable(&spec.folder.join(program));
    }
    let path = spec.env.iter().rev().find(|(name, _)| name == "PATH").map_or(DEFAULT_PATH, |(_, value)| value);
    env::split_paths(path).any(|folder| executable(&spec.folder.join(folder).join(program)))
}

fn opened_pane(reply: &Reply) -> Option<u32> {
    let printed = String::from_utf8_lossy(reply.blocks.get(1)?).into_owned();
    printed.strip_prefix('%')?.parse().ok()
}
