//! What happens around prompts: restarts, interruptions, messages, and conversations that are gone on with.

use answerback_tests::{
    Live, Place,
    model::{Gate, Turn},
    response_to, skip_if, wait_until,
};
use serde_json::json;
use shared_types::{
    AdapterKind, Command, ErrorCode, PermissionMode, PromptOutcome, PromptResponse, ReplyData, SessionId, SessionState,
    StartSession,
};

use super::{
    Gemini, shell,
    versions::{Feature, version},
};
use crate::basics;

#[tokio::test]
async fn answers_messages_and_interruptions() {
    let mut gemini = Gemini::new().await;
    the_desk_is_first(&mut gemini).await;
    a_prompt_outlives_a_server_that_is_killed(&mut gemini).await;
    work_is_interrupted(&mut gemini).await;
    a_message_is_queued(&mut gemini).await;
    words_arrive_as_they_are(&mut gemini).await;
}

async fn the_desk_is_first(gemini: &mut Gemini) {
    for (key, runs) in [("Enter", true), ("Escape", false)] {
        let prompt = gemini.calls("run_shell_command", shell(&format!("touch desk-{key}"))).await;
        gemini.press_at_the_desk(key);
        assert_eq!(gemini.live.phone.wait_closed(prompt.request_id).await, PromptOutcome::Gone);
        let late = PromptResponse { selected_option: Some("Allow once".into()), ..response_to(&prompt) };
        let refused = gemini.live.phone.ask(Command::Respond { response: late }).await.expect_err("it is over");
        assert_eq!(refused.code, ErrorCode::PromptGone);
        gemini.answered.push(prompt.request_id);
        gemini.is_ready().await;
        assert_eq!(gemini.has(&format!("desk-{key}")), runs);
    }
}

async fn a_prompt_outlives_a_server_that_is_killed(gemini: &mut Gemini) {
    let before = gemini.calls("run_shell_command", shell("mkdir outlived")).await;
    gemini.live.kill_and_restart().await;
    let after = gemini.prompt().await;
    assert_eq!(after.request_id, before.request_id);
    gemini.choose(&after, "Allow once").await;
    gemini.is_ready().await;
    assert!(gemini.has("outlived"));
}

async fn work_is_interrupted(gemini: &mut Gemini) {
    let gate = Gate::closed();
    gemini.turns([Turn::say("Let me think.").and_hold(&gate).and_say("Never said.")]).await;
    let session = gemini.session;
    gemini.live.phone.wait_state("busy", session, |state| matches!(state, SessionState::Busy { .. })).await;
    gemini.live.phone.ask(Command::Interrupt { session_id: session }).await.expect("interrupted");
    gemini.is_ready().await;
    gemini.turns([Turn::say("As you like.")]).await;
    let message = format!("go on with round {}.", gemini.rounds);
    let text = gemini.live.model.wait_user_text(&message).await;
    assert_eq!(text.trim(), message, "nothing is glued to it");
    gemini.live.phone.wait_message(session, "As you like.").await;
    gemini.is_ready().await;
}

async fn a_message_is_queued(gemini: &mut Gemini) {
    let gate = Gate::closed();
    gemini.turns([Turn::say("Working.").and_hold(&gate).and_say("Worked.")]).await;
    let session = gemini.session;
    gemini.live.phone.wait_state("busy", session, |state| matches!(state, SessionState::Busy { .. })).await;
    gemini.turns([Turn::say("And that.")]).await;
    gate.open();
    gemini.live.phone.wait_message(session, "And that.").await;
    gemini.is_ready().await;
}

async fn words_arrive_as_they_are(gemini: &mut Gemini) {
    // A word behind an @ opens a list of completions, from which Enter would choose.
    for text in
        ["tell me about @nobody", "several lines:\n  'x' \"y\" $HOME é 🙂\n\n- a list #1 !x", "mail me@example.com"]
    {
        gemini.live.model.script(text, [Turn::say("I see.")]);
        gemini.live.phone.send(gemini.session, text).await;
        let got = gemini.live.model.wait_user_text(text).await;
        assert_eq!(got.trim_end(), text);
        gemini.is_ready().await;
    }
}

#[tokio::test]
async fn a_cleared_conversation_is_followed() {
    follows_a_cleared_conversation(Gemini::new().await).await;
}

/// As with everybody who is not root.
#[tokio::test]
async fn a_cleared_conversation_is_followed_although_no_hook_tells() {
    follows_a_cleared_conversation(Gemini::at(Place::Temporary, PermissionMode::Ask, |_| {}).await).await;
}

async fn follows_a_cleared_conversation(mut gemini: Gemini) {
    gemini.turns([Turn::say("The first answer.")]).await;
    gemini.live.phone.wait_history(gemini.session, "The first answer.").await;
    gemini.is_ready().await;
    gemini.live.phone.send(gemini.session, "/clear").await;
    let cleared = || (!gemini.live.screens().contains("The first answer.")).then_some(());
    wait_until("an empty screen", cleared, || gemini.live.screens()).await;
    gemini.is_ready().await;
    gemini.turns([Turn::say("The second answer.")]).await;
    let history = format!("{:?}", gemini.live.phone.wait_history(gemini.session, "The second answer.").await);
    assert!(history.contains("The first answer."), "what was said stays: {history}");
}

