//! What captured hook payloads tell, and which dialogs they complete.

use serde_json::{Value, json};
use shared_types::FileDiff;

use super::{labels, sighting};
use crate::{Adapter, HookReading, Sighting, gemini::Gemini, hook::Detail};

/// A captured payload.
macro_rules! payload {
    ($name:literal) => {
        serde_json::from_str::<Value>(include_str!(concat!("../hooks/", $name, "-0.61.0.json"))).unwrap()
    };
}

fn detail(payload: &Value) -> Detail {
    Gemini.read_detail(payload).unwrap()
}

fn complete(payload: &Value, dialog: &Sighting) -> Option<Sighting> {
    Gemini.complete(&detail(payload), dialog)
}

#[test]
fn the_start_tells_the_conversation_and_a_resumed_one_does_not() {
    let mut start = payload!("session-start");
    let told = Gemini.read_hook(&start).conversation.unwrap();
    assert_eq!(told.id, "a855659e-54f4-4a25-83f4-0c065d340a63");
    assert!(told.transcript.ends_with("chats/session-2026-11-16T01-29-a855659e.jsonl"));
    start["source"] = "resume".into();
    assert_eq!(Gemini.read_hook(&start), HookReading::default());
}

#[test]
fn no_hook_of_it_asks_and_what_is_not_known_tells_nothing() {
    for payload in [payload!("notification-exec"), payload!("before-ask-user"), payload!("notification-ask-user")] {
        assert_eq!(Gemini.read_hook(&payload).request, None);
    }
    for payload in [payload!("notification-ask-user"), payload!("notification-info"), json!({}), json!([1])] {
        assert_eq!(Gemini.read_detail(&payload), None, "{payload}");
    }
}

#[test]
fn a_command_is_completed_only_by_itself() {
    let payload = |command: &str| {
        let mut payload = payload!("notification-exec");
        payload["details"]["command"] = command.into();
        payload
    };
    let mut dialog = sighting("perm-shell-0.61.0-80x24");
    let whole = complete(&payload!("notification-exec"), &dialog).unwrap();
    assert_eq!(whole.tool_input, Some("touch made_by_shell.txt && ls -la".into()));
    assert_eq!((whole.options.len(), whole.fingerprint()), (dialog.options.len(), dialog.fingerprint()));
    assert_eq!(complete(&payload("touch made_by_shell.txt && ls -la /"), &dialog), None);
    // Lines are hidden; what is shown must be how it begins and ends.
    dialog.tool_input = Some("touch a\ntouch z".into());
    dialog.incomplete = true;
    let told = "touch a\ntouch b\ntouch c\ntouch z";
    let whole = complete(&payload(told), &dialog).unwrap();
    assert_eq!((whole.tool_input, whole.incomplete), (Some(told.into()), false));
    for other in ["touch b\ntouch z", "touch a\ntouch b", "touch a", "rm x\ntouch a\ntouch b\ntouch z"] {
        assert_eq!(complete(&payload(other), &dialog), None, "{other}");
    }
    // Many lines in a row say enough where the last one is left out, a few do not.
    let lines = |from: u32, to: u32| (from..to).map(|line| format!("touch {line}")).collect::<Vec<_>>().join("\n");
    dialog.tool_input = Some(lines(3, 8).into());
    assert_eq!(complete(&payload(&lines(0, 9)), &dialog).unwrap().tool_input, Some(lines(0, 9).into()));
    dialog.tool_input = Some(lines(3, 7).into());
    assert_eq!(complete(&payload(&lines(0, 9)), &dialog), None);
    assert_eq!(complete(&payload(told), &sighting("perm-edit-0.61.0-46x30")), None);
}

#[test]
fn a_change_is_completed_when_all_that_is_shown_is_part_of_it() {
    let dialog = sighting("perm-edit-0.61.0-46x30");
    let whole = complete(&payload!("notification-edit"), &dialog).unwrap();
    assert!(whole.diff[0].unified.starts_with("@@ -1,5 +1,6 @@\n line one\n line two\n-line three\n"));
    assert_eq!(whole.diff[0].path, "a.txt");
    let mut other = dialog.clone();
    other.diff = vec![FileDiff { path: "a.txt".into(), unified: "@@ -1 +1 @@\n-line three\n+something else".into() }];
    assert_eq!(complete(&payload!("notification-edit"), &other), None, "the next change to the same file");
    other.diff = vec![FileDiff { path: "b/a.txt".into(), ..dialog.diff[0].clone() }];
    assert_eq!(complete(&payload!("notification-edit"), &other), None, "another file");
}

