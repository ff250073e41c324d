//! Conversations from the CLIs' own files, end to end. Stand-ins write what the real CLIs write, where they write it.

use std::{fs, os::unix::fs::PermissionsExt as _};

use answerback_tests::{Phone, Server};
use shared_types::{
    AdapterKind, Command, ConversationInfo, Message, MessageBody, ReplyData, SessionId, SessionState, StartSession,
    ToolResult,
};

/// Puts a program into the story's home that is found under a CLI's name. It writes down how it was called.
fn stand_in(server: &Server, name: &str, body: &str) {
    let bin = server.home().join("bin");
    fs::create_dir_all(&bin).expect("a folder for programs");
    fs::create_dir_all(server.home().join("work")).expect("a folder to work in");
    let path = bin.join(name);
    let version = r#"if [ "$1" = --version ]; then echo 99.0.0; exit; fi"#;
    let script = format!("#!/bin/bash\n{version}\necho \"$@\" >> \"$HOME/called\"\n{body}\nread -r _\n");
    fs::write(&path, script).expect("the program");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("it can be run");
}

fn wish(server: &Server, adapter: AdapterKind, resume: Option<String>) -> StartSession {
    StartSession { resume, ..StartSession::new(adapter, server.home().join("work").to_string_lossy()) }
}

async fn start(phone: &mut Phone, start: StartSession) -> SessionId {
    match phone.ask(Command::Start { start }).await {
        Ok(ReplyData::Started { session_id }) => session_id,
        other => panic!("the session was not started: {other:?}"),
    }
}

async fn listed(server: &Server, phone: &mut Phone, adapter: AdapterKind) -> Vec<ConversationInfo> {
    let folder = wish(server, adapter, None).folder;
    match phone.ask(Command::Conversations { adapter, folder: Some(folder), query: None }).await {
        Ok(ReplyData::Conversations { conversations }) => conversations,
        other => panic!("no conversations: {other:?}"),
    }
}

fn result(messages: &[Message]) -> Option<&ToolResult> {
    messages.iter().find_map(|message| match &message.body {
        MessageBody::Tool { result, .. } => result.as_ref(),
        _ => None,
    })
}

/// Plays a conversation: it is shown, ended, listed, and resumed with all that was said.
async fn told_listed_and_resumed(adapter: AdapterKind, name: &str, body: &str, resume: &str) {
    let server = Server::start().await;
    stand_in(&server, name, body);
    let mut phone = server.pair_phone("iPhone").await;
    let session = start(&mut phone, wish(&server, adapter, None)).await;
    let messages = phone.wait_history(session, "two files").await;
    let result = result(&messages).expect("the result is joined to the use");
    assert_eq!((result.output.as_str(), result.exit_code), ("a.rs\nb.rs", Some(0)), "{result:?}");
    assert_eq!(messages.len(), 3, "what was asked, done and said: {messages:#?}");

    phone.ask(Command::End { session_id: session }).await.expect("ended");
    phone.wait_state("the end", session, |state| matches!(state, SessionState::Ended { .. })).await;
    let conversations = listed(&server, &mut phone, adapter).await;
    let [conversation] = conversations.as_slice() else { panic!("one conversation: {conversations:?}") };
    assert_eq!((conversation.title.as_str(), conversation.messages), ("list the files", Some(3)));

    let again = start(&mut phone, wish(&server, adapter, Some(conversation.id.clone()))).await;
    let messages = phone.wait_history(again, "back again").await;
    assert_eq!(messages.len(), 4, "all that was said before, and more: {messages:#?}");
    let called = fs::read_to_string(server.home().join("called")).expect("how it was called");
    let words = resume.replace("ID", &conversation.id);
    assert!(called.lines().last().is_some_and(|line| line.contains(&words)), "{called}");
}

