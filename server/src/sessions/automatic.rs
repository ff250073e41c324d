//! Prompts that rules answer: asked before any phone is told, answered through the ledger like a person, and shown to everybody as
//! soon as a rule does not come through.
//!
//! A prompt that a rule is answering is hidden: it is stored and in the journal, but no page is told of it and the session does not
//! count as waiting. It ends unseen when the answer was seen to work; in every other case it is published with what has happened.

use std::{
    collections::{HashMap, HashSet, VecDeque},
    ops::ControlFlow,
    sync::Arc,
};

use answerback_ledger::{AttemptRecord, Closing, RespondError, Ticket};
use answerback_rules::guard::Pause;
use serde_json::json;
use shared_types::{
    Actor, Answer, AnswerProgress, AnswerStep, Event as WireEvent, InteractivePrompt, MessageBody, Millis, PromptId,
    PromptOutcome, PromptResponse, RuleVerdict, SessionState,
};
use tokio::time::Instant;

use super::task::SessionTask;
use crate::{
    bus::Bus,
    clock::now_millis,
    journal::{Fact, FactKind},
    rules::{Automatic, ChangeError, Decision, Rules, verdict_of},
};

/// What rules are doing in this session. Every list is bounded by the prompts that are open.
pub(super) struct AutomaticAnswers {
    rules: Arc<Rules>,
    /// Where prompts are published that no rule answers.
    bus: Arc<Bus>,
    /// Prompts that no page has been told of, with what became of them so far.
    hidden: HashMap<PromptId, (InteractivePrompt, Option<AnswerProgress>)>,
    /// Prompts that are judged again at a time.
    later: HashMap<PromptId, Instant>,
    /// Responses that the ledger is to be told.
    queue: VecDeque<(PromptResponse, Actor, Ticket)>,
    /// Answers that are under way.
    answering: HashMap<PromptId, Answering>,
    /// Prompts whose automatic answer did not work, or that were only tried: a person answers them.
    done_with: HashSet<PromptId>,
    /// The prompt for whose danger the rules pause.
    dangerous: Option<PromptId>,
}

struct Answering {
    ticket: Ticket,
    automatic: Automatic,
    claimed: bool,
}

impl AutomaticAnswers {
    pub(super) fn new(rules: Arc<Rules>, bus: Arc<Bus>) -> Self {
        Self {
            rules,
            bus,
            hidden: HashMap::new(),
            later: HashMap::new(),
            queue: VecDeque::new(),
            answering: HashMap::new(),
            done_with: HashSet::new(),
            dangerous: None,
        }
    }

    /// The next response for the ledger.
    pub(super) fn next_response(&mut self) -> Option<(PromptResponse, Actor, Ticket)> {
        self.queue.pop_front()
    }

    /// When a prompt is to be judged again.
    pub(super) fn deadline(&self) -> Option<Instant> {
        self.later.values().min().copied()
    }

    /// True when rules see to all of these prompts, so that nobody needs to wait for a person. One that is over counts until its end
    /// has been carried out: the ledger says what the state was while it was open.
    pub(super) fn see_to(&self, open: &[PromptId]) -> bool {
        !self.hidden.is_empty() && open.iter().all(|prompt| self.hidden.contains_key(prompt))
    }

    /// Forgets an answer that has not been told to the ledger.
    fn withdraw(&mut self, prompt: PromptId) {
        let queued = self.queue.len();
        self.queue.retain(|(response, ..)| response.request_id != prompt);
        if self.queue.len() < queued
            && let Some(answering) = self.answering.remove(&prompt)
        {
            self.rules.take_back(&answering.automatic);
        }
        self.later.remove(&prompt);
    }
}

