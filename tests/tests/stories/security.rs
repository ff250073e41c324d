//! What somebody tries who should not: nothing comes of it. Wrong places, foreign cookies and guessed codes are in `access.rs`,
//! strangers at the hook socket in `hooks.rs`, odd frames in `bad_input.rs`; `docs/security.md` is the whole table.

use std::{
    fs,
    io::Read as _,
    os::unix::{
        fs::{MetadataExt as _, PermissionsExt as _},
        process::CommandExt as _,
    },
    path::{Path, PathBuf},
    process,
};

use answerback_tests::{Client, Phone, Server, http, response_to, wait_until};
use shared_types::{AdapterKind, Command, ErrorCode, PromptOutcome, PromptResponse, ServerMessage, SessionId};
use tokio::{io::AsyncWriteExt as _, net::TcpStream};

/// What would make this file if anybody took it for a command, in every language on the way: shell, tmux, tmux's formats.
fn injections(mark: &Path) -> Vec<String> {
    let touch = format!("touch {}", mark.display());
    vec![
        format!("$({touch})"),
        format!("`{touch}`"),
        format!("'; {touch}; '"),
        format!("\"; {touch}; \""),
        format!("#({touch})"),
        format!("#{{q:#({touch})}}"),
        format!("; run-shell '{touch}' ;"),
        format!("}} ; run-shell {{ {touch} }}"),
        format!("%1 ; run-shell \"{touch}\""),
        format!("-t; {touch} \\; run-shell '{touch}'"),
    ]
}

async fn wait_file(path: &Path, is_it: impl Fn(&str) -> bool) -> String {
    let read = || fs::read_to_string(path).ok().filter(|text| is_it(text));
    wait_until("what the program got", read, || fs::read_to_string(path).unwrap_or_default()).await
}

#[tokio::test]
async fn names_folders_texts_and_titles_are_never_commands() {
    let server = Server::start().await;
    let mut phone = server.pair_phone("iPhone").await;
    let mark = server.home().join("injected");
    let all = injections(&mark);
    for (number, text) in all.iter().enumerate() {
        // A slash would make it several folders.
        let folder = server.home().join(format!("{number} {}", text.replace('/', "_")));
        fs::create_dir(&folder).expect("a folder");
        // Puts the text into its title, and keeps what is typed at what looks like a shell.
        let script =
            "printf '\\033]2;%s\\007' \"$1\"; printf '$ '; read -r line; printf '%s\\n' \"$line\" > typed; exec cat";
        let folder_name = folder.to_string_lossy().into_owned();
        let session = phone.start(AdapterKind::new("generic"), &folder_name, &["sh", "-c", script, "sh", text]).await;
        phone.wait_ready(session).await;
        phone
            .ask(Command::Rename { session_id: session, name: text.chars().take(80).collect() })
            .await
            .expect("a name");
        phone.send(session, text).await;
        let typed = wait_file(&folder.join("typed"), |typed| typed.ends_with('\n')).await;
        assert_eq!(typed.trim_end_matches('\n'), text, "exactly what was sent");
    }
    // Somebody looks at it at the desk: then tmux draws names and titles into its status line.
    let desk = format!("{}-desk", server.tmux_name());
    let list = server.command("ls").output().expect("run ls");
    assert!(list.status.success());
    let at_desk = |args: &[&str]| server.tmux_program(&desk).args(args).output().expect("run tmux");
    let binary = server.command("tmux").get_program().to_string_lossy().into_owned();
    let data = server.data();
    let attach = format!("{binary} tmux --data-dir {} --tmux {} attach", data.display(), server.tmux_name());
    at_desk(&[
        "-f",
        "/dev/null",
        "new-session",
        "-d",
        "-x",
        "120",
        "-y",
        "40",
        "env",
        "-u",
        "TMUX",
        "sh",
        "-c",
        &attach,
    ]);
    let shown = wait_until(
        "the desk's client",
        || {
            Some(server.tmux(&["list-clients", "-F", "#{client_control_mode}"]))
                .filter(|all| all.lines().any(|one| one == "0"))
        },
        || String::from_utf8_lossy(&at_desk(&["capture-pane", "-p"]).stdout).into_owned(),
    );
    shown.await;
    for session in server.tmux(&["list-sessions", "-F", "#{session_id}"]).lines() {
        server.tmux(&["switch-client", "-t", session]);
        server.tmux(&["refresh-client", "-S"]);
    }
    at_desk(&["kill-server"]);
    assert!(!mark.exists(), "something was taken for a command");
    let health = phone.start_demo().await;
    phone.send(health, "all is well").await;
}

