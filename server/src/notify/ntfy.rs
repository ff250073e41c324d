//! ntfy: a message to a topic of a public server or one's own. It goes in the clear to that server, so by default it says little; it is
//! answered on the page.

use std::{fs, path::PathBuf, time::Duration};

use async_trait::async_trait;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use bytes::Bytes;
use serde_json::json;

use super::{
    channel::{Channel, Message, MessageKind, Outcome, Verdict},
    outbound::{self, Address},
};

/// How long one try may take.
const LIMIT: Duration = Duration::from_secs(15);
/// The longest token file that is read, in bytes.
const TOKEN_LIMIT: usize = 4096;

/// The way to a topic.
pub(crate) struct Ntfy {
    server: Address,
    topic: String,
    /// Where the access token is, for servers that want one. Read each time, so that it can be changed.
    token_file: Option<PathBuf>,
    /// Where the page is, without a slash at the end, if others can reach it.
    page: Option<String>,
}

impl Ntfy {
    /// The way to this topic.
    ///
    /// # Errors
    /// When the server's address is none that may be asked.
    pub(crate) fn new(
        server: &str,
        topic: &str,
        token_file: Option<PathBuf>,
        page: Option<String>,
    ) -> Result<Self, String> {
        let server = Address::parse(server).map_err(|error| error.to_string())?;
        Ok(Self { server, topic: topic.to_owned(), token_file, page })
    }

    /// The host of the server.
    pub(crate) fn host(&self) -> &str {
        self.server.host()
    }

    fn body(&self, message: &Message) -> String {
        let (priority, tag) = match message.kind {
            MessageKind::NeedsYou => (4, "question"),
            MessageKind::News => (3, "information_source"),
            // Shown in the list alone.
            MessageKind::Withdrawn => (1, "white_check_mark"),
        };
        let text = if message.body.is_empty() { &message.title } else { &message.body };
        let mut body = json!({
            "topic": self.topic,
            "title": message.title,
            "message": text,
            "priority": priority,
            "tags": [tag],
        });
        if let Some(page) = &self.page {
            body["click"] = json!(format!("{page}/{}", message.link));
        }
        body.to_string()
    }

    fn headers(&self) -> Result<HeaderMap, String> {
        let mut headers = HeaderMap::new();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        if let Some(file) = &self.token_file {
            let said = |error: &dyn std::fmt::Display| format!("the token of ntfy in {}: {error}", file.display());
            let token = fs::read_to_string(file).map_err(|error| said(&error))?;
            let token = token.trim();
            if token.is_empty() || token.len() > TOKEN_LIMIT {
                return Err(said(&"it is empty or too long"));
            }
            let mut value = HeaderValue::from_str(&format!("Bearer {token}")).map_err(|error| said(&error))?;
            value.set_sensitive(true);
            headers.insert(header::AUTHORIZATION, value);
        }
        Ok(headers)
    }
}

