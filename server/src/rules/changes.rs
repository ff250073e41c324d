//! What a person can change: make and remove rules, pause and resume, try out. Each change is written down with its fact before it
//! holds.

use answerback_rules::{
    Rule, Verdict,
    guard::{Mode, Pause},
    remember,
};
use serde_json::json;
use shared_types::{
    Actor, InteractivePrompt, PromptResponse, Remember, RememberScope, RuleInfo, RuleVerdict, RulesMode, SessionId,
};
use uuid::Uuid;

use super::{Rules, verdict_of};
use crate::{
    clock::now_millis,
    journal::{Fact, FactKind},
    store::{MadeRule, RuleRecord, StoreError},
};

/// Rules that can be made here; one more is refused. Each prompt is judged by all of them.
const RULES_LIMIT: usize = 1000;
/// The longest rule and the longest message, in bytes.
const TEXT_LIMIT: usize = 8 * 1024;

/// Why a change was not made.
#[derive(Debug, thiserror::Error)]
pub enum ChangeError {
    /// It cannot be a rule, and why.
    #[error("{0}")]
    NoRule(String),
    /// There is no such rule here.
    #[error("there is no such rule here: rules of rules.toml are changed in the file")]
    Unknown,
    /// It cannot be written down.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A rule that is to be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewRule {
    /// What it does.
    pub verdict: RuleVerdict,
    /// Its text.
    pub text: String,
    /// Where and how long it holds.
    pub limits: Remember,
    /// The session, where it is for one.
    pub session: Option<SessionId>,
    /// The folder, where it is for one.
    pub folder: Option<String>,
    /// What the model is told when it is refused.
    pub message: Option<String>,
}

impl Rules {
    /// The rule that a response wants to be remembered, if it wants one.
    ///
    /// # Errors
    /// Why it cannot be one; then the answer must not be given either.
    pub(crate) fn wanted(
        &self,
        prompt: &InteractivePrompt,
        response: &PromptResponse,
        folder: &str,
    ) -> Result<Option<NewRule>, ChangeError> {
        let Some(wish) = response.remember.clone().filter(|wish| wish.scope != RememberScope::Once) else {
            return Ok(None);
        };
        let refuse = |why: &str| ChangeError::NoRule(format!("this cannot be remembered: {why}"));
        let verdict = verdict_of(prompt, response).ok_or_else(|| refuse("it is no plain yes or no"))?;
        let request = self.request(prompt, folder).ok_or_else(|| refuse("it is no permission for a tool"))?;
        let offers = remember::offers(&request, judged(verdict)).map_err(|why| refuse(&why))?;
        let offer = match &wish.rule {
            Some(read) => offers.into_iter().find(|offer| offer.text == *read),
            None => offers.into_iter().next(),
        };
        let offer = offer.ok_or_else(|| refuse("the rule is not the one that was shown: read it again"))?;
        let rule = NewRule {
            verdict,
            text: offer.text,
            session: prompt.session_id,
            folder: Some(folder.to_owned()),
            message: response.text_value.clone().filter(|_| verdict == RuleVerdict::Deny),
            limits: wish,
        };
        self.check(&rule)?;
        Ok(Some(rule))
    }

    /// Looks whether this can be a rule.
    fn check(&self, rule: &NewRule) -> Result<RuleRecord, ChangeError> {
        let refuse = |why: &str| Err(ChangeError::NoRule(why.to_owned()));
        if rule.text.len() > TEXT_LIMIT || rule.message.as_ref().is_some_and(|message| message.len() > TEXT_LIMIT) {
            return refuse("the rule is too long");
        }
        if self.lock().made.len() >= RULES_LIMIT {
            return refuse("there are too many rules: remove some first");
        }
        let Remember { scope, until, uses, .. } = rule.limits;
        if until.is_some_and(|until| until <= now_millis()) {
            return refuse("its end is over already");
        }
        if uses == Some(0) {
            return refuse("it could never be used");
        }
        let session = rule.session;
        let mut says = RuleRecord {
            verdict: rule.verdict,
            text: rule.text.clone(),
            session: None,
            folder: None,
            until,
            uses,
            message: rule.message.clone(),
        };
        match scope {
            RememberScope::Once => return refuse("what is answered once is not remembered"),
            RememberScope::Time if until.is_none() => return refuse("say until when"),
            RememberScope::Uses if uses.is_none() => return refuse("say how often"),
            RememberScope::Session if session.is_none() => return refuse("say in which session"),
            RememberScope::Session | RememberScope::Time | RememberScope::Uses => says.session = session,
            RememberScope::Folder => match &rule.folder {
                Some(folder) if folder.starts_with('/') => says.folder = Some(folder.clone()),
                _ => return refuse("say in which folder, from the root"),
            },
            RememberScope::Always => {}
        }
        Rule::limited(judged(says.verdict), &says.text, says.until, says.uses).map_err(ChangeError::NoRule)?;
        Ok(says)
    }

