//! Responses: claimed in the store, given to the hook or typed, and seen to work.

use adapters::{Reading, Refusal, Sighting, answer::Attempt, hook::Detail};
use shared_types::{Actor, Answer, AnswerStep, InteractivePrompt, PromptId, PromptResponse};
use uuid::Uuid;

use crate::{
    AFTER_KEYS, Ledger,
    event::{Claim, Effect, Moment, Pressed, RespondError, Ticket},
    prompt::{Claiming, Front, HeldHook, Prompt, Shown, ShownState, TICKETS_LIMIT, Telling, Typing, UnseenState},
    record::{AttemptRecord, AttemptStage, holds_secret},
    summary::summarize,
};

/// Answers to remembered prompts that may wait for the first look; one more is refused as busy.
pub(crate) const EARLY_LIMIT: usize = 16;

/// An answer that came before the screen was looked at.
#[derive(Debug)]
pub(crate) struct Early {
    pub(crate) response: PromptResponse,
    pub(crate) by: Actor,
    pub(crate) ticket: Ticket,
}

/// Whose keys are being pressed.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Pressing {
    /// An answer's; `last` when they complete it.
    Answer { last: bool },
    /// Our own way past a start-up dialog.
    Pass,
    /// Our own look through the pages of a dialog.
    Survey,
}

/// Where a response stands.
enum Standing {
    /// It was accepted before: the same answer has come again.
    Accepted,
    /// Its result is awaited.
    Waits,
}

/// An answer that is under way, as a further response finds it.
struct UnderWay<'a> {
    key: Option<Uuid>,
    answer: &'a Answer,
    /// Who waits for the same result, while there is none.
    tickets: Option<&'a mut Vec<Ticket>>,
}

impl Ledger {
    pub(crate) fn responded(&mut self, response: PromptResponse, by: Actor, ticket: Ticket, m: &Moment) {
        if self.remembers(response.request_id) {
            if self.early.len() >= EARLY_LIMIT {
                return self.reply(vec![ticket], &Err(RespondError::Busy));
            }
            // Right after a restart phones are quick: the screen says whether the prompt still stands.
            self.early.push(Early { response, by, ticket });
            return self.wake_by(m.at);
        }
        match self.claim(response, by, ticket, m) {
            Ok(Standing::Accepted) => self.reply(vec![ticket], &Ok(())),
            Ok(Standing::Waits) => {}
            Err(error) => self.reply(vec![ticket], &Err(error)),
        }
    }

    fn remembers(&self, prompt: PromptId) -> bool {
        self.remembered.iter().any(|record| record.prompt.request_id == prompt)
    }

    /// Takes the answers that came before it was known what the screen shows. A prompt whose hook may still come again is
    /// remembered for a while longer, and so are the answers to it.
    pub(crate) fn take_early(&mut self, m: &Moment) {
        if self.tracker.settled().is_none() || matches!(self.front, Front::Surveying(_)) {
            return;
        }
        let early = std::mem::take(&mut self.early).into_iter();
        let (wait, known): (Vec<_>, Vec<_>) = early.partition(|early| self.remembers(early.response.request_id));
        self.early = wait;
        for Early { response, by, ticket } in known {
            self.responded(response, by, ticket, m);
            self.wake_by(m.at);
        }
    }

