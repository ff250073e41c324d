//! What is counted, as text for Prometheus: for `answerback metrics`, and, where the person has switched it on, on `/metrics` for
//! whoever has the token that lies in the data folder.

use std::{
    fs,
    io::{self, Write as _},
    os::unix::fs::OpenOptionsExt as _,
    path::{Path, PathBuf},
    sync::Arc,
};

use axum::{
    extract::State,
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse as _, Response},
};
use shared_types::{ErrorCode, WireError, is_same_proof};

use super::{App, pairing};
use crate::{
    access::random_token,
    metrics::Gauges,
    sessions::refuse::{from_store, refuse},
    store::StoreLevels,
};

/// What the format is called.
const FORMAT: HeaderValue = HeaderValue::from_static("application/openmetrics-text; version=1.0.0; charset=utf-8");

/// The file with the token that opens `/metrics`.
fn token_file(folder: &Path) -> PathBuf {
    folder.join("metrics-token")
}

/// The token that opens `/metrics`: the one of before, or a new one.
///
/// # Errors
/// When the file cannot be read or written.
pub fn load_token(folder: &Path) -> io::Result<String> {
    let path = token_file(folder);
    match fs::read_to_string(&path) {
        Ok(token) if !token.trim().is_empty() => return Ok(token.trim().to_owned()),
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let token = random_token().map_err(io::Error::other)?;
    let mut file = fs::OpenOptions::new().create(true).truncate(true).write(true).mode(0o600).open(&path)?;
    file.write_all(token.as_bytes())?;
    Ok(token)
}

/// `GET /metrics`, with `Authorization: Bearer <token>`.
pub(super) async fn serve(State(app): State<Arc<App>>, headers: HeaderMap) -> Response {
    let Some(token) = &app.metrics_token else {
        let off =
            refuse(ErrorCode::Forbidden, "metrics are not switched on: set `metrics = true` in the configuration");
        return pairing::refused(StatusCode::NOT_FOUND, off);
    };
    let given = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok()?.strip_prefix("Bearer "));
    if !given.is_some_and(|given| is_same_proof(token, given)) {
        let wrong =
            refuse(ErrorCode::Forbidden, "the token is missing or wrong: it is in `metrics-token` in the data folder");
        return pairing::refused(StatusCode::UNAUTHORIZED, wrong);
    }
    match text(&app).await {
        Ok(text) => ([(header::CONTENT_TYPE, FORMAT)], text).into_response(),
        Err(error) => pairing::refused(StatusCode::SERVICE_UNAVAILABLE, error),
    }
}

/// All that is counted.
pub(super) async fn text(app: &App) -> Result<String, WireError> {
    let StoreLevels { bytes, journal_rows, queue } = app.store.levels().await.map_err(|error| from_store(&error))?;
    let (sessions, waiting, listeners) = app.bus.levels();
    let gauges = Gauges { sessions, waiting, listeners, store_bytes: bytes, journal_rows, store_queue: queue };
    app.bus.counters().render(gauges).map_err(|_| refuse(ErrorCode::Internal, "the metrics could not be written"))
}
