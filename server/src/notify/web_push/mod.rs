//! Web push: a message for one browser, through the push service that its maker runs. What it says is encrypted to the browser's
//! own keys; the service sees whom it is for, when, and a rounded size.

mod encrypt;
mod vapid;

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use base64::{
    Engine as _,
    alphabet::URL_SAFE,
    engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig},
};
use bytes::Bytes;
use serde_json::json;
use shared_types::PushSubscription;

pub(crate) use vapid::Vapid;

use super::{
    channel::{Channel, Message, MessageKind, Outcome, Verdict},
    outbound::{self, Address, Answered, NoAnswer},
};
use crate::clock::now_millis;
use encrypt::{Receiver, TEXT_LIMIT, encrypt};

/// How long one try may take.
const LIMIT: Duration = Duration::from_secs(15);
/// The longest address of a browser, in bytes: those of today have some hundred.
const ADDRESS_LIMIT: usize = 2048;

/// The way to one browser.
pub(crate) struct WebPush {
    address: Address,
    receiver: Receiver,
    /// The origin of the page that subscribed.
    origin: String,
    contact: String,
    vapid: Arc<Vapid>,
}

impl WebPush {
    /// The way that a subscription describes.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(crate) fn new(
        subscription: &PushSubscription,
        contact: Option<&str>,
        vapid: Arc<Vapid>,
    ) -> Result<Self, String> {
        if subscription.endpoint.len() > ADDRESS_LIMIT {
            return Err("the address of the push service is too long".to_owned());
        }
        let address = Address::parse(&subscription.endpoint).map_err(|error| error.to_string())?;
        let origin = Address::parse(&subscription.origin).map_err(|error| error.to_string())?.origin();
        let receiver = Receiver { public_key: bytes(&subscription.p256dh), auth: bytes(&subscription.auth) };
        if receiver.public_key.len() != 65 || receiver.auth.len() != 16 {
            return Err("the keys of the subscription are not keys".to_owned());
        }
        let contact = contact.map_or_else(|| contact_of(&origin), str::to_owned);
        Ok(Self { address, receiver, origin, contact, vapid })
    }

    /// The host of the push service.
    pub(crate) fn host(&self) -> &str {
        self.address.host()
    }

    async fn push(&self, message: &Message) -> Result<Answered, Failed> {
        let text = payload(message, &self.origin);
        let body = encrypt(text.as_bytes(), &self.receiver).map_err(|error| Failed::Here(error.to_string()))?;
        let now = now_millis() / 1000;
        let authorization = self.vapid.authorization(&self.address.origin(), &self.contact, now);
        let authorization = authorization.map_err(|error| Failed::Here(error.to_string()))?;
        let urgency = if message.kind == MessageKind::NeedsYou { "high" } else { "normal" };
        let mut headers = HeaderMap::new();
        for (name, value) in [
            (header::AUTHORIZATION, authorization),
            (header::CONTENT_ENCODING, "aes128gcm".to_owned()),
            (header::CONTENT_TYPE, "application/octet-stream".to_owned()),
            (HeaderName::from_static("ttl"), message.ttl.as_secs().to_string()),
            (HeaderName::from_static("urgency"), urgency.to_owned()),
            (HeaderName::from_static("topic"), message.tag.clone()),
        ] {
            let value = HeaderValue::from_str(&value).map_err(|error| Failed::Here(error.to_string()))?;
            headers.insert(name, value);
        }
        Ok(outbound::send(&self.address, Method::POST, headers, Bytes::from(body), LIMIT).await?)
    }
}

#[async_trait]
impl Channel for WebPush {
    async fn deliver(&self, message: &Message) -> Outcome {
        match self.push(message).await {
            Ok(answered) => judge(&answered, self.host()),
            Err(Failed::Here(detail)) => Outcome { verdict: Verdict::Refused, status: None, detail },
            Err(Failed::There(error)) => {
                Outcome { verdict: Verdict::Again(None), status: None, detail: error.to_string() }
            }
        }
    }
}

