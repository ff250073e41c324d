//! What a sample of a real conversation says, and lines of older versions.

use serde_json::{Value, json};
use shared_types::{Message, MessageBody, TodoState, ToolUse, Usage};

use super::{head, read};
use crate::transcript::{
    outline::{self, outline},
    place::FolderMark,
};

const SAMPLE: &str = include_str!("../transcripts/0.166.0.jsonl");
const NAME: &str = "rollout-2026-11-16T01-46-11-01a1e208-854d-74d3-b6fe-91092df06940.jsonl";

fn conversation(text: &str) -> (Vec<Message>, Usage) {
    outline::conversation(text.lines(), read)
}

fn line(kind: &str, payload: &Value) -> String {
    json!({ "timestamp": "2026-11-16T01:46:23.689Z", "type": kind, "payload": payload }).to_string()
}

/// A call and what came of it.
fn called(name: &str, arguments: &Value, output: &Value) -> Message {
    let call = json!({ "type": "function_call", "name": name, "arguments": arguments.to_string(), "call_id": "c" });
    let came = json!({ "type": "function_call_output", "call_id": "c", "output": output });
    let text = [line("response_item", &call), line("response_item", &came)].join("\n");
    conversation(&text).0.remove(0)
}

#[test]
fn a_conversation_is_what_was_said_and_done_and_nothing_else() {
    let (messages, usage) = conversation(SAMPLE);
    let wanted = [
        "> y[[exec]] allow by hook",
        "I will run a command.",
        "exec_command: touch /tmp/codexh_probe && ls -> ok [0] README.md",
        "exec_command: touch /tmp/codexh_probe && ls -> failed exec_command failed: CreateProcess { mes",
        "apply_patch: /tmp/codexh_outside/notes.txt -> ok [0] Success. Updated the following files:",
    ];
    assert_eq!(outline(&messages), wanted);
    let MessageBody::Tool { purpose: Some(ToolUse::Command { command }), .. } = &messages[2].body else {
        panic!("a command")
    };
    assert_eq!(command, "touch /tmp/codexh_probe && ls");
    let MessageBody::Tool { purpose: Some(ToolUse::Edit { diff }), .. } = &messages[4].body else { panic!("an edit") };
    assert_eq!(diff[0].unified, "@@ -0,0 +1,2 @@\n+first line\n+second line");
    assert_eq!((usage.context_tokens, usage.context_window), (Some(110), Some(258_400)));
    assert_eq!((usage.input_tokens, usage.output_tokens), (Some(200), Some(20)));
}

#[test]
fn older_versions_say_it_in_other_lines() {
    let lines = [
        line("event_msg", &json!({ "type": "user_message", "message": "fix it" })),
        line(
            "response_item",
            &json!({ "type": "message", "role": "user", "content": [{ "type": "input_text", "text": "<environment_context>" }] }),
        ),
        line("event_msg", &json!({ "type": "agent_reasoning", "text": "hm" })),
        line("event_msg", &json!({ "type": "agent_message", "message": "Done." })),
        line("event_msg", &json!({ "type": "turn_aborted", "reason": "interrupted" })),
        line("compacted", &json!({ "message": "summary" })),
        line("something_new", &json!({})),
    ];
    let (messages, _) = conversation(&lines.join("\n"));
    assert_eq!(outline(&messages), ["> fix it", "(hm)", "Done.", "* Interrupted", "* Conversation compacted"]);
    let again = conversation(&lines.join("\n")).0;
    assert_eq!(messages, again, "a line has the same id whenever it is read");
    assert_ne!(messages[0].id, messages[2].id);
}

#[test]
fn a_picture_is_named_by_what_was_sent() {
    let picture = "data:image/png;base64,iVBORw0KGgo=";
    let parts = json!([{ "type": "text", "text": "look" }, { "type": "image", "image_url": picture }, { "type": "local_image", "path": "/a.png" }]);
    let item = json!({ "type": "item_completed", "item": { "type": "UserMessage", "id": "i", "content": parts } });
    let old = json!({ "type": "user_message", "message": "look", "images": [picture, "https://example.org/a.png"] });
    for (event, words) in [(item, "> look\n[image]"), (old, "> look")] {
        let (messages, _) = conversation(&line("event_msg", &event));
        assert_eq!(outline(&messages), [words]);
        assert_eq!(messages[0].images.as_ref().map(Vec::len), Some(1));
    }
}

