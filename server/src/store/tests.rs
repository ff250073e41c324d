use std::{
    fs,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
};

use adapters::Fingerprint;
use answerback_ledger::{AttemptRecord, AttemptStage, StoredPrompt};
use rusqlite::Connection;
use shared_types::{
    Actor, AdapterKind, Answer, Device, DeviceId, EndReason, InteractivePrompt, Message, MessageBody, MessageId,
    MessageRole, PermissionMode, PromptId, PromptKind, PromptOutcome, ScreenCursor, ScreenFrame, SessionId,
};
use tempfile::TempDir;
use uuid::Uuid;

use super::{MessagePage, Place, Revived, SentMessage, SessionRecord, Store, StoreError, StoredDevice};
use crate::pane::PaneIdentity;

mod history;
mod journal;
mod journal_pages;
mod notify;
mod past_prompts;
mod reservations;
mod unreadable;

fn folder() -> TempDir {
    tempfile::tempdir().expect("a folder")
}

fn open(folder: &TempDir) -> Store {
    Store::open(folder.path()).expect("a store")
}

/// The file itself, as another program sees it.
fn file(folder: &TempDir) -> Connection {
    Connection::open(folder.path().join("answerback.db")).expect("the file")
}

fn record(created_at: u64) -> SessionRecord {
    SessionRecord {
        id: SessionId(Uuid::now_v7()),
        name: "a \"name\" with 'quotes' and é🙂".to_owned(),
        adapter: AdapterKind::new("codex"),
        folder: PathBuf::from("/srv/some where"),
        command: vec!["--flag".to_owned(), String::new(), "two words".to_owned()],
        mode: Some(PermissionMode::AcceptEdits),
        cli_session_id: Some(Uuid::now_v7().to_string()),
        transcript: Some(PathBuf::from("/srv/transcript.jsonl")),
        transcript_offset: 0,
        pane: None,
        usage: None,
        created_at,
        ended: None,
    }
}

async fn with_session(store: &Store) -> SessionId {
    let record = record(1);
    store.add_session(record.clone(), None, Vec::new()).await.expect("add");
    record.id
}

fn prompt(session: SessionId, title: &str) -> InteractivePrompt {
    let sighting = adapters::Sighting::new(PromptKind::Permission, shared_types::PromptSource::Screen, "test");
    let mut prompt = sighting.to_prompt(PromptId(Uuid::now_v7()), session, AdapterKind::new("codex"), 5);
    title.clone_into(&mut prompt.title);
    prompt
}

fn answer(name: &str) -> Answer {
    Answer { by: Actor::Device { device_id: DeviceId(Uuid::nil()), name: name.to_owned() }, summary: "Yes".to_owned() }
}

fn attempt() -> AttemptRecord {
    AttemptRecord {
        stage: AttemptStage::Submitted,
        key: Some(Uuid::from_u128(1)),
        response: None,
        hook: None,
        context: vec![7],
    }
}

fn message(id: &str, text: &str) -> Message {
    Message {
        id: MessageId(id.to_owned()),
        role: MessageRole::Assistant,
        at: 9,
        body: MessageBody::Text { text: text.to_owned(), streaming: false },
        agent: None,
        images: None,
    }
}

fn texts(messages: &[Message]) -> Vec<&str> {
    messages.iter().map(|message| message.id.0.as_str()).collect()
}

#[tokio::test]
async fn the_file_is_for_its_owner_only() {
    let folder = folder();
    let path = folder.path().join("answerback.db");
    // One that somebody else could read, as an older umask may have left it.
    fs::write(&path, "").expect("a file");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).expect("permissions");
    let store = open(&folder);
    with_session(&store).await;
    let files: Vec<PathBuf> =
        fs::read_dir(folder.path()).expect("files").map(|entry| entry.expect("a file").path()).collect();
    assert!(files.len() > 1, "the log lies beside it: {files:?}");
    for path in files {
        let mode = path.metadata().expect("metadata").permissions().mode() & 0o777;
        assert_eq!(mode, 0o600, "{}", path.display());
    }
}

