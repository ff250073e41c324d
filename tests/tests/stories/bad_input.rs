//! Bad input gets a clear error, and nothing is lost: the socket stays open, the session goes on.

use answerback_tests::{Server, response_to};
use shared_types::{
    AdapterKind, Command, EndReason, ErrorCode, Key, PromptId, PromptResponse, ServerMessage, SessionId, SessionState,
    StartSession,
};
use uuid::Uuid;

fn start(adapter: AdapterKind, folder: &str, command: &[&str]) -> Command {
    let command = Some(command.iter().map(|word| (*word).to_owned()).collect());
    let start = StartSession { command, ..StartSession::new(adapter, folder) };
    Command::Start { start }
}

#[tokio::test]
async fn frames_that_are_not_ours_are_answered_and_survived() {
    let server = Server::start().await;
    let mut phone = server.pair_phone("iPhone").await;
    let frames = [
        "".to_owned(),
        "not json".to_owned(),
        "[]".to_owned(),
        r#"{"type":"unheard-of"}"#.to_owned(),
        r#"{"type":"hello","protocol":1}"#.to_owned(),
        "[".repeat(100_000),
        format!("\"{}\"", "x".repeat(300_000)),
    ];
    for frame in frames {
        phone.say_raw(&frame).await;
        let code = phone.wait_for("an error", |message| match message {
            ServerMessage::Error { error } => Some(error.code),
            _ => None,
        });
        let code = code.await;
        let expected = [ErrorCode::Malformed, ErrorCode::TooLarge, ErrorCode::HelloFirst];
        assert!(expected.contains(&code), "{code:?}");
    }
    phone.say_raw(r#"{"type":"request","id":99,"command":{"type":"no-such-command"}}"#).await;
    let refused = phone.wait_for("a refusal by id", |message| match message {
        ServerMessage::Reply { id, result } if id.0 == 99 => Some(result.clone()),
        _ => None,
    });
    let shared_types::Reply::Refused { error } = refused.await else { panic!("it was accepted") };
    assert_eq!(error.code, ErrorCode::Malformed);
    phone.ask(Command::Devices).await.expect("the socket still works");
}

#[tokio::test]
async fn a_page_of_another_version_is_told_to_reload() {
    let server = Server::start().await;
    let credential = server.pair("old page").await;
    let mut old = answerback_tests::Phone::raw(server.address, "old page", credential).await;
    old.say_raw(r#"{"type":"hello","protocol":999}"#).await;
    let code = old
        .wait_for("an error", |message| match message {
            ServerMessage::Error { error } => Some(error.code),
            _ => None,
        })
        .await;
    assert_eq!(code, ErrorCode::ProtocolVersion);
    assert_eq!(old.wait_close().await, Some(4406));
}

#[tokio::test]
async fn wrong_sessions_prompts_and_values_are_named() {
    let server = Server::start().await;
    let mut phone = server.pair_phone("iPhone").await;
    let session = phone.start_demo().await;
    let nobody = SessionId(Uuid::from_u128(1));
    let text = |session_id, text: &str| Command::SendText {
        session_id,
        text: text.into(),
        idempotency_key: None,
        files: Vec::new(),
    };
    let keys = |keys| Command::SendKeys { session_id: session, keys, seen: None };
    phone.send(session, "command").await;
    let prompt = phone.wait_prompt(session).await;
    let respond = |response| Command::Respond { response };
    let wrong_id = PromptResponse { request_id: PromptId(Uuid::from_u128(2)), ..response_to(&prompt) };
    let wrong_option = PromptResponse { selected_option: Some("Maybe".into()), ..response_to(&prompt) };
    let unwanted_text = PromptResponse {
        selected_option: Some("Yes".into()),
        text_value: Some("please".into()),
        ..response_to(&prompt)
    };
    let table = [
        (text(nobody, "hi"), ErrorCode::UnknownSession),
        (Command::Watch { session_id: nobody }, ErrorCode::UnknownSession),
        (
            Command::Messages { session_id: nobody, before: None, after: None, around: None, limit: 1 },
            ErrorCode::UnknownSession,
        ),
        (text(session, "  "), ErrorCode::BadValue),
        (text(session, "\u{1b}[A"), ErrorCode::BadValue),
        (text(session, &"x".repeat(150_000)), ErrorCode::TooLarge),
        (keys(vec![Key::Text { text: "a\rb".into() }]), ErrorCode::BadValue),
        (keys(vec![Key::Ctrl { letter: '[' }]), ErrorCode::BadValue),
        (Command::Rename { session_id: session, name: " ".into() }, ErrorCode::BadValue),
        (Command::Forget { session_id: session }, ErrorCode::SessionBusy),
        (respond(wrong_id), ErrorCode::PromptGone),
        (respond(wrong_option), ErrorCode::BadResponse),
        (respond(unwanted_text), ErrorCode::BadResponse),
        (respond(response_to(&prompt)), ErrorCode::BadResponse),
        (start(AdapterKind::new("demo"), "/no/such/folder", &[]), ErrorCode::BadFolder),
        (start(AdapterKind::new("demo"), "relative", &[]), ErrorCode::BadFolder),
        (start(AdapterKind::new("demo"), "/etc/hostname", &[]), ErrorCode::BadFolder),
        (start(AdapterKind::new("generic"), "/", &[]), ErrorCode::BadValue),
        (start(AdapterKind::new("generic"), "/", &["no-such-program-here"]), ErrorCode::NotInstalled),
    ];
    for (command, code) in table {
        let name = format!("{command:.80?}");
        let refused = phone.ask(command).await.expect_err(&name);
        assert_eq!(refused.code, code, "{name}: {refused:?}");
        assert!(!refused.message.is_empty());
    }
    // After all that the prompt stands and can be answered.
    phone.choose(&prompt, "Yes").await;
    phone.wait_message(session, "Understood: command -> Yes").await;
}

fn last_words(message: &ServerMessage) -> Option<()> {
    match message {
        ServerMessage::Screen { frame, .. } => {
            frame.lines.iter().flatten().any(|run| run.text.contains("the reason why")).then_some(())
        }
        _ => None,
    }
}

#[tokio::test]
async fn a_program_that_ended_shows_its_last_screen() {
    let server = Server::start().await;
    let mut phone = server.pair_phone("iPhone").await;
    let command = ["sh", "-c", "echo the reason why; exit 3"];
    let session = phone.start(AdapterKind::new("generic"), &server.home().to_string_lossy(), &command).await;
    phone.ask(Command::Watch { session_id: session }).await.expect("watched");
    phone.wait_for("its words", last_words).await;
    let exited =
        |state: &SessionState| matches!(state, SessionState::Ended { reason: EndReason::Exited { status: Some(3) } });
    phone.wait_state("exited with 3", session, exited).await;
    phone.ask(Command::Unwatch { session_id: session }).await.expect("looked away");
    phone.ask(Command::Watch { session_id: session }).await.expect("watched again");
    phone.wait_for("its last screen", last_words).await;
    let refused = phone.ask(Command::End { session_id: session }).await.expect_err("over");
    assert_eq!(refused.code, ErrorCode::SessionEnded);
    phone.ask(Command::Forget { session_id: session }).await.expect("forgotten");
    let refused = phone.ask(Command::Forget { session_id: session }).await.expect_err("gone");
    assert_eq!(refused.code, ErrorCode::UnknownSession);
}