impl SessionTask {
    /// A prompt is open, or has changed: rules are asked before anybody else.
    pub(super) async fn show_or_answer(&mut self, prompt: InteractivePrompt) {
        let id = prompt.request_id;
        self.automatic.withdraw(id);
        if self.automatic.answering.contains_key(&id) {
            // Its answer is under way: what has changed is checked before the first key.
            return self.show(prompt);
        }
        let answerable = (!self.automatic.done_with.contains(&id))
            .then(|| self.automatic.rules.answerable(&prompt, &self.folder))
            .flatten();
        let Some(mut answerable) = answerable else { return self.reveal(prompt) };
        answerable.request.written = self.conversation.changed_files();
        let folder = self.automatic.rules.of_folder(&self.folder).await;
        match self.automatic.rules.decide(&answerable.request, &folder) {
            Decision::Ask { danger, would } => {
                if danger {
                    self.automatic.dangerous = Some(id);
                    self.pause_rules(Pause::AfterDanger, None).await;
                }
                if let Some(would) = would {
                    self.automatic.done_with.insert(id);
                    self.say_would(&prompt, would).await;
                }
                self.reveal(prompt);
            }
            Decision::Later(pause) => {
                self.automatic.later.insert(id, Instant::now() + pause);
                self.hide(prompt);
            }
            Decision::Answer(automatic) => {
                let Some(response) = answerable.response(&prompt, automatic.verdict, &automatic.message) else {
                    self.automatic.rules.take_back(&automatic);
                    return self.reveal(prompt);
                };
                let by = Actor::Rule { rule_id: automatic.rule_id.clone(), name: automatic.rule.clone() };
                let ticket = self.tickets.without_reply();
                self.automatic.queue.push_back((response, by, ticket));
                self.automatic.answering.insert(id, Answering { ticket, automatic, claimed: false });
                self.hide(prompt);
            }
        }
    }

    /// Judges the prompts again whose answer would have come too soon.
    pub(super) async fn judge_again(&mut self) -> ControlFlow<()> {
        let now = Instant::now();
        let due: Vec<PromptId> =
            self.automatic.later.iter().filter(|(_, at)| **at <= now).map(|(prompt, _)| *prompt).collect();
        for id in due {
            self.automatic.later.remove(&id);
            let hidden = self.automatic.hidden.get(&id).map(|(prompt, _)| prompt.clone());
            if let Some(prompt) = hidden.or_else(|| self.automatic.bus.prompt(id).map(|pending| pending.prompt)) {
                self.show_or_answer(prompt).await;
            }
        }
        self.carry_out(Vec::new()).await
    }

    /// Nobody is told of it for now; who knows it already is told what it says now.
    fn hide(&mut self, prompt: InteractivePrompt) {
        if self.automatic.bus.prompt(prompt.request_id).is_some() {
            return self.automatic.bus.publish(WireEvent::Prompt { prompt });
        }
        let progress = self.automatic.hidden.remove(&prompt.request_id).and_then(|(_, progress)| progress);
        self.automatic.hidden.insert(prompt.request_id, (prompt, progress));
    }

    /// What it says now, to whoever knows of it.
    fn show(&mut self, prompt: InteractivePrompt) {
        match self.automatic.hidden.get_mut(&prompt.request_id) {
            Some((hidden, _)) => *hidden = prompt,
            None => self.automatic.bus.publish(WireEvent::Prompt { prompt }),
        }
    }

    /// It is a person's to answer.
    pub(super) fn reveal(&mut self, prompt: InteractivePrompt) {
        let hidden = self.automatic.hidden.remove(&prompt.request_id);
        self.automatic.bus.publish(WireEvent::Prompt { prompt });
        if let Some((_, progress)) = hidden {
            if let Some(progress) = progress {
                self.automatic.bus.publish(WireEvent::PromptProgress { progress });
            }
            self.view.set_state(SessionState::Waiting);
        }
    }

    fn reveal_hidden(&mut self, prompt: PromptId) {
        if let Some((prompt, _)) = self.automatic.hidden.get(&prompt) {
            self.reveal(prompt.clone());
        }
    }

    /// The ledger has said what it makes of a response.
    pub(super) fn rule_was_told(&mut self, ticket: Ticket, result: &Result<(), RespondError>) {
        let Err(error) = result else { return };
        let of = self.automatic.answering.iter().find(|(_, answering)| answering.ticket == ticket);
        let Some(id) = of.map(|(prompt, _)| *prompt) else { return };
        tracing::info!(prompt = %id.0, error = error.kind(), "a rule's answer was not taken");
        if let Some(answering) = self.automatic.answering.remove(&id)
            && !answering.claimed
        {
            self.automatic.rules.take_back(&answering.automatic);
        }
        if *error == RespondError::FailedBefore {
            self.automatic.done_with.insert(id);
        }
        self.reveal_hidden(id);
    }

    /// Whether pages are told how far an answer is: not while nobody knows its prompt, unless it has not worked.
    pub(super) fn publish_progress(&mut self, progress: &AnswerProgress) {
        let id = progress.request_id;
        if let Some((_, last)) = self.automatic.hidden.get_mut(&id) {
            *last = Some(progress.clone());
            if matches!(progress.step, AnswerStep::Sending | AnswerStep::Typed) {
                return;
            }
            self.reveal_hidden(id);
        } else {
            self.automatic.bus.publish(WireEvent::PromptProgress { progress: progress.clone() });
        }
        if matches!(progress.step, AnswerStep::Failed { .. }) && self.automatic.answering.remove(&id).is_some() {
            self.automatic.done_with.insert(id);
        }
    }

