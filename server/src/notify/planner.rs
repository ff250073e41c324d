//! Decides who is told of what, and when. Pure: what happened comes in with the time, decisions go out, [`Planner::next_deadline`]
//! says when to ask again.
//!
//! A prompt that waits longer than the dwell is told to the first channel, again after a while, then to the next channel, then to the
//! last; the ladder stops at the first answer, and what was told is withdrawn when the prompt is over. What a rule or a quick hand
//! answers within the dwell is never told. A device that shows the prompt to somebody is passed over, and told when it stops.

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    time::{Duration, Instant},
};

use shared_types::{DeviceId, PromptId, SessionId};

/// A target is told of so many things one by one within [`BURST_TIME`]; what more comes is told as one.
const BURST: usize = 3;
/// See [`BURST`].
const BURST_TIME: Duration = Duration::from_secs(60);
/// How long after the end of a prompt's time it is told for a last time: what is refused then is over by now.
const EXPIRED_PAUSE: Duration = Duration::from_secs(5);
/// A day, in the minutes of which quiet hours are said.
const DAY: u16 = 24 * 60;

/// When to tell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlanSettings {
    /// How long a prompt stands before anybody is told.
    pub dwell: Duration,
    /// How long after the first time it is told again, to the second channel, and to the third.
    pub ladder: Vec<Duration>,
    /// How long a session must have worked for its end to be worth telling.
    pub finished_after: Duration,
    /// How long a session may stand still before that is told; never when it is not said.
    pub idle_after: Option<Duration>,
    /// When not to disturb.
    pub quiet: Option<Quiet>,
}

impl Default for PlanSettings {
    fn default() -> Self {
        Self {
            dwell: Duration::from_secs(5),
            ladder: [5, 15, 60].map(|minutes| Duration::from_secs(minutes * 60)).to_vec(),
            finished_after: Duration::from_secs(30),
            idle_after: Some(Duration::from_secs(20 * 60)),
            quiet: None,
        }
    }
}

/// Hours in which little is told, by the machine's clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quiet {
    /// From this minute of the day.
    pub from: u16,
    /// To this one, which may lie on the next day.
    pub until: u16,
    /// What is told all the same.
    pub lets: Lets,
}

/// What is told in quiet hours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lets {
    /// Nothing: prompts wait for the end of the quiet hours.
    Nothing,
    /// Prompts of high risk.
    Dangerous,
    /// Every prompt that holds up a session.
    Blocking,
}

/// Now.
#[derive(Debug, Clone, Copy)]
pub(super) struct Moment {
    /// For deadlines.
    pub at: Instant,
    /// The minute of the day on the machine's clock, for quiet hours.
    pub minute: u16,
}

/// Names somebody who can be told.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TargetId {
    /// A paired device, by web push.
    Device(DeviceId),
    /// A paired Telegram chat.
    Chat(i64),
    /// Another channel, by its name.
    Channel(String),
}

/// Somebody who can be told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Target {
    /// Who.
    pub id: TargetId,
    /// The first channel is 0.
    pub rank: usize,
    /// Whether it is told when a session has finished.
    pub finished: bool,
}

/// What matters of a prompt here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Waits {
    /// Which.
    pub prompt: PromptId,
    /// True when saying yes risks much.
    pub dangerous: bool,
    /// How much of its time is left, where it has one.
    pub expires_in: Option<Duration>,
}

/// What was told of a prompt before a restart.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Earlier {
    /// How many steps were taken.
    pub steps: usize,
    /// How long ago the first was.
    pub since: Duration,
    /// Who was told.
    pub told: BTreeSet<TargetId>,
}

/// Something worth telling of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum News {
    /// It waits for the next message.
    Finished,
    /// Its program has failed.
    Failed,
    /// It is busy, and nothing has come of it for a while.
    Stuck,
    /// Its turn was interrupted, and it has waited since for a while.
    Stopped,
}

/// What a message is about. Messages about the same thing replace each other.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Subject {
    /// One prompt.
    Prompt(PromptId),
    /// Several prompts.
    Several,
    /// A session.
    Session(SessionId),
}

