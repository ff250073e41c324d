//! The real binary, started with a home, a data folder and a tmux server of its own, and taken away without a trace.

use std::{
    net::SocketAddr,
    os::unix::{ffi::OsStrExt as _, fs::PermissionsExt as _},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::OnceLock,
    time::{Duration, Instant},
};

use shared_types::{Credential, PairReply, PairingOffer};
use tempfile::TempDir;
use uuid::Uuid;

use crate::{Phone, http, wait_until};

/// How long what a story has started may take to end when it is killed.
const END_LIMIT: Duration = Duration::from_secs(10);
/// How often is looked whether it has.
const END_LOOK: Duration = Duration::from_millis(10);

/// A server under test. Dropped, it and everything it started are gone.
pub struct Server {
    home: TempDir,
    tmux: String,
    flags: Vec<String>,
    /// Variables besides the usual ones, or instead of them.
    variables: Vec<(String, String)>,
    /// What runs: this build, unless a story has put something else in its place.
    program: PathBuf,
    process: Option<Child>,
    /// Where it listens.
    pub address: SocketAddr,
}

impl Server {
    /// Starts a server and waits until it answers.
    pub async fn start() -> Self {
        Self::start_with(&[]).await
    }

    /// Starts a server with further flags.
    pub async fn start_with(flags: &[&str]) -> Self {
        Self::start_in(own_folder(), flags, Vec::new()).await
    }

    /// Starts a server in a folder that was prepared, with variables for it and all that it starts.
    pub async fn start_in(home: TempDir, flags: &[&str], variables: Vec<(String, String)>) -> Self {
        let mut server = Self::around(home, flags, variables);
        server.launch().await;
        server
    }

    /// A home in which nothing was started yet.
    #[must_use]
    pub fn not_started(variables: Vec<(String, String)>) -> Self {
        Self::around(own_folder(), &[], variables)
    }

    fn around(home: TempDir, flags: &[&str], variables: Vec<(String, String)>) -> Self {
        std::fs::create_dir_all(temporary_in(home.path())).expect("a folder for temporary files");
        Self {
            home,
            tmux: format!("ab-test-{}", Uuid::new_v4().simple()),
            flags: flags.iter().map(|flag| (*flag).to_owned()).collect(),
            variables,
            program: binary().to_owned(),
            process: None,
            address: SocketAddr::from(([127, 0, 0, 1], 0)),
        }
    }

    /// A folder of the story's own.
    #[must_use]
    pub fn home(&self) -> &Path {
        self.home.path()
    }

    /// Lets everything from now on be done by another file than this build's.
    pub fn set_program(&mut self, program: PathBuf) {
        self.program = program;
    }

    /// Puts a program on the server's path.
    pub fn install(&self, name: &str, script: &str) {
        let folder = self.home.path().join("bin");
        std::fs::create_dir_all(&folder).expect("a folder for programs");
        let path = folder.join(name);
        std::fs::write(&path, script).expect("a program");
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("make it a program");
    }

    /// The data folder.
    #[must_use]
    pub fn data(&self) -> PathBuf {
        self.home.path().join("data")
    }

    /// Starts it again after [`Server::stop`] or [`Server::kill`]; the address may change.
    pub async fn launch(&mut self) {
        assert!(self.process.is_none(), "it runs already");
        let log = std::fs::File::create(self.home.path().join("server.log")).expect("log file");
        let mut command = self.command("serve");
        command.args(["--port", "0"]).args(&self.flags).stdout(Stdio::null()).stderr(log);
        self.process = Some(command.spawn().expect("start the server"));
        let mut process = self.process.take();
        let offer = wait_until(
            "the server to answer",
            || {
                let ended = process.as_mut().and_then(|child| child.try_wait().expect("status"));
                assert!(ended.is_none(), "the server ended at once ({ended:?}): {}", self.log());
                self.offer()
            },
            || self.log(),
        );
        let address = address_in(&offer.await);
        self.process = process;
        self.address = address;
    }

