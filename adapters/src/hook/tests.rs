//! Diffs of changes against files, and payloads of any kind.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::{Edit, EditStep, diff};
use crate::all_adapters;

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
