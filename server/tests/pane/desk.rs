//! What the tests of panes share: a private tmux server that is gone when the test is over, and waiting by name.

use std::{
    fs,
    future::Future,
    path::Path,
    process::{Command, Stdio},
    sync::Arc,
    time::{Duration, Instant},
};

use adapters::{Capture, Keystroke, Screen};
use answerback::{
    pane::{BorrowedServer, Pane, PaneError, PaneSpec, Press, Terminal, TmuxTerminal},
    paths::Paths,
};
use shared_types::SessionId;
use tempfile::TempDir;
use uuid::Uuid;

/// The program that panes are started through.
const BINARY: &str = env!("CARGO_BIN_EXE_answerback");
/// Generous, because the machine may be busy; nothing waits longer than it has to.
pub(crate) const LIMIT: Duration = Duration::from_secs(30);
pub(crate) const LOOK_AGAIN: Duration = Duration::from_millis(10);

/// A private tmux server, and a folder for what the programs write.
pub(crate) struct Desk {
    pub(crate) name: String,
    pub(crate) folder: TempDir,
    pub(crate) paths: Paths,
    pub(crate) terminal: TmuxTerminal,
}

impl Desk {
    pub(crate) fn new() -> Self {
        let name = format!("ab-test-{}", Uuid::new_v4().simple());
        let folder = tempfile::tempdir().expect("temporary folder");
        let paths = Paths::resolve(Some(&folder.path().join("data")));
        paths.create().expect("folders");
        let terminal = terminal(&name, &paths);
        Self { name, folder, paths, terminal }
    }

    /// As after a restart of ours. The connection before ends with the last pane of before.
    pub(crate) fn restart(&mut self) {
        self.terminal = terminal(&self.name, &self.paths);
    }

    pub(crate) fn path(&self, name: &str) -> String {
        self.folder.path().join(name).to_string_lossy().into_owned()
    }

    pub(crate) fn spec(&self, argv: &[&str]) -> PaneSpec {
        PaneSpec {
            session: SessionId(Uuid::new_v4()),
            argv: argv.iter().map(|word| (*word).to_owned()).collect(),
            env: vec![("PATH".into(), "/usr/local/bin:/usr/bin:/bin".into())],
            folder: self.folder.path().to_owned(),
            cols: 120,
            rows: 40,
        }
    }

    pub(crate) async fn open(&self, argv: &[&str]) -> Arc<dyn Pane> {
        self.terminal.open(self.spec(argv)).await.expect("open a pane")
    }

    pub(crate) async fn shell(&self, program: &str) -> Arc<dyn Pane> {
        self.open(&["/bin/sh", "-c", program]).await
    }

    /// The same tmux server, as another process sees it.
    pub(crate) fn borrowed(&self) -> BorrowedServer {
        BorrowedServer::new(&self.name, &self.paths)
    }

    /// Runs tmux from outside, as a person would.
    pub(crate) fn tmux(&self, words: &[&str]) -> String {
        let mut command = Command::new(BINARY);
        // Nor are the settings of whoever runs the tests read.
        command
            .args(["tmux", "--config", "/dev/null", "--tmux", &self.name, "--data-dir"])
            .arg(&self.paths.data)
            .args(words);
        let output = command.stdin(Stdio::null()).output().expect("tmux");
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    }
}

fn terminal(name: &str, paths: &Paths) -> TmuxTerminal {
    TmuxTerminal::new(name, paths).with_program(BINARY.into())
}

impl Drop for Desk {
    fn drop(&mut self) {
        self.tmux(&["kill-server"]);
    }
}

/// Waits until there is something; panics with the name of what was waited for and what was seen last.
pub(crate) async fn wait_until<T, F>(what: &str, mut look: impl FnMut() -> F) -> T
where
    F: Future<Output = Result<T, String>>,
{
    let start = Instant::now();
    loop {
        match look().await {
            Ok(found) => return found,
            Err(seen) if start.elapsed() > LIMIT => panic!("waited {LIMIT:?} until {what}; seen last:\n{seen}"),
            Err(_) => tokio::time::sleep(LOOK_AGAIN).await,
        }
    }
}

/// Waits until the pane shows what is wanted, and gives that look.
pub(crate) async fn shows(pane: &dyn Pane, what: &str, wanted: impl Fn(&Capture) -> bool) -> Capture {
    wait_until(what, || async {
        let capture = pane.capture().await.map_err(|error| error.to_string())?.capture;
        if wanted(&capture) { Ok(capture) } else { Err(format!("{}\n{capture:?}", plain(&capture))) }
    })
    .await
}

/// Waits until the pane shows this text.
pub(crate) async fn shows_text(pane: &dyn Pane, text: &str) -> Capture {
    shows(pane, &format!("the screen shows {text:?}"), |capture| plain(capture).contains(text)).await
}

/// Presses keys as a person would by hand, and sees that they were.
pub(crate) async fn press(pane: &dyn Pane, keys: &[Keystroke]) {
    assert_eq!(pane.press(keys, None).await, Press::Pressed);
}

/// Waits until the pane is gone.
pub(crate) async fn is_gone(pane: &dyn Pane) {
    wait_until("the pane is gone", || async {
        match pane.capture().await {
            Err(PaneError::Gone) => Ok(()),
            other => Err(format!("{other:?}")),
        }
    })
    .await;
}

/// Waits until the file has this many bytes, and gives them.
pub(crate) async fn file_of(path: &str, length: usize) -> Vec<u8> {
    wait_until(&format!("{path} has {length} bytes"), || async {
        let bytes = fs::read(path).map_err(|error| error.to_string())?;
        if bytes.len() >= length { Ok(bytes) } else { Err(format!("{} bytes", bytes.len())) }
    })
    .await
}

/// Waits until the file is there and ends with a line feed, and gives its text.
pub(crate) async fn text_of(path: &str) -> String {
    wait_until(&format!("{path} is written"), || async {
        let text = fs::read_to_string(path).map_err(|error| error.to_string())?;
        if text.ends_with('\n') { Ok(text) } else { Err(text) }
    })
    .await
}

/// Whether a process runs; one that ended but was not collected does not.
pub(crate) fn runs(pid: &str) -> bool {
    let output = Command::new("ps").args(["-o", "stat=", "-p", pid]).output().expect("ps");
    let state = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    !state.is_empty() && !state.starts_with('Z')
}

pub(crate) fn plain(capture: &Capture) -> String {
    Screen::from_capture(capture).plain_text()
}

pub(crate) fn exists(path: &str) -> bool {
    Path::new(path).exists()
}

pub(crate) fn paste(text: &str) -> Keystroke {
    Keystroke::Paste(text.into())
}