    /// Checks that a response is the first and fits, and asks the store.
    fn claim(
        &mut self,
        response: PromptResponse,
        by: Actor,
        ticket: Ticket,
        m: &Moment,
    ) -> Result<Standing, RespondError> {
        let id = response.request_id;
        let shown = self.front.shown().is_some_and(|shown| shown.prompt.id() == id);
        let prompt = self.prompt(id).ok_or(RespondError::Gone)?;
        if prompt.has_failed(&response) {
            return Err(RespondError::FailedBefore);
        }
        if let Some(under_way) = self.under_way(id) {
            let again = response.idempotency_key.is_some() && response.idempotency_key == under_way.key;
            return match under_way.tickets {
                _ if !again => Err(RespondError::AlreadyAnswered(under_way.answer.clone())),
                Some(tickets) if tickets.len() >= TICKETS_LIMIT => Err(RespondError::Busy),
                Some(tickets) => {
                    tickets.push(ticket);
                    Ok(Standing::Waits)
                }
                None => Ok(Standing::Accepted),
            };
        }
        let prompt = self.prompt(id).ok_or(RespondError::Gone)?;
        if let (Some(read), Some(told)) = (&response.digest, &prompt.wire.digest)
            && read != told
        {
            return Err(RespondError::Changed);
        }
        if prompt.wire.warning.is_some() {
            return Err(Refusal::TerminalOnly.into());
        }
        if shown && (m.typing || self.front.is_typed_into()) {
            return Err(RespondError::Busy);
        }
        let (sighting, hook) = self.sighting_of(id).ok_or(Refusal::TerminalOnly)?;
        let waiting = hook.filter(|hook| hook.waits);
        let decision = waiting.and_then(|hook| self.adapter.decide(&hook.request, &sighting, &response));
        if decision.is_none() && !shown {
            let coming = hook.is_some_and(|hook| !hook.waits);
            return Err(if coming { RespondError::DialogComing } else { RespondError::NotDrawn });
        }
        if decision.is_none() {
            self.adapter.answer(&sighting, &response)?;
        }
        let stage = if decision.is_some() { AttemptStage::Told } else { AttemptStage::Begun };
        let attempt = AttemptRecord {
            stage,
            key: response.idempotency_key,
            response: (!holds_secret(&prompt.wire, &response)).then(|| response.clone()),
            hook: waiting.map(|hook| hook.id).filter(|_| decision.is_some()),
            context: self.tracker.above().0.clone(),
        };
        let answer = Answer { by, summary: summarize(&prompt.wire, &response) };
        let (wire, fingerprint) = (Box::new(prompt.wire.clone()), prompt.fingerprint);
        self.out.push(Effect::Claim { prompt: wire, fingerprint, answer: answer.clone(), attempt: attempt.clone() });
        let claiming = Claiming { tickets: vec![ticket], response, answer, attempt, decision };
        if shown {
            if let Some(shown) = self.front.shown_mut() {
                shown.state = ShownState::Claiming(claiming);
            }
        } else if let Some(unseen) = self.unseen.iter_mut().find(|unseen| unseen.prompt.id() == id) {
            unseen.state = UnseenState::Claiming(claiming);
        }
        Ok(Standing::Waits)
    }

    pub(crate) fn claimed(&mut self, id: PromptId, claim: Claim, m: &Moment) {
        let Some(mut claiming) = self.take_claiming(id) else { return };
        let refusal = match claim {
            Claim::Won => None,
            Claim::Lost => Some(RespondError::Taken),
            Claim::Failed(error) => Some(RespondError::Store(error)),
        };
        if let Some(refusal) = refusal {
            return self.reply(claiming.tickets, &Err(refusal));
        }
        if let Some(decision) = claiming.decision.take() {
            return self.tell_hook(id, claiming, decision);
        }
        self.reply(std::mem::take(&mut claiming.tickets), &Ok(()));
        self.begin_typing(claiming.response, claiming.answer, claiming.attempt, m);
    }

    /// Gives the hook its decision.
    fn tell_hook(&mut self, id: PromptId, claiming: Claiming, decision: String) {
        let Claiming { tickets, response, answer, attempt, .. } = claiming;
        let telling = Telling { tickets, response, answer, attempt };
        let hook = match self.front.shown_mut().filter(|shown| shown.prompt.id() == id) {
            Some(shown) => {
                shown.state = ShownState::Telling(telling);
                shown.hook.as_ref().map(|hook| hook.id)
            }
            None => self.unseen.iter_mut().find(|unseen| unseen.prompt.id() == id).map(|unseen| {
                unseen.state = UnseenState::Telling(telling);
                unseen.hook.id
            }),
        };
        if let Some(hook) = hook {
            self.effect(Effect::AnswerHook { hook, prompt: id, decision });
        }
    }

