//! Whether a request carries both halves of a device's credential: the cookie, and the proof of the key that only our own page has.

use axum::http::{HeaderMap, Method, Uri, header};
use shared_types::{Device, ErrorCode, PROOF_HEADER, Standing, WireError, is_same_proof, request_proof};

use super::App;
use crate::{access::Paired, sessions::refuse::refuse};

/// How long a browser keeps the cookie: browsers allow at most 400 days. Being used renews nothing; a lost phone is revoked.
const COOKIE_AGE_SECONDS: u32 = 400 * 24 * 60 * 60;

/// Browsers take a cookie of such a name only over an encrypted connection, for this host alone and for all of it.
const HOST_PREFIX: &str = "__Host-";

/// On an encrypted page the cookie never travels in the clear, and no other name, port or path can put one in its place.
pub(super) fn set_cookie(name: &str, token: &str, headers: &HeaderMap) -> String {
    let (prefix, secure) = if is_https(headers) { (HOST_PREFIX, "; Secure") } else { ("", "") };
    format!("{prefix}{name}={token}; Path=/; HttpOnly; SameSite=Strict; Max-Age={COOKIE_AGE_SECONDS}{secure}")
}

/// Whether the page was loaded encrypted, by us or by a proxy in front of us. `guard` has seen that the origin is our own.
fn is_https(headers: &HeaderMap) -> bool {
    headers.get(header::ORIGIN).is_some_and(|origin| origin.as_bytes().starts_with(b"https://"))
}

/// The device whose cookie a request carries. That is half of its credential and opens nothing yet.
pub(super) fn by_cookie(app: &App, headers: &HeaderMap) -> Option<Paired> {
    let lines = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let pairs = lines.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
    let is_ours = |name: &str| name.strip_prefix(HOST_PREFIX).unwrap_or(name) == app.access.cookie_name();
    pairs.filter(|(name, _)| is_ours(name)).find_map(|(_, token)| app.access.by_cookie(token))
}

/// What a request has shown of a credential.
pub(super) async fn standing(app: &App, method: &Method, uri: &Uri, headers: &HeaderMap) -> (Standing, Option<Device>) {
    let Some(Paired { device, key }) = by_cookie(app, headers) else { return (Standing::NotPaired, None) };
    let Some(key) = key else { return (Standing::PairAgain, None) };
    let path = uri.path_and_query().map(ToString::to_string).unwrap_or_default();
    let expected = request_proof(&key, app.bus.epoch(), method.as_str(), &path);
    let given = headers.get(PROOF_HEADER).and_then(|value| value.to_str().ok());
    if !given.is_some_and(|given| is_same_proof(&expected, given)) {
        return (Standing::CookieOnly, None);
    }
    app.access.seen(device.id).await;
    (Standing::Paired, Some(device))
}

/// The device that a request comes from.
///
/// # Errors
/// When it has not shown both halves of its credential.
pub(super) async fn device(app: &App, method: &Method, uri: &Uri, headers: &HeaderMap) -> Result<Device, WireError> {
    match standing(app, method, uri, headers).await {
        (_, Some(device)) => Ok(device),
        (standing, None) => Err(not_paired(standing)),
    }
}

/// Why a device is not let in, and what to do.
pub(super) fn not_paired(standing: Standing) -> WireError {
    let message = match standing {
        Standing::PairAgain => {
            "this device was paired before devices had keys: pair it once more with a code of `answerback pair`"
        }
        Standing::CookieOnly => "this browser did not prove its key: load the page again, or pair it once more",
        Standing::NotPaired | Standing::Paired => "this browser is not paired: scan a code of `answerback pair`",
    };
    refuse(ErrorCode::NotPaired, message)
}
