//! Starting a session: the person's choices are checked, the adapter says how, the files are written, the pane is opened.

use std::{
    collections::HashSet,
    env, fs,
    io::ErrorKind,
    os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _},
    path::{Path, PathBuf},
    sync::{Arc, PoisonError},
};

use adapters::{Adapter, LaunchPlan, LaunchRequest, Profile, Surroundings, adapter_for, registry};
use answerback_ledger::FolderTrust;
use shared_types::{Actor, AdapterKind, Event, FirstMessage, SessionId, StartSession};
use uuid::Uuid;

use super::{
    SessionError, Sessions, StartedBy, clean_name,
    compose::clean_text,
    facts::not_begun_fact,
    trust::{self, trust_now},
};
use crate::{
    clock::now_millis,
    hooks::HookAccess,
    journal::{Fact, FactKind},
    pane::PaneSpec,
    programs,
    store::{Added, Reservation, SessionRecord},
};

/// The size of a pane that nobody sits at: smaller ones hide options of the CLIs' dialogs.
const PANE_SIZE: (u16, u16) = (120, 40);
/// The smallest and largest size a desk terminal may bring along.
const SIZE_LIMITS: (u16, u16) = (20, 500);
/// The longest name of a model.
const MODEL_LIMIT: usize = 100;
/// Variables of our own surroundings that would mislead a CLI in its pane.
const NOT_INHERITED: &[&str] =
    &["TMUX", "TMUX_PANE", "TERM", "TERM_PROGRAM", "TERM_PROGRAM_VERSION", "COLUMNS", "LINES"];

impl Sessions {
    /// Starts a session. The same idempotency key twice starts one.
    ///
    /// # Errors
    /// When a choice is not acceptable, the CLI is not installed or the terminal does not answer; nothing is left behind.
    pub async fn start(self: &Arc<Self>, start: StartSession, by: Actor) -> Result<SessionId, SessionError> {
        let Some(key) = start.idempotency_key else { return self.start_once(start, by).await };
        // The same request may come again over another connection while it is carried out: it gets the same session.
        let _lock = self.starts.lock(key).await;
        match self.world.store.reserve_start(key, now_millis()).await? {
            Reservation::Existing(session) if !self.never_ran(session).await? => return Ok(session),
            // The server was stopped before it had a terminal, and its first message was never typed.
            Reservation::Existing(session) => {
                self.forget(session).await?;
                self.world.store.reserve_start(key, now_millis()).await?;
            }
            // Nobody else is at it: one that was reserved before got no further, because the server was killed.
            Reservation::Reserved | Reservation::Pending => {}
        }
        let started = self.start_once(start, by).await;
        if started.is_err()
            && let Err(error) = self.world.store.release_start(key).await
        {
            tracing::error!(%error, "cannot give back a start that failed");
        }
        started
    }

    /// True for a session that was written down, and whose program was not started before the server stopped.
    async fn never_ran(&self, session: SessionId) -> Result<bool, SessionError> {
        let record = self.world.store.session(session).await?;
        Ok(record.is_some_and(|record| record.ended.is_some() && record.pane.is_none()))
    }

