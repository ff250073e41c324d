//! Pages of a conversation, its pictures, and finding something in it.

use super::*;
use crate::store::{StoredImage, schema};

pub(super) fn picture() -> StoredImage {
    StoredImage { id: "5feceb66".to_owned(), media_type: "image/png".to_owned(), data: vec![137, 80, 78, 71] }
}

#[tokio::test]
async fn messages_come_in_pages() {
    let folder = folder();
    let store = open(&folder);
    let session = with_session(&store).await;
    let all = (1..=5).map(|number| message(&format!("m{number}"), "text")).collect();
    store.put_messages(session, all, 0).await.expect("put");
    let id = |id: &str| MessageId(id.to_owned());
    let (before, after, around) =
        (|at: &str| Place::Before(id(at)), |at: &str| Place::After(id(at)), |at: &str| Place::Around(id(at)));
    let table: &[(Place, u32, &[&str], bool, bool)] = &[
        (Place::Newest, 2, &["m4", "m5"], false, true),
        (before("m4"), 2, &["m2", "m3"], false, false),
        (before("m2"), 2, &["m1"], true, false),
        (before("m3"), 2, &["m1", "m2"], true, false),
        (before("m1"), 2, &[], true, false),
        (Place::Newest, 5, &["m1", "m2", "m3", "m4", "m5"], true, true),
        (Place::Newest, u32::MAX, &["m1", "m2", "m3", "m4", "m5"], true, true),
        (before("not known"), 1, &["m5"], false, true),
        (after("m1"), 2, &["m2", "m3"], false, false),
        (after("m3"), 2, &["m4", "m5"], false, true),
        (after("m5"), 2, &[], false, true),
        (around("m3"), 2, &["m2", "m3"], false, false),
        (around("m3"), 5, &["m1", "m2", "m3", "m4", "m5"], true, true),
        (around("m1"), 2, &["m1"], true, false),
        (around("m5"), 3, &["m4", "m5"], false, true),
        (around("not known"), 1, &["m5"], false, true),
    ];
    for (place, limit, expected, at_start, at_end) in table {
        let page = store.messages(session, place.clone(), *limit).await.expect("read");
        let seen = (texts(&page.messages), page.at_start, page.at_end);
        assert_eq!(seen, (expected.to_vec(), *at_start, *at_end), "{place:?}, {limit} at most");
    }
}

#[tokio::test]
async fn a_picture_is_kept_once_for_its_session() {
    let folder = folder();
    let store = open(&folder);
    let (session, other) = (with_session(&store).await, with_session(&store).await);
    store.put_images(session, vec![picture(), picture()]).await.expect("put");
    let image = |session| store.image(session, "5feceb66".to_owned());
    assert_eq!(image(session).await.expect("read"), Some(picture()));
    assert_eq!(image(other).await.expect("read"), None);
}

/// The ids of what was found.
async fn find(store: &Store, query: &str, session: Option<SessionId>) -> Vec<String> {
    let (hits, _) = store.search(query.to_owned(), session, 10).await.expect("searched");
    hits.into_iter().map(|hit| hit.message_id.0).collect()
}

#[tokio::test]
async fn messages_are_found_by_the_beginnings_of_their_words() {
    let folder = folder();
    let store = open(&folder);
    let (session, other) = (with_session(&store).await, with_session(&store).await);
    let said = vec![
        message("a", "Please fix the login_handler in src/auth.rs"),
        message("b", "Grüße aus Zürich: the LOGIN works"),
        message("c", "نعم، تسجيل الدخول يعمل"),
    ];
    store.put_messages(session, said, 0).await.expect("put");
    store.put_messages(other, vec![message("d", "login elsewhere")], 0).await.expect("put");
    let here = Some(session);
    let table = [
        ("login", here, vec!["b", "a"]),
        ("logi", None, vec!["d", "b", "a"]),
        ("LOGIN fix", here, vec!["a"]),
        ("handler", here, vec!["a"]),
        ("login_handler", here, vec!["a"]),
        ("src/auth.rs", here, vec!["a"]),
        ("zurich", here, vec!["b"]),
        ("تسجيل", here, vec!["c"]),
        ("ogin", here, vec![]),
        ("login AND NOT fix", here, vec![]),
        ("login*", here, vec!["b", "a"]),
        ("\"login", here, vec!["b", "a"]),
        ("(login) -fix: ^the NEAR(", here, vec![]),
        ("'; DROP TABLE messages; --", here, vec![]),
        ("*", here, vec![]),
        ("", None, vec![]),
        ("\u{0}\u{1}", None, vec![]),
        ("¨ ﷺ ª", None, vec![]),
    ];
    for (query, session, expected) in table {
        assert_eq!(find(&store, query, session).await, expected, "{query:?}");
    }
}