#[tokio::test]
async fn opening_again_keeps_everything() {
    let folder = folder();
    let id = with_session(&open(&folder)).await;
    for _ in 0..3 {
        let sessions = open(&folder).sessions().await.expect("sessions").records;
        assert_eq!(sessions.iter().map(|record| record.id).collect::<Vec<_>>(), [id]);
    }
    let version: i64 = file(&folder).pragma_query_value(None, "user_version", |row| row.get(0)).expect("a version");
    assert_eq!(version, 14, "a migration was added: raise this number with it, and never edit an old one");
}

#[test]
fn a_file_from_the_future_is_refused_and_left_alone() {
    let folder = folder();
    drop(open(&folder));
    file(&folder).pragma_update(None, "user_version", 99).expect("a version");
    let Err(error) = Store::open(folder.path()) else { panic!("it was opened") };
    assert!(matches!(error, StoreError::FromTheFuture { found: 99, .. }), "{error:?}");
    assert!(error.to_string().ends_with("use the newer answerback"), "{error}");
    let version: i64 = file(&folder).pragma_query_value(None, "user_version", |row| row.get(0)).expect("a version");
    assert_eq!(version, 99);
}

#[test]
fn what_cannot_be_opened_is_an_error() {
    let folder = folder();
    assert!(matches!(Store::open(&folder.path().join("nowhere")), Err(StoreError::Io(_))));
    fs::write(folder.path().join("answerback.db"), "this is no database at all, only some text".repeat(40))
        .expect("a file");
    assert!(matches!(Store::open(folder.path()), Err(StoreError::Sqlite(_))));
    let other = self::folder();
    fs::create_dir(other.path().join("answerback.db")).expect("a folder in its place");
    assert!(matches!(Store::open(other.path()), Err(StoreError::Io(_))));
}

#[tokio::test]
async fn a_session_comes_back_as_it_was() {
    let folder = folder();
    let store = open(&folder);
    let (later, mut first) = (record(2), record(1));
    let bare = SessionRecord { mode: None, cli_session_id: None, transcript: None, command: Vec::new(), ..record(3) };
    for record in [&later, &first, &bare] {
        store.add_session(record.clone(), None, Vec::new()).await.expect("add");
    }
    let pane = PaneIdentity { server_pid: 7, server_started: 1_700_000_000, pane: "%3".to_owned() };
    store.set_pane(first.id, pane.clone()).await.expect("pane");
    store.rename_session(first.id, "another".to_owned()).await.expect("rename");
    first.pane = Some(pane);
    "another".clone_into(&mut first.name);
    let expected = vec![first, later, bare];
    assert_eq!(store.sessions().await.expect("sessions").records, expected);
    assert_eq!(open(&folder).sessions().await.expect("sessions").records, expected);
}