    async fn start_once(self: &Arc<Self>, start: StartSession, by: Actor) -> Result<SessionId, SessionError> {
        let profile = registry::find(start.adapter)
            .ok_or_else(|| SessionError::BadValue(format!("there is no adapter called {}", start.adapter)))?
            .profile();
        let folder = existing_folder(&start.folder).await?;
        let mode = match start.mode {
            Some(mode) if !profile.modes.contains(&mode) => {
                return Err(adapters::LaunchRefusal::NoSuchMode(start.adapter, mode).into());
            }
            Some(mode) => Some(mode),
            None => profile.modes.first().copied(),
        };
        let message = start.message.as_deref().map(clean_text).transpose()?;
        let mut command = start.command.unwrap_or_default();
        if let Some(model) = &start.model {
            command.splice(0..0, chosen_model(profile, model)?);
        }
        // Until the session is known to all, so that another one that is started beside it gets another.
        let given = start.name.is_none().then(|| self.give_name(&folder));
        let name = match (&given, &start.name) {
            (Some(given), _) => given.name.clone(),
            (None, name) => clean_name(name.as_deref().unwrap_or_default())?,
        };
        let resumed = match &start.resume {
            Some(id) => Some(self.earlier(start.adapter, &folder, id).await?),
            None => None,
        };
        if !adapter_for(start.adapter).asks_for_trust() {
            self.may_load(start.adapter, &folder, start.trust_folder == Some(true)).await?;
        }
        let id = SessionId(Uuid::now_v7());
        if start.trust_folder == Some(true) {
            self.trusted.lock().unwrap_or_else(PoisonError::into_inner).insert(id);
        }
        let mut record = SessionRecord {
            id,
            name,
            adapter: start.adapter,
            folder,
            command,
            mode,
            cli_session_id: start.resume,
            transcript: resumed,
            transcript_offset: 0,
            pane: None,
            usage: None,
            created_at: now_millis(),
            ended: None,
        };
        let plan = self.plan(&record).await?;
        record.cli_session_id = record.cli_session_id.or_else(|| plan.cli_session_id.clone());
        record.transcript = record.transcript.or_else(|| plan.transcript.clone());
        // Written down before it runs: a crash in between leaves a session that is told as lost, never one that is unknown.
        let fact = Fact::session_runs(FactKind::SessionStarted, &record, record.created_at).by(by);
        let added = self.world.store.add_session(record.clone(), start.idempotency_key, vec![fact]).await?;
        if let Added::ConversationOpen(open) = added {
            remove_session_folder(&self.world.folder, id).await;
            return Err(self.conversation_open(open));
        }
        let first = message.map(|text| FirstMessage { text, problem: None });
        if let Some(first) = &first {
            self.world.store.set_first_message(id, first).await?;
        }
        let opened = self.open(record, &plan, start.size).await;
        if opened.is_err() {
            let _ = self.world.store.discard_session(id, vec![not_begun_fact(id, now_millis())]).await;
            remove_session_folder(&self.world.folder, id).await;
        }
        if let (Ok(()), Some(first)) = (&opened, first) {
            self.send_first_when_ready(id, first.text);
        }
        opened.map(|()| id)
    }

    /// A CLI that asks nobody loads what a folder brings as soon as it starts: only where that is harmless, was trusted as it is, or
    /// the person says so now.
    async fn may_load(&self, adapter: AdapterKind, folder: &Path, chosen: bool) -> Result<(), SessionError> {
        let name = folder.to_string_lossy().into_owned();
        let trusted = self.world.store.trusted_contents(adapter, name.clone()).await?;
        let FolderTrust::Ask { would_run, contents } = trust_now(adapter, folder.to_owned(), trusted).await else {
            return Ok(());
        };
        if chosen {
            return Ok(self.world.store.trust_folder(adapter, name, contents, now_millis()).await?);
        }
        let cli = adapter_for(adapter).profile().name;
        Err(SessionError::BadFolder(format!(
            "{cli} asks nobody before it loads what this folder brings: {}. Choose to trust this folder to start there all the same",
            trust::in_one_line(&would_run)
        )))
    }

    /// Builds the launch plan for a record and writes its files. The conversation it names is resumed.
    pub(super) async fn plan(&self, record: &SessionRecord) -> Result<LaunchPlan, SessionError> {
        let adapter = adapter_for(record.adapter);
        let profile = adapter.profile();
        let (command, folder, base) = (record.command.clone(), record.folder.clone(), self.world.folder.clone());
        let machine =
            move || find_program(profile, &command, &folder).map(|program| (program, surroundings(adapter, &base)));
        let (program, surroundings) = blocking("looking for the program", machine).await??;
        let version = match profile.program {
            "" => None,
            _ => programs::quick_version(&program).await,
        };
        let own_folder = session_folder(&self.world.folder, record.id);
        let hooks = self.world.hook_socket.as_ref();
        let request = LaunchRequest {
            program,
            version,
            resume: record.cli_session_id.clone(),
            hook_command: hooks.map(|_| hook_command(&self.world.answerback, &HookAccess::path(&own_folder))),
            surroundings,
            ..self.launch_request(record)
        };
        let plan = adapter.launch(&request)?;
        let (socket, session, written) = (self.world.hook_socket.clone(), record.id, plan.clone());
        let write = move || {
            let access = socket.map(|socket| HookAccess::create(socket, session)).transpose()?;
            write_files(&own_folder, &written, access.as_ref())
        };
        let files = blocking("writing the session's files", write).await?;
        files.map_err(|error| SessionError::Internal(format!("cannot write the session's files: {error}")))?;
        Ok(plan)
    }

