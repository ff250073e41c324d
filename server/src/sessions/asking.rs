//! What the CLI says through its hooks: where its conversation is, and what it asks.
//!
//! A hook that asks arrives before its dialog is drawn, and is told to the phones at once as an *unseen* prompt. The dialog,
//! when it is seen, is joined to it: one prompt, with the dialog's own options and all that the hook tells. Either may be
//! answered, and when the dialog goes the hook is let go.

use std::time::Duration;

use adapters::{
    Fingerprint, Sighting,
    hook::{self, Match, Request},
};
use shared_types::{
    Answer, AnswerStep, Event, InteractivePrompt, PromptId, PromptOutcome, PromptResponse, SessionState,
};
use tokio::{sync::oneshot, time::Instant};
use uuid::Uuid;

use super::task::{OpenPrompt, SessionTask};
use crate::{clock::now_millis, hooks::Arrived, store::AttemptRecord};

/// How long the CLI may take to close its dialog after its hook was told; then the answer is typed.
const DECIDED_LIMIT: Duration = Duration::from_secs(5);
/// How long a request may be without its dialog while no other dialog is in the way. Claude holds dialogs back for 1.5 s after
/// typing, and those of agents in the background until their hook has ended; so the hook is then let go.
const UNSEEN_LIMIT: Duration = Duration::from_secs(4);
/// How long after that the dialog may take. Without it the request is over.
const LET_GO_LIMIT: Duration = Duration::from_secs(4);
/// Files larger than this are not read for a diff.
const DIFF_LIMIT: u64 = 1024 * 1024;

/// A hook that waits for its decision.
pub(super) struct Held {
    pub(super) id: Uuid,
    pub(super) request: Request,
    /// Where its decision goes, until it has one.
    reply: Option<oneshot::Sender<String>>,
}

impl Held {
    /// Lets it go without a decision.
    fn let_go(self) {
        if let Some(reply) = self.reply {
            let _ = reply.send(String::new());
        }
    }
}

/// An answer that was given to a hook.
pub(super) struct Decided {
    pub(super) answer: Answer,
    pub(super) response: PromptResponse,
    /// When it is typed instead, if the dialog still stands.
    pub(super) type_at: Instant,
    /// True once the hook has gone with it.
    hook_left: bool,
}

impl Decided {
    /// Told just now.
    pub(super) fn now(answer: Answer, response: PromptResponse) -> Self {
        Self { answer, response, type_at: Instant::now() + DECIDED_LIMIT, hook_left: false }
    }
}

impl SessionTask {
    /// A hook of the CLI has arrived.
    pub(super) async fn on_hook(&mut self, arrived: Arrived) {
        let reading = self.adapter.read_hook(&arrived.payload);
        if let Some(detail) = self.adapter.read_detail(&arrived.payload) {
            self.on_detail(detail).await;
        }
        if let Some(conversation) = reading.conversation {
            self.follow_conversation(conversation.id, conversation.transcript).await;
        }
        let Some(mut request) = reading.request else {
            // It only tells: let it go at once, the CLI waits for it.
            let _ = arrived.reply.send(String::new());
            return;
        };
        add_diff(&mut request, &self.record.folder).await;
        let held = Held { id: arrived.id, request, reply: Some(arrived.reply) };
        if let Some(open) = self.open.iter_mut().chain(&mut self.unseen).find(|open| open.is_asked_by(held.id)) {
            // It has come again, after its connection was lost.
            open.held = Some(held);
            return;
        }
        self.arrived.push(held);
        if self.has_seen_all() {
            // What is on the screen is known: the person need not wait for another look.
            self.place_arrived().await;
        }
        self.look_by(Instant::now());
    }

    /// A hook that was told before a restart is here again, so it did not hear it.
    fn tell_again(&mut self, held: Held) {
        let Some(open) = self.open.as_mut() else { return };
        let id = open.prompt.request_id;
        open.held = Some(held);
        let decided = open.decided.take();
        let (Some(decided), Some(open)) = (decided, &self.open) else { return };
        let request = open.held.as_ref().map(|held| &held.request);
        let shown = self.shown(open);
        let decision =
            request.zip(shown).and_then(|(request, shown)| self.adapter.decide(request, &shown, &decided.response));
        let Decided { answer, response, .. } = decided;
        let told = decision.is_some_and(|decision| self.tell_hook(id, decision, answer.clone(), response.clone()));
        if !told && let Some(open) = &mut self.open {
            // It cannot be said any more: typed it can be.
            open.decided = Some(Decided { type_at: Instant::now(), ..Decided::now(answer, response) });
        }
        self.look_by(Instant::now());
    }

