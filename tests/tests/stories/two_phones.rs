//! Two phones, one prompt: one answer, and the other phone is told whose and what.

use answerback_tests::{Server, response_to};
use shared_types::{Actor, Command, ErrorCode, Event, MessageBody, PromptOutcome, PromptResponse, ServerMessage};
use uuid::Uuid;

#[tokio::test]
async fn the_first_answer_wins_and_the_other_phone_is_told() {
    let server = Server::start().await;
    let mut anna = server.pair_phone("Anna").await;
    let mut ben = server.pair_phone("Ben").await;
    let session = anna.start_demo().await;
    anna.send(session, "command").await;
    let seen_by_anna = anna.wait_prompt(session).await;
    let seen_by_ben = ben.wait_prompt(session).await;
    assert_eq!(seen_by_anna, seen_by_ben);
    let answer = |label: &str| {
        let response = PromptResponse { selected_option: Some(label.into()), ..response_to(&seen_by_anna) };
        Command::Respond { response }
    };
    let (first, second) = tokio::join!(anna.ask(answer("Yes")), ben.ask(answer("No")));
    let (winner, loser, refusal) = match (first, second) {
        (Ok(_), Err(refusal)) => ("Anna", "Ben", refusal),
        (Err(refusal), Ok(_)) => ("Ben", "Anna", refusal),
        other => panic!("exactly one answer must win: {other:?}"),
    };
    assert_eq!(refusal.code, ErrorCode::AlreadyAnswered, "{refusal:?}");
    assert!(refusal.message.contains(winner), "{loser} is told who was first: {refusal:?}");
    let told_anna = anna.wait_closed(seen_by_anna.request_id).await;
    let told_ben = ben.wait_closed(seen_by_anna.request_id).await;
    assert_eq!(told_anna, told_ben);
    let PromptOutcome::Verified { answer } = told_ben else { panic!("not verified: {told_ben:?}") };
    assert!(matches!(&answer.by, Actor::Device { name, .. } if name == winner));
    let said = anna.wait_message(session, "Understood: command -> ").await;
    assert!(said.contains(&format!("-> {}", answer.summary)), "the agent got the answer that was told: {said}");
    // One answer, not two: the agent is ready and has understood once.
    anna.wait_ready(session).await;
    let understood = anna.all(|message| match message {
        ServerMessage::Event(event) => match &event.event {
            Event::Message { message, .. } => match &message.body {
                MessageBody::Text { text, streaming: false } if text.contains("Understood:") => Some(text.clone()),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    });
    assert_eq!(understood.len(), 1, "{understood:?}");
}

#[tokio::test]
async fn a_late_answer_is_refused_by_name() {
    let server = Server::start().await;
    let mut anna = server.pair_phone("Anna").await;
    let mut ben = server.pair_phone("Ben").await;
    let session = anna.start_demo().await;
    anna.send(session, "loop").await;
    let prompt = anna.wait_prompt(session).await;
    anna.choose(&prompt, "Keep loop detection on").await;
    let response = PromptResponse { selected_option: Some("Keep loop detection on".into()), ..response_to(&prompt) };
    let refusal = ben.ask(Command::Respond { response }).await.expect_err("too late");
    assert_eq!(refusal.code, ErrorCode::AlreadyAnswered);
    assert!(refusal.message.contains("Anna") && refusal.message.contains("Keep loop detection on"), "{refusal:?}");
}

#[tokio::test]
async fn an_answer_that_is_sent_twice_is_one_answer() {
    let server = Server::start().await;
    let mut phone = server.pair_phone("iPhone").await;
    let session = phone.start_demo().await;
    phone.send(session, "command").await;
    let prompt = phone.wait_prompt(session).await;
    let response = PromptResponse {
        selected_option: Some("Yes".into()),
        idempotency_key: Some(Uuid::from_u128(7)),
        ..response_to(&prompt)
    };
    phone.ask(Command::Respond { response: response.clone() }).await.expect("the first");
    // The second is either taken for the first or told that the first was done; it is never typed.
    let second = phone.ask(Command::Respond { response }).await;
    assert!(second.is_ok() || second.is_err_and(|error| error.code == ErrorCode::AlreadyAnswered));
    phone.wait_message(session, "Understood: command -> Yes").await;

    let key = Some(Uuid::from_u128(8));
    phone.wait_ready(session).await;
    let text =
        Command::SendText { session_id: session, text: "hello twice".into(), idempotency_key: key, files: Vec::new() };
    phone.ask(text.clone()).await.expect("taken");
    phone.ask(text).await.expect("known already");
    // What it was told of the message itself comes from the conversation, a moment later.
    phone.wait_message(session, "You said: hello twice").await;
    phone.wait_ready(session).await;
    let hellos = phone.all(|message| match message {
        ServerMessage::Event(event) => match &event.event {
            Event::Message { message, .. } if message.role == shared_types::MessageRole::User => match &message.body {
                MessageBody::Text { text, .. } if text == "hello twice" => Some(()),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    });
    assert_eq!(hellos.len(), 1);
}

#[tokio::test]
async fn a_phone_that_was_away_gets_what_it_missed() {
    let server = Server::start().await;
    let mut anna = server.pair_phone("Anna").await;
    let ben = server.pair_phone("Ben").await;
    let session = anna.start_demo().await;
    anna.send(session, "command").await;
    let prompt = anna.wait_prompt(session).await;
    let address = ben.address();
    let mut ben = ben.reconnect(address).await;
    assert_eq!(ben.wait_prompt(session).await, prompt);
    let snapshots = ben.all(|message| matches!(message, ServerMessage::Snapshot { .. }).then_some(()));
    assert!(snapshots.is_empty(), "a short absence is made good by the missed events");
    let mut carl = server.pair_phone("Carl").await;
    assert_eq!(carl.wait_prompt(session).await, prompt, "a pending prompt is in the snapshot");
}

#[tokio::test]
async fn an_answer_at_the_desk_is_told_and_a_late_one_types_nothing() {
    let server = Server::start().await;
    let mut phone = server.pair_phone("iPhone").await;
    let session = phone.start_demo().await;
    phone.send(session, "command").await;
    let prompt = phone.wait_prompt(session).await;
    server.tmux(&["send-keys", "-t", &format!("=ab-{}:", session.0.simple()), "Down", "Down", "Enter"]);
    assert_eq!(phone.wait_closed(prompt.request_id).await, PromptOutcome::Gone);
    phone.wait_message(session, "Understood: command -> No").await;
    let response = PromptResponse { selected_option: Some("Yes".into()), ..response_to(&prompt) };
    let refusal = phone.ask(Command::Respond { response }).await.expect_err("too late");
    assert_eq!(refusal.code, ErrorCode::PromptGone);
    phone.wait_ready(session).await;
}

#[tokio::test]
async fn every_answer_reaches_its_own_session() {
    let server = Server::start().await;
    let mut phone = server.pair_phone("iPhone").await;
    let mut waiting = Vec::new();
    for _ in 0..4 {
        let session = phone.start_demo().await;
        phone.send(session, "choice").await;
        waiting.push((session, phone.wait_prompt(session).await));
    }
    // All four ask the same at the same time; each gets another answer, last asked first answered.
    let labels = ["SQLite", "PostgreSQL", "None", "SQLite"];
    for ((_, prompt), label) in waiting.iter().zip(labels).rev() {
        phone.choose(prompt, label).await;
    }
    for ((session, _), label) in waiting.iter().zip(labels) {
        let said = phone.wait_history(*session, &format!("Understood: choice -> {label}")).await;
        let understood = said
            .iter()
            .filter(|message| matches!(&message.body, MessageBody::Text { text, .. } if text.contains("Understood:")));
        assert_eq!(understood.count(), 1, "{said:?}");
    }
}
