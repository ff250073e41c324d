//! The real CLIs: pinned in `tests/clis`, each in a home of its own, talking to a [`Model`] on loopback with a made-up key.
//!
//! The homes hold as little as each CLI needs to speak to that model. Whatever else it asks at its start, Answerback passes by
//! itself, or the story fails.

use std::{
    collections::HashMap,
    fs,
    os::unix::fs::MetadataExt as _,
    path::{Path, PathBuf},
    process::Command as Process,
    sync::OnceLock,
};

use serde_json::json;
use shared_types::{AdapterKind, SessionId, SessionState};
use tempfile::TempDir;

use crate::{
    Phone, Server,
    model::{Call, Model},
    server::own_folder,
};

/// No vendor has ever given out this key.
const MADE_UP_KEY: &str = "made-up-key-of-a-story";

/// What makes Claude Code ask at once how it is doing, beside its composer. Its telemetry stays off: nobody is told.
pub const ASKS_ASIDE: [(&str, &str); 2] =
    [("CLAUDE_FORCE_DISPLAY_SURVEY", "1"), ("CLAUDE_CODE_ENABLE_FEEDBACK_SURVEY_FOR_OTEL", "1")];

/// One of the CLIs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cli {
    /// Claude Code.
    Claude,
    /// Codex.
    Codex,
    /// Gemini CLI.
    Gemini,
    /// opencode.
    OpenCode,
    /// GitHub Copilot CLI.
    Copilot,
    /// Qwen Code.
    Qwen,
}

/// Which of the pinned versions run: one set at a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Versions {
    /// The newest ones.
    Newest,
    /// The older ones.
    Older,
}

impl Versions {
    /// The set that this run is about.
    #[must_use]
    pub fn here() -> Self {
        match std::env::var("ANSWERBACK_CLIS").as_deref() {
            Err(_) | Ok("newest") => Self::Newest,
            Ok("older") => Self::Older,
            Ok(other) => panic!("ANSWERBACK_CLIS is newest or older, not {other}"),
        }
    }

    /// Where they are installed; a recording says where its own are.
    fn programs(self) -> PathBuf {
        if let Some(programs) = std::env::var_os("ANSWERBACK_CLI_PROGRAMS") {
            return programs.into();
        }
        let name = match self {
            Self::Newest => "newest",
            Self::Older => "older",
        };
        Path::new(env!("CARGO_MANIFEST_DIR")).join("clis").join(name).join("node_modules/.bin")
    }
}

