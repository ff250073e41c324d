//! The tables of the planner and of presence: what happened, the time, and what is told.

use std::{
    collections::BTreeSet,
    time::{Duration, Instant},
};

use shared_types::{DeviceId, Presence, PromptId, SessionId};
use uuid::Uuid;

use super::{
    planner::{
        Decision, Earlier, Lets, Looks, Moment, News, PlanSettings, Planner, Quiet, Subject, Target, TargetId, Waits,
    },
    presence::{PageId, Presences},
};

const NOON: u16 = 12 * 60;
const NIGHT: u16 = 3 * 60;

fn prompt(number: u128) -> PromptId {
    PromptId(Uuid::from_u128(number))
}

fn session(number: u128) -> SessionId {
    SessionId(Uuid::from_u128(number))
}

fn phone(number: u128) -> TargetId {
    TargetId::Device(DeviceId(Uuid::from_u128(number)))
}

fn seconds(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

/// Who looks at which prompts.
#[derive(Default)]
struct Eyes(BTreeSet<(TargetId, PromptId)>);

impl Looks for Eyes {
    fn at_prompt(&self, target: &TargetId, prompt: PromptId) -> bool {
        self.0.contains(&(target.clone(), prompt))
    }

    fn at_session(&self, target: &TargetId, _: SessionId) -> bool {
        self.0.iter().any(|(one, _)| one == target)
    }
}

/// A planner with a clock that stands where the test puts it.
struct World {
    planner: Planner,
    start: Instant,
    targets: Vec<Target>,
    eyes: Eyes,
    /// The minute of the day at the start.
    minute: u16,
}

impl World {
    fn new(settings: PlanSettings, targets: &[(TargetId, usize)]) -> Self {
        let targets = targets.iter().map(|(id, rank)| Target { id: id.clone(), rank: *rank, finished: true }).collect();
        Self { planner: Planner::new(settings), start: Instant::now(), targets, eyes: Eyes::default(), minute: NOON }
    }

    fn one_phone() -> Self {
        Self::new(PlanSettings::default(), &[(phone(1), 0)])
    }

    fn at(&self, at: u64) -> Instant {
        self.start + seconds(at)
    }

    fn waits(&mut self, number: u128, at: u64) {
        let waits = Waits { prompt: prompt(number), dangerous: number >= 100, expires_in: None };
        self.planner.prompt_waits(waits, Earlier::default(), self.at(at));
    }

    fn due(&mut self, at: u64) -> Vec<Decision> {
        let minute = (u64::from(self.minute) + at / 60) % (24 * 60);
        let moment = Moment { at: self.at(at), minute: u16::try_from(minute).expect("a minute of the day") };
        self.planner.due(moment, &self.targets, &self.eyes)
    }

    /// Everything that is told until then, with when.
    fn told_until(&mut self, end: u64) -> Vec<(u64, Decision)> {
        let mut told = Vec::new();
        let mut last = None;
        while let Some(next) = self.planner.next_deadline() {
            assert_ne!(Some(next), last, "it wakes for nothing");
            last = Some(next);
            let at = next.duration_since(self.start).as_secs();
            if at > end {
                break;
            }
            told.extend(self.due(at).into_iter().map(|decision| (at, decision)));
        }
        told
    }
}

fn tells(to: &TargetId, number: u128, step: usize) -> Decision {
    Decision::Prompt { to: to.clone(), prompt: prompt(number), step }
}

#[test]
fn what_is_answered_within_the_dwell_is_never_told() {
    let mut world = World::one_phone();
    world.waits(1, 0);
    assert_eq!(world.due(4), []);
    assert_eq!(world.planner.prompt_over(prompt(1), None), [], "nothing is taken back either");
    assert_eq!(world.told_until(10_000), []);
}

#[test]
fn ladder_goes_on_from_channel_to_channel_until_its_end() {
    let (push, ntfy, telegram) = (phone(1), TargetId::Channel("ntfy".into()), TargetId::Channel("telegram".into()));
    let targets = [(push.clone(), 0), (ntfy.clone(), 1), (telegram.clone(), 2)];
    let mut world = World::new(PlanSettings::default(), &targets);
    world.waits(1, 0);
    let told = world.told_until(100_000);
    let minutes = |minutes: u64| 5 + minutes * 60;
    let expected = [
        (5, tells(&push, 1, 0)),
        (minutes(5), tells(&push, 1, 1)),
        (minutes(15), tells(&ntfy, 1, 2)),
        (minutes(60), tells(&telegram, 1, 3)),
    ];
    assert_eq!(told, expected);
    let taken_back: BTreeSet<_> =
        world.planner.prompt_over(prompt(1), None).into_iter().map(|it| format!("{it:?}")).collect();
    let withdraw = |from| Decision::Withdraw { from, subject: Subject::Prompt(prompt(1)) };
    assert_eq!(taken_back, [push, ntfy, telegram].map(|from| format!("{:?}", withdraw(from))).into());
}

#[test]
fn without_further_channels_the_first_is_told_again() {
    let mut world = World::one_phone();
    world.waits(1, 0);
    let told: Vec<_> = world.told_until(100_000).into_iter().map(|(at, _)| at).collect();
    assert_eq!(told, [5, 305, 905, 3605]);
}

#[test]
fn ladder_stops_at_the_first_answer_and_goes_on_if_it_fails() {
    let mut world = World::one_phone();
    world.waits(1, 0);
    assert_eq!(world.due(5), [tells(&phone(1), 1, 0)]);
    world.planner.prompt_answering(prompt(1), true);
    assert_eq!(world.told_until(10_000), []);
    world.planner.prompt_answering(prompt(1), false);
    assert_eq!(world.due(400), [tells(&phone(1), 1, 1)]);
}

#[test]
fn device_that_answered_is_not_told_that_it_is_over() {
    let mut world = World::new(PlanSettings::default(), &[(phone(1), 0), (phone(2), 0)]);
    world.waits(1, 0);
    assert_eq!(world.due(5).len(), 2);
    let taken_back = world.planner.prompt_over(prompt(1), Some(&phone(1)));
    assert_eq!(taken_back, [Decision::Withdraw { from: phone(2), subject: Subject::Prompt(prompt(1)) }]);
}

#[test]
fn only_the_device_that_shows_this_prompt_is_passed_over() {
    let mut world = World::new(PlanSettings::default(), &[(phone(1), 0), (phone(2), 0)]);
    world.eyes.0.insert((phone(1), prompt(1)));
    // The other phone is looked at as well, but shows something else.
    world.eyes.0.insert((phone(2), prompt(9)));
    world.waits(1, 0);
    assert_eq!(world.due(5), [tells(&phone(2), 1, 0)]);
    // It is put away without an answer: a dwell later it is told, too.
    world.eyes.0.clear();
    assert_eq!(world.due(60), []);
    assert_eq!(world.due(64), []);
    assert_eq!(world.due(65), [tells(&phone(1), 1, 1)]);
}

#[test]
fn many_at_once_become_one() {
    let mut world = World::one_phone();
    for number in 1..=5 {
        world.waits(number, 0);
    }
    let prompts: Vec<_> = (1..=5).map(prompt).collect();
    assert_eq!(world.due(5), [Decision::Several { to: phone(1), prompts }]);
    for number in 1..=4 {
        assert_eq!(world.planner.prompt_over(prompt(number), None), []);
    }
    let withdrawn = Decision::Withdraw { from: phone(1), subject: Subject::Several };
    assert_eq!(world.planner.prompt_over(prompt(5), None), [withdrawn]);
}

#[test]
fn one_after_another_become_one_after_three() {
    let mut world = World::one_phone();
    for number in 1..=5 {
        world.waits(number, u64::try_from(number).expect("small"));
    }
    let told = world.told_until(30);
    let single = told.iter().filter(|(_, decision)| matches!(decision, Decision::Prompt { .. })).count();
    let together: Vec<_> = told
        .iter()
        .filter_map(|(_, decision)| match decision {
            Decision::Several { prompts, .. } => Some(prompts.clone()),
            _ => None,
        })
        .collect();
    assert_eq!((single, together), (3, vec![vec![prompt(4)], vec![prompt(4), prompt(5)]]));
}

#[test]
fn end_of_its_time_is_told_once_to_whom_it_was_told_if_it_still_waits() {
    for (answered, last) in [(false, vec![5, 205]), (true, vec![5])] {
        let mut world = World::new(PlanSettings { ladder: vec![], ..PlanSettings::default() }, &[(phone(1), 0)]);
        let now = world.at(0);
        let waits = Waits { prompt: prompt(1), dangerous: false, expires_in: Some(seconds(200)) };
        world.planner.prompt_waits(waits, Earlier::default(), now);
        let mut told = world.told_until(200);
        world.planner.prompt_answering(prompt(1), answered);
        told.extend(world.told_until(10_000));
        assert_eq!(told.iter().map(|(at, _)| *at).collect::<Vec<_>>(), last, "{told:?}");
        assert!(told.iter().all(|(_, decision)| *decision == tells(&phone(1), 1, 0)));
    }
}

#[test]
fn quiet_hours_let_through_what_they_say() {
    for (lets, number, told) in [
        (Lets::Nothing, 1, false),
        (Lets::Nothing, 100, false),
        (Lets::Dangerous, 1, false),
        (Lets::Dangerous, 100, true),
        (Lets::Blocking, 1, true),
        (Lets::Blocking, 100, true),
    ] {
        let quiet = Some(Quiet { from: 22 * 60, until: 7 * 60, lets });
        let mut world = World::new(PlanSettings { quiet, ..PlanSettings::default() }, &[(phone(1), 0)]);
        world.minute = NIGHT;
        world.waits(number, 0);
        let first = world.told_until(100_000).first().map(|(at, _)| *at);
        // From three to seven, counted from the moment it was held.
        let expected = if told { 5 } else { 5 + 4 * 60 * 60 };
        assert_eq!(first, Some(expected), "{lets:?} {number}");
    }
}

#[test]
fn quiet_hours_end_for_one_who_looked_away_as_well() {
    let quiet = Some(Quiet { from: 2 * 60, until: 4 * 60, lets: Lets::Nothing });
    let mut world = World::new(PlanSettings { quiet, ..PlanSettings::default() }, &[(phone(1), 0)]);
    world.minute = 2 * 60 - 1;
    world.eyes.0.insert((phone(1), prompt(1)));
    world.waits(1, 0);
    assert_eq!(world.due(5), []);
    world.eyes.0.clear();
    assert_eq!(world.due(58), []);
    let told = world.told_until(100_000);
    assert!(told.iter().all(|(at, _)| *at >= 2 * 60 * 60), "{told:?}");
    assert!(!told.is_empty());
}

#[test]
fn session_news_are_told_when_they_are_worth_it() {
    let mut world = World::one_phone();
    let at = |at| world.start + seconds(at);
    let (short, long, again) = (seconds(10), seconds(60), at(2));
    let begin = at(0);
    world.planner.session_finished(session(1), short, begin);
    world.planner.session_finished(session(2), long, begin);
    world.planner.session_finished(session(3), long, begin);
    world.planner.session_goes_on(session(3));
    world.planner.session_failed(session(4), again);
    let news = |number, news| Decision::News { to: phone(1), session: session(number), news };
    assert_eq!(world.told_until(100), [(5, news(2, News::Finished)), (7, news(4, News::Failed))]);
}

#[test]
fn session_that_stands_still_is_told_once_until_it_goes_on() {
    let idle = PlanSettings { idle_after: Some(seconds(600)), ..PlanSettings::default() };
    let mut world = World::new(idle, &[(phone(1), 0)]);
    world.targets[0].finished = false;
    let (begin, later) = (world.at(0), world.at(400));
    let news = |number, news| Decision::News { to: phone(1), session: session(number), news };
    world.planner.session_works(session(1), begin);
    world.planner.session_stopped(session(2), begin);
    world.planner.session_works(session(3), begin);
    // Something comes of the first, and the third asks.
    world.planner.session_works(session(1), later);
    world.planner.session_goes_on(session(3));
    assert_eq!(world.told_until(100_000), [(600, news(2, News::Stopped)), (1000, news(1, News::Stuck))]);

    let off = PlanSettings { idle_after: None, ..PlanSettings::default() };
    let mut world = World::new(off, &[(phone(1), 0)]);
    let begin = world.start;
    world.planner.session_works(session(1), begin);
    assert_eq!(world.told_until(100_000), []);
}

#[test]
fn news_go_to_who_wants_them_and_does_not_look() {
    let mut world = World::new(PlanSettings::default(), &[(phone(1), 0), (phone(2), 0), (phone(3), 0)]);
    world.targets[0].finished = false;
    world.eyes.0.insert((phone(2), prompt(1)));
    let begin = world.start;
    world.planner.session_finished(session(1), seconds(60), begin);
    let told = world.due(5);
    assert_eq!(told, [Decision::News { to: phone(3), session: session(1), news: News::Finished }]);
}

#[test]
fn after_a_restart_the_ladder_goes_on_where_it_was() {
    let mut world = World::one_phone();
    let earlier = Earlier { steps: 1, since: seconds(120), told: [phone(1)].into() };
    let now = world.at(0);
    world.planner.prompt_waits(Waits { prompt: prompt(1), dangerous: false, expires_in: None }, earlier, now);
    let told: Vec<_> = world.told_until(100_000).into_iter().map(|(at, _)| at).collect();
    assert_eq!(told, [180, 780, 3480]);
    assert_eq!(world.planner.prompt_over(prompt(1), None).len(), 1);
}

#[test]
fn target_that_is_gone_is_told_nothing() {
    let mut world = World::one_phone();
    world.waits(1, 0);
    assert_eq!(world.due(5).len(), 1);
    world.planner.forget_target(&phone(1));
    world.targets.clear();
    assert_eq!(world.told_until(100_000), []);
    assert_eq!(world.planner.prompt_over(prompt(1), None), []);
}

#[test]
fn page_counts_only_while_it_is_visible_shows_it_and_says_so() {
    let mut presences = Presences::default();
    let (device, other, start) = (DeviceId(Uuid::from_u128(1)), DeviceId(Uuid::from_u128(2)), Instant::now());
    let shows = |visible| Presence { visible, prompts: vec![prompt(1)], sessions: vec![session(1)] };
    let after = |at| start + seconds(at);
    assert!(!presences.shows_prompt(device, prompt(1), start), "an open socket proves nothing");
    presences.told(PageId(1), device, shows(true), start);
    assert!(presences.shows_prompt(device, prompt(1), after(44)));
    assert!(presences.shows_session(device, session(1), after(44)));
    assert!(!presences.shows_prompt(device, prompt(2), after(1)), "another prompt");
    assert!(!presences.shows_prompt(other, prompt(1), after(1)), "another device");
    assert_eq!(presences.next_deadline(after(1)), Some(after(45)));
    assert!(!presences.shows_prompt(device, prompt(1), after(45)), "a frozen page falls silent");
    // Another page of the same device does not hide this one.
    presences.told(PageId(1), device, shows(true), after(50));
    presences.told(PageId(2), device, shows(false), after(50));
    assert!(presences.shows_prompt(device, prompt(1), after(51)));
    presences.left(PageId(1));
    assert!(!presences.shows_prompt(device, prompt(1), after(51)));
}
