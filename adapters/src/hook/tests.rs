//! Diffs of changes against files, and payloads of any kind.

use proptest::prelude::*;
use serde_json::{Value, json};

use shared_types::{PromptKind, PromptSource};

use super::{Edit, EditStep, Match, Request, contradicts, diff, strings_of};
use crate::{Adapter, Sighting, all_adapters, claude::Claude};

fn replace(old: &str, new: &str, all: bool) -> EditStep {
    EditStep::Replace { old: old.to_owned(), new: new.to_owned(), all }
}

#[test]
fn a_change_is_a_diff_against_the_file() {
    let file = "one\ntwo\nthree\nfour\nfive\nsix\nseven\ntwo\n";
    for (steps, file, expected) in [
        (vec![replace("two\n", "2\n", false)], Some(file), "@@ -1,5 +1,5 @@\n one\n-two\n+2\n three\n four\n five\n"),
        (vec![replace("two\n", "2\n", true)], Some("two\ntwo\n"), "@@ -1,2 +1,2 @@\n-two\n-two\n+2\n+2\n"),
        (vec![EditStep::Write("a\nb\n".to_owned())], None, "@@ -0,0 +1,2 @@\n+a\n+b\n"),
        (vec![EditStep::Write("a\nb\n".to_owned())], Some("a\n"), "@@ -1 +1,2 @@\n a\n+b\n"),
        (vec![replace("a\n", "b\n", false), replace("b\n", "c\n", false)], Some("a\n"), "@@ -1 +1 @@\n-a\n+c\n"),
        // The file is not as it should be: the pieces alone.
        (vec![replace("eight\n", "8\n", false)], Some(file), "@@ -1 +1 @@\n-eight\n+8\n"),
        (vec![replace("eight\n", "8\n", false)], None, "@@ -1 +1 @@\n-eight\n+8\n"),
    ] {
        let edit = Edit { path: "/p/f".into(), steps };
        let told = diff(&edit, file);
        assert_eq!((told.path.as_str(), told.unified.as_str()), ("/p/f", expected));
    }
}

/// Any JSON, with words of real payloads in it.
fn any_payload() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        "\\PC{0,12}".prop_map(Value::from),
        prop::sample::select(vec![
            "PermissionRequest",
            "PreToolUse",
            "BeforeTool",
            "SessionStart",
            "Notification",
            "ToolPermission",
            "Bash",
            "Edit",
            "MultiEdit",
            "Write",
            "AskUserQuestion",
            "ExitPlanMode",
            "run_shell_command",
            "replace",
            "/tmp/a",
        ])
        .prop_map(Value::from),
    ];
    let key = prop::sample::select(vec![
        "hook_event_name",
        "tool_name",
        "tool_input",
        "command",
        "description",
        "file_path",
        "old_string",
        "new_string",
        "content",
        "edits",
        "questions",
        "question",
        "header",
        "options",
        "label",
        "multiSelect",
        "plan",
        "session_id",
        "transcript_path",
        "notification_type",
        "details",
        "type",
        "permission_suggestions",
    ]);
    leaf.prop_recursive(4, 40, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(key.clone().prop_map(str::to_owned), inner, 0..6)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn any_payload_is_survived_and_what_it_asks_can_be_shown(tool in any_payload(), name in any_payload(), whole in any_payload()) {
        let asks = json!({ "hook_event_name": "PermissionRequest", "tool_name": name, "tool_input": tool });
        for payload in [&asks, &whole] {
            for adapter in all_adapters() {
                let reading = adapter.read_hook(payload);
                let _ = adapter.read_detail(payload);
                let Some(request) = reading.request else { continue };
                for edit in &request.edits {
                    let _ = diff(edit, Some("one\ntwo\n"));
                }
                let response = shared_types::PromptResponse::to(shared_types::PromptId(uuid::Uuid::nil()));
                let _ = adapter.decide(&request, &request.sighting, &response);
            }
        }
    }
}

fn asks(tool: &str, input: &Value) -> Request {
    let payload = json!({ "hook_event_name": "PermissionRequest", "tool_name": tool, "tool_input": input });
    Claude.read_hook(&payload).request.unwrap()
}

fn dialog(tool: Option<&str>, input: Value) -> Sighting {
    let mut dialog = Sighting::new(PromptKind::Permission, PromptSource::Screen, "select");
    dialog.tool_name = tool.map(str::to_owned);
    dialog.tool_input = Some(input).filter(|input| !input.is_null());
    dialog
}

