//! Hooks that ask, joined to their dialogs.
//!
//! A hook that asks arrives before its dialog is drawn, and its prompt is published at once as *unseen*. The dialog, when it is
//! seen, is joined to it: one prompt, with the dialog's own options and all that the hook tells. Either may be answered, and
//! when the dialog goes the hook is let go.

use std::time::Duration;

use adapters::{
    Reading, Sighting,
    hook::{Detail, Match},
};
use shared_types::{Answer, PromptId, SessionState};
use uuid::Uuid;

use crate::{
    Ledger,
    event::{Effect, HookCall, Moment},
    prompt::{HeldHook, Prompt, ShownState, Telling, Unseen, UnseenState},
    record::{AttemptRecord, StoredPrompt},
};

/// How long a request may be without its dialog while no other dialog is in the way. Claude holds dialogs back for 1.5 s after
/// typing, and those of agents in the background until their hook has ended; so the hook is then let go.
pub(crate) const UNSEEN_LIMIT: Duration = Duration::from_secs(4);
/// How long after that the dialog may take. Without it the request is over.
pub(crate) const LET_GO_LIMIT: Duration = Duration::from_secs(4);
/// Hooks that wait without a dialog. One more is let go at once: its dialog is then read from the screen alone.
pub(crate) const HOOKS_LIMIT: usize = 64;

impl Ledger {
    pub(crate) fn hook_arrived(
        &mut self,
        call: HookCall,
        known: Option<StoredPrompt>,
        screen_is_current: bool,
        m: &Moment,
    ) {
        let hook = HeldHook::from(call);
        self.wake_by(m.at);
        if let Some(shown) = self.front.shown_mut().filter(|shown| shown.is_held_for(hook.id)) {
            // It has come again, after its connection was lost.
            shown.hook = Some(hook);
            return;
        }
        if let Some(unseen) = self.unseen.iter_mut().find(|unseen| unseen.hook.id == hook.id) {
            unseen.hook = hook;
            return;
        }
        if let Some((arrived, _)) = self.arrived.iter_mut().find(|(arrived, _)| arrived.id == hook.id) {
            *arrived = hook;
            return;
        }
        if self.arrived.len() + self.unseen.len() >= HOOKS_LIMIT {
            return self.release(Some(hook));
        }
        self.arrived.push((hook, known));
        self.show_hidden();
        if screen_is_current {
            // The person need not wait for another look.
            self.place_arrived(m);
        }
    }

    /// Finds a place for hooks that have arrived, once it is known what the screen shows.
    pub(crate) fn place_arrived(&mut self, m: &Moment) {
        if self.tracker.settled().is_none() || self.front.is_typed_into() {
            return;
        }
        for (hook, known) in std::mem::take(&mut self.arrived) {
            if self.front.shown().is_some_and(|shown| shown.was_told_by(hook.id)) {
                self.tell_again(hook, m);
                continue;
            }
            if let Some(shown) = self.front.shown_mut().filter(|shown| shown.prompt.id().0 == hook.id) {
                // Its own prompt is on the screen; an equal request may have joined it meanwhile, and has one of its own.
                let other =
                    if matches!(shown.state, ShownState::Waiting) { shown.hook.replace(hook) } else { Some(hook) };
                if let Some(dialog) = self.tracker.settled().and_then(Reading::sighting).cloned() {
                    self.prompt_seen(&dialog, None, m);
                }
                if let Some(other) = other {
                    self.open_unseen(other, None, m);
                }
                continue;
            }
            let dialog = self.tracker.settled().and_then(Reading::sighting).cloned();
            let free = self.front.shown().is_some_and(crate::prompt::Shown::takes_a_hook);
            match dialog.filter(|dialog| free && hook.request.shown_by(dialog) > Match::No) {
                Some(dialog) => {
                    if let Some(shown) = self.front.shown_mut() {
                        shown.hook = Some(hook);
                    }
                    self.prompt_seen(&dialog, None, m);
                }
                None => self.open_unseen(hook, known, m),
            }
        }
    }

