//! What happens around prompts: the desk, restarts, interruptions, the conversation, the end.

use answerback_tests::{
    model::{Gate, Turn},
    response_to, wait_until,
};
use shared_types::{
    Command, ErrorCode, Message, MessageBody, PromptOutcome, PromptResponse, ReplyData, SessionState, StartSession,
};

use super::{Codex, patch, shell};

#[tokio::test]
async fn who_answers_at_the_desk_is_first() {
    let mut codex = Codex::new().await;
    for (key, name, runs) in [("Enter", "one", true), ("Escape", "two", false), ("y", "three", true)] {
        let prompt = codex.calls(shell(&format!("touch {name}"))).await;
        codex.at_the_desk(key);
        assert_eq!(codex.live.phone.wait_closed(prompt.request_id).await, PromptOutcome::Gone);
        let late = PromptResponse { selected_option: Some("Yes, proceed".into()), ..response_to(&prompt) };
        let refused = codex.live.phone.ask(Command::Respond { response: late }).await.expect_err("it is over");
        assert_eq!(refused.code, ErrorCode::PromptGone);
        codex.answered.push(prompt.request_id);
        codex.is_ready().await;
        assert_eq!(codex.has(name), runs);
    }
}

#[tokio::test]
async fn a_prompt_outlives_a_server_that_is_killed() {
    let mut codex = Codex::new().await;
    let before = codex.calls(shell("echo once >> made")).await;
    codex.live.kill_and_restart().await;
    let after = codex.prompt().await;
    assert_eq!(after.request_id, before.request_id);
    codex.choose(&after, "Yes, proceed").await;
    codex.result(1).await;
    codex.is_ready().await;
    assert_eq!(codex.file("made"), "once\n");
    // And what is said goes on where it was.
    let messages = codex.live.phone.wait_history(codex.session, "That is done.").await;
    assert_eq!(said(&messages), ["go on with round 1;", "That is done."], "{messages:#?}");
}

/// What was said in words, in order.
fn said(messages: &[Message]) -> Vec<&str> {
    messages
        .iter()
        .filter_map(|message| match &message.body {
            MessageBody::Text { text, .. } => Some(text.as_str()),
            _ => None,
        })
        .collect()
}

async fn is_busy(codex: &mut Codex) {
    let session = codex.session;
    codex.live.phone.wait_state("busy", session, |state| matches!(state, SessionState::Busy { .. })).await;
}

#[tokio::test]
async fn work_is_interrupted_and_steered() {
    let mut codex = Codex::new().await;
    let gate = Gate::closed();
    codex.turns([Turn::say("Let me think about this.").and_hold(&gate).and_say("Never said.")]).await;
    is_busy(&mut codex).await;
    codex.live.phone.ask(Command::Interrupt { session_id: codex.session }).await.expect("interrupted");
    codex.is_ready().await;
    codex.turns([Turn::say("As you like.")]).await;
    let text = codex.live.model.wait_user_text("round 2").await;
    assert_eq!(text.trim(), "go on with round 2;", "nothing is glued to it");
    codex.is_ready().await;

    // A message while it works goes to the model with the next call of the same turn.
    let gate = Gate::closed();
    codex.turns([Turn::say("Working.").and_hold(&gate).and_say("Worked.")]).await;
    is_busy(&mut codex).await;
    codex.turns([Turn::say("And that.")]).await;
    gate.open();
    codex.live.model.wait_user_text("round 4").await;
    codex.is_ready().await;
    codex.live.phone.wait_history(codex.session, "And that.").await;

    // Several lines and signs arrive as they are.
    let text = "go on with round 5;\n  and a second line: 'x' \"y\" $HOME `z` é 🙂\n\n- a list #1 !x";
    codex.live.model.script("go on with round 5;", [Turn::say("I see.")]);
    codex.live.phone.send(codex.session, text).await;
    let got = codex.live.model.wait_user_text("round 5;").await;
    assert_eq!(got.trim_end(), text);
}

