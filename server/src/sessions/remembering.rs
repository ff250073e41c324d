//! Rules as a session's prompts need them: what an answer is to be remembered as, and why a prompt was asked.

use answerback_rules::suggest::Past;
use shared_types::{
    Actor, AlertKind, InteractivePrompt, OptionRole, PromptId, PromptResponse, RememberScope, RuleVerdict, RulesReply,
    SessionId,
};

use super::{SessionError, Sessions};
use crate::rules::{ChangeError, NewRule, Rules};

/// How far back is looked for suggestions and dry runs, in prompts.
const PAST_LIMIT: u32 = 1000;

impl Sessions {
    /// The person's rules.
    #[must_use]
    pub fn rules(&self) -> &Rules {
        &self.world.rules
    }

    /// The rule that a response wants to be remembered, checked before the answer is given.
    pub(super) async fn wanted_rule(
        &self,
        session: SessionId,
        response: &PromptResponse,
    ) -> Result<Option<NewRule>, SessionError> {
        if response.remember.as_ref().is_none_or(|wish| wish.scope == RememberScope::Once) {
            return Ok(None);
        }
        let Some(prompt) = self.prompt(response.request_id).await? else { return Ok(None) };
        let folder = self.folder_of(session)?;
        let wanted = self.world.rules.wanted(&prompt, response, &folder);
        wanted.map_err(|error| SessionError::BadValue(error.to_string()))
    }

    /// Makes the rule of an answer that was taken. The answer counts whatever becomes of it, so a failure is told by itself.
    pub(super) async fn remember(&self, rule: NewRule, by: Actor) {
        let text = rule.text.clone();
        if let Err(error) = self.world.rules.add(rule, by).await {
            tracing::error!(%error, "cannot remember an answer");
            let what = format!("the answer was given, but {text} could not be remembered: {error}");
            self.world.bus.alert(AlertKind::RulesChanged { what });
        }
    }

    /// Why a prompt was asked, by the rules as they are now.
    ///
    /// # Errors
    /// When there is no such prompt any more, or it is no permission.
    pub async fn why_asked(&self, prompt: PromptId) -> Result<RulesReply, SessionError> {
        let (request, folder) = self.request_of(prompt).await?;
        let folder = self.world.rules.of_folder(std::path::Path::new(&folder)).await;
        Ok(RulesReply::Why { why: self.world.rules.why(&request, &folder) })
    }

    /// The rules that an answer to a prompt could become.
    ///
    /// # Errors
    /// When there is no such prompt any more, or it is no permission.
    pub async fn rule_offers(&self, prompt: PromptId, verdict: RuleVerdict) -> Result<RulesReply, SessionError> {
        let (request, _) = self.request_of(prompt).await?;
        Ok(Rules::offers(&request, verdict))
    }

    /// The folder of a session.
    ///
    /// # Errors
    /// When there is no such session.
    pub fn folder_of(&self, session: SessionId) -> Result<String, SessionError> {
        self.world.bus.session(session).map(|session| session.folder).ok_or(SessionError::Unknown)
    }

    /// Rules that the past speaks for.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn suggest_rules(&self) -> Result<RulesReply, SessionError> {
        let past = self.past().await?;
        Ok(RulesReply::Suggestions { suggestions: self.world.rules.suggest(&past) })
    }

    /// What the rules would have done with the past.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn dry_run_rules(&self) -> Result<RulesReply, SessionError> {
        let past = self.past().await?;
        Ok(RulesReply::DryRun { run: self.world.rules.dry_run(&past) })
    }

    /// The permissions that were answered last.
    async fn past(&self) -> Result<Vec<Past>, SessionError> {
        let answered = self.world.store.answered_prompts(PAST_LIMIT).await?;
        let past = answered.into_iter().filter_map(|(stored, folder)| {
            let answer = stored.answer?;
            let request = self.world.rules.request(&stored.prompt, &folder)?;
            let chosen =
                stored.prompt.options.iter().flatten().filter(|option| answer.summary.starts_with(&option.label));
            let role = chosen.max_by_key(|option| option.label.len())?.role?;
            let yes = match role {
                OptionRole::Allow | OptionRole::AllowAlways => true,
                OptionRole::Deny | OptionRole::Feedback => false,
                OptionRole::Other => return None,
            };
            let by_person = matches!(answer.by, Actor::Device { .. } | Actor::Notification { .. } | Actor::Desk);
            Some(Past { request, yes, by_person })
        });
        Ok(past.collect())
    }

    async fn request_of(&self, prompt: PromptId) -> Result<(answerback_rules::Request, String), SessionError> {
        let gone = || SessionError::Respond(answerback_ledger::RespondError::Gone);
        let prompt = self.prompt(prompt).await?.ok_or_else(gone)?;
        let folder = self.folder_of(prompt.session_id.ok_or(SessionError::Unknown)?)?;
        let request = self.world.rules.request(&prompt, &folder);
        let request = request.ok_or_else(|| SessionError::BadValue("rules are for permissions alone".to_owned()))?;
        Ok((request, folder))
    }

    async fn prompt(&self, id: PromptId) -> Result<Option<InteractivePrompt>, SessionError> {
        match self.world.bus.prompt(id) {
            Some(pending) => Ok(Some(pending.prompt)),
            None => Ok(self.world.store.prompt(id).await?.filter(|stored| stored.open).map(|stored| stored.prompt)),
        }
    }
}

impl From<ChangeError> for SessionError {
    fn from(error: ChangeError) -> Self {
        match error {
            ChangeError::NoRule(_) | ChangeError::Unknown => Self::BadValue(error.to_string()),
            ChangeError::Store(error) => Self::from(error),
        }
    }
}
