//! What a page or a command of this binary asks about rules.

use std::sync::Arc;

use answerback_rules::guard::Pause;
use shared_types::{AlertKind, RememberScope, RulesCommand, RulesMode, RulesReply, WireError};

use super::{App, Client};
use crate::{
    rules::{ChangeError, NewRule},
    sessions::SessionError,
};

/// Carries out a command about rules.
pub(super) async fn execute(app: &Arc<App>, client: &Client, command: RulesCommand) -> Result<RulesReply, WireError> {
    let (sessions, by) = (&app.sessions, client.actor());
    let rules = sessions.rules();
    let told = words(&command);
    let done: Result<(), ChangeError> = match command {
        RulesCommand::List => return Ok(rules.list()),
        RulesCommand::Why { prompt_id } => return Ok(sessions.why_asked(prompt_id).await?),
        RulesCommand::Preview { prompt_id, verdict } => return Ok(sessions.rule_offers(prompt_id, verdict).await?),
        RulesCommand::Add { verdict, text, limits, session_id, folder, message } => {
            let of_session = session_id.map(|session| sessions.folder_of(session)).transpose()?;
            let folder = folder.or(of_session).filter(|_| limits.scope == RememberScope::Folder);
            let rule = NewRule { verdict, text, limits, session: session_id, folder, message };
            let made = rules.add(rule, by).await.map_err(SessionError::from)?;
            alert(app, client, told);
            return Ok(RulesReply::Made { rule: Box::new(made) });
        }
        RulesCommand::Remove { rule_id } => rules.remove(&rule_id, by).await,
        RulesCommand::Pause { session_id } => rules.pause(session_id, Pause::ByPerson, Some(by)).await,
        RulesCommand::Resume { session_id } => rules.resume(session_id, Some(by)).await,
        RulesCommand::SetMode { mode } => rules.set_mode(mode, by).await,
        RulesCommand::Suggest => return Ok(sessions.suggest_rules().await?),
        RulesCommand::DryRun => return Ok(sessions.dry_run_rules().await?),
    };
    done.map_err(SessionError::from)?;
    alert(app, client, told);
    Ok(RulesReply::Done)
}

/// What was changed on the machine itself may be the work of a program that runs there: the phones are told.
fn alert(app: &App, client: &Client, told: Option<String>) {
    if let Some(what) = told.filter(|_| client.is_local()) {
        app.bus.alert(AlertKind::RulesChanged { what });
    }
}

/// A change in words; nothing for what can only make things stricter.
fn words(command: &RulesCommand) -> Option<String> {
    match command {
        RulesCommand::Add { text, .. } => Some(format!("a rule was made on this machine: {text}")),
        RulesCommand::Remove { rule_id } => Some(format!("the rule {rule_id} was removed on this machine")),
        RulesCommand::Resume { .. } => Some("rules were resumed on this machine".to_owned()),
        RulesCommand::SetMode { mode: RulesMode::On } => Some("rules were switched on on this machine".to_owned()),
        _ => None,
    }
}
