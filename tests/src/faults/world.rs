//! The world of a campaign: one server with one data folder for all rounds, two phones, and a session for each who asks.

use std::{
    collections::BTreeMap,
    fs,
    io::Write as _,
    path::{Path, PathBuf},
    process::{Command as Process, Stdio},
    time::Duration,
};

use shared_types::{AdapterKind, Command, ReplyData, SessionId, SessionState, StartSession};
use tokio::time::{Instant, sleep};

use super::{handset::Handset, plan::Asker};
use crate::Server;

/// How long anything may take.
pub(super) const LIMIT: Duration = Duration::from_secs(40);
/// How often a file is looked at.
pub(super) const POLL: Duration = Duration::from_millis(5);

/// Everything a round plays with.
pub(super) struct World {
    pub(super) server: Server,
    /// The person's phone.
    pub(super) main: Handset,
    /// Another person's.
    pub(super) rival: Handset,
    pub(super) sessions: BTreeMap<Asker, SessionId>,
    /// The answer of the round before, for a frame that was held back.
    pub(super) held_back: Option<Command>,
    /// What the server used when it was first looked at: its process, open files, and memory in KB.
    pub(super) usage: Option<(u32, usize, u64)>,
}

impl World {
    /// Starts everything.
    pub(super) async fn start() -> Self {
        let server = Server::start().await;
        let this = std::env::current_exe().expect("this program");
        for name in ["claude", "lines"] {
            server.install(name, &format!("#!/bin/sh\nexec '{}' program {name} \"$@\"\n", this.display()));
        }
        let (main, rival) = (Handset::new(server.pair("Anna").await), Handset::new(server.pair("Ben").await));
        let mut world = Self { server, main, rival, sessions: BTreeMap::new(), held_back: None, usage: None };
        // Which programs are there is looked up at the start.
        world.server.stop();
        world.server.launch().await;
        assert!(world.main.connect(world.server.address).await && world.rival.connect(world.server.address).await);
        for asker in [Asker::Dialog, Asker::Hook, Asker::Line, Asker::Demo] {
            let session = world.begin(asker).await;
            world.sessions.insert(asker, session);
        }
        fs::create_dir_all(world.folder(Asker::Start)).expect("a folder");
        world
    }

    async fn begin(&mut self, asker: Asker) -> SessionId {
        let folder = self.folder(asker);
        fs::create_dir_all(&folder).expect("a folder");
        let screens = Path::new(env!("CARGO_MANIFEST_DIR")).join("../adapters/src/claude/screens");
        for (name, case) in [("ready", "ready-2.1.325-120x40"), ("dialog", "perm-bash-2.1.325-120x40")] {
            fs::copy(screens.join(case).join("screen.ansi"), folder.join(name)).expect("a captured screen");
        }
        let (adapter, command) = match asker {
            Asker::Dialog | Asker::Hook => (AdapterKind::new("claude"), None),
            Asker::Line => (AdapterKind::new("generic"), Some(vec!["lines".to_owned()])),
            Asker::Demo | Asker::Start => (AdapterKind::new("demo"), None),
        };
        let start = StartSession { command, ..StartSession::new(adapter, folder.to_string_lossy()) };
        let request = self.main.ask(Command::Start { start }).await;
        let ends = Instant::now() + LIMIT;
        loop {
            self.main.listen().await;
            match self.main.replies.get(&request) {
                Some(Ok(ReplyData::Started { session_id })) => {
                    let session = *session_id;
                    if self.is_ready(session) {
                        return session;
                    }
                }
                Some(other) => panic!("{asker:?} was not started: {other:?}"),
                None => {}
            }
            assert!(Instant::now() < ends, "{asker:?} is not ready: {:?}", self.main.board);
        }
    }

    /// Whether a session waits for a message, as far as the phone knows.
    pub(super) fn is_ready(&self, session: SessionId) -> bool {
        self.main.board.sessions.get(&session).is_some_and(|session| session.state == SessionState::Ready)
    }

    pub(super) fn folder(&self, asker: Asker) -> PathBuf {
        self.server.home().join(format!("{asker:?}").to_lowercase())
    }

    /// Tells a program what to do.
    pub(super) fn tell(&self, asker: Asker, line: &str) {
        let path = self.folder(asker).join("control");
        let file = fs::OpenOptions::new().create(true).append(true).open(path);
        file.and_then(|mut file| writeln!(file, "{line}")).expect("telling the program");
    }

