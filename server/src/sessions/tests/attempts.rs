//! The server goes down at one moment or another of an answer or a message. It is finished, watched or reported; never typed
//! twice.

use std::sync::Arc;

use adapters::Keystroke;
use answerback_ledger::{AttemptRecord, AttemptStage};
use serde_json::{Value, json};
use shared_types::{
    Actor, AdapterKind, Answer, ErrorCode, Event, InteractivePrompt, Message, MessageBody, MessageId, MessageRole,
    PromptOutcome, PromptResponse, PromptSource, ScreenFrame, SessionState,
};
use tokio::time::timeout;
use uuid::Uuid;

use super::{
    faults::{Trap, trapped},
    stage::{Code as _, Draw as _, LIMIT, Stage, behave_as_list, captured, choose, demo, device},
};
use crate::{clock::now_millis, pane::PaneError};

fn keyed(prompt: &InteractivePrompt, label: &str, key: u128) -> PromptResponse {
    PromptResponse { idempotency_key: Some(Uuid::from_u128(key)), ..choose(prompt, label) }
}

/// The store as it is when the server was killed at this stage of an answer.
async fn killed_at(stage: &Stage, response: &PromptResponse, at: AttemptStage) {
    let attempt = AttemptRecord {
        stage: at,
        key: response.idempotency_key,
        response: Some(response.clone()),
        hook: None,
        context: Vec::new(),
    };
    let answer = Answer { by: device("phone"), summary: "Yes".to_owned() };
    assert!(
        stage.store.begin_answer(response.request_id, answer, attempt, now_millis(), Vec::new()).await.expect("begun")
    );
}

#[tokio::test]
async fn an_answer_that_had_won_is_finished_after_a_kill() {
    for at in [AttemptStage::Begun, AttemptStage::Stepping] {
        let mut stage = Stage::new();
        let (_, pane, prompt) = stage.start_asking().await;
        stage.stop().await;
        killed_at(&stage, &keyed(&prompt, "No", 7), at).await;
        behave_as_list(&pane, demo("command"), 4, demo("answered"));
        let mut stage = stage.restart().await;
        assert!(matches!(stage.wait_closed(prompt.request_id).await, PromptOutcome::Verified { .. }), "{at:?}");
        assert_eq!(pane.pressed().iter().filter(|key| **key == Keystroke::ENTER).count(), 1, "{at:?}");
        // The phone that does not know yet sends it again, and is told that it was done.
        stage.respond(keyed(&prompt, "No", 7), "phone").await.expect("the same answer");
        let other = stage.respond(keyed(&prompt, "Yes", 8), "tablet").await.expect_err("another answer");
        assert_eq!(other.code(), ErrorCode::AlreadyAnswered);
    }
}

#[tokio::test]
async fn last_keys_that_may_have_arrived_are_watched_and_never_pressed_again() {
    let mut stage = Stage::new();
    let (session, pane, prompt) = stage.start_asking().await;
    stage.stop().await;
    killed_at(&stage, &keyed(&prompt, "Yes", 7), AttemptStage::Submitted).await;
    // The CLI is slow: after the restart its dialog still stands there.
    let mut stage = stage.restart().await;
    assert_eq!(stage.wait_prompt(session).await.request_id, prompt.request_id);
    stage.respond(keyed(&prompt, "Yes", 7), "phone").await.expect("the same answer");
    let other = stage.respond(keyed(&prompt, "No", 8), "tablet").await.expect_err("it is being answered");
    assert_eq!(other.code(), ErrorCode::AlreadyAnswered);
    pane.draw(&demo("answered"));
    let outcome = stage.wait_closed(prompt.request_id).await;
    assert!(matches!(outcome, PromptOutcome::Verified { answer } if answer.summary == "Yes"));
    assert_eq!(pane.pressed(), []);
}