/// What is to be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Decision {
    /// Tell of a prompt.
    Prompt {
        /// Whom.
        to: TargetId,
        /// Which.
        prompt: PromptId,
        /// Which step of the ladder, from 0.
        step: usize,
    },
    /// Tell that several wait.
    Several {
        /// Whom.
        to: TargetId,
        /// Which.
        prompts: Vec<PromptId>,
    },
    /// Tell news of a session.
    News {
        /// Whom.
        to: TargetId,
        /// Which session.
        session: SessionId,
        /// What.
        news: News,
    },
    /// Take back what was told.
    Withdraw {
        /// From whom.
        from: TargetId,
        /// What.
        subject: Subject,
    },
}

/// Whether a target shows something to somebody just now.
pub(super) trait Looks {
    /// This prompt.
    fn at_prompt(&self, target: &TargetId, prompt: PromptId) -> bool;
    /// This session's chat.
    fn at_session(&self, target: &TargetId, session: SessionId) -> bool;
}

/// The ladders of everything that waits.
#[derive(Debug)]
pub(super) struct Planner {
    settings: PlanSettings,
    prompts: BTreeMap<PromptId, Ladder>,
    news: BTreeMap<SessionId, (News, Instant)>,
    /// When each target was last told something one by one.
    recent: BTreeMap<TargetId, VecDeque<Instant>>,
    /// The prompts that a target was told of together, as far as they still wait.
    together: BTreeMap<TargetId, BTreeSet<PromptId>>,
}

/// How far one prompt has got.
#[derive(Debug)]
struct Ladder {
    dangerous: bool,
    /// How many steps were taken.
    steps: usize,
    /// When the first was.
    began: Option<Instant>,
    /// When the next is due; nothing after the last.
    next: Option<Instant>,
    /// When its time is over, where it has one: who was told is told for a last time, if it still waits then.
    expires: Option<Instant>,
    /// An answer is on its way.
    answering: bool,
    told: BTreeSet<TargetId>,
    /// Those who were not told because they showed the prompt: when they are, once they do not any more.
    looking: BTreeMap<TargetId, Option<Instant>>,
}

impl Planner {
    /// With nothing to tell.
    #[must_use]
    pub(super) fn new(settings: PlanSettings) -> Self {
        Self {
            settings,
            prompts: BTreeMap::new(),
            news: BTreeMap::new(),
            recent: BTreeMap::new(),
            together: BTreeMap::new(),
        }
    }

    /// A prompt waits, or has changed.
    pub(super) fn prompt_waits(&mut self, waits: Waits, earlier: Earlier, now: Instant) {
        if let Some(ladder) = self.prompts.get_mut(&waits.prompt) {
            ladder.dangerous = waits.dangerous;
            return;
        }
        let began = (earlier.steps > 0).then(|| now.checked_sub(earlier.since).unwrap_or(now));
        let mut ladder = Ladder {
            dangerous: waits.dangerous,
            steps: earlier.steps,
            began,
            next: Some(now + self.settings.dwell),
            expires: waits.expires_in.map(|left| now + left + EXPIRED_PAUSE),
            answering: false,
            told: earlier.told,
            looking: BTreeMap::new(),
        };
        if began.is_some() {
            ladder.next = self.settings.after(&ladder).map(|at| at.max(now + self.settings.dwell));
        }
        self.prompts.insert(waits.prompt, ladder);
    }

    /// An answer is on its way to a prompt, or has failed.
    pub(super) fn prompt_answering(&mut self, prompt: PromptId, answering: bool) {
        if let Some(ladder) = self.prompts.get_mut(&prompt) {
            ladder.answering = answering;
        }
    }

    /// A prompt is over: what was told of it is taken back, except from the device that answered it.
    pub(super) fn prompt_over(&mut self, prompt: PromptId, answered_on: Option<&TargetId>) -> Vec<Decision> {
        let Some(ladder) = self.prompts.remove(&prompt) else { return Vec::new() };
        let told = ladder.told.into_iter().filter(|target| Some(target) != answered_on);
        let mut decisions: Vec<_> =
            told.map(|from| Decision::Withdraw { from, subject: Subject::Prompt(prompt) }).collect();
        self.together.retain(|target, prompts| {
            let last = prompts.remove(&prompt) && prompts.is_empty();
            if last && Some(target) != answered_on {
                decisions.push(Decision::Withdraw { from: target.clone(), subject: Subject::Several });
            }
            !prompts.is_empty()
        });
        decisions
    }