#[tokio::test]
async fn an_ended_session_keeps_how_it_ended_and_what_it_showed() {
    let folder = folder();
    let store = open(&folder);
    let frame = ScreenFrame {
        cols: 80,
        rows: 24,
        lines: vec![Vec::new()],
        cursor: ScreenCursor { x: 3, y: 4, visible: true },
        asks: None,
    };
    let (shown, silent) = (record(1), record(2));
    for record in [&shown, &silent] {
        store.add_session(record.clone(), None, Vec::new()).await.expect("add");
        assert_eq!(store.last_screen(record.id).await.expect("a screen"), None);
    }
    let exited = EndReason::Exited { status: Some(3) };
    store.end_session(shown.id, 11, exited.clone(), Some(frame.clone()), Vec::new()).await.expect("end");
    store.end_session(silent.id, 12, EndReason::Lost, None, Vec::new()).await.expect("end");
    let store = open(&folder);
    let ended: Vec<_> =
        store.sessions().await.expect("sessions").records.into_iter().map(|record| record.ended).collect();
    assert_eq!(ended, [Some((11, exited)), Some((12, EndReason::Lost))]);
    assert_eq!(store.last_screen(shown.id).await.expect("a screen"), Some(frame));
    assert_eq!(store.last_screen(silent.id).await.expect("a screen"), None);
    assert_eq!(store.last_screen(SessionId(Uuid::nil())).await.expect("no such session"), None);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_of_many_answers_wins() {
    let folder = folder();
    let store = open(&folder);
    let prompt = prompt(with_session(&store).await, "May I?");
    let id = prompt.request_id;
    store.put_prompt(prompt.session_id.expect("a session"), prompt, Fingerprint(1), 5, Vec::new()).await.expect("put");
    let mut tasks = tokio::task::JoinSet::new();
    for number in 0..64u32 {
        let store = store.clone();
        tasks.spawn(async move {
            let name = format!("phone {number}");
            store.begin_answer(id, answer(&name), attempt(), 6, Vec::new()).await.expect("begin").then_some(name)
        });
    }
    let winners: Vec<String> = tasks.join_all().await.into_iter().flatten().collect();
    let stored = store.prompt(id).await.expect("read").expect("the prompt");
    assert_eq!(winners.len(), 1, "{winners:?}");
    assert_eq!(stored.answer, Some(answer(&winners[0])));
}

#[tokio::test]
async fn an_answer_that_failed_leaves_the_prompt_open_and_one_that_worked_is_kept() {
    let folder = folder();
    let store = open(&folder);
    let session = with_session(&store).await;
    let prompt = prompt(session, "May I?");
    let id = prompt.request_id;
    // The whole range: a fingerprint is 64 bits, and SQLite's integers have a sign.
    let fingerprint = Fingerprint(u64::MAX - 1);
    store.put_prompt(session, prompt.clone(), fingerprint, 5, Vec::new()).await.expect("put");
    let mut expected = StoredPrompt { prompt, fingerprint, answer: None, attempt: None, tried: Vec::new(), open: true };
    assert_eq!(store.prompt(id).await.expect("read"), Some(expected.clone()));

    assert!(store.begin_answer(id, answer("one"), attempt(), 6, Vec::new()).await.expect("begin"));
    store.reopen_prompt(id, Vec::new()).await.expect("reopen");
    expected.tried = attempt().key.into_iter().collect();
    assert_eq!(store.prompt(id).await.expect("read"), Some(expected.clone()), "nobody has answered");

    assert!(store.begin_answer(id, answer("two"), attempt(), 7, Vec::new()).await.expect("begin"));
    assert!(!store.begin_answer(id, answer("three"), attempt(), 8, Vec::new()).await.expect("begin"));
    expected.answer = Some(answer("two"));
    expected.attempt = Some(attempt());
    assert_eq!(store.open_prompts(session).await.expect("read").prompts, [expected.clone()], "its answer is under way");

    let verified = PromptOutcome::Verified { answer: answer("two") };
    store.close_prompt(id, &verified, 9, Vec::new()).await.expect("close");
    store.reopen_prompt(id, Vec::new()).await.expect("reopen");
    assert!(!store.begin_answer(id, answer("four"), attempt(), 10, Vec::new()).await.expect("begin"));
    expected.open = false;
    assert_eq!(store.prompt(id).await.expect("read"), Some(expected), "what is over stays over");
    assert_eq!(store.open_prompts(session).await.expect("read").prompts, []);
    assert_eq!(store.prompt(PromptId(Uuid::nil())).await.expect("read"), None);
}

#[tokio::test]
async fn a_prompt_that_went_away_has_no_answer() {
    let folder = folder();
    let store = open(&folder);
    let session = with_session(&store).await;
    for (outcome, word) in [(PromptOutcome::Gone, "gone"), (PromptOutcome::SessionEnded, "session-ended")] {
        let prompt = prompt(session, word);
        let id = prompt.request_id;
        store.put_prompt(session, prompt, Fingerprint(1), 5, Vec::new()).await.expect("put");
        store.begin_answer(id, answer("one"), attempt(), 6, Vec::new()).await.expect("begin");
        store.close_prompt(id, &outcome, 7, Vec::new()).await.expect("close");
        let stored = store.prompt(id).await.expect("read").expect("the prompt");
        assert_eq!((stored.answer, stored.open), (None, false), "{word}");
        let query = "SELECT state, closed_at FROM prompts WHERE id = ?1";
        let row: (String, u64) =
            file(&folder).query_row(query, [id.0.to_string()], |row| Ok((row.get(0)?, row.get(1)?))).expect("its row");
        assert_eq!(row, (word.to_owned(), 7));
    }
}

#[tokio::test]
async fn open_prompts_are_there_after_a_restart() {
    let folder = folder();
    let store = open(&folder);
    let (session, other) = (with_session(&store).await, with_session(&store).await);
    let (waiting, mut answering, over) = (prompt(session, "a"), prompt(session, "b"), prompt(session, "c"));
    for (at, prompt) in [(5, &waiting), (6, &answering), (7, &over)] {
        store.put_prompt(session, prompt.clone(), Fingerprint(at), at, Vec::new()).await.expect("put");
    }
    store.put_prompt(other, prompt(other, "d"), Fingerprint(8), 8, Vec::new()).await.expect("put");
    store.begin_answer(answering.request_id, answer("one"), attempt(), 9, Vec::new()).await.expect("begin");
    store.close_prompt(over.request_id, &PromptOutcome::Gone, 9, Vec::new()).await.expect("close");
    // The same prompt, drawn otherwise: its content changes, what became of it does not.
    "b, in other words".clone_into(&mut answering.title);
    store.put_prompt(session, answering.clone(), Fingerprint(6), 10, Vec::new()).await.expect("put");
    drop(store);

    let stored = |prompt: InteractivePrompt, fingerprint, answer| StoredPrompt {
        prompt,
        fingerprint: Fingerprint(fingerprint),
        attempt: Option::is_some(&answer).then(attempt),
        answer,
        tried: Vec::new(),
        open: true,
    };
    let open = open(&folder).open_prompts(session).await.expect("read").prompts;
    assert_eq!(open, [stored(waiting, 5, None), stored(answering, 6, Some(answer("one")))]);
}

#[tokio::test]
async fn a_session_ends_with_its_open_prompts() {
    let folder = folder();
    let store = open(&folder);
    let session = with_session(&store).await;
    let (waiting, over) = (prompt(session, "a"), prompt(session, "b"));
    store.put_prompt(session, waiting.clone(), Fingerprint(1), 5, Vec::new()).await.expect("put");
    store.put_prompt(session, over.clone(), Fingerprint(2), 6, Vec::new()).await.expect("put");
    let verified = PromptOutcome::Verified { answer: answer("one") };
    store.close_prompt(over.request_id, &verified, 7, Vec::new()).await.expect("close");
    store.end_session(session, 8, EndReason::Killed, None, Vec::new()).await.expect("end");
    assert_eq!(store.open_prompts(session).await.expect("read").prompts, []);
    assert!(!store.begin_answer(waiting.request_id, answer("two"), attempt(), 9, Vec::new()).await.expect("begin"));
    let over = store.prompt(over.request_id).await.expect("read").expect("the prompt");
    assert_eq!(over.answer, Some(answer("one")), "one that was over before stays as it was");
}

#[tokio::test]
async fn messages_keep_their_order_and_are_replaced_in_place() {
    let folder = folder();
    let store = open(&folder);
    let (session, other) = (with_session(&store).await, with_session(&store).await);
    assert_eq!(store.message_tail(session).await.expect("tail"), (0, None));
    store.put_messages(session, vec![message("b", "1"), message("a", "2")], 10).await.expect("put");
    store.put_messages(other, vec![message("a", "of another session")], 99).await.expect("put");
    store.put_messages(session, vec![message("b", "1 and more"), message("c", "3")], 20).await.expect("put");
    let expected = vec![message("b", "1 and more"), message("a", "2"), message("c", "3")];
    let page = store.messages(session, Place::Newest, 10).await.expect("read");
    assert_eq!(page, MessagePage { messages: expected, at_start: true, at_end: true });
    assert_eq!(store.message_tail(session).await.expect("tail"), (3, Some(message("c", "3"))));
    let one = |id: &str| store.message(session, MessageId(id.to_owned()));
    assert_eq!(one("a").await.expect("read"), Some(message("a", "2")));
    assert_eq!(one("z").await.expect("read"), None);
    let offsets: Vec<u64> =
        store.sessions().await.expect("sessions").records.iter().map(|record| record.transcript_offset).collect();
    assert_eq!(offsets, [20, 99]);
}

#[tokio::test]
async fn messages_and_how_far_the_file_was_read_are_written_together_or_not_at_all() {
    let folder = folder();
    let store = open(&folder);
    let session = with_session(&store).await;
    store.put_messages(session, vec![message("a", "1")], 10).await.expect("put");
    file(&folder)
        .execute_batch(
            "CREATE TRIGGER full BEFORE UPDATE OF transcript_offset ON sessions
             BEGIN SELECT RAISE(ABORT, 'no room'); END",
        )
        .expect("a fault");
    let error = store.put_messages(session, vec![message("b", "2")], 20).await.expect_err("the fault");
    assert!(error.to_string().contains("no room"), "{error}");
    assert_eq!(store.message_tail(session).await.expect("tail"), (1, Some(message("a", "1"))));
    file(&folder).execute_batch("DROP TRIGGER full").expect("no fault");
    store.put_messages(session, vec![message("b", "2")], 20).await.expect("put");
    assert_eq!(store.message_tail(session).await.expect("tail"), (2, Some(message("b", "2"))));
    assert_eq!(store.sessions().await.expect("sessions").records[0].transcript_offset, 20);
}

#[tokio::test]
async fn devices_come_and_go() {
    let folder = folder();
    let store = open(&folder);
    let device = |number: u8| StoredDevice {
        device: Device {
            id: DeviceId(Uuid::from_u128(u128::from(number))),
            name: format!("phone {number}"),
            paired_at: 100 - u64::from(number),
            last_seen_at: 100,
        },
        token_hash: [number; 32],
        key: (number > 1).then(|| format!("key {number}")),
    };
    for number in [1, 2, 3] {
        store.add_device(device(number), Vec::new()).await.expect("add");
    }
    let again = store.add_device(StoredDevice { token_hash: [9; 32], ..device(1) }, Vec::new()).await;
    assert!(matches!(again, Err(StoreError::Sqlite(_))), "the same id twice: {again:?}");
    let mut seen = device(2);
    seen.device.last_seen_at = 555;
    store.device_seen(seen.device.id, 555).await.expect("seen");
    assert!(store.remove_device(device(1).device.id, Vec::new()).await.expect("remove"));
    assert!(
        !store.remove_device(device(1).device.id, Vec::new()).await.expect("remove"),
        "there is none such any more"
    );
    assert_eq!(open(&folder).devices().await.expect("devices"), [device(3), seen]);
}

#[tokio::test]
async fn a_setting_is_decided_once() {
    let folder = folder();
    let store = open(&folder);
    assert_eq!(store.setting_or("instance", "first".to_owned()).await.expect("a setting"), "first");
    assert_eq!(store.setting_or("instance", "second".to_owned()).await.expect("a setting"), "first");
    assert_eq!(store.setting_or("other", "second".to_owned()).await.expect("a setting"), "second");
    assert_eq!(open(&folder).setting_or("instance", "third".to_owned()).await.expect("a setting"), "first");
}

#[tokio::test]
async fn a_forgotten_session_leaves_nothing_behind() {
    let folder = folder();
    let store = open(&folder);
    let (session, other) = (with_session(&store).await, with_session(&store).await);
    for session in [session, other] {
        store.put_prompt(session, prompt(session, "May I?"), Fingerprint(1), 5, Vec::new()).await.expect("put");
        store.put_messages(session, vec![message("a", "1")], 10).await.expect("put");
        store.put_images(session, vec![history::picture()]).await.expect("put");
    }
    store.end_session(session, 9, EndReason::Lost, None, Vec::new()).await.expect("ended");
    assert!(store.forget_session(session).await.expect("forget"));
    assert_eq!(rows_of(folder.path()), [("sessions", 1), ("prompts", 1), ("messages", 1), ("images", 1)]);
    assert_eq!(store.sessions().await.expect("sessions").records[0].id, other);
    assert!(!store.forget_session(session).await.expect("one that is gone already"));
}

#[tokio::test]
async fn a_store_that_cannot_be_written_says_so_and_recovers() {
    let folder = folder();
    let store = open(&folder);
    let session = with_session(&store).await;
    let set = async |pragma: &'static str, value: i64| {
        let set = store.write(move |db| Ok(db.pragma_update(None, pragma, value)?)).await;
        set.expect("a fault, or its end");
    };
    set("query_only", 1).await;
    let error = store.rename_session(session, "other".to_owned()).await.expect_err("read only");
    assert!(error.to_string().contains("readonly"), "{error}");
    set("query_only", 0).await;

    // No further page, as on a full disk; SQLite takes at least as many as it has.
    set("max_page_count", 1).await;
    let long = "x".repeat(100_000);
    let error = store.put_messages(session, vec![message("a", &long)], 10).await.expect_err("full");
    assert!(error.to_string().contains("full"), "{error}");
    assert_eq!(store.message_tail(session).await.expect("reading still works"), (0, None));
    set("max_page_count", 1_000_000).await;
    store.put_messages(session, vec![message("a", &long)], 10).await.expect("there is room again");
    assert_eq!(store.message_tail(session).await.expect("tail").0, 1);
}

