//! What was under way when the server went down: the table of docs/reliability.md.

use std::time::Duration;

use adapters::answer::LEAVE_LIMIT;
use shared_types::{AdapterKind, AnswerStep, PromptOutcome};
use uuid::Uuid;

use super::world::{Fate, World, choose};
use crate::{AttemptStage, RespondError, recovery::HOOKS_COME_AGAIN};

const HOOK: Uuid = Uuid::from_u128(9);

/// A prompt whose answer had got this far when the server was killed.
fn killed_at(stage: AttemptStage) -> (World, shared_types::InteractivePrompt) {
    let mut world = World::new(AdapterKind::new("demo"));
    let prompt = world.asked_prompt("Run it?");
    world.fate = Fate::UnknownAndLost;
    world.respond(choose(&prompt, 0, 7), "phone");
    world.look();
    let row = world.store.get_mut(&prompt.request_id).expect("a row");
    row.stored.attempt.as_mut().expect("an attempt").stage = stage;
    world.fate = Fate::Pressed;
    world.presses = 0;
    world.restart();
    (world, prompt)
}

#[test]
fn prompt_keeps_its_id() {
    let mut world = World::new(AdapterKind::new("demo"));
    let prompt = world.asked_prompt("Run it?");
    world.restart();
    world.settle();
    assert_eq!(world.ledger.open_prompt_ids(), [prompt.request_id]);
    assert_eq!(world.closed, []);
}

#[test]
fn prompt_that_has_gone_is_closed() {
    let mut world = World::new(AdapterKind::new("demo"));
    let prompt = world.asked_prompt("Run it?");
    world.dialog_goes();
    world.restart();
    world.settle();
    assert_eq!(world.closed, [(prompt.request_id, PromptOutcome::Gone)]);
}

#[test]
fn answer_that_came_before_the_first_look_is_taken() {
    let mut world = World::new(AdapterKind::new("demo"));
    let prompt = world.asked_prompt("Run it?");
    world.restart();
    let ticket = world.respond(choose(&prompt, 0, 7), "phone");
    assert!(!world.replies.contains_key(&ticket), "the screen says first whether it stands");
    world.settle();
    assert_eq!(world.replies[&ticket], Ok(()));
    assert_eq!(world.entered, [(1, 0)]);
}

#[test]
fn begun_answer_is_finished() {
    for stage in [AttemptStage::Begun, AttemptStage::Stepping] {
        let (mut world, prompt) = killed_at(stage);
        world.settle();
        assert_eq!(world.entered, [(1, 0)], "{stage:?}");
        assert!(matches!(&world.closed[..], [(id, PromptOutcome::Verified { .. })] if *id == prompt.request_id));
    }
}

#[test]
fn begun_answer_is_reported_where_an_equal_prompt_may_stand() {
    for stage in [AttemptStage::Begun, AttemptStage::Stepping] {
        let (mut world, prompt) = killed_at(stage);
        world.ask("Run it?");
        world.settle();
        let reported =
            |(id, step): &(_, AnswerStep)| *id == prompt.request_id && matches!(step, AnswerStep::Failed { .. });
        assert!(world.steps.iter().any(reported), "{stage:?}: {:?}", world.steps);
        assert_eq!((world.presses, world.entered.len()), (0, 0), "{stage:?}");
    }
}

#[test]
fn text_that_may_be_half_typed_is_reported() {
    let (mut world, prompt) = killed_at(AttemptStage::Stepping);
    let row = world.store.get_mut(&prompt.request_id).expect("a row");
    let attempt = row.stored.attempt.as_mut().expect("an attempt");
    attempt.response.as_mut().expect("a response").text_value = Some("half".to_owned());
    world.restart();
    world.settle();
    assert!(matches!(world.steps.last(), Some((_, AnswerStep::Failed { .. }))), "{:?}", world.steps);
    assert_eq!(world.presses, 0);
}

#[test]
fn begun_answer_to_a_prompt_that_has_gone_was_not_ours() {
    for stage in [AttemptStage::Begun, AttemptStage::Stepping] {
        let (mut world, prompt) = killed_at(stage);
        world.dialog_goes();
        world.settle();
        assert_eq!(world.closed, [(prompt.request_id, PromptOutcome::Gone)], "{stage:?}");
    }
}

#[test]
fn submitted_answer_is_watched_and_never_pressed_again() {
    let (mut world, _) = killed_at(AttemptStage::Submitted);
    world.run_for(LEAVE_LIMIT + Duration::from_secs(1));
    assert!(matches!(world.steps.last(), Some((_, AnswerStep::Failed { .. }))), "{:?}", world.steps);
    assert_eq!((world.presses, world.entered.len()), (0, 0));
}

