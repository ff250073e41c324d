//! Files that go with messages, over HTTP: a phone hands them over, looks at them, takes them back.
//!
//! `guard` has seen host and origin; here the device is checked, before anything of the body is read.

use std::{sync::Arc, time::Duration};

use axum::{
    Extension, Json,
    body::Body,
    extract::{Path, Query, State},
    http::{HeaderMap, Method, StatusCode, Uri, header},
    response::{IntoResponse as _, Response},
};
use futures_util::StreamExt as _;
use serde::Deserialize;
use shared_types::{ATTACH_LIMIT, AttachedFile, ErrorCode, SessionId, WireError};
use uuid::Uuid;

use super::{App, credential, door::Visitor, pairing};
use crate::{
    composing::attached::{self, Arriving},
    sessions::refuse::refuse,
};

/// How long a file may take to arrive: the largest over a bad mobile network.
const ARRIVE_LIMIT: Duration = Duration::from_secs(180);

/// What a file is called on the device.
#[derive(Debug, Deserialize)]
pub(super) struct Named {
    #[serde(default)]
    name: String,
}

/// `POST /api/sessions/ID/files?name=…`: the body is the file, its kind in `content-type`.
#[expect(clippy::too_many_arguments, reason = "each is an extractor of the router's")]
pub(super) async fn hand_over(
    State(app): State<Arc<App>>,
    Path(session): Path<Uuid>,
    Query(Named { name }): Query<Named>,
    visitor: Option<Extension<Visitor>>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: Body,
) -> Response {
    let taken = async {
        let folder = admit(&app, session, &method, &uri, &headers).await?;
        // A large file takes longer than a stranger may stay.
        if let Some(Extension(visitor)) = visitor {
            visitor.is_known();
        }
        let length = text(&headers, &header::CONTENT_LENGTH).and_then(|length| length.parse::<u64>().ok());
        if length.is_some_and(|length| length > ATTACH_LIMIT) {
            return Err(attached::too_large());
        }
        let arriving = Arriving::begin(&folder, text(&headers, &header::CONTENT_TYPE).unwrap_or_default()).await?;
        let arrived = tokio::time::timeout(ARRIVE_LIMIT, take_in(arriving, body, &name)).await;
        arrived.unwrap_or_else(|_| Err(refuse(ErrorCode::BadValue, "the file took too long to arrive")))
    };
    answer(taken.await.map(|file| Json(file).into_response()))
}

async fn take_in(mut arriving: Arriving, body: Body, name: &str) -> Result<AttachedFile, WireError> {
    let mut pieces = body.into_data_stream();
    while let Some(piece) = pieces.next().await {
        let piece = piece.map_err(|_| refuse(ErrorCode::BadValue, "the file did not arrive whole"))?;
        arriving.take(&piece).await?;
    }
    arriving.keep(name).await
}

/// `GET /api/sessions/ID/files/FILE`: for the small picture in the composer.
pub(super) async fn show(
    State(app): State<Arc<App>>,
    Path((session, id)): Path<(Uuid, String)>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
) -> Response {
    let shown = async {
        let folder = admit(&app, session, &method, &uri, &headers).await?;
        let path = attached::find(&folder, &id).await.ok_or_else(no_such_file)?;
        let content = tokio::fs::read(path).await.map_err(|_| no_such_file())?;
        let fields =
            [(header::CONTENT_TYPE, attached::kind_by_id(&id)), (header::CACHE_CONTROL, "private, max-age=3600")];
        Ok((fields, content).into_response())
    };
    answer(shown.await)
}

/// `DELETE /api/sessions/ID/files/FILE`: it does not go with the message after all.
pub(super) async fn remove(
    State(app): State<Arc<App>>,
    Path((session, id)): Path<(Uuid, String)>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
) -> Response {
    let removed = async {
        let folder = admit(&app, session, &method, &uri, &headers).await?;
        let path = attached::find(&folder, &id).await.ok_or_else(no_such_file)?;
        tokio::fs::remove_file(path).await.map_err(|_| no_such_file())?;
        Ok(StatusCode::NO_CONTENT.into_response())
    };
    answer(removed.await)
}

/// Only a paired device, only for a session that runs.
async fn admit(
    app: &App,
    session: Uuid,
    method: &Method,
    uri: &Uri,
    headers: &HeaderMap,
) -> Result<std::path::PathBuf, WireError> {
    credential::device(app, method, uri, headers).await?;
    Ok(app.sessions.session_folder(SessionId(session))?)
}

fn no_such_file() -> WireError {
    refuse(ErrorCode::BadValue, "there is no such file")
}

fn text<'a>(headers: &'a HeaderMap, name: &header::HeaderName) -> Option<&'a str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

fn answer(result: Result<Response, WireError>) -> Response {
    result.unwrap_or_else(|error| {
        let status = match error.code {
            ErrorCode::NotPaired => StatusCode::UNAUTHORIZED,
            ErrorCode::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            ErrorCode::UnknownSession => StatusCode::NOT_FOUND,
            ErrorCode::SessionEnded => StatusCode::CONFLICT,
            ErrorCode::BadValue => StatusCode::UNPROCESSABLE_ENTITY,
            _ => StatusCode::INTERNAL_SERVER_ERROR,
        };
        pairing::refused(status, error)
    })
}
