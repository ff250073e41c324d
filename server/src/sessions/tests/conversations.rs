//! Conversations from the CLIs' own files: found, followed, joined, and gone on with.

use std::{
    fs,
    io::Write as _,
    path::{Path, PathBuf},
};

use adapters::screen::Exit;
use shared_types::{
    AdapterKind, EndReason, ErrorCode, Event, Message, MessageBody, SessionId, SessionState, StartSession, ToolResult,
};
use uuid::Uuid;

use super::stage::{Code as _, Stage, wish};
use crate::{
    sessions::{StartedBy, task::SessionTask},
    store::Place,
};

fn append(path: &Path, lines: &str) {
    fs::create_dir_all(path.parent().expect("a folder")).expect("the folder");
    let mut file = fs::OpenOptions::new().create(true).append(true).open(path).expect("the file");
    writeln!(file, "{lines}").expect("written");
}

/// Writes as a CLI does: something is drawn meanwhile. Where nothing tells of a new file, that is what makes us look for it.
fn append_drawing(stage: &Stage, id: SessionId, path: &Path, lines: &str) {
    append(path, lines);
    stage.pane(id).change(|_| {});
}

const ASKED: &str = r#"{"type":"user","uuid":"u1","timestamp":"2026-11-16T01:28:52.718Z","cwd":"/","message":{"content":"list the files"}}"#;
const USED: &str = r#"{"type":"assistant","uuid":"u2","message":{"model":"opus","usage":{"input_tokens":900,"output_tokens":50},"content":[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"ls"}}]}}"#;
const CAME: &str = r#"{"type":"user","uuid":"u3","toolUseResult":{"stdout":"a.rs","stderr":""},"message":{"content":[{"type":"tool_result","tool_use_id":"t1","content":"a.rs"}]}}"#;
const SAID: &str = r#"{"type":"assistant","uuid":"u4","message":{"content":[{"type":"text","text":"One file."}]}}"#;

fn result(message: &Message) -> Option<&ToolResult> {
    match &message.body {
        MessageBody::Tool { result, .. } => result.as_ref(),
        _ => None,
    }
}

async fn wait_message(stage: &mut Stage, what: &str, wanted: impl Fn(&Message) -> bool) -> Message {
    stage
        .wait(what, |event| match event {
            Event::Message { message, .. } if wanted(message) => Some(message.clone()),
            _ => None,
        })
        .await
}

#[tokio::test]
async fn a_result_is_joined_to_its_use_also_after_a_restart() {
    let mut stage = Stage::new();
    let path = stage.folder.path().join("claude.jsonl");
    let id = stage.running(AdapterKind::new("claude"), Some(path.clone())).await;
    stage.sessions.recover().await.expect("taken up");
    append(&path, &format!("{ASKED}\n{USED}"));
    wait_message(&mut stage, "the use", |message| message.id.0 == "t1").await;
    stage
        .wait("what was used", |event| match event {
            Event::Session { session } => session.usage.clone().filter(|usage| usage.context_tokens == Some(950)),
            _ => None,
        })
        .await;

    let mut stage = stage.restart().await;
    append(&path, &format!("{CAME}\n{SAID}"));
    let joined = wait_message(&mut stage, "the result", |message| result(message).is_some()).await;
    assert_eq!(joined.id.0, "t1");
    assert_eq!(result(&joined).map(|result| (result.output.as_str(), result.exit_code)), Some(("a.rs", Some(0))));
    wait_message(&mut stage, "the end", |message| message.id.0 == "u4").await;
    let messages = stage.store.messages(id, Place::Newest, 10).await.expect("messages").messages;
    let ids: Vec<&str> = messages.iter().map(|message| message.id.0.as_str()).collect();
    assert_eq!(ids, ["u1", "t1", "u4"], "nothing twice, nothing lost");
    let again =
        stage.told.iter().filter(|event| matches!(event, Event::Message { message, .. } if message.id.0 == "u1"));
    assert_eq!(again.count(), 0, "what was told before the restart is not told again");
    assert_eq!(
        stage.bus.session(id).and_then(|session| session.usage).and_then(|usage| usage.model).as_deref(),
        Some("opus")
    );
}