/// Why there is no status.
#[derive(Debug, thiserror::Error)]
enum Failed {
    #[error("{0}")]
    Here(String),
    #[error(transparent)]
    There(#[from] NoAnswer),
}

/// What a push service's answer means.
fn judge(answered: &Answered, host: &str) -> Outcome {
    let status = answered.status;
    let (verdict, detail) = match status {
        status if status.is_success() => (Verdict::Taken, format!("taken by {host}")),
        StatusCode::NOT_FOUND | StatusCode::GONE => {
            (Verdict::Gone, "this browser has unsubscribed: turn notifications on again there".to_owned())
        }
        StatusCode::BAD_REQUEST | StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => {
            let detail = format!("{host} refuses our key or contact: turn notifications off and on again there");
            (Verdict::Refused, detail)
        }
        StatusCode::PAYLOAD_TOO_LARGE => (Verdict::Refused, format!("{host} finds the message too long")),
        StatusCode::TOO_MANY_REQUESTS => {
            let pause = answered.retry_after().unwrap_or(Duration::from_secs(60));
            (Verdict::Again(Some(pause)), format!("{host} asks for a pause of {} s", pause.as_secs()))
        }
        status if status.is_server_error() => (Verdict::Again(None), format!("{host} has a fault")),
        _ => (Verdict::Refused, format!("{host} refuses it")),
    };
    Outcome { verdict, status: Some(status.as_u16()), detail }
}

/// The message as declarative web push: a browser that knows it shows it by itself, any other hands it to our worker.
fn payload(message: &Message, origin: &str) -> String {
    let navigate = format!("{origin}/{}", message.link);
    let button = |allows| message.buttons.iter().find(|button| button.allows == allows);
    let form = |body: &str, buttons: bool| {
        let mut data = json!({ "link": message.link, "withdrawn": message.kind == MessageKind::Withdrawn });
        let mut actions = Vec::new();
        for (name, button) in [("allow", button(true)), ("deny", button(false))] {
            if let Some(button) = button.filter(|_| buttons) {
                data[name] = json!(button.token);
                actions.push(json!({ "action": name, "title": button.label, "navigate": navigate }));
            }
        }
        json!({
            "web_push": 8030,
            "notification": {
                "title": message.title,
                "body": body,
                "navigate": navigate,
                "tag": message.tag,
                "silent": message.kind == MessageKind::Withdrawn,
                "data": data,
                "actions": actions,
            },
            "app_badge": message.waiting,
        })
        .to_string()
    };
    let whole = form(&message.body, true);
    if whole.len() <= TEXT_LIMIT {
        return whole;
    }
    // Signs that take many bytes: what is cut allows nothing by a button.
    let mut short = message.body.clone();
    loop {
        short.truncate(short.char_indices().nth(short.chars().count() * 3 / 4).map_or(0, |(at, _)| at));
        let text = form(&format!("{short}…"), false);
        if text.len() <= TEXT_LIMIT || short.is_empty() {
            return text;
        }
    }
}

/// Push services want to know whom to ask when something is wrong, and Apple's refuses an address that cannot be one: a page on
/// this machine alone has none of its own.
fn contact_of(origin: &str) -> String {
    let named = origin.strip_prefix("https://").is_some_and(|host| host.contains('.'));
    if named { origin.to_owned() } else { "https://example.org".to_owned() }
}

/// Browsers leave the padding out; what does not is read as well.
fn bytes(text: &str) -> Vec<u8> {
    let config = GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent);
    GeneralPurpose::new(&URL_SAFE, config).decode(text).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message() -> Message {
        Message {
            tag: "t".into(),
            title: "shop: Run this?".into(),
            body: "npm test".into(),
            link: "#/p/1".into(),
            buttons: vec![super::super::channel::Button { allows: true, label: "Allow".into(), token: "yes".into() }],
            kind: MessageKind::NeedsYou,
            ttl: Duration::from_secs(60),
            waiting: 2,
            shown: None,
        }
    }

    #[test]
    fn payload_is_declarative_and_says_where_to_go() {
        let value: serde_json::Value = serde_json::from_str(&payload(&message(), "https://box.example")).expect("JSON");
        let expected = json!({
            "web_push": 8030,
            "notification": {
                "title": "shop: Run this?",
                "body": "npm test",
                "navigate": "https://box.example/#/p/1",
                "tag": "t",
                "silent": false,
                "data": { "link": "#/p/1", "withdrawn": false, "allow": "yes" },
                "actions": [{ "action": "allow", "title": "Allow", "navigate": "https://box.example/#/p/1" }],
            },
            "app_badge": 2,
        });
        assert_eq!(value, expected);
    }

    #[test]
    fn payload_always_fits_and_what_is_cut_has_no_buttons() {
        let long = Message { body: "\u{1}".repeat(4000), ..message() };
        let text = payload(&long, "https://box.example");
        assert!(text.len() <= TEXT_LIMIT, "{}", text.len());
        let value: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(value["notification"]["actions"], json!([]));
        assert_eq!(value["notification"]["data"].get("allow"), None);
    }

    #[test]
    fn answers_of_push_services_are_understood() {
        let answered = |status: u16, retry: Option<&'static str>| {
            let mut headers = HeaderMap::new();
            if let Some(retry) = retry {
                headers.insert(header::RETRY_AFTER, HeaderValue::from_static(retry));
            }
            let status = StatusCode::from_u16(status).expect("a status");
            judge(&Answered { status, headers, body: Bytes::new() }, "push.example").verdict
        };
        let seconds = |seconds| Verdict::Again(Some(Duration::from_secs(seconds)));
        for (status, retry, verdict) in [
            (201, None, Verdict::Taken),
            (404, None, Verdict::Gone),
            (410, None, Verdict::Gone),
            (403, None, Verdict::Refused),
            (413, None, Verdict::Refused),
            (429, Some("7"), seconds(7)),
            (429, Some("999999"), seconds(600)),
            (429, Some("soon"), seconds(60)),
            (429, None, seconds(60)),
            (503, None, Verdict::Again(None)),
            // Nothing is followed to somewhere else.
            (302, None, Verdict::Refused),
        ] {
            assert_eq!(answered(status, retry), verdict, "{status} {retry:?}");
        }
    }

    #[test]
    fn contact_is_one_that_push_services_take() {
        assert_eq!(contact_of("https://box.tail1.ts.net"), "https://box.tail1.ts.net");
        assert_eq!(contact_of("http://localhost:4700"), "https://example.org");
        assert_eq!(contact_of("https://localhost:4700"), "https://example.org");
    }
}