#[tokio::test]
async fn last_keys_that_were_lost_are_reported_and_a_repeated_frame_does_not_press_them() {
    let mut stage = Stage::new();
    let (_, pane, prompt) = stage.start_asking().await;
    stage.stop().await;
    killed_at(&stage, &keyed(&prompt, "Yes", 7), AttemptStage::Submitted).await;
    let mut stage = stage.restart().await;
    let why = stage.wait_failed().await;
    assert!(why.contains("still there"), "{why}");
    let repeated = stage.respond(keyed(&prompt, "Yes", 7), "phone").await.expect_err("it has failed");
    assert_eq!(repeated.code(), ErrorCode::NotTaken);
    assert_eq!(pane.pressed(), []);
    // Known for ever, not only to the task that saw it fail.
    let mut stage = stage.restart().await;
    stage.wait_state(prompt.session_id.expect("a session"), &SessionState::Waiting).await;
    let repeated = stage.respond(keyed(&prompt, "Yes", 7), "phone").await.expect_err("it has failed");
    assert_eq!(repeated.code(), ErrorCode::NotTaken);
    behave_as_list(&pane, demo("command"), 4, demo("answered"));
    stage.respond(keyed(&prompt, "Yes", 9), "phone").await.expect("the person answers again");
    assert!(matches!(stage.wait_closed(prompt.request_id).await, PromptOutcome::Verified { .. }));
}

#[tokio::test]
async fn a_frame_that_is_repeated_after_its_answer_failed_types_nothing() {
    let (mut stage, traps) = trapped();
    let (session, pane, prompt) = stage.start_asking().await;
    traps.set(session, Trap::FailPress);
    stage.respond(keyed(&prompt, "Yes", 7), "phone").await.expect("the first answer");
    stage.wait_failed().await;
    let repeated = stage.respond(keyed(&prompt, "Yes", 7), "phone").await.expect_err("it has failed");
    assert_eq!(repeated.code(), ErrorCode::NotTaken);
    assert_eq!(pane.pressed(), []);
}

#[tokio::test]
async fn a_text_that_may_be_half_typed_is_reported_and_not_typed_behind_itself() {
    let mut stage = Stage::new();
    let (_, pane, prompt) = stage.start_asking().await;
    stage.stop().await;
    let response = PromptResponse { text_value: Some("use pnpm".to_owned()), ..keyed(&prompt, "Yes", 7) };
    killed_at(&stage, &response, AttemptStage::Stepping).await;
    let mut stage = stage.restart().await;
    let why = stage.wait_failed().await;
    assert!(why.contains("interrupted"), "{why}");
    assert_eq!(pane.pressed(), []);
    assert!(stage.bus.prompt(prompt.request_id).is_some(), "it waits for the person again");
}

#[tokio::test]
async fn a_prompt_that_went_before_anything_was_typed_was_not_answered_by_the_phone() {
    for (at, taken) in [(AttemptStage::Begun, false), (AttemptStage::Stepping, false), (AttemptStage::Submitted, true)]
    {
        let mut stage = Stage::new();
        let (_, pane, prompt) = stage.start_asking().await;
        stage.stop().await;
        killed_at(&stage, &keyed(&prompt, "Yes", 7), at).await;
        pane.draw(&demo("answered"));
        let mut stage = stage.restart().await;
        let outcome = stage.wait_closed(prompt.request_id).await;
        let by_phone = matches!(&outcome, PromptOutcome::Verified { answer }
            if matches!(answer.by, Actor::Device { .. }));
        assert_eq!((by_phone, outcome == PromptOutcome::Gone), (taken, !taken), "{at:?}");
    }
}

#[tokio::test]
async fn without_a_store_no_key_is_pressed() {
    let mut stage = Stage::new();
    let (_, pane, prompt) = stage.start_asking().await;
    let file = rusqlite::Connection::open(stage.folder.path().join("answerback.db")).expect("the file");
    file.execute_batch("CREATE TRIGGER full BEFORE UPDATE ON prompts BEGIN SELECT raise(ABORT, 'disk full'); END")
        .expect("a trigger");
    let refused = stage.respond(keyed(&prompt, "Yes", 7), "phone").await.expect_err("it cannot be written down");
    assert_eq!(refused.code(), ErrorCode::StoreUnavailable);
    // The second half: the answer is written down, how far it gets is not.
    file.execute_batch(
        "DROP TRIGGER full; CREATE TRIGGER full BEFORE UPDATE OF attempt ON prompts WHEN NEW.attempt LIKE '%submitted%'
         BEGIN SELECT raise(ABORT, 'disk full'); END",
    )
    .expect("a trigger");
    stage.respond(keyed(&prompt, "Yes", 8), "phone").await.expect("written down");
    let why = stage.wait_failed().await;
    assert!(why.contains("nothing was typed"), "{why}");
    assert_eq!(pane.pressed(), []);
    file.execute_batch("DROP TRIGGER full").expect("room again");
    behave_as_list(&pane, demo("command"), 4, demo("answered"));
    stage.respond(keyed(&prompt, "Yes", 9), "phone").await.expect("again");
    assert!(matches!(stage.wait_closed(prompt.request_id).await, PromptOutcome::Verified { .. }));
}