    /// The hook was given its decision, or was not there any more: then the answer must be typed.
    pub(crate) fn hook_answered(&mut self, hook: Uuid, heard: bool, m: &Moment) {
        if let Some(shown) = self.front.shown_mut().filter(|shown| shown.is_held_for(hook)) {
            if let Some(held) = &mut shown.hook {
                held.waits = false;
            }
            let ShownState::Telling(telling) = &mut shown.state else { return };
            let tickets = std::mem::take(&mut telling.tickets);
            let (id, answer, retold) = (shown.prompt.id(), telling.answer.clone(), tickets.is_empty());
            let ShownState::Telling(telling) = std::mem::replace(&mut shown.state, ShownState::Waiting) else { return };
            self.reply(tickets, &Ok(()));
            match (heard, self.front.shown_mut()) {
                (true, Some(shown)) => {
                    let decided = telling.heard(m.at);
                    let type_at = decided.type_at;
                    shown.state = ShownState::Decided(decided);
                    self.tracker.expect_end(type_at);
                    self.publish_step(id, answer, AnswerStep::Typed);
                    self.wake_by(type_at);
                }
                (false, Some(shown)) if retold => shown.state = ShownState::Decided(telling.typed_at(m.at)),
                _ => self.begin_typing(telling.response, telling.answer, telling.attempt, m),
            }
            return self.wake_by(m.at);
        }
        let Some(unseen) = self.unseen.iter_mut().find(|unseen| unseen.hook.id == hook) else { return };
        unseen.hook.waits = false;
        let UnseenState::Telling(telling) = &mut unseen.state else { return };
        let tickets = std::mem::take(&mut telling.tickets);
        let (id, answer, key) = (unseen.prompt.id(), telling.answer.clone(), telling.attempt.key);
        let UnseenState::Telling(telling) = std::mem::replace(&mut unseen.state, UnseenState::Waiting) else { return };
        if heard {
            let decided = telling.heard(m.at);
            let type_at = decided.type_at;
            unseen.state = UnseenState::Decided { decided, hook_left: false };
            self.reply(tickets, &Ok(()));
            self.publish_step(id, answer, AnswerStep::Typed);
            self.wake_by(type_at);
        } else if tickets.is_empty() {
            self.report_cut_short(id, answer, key);
        } else {
            // Nothing was typed: the same answer may come again.
            let coming = RespondError::DialogComing;
            self.effect(Effect::Reopen { prompt: id, reason: coming.to_string(), cause: coming.kind() });
            self.reply(tickets, &Err(coming));
        }
        self.wake_by(m.at);
    }

    /// Begins to type an answer to the prompt on the screen.
    pub(crate) fn begin_typing(&mut self, response: PromptResponse, answer: Answer, record: AttemptRecord, m: &Moment) {
        let typed = self.typed_at.max(self.tracker.typed_at());
        let read = self.tracker.settled().and_then(Reading::sighting).cloned();
        let read = read.map(|dialog| self.details.complete(self.adapter, dialog.fingerprint(), dialog));
        let deaf = read.as_ref().map_or(self.adapter.profile().deaf, |dialog| self.adapter.deaf(dialog));
        let Some(shown) = self.front.shown_mut() else { return };
        let machine = Attempt::new(response, shown.prompt.fingerprint).not_before(deaf.hears_at(shown.since, typed));
        let id = shown.prompt.id();
        let typing = Typing {
            machine,
            answer: answer.clone(),
            record,
            read,
            otherwise_since: None,
            presses: 0,
            submitted_at: None,
        };
        shown.state = ShownState::Typing(Box::new(typing));
        self.publish_step(id, answer, AnswerStep::Sending);
        self.wake_by(m.at);
    }

