//! Lets devices in: a code becomes a cookie, once.

use std::sync::Arc;

use axum::{
    Json,
    extract::{State, rejection::JsonRejection},
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse as _, Response},
};
use shared_types::{Device, ErrorCode, PairReply, PairRequest, PairingOffer, WhoAmI, WireError};

use super::App;
use crate::{clock::now_millis, sessions::refuse::refuse};

/// How long a browser keeps the cookie: browsers allow at most 400 days. Being used renews nothing; a lost phone is revoked.
const COOKIE_AGE_SECONDS: u32 = 400 * 24 * 60 * 60;

/// `GET /api/me`.
pub(super) async fn who_am_i(State(app): State<Arc<App>>, headers: HeaderMap) -> Json<WhoAmI> {
    let device = paired_device(&app, &headers).await;
    Json(WhoAmI { device, server_version: env!("CARGO_PKG_VERSION").to_owned() })
}

/// `POST /api/pair`.
pub(super) async fn pair(State(app): State<Arc<App>>, body: Result<Json<PairRequest>, JsonRejection>) -> Response {
    let request = match body {
        Ok(Json(request)) => request,
        Err(error) => return refused(StatusCode::BAD_REQUEST, refuse(ErrorCode::Malformed, error.body_text())),
    };
    match app.access.pair(&request.code, &request.name).await {
        Ok((device, token)) => {
            tracing::info!(device = %device.id.0, name = %device.name, "paired a device");
            let secure = if app.tls { "; Secure" } else { "" };
            let name = app.access.cookie_name();
            let cookie =
                format!("{name}={token}; Path=/; HttpOnly; SameSite=Strict; Max-Age={COOKIE_AGE_SECONDS}{secure}");
            ([(header::SET_COOKIE, cookie)], Json(PairReply { device })).into_response()
        }
        Err(error) => refused(status(error.code), error),
    }
}

/// A new pairing code with the addresses that lead there.
pub(crate) fn make_offer(app: &App) -> Result<PairingOffer, WireError> {
    let (code, lifetime) = app.access.offer()?;
    // In the fragment, which browsers keep to themselves: it is in no request and in no log.
    let urls = app.addresses.iter().map(|address| format!("{address}/#pair={code}")).collect();
    let expires_at = now_millis() + u64::try_from(lifetime.as_millis()).unwrap_or(0);
    Ok(PairingOffer { code, urls, expires_at })
}

/// The device whose cookie a request carries.
pub(super) async fn paired_device(app: &App, headers: &HeaderMap) -> Option<Device> {
    let pairs =
        headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok()).flat_map(|line| line.split(';'));
    let ours =
        pairs.filter_map(|pair| pair.trim().split_once('=')).filter(|(name, _)| *name == app.access.cookie_name());
    for (_, token) in ours {
        if let Some(device) = app.access.device_of(token).await {
            return Some(device);
        }
    }
    None
}

/// A refusal as an HTTP answer.
pub(super) fn refused(status: StatusCode, error: WireError) -> Response {
    (status, Json(error)).into_response()
}

fn status(code: ErrorCode) -> StatusCode {
    match code {
        ErrorCode::BadCode => StatusCode::FORBIDDEN,
        ErrorCode::RateLimited => StatusCode::TOO_MANY_REQUESTS,
        _ => StatusCode::SERVICE_UNAVAILABLE,
    }
}
