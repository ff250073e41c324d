//! What happens around prompts: the desk, restarts, interruptions, modes.

use answerback_tests::{
    model::{Gate, Turn},
    response_to, skip_if, wait_until,
};
use shared_types::{Command, ErrorCode, PermissionMode, PromptOutcome, PromptResponse, SessionState};

use super::{
    Claude, Way, both_ways, shell,
    versions::{Feature, version},
};
use crate::basics;

both_ways! {
    who_answers_at_the_desk_is_first;
    a_prompt_outlives_a_server_that_is_killed;
    two_equal_commands_are_two_prompts;
}

async fn who_answers_at_the_desk_is_first(way: Way) {
    for key in ["Enter", "Escape"] {
        let mut claude = Claude::new(way).await;
        let prompt = claude.calls("Bash", shell("touch made")).await;
        claude.at_the_desk(key, "Do you want to proceed?").await;
        assert_eq!(claude.live.phone.wait_closed(prompt.request_id).await, PromptOutcome::Gone);
        let late = PromptResponse { selected_option: Some("Yes".into()), ..response_to(&prompt) };
        let refused = claude.live.phone.ask(Command::Respond { response: late }).await.expect_err("it is over");
        assert_eq!(refused.code, ErrorCode::PromptGone);
        claude.is_ready().await;
        assert_eq!(claude.has("made"), key == "Enter");
        assert_eq!(claude.live.model.user_texts().iter().filter(|text| text.contains("go on")).count(), 1);
    }
}

async fn a_prompt_outlives_a_server_that_is_killed(way: Way) {
    let mut claude = Claude::new(way).await;
    let before = claude.calls("Bash", shell("sh -c 'echo once >> made'")).await;
    claude.live.kill_and_restart().await;
    let after = claude.prompt().await;
    assert_eq!(after.request_id, before.request_id);
    claude.choose(&after, "Yes").await;
    claude.result(1).await;
    claude.is_ready().await;
    assert_eq!(claude.file("made"), "once\n");
}

async fn two_equal_commands_are_two_prompts(way: Way) {
    let mut claude = Claude::new(way).await;
    let call = || Turn::tool("Bash", shell("sh -c 'echo once >> made'"));
    claude.turns([call(), call(), Turn::say("Done.")]).await;
    let first = claude.prompt().await;
    claude.choose(&first, "Yes").await;
    let second = claude.prompt().await;
    assert_ne!(second.request_id, first.request_id);
    assert_eq!(claude.file("made"), "once\n");
    claude.choose(&second, "Yes").await;
    claude.result(2).await;
    claude.is_ready().await;
    assert_eq!(claude.file("made"), "once\nonce\n");
}

#[tokio::test]
async fn work_is_interrupted_and_the_next_message_is_clean() {
    let mut claude = Claude::new(Way::Hook).await;
    let gate = Gate::closed();
    claude.turns([Turn::say("Let me think about this.").and_hold(&gate).and_say("Never said.")]).await;
    let session = claude.session;
    claude.live.phone.wait_state("busy", session, |state| matches!(state, SessionState::Busy { .. })).await;
    claude.live.phone.ask(Command::Interrupt { session_id: session }).await.expect("interrupted");
    claude.is_ready().await;
    claude.turns([Turn::say("As you like.")]).await;
    let text = claude.live.model.wait_user_text("round 2").await;
    assert_eq!(text.trim(), "go on with round 2", "nothing is glued to it");
}

#[tokio::test]
async fn a_message_while_it_works_is_queued() {
    let mut claude = Claude::new(Way::Hook).await;
    let gate = Gate::closed();
    claude.turns([Turn::say("Working.").and_hold(&gate).and_say("Worked.")]).await;
    let session = claude.session;
    claude.live.phone.wait_state("busy", session, |state| matches!(state, SessionState::Busy { .. })).await;
    claude.turns([Turn::say("And that.")]).await;
    gate.open();
    claude.live.model.wait_user_text("round 2").await;
    claude.is_ready().await;
}

