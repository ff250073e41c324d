//! What the samples of real conversations say.

use std::path::Path;

use serde_json::json;
use shared_types::{Message, MessageBody, TodoState, ToolUse, Usage};

use super::{file, head, read, running, shelf, title};
use crate::{
    TranscriptEntry,
    transcript::{
        outline::{self, outline},
        place::FolderMark,
    },
};

/// As 2.1.325 writes it.
const RUNNING: &str = r#"{"pid":1053,"sessionId":"f6a64bb5-fcaf-4882-bf5c-66f6d7c400fa","cwd":"/shop","startedAt":1794986308501,"procStart":"149831","version":"2.1.325","kind":"interactive","status":"idle"}"#;
const NEW: &str = include_str!("../transcripts/2.1.325.jsonl");
const AGENT: &str = include_str!("../transcripts/2.1.325-subagent.jsonl");
const OLD: &str = include_str!("../transcripts/2.0.76.jsonl");

fn conversation(text: &str) -> (Vec<Message>, Usage) {
    outline::conversation(text.lines(), read)
}

fn entry(line: &serde_json::Value) -> Vec<String> {
    outline(&conversation(&line.to_string()).0)
}

fn picture() -> serde_json::Value {
    json!({ "type": "image", "source": { "type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo=" } })
}

fn tool<'a>(messages: &'a [Message], tool: &str) -> &'a MessageBody {
    let found = messages.iter().find(|message| matches!(&message.body, MessageBody::Tool { name, .. } if name == tool));
    &found.expect("the tool").body
}

#[test]
fn a_conversation_is_what_was_said_and_done_and_nothing_else() {
    let (messages, usage) = conversation(NEW);
    let wanted = [
        "> please #bash",
        "I will remove the build directory.",
        "Bash: Remove build output directory -> ok [0]",
        "The build directory is gone.",
        "> please #edit",
        "Reading then editing.",
        "Read: /home/project/claude/p/hk1/src/app.py -> ok 1\timport sys",
        "Edit: /home/project/claude/p/hk1/src/app.py -> ok The file /home/project/claude/p/hk1/src/",
        "Edited app.py.",
        "> please #write",
        "Write: /home/project/claude/p/hk1/hello.py -> failed The user doesn't want to proceed with th",
        "* Interrupted",
        "> please #ask1",
        "I need to know one thing.",
        "AskUserQuestion: Which database should we use? -> ok Your questions have been answered: \"Whic",
        "Thanks for the answer.",
        "> please #agent-bash",
        "Agent: Make file -> ok Sub agent finished.",
        "The agent is done.",
        "All done (agent-bash).",
        "* Conversation compacted: 1050 → 3043 tokens",
        "> /compact",
    ];
    assert_eq!(outline(&messages), wanted);
    assert!(messages.iter().all(|message| message.at > 1_794_792_000_000 && message.agent.is_none()));
    let used = Usage {
        model: Some("claude-opus-5-5".to_owned()),
        context_tokens: Some(1050),
        input_tokens: Some(14_000),
        output_tokens: Some(700),
        cost_micros: Some(70_000),
        context_window: None,
    };
    assert_eq!(usage, used);
}

#[test]
fn the_tools_say_what_they_are_for() {
    let (messages, _) = conversation(NEW);
    let MessageBody::Tool { purpose, result: Some(result), input, .. } = tool(&messages, "Edit") else {
        panic!("joined")
    };
    let Some(ToolUse::Edit { diff }) = purpose else { panic!("an edit: {purpose:?}") };
    assert!(diff[0].unified.starts_with("@@ -1,1 +1,3 @@\n-    return a + b\n+    # add"), "{}", diff[0].unified);
    let made = &result.diff.as_ref().expect("the change")[0];
    assert!(
        made.unified.starts_with("@@ -2,7 +2,9 @@\n \n \n def add(a, b):\n-    return a + b\n+"),
        "{}",
        made.unified
    );
    assert!(input.is_null());

    let MessageBody::Tool { purpose, result: Some(result), .. } = tool(&messages, "AskUserQuestion") else {
        panic!("joined")
    };
    let Some(ToolUse::Questions { questions }) = purpose else { panic!("questions") };
    assert_eq!(questions[0].options, ["PostgreSQL", "SQLite", "Redis"]);
    let answers = result.answers.as_ref().expect("answers");
    assert_eq!(
        (answers[0].question.as_str(), answers[0].answer.as_str()),
        ("Which database should we use?", "PostgreSQL")
    );

    let MessageBody::Tool { purpose, .. } = tool(&messages, "Agent") else { panic!("joined") };
    let task = "Please make file #sub-bash".to_owned();
    assert_eq!(*purpose, Some(ToolUse::Agent { agent: Some("general-purpose".to_owned()), task }));
    let MessageBody::Tool { purpose, .. } = tool(&messages, "Bash") else { panic!("joined") };
    assert_eq!(*purpose, Some(ToolUse::Command { command: "rm -rf build/output".to_owned() }));
}

