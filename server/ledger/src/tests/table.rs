//! What becomes of prompts and answers while the server runs.

use std::time::Duration;

use adapters::{answer::LEAVE_LIMIT, hook::Detail};
use serde_json::json;
use shared_types::{Actor, AdapterKind, AnswerStep, PromptOutcome, SessionState};

use super::world::{Fate, World, choose};
use crate::{Event, RespondError};

#[test]
fn answer_is_claimed_typed_and_verified() {
    let mut world = World::new(AdapterKind::new("demo"));
    let prompt = world.asked_prompt("Run it?");
    assert_eq!(world.state, Some(SessionState::Waiting));
    let ticket = world.respond(choose(&prompt, 1, 7), "phone");
    assert_eq!(world.replies[&ticket], Ok(()));
    world.settle();
    assert_eq!(world.entered, [(1, 1)]);
    assert_eq!(
        world.steps.iter().map(|(_, step)| step.clone()).collect::<Vec<_>>(),
        [AnswerStep::Sending, AnswerStep::Typed]
    );
    assert!(matches!(&world.closed[..], [(id, PromptOutcome::Verified { .. })] if *id == prompt.request_id));
    assert_eq!(world.state, Some(SessionState::Ready));
}

#[test]
fn second_answer_is_refused_with_who_was_first() {
    let mut world = World::new(AdapterKind::new("demo"));
    let prompt = world.asked_prompt("Run it?");
    world.respond(choose(&prompt, 1, 7), "Ann's phone");
    let other = world.respond(choose(&prompt, 0, 8), "Bob's phone");
    let Err(RespondError::AlreadyAnswered(answer)) = &world.replies[&other] else { panic!("{:?}", world.replies) };
    assert_eq!(answer.by.name(), "Ann's phone");
    let again = world.respond(choose(&prompt, 1, 7), "Ann's phone");
    assert_eq!(world.replies[&again], Ok(()), "the same answer, sent again");
    world.settle();
    assert_eq!(world.entered, [(1, 1)]);
}

#[test]
fn answer_to_what_was_not_read_is_refused() {
    let mut world = World::new(AdapterKind::new("demo"));
    let prompt = world.asked_prompt("Run it?");
    let mut response = choose(&prompt, 0, 7);
    response.digest = Some("another".to_owned());
    let ticket = world.respond(response, "phone");
    assert_eq!(world.replies[&ticket], Err(RespondError::Changed));
    world.settle();
    assert_eq!(world.entered, []);
}

#[test]
fn dialog_that_changes_after_it_was_read_gets_no_keys() {
    let mut world = World::new(AdapterKind::new("claude"));
    let read = world.asked_prompt("");
    // The same question about something else, in the moment between the tap and the first key.
    world.says = Some("and system(evil)");
    let ticket = world.respond(choose(&read, 0, 7), "phone");
    assert_eq!(world.replies[&ticket], Ok(()), "it was what is told until now");
    world.settle();
    assert!(matches!(world.steps.last(), Some((_, AnswerStep::Failed { reason })) if reason.contains("has changed")));
    assert_eq!((world.entered.len(), world.presses), (0, 0));
    // What it says now is told under the same id and another digest, and only an answer to that counts.
    let told = world.opened.last().expect("a prompt").clone();
    assert_eq!((told.request_id, told.description.as_str()), (read.request_id, "and system(evil)"));
    let stale = world.respond(choose(&read, 0, 8), "phone");
    assert_eq!(world.replies[&stale], Err(RespondError::Changed));
    world.respond(choose(&told, 0, 9), "phone");
    world.settle();
    assert_eq!(world.entered, [(1, 0)]);
}

#[test]
fn dialog_answered_at_the_desk_is_recorded_as_desk() {
    let mut world = World::new(AdapterKind::new("demo"));
    let prompt = world.asked_prompt("Run it?");
    world.dialog_goes();
    world.settle();
    assert_eq!(world.closed, [(prompt.request_id, PromptOutcome::Gone)]);
    assert_eq!(world.store[&prompt.request_id].by, Some(Actor::Desk));
}