#[tokio::test]
async fn what_is_said_is_told_and_goes_on_later() {
    let mut codex = Codex::new().await;
    let edit = patch(&["*** Add File: notes.txt", "+one"]);
    codex
        .turns([
            Turn::say("I look first.").and_tools([shell("touch made && echo looked")]),
            Turn::tools([edit]),
            Turn::say("All done."),
        ])
        .await;
    let prompt = codex.prompt().await;
    codex.choose(&prompt, "Yes, proceed").await;
    let prompt = codex.prompt().await;
    codex.choose(&prompt, "Yes, proceed").await;
    let session = codex.session;
    let messages = codex.live.phone.wait_history(session, "All done.").await;
    assert_eq!(said(&messages), ["go on with round 1;", "I look first.", "All done."], "{messages:#?}");
    let tools: Vec<_> = messages
        .iter()
        .filter_map(|message| match &message.body {
            MessageBody::Tool { result, .. } => Some(result.clone()),
            _ => None,
        })
        .collect();
    assert_eq!(tools.len(), 2, "{messages:#?}");
    assert!(tools[0].as_ref().is_some_and(|result| result.output.contains("looked")), "{tools:?}");
    assert!(
        serde_json::to_string(&messages).is_ok_and(|json| json.contains("+one")),
        "the change is told: {messages:#?}"
    );
    // 1000 in and 50 out with every reply of the model.
    let counted = |session: &shared_types::Session| {
        session.usage.as_ref().is_some_and(|usage| usage.output_tokens == Some(150) && usage.input_tokens == Some(3000))
    };
    codex.live.phone.wait_session("the tokens", session, counted).await;
    codex.is_ready().await;

    let id = codex.live.phone.session(session).conversation.clone().expect("the conversation's id");
    let left = processes(&codex.live.home().to_string_lossy());
    assert!(!left.is_empty(), "it runs");
    codex.live.phone.ask(Command::End { session_id: session }).await.expect("ended");
    codex.live.phone.wait_state("the end", session, |state| matches!(state, SessionState::Ended { .. })).await;
    // Nothing of it runs on: no daemon, no server of its own.
    let home = codex.live.home().to_string_lossy().into_owned();
    wait_until("its end", || processes(&home).is_empty().then_some(()), || format!("{:?}", processes(&home))).await;
    assert!(!codex.live.home().join(".codex/packages").exists());

    let folder = codex.live.project().to_string_lossy().into_owned();
    let adapter = codex.live.cli.adapter();
    let listed =
        codex.live.phone.ask(Command::Conversations { adapter, folder: Some(folder.clone()), query: None }).await;
    let Ok(ReplyData::Conversations { conversations }) = listed else { panic!("no conversations: {listed:?}") };
    let [conversation] = conversations.as_slice() else { panic!("one conversation: {conversations:?}") };
    assert_eq!((conversation.id.as_str(), conversation.title.as_str()), (id.as_str(), "go on with round 1;"));
    let start = StartSession { resume: Some(id.clone()), ..StartSession::new(adapter, folder) };
    let started = codex.live.phone.ask(Command::Start { start }).await;
    let Ok(ReplyData::Started { session_id }) = started else { panic!("not resumed: {started:?}") };
    codex.session = session_id;
    codex.is_ready().await;
    assert_eq!(codex.live.phone.session(session_id).conversation.as_deref(), Some(id.as_str()));
    codex.turns([Turn::say("I remember.")]).await;
    codex.live.model.wait_user_text("round 2;").await;
    let last = codex.live.model.requests().pop().expect("a request");
    assert!(format!("{:?}", last.items).contains("go on with round 1;"), "{:?}", last.items);
    let messages = codex.live.phone.wait_history(session_id, "I remember.").await;
    assert!(said(&messages).contains(&"All done."), "{messages:#?}");
}

#[tokio::test]
async fn a_new_conversation_is_followed() {
    let mut codex = Codex::new().await;
    codex.turns([Turn::say("The first answer.")]).await;
    codex.live.phone.wait_history(codex.session, "The first answer.").await;
    codex.is_ready().await;
    let first = codex.conversation();
    codex.live.phone.send(codex.session, "/new").await;
    codex.is_ready().await;
    codex.turns([Turn::say("The second answer.")]).await;
    let history = codex.live.phone.wait_history(codex.session, "The second answer.").await;
    let history = format!("{history:?}");
    assert!(history.contains("The first answer.") && history.contains("Another conversation begins"), "{history}");
    assert_ne!(codex.conversation(), first);
}

#[tokio::test]
async fn two_sessions_in_one_folder_keep_their_words_apart() {
    let mut codex = Codex::new().await;
    let first = codex.session;
    let folder = codex.live.project().to_string_lossy().into_owned();
    let second = codex.live.phone.start(codex.live.cli.adapter(), &folder, &[]).await;
    codex.live.phone.wait_ready(second).await;
    // The one that was started last speaks first.
    codex.session = second;
    codex.turns([Turn::say("Said by the second.")]).await;
    codex.live.phone.wait_history(second, "Said by the second.").await;
    codex.session = first;
    codex.turns([Turn::say("Said by the first.")]).await;
    let messages = codex.live.phone.wait_history(first, "Said by the first.").await;
    assert_eq!(said(&messages), ["go on with round 2;", "Said by the first."], "{messages:#?}");
    let id = |session| codex.live.phone.session(session).conversation.clone();
    assert!(id(first).is_some() && id(second).is_some() && id(first) != id(second));
}

/// The command lines of everything that runs for a home. Every process of the CLI has the home in its variables.
fn processes(home: &str) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir("/proc").into_iter().flatten().flatten() {
        let read = |name: &str| std::fs::read_to_string(entry.path().join(name)).unwrap_or_default();
        let variables =
            String::from_utf8_lossy(&std::fs::read(entry.path().join("environ")).unwrap_or_default()).into_owned();
        let line = read("cmdline").replace('\0', " ");
        if variables.contains(home) && line.contains("codex") && !line.contains("answerback") {
            found.push(line);
        }
    }
    found
}