#[test]
fn an_old_version_is_read_as_well() {
    let (messages, usage) = conversation(OLD);
    let said = outline(&messages);
    assert_eq!(said.iter().filter(|line| line.starts_with("> ")).count(), 5, "{said:#?}");
    assert!(said.contains(&"Bash: Fetch x -> failed Denied from phone".to_owned()), "{said:#?}");
    let MessageBody::Tool { purpose: Some(ToolUse::Plan { plan }), .. } = tool(&messages, "ExitPlanMode") else {
        panic!("a plan")
    };
    assert!(plan.starts_with("# Plan: add a login page"));
    let MessageBody::Tool { result: Some(result), .. } = tool(&messages, "Write") else { panic!("joined") };
    assert!(result.diff.as_ref().expect("a new file")[0].unified.starts_with("@@ -0,0 +1,8 @@\n+# Plan"), "{result:?}");
    assert!(usage.context_tokens.is_some() && usage.cost_micros.is_none());
}

#[test]
fn an_agent_that_was_set_to_work_speaks_under_its_own_name() {
    let (messages, usage) = conversation(AGENT);
    assert_eq!(outline(&messages), ["Bash: Touch from sub agent -> ok [0]", "Sub agent finished."]);
    assert!(messages.iter().all(|message| message.agent.as_deref() == Some("a2e27758c726f9c11")));
    assert_eq!(usage, Usage::default());
}

#[test]
fn the_use_of_an_agent_says_under_which_name_it_speaks() {
    let (messages, _) = conversation(NEW);
    let MessageBody::Tool { result: Some(result), .. } = tool(&messages, "Agent") else { panic!("joined") };
    assert_eq!(result.agent.as_deref(), Some("a2e27758c726f9c11"));
}

#[test]
fn pictures_come_beside_what_names_them() {
    let used = json!({ "type": "assistant", "uuid": "u1", "message": { "content": [
        { "type": "tool_use", "id": "t1", "name": "Read", "input": { "file_path": "a.png" } }
    ] } });
    let came = json!({ "type": "user", "uuid": "u2", "message": { "content": [
        { "type": "tool_result", "tool_use_id": "t1", "content": [picture()] }
    ] } });
    let entries = read(&came.to_string());
    let [TranscriptEntry::Image { info, base64 }, TranscriptEntry::Result { result, .. }] = entries.as_slice() else {
        panic!("a picture and a result: {entries:?}")
    };
    assert_eq!((info.media_type.as_str(), base64.as_str()), ("image/png", "iVBORw0KGgo="));
    assert_eq!((result.images.as_deref(), result.output.as_str()), (Some([info.clone()].as_slice()), ""));
    let (messages, _) = conversation(&format!("{used}\n{came}"));
    let MessageBody::Tool { result: Some(joined), .. } = tool(&messages, "Read") else { panic!("joined") };
    assert_eq!(joined.images, result.images);
}

