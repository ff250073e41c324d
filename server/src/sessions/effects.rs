//! Carries out what the ledger decides: on the store, the pane, the hooks and the bus, in that order of importance.

use std::{collections::VecDeque, ops::ControlFlow};

use adapters::Keystroke;
use answerback_ledger::{AttemptRecord, Claim, Closing, Effect, Event, Pressed};
use shared_types::{Answer, AnswerStep, EndReason, InteractivePrompt, PromptId, SessionState};

use super::{facts, task::SessionTask};
use crate::{
    clock::now_millis,
    journal::{Fact, FactKind},
    pane::Press,
    store::StoreError,
};

impl SessionTask {
    /// Carries out effects in order. What one of them brings about is told to the ledger before anything else happens.
    pub(super) async fn carry_out(&mut self, effects: Vec<Effect>) -> ControlFlow<()> {
        let mut effects = VecDeque::from(effects);
        loop {
            let Some(effect) = effects.pop_front() else {
                // Rules answer when all else is done, like a person who comes next.
                let Some((response, by, ticket)) = self.automatic.next_response() else { break };
                let event = Event::Responded { response, by, ticket };
                tracing::debug!(?event);
                let moment = self.moment();
                effects.extend(self.ledger.on(event, moment));
                continue;
            };
            tracing::debug!(?effect);
            if effect == Effect::Exited {
                let status = self.watch.screen().exit.and_then(|exit| exit.status);
                // Boxed: the end has effects of its own.
                return Box::pin(self.finish(EndReason::Exited { status }, None)).await;
            }
            if let Some(event) = self.carry_out_one(effect).await {
                tracing::debug!(?event);
                let moment = self.moment();
                effects.extend(self.ledger.on(event, moment));
            }
        }
        ControlFlow::Continue(())
    }

