//! What the planner decides, put into the mailboxes of the targets.

use std::{
    collections::BTreeSet,
    time::{Duration, Instant},
};

use shared_types::{Delivery, PromptId, SessionId};
use tokio_util::sync::CancellationToken;

use super::{
    LADDER, NEWS_TTL, Notifier, OVER_TTL, PROMPT_TTL, State,
    channel::{Message, MessageKind, Shown},
    delivery::{About, Job},
    message,
    message::{Content, Words},
    planner::{Decision, Looks, Moment, News, Subject, Target, TargetId},
    presence::Presences,
    works,
};
use crate::clock::{minute_of_day, now_millis};

/// A day, in milliseconds.
const DAY_MILLIS: u64 = 24 * 60 * 60 * 1000;

impl Notifier {
    pub(super) fn next_deadline(&self) -> Option<Instant> {
        let state = self.lock();
        let (now, wall) = (Instant::now(), now_millis());
        let presences = state.presences.next_deadline(now);
        let pauses = state.targets.values().filter(|known| known.paused_until > wall);
        // At most a day ahead: the clock on the wall may be put right meanwhile.
        let pauses = pauses.map(|known| now + Duration::from_millis((known.paused_until - wall).min(DAY_MILLIS)));
        state.planner.next_deadline().into_iter().chain(presences).chain(pauses).min()
    }

    /// Tells what is due.
    pub(super) async fn tell_due(&self) {
        let minute = self.minute();
        let decisions = {
            let mut state = self.lock();
            let now = Moment { at: Instant::now(), minute };
            let State { planner, presences, targets, .. } = &mut *state;
            // Channels that reach nobody are left out, and the others move up.
            let there = |channel: &&&str| targets.values().any(|known| known.channel == **channel);
            let channels: Vec<&str> = LADDER.iter().filter(there).copied().collect();
            let wall = now_millis();
            let paused =
                targets.iter().filter(|(_, known)| known.paused_until > wall).map(|(id, _)| id.clone()).collect();
            let targets: Vec<Target> = targets
                .iter()
                .map(|(id, known)| {
                    let rank = channels.iter().position(|channel| *channel == known.channel).unwrap_or(0);
                    Target { id: id.clone(), rank, finished: known.finished }
                })
                .collect();
            planner.due(now, &targets, &Looking { presences, paused, now: now.at })
        };
        for decision in decisions {
            match decision {
                Decision::Prompt { to, prompt, step } => self.tell_prompt(&to, prompt, step).await,
                Decision::Several { to, prompts } => self.tell_several(&to, prompts.len()),
                Decision::News { to, session, news } => self.tell_news(&to, session, news),
                Decision::Withdraw { from, subject } => self.withdraw(&from, &subject, "It is over."),
            }
        }
    }

    async fn tell_prompt(&self, to: &TargetId, id: PromptId, step: usize) {
        let Some(pending) = self.bus.prompt(id) else { return };
        let prompt = pending.prompt;
        let session = prompt.session_id.and_then(|session| self.bus.session(session));
        let name = session.as_ref().map_or("A session", |session| session.name.as_str());
        let Words { title, mut body, buttons, options, reply } = message::of_prompt(&prompt, name, self.content_of(to));
        if let Some(words) = message::of_expiry(&prompt, now_millis()) {
            body.push_str(if body.is_empty() { "" } else { "\n" });
            body.push_str(&words);
        }
        let (choices, reply) = match to {
            TargetId::Device(_) => (buttons, None),
            TargetId::Chat(_) => ([buttons, options].concat(), reply),
            // Nobody could answer.
            TargetId::Channel(_) => (Vec::new(), None),
        };
        let buttons = self.buttons(&prompt, &choices, to).await;
        let shown = prompt.digest.clone().map(|digest| Shown { prompt: id, digest, reply });
        let over = self.lock().open.get(&id).cloned();
        let message = Message {
            tag: tag_of(&Subject::Prompt(id)),
            title,
            body,
            link: format!("#/p/{}", id.0),
            buttons,
            kind: MessageKind::NeedsYou,
            ttl: PROMPT_TTL,
            waiting: self.waiting(),
            shown,
        };
        let about = About { word: "needs-you", prompt: Some(id), session: prompt.session_id, step: Some(step) };
        self.post(to, Job { message, about, over: over.unwrap_or_default(), asked: None });
    }