    /// What the journal is told besides, when an answer wins: which rules it uses.
    pub(super) fn used_facts(&self, prompt: &InteractivePrompt, answer: &Answer, at: Millis) -> Vec<Fact> {
        let Some(answering) = self.automatic.answering.get(&prompt.request_id) else { return Vec::new() };
        if !matches!(answer.by, Actor::Rule { .. }) {
            return Vec::new();
        }
        let used = answering.automatic.used.iter();
        let fact = |rule: &String| {
            let body =
                json!({ "rule": rule, "name": answering.automatic.rule, "verdict": answering.automatic.verdict });
            let mut fact = Fact::new(FactKind::RuleUsed, at).about(prompt.request_id).with(body);
            fact.session = prompt.session_id;
            fact
        };
        used.map(fact).collect()
    }

    /// An answer has won, and is written down.
    pub(super) async fn note_winner(&mut self, prompt: &InteractivePrompt, by: &Actor, attempt: &AttemptRecord) {
        match by {
            Actor::Rule { .. } => {
                if let Some(answering) = self.automatic.answering.get_mut(&prompt.request_id) {
                    answering.claimed = true;
                    self.automatic.rules.note_used(&answering.automatic);
                }
            }
            Actor::Device { .. } | Actor::Notification { .. } => {
                self.automatic.rules.note_progress(self.session);
                let said = attempt.response.as_ref().and_then(|response| verdict_of(prompt, response));
                let permission = prompt.kind == shared_types::PromptKind::Permission;
                match said.filter(|_| permission) {
                    Some(RuleVerdict::Deny) => self.pause_rules(Pause::AfterNo, Some(by.clone())).await,
                    Some(RuleVerdict::Allow) if self.automatic.dangerous == Some(prompt.request_id) => {
                        self.automatic.rules.danger_is_over(self.session).await;
                    }
                    _ => {}
                }
            }
            Actor::Desk | Actor::Expiry | Actor::Unknown => {}
        }
    }

    /// A prompt is over. What a rule has answered is said in the conversation.
    pub(super) async fn publish_closed(&mut self, closing: Closing) {
        let Closing { prompt, outcome, by, .. } = closing;
        self.automatic.withdraw(prompt);
        self.automatic.done_with.remove(&prompt);
        let answering = self.automatic.answering.remove(&prompt);
        if let Some(Answering { automatic, claimed: false, .. }) = &answering {
            // It went by itself, or an answer from before a restart was finished, which has been counted.
            self.automatic.rules.take_back(automatic);
        }
        match self.automatic.hidden.remove(&prompt) {
            Some((hidden, _)) => self.automatic.bus.counters().on_unpublished(&hidden, &outcome, now_millis()),
            None => {
                self.automatic.bus.publish(WireEvent::PromptClosed { request_id: prompt, outcome: outcome.clone(), by })
            }
        }
        let by_rule = matches!(&outcome, PromptOutcome::Verified { answer } if matches!(answer.by, Actor::Rule { .. }));
        if let Some(Answering { automatic, .. }) = answering.filter(|_| by_rule) {
            self.say_automatic(automatic, false).await;
        }
    }

    /// Says what a rule would have answered that is only tried out.
    async fn say_would(&mut self, prompt: &InteractivePrompt, would: Automatic) {
        let body = json!({
            "rule": would.rule_id, "name": would.rule, "verdict": would.verdict, "shadow": true,
        });
        // Not "used": it has used nothing up.
        let fact = Fact::new(FactKind::RuleTried, now_millis()).about(prompt.request_id).with(body);
        self.record(fact.in_session(self.session)).await;
        self.say_automatic(would, true).await;
    }

    async fn say_automatic(&mut self, automatic: Automatic, shadow: bool) {
        let Automatic { asked, verdict, rule_id, rule, .. } = automatic;
        let body = MessageBody::Automatic { asked, verdict, rule_id, rule, shadow };
        self.conversation.append(body, &mut self.view).await;
    }

    /// Something happened after which a person should look: rules pause in this session.
    pub(super) async fn pause_rules(&self, why: Pause, by: Option<Actor>) {
        if let Err(error) = self.automatic.rules.pause(Some(self.session), why, by).await
            && let ChangeError::Store(error) = error
        {
            tracing::error!(%error, "cannot write down that rules pause");
        }
    }

    /// A person goes on with the session: the same may be answered again.
    pub(super) fn note_rules_progress(&self) {
        self.automatic.rules.note_progress(self.session);
    }
}
