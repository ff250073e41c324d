//! What captured hook payloads say, which dialog belongs to them, and what they are told.

use serde_json::{Value, json};
use shared_types::{OptionRole, PromptKind, PromptResponse, PromptSource, QuestionAnswer};

use super::sighting;
use crate::{
    Adapter, Sighting,
    answer::responses::{both, choose, nothing, say, with_text},
    claude::Claude,
    corpus::labels,
    hook::{Edit, EditStep, HookReading, Match, Request},
};

macro_rules! payload {
    ($name:literal) => {
        serde_json::from_str::<Value>(include_str!(concat!("../hooks/", $name, ".json"))).unwrap()
    };
}

/// The request in a captured payload.
macro_rules! request {
    ($name:literal) => {
        Claude.read_hook(&payload!($name)).request.unwrap()
    };
}

fn ask(tool: &str, input: &Value) -> Request {
    let payload = json!({ "hook_event_name": "PermissionRequest", "tool_name": tool, "tool_input": input });
    Claude.read_hook(&payload).request.unwrap()
}

fn decide(request: &Request, shown: &Sighting, response: &PromptResponse) -> Option<Value> {
    let printed: Value = serde_json::from_str(&Claude.decide(request, shown, response)?).unwrap();
    assert_eq!(printed["hookSpecificOutput"]["hookEventName"], "PermissionRequest");
    Some(printed["hookSpecificOutput"]["decision"].clone())
}

#[test]
fn a_start_tells_where_the_conversation_is() {
    for (payload, id) in [
        (payload!("sessionstart-2.1.325"), "22222222-2222-4222-8222-222222222222"),
        (payload!("sessionstart-clear-2.1.325"), "c4cda51a-4bea-4642-88e6-25931b88b538"),
    ] {
        let HookReading { conversation, request } = Claude.read_hook(&payload);
        let conversation = conversation.unwrap();
        assert_eq!(conversation.id, id);
        assert!(conversation.transcript.ends_with(format!("{id}.jsonl")));
        assert_eq!(request, None);
    }
}

#[test]
fn a_permission_is_told_whole() {
    let Request { sighting, .. } = request!("permissionrequest-bash-2.1.325");
    assert_eq!((sighting.kind, sighting.source), (PromptKind::Permission, PromptSource::Hook));
    assert_eq!(sighting.tool_name.as_deref(), Some("Bash"));
    assert_eq!(sighting.tool_input, Some(json!("rm -rf build/output")));
    assert_eq!(sighting.description, "Remove build output directory");
    assert_eq!(
        labels(&sighting),
        [
            "Yes",
            "Yes, and allow access to /home/project/claude/p/hk1/build/output",
            "Yes, and switch to acceptEdits mode",
            "No"
        ]
    );
    let subagent = request!("permissionrequest-bash-subagent-2.1.325").sighting;
    assert_eq!(subagent.agent.as_deref(), Some("general-purpose"));
}

#[test]
fn edits_are_told_as_changes_to_files() {
    let edit = request!("permissionrequest-edit-2.1.325");
    let [Edit { path, steps }] = edit.edits.as_slice() else { panic!("{:?}", edit.edits) };
    assert!(path.ends_with("src/app.py"));
    assert!(matches!(&steps[..], [EditStep::Replace { old, all: false, .. }] if old == "    return a + b\n"));
    let write = request!("permissionrequest-write-2.1.325");
    assert!(matches!(&write.edits[0].steps[..], [EditStep::Write(content)] if content.starts_with("def main():")));
    let several = ask(
        "MultiEdit",
        &json!({ "file_path": "/a", "edits": [{ "old_string": "a", "new_string": "b" }, { "old_string": "c", "new_string": "d", "replace_all": true }] }),
    );
    assert_eq!(several.edits[0].steps.len(), 2);
}

