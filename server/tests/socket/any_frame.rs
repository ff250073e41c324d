//! Whatever a page says is answered, and the connection stays usable.

use answerback_client::Frame;
use proptest::{
    prelude::*,
    strategy::ValueTree as _,
    test_runner::{Config, RngAlgorithm, TestRng, TestRunner},
};
use shared_types::{Command, ServerMessage, SessionId};

use crate::client::Server;

/// How many frames are tried.
const FRAMES: usize = 400;

/// Anything from noise to requests that are almost, or wholly, right.
fn frame(session: SessionId) -> impl Strategy<Value = Frame> {
    let session = session.0.to_string();
    prop_oneof![
        2 => ".{0,60}".prop_map(Frame::text),
        1 => prop::collection::vec(any::<u8>(), 0..40).prop_map(Frame::binary),
        3 => json().prop_map(|value| Frame::text(value.to_string())),
        6 => request(session.clone()).prop_map(|value| Frame::text(value.to_string())),
        2 => (request(session), any::<prop::sample::Index>()).prop_map(|(value, cut)| {
            let text: Vec<char> = value.to_string().chars().collect();
            Frame::text(text[..cut.index(text.len())].iter().collect::<String>())
        }),
    ]
}

fn json() -> impl Strategy<Value = serde_json::Value> {
    let leaf = prop_oneof![
        Just(serde_json::Value::Null),
        any::<bool>().prop_map(Into::into),
        any::<i64>().prop_map(Into::into),
        any::<f64>().prop_map(Into::into),
        "(hello|request|type|id|[a-z]{0,4})".prop_map(Into::into),
    ];
    leaf.prop_recursive(4, 16, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Into::into),
            prop::collection::btree_map("(type|id|command|protocol|[a-z]{0,4})", inner, 0..4)
                .prop_map(|map| serde_json::Value::Object(map.into_iter().collect())),
        ]
    })
}

/// Requests of every kind, with values of every kind in their fields. None takes this device's own pairing away.
fn request(session: String) -> impl Strategy<Value = serde_json::Value> {
    let kind = prop::sample::select(vec![
        "start",
        "rename",
        "end",
        "forget",
        "send-text",
        "send-keys",
        "interrupt",
        "respond",
        "messages",
        "watch",
        "unwatch",
        "browse",
        "devices",
        "revoke",
        "pair",
        "unheard-of",
    ]);
    let uuid = prop_oneof![3 => Just(session), 1 => any::<u128>().prop_map(|id| uuid::Uuid::from_u128(id).to_string())];
    let text = prop_oneof![".{0,20}", Just(String::new()), Just("/".to_owned()), Just("\u{1b}[201~".to_owned())];
    (kind, uuid, text, json(), any::<u32>(), any::<bool>()).prop_map(|(kind, id, text, odd, number, right)| {
        let value = |good: serde_json::Value| if right { good } else { odd.clone() };
        serde_json::json!({
            "type": "request",
            "id": number,
            "command": {
                "type": kind,
                "sessionId": id,
                // Never the device that asks.
                "deviceId": "00000000-0000-0000-0000-00000000000f",
                "name": value(text.clone().into()),
                "text": value(text.clone().into()),
                "folder": value(text.clone().into()),
                "limit": value(number.into()),
                "keys": value(serde_json::json!([{ "type": "text", "text": text }])),
                "response": value(serde_json::json!({ "requestId": id, "selectedOption": text })),
                "start": value(serde_json::json!({ "adapter": "demo", "folder": text })),
            },
        })
    })
}

#[tokio::test]
async fn every_frame_is_answered_and_the_connection_stays_usable() {
    let server = Server::start().await;
    let mut client = server.first_client().await;
    let session = client.start_demo().await;
    let mut runner = TestRunner::new_with_rng(Config::default(), TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let frames = frame(session);
    let mut replies = 0;
    for number in 0..FRAMES {
        let frame = frames.new_tree(&mut runner).expect("a frame").current();
        client.say_raw(frame.clone()).await;
        loop {
            match client.next().await {
                Ok(ServerMessage::Error { .. }) => break,
                Ok(ServerMessage::Reply { .. }) => {
                    replies += 1;
                    break;
                }
                Ok(_) => {}
                Err(code) => panic!("frame {number} ended the connection with {code:?}: {frame:?}"),
            }
        }
    }
    assert!(replies > FRAMES / 4, "the frames are too odd to try anything: {replies} replies");
    assert!(client.ask(Command::Devices).await.is_ok(), "it stays usable");
}