#[test]
fn submitted_answer_to_a_prompt_that_has_gone_is_verified() {
    let (mut world, _) = killed_at(AttemptStage::Submitted);
    world.dialog_goes();
    world.settle();
    assert!(matches!(&world.closed[..], [(_, PromptOutcome::Verified { .. })]));
}

#[test]
fn failed_answer_stays_failed() {
    let (mut world, prompt) = killed_at(AttemptStage::Submitted);
    world.run_for(LEAVE_LIMIT + Duration::from_secs(1));
    world.restart();
    world.settle();
    let repeated = world.respond(choose(&prompt, 0, 7), "phone");
    assert_eq!(world.replies[&repeated], Err(RespondError::FailedBefore));
    world.respond(choose(&prompt, 0, 8), "phone");
    world.settle();
    assert_eq!(world.entered, [(1, 0)], "the person answers again");
}

/// A prompt whose hook was told just before the kill.
fn killed_when_told() -> World {
    let mut world = World::new(AdapterKind::new("claude"));
    world.ask("");
    world.hook_arrives(HOOK);
    world.settle();
    let prompt = world.opened.last().expect("a prompt").clone();
    world.respond(choose(&prompt, 0, 7), "phone");
    world.hooks.insert(HOOK, None);
    world.restart();
    world
}

#[test]
fn hook_that_comes_again_is_told_again() {
    let mut world = killed_when_told();
    world.settle();
    world.hook_arrives(HOOK);
    assert!(world.hooks[&HOOK].is_some(), "{:?}", world.hooks);
    world.dialog_goes();
    world.settle();
    assert!(matches!(&world.closed[..], [(_, PromptOutcome::Verified { .. })]), "{:?}", world.closed);
    assert_eq!(world.presses, 0);
}

#[test]
fn told_hook_whose_prompt_has_gone_was_heard() {
    let mut world = killed_when_told();
    world.dialog_goes();
    world.run_for(HOOKS_COME_AGAIN + Duration::from_secs(1));
    assert!(matches!(&world.closed[..], [(_, PromptOutcome::Verified { .. })]), "{:?}", world.closed);
    assert_eq!(world.presses, 0);
}

#[test]
fn hook_that_comes_again_to_its_dialog_is_on_the_phones_again() {
    let mut world = World::new(AdapterKind::new("claude"));
    world.hook_arrives(HOOK);
    world.ask("");
    world.settle();
    world.restart();
    world.settle();
    world.hook_arrives(HOOK);
    let prompt = world.opened.last().expect("a prompt");
    assert_eq!((prompt.request_id.0, prompt.source), (HOOK, Some(shared_types::PromptSource::Hook)));
}

#[test]
fn hook_that_does_not_come_again_leaves_the_answer_to_keys() {
    let mut world = killed_when_told();
    world.run_for(Duration::from_secs(8));
    assert_eq!(world.entered, [(1, 0)]);
}

#[test]
fn unseen_prompt_waits_for_its_hook_to_come_again() {
    let mut world = World::new(AdapterKind::new("claude"));
    world.hook_arrives(HOOK);
    world.restart();
    world.run_for(HOOKS_COME_AGAIN / 2);
    assert_eq!(world.closed, []);
    world.hook_arrives(HOOK);
    world.settle();
    assert_eq!(world.ledger.open_prompt_ids().len(), 1);
    assert_eq!(world.closed, []);
}

/// Its dialog was first, so that its hook asks under another id; and the hook comes again before its dialog is drawn again.
#[test]
fn answer_to_a_prompt_that_its_hook_asks_anew_is_refused_in_time() {
    let mut world = World::new(AdapterKind::new("claude"));
    let prompt = world.asked_prompt("");
    world.hook_arrives(HOOK);
    world.dialog_goes();
    world.restart();
    world.run_for(Duration::from_millis(10));
    let ticket = world.respond(choose(&prompt, 0, 7), "phone");
    world.hook_arrives(HOOK);
    world.ask("");
    // The world fails when the ledger looks all the time.
    world.run_for(Duration::from_secs(30));
    assert_eq!(world.replies[&ticket], Err(RespondError::Gone));
    assert_eq!(world.closed, [(prompt.request_id, PromptOutcome::Gone)]);
    assert_eq!(world.ledger.open_prompt_ids(), [shared_types::PromptId(HOOK)], "asked once");
}

#[test]
fn prompt_given_up_too_early_is_revived_by_its_hook() {
    let mut world = World::new(AdapterKind::new("claude"));
    world.hook_arrives(HOOK);
    world.restart();
    world.run_for(HOOKS_COME_AGAIN + Duration::from_secs(1));
    assert_eq!(world.closed.len(), 1);
    world.hook_arrives(HOOK);
    assert_eq!(world.ledger.open_prompt_ids().len(), 1);
    assert_eq!(world.store.values().next().expect("a row").outcome, None);
}