/// Every captured dialog with a tool belongs to the request that would have led to it, and to no other.
#[test]
fn a_dialog_belongs_to_its_own_request() {
    let bash = |command: &str| ask("Bash", &json!({ "command": command }));
    let long = "find . -name \"*.log\" -type f -print0 | xargs -0 grep -l \"ERROR: connection refused\"";
    let edit = |path: &str| ask("Edit", &json!({ "file_path": path, "old_string": "a", "new_string": "b" }));
    let mail = |to: &str| ask("mcp__demo__send_mail", &json!({ "to": to, "subject": "Hi", "body": "Lunch?" }));
    for (dialog, own, other) in [
        ("perm-bash-2.1.325-120x40", bash("rm -rf build/output"), bash("rm -rf build")),
        ("perm-bash-npm-2.0.76-46x30", bash("npm run test"), bash("npm run build")),
        ("perm-edit-2.1.325-120x40", edit("/home/p/demo/src/app.py"), edit("/home/p/demo/src/app.js")),
        ("perm-mcp-2.1.325-46x30", mail("bob@example.com"), mail("eve@example.com")),
        (
            "perm-webfetch-2.0.76-46x30",
            ask("WebFetch", &json!({ "url": "https://example.com/docs/page", "prompt": "Summarise" })),
            ask("WebFetch", &json!({ "url": "https://example.org/", "prompt": "Summarise" })),
        ),
    ] {
        let dialog = sighting(dialog);
        assert_eq!(own.shown_by(&dialog), Match::Yes, "{dialog:?}");
        assert_eq!(other.shown_by(&dialog), Match::No, "{dialog:?}");
        assert_eq!(bash("rm -rf build/output/x").shown_by(&dialog), Match::No, "{dialog:?}");
        assert_eq!(request!("permissionrequest-askuserquestion-2.1.325").shown_by(&dialog), Match::No);
    }
    // What shows neither a tool nor its input may be any dialog.
    assert_eq!(bash(long).shown_by(&sighting("perm-bash-tiny-30x12-2.1.325")), Match::No);
    assert_eq!(bash(long).shown_by(&sighting("perm-automode-unavailable-2.1.325-120x40")), Match::No);
    let question = request!("permissionrequest-askuserquestion-2.1.325");
    assert_eq!(question.shown_by(&sighting("ask-single-2.1.325-46x30")), Match::Yes);
    assert_eq!(question.shown_by(&sighting("ask-tabs-review-2.1.325-46x30")), Match::Perhaps);
    assert_eq!(request!("permissionrequest-exitplanmode-2.0.76").shown_by(&sighting("plan-2.1.325-46x30")), Match::Yes);
}

#[test]
fn a_dialog_is_completed_by_its_request() {
    let dialog = sighting("perm-bash-2.1.325-46x30");
    let whole = request!("permissionrequest-bash-2.1.325").complete(&dialog);
    assert_eq!(labels(&whole), labels(&dialog), "the options are the dialog's own");
    assert_eq!(whole.fingerprint(), dialog.fingerprint());
    assert_eq!(whole.source, PromptSource::Hook);
    let plan = request!("permissionrequest-exitplanmode-2.0.76").complete(&sighting("plan-long-2.0.76-46x30"));
    assert!(plan.plan.unwrap().starts_with("# Plan: add a login page\n"));
}

#[test]
fn permissions_are_decided_where_a_hook_can() {
    let request = request!("permissionrequest-bash-2.1.325");
    let dialog = request.complete(&sighting("perm-bash-2.1.325-120x40"));
    for shown in [&request.sighting, &dialog] {
        assert_eq!(decide(&request, shown, &choose("Yes")), Some(json!({ "behavior": "allow" })));
        let no = decide(&request, shown, &choose("No")).unwrap();
        assert_eq!((&no["behavior"], &no["interrupt"]), (&json!("deny"), &json!(true)));
        let told = decide(&request, shown, &both("No", "use make clean")).unwrap();
        assert_eq!(told, json!({ "behavior": "deny", "message": "use make clean" }));
        assert_eq!(decide(&request, shown, &choose("Maybe")), None);
        assert_eq!(decide(&request, shown, &nothing()), None);
        assert_eq!(decide(&request, shown, &both("Yes", "and then lint")), None, "text with a yes is typed");
    }
    // Claude's own words for a lasting approval are chosen in the dialog; ours are a suggestion of its own.
    let lasting = dialog.options.iter().find(|option| option.role == Some(OptionRole::AllowAlways)).unwrap();
    assert_eq!(decide(&request, &dialog, &choose(&lasting.label)), None);
    let always = decide(&request, &request.sighting, &choose("Yes, and switch to acceptEdits mode")).unwrap();
    let mode = json!([{ "type": "setMode", "mode": "acceptEdits", "destination": "session" }]);
    assert_eq!(always["updatedPermissions"], mode);
}

#[test]
fn a_typed_row_of_old_dialogs_is_a_no_with_a_message() {
    let request = ask("Bash", &json!({ "command": "npm run test" }));
    let dialog = request.complete(&sighting("perm-bash-npm-2.0.76-120x40"));
    let row = dialog.options.iter().find(|option| option.text.is_some()).unwrap();
    let told = decide(&request, &dialog, &both(&row.label, "not now"));
    assert_eq!(told, Some(json!({ "behavior": "deny", "message": "not now" })));
}

