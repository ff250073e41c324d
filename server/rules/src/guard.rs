//! What keeps automatic answers in bounds: how often, how fast, and when they stop. Time is an argument.
//!
//! [`State`] is given to [`crate::judge`], which holds an answer back when a guard says so; the caller notes what was really answered.

use std::collections::{HashMap, VecDeque};

use serde::Serialize;

use crate::{
    Judgement, Request,
    judgement::Verdict,
    rules::{Rule, Timestamp},
};

/// One automatic answer per session in this time, in milliseconds: a dialog must have been drawn before the next is answered.
pub const SESSION_GAP: u64 = 500;
/// The same rule waits this long before it answers again in the same session.
pub const RULE_GAP: u64 = 1000;
/// So many equal answers without progress, and a person is asked.
pub const EQUAL_ANSWERS: u32 = 3;

/// So many uses of a rule are kept with their times; a rate of more in its time is as good as none.
const RECENT: usize = 1000;

/// Why an answer was held back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Held {
    /// All automatic answers are paused.
    AllPaused,
    /// Those of this session are.
    SessionPaused(Pause),
    /// The last automatic answer of this session is too recent.
    TooSoon,
    /// The same rule has just answered.
    CoolingDown,
    /// The same was answered several times and nothing came of it.
    Repeats,
    /// The rules are tried out: it is only written what they would have done.
    Shadow,
    /// Nothing is answered at all.
    DryRun,
}

/// Why a session is paused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Pause {
    /// By one tap.
    ByPerson,
    /// A person said no.
    AfterNo,
    /// A person interrupted.
    AfterInterrupt,
    /// Something dangerous stood on the screen.
    AfterDanger,
}

/// Whether rules act.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    /// They answer.
    #[default]
    Acting,
    /// They only say what they would have answered.
    Shadow,
    /// The same, over requests of the past.
    DryRun,
}

/// What has happened so far.
#[derive(Debug, Clone, Default)]
pub struct State {
    /// Whether rules act.
    pub mode: Mode,
    /// Everything is paused.
    pub paused: bool,
    sessions: HashMap<String, Session>,
    rules: HashMap<String, Uses>,
}

#[derive(Debug, Clone, Default)]
struct Session {
    paused: Option<Pause>,
    answered_at: Option<Timestamp>,
    by_rule: HashMap<String, Timestamp>,
    last: Option<(String, u32)>,
}

#[derive(Debug, Clone, Default)]
struct Uses {
    count: u32,
    recent: VecDeque<Timestamp>,
}

impl State {
    /// Nothing has happened yet.
    #[must_use]
    pub fn in_mode(mode: Mode) -> Self {
        Self { mode, ..Self::default() }
    }

    /// Pauses a session.
    pub fn pause(&mut self, session: &str, why: Pause) {
        self.sessions.entry(session.to_owned()).or_default().paused = Some(why);
    }

    /// Lets a session's rules act again.
    pub fn resume(&mut self, session: &str) {
        if let Some(session) = self.sessions.get_mut(session) {
            session.paused = None;
            session.last = None;
        }
    }

    /// Why a session is paused, if it is.
    #[must_use]
    pub fn pause_of(&self, session: &str) -> Option<Pause> {
        self.sessions.get(session)?.paused
    }

    /// The session got on: the same may be answered again.
    pub fn note_progress(&mut self, session: &str) {
        if let Some(session) = self.sessions.get_mut(session) {
            session.last = None;
        }
    }

    /// A rule has answered a request.
    pub fn note_answer(&mut self, request: &Request, judgement: &Judgement, now: Timestamp) {
        if judgement.rule.is_none() {
            return;
        }
        let session = self.sessions.entry(session_of(request)).or_default();
        session.answered_at = Some(now);
        for rule in &judgement.rules {
            let uses = self.rules.entry(rule.clone()).or_default();
            uses.count = uses.count.saturating_add(1);
            uses.recent.push_back(now);
            while uses.recent.len() > RECENT {
                uses.recent.pop_front();
            }
            session.by_rule.insert(rule.clone(), now);
        }
        let key = key_of(request, judgement.verdict);
        let times = session.last.as_ref().filter(|(last, _)| *last == key).map_or(0, |(_, times)| *times);
        session.last = Some((key, times + 1));
    }

    /// An answer that was noted was not given after all.
    pub fn take_back(&mut self, request: &Request, judgement: &Judgement) {
        let Some(session) = self.sessions.get_mut(&session_of(request)) else { return };
        session.answered_at = None;
        for rule in &judgement.rules {
            if let Some(uses) = self.rules.get_mut(rule) {
                uses.count = uses.count.saturating_sub(1);
                uses.recent.pop_back();
            }
            session.by_rule.remove(rule);
        }
        if let Some((_, times)) = session.last.as_mut().filter(|(last, _)| *last == key_of(request, judgement.verdict))
        {
            *times = times.saturating_sub(1);
        }
    }