    pub(crate) fn pressed(&mut self, pressed: Pressed, m: &Moment) {
        let Some(pressing) = self.pressing.take() else { return };
        self.typed_at = Some(m.at);
        self.wake_by(m.at + AFTER_KEYS);
        match (pressing, pressed) {
            (Pressing::Answer { last: true }, Pressed::Pressed) => self.publish_typing(AnswerStep::Typed),
            // Whether they arrived is for the screen to say: the answer is watched, and nothing is pressed again.
            (Pressing::Answer { last: true }, Pressed::Unknown(reason)) => {
                self.publish_typing(AnswerStep::Unknown { reason });
            }
            (Pressing::Answer { .. }, Pressed::NotPressed(why)) => self.answer_failed("not pressed", why, m),
            (Pressing::Answer { .. }, Pressed::NotStored(error)) => {
                let typed = matches!(self.front.shown().map(|shown| &shown.state),
                    Some(ShownState::Typing(typing)) if typing.presses > 1);
                let words = if typed { "the answer was not completed" } else { "nothing was typed" };
                self.answer_failed("not stored", format!("{words}: {error}"), m);
            }
            (Pressing::Pass, Pressed::NotPressed(_) | Pressed::NotStored(_)) => self.not_passed(m),
            // Each of these machines sees on the screen what has come of its keys.
            (Pressing::Answer { last: false }, Pressed::Pressed | Pressed::Unknown(_))
            | (Pressing::Pass, Pressed::Pressed | Pressed::Unknown(_))
            | (Pressing::Survey, _) => {}
        }
    }

    /// The CLI has written down what came of a call: the prompt about it is over, whatever stands in its place.
    pub(crate) fn call_ended(&mut self, call: &Detail, m: &Moment) {
        let Some(Reading::Prompt(dialog)) = self.tracker.settled() else { return };
        let Front::Shown(shown) = &mut self.front else { return };
        let ShownState::Typing(typing) = &mut shown.state else { return };
        if dialog.fingerprint() == shown.prompt.fingerprint && self.adapter.complete(call, dialog).is_some() {
            typing.machine.note_over();
            self.wake_by(m.at);
        }
    }

    pub(crate) fn publish_typing(&mut self, step: AnswerStep) {
        let Some(shown) = self.front.shown() else { return };
        let ShownState::Typing(typing) = &shown.state else { return };
        let (id, answer) = (shown.prompt.id(), typing.answer.clone());
        self.publish_step(id, answer, step);
    }

    /// The answer under way did not work: the prompt is open again, and everybody knows why.
    pub(crate) fn answer_failed(&mut self, cause: &'static str, reason: String, m: &Moment) {
        self.wake_by(m.at + AFTER_KEYS);
        let Some(shown) = self.front.shown_mut() else { return };
        let ShownState::Typing(typing) = std::mem::replace(&mut shown.state, ShownState::Waiting) else { return };
        shown.prompt.note_failed(typing.record.key);
        let id = shown.prompt.id();
        self.effect(Effect::Reopen { prompt: id, reason: reason.clone(), cause });
        self.publish_step(id, typing.answer, AnswerStep::Failed { reason });
    }

    /// The terminal does not answer: what was not typed yet is refused now rather than typed some time later. An answer whose
    /// keys are typed goes on: whether they arrived is for the screen to say.
    pub(crate) fn unreachable(&mut self, why: &str, m: &Moment) {
        self.away = true;
        self.wake = None;
        for early in std::mem::take(&mut self.early) {
            self.reply(vec![early.ticket], &Err(RespondError::Unreachable(why.to_owned())));
        }
        let untyped = |shown: &Shown| matches!(&shown.state, ShownState::Typing(typing) if !typing.machine.has_typed());
        if self.front.shown().is_some_and(untyped) {
            self.answer_failed("unreachable", why.to_owned(), m);
        }
    }

    fn prompt(&self, id: PromptId) -> Option<&Prompt> {
        let shown = self.front.shown().map(|shown| &shown.prompt);
        shown.into_iter().chain(self.unseen.iter().map(|unseen| &unseen.prompt)).find(|prompt| prompt.id() == id)
    }