    /// Finds a place for hooks that have arrived, once it is known what the screen shows.
    pub(super) async fn place_arrived(&mut self) {
        if self.tracker.settled().is_none() || self.activity.watches_the_prompt() {
            return;
        }
        for held in std::mem::take(&mut self.arrived) {
            if self.open.as_ref().is_some_and(|open| open.decided.is_some() && open.was_told_by(held.id)) {
                self.tell_again(held);
                continue;
            }
            let dialog = self.tracker.settled().and_then(|reading| reading.sighting()).cloned();
            let free = self.open.as_ref().is_some_and(|open| open.held.is_none() && open.decided.is_none());
            match dialog.filter(|dialog| free && held.request.shown_by(dialog) > Match::No) {
                Some(dialog) => {
                    if let Some(open) = &mut self.open {
                        open.held = Some(held);
                    }
                    self.on_prompt(&dialog).await;
                }
                None => self.open_unseen(held).await,
            }
        }
    }

    async fn open_unseen(&mut self, held: Held) {
        let remembered = self.remembered.iter().position(|stored| stored.is_asked_by(held.id));
        let remembered = remembered.map(|at| self.remembered.swap_remove(at));
        let id = remembered.as_ref().map_or(PromptId(held.id), |stored| stored.prompt.request_id);
        let over = match &remembered {
            Some(_) => None,
            None => self.store.prompt(id).await.ok().flatten().filter(|stored| !stored.open),
        };
        if over.is_some() && !self.given_up.contains(&id) {
            // Its dialog is over, and it is about to be ended with it.
            return held.let_go();
        }
        if over.is_some()
            && let Err(error) = self.store.revive_prompt(id).await
        {
            tracing::error!(%error, "cannot reopen a prompt");
        }
        let created_at = remembered.as_ref().and_then(|stored| stored.prompt.created_at).unwrap_or_else(now_millis);
        let prompt = self.judged(held.request.sighting.to_prompt(id, self.record.id, self.record.adapter, created_at));
        let fingerprint = held.request.sighting.fingerprint();
        self.tell_prompt(&prompt, fingerprint).await;
        self.unseen.push(OpenPrompt {
            prompt,
            fingerprint,
            held: Some(held),
            since: Instant::now(),
            let_go_at: None,
            decided: None,
            attempt: None,
            tried: remembered.as_ref().map(|stored| stored.tried.clone()).unwrap_or_default(),
            progress: None,
        });
        self.look_by(Instant::now() + UNSEEN_LIMIT);
        self.set_state(SessionState::Waiting);
        if let Some((answer, attempt)) = remembered.and_then(|stored| Some((stored.answer?, stored.attempt))) {
            self.tell_unheard(id, answer, attempt).await;
        }
        // It came too late after a restart and was taken for gone, and an answer to it for heard.
        if let Some(answer) = over.and_then(|stored| stored.answer) {
            self.report_cut_short(id, answer).await;
        }
    }

    /// An answer that was on its way when the server went down has not arrived, because its hook is here again: it is told now.
    async fn tell_unheard(&mut self, id: PromptId, answer: Answer, attempt: Option<AttemptRecord>) {
        let response = attempt.as_ref().and_then(|attempt| attempt.response.clone());
        let request = self.open_by_id(id).and_then(|open| {
            open.attempt = attempt;
            open.held.as_ref().map(|held| held.request.clone())
        });
        let told = request.zip(response).is_some_and(|(request, response)| {
            let decision = self.adapter.decide(&request, &request.sighting, &response);
            decision.is_some_and(|decision| self.tell_hook(id, decision, answer.clone(), response))
        });
        if !told {
            self.report_cut_short(id, answer).await;
        }
    }

