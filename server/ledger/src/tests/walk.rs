//! A random walk over everything that can happen, against a plain model of what must hold.

use std::time::Duration;

use proptest::prelude::*;
use shared_types::{AdapterKind, PromptId, PromptOutcome};
use uuid::Uuid;

use super::world::{Fate, World, choose};
use crate::{UNWRITTEN_LIMIT, answers::EARLY_LIMIT, hooks::HOOKS_LIMIT, recovery::GIVEN_UP_LIMIT};

/// One thing that happens.
#[derive(Debug, Clone, Copy)]
enum Step {
    /// Time passes, with all the looks that are due.
    Pass(u64),
    Ask(u8),
    DialogGoes,
    /// A phone answers the newest prompt: which row, under which key.
    Respond {
        row: usize,
        key: u128,
    },
    HookArrives(u128),
    HookLeaves(u128),
    HookLosesItsConnection(u128),
    Fate(Fate),
    StoreFails(bool),
    Typing(bool),
    Unreachable,
    /// The CLI writes down the result of the call that its dialog is about, perhaps without any reason.
    CallEnds,
    Restart,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        8 => (1_u64..3000).prop_map(Step::Pass),
        4 => (0_u8..3).prop_map(Step::Ask),
        2 => Just(Step::DialogGoes),
        6 => (0_usize..2, 1_u128..5).prop_map(|(row, key)| Step::Respond { row, key }),
        3 => (9_u128..12).prop_map(Step::HookArrives),
        2 => (9_u128..12).prop_map(Step::HookLeaves),
        1 => (9_u128..12).prop_map(Step::HookLosesItsConnection),
        2 => prop_oneof![
            4 => Just(Fate::Pressed),
            1 => Just(Fate::NotPressed),
            1 => Just(Fate::UnknownButArrived),
            1 => Just(Fate::UnknownAndLost),
            1 => Just(Fate::NotStored),
        ].prop_map(Step::Fate),
        1 => any::<bool>().prop_map(Step::StoreFails),
        1 => any::<bool>().prop_map(Step::Typing),
        1 => Just(Step::Unreachable),
        1 => Just(Step::CallEnds),
        1 => Just(Step::Restart),
    ]
}

fn take(world: &mut World, step: Step, keys: &mut u128) {
    match step {
        Step::Pass(millis) => world.run_for(Duration::from_millis(millis)),
        Step::Ask(title) if world.dialog.is_none() => world.ask(&format!("Question {title}?")),
        Step::DialogGoes => world.dialog_goes(),
        Step::Respond { row, key } => {
            let Some(prompt) = world.opened.last().cloned() else { return };
            // The lowest key repeats an earlier answer, as a phone does that got no reply.
            if key > 1 {
                *keys += 1;
            }
            world.respond(choose(&prompt, row, *keys), "phone");
        }
        Step::HookArrives(id) => world.hook_arrives(Uuid::from_u128(id)),
        Step::HookLeaves(id) if world.hooks.contains_key(&Uuid::from_u128(id)) => {
            world.hook_leaves(Uuid::from_u128(id));
        }
        Step::HookLosesItsConnection(id) => {
            world.deaf_hooks.insert(Uuid::from_u128(id));
        }
        Step::Fate(fate) => world.fate = fate,
        Step::StoreFails(fails) => world.store_fails = fails,
        Step::Typing(typing) => world.typing = typing,
        Step::Unreachable => world.tell(crate::Event::Unreachable { why: "away".to_owned() }),
        Step::CallEnds => world.tell(crate::Event::CallEnded(super::table::call("rm -rf build/output"))),
        Step::Restart => world.restart(),
        Step::Ask(_) | Step::HookLeaves(_) => {}
    }
}