#[test]
fn what_a_servers_tool_is_given_is_told_where_the_dialog_cuts_it() {
    let input = json!({ "title": "Groceries", "body": "milk and eggs", "tags": ["home", "food"] });
    for size in ["120x40", "80x24", "46x30"] {
        let dialog = sighting(&format!("perm-mcp-0.61.0-{size}"));
        let whole = complete(&payload!("before-mcp"), &dialog);
        assert_eq!(whole.and_then(|whole| whole.tool_input), Some(input.clone()), "{size}: {dialog:?}");
        let mut other = payload!("before-mcp");
        other["tool_input"]["title"] = "Something else".into();
        assert_eq!(complete(&other, &dialog), None, "{size}");
        let mut other = payload!("before-mcp");
        other["mcp_context"]["tool_name"] = "drop_note".into();
        assert_eq!(complete(&other, &dialog), None, "{size}");
    }
}

#[test]
fn all_options_are_told_where_some_are_out_of_view() {
    let dialog = sighting("question-choice-0.61.0-80x24");
    let whole = complete(&payload!("before-ask-user"), &dialog).unwrap();
    assert_eq!(labels(&whole), ["PostgreSQL", "SQLite", "None", "Enter a custom value"]);
    assert_eq!(whole.options[2].description.as_deref(), Some("Keep everything in memory"));
    assert!(whole.options[3].text.is_some() && !whole.more_options);
    assert_eq!(whole.fingerprint(), dialog.fingerprint());
    let mut other = payload!("before-ask-user");
    other["tool_input"]["questions"][0]["question"] = "Which language?".into();
    assert_eq!(complete(&other, &dialog), None);
}

#[test]
fn all_questions_are_told_whichever_tab_is_in_front() {
    let payload = json!({ "hook_event_name": "BeforeTool", "tool_name": "ask_user", "tool_input": { "questions": [
        { "question": "Which database should the service use?", "header": "Database", "type": "choice",
          "options": [{ "label": "PostgreSQL", "description": "Relational" }, { "label": "SQLite", "description": "" }] },
        { "question": "Which features do you want enabled?", "header": "Features", "type": "choice", "multiSelect": true,
          "options": [{ "label": "Logging", "description": "Logs" }, { "label": "Metrics", "description": "" }] },
        { "question": "What should the service be called?", "header": "Name", "type": "text", "placeholder": "name" },
        { "question": "Write tests as well?", "header": "Tests", "type": "yesno" },
    ] } });
    for name in ["question-tabs-1", "question-tabs-2-multi", "question-tabs-3-text", "question-tabs-5-review"] {
        let whole = complete(&payload, &sighting(&format!("{name}-0.61.0-46x30"))).unwrap();
        let told: Vec<_> = whole.questions.iter().map(|it| (it.options.len(), it.multi_select)).collect();
        assert_eq!(told, [(3, None), (3, Some(true)), (0, None), (3, None)], "{name}");
        assert_eq!(whole.questions[2].text_input.as_ref().unwrap().placeholder.as_deref(), Some("name"));
    }
    assert_eq!(complete(&payload, &sighting("question-choice-0.61.0-80x24")), None, "one question only");
}

#[test]
fn a_command_without_a_result_in_the_chat_completes_its_dialog() {
    let command = "for i in 1 2 3; do\n  echo \"line $i\"\ndone\nmkdir -p out\ncp a.txt out/";
    let message = |status: &str| {
        let call = json!({ "id": "c1", "name": "run_shell_command", "args": { "command": command }, "status": status });
        json!({ "id": "m1", "type": "gemini", "content": "", "toolCalls": [call] }).to_string()
    };
    let (waits, done) = (message("awaiting_approval"), message("success"));
    let [call] = Gemini.pending_calls(&[waits.as_str()]).try_into().unwrap();
    let dialog = sighting("perm-shell-multiline-0.22.4-46x30");
    assert!(dialog.incomplete);
    let whole = Gemini.complete(&call, &dialog).unwrap();
    assert_eq!((whole.tool_input, whole.incomplete), (Some(command.into()), false));
    assert_eq!(Gemini.pending_calls(&[waits.as_str(), done.as_str()]), []);
}