    fn open_unseen(&mut self, hook: HeldHook, known: Option<StoredPrompt>, m: &Moment) {
        let remembered = self.remembered.iter().position(|record| record.is_asked_by(hook.id));
        let remembered = remembered.map(|at| self.remembered.swap_remove(at));
        let id = remembered.as_ref().map_or(PromptId(hook.id), |record| record.prompt.request_id);
        if self.open_prompt_ids().contains(&id) {
            // Its dialog is being answered already.
            return self.release(Some(hook));
        }
        let over = known.filter(|record| remembered.is_none() && !record.open);
        if over.is_some() && !self.given_up.contains(&id) {
            // Its dialog is over, and it is about to be ended with it.
            return self.release(Some(hook));
        }
        if over.is_some() {
            self.effect(Effect::Revive { prompt: id });
        }
        let created_at = remembered.as_ref().and_then(|record| record.prompt.created_at).unwrap_or(m.wall);
        let wire = self.judged(hook.request.sighting.to_prompt(id, self.session, self.kind, created_at));
        let mut wire = crate::looks::with_digest(wire);
        self.clocks.stamp(&mut wire, m);
        let fingerprint = hook.request.sighting.fingerprint();
        let tried = remembered.as_ref().map(|record| record.tried.clone()).unwrap_or_default();
        let is_new = remembered.is_none() && over.is_none();
        self.effect(Effect::Open { prompt: Box::new(wire.clone()), fingerprint, is_new });
        let prompt = Prompt::new(wire, fingerprint, tried);
        self.unseen.push(Unseen { prompt, hook, since: m.at, state: UnseenState::Waiting });
        self.wake_by(m.at + UNSEEN_LIMIT);
        self.effect(Effect::State(SessionState::Waiting));
        if let Some((answer, attempt)) = remembered.and_then(|record| Some((record.answer?, record.attempt))) {
            self.tell_unheard(id, answer, attempt);
        }
        // It came too late after a restart and was taken for gone, and an answer to it for heard.
        if let Some(answer) = over.and_then(|record| record.answer) {
            self.report_cut_short(id, answer, None);
        }
    }

    /// A hook that was told before a restart is here again, so it did not hear it.
    fn tell_again(&mut self, hook: HeldHook, m: &Moment) {
        let Some(shown) = self.front.shown_mut() else { return };
        let state = std::mem::replace(&mut shown.state, ShownState::Waiting);
        let ShownState::Decided(decided) = state else {
            shown.state = state;
            return;
        };
        let (call, prompt) = (hook.id, shown.prompt.id());
        shown.hook = Some(hook);
        let decision = self.front.shown().and_then(|shown| self.decide(shown, &decided.response));
        let Some(shown) = self.front.shown_mut() else { return };
        let crate::prompt::Decided { answer, response, attempt, .. } = decided;
        let telling = Telling { tickets: Vec::new(), response, answer, attempt };
        match decision {
            Some(decision) => {
                shown.state = ShownState::Telling(telling);
                self.effect(Effect::AnswerHook { hook: call, prompt, decision });
            }
            // It cannot be said any more: typed it can be.
            None => shown.state = ShownState::Decided(telling.typed_at(m.at)),
        }
        self.wake_by(m.at);
    }

    /// An answer that was on its way when the server went down has not arrived, because its hook is here again.
    fn tell_unheard(&mut self, id: PromptId, answer: Answer, attempt: Option<AttemptRecord>) {
        let response = attempt.as_ref().and_then(|attempt| attempt.response.clone());
        let unseen = self.unseen.iter_mut().find(|unseen| unseen.prompt.id() == id);
        let (Some(unseen), Some(attempt), Some(response)) = (unseen, &attempt, response) else {
            return self.report_cut_short(id, answer, attempt.and_then(|attempt| attempt.key));
        };
        let request = &unseen.hook.request;
        match self.adapter.decide(request, &request.sighting, &response) {
            Some(decision) => {
                let hook = unseen.hook.id;
                let attempt = attempt.clone();
                unseen.state = UnseenState::Telling(Telling { tickets: Vec::new(), response, answer, attempt });
                self.effect(Effect::AnswerHook { hook, prompt: id, decision });
            }
            None => self.report_cut_short(id, answer, attempt.key),
        }
    }

    /// The unseen prompt that this dialog belongs to, off the list.
    pub(crate) fn take_unseen(&mut self, dialog: &Sighting) -> Option<Unseen> {
        let matches = |unseen: &Unseen| unseen.hook.request.shown_by(dialog);
        let is_sure = |unseen: &Unseen| matches(unseen) == Match::Yes;
        // One that waits comes before an equal one that was answered.
        let sure = self.unseen.iter().position(|unseen| unseen.is_undecided() && is_sure(unseen));
        let at = sure.or_else(|| self.unseen.iter().position(is_sure)).or_else(|| {
            // A dialog that does not say what it is about belongs to a request only when there is no other.
            let mut possible = (0..self.unseen.len()).filter(|at| matches(&self.unseen[*at]) == Match::Perhaps);
            possible.next().filter(|_| possible.next().is_none())
        });
        at.map(|at| self.unseen.remove(at))
    }

    pub(crate) fn hook_left(&mut self, hook: Uuid, m: &Moment) {
        self.arrived.retain(|(arrived, _)| arrived.id != hook);
        if let Some(held) = self.front.shown_mut().and_then(|shown| shown.hook.as_mut()).filter(|held| held.id == hook)
        {
            // What it told still holds; the screen says what becomes of the dialog.
            held.waits = false;
            self.wake_by(m.at);
        }
        // One that was let go leaves its prompt behind: the dialog comes now.
        let is_over = |unseen: &Unseen| unseen.hook.id == hook && !matches!(unseen.state, UnseenState::LetGo(_));
        let Some(at) = self.unseen.iter().position(is_over) else { return };
        self.unseen[at].hook.waits = false;
        if self.front.shown().is_none()
            && let UnseenState::Decided { hook_left, .. } = &mut self.unseen[at].state
        {
            // Its dialog may stand on the screen for a moment yet, and must not be taken for another's: a fresh look tells.
            *hook_left = true;
            self.tracker.expect_rest(m.at);
            return self.wake_by(m.at);
        }
        let unseen = self.unseen.remove(at);
        self.close_unseen(unseen, m);
    }

