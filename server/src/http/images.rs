//! The pictures of conversations: fetched one by one when they are seen, never sent with the messages that name them.

use std::sync::Arc;

use axum::{
    extract::{Path, State},
    http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header},
    response::{IntoResponse as _, Response},
};
use shared_types::{ErrorCode, SessionId};
use uuid::Uuid;

use super::{App, credential, pairing};
use crate::sessions::refuse::{from_store, refuse};

/// A picture never changes under its name; it stays with the one browser that may see it.
const CACHE: HeaderValue = HeaderValue::from_static("private, max-age=31536000, immutable");

/// `GET /api/sessions/<session>/images/<id>`, for a paired device.
pub(super) async fn serve(
    State(app): State<Arc<App>>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    Path((session, id)): Path<(Uuid, String)>,
) -> Response {
    if let Err(error) = credential::device(&app, &method, &uri, &headers).await {
        return pairing::refused(StatusCode::UNAUTHORIZED, error);
    }
    match app.store.image(SessionId(session), id).await {
        Ok(Some(image)) => {
            // Only pictures of a few kinds are kept at all, and the guard's headers forbid to take one for anything else.
            let kind =
                HeaderValue::try_from(image.media_type).unwrap_or(HeaderValue::from_static("application/octet-stream"));
            ([(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, CACHE)], image.data).into_response()
        }
        Ok(None) => pairing::refused(StatusCode::NOT_FOUND, refuse(ErrorCode::BadValue, "there is no such picture")),
        Err(error) => pairing::refused(StatusCode::SERVICE_UNAVAILABLE, from_store(&error)),
    }
}