    /// The sessions that are paused, and why.
    pub fn pauses(&self) -> impl Iterator<Item = (&str, Pause)> {
        self.sessions.iter().filter_map(|(id, session)| Some((id.as_str(), session.paused?)))
    }

    /// A session is over.
    pub fn forget(&mut self, session: &str) {
        self.sessions.remove(session);
    }

    /// How often a rule has answered.
    #[must_use]
    pub fn uses_of(&self, rule: &str) -> u32 {
        self.rules.get(rule).map_or(0, |uses| uses.count)
    }

    /// Sets how often a rule has answered before: what was stored.
    pub fn restore_uses(&mut self, rule: &str, count: u32) {
        self.rules.entry(rule.to_owned()).or_default().count = count;
    }

    /// True while a rule may still be used. Rules that ask or deny are not used up.
    pub(crate) fn leaves_uses(&self, rule: &Rule, now: Timestamp) -> bool {
        if rule.verdict != Verdict::Allow {
            return true;
        }
        let none = Uses::default();
        let uses = self.rules.get(&rule.id).unwrap_or(&none);
        let left = rule.uses.is_none_or(|most| uses.count < most);
        let slow = rule.rate.is_none_or(|rate| {
            let recent = uses.recent.iter().filter(|at| now.saturating_sub(**at) < rate.per).count();
            u32::try_from(recent).is_ok_and(|recent| recent < rate.count)
        });
        left && slow
    }

    /// Holds an automatic answer back when a guard says so. A no stays a no unless it repeats without end.
    pub(crate) fn hold(&self, request: &Request, mut judgement: Judgement, now: Timestamp) -> Judgement {
        if judgement.verdict == Verdict::Ask {
            return judgement;
        }
        let none = Session::default();
        let session = self.sessions.get(&session_of(request)).unwrap_or(&none);
        let within = |at: Option<Timestamp>, gap: u64| at.is_some_and(|at| now.saturating_sub(at) < gap);
        let rule = judgement.rule.as_deref().unwrap_or_default();
        let allow = judgement.verdict == Verdict::Allow;
        let repeats = session
            .last
            .as_ref()
            .is_some_and(|(key, times)| *times >= EQUAL_ANSWERS && *key == key_of(request, judgement.verdict));
        let held = match self.mode {
            Mode::DryRun => Some((Held::DryRun, "dry run")),
            Mode::Shadow => Some((Held::Shadow, "the rules are only tried out")),
            Mode::Acting if repeats => {
                Some((Held::Repeats, "the same was answered three times and nothing came of it"))
            }
            Mode::Acting if !allow => None,
            Mode::Acting if self.paused => Some((Held::AllPaused, "rules are paused")),
            Mode::Acting => match session.paused {
                Some(pause) => Some((Held::SessionPaused(pause), "rules are paused in this session")),
                None if within(session.answered_at, SESSION_GAP) => {
                    Some((Held::TooSoon, "the last automatic answer is too recent"))
                }
                None if within(session.by_rule.get(rule).copied(), RULE_GAP) => {
                    Some((Held::CoolingDown, "the same rule has just answered"))
                }
                None => None,
            },
        };
        if let Some((held, why)) = held {
            judgement.would = Some(judgement.verdict);
            judgement.verdict = Verdict::Ask;
            judgement.held = Some(held);
            judgement.why = format!("{why}; otherwise: {}", judgement.why);
        }
        judgement
    }
}

fn session_of(request: &Request) -> String {
    request.session.clone().unwrap_or_default()
}

