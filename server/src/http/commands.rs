//! Carries out what a page or a command of this binary asks for.

use std::{path::Path, sync::Arc};

use shared_types::{AlertKind, Command, ErrorCode, ReplyData, Session, SessionId, WireError};

use super::{App, Client, history, metrics, pairing};
use crate::{
    sessions::{
        ByHand,
        refuse::{from_store, refuse, unknown_session},
    },
    store::{MessagePage, Place},
};

/// How many messages one page of them holds at most.
const MESSAGES_LIMIT: u32 = 200;
/// How many hits of a search are given at most.
const HITS_LIMIT: u32 = 100;
/// The longest query of a search, in bytes.
const QUERY_LIMIT: usize = 1000;
/// How many folders are listed at most.
const FOLDERS_LIMIT: usize = 1000;
/// How many recent folders are offered.
const RECENT_LIMIT: usize = 10;

/// Carries out a command; watching is done by the socket itself.
pub(super) async fn execute(app: &Arc<App>, client: &Client, command: Command) -> Result<ReplyData, WireError> {
    let sessions = &app.sessions;
    let done = match command {
        Command::Start { start } => {
            let session_id = sessions.start(start, client.actor()).await?;
            alert_of_start(app, client, session_id);
            return Ok(ReplyData::Started { session_id });
        }
        Command::Resume { session_id } => {
            sessions.resume(session_id, client.actor()).await?;
            alert_of_start(app, client, session_id);
            return Ok(ReplyData::Started { session_id });
        }
        Command::Rename { session_id, name } => sessions.rename(session_id, &name).await,
        Command::End { session_id } => sessions.end(session_id, client.actor()).await,
        Command::Forget { session_id } => sessions.forget(session_id).await,
        Command::SendText { session_id, text, idempotency_key, files } => {
            sessions.send_text(session_id, text, idempotency_key, &files).await
        }
        Command::SendKeys { session_id, keys, seen } => {
            sessions.send_keys(session_id, ByHand { keys, seen }, client.actor()).await
        }
        Command::SetMode { session_id, mode } => sessions.set_mode(session_id, mode, client.actor()).await,
        Command::Interrupt { session_id } => sessions.interrupt(session_id).await,
        Command::Respond { response } => sessions.respond(response, client.actor()).await,
        Command::Messages { session_id, before, after, around, limit } => {
            app.bus.session(session_id).ok_or_else(unknown_session)?;
            let place = (before.map(Place::Before))
                .or(after.map(Place::After))
                .or(around.map(Place::Around))
                .unwrap_or(Place::Newest);
            let page = app.store.messages(session_id, place, limit.clamp(1, MESSAGES_LIMIT)).await;
            let MessagePage { messages, at_start, at_end } = page.map_err(|error| from_store(&error))?;
            return Ok(ReplyData::Messages { messages, at_start, at_end });
        }
        Command::Search { query, session_id, limit } => {
            if query.len() > QUERY_LIMIT {
                return Err(refuse(ErrorCode::TooLarge, "that is more than can be looked for"));
            }
            let found = app.store.search(query, session_id, limit.clamp(1, HITS_LIMIT)).await;
            let (hits, more) = found.map_err(|error| from_store(&error))?;
            return Ok(ReplyData::Found { hits, more });
        }
        Command::Browse { folder } => return browse(app, &folder).await,
        Command::Conversations { adapter, folder, query } => {
            let conversations = sessions.conversations(adapter, folder.as_deref(), query.unwrap_or_default()).await?;
            return Ok(ReplyData::Conversations { conversations });
        }
        Command::Devices => return Ok(ReplyData::Devices { devices: app.access.devices() }),
        Command::Revoke { device_id } => {
            let device = app.access.revoke(device_id, client.actor()).await?;
            app.bus.alert(AlertKind::Revoked { device, by: client.actor() });
            Ok(())
        }
        Command::Pair => return Ok(ReplyData::Pairing { offer: pairing::make_offer(app)? }),
        Command::SlashCommands { session_id } => {
            let commands = sessions.slash_commands(session_id).await?;
            return Ok(ReplyData::SlashCommands { commands });
        }
        Command::Files { session_id, query } => {
            let paths = sessions.files(session_id, query).await?;
            return Ok(ReplyData::Files { paths });
        }
        Command::Doctor => return Ok(ReplyData::Findings { findings: crate::doctor::findings(&app.settings).await }),
        Command::Review { review_id, session_id, reviewer, subject, message } => {
            let session_id =
                sessions.review(session_id, review_id, reviewer, &subject, message, client.actor()).await?;
            return Ok(ReplyData::Started { session_id });
        }
        Command::History { filter, before, limit } => return history::page(app, filter, before, limit).await,
        Command::HistoryPrompt { request_id } => return history::prompt(app, request_id).await,
        Command::Insight { since, utc_offset } => return history::insight(app, since, utc_offset).await,
        Command::Metrics => return Ok(ReplyData::Metrics { text: metrics::text(app).await? }),
        Command::Rules { rules } => {
            let rules = super::rules::execute(app, client, rules).await?;
            return Ok(ReplyData::Rules { rules });
        }
        Command::Notify { notify } => return super::notify::execute(app, client, notify).await,
        Command::Watch { .. } | Command::Unwatch { .. } => Ok(()),
    };
    Ok(done.map(|()| ReplyData::Done)?)
}