#[test]
fn a_command_field_of_another_tool_hides_nothing() {
    let input =
        json!({ "command": "status", "host": "production", "args": "--destroy --force", "script": "rm -rf /srv" });
    assert_eq!(asks("mcp__ops__run", &input).sighting.tool_input, Some(input.clone()));
    let whole = asks("mcp__ops__run", &input).complete(&dialog(Some("mcp__ops__run"), json!({ "command": "status" })));
    assert_eq!(whole.tool_input, Some(input));
    let plain = json!({ "command": "ls", "description": "List", "timeout": 1000 });
    assert_eq!(asks("Bash", &plain).sighting.tool_input, Some(json!("ls")));
    for field in ["dangerouslyDisableSandbox", "run_in_background", "timeout", "command2"] {
        let mut more = plain.clone();
        more[field] = json!("yes");
        assert_eq!(asks("Bash", &more).sighting.tool_input, Some(more), "{field}");
    }
}

#[test]
fn a_permission_belongs_to_its_request_or_not_at_all() {
    let bash = asks("Bash", &json!({ "command": "cd /srv\nmake build\nmake install" }));
    let shown = |text: &str, incomplete: bool| {
        let dialog = Sighting { incomplete, ..dialog(Some("Bash"), json!(text)) };
        (bash.shown_by(&dialog), contradicts(&dialog, [&bash]))
    };
    assert_eq!(shown("cd /srv\nmake build\nmake install", false), (Match::Yes, false));
    assert_eq!(shown("make build\nmake install", true), (Match::Yes, false), "its top is cut off");
    assert_eq!(shown("cd /srv\nmake bu…", true), (Match::Yes, false), "its end is cut off");
    assert_eq!(shown("build", true), (Match::No, false), "too little to tell");
    assert_eq!(shown("make build\nmake install", false), (Match::No, true));
    assert_eq!(shown("npm test", false), (Match::No, true));
    assert_eq!(shown("cd…install", true), (Match::No, true), "a CLI cuts at the end only");
    assert_eq!(shown("./…", true), (Match::No, true));
    let edit = |new: &str| asks("Edit", &json!({ "file_path": "/p/a.py", "old_string": "one", "new_string": new }));
    let mut change = dialog(Some("Edit"), json!({ "file_path": "a.py" }));
    change.diff =
        vec![shared_types::FileDiff { path: "a.py".into(), unified: "@@ -1 +1 @@\n-one\n+harmless()".into() }];
    assert_eq!(edit("harmless()").shown_by(&change), Match::Yes);
    assert_eq!(edit("system(evil)").shown_by(&change), Match::No, "another change to the same file");
}

#[test]
fn a_dialog_with_unseen_characters_belongs_to_its_request() {
    let command = "npm test \u{202e}\u{2066};touch x ;: \u{2069}\u{2066}# \u{2069}\u{202c}";
    let told = asks("Bash", &json!({ "command": command }));
    let drawn: String = command.chars().map(|ch| if ch.is_ascii() { ch } else { '\u{fffd}' }).collect();
    assert_eq!(told.shown_by(&dialog(Some("Bash"), json!(drawn))), Match::Yes);
    let blanks = asks("Bash", &json!({ "command": format!("echo hi{}; rm x", "\u{3164}".repeat(80)) }));
    assert_eq!(blanks.shown_by(&dialog(Some("Bash"), json!("echo hi ; rm x"))), Match::Yes);
}

#[test]
fn a_dialog_that_no_held_permission_explains_contradicts_them() {
    let (one, two) = (asks("Bash", &json!({ "command": "touch a" })), asks("Bash", &json!({ "command": "touch b" })));
    let question = asks("AskUserQuestion", &json!({ "questions": [{ "question": "Which?", "options": [] }] }));
    let fake = dialog(Some("Bash"), json!("npm test"));
    assert!(contradicts(&fake, [&one, &question]));
    assert!(contradicts(&fake, [&one, &two]), "a hostile model asks for two things at once to hide a third");
    assert!(!contradicts(&fake, [&question]) && !contradicts(&fake, []));
    let asked = Sighting { kind: PromptKind::Question, ..fake };
    assert!(!contradicts(&asked, [&one]));
    assert!(!contradicts(&dialog(None, Value::Null), [&one]), "it shows nothing to compare");
    assert!(contradicts(&dialog(Some("Write"), Value::Null), [&one]));
}

proptest! {
    #[test]
    fn every_text_of_a_tools_input_is_in_the_prompt(input in any_payload(), tool in "(Bash|Edit|mcp__a__b|Task|Read)") {
        let payload = json!({ "hook_event_name": "PermissionRequest", "tool_name": tool, "tool_input": input });
        let Some(Request { sighting, .. }) = Claude.read_hook(&payload).request else { return Ok(()) };
        let shown = sighting.tool_input.clone().unwrap_or_default();
        for text in strings_of(&input) {
            prop_assert!(strings_of(&shown).contains(&text) || sighting.description == text, "{text:?} in {shown}");
        }
    }
}
