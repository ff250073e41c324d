//! A row that cannot be read disables what it is about, and nothing else. Files of earlier versions are read.

use shared_types::FirstMessage;

use super::*;
use crate::store::{OpenPrompts, UnreadableSession};

#[tokio::test]
async fn unreadable_sessions_are_reported_beside_the_others() {
    let folder = folder();
    let store = open(&folder);
    let (unknown, broken, good) = (with_session(&store).await, with_session(&store).await, with_session(&store).await);
    let file = file(&folder);
    let set = |sql: &str, id: SessionId| file.execute(sql, [id.0.to_string()]).expect("a fault");
    set("UPDATE sessions SET adapter = 'of-tomorrow' WHERE id = ?1", unknown);
    set("UPDATE sessions SET command = '{' WHERE id = ?1", broken);
    set("UPDATE sessions SET usage = 'x', last_screen = 'x' WHERE id = ?1", good);
    let found = store.sessions().await.expect("sessions");
    assert_eq!(found.records.iter().map(|record| (record.id, &record.usage)).collect::<Vec<_>>(), [(good, &None)]);
    let [one, other] = found.unreadable.as_slice() else { panic!("two: {found:?}") };
    let reason = "it was made by another version of Answerback: this one does not know \"of-tomorrow\"";
    let of_record = |id: SessionId, reason: &str| UnreadableSession {
        id: id.0.to_string(),
        name: one.name.clone(),
        folder: one.folder.clone(),
        created_at: one.created_at,
        reason: reason.to_owned(),
    };
    assert_eq!(*one, of_record(unknown, reason));
    assert_eq!(*other, of_record(broken, &other.reason));
    assert!(other.reason.starts_with("what is stored of it cannot be read: "), "{}", other.reason);
    assert!(matches!(store.session(unknown).await, Err(StoreError::NoAdapter(_))));
}

#[tokio::test]
async fn unreadable_prompt_is_passed_over_and_reported() {
    let folder = folder();
    let store = open(&folder);
    let session = with_session(&store).await;
    let (broken, good) = (prompt(session, "a"), prompt(session, "b"));
    for (at, prompt) in [(5, &broken), (6, &good)] {
        store.put_prompt(session, prompt.clone(), Fingerprint(at), at, Vec::new()).await.expect("put");
    }
    let break_it = "UPDATE prompts SET prompt = json_set(prompt, '$.type', 'of a later version') WHERE id = ?1";
    file(&folder).execute(break_it, [broken.request_id.0.to_string()]).expect("a fault");
    let OpenPrompts { prompts, unreadable } = store.open_prompts(session).await.expect("prompts");
    assert_eq!(prompts.iter().map(|stored| &stored.prompt).collect::<Vec<_>>(), [&good]);
    let [(id, reason)] = unreadable.as_slice() else { panic!("one: {unreadable:?}") };
    assert_eq!(*id, broken.request_id);
    assert!(reason.contains("of a later version"), "{reason}");
}

#[test]
fn reason_quotes_nothing_that_was_said() {
    let stored = r#"{"title": "rm -rf /"}"#;
    let error =
        serde_json::from_str::<std::collections::BTreeMap<String, u64>>(stored).expect_err("a number is wanted");
    assert!(error.to_string().contains("rm -rf"), "serde quotes it: {error}");
    let reason = StoreError::from(error).to_string();
    assert!(!reason.contains("rm -rf") && reason.contains("line 1"), "{reason}");
}

#[tokio::test]
async fn unreadable_message_becomes_a_notice() {
    let folder = folder();
    let store = open(&folder);
    let session = with_session(&store).await;
    let messages = vec![message("a", "1"), message("b", "2")];
    store.put_messages(session, messages, 10).await.expect("put");
    let first = FirstMessage { text: "hello".to_owned(), problem: None };
    store.set_first_message(session, &first).await.expect("set");
    assert_eq!(store.first_message(session).await.expect("first"), Some(first));
    let file = file(&folder);
    file.execute("UPDATE messages SET message = '{\"body\":{}}' WHERE message_id = 'b'", []).expect("a fault");
    file.execute("UPDATE first_messages SET message = '[]'", []).expect("a fault");
    let page = store.messages(session, Place::Newest, 10).await.expect("messages");
    assert_eq!(texts(&page.messages), ["a", "b"]);
    let text = "This message cannot be read by this version of Answerback.".to_owned();
    assert_eq!(page.messages[1].body, MessageBody::Notice { text });
    assert_eq!(store.message_tail(session).await.expect("tail"), (2, Some(page.messages[1].clone())));
    let first = store.first_message(session).await.expect("first").expect("it is told");
    assert!(first.problem.is_some(), "it is not typed: {first:?}");
}

