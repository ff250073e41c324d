//! Notifications at the door: what a page asks about them, and the answers of their buttons.

use std::sync::Arc;

use axum::{
    Json,
    extract::{State, rejection::JsonRejection},
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse as _, Response},
};
use shared_types::{Actor, ErrorCode, NotifyCommand, ReplyData, Standing, TokenAnswer, WireError};

use super::{App, Client, credential, pairing};
use crate::{access::Paired, notify::TargetId, sessions::refuse::refuse};

/// Carries out what a page asks; what it shows is taken by its socket.
pub(super) async fn execute(app: &App, client: &Client, command: NotifyCommand) -> Result<ReplyData, WireError> {
    let notifier = &app.notifier;
    match command {
        NotifyCommand::Presence { .. } => return Ok(ReplyData::Done),
        NotifyCommand::Status => {}
        NotifyCommand::Subscribe { subscription } => {
            let device = app.access.devices().into_iter().find(|device| device.id == client.device);
            let device = device.ok_or_else(|| refuse(ErrorCode::UnknownDevice, "there is no such device"))?;
            notifier.subscribe(&device, subscription).await?;
        }
        NotifyCommand::Unsubscribe => notifier.unsubscribe(client.device).await?,
        NotifyCommand::Test => {
            let to = (!client.is_local()).then_some(client.device);
            return Ok(ReplyData::Notify { status: notifier.test(to).await? });
        }
        NotifyCommand::OfferChat => return Ok(ReplyData::Chat { offer: notifier.offer_chat()? }),
        NotifyCommand::RemoveChat { chat } => {
            let chat = chat.parse().map_err(|_| refuse(ErrorCode::BadValue, "this is no chat's id"))?;
            notifier.remove_chat(chat, client.actor()).await?;
        }
    }
    Ok(ReplyData::Notify { status: notifier.status() })
}

/// `POST /api/notify/answer`: a button was tapped. The page may be closed, and its worker cannot prove the device's key; so what opens
/// this is the device's cookie together with a token that was sent to this device alone, encrypted, for this one answer.
pub(super) async fn answer(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    body: Result<Json<TokenAnswer>, JsonRejection>,
) -> Response {
    let Some(Paired { device, .. }) = credential::by_cookie(&app, &headers) else {
        return pairing::refused(StatusCode::UNAUTHORIZED, credential::not_paired(Standing::NotPaired));
    };
    let Json(TokenAnswer { token }) = match body {
        Ok(body) => body,
        Err(error) => return pairing::refused(error.status(), refuse(ErrorCode::Malformed, error.body_text())),
    };
    let by = Actor::Notification { channel: "web-push".to_owned(), name: device.name };
    match app.notifier.answer(&app.sessions, &token, &TargetId::Device(device.id), by).await {
        Ok(chosen) => {
            ([(header::CACHE_CONTROL, "no-store")], Json(serde_json::json!({ "chosen": chosen }))).into_response()
        }
        Err(error) => pairing::refused(status(error.code), error),
    }
}

fn status(code: ErrorCode) -> StatusCode {
    match code {
        ErrorCode::BadCode | ErrorCode::Forbidden => StatusCode::FORBIDDEN,
        ErrorCode::StoreUnavailable | ErrorCode::TerminalUnavailable | ErrorCode::Internal => {
            StatusCode::SERVICE_UNAVAILABLE
        }
        _ => StatusCode::CONFLICT,
    }
}