    /// The unseen prompt that this dialog belongs to, off the list.
    pub(super) fn take_unseen(&mut self, dialog: &Sighting) -> Option<OpenPrompt> {
        let matches = |open: &OpenPrompt| open.held.as_ref().map_or(Match::No, |held| held.request.shown_by(dialog));
        let is_sure = |open: &OpenPrompt| matches(open) == Match::Yes;
        // One that waits comes before an equal one that was answered.
        let sure = self.unseen.iter().position(|open| open.decided.is_none() && is_sure(open));
        let at = sure.or_else(|| self.unseen.iter().position(is_sure)).or_else(|| {
            // A dialog that does not say what it is about belongs to a request only when there is no other.
            let mut possible = (0..self.unseen.len()).filter(|at| matches(&self.unseen[*at]) == Match::Perhaps);
            possible.next().filter(|_| possible.next().is_none())
        });
        at.map(|at| self.unseen.remove(at))
    }

    /// A hook has gone: it took its decision, or the CLI ended it.
    pub(super) async fn on_hook_left(&mut self, id: Uuid) {
        self.arrived.retain(|held| held.id != id);
        if self.open.as_ref().is_some_and(|open| open.is_asked_by(id)) {
            // What it told still holds; the screen says what becomes of the dialog.
            self.look_by(Instant::now());
        }
        // One that was let go leaves its prompt behind: the dialog comes now.
        let is_over = |open: &OpenPrompt| open.is_asked_by(id) && open.let_go_at.is_none();
        let Some(at) = self.unseen.iter().position(is_over) else { return };
        if self.open.is_none()
            && let Some(decided) = &mut self.unseen[at].decided
        {
            // Its dialog may stand on the screen for a moment yet, and must not be taken for another's: a fresh look tells.
            decided.hook_left = true;
            self.tracker.settle_again();
            return self.look_by(Instant::now());
        }
        let open = self.unseen.remove(at);
        self.close_unseen(open).await;
    }

    /// Ends a prompt whose dialog was never seen.
    async fn close_unseen(&mut self, mut open: OpenPrompt) {
        open.release_hook();
        let outcome = open.outcome_when_gone();
        self.tell_closed(open.prompt.request_id, outcome).await;
        if self.unseen.is_empty() && self.open.is_none() {
            self.tracker.settle_again();
        }
        self.look_by(Instant::now());
    }

    /// Lets go of requests that no dialog belongs to, and types answers that a hook did not carry out.
    pub(super) async fn watch_requests(&mut self, now: Instant) {
        self.watch_unseen(now).await;
        let Some(type_at) = self.open.as_ref().and_then(|open| open.decided.as_ref()).map(|decided| decided.type_at)
        else {
            return;
        };
        if now < type_at {
            return self.look_by(type_at);
        }
        let dialog = self.tracker.settled().and_then(|reading| reading.sighting()).cloned();
        let next = dialog.as_ref().and_then(|dialog| self.take_unseen(dialog));
        if let (Some(next), Some(dialog)) = (next, dialog) {
            // An equal one has taken its place: that is the next request's, and ours was carried out.
            let outcome = self.open.as_ref().map_or(PromptOutcome::Gone, OpenPrompt::outcome_when_gone);
            self.close_prompt(outcome).await;
            self.unseen.insert(0, next);
            return self.on_prompt(&dialog).await;
        }
        if let Some(decided) = self.open.as_mut().and_then(|open| open.decided.take()) {
            tracing::info!(session = %self.record.id.0, "a hook's decision had no effect; typing the answer");
            self.begin_answering(decided.response, decided.answer);
        }
    }

    /// Lets hooks go whose dialog does not come, and gives up the requests of those whose dialog does not come even then.
    async fn watch_unseen(&mut self, now: Instant) {
        // A dialog of theirs would have been joined to them by now.
        let was_heard = |open: &OpenPrompt| open.decided.as_ref().is_some_and(|decided| decided.hook_left);
        while self.tracker.settled().is_some()
            && let Some(at) = self.unseen.iter().position(was_heard)
        {
            let open = self.unseen.remove(at);
            self.close_unseen(open).await;
        }
        // Behind another dialog they wait for their turn.
        if self.unseen.is_empty() || self.tracker.settled().is_none_or(adapters::Reading::asks) {
            return;
        }
        for open in self.unseen.iter_mut().filter(|open| open.let_go_at.is_none() && open.decided.is_none()) {
            if open.since + UNSEEN_LIMIT <= now {
                open.release_hook();
                open.let_go_at = Some(now);
            }
        }
        let is_over = |open: &OpenPrompt| open.let_go_at.is_some_and(|at| at + LET_GO_LIMIT <= now);
        while let Some(at) = self.unseen.iter().position(is_over) {
            let open = self.unseen.remove(at);
            self.close_unseen(open).await;
        }
        let next = |open: &OpenPrompt| open.let_go_at.map_or(open.since + UNSEEN_LIMIT, |at| at + LET_GO_LIMIT);
        if let Some(next) = self.unseen.iter().map(next).min() {
            self.look_by(next);
        }
    }

