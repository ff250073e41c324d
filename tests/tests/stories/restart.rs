//! The server is stopped or killed and started again: the CLI runs on, the prompt keeps its id and can still be answered.

use answerback_tests::{Server, response_to, wait_until};
use shared_types::{
    Command, EndReason, ErrorCode, PromptOutcome, PromptResponse, ReplyData, ServerMessage, SessionState,
};

async fn answer_after(restart: impl AsyncFnOnce(&mut Server)) {
    let mut server = Server::start().await;
    let mut phone = server.pair_phone("iPhone").await;
    let session = phone.start_demo().await;
    phone.send(session, "command").await;
    let before = phone.wait_prompt(session).await;
    restart(&mut server).await;
    // The cookie is still good, and the page's old place in the order of events is not mistaken for a new one.
    let mut phone = phone.reconnect(server.address).await;
    let after = phone.wait_prompt(session).await;
    assert_eq!(after.request_id, before.request_id);
    assert_eq!(after, before);
    let outcome = phone.choose(&after, "Yes").await;
    assert!(matches!(outcome, PromptOutcome::Verified { .. }), "{outcome:?}");
    phone.wait_message(session, "Understood: command -> Yes").await;
}

#[tokio::test]
async fn a_prompt_survives_a_stop() {
    answer_after(async |server| {
        server.stop();
        server.launch().await;
    })
    .await;
}

#[tokio::test]
async fn a_prompt_survives_kill_9() {
    answer_after(async |server| {
        server.kill();
        server.launch().await;
    })
    .await;
}

#[tokio::test]
async fn a_prompt_answered_at_the_desk_meanwhile_is_over() {
    let mut server = Server::start().await;
    let mut phone = server.pair_phone("iPhone").await;
    let session = phone.start_demo().await;
    phone.send(session, "command").await;
    let prompt = phone.wait_prompt(session).await;
    server.stop();
    let target = format!("=ab-{}:", session.0.simple());
    server.tmux(&["send-keys", "-t", &target, "Enter"]);
    server.launch().await;
    let mut phone = phone.reconnect(server.address).await;
    phone.wait_history(session, "Understood: command -> Yes").await;
    phone.wait_ready(session).await;
    let response = PromptResponse { selected_option: Some("No".into()), ..response_to(&prompt) };
    let refused = phone.ask(Command::Respond { response }).await.expect_err("it is over");
    assert_eq!(refused.code, ErrorCode::PromptGone);
}

#[tokio::test]
async fn messages_are_neither_lost_nor_doubled() {
    let mut server = Server::start().await;
    let mut phone = server.pair_phone("iPhone").await;
    let session = phone.start_demo().await;
    phone.send(session, "first words").await;
    phone.wait_message(session, "first words").await;
    phone.wait_ready(session).await;
    server.kill();
    let target = format!("=ab-{}:", session.0.simple());
    server.tmux(&["send-keys", "-t", &target, "-l", "said at the desk"]);
    server.tmux(&["send-keys", "-t", &target, "Enter"]);
    server.launch().await;
    let mut phone = phone.reconnect(server.address).await;
    phone.wait_history(session, "said at the desk").await;
    phone.wait_ready(session).await;
    let messages = phone.wait_history(session, "You said: said at the desk").await;
    let mut ids: Vec<_> = messages.iter().map(|message| message.id.clone()).collect();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), messages.len(), "no message twice");
    let said = |text: &str| {
        let json = |message: &shared_types::Message| serde_json::to_string(message).expect("JSON");
        messages
            .iter()
            .filter(|message| message.role == shared_types::MessageRole::User && json(message).contains(text))
            .count()
    };
    assert_eq!((said("first words"), said("said at the desk")), (1, 1));
}

#[tokio::test]
async fn when_tmux_is_gone_the_session_is_told_as_lost_and_new_ones_start() {
    let server = Server::start().await;
    let mut phone = server.pair_phone("iPhone").await;
    let session = phone.start_demo().await;
    phone.send(session, "command").await;
    let prompt = phone.wait_prompt(session).await;
    server.tmux(&["kill-server"]);
    assert_eq!(phone.wait_closed(prompt.request_id).await, PromptOutcome::SessionEnded);
    let lost = |state: &SessionState| matches!(state, SessionState::Ended { reason: EndReason::Lost });
    phone.wait_state("lost", session, lost).await;
    let again = phone.start_demo().await;
    phone.send(again, "hello").await;
    phone.wait_message(again, "hello").await;
}

/// As after a reboot: the server and tmux are both gone.
async fn reboot(server: &mut Server) {
    server.kill();
    server.tmux(&["kill-server"]);
    server.launch().await;
}

#[tokio::test]
async fn after_a_reboot_a_session_is_shown_as_it_was_and_goes_on_with_one_tap() {
    let mut server = Server::start().await;
    let mut phone = server.pair_phone("iPhone").await;
    let session = phone.start_demo().await;
    phone.send(session, "first words").await;
    phone.wait_message(session, "You said: first words").await;
    // The screen is kept every few seconds.
    let store = rusqlite::Connection::open(server.data().join("answerback.db")).expect("the store");
    let kept = || {
        let query = "SELECT last_screen FROM sessions WHERE last_screen LIKE '%You said: first words%'";
        store.query_row(query, [], |row| row.get::<_, String>(0)).ok()
    };
    wait_until("its screen to be kept", kept, || server.log()).await;
    drop(store);
    reboot(&mut server).await;
    let mut phone = phone.reconnect(server.address).await;
    let lost = |state: &SessionState| matches!(state, SessionState::Ended { reason: EndReason::Lost });
    phone.wait_state("lost", session, lost).await;
    phone.ask(Command::Watch { session_id: session }).await.expect("its last screen");
    let shown = phone.wait_for("its last screen", |message| match message {
        ServerMessage::Screen { frame, .. } => {
            Some(frame.lines.iter().flatten().map(|run| run.text.as_str()).collect())
        }
        _ => None,
    });
    let shown: String = shown.await;
    assert!(shown.contains("You said: first words"), "{shown}");
    let resumed = phone.ask(Command::Resume { session_id: session }).await.expect("it goes on");
    assert_eq!(resumed, ReplyData::Started { session_id: session });
    phone.wait_ready(session).await;
    phone.send(session, "second words").await;
    phone.wait_history(session, "You said: second words").await;
    phone.wait_history(session, "You said: first words").await;
}

#[tokio::test]
async fn with_resume_all_every_session_goes_on_after_a_reboot() {
    let mut server = Server::start_with(&["--resume-all"]).await;
    let mut phone = server.pair_phone("iPhone").await;
    let session = phone.start_demo().await;
    let ended = phone.start_demo().await;
    phone.ask(Command::End { session_id: ended }).await.expect("ended");
    reboot(&mut server).await;
    let mut phone = phone.reconnect(server.address).await;
    phone.wait_ready(session).await;
    assert!(matches!(phone.session(ended).state, SessionState::Ended { reason: EndReason::Killed }));
}