    /// Makes a rule.
    ///
    /// # Errors
    /// When it cannot be one, or cannot be written down.
    pub async fn add(&self, rule: NewRule, by: Actor) -> Result<RuleInfo, ChangeError> {
        let says = self.check(&rule)?;
        let (now, id) = (now_millis(), Uuid::now_v7().simple().to_string());
        // The end of the id: its beginning is the time and much the same for all.
        let id = format!("made-{}", id.get(20..).unwrap_or(&id));
        let body = json!({
            "rule": id, "name": says.text, "verdict": says.verdict, "session": says.session, "folder": says.folder,
            "until": says.until, "uses": says.uses,
        });
        let fact = Fact::new(FactKind::RuleMade, now).by(by.clone()).with(body);
        let made = MadeRule { id: id.clone(), says, made_at: now, made_by: by };
        self.store.add_rule(made.clone(), vec![fact]).await?;
        self.lock().made.push(made);
        self.changed();
        self.info(&id).ok_or(ChangeError::Unknown)
    }

    /// Removes a rule that was made here.
    ///
    /// # Errors
    /// When there is none with this id, or the store does not answer.
    pub async fn remove(&self, id: &str, by: Actor) -> Result<(), ChangeError> {
        let text = self.lock().made.iter().find(|made| made.id == id).map(|made| made.says.text.clone());
        let text = text.ok_or(ChangeError::Unknown)?;
        let body = json!({ "rule": id, "name": text, "change": "removed" });
        let fact = Fact::new(FactKind::RuleChanged, now_millis()).by(by).with(body);
        let removed = self.store.remove_rule(id.to_owned(), now_millis(), vec![fact]).await?;
        self.lock().made.retain(|made| made.id != id);
        self.changed();
        if removed { Ok(()) } else { Err(ChangeError::Unknown) }
    }

    /// Pauses the rules of a session, or all. Where there are none, nothing pauses by itself.
    ///
    /// # Errors
    /// When the store does not answer; they pause all the same, until the next start.
    pub async fn pause(&self, session: Option<SessionId>, why: Pause, by: Option<Actor>) -> Result<(), ChangeError> {
        {
            let mut inner = self.lock();
            let has_rules = !inner.all.rules.is_empty();
            match session {
                // What a person paused is not resumed by what comes after.
                Some(session) if why != Pause::ByPerson && (!has_rules || inner.pause_of(session).is_some()) => {
                    return Ok(());
                }
                Some(session) => inner.state.pause(&session.0.to_string(), why),
                None => inner.state.paused = true,
            }
        }
        self.changed();
        let name = session.map_or_else(|| "all".to_owned(), |session| session.0.to_string());
        let word = word_of_pause(why);
        let mut fact = Fact::new(FactKind::RulePaused, now_millis()).with(json!({ "paused": true, "why": word }));
        (fact.session, fact.actor) = (session, by);
        Ok(self.store.set_rule_switch(name, Some(word.to_owned()), vec![fact]).await?)
    }