    /// Everything a program has got so far.
    pub(super) fn received(&self, asker: Asker) -> Vec<String> {
        let text = fs::read_to_string(self.folder(asker).join("received")).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }

    /// What the program got for its question.
    pub(super) fn answered(&self, asker: Asker, round: u64) -> Option<String> {
        let mark = format!("answered {round} ");
        self.received(asker).iter().find_map(|line| line.strip_prefix(&mark).map(str::to_owned))
    }

    /// Waits until a program has written something.
    pub(super) async fn wait_received(&self, asker: Asker, line: &str) -> Result<(), String> {
        let ends = Instant::now() + LIMIT;
        while !self.received(asker).iter().any(|got| got.starts_with(line)) {
            if Instant::now() > ends {
                return Err(format!("the program never wrote {line:?}"));
            }
            sleep(POLL).await;
        }
        Ok(())
    }

    /// kill -9, and a new start.
    pub(super) async fn kill_and_start(&mut self) {
        self.server.kill();
        self.server.launch().await;
    }

    /// A start that finds the data folder read-only: it must end with a reason. Says how the folder was made so.
    pub(super) fn start_read_only(&self) -> Result<(), String> {
        let data = self.server.data();
        let script = r#"mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" && shift && exec "$@""#;
        let serve = self.server.command("serve");
        let mut command = Process::new("unshare");
        if !rustix::process::geteuid().is_root() {
            command.arg("--map-root-user");
        }
        command.args(["--mount", "sh", "-c", script, "sh"]).arg(&data).arg(serve.get_program());
        command.args(serve.get_args()).args(["--port", "0"]).stdin(Stdio::null());
        for (name, value) in serve.get_envs() {
            command.env(name, value.unwrap_or_default());
        }
        let output = command.output().map_err(|error| format!("unshare: {error}"))?;
        let said = String::from_utf8_lossy(&output.stderr);
        if output.status.success() || !said.contains("ead-only") {
            return Err(format!("a start on a read-only folder gave {:?}: {said}", output.status));
        }
        Ok(())
    }

    /// The clock says something else than what is written down: every time in the store is moved.
    pub(super) fn move_clock(&self, by: i64) {
        let db = rusqlite::Connection::open(self.server.data().join("answerback.db")).expect("the store");
        let columns = [
            ("sessions", "created_at"),
            ("sessions", "ended_at"),
            ("prompts", "created_at"),
            ("prompts", "answered_at"),
            ("prompts", "closed_at"),
            ("devices", "paired_at"),
            ("devices", "last_seen_at"),
            ("sent_messages", "at"),
        ];
        for (table, column) in columns {
            let change = format!("UPDATE {table} SET {column} = max(0, {column} + {by}) WHERE {column} IS NOT NULL");
            db.execute(&change, []).expect("another time");
        }
    }

    /// kill -9 of the control-mode client, if there is one.
    pub(super) fn kill_tmux_client(&self) {
        let clients = self.server.tmux(&["list-clients", "-F", "#{client_control_mode} #{client_pid}"]);
        for pid in clients.lines().filter_map(|line| line.strip_prefix("1 ")) {
            if let Some(pid) = pid.parse().ok().and_then(rustix::process::Pid::from_raw) {
                let _ = rustix::process::kill_process(pid, rustix::process::Signal::KILL);
            }
        }
    }

    /// Somebody at the desk answers yes.
    pub(super) fn answer_at_desk(&self, asker: Asker) {
        let target = format!("=ab-{}:", self.sessions[&asker].0.simple());
        match asker {
            Asker::Line => self.server.tmux(&["send-keys", "-t", &target, "y", "Enter"]),
            _ => self.server.tmux(&["send-keys", "-t", &target, "Enter"]),
        };
    }
}

/// Whether no file of a process can grow any more. Only Linux can change that of another process.
pub(super) fn limit_files(pid: u32, full: bool) -> bool {
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{Pid, Resource, Rlimit, getrlimit, prlimit};
        let Some(pid) = i32::try_from(pid).ok().and_then(Pid::from_raw) else { return false };
        let maximum = getrlimit(Resource::Fsize).maximum;
        let current = if full { Some(0) } else { maximum };
        prlimit(Some(pid), Resource::Fsize, Rlimit { current, maximum }).is_ok()
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = (pid, full);
        false
    }
}