impl Cli {
    /// The one that is started by this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        [Self::Claude, Self::Codex, Self::Gemini, Self::OpenCode, Self::Copilot, Self::Qwen]
            .into_iter()
            .find(|cli| cli.program() == name)
    }

    /// Its adapter.
    #[must_use]
    pub fn adapter(self) -> AdapterKind {
        match self {
            Self::Claude => AdapterKind::new("claude"),
            Self::Codex => AdapterKind::new("codex"),
            Self::Gemini => AdapterKind::new("gemini"),
            Self::OpenCode => AdapterKind::new("opencode"),
            Self::Copilot => AdapterKind::new("copilot"),
            Self::Qwen => AdapterKind::new("qwen"),
        }
    }

    /// A call of its shell that the person is asked about.
    #[must_use]
    pub fn shell(self, command: &str) -> Call {
        match self {
            Self::Claude => {
                Call::new("Bash", json!({ "command": command, "description": "Does what the story needs" }))
            }
            // Codex asks when a command is to run outside of its sandbox.
            Self::Codex => Call::new(
                "exec_command",
                json!({
                    "cmd": command,
                    "sandbox_permissions": "require_escalated",
                    "justification": "Does what the story needs",
                }),
            ),
            Self::Copilot => {
                Call::new("bash", json!({ "command": command, "description": "Does what the story needs" }))
            }
            Self::Gemini | Self::Qwen => Call::new(
                "run_shell_command",
                json!({ "command": command, "description": "Does what the story needs" }),
            ),
            Self::OpenCode => {
                Call::new("bash", json!({ "command": command, "description": "Does what the story needs" }))
            }
        }
    }

    fn program(self) -> &'static str {
        match self {
            Self::Claude => "claude",
            Self::Codex => "codex",
            Self::Gemini => "gemini",
            Self::OpenCode => "opencode",
            Self::Copilot => "copilot",
            Self::Qwen => "qwen",
        }
    }

    /// What it needs to find the model, and what keeps it from looking for anybody else.
    fn variables(self, home: &Path, model: &Model) -> Vec<(&'static str, String)> {
        match self {
            Self::Claude => vec![
                ("ANTHROPIC_BASE_URL", model.url()),
                ("ANTHROPIC_API_KEY", MADE_UP_KEY.to_owned()),
                ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1".to_owned()),
                ("DISABLE_AUTOUPDATER", "1".to_owned()),
                ("DISABLE_TELEMETRY", "1".to_owned()),
                ("DISABLE_ERROR_REPORTING", "1".to_owned()),
            ],
            Self::Codex => vec![
                ("CODEX_HOME", home.join(".codex").to_string_lossy().into_owned()),
                ("STORY_MODEL_KEY", MADE_UP_KEY.to_owned()),
            ],
            Self::Gemini => vec![("GOOGLE_GEMINI_BASE_URL", model.url()), ("GEMINI_API_KEY", MADE_UP_KEY.to_owned())],
            Self::OpenCode => vec![
                ("OPENCODE_DISABLE_MODELS_FETCH", "1".to_owned()),
                ("OPENCODE_DISABLE_LSP_DOWNLOAD", "1".to_owned()),
                ("OPENCODE_DISABLE_SHARE", "1".to_owned()),
            ],
            Self::Copilot => vec![
                ("COPILOT_OFFLINE", "true".to_owned()),
                ("COPILOT_PROVIDER_BASE_URL", format!("{}/v1", model.url())),
                ("COPILOT_PROVIDER_TYPE", "openai".to_owned()),
                ("COPILOT_PROVIDER_API_KEY", MADE_UP_KEY.to_owned()),
                ("COPILOT_MODEL", "story".to_owned()),
            ],
            Self::Qwen => vec![
                ("OPENAI_BASE_URL", format!("{}/v1", model.url())),
                ("OPENAI_API_KEY", MADE_UP_KEY.to_owned()),
                ("OPENAI_MODEL", "story".to_owned()),
            ],
        }
    }

    /// Writes what it needs to find in its home.
    fn furnish(self, home: &Path, model: &Model) {
        let write = |name: &str, content: String| {
            let path = home.join(name);
            fs::create_dir_all(path.parent().expect("a folder")).expect("the home's folder");
            fs::write(path, content).expect("the home's file");
        };
        match self {
            // Its very first start asks the vendor's servers whether they are there, and gives up when they are not.
            Self::Claude => {
                write(".claude.json", json!({ "hasCompletedOnboarding": true, "theme": "dark" }).to_string());
            }
            Self::Codex => {
                let url = model.url();
                let provider = format!(
                    "model = \"gpt-6-sol\"\nmodel_provider = \"story\"\n\n[model_providers.story]\nname = \"story\"\n\
                     base_url = \"{url}/v1\"\nenv_key = \"STORY_MODEL_KEY\"\nwire_api = \"responses\"\n"
                );
                write(".codex/config.toml", provider);
            }
            // Nothing: its home is empty, as on the first day.
            Self::Gemini => {}
            Self::OpenCode => {
                let options = json!({ "baseURL": format!("{}/v1", model.url()), "apiKey": MADE_UP_KEY });
                let provider = json!({
                    "npm": "@ai-sdk/anthropic", "name": "Story", "options": options,
                    "models": { "heron": { "name": "Heron", "limit": { "context": 200_000, "output": 8000 } } },
                });
                let settings = json!({
                    "model": "story/heron", "small_model": "story/heron", "provider": { "story": provider },
                    "autoupdate": false, "share": "disabled",
                });
                write(".config/opencode/opencode.json", settings.to_string());
            }
            Self::Copilot => {
                let quiet = json!({ "banner": "never", "showTipsOnStartup": false, "autoUpdate": false });
                write(".copilot/settings.json", quiet.to_string());
                fs::create_dir_all(home.join(".cache/copilot")).expect("its cache");
                std::os::unix::fs::symlink(unpacked_copilot(), home.join(".cache/copilot/pkg")).expect("its program");
            }
            // Nobody is told of its use, and the model is asked for nothing beside the conversation.
            Self::Qwen => {
                let settings = json!({
                    "general": { "enableAutoUpdate": false },
                    "privacy": { "usageStatisticsEnabled": false },
                    "telemetry": { "enabled": false },
                    "ui": { "enableFollowupSuggestions": false },
                    "memory": { "enableManagedAutoMemory": false },
                    "model": { "skipLoopDetection": false },
                    "security": { "folderTrust": { "enabled": true } },
                });
                write(".qwen/settings.json", settings.to_string());
            }
        }
    }
}