    /// Carries out one effect. Returns what the ledger wants to know of it.
    async fn carry_out_one(&mut self, effect: Effect) -> Option<Event<'static>> {
        match effect {
            Effect::Open { prompt, fingerprint, is_new } => {
                let now = now_millis();
                let kind = if is_new { FactKind::PromptSeen } else { FactKind::PromptChanged };
                let facts = vec![Fact::prompt_shown(kind, &prompt, now)];
                let stored = self.store.put_prompt(self.session, *prompt.clone(), fingerprint, now, facts).await;
                if let Err(error) = stored {
                    // It is shown all the same; before an answer to it begins, it is written down.
                    tracing::error!(%error, prompt = %prompt.request_id.0, "cannot write down a prompt");
                    self.reveal(*prompt);
                } else {
                    self.show_or_answer(*prompt).await;
                }
            }
            Effect::Claim { prompt, fingerprint, answer, attempt } => {
                let id = prompt.request_id;
                let claimed = self.claim(*prompt.clone(), fingerprint, answer.clone(), attempt.clone()).await;
                let claim = match claimed {
                    Ok(true) => {
                        self.note_winner(&prompt, &answer.by, &attempt).await;
                        Claim::Won
                    }
                    Ok(false) => Claim::Lost,
                    Err(error) => Claim::Failed(error.to_string()),
                };
                return Some(Event::Claimed { prompt: id, claim });
            }
            Effect::Press { keys, record, into_composer } => {
                return Some(Event::Pressed(self.press(&keys, record, into_composer).await));
            }
            Effect::AnswerHook { hook, prompt, decision } => {
                let heard = self.hooks.answer(hook, decision);
                if heard {
                    self.record(facts::told_hook_fact(self.session, prompt, now_millis())).await;
                }
                return Some(Event::HookAnswered { hook, heard });
            }
            Effect::ReleaseHook { hook } => self.hooks.release(hook),
            Effect::Progress(progress) => {
                if let AnswerStep::Unknown { reason } = &progress.step {
                    self.record(facts::unknown_fact(self.session, progress.request_id, reason, now_millis())).await;
                }
                self.publish_progress(&progress);
            }
            Effect::Reopen { prompt, reason, .. } => {
                let facts = vec![facts::failed_fact(self.session, prompt, &reason, now_millis())];
                if let Err(error) = self.store.reopen_prompt(prompt, facts).await {
                    tracing::error!(%error, prompt = %prompt.0, "cannot reopen a prompt");
                }
            }
            Effect::Revive { prompt } => {
                if let Err(error) = self.store.revive_prompt(prompt, Vec::new()).await {
                    tracing::error!(%error, prompt = %prompt.0, "cannot reopen a prompt");
                }
            }
            Effect::Expired { prompt, refuses } => {
                self.record(facts::expired_fact(self.session, prompt, refuses, now_millis())).await;
            }
            Effect::Close(closing) => {
                let unwritten = self.write_closed(&closing).await;
                self.publish_closed(closing).await;
                return unwritten;
            }
            Effect::WriteClosed(closing) => return self.write_closed(&closing).await,
            Effect::Reply { ticket, result } => {
                self.rule_was_told(ticket, &result);
                self.tickets.reply(ticket, result);
            }
            // Nobody needs to come for what rules answer.
            Effect::State(SessionState::Waiting) if self.automatic.see_to(&self.ledger.open_prompt_ids()) => {}
            Effect::State(state) => self.view.set_state(state),
            Effect::Mode(mode) => self.view.set_mode(mode),
            Effect::Awaiting => self.view.clear_queue(),
            Effect::Passed(text) => {
                self.record(facts::passed_fact(self.session, &text, now_millis())).await;
                self.conversation.append_notice(text, &mut self.view).await;
            }
            Effect::FolderTrusted { contents } => {
                let folder = self.folder.to_string_lossy().into_owned();
                if let Err(error) =
                    self.store.trust_folder(self.adapter.profile().kind, folder, contents, now_millis()).await
                {
                    tracing::error!(%error, "cannot remember that a folder is trusted");
                }
            }
            // Handled by the caller, because it ends the session.
            Effect::Exited => {}
        }
        None
    }

    /// Writes down that an answer begins. A prompt that could not be written down when it came, on a full disk, is now.
    async fn claim(
        &self,
        prompt: InteractivePrompt,
        fingerprint: adapters::Fingerprint,
        answer: Answer,
        attempt: AttemptRecord,
    ) -> Result<bool, StoreError> {
        let (id, now) = (prompt.request_id, now_millis());
        let facts = || {
            let mut facts = vec![facts::answered_fact(&prompt, &answer, &attempt, now)];
            facts.extend(self.used_facts(&prompt, &answer, now));
            facts
        };
        if self.store.begin_answer(id, answer.clone(), attempt.clone(), now, facts()).await? {
            return Ok(true);
        }
        if self.store.prompt(id).await?.is_some() {
            return Ok(false);
        }
        let answered = facts();
        let shown = vec![Fact::prompt_shown(FactKind::PromptSeen, &prompt, now)];
        self.store.put_prompt(self.session, prompt, fingerprint, now, shown).await?;
        self.store.begin_answer(id, answer, attempt, now, answered).await
    }

    /// Writes down how far the answer has got, then presses.
    async fn press(
        &mut self,
        keys: &[Keystroke],
        record: Option<(PromptId, AttemptRecord)>,
        into_composer: bool,
    ) -> Pressed {
        if let Some((prompt, attempt)) = record {
            let facts = vec![facts::pressed_fact(self.session, prompt, &attempt, keys.len(), now_millis())];
            if let Err(error) = self.store.advance_attempt(prompt, &attempt, facts).await {
                return Pressed::NotStored(error.to_string());
            }
        }
        if into_composer {
            self.typist.note_typed(keys.iter().filter_map(Keystroke::typed).collect());
        }
        match self.watch.press(keys).await {
            Press::Pressed => Pressed::Pressed,
            Press::NotPressed(error) => Pressed::NotPressed(error.to_string()),
            Press::Unknown(error) => Pressed::Unknown(error.to_string()),
        }
    }

    async fn write_closed(&self, closing: &Closing) -> Option<Event<'static>> {
        let facts = vec![facts::closed_fact(self.session, closing)];
        let written = self.store.close_prompt(closing.prompt, &closing.outcome, closing.at, facts).await;
        let error = written.err()?;
        tracing::error!(%error, prompt = %closing.prompt.0, "cannot write down how a prompt ended; trying again");
        Some(Event::NotWritten(closing.clone()))
    }

    /// Writes a fact that belongs to no row.
    pub(super) async fn record(&self, fact: Fact) {
        if let Err(error) = self.store.record(vec![fact]).await {
            tracing::error!(%error, "cannot write the journal");
        }
    }
}
