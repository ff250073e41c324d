//! What happens around prompts: restarts, interruptions, messages, modes, and conversations that are gone on with.

use answerback_tests::model::{Gate, Turn};
use shared_types::{AdapterKind, Command, OptionRole, PermissionMode, ReplyData, Session, SessionState, StartSession};

use super::{Qwen, shell};

#[tokio::test]
async fn answers_messages_interruptions_and_modes() {
    let mut qwen = Qwen::in_mode(PermissionMode::Ask).await;
    a_prompt_outlives_a_server_that_is_killed(&mut qwen).await;
    work_is_interrupted(&mut qwen).await;
    words_arrive_as_they_are(&mut qwen).await;
    the_mode_is_changed(&mut qwen).await;
}

async fn a_prompt_outlives_a_server_that_is_killed(qwen: &mut Qwen) {
    let before = qwen.calls("run_shell_command", shell("mkdir outlived")).await;
    qwen.live.kill_and_restart().await;
    let after = qwen.prompt_like("the prompt", |_| true).await;
    assert_eq!(after.request_id, before.request_id);
    qwen.choose(&after, OptionRole::Allow).await;
    qwen.is_ready().await;
    assert!(qwen.has("outlived"));
}

async fn work_is_interrupted(qwen: &mut Qwen) {
    let gate = Gate::closed();
    qwen.turns([Turn::say("Let me think.").and_hold(&gate).and_say("Never said.")]).await;
    let session = qwen.session;
    qwen.live.phone.wait_state("busy", session, |state| matches!(state, SessionState::Busy { .. })).await;
    qwen.live.phone.ask(Command::Interrupt { session_id: session }).await.expect("interrupted");
    qwen.is_ready().await;
    // It puts the message that was interrupted back into its composer.
    qwen.turns([Turn::say("As you like.")]).await;
    let message = format!("go on with round {}.", qwen.rounds);
    let text = qwen.live.model.wait_user_text(&message).await;
    assert_eq!(text.trim(), message, "nothing is glued to it");
    qwen.live.phone.wait_message(session, "As you like.").await;
    qwen.is_ready().await;
}

async fn words_arrive_as_they_are(qwen: &mut Qwen) {
    let text = "several lines:\n  'x' \"y\" $HOME é 🙂\n\n- a list #1 !x";
    qwen.live.model.script(text, [Turn::say("I see.")]);
    qwen.live.phone.send(qwen.session, text).await;
    let got = qwen.live.model.wait_user_text(text).await;
    assert_eq!(got.trim_end(), text);
    qwen.live.phone.wait_message(qwen.session, "I see.").await;
    qwen.is_ready().await;
}

async fn the_mode_is_changed(qwen: &mut Qwen) {
    let mode = PermissionMode::Plan;
    let change = Command::SetMode { session_id: qwen.session, mode };
    qwen.live.phone.ask(change).await.expect("the mode is changed");
    let planning = |session: &Session| session.mode == Some(PermissionMode::Plan);
    qwen.live.phone.wait_session("the mode", qwen.session, planning).await;
}

#[tokio::test]
async fn a_conversation_is_gone_on_with() {
    let mut qwen = Qwen::in_mode(PermissionMode::Ask).await;
    let session = qwen.session;
    let call = Turn::say("I make it.").and_tools([qwen.live.cli.shell("touch made")]);
    qwen.turns([call, Turn::say("It is *there*.")]).await;
    let prompt = qwen.prompt_like("a prompt", |_| true).await;
    qwen.choose(&prompt, OptionRole::Allow).await;
    qwen.live.phone.wait_message(session, "It is *there*.").await;
    qwen.is_ready().await;
    let said = qwen.live.phone.wait_history(session, "It is *there*.").await;
    let said: Vec<String> = said.iter().map(|message| serde_json::to_string(message).expect("JSON")).collect();
    for part in ["go on with round 1.", "I make it.", "touch made"] {
        assert_eq!(said.iter().filter(|message| message.contains(part)).count(), 1, "{part} in {said:?}");
    }
    qwen.live.phone.ask(Command::End { session_id: session }).await.expect("ended");
    let folder = qwen.live.project().to_string_lossy().into_owned();
    let list = Command::Conversations { adapter: AdapterKind::new("qwen"), folder: Some(folder.clone()), query: None };
    let listed = qwen.live.phone.ask(list).await;
    let Ok(ReplyData::Conversations { conversations }) = listed else { panic!("no list: {listed:?}") };
    assert_eq!(conversations.len(), 1, "{conversations:?}");
    let start = StartSession {
        resume: Some(conversations[0].id.clone()),
        ..StartSession::new(AdapterKind::new("qwen"), folder)
    };
    let started = qwen.live.phone.ask(Command::Start { start }).await;
    let Ok(ReplyData::Started { session_id }) = started else { panic!("not started: {started:?}") };
    qwen.session = session_id;
    qwen.is_ready().await;
    qwen.turns([Turn::say("And again.")]).await;
    qwen.live.phone.wait_message(session_id, "And again.").await;
    let history = qwen.live.phone.wait_history(session_id, "And again.").await;
    let history = serde_json::to_string(&history).expect("messages");
    assert!(history.contains("It is *there*.") && history.contains("touch made"), "{history}");
    let last = qwen.live.model.requests().pop().expect("a request");
    assert!(last.body.to_string().contains("go on with round 1."), "the model knows what was said before");
}