#[test]
fn what_nobody_typed_is_no_message_of_the_person() {
    let user = |content: serde_json::Value| json!({ "type": "user", "uuid": "u", "message": { "content": content } });
    let table = [
        (user(json!("fix it<system-reminder>be nice</system-reminder>")), vec!["> fix it"]),
        (user(json!("<system-reminder>be nice")), vec![]),
        (user(json!([{ "type": "text", "text": "look" }, { "type": "image", "source": {} }])), vec!["> look\n[image]"]),
        (user(json!([{ "type": "text", "text": "look" }, picture()])), vec!["> look"]),
        (user(json!([picture()])), vec!["> "]),
        (user(json!("<command-name>/model</command-name><command-args>opus</command-args>")), vec!["> /model opus"]),
        (
            user(json!("<local-command-stdout>Set model to \u{1b}[1mopus\u{1b}[22m</local-command-stdout>")),
            vec!["* Set model to opus"],
        ),
        (user(json!("<bash-input>ls</bash-input>")), vec!["> !ls"]),
        (user(json!("<bash-stdout>a.rs</bash-stdout><bash-stderr></bash-stderr>")), vec!["* a.rs"]),
        (json!({ "type": "user", "isMeta": true, "uuid": "u", "message": { "content": "Caveat" } }), vec![]),
        (
            json!({ "type": "attachment", "uuid": "u", "attachment": { "type": "queued_command", "prompt": "and this" } }),
            vec!["> and this"],
        ),
        (
            json!({ "type": "attachment", "uuid": "u", "attachment": { "type": "queued_command", "prompt": "x", "commandMode": "task-notification" } }),
            vec![],
        ),
        (
            json!({ "type": "assistant", "uuid": "u", "message": { "model": "<synthetic>", "content": [{ "type": "text", "text": "No response requested." }] } }),
            vec![],
        ),
        (
            json!({ "type": "assistant", "uuid": "u", "isApiErrorMessage": true, "message": { "model": "<synthetic>", "content": [{ "type": "text", "text": "API Error: 529" }] } }),
            vec!["* API Error: 529"],
        ),
        (
            json!({ "type": "assistant", "uuid": "u", "message": { "content": [{ "type": "thinking", "thinking": "hm" }, { "type": "thinking", "thinking": "" }] } }),
            vec!["(hm)"],
        ),
        (json!({ "type": "something-new", "uuid": "u" }), vec![]),
    ];
    for (line, wanted) in table {
        assert_eq!(entry(&line), wanted, "{line}");
    }
}

#[test]
fn a_failed_command_says_its_exit_code() {
    let call = json!({ "type": "assistant", "uuid": "u", "message": { "content": [
        { "type": "tool_use", "id": "t", "name": "Bash", "input": { "command": "false" } }] } });
    let result = json!({ "type": "user", "toolUseResult": "Error: Exit code 3", "message": { "content": [
        { "type": "tool_result", "tool_use_id": "t", "is_error": true, "content": "Exit code 3\nno such thing" }] } });
    let text = format!("{call}\n{result}");
    assert_eq!(outline(&conversation(&text).0), ["Bash: false -> failed [3] no such thing"]);
}

#[test]
fn a_list_of_things_to_do_is_one() {
    let todos = json!([{ "content": "a", "status": "completed" }, { "content": "b", "status": "in_progress" }, { "content": "c" }]);
    let call = json!({ "type": "assistant", "uuid": "u", "message": { "content": [
        { "type": "tool_use", "id": "t", "name": "TodoWrite", "input": { "todos": todos } }] } });
    let (messages, _) = conversation(&call.to_string());
    let MessageBody::Tool { purpose: Some(ToolUse::Todos { items }), summary, .. } = &messages[0].body else {
        panic!("todos")
    };
    let states: Vec<TodoState> = items.iter().map(|item| item.state).collect();
    assert_eq!(
        (states.as_slice(), summary.as_str()),
        (&[TodoState::Done, TodoState::Doing, TodoState::Open][..], "1 of 3 done")
    );
}

#[test]
fn the_file_of_a_conversation_is_known() {
    let home = Path::new("/home/me/.claude");
    let wanted = Path::new("/home/me/.claude/projects/-srv-my-shop--v2/7.jsonl");
    assert_eq!(file(home, Path::new("/srv/my shop/.v2"), "7").as_deref(), Some(wanted));
    assert_eq!(file(home, Path::new(&"/long".repeat(60)), "7"), None);
    assert_eq!(shelf(Some(Path::new("/srv"))).pattern, ["projects", "-srv", "*.jsonl"]);
    let found = head("22222222-2222-4222-8222-222222222222.jsonl", NEW).expect("a head");
    assert_eq!(found.id, "22222222-2222-4222-8222-222222222222");
    assert_eq!(found.folder, Some(FolderMark::Path("/home/project/claude/p/hk1".into())));
    assert_eq!(found.started_at, Some(1_794_792_532_718));
    assert_eq!(head("agent-1.jsonl", AGENT), None);
    assert_eq!(title(r#"{"type":"custom-title","customTitle":"Shop"}"#).as_deref(), Some("Shop"));
}

#[test]
fn a_process_tells_its_conversation() {
    let told = running(RUNNING).expect("a conversation");
    assert_eq!(told.conversation, "f6a64bb5-fcaf-4882-bf5c-66f6d7c400fa");
    assert_eq!(told.process_start.as_deref(), Some("149831"));
    for odd in ["", "[]", r#"{"pid":1}"#, r#"{"sessionId":""}"#, &RUNNING[..40]] {
        assert_eq!(running(odd), None, "{odd}");
    }
}