    /// Lets the rules of a session act again, or all of them as far as their sessions do not pause.
    ///
    /// # Errors
    /// When the store does not answer; then they go on pausing.
    pub async fn resume(&self, session: Option<SessionId>, by: Option<Actor>) -> Result<(), ChangeError> {
        let name = session.map_or_else(|| "all".to_owned(), |session| session.0.to_string());
        let mut fact = Fact::new(FactKind::RulePaused, now_millis()).with(json!({ "paused": false }));
        (fact.session, fact.actor) = (session, by);
        self.store.set_rule_switch(name, None, vec![fact]).await?;
        {
            let mut inner = self.lock();
            match session {
                Some(session) => inner.state.resume(&session.0.to_string()),
                None => inner.state.paused = false,
            }
        }
        self.changed();
        Ok(())
    }

    /// A person has said yes to what was dangerous: the session's rules go on, if that was all they paused for.
    pub(crate) async fn danger_is_over(&self, session: SessionId) {
        if self.lock().pause_of(session) == Some(Pause::AfterDanger)
            && let Err(error) = self.resume(Some(session), None).await
        {
            tracing::error!(%error, "cannot write down that rules act again");
        }
    }

    /// Lets rules act, or only write down what they would do.
    ///
    /// # Errors
    /// When the store does not answer; then nothing changes.
    pub async fn set_mode(&self, mode: RulesMode, by: Actor) -> Result<(), ChangeError> {
        let (value, word) = match mode {
            RulesMode::On => (None, "on"),
            RulesMode::Shadow => (Some("shadow".to_owned()), "shadow"),
        };
        let body = json!({ "rule": "all", "name": "all rules", "change": word });
        let fact = Fact::new(FactKind::RuleChanged, now_millis()).by(by).with(body);
        self.store.set_rule_switch("mode".to_owned(), value, vec![fact]).await?;
        self.lock().state.mode = if mode == RulesMode::On { Mode::Acting } else { Mode::Shadow };
        self.changed();
        Ok(())
    }

    /// A session is forgotten, and what was only for it.
    pub(crate) async fn forget_session(&self, session: SessionId) {
        let own: Vec<String> = {
            let mut inner = self.lock();
            inner.state.forget(&session.0.to_string());
            let of_session = inner.made.iter().filter(|made| made.says.session == Some(session));
            of_session.map(|made| made.id.clone()).collect()
        };
        if let Err(error) = self.store.set_rule_switch(session.0.to_string(), None, Vec::new()).await {
            tracing::error!(%error, "cannot forget that a session's rules paused");
        }
        for id in own {
            let gone = self.store.remove_rule(id.clone(), now_millis(), Vec::new()).await;
            if let Err(error) = gone {
                tracing::error!(%error, rule = id, "cannot remove a rule of a forgotten session");
            }
            self.lock().made.retain(|made| made.id != id);
        }
        self.changed();
    }
}

/// The rule as the judge takes it.
pub(super) fn rule_of(made: &MadeRule) -> Result<Rule, String> {
    let RuleRecord { verdict, text, session, folder, until, uses, message } = made.says.clone();
    let mut rule = Rule::limited(judged(verdict), &text, until, uses)?;
    rule.id.clone_from(&made.id);
    rule.who.session = session.map(|session| session.0.to_string());
    (rule.folder, rule.message) = (folder, message);
    Ok(rule)
}

pub(super) fn judged(verdict: RuleVerdict) -> Verdict {
    match verdict {
        RuleVerdict::Allow => Verdict::Allow,
        RuleVerdict::Ask => Verdict::Ask,
        RuleVerdict::Deny => Verdict::Deny,
    }
}

/// How a pause is kept.
fn word_of_pause(why: Pause) -> &'static str {
    match why {
        Pause::ByPerson => "by-person",
        Pause::AfterNo => "after-no",
        Pause::AfterInterrupt => "after-interrupt",
        Pause::AfterDanger => "after-danger",
    }
}

/// A pause from its word; one that is not known was somebody's wish.
pub(super) fn pause_of_word(word: &str) -> Pause {
    let known = [Pause::AfterNo, Pause::AfterInterrupt, Pause::AfterDanger];
    known.into_iter().find(|pause| word_of_pause(*pause) == word).unwrap_or(Pause::ByPerson)
}
