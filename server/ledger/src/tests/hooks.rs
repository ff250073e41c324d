//! Hooks and their dialogs: one prompt, whichever comes first.

use std::time::Duration;

use shared_types::{AdapterKind, AnswerStep, PromptOutcome, SessionState};
use uuid::Uuid;

use super::world::{World, choose};
use crate::{
    RespondError,
    hooks::{HOOKS_LIMIT, LET_GO_LIMIT, UNSEEN_LIMIT},
    prompt::DECIDED_LIMIT,
};

const HOOK: Uuid = Uuid::from_u128(9);

#[test]
fn hook_opens_the_prompt_and_its_dialog_joins_it() {
    let mut world = World::new(AdapterKind::new("claude"));
    world.hook_arrives(HOOK);
    let [prompt] = &world.opened[..] else { panic!("{:?}", world.opened) };
    let id = prompt.request_id;
    assert_eq!(world.state, Some(SessionState::Waiting), "before any dialog is drawn");
    world.ask("");
    world.settle();
    assert!(world.opened.iter().all(|prompt| prompt.request_id == id), "{:?}", world.opened);
    assert_eq!(world.ledger.open_prompt_ids(), [id]);
}

#[test]
fn dialog_seen_first_takes_its_hook() {
    let mut world = World::new(AdapterKind::new("claude"));
    let prompt = world.asked_prompt("");
    world.hook_arrives(HOOK);
    world.settle();
    assert_eq!(world.ledger.open_prompt_ids(), [prompt.request_id]);
}

#[test]
fn answer_goes_to_the_hook_and_is_verified_on_the_screen() {
    let mut world = World::new(AdapterKind::new("claude"));
    world.ask("");
    world.hook_arrives(HOOK);
    world.settle();
    let prompt = world.opened.last().expect("a prompt").clone();
    let no = prompt.options.as_ref().expect("options").len() - 1;
    let ticket = world.respond(choose(&prompt, no, 7), "phone");
    assert_eq!(world.replies[&ticket], Ok(()));
    assert!(world.hooks[&HOOK].as_ref().is_some_and(|told| told.contains("deny")), "{:?}", world.hooks);
    world.settle();
    assert_eq!(world.closed, [], "the dialog still stands");
    world.dialog_goes();
    world.settle();
    assert!(matches!(&world.closed[..], [(_, PromptOutcome::Verified { .. })]));
    assert_eq!(world.presses, 0);
}

#[test]
fn decision_without_effect_is_typed() {
    let mut world = World::new(AdapterKind::new("claude"));
    world.ask("");
    world.hook_arrives(HOOK);
    world.settle();
    let prompt = world.opened.last().expect("a prompt").clone();
    world.respond(choose(&prompt, 0, 7), "phone");
    world.run_for(DECIDED_LIMIT + Duration::from_secs(2));
    assert_eq!(world.entered, [(1, 0)]);
    assert!(matches!(&world.closed[..], [(_, PromptOutcome::Verified { .. })]));
}

#[test]
fn hook_that_has_gone_leaves_the_answer_to_keys() {
    let mut world = World::new(AdapterKind::new("claude"));
    world.ask("");
    world.hook_arrives(HOOK);
    world.settle();
    let prompt = world.opened.last().expect("a prompt").clone();
    world.deaf_hooks.insert(HOOK);
    let ticket = world.respond(choose(&prompt, 0, 7), "phone");
    assert_eq!(world.replies[&ticket], Ok(()));
    world.run_for(Duration::from_secs(3));
    assert_eq!(world.entered, [(1, 0)]);
}

#[test]
fn hook_without_a_dialog_is_let_go_and_given_up() {
    let mut world = World::new(AdapterKind::new("claude"));
    world.hook_arrives(HOOK);
    world.run_for(UNSEEN_LIMIT + Duration::from_millis(100));
    assert_eq!(world.hooks[&HOOK], Some(String::new()), "let go so that the dialog may come");
    assert_eq!(world.closed, []);
    let prompt = world.opened[0].clone();
    let coming = world.respond(choose(&prompt, 0, 7), "phone");
    assert_eq!(world.replies[&coming], Err(RespondError::DialogComing));
    world.run_for(LET_GO_LIMIT + Duration::from_millis(100));
    assert_eq!(world.closed, [(prompt.request_id, PromptOutcome::Gone)]);
    assert_eq!(world.state, Some(SessionState::Ready));
}

#[test]
fn hook_that_leaves_unanswered_closes_its_prompt() {
    let mut world = World::new(AdapterKind::new("claude"));
    world.hook_arrives(HOOK);
    world.hook_leaves(HOOK);
    world.settle();
    assert!(matches!(&world.closed[..], [(_, PromptOutcome::Gone)]));
}

#[test]
fn too_many_hooks_are_let_go_at_once() {
    let mut world = World::new(AdapterKind::new("claude"));
    for id in 0..=HOOKS_LIMIT as u128 {
        world.hook_arrives(Uuid::from_u128(5000 + id));
    }
    let released = world.hooks.values().filter(|told| told.is_some()).count();
    assert_eq!((world.opened.len(), released), (HOOKS_LIMIT, 1));
}

#[test]
fn second_hook_of_a_dialog_waits_for_its_turn() {
    let mut world = World::new(AdapterKind::new("claude"));
    world.ask("");
    world.hook_arrives(HOOK);
    world.settle();
    world.hook_arrives(Uuid::from_u128(10));
    world.settle();
    assert_eq!(world.ledger.open_prompt_ids().len(), 2, "one is shown, one is not drawn yet");
    let unseen = world.opened.last().expect("a prompt").clone();
    let ticket = world.respond(choose(&unseen, 0, 8), "phone");
    assert_eq!(world.replies[&ticket], Ok(()), "its hook can say it");
    assert!(world.steps.iter().any(|(id, step)| *id == unseen.request_id && *step == AnswerStep::Typed));
}
