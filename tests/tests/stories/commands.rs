//! The commands of the binary, as a person at the desk and a script use them.

use std::{
    fs::{self, Permissions},
    os::unix::fs::PermissionsExt as _,
};

use answerback_tests::Server;
use shared_types::PromptOutcome;

fn run(server: &Server, command: &str, args: &[&str]) -> (bool, String, String) {
    let output = server.command(command).args(args).output().expect("run");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.success(), text(&output.stdout), text(&output.stderr))
}

#[tokio::test]
async fn a_session_started_at_the_desk_is_on_the_phone() {
    let server = Server::start().await;
    let mut phone = server.pair_phone("iPhone").await;
    let (ok, id, error) = run(&server, "run", &["--detach", "--name", "desk", "demo"]);
    assert!(ok, "{error}");
    let session = shared_types::SessionId(id.trim().parse().expect("an id"));
    phone.wait_ready(session).await;
    phone.send(session, "command").await;
    phone.wait_prompt(session).await;
    let (ok, listed, _) = run(&server, "ls", &[]);
    assert!(
        ok && listed.contains("desk") && listed.contains("WAITS FOR YOU") && listed.contains("May I run"),
        "{listed}"
    );
    let (ok, json, _) = run(&server, "ls", &["--json"]);
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert!(ok && json["prompts"][0]["prompt"]["title"] == "May I run this command?", "{json}");
    let (ok, _, error) = run(&server, "attach", &["nobody"]);
    assert!(!ok && error.contains("no running session is called nobody"), "{error}");
}

#[tokio::test]
async fn reading_a_session_disturbs_nobody() {
    let server = Server::start().await;
    let mut phone = server.pair_phone("iPhone").await;
    let session = phone.start_demo().await;
    phone.send(session, "command").await;
    let prompt = phone.wait_prompt(session).await;
    let clients = || server.tmux(&["list-clients", "-F", "#{client_control_mode} #{client_pid}"]);
    let before = clients();
    assert!(before.starts_with("1 "), "the server's own connection: {before}");
    let id = session.0.to_string();
    let (ok, read, error) = run(&server, "read", &["--session", &id]);
    assert!(ok && read.contains("\"title\": \"May I run this command?\"") && read.contains('▌'), "{read} {error}");
    let cases = server.home().join("cases");
    let (ok, wrote, error) = run(&server, "read", &["--capture", &id, &cases.to_string_lossy()]);
    assert!(ok && wrote.contains("wrote "), "{wrote} {error}");
    assert_eq!(clients(), before, "the server's connection is still the same");
    assert!(!server.log().contains("lost the connection"), "{}", server.log());
    let outcome = phone.choose(&prompt, "Yes").await;
    assert!(matches!(outcome, PromptOutcome::Verified { .. }), "{outcome:?}");
}

#[tokio::test]
async fn devices_are_listed_and_the_doctor_looks_around() {
    let server = Server::start().await;
    let (_, none, _) = run(&server, "devices", &[]);
    assert!(none.contains("no devices are paired"), "{none}");
    server.pair("Anna's phone").await;
    let (ok, listed, _) = run(&server, "devices", &[]);
    assert!(ok && listed.contains("Anna's phone"), "{listed}");
    let (ok, _, error) = run(&server, "devices", &["revoke", "nobody"]);
    assert!(!ok && error.contains("no device called nobody"), "{error}");
    let (_, report, error) = run(&server, "doctor", &[]);
    assert!(report.contains("tmux") && report.contains("runs and answers"), "{report} {error}");
    let (_, json, _) = run(&server, "doctor", &["--json"]);
    assert!(serde_json::from_str::<serde_json::Value>(&json).is_ok_and(|json| json.is_array()), "{json}");
}