    fn tell_several(&self, to: &TargetId, count: usize) {
        let message = Message {
            tag: tag_of(&Subject::Several),
            title: format!("{count} questions wait for you"),
            body: String::new(),
            link: "#/".to_owned(),
            buttons: Vec::new(),
            kind: MessageKind::NeedsYou,
            ttl: PROMPT_TTL,
            waiting: self.waiting(),
            shown: None,
        };
        let about = About { word: "several", ..About::default() };
        self.post(to, Job { message, about, over: CancellationToken::new(), asked: None });
    }

    fn tell_news(&self, to: &TargetId, id: SessionId, news: News) {
        let Some(session) = self.bus.session(id) else { return };
        let stood = self.settings.plan.idle_after.map(works::minutes).unwrap_or_default();
        let (word, title) = match news {
            News::Finished => ("finished", format!("{} has finished", session.name)),
            News::Failed => ("failed", format!("{} has failed", session.name)),
            News::Stuck => ("idle", format!("{} is busy, and nothing has come of it for {stood}", session.name)),
            News::Stopped => ("idle", format!("{} was interrupted, and has waited for {stood}", session.name)),
        };
        let said = self.content_of(to) == Content::Full && news == News::Finished;
        let idle = matches!(news, News::Stuck | News::Stopped);
        let message = Message {
            tag: tag_of(&Subject::Session(id)),
            title,
            body: if said { session.last_line.chars().take(200).collect() } else { String::new() },
            link: format!("#/s/{}", id.0),
            buttons: if idle { self.nudge_button(id, to) } else { Vec::new() },
            kind: if idle { MessageKind::NeedsYou } else { MessageKind::News },
            ttl: NEWS_TTL,
            waiting: self.waiting(),
            shown: None,
        };
        let about = About { word, session: Some(id), ..About::default() };
        self.post(to, Job { message, about, over: CancellationToken::new(), asked: None });
    }

    pub(super) fn withdraw(&self, from: &TargetId, subject: &Subject, words: &str) {
        let prompt = if let Subject::Prompt(prompt) = subject { Some(*prompt) } else { None };
        let message = Message {
            tag: tag_of(subject),
            title: words.to_owned(),
            body: String::new(),
            link: "#/".to_owned(),
            buttons: Vec::new(),
            kind: MessageKind::Withdrawn,
            ttl: OVER_TTL,
            waiting: self.waiting(),
            shown: None,
        };
        let about = About { word: "withdrawn", prompt, ..About::default() };
        self.post(from, Job { message, about, over: CancellationToken::new(), asked: None });
    }

    /// Puts a message into a target's mailbox.
    pub(super) fn post(&self, to: &TargetId, job: Job) {
        let mut state = self.lock();
        let Some(known) = state.targets.get_mut(to) else { return };
        if known.jobs.try_send(job).is_err() {
            tracing::warn!(to = %known.name, "too many notifications wait: one is left out");
            let detail = "too many messages wait for it: one was left out".to_owned();
            known.last = Some(Delivery { at: now_millis(), taken: false, status: None, detail });
        }
    }

    pub(super) fn content_of(&self, target: &TargetId) -> Content {
        self.lock().targets.get(target).map_or(Content::Name, |known| known.content)
    }

    pub(super) fn waiting(&self) -> usize {
        self.lock().planner.waiting().len()
    }

    /// Read only where it matters.
    pub(super) fn minute(&self) -> u16 {
        if self.settings.plan.quiet.is_some() { minute_of_day() } else { 0 }
    }
}

/// Who is looking, at one moment.
struct Looking<'a> {
    presences: &'a Presences,
    /// Who wants to be left alone, and is told when that is over.
    paused: BTreeSet<TargetId>,
    now: Instant,
}

impl Looks for Looking<'_> {
    fn at_prompt(&self, target: &TargetId, prompt: PromptId) -> bool {
        self.paused.contains(target)
            || matches!(target, TargetId::Device(device) if self.presences.shows_prompt(*device, prompt, self.now))
    }

    fn at_session(&self, target: &TargetId, session: SessionId) -> bool {
        self.paused.contains(target)
            || matches!(target, TargetId::Device(device) if self.presences.shows_session(*device, session, self.now))
    }
}

/// Messages with the same tag replace each other, in the browser and at the push service, which takes 32 characters.
fn tag_of(subject: &Subject) -> String {
    match subject {
        Subject::Prompt(prompt) => prompt.0.simple().to_string(),
        Subject::Session(session) => session.0.simple().to_string(),
        Subject::Several => "several".to_owned(),
    }
}
