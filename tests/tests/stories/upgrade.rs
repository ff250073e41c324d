//! A newer program takes the place of the one whose server runs, as a package manager does it: sessions and open prompts stay.

use std::{
    fs,
    path::{Path, PathBuf},
};

use answerback_tests::Server;
use shared_types::PromptOutcome;

/// Puts a program in its place as package managers do: beside it, then over it. Whoever runs the old one goes on with it.
fn put(program: &Path, of: &Path) {
    let beside = program.with_extension("new");
    fs::copy(of, &beside).expect("a copy");
    fs::rename(&beside, program).expect("in its place");
}

/// What a process runs: the file, and on Linux whether it is still there.
fn runs(process: u32) -> Option<String> {
    let link = fs::read_link(format!("/proc/{process}/exe")).ok()?;
    Some(link.to_string_lossy().into_owned())
}

#[tokio::test]
async fn upgrade_over_a_running_server_keeps_sessions_and_open_prompts() {
    let mut server = Server::not_started(Vec::new());
    let program = server.home().join("installed/answerback");
    fs::create_dir(program.parent().expect("its folder")).expect("made");
    let built = PathBuf::from(server.command("serve").get_program());
    put(&program, &built);
    server.set_program(program.clone());
    server.launch().await;
    let mut phone = server.pair_phone("iPhone").await;
    let session = phone.start_demo().await;
    phone.send(session, "command").await;
    let before = phone.wait_prompt(session).await;

    // The old server runs on, and starts sessions with what lies in the place of its own program now.
    put(&program, &built);
    if let Some(file) = runs(server.process_id()) {
        assert!(file.ends_with(" (deleted)"), "{file}");
    }
    let listed = server.command("ls").output().expect("run");
    let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
    assert!(listed.contains("WAITS FOR YOU"), "{listed}");
    let later = phone.start_demo().await;

    server.stop();
    server.launch().await;
    if let Some(file) = runs(server.process_id()) {
        assert_eq!(Path::new(&file), program.canonicalize().expect("its path"), "the new one runs");
    }
    let mut phone = phone.reconnect(server.address).await;
    let after = phone.wait_prompt(session).await;
    assert_eq!(after, before);
    let outcome = phone.choose(&after, "Yes").await;
    assert!(matches!(outcome, PromptOutcome::Verified { .. }), "{outcome:?}");
    phone.wait_message(session, "Understood: command -> Yes").await;
    phone.wait_ready(later).await;
    phone.send(later, "hello").await;
    phone.wait_message(later, "You said: hello").await;
}