/// A session that was started on the machine itself may be the work of a program that runs there: the phones are told.
fn alert_of_start(app: &App, client: &Client, session_id: SessionId) {
    if client.is_local()
        && let Some(Session { name, folder, .. }) = app.bus.session(session_id)
    {
        app.bus.alert(AlertKind::StartedHere { session_id, name, folder });
    }
}

/// The folders below one. Only below the allowed roots, whatever links say.
async fn browse(app: &Arc<App>, folder: &str) -> Result<ReplyData, WireError> {
    let roots = app.browse_roots.clone();
    let folder = folder.to_owned();
    let listed = tokio::task::spawn_blocking(move || list_folders(&folder, &roots)).await;
    let (folder, names) = listed.map_err(|_| refuse(ErrorCode::Internal, "listing folders failed"))??;
    let mut known = app.bus.sessions();
    known.sort_by_key(|session| std::cmp::Reverse(session.created_at));
    let mut recent: Vec<String> = Vec::new();
    for session in known {
        if !recent.contains(&session.folder) && recent.len() < RECENT_LIMIT {
            recent.push(session.folder);
        }
    }
    let roots = app.browse_roots.iter().map(|root| root.to_string_lossy().into_owned()).collect();
    Ok(ReplyData::Folders { folder, names, recent, roots })
}

fn list_folders(folder: &str, roots: &[std::path::PathBuf]) -> Result<(String, Vec<String>), WireError> {
    let folder = crate::sessions::find_folder(folder)?;
    if !roots.iter().any(|root| folder.starts_with(root)) {
        let message = format!("{} is outside the folders that may be browsed", folder.display());
        return Err(refuse(ErrorCode::BadFolder, message));
    }
    let entries = std::fs::read_dir(&folder)
        .map_err(|error| refuse(ErrorCode::BadFolder, format!("{}: {error}", folder.display())))?;
    let mut names: Vec<String> = entries
        .filter_map(Result::ok)
        .filter(|entry| is_folder(&entry.path()))
        .filter_map(|entry| entry.file_name().into_string().ok())
        .filter(|name| !name.starts_with('.') && !name.chars().any(char::is_control))
        .take(FOLDERS_LIMIT)
        .collect();
    names.sort_by_key(|name| name.to_lowercase());
    Ok((folder.to_string_lossy().into_owned(), names))
}

fn is_folder(path: &Path) -> bool {
    path.metadata().is_ok_and(|meta| meta.is_dir())
}