fn key_of(request: &Request, verdict: Verdict) -> String {
    format!("{verdict:?} {} {}", request.tool, request.input)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{RuleSet, judge, rules::Rate};

    fn request(command: &str) -> Request {
        Request { session: Some("one".to_owned()), ..Request::command(command, "/w/p") }
    }

    fn rules() -> RuleSet {
        RuleSet::from_texts(&["Bash(ls:*)".to_owned(), "Bash(cat:*)".to_owned()], &[], &["Bash(rm:*)".to_owned()]).0
    }

    /// Judges, and notes the answer when there is one.
    fn answer(state: &mut State, rules: &RuleSet, command: &str, now: Timestamp) -> (Verdict, Option<Held>) {
        let request = request(command);
        let judgement = judge(&request, rules, state, now);
        if judgement.verdict != Verdict::Ask {
            state.note_answer(&request, &judgement, now);
        }
        (judgement.verdict, judgement.held)
    }

    #[test]
    fn answers_keep_their_distance() {
        let (mut state, rules) = (State::default(), rules());
        assert_eq!(answer(&mut state, &rules, "ls a", 0), (Verdict::Allow, None));
        assert_eq!(answer(&mut state, &rules, "cat b", 499), (Verdict::Ask, Some(Held::TooSoon)));
        assert_eq!(answer(&mut state, &rules, "cat b", 500), (Verdict::Allow, None));
        assert_eq!(answer(&mut state, &rules, "cat c", 1400), (Verdict::Ask, Some(Held::CoolingDown)));
        assert_eq!(answer(&mut state, &rules, "cat c", 1500), (Verdict::Allow, None));
    }

    #[test]
    fn equal_answers_without_progress_end_in_a_question() {
        let (mut state, rules) = (State::default(), rules());
        for round in 0..3 {
            assert_eq!(answer(&mut state, &rules, "ls", round * 2000).0, Verdict::Allow);
        }
        assert_eq!(answer(&mut state, &rules, "ls", 9000), (Verdict::Ask, Some(Held::Repeats)));
        assert_eq!(answer(&mut state, &rules, "ls a", 11_000).0, Verdict::Allow);
        for round in 0..3 {
            assert_eq!(answer(&mut state, &rules, "rm x", 20_000 + round * 2000).0, Verdict::Deny);
        }
        assert_eq!(answer(&mut state, &rules, "rm x", 30_000), (Verdict::Ask, Some(Held::Repeats)));
        state.note_progress("one");
        assert_eq!(answer(&mut state, &rules, "rm x", 40_000).0, Verdict::Deny);
    }

    #[test]
    fn a_pause_holds_a_yes_and_keeps_a_no() {
        let (mut state, rules) = (State::default(), rules());
        for pause in [Pause::ByPerson, Pause::AfterNo, Pause::AfterInterrupt, Pause::AfterDanger] {
            state.pause("one", pause);
            assert_eq!(answer(&mut state, &rules, "ls", 0), (Verdict::Ask, Some(Held::SessionPaused(pause))));
            assert_eq!(state.pause_of("one"), Some(pause));
        }
        assert_eq!(answer(&mut state, &rules, "rm x", 0).0, Verdict::Deny);
        let other = Request { session: Some("two".to_owned()), ..request("ls") };
        assert_eq!(judge(&other, &rules, &state, 0).verdict, Verdict::Allow);
        state.resume("one");
        assert_eq!(answer(&mut state, &rules, "ls", 9000).0, Verdict::Allow);
        state.paused = true;
        assert_eq!(answer(&mut state, &rules, "cat x", 90_000), (Verdict::Ask, Some(Held::AllPaused)));
    }

    #[test]
    fn uses_rates_and_ends_are_kept() {
        let mut rules = rules();
        rules.rules[0].uses = Some(2);
        rules.rules[1].rate = Some(Rate { count: 1, per: 60_000 });
        rules.rules[1].until = Some(200_000);
        let mut state = State::default();
        let mut allowed = |command: &str, now| answer(&mut state, &rules, command, now).0 == Verdict::Allow;
        assert!(allowed("ls a", 0) && allowed("ls b", 2000) && !allowed("ls c", 4000));
        assert!(allowed("cat a", 10_000) && !allowed("cat b", 20_000) && allowed("cat c", 80_000));
        assert!(!allowed("cat d", 200_000));
    }

    #[test]
    fn an_answer_that_was_not_given_leaves_no_trace() {
        let (mut state, mut rules) = (State::default(), rules());
        rules.rules[0].uses = Some(1);
        for round in 0..5 {
            let judgement = judge(&request("ls"), &rules, &state, round);
            assert_eq!(judgement.verdict, Verdict::Allow);
            state.note_answer(&request("ls"), &judgement, round);
            state.take_back(&request("ls"), &judgement);
        }
        assert_eq!(state.uses_of(&rules.rules[0].id), 0);
    }

    #[test]
    fn shadow_and_dry_run_only_say_what_they_would_do() {
        for (mode, held) in [(Mode::Shadow, Held::Shadow), (Mode::DryRun, Held::DryRun)] {
            let state = State::in_mode(mode);
            for (command, would) in [("ls", Verdict::Allow), ("rm x", Verdict::Deny)] {
                let judgement = judge(&request(command), &rules(), &state, 0);
                assert_eq!(
                    (judgement.verdict, judgement.would, judgement.held),
                    (Verdict::Ask, Some(would), Some(held))
                );
            }
        }
    }

    #[test]
    fn rules_hold_for_those_they_name() {
        let mut rules = rules();
        rules.rules[0].who.cli = Some("claude".to_owned());
        rules.rules[0].folder = Some("/w".to_owned());
        let verdict = |cli: &str, folder: &str| {
            let request = Request { cli: Some(cli.to_owned()), ..Request::command("ls", folder) };
            judge(&request, &rules, &State::default(), 0).verdict
        };
        assert_eq!(verdict("claude", "/w/p"), Verdict::Allow);
        assert_eq!(verdict("codex", "/w/p"), Verdict::Ask);
        assert_eq!(verdict("claude", "/wx/p"), Verdict::Ask);
    }
}
