mod redaction;
mod tampering;

use serde_json::{Value, json};
use shared_types::{Actor, DeviceId, Key, NamedKey, PromptId, SessionId};
use uuid::Uuid;

use super::*;

fn fact(kind: FactKind) -> Fact {
    let actor = Actor::Device { device_id: DeviceId(Uuid::from_u128(7)), name: "Anna's \"phone\"\n".to_owned() };
    Fact::new(kind, 1_700_000_000_000)
        .in_session(SessionId(Uuid::from_u128(1)))
        .about(PromptId(Uuid::from_u128(2)))
        .by(actor)
        .with(json!({ "words": "Yes, é \u{1f600}", "b": 1, "a": [true, null, -5] }))
}

#[test]
fn row_has_one_canonical_line_and_its_hash() {
    let row = Row::after(Head::START, Entry::from(fact(FactKind::Answered)));
    let zeros = "0".repeat(64);
    let line = format!(
        "{{\"actor\":{{\"deviceId\":\"00000000-0000-0000-0000-000000000007\",\"name\":\"Anna's \\\"phone\\\"\\n\",\
         \"type\":\"device\"}},\"at\":1700000000000,\"body\":{{\"a\":[true,null,-5],\"b\":1,\"words\":\"Yes, é \u{1f600}\"}},\
         \"hash\":\"{}\",\"kind\":\"answered\",\"prev\":\"{zeros}\",\"prompt\":\"00000000-0000-0000-0000-000000000002\",\
         \"seq\":1,\"session\":\"00000000-0000-0000-0000-000000000001\"}}",
        row.hash
    );
    assert_eq!(row.to_json_line(), line);
    assert_eq!(row.hash, row.computed_hash());
    assert!(row.is_canonical());
    let next = Row::after(row.head(), Entry::from(Fact::new(FactKind::Mode, 5)));
    assert_eq!((next.seq, next.prev), (2, row.hash));
    assert!(next.to_json_line().contains("\"actor\":null,"), "{}", next.to_json_line());
}

#[test]
fn hash_is_read_back_from_its_digits() {
    let hash = Row::after(Head::START, Entry::from(fact(FactKind::Gone))).hash;
    assert_eq!(hash.to_string().parse(), Ok(hash));
    for wrong in ["", "00", &"g".repeat(64), &"é".repeat(32), &"0".repeat(65)] {
        assert_eq!(wrong.parse::<ChainHash>(), Err(chain::NotAHash), "{wrong}");
    }
}

#[test]
fn kinds_have_words_of_their_own() {
    for kind in FactKind::ALL {
        assert_eq!(FactKind::from_word(kind.word()), Some(kind));
    }
    assert_eq!(FactKind::from_word("of-the-future"), None);
}

#[test]
fn numbers_that_are_not_integers_become_text() {
    let body = json!({ "half": 0.5, "large": 1e300, "whole": 3, "negative": -3 });
    let entry = Entry::from(Fact::new(FactKind::Mode, 1).with(body));
    assert_eq!(entry.body, r#"{"half":"0.5","large":"1e+300","negative":-3,"whole":3}"#);
}

#[test]
fn keys_are_named_and_characters_only_counted() {
    let keys = [
        Key::Text { text: "hunter2".to_owned() },
        Key::Named { key: NamedKey::Enter },
        Key::Ctrl { letter: 'c' },
        Key::Text { text: "é".to_owned() },
    ];
    let fact = Fact::keys(SessionId(Uuid::nil()), &keys, 1);
    assert_eq!(fact.body, json!({ "named": ["enter", "ctrl-c"], "characters": 8 }));
}

#[test]
fn message_is_kept_as_hash_and_length() {
    let fact = Fact::message_sent(SessionId(Uuid::nil()), "héllo", 1);
    let sha256 = "3c48591d8d098a4538f5e013dfcf406e948eac4d3277b10bf614e295d6068179";
    assert_eq!(fact.body, json!({ "sha256": sha256, "characters": 5 }));
}

#[test]
fn long_prompt_is_cut_and_keeps_the_digest_of_the_whole() {
    let mut prompt =
        adapters::Sighting::new(shared_types::PromptKind::Permission, shared_types::PromptSource::Screen, "test")
            .to_prompt(
                PromptId(Uuid::from_u128(2)),
                SessionId(Uuid::from_u128(1)),
                shared_types::AdapterKind::new("claude"),
                1,
            );
    prompt.title = "May I?".to_owned();
    let short = Fact::prompt_shown(FactKind::PromptSeen, &prompt, 5);
    assert_eq!(short.body["prompt"], serde_json::to_value(&prompt).unwrap());
    prompt.plan = Some("x".repeat(100_000));
    prompt.tool_input = Some(Value::String("y".repeat(100_000)));
    prompt.digest = Some("of the whole".to_owned());
    let long = Fact::prompt_shown(FactKind::PromptSeen, &prompt, 5);
    assert_eq!((&long.body["digest"], &long.body["prompt"]["title"]), (&json!("of the whole"), &json!("May I?")));
    assert_eq!(long.body["prompt"]["incomplete"], json!(true));
    assert!(long.body.to_string().len() < 40_000, "{}", long.body.to_string().len());
    assert_eq!((long.session, long.prompt), (prompt.session_id, Some(prompt.request_id)));
}