#[test]
fn questions_are_answered_by_their_text() {
    let request = request!("permissionrequest-askuserquestion-2.1.325");
    let dialog = request.complete(&sighting("ask-single-2.1.325-120x40"));
    let question = "Which database should we use?";
    for shown in [&request.sighting, &dialog] {
        let told = decide(&request, shown, &choose("SQLite")).unwrap();
        assert_eq!(told["behavior"], "allow");
        assert_eq!(told["updatedInput"]["answers"], json!({ question: "SQLite" }));
        assert_eq!(told["updatedInput"]["questions"], request.payload["tool_input"]["questions"]);
        let own = decide(&request, shown, &both("Type something.", "DuckDB")).unwrap();
        assert_eq!(own["updatedInput"]["answers"], json!({ question: "DuckDB" }));
        let own = decide(&request, shown, &say("DuckDB")).unwrap();
        assert_eq!(own["updatedInput"]["answers"], json!({ question: "DuckDB" }));
        assert_eq!(decide(&request, shown, &nothing()), None);
    }
    assert_eq!(decide(&request, &dialog, &choose("Chat about this")), None, "no answer: chosen in the dialog");
}

#[test]
fn several_choices_are_joined() {
    let options = json!([{ "label": "Auth" }, { "label": "Queue" }, { "label": "Cache" }]);
    let request = ask(
        "AskUserQuestion",
        &json!({ "questions": [{ "question": "Which?", "header": "F", "options": options, "multiSelect": true }] }),
    );
    let several = PromptResponse { selected_options: Some(vec!["Auth".to_owned(), "Cache".to_owned()]), ..nothing() };
    let told = decide(&request, &request.sighting, &several).unwrap();
    assert_eq!(told["updatedInput"]["answers"], json!({ "Which?": "Auth, Cache" }));
    let told = decide(&request, &request.sighting, &with_text("Mail", several)).unwrap();
    assert_eq!(told["updatedInput"]["answers"], json!({ "Which?": "Auth, Cache, Mail" }));
}

#[test]
fn several_questions_are_answered_together() {
    let question = |text: &str, several: bool| json!({ "question": text, "header": text, "options": [{ "label": "a" }, { "label": "b" }], "multiSelect": several });
    let asked = json!({ "questions": [question("One?", false), question("Two?", true), question("Three?", false)] });
    let request = ask("AskUserQuestion", &asked);
    assert_eq!(request.sighting.questions.len(), 3);
    let answer = |values: &[&str], text: Option<&str>| QuestionAnswer {
        selected_options: values.iter().map(|value| (*value).to_owned()).collect(),
        text_value: text.map(str::to_owned),
    };
    let respond = |answers: Vec<QuestionAnswer>| {
        let response = PromptResponse { answers: Some(answers), ..nothing() };
        decide(&request, &request.sighting, &response)
    };
    let told = respond(vec![answer(&["b"], None), answer(&["a", "b"], None), answer(&[], Some("c"))]).unwrap();
    assert_eq!(told["updatedInput"]["answers"], json!({ "One?": "b", "Two?": "a, b", "Three?": "c" }));
    assert_eq!(respond(vec![answer(&["b"], None), answer(&["a"], None)]), None, "one is missing");
    assert_eq!(respond(vec![answer(&["b"], None), answer(&[], None), answer(&["a"], None)]), None, "one is empty");
    assert_eq!(respond(vec![answer(&["x"], None), answer(&["a"], None), answer(&["a"], None)]), None, "unknown");
}

#[test]
fn plans_are_changed_by_hook_and_approved_in_their_dialog() {
    let request = request!("permissionrequest-exitplanmode-2.0.76");
    let dialog = request.complete(&sighting("plan-2.1.325-120x40"));
    let told = decide(&request, &dialog, &both("Tell Claude what to change", "smaller steps"));
    assert_eq!(told, Some(json!({ "behavior": "deny", "message": "smaller steps" })));
    assert_eq!(decide(&request, &dialog, &choose("Yes, manually approve edits")), None);
    let told = decide(&request, &request.sighting, &choose("Yes")).unwrap();
    assert_eq!((&told["behavior"], &told["updatedInput"]), (&json!("allow"), &json!({})));
}

#[test]
fn nonsense_says_nothing() {
    for payload in [
        json!(null),
        json!([1]),
        json!({ "hook_event_name": 3 }),
        json!({ "hook_event_name": "PermissionRequest" }),
        json!({ "hook_event_name": "PermissionRequest", "tool_name": "AskUserQuestion", "tool_input": { "questions": [] } }),
        json!({ "hook_event_name": "PermissionRequest", "tool_name": "AskUserQuestion", "tool_input": [] }),
        json!({ "hook_event_name": "Unheard", "session_id": "x", "transcript_path": "relative" }),
    ] {
        assert_eq!(Claude.read_hook(&payload), HookReading::default(), "{payload}");
    }
}
