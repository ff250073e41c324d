//! Calls in a transcript that have no result yet, and the dialogs they make whole.

use serde_json::{Value, json};

use super::sighting;
use crate::{Adapter, Sighting, claude::Claude, hook::Detail};

fn called(id: &str, tool: &str, input: &Value) -> String {
    let block = json!({ "type": "tool_use", "id": id, "name": tool, "input": input });
    json!({ "type": "assistant", "message": { "role": "assistant", "content": [{ "type": "text", "text": "So." }, block] } })
        .to_string()
}

fn answered(id: &str) -> String {
    let block = json!({ "type": "tool_result", "tool_use_id": id, "content": "done" });
    json!({ "type": "user", "message": { "role": "user", "content": [block] } }).to_string()
}

fn pending(lines: &[String]) -> Vec<Detail> {
    Claude.pending_calls(&lines.iter().map(String::as_str).collect::<Vec<_>>())
}

fn completed(dialog: &Sighting, lines: &[String]) -> Option<Sighting> {
    pending(lines).iter().find_map(|call| Claude.complete(call, dialog))
}

#[test]
fn only_calls_without_a_result_are_pending() {
    let command = |text: &str| json!({ "command": text });
    let lines = [
        answered("long ago"),
        called("1", "Bash", &command("ls")),
        answered("1"),
        "no JSON".to_owned(),
        called("2", "Bash", &command("touch a")),
        called("3", "Edit", &json!({ "file_path": "/a" })),
    ];
    let told: Vec<_> = pending(&lines).into_iter().map(|call| call.tool_name.unwrap()).collect();
    assert_eq!(told, ["Bash", "Edit"]);
    assert_eq!(pending(&[called("1", "Bash", &command("ls")), answered("1")]), []);
}

#[test]
fn calls_that_ended_since_a_moment_are_told() {
    let result = |id: &str, at: &str| {
        let block = json!({ "type": "tool_result", "tool_use_id": id, "content": "done" });
        json!({ "type": "user", "timestamp": at, "message": { "content": [block] } }).to_string()
    };
    let command = json!({ "command": "ls" });
    let lines = [
        called("1", "Bash", &command),
        result("1", "2026-11-16T01:00:00.000Z"),
        called("2", "Bash", &command),
        called("3", "Bash", &json!({ "command": "touch a" })),
        result("3", "2026-11-16T01:00:01.000Z"),
        result("gone", "2026-11-16T01:00:02.000Z"),
    ];
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let since = crate::transcript::value::moment("2026-11-16T01:00:00.500Z");
    let told: Vec<_> = Claude.ended_calls(&lines, since).into_iter().map(|call| call.tool_input.unwrap()).collect();
    assert_eq!(told, [json!({ "command": "touch a" })]);
}

#[test]
fn a_result_that_is_only_repeated_for_a_request_has_no_moment() {
    let result = json!([{ "tool_use_id": "1", "type": "tool_result", "content": "done" }]);
    let repeated =
        json!({ "type": "api-request-blob", "hash": "6b03", "message": { "role": "user", "content": result } });
    let told = json!({ "type": "user", "timestamp": "2026-11-16T01:00:01.000Z", "message": { "content": result } });
    let lines = [called("1", "Bash", &json!({ "command": "ls" })), repeated.to_string(), told.to_string()];
    let since = crate::transcript::value::moment("2026-11-16T01:00:00.500Z");
    assert_eq!(Claude.ended_calls(&lines.each_ref().map(String::as_str), since).len(), 1);
    assert_eq!(pending(&lines[..2]).len(), 1, "its result is not there yet");
}

#[test]
fn a_clipped_command_is_made_whole_by_its_call() {
    let dialog = sighting("perm-bash-short-80x12-2.1.325");
    assert!(dialog.incomplete);
    let command = "touch OWNED\nrm -rf build/output";
    let whole = completed(&dialog, &[called("1", "Bash", &json!({ "command": command }))]).unwrap();
    assert_eq!((whole.tool_input, whole.incomplete), (Some(command.into()), false));
    assert_eq!((whole.source, &whole.options), (dialog.source, &dialog.options));
    let other = called("1", "Bash", &json!({ "command": "rm -rf build" }));
    assert_eq!(completed(&dialog, &[other]), None, "another command");
    let several = json!({ "command": command, "run_in_background": true });
    let whole = completed(&dialog, &[called("1", "Bash", &several)]).unwrap();
    assert_eq!(whole.tool_input, Some(several));
}

#[test]
fn a_clipped_change_is_made_whole_by_its_call() {
    let dialog = sighting("perm-edit-long-2.1.325-46x30");
    let lines =
        |from: u32, to: u32| (from..to).map(|n| format!("line_{n} = {}  # changed\n", 2 * n)).collect::<String>();
    let input = json!({ "file_path": "/srv/p/long.py", "old_string": "x", "new_string": lines(0, 35) });
    let whole = completed(&dialog, &[called("1", "Edit", &input)]).unwrap();
    assert!(!whole.incomplete && whole.diff[0].unified.contains("+line_0 = 0  # changed"));
    let input = json!({ "file_path": "/srv/p/long.py", "old_string": "x", "new_string": "system(evil)" });
    assert_eq!(completed(&dialog, &[called("1", "Edit", &input)]), None, "another change to the same file");
}