#[tokio::test]
async fn what_an_agent_does_is_told_under_its_name_and_never_twice() {
    let mut stage = Stage::new();
    let path = stage.folder.path().join("claude.jsonl");
    let id = stage.running(AdapterKind::new("claude"), Some(path.clone())).await;
    stage.sessions.recover().await.expect("taken up");
    append(&path, ASKED);
    wait_message(&mut stage, "what was asked", |message| message.id.0 == "u1").await;
    let by_agent = |line: &str| line.replacen('{', r#"{"isSidechain":true,"agentId":"a7","#, 1);
    let agents = stage.folder.path().join("claude/subagents/agent-a7.jsonl");
    append_drawing(&stage, id, &agents, &by_agent(SAID));
    let said = wait_message(&mut stage, "what the agent said", |message| message.id.0 == "u4").await;
    assert_eq!(said.agent.as_deref(), Some("a7"));

    let mut stage = stage.restart().await;
    append_drawing(&stage, id, &agents, &by_agent(&SAID.replace("u4", "u5")));
    wait_message(&mut stage, "what it said next", |message| message.id.0 == "u5").await;
    assert_eq!(stage.store.message_tail(id).await.expect("tail").0, 3);
    assert!(!stage.told.iter().any(|event| matches!(event, Event::Message { message, .. } if message.id.0 == "u4")));
    assert_eq!(stage.store.sessions().await.expect("sessions").records[0].transcript_offset, ASKED.len() as u64 + 1);
}

#[tokio::test]
async fn last_words_are_heard_before_the_session_is_over() {
    let mut stage = Stage::new();
    let path = stage.folder.path().join("claude.jsonl");
    let id = stage.running(AdapterKind::new("claude"), Some(path.clone())).await;
    stage.sessions.recover().await.expect("taken up");
    append(&path, ASKED);
    wait_message(&mut stage, "what was asked", |message| message.id.0 == "u1").await;
    append(&path, SAID);
    stage.pane(id).change(|shown| shown.exit = Some(Exit { status: Some(0) }));
    stage.wait_state(id, &SessionState::Ended { reason: EndReason::Exited { status: Some(0) } }).await;
    assert_eq!(stage.store.message_tail(id).await.expect("tail").0, 2);
}

/// As when Gemini CLI 0.61 starts itself anew in the next minute, which its file is named after.
#[tokio::test]
async fn a_session_finds_its_conversation_again_when_its_file_is_gone() {
    let mut stage = Stage::new();
    let id = stage.running(AdapterKind::new("gemini"), None).await;
    let chats = stage.folder.path().join(".gemini/tmp/root/chats");
    // The folder is named by its hash.
    let head = r#"{"sessionId":"0a1b2c3d-1","projectHash":"8a5edab282632443219e051e4ade2d1d5bbc671c781051bf1437897cbdfea0f1","startTime":"2099-11-16T14:15:59.000Z","kind":"main"}"#;
    let said = |id: &str| {
        format!(r#"{{"id":"{id}","timestamp":"2099-11-16T14:15:59.500Z","type":"gemini","content":"word"}}"#)
    };
    let first = chats.join("session-2026-11-16T14-15-0a1b2c3d.jsonl");
    append(&first, &format!("{head}\n{}", said("g1")));
    stage.sessions.recover().await.expect("taken up");
    wait_message(&mut stage, "the first file's", |message| message.id.0 == "g1").await;
    fs::remove_file(&first).expect("gone");
    let second = chats.join("session-2026-11-16T14-16-0a1b2c3d.jsonl");
    append_drawing(&stage, id, &second, &format!("{head}\n{}", said("g2")));
    wait_message(&mut stage, "the second file's", |message| message.id.0 == "g2").await;
}

/// As after `/clear` in Gemini CLI, where no hook tells.
#[tokio::test]
async fn a_conversation_that_was_begun_anew_is_known_by_what_the_screen_shows_of_it() {
    let mut stage = Stage::new();
    let id = stage.running(AdapterKind::new("gemini"), None).await;
    let chats = stage.folder.path().join(".gemini/tmp/root/chats");
    let chat = |number: u8, words: &str| {
        let head = format!(
            r#"{{"sessionId":"0a1b2c3{number}-1","projectHash":"8a5edab282632443219e051e4ade2d1d5bbc671c781051bf1437897cbdfea0f1","startTime":"2099-11-16T14:15:59.000Z","kind":"main"}}"#
        );
        let said =
            format!(r#"{{"id":"g{number}","timestamp":"2099-11-16T14:15:59.500Z","type":"user","content":"{words}"}}"#);
        (chats.join(format!("session-2026-11-16T14-15-0a1b2c3{number}.jsonl")), format!("{head}\n{said}"))
    };
    let (first, lines) = chat(1, "list the files");
    append(&first, &lines);
    stage.sessions.recover().await.expect("taken up");
    wait_message(&mut stage, "the first", |message| message.id.0 == "g1").await;
    // Somebody begins others beside it: one with other words, one with the very same, one with next to none.
    for (number, words) in [(2, "count the files"), (3, "list the files"), (6, "or")] {
        let (path, lines) = chat(number, words);
        append(&path, &lines);
    }
    let (path, lines) = chat(4, "and now for something\\nelse");
    append(&path, &lines);
    stage.pane(id).show(" > list the files\n\n > and now for\n   something else\n");
    wait_message(&mut stage, "the one on the screen", |message| message.id.0 == "g4").await;
    let conversation = stage.bus.session(id).and_then(|session| session.conversation);
    assert_eq!(conversation.as_deref(), Some("0a1b2c34-1"));
    // 0.22 goes on under the same id, in the next minute.
    let (_, lines) = chat(5, "and now for something\\nelse");
    let path = chats.join("session-2026-11-16T14-16-0a1b2c34.jsonl");
    append_drawing(&stage, id, &path, &lines.replace("0a1b2c35-1", "0a1b2c34-1"));
    wait_message(&mut stage, "the one of the next minute", |message| message.id.0 == "g5").await;
    let others = |event: &&Event| matches!(event, Event::Message { message, .. } if ["g2", "g3", "g6"].contains(&message.id.0.as_str()));
    assert_eq!(stage.told.iter().filter(others).count(), 0);
}

/// As after `/clear`, when Claude goes on in another file under another id.
#[tokio::test]
async fn a_session_follows_into_another_conversation_and_keeps_what_was_said() {
    let stage = Stage::new();
    let (first, second) = (stage.folder.path().join("a1.jsonl"), stage.folder.path().join("b2.jsonl"));
    append(&first, ASKED);
    append(&second, SAID);
    let id = stage.running(AdapterKind::new("claude"), Some(first)).await;
    stage.store.set_conversation(id, "a1".to_owned(), &stage.folder.path().join("a1.jsonl")).await.expect("noted");
    let record = stage.store.sessions().await.expect("sessions").records.remove(0);
    let view = stage.sessions.view(&record).await.expect("a view");
    let prepared = stage.sessions.prepare(record, stage.pane(id), view, StartedBy::EarlierRun).await.expect("a task");
    let SessionTask { mut conversation, mut view, .. } = prepared.task;
    let news = conversation.next().await;
    conversation.on_news(news, &mut view).await;

    conversation.follow("b2".to_owned(), second.clone(), &mut view).await;
    let news = conversation.next().await;
    conversation.on_news(news, &mut view).await;
    // Told again, as every hook tells it, it changes nothing.
    conversation.follow("b2".to_owned(), second.clone(), &mut view).await;

    let messages = stage.store.messages(id, Place::Newest, 10).await.expect("messages").messages;
    let ids: Vec<&str> = messages.iter().map(|message| message.id.0.as_str()).collect();
    assert_eq!((ids.len(), ids[0], ids[2]), (3, "u1", "u4"), "with a note between them: {messages:?}");
    let record = stage.store.sessions().await.expect("sessions").records.remove(0);
    assert_eq!((record.cli_session_id.as_deref(), record.transcript), (Some("b2"), Some(second)));
    assert_eq!(record.transcript_offset, SAID.len() as u64 + 1);
    assert_eq!(stage.bus.session(id).and_then(|session| session.conversation).as_deref(), Some("b2"));
}

#[tokio::test]
async fn a_file_that_is_replaced_doubles_nothing() {
    let mut stage = Stage::new();
    let path = stage.folder.path().join("claude.jsonl");
    let id = stage.running(AdapterKind::new("claude"), Some(path.clone())).await;
    append(&path, &format!("{ASKED}\n{USED}\n{CAME}"));
    stage.sessions.recover().await.expect("taken up");
    wait_message(&mut stage, "the use", |message| message.id.0 == "t1").await;
    append(&path.with_extension("next"), &format!("{ASKED}\n{USED}\n{CAME}\n{SAID}"));
    fs::rename(path.with_extension("next"), &path).expect("replaced");
    wait_message(&mut stage, "the end", |message| message.id.0 == "u4").await;
    assert_eq!(stage.store.message_tail(id).await.expect("tail").0, 3);
    let told = stage.told.iter().filter(|event| matches!(event, Event::Message { .. }));
    assert_eq!(told.count(), 3);
}

#[tokio::test]
async fn a_conversation_whose_file_is_not_known_is_found_and_followed() {
    let mut stage = Stage::new();
    let id = stage.running(AdapterKind::new("claude"), None).await;
    stage.sessions.recover().await.expect("taken up");
    let projects = stage.folder.path().join(".claude/projects/-");
    // One of another folder, and one of long ago.
    let now = "2099-11-16T01:28:52.718Z";
    append(
        &projects.join("elsewhere.jsonl"),
        &ASKED.replace("2026-11-16T01:28:52.718Z", now).replace("\"/\"", "\"/etc\""),
    );
    append(&projects.join("long-ago.jsonl"), &ASKED.replace("2026", "2001"));
    append_drawing(&stage, id, &projects.join("ours.jsonl"), &ASKED.replace("2026-11-16T01:28:52.718Z", now));
    wait_message(&mut stage, "what was asked", |message| message.id.0 == "u1").await;
    let conversation = stage.bus.session(id).and_then(|session| session.conversation);
    assert_eq!(conversation.as_deref(), Some("ours"));
    // It stays known.
    let stage = stage.restart().await;
    let record = stage.store.sessions().await.expect("sessions").records.remove(0);
    assert_eq!(record.transcript, Some(stage.folder.path().join(".claude/projects/-/ours.jsonl")));
}

/// A file of Codex: begun long ago and elsewhere, so that only holding it open tells whose it is. `minute` is when it was
/// last written to.
fn rollout(stage: &Stage, uuid: u128, source: &str, words: &str, minute: u64) -> PathBuf {
    let uuid = Uuid::from_u128(uuid);
    let name = format!(".codex/sessions/2026/11/16/rollout-2026-11-16T14-12-30-{uuid}.jsonl");
    let path = stage.folder.path().canonicalize().expect("a folder").join(name);
    if !path.exists() {
        let began = r#""timestamp":"2001-01-01T00:00:00Z","cwd":"/elsewhere","source":"#;
        append(&path, &format!(r#"{{"type":"session_meta","payload":{{{began}{source}}}}}"#));
    }
    append(&path, &format!(r#"{{"type":"event_msg","payload":{{"type":"user_message","message":"{words}"}}}}"#));
    let at = std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1_800_000_000 + 60 * minute);
    fs::File::options().append(true).open(&path).and_then(|file| file.set_modified(at)).expect("its time");
    path
}

/// As after `/new` and `/resume` in Codex, which keeps the files of all these conversations open.
#[tokio::test]
async fn a_session_is_in_the_conversation_that_its_program_writes_to() {
    let mut stage = Stage::new();
    let id = stage.running(AdapterKind::new("codex"), None).await;
    stage.sessions.recover().await.expect("taken up");
    let said = |words: &'static str| move |message: &Message| matches!(&message.body, MessageBody::Text { text, .. } if text == words);
    rollout(&stage, 9, r#""cli""#, "somebody else's", 9);
    let agent = rollout(&stage, 8, r#"{"subagent":"review"}"#, "an agent's", 8);
    let first = rollout(&stage, 1, r#""cli""#, "first", 1);
    stage.pane(id).hold_open(vec![first.clone(), agent.clone(), "/dev/null".into()]);
    wait_message(&mut stage, "the first", said("first")).await;
    let second = rollout(&stage, 2, r#""cli""#, "second", 2);
    stage.pane(id).hold_open(vec![first.clone(), second.clone(), agent.clone()]);
    wait_message(&mut stage, "the second", said("second")).await;
    let conversation = |stage: &Stage| stage.bus.session(id).and_then(|session| session.conversation);
    assert_eq!(conversation(&stage), Some(Uuid::from_u128(2).to_string()));
    rollout(&stage, 1, r#""cli""#, "the first again", 3);
    stage.pane(id).hold_open(vec![first, second, agent]);
    wait_message(&mut stage, "the first again", said("the first again")).await;
    assert_eq!(conversation(&stage), Some(Uuid::from_u128(1).to_string()));
    let told =
        stage.told.iter().filter(|event| matches!(event, Event::Message { message, .. } if said("first")(message)));
    assert_eq!(told.count(), 1, "what was told is not told again");
}

#[tokio::test]
async fn a_conversation_belongs_to_the_session_that_was_started_last_before_it() {
    let stage = Stage::new();
    let (first, second) =
        (stage.running(AdapterKind::new("codex"), None).await, stage.running(AdapterKind::new("codex"), None).await);
    let records = stage.store.sessions().await.expect("sessions").records;
    let began = records.iter().map(|record| record.created_at).max().expect("two") + 1;
    let may = |session, at| stage.store.may_claim(session, "c".to_owned(), Some(at));
    let same_moment = records[0].created_at == records[1].created_at;
    assert_eq!(may(first, began).await.expect("asked"), same_moment);
    assert!(may(second, began).await.expect("asked"));
    stage.store.set_conversation(second, "c".to_owned(), Path::new("/c.jsonl")).await.expect("claimed");
    assert!(!may(first, began).await.expect("asked"), "another session has it");
}

#[tokio::test]
async fn earlier_conversations_are_listed_newest_first() {
    let stage = Stage::new();
    let projects = stage.folder.path().join(".claude/projects/-");
    append(&projects.join("a1.jsonl"), &format!("{ASKED}\n{USED}\n{CAME}\n{SAID}"));
    append(&projects.join("empty.jsonl"), r#"{"type":"mode","cwd":"/"}"#);
    append(&projects.join("b2.jsonl"), &format!("{ASKED}\n{}", r#"{"type":"custom-title","customTitle":"The shop"}"#));
    let listed =
        stage.sessions.conversations(AdapterKind::new("claude"), Some("/"), String::new()).await.expect("listed");
    let mut seen: Vec<_> = listed.iter().map(|info| (info.id.as_str(), info.title.as_str(), info.messages)).collect();
    assert!(listed.windows(2).all(|pair| pair[0].updated_at >= pair[1].updated_at));
    seen.sort_unstable();
    assert_eq!(seen, [("a1", "list the files", Some(3)), ("b2", "The shop", Some(1))]);
    assert_eq!(listed[0].folder.as_deref(), Some("/"));
    for (query, expected) in [("SHOP the", vec!["b2"]), ("/ list", vec!["a1"]), ("nothing", vec![])] {
        let found =
            stage.sessions.conversations(AdapterKind::new("claude"), None, query.to_owned()).await.expect("found");
        assert_eq!(found.iter().map(|info| info.id.as_str()).collect::<Vec<_>>(), expected, "{query}");
    }
    assert!(
        stage
            .sessions
            .conversations(AdapterKind::new("claude"), Some("/etc"), String::new())
            .await
            .expect("listed")
            .is_empty()
    );
    assert!(
        stage.sessions.conversations(AdapterKind::new("demo"), None, String::new()).await.expect("listed").is_empty()
    );
}

#[tokio::test]
async fn only_what_can_be_resumed_is_resumed() {
    let stage = Stage::new();
    let projects = stage.folder.path().join(".claude/projects/-");
    append(&projects.join("a1.jsonl"), ASKED);
    let resume = |id: &str| StartSession { resume: Some(id.to_owned()), ..wish(AdapterKind::new("demo")) };
    for id in ["", "--yolo", "../a1", "nobody"] {
        let refused = stage.sessions.start(resume(id), shared_types::Actor::Desk).await.expect_err("refused");
        assert_eq!(refused.code(), ErrorCode::BadValue, "{id}");
    }
    let root = Path::new("/");
    assert_eq!(stage.sessions.earlier(AdapterKind::new("claude"), root, "a1").await, Ok(projects.join("a1.jsonl")));
    let id = stage.running(AdapterKind::new("claude"), Some(projects.join("a1.jsonl"))).await;
    stage.store.set_conversation(id, "a1".to_owned(), &projects.join("a1.jsonl")).await.expect("noted");
    stage.sessions.recover().await.expect("taken up");
    let refused = stage.sessions.earlier(AdapterKind::new("claude"), root, "a1").await.expect_err("it is open");
    assert_eq!(refused.code(), ErrorCode::SessionBusy);
}