    /// A new pairing code, from the command a person would use.
    #[must_use]
    pub fn offer(&self) -> Option<PairingOffer> {
        let output = self.command("pair").arg("--json").output().expect("run answerback pair");
        output.status.success().then(|| serde_json::from_slice(&output.stdout).expect("an offer"))
    }

    /// Where a server of this home listens that somebody else started.
    #[must_use]
    pub fn found_at(&self) -> Option<SocketAddr> {
        self.offer().as_ref().map(address_in)
    }

    /// Pairs a new phone and connects it.
    pub async fn pair_phone(&self, name: &str) -> Phone {
        let credential = self.pair(name).await;
        Phone::connect(self.address, name, credential).await
    }

    /// Pairs a new device and returns its credential.
    pub async fn pair(&self, name: &str) -> Credential {
        let offer = self.offer().expect("an offer");
        let body = serde_json::json!({ "code": offer.code, "name": name }).to_string();
        let host = self.address.to_string();
        let origin = format!("http://{host}");
        let headers = [("host", host.as_str()), ("origin", &origin), ("content-type", "application/json")];
        let reply = http(self.address, "POST", "/api/pair", &headers, &body).await;
        assert_eq!(reply.status, 200, "{reply:?}");
        let cookie = reply.header("set-cookie").expect("a cookie").split(';').next().unwrap_or_default();
        let PairReply { key, .. } = serde_json::from_str(&reply.body).expect("a reply");
        Credential { cookie: cookie.to_owned(), key }
    }

    /// Stops the server as Ctrl-C does.
    pub fn stop(&mut self) {
        let mut child = self.process.take().expect("it runs");
        let status = Command::new("kill").arg(child.id().to_string()).status().expect("kill");
        assert!(status.success());
        child.wait().expect("the server ends");
    }

    /// Kills the server with no chance to do anything.
    pub fn kill(&mut self) {
        let mut child = self.process.take().expect("it runs");
        child.kill().expect("kill");
        child.wait().expect("the server is gone");
    }

    /// The number of its process.
    #[must_use]
    pub fn process_id(&self) -> u32 {
        self.process.as_ref().expect("it runs").id()
    }

    /// One of the binary's commands, for this server.
    #[must_use]
    pub fn command(&self, name: &str) -> Command {
        let mut command = Command::new(&self.program);
        command.arg(name);
        // Nothing of the surroundings gets in: stories behave the same everywhere.
        command.env_clear().envs(self.environment()).envs(self.variables.iter().cloned());
        command.current_dir(self.home.path()).stdin(Stdio::null());
        command
    }

    /// What the server wrote to its log.
    #[must_use]
    pub fn log(&self) -> String {
        std::fs::read_to_string(self.home.path().join("server.log")).unwrap_or_default()
    }

    /// The last lines of its log.
    #[must_use]
    pub fn log_tail(&self) -> String {
        let log = self.log();
        let lines: Vec<&str> = log.lines().collect();
        lines[lines.len().saturating_sub(20)..].join("\n")
    }

    /// The name of its private tmux server.
    #[must_use]
    pub fn tmux_name(&self) -> &str {
        &self.tmux
    }

    /// The socket of its private tmux server, which is there for a while now.
    #[must_use]
    pub fn tmux_socket(&self) -> String {
        self.tmux(&["display-message", "-p", "#{socket_path}"]).trim().to_owned()
    }