#[async_trait]
impl Channel for Ntfy {
    async fn deliver(&self, message: &Message) -> Outcome {
        let headers = match self.headers() {
            Ok(headers) => headers,
            Err(detail) => return Outcome { verdict: Verdict::Refused, status: None, detail },
        };
        let body = Bytes::from(self.body(message));
        match outbound::send(&self.server, Method::POST, headers, body, LIMIT).await {
            Ok(answered) => {
                let host = self.host();
                let (verdict, detail) = match answered.status {
                    status if status.is_success() => (Verdict::Taken, format!("taken by {host}")),
                    StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => {
                        (Verdict::Refused, format!("{host} wants another token for this topic: see token_file"))
                    }
                    StatusCode::TOO_MANY_REQUESTS => {
                        (Verdict::Again(answered.retry_after()), format!("{host} asks for a pause"))
                    }
                    status if status.is_server_error() => (Verdict::Again(None), format!("{host} has a fault")),
                    _ => (Verdict::Refused, format!("{host} refuses it")),
                };
                Outcome { verdict, status: Some(answered.status.as_u16()), detail }
            }
            Err(error) => Outcome { verdict: Verdict::Again(None), status: None, detail: error.to_string() },
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use axum::{Router, extract::State, response::IntoResponse as _, routing};

    use super::*;

    type Received = Arc<Mutex<Vec<(Option<String>, serde_json::Value)>>>;
    /// A status and how long to wait, for each request.
    type Answers = Arc<Mutex<std::vec::IntoIter<(u16, Option<&'static str>)>>>;

    /// A server on this machine that answers one after the other.
    async fn server(answers: Vec<(u16, Option<&'static str>)>) -> (String, Received) {
        let received = Received::default();
        let answers = Arc::new(Mutex::new(answers.into_iter()));
        let take = |State((received, answers)): State<(Received, Answers)>, headers: HeaderMap, body: String| async move {
            let token = headers.get(header::AUTHORIZATION).map(|value| value.to_str().expect("text").to_owned());
            received.lock().expect("lock").push((token, serde_json::from_str(&body).expect("JSON")));
            let (status, retry) = answers.lock().expect("lock").next().unwrap_or((200, None));
            let mut headers = HeaderMap::new();
            if let Some(retry) = retry {
                headers.insert(header::RETRY_AFTER, HeaderValue::from_static(retry));
            }
            (StatusCode::from_u16(status).expect("a status"), headers).into_response()
        };
        let router = Router::new().route("/", routing::post(take)).with_state((Arc::clone(&received), answers));
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = format!("http://{}", listener.local_addr().expect("an address"));
        tokio::spawn(axum::serve(listener, router).into_future());
        (address, received)
    }

    fn message() -> Message {
        Message {
            tag: "t".into(),
            title: "shop: Run this?".into(),
            body: "Bash · high risk".into(),
            link: "#/p/1".into(),
            buttons: Vec::new(),
            kind: MessageKind::NeedsYou,
            ttl: Duration::ZERO,
            waiting: 1,
            shown: None,
        }
    }

    #[tokio::test]
    async fn message_goes_to_its_topic_with_the_token_and_the_way_back() {
        let (address, received) = server(vec![]).await;
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("token");
        fs::write(&file, "tk_abc\n").expect("written");
        let page = Some("https://box.example".to_owned());
        let ntfy = Ntfy::new(&address, "my-topic", Some(file), page).expect("an address");
        let told = ntfy.deliver(&message()).await;
        assert_eq!((told.verdict, told.status), (Verdict::Taken, Some(200)));
        let expected = json!({
            "topic": "my-topic",
            "title": "shop: Run this?",
            "message": "Bash · high risk",
            "priority": 4,
            "tags": ["question"],
            "click": "https://box.example/#/p/1",
        });
        assert_eq!(*received.lock().expect("lock"), [(Some("Bearer tk_abc".to_owned()), expected)]);
    }

    #[tokio::test]
    async fn answers_of_the_server_are_understood() {
        let seconds = |seconds| Verdict::Again(Some(Duration::from_secs(seconds)));
        let table = [
            (403, None, Verdict::Refused),
            (429, Some("3"), seconds(3)),
            (500, None, Verdict::Again(None)),
            (302, None, Verdict::Refused),
        ];
        let (address, _) = server(table.iter().map(|(status, retry, _)| (*status, *retry)).collect()).await;
        let ntfy = Ntfy::new(&address, "t", None, None).expect("an address");
        for (status, _, verdict) in table {
            assert_eq!(ntfy.deliver(&message()).await.verdict, verdict, "{status}");
        }
    }

    #[tokio::test]
    async fn server_that_is_not_there_is_tried_again_and_a_missing_token_is_said() {
        // Bound and let go: nobody listens there.
        let free = std::net::TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("an address");
        let ntfy = Ntfy::new(&format!("http://{free}"), "t", None, None).expect("an address");
        assert_eq!(ntfy.deliver(&message()).await.verdict, Verdict::Again(None));
        let ntfy = Ntfy::new("https://ntfy.example", "t", Some("/nowhere/token".into()), None).expect("an address");
        assert_eq!(ntfy.deliver(&message()).await.verdict, Verdict::Refused);
        assert!(Ntfy::new("http://ntfy.example", "t", None, None).is_err(), "the topic would be read on the way");
    }
}