    /// Gives the decision to the hook. False when it cannot say this, or is not there any more: then it must be typed.
    pub(super) fn tell_hook(
        &mut self,
        id: PromptId,
        decision: String,
        answer: Answer,
        response: PromptResponse,
    ) -> bool {
        let Some(open) = self.open_by_id(id) else { return false };
        let reply = open.held.as_mut().and_then(|held| held.reply.take());
        if reply.is_none_or(|reply| reply.send(decision).is_err()) {
            return false;
        }
        let decided = Decided::now(answer.clone(), response);
        let type_at = decided.type_at;
        open.decided = Some(decided);
        self.tell_step(id, answer, AnswerStep::Typed);
        self.look_by(type_at);
        true
    }

    /// The open prompt of this id, seen or not.
    pub(super) fn open_by_id(&mut self, id: PromptId) -> Option<&mut OpenPrompt> {
        self.open.iter_mut().chain(&mut self.unseen).find(|open| open.prompt.request_id == id)
    }

    /// How a prompt stands before the person: the dialog as it is now, with what its hook tells.
    pub(super) fn shown(&self, open: &OpenPrompt) -> Option<Sighting> {
        let dialog = self.tracker.settled().and_then(|reading| reading.sighting());
        let dialog = dialog.filter(|dialog| dialog.fingerprint() == open.fingerprint);
        match (&open.held, dialog) {
            (Some(held), Some(dialog)) => Some(held.request.complete(dialog)),
            (Some(held), None) => Some(held.request.sighting.clone()),
            (None, dialog) => dialog.cloned(),
        }
    }

    /// Tells that a prompt is there or looks otherwise: written down first.
    pub(super) async fn tell_prompt(&mut self, prompt: &InteractivePrompt, fingerprint: Fingerprint) {
        let stored = self.store.put_prompt(self.record.id, prompt.clone(), fingerprint, now_millis()).await;
        if let Err(error) = stored {
            tracing::error!(%error, "cannot write down a prompt");
        }
        self.bus.publish(Event::Prompt { prompt: prompt.clone() });
    }
}

impl OpenPrompt {
    /// Lets the hook go without a decision: there is nothing left to decide. Dropped without this, it would come again.
    pub(super) fn release_hook(&mut self) {
        if let Some(reply) = self.held.as_mut().and_then(|held| held.reply.take()) {
            let _ = reply.send(String::new());
        }
    }

    /// Whether this hook told of it before a restart.
    fn was_told_by(&self, hook: Uuid) -> bool {
        let attempt = self.attempt.as_ref();
        self.prompt.request_id.0 == hook || attempt.is_some_and(|attempt| attempt.hook == Some(hook))
    }

    fn is_asked_by(&self, hook: Uuid) -> bool {
        self.held.as_ref().is_some_and(|held| held.id == hook)
    }

    /// What became of it when it is gone: what was decided, or something that we did not do.
    pub(super) fn outcome_when_gone(&self) -> PromptOutcome {
        match &self.decided {
            Some(decided) => PromptOutcome::Verified { answer: decided.answer.clone() },
            None => PromptOutcome::Gone,
        }
    }
}

/// The change that is asked for, against the files as they are now.
async fn add_diff(request: &mut Request, folder: &std::path::Path) {
    for edit in &request.edits {
        let path = folder.join(&edit.path);
        let small = tokio::fs::metadata(&path).await.is_ok_and(|file| file.is_file() && file.len() <= DIFF_LIMIT);
        let file = if small { tokio::fs::read_to_string(&path).await.ok() } else { None };
        request.sighting.diff.push(hook::diff(edit, file.as_deref()));
    }
}