    /// Runs a command of the private tmux server, as somebody at the desk would.
    pub fn tmux(&self, args: &[&str]) -> String {
        let output = self.command("tmux").args(args).output().expect("run tmux");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// tmux with a server of this name, whose socket is in the story's folder: tmux leaves sockets behind.
    #[must_use]
    pub fn tmux_program(&self, name: &str) -> Command {
        let mut command = Command::new("tmux");
        command.args(["-L", name]).env("TMUX_TMPDIR", self.home.path());
        command
    }

    fn environment(&self) -> Vec<(&'static str, String)> {
        let home = self.home.path().to_string_lossy().into_owned();
        vec![
            // Programs that a story puts into its own home come first.
            ("PATH", format!("{home}/bin:{}", std::env::var("PATH").unwrap_or_default())),
            ("LANG", "C.UTF-8".to_owned()),
            ("ANSWERBACK_DATA_DIR", self.data().to_string_lossy().into_owned()),
            ("ANSWERBACK_TMUX", self.tmux.clone()),
            ("ANSWERBACK_DEMO_PACE", "0".to_owned()),
            ("ANSWERBACK_LOG", std::env::var("ANSWERBACK_LOG").unwrap_or_else(|_| "info".to_owned())),
            ("TERM", "xterm-256color".to_owned()),
            // What programs put there goes with the folder.
            ("TMPDIR", temporary_in(self.home.path()).to_string_lossy().into_owned()),
            ("TMUX_TMPDIR", home.clone()),
            ("SHELL", "/bin/sh".to_owned()),
            ("HOME", home),
        ]
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Some(mut child) = self.process.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
        let _ = self.command("tmux").arg("kill-server").stderr(Stdio::null()).status();
        end_all_of(self.home.path());
    }
}

/// Ends whatever was started with this folder for its sockets: a tmux server that was just starting, and programs that outlive
/// their terminal, as Gemini CLI 0.61 does.
fn end_all_of(home: &Path) {
    let ends = Instant::now() + END_LIMIT;
    loop {
        let left = processes_of(home);
        if left.is_empty() || Instant::now() > ends {
            return;
        }
        let ids = left.iter().map(u32::to_string);
        let _ = Command::new("kill").arg("-9").args(ids).stderr(Stdio::null()).status();
        std::thread::sleep(END_LOOK);
    }
}

/// The processes that were started with this folder for their sockets and still run; none where the system does not tell.
fn processes_of(home: &Path) -> Vec<u32> {
    let marks = [("TMUX_TMPDIR", home), ("TMPDIR", &temporary_in(home))]
        .map(|(name, folder)| [name.as_bytes(), b"=", folder.as_os_str().as_bytes()].concat());
    let numbers = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let ids = numbers.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let is_ours = |id: &u32| {
        let variables = std::fs::read(format!("/proc/{id}/environ")).unwrap_or_default();
        variables.split(|byte| *byte == 0).any(|variable| marks.iter().any(|mark| mark == variable))
    };
    ids.filter(is_ours).collect()
}

/// A folder for one story, gone with it.
pub(crate) fn own_folder() -> TempDir {
    tempfile::Builder::new().prefix("ab").tempdir().expect("temporary folder")
}

fn temporary_in(home: &Path) -> PathBuf {
    home.join("tmp")
}

fn address_in(offer: &PairingOffer) -> SocketAddr {
    let url = offer.urls.iter().find(|url| url.contains("localhost")).expect("a local address");
    let port = url.split(':').nth(2).and_then(|rest| rest.split('/').next()).expect("a port");
    SocketAddr::from(([127, 0, 0, 1], port.parse().expect("a port number")))
}

/// The binary of this build. Built once by whoever comes first, so that a story never runs an old one. A benchmark names
/// its own.
fn binary() -> &'static Path {
    static BINARY: OnceLock<PathBuf> = OnceLock::new();
    BINARY.get_or_init(|| {
        if let Some(named) = std::env::var_os("ANSWERBACK_BINARY") {
            return PathBuf::from(named).canonicalize().expect("the binary named by ANSWERBACK_BINARY");
        }
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let mut cargo = Command::new(env!("CARGO"));
        // The same build as that of the tests themselves, so that nothing is compiled twice.
        cargo.args(["test", "--quiet", "--locked", "--workspace", "--no-run"]).current_dir(&root);
        // Nor because of what cargo tells a test of its own package: what looks at that would be built anew each time.
        for (name, _) in std::env::vars_os() {
            if name.to_str().is_some_and(|name| name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_")) {
                cargo.env_remove(name);
            }
        }
        let status = cargo.output().expect("run cargo").status;
        assert!(status.success(), "the server does not build");
        let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
        target.join("debug/answerback").canonicalize().expect("the binary")
    })
}