fn rows_of(folder: &Path) -> [(&'static str, u64); 4] {
    let file = Connection::open(folder.join("answerback.db")).expect("the file");
    ["sessions", "prompts", "messages", "images"].map(|table| {
        let count = file.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0));
        (table, count.expect("a count"))
    })
}

#[tokio::test]
async fn how_far_an_answer_got_is_kept_and_what_was_answered_is_not() {
    let folder = folder();
    let store = open(&folder);
    let session = with_session(&store).await;
    let prompt = prompt(session, "a");
    let id = prompt.request_id;
    store.put_prompt(session, prompt, Fingerprint(1), 5, Vec::new()).await.expect("a prompt");
    let response =
        shared_types::PromptResponse { text_value: Some("main".into()), ..shared_types::PromptResponse::to(id) };
    let begun = AttemptRecord { stage: AttemptStage::Begun, response: Some(response), ..attempt() };
    store.begin_answer(id, answer("one"), begun.clone(), 6, Vec::new()).await.expect("begin");
    let further = AttemptRecord { stage: AttemptStage::Submitted, ..begun };
    store.advance_attempt(id, &further, Vec::new()).await.expect("further");
    let store = open(&folder);
    let stored = store.open_prompts(session).await.expect("read").prompts.remove(0);
    assert_eq!(stored.attempt, Some(further.clone()));
    store.close_prompt(id, &PromptOutcome::Verified { answer: answer("one") }, 7, Vec::new()).await.expect("close");
    let stored = store.prompt(id).await.expect("read").expect("the prompt");
    assert_eq!(stored.attempt, Some(AttemptRecord { response: None, ..further }));
    assert!(stored.is_winner(attempt().key), "the same answer, sent again, is the one that won");
    assert!(!stored.is_winner(None) && !stored.is_winner(Some(Uuid::from_u128(2))));
}

