//! What happens around prompts: the desk, restarts, interruptions, messages, modes, and conversations that are gone on with.

use answerback_tests::{
    model::{Gate, Turn},
    response_to, skip_if,
};
use shared_types::{
    AdapterKind, Command, ErrorCode, PermissionMode, PromptOutcome, PromptResponse, ReplyData, Session, SessionState,
    StartSession,
};

use super::{Copilot, YES, not_here, shell};

#[tokio::test]
async fn answers_messages_and_interruptions() {
    skip_if!(not_here());
    let mut copilot = Copilot::new().await;
    the_desk_is_first(&mut copilot).await;
    a_prompt_outlives_a_server_that_is_killed(&mut copilot).await;
    work_is_interrupted(&mut copilot).await;
    a_message_is_queued(&mut copilot).await;
    words_arrive_as_they_are(&mut copilot).await;
    the_mode_is_changed(&mut copilot).await;
}

async fn the_desk_is_first(copilot: &mut Copilot) {
    let prompt = copilot.calls("bash", shell("touch desk")).await;
    let pane = format!("=ab-{}:", copilot.session.0.simple());
    copilot.live.server.tmux(&["send-keys", "-t", &pane, "Enter"]);
    assert_eq!(copilot.live.phone.wait_closed(prompt.request_id).await, PromptOutcome::Gone);
    let late = PromptResponse { selected_option: Some(YES.into()), ..response_to(&prompt) };
    let refused = copilot.live.phone.ask(Command::Respond { response: late }).await.expect_err("it is over");
    assert_eq!(refused.code, ErrorCode::PromptGone);
    copilot.answered.push(prompt.request_id);
    copilot.is_ready().await;
    assert!(copilot.has("desk"));
}

async fn a_prompt_outlives_a_server_that_is_killed(copilot: &mut Copilot) {
    let before = copilot.calls("bash", shell("mkdir outlived")).await;
    copilot.live.kill_and_restart().await;
    let after = copilot.prompt().await;
    assert_eq!(after.request_id, before.request_id);
    copilot.choose(&after, YES).await;
    copilot.is_ready().await;
    assert!(copilot.has("outlived"));
}

async fn work_is_interrupted(copilot: &mut Copilot) {
    let gate = Gate::closed();
    copilot.turns([Turn::say("Let me think.").and_hold(&gate).and_say("Never said.")]).await;
    copilot.is_busy().await;
    copilot.live.phone.ask(Command::Interrupt { session_id: copilot.session }).await.expect("interrupted");
    copilot.is_ready().await;
    copilot.turns([Turn::say("As you like.")]).await;
    copilot.live.phone.wait_message(copilot.session, "As you like.").await;
    copilot.is_ready().await;
}

async fn a_message_is_queued(copilot: &mut Copilot) {
    let gate = Gate::closed();
    copilot.turns([Turn::say("Working.").and_hold(&gate).and_say("Worked.")]).await;
    copilot.is_busy().await;
    copilot.turns([Turn::say("And that.")]).await;
    gate.open();
    copilot.live.phone.wait_message(copilot.session, "And that.").await;
    copilot.is_ready().await;
}

async fn words_arrive_as_they_are(copilot: &mut Copilot) {
    // A word behind an @ opens a list of files, from which Enter would choose.
    for text in ["tell me about @nobody", "several lines:\n  'x' \"y\" $HOME é 🙂\n\n- a list #1 !x"] {
        // What the phone knows may be from before the message: its answer says that the turn is over.
        let answer = format!("I see {} letters.", text.len());
        copilot.live.model.script(text, [Turn::say(&answer)]);
        copilot.live.phone.send(copilot.session, text).await;
        copilot.live.model.wait_user_text(text).await;
        copilot.live.phone.wait_message(copilot.session, &answer).await;
        copilot.is_ready().await;
    }
}

async fn the_mode_is_changed(copilot: &mut Copilot) {
    for mode in [PermissionMode::Plan, PermissionMode::Ask] {
        let set = Command::SetMode { session_id: copilot.session, mode };
        copilot.live.phone.ask(set).await.expect("the mode was changed");
        let shows = |session: &Session| session.mode == Some(mode);
        copilot.live.phone.wait_session("the mode", copilot.session, shows).await;
    }
}

#[tokio::test]
async fn a_conversation_is_told_listed_and_gone_on_with() {
    skip_if!(not_here());
    let mut copilot = Copilot::new().await;
    let call = Turn::say("I make it.").and_tools([super::shell_call("touch made")]);
    copilot.turns([call, Turn::say("It is *there*.")]).await;
    let prompt = copilot.prompt().await;
    copilot.choose(&prompt, YES).await;
    let said = copilot.live.phone.wait_history(copilot.session, "It is *there*.").await;
    let said: Vec<String> = said.iter().map(|message| serde_json::to_string(message).expect("JSON")).collect();
    for part in ["go on with round 1.", "I make it.", "touch made"] {
        assert_eq!(said.iter().filter(|message| message.contains(part)).count(), 1, "{part} in {said:?}");
    }
    copilot.is_ready().await;
    let session = copilot.session;
    copilot.live.phone.ask(Command::End { session_id: session }).await.expect("ended");
    let is_over = |state: &SessionState| matches!(state, SessionState::Ended { .. });
    copilot.live.phone.wait_state("ended", session, is_over).await;

    let folder = copilot.live.project().to_string_lossy().into_owned();
    let list =
        Command::Conversations { adapter: AdapterKind::new("copilot"), folder: Some(folder.clone()), query: None };
    let listed = copilot.live.phone.ask(list).await;
    let Ok(ReplyData::Conversations { conversations }) = listed else { panic!("no list: {listed:?}") };
    assert_eq!(conversations.len(), 1, "{conversations:?}");
    assert_eq!(conversations[0].id, session.0.to_string());
    let start = StartSession {
        resume: Some(conversations[0].id.clone()),
        ..StartSession::new(AdapterKind::new("copilot"), folder)
    };
    let resumed = copilot.live.phone.ask(Command::Start { start }).await;
    let Ok(ReplyData::Started { session_id }) = resumed else { panic!("not resumed: {resumed:?}") };
    copilot.session = session_id;
    copilot.is_ready().await;
    copilot.turns([Turn::say("Back again.")]).await;
    copilot.live.phone.wait_history(session_id, "Back again.").await;
    // The model is sent what was said before.
    let last = copilot.live.model.requests().pop().expect("a request").body.to_string();
    assert!(last.contains("touch made"), "{last:.2000}");
}