#[test]
fn results_come_in_several_forms() {
    let shell = json!({ "command": ["bash", "-lc", "make"] });
    let wrapped = json!(r#"{"output":"no rule","metadata":{"exit_code":2,"duration_seconds":0.1}}"#);
    assert_eq!(outline(&[called("shell", &shell, &wrapped)]), ["shell: make -> failed [2] no rule"]);
    let blocks = json!([{ "type": "input_text", "text": "fine" }]);
    assert_eq!(outline(&[called("shell", &shell, &blocks)]), ["shell: make -> ok fine"]);
    let object = json!({ "content": "not so", "success": false });
    assert_eq!(
        outline(&[called("mcp__demo__tool", &json!({ "a": 1 }), &object)]),
        ["mcp__demo__tool:  -> failed not so"]
    );
}

#[test]
fn the_tools_say_what_they_are_for() {
    let plan = json!({ "plan": [{ "step": "a", "status": "completed" }, { "step": "b", "status": "in_progress" }] });
    let MessageBody::Tool { purpose: Some(ToolUse::Todos { items }), .. } =
        called("update_plan", &plan, &json!("Plan updated")).body
    else {
        panic!("a list")
    };
    assert_eq!(items.iter().map(|item| item.state).collect::<Vec<_>>(), [TodoState::Done, TodoState::Doing]);

    let questions = json!({ "questions": [{ "id": "db", "question": "Which?", "options": [{ "label": "SQLite" }] }] });
    let answered = json!(r#"{"answers":{"db":{"answers":["SQLite"]}}}"#);
    let MessageBody::Tool { purpose: Some(ToolUse::Questions { questions }), result: Some(result), .. } =
        called("request_user_input", &questions, &answered).body
    else {
        panic!("questions")
    };
    assert_eq!(questions[0].options, ["SQLite"]);
    assert_eq!(result.answers.expect("answers")[0].answer, "SQLite");

    let agent = json!({ "message": "look around", "agent_type": "explorer" });
    let MessageBody::Tool { purpose, .. } = called("spawn_agent", &agent, &json!("started")).body else {
        panic!("a tool")
    };
    assert_eq!(purpose, Some(ToolUse::Agent { agent: Some("explorer".to_owned()), task: "look around".to_owned() }));
}

#[test]
fn a_patch_is_a_diff_of_each_file() {
    let text = "*** Begin Patch\n*** Update File: a.rs\n*** Move to: b.rs\n@@ fn main\n keep\n-old\n+new\n+more\n*** Delete File: c.rs\n*** End Patch\n";
    let files = super::patch::read(text).expect("a patch");
    assert_eq!(
        (files[0].path.as_str(), files[0].unified.as_str()),
        ("a.rs → b.rs", "@@ -1,2 +1,3 @@ fn main\n keep\n-old\n+new\n+more")
    );
    assert_eq!((files[1].path.as_str(), files[1].unified.as_str()), ("c.rs", ""));
    assert_eq!(super::patch::read("echo hi"), None);
}

#[test]
fn the_first_line_says_whose_conversation_it_is() {
    let found = head(NAME, SAMPLE).expect("a head");
    assert_eq!(found.id, "01a1e208-854d-74d3-b6fe-91092df06940");
    assert_eq!(found.folder, Some(FolderMark::Path("/home/project/codex/runs/proj/p10".into())));
    assert_eq!(found.started_at, Some(1_794_793_571_681), "the start, not the first message");
    let agents = SAMPLE.replacen("\"source\": \"cli\"", "\"source\": {\"subagent\": {}}", 1);
    assert_ne!(agents, SAMPLE);
    assert_eq!(head(NAME, &agents), None);
    assert_eq!(head("rollout-.jsonl", SAMPLE), None);
    // A beginning that is cut in the middle of the line is enough.
    let cut = &SAMPLE[..SAMPLE.find("base_instructions").expect("instructions")];
    assert_eq!(head(NAME, cut), Some(found));
}
