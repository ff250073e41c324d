//! Any program at all: the real shell, real tools, asked from a phone.

use answerback_tests::{Server, response_to, wait_until};
use shared_types::{
    AdapterKind, Command, EndReason, PromptKind, PromptResponse, ServerMessage, SessionId, SessionState,
};

async fn wait_file(path: &std::path::Path) -> String {
    let written = || std::fs::read_to_string(path).ok().filter(|text| !text.is_empty());
    wait_until("the answer in a file", written, || format!("{} was not written", path.display())).await
}

/// A script that asks with `read` and writes the answer to a file.
fn script(server: &Server, body: &str) -> Vec<String> {
    let path = server.home().join("ask.sh");
    std::fs::write(&path, format!("cd '{}'\n{body}\n", server.home().display())).expect("script");
    vec!["bash".into(), "--norc".into(), path.to_string_lossy().into_owned()]
}

async fn start(server: &Server, phone: &mut answerback_tests::Phone, body: &str) -> SessionId {
    let command = script(server, body);
    let words: Vec<&str> = command.iter().map(String::as_str).collect();
    phone.start(AdapterKind::new("generic"), "/", &words).await
}

#[tokio::test]
async fn yes_and_no_reach_the_program() {
    let server = Server::start().await;
    let mut phone = server.pair_phone("iPhone").await;
    let session = start(&server, &mut phone, "read -p 'Overwrite the file? [y/N] ' a; echo \"got $a\" > answer").await;
    let prompt = phone.wait_prompt(session).await;
    assert_eq!(prompt.kind, PromptKind::Permission);
    phone.choose(&prompt, "No").await;
    assert_eq!(wait_file(&server.home().join("answer")).await, "got n\n");
}

#[tokio::test]
async fn a_menu_is_chosen_by_its_label() {
    let server = Server::start().await;
    let mut phone = server.pair_phone("iPhone").await;
    let body = "select fruit in apple pear 'dried plum'; do echo \"$fruit\" > answer; break; done";
    let session = start(&server, &mut phone, body).await;
    let prompt = phone.wait_prompt(session).await;
    phone.choose(&prompt, "dried plum").await;
    assert_eq!(wait_file(&server.home().join("answer")).await, "dried plum\n");
}

#[tokio::test]
async fn a_text_is_typed_exactly() {
    let server = Server::start().await;
    let mut phone = server.pair_phone("iPhone").await;
    let session = start(&server, &mut phone, "read -r -p 'Name of the project: ' a; printf '%s' \"$a\" > answer").await;
    let prompt = phone.wait_prompt(session).await;
    assert!(prompt.text_input.is_some(), "{prompt:?}");
    let text = "it's \"a\" $HOME; `x` \\ #{pane_id} ~ ünï €";
    phone.respond(PromptResponse { text_value: Some(text.into()), ..response_to(&prompt) }).await;
    assert_eq!(wait_file(&server.home().join("answer")).await, text);
}

#[tokio::test]
async fn a_shell_takes_messages_and_its_screen_is_watched() {
    let server = Server::start().await;
    let mut phone = server.pair_phone("iPhone").await;
    let session = phone.start(AdapterKind::new("generic"), &server.home().to_string_lossy(), &["sh"]).await;
    phone.wait_ready(session).await;
    phone.ask(Command::Watch { session_id: session }).await.expect("watched");
    phone.send(session, "echo $((6 * 7)) > answer; cat answer").await;
    assert_eq!(wait_file(&server.home().join("answer")).await, "42\n");
    phone
        .wait_for("42 on the screen", |message| match message {
            ServerMessage::Screen { frame, .. } => {
                frame.lines.iter().flatten().any(|run| run.text.contains("42")).then_some(())
            }
            _ => None,
        })
        .await;
    phone.ask(Command::Rename { session_id: session, name: "my shell".into() }).await.expect("renamed");
    phone.ask(Command::End { session_id: session }).await.expect("ended");
    let killed = |state: &SessionState| matches!(state, SessionState::Ended { reason: EndReason::Killed });
    phone.wait_state("killed", session, killed).await;
    assert!(!server.tmux(&["list-sessions"]).contains(&session.0.simple().to_string()), "its pane is gone");
}

#[tokio::test]
async fn a_full_screen_program_is_shown_as_it_is() {
    let server = Server::start().await;
    let mut phone = server.pair_phone("iPhone").await;
    let body = "printf '\\033[?1049h\\033[2J\\033[5;5H<< strange device >>'; stty -icanon -echo; head -c1 > answer";
    let session = start(&server, &mut phone, body).await;
    let prompt = phone.wait_prompt(session).await;
    assert_eq!(prompt.kind, PromptKind::Unrecognized);
    let refused = phone
        .ask(Command::SendText { session_id: session, text: "hello".into(), idempotency_key: None, files: Vec::new() })
        .await;
    assert_eq!(refused.expect_err("nothing is typed blindly").code, shared_types::ErrorCode::ScreenUnrecognized);
    let keys = vec![shared_types::Key::Text { text: "x".into() }];
    phone.ask(Command::SendKeys { session_id: session, keys, seen: None }).await.expect("a key of the person's own");
    assert_eq!(wait_file(&server.home().join("answer")).await, "x");
}
