//! The end of a prompt's time: what is refused, when, and that nothing is ever approved.

use std::time::Duration;

use serde_json::json;
use shared_types::{
    Actor, AdapterKind, AnswerStep, Confidence, InteractivePrompt, OptionRole, PromptKind, PromptOption, PromptOutcome,
    PromptSource,
};
use uuid::Uuid;

use super::world::{Fate, World, choose};
use crate::{ExpiryPolicy, refusal};

const LIMIT: Duration = Duration::from_secs(600);
/// The row of the plain no in the demo's dialog.
const NO: usize = 2;

fn world() -> World {
    World::expiring(AdapterKind::new("demo"), ExpiryPolicy(vec![(PromptKind::Permission, LIMIT)]))
}

fn seconds(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

#[test]
fn permission_is_refused_once_at_the_end_of_its_time() {
    let mut world = world();
    let prompt = world.asked_prompt("Run it?");
    assert_eq!(prompt.expires_at, Some(600_001));
    world.run_for(seconds(598));
    assert_eq!((&world.entered[..], &world.expired[..]), (&[][..], &[][..]));
    world.run_for(seconds(3));
    assert_eq!(world.expired, [(prompt.request_id, true)]);
    assert_eq!(world.entered, [(1, NO)]);
    let [(_, PromptOutcome::Verified { answer })] = &world.closed[..] else { panic!("{:?}", world.closed) };
    assert_eq!(answer.by, Actor::Expiry);
}

#[test]
fn without_a_setting_or_of_another_kind_it_waits_for_ever() {
    for policy in [ExpiryPolicy::default(), ExpiryPolicy(vec![(PromptKind::Question, LIMIT)])] {
        let mut world = World::expiring(AdapterKind::new("demo"), policy);
        let prompt = world.asked_prompt("Run it?");
        assert_eq!(prompt.expires_at, None);
        world.run_for(seconds(100_000));
        assert_eq!((&world.entered[..], &world.expired[..], world.closed.len()), (&[][..], &[][..], 0));
    }
}

#[test]
fn answer_in_time_ends_the_clock() {
    let mut world = world();
    let prompt = world.asked_prompt("Run it?");
    world.run_for(seconds(500));
    world.respond(choose(&prompt, 0, 7), "phone");
    world.run_for(seconds(1000));
    assert_eq!((&world.entered[..], &world.expired[..]), (&[(1, 0)][..], &[][..]));
}

#[test]
fn time_ends_once_even_if_the_refusal_does_not_work() {
    let mut world = world();
    world.asked_prompt("Run it?");
    world.fate = Fate::NotPressed;
    world.run_for(seconds(10_000));
    assert!(matches!(world.steps.last(), Some((_, AnswerStep::Failed { .. }))));
    assert_eq!((world.expired.len(), world.presses, world.closed.len()), (1, 1, 0));
    // After a restart it is the same answer, which has failed.
    world.fate = Fate::Pressed;
    world.restart();
    world.run_for(seconds(10_000));
    assert_eq!(world.entered, []);
}

#[test]
fn time_waits_for_what_is_being_typed() {
    let mut world = world();
    world.asked_prompt("Run it?");
    world.typing = true;
    world.run_for(seconds(700));
    assert_eq!(world.entered, []);
    world.typing = false;
    world.run_for(seconds(3));
    assert_eq!(world.entered, [(1, NO)]);
}

#[test]
fn clocks_that_jump_and_restarts_neither_end_it_at_once_nor_keep_it() {
    // What the wall clock says at the restart after 300 s, and what is left then.
    for (wall, left) in [(300_001, 300), (0, 600), (86_400_001, 60)] {
        let mut world = world();
        let prompt = world.asked_prompt("Run it?");
        world.run_for(seconds(299));
        world.wall = wall;
        world.run_for(seconds(0));
        assert_eq!(world.expired, [], "a clock that jumps while it runs counts for nothing");
        world.restart();
        world.settle();
        assert_eq!(world.opened.last().map(|prompt| prompt.request_id), Some(prompt.request_id));
        world.run_for(seconds(left - 3));
        assert_eq!(world.expired, [], "{wall}");
        world.run_for(seconds(5));
        assert_eq!(
            (&world.expired[..], &world.entered[..]),
            (&[(prompt.request_id, true)][..], &[(1, NO)][..]),
            "{wall}"
        );
    }
}

#[test]
fn hook_is_told_the_refusal() {
    let policy = ExpiryPolicy(vec![(PromptKind::Permission, seconds(2))]);
    let mut world = World::expiring(AdapterKind::new("claude"), policy);
    let id = Uuid::from_u128(77);
    world.hook_arrives(id);
    world.run_for(seconds(3));
    let told = world.hooks[&id].clone().expect("it was told");
    assert!(told.contains("deny") && !told.contains("allow"), "{told}");
}

/// Whatever is asked, in whatever form: what the end of the time chooses is a refusal, or nothing.
#[test]
fn nothing_but_the_one_plain_refusal_is_ever_chosen() {
    use OptionRole::{Allow, AllowAlways, Deny, Feedback, Other};
    let roles = [None, Some(Allow), Some(AllowAlways), Some(Deny), Some(Feedback), Some(Other)];
    let kinds = [
        PromptKind::Permission,
        PromptKind::Question,
        PromptKind::Plan,
        PromptKind::LoopDetected,
        PromptKind::Unrecognized,
    ];
    for kind in kinds {
        for (one, two, three) in (0..216).map(|at| (roles[at % 6], roles[at / 6 % 6], roles[at / 36])) {
            let prompt = prompt(kind, &[one, two, three]);
            let denies = [one, two, three].iter().filter(|role| **role == Some(Deny)).count();
            let chosen = refusal(&prompt).and_then(|response| response.selected_option);
            let role = chosen.map(|value| {
                prompt.options.iter().flatten().find(|option| option.value == value).and_then(|option| option.role)
            });
            let expected = (kind == PromptKind::Permission && denies == 1).then_some(Some(Deny));
            assert_eq!(role, expected, "{kind:?} {one:?} {two:?} {three:?}");
        }
    }
    type Change = fn(&mut InteractivePrompt);
    let changes: [(&str, Change); 7] = [
        ("unsure", |prompt| prompt.confidence = Some(Confidence::Likely)),
        ("unknown program", |prompt| prompt.source = Some(PromptSource::Pattern)),
        ("start-up", |prompt| prompt.startup = Some(true)),
        ("warned of", |prompt| prompt.warning = Some("odd".to_owned())),
        ("several answers", |prompt| prompt.multi_select = Some(true)),
        ("more options", |prompt| prompt.more_options = Some(true)),
        ("may be left alone", |prompt| prompt.optional = Some(true)),
    ];
    for (what, change) in changes {
        let mut prompt = prompt(PromptKind::Permission, &[Some(Allow), Some(Deny), None]);
        assert!(refusal(&prompt).is_some());
        change(&mut prompt);
        assert_eq!(refusal(&prompt), None, "{what}");
    }
}

fn prompt(kind: PromptKind, roles: &[Option<OptionRole>]) -> InteractivePrompt {
    let option = |(at, role): (usize, &Option<OptionRole>)| PromptOption {
        value: at.to_string(),
        label: at.to_string(),
        role: *role,
        ..PromptOption::default()
    };
    serde_json::from_value(json!({
        "requestId": Uuid::nil(), "type": kind, "title": "Run it?", "description": "", "confidence": "certain",
        "source": "screen", "options": roles.iter().enumerate().map(option).collect::<Vec<_>>(),
    }))
    .expect("a prompt")
}