    /// The prompts that it knows of.
    #[must_use]
    pub(super) fn waiting(&self) -> Vec<PromptId> {
        self.prompts.keys().copied().collect()
    }

    /// A session has finished what it was doing for so long.
    pub(super) fn session_finished(&mut self, session: SessionId, worked: Duration, now: Instant) {
        if worked >= self.settings.finished_after {
            self.news.insert(session, (News::Finished, now + self.settings.dwell));
        }
    }

    /// A session's program has failed.
    pub(super) fn session_failed(&mut self, session: SessionId, now: Instant) {
        self.news.insert(session, (News::Failed, now + self.settings.dwell));
    }

    /// A session works, and something has come of it just now.
    pub(super) fn session_works(&mut self, session: SessionId, now: Instant) {
        self.stands(session, News::Stuck, now);
    }

    /// A session's turn was interrupted, and it waits.
    pub(super) fn session_stopped(&mut self, session: SessionId, now: Instant) {
        self.stands(session, News::Stopped, now);
    }

    /// What was to be told of a session is old; that it stands still is told in a while, unless it goes on.
    fn stands(&mut self, session: SessionId, news: News, now: Instant) {
        self.news.remove(&session);
        self.news.extend(self.settings.idle_after.map(|after| (session, (news, now + after))));
    }

    /// A session does something again: its news are old.
    pub(super) fn session_goes_on(&mut self, session: SessionId) {
        self.news.remove(&session);
    }

    /// A target is gone.
    pub(super) fn forget_target(&mut self, target: &TargetId) {
        self.recent.remove(target);
        self.together.remove(target);
        for ladder in self.prompts.values_mut() {
            ladder.told.remove(target);
            ladder.looking.remove(target);
        }
    }

    /// When something is due.
    #[must_use]
    pub(super) fn next_deadline(&self) -> Option<Instant> {
        let prompts = self.prompts.values().filter(|ladder| !ladder.answering);
        let due = prompts.flat_map(|ladder| {
            let looking = ladder.looking.values().flatten().copied();
            ladder.next.into_iter().chain(ladder.expires).chain(looking)
        });
        due.chain(self.news.values().map(|(_, at)| *at)).min()
    }

