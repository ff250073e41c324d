//! What samples of real conversations of two versions say.

use std::path::Path;

use serde_json::json;
use shared_types::{MessageBody, ToolUse};

use super::{file, head, pending, read, shelf};
use crate::transcript::{
    outline::{conversation, outline},
    place::{FolderMark, fits_path},
};

const NEW: &str = include_str!("../transcripts/0.24.4.jsonl");
const OLD: &str = include_str!("../transcripts/0.15.10.jsonl");

#[test]
fn words_tools_results_and_answers_are_read() {
    let (messages, usage) = conversation(NEW.lines(), read);
    let wanted = [
        "> SCN:hello transcript please",
        "Hello from the stub model. I can help you with that.",
        "> SCN:sh go",
        "I will list the files.",
        "run_shell_command: List all files in the current directory -> ok [0] total 20",
        "The shell command step is finished.",
        "> SCN:shrm go",
        "run_shell_command: Remove the build folder -> failed [Operation Cancelled] Reason: User did n",
        "> SCN:ask1 go",
    ];
    assert_eq!(outline(&messages)[..wanted.len()], wanted);
    let MessageBody::Tool { result: Some(result), purpose, .. } = &messages[9].body else { panic!("a question") };
    let Some(ToolUse::Questions { questions }) = purpose else { panic!("{purpose:?}") };
    assert_eq!(questions[0].options, ["PostgreSQL", "SQLite", "None"]);
    assert_eq!(result.answers.as_ref().unwrap()[0].answer, "SQLite");
    assert_eq!((usage.model.as_deref(), usage.context_tokens), (Some("stub-model"), Some(1020)));
}

#[test]
fn an_older_version_says_the_same() {
    let (messages, _) = conversation(OLD.lines(), read);
    let wanted = [
        "> SCN:sh go",
        "I will list the files.",
        "run_shell_command: List all files in the current directory -> ok [0] total 20",
        "The shell command step is finished.",
    ];
    assert_eq!(outline(&messages)[..4], wanted);
}

#[test]
fn what_the_cli_tells_the_model_by_itself_is_no_message() {
    let line = |provenance: &str| {
        let parts = json!([{ "text": "hello" }]);
        json!({ "uuid": "a", "type": "user", "provenance": provenance, "message": { "parts": parts } }).to_string()
    };
    assert_eq!(read(&line("real_user")).len(), 1);
    assert_eq!(read(&line("system_reminder")).len(), 0);
}

#[test]
fn a_call_without_a_result_is_pending() {
    let called = NEW.lines().position(|line| line.contains("rm -rf build")).expect("the call");
    let lines: Vec<&str> = NEW.lines().take(called + 1).collect();
    let details = pending(lines);
    assert_eq!(details.len(), 1, "{details:?}");
    assert_eq!(details[0].tool_input.as_ref().unwrap()["command"], "rm -rf build");
    assert_eq!(pending(NEW.lines()), []);
}

#[test]
fn a_conversation_stands_on_the_shelf_of_its_folder() {
    let folder = Path::new("/home/dev/proj");
    let path = file(Path::new("/home/dev/.qwen"), folder, "abc").expect("a place");
    assert_eq!(path, Path::new("/home/dev/.qwen/projects/-home-dev-proj/chats/abc.jsonl"));
    assert!(fits_path(&shelf(Some(folder)).pattern, path.strip_prefix("/home/dev/.qwen").unwrap()));
    let head = head("abc.jsonl", NEW.lines().next().unwrap()).expect("a conversation");
    assert_eq!((head.id.as_str(), head.folder), ("abc", Some(FolderMark::Path(folder.into()))));
    assert!(head.started_at.is_some());
}