    /// What is asked by an open prompt.
    pub(crate) fn wire(&self, id: PromptId) -> Option<&InteractivePrompt> {
        self.prompt(id).map(|prompt| &prompt.wire)
    }

    /// True while an answer to this prompt is under way.
    pub(crate) fn is_answered(&mut self, id: PromptId) -> bool {
        self.under_way(id).is_some()
    }

    /// The answer that is under way to this prompt.
    fn under_way(&mut self, id: PromptId) -> Option<UnderWay<'_>> {
        let shown = self.front.shown_mut().filter(|shown| shown.prompt.id() == id);
        if let Some(shown) = shown {
            return match &mut shown.state {
                ShownState::Waiting => None,
                ShownState::Claiming(Claiming { response, answer, tickets, .. })
                | ShownState::Telling(Telling { response, answer, tickets, .. }) => {
                    Some(UnderWay { key: response.idempotency_key, answer, tickets: Some(tickets) })
                }
                ShownState::Decided(decided) => {
                    let key = decided.response.idempotency_key;
                    Some(UnderWay { key, answer: &decided.answer, tickets: None })
                }
                ShownState::Typing(typing) => {
                    Some(UnderWay { key: typing.record.key, answer: &typing.answer, tickets: None })
                }
            };
        }
        match &mut self.unseen.iter_mut().find(|unseen| unseen.prompt.id() == id)?.state {
            UnseenState::Waiting | UnseenState::LetGo(_) => None,
            UnseenState::Claiming(Claiming { response, answer, tickets, .. })
            | UnseenState::Telling(Telling { response, answer, tickets, .. }) => {
                Some(UnderWay { key: response.idempotency_key, answer, tickets: Some(tickets) })
            }
            UnseenState::Decided { decided, .. } => {
                let key = decided.response.idempotency_key;
                Some(UnderWay { key, answer: &decided.answer, tickets: None })
            }
        }
    }

    fn take_claiming(&mut self, id: PromptId) -> Option<Claiming> {
        if let Some(shown) = self.front.shown_mut().filter(|shown| shown.prompt.id() == id) {
            return match std::mem::replace(&mut shown.state, ShownState::Waiting) {
                ShownState::Claiming(claiming) => Some(claiming),
                other => {
                    shown.state = other;
                    None
                }
            };
        }
        let unseen = self.unseen.iter_mut().find(|unseen| unseen.prompt.id() == id)?;
        match std::mem::replace(&mut unseen.state, UnseenState::Waiting) {
            UnseenState::Claiming(claiming) => Some(claiming),
            other => {
                unseen.state = other;
                None
            }
        }
    }

    /// How a prompt stands before the person, and its hook: the dialog as it is now, with what the hook tells.
    fn sighting_of(&self, id: PromptId) -> Option<(Sighting, Option<&HeldHook>)> {
        if let Some(shown) = self.front.shown().filter(|shown| shown.prompt.id() == id) {
            return Some((self.shown_sighting(shown)?, shown.hook.as_ref()));
        }
        let unseen = self.unseen.iter().find(|unseen| unseen.prompt.id() == id)?;
        Some((unseen.hook.request.sighting.clone(), Some(&unseen.hook)))
    }

    fn shown_sighting(&self, shown: &Shown) -> Option<Sighting> {
        let dialog = self.tracker.settled().and_then(Reading::sighting);
        let dialog = dialog.filter(|dialog| dialog.fingerprint() == shown.prompt.fingerprint);
        match (&shown.hook, dialog) {
            (Some(hook), Some(dialog)) => Some(hook.request.complete(dialog)),
            (Some(hook), None) => Some(hook.request.sighting.clone()),
            (None, dialog) => dialog.cloned(),
        }
    }

    /// What the shown prompt's hook would be told.
    pub(crate) fn decide(&self, shown: &Shown, response: &PromptResponse) -> Option<String> {
        let hook = shown.hook.as_ref().filter(|hook| hook.waits)?;
        self.adapter.decide(&hook.request, &self.shown_sighting(shown)?, response)
    }
}