    /// Whether and why a message would be held back now.
    #[must_use]
    pub(super) fn held(&self, dangerous: bool, minute: u16) -> Option<&'static str> {
        (!self.settings.lets(dangerous, minute)).then_some("quiet hours")
    }

    /// Decides what is due.
    pub(super) fn due(&mut self, now: Moment, targets: &[Target], looks: &dyn Looks) -> Vec<Decision> {
        let mut due: BTreeMap<TargetId, Vec<(PromptId, usize)>> = BTreeMap::new();
        let last_rank = targets.iter().map(|target| target.rank).max().unwrap_or(0);
        for (prompt, ladder) in &mut self.prompts {
            if ladder.answering {
                continue;
            }
            if !self.settings.lets(ladder.dangerous, now.minute) {
                ladder.hold_until(now.at, self.settings.quiet_ends(now));
                continue;
            }
            let dwell = self.settings.dwell;
            let mut tell = ladder.no_longer_looking(now.at, dwell, |target| looks.at_prompt(target, *prompt));
            let step = ladder.steps;
            if ladder.next.is_some_and(|at| at <= now.at) {
                // Without a channel for this step, it is the one before.
                let rank = step.saturating_sub(1).min(last_rank);
                for target in targets.iter().filter(|target| target.rank == rank) {
                    if looks.at_prompt(&target.id, *prompt) {
                        ladder.looking.insert(target.id.clone(), None);
                    } else {
                        ladder.looking.remove(&target.id);
                        tell.insert(target.id.clone());
                    }
                }
                ladder.began.get_or_insert(now.at);
                ladder.steps += 1;
                ladder.next = self.settings.after(ladder);
            }
            if ladder.expires.is_some_and(|at| at <= now.at) {
                ladder.expires = None;
                // Once more, and no step of the ladder.
                let again = ladder.told.iter().filter(|target| !tell.contains(*target));
                for target in again.filter(|target| !looks.at_prompt(target, *prompt)) {
                    due.entry(target.clone()).or_default().push((*prompt, step.saturating_sub(1)));
                }
            }
            for target in tell {
                due.entry(target).or_default().push((*prompt, step));
            }
        }
        let known: BTreeSet<&TargetId> = targets.iter().map(|target| &target.id).collect();
        due.retain(|target, _| known.contains(target));
        let mut decisions = Vec::new();
        for (target, prompts) in due {
            self.tell(target, &prompts, now.at, &mut decisions);
        }
        self.tell_news(now, targets, looks, &mut decisions);
        decisions
    }

    /// One by one, or as one when they are many.
    fn tell(&mut self, to: TargetId, prompts: &[(PromptId, usize)], now: Instant, decisions: &mut Vec<Decision>) {
        let recent = self.recent.entry(to.clone()).or_default();
        while recent.front().is_some_and(|at| now.saturating_duration_since(*at) >= BURST_TIME) {
            recent.pop_front();
        }
        if prompts.len() <= BURST.saturating_sub(recent.len()) {
            for (prompt, step) in prompts {
                recent.push_back(now);
                if let Some(ladder) = self.prompts.get_mut(prompt) {
                    ladder.told.insert(to.clone());
                }
                decisions.push(Decision::Prompt { to: to.clone(), prompt: *prompt, step: *step });
            }
            return;
        }
        let together = self.together.entry(to.clone()).or_default();
        together.extend(prompts.iter().map(|(prompt, _)| *prompt));
        let prompts = together.iter().copied().collect();
        decisions.push(Decision::Several { to, prompts });
    }

    fn tell_news(&mut self, now: Moment, targets: &[Target], looks: &dyn Looks, decisions: &mut Vec<Decision>) {
        let due: Vec<_> = self.news.extract_if(.., |_, (_, at)| *at <= now.at).collect();
        // What is only good to know is not kept for the morning: the page shows it then.
        if self.settings.is_quiet(now.minute) {
            return;
        }
        for (session, (news, _)) in due {
            let wants = |target: &&Target| target.rank == 0 && (news != News::Finished || target.finished);
            for target in targets.iter().filter(wants).filter(|target| !looks.at_session(&target.id, session)) {
                decisions.push(Decision::News { to: target.id.clone(), session, news });
            }
        }
    }
}

impl Ladder {
    /// What is due now is due then.
    fn hold_until(&mut self, now: Instant, then: Option<Instant>) {
        for due in self.looking.values_mut().chain([&mut self.next, &mut self.expires]) {
            if due.is_some_and(|at| at <= now) {
                *due = then;
            }
        }
    }

    /// Those who showed the prompt and have not for a dwell.
    fn no_longer_looking(
        &mut self,
        now: Instant,
        dwell: Duration,
        looks: impl Fn(&TargetId) -> bool,
    ) -> BTreeSet<TargetId> {
        for (target, due) in &mut self.looking {
            *due = if looks(target) { None } else { due.or(Some(now + dwell)) };
        }
        let gone = self.looking.extract_if(.., |_, due| due.is_some_and(|at| at <= now));
        gone.map(|(target, _)| target).collect()
    }
}

impl PlanSettings {
    /// When the step after those that were taken is due.
    fn after(&self, ladder: &Ladder) -> Option<Instant> {
        let wait = self.ladder.get(ladder.steps.checked_sub(1)?)?;
        ladder.began.map(|began| began + *wait)
    }

    fn is_quiet(&self, minute: u16) -> bool {
        self.quiet.is_some_and(|Quiet { from, until, .. }| {
            if from <= until { (from..until).contains(&minute) } else { minute >= from || minute < until }
        })
    }

    fn lets(&self, dangerous: bool, minute: u16) -> bool {
        !self.is_quiet(minute)
            || match self.quiet.map(|quiet| quiet.lets) {
                Some(Lets::Nothing) => false,
                Some(Lets::Dangerous) => dangerous,
                Some(Lets::Blocking) | None => true,
            }
    }

    fn quiet_ends(&self, now: Moment) -> Option<Instant> {
        let until = self.quiet?.until;
        let minutes = (until + DAY - now.minute) % DAY;
        Some(now.at + Duration::from_secs(u64::from(minutes.max(1)) * 60))
    }
}
