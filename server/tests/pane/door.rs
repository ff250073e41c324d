//! The socket of our tmux server: away most of the time, and found again whatever happens.

use std::{
    fs,
    os::unix::net::UnixStream,
    path::PathBuf,
    process::{Command, Stdio},
};

use adapters::Keystroke;
use answerback::pane::Terminal;
use uuid::Uuid;

use crate::desk::{Desk, press, shows_text, wait_until};

fn folder(desk: &Desk) -> PathBuf {
    desk.paths.runtime.join(format!("tmux-{}", desk.name))
}

async fn is_closed(desk: &Desk) {
    wait_until("the socket is away", || async {
        if folder(desk).exists() { Err("there is a folder".to_owned()) } else { Ok(()) }
    })
    .await;
}

fn signal(name: &str, pid: u32) {
    assert!(Command::new("kill").args([name, &pid.to_string()]).status().expect("kill").success());
}

#[tokio::test]
async fn the_socket_is_away_while_the_server_is_connected() {
    let desk = Desk::new();
    let pane = desk.shell("echo here; cat").await;
    is_closed(&desk).await;
    // What a program in a pane could do that may write nowhere.
    signal("-USR1", pane.identity().server_pid);
    shows_text(&*pane, "here").await;
    assert!(UnixStream::connect(folder(&desk).join("socket")).is_err());
    assert!(!folder(&desk).exists());
    // A person at the desk gets in, and it is closed again behind them.
    assert!(desk.tmux(&["list-sessions"]).contains("hub"));
    is_closed(&desk).await;
    assert!(desk.tmux(&["list-sessions"]).contains("hub"));
}

#[tokio::test]
async fn a_runtime_folder_that_was_emptied_loses_no_pane() {
    let mut desk = Desk::new();
    let pane = desk.shell("echo here; cat").await;
    shows_text(&*pane, "here").await;
    is_closed(&desk).await;
    fs::remove_dir_all(&desk.paths.runtime).expect("emptied");
    let identity = pane.identity();
    drop(pane);
    desk.restart();
    let found = desk.terminal.find().await.expect("find");
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].pane.identity(), identity);
}

#[tokio::test]
async fn a_record_of_another_process_signals_nobody() {
    let desk = Desk::new();
    let record = desk.paths.data.join(format!("tmux-{}.json", desk.name));
    let mut other = Command::new("sleep").arg("1000").stdin(Stdio::null()).spawn().expect("a process");
    fs::write(&record, format!(r#"{{"pid":{},"started":"1"}}"#, other.id())).expect("a record");
    let pane = desk.shell("echo here; cat").await;
    shows_text(&*pane, "here").await;
    assert_eq!(other.try_wait().expect("status"), None, "SIGUSR1 would have ended it");
    other.kill().and_then(|()| other.wait()).expect("it ends");
}

/// A server of an earlier version, with one session.
struct Earlier<'a>(&'a Desk);

impl Earlier<'_> {
    fn tmux(&self, words: &[&str]) {
        let status = Command::new("tmux").args(["-L", &self.0.name, "-f", "/dev/null"]).args(words).status();
        assert!(status.expect("tmux").success(), "{words:?}");
    }
}

impl Drop for Earlier<'_> {
    fn drop(&mut self) {
        let tmux = |words: &[&str]| Command::new("tmux").args(["-L", &self.0.name]).args(words).output();
        // tmux leaves its socket behind when it is told to end.
        let socket = tmux(&["display-message", "-p", "#{socket_path}"]);
        let _ = tmux(&["kill-server"]);
        if let Ok(socket) = socket {
            let _ = fs::remove_file(String::from_utf8_lossy(&socket.stdout).trim());
        }
    }
}

#[tokio::test]
async fn a_server_of_an_earlier_version_is_taken_over() {
    let desk = Desk::new();
    let earlier = Earlier(&desk);
    let session = Uuid::new_v4().to_string();
    earlier.tmux(&["new-session", "-d", "-s", "hub", "-x", "120", "-y", "40", "sleep 1000"]);
    earlier.tmux(&["new-session", "-d", "-s", "ab-old", "echo still here; exec cat"]);
    earlier.tmux(&["set-option", "-p", "-t", "=ab-old:", "@answerback_session", &session]);
    let found = desk.terminal.find().await.expect("find");
    assert_eq!(found.iter().map(|found| found.session.0.to_string()).collect::<Vec<_>>(), [session]);
    let pane = &found[0].pane;
    shows_text(&**pane, "still here").await;
    press(&**pane, &[Keystroke::Text("typed".into())]).await;
    shows_text(&**pane, "typed").await;
    let next = desk.shell("echo beside it; cat").await;
    shows_text(&*next, "beside it").await;
    assert_eq!(next.identity().server_pid, pane.identity().server_pid);
    assert!(desk.tmux(&["list-sessions"]).contains("ab-old"));
}

#[tokio::test]
async fn a_pane_does_not_know_our_server() {
    let desk = Desk::new();
    let other = desk.shell("echo here; cat").await;
    shows_text(&*other, "here").await;
    // Its own folder for tmux, so that no server of the machine is ended.
    let tmux_folder = desk.path("tmux-folder");
    fs::create_dir(&tmux_folder).expect("a folder");
    let mut spec = desk.spec(&["/bin/sh", "-c", "tmux kill-server; echo \"over ${TMUX-none} ${TMUX_PANE-none}\"; cat"]);
    spec.env.push(("TMUX_TMPDIR".into(), tmux_folder));
    let pane = desk.terminal.open(spec).await.expect("open");
    shows_text(&*pane, "over none none").await;
    shows_text(&*other, "here").await;
}