#[tokio::test]
async fn claudes_conversation_is_told_listed_and_resumed() {
    let body = r#"
id="$2"
file="$HOME/.claude/projects/${PWD//[^a-zA-Z0-9]/-}/$id.jsonl"
mkdir -p "$(dirname "$file")"
if [ "$1" = --resume ]; then
  echo '{"type":"assistant","uuid":"u5","message":{"content":[{"type":"text","text":"back again"}]}}' >> "$file"
else
  echo '{"type":"user","uuid":"u1","cwd":"'"$PWD"'","timestamp":"2026-11-16T01:28:52.718Z","message":{"content":"list the files"}}' >> "$file"
  echo '{"type":"assistant","uuid":"u2","message":{"content":[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"ls"}}]}}' >> "$file"
  echo '{"type":"user","uuid":"u3","toolUseResult":{"stdout":"a.rs\nb.rs","stderr":""},"message":{"content":[{"type":"tool_result","tool_use_id":"t1","content":"a.rs"}]}}' >> "$file"
  echo '{"type":"assistant","uuid":"u4","message":{"content":[{"type":"text","text":"two files"}]}}' >> "$file"
fi"#;
    told_listed_and_resumed(AdapterKind::new("claude"), "claude", body, "--resume ID").await;
}

#[tokio::test]
async fn codexs_conversation_is_found_told_listed_and_resumed() {
    let body = r#"
folder="$HOME/.codex/sessions/$(date -u +%Y/%m/%d)"
id=01a1e208-854d-74d3-b6fe-91092df06940
file="$folder/rollout-2026-11-16T01-46-11-$id.jsonl"
now="$(date -u +%FT%T.000Z)"
mkdir -p "$folder"
event() { echo '{"timestamp":"'"$now"'","type":"'"$1"'","payload":'"$2"'}' >> "$file"; }
case "$*" in *resume*) event event_msg '{"type":"agent_message","message":"back again"}' ;; *)
  event session_meta '{"id":"'"$id"'","timestamp":"'"$now"'","cwd":"'"$PWD"'","source":"cli"}'
  event event_msg '{"type":"user_message","message":"list the files"}'
  event response_item '{"type":"function_call","name":"exec_command","arguments":"{\"cmd\":\"ls\"}","call_id":"c1"}'
  event response_item '{"type":"function_call_output","call_id":"c1","output":"Process exited with code 0\nOutput:\na.rs\nb.rs\n"}'
  event event_msg '{"type":"agent_message","message":"two files"}'
esac"#;
    told_listed_and_resumed(AdapterKind::new("codex"), "codex", body, "resume ID").await;
}

#[tokio::test]
async fn geminis_document_is_found_told_listed_and_resumed() {
    let body = r#"
id="$2"
folder="$HOME/.gemini/tmp/work/chats"
file="$folder/session-2026-11-16T01-42-${id:0:8}.json"
mkdir -p "$folder"
hash="$(printf %s "$PWD" | sha256sum | cut -d' ' -f1)"
asked='{"id":"m1","type":"user","content":"list the files"}'
call='{"id":"t1","name":"run_shell_command","args":{"command":"ls"},"status":"success","resultDisplay":"a.rs\nb.rs"}'
done_='{"id":"m2","type":"gemini","content":"","toolCalls":['"$call"']}'
said='{"id":"m3","type":"gemini","content":"two files"}'
back='{"id":"m4","type":"gemini","content":"back again"}'
write() {
  echo '{"sessionId":"'"$id"'","projectHash":"'"$hash"'","startTime":"'"$(date -u +%FT%T.000Z)"'","messages":['"$1"']}' > "$file.tmp"
  mv "$file.tmp" "$file"
}
if [ "$1" = --resume ]; then write "$asked,$done_,$said,$back"; else
  write "$asked"
  write "$asked,$done_"
  write "$asked,$done_,$said"
fi"#;
    told_listed_and_resumed(AdapterKind::new("gemini"), "gemini", body, "--resume ID").await;
}
