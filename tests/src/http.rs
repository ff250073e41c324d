//! HTTP by hand, because stories must be able to send what no honest client would.

use std::net::SocketAddr;

use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
    time::timeout,
};

use crate::LIMIT;

/// An answer.
#[derive(Debug, Clone)]
pub struct HttpReply {
    /// The status code.
    pub status: u16,
    /// The header lines as they came, names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: String,
}

impl HttpReply {
    /// The first header of a name.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The body as JSON.
    #[must_use]
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("not JSON: {error}: {}", self.body))
    }
}

/// Sends one request with exactly these headers and reads the whole answer.
pub async fn http(to: SocketAddr, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> HttpReply {
    let mut request = format!("{method} {path} HTTP/1.1\r\n");
    if !headers.iter().any(|(name, _)| *name == "connection") {
        request += "connection: close\r\n";
    }
    for (name, value) in headers {
        request += &format!("{name}: {value}\r\n");
    }
    request += &format!("content-length: {}\r\n\r\n{body}", body.len());
    let exchange = async {
        let mut stream = TcpStream::connect(to).await.expect("connect");
        // A server may hang up before it has heard everything; what it said is read all the same.
        let _ = stream.write_all(request.as_bytes()).await;
        let mut bytes = Vec::new();
        // A reset after the answer is as good as an end.
        let _ = stream.read_to_end(&mut bytes).await;
        bytes
    };
    let bytes = timeout(LIMIT, exchange).await.unwrap_or_else(|_| panic!("{method} {path}: no answer"));
    parse(&String::from_utf8_lossy(&bytes))
}

fn parse(text: &str) -> HttpReply {
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((text, ""));
    let mut lines = head.lines();
    let status = lines.next().and_then(|line| line.split(' ').nth(1)).and_then(|code| code.parse().ok());
    let headers =
        lines.filter_map(|line| line.split_once(": ")).map(|(name, value)| (name.to_lowercase(), value.into()));
    HttpReply { status: status.unwrap_or(0), headers: headers.collect(), body: body.to_owned() }
}
