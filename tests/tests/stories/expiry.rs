//! The end of a prompt's time, set by the person: refused by itself, also when the server was killed in between.

use answerback_tests::Server;
use shared_types::{Actor, PromptKind, PromptOutcome};

async fn server(expiry: &str) -> Server {
    let home = tempfile::Builder::new().prefix("ab").tempdir().expect("a folder");
    let config = home.path().join("config.toml");
    std::fs::write(&config, expiry).expect("a configuration");
    let config = config.display().to_string();
    Server::start_in(home, &["--config", &config], Vec::new()).await
}

#[tokio::test]
async fn a_permission_nobody_answers_is_refused_also_after_a_kill() {
    let mut server = server("[expiry]\npermission = \"6s\"\n").await;
    let mut phone = server.pair_phone("iPhone").await;
    let session = phone.start_demo().await;
    phone.send(session, "command").await;
    let prompt = phone.wait_prompt(session).await;
    assert!(prompt.expires_at > prompt.created_at, "{prompt:?}");
    server.kill();
    server.launch().await;
    let mut phone = phone.reconnect(server.address).await;
    let outcome = phone.wait_closed(prompt.request_id).await;
    let PromptOutcome::Verified { answer } = outcome else { panic!("{outcome:?}") };
    assert_eq!(answer.by, Actor::Expiry);
    phone.wait_message(session, "Understood: command -> No").await;
    let journal = server.command("journal").args(["show", "--json"]).output().expect("run");
    let journal = String::from_utf8_lossy(&journal.stdout).into_owned();
    assert!(journal.contains("expired"), "{journal}");
    phone.wait_ready(session).await;
    // A question has no setting here, and waits.
    phone.send(session, "choice").await;
    let question = phone.wait_prompt_like("the question", session, |asked| asked.kind == PromptKind::Question).await;
    assert_eq!(question.expires_at, None);
}