/// Where Copilot CLI has unpacked itself: 235 MB at its first start in a home, so all of them share one.
fn unpacked_copilot() -> &'static Path {
    static UNPACKED: OnceLock<PathBuf> = OnceLock::new();
    UNPACKED.get_or_init(|| {
        let programs = Versions::here().programs();
        let home = programs.join("../.copilot-home");
        fs::create_dir_all(&home).expect("a home to unpack in");
        let mut unpack = Process::new(programs.join("copilot"));
        unpack.arg("--version").env_clear().env("HOME", &home).env("COPILOT_AUTO_UPDATE", "false");
        unpack.env("PATH", std::env::var("PATH").unwrap_or_default());
        let told = unpack.output().expect("start it once");
        assert!(told.status.success(), "{told:?}");
        home.join(".cache/copilot/pkg").canonicalize().expect("what it unpacked")
    })
}

/// Where a story's files are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// Where everybody's temporary files are.
    Temporary,
    /// Where nobody but root can write, if the stories are run by root: only there Gemini CLI takes settings for the whole machine.
    Roots,
}

impl Place {
    fn folder(self) -> TempDir {
        let base = Path::new(env!("CARGO_MANIFEST_DIR")).join("clis/stories");
        if self == Self::Temporary || !is_roots(base.parent().expect("a folder")) {
            return own_folder();
        }
        fs::create_dir_all(&base).expect("a folder for stories");
        tempfile::Builder::new().prefix("ab").tempdir_in(base).expect("temporary folder")
    }
}

/// Whether a folder and all above it belong to root and nobody else can write there.
fn is_roots(folder: &Path) -> bool {
    let alone = |folder: &Path| fs::metadata(folder).is_ok_and(|found| found.uid() == 0 && found.mode() & 0o022 == 0);
    folder.canonicalize().is_ok_and(|folder| folder.ancestors().all(alone))
}

/// A server with one real CLI at hand, a phone, and the model.
pub struct Live {
    /// Which CLI.
    pub cli: Cli,
    /// The server.
    pub server: Server,
    /// The model the CLI talks to.
    pub model: Model,
    /// A paired phone.
    pub phone: Phone,
    /// Whether its folder is root's alone.
    pub is_roots: bool,
}

impl Live {
    /// Prepares everything; no CLI runs yet.
    pub async fn start(cli: Cli) -> Self {
        Self::start_with(cli, &[]).await
    }

    /// Prepares everything, with flags for the server.
    pub async fn start_with(cli: Cli, flags: &[&str]) -> Self {
        Self::start_in(cli, Place::Temporary, flags, |_| Vec::new()).await
    }

    /// Prepares everything in a place; `prepare` may put more into the story's folder and gives further variables.
    pub async fn start_in(
        cli: Cli,
        place: Place,
        flags: &[&str],
        prepare: impl FnOnce(&Path) -> Vec<(&'static str, String)>,
    ) -> Self {
        let programs = Versions::here().programs();
        assert!(
            programs.join(cli.program()).is_file(),
            "{} is not installed in tests/clis: `npm run test:clis` does that",
            cli.program()
        );
        let model = Model::start().await;
        let folder = place.folder();
        let is_roots = is_roots(folder.path());
        let home = home_in(&folder);
        fs::create_dir(&home).expect("the home");
        fs::create_dir(folder.path().join("project")).expect("the project");
        cli.furnish(&home, &model);
        let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap_or_default());
        let mut variables = cli.variables(&home, &model);
        variables.push(("HOME", home.to_string_lossy().into_owned()));
        variables.push(("PATH", path));
        variables.extend(prepare(folder.path()));
        let variables = variables.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        let server = Server::start_in(folder, flags, variables).await;
        let phone = server.pair_phone("iPhone").await;
        Self { cli, server, model, phone, is_roots }
    }