#[tokio::test]
async fn what_is_found_is_what_is_said_now() {
    let folder = folder();
    let store = open(&folder);
    let session = with_session(&store).await;
    store.put_messages(session, vec![message("a", "apples"), message("b", "pears")], 0).await.expect("put");
    store.put_messages(session, vec![message("a", "plums")], 0).await.expect("put");
    assert_eq!(find(&store, "apples", None).await, Vec::<String>::new());
    assert_eq!(find(&store, "plums", None).await, ["a"]);
    store.discard_session(session, Vec::new()).await.expect("discarded");
    assert_eq!(find(&store, "pears", None).await, Vec::<String>::new());
    let check = "INSERT INTO message_words (message_words, rank) VALUES ('integrity-check', 1)";
    file(&folder).execute(check, []).expect("the index agrees with the messages");
}

#[tokio::test]
async fn a_text_that_is_still_being_written_is_found_when_it_is_whole() {
    let folder = folder();
    let store = open(&folder);
    let session = with_session(&store).await;
    let said = |text: &str, streaming| Message {
        body: MessageBody::Text { text: text.to_owned(), streaming },
        ..message("a", "")
    };
    store.put_messages(session, vec![said("app", true)], 0).await.expect("put");
    store.put_messages(session, vec![said("apples are", true)], 0).await.expect("put");
    assert_eq!(find(&store, "apples", None).await, Vec::<String>::new());
    store.put_messages(session, vec![said("apples are ripe", false)], 0).await.expect("put");
    assert_eq!(find(&store, "apples ripe", None).await, ["a"]);
}

#[tokio::test]
async fn one_long_session_does_not_hide_the_others() {
    let folder = folder();
    let store = open(&folder);
    let (quiet, loud) = (with_session(&store).await, with_session(&store).await);
    store.put_messages(quiet, vec![message("quiet", "a word")], 0).await.expect("put");
    let many = (0..50).map(|number| message(&format!("m{number}"), "word upon word")).collect();
    store.put_messages(loud, many, 0).await.expect("put");
    assert_eq!(find(&store, "word", None).await, ["m49", "m48", "m47", "quiet"]);
    let (hits, more) = store.search("word".to_owned(), Some(loud), 10).await.expect("searched");
    assert_eq!((hits.len(), more), (10, true));
    let snippet: Vec<(&str, bool)> = hits[0].snippet.iter().map(|part| (part.text.as_str(), part.hit)).collect();
    assert_eq!(snippet, [("word", true), (" upon ", false), ("word", true)]);
}

#[tokio::test]
async fn the_messages_of_an_older_version_are_found_as_well() {
    let folder = folder();
    let old = file(&folder);
    old.execute_batch(&schema::MIGRATIONS[..3].concat()).expect("an older version");
    old.pragma_update(None, "user_version", 3).expect("its number");
    let session = SessionId(Uuid::now_v7());
    let told = serde_json::to_string(&message("a", "said long ago")).expect("JSON");
    old.execute(
        "INSERT INTO sessions (id, name, adapter, folder, command, created_at) VALUES (?1, 'n', '\"claude\"', '/', '[]', 1)",
        [session.0.to_string()],
    )
    .expect("a session");
    old.execute("INSERT INTO messages VALUES (?1, 1, 'a', ?2)", [session.0.to_string(), told]).expect("a message");
    drop(old);
    let store = open(&folder);
    assert_eq!(find(&store, "long ago", Some(session)).await, ["a"]);
    store.put_messages(session, vec![message("b", "and now")], 0).await.expect("put");
    let page = store.messages(session, Place::Newest, 10).await.expect("read");
    assert_eq!(texts(&page.messages), ["a", "b"]);
}