    /// Opens the pane of a session that is written down, and takes it up.
    pub(super) async fn open(
        self: &Arc<Self>,
        mut record: SessionRecord,
        plan: &LaunchPlan,
        size: Option<(u16, u16)>,
    ) -> Result<(), SessionError> {
        let (smallest, largest) = SIZE_LIMITS;
        let (cols, rows) = size.unwrap_or(PANE_SIZE);
        let spec = PaneSpec {
            session: record.id,
            argv: plan.argv.clone(),
            env: environment(plan),
            folder: record.folder.clone(),
            cols: cols.clamp(smallest, largest),
            rows: rows.clamp(smallest, largest),
        };
        let pane = self.world.terminal.open(spec).await?;
        let noted = self.world.store.set_pane(record.id, pane.identity()).await;
        record.pane = Some(pane.identity());
        let view = self.view(&record).await;
        let (Ok(()), Ok(view)) = (&noted, view) else {
            let _ = pane.kill().await;
            let why = "the session could not be written down, so it was not started";
            return Err(SessionError::Store(why.to_owned()));
        };
        self.world.bus.publish(Event::Session { session: view.clone() });
        let run = self.run(record, Arc::clone(&pane), view, StartedBy::ThisRun).await;
        if run.is_err() {
            // Nobody would look after it.
            let _ = pane.kill().await;
        }
        Ok(run?)
    }

    /// The folder's name, with a number behind it when a running session is called so.
    fn give_name(&self, folder: &Path) -> GivenName<'_> {
        let base = folder.file_name().map_or_else(|| "root".to_owned(), |name| name.to_string_lossy().into_owned());
        let base = clean_name(&base).unwrap_or_else(|_| "session".to_owned());
        let mut given = self.given.lock().unwrap_or_else(PoisonError::into_inner);
        let taken: HashSet<String> = self.world.bus.sessions().into_iter().map(|session| session.name).collect();
        let numbered = (2..).map(|number| format!("{base} {number}"));
        let is_free = |name: &String| !taken.contains(name) && !given.contains(name);
        let name = std::iter::once(base.clone()).chain(numbered).find(is_free).unwrap_or(base);
        given.insert(name.clone());
        GivenName { sessions: self, name }
    }
}

/// A name that no other session is given, as long as this is held.
struct GivenName<'a> {
    sessions: &'a Sessions,
    name: String,
}

impl Drop for GivenName<'_> {
    fn drop(&mut self) {
        self.sessions.given.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.name);
    }
}

/// An existing folder, absolute, with `~` for the home folder.
pub(crate) async fn existing_folder(text: &str) -> Result<PathBuf, SessionError> {
    let text = text.to_owned();
    blocking("looking for the folder", move || find_folder(&text)).await?
}

/// Runs file work where it holds up no other session: a dead network mount may take minutes.
async fn blocking<T: Send + 'static>(
    what: &'static str,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, SessionError> {
    tokio::task::spawn_blocking(work).await.map_err(|_| SessionError::Internal(format!("{what} failed")))
}

/// The same, on a thread that may block.
pub(crate) fn find_folder(text: &str) -> Result<PathBuf, SessionError> {
    let bad = SessionError::BadFolder;
    let home = env::home_dir().unwrap_or_else(|| PathBuf::from("/"));
    let path = match text.trim() {
        "" | "~" => home,
        text => match text.strip_prefix("~/") {
            Some(rest) => home.join(rest),
            None => PathBuf::from(text),
        },
    };
    if !path.is_absolute() {
        return Err(bad(format!("{} is not an absolute path: begin with / or ~", path.display())));
    }
    let folder = path.canonicalize().map_err(|error| bad(format!("{}: {error}", path.display())))?;
    fs::read_dir(&folder).map_err(|error| bad(format!("{}: {error}", folder.display())))?;
    Ok(folder)
}