    /// Ends a prompt whose dialog was never seen.
    fn close_unseen(&mut self, mut unseen: Unseen, m: &Moment) {
        self.reply(unseen.tickets(), &Err(crate::RespondError::Gone));
        let (id, outcome) = (unseen.prompt.id(), unseen.outcome_when_gone());
        if let UnseenState::Decided { decided, .. } = &unseen.state {
            self.echoes.note(unseen.hook.request.clone(), decided.type_at);
        }
        self.release(Some(unseen.hook));
        self.close(id, outcome, None, m);
        if self.unseen.is_empty() && self.front.shown().is_none() {
            self.tracker.settle_again();
        }
        self.wake_by(m.at);
    }

    /// Lets go of requests that no dialog belongs to, and types answers that a hook did not carry out.
    pub(crate) fn watch_requests(&mut self, m: &Moment) {
        self.watch_unseen(m);
        let Some(shown) = self.front.shown_mut() else { return };
        let ShownState::Decided(decided) = &shown.state else { return };
        let type_at = decided.type_at;
        if m.at < type_at {
            return self.wake_by(type_at);
        }
        let dialog = self.tracker.settled().and_then(Reading::sighting).cloned();
        let next = dialog.as_ref().and_then(|dialog| self.take_unseen(dialog));
        if let (Some(next), Some(dialog)) = (next, dialog) {
            // An equal one has taken its place: that is the next request's, and ours was carried out.
            if let Some(outcome) = self.front.shown().map(crate::prompt::Shown::outcome_when_gone) {
                self.close_shown(outcome, m);
            }
            self.unseen.insert(0, next);
            return self.prompt_seen(&dialog, None, m);
        }
        if m.typing {
            return self.wake_by(m.at + crate::AFTER_KEYS);
        }
        let Some(shown) = self.front.shown_mut() else { return };
        if let ShownState::Decided(decided) = std::mem::replace(&mut shown.state, ShownState::Waiting) {
            self.begin_typing(decided.response, decided.answer, decided.attempt, m);
        }
    }

    /// Lets hooks go whose dialog does not come, and gives up the requests of those whose dialog does not come even then.
    fn watch_unseen(&mut self, m: &Moment) {
        // A dialog of theirs would have been joined to them by now.
        let was_heard = |unseen: &Unseen| matches!(unseen.state, UnseenState::Decided { hook_left: true, .. });
        while self.tracker.settled().is_some()
            && let Some(at) = self.unseen.iter().position(was_heard)
        {
            let unseen = self.unseen.remove(at);
            self.close_unseen(unseen, m);
        }
        // Behind another dialog they wait for their turn.
        if self.unseen.is_empty() || self.tracker.settled().is_none_or(Reading::asks) {
            return;
        }
        let mut released = Vec::new();
        for unseen in &mut self.unseen {
            if matches!(unseen.state, UnseenState::Waiting) && unseen.since + UNSEEN_LIMIT <= m.at {
                unseen.state = UnseenState::LetGo(m.at);
                if std::mem::take(&mut unseen.hook.waits) {
                    released.push(unseen.hook.id);
                }
            }
        }
        for hook in released {
            self.effect(Effect::ReleaseHook { hook });
        }
        // One that was answered through its hook needs no dialog, and a hook that stays behind does not keep it open.
        let ends = |unseen: &Unseen| match &unseen.state {
            UnseenState::Waiting => Some(unseen.since + UNSEEN_LIMIT),
            UnseenState::LetGo(at) => Some(*at + LET_GO_LIMIT),
            UnseenState::Decided { decided, .. } => Some(decided.type_at),
            UnseenState::Claiming(_) | UnseenState::Telling(_) => None,
        };
        while let Some(at) = self.unseen.iter().position(|unseen| ends(unseen).is_some_and(|ends| ends <= m.at)) {
            let unseen = self.unseen.remove(at);
            self.close_unseen(unseen, m);
        }
        if let Some(next) = self.unseen.iter().filter_map(ends).min() {
            self.wake_by(next);
        }
    }

    /// A hook tells more about a dialog, which may stand on the screen already.
    pub(crate) fn detailed(&mut self, detail: Detail, m: &Moment) {
        self.details.add(detail);
        let dialog = self.tracker.settled().and_then(Reading::sighting).cloned();
        if let Some(dialog) = dialog.filter(|_| self.front.shown().is_some() && !self.front.is_typed_into()) {
            self.prompt_seen(&dialog, None, m);
        }
    }
}