#[tokio::test]
async fn an_ended_session_is_taken_back_by_one_only() {
    let folder = folder();
    let store = open(&folder);
    let session = with_session(&store).await;
    let screen = ScreenFrame { cols: 1, rows: 1, lines: Vec::new(), cursor: ScreenCursor::default(), asks: None };
    store.keep_screen(session, screen.clone()).await.expect("kept");
    assert_eq!(store.revive_session(session, None, Vec::new()).await.expect("revive"), Revived::NotEnded, "it runs");
    store.end_session(session, 9, EndReason::Lost, None, Vec::new()).await.expect("ended");
    assert_eq!(store.last_screen(session).await.expect("read"), Some(screen), "what was kept is what it showed last");
    let revived = store.revive_session(session, Some(PermissionMode::Plan), Vec::new()).await;
    assert_eq!(revived.expect("revive"), Revived::Revived);
    let again = store.revive_session(session, None, Vec::new()).await;
    assert_eq!(again.expect("revive"), Revived::NotEnded, "somebody else was first");
    let record = store.session(session).await.expect("read").expect("the session");
    assert_eq!((record.ended, record.pane, record.mode), (None, None, Some(PermissionMode::Plan)));
}

#[tokio::test]
async fn a_prompt_that_was_taken_for_over_is_open_again() {
    let folder = folder();
    let store = open(&folder);
    let session = with_session(&store).await;
    let prompt = prompt(session, "a");
    let id = prompt.request_id;
    store.put_prompt(session, prompt, Fingerprint(1), 5, Vec::new()).await.expect("a prompt");
    store.begin_answer(id, answer("one"), attempt(), 6, Vec::new()).await.expect("begin");
    store.close_prompt(id, &PromptOutcome::Verified { answer: answer("one") }, 7, Vec::new()).await.expect("close");
    store.revive_prompt(id, Vec::new()).await.expect("it is not over");
    let stored = store.open_prompts(session).await.expect("read").prompts.remove(0);
    assert_eq!((stored.answer, stored.tried), (None, attempt().key.into_iter().collect()));
    assert!(store.begin_answer(id, answer("two"), attempt(), 8, Vec::new()).await.expect("begin"));
}