/// JSON as the first versions wrote it.
#[tokio::test]
async fn rows_of_earlier_versions_are_read() {
    let folder = folder();
    let store = open(&folder);
    let session = with_session(&store).await;
    let id = PromptId(Uuid::from_u128(5));
    let prompt = format!(
        r#"{{"requestId":"{}","type":"permission","title":"Run?","description":"","toolInput":{{"command":"ls"}},
            "options":[{{"value":"1","label":"Yes","role":"allow"}}],"sessionId":"{}","adapter":"claude","source":"hook",
            "confidence":"certain","createdAt":5}}"#,
        id.0, session.0
    );
    let answer =
        r#"{"by":{"type":"device","deviceId":"00000000-0000-0000-0000-000000000007","name":"phone"},"summary":"Yes"}"#;
    let attempt = format!(
        r#"{{"stage":"submitted","key":null,"response":{{"requestId":"{}","selectedOption":"1"}},"context":[1]}}"#,
        id.0
    );
    let insert = "INSERT INTO prompts (id, session_id, fingerprint, state, prompt, answer, attempt, created_at)
                  VALUES (?1, ?2, 1, 'answering', ?3, ?4, ?5, 5)";
    let file = file(&folder);
    file.execute(insert, [&id.0.to_string(), &session.0.to_string(), &prompt, answer, &attempt]).expect("a row");
    let message = r#"{"id":"m","role":"assistant","at":5,"body":{"type":"tool","name":"Bash","summary":"ls",
        "input":{"command":"ls"},"purpose":{"type":"command","command":"ls"},"result":{"ok":true,"output":"a"}}}"#;
    file.execute(
        "INSERT INTO messages (session_id, position, message_id, message) VALUES (?1, 1, 'm', ?2)",
        [&session.0.to_string(), message],
    )
    .expect("a row");

    let stored = store.prompt(id).await.expect("read").expect("it is there");
    assert_eq!((stored.prompt.title.as_str(), stored.prompt.session_id), ("Run?", Some(session)));
    let device = Actor::Device { device_id: DeviceId(Uuid::from_u128(7)), name: "phone".to_owned() };
    assert_eq!(stored.answer, Some(Answer { by: device, summary: "Yes".to_owned() }));
    let response = stored.attempt.expect("an attempt").response.expect("a response");
    assert_eq!(response.selected_option.as_deref(), Some("1"));
    let (_, last) = store.message_tail(session).await.expect("tail");
    assert!(matches!(last.expect("a message").body, MessageBody::Tool { purpose: Some(_), .. }));
}

/// What a record writes is what the wire would: files can be read by the version before.
#[tokio::test]
async fn records_are_written_as_before() {
    let folder = folder();
    let store = open(&folder);
    let session = with_session(&store).await;
    let mut prompt = prompt(session, "May I?");
    prompt.risk = Some(shared_types::Risk { level: shared_types::RiskLevel::High, reasons: vec!["x".to_owned()] });
    store.put_prompt(session, prompt.clone(), Fingerprint(1), 5, Vec::new()).await.expect("put");
    let message = message("a", "hello");
    store.put_messages(session, vec![message.clone()], 1).await.expect("put");
    let file = file(&folder);
    let text = |sql: &str| file.query_row(sql, [], |row| row.get::<_, String>(0)).expect("a text");
    assert_eq!(text("SELECT prompt FROM prompts"), serde_json::to_string(&prompt).expect("json"));
    assert_eq!(text("SELECT message FROM messages"), serde_json::to_string(&message).expect("json"));
}