#[tokio::test]
async fn the_mode_is_changed_and_read_back() {
    let mut claude = Claude::new(Way::Hook).await;
    claude.is_in_mode(PermissionMode::Ask).await;
    for mode in [PermissionMode::Plan, PermissionMode::AcceptEdits, PermissionMode::Ask] {
        let change = Command::SetMode { session_id: claude.session, mode };
        claude.live.phone.ask(change).await.expect("changed");
        claude.is_in_mode(mode).await;
        assert!(claude.live.screens().contains(match mode {
            PermissionMode::Plan => "plan mode on",
            PermissionMode::AcceptEdits => "accept edits on",
            _ => "for shortcuts",
        }));
    }
    let never = Command::SetMode { session_id: claude.session, mode: PermissionMode::Bypass };
    assert!(claude.live.phone.ask(never).await.is_err(), "never asking is chosen at the start or not at all");
    claude.is_in_mode(PermissionMode::Ask).await;
}

#[tokio::test]
async fn an_error_of_the_model_is_tried_again_by_itself() {
    skip_if!(version().features.lacks(Feature::QuickRetry));
    let mut claude = Claude::new(Way::Hook).await;
    claude.turns([Turn::error(529, "overloaded"), Turn::tool("Bash", shell("touch made")), Turn::say("Done.")]).await;
    let prompt = claude.prompt().await;
    claude.choose(&prompt, "Yes").await;
    claude.result(1).await;
    assert!(claude.has("made"));
}

/// The dialog stands on the screen and the hook waits; when Claude is gone, so is the hook.
#[tokio::test]
async fn a_hook_that_waits_ends_with_its_claude() {
    let mut claude = Claude::new(Way::Hook).await;
    claude.calls("Bash", shell("touch made")).await;
    let runs = || Some(claude.live.running("hook.json --wait")).filter(|hooks| !hooks.is_empty());
    let hooks = wait_until("the hook to run", runs, || claude.live.screens()).await;
    assert_eq!(hooks.len(), 1, "{hooks:?}");
    claude.live.phone.ask(Command::End { session_id: claude.session }).await.expect("ended");
    let left = || hooks.iter().all(|id| !std::path::Path::new(&format!("/proc/{id}")).exists()).then_some(());
    wait_until("the hook to end", left, || format!("{hooks:?}")).await;
}

#[tokio::test]
async fn a_shell_command_and_a_file_are_named_as_at_the_desk() {
    let mut claude = Claude::new(Way::Hook).await;
    claude.put("notes.txt", "remember the milk");
    claude.live.phone.send(claude.session, "!touch banged").await;
    claude.makes("banged").await;
    claude.is_ready().await;
    claude.live.model.script("what is in", [Turn::say("Milk.")]);
    claude.live.phone.send(claude.session, "what is in @notes.txt").await;
    claude.live.model.wait_user_text("what is in @notes.txt").await;
    let body = claude.live.model.requests().pop().expect("a request").body.to_string();
    assert!(body.contains("remember the milk"), "the file came along");
}

#[tokio::test]
async fn permissions_are_off_only_when_that_was_chosen() {
    // It refuses this to root, unless it is told that nothing can be lost.
    let sandbox = [("IS_SANDBOX", "1")];
    let mut claude = Claude::with(Way::Hook, PermissionMode::Bypass, &sandbox, |_| {}).await;
    claude.is_ready().await;
    claude.is_in_mode(PermissionMode::Bypass).await;
    claude.turns([Turn::tool("Bash", shell("touch made")), Turn::say("Done.")]).await;
    claude.makes("made").await;
}

#[tokio::test]
async fn several_lines_and_signs_arrive_as_they_are() {
    let mut claude = Claude::new(Way::Hook).await;
    let text = "go on with round 1\n  and a second line: 'x' \"y\" $HOME `z` é 🙂\n\n- a list @nobody #1 !x";
    claude.live.model.script("go on with round 1", [Turn::say("I see.")]);
    claude.live.phone.send(claude.session, text).await;
    let got = claude.live.model.wait_user_text("round 1").await;
    assert_eq!(got.trim_end(), text);
    // A digit alone, which a survey above the composer would take for its answer.
    claude.is_ready().await;
    claude.live.model.script("7", [Turn::say("Seven it is.")]);
    claude.live.phone.send(claude.session, "7").await;
    claude.live.phone.wait_message(claude.session, "Seven it is.").await;
    let got = claude.live.model.wait_user_text("7").await;
    assert_eq!(got.trim_end(), "7");
}

#[tokio::test]
async fn a_file_goes_along_with_a_message() {
    let claude = Claude::new(Way::Hook).await;
    basics::takes_a_file_along(claude.live, claude.session).await;
}
