//! Lets devices in: a code becomes a credential, once.

use std::sync::Arc;

use axum::{
    Extension, Json,
    extract::{State, rejection::JsonRejection},
    http::{HeaderMap, Method, StatusCode, Uri, header},
    response::{IntoResponse as _, Response},
};
use shared_types::{AlertKind, ErrorCode, PairReply, PairRequest, PairingOffer, WhoAmI, WireError};

use super::{App, credential, door::Visitor};
use crate::{clock::now_millis, sessions::refuse::refuse};

/// `GET /api/me`. Whoever is not paired learns only that, and neither our version nor a device's name.
pub(super) async fn who_am_i(State(app): State<Arc<App>>, method: Method, uri: Uri, headers: HeaderMap) -> Response {
    let (standing, device) = credential::standing(&app, &method, &uri, &headers).await;
    let server_version = device.is_some().then(|| env!("CARGO_PKG_VERSION").to_owned());
    ([(header::CACHE_CONTROL, "no-store")], Json(WhoAmI { standing, device, server_version })).into_response()
}

/// `POST /api/pair`.
pub(super) async fn pair(
    State(app): State<Arc<App>>,
    visitor: Option<Extension<Visitor>>,
    headers: HeaderMap,
    body: Result<Json<PairRequest>, JsonRejection>,
) -> Response {
    let request = match body {
        Ok(Json(request)) => request,
        Err(error) => return refused(error.status(), refuse(ErrorCode::Malformed, error.body_text())),
    };
    let source = visitor.map(|Extension(visitor)| visitor.source()).unwrap_or_default();
    match app.access.pair(&request.code, &request.name, source).await {
        Ok((device, token, key)) => {
            tracing::info!(device = %device.id.0, name = %device.name, "paired a device");
            let cookie = credential::set_cookie(app.access.cookie_name(), &token, &headers);
            app.bus.alert(AlertKind::Paired { device: device.clone() });
            let fields = [(header::SET_COOKIE, cookie), (header::CACHE_CONTROL, "no-store".to_owned())];
            (fields, Json(PairReply { device, key })).into_response()
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
    Ok(PairingOffer { code, urls, expires_at, fingerprint: app.fingerprint.clone() })
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
