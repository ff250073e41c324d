//! The first start: asked once, in a terminal, what may not be guessed; never where nobody can answer.

use std::{
    fs,
    process::{Command, Stdio},
};

use answerback_tests::{Server, http, wait_until};

/// Starts Answerback without a word, and says how it ended; Ctrl-C is for Answerback alone.
const SCRIPT: &str = r#"trap : INT; "$0"; echo "it ended with $?"; exec cat"#;
/// Stands in for Tailscale: says its name, and writes down what else it was told.
const CONNECTED: &str = r#"#!/bin/sh
case "$1" in
  status) echo '{"BackendState":"Running","Self":{"DNSName":"Box.tail1.ts.net."}}' ;;
  *) echo "$@" >> "$HOME/told"; echo "Available within your tailnet" ;;
esac
"#;
const STOPPED: &str = "#!/bin/sh\necho '{\"BackendState\":\"Stopped\",\"Self\":null}'\n";

/// A home in which Answerback was never started, with a terminal of the person's own.
struct Desk {
    server: Server,
}

impl Desk {
    fn with_tailscale(script: &str) -> Self {
        let server = Server::not_started(vec![("ANSWERBACK_LOG".into(), "warn".into())]);
        server.install("tailscale", script);
        Self { server }
    }

    /// What Answerback is started with, of which nothing comes from whoever runs the tests.
    fn surrounded(&self, program: &str) -> Command {
        let serve = self.server.command("serve");
        let mut command = Command::new(program);
        command.env_clear().envs(serve.get_envs().filter_map(|(name, value)| Some((name, value?))));
        command.current_dir(self.server.home()).stdin(Stdio::null());
        command
    }

    fn binary(&self) -> String {
        self.server.command("serve").get_program().to_string_lossy().into_owned()
    }

    fn tmux(&self, words: &[&str]) -> String {
        let output =
            self.surrounded("tmux").args(["-L", "desk", "-f", "/dev/null"]).args(words).output().expect("tmux");
        assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// Types `answerback` in a new terminal.
    fn start(&self, terminal: &str) {
        let binary = self.binary();
        self.tmux(&["new-session", "-d", "-s", terminal, "-x", "150", "-y", "90", "sh", "-c", SCRIPT, &binary]);
    }

    fn screen(&self, terminal: &str) -> String {
        self.tmux(&["capture-pane", "-p", "-t", &format!("={terminal}:")])
    }

    async fn shows(&self, terminal: &str, text: &str) -> String {
        let look = || Some(self.screen(terminal)).filter(|screen| screen.contains(text));
        wait_until(&format!("`{text}`"), look, || self.screen(terminal)).await
    }

    fn press(&self, terminal: &str, keys: &[&str]) {
        self.tmux(&[&["send-keys", "-t", &format!("={terminal}:")], keys].concat());
    }

    fn settings(&self) -> Option<String> {
        fs::read_to_string(self.server.home().join(".config/answerback/config.toml")).ok()
    }
}

#[tokio::test]
async fn first_start_asks_once_and_lets_tailscale_carry_the_page() {
    let desk = Desk::with_tailscale(CONNECTED);
    fs::create_dir(desk.server.home().join("work")).expect("a folder");
    desk.start("first");
    desk.shows("first", "through Tailscale, as https://box.tail1.ts.net").await;
    desk.press("first", &["2", "Enter"]);
    desk.shows("first", "In which folders").await;
    desk.press("first", &["~/work", "Enter", "Enter"]);
    desk.shows("first", "What may a notification say?").await;
    desk.press("first", &["2", "Enter"]);
    desk.shows("first", "Run it now?").await;
    let settings = desk.settings().expect("written before anything is run");
    let port = settings.lines().find_map(|line| line.strip_prefix("port = ")).expect("a port").to_owned();
    let command = format!("serve --bg {port}");
    assert!(desk.screen("first").contains(&format!("tailscale {command}")), "the exact command is shown");
    desk.press("first", &["Enter"]);
    let screen = desk.shows("first", "Answerback runs at https://box.tail1.ts.net").await;
    assert!(screen.contains("Sessions run in tmux ") && screen.contains("/tmux)"), "{screen}");
    assert_eq!(fs::read_to_string(desk.server.home().join("told")).expect("told"), format!("{command}\n"));
    let work = desk.server.home().join("work").canonicalize().expect("its path");
    assert!(settings.contains(&format!("folders = [\"{}\"]", work.display())), "{settings}");
    assert!(settings.contains("content = \"question\""), "{settings}");

    // Tailscale comes with that name, and is let in; others are not.
    let address = desk.server.found_at().expect("it runs");
    for (host, status) in [("box.tail1.ts.net", 200), ("other.tail1.ts.net", 403)] {
        let reply = http(address, "GET", "/api/me", &[("host", host)], "").await;
        assert_eq!(reply.status, status, "{host}: {reply:?}");
    }

    desk.press("first", &["C-c"]);
    desk.shows("first", "it ended with 0").await;
    desk.start("second");
    let screen = desk.shows("second", "Answerback runs at https://box.tail1.ts.net").await;
    assert!(!screen.contains("Welcome"), "never again: {screen}");
}

#[tokio::test]
async fn first_start_left_before_the_end_chooses_nothing() {
    let desk = Desk::with_tailscale(STOPPED);
    desk.start("first");
    desk.shows("first", "not connected").await;
    desk.press("first", &["2", "Enter"]);
    desk.shows("first", "In which folders").await;
    desk.press("first", &["C-d"]);
    desk.shows("first", "it ended with 1").await;
    assert_eq!(desk.settings(), None);
    desk.start("second");
    desk.shows("second", "Welcome").await;
    desk.press("second", &["Enter", "Enter", "Enter"]);
    desk.shows("second", "Answerback runs at http://localhost:").await;
    let settings = desk.settings().expect("written");
    assert!(settings.contains("lan = false") && !settings.contains("allowed_hosts"), "{settings}");
}

#[tokio::test]
async fn start_without_a_terminal_asks_nothing_and_chooses_nothing() {
    let desk = Desk::with_tailscale(CONNECTED);
    let said = desk.server.home().join("said");
    let file = fs::File::create(&said).expect("a file");
    let mut command = desk.surrounded(&desk.binary());
    let mut child = command.stdout(file.try_clone().expect("a file")).stderr(file).spawn().expect("start");
    let read = || fs::read_to_string(&said).unwrap_or_default();
    let said = wait_until("it to run", || Some(read()).filter(|said| said.contains("runs at")), read).await;
    assert!(said.contains("Answerback runs at http://localhost:") && !said.contains("Welcome"), "{said}");
    assert_eq!(desk.settings(), None);
    child.kill().expect("kill");
    child.wait().expect("it is gone");
}
