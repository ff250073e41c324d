//! `run` and `attach`: a session in this very terminal.

use std::{
    fs,
    io::IsTerminal as _,
    os::unix::process::CommandExt as _,
    path::{Path, PathBuf},
    process::{self, Stdio},
    time::Duration,
};

use adapters::{generic, registry};
use anyhow::{Context as _, bail};
use shared_types::{Command, ReplyData, Session, StartSession};

use super::{
    RunArgs,
    local::{LocalServer, NoServer},
};
use crate::{
    config::{Flags, Settings},
    pane::BorrowedServer,
    say,
};

/// How long a server that we start in the background may take to answer.
const START_LIMIT: Duration = Duration::from_secs(15);

pub(super) async fn run(args: RunArgs) -> anyhow::Result<()> {
    let settings = Settings::load(&Flags::from(args.place.clone()))?;
    let mut server = match LocalServer::connect(&settings.paths.control_socket()).await {
        Ok(server) => server,
        Err(error) if error.is::<NoServer>() => start_server(&args, &settings).await?,
        Err(error) => return Err(error),
    };
    let folder = match args.folder {
        Some(folder) => folder,
        None => std::env::current_dir().context("finding this folder")?,
    };
    let folder = folder.canonicalize().with_context(|| format!("{}", folder.display()))?;
    let (adapter, command) = match registry::of_program(&args.program) {
        Some(adapter) => (adapter.profile().kind, args.args),
        None => (generic::KIND, std::iter::once(args.program).chain(args.args).collect()),
    };
    let start = StartSession {
        command: Some(command),
        name: args.name,
        mode: args.mode,
        trust_folder: args.trust.then_some(true),
        size: terminal_size().filter(|_| !args.detach),
        ..StartSession::new(adapter, folder.to_string_lossy())
    };
    let ReplyData::Started { session_id } = server.request(Command::Start { start }).await? else {
        bail!("an answer of another kind");
    };
    if args.detach || !std::io::stdin().is_terminal() {
        say::line(&session_id.0.to_string());
        return Ok(());
    }
    Err(become_tmux(&borrowed(&settings).attach_words(session_id).await?))
}

pub(super) async fn attach(name: Option<String>, flags: Flags) -> anyhow::Result<()> {
    let settings = Settings::load(&flags)?;
    let server = LocalServer::connect(&settings.paths.control_socket()).await?;
    let session = choose(&server.running(), name.as_deref())?;
    Err(become_tmux(&borrowed(&settings).attach_words(session.id).await?))
}

/// The one running session that is meant.
pub(super) fn choose<'a>(running: &[&'a Session], name: Option<&str>) -> anyhow::Result<&'a Session> {
    let matching: Vec<&Session> = match name {
        None => running.to_vec(),
        Some(name) => {
            let is_it = |session: &&Session| session.name == name || session.id.0.to_string().starts_with(name);
            running.iter().copied().filter(is_it).collect()
        }
    };
    match (matching.as_slice(), name) {
        ([session], _) => Ok(session),
        ([], None) => bail!("no session runs: start one with `answerback run demo`"),
        ([], Some(name)) => bail!("no running session is called {name}: see `answerback ls`"),
        (_, None) => bail!("several sessions run, name one: see `answerback ls`"),
        (_, Some(name)) => {
            bail!("several sessions are called {name}: use the beginning of the id from `answerback ls --json`")
        }
    }
}

/// Runs a command of tmux on the private server.
pub(super) async fn tmux(command: &[String], flags: Flags) -> anyhow::Result<()> {
    let settings = Settings::load(&flags)?;
    Err(become_tmux(&borrowed(&settings).words(command).await?))
}

fn borrowed(settings: &Settings) -> BorrowedServer {
    BorrowedServer::new(&settings.tmux, &settings.paths)
}

/// Turns this process into tmux: what comes back is why that failed.
fn become_tmux(words: &[String]) -> anyhow::Error {
    let mut words = words.iter();
    let program = words.next().map_or("tmux", String::as_str);
    // Inside another tmux it would refuse; this is another server, so it is fine.
    let error = process::Command::new(program).args(words).env_remove("TMUX").exec();
    anyhow::Error::from(error).context("starting tmux")
}

fn terminal_size() -> Option<(u16, u16)> {
    let size = rustix::termios::tcgetwinsize(std::io::stdout()).ok()?;
    (size.ws_col > 0 && size.ws_row > 0).then_some((size.ws_col, size.ws_row))
}

/// Starts a server in the background and waits until it answers.
async fn start_server(args: &RunArgs, settings: &Settings) -> anyhow::Result<LocalServer> {
    settings.paths.create().with_context(|| format!("making the folder {}", settings.paths.data.display()))?;
    let log_path = settings.paths.data.join("server.log");
    let log = private_file(&log_path)?;
    let mut command = process::Command::new(std::env::current_exe()?);
    command.arg("serve").stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log).process_group(0);
    for (flag, value) in [("--data-dir", &args.place.data_dir), ("--config", &args.place.config)] {
        if let Some(value) = value {
            command.arg(flag).arg(value);
        }
    }
    if let Some(name) = &args.place.tmux {
        command.arg("--tmux").arg(name);
    }
    let mut child = command.spawn().context("starting the server")?;
    let ends = tokio::time::Instant::now() + START_LIMIT;
    loop {
        if let Ok(server) = LocalServer::connect(&settings.paths.control_socket()).await {
            say::error_line(&format!(
                "started the Answerback server in the background; its log is {}",
                log_path.display()
            ));
            return Ok(server);
        }
        if let Some(status) = child.try_wait()? {
            bail!("the server ended at once ({status}); its log is {}", log_path.display());
        }
        if tokio::time::Instant::now() > ends {
            bail!("the server does not answer; its log is {}", log_path.display());
        }
        tokio::time::sleep(Duration::from_millis(30)).await;
    }
}

fn private_file(path: &Path) -> anyhow::Result<fs::File> {
    use std::os::unix::fs::OpenOptionsExt as _;
    let file = fs::OpenOptions::new().create(true).write(true).truncate(true).mode(0o600).open(path);
    file.with_context(|| format!("writing {}", PathBuf::from(path).display()))
}
