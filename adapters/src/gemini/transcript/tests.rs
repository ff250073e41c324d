//! What samples of real conversations of three versions say.

use std::path::Path;

use serde_json::{Value, json};
use shared_types::{Message, MessageBody, TodoState, ToolUse};

use super::{head, read, title};
use crate::transcript::{
    outline::{conversation, outline},
    place::{FolderMark, sha256},
    units,
};

const LINES: &str = include_str!("../transcripts/0.61.0.jsonl");
const DOCUMENT: &str = include_str!("../transcripts/0.34.0.json");
const OLD: &str = include_str!("../transcripts/0.22.4.json");

fn messages_of(text: &str) -> Vec<Message> {
    conversation(text.lines(), read).0
}

fn document(text: &str) -> Vec<Message> {
    let units = units(text).expect("a whole document");
    conversation(units.iter().map(String::as_str), read).0
}

fn tool(name: &str, args: &Value, rest: &Value) -> Message {
    let mut call = json!({ "id": "t", "name": name, "args": args, "status": "success" });
    for (key, value) in rest.as_object().expect("fields") {
        call[key] = value.clone();
    }
    let line = json!({ "id": "m", "type": "gemini", "content": "", "toolCalls": [call] }).to_string();
    messages_of(&line).remove(0)
}

#[test]
fn lines_of_a_new_version_are_read_and_the_last_of_an_id_counts() {
    let (messages, usage) = conversation(LINES.lines(), read);
    let wanted = [
        "> SCN:hello go",
        "Hello from the mock model. I can help you with that.",
        "> SCN:sh go",
        "I will list the files.",
        "run_shell_command: List all files in the current directory -> ok [0] total 20",
        "The shell command step is finished.",
        "> SCN:thought go",
    ];
    assert_eq!(outline(&messages), wanted);
    let MessageBody::Tool { result: Some(result), .. } = &messages[4].body else { panic!("a result") };
    assert!(result.output.ends_with("made_by_shell.txt"), "{}", result.output);
    assert_eq!((usage.model.as_deref(), usage.context_tokens), (Some("gemini-2.5-flash"), Some(120)));
}

#[test]
fn documents_of_older_versions_say_the_same() {
    let wanted = [
        "> SCN:hello go",
        "Hello from the mock model. I can help you with that.",
        "> SCN:sh go",
        "I will list the files.",
        "run_shell_command: List all files in the current directory -> ok [0] total 20",
        "The shell command step is finished.",
        "> SCN:thought go",
    ];
    assert_eq!(outline(&document(DOCUMENT)), wanted);
    let old = outline(&document(OLD));
    assert_eq!(old[..7], wanted);
    assert_eq!(
        old[7..],
        ["(Considering the options\nI am thinking about it.", "After thinking, here is the answer."]
            .map(|line| { if line.starts_with('(') { format!("{line})") } else { line.to_owned() } })
    );
}

#[test]
fn the_tools_say_what_they_are_for() {
    let display =
        json!({ "fileDiff": "Index: a.rs\n====\n--- a.rs\n+++ a.rs\n@@ -1,1 +1,1 @@\n-a\n+b\n", "fileName": "a.rs" });
    let edit = tool(
        "replace",
        &json!({ "file_path": "/p/a.rs", "old_string": "a", "new_string": "b" }),
        &json!({ "resultDisplay": display }),
    );
    let MessageBody::Tool { purpose: Some(ToolUse::Edit { diff }), result: Some(result), .. } = &edit.body else {
        panic!("an edit")
    };
    assert_eq!(diff[0].unified, "@@ -1,1 +1,1 @@\n-a\n+b");
    assert_eq!(result.diff.as_ref().expect("the change")[0].unified, "@@ -1,1 +1,1 @@\n-a\n+b");

    let told = json!([{ "functionResponse": { "response": { "output": "{\"answers\":{\"0\":\"SQLite\"}}" } } }]);
    let asked = tool(
        "ask_user",
        &json!({ "questions": [{ "question": "Which?", "options": [{ "label": "SQLite" }] }] }),
        &json!({ "result": told }),
    );
    let MessageBody::Tool { result: Some(result), .. } = &asked.body else { panic!("a question") };
    let answers = result.answers.as_ref().expect("answers");
    assert_eq!((answers[0].question.as_str(), answers[0].answer.as_str()), ("Which?", "SQLite"));

    let todos = tool("write_todos", &json!({ "todos": [{ "description": "a", "status": "cancelled" }] }), &json!({}));
    let MessageBody::Tool { purpose: Some(ToolUse::Todos { items }), .. } = &todos.body else { panic!("a list") };
    assert_eq!(items[0].state, TodoState::Dropped);

    let told = json!([{ "functionResponse": { "response": { "output": "Output: no\nExit Code: 2" } } }]);
    let failed = tool(
        "run_shell_command",
        &json!({ "command": "make" }),
        &json!({ "status": "error", "result": told, "resultDisplay": "no" }),
    );
    assert_eq!(outline(&[failed]), ["run_shell_command: make -> failed [2] no"]);
    let pending = tool("run_shell_command", &json!({ "command": "make" }), &json!({ "status": "executing" }));
    assert_eq!(outline(&[pending]), ["run_shell_command: make -> …"]);
}

#[test]
fn what_nobody_typed_is_no_message_of_the_person() {
    let said =
        |kind: &str, content: Value| messages_of(&json!({ "id": "m", "type": kind, "content": content }).to_string());
    assert!(said("user", json!([{ "functionResponse": { "response": {} } }])).is_empty());
    assert!(said("user", json!("<session_context>\nhello")).is_empty());
    assert_eq!(outline(&said("info", json!("Request cancelled."))), ["* Request cancelled."]);
    assert!(said("something", json!("x")).is_empty());
    let parts = json!([{ "text": "look" }, { "inlineData": { "mimeType": "image/webp", "data": "UklGRg==" } }]);
    let sent = said("user", parts);
    assert_eq!(outline(&sent), ["> look"]);
    assert_eq!(sent[0].images.as_ref().map(|images| images[0].media_type.as_str()), Some("image/webp"));
}

#[test]
fn the_beginning_says_whose_conversation_it_is() {
    let found = head("session-2026-11-16T01-42-11111111.jsonl", LINES).expect("a head");
    assert_eq!(found.id, "11111111-2222-4333-8444-555555555555");
    assert_eq!(found.started_at, Some(1_794_793_354_755));
    assert!(matches!(found.folder, Some(FolderMark::Sha256(_))));
    assert_eq!(
        head("session-a.json", OLD).map(|head| head.id).as_deref(),
        Some("4715d53c-684e-4c77-b667-cfaa767dca25")
    );
    let ours =
        LINES.replacen("795386e432bbceec9dfa612a3c9cdca5852b79a5d73c26df6183139c41a1ed34", &sha256("/srv/shop"), 1);
    assert!(head("session-a.jsonl", &ours).and_then(|head| head.folder).expect("a folder").is(Path::new("/srv/shop")));
    let agents = LINES.replacen("\"kind\": \"main\"", "\"kind\": \"subagent\"", 1);
    assert_eq!(head("session-a.jsonl", &agents), None);
    assert_eq!(head("logs.json", LINES), None);
    assert_eq!(title(r#"{"$set":{"summary":"The shop"}}"#).as_deref(), Some("The shop"));
}
