//! Requests to servers elsewhere: https, or plain http to this machine alone; everything limited, no redirects, no proxy, no cookies.

use std::{
    fmt,
    net::{IpAddr, SocketAddr},
    sync::{Arc, LazyLock},
    time::Duration,
};

use axum::http::{HeaderMap, HeaderValue, Method, Request, StatusCode, Uri, header};
use bytes::Bytes;
use http_body_util::{BodyExt as _, Full, Limited};
use hyper::{client::conn::http1, rt};
use hyper_util::rt::TokioIo;
use rustls::{ClientConfig, RootCertStore, pki_types::ServerName};
use tokio::{net::TcpStream, time::timeout};
use tokio_rustls::TlsConnector;

/// How long a connection may take.
const CONNECT_LIMIT: Duration = Duration::from_secs(10);

/// An address that may be asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Address {
    uri: Uri,
    host: String,
    port: u16,
    tls: bool,
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum NoAnswer {
    /// The address is none that may be asked.
    #[error("{0} is not an https address")]
    BadAddress(String),
    /// Nobody was reached.
    #[error("{0} cannot be reached: {1}")]
    Unreachable(String, String),
    /// It took too long.
    #[error("{0} does not answer in time")]
    TooSlow(String),
}

/// The longest pause that a server may ask for; after that it is tried once more.
const PAUSE_LIMIT: Duration = Duration::from_secs(10 * 60);

/// The head of an answer.
#[derive(Debug, Clone)]
pub(crate) struct Answered {
    /// Its status.
    pub(crate) status: StatusCode,
    /// Its headers.
    pub(crate) headers: HeaderMap,
    /// What it says, as far as it was asked for.
    pub(crate) body: Bytes,
}

impl Answered {
    /// How long the server wants to be left alone, where it says so in seconds.
    pub(crate) fn retry_after(&self) -> Option<Duration> {
        let after = self.headers.get(header::RETRY_AFTER)?.to_str().ok()?;
        Some(Duration::from_secs(after.trim().parse().ok()?).min(PAUSE_LIMIT))
    }
}

impl Address {
    /// Reads an address. Plain http is good enough only where nothing leaves this machine.
    ///
    /// # Errors
    /// When it is not one that may be asked.
    pub(crate) fn parse(text: &str) -> Result<Self, NoAnswer> {
        let bad = || NoAnswer::BadAddress(text.chars().take(80).collect());
        let uri: Uri = text.parse().map_err(|_| bad())?;
        let authority = uri.authority().ok_or_else(bad)?;
        let host = authority.host().to_owned();
        if host.is_empty() || authority.as_str().contains('@') {
            return Err(bad());
        }
        let tls = match uri.scheme_str() {
            Some("https") => true,
            Some("http") if is_loopback(&host) => false,
            _ => return Err(bad()),
        };
        let port = authority.port_u16().unwrap_or(if tls { 443 } else { 80 });
        Ok(Self { host, port, tls, uri })
    }

    /// Scheme, host and port, as browsers write an origin.
    pub(crate) fn origin(&self) -> String {
        let scheme = if self.tls { "https" } else { "http" };
        format!("{scheme}://{}", self.authority())
    }

    /// The host, for people.
    pub(crate) fn host(&self) -> &str {
        &self.host
    }

    fn authority(&self) -> String {
        let usual = if self.tls { 443 } else { 80 };
        if self.port == usual { self.host.clone() } else { format!("{}:{}", self.host, self.port) }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Never the path: it often is what opens the door.
        formatter.write_str(&self.origin())
    }
}

/// Sends a request and waits for the head of the answer, at most so long.
pub(crate) async fn send(
    address: &Address,
    method: Method,
    headers: HeaderMap,
    body: Bytes,
    limit: Duration,
) -> Result<Answered, NoAnswer> {
    let slow = |_| NoAnswer::TooSlow(address.host.clone());
    timeout(limit, exchange(address, method, headers, body, None)).await.map_err(slow)?
}

/// Posts JSON and waits for the whole answer, at most so long and so many bytes.
pub(crate) async fn ask(address: &Address, body: Bytes, limit: Duration, most: usize) -> Result<Answered, NoAnswer> {
    let slow = |_| NoAnswer::TooSlow(address.host.clone());
    let headers = HeaderMap::from_iter([(header::CONTENT_TYPE, HeaderValue::from_static("application/json"))]);
    timeout(limit, exchange(address, Method::POST, headers, body, Some(most))).await.map_err(slow)?
}