#[tokio::test]
async fn a_tmux_folder_that_others_can_write_prevents_nothing() {
    let home = tempfile::tempdir().expect("a folder");
    let shared = home.path().join("shared");
    // Where tmux would have its own sockets; made by somebody else before, it refuses to use it.
    let user = fs::metadata(home.path()).expect("a folder").uid();
    let taken = shared.join(format!("tmux-{user}"));
    fs::create_dir_all(&taken).expect("a folder");
    fs::set_permissions(&taken, fs::Permissions::from_mode(0o777)).expect("others can write");
    let variables = vec![("TMUX_TMPDIR".to_owned(), shared.to_string_lossy().into_owned())];
    let server = Server::start_in(home, &[], variables).await;
    let mut phone = server.pair_phone("iPhone").await;
    let session = phone.start_demo().await;
    phone.send(session, "all is well").await;
}

/// A generic program that tries the commands of the binary, each once plainly and once from the background of a session of its own,
/// whose parent has ended. What came of each is in files.
const INTRUDER: &str = r#"
try() { name=$1; shift; "$@" > "$name.out" 2>&1; echo $? > "$name.code"; }
try pair "$BINARY" pair --json
try start "$BINARY" run --detach demo
try list "$BINARY" ls --json
(setsid sh -c '"$BINARY" pair --json > behind.out 2>&1; echo $? > behind.code' &)
until [ -s behind.code ]; do sleep 0.02; done
touch over
exec cat
"#;

#[tokio::test]
async fn a_program_in_a_pane_cannot_pair_or_start() {
    let home = tempfile::Builder::new().prefix("ab").tempdir().expect("a folder");
    let of_the_server = vec![("ANSWERBACK_LOG".to_owned(), "info".to_owned())];
    let server = Server::start_in(home, &[], of_the_server).await;
    let mut phone = server.pair_phone("iPhone").await;
    let quoted = |text: &str| format!("'{}'", text.replace('\'', r"'\''"));
    let binary = quoted(&server.command("ls").get_program().to_string_lossy());
    let (data, tmux) = (quoted(&server.data().to_string_lossy()), server.tmux_name());
    let ours = "env | grep -E '^(ANSWERBACK_|TMUX=|TMUX_PANE=)' | grep -v '^ANSWERBACK_DEMO_' > inherited";
    let script =
        format!("{ours}; export BINARY={binary} ANSWERBACK_DATA_DIR={data} ANSWERBACK_TMUX={tmux}\n{INTRUDER}");
    let home = server.home().to_string_lossy().into_owned();
    phone.start(AdapterKind::new("generic"), &home, &["sh", "-c", &script]).await;
    let over = server.home().join("over");
    wait_until("all was tried", || over.exists().then_some(()), || server.log_tail()).await;
    assert_eq!(fs::read_to_string(server.home().join("inherited")).expect("a file"), "", "it is not led to us");
    for name in ["pair", "start", "list", "behind"] {
        let read = |kind: &str| fs::read_to_string(server.home().join(format!("{name}.{kind}"))).expect("a file");
        assert_ne!(read("code").trim(), "0", "{name}: {}", read("out"));
        assert!(read("out").contains("inside a session"), "{name}: {}", read("out"));
    }
    // From a terminal of the person's own all of it works; and nothing came of the rest.
    let listed = server.command("ls").arg("--json").output().expect("run ls");
    let listed: serde_json::Value = serde_json::from_slice(&listed.stdout).expect("JSON");
    assert_eq!(listed["sessions"].as_array().map(Vec::len), Some(1), "{listed}");
    let devices = server.command("devices").arg("--json").output().expect("run devices");
    let devices: serde_json::Value = serde_json::from_slice(&devices.stdout).expect("JSON");
    assert_eq!(devices.as_array().map(Vec::len), Some(1), "{devices}");
}

#[tokio::test]
async fn the_control_socket_takes_no_answers_keys_or_texts() {
    let server = Server::start().await;
    let mut phone = server.pair_phone("iPhone").await;
    let session = phone.start_demo().await;
    phone.send(session, "command").await;
    let prompt = phone.wait_prompt(session).await;
    let control = server.data().join("run/control.sock");
    let mut client = Client::connect_local(&control).await.expect("the person's own program gets in");
    client.hello(None).await.expect("hello");
    let mut response = response_to(&prompt);
    response.selected_option = Some("Yes".to_owned());
    let text = "no".to_owned();
    for command in [
        Command::Respond { response },
        Command::SendKeys {
            session_id: session,
            keys: vec![shared_types::Key::Named { key: shared_types::NamedKey::Enter }],
            seen: None,
        },
        Command::SendText { session_id: session, text, idempotency_key: None, files: Vec::new() },
        Command::SetMode { session_id: session, mode: shared_types::PermissionMode::Bypass },
        Command::Interrupt { session_id: session },
        Command::End { session_id: session },
        Command::Watch { session_id: session },
    ] {
        let refused = client.ask(command.clone()).await.expect("an answer");
        let Err(error) = refused else { panic!("{command:?} was done") };
        assert_eq!(error.code, ErrorCode::Forbidden, "{command:?}");
    }
    // The prompt stands as it was.
    let outcome = phone.choose(&prompt, "Yes").await;
    assert!(matches!(outcome, PromptOutcome::Verified { .. }), "{outcome:?}");
}

