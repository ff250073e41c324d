//! The page, from inside the binary: `answerback` alone is the whole product.

#[cfg(test)]
mod tests;

use axum::{
    body::Body,
    http::{HeaderMap, HeaderValue, Method, Request, StatusCode, header},
    response::{IntoResponse as _, Response},
};
use rust_embed::{EmbeddedFile, RustEmbed};

/// What `npm run build` made, each text file also compressed beside it.
#[derive(RustEmbed)]
#[folder = "../web/dist"]
#[allow_missing = true]
struct Page;

/// Serves a file of the page; `/` is its first.
pub(super) async fn serve(request: Request<Body>) -> Response {
    serve_from::<Page>(&request)
}

fn serve_from<Files: RustEmbed>(request: &Request<Body>) -> Response {
    if request.method() != Method::GET && request.method() != Method::HEAD {
        return StatusCode::METHOD_NOT_ALLOWED.into_response();
    }
    let path = match request.uri().path() {
        "/" => "index.html",
        path => path.trim_start_matches('/'),
    };
    let compressed = path.ends_with(".br") || path.ends_with(".gz");
    match find::<Files>(path, request.headers()).filter(|_| !compressed) {
        Some((file, encoding)) => answer(path, &file, encoding, request.headers()),
        None if path == "index.html" => {
            let message = "the page was not built into this binary: run `npm run build`";
            (StatusCode::SERVICE_UNAVAILABLE, message).into_response()
        }
        None => (StatusCode::NOT_FOUND, "there is nothing here").into_response(),
    }
}

/// The smallest form of a file that the browser takes.
fn find<Files: RustEmbed>(path: &str, headers: &HeaderMap) -> Option<(EmbeddedFile, Option<&'static str>)> {
    let accepted = headers.get(header::ACCEPT_ENCODING).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let takes = |wanted: &str| accepted.split(',').any(|offer| takes(offer, wanted));
    for (suffix, encoding) in [(".br", "br"), (".gz", "gzip")] {
        if takes(encoding)
            && let Some(file) = Files::get(&format!("{path}{suffix}"))
        {
            return Some((file, Some(encoding)));
        }
    }
    Files::get(path).map(|file| (file, None))
}

/// Whether one offer of a browser is an encoding that it takes: `gzip;q=0` says that it does not.
fn takes(offer: &str, wanted: &str) -> bool {
    let mut parts = offer.split(';').map(str::trim);
    let named = parts.next().is_some_and(|name| name.eq_ignore_ascii_case(wanted));
    let weight = parts.find_map(|part| part.strip_prefix("q=")).map(|weight| weight.trim().parse::<f32>());
    named && weight.is_none_or(|weight| weight.is_ok_and(|weight| weight > 0.0))
}

fn answer(path: &str, file: &EmbeddedFile, encoding: Option<&'static str>, headers: &HeaderMap) -> Response {
    let tag: String = file.metadata.sha256_hash().iter().take(12).map(|byte| format!("{byte:02x}")).collect();
    let tag = format!("\"{tag}\"");
    // Files below assets/ carry a hash in their names and never change; the others are asked for anew each time.
    let cache = if path.starts_with("assets/") { "public, max-age=31536000, immutable" } else { "no-cache" };
    let unchanged = headers.get(header::IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes());
    let mut response = if unchanged {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        ([(header::CONTENT_TYPE, content_type(path))], file.data.to_vec()).into_response()
    };
    let fields = response.headers_mut();
    fields.insert(header::CACHE_CONTROL, HeaderValue::from_static(cache));
    fields.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        fields.insert(header::ETAG, tag);
    }
    if let Some(encoding) = encoding.filter(|_| !unchanged) {
        fields.insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding));
    }
    response
}

fn content_type(path: &str) -> &'static str {
    match path.rsplit('.').next().unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "json" => "application/json",
        "webmanifest" => "application/manifest+json",
        _ => "application/octet-stream",
    }
}