#[tokio::test]
async fn doctor_puts_right_what_a_killed_server_and_a_copied_folder_leave() {
    let mut server = Server::start().await;
    let mut phone = server.pair_phone("iPhone").await;
    let session = phone.start_demo().await;
    server.kill();
    let data = server.data();
    fs::set_permissions(&data, Permissions::from_mode(0o755)).expect("open to all");
    fs::set_permissions(data.join("answerback.db"), Permissions::from_mode(0o644)).expect("open to all");
    let (ok, report, _) = run(&server, "doctor", &[]);
    assert!(!ok && report.contains("others can look into") && report.contains("doctor --fix"), "{report}");
    assert_eq!(report.matches("data folder").count(), 1, "one thing is told once: {report}");
    let (ok, report, error) = run(&server, "doctor", &["--fix"]);
    assert!(ok && report.matches("put right: ").count() == 4, "{report} {error}");
    assert!(report.contains("to others (chmod 700)") && report.contains("control.sock away"), "{report}");
    let (ok, report, _) = run(&server, "doctor", &["--fix"]);
    assert!(ok && !report.contains("put right"), "{report}");
    // Nothing was lost by it.
    server.launch().await;
    phone.reconnect(server.address).await.wait_ready(session).await;
}

#[tokio::test]
async fn uninstall_leaves_data_alone_unless_it_is_asked_for() {
    let home = tempfile::tempdir().expect("a home");
    let config = home.path().join(".config/answerback/config.toml");
    fs::create_dir_all(config.parent().expect("its folder")).expect("made");
    fs::write(&config, "metrics = true\n").expect("written");
    let mut server = Server::start_in(home, &["--tls"], Vec::new()).await;
    let (ok, _, error) = run(&server, "service", &["install"]);
    assert!(ok, "{error}");
    let (ok, _, error) = run(&server, "run", &["--detach", "demo"]);
    assert!(ok, "{error}");
    let (ok, _, error) = run(&server, "uninstall", &["--data"]);
    assert!(!ok && error.contains("a server runs here"), "{error}");
    server.stop();
    let (ok, _, error) = run(&server, "uninstall", &["--data"]);
    assert!(!ok && error.contains("sessions run on (1)"), "{error}");
    let unit = server.home().join(".config/systemd/user/answerback.service");
    assert_eq!(unit.exists(), cfg!(target_os = "linux"), "nothing was done that is half of it");

    let (ok, said, error) = run(&server, "uninstall", &[]);
    assert!(ok && said.contains("What is kept stays"), "{said} {error}");
    assert!(!unit.exists() && server.data().join("answerback.db").exists() && config.exists());

    server.tmux(&["kill-server"]);
    fs::write(server.data().join("notes"), "mine").expect("written");
    let (ok, said, _) = run(&server, "uninstall", &["--data", "--print"]);
    assert!(ok && said.contains("would delete") && server.data().join("answerback.db").exists(), "{said}");
    let (ok, said, error) = run(&server, "uninstall", &["--data"]);
    assert!(ok && said.contains("has more in it than ours"), "{said} {error}");
    let left: Vec<_> =
        fs::read_dir(server.data()).expect("the folder").flatten().map(|entry| entry.file_name()).collect();
    assert_eq!(left, ["notes"], "{said}");
    assert!(!config.exists(), "{said}");
}

#[tokio::test]
async fn a_second_server_says_that_the_first_runs() {
    let server = Server::start().await;
    let (ok, _, error) = run(&server, "serve", &["--port", "0"]);
    assert!(!ok && error.contains("already runs"), "{error}");
}

#[tokio::test]
async fn mistakes_in_the_configuration_are_told_with_their_lines() {
    let server = Server::start().await;
    let path = server.home().join("bad.toml");
    fs::write(&path, "port = 99999\n\ncolour = \"red\"\n").expect("write");
    let (ok, _, error) = run(&server, "serve", &["--config", &path.to_string_lossy()]);
    assert!(!ok && error.contains("bad.toml:1:") && error.contains("bad.toml:3:"), "{error}");
}

#[tokio::test]
async fn a_busy_port_moves_on_to_the_next() {
    let first = Server::start().await;
    let busy = first.address.port().to_string();
    // The later flag wins, so this one wants the port that the first has.
    let second = Server::start_with(&["--port", &busy]).await;
    assert_ne!(second.address.port(), first.address.port());
}

#[tokio::test]
async fn without_a_server_the_commands_say_so() {
    let mut server = Server::start().await;
    server.stop();
    let (ok, _, error) = run(&server, "ls", &[]);
    assert!(!ok && error.contains("no Answerback server runs here"), "{error}");
}