#[tokio::test]
async fn a_prompt_that_came_while_the_disk_was_full_can_be_answered_when_there_is_room() {
    let mut stage = Stage::new();
    let (session, pane) = stage.start_demo("ready", &SessionState::Ready).await;
    let file = rusqlite::Connection::open(stage.folder.path().join("answerback.db")).expect("the file");
    file.execute_batch("CREATE TRIGGER full BEFORE INSERT ON prompts BEGIN SELECT raise(ABORT, 'disk full'); END")
        .expect("a trigger");
    pane.draw(&demo("command"));
    let prompt = stage.wait_prompt(session).await;
    let refused = stage.respond(keyed(&prompt, "Yes", 7), "phone").await.expect_err("it cannot be written down");
    assert_eq!(refused.code(), ErrorCode::StoreUnavailable);
    file.execute_batch("DROP TRIGGER full").expect("room again");
    behave_as_list(&pane, demo("command"), 4, demo("answered"));
    stage.respond(keyed(&prompt, "Yes", 8), "phone").await.expect("now it can");
    assert!(matches!(stage.wait_closed(prompt.request_id).await, PromptOutcome::Verified { .. }));
}

#[tokio::test]
async fn how_a_prompt_ended_while_the_disk_was_full_is_written_down_when_there_is_room() {
    let mut stage = Stage::new();
    let (session, pane, prompt) = stage.start_asking().await;
    let file = rusqlite::Connection::open(stage.folder.path().join("answerback.db")).expect("the file");
    file.execute_batch("CREATE TRIGGER full BEFORE UPDATE ON prompts BEGIN SELECT raise(ABORT, 'disk full'); END")
        .expect("a trigger");
    pane.draw(&demo("answered"));
    assert_eq!(stage.wait_closed(prompt.request_id).await, PromptOutcome::Gone);
    assert_eq!(stage.store.open_prompts(session).await.expect("asked").prompts.len(), 1, "nothing could be written");
    file.execute_batch("DROP TRIGGER full").expect("room again");
    let written = async { while !stage.store.open_prompts(session).await.expect("asked").prompts.is_empty() {} };
    timeout(LIMIT, written).await.expect("it is closed in the store too");
}

#[tokio::test]
async fn a_message_that_comes_again_after_a_kill_is_not_typed_again() {
    let mut stage = Stage::new();
    let (session, pane) = stage.start_demo("ready", &SessionState::Ready).await;
    let key = Uuid::from_u128(7);
    stage.store.begin_message(session, key, "hello", now_millis()).await.expect("being typed");
    let mut stage = stage.restart().await;
    stage.wait_state(session, &SessionState::Ready).await;
    let unknown = stage.sessions.send_text(session, "hello".to_owned(), Some(key), &[]).await.expect_err("who knows");
    assert_eq!(unknown.code(), ErrorCode::NotTaken);
    assert!(unknown.to_string().contains("look whether it has arrived"), "{unknown:?}");
    // The conversation says that it was taken.
    let said = Message {
        id: MessageId("m1".to_owned()),
        role: MessageRole::User,
        at: now_millis(),
        body: MessageBody::Text { text: "hello\n".to_owned(), streaming: false },
        agent: None,
        images: None,
    };
    stage.store.put_messages(session, vec![said], 0).await.expect("said");
    stage.sessions.send_text(session, "hello".to_owned(), Some(key), &[]).await.expect("it was taken");
    assert_eq!(pane.pressed(), []);
    stage.sessions.send_text(session, "hello".to_owned(), Some(Uuid::from_u128(8)), &[]).await.expect("another one");
    assert_eq!(pane.pressed(), [Keystroke::Paste("hello".to_owned()), Keystroke::ENTER]);
}

