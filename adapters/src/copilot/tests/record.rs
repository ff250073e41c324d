//! What the CLI has written down of an open dialog, and the dialogs that it makes whole.

use serde_json::{Value, json};

use super::sighting;
use crate::{Adapter, Sighting, copilot::Copilot, hook::Detail};

const SAMPLE: &str = include_str!("../transcripts/1.0.102.jsonl");

fn event(kind: &str, data: &Value) -> String {
    json!({ "type": kind, "data": data, "id": "e", "timestamp": "2026-11-18T05:47:47.952Z", "parentId": null })
        .to_string()
}

fn requested(id: &str, request: &Value, prompt: &str) -> String {
    let prompt = json!({ "kind": prompt, "toolName": request["toolName"] });
    event("permission.requested", &json!({ "requestId": id, "permissionRequest": request, "promptRequest": prompt }))
}

fn pending(lines: &[String]) -> Vec<Detail> {
    Copilot.pending_calls(&lines.iter().map(String::as_str).collect::<Vec<_>>())
}

fn completed(dialog: &Sighting, line: String) -> Option<Sighting> {
    pending(&[line]).iter().find_map(|detail| Copilot.complete(detail, dialog))
}

#[test]
fn what_was_answered_is_no_longer_asked() {
    let lines: Vec<&str> = SAMPLE.lines().collect();
    assert!(lines.iter().any(|line| line.contains("\"permission.requested\"")));
    let shell = requested("1", &json!({ "kind": "shell", "fullCommandText": "ls" }), "commands");
    let done = event("permission.completed", &json!({ "requestId": "1", "result": { "kind": "approved" } }));
    assert_eq!(pending(std::slice::from_ref(&shell)).len(), 1);
    assert_eq!(pending(&[shell, done]), []);
    let asked =
        event("tool.execution_start", &json!({ "toolCallId": "2", "toolName": "exit_plan_mode", "arguments": {} }));
    let over = event("tool.execution_complete", &json!({ "toolCallId": "2", "success": true }));
    assert_eq!(pending(std::slice::from_ref(&asked)).len(), 1);
    assert_eq!(pending(&[asked, over]), []);
}

#[test]
fn a_clipped_change_is_made_whole_by_its_request() {
    let dialog = sighting("perm-edit-big-1.0.102-80x24");
    assert!(dialog.incomplete);
    let path = "/tmp/cp/homes/cp1-p102-80/proj/big.txt";
    let removed: String = (10..50).map(|row| format!("-row {row}\n")).collect();
    let added: String = (10..50).map(|row| format!("+ROW {row} changed\n")).collect();
    let diff =
        format!("\ndiff --git a b\n--- a\n+++ b\n@@ -11,43 +11,43 @@\n{removed}{added} row 50\n row 51\n row 52\n");
    let request = json!({ "kind": "write", "fileName": path, "diff": diff });
    let whole = completed(&dialog, requested("1", &request, "write")).unwrap();
    assert!(!whole.incomplete && whole.diff[0].unified.starts_with("@@ -11,43 +11,43 @@\n-row 10\n"), "{whole:?}");
    let mut other = request.clone();
    other["fileName"] = "/tmp/cp/homes/cp1-p102-80/proj/other.txt".into();
    assert_eq!(completed(&dialog, requested("1", &other, "write")), None, "another file");
    other = request;
    other["diff"] = diff.replace("ROW 45", "rm -rf").into();
    assert_eq!(completed(&dialog, requested("1", &other, "write")), None, "another change");
}

#[test]
fn a_clipped_command_is_made_whole_only_by_the_one_it_ends() {
    let command = "echo one\necho two\nrm -rf build && echo three";
    let mut dialog = sighting("perm-shell-1.0.102-80x24");
    dialog.incomplete = true;
    dialog.tool_input = Some(json!("build && echo three"));
    let line = |command: &str| requested("1", &json!({ "kind": "shell", "fullCommandText": command }), "commands");
    let whole = completed(&dialog, line(command)).unwrap();
    assert_eq!((whole.tool_input, whole.incomplete), (Some(json!(command)), false));
    assert_eq!(completed(&dialog, line("echo build && echo three four")), None);
    dialog.incomplete = false;
    assert_eq!(completed(&dialog, line(command)), None, "a whole box shows all of it");
    // What a path outside is asked for is not the command itself.
    let path = sighting("perm-path-shell-1.0.102-80x24");
    assert_eq!(completed(&path, line("cd /tmp")), None);
}

#[test]
fn a_clipped_input_of_a_server_is_made_whole() {
    let dialog = sighting("perm-mcp-1.0.102-80x24");
    assert!(dialog.incomplete);
    let args = json!({ "title": "Groceries", "body": "milk and eggs", "tags": ["home", "food"] });
    let request = json!({ "kind": "mcp", "serverName": "demo", "toolName": "add_note", "args": args });
    let whole = completed(&dialog, requested("1", &request, "mcp")).unwrap();
    assert_eq!((whole.tool_input, whole.incomplete), (Some(args), false));
    let mut other = request.clone();
    other["serverName"] = "ops".into();
    assert_eq!(completed(&dialog, requested("1", &other, "mcp")), None, "another server");
    other = request;
    other["args"]["tags"] = json!(["work"]);
    assert_eq!(completed(&dialog, requested("1", &other, "mcp")), None, "another input");
}