#[tokio::test]
async fn a_conversation_is_gone_on_with_and_nothing_is_left_running() {
    let mut gemini = Gemini::new().await;
    let session = gemini.session;
    let prompt = {
        let call = Turn::say("I make it.").and_tools([super::shell_call("touch made")]);
        gemini.turns([call, Turn::say("It is *there*.")]).await;
        gemini.prompt().await
    };
    gemini.choose(&prompt, "Allow once").await;
    gemini.live.phone.wait_message(session, "It is *there*.").await;
    gemini.is_ready().await;
    // What was said and done, from the file of this version's form.
    let said = gemini.live.phone.wait_history(session, "It is *there*.").await;
    let said: Vec<String> = said.iter().map(|message| serde_json::to_string(message).expect("JSON")).collect();
    for part in ["go on with round 1.", "I make it.", "touch made"] {
        assert_eq!(said.iter().filter(|message| message.contains(part)).count(), 1, "{part} in {said:?}");
    }
    ends_with_all_its_processes(&mut gemini.live, session).await;
    let conversation = {
        let folder = gemini.live.project().to_string_lossy().into_owned();
        let list = Command::Conversations { adapter: AdapterKind::new("gemini"), folder: Some(folder), query: None };
        let listed = gemini.live.phone.ask(list).await;
        let Ok(ReplyData::Conversations { conversations }) = listed else { panic!("no list: {listed:?}") };
        assert_eq!(conversations.len(), 1, "{conversations:?}");
        conversations[0].id.clone()
    };
    // Twice: the clean-up at the second start deletes a conversation that was gone on with before, if it is not switched off.
    let rounds = if gemini.has_hooks() || version().features.has(Feature::KeepsConversations) { 2 } else { 1 };
    for round in 0..rounds {
        let anew = StartSession::new(AdapterKind::new("gemini"), gemini.live.project().to_string_lossy());
        let start = StartSession { resume: Some(conversation.clone()), ..anew };
        let started = gemini.live.phone.ask(Command::Start { start }).await;
        let Ok(ReplyData::Started { session_id }) = started else { panic!("not started: {started:?}") };
        gemini.session = session_id;
        gemini.is_ready().await;
        let words = format!("And again, number {round}.");
        gemini.turns([Turn::say(&words)]).await;
        gemini.live.phone.wait_message(session_id, &words).await;
        gemini.is_ready().await;
        let history = gemini.live.phone.wait_history(session_id, &words).await;
        let history = serde_json::to_string(&history).expect("messages");
        assert!(history.contains("It is *there*.") && history.contains("touch made"), "{history}");
        let last = gemini.live.model.requests().pop().expect("a request");
        assert!(last.body.to_string().contains("go on with round 1."), "the model knows what was said before");
        ends_with_all_its_processes(&mut gemini.live, session_id).await;
    }
}

/// Ends a session and sees that both of its node processes are gone: 0.61 outlives its terminal otherwise.
async fn ends_with_all_its_processes(live: &mut Live, session: SessionId) {
    let processes = live.processes();
    let nodes = live.command_lines().iter().filter(|line| line.contains("node")).count();
    assert!(nodes >= 2, "{:?}", live.command_lines());
    live.phone.ask(Command::End { session_id: session }).await.expect("ended");
    let alive = || {
        let runs = |id: &&u32| {
            let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
            let cli = std::fs::read_to_string(format!("/proc/{id}/cmdline")).unwrap_or_default();
            !stat.is_empty() && cli.contains("gemini")
        };
        processes.iter().filter(runs).copied().collect::<Vec<u32>>()
    };
    wait_until("the end of its processes", || alive().is_empty().then_some(()), || format!("{:?}", alive())).await;
}

#[tokio::test]
async fn a_file_goes_along_with_a_message() {
    skip_if!(version().features.lacks(Feature::FilesOutside));
    let mut gemini = Gemini::new().await;
    // On a very busy machine it still comes up behind its composer, and what it queues meanwhile is sent without its files.
    gemini.turns([Turn::say("Here I am.")]).await;
    gemini.live.phone.wait_message(gemini.session, "Here I am.").await;
    gemini.is_ready().await;
    basics::takes_a_file_along(gemini.live, gemini.session).await;
}

#[tokio::test]
async fn the_mode_is_shown_as_it_is() {
    let mut gemini = Gemini::in_mode(PermissionMode::AcceptEdits, |_| {}).await;
    let session = gemini.session;
    let write = |name: &str| Turn::tool("write_file", json!({ "file_path": name, "content": "hello\n" }));
    gemini.turns([write("unasked.txt"), Turn::say("Nobody was asked.")]).await;
    gemini.live.phone.wait_message(session, "Nobody was asked.").await;
    gemini.is_ready().await;
    assert!(gemini.has("unasked.txt"));
    assert_eq!(gemini.live.phone.session(session).mode, Some(PermissionMode::AcceptEdits));
    // Changed at the desk.
    gemini.press_at_the_desk("BTab");
    let next = version().next_mode;
    gemini.live.phone.wait_session("the mode of the desk", session, |session| session.mode == Some(next)).await;
}