#[tokio::test]
async fn a_phone_that_comes_back_while_its_message_is_typed_waits_for_the_same_message() {
    let mut stage = Stage::new();
    let (session, pane) = stage.start_demo("ready", &SessionState::Ready).await;
    pane.react(|key, shown| match key {
        Keystroke::Paste(_) => *shown = demo("draft-list"),
        _ => *shown = demo("busy"),
    });
    let key = Some(Uuid::from_u128(7));
    let send = || stage.sessions.send_text(session, "hello".to_owned(), key, &[]);
    let (first, second) = tokio::join!(send(), send());
    first.expect("taken");
    second.expect("the same message");
    assert_eq!(pane.pressed(), [Keystroke::Paste("hello".to_owned()), Keystroke::ENTER]);
}

#[tokio::test]
async fn a_message_left_in_the_composer_is_taken_away_however_many_were_refused_since() {
    let (mut stage, traps) = trapped();
    let (session, pane) = stage.start_demo("ready", &SessionState::Ready).await;
    let screen = adapters::Screen::from_capture(&demo("draft-list"));
    let adapter = adapters::adapter_for(shared_types::AdapterKind::new("demo"));
    let adapters::Reading::Ready(composer) = adapter.read_screen(&screen) else { panic!("a composer") };
    let cut_off = std::sync::Arc::clone(&traps);
    pane.react(move |key, shown| match key {
        // The connection is lost between the paste and its Enter.
        Keystroke::Paste(text) if text.trim() != "last" => {
            *shown = demo("draft-list");
            cut_off.set(session, Trap::FailPress);
        }
        Keystroke::Paste(_) | Keystroke::Named(_) => *shown = demo("busy"),
        _ => *shown = demo("ready"),
    });
    let send = |text: &str| stage.sessions.send_text(session, text.to_owned(), None, &[]);
    send(&composer.draft).await.expect_err("the connection was lost");
    pane.fail(crate::pane::PaneError::Unavailable("away".to_owned()));
    send("refused").await.expect_err("nobody there");
    pane.recover();
    send("last").await.expect("what was left there is ours");
}

#[tokio::test]
async fn a_message_left_in_the_composer_by_a_kill_is_taken_away() {
    let mut stage = Stage::new();
    let (session, pane) = stage.start_demo("ready", &SessionState::Ready).await;
    let screen = adapters::Screen::from_capture(&demo("draft-list"));
    let adapter = adapters::adapter_for(shared_types::AdapterKind::new("demo"));
    let adapters::Reading::Ready(composer) = adapter.read_screen(&screen) else { panic!("a composer") };
    let begun = stage.store.begin_message(session, Uuid::from_u128(7), &composer.draft, now_millis()).await;
    begun.expect("being typed");
    let stage = stage.next_run().await;
    pane.draw(&demo("draft-list"));
    pane.react(|key, shown| match key {
        Keystroke::Paste(_) | Keystroke::Named(_) => *shown = demo("busy"),
        _ => *shown = demo("ready"),
    });
    stage.sessions.recover().await.expect("taking up");
    let mut stage = stage;
    stage.wait_state(session, &SessionState::Ready).await;
    stage.sessions.send_text(session, "last".to_owned(), None, &[]).await.expect("what was left there is ours");
}

/// What the hook of the captured dialog tells.
fn asks() -> Value {
    let input = json!({ "command": "rm -rf build/output", "description": "Remove build output directory" });
    json!({ "hook_event_name": "PermissionRequest", "tool_name": "Bash", "tool_input": input })
}

/// As when the connection to the terminal is made anew just then.
#[tokio::test]
async fn a_dialog_that_is_seen_only_after_its_hook_was_told_is_no_other_prompt() {
    let mut stage = Stage::new();
    let session = stage.running(AdapterKind::new("claude"), None).await;
    stage.sessions.recover().await.expect("taken up");
    stage.wait_state(session, &SessionState::Ready).await;
    let hook = Uuid::from_u128(9);
    let told = stage.hook(session, hook, asks());
    let prompt = stage.wait_prompt(session).await;
    stage.respond(keyed(&prompt, "No", 7), "phone").await.expect("taken");
    assert!(told.await.is_ok_and(|told| told.contains("deny")));
    let pane = stage.pane(session);
    pane.fail(PaneError::Unavailable("gone for a moment".to_owned()));
    pane.draw(&captured("claude/screens/perm-bash-2.1.325-120x40"));
    stage.sessions.hook_left(session, hook).await;
    let is_away = |event: &Event| match event {
        Event::Session { session } => matches!(session.state, SessionState::Unreachable { .. }).then_some(()),
        _ => None,
    };
    stage.wait("a look in vain", is_away).await;
    pane.recover();
    let drawn = |event: &Event| match event {
        Event::Prompt { prompt }
            if prompt.options.iter().flatten().any(|option| option.label.contains("auto mode")) =>
        {
            Some(prompt.request_id)
        }
        _ => None,
    };
    assert_eq!(stage.wait("the dialog", drawn).await, prompt.request_id, "it is one prompt");
    pane.draw(&captured("claude/screens/ready-2.1.325-80x24"));
    assert!(matches!(stage.wait_closed(prompt.request_id).await, PromptOutcome::Verified { .. }));
    stage.wait_state(session, &SessionState::Ready).await;
    assert_eq!(pane.pressed(), []);
}