/// What must hold at any time.
fn check(world: &World) -> Result<(), TestCaseError> {
    for (key, count) in &world.final_presses {
        prop_assert!(*count <= 1, "the last keys of answer {key:?} were pressed {count} times");
    }
    let open = world.ledger.open_prompt_ids();
    let mut sorted = open.clone();
    sorted.sort_unstable();
    sorted.dedup();
    prop_assert_eq!(open.len(), sorted.len(), "no prompt is open twice");
    let unwanted: Vec<_> = world.taken.difference(&world.chosen).collect();
    prop_assert!(unwanted.is_empty(), "was entered, and nobody chose it: {unwanted:?}");
    let ledger = &world.ledger;
    prop_assert!(ledger.unseen.len() + ledger.arrived.len() <= HOOKS_LIMIT && open.len() <= HOOKS_LIMIT + 1);
    prop_assert!(ledger.early.len() <= EARLY_LIMIT && ledger.given_up.len() <= GIVEN_UP_LIMIT);
    prop_assert!(ledger.unwritten.len() <= UNWRITTEN_LIMIT);
    Ok(())
}

/// A dialog that stands for long is asked; and in one run, read from the screen alone, each was one prompt.
fn check_shown(world: &World, is_one_run: bool) -> Result<(), TestCaseError> {
    if world.dialog.is_some() {
        prop_assert!(!world.ledger.open_prompt_ids().is_empty(), "the dialog stands, and nobody is asked");
    }
    if is_one_run {
        for (dialog, ids) in &world.shown_as {
            prop_assert_eq!(ids.len(), 1, "dialog {} was told as {:?}", dialog, ids);
        }
    }
    Ok(())
}

fn walk(kind: AdapterKind, steps: Vec<Step>) -> Result<(), TestCaseError> {
    let mut world = World::new(kind);
    let mut keys = 0;
    let is_one_run = kind == AdapterKind::new("demo") && !steps.iter().any(|step| matches!(step, Step::Restart));
    for step in steps {
        take(&mut world, step, &mut keys);
        check(&world)?;
    }
    // Everything works again; then nobody asks any more, and all that waits comes to its end.
    (world.fate, world.store_fails, world.typing) = (Fate::Pressed, false, false);
    world.run_for(Duration::from_secs(30));
    check(&world)?;
    check_shown(&world, is_one_run)?;
    world.dialog_goes();
    for id in world.hooks.keys().copied().collect::<Vec<_>>() {
        if world.deaf_hooks.contains(&id) {
            world.hook_leaves(id);
        }
    }
    world.run_for(Duration::from_secs(30));
    check(&world)?;
    prop_assert_eq!(world.ledger.open_prompt_ids(), Vec::new(), "nothing is left open");
    for (id, row) in &world.store {
        prop_assert!(row.outcome.is_some(), "{id:?} was lost: {row:?}");
    }
    let unanswered: Vec<_> = world.asked.iter().filter(|ticket| !world.replies.contains_key(ticket)).collect();
    prop_assert!(unanswered.is_empty(), "never replied to: {unanswered:?}");
    for (hook, told) in &world.hooks {
        prop_assert!(told.is_some(), "hook {hook} was left waiting");
    }
    // One winner: a prompt is verified at most once.
    for id in world.store.keys() {
        let is_verified = |(closed, outcome): &&(PromptId, PromptOutcome)| {
            closed == id && matches!(outcome, PromptOutcome::Verified { .. })
        };
        prop_assert!(world.closed.iter().filter(is_verified).count() <= 1, "{id:?} was verified twice");
    }
    for (id, outcome) in &world.closed {
        let PromptOutcome::Verified { answer } = outcome else { continue };
        let won = world.store.get(id).map(|row| row.stored.answer.as_ref());
        prop_assert!(won.is_none_or(|won| won == Some(answer)), "{id:?} was verified with an answer that did not win");
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 4000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn prompts_read_from_the_screen_hold_their_promises(steps in prop::collection::vec(step(), 1..60)) {
        walk(AdapterKind::new("demo"), without_hooks(steps))?;
    }

    #[test]
    fn prompts_of_hooks_hold_their_promises(steps in prop::collection::vec(step(), 1..60)) {
        walk(AdapterKind::new("claude"), steps)?;
    }
}

fn without_hooks(steps: Vec<Step>) -> Vec<Step> {
    let is_hook =
        |step: &Step| matches!(step, Step::HookArrives(_) | Step::HookLeaves(_) | Step::HookLosesItsConnection(_));
    steps.into_iter().filter(|step| !is_hook(step)).collect()
}
