//! The port that the phones know: nobody else gets it unnoticed, and no code is written where others may read it.

use std::{
    fs,
    net::TcpListener,
    os::fd::OwnedFd,
    process::{Child, Command, Stdio},
};

use answerback_tests::{Server, http, wait_until};
use shared_types::{AlertKind, Event, ServerMessage};

/// A server of the story's own, ended with it.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[tokio::test]
async fn busy_port_is_an_error_once_a_device_is_paired() {
    let mut server = Server::start().await;
    server.pair("iPhone").await;
    server.stop();
    let _squatter = TcpListener::bind(server.address).expect("the port is free while the server is stopped");
    let port = server.address.port().to_string();
    let said = server.home().join("said");
    let mut command = server.command("serve");
    command.args(["--port", &port]).stdout(Stdio::null()).stderr(fs::File::create(&said).expect("a file"));
    let mut child = Running(command.spawn().expect("start"));
    let read = || fs::read_to_string(&said).unwrap_or_default();
    let status = wait_until("the server to give up", || child.0.try_wait().expect("status"), read).await;
    assert!(!status.success());
    let said = read();
    assert!(said.contains(&format!("port {port} is busy")), "{said}");
    if cfg!(target_os = "linux") {
        assert!(said.contains(&format!("(process {})", std::process::id())), "it names who holds it: {said}");
    }
}

#[tokio::test]
async fn start_without_a_terminal_makes_no_pairing_code() {
    let mut server = Server::start().await;
    server.stop();
    let said = server.home().join("said");
    let file = fs::File::create(&said).expect("a file");
    let mut command = server.command("serve");
    command.args(["--port", "0"]).stdout(file.try_clone().expect("a file")).stderr(file);
    let _child = Running(command.spawn().expect("start"));
    let read = || fs::read_to_string(&said).unwrap_or_default();
    let said =
        wait_until("the server to say where it runs", || Some(read()).filter(|said| said.contains("runs at")), read)
            .await;
    assert!(!said.contains("pair=") && !said.contains("Pairing code"), "{said}");
    assert!(said.contains("`answerback pair`"), "{said}");
}

/// What `answerback.socket` does: the port is never free, whether or not the server runs.
#[tokio::test]
async fn server_takes_over_the_socket_that_systemd_holds() {
    let mut server = Server::start().await;
    server.stop();
    let held = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = held.local_addr().expect("its address");
    let host = address.to_string();
    let serve = server.command("serve");
    // systemd puts the socket at number 3 and says so.
    let script = "LISTEN_FDS=1 LISTEN_PID=$$ exec \"$0\" serve --port 1 3<&0 </dev/null";
    for run in 0..2 {
        let mut command = Command::new("sh");
        command.args(["-c", script]).arg(serve.get_program()).env_clear();
        command.envs(serve.get_envs().filter_map(|(name, value)| Some((name, value?)))).current_dir(server.home());
        command.stdin(OwnedFd::from(held.try_clone().expect("the same socket"))).stdout(Stdio::null());
        let log = fs::File::create(server.home().join("server.log")).expect("a log");
        let mut child = Running(command.stderr(log).spawn().expect("start"));
        let page = http(address, "GET", "/api/me", &[("host", &host)], "").await;
        assert_eq!(page.status, 200, "run {run}: {page:?} {}", server.log());
        child.0.kill().expect("kill");
        child.0.wait().expect("it is gone");
        assert!(TcpListener::bind(address).is_err(), "nobody else gets the port meanwhile");
    }
}

#[tokio::test]
async fn session_started_on_the_machine_is_told_to_the_phones() {
    let server = Server::start().await;
    let mut phone = server.pair_phone("iPhone").await;
    let own = phone.start_demo().await;
    let output = server.command("run").args(["--detach", "demo"]).output().expect("run");
    assert!(output.status.success(), "{output:?}");
    let told = phone
        .wait_for("an alert", |message| match message {
            ServerMessage::Event(event) => match &event.event {
                Event::Alert { alert } => match &alert.what {
                    AlertKind::StartedHere { session_id, .. } => Some(*session_id),
                    _ => None,
                },
                _ => None,
            },
            _ => None,
        })
        .await;
    assert_ne!(told, own, "a session that a phone starts is no news");
}