#[test]
fn keys_not_pressed_reopen_the_prompt() {
    let mut world = World::new(AdapterKind::new("demo"));
    let prompt = world.asked_prompt("Run it?");
    world.fate = Fate::NotPressed;
    world.respond(choose(&prompt, 0, 7), "phone");
    world.settle();
    assert!(matches!(world.steps.last(), Some((_, AnswerStep::Failed { .. }))));
    let again = world.respond(choose(&prompt, 0, 7), "phone");
    assert_eq!(world.replies[&again], Err(RespondError::FailedBefore));
    world.fate = Fate::Pressed;
    world.respond(choose(&prompt, 0, 8), "phone");
    world.settle();
    assert_eq!(world.entered, [(1, 0)]);
}

#[test]
fn lost_reply_to_last_keys_is_watched_not_failed() {
    let mut world = World::new(AdapterKind::new("demo"));
    let prompt = world.asked_prompt("Run it?");
    world.fate = Fate::UnknownButArrived;
    world.respond(choose(&prompt, 0, 7), "phone");
    world.settle();
    assert!(world.steps.iter().any(|(_, step)| matches!(step, AnswerStep::Unknown { .. })), "{:?}", world.steps);
    assert!(!world.steps.iter().any(|(_, step)| matches!(step, AnswerStep::Failed { .. })), "{:?}", world.steps);
    assert!(matches!(&world.closed[..], [(_, PromptOutcome::Verified { .. })]), "{:?}", world.closed);
    assert_eq!((world.entered.len(), world.presses), (1, 1));
}

#[test]
fn last_keys_that_never_arrive_are_reported_and_not_pressed_again() {
    let mut world = World::new(AdapterKind::new("demo"));
    let prompt = world.asked_prompt("Run it?");
    world.fate = Fate::UnknownAndLost;
    world.respond(choose(&prompt, 0, 7), "phone");
    world.run_for(LEAVE_LIMIT + Duration::from_secs(1));
    assert!(matches!(world.steps.last(), Some((_, AnswerStep::Failed { .. }))));
    assert_eq!((world.entered.len(), world.presses), (0, 1));
}

#[test]
fn equal_dialog_in_place_of_the_answered_one_is_the_next_once_its_call_has_ended() {
    let mut world = World::new(AdapterKind::new("claude"));
    world.repeats = true;
    let prompt = world.asked_prompt("");
    assert_eq!(world.ledger.watches_end_since(), None);
    world.respond(choose(&prompt, 0, 7), "phone");
    world.run_for(Duration::from_secs(1));
    assert_eq!((&world.entered[..], &world.closed[..]), (&[(1, 0)][..], &[][..]), "no look can tell");
    assert_eq!(world.ledger.watches_end_since(), Some(1));
    world.tell(Event::CallEnded(call("ls")));
    world.run_for(Duration::from_secs(1));
    assert_eq!(world.closed, [], "another call");
    world.tell(Event::CallEnded(call("rm -rf build/output")));
    world.run_for(Duration::from_secs(1));
    assert!(matches!(&world.closed[..], [(id, PromptOutcome::Verified { .. })] if *id == prompt.request_id));
    let next = world.opened.last().expect("the next prompt");
    assert_ne!(next.request_id, prompt.request_id);
    assert_eq!(world.entered, [(1, 0)], "nothing is typed into the next one");
}

#[test]
fn full_disk_types_nothing_and_says_so() {
    let mut world = World::new(AdapterKind::new("demo"));
    let prompt = world.asked_prompt("Run it?");
    world.store_fails = true;
    let ticket = world.respond(choose(&prompt, 0, 7), "phone");
    assert!(matches!(&world.replies[&ticket], Err(RespondError::Store(_))));
    world.store_fails = false;
    world.fate = Fate::NotStored;
    world.respond(choose(&prompt, 0, 8), "phone");
    world.settle();
    let Some((_, AnswerStep::Failed { reason })) = world.steps.last() else { panic!("{:?}", world.steps) };
    assert!(reason.starts_with("nothing was typed"), "{reason}");
    assert_eq!((world.entered.len(), world.presses), (0, 0));
}