/// As when Claude Code holds its dialog back and the answer comes meanwhile.
#[tokio::test]
async fn a_dialog_drawn_after_its_hook_was_answered_asks_nothing() {
    let mut stage = Stage::new();
    let session = stage.running(AdapterKind::new("claude"), None).await;
    stage.sessions.recover().await.expect("taken up");
    stage.wait_state(session, &SessionState::Ready).await;
    let hook = Uuid::from_u128(9);
    let told = stage.hook(session, hook, asks());
    let first = stage.wait_prompt(session).await;
    stage.respond(keyed(&first, "No", 7), "phone").await.expect("taken");
    assert!(told.await.is_ok_and(|told| told.contains("deny")));
    stage.sessions.hook_left(session, hook).await;
    assert!(matches!(stage.wait_closed(first.request_id).await, PromptOutcome::Verified { .. }));
    stage.pane(session).draw(&captured("claude/screens/perm-bash-2.1.325-120x40"));
    let mut frames = stage.sessions.frames(session).await.expect("its frames");
    let is_drawn = |frame: &Option<Arc<ScreenFrame>>| {
        serde_json::to_string(&frame.as_deref()).is_ok_and(|frame| frame.contains("Do you want to proceed?"))
    };
    timeout(LIMIT, frames.wait_for(is_drawn)).await.expect("in time").expect("it is looked at");
    // It is still there when something else is asked.
    let mut other = asks();
    other["tool_input"]["command"] = json!("touch other");
    let _waits = stage.hook(session, Uuid::from_u128(10), other);
    let second = stage.wait_other_prompt(&first).await;
    assert_eq!(second.tool_input, Some(json!("touch other")), "the first one was asked again");
}

/// The dialog is drawn first, so the prompt has an id of its own; the hook that joins it is told, and the server is killed before
/// the hook has heard it.
#[tokio::test]
async fn a_hook_that_joined_its_dialog_is_told_again_after_a_kill() {
    let mut stage = Stage::new();
    let session = stage.running(AdapterKind::new("claude"), None).await;
    stage.pane(session).draw(&captured("claude/screens/perm-bash-2.1.325-120x40"));
    stage.sessions.recover().await.expect("taken up");
    let prompt = stage.wait_prompt(session).await;
    let hook = Uuid::from_u128(9);
    let unheard = stage.hook(session, hook, asks());
    let joined = |event: &Event| match event {
        Event::Prompt { prompt } if prompt.source == Some(PromptSource::Hook) => Some(prompt.request_id),
        _ => None,
    };
    assert_eq!(stage.wait("the hook at its dialog", joined).await, prompt.request_id);
    stage.respond(keyed(&prompt, "No", 7), "phone").await.expect("taken");
    assert!(unheard.await.is_ok_and(|told| told.contains("deny")));

    let mut stage = stage.restart().await;
    assert_eq!(stage.wait_prompt(session).await.request_id, prompt.request_id);
    let told = timeout(LIMIT, stage.hook(session, hook, asks())).await.expect("in time").expect("told");
    assert!(told.contains("deny"), "{told}");
    stage.pane(session).draw(&captured("claude/screens/ready-2.1.325-80x24"));
    assert!(matches!(stage.wait_closed(prompt.request_id).await, PromptOutcome::Verified { .. }));
    let other = |event: &Event| matches!(event, Event::Prompt { prompt: told } if told.request_id != prompt.request_id);
    assert!(!stage.told.iter().any(other), "it is one prompt: {:?}", stage.told);
    assert_eq!(stage.pane(session).pressed(), []);
}