#[tokio::test]
async fn what_became_of_a_message_is_remembered_and_goes_with_its_session() {
    let folder = folder();
    let store = open(&folder);
    let id = with_session(&store).await;
    let (first, second) = (Uuid::from_u128(1), Uuid::from_u128(2));
    assert_eq!(store.sent_message(id, first).await.expect("read"), None);
    store.begin_message(id, first, "one", 5).await.expect("begun");
    assert_eq!(store.sent_message(id, first).await.expect("read"), Some(SentMessage { at: 5, taken: false }));
    assert_eq!(store.messages_in_doubt(id).await.expect("read"), ["one"]);
    store.message_taken(first, Vec::new()).await.expect("taken");
    assert!(store.messages_in_doubt(id).await.expect("read").is_empty());
    assert_eq!(store.sent_message(id, first).await.expect("read"), Some(SentMessage { at: 5, taken: true }));
    store.begin_message(id, second, "two", 6).await.expect("begun");
    store.message_not_sent(second).await.expect("not sent");
    assert_eq!(store.sent_message(id, second).await.expect("read"), None);
    for at in 0..300 {
        store
            .begin_message(id, Uuid::from_u128(1000 + at), "", 10 + u64::try_from(at).expect("small"))
            .await
            .expect("begun");
    }
    assert_eq!(store.sent_message(id, first).await.expect("read"), None, "only the newest are remembered");
    store.discard_session(id, Vec::new()).await.expect("discarded");
    let last = Uuid::from_u128(1299);
    assert_eq!(store.sent_message(id, last).await.expect("read"), None);
}
