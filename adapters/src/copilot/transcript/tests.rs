//! What a sample of real conversations says.

use std::path::Path;

use serde_json::json;
use shared_types::{MessageBody, ToolUse};

use super::{head, read};
use crate::{
    TranscriptEntry,
    transcript::outline::{conversation, outline},
};

const SAMPLE: &str = include_str!("../transcripts/1.0.102.jsonl");

#[test]
fn a_conversation_is_read_with_its_tools() {
    let (messages, usage) = conversation(SAMPLE.lines(), read);
    let lines = outline(&messages);
    let has = |line: &str| assert!(lines.iter().any(|found| found.starts_with(line)), "{line:?} in {lines:#?}");
    has("> SCN:sh go");
    has("I will make a file.");
    has("bash: touch made_by_shell.txt && ls -la -> ok [0] total 24");
    has("edit: /tmp/c/homes/cp1-p102-80/proj/a.txt -> ok");
    has("create: /tmp/c/homes/cp1-p102-80/proj/new_file.py -> ok");
    has("view: /tmp/c/outside/readme.txt -> ok");
    has("ask_user: Which database should the service use? -> ok User responded: SQLite");
    has("exit_plan_mode: - Add a greeting to a.txt -> ");
    has("task: Count the files -> ok");
    has("* Interrupted");
    assert_eq!(usage.model.as_deref(), Some("mock-model"));
    assert!(usage.context_tokens.is_some() && usage.context_window.is_some(), "{usage:?}");
    // What an agent that was set to work is told is no message of the person's.
    assert!(!lines.iter().any(|line| line.starts_with("> SCN:sub")), "{lines:#?}");
}

#[test]
fn a_question_of_one_field_is_told_with_its_choices() {
    let schema = json!({ "properties": { "db": { "type": "string", "enum": ["A", "B"] } } });
    let data = json!({ "toolCallId": "1", "toolName": "ask_user", "arguments": { "message": "Which?", "requestedSchema": schema } });
    let line = json!({ "type": "tool.execution_start", "data": data, "id": "e" }).to_string();
    let [TranscriptEntry::Message(message)] = &read(&line)[..] else { panic!("a message") };
    let MessageBody::Tool { purpose: Some(ToolUse::Questions { questions }), .. } = &message.body else {
        panic!("{message:?}")
    };
    assert_eq!(
        (questions[0].question.as_str(), questions[0].options.as_slice()),
        ("Which?", &["A".to_owned(), "B".to_owned()][..])
    );
}

#[test]
fn the_first_line_says_whose_conversation_it_is() {
    let head = head(SAMPLE).unwrap();
    assert_eq!(head.id, "af11ef89-a3ad-434f-998b-bc7840e42313");
    assert!(head.folder.is_some_and(|folder| folder.is(Path::new("/tmp/c/homes/cp1-p102-80/proj"))));
    assert!(head.started_at.is_some_and(|at| at > 1_700_000_000_000));
    assert_eq!(super::head("{\"type\":\"user.message\"}"), None);
}