#[test]
fn failure_after_first_keys_does_not_claim_nothing_was_typed() {
    let mut world = World::new(AdapterKind::new("demo"));
    let prompt = world.asked_prompt("Run it?");
    // The cursor is moved, and then the disk is full.
    world.respond(choose(&prompt, 1, 7), "phone");
    world.look();
    assert_eq!(world.presses, 1);
    world.fate = Fate::NotStored;
    world.settle();
    let Some((_, AnswerStep::Failed { reason })) = world.steps.last() else { panic!("{:?}", world.steps) };
    assert!(reason.starts_with("the answer was not completed"), "{reason}");
}

#[test]
fn prompt_of_a_full_disk_can_be_answered_when_there_is_room() {
    let mut world = World::new(AdapterKind::new("demo"));
    world.store_fails = true;
    let prompt = world.asked_prompt("Run it?");
    assert!(world.store.is_empty());
    world.store_fails = false;
    let ticket = world.respond(choose(&prompt, 0, 7), "phone");
    assert_eq!(world.replies[&ticket], Ok(()));
    world.settle();
    assert_eq!(world.entered, [(1, 0)]);
}

#[test]
fn end_that_was_not_written_is_written_again() {
    let mut world = World::new(AdapterKind::new("demo"));
    let prompt = world.asked_prompt("Run it?");
    world.store_fails = true;
    world.dialog_goes();
    world.settle();
    assert_eq!((world.closed.len(), &world.store[&prompt.request_id].outcome), (1, &None));
    world.store_fails = false;
    world.run_for(Duration::from_secs(2));
    assert_eq!((world.closed.len(), &world.store[&prompt.request_id].outcome), (1, &Some(PromptOutcome::Gone)));
}

#[test]
fn unreachable_terminal_refuses_what_was_not_typed() {
    let mut world = World::new(AdapterKind::new("demo"));
    let prompt = world.asked_prompt("Run it?");
    world.respond(choose(&prompt, 0, 7), "phone");
    world.tell(Event::Unreachable { why: "gone for a moment".to_owned() });
    assert!(matches!(world.steps.last(), Some((_, AnswerStep::Failed { .. }))));
    world.settle();
    assert_eq!(world.entered, []);
    assert_eq!(world.closed, [], "the prompt still stands");
}

#[test]
fn unreachable_terminal_leaves_typed_keys_to_the_screen() {
    let mut world = World::new(AdapterKind::new("demo"));
    let prompt = world.asked_prompt("Run it?");
    world.respond(choose(&prompt, 0, 7), "phone");
    world.look();
    assert_eq!(world.entered, [(1, 0)]);
    world.tell(Event::Unreachable { why: "gone for a moment".to_owned() });
    world.settle();
    assert!(matches!(&world.closed[..], [(_, PromptOutcome::Verified { .. })]));
}

#[test]
fn message_being_typed_keeps_answers_out() {
    let mut world = World::new(AdapterKind::new("demo"));
    let prompt = world.asked_prompt("Run it?");
    world.typing = true;
    let ticket = world.respond(choose(&prompt, 0, 7), "phone");
    assert_eq!(world.replies[&ticket], Err(RespondError::Busy));
    world.typing = false;
    let ticket = world.respond(choose(&prompt, 0, 7), "phone");
    assert_eq!(world.replies[&ticket], Ok(()));
}

#[test]
fn end_of_the_session_ends_everything() {
    let mut world = World::new(AdapterKind::new("claude"));
    world.ask("");
    world.hook_arrives(uuid::Uuid::from_u128(9));
    world.hook_arrives(uuid::Uuid::from_u128(10));
    world.settle();
    world.tell(Event::Ended);
    assert!(world.closed.iter().all(|(_, outcome)| *outcome == PromptOutcome::SessionEnded), "{:?}", world.closed);
    assert_eq!(world.ledger.open_prompt_ids(), []);
    assert!(world.hooks.values().all(Option::is_some), "every hook was let go: {:?}", world.hooks);
}

pub(super) fn call(command: &str) -> Detail {
    let input = json!({ "command": command });
    Detail { tool_name: Some("Bash".to_owned()), tool_input: Some(input), ..Detail::default() }
}