fn find_program(profile: &Profile, command: &[String], folder: &Path) -> Result<PathBuf, SessionError> {
    let missing = |message: String| Err(SessionError::NotInstalled(message));
    if profile.takes_command {
        let Some(name) = command.first().filter(|name| !name.is_empty()) else {
            return Err(adapters::LaunchRefusal::NoCommand.into());
        };
        return match programs::find_in(name, folder) {
            Some(path) => Ok(path),
            None => missing(format!("there is no program called {name} on this machine")),
        };
    }
    if profile.program.is_empty() {
        return Ok(PathBuf::new());
    }
    match programs::find_in(profile.program, folder) {
        Some(path) => Ok(path),
        None => missing(format!("{} is not installed: there is no {} on the PATH", profile.name, profile.program)),
    }
}

/// The arguments that choose a model, when the CLI has such an option and this can be a name.
fn chosen_model(profile: &Profile, model: &str) -> Result<[String; 2], SessionError> {
    let bad = |message: String| Err(SessionError::BadValue(message));
    let Some((option, _)) = profile.models else {
        return bad(format!("{} cannot be started with another model", profile.name));
    };
    let plain = model.len() <= MODEL_LIMIT
        && !model.starts_with('-')
        && !model.contains(|ch: char| ch.is_control() || ch == ' ');
    if model.is_empty() || !plain {
        return bad(format!("{model:?} is no name of a model"));
    }
    Ok([option.to_owned(), model.to_owned()])
}

/// What of this machine the launch rests on.
fn surroundings(adapter: &dyn Adapter, folder: &Path) -> Surroundings {
    let variable = |name: &str| env::var(name).ok().filter(|value| !value.is_empty());
    let mut found = adapter.surroundings(&variable);
    for file in &mut found.files {
        file.text = match fs::read_to_string(&file.path) {
            Ok(text) => Some(text),
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            // It is there, but what it says is not known: no adapter takes that for settings.
            Err(_) => Some(String::new()),
        };
    }
    found.is_roots = !found.files.is_empty() && is_roots(folder);
    found
}

/// Whether a folder and all above it belong to root and nobody else can write there. Before the first session it is not there.
fn is_roots(folder: &Path) -> bool {
    /// The bits that let the group or others write.
    const OTHERS_WRITE: u32 = 0o022;
    let alone = |folder: &Path| {
        fs::symlink_metadata(folder).is_ok_and(|found| found.uid() == 0 && found.mode() & OTHERS_WRITE == 0)
    };
    let there = folder.ancestors().find_map(|folder| folder.canonicalize().ok());
    there.is_some_and(|folder| folder.ancestors().all(alone))
}

fn environment(plan: &LaunchPlan) -> Vec<(String, String)> {
    let set = |name: &str| plan.env.iter().any(|(known, _)| known == name);
    // Our own settings would lead the commands of this binary in a pane to us; those of the demo are for the pane.
    let is_ours = |name: &str| name.starts_with("ANSWERBACK_") && !name.starts_with("ANSWERBACK_DEMO_");
    let removed = |name: &str| {
        is_ours(name) || NOT_INHERITED.contains(&name) || plan.env_remove.iter().any(|known| known == name)
    };
    // A variable that is not UTF-8 cannot be handed on through the terminal server.
    let inherited =
        env::vars_os().filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)));
    inherited.filter(|(name, _)| !set(name) && !removed(name)).chain(plan.env.iter().cloned()).collect()
}

/// The folder for the files of one session.
pub(super) fn session_folder(base: &Path, id: SessionId) -> PathBuf {
    base.join(id.0.to_string())
}

/// Takes the files of a session away; that they are gone already is fine.
pub(super) async fn remove_session_folder(base: &Path, id: SessionId) {
    let _ = tokio::fs::remove_dir_all(session_folder(base, id)).await;
}

/// The line that a CLI's shell runs for a hook. The shell becomes the relay, which so sees when the CLI is gone.
fn hook_command(answerback: &Path, access: &Path) -> String {
    let quoted = |path: &Path| format!("'{}'", path.to_string_lossy().replace('\'', r"'\''"));
    format!("exec {} hook {}", quoted(answerback), quoted(access))
}

fn write_files(folder: &Path, plan: &LaunchPlan, access: Option<&HookAccess>) -> std::io::Result<()> {
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    if let Some(access) = access {
        access.write(folder)?;
    }
    for (path, content) in &plan.files {
        let mut file = fs::OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(path)?;
        std::io::Write::write_all(&mut file, content.as_bytes())?;
    }
    Ok(())
}