    /// Starts the CLI in the project's folder and waits until it takes messages. Nobody helps it.
    pub async fn session(&mut self) -> SessionId {
        let folder = self.project();
        let session = self.phone.start(self.cli.adapter(), &folder.to_string_lossy(), &[]).await;
        // What is asked of the person was not passed; waiting longer would not help.
        let started =
            |state: &SessionState| !matches!(state, SessionState::Starting { .. } | SessionState::Busy { .. });
        self.phone.wait_state("ready", session, started).await;
        assert_eq!(self.phone.session(session).state, SessionState::Ready, "it did not come up by itself");
        session
    }

    /// Kills the server with no chance to do anything, starts it again, and lets the phone come back.
    pub async fn kill_and_restart(&mut self) {
        self.server.kill();
        self.server.launch().await;
        let (name, credential) = (self.phone.name.clone(), self.phone.credential.clone());
        let seen = Some((self.phone.epoch, self.phone.last_seq));
        self.phone = Phone::connect_after(self.server.address, &name, credential, seen).await;
    }

    /// The folder the CLI works in.
    #[must_use]
    pub fn project(&self) -> PathBuf {
        self.server.home().join("project").canonicalize().expect("the project")
    }

    /// The CLI's home.
    #[must_use]
    pub fn home(&self) -> PathBuf {
        self.server.home().join("home")
    }

    /// A file of the CLI's home.
    #[must_use]
    pub fn home_file(&self, name: &str) -> String {
        fs::read_to_string(self.home().join(name)).unwrap_or_default()
    }

    /// What the terminals show.
    #[must_use]
    pub fn screens(&self) -> String {
        // Every session's window is linked into the hub as well.
        let panes = self.server.tmux(&["list-panes", "-s", "-t", "=hub:", "-F", "#{pane_id}"]);
        let screen = |pane| self.server.tmux(&["capture-pane", "-p", "-t", pane]).trim_end().to_owned();
        panes.lines().map(screen).filter(|screen| !screen.is_empty()).collect::<Vec<_>>().join("\n\n")
    }

    /// What can be seen now, for a failure's report.
    #[must_use]
    pub fn report(&self) -> String {
        let log = self.server.log();
        let end = log.lines().rev().take(12).collect::<Vec<_>>().into_iter().rev();
        let log: String = end.map(|line| format!("  {line}\n")).collect();
        format!("{}\n{}\nthe server's log ends:\n{log}", self.screens(), self.model.report())
    }

    /// The command lines of everything that runs in the terminals.
    #[must_use]
    pub fn command_lines(&self) -> Vec<String> {
        self.processes().into_iter().map(command_line).collect()
    }

    /// What runs in the terminals with this in its command line.
    #[must_use]
    pub fn running(&self, part: &str) -> Vec<u32> {
        self.processes().into_iter().filter(|id| command_line(*id).contains(part)).collect()
    }

    /// Everything that runs in the terminals.
    #[must_use]
    pub fn processes(&self) -> Vec<u32> {
        let first = self.server.tmux(&["list-panes", "-a", "-F", "#{pane_pid}"]);
        let mut found: Vec<u32> = first.lines().filter_map(|line| line.parse().ok()).collect();
        // Every window is linked into the hub as well.
        found.sort_unstable();
        found.dedup();
        let children = children();
        let mut at = 0;
        while let Some(id) = found.get(at) {
            found.extend(children.get(id).into_iter().flatten());
            at += 1;
        }
        found
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        if std::thread::panicking() {
            report(&self.report());
        }
    }
}

#[expect(clippy::print_stderr, reason = "a story that failed says what was seen last")]
fn report(text: &str) {
    eprintln!("{text}");
}

fn home_in(folder: &TempDir) -> PathBuf {
    folder.path().join("home")
}

fn command_line(id: u32) -> String {
    fs::read_to_string(format!("/proc/{id}/cmdline")).unwrap_or_default().replace('\0', " ")
}

/// The children of every process.
fn children() -> HashMap<u32, Vec<u32>> {
    let mut children: HashMap<u32, Vec<u32>> = HashMap::new();
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let Some(id) = entry.file_name().to_string_lossy().parse::<u32>().ok() else { continue };
        let stat = fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
        // The name in brackets may hold anything; the parent is the second word after it.
        let parent = stat.rsplit_once(')').and_then(|(_, rest)| rest.split_whitespace().nth(1)?.parse().ok());
        if let Some(parent) = parent {
            children.entry(parent).or_default().push(id);
        }
    }
    children
}
