//! Turns away what comes from a wrong place, before anything else looks at it.
//!
//! - The host that is called must be one of ours: a foreign name that resolves to this machine (DNS rebinding) gets nothing.
//!   Where the address of the request names it as well, both must say the same.
//! - Whatever says where it comes from must come from our own page: the `Origin` must be the host that was called. What
//!   changes something, and the socket, must say it.
//!
//! Every answer carries the headers that keep the page to itself.

use std::{collections::HashSet, net::IpAddr, sync::Arc};

use axum::{
    Json,
    extract::{Request, State},
    http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header},
    middleware::Next,
    response::{IntoResponse as _, Response},
};
use shared_types::ErrorCode;

use super::App;
use crate::sessions::refuse::refuse;

/// Under which names we may be called, in lower case, without port.
#[derive(Debug, Clone, Default)]
pub struct AllowedHosts(HashSet<String>);

impl AllowedHosts {
    /// Loopback, the machine's own names and addresses, and what the person allows.
    #[must_use]
    pub fn new(addresses: &[IpAddr], names: impl IntoIterator<Item = String>) -> Self {
        let mut hosts: HashSet<String> = ["localhost", "127.0.0.1", "[::1]"].map(str::to_owned).into();
        hosts.extend(addresses.iter().map(|address| match address {
            IpAddr::V4(address) => address.to_string(),
            IpAddr::V6(address) => format!("[{address}]"),
        }));
        hosts.extend(names.into_iter().map(|name| name.to_ascii_lowercase()).filter(|name| !name.is_empty()));
        Self(hosts)
    }

    fn contains(&self, authority: &str) -> bool {
        self.0.contains(&without_port(authority).to_ascii_lowercase())
    }
}

/// `host:port` without its port; an IPv6 address keeps its brackets.
fn without_port(authority: &str) -> &str {
    match authority.rfind(':') {
        Some(colon) if !authority[colon..].contains(']') => &authority[..colon],
        _ => authority,
    }
}

/// The headers of every answer. The page loads nothing from elsewhere, runs nothing inline and is framed by nobody.
const HEADERS: [(HeaderName, &str); 6] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; \
         manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; \
         require-trusted-types-for 'script'; trusted-types worker",
    ),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// The check, as a layer.
pub(super) async fn check(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let mut response = match refusal(&app.hosts, &request) {
        Some(message) => (StatusCode::FORBIDDEN, Json(refuse(ErrorCode::Forbidden, message))).into_response(),
        None => next.run(request).await,
    };
    for (name, value) in HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

fn refusal(hosts: &AllowedHosts, request: &Request) -> Option<&'static str> {
    let headers = request.headers();
    let host = match (request.uri().authority(), text(headers, &header::HOST)) {
        (Some(authority), None) if !headers.contains_key(header::HOST) => authority.as_str(),
        (Some(authority), Some(host)) if !authority.as_str().eq_ignore_ascii_case(host) => {
            return Some("the request names two hosts");
        }
        (_, host) => host.unwrap_or_default(),
    };
    if !hosts.contains(host) {
        return Some("this host name is not allowed: add it with --allowed-host");
    }
    let must_have_origin =
        request.method() != Method::GET && request.method() != Method::HEAD || request.uri().path() == "/ws";
    let foreign = match headers.get(header::ORIGIN) {
        Some(_) => {
            text(headers, &header::ORIGIN).and_then(|origin| origin.split_once("://")).is_none_or(|(_, at)| at != host)
        }
        None => must_have_origin,
    };
    foreign.then_some("this request does not come from Answerback's own page")
}

fn text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    // Two of a kind are nobody's honest request.
    let mut values = headers.get_all(name).iter();
    let value = values.next()?.to_str().ok()?;
    values.next().is_none().then_some(value)
}

#[cfg(test)]
mod tests {
    use axum::body::Body;

    use super::*;

    type Header<'a> = (&'a str, &'a str);

    fn request(method: &str, path: &str, headers: &[(&str, &str)]) -> Request {
        let mut request = Request::builder().method(method).uri(path);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        request.body(Body::empty()).expect("request")
    }

    #[test]
    fn only_our_own_hosts_and_page_pass() {
        let hosts = AllowedHosts::new(&["192.0.2.7".parse().expect("ip")], ["Box.local".to_owned()]);
        let table: &[(&str, &str, &[Header<'_>], bool)] = &[
            ("GET", "/", &[("host", "localhost:4700")], true),
            ("GET", "/", &[("host", "127.0.0.1:4700")], true),
            ("GET", "/", &[("host", "[::1]:4700")], true),
            ("GET", "/", &[("host", "box.LOCAL")], true),
            ("GET", "/", &[("host", "192.0.2.7:1")], true),
            ("GET", "/", &[("host", "192.0.2.8:1")], false),
            ("GET", "/", &[("host", "evil.example")], false),
            ("GET", "/", &[("host", "localhost.evil.example")], false),
            ("GET", "/", &[], false),
            ("GET", "/", &[("host", "localhost"), ("host", "evil.example")], false),
            // HTTP/2, and requests that name the whole address.
            ("GET", "https://localhost:4700/", &[], true),
            ("GET", "https://evil.example/", &[], false),
            ("GET", "https://localhost:4700/", &[("host", "LocalHost:4700")], true),
            ("GET", "https://evil.example/", &[("host", "localhost:4700")], false),
            ("GET", "https://localhost:4700/", &[("host", "evil.example")], false),
            ("GET", "https://localhost:4700/", &[("host", "localhost:4701")], false),
            ("GET", "https://localhost/", &[("host", "localhost"), ("host", "evil.example")], false),
            ("GET", "https://me@localhost/", &[], false),
            ("GET", "https://localhost:4700/ws", &[("origin", "https://localhost:4700")], true),
            ("GET", "https://localhost:4700/ws", &[("origin", "https://evil.example")], false),
            ("GET", "/api/me", &[("host", "localhost:4700"), ("origin", "http://evil.example")], false),
            ("GET", "/ws", &[("host", "localhost:4700")], false),
            ("GET", "/ws", &[("host", "localhost:4700"), ("origin", "http://localhost:4700")], true),
            ("GET", "/ws", &[("host", "localhost:4700"), ("origin", "http://localhost:4701")], false),
            ("GET", "/ws", &[("host", "localhost:4700"), ("origin", "http://evil.example")], false),
            ("GET", "/ws", &[("host", "localhost:4700"), ("origin", "null")], false),
            ("POST", "/api/pair", &[("host", "localhost:4700")], false),
            ("POST", "/api/pair", &[("host", "localhost:4700"), ("origin", "https://localhost:4700")], true),
            ("POST", "/api/pair", &[("host", "evil.example"), ("origin", "http://evil.example")], false),
        ];
        for (method, path, headers, passes) in table {
            let refused = refusal(&hosts, &request(method, path, headers));
            assert_eq!(refused.is_none(), *passes, "{method} {path} {headers:?}: {refused:?}");
        }
    }
}
