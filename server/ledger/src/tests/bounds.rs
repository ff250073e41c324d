//! Every list is bounded: when it is full, a new entry is refused or evicts the oldest.

use std::time::Duration;

use shared_types::{Actor, AdapterKind, PromptId, PromptOutcome};
use uuid::Uuid;

use super::world::{Fate, World, choose};
use crate::{
    Closing, Effect, Event, RespondError, Ticket, UNWRITTEN_LIMIT,
    answers::EARLY_LIMIT,
    hooks::HOOKS_LIMIT,
    prompt::{TICKETS_LIMIT, TRIED_LIMIT},
    recovery::{GIVEN_UP_LIMIT, HOOKS_COME_AGAIN},
};

#[test]
fn answers_before_the_first_look_are_bounded() {
    let mut world = World::new(AdapterKind::new("demo"));
    let prompt = world.asked_prompt("Run it?");
    world.restart();
    let first = world.respond(choose(&prompt, 0, 1), "phone");
    for key in 2..=EARLY_LIMIT as u128 {
        world.respond(choose(&prompt, 1, key), "phone");
    }
    let one_more = world.respond(choose(&prompt, 0, 100), "phone");
    assert_eq!(world.replies.iter().collect::<Vec<_>>(), [(&one_more, &Err(RespondError::Busy))]);
    world.settle();
    assert_eq!(world.replies[&first], Ok(()));
    assert_eq!(world.replies.len(), EARLY_LIMIT + 1, "each of them is told");
    assert_eq!(world.entered, [(1, 0)]);
}

#[test]
fn answers_before_the_first_look_do_not_wait_for_a_terminal_that_is_away() {
    let mut world = World::new(AdapterKind::new("demo"));
    let prompt = world.asked_prompt("Run it?");
    world.restart();
    let ticket = world.respond(choose(&prompt, 0, 7), "phone");
    world.tell(Event::Unreachable { why: "away".to_owned() });
    assert_eq!(world.replies[&ticket], Err(RespondError::Unreachable("away".to_owned())));
    world.settle();
    assert_eq!(world.entered, [], "it is not typed when the terminal comes back");
}

#[test]
fn repetitions_that_wait_for_one_result_are_bounded() {
    let mut world = World::new(AdapterKind::new("demo"));
    let prompt = world.asked_prompt("Run it?");
    // The store does not say who was first.
    let mut respond = |number: usize| {
        let (response, ticket) = (choose(&prompt, 0, 7), Ticket(number as u64));
        let moment = world.moment();
        world.ledger.on(Event::Responded { response, by: Actor::Desk, ticket }, moment)
    };
    assert!(matches!(respond(1)[..], [Effect::Claim { .. }]));
    for number in 2..=TICKETS_LIMIT {
        assert_eq!(respond(number), []);
    }
    let result = Err(RespondError::Busy);
    assert_eq!(respond(100), [Effect::Reply { ticket: Ticket(100), result }]);
}

#[test]
fn keys_of_failed_answers_are_bounded() {
    let mut world = World::new(AdapterKind::new("demo"));
    let prompt = world.asked_prompt("Run it?");
    world.fate = Fate::NotPressed;
    let last = TRIED_LIMIT as u128 + 1;
    for key in 1..=last {
        let ticket = world.respond(choose(&prompt, 0, key), "phone");
        assert_eq!(world.replies[&ticket], Ok(()));
        world.settle();
    }
    let again = world.respond(choose(&prompt, 0, last), "phone");
    assert_eq!(world.replies[&again], Err(RespondError::FailedBefore));
    let oldest = world.respond(choose(&prompt, 0, 1), "phone");
    assert_eq!(world.replies[&oldest], Ok(()), "the oldest is forgotten, and a new answer");
}

#[test]
fn prompts_given_up_after_a_restart_are_bounded() {
    let mut world = World::new(AdapterKind::new("claude"));
    // One is shown, and as many as may wait without a dialog.
    world.ask("");
    world.hook_arrives(Uuid::from_u128(5000));
    world.settle();
    for id in 1..=HOOKS_LIMIT as u128 {
        world.hook_arrives(Uuid::from_u128(5000 + id));
    }
    assert_eq!(world.ledger.open_prompt_ids().len(), GIVEN_UP_LIMIT + 1);
    world.dialog_goes();
    world.restart();
    world.run_for(HOOKS_COME_AGAIN + Duration::from_secs(1));
    assert_eq!(world.closed.len(), GIVEN_UP_LIMIT + 1, "no hook came again");
    assert_eq!(world.ledger.given_up.len(), GIVEN_UP_LIMIT);
}

#[test]
fn ends_that_wait_for_the_store_are_bounded() {
    let mut world = World::new(AdapterKind::new("demo"));
    for number in 0..=UNWRITTEN_LIMIT as u128 {
        let prompt = PromptId(Uuid::from_u128(number));
        world.tell(Event::NotWritten(Closing { prompt, outcome: PromptOutcome::Gone, by: None, at: 1 }));
    }
    assert_eq!(world.ledger.unwritten.len(), UNWRITTEN_LIMIT);
}
