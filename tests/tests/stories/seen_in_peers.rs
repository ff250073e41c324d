//! Defects that were seen in programs like this one, each a story of ours. Those that other tests tell already are named in
//! `docs/reliability.md`.

use std::{fs, process::Stdio};

use answerback_tests::Server;
use shared_types::{AdapterKind, Event, Message, MessageBody, MessageRole, PromptOutcome, ServerMessage};

use crate::hooks::Stage;

fn said(message: &Message) -> Option<&str> {
    match &message.body {
        MessageBody::Text { text, .. } if message.role == MessageRole::User => Some(text),
        _ => None,
    }
}

#[tokio::test]
async fn deny_is_a_row_that_is_chosen_and_never_letters_that_are_typed() {
    let server = Server::start().await;
    let mut phone = server.pair_phone("iPhone").await;
    let session = phone.start_demo().await;
    phone.send(session, "command").await;
    let prompt = phone.wait_prompt(session).await;
    let outcome = phone.choose(&prompt, "No").await;
    assert!(matches!(outcome, PromptOutcome::Verified { .. }), "{outcome:?}");
    phone.wait_message(session, "Understood: command -> No").await;
    phone.wait_ready(session).await;
    let messages = phone.wait_history(session, "command -> No").await;
    // Letters that no dialog takes would stand in the composer, or have become a message.
    assert_eq!(messages.iter().filter_map(said).collect::<Vec<_>>(), ["command"]);
    phone.send(session, "hello").await;
    phone.wait_message(session, "You said: hello").await;
}

#[tokio::test]
async fn a_finished_sub_agent_dismisses_no_prompt() {
    let mut stage = Stage::new().await;
    stage.touch("ask");
    stage.phone.wait_prompt(stage.session).await;
    stage.touch("draw");
    let prompt = stage.wait_dialog().await;
    let access = stage.server.data().join("sessions").join(stage.session.0.to_string()).join("hook.json");
    for event in ["SubagentStop", "Stop", "PostToolUse", "SessionEnd", "Notification"] {
        let payload = stage.server.home().join("ended");
        let text = serde_json::json!({ "hook_event_name": event, "session_id": "other", "tool_name": "Task" });
        fs::write(&payload, text.to_string()).expect("a payload");
        let input = fs::File::open(&payload).expect("a payload");
        let mut hook = stage.server.command("hook");
        let output = hook.arg(&access).stdin(Stdio::from(input)).output().expect("run the hook");
        assert!(output.status.success() && output.stdout.is_empty(), "{event}: {output:?}");
    }
    let closed = stage.phone.all(|message| match message {
        ServerMessage::Event(event) => matches!(event.event, Event::PromptClosed { .. }).then_some(()),
        _ => None,
    });
    assert!(closed.is_empty());
    let outcome = stage.phone.choose(&prompt, "Yes").await;
    assert!(matches!(outcome, PromptOutcome::Verified { .. }), "{outcome:?}");
}

#[tokio::test]
async fn coming_back_brings_no_message_a_second_time() {
    let mut server = Server::start().await;
    let mut phone = server.pair_phone("iPhone").await;
    let session = phone.start_demo().await;
    for text in ["one", "two", "three"] {
        phone.send(session, text).await;
        phone.wait_message(session, &format!("You said: {text}")).await;
        phone.wait_ready(session).await;
    }
    let messages = |message: &ServerMessage| match message {
        ServerMessage::Event(event) => matches!(event.event, Event::Message { .. }).then_some(()),
        _ => None,
    };
    let mut phone = phone.reconnect(server.address).await;
    phone.wait_history(session, "You said: three").await;
    assert!(phone.all(messages).is_empty(), "what it has seen is not sent again");
    server.kill();
    server.launch().await;
    let mut phone = phone.reconnect(server.address).await;
    phone.wait_ready(session).await;
    phone.send(session, "four").await;
    phone.wait_message(session, "You said: four").await;
    let told = phone.all(messages).len();
    assert!(told <= 4, "only what was said since is told, not the whole conversation: {told} messages");
}

#[tokio::test]
async fn the_first_message_arrives_as_it_was_written() {
    let server = Server::start().await;
    let mut phone = server.pair_phone("iPhone").await;
    let session = phone.start_demo().await;
    let text = "  Fix the tests,\nplease: “quoted” & 'plain' — 日本語 🙂 $HOME #{pane_id} %1 ";
    phone.send(session, text).await;
    let messages = phone.wait_history(session, "You said").await;
    let first = messages.iter().find_map(said).expect("a message of the person's");
    assert_eq!(first.trim(), text.trim(), "nothing was added");
}

#[tokio::test]
async fn the_persons_settings_are_not_touched() {
    let server = Server::start().await;
    let files = [".claude/settings.json", ".claude.json", ".codex/config.toml", ".gemini/settings.json", ".tmux.conf"];
    for name in files {
        let path = server.home().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("the folder");
        fs::write(&path, format!("the person's own {name}")).expect("a file");
    }
    for (name, adapter) in [
        ("claude", AdapterKind::new("claude")),
        ("codex", AdapterKind::new("codex")),
        ("gemini", AdapterKind::new("gemini")),
    ] {
        server.install(name, "#!/bin/sh\ncat\n");
        let mut phone = server.pair_phone(name).await;
        let session = phone.start(adapter, &server.home().to_string_lossy(), &[]).await;
        phone.ask(shared_types::Command::End { session_id: session }).await.expect("ended");
    }
    for name in files {
        let text = fs::read_to_string(server.home().join(name)).expect("it is there");
        assert_eq!(text, format!("the person's own {name}"));
    }
}