#[tokio::test]
async fn control_characters_reach_neither_the_terminal_nor_the_names() {
    let server = Server::start().await;
    let mut phone = server.pair_phone("evil\u{1b}]0;x\u{7}\r\nset-cookie: a=b").await;
    let folder = server.home().join("a\u{1b}[31mred");
    fs::create_dir(&folder).expect("a folder");
    let session = phone.start(AdapterKind::new("demo"), &folder.to_string_lossy(), &[]).await;
    phone.wait_ready(session).await;
    for name in ["\u{1b}[2J", "a\u{7}b", "a\u{9b}31m"] {
        let refused = phone.ask(Command::Rename { session_id: session, name: name.to_owned() }).await;
        assert_eq!(refused.expect_err(name).code, ErrorCode::BadValue);
    }
    for text in ["\u{1b}[A", "a\rb", "\u{3}"] {
        let send =
            Command::SendText { session_id: session, text: text.to_owned(), idempotency_key: None, files: Vec::new() };
        assert_eq!(phone.ask(send).await.expect_err(text).code, ErrorCode::BadValue);
    }
    for command in [["ls"].as_slice(), &["devices"]] {
        let output = server.command(command[0]).output().expect("run");
        let said = String::from_utf8(output.stdout).expect("UTF-8");
        assert!(said.contains("red") || said.contains("evil"), "it is listed: {said:?}");
        assert!(!said.chars().any(|letter| letter.is_control() && letter != '\n'), "{said:?}");
    }
    assert!(!server.log().contains('\u{1b}'), "{:?}", server.log());
}

#[tokio::test]
async fn a_name_cannot_add_headers() {
    let server = Server::start().await;
    let code = server.offer().expect("an offer").code;
    let host = server.address.to_string();
    let origin = format!("http://{host}");
    let body = serde_json::json!({ "code": code, "name": "x\r\nset-cookie: owned=1\r\n\r\n<script>" }).to_string();
    let headers = [("host", host.as_str()), ("origin", &origin), ("content-type", "application/json")];
    let reply = http(server.address, "POST", "/api/pair", &headers, &body).await;
    assert_eq!(reply.status, 200, "{reply:?}");
    let cookies = reply.headers.iter().filter(|(name, _)| name == "set-cookie").count();
    assert_eq!(cookies, 1, "{reply:?}");
    assert_eq!(reply.header("content-type"), Some("application/json"));
}

#[tokio::test]
async fn requests_that_are_too_large_are_refused() {
    let server = Server::start().await;
    let host = server.address.to_string();
    let origin = format!("http://{host}");
    let json = [("host", host.as_str()), ("origin", &origin), ("content-type", "application/json")];
    // Each is told why, or hung up on.
    let body = serde_json::json!({ "code": "x".repeat(5_000_000), "name": "x" }).to_string();
    let reply = http(server.address, "POST", "/api/pair", &json, &body).await;
    assert!([0, 400, 413].contains(&reply.status), "{} {}", reply.status, reply.body);
    let long = "x".repeat(1_000_000);
    let reply = http(server.address, "GET", "/", &[("host", &host), ("x-long", &long)], "").await;
    assert!([0, 431].contains(&reply.status), "{}", reply.status);
    let path = format!("/{}", "a/".repeat(100_000));
    let reply = http(server.address, "GET", &path, &[("host", &host)], "").await;
    assert!([0, 404, 414, 431].contains(&reply.status), "{}", reply.status);
    server.pair_phone("iPhone").await.start_demo().await;
}