/// Reads the answer's body up to `most` bytes, or not at all.
async fn exchange(
    address: &Address,
    method: Method,
    headers: HeaderMap,
    body: Bytes,
    most: Option<usize>,
) -> Result<Answered, NoAnswer> {
    let failed = |error: &dyn fmt::Display| NoAnswer::Unreachable(address.host.clone(), error.to_string());
    let stream = timeout(CONNECT_LIMIT, connect(address)).await.map_err(|_| NoAnswer::TooSlow(address.host.clone()))?;
    let stream = stream.map_err(|error| failed(&error))?;
    let path = address.uri.path_and_query().map_or("/", |path| path.as_str());
    let mut request = Request::builder().method(method).uri(path).header(header::HOST, address.authority());
    if let Some(fields) = request.headers_mut() {
        fields.extend(headers);
    }
    let request = request.body(Full::new(body)).map_err(|error| failed(&error))?;
    if address.tls {
        let name = ServerName::try_from(bare(&address.host).to_owned()).map_err(|error| failed(&error))?;
        let connector = TlsConnector::from(tls()?);
        let stream = connector.connect(name, stream).await.map_err(|error| failed(&error))?;
        speak(TokioIo::new(stream), request, most).await.map_err(|error| failed(&error))
    } else {
        speak(TokioIo::new(stream), request, most).await.map_err(|error| failed(&error))
    }
}

async fn connect(address: &Address) -> std::io::Result<TcpStream> {
    let host = bare(&address.host);
    let mut last = std::io::Error::other("the name has no address");
    let found: Vec<SocketAddr> = tokio::net::lookup_host((host, address.port)).await?.collect();
    for candidate in found {
        // A name that is said to be of this machine must be.
        if !address.tls && !candidate.ip().is_loopback() {
            continue;
        }
        match TcpStream::connect(candidate).await {
            Ok(stream) => return Ok(stream),
            Err(error) => last = error,
        }
    }
    Err(last)
}

async fn speak<S: rt::Read + rt::Write + Unpin + Send + 'static>(
    stream: S,
    request: Request<Full<Bytes>>,
    most: Option<usize>,
) -> Result<Answered, Box<dyn std::error::Error + Send + Sync>> {
    let (mut sender, connection) = http1::handshake(stream).await?;
    // It ends with the sender, and so with this request.
    tokio::spawn(connection);
    let (parts, body) = sender.send_request(request).await?.into_parts();
    let body = match most {
        Some(most) => Limited::new(body, most).collect().await?.to_bytes(),
        None => Bytes::new(),
    };
    Ok(Answered { status: parts.status, headers: parts.headers, body })
}

/// The certificates that this machine trusts.
fn tls() -> Result<Arc<ClientConfig>, NoAnswer> {
    static CONFIG: LazyLock<Option<Arc<ClientConfig>>> = LazyLock::new(|| {
        let mut roots = RootCertStore::empty();
        let (added, _) = roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions().ok()?;
        (added > 0).then(|| Arc::new(config.with_root_certificates(roots).with_no_client_auth()))
    });
    let missing = || {
        let what = "this machine trusts no certificates: install the package ca-certificates";
        NoAnswer::Unreachable("https".to_owned(), what.to_owned())
    };
    CONFIG.clone().ok_or_else(missing)
}

/// The host without the brackets of an IPv6 address.
fn bare(host: &str) -> &str {
    host.trim_start_matches('[').trim_end_matches(']')
}

fn is_loopback(host: &str) -> bool {
    host == "localhost" || bare(host).parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_https_and_this_machine_may_be_asked() {
        for good in ["https://push.example/x", "https://push.example:8443/", "http://127.0.0.1:9/x", "http://[::1]:9/"]
        {
            assert!(Address::parse(good).is_ok(), "{good}");
        }
        let bad = ["http://push.example/x", "ftp://push.example", "push.example", "/x", "https://me@push.example/", ""];
        for bad in bad.into_iter().chain(["http://10.0.0.1/", "file:///etc/passwd", "http://localhost.evil.example/"]) {
            assert!(Address::parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn origin_is_written_as_browsers_do() {
        for (address, origin) in [
            ("https://push.example/a/b?c", "https://push.example"),
            ("https://push.example:443/", "https://push.example"),
            ("https://push.example:8443/", "https://push.example:8443"),
            ("http://127.0.0.1:9/x", "http://127.0.0.1:9"),
        ] {
            assert_eq!(Address::parse(address).expect("good").origin(), origin);
        }
    }
}