#[tokio::test]
async fn ten_thousand_idle_sockets_keep_no_phone_out() {
    const SOCKETS: usize = 10_000;
    // As many at once as any machine lets a test have.
    const AT_ONCE: usize = 700;
    let server = Server::start().await;
    let mut before = server.pair_phone("before").await;
    let session = before.start_demo().await;
    let mut idle = std::collections::VecDeque::new();
    for number in 0..SOCKETS {
        let mut socket = TcpStream::connect(server.address).await.expect("connect");
        if number % 2 == 0 {
            // Half of them begin a request that never ends.
            let _ = socket.write_all(b"GET / HTTP/1.1\r\nhost: loc").await;
        }
        idle.push_back(socket);
        if idle.len() > AT_ONCE {
            idle.pop_front();
        }
    }
    let mut after = server.pair_phone("after").await;
    after.send(session, "I got in").await;
    before.wait_message(session, "I got in").await;
    drop(idle);
}

#[tokio::test]
async fn another_user_of_the_machine_opens_nothing() {
    let server = Server::start().await;
    let mut phone = server.pair_phone("iPhone").await;
    let session = phone.start_demo().await;
    let own = server.data().join("sessions").join(session.0.to_string()).join("hook.json");
    // Only root can be somebody else; without it the permissions themselves are looked at.
    let is_root = fs::metadata("/proc/self").is_ok_and(|own| std::os::unix::fs::MetadataExt::uid(&own) == 0);
    for path in ["run/control.sock", "run/hooks.sock", "answerback.db", "run", "."]
        .map(|name| server.data().join(name))
        .into_iter()
        .chain([own])
    {
        let mode = std::os::unix::fs::PermissionsExt::mode(&fs::metadata(&path).expect("there").permissions());
        assert_eq!(mode & 0o077, 0, "{} is open to others: {mode:o}", path.display());
        if is_root {
            let test = "test -r \"$0\" || test -w \"$0\" || test -x \"$0\"";
            let status = process::Command::new("sh").args(["-c", test]).arg(&path).uid(65534).gid(65534).status();
            assert!(!status.expect("run sh").success(), "{} can be used by others", path.display());
        }
    }
}

/// Every file below a folder that contains the words.
fn files_with(folder: &Path, words: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(files_with(&path, words));
            continue;
        }
        let mut content = Vec::new();
        if path.is_file() && fs::File::open(&path).and_then(|mut file| file.read_to_end(&mut content)).is_ok() {
            let has = content.windows(words.len()).any(|window| window == words.as_bytes());
            found.extend(has.then_some(path));
        }
    }
    found
}

#[tokio::test]
async fn secrets_are_in_no_log_no_store_and_on_no_wire() {
    const CANARY: &str = "canary-4f9e1c77";
    let home = tempfile::Builder::new().prefix("ab").tempdir().expect("a folder");
    let variables = vec![("ANSWERBACK_LOG".to_owned(), "trace".to_owned())];
    let server = Server::start_in(home, &[], variables).await;
    let mut phone = server.pair_phone("iPhone").await;
    let mut witness = server.pair_phone("iPad").await;
    let session = ask_password(&mut phone).await;
    let prompt = phone.wait_prompt(session).await;
    assert_eq!(prompt.text_input.as_ref().and_then(|text| text.secret), Some(true), "{prompt:?}");
    let response = PromptResponse { text_value: Some(CANARY.to_owned()), ..response_to(&prompt) };
    phone.respond(response).await;
    let length = CANARY.len().to_string();
    witness.wait_message(session, &length).await;
    let access = server.data().join("sessions").join(session.0.to_string()).join("hook.json");
    let access: serde_json::Value = serde_json::from_slice(&fs::read(&access).expect("its access")).expect("JSON");
    let hook_secret = access["secret"].as_str().expect("a secret").to_owned();
    let cookie = phone.credential.cookie.split_once('=').expect("a cookie").1.to_owned();
    let key = phone.credential.key.clone();
    for (what, secret, may_be_in) in [
        ("the password", CANARY, 0),
        ("the cookie", &cookie, 0),
        ("the key", &key, 1),
        ("the hook's secret", &hook_secret, 1),
    ] {
        assert!(!server.log().contains(secret), "{what} is in the log");
        let mut places = files_with(&server.data(), secret);
        places.retain(|path| !path.ends_with("hook.json"));
        // The server itself must know a hook's secret again after a restart, and needs a device's key to check its proofs.
        places.retain(|path| may_be_in == 0 || !path.to_string_lossy().contains("answerback.db"));
        assert!(places.is_empty(), "{what} is in {places:?}");
        let told = |message: &ServerMessage| serde_json::to_string(message).ok().filter(|text| text.contains(secret));
        assert_eq!(witness.all(told), Vec::<String>::new(), "{what} was told to another device");
        assert_eq!(phone.all(told), Vec::<String>::new(), "{what} came back");
    }
}

async fn ask_password(phone: &mut Phone) -> SessionId {
    let session = phone.start_demo().await;
    phone.send(session, "password").await;
    session
}
