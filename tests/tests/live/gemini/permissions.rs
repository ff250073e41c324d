//! Every kind of permission, with every option that its dialog has.

use answerback_tests::model::{Call, Model, Turn};
use serde_json::{Value, json};
use shared_types::{InteractivePrompt, PermissionMode, PromptKind, Session};

use super::{
    Gemini, labels, shell, shell_call,
    versions::{Feature, version},
};

const ONCE: &str = "Allow once";
const NO: &str = "No, suggest changes";

const SESSION: &str = "Allow for this session";

// A session takes seconds to start, so each story has several parts.

#[tokio::test]
async fn commands() {
    let mut gemini = Gemini::new().await;
    a_long_command_is_shown_whole(&mut gemini).await;
    a_redirection_is_told_and_allowed(&mut gemini).await;
    three_at_once_get_three_different_answers(&mut gemini).await;
    commands_once_for_the_session_and_not_at_all(&mut gemini).await;
}

#[tokio::test]
async fn files_and_pages() {
    let mut gemini = Gemini::new().await;
    a_page_once_and_not_at_all(&mut gemini).await;
    a_new_file_once_and_not_at_all(&mut gemini).await;
    a_change_once_not_at_all_and_for_the_session(&mut gemini).await;
}

fn asks_for(prompt: &InteractivePrompt, part: &str) -> bool {
    prompt.tool_input.as_ref().is_some_and(|input| input.to_string().contains(part))
}

async fn commands_once_for_the_session_and_not_at_all(gemini: &mut Gemini) {
    let prompt = gemini.calls("run_shell_command", shell("touch once-1")).await;
    assert_eq!(prompt.kind, PromptKind::Permission);
    assert_eq!(prompt.tool_input, Some(Value::String("touch once-1".to_owned())));
    gemini.choose(&prompt, ONCE).await;
    gemini.is_ready().await;
    assert!(gemini.has("once-1"));
    // Once was once: the next one is asked about again, and refused.
    let prompt = gemini.calls("run_shell_command", shell("touch refused")).await;
    gemini.choose(&prompt, NO).await;
    gemini.is_ready().await;
    assert!(!gemini.has("refused"), "it ran although it was refused");
    let prompt = gemini.calls("run_shell_command", shell("touch always-1")).await;
    gemini.choose(&prompt, SESSION).await;
    gemini.is_ready().await;
    assert!(gemini.has("always-1"));
    // Now nobody is asked: the turn goes by.
    gemini.passes("run_shell_command", shell("touch always-2")).await;
    assert!(gemini.has("always-2"));
}

async fn a_long_command_is_shown_whole(gemini: &mut Gemini) {
    let lines: Vec<String> = (0..60).map(|number| format!("mkdir made-{number}")).collect();
    let command = lines.join("\n");
    gemini.turns([Turn::tool("run_shell_command", shell(&command)), Turn::say("That is done.")]).await;
    let has_all = |prompt: &InteractivePrompt| prompt.tool_input == Some(Value::String(command.clone()));
    let prompt =
        if gemini.has_hooks() { gemini.prompt_like("the whole command", has_all).await } else { gemini.prompt().await };
    // Without hooks the screen tells a part of it, and says so.
    assert!(asks_for(&prompt, "mkdir made-50"), "{prompt:?}");
    gemini.choose(&prompt, ONCE).await;
    gemini.is_ready().await;
    assert!(gemini.has("made-0") && gemini.has("made-59"));
}

async fn a_redirection_is_told_and_allowed(gemini: &mut Gemini) {
    let prompt = gemini.calls("run_shell_command", shell("mkdir -p listed && ls > listing")).await;
    if version().features.has(Feature::TellsMore) {
        assert!(prompt.description.to_lowercase().contains("redirection"), "{prompt:?}");
    }
    gemini.choose(&prompt, ONCE).await;
    gemini.is_ready().await;
    assert!(gemini.file("listing").contains("listed"));
}

fn edit(old: &str, new: &str) -> Value {
    json!({ "file_path": "big.txt", "old_string": old, "new_string": new, "instruction": "Change it" })
}

async fn a_change_once_not_at_all_and_for_the_session(gemini: &mut Gemini) {
    let rows: Vec<String> = (0..80).map(|row| format!("row {row}")).collect();
    let text = rows.join("\n") + "\n";
    gemini.put("big.txt", &text);
    let new = text.replace("row", "line");
    gemini.turns([Turn::tool("replace", edit(&text, &new)), Turn::say("That is done.")]).await;
    let unified = |prompt: &InteractivePrompt| {
        prompt.diff.iter().flatten().map(|diff| diff.unified.clone()).collect::<Vec<_>>().join("\n")
    };
    let is_whole =
        |prompt: &InteractivePrompt| unified(prompt).contains("-row 0\n") && unified(prompt).contains("+line 79");
    let prompt =
        if gemini.has_hooks() { gemini.prompt_like("the whole change", is_whole).await } else { gemini.prompt().await };
    assert!(unified(&prompt).contains("row ") || unified(&prompt).contains("line "), "{prompt:?}");
    assert_eq!(prompt.files.as_deref(), Some(&["big.txt".to_owned()][..]));
    // An editor would open at the desk.
    assert!(!labels(&prompt).iter().any(|label| label.contains("editor")), "{prompt:?}");
    gemini.choose(&prompt, ONCE).await;
    gemini.is_ready().await;
    assert_eq!(gemini.file("big.txt"), new);
    let prompt = gemini.calls("replace", edit("line 3\n", "three\n")).await;
    assert!(unified(&prompt).contains("+three"), "{prompt:?}");
    gemini.choose(&prompt, NO).await;
    gemini.is_ready().await;
    assert_eq!(gemini.file("big.txt"), new, "it was changed although that was refused");
    let prompt = gemini.calls("replace", edit("line 4\n", "four\n")).await;
    // The diff is that of this change, not of the one before.
    assert!(unified(&prompt).contains("+four") && !unified(&prompt).contains("+three"), "{prompt:?}");
    gemini.choose(&prompt, SESSION).await;
    gemini.is_ready().await;
    assert!(gemini.file("big.txt").contains("four\n"));
    // Edits are accepted from now on, and the session says so.
    let session = gemini.session;
    let accepts = |session: &Session| session.mode == Some(PermissionMode::AcceptEdits);
    gemini.live.phone.wait_session("edits to be accepted", session, accepts).await;
    gemini.passes("replace", edit("line 5\n", "five\n")).await;
    assert!(gemini.file("big.txt").contains("five\n"));
}

async fn a_new_file_once_and_not_at_all(gemini: &mut Gemini) {
    let write = |name: &str| json!({ "file_path": name, "content": "print('hello')\n" });
    let prompt = gemini.calls("write_file", write("first.py")).await;
    assert!(prompt.diff.iter().flatten().any(|diff| diff.unified.contains("+print('hello')")), "{prompt:?}");
    gemini.choose(&prompt, NO).await;
    gemini.is_ready().await;
    assert!(!gemini.has("first.py"));
    let prompt = gemini.calls("write_file", write("second.py")).await;
    gemini.choose(&prompt, ONCE).await;
    gemini.is_ready().await;
    assert_eq!(gemini.file("second.py"), "print('hello')\n");
}

#[tokio::test]
async fn lists_reads_outside_and_new_files_for_the_session() {
    let mut gemini = Gemini::new().await;
    if gemini.has_hooks() {
        // The model that its settings name has such a tool; the one it has without them does not.
        a_list_is_kept_not_at_all_once_and_for_the_session(&mut gemini).await;
    }
    if version().features.has(Feature::FilesOutside) {
        a_file_outside_is_not_read_when_that_is_refused(&mut gemini).await;
    }
    let write = |name: &str| json!({ "file_path": name, "content": "print('hello')\n" });
    let prompt = gemini.calls("write_file", write("first.py")).await;
    gemini.choose(&prompt, SESSION).await;
    gemini.is_ready().await;
    gemini.passes("write_file", write("second.py")).await;
    assert!(gemini.has("first.py") && gemini.has("second.py"));
}

async fn a_list_is_kept_not_at_all_once_and_for_the_session(gemini: &mut Gemini) {
    let todos = |what: &str| json!({ "todos": [{ "description": what, "status": "pending" }] });
    for (kept, choice) in [NO, ONCE, SESSION].into_iter().enumerate() {
        let prompt = gemini.calls("write_todos", todos("sweep")).await;
        gemini.choose(&prompt, choice).await;
        gemini.is_ready().await;
        let results = gemini.live.model.tool_results();
        let so_far = results.iter().filter(|result| result.text.contains("sweep")).count();
        assert_eq!(so_far, kept, "{choice}: {results:?}");
    }
    gemini.passes("write_todos", todos("dust")).await;
}

/// It asks only about a file that the person's own message names.
async fn a_file_outside_is_not_read_when_that_is_refused(gemini: &mut Gemini) {
    let outside = gemini.live.home().join("outside.txt");
    std::fs::write(&outside, "the word is heron\n").expect("a file");
    for (choice, is_read) in [("No", false), ("Yes", true)] {
        let message = format!("{choice} to what stands in @{} .", outside.display());
        gemini.live.model.script(&format!("{choice} to what"), [Turn::say(&format!("{choice} it was."))]);
        gemini.live.phone.send(gemini.session, &message).await;
        let prompt = gemini.prompt().await;
        gemini.choose(&prompt, choice).await;
        let request = gemini
            .live
            .model
            .wait("the message", |model| {
                model
                    .requests()
                    .into_iter()
                    .map(|request| request.body.to_string())
                    .find(|body| body.contains(&format!("{choice} to what")))
            })
            .await;
        assert_eq!(request.contains("the word is heron"), is_read, "{request:.4000}");
        gemini.is_ready().await;
    }
}

/// A small MCP server that writes its notes into the project.
const NOTES: &str = r#"
import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";
const text = { type: "string" };
const inputSchema = { type: "object", properties: { title: text, body: text } };
const tools = ["add_note", "drop_note"].map((name) => ({ name, description: name, inputSchema }));
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  const answers = {
    initialize: () => ({ protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "notes", version: "1" } }),
    "tools/list": () => ({ tools }),
    "tools/call": () => {
      appendFileSync("notes.txt", params.name + " " + params.arguments.title + "\n");
      return { content: [{ type: "text", text: "noted" }] };
    },
  };
  console.log(JSON.stringify({ jsonrpc: "2.0", id, result: (answers[method] ?? (() => ({})))() }));
}
"#;

#[tokio::test]
async fn a_tool_of_a_server_once_not_at_all_always_and_all_of_them() {
    let mut gemini = Gemini::in_mode(PermissionMode::Ask, |folder| {
        std::fs::write(folder.join("notes.mjs"), NOTES).expect("the server");
        let own = json!({ "mcpServers": { "notes": { "command": "node", "args": [folder.join("notes.mjs")] } } });
        std::fs::write(folder.join("home/.gemini/settings.json"), own.to_string()).expect("the person's settings");
    })
    .await;
    let name = |tool: &str| format!("{}{tool}", version().server_prefix);
    let (add, drop) = (name("add_note"), name("drop_note"));
    let body = "a text that has no room in one row of the dialog. ".repeat(4);
    let note = |title: &str| json!({ "title": title, "body": body });
    gemini.turns([Turn::tool(&add, note("first")), Turn::say("That is done.")]).await;
    let prompt = if gemini.has_hooks() {
        // The dialog cuts it.
        gemini.prompt_like("the whole input", |prompt| prompt.tool_input == Some(note("first"))).await
    } else {
        gemini.prompt().await
    };
    gemini.choose(&prompt, ONCE).await;
    gemini.is_ready().await;
    let prompt = gemini.calls(&add, note("second")).await;
    gemini.choose(&prompt, NO).await;
    gemini.is_ready().await;
    let prompt = gemini.calls(&add, note("third")).await;
    gemini.choose(&prompt, "Allow tool for this session").await;
    gemini.is_ready().await;
    gemini
        .turns([Turn::tool(&add, note("fourth")), Turn::tool(&drop, note("fifth")), Turn::say("That is done.")])
        .await;
    let prompt = gemini.prompt().await;
    assert!(prompt.title.contains("drop_note"), "{prompt:?}");
    gemini.choose(&prompt, "Allow all server tools").await;
    gemini.is_ready().await;
    gemini.turns([Turn::tool(&drop, note("sixth")), Turn::say("All of it is done.")]).await;
    gemini.live.phone.wait_message(gemini.session, "All of it is done.").await;
    let notes = gemini.file("notes.txt");
    let expected = ["add_note first", "add_note third", "add_note fourth", "drop_note fifth", "drop_note sixth"];
    assert_eq!(notes.lines().collect::<Vec<_>>(), expected);
}

async fn a_page_once_and_not_at_all(gemini: &mut Gemini) {
    let fetch = json!({ "prompt": "Summarize http://127.0.0.1:9/page" });
    let prompt = gemini.calls("web_fetch", fetch.clone()).await;
    assert!(format!("{} {}", prompt.title, prompt.description).contains("127.0.0.1"), "{prompt:?}");
    gemini.choose(&prompt, NO).await;
    gemini.is_ready().await;
    let prompt = gemini.calls("web_fetch", fetch).await;
    gemini.choose(&prompt, ONCE).await;
    // Nobody serves that page; that the tool ran is what the model hears.
    let ran = |model: &Model| model.tool_results().iter().any(|result| !result.text.contains("ancel")).then_some(());
    gemini.live.model.wait("what came of the fetch", ran).await;
    gemini.is_ready().await;
}

/// Of its own, for in some versions this accepts edits as well.
#[tokio::test]
async fn pages_for_the_session() {
    let mut gemini = Gemini::new().await;
    let fetch = json!({ "prompt": "Summarize http://127.0.0.1:9/page" });
    let prompt = gemini.calls("web_fetch", fetch.clone()).await;
    gemini.choose(&prompt, SESSION).await;
    gemini.is_ready().await;
    gemini.passes("web_fetch", fetch).await;
    // Nobody serves that page; that the tool ran twice is what the model hears.
    assert_eq!(gemini.live.model.tool_results().len(), 2);
}

async fn three_at_once_get_three_different_answers(gemini: &mut Gemini) {
    let calls = [shell_call("ln -s here first"), shell_call("env touch second"), shell_call("cp listing third")];
    gemini.turns([Turn::tools(calls), Turn::say("That is done.")]).await;
    let first = gemini.prompt_like("the first", |prompt| asks_for(prompt, "ln -s here first")).await;
    if version().features.has(Feature::TellsMore) {
        assert_eq!(first.position.as_deref(), Some("1 of 3"));
    }
    gemini.choose(&first, ONCE).await;
    let second = gemini.prompt_like("the second", |prompt| asks_for(prompt, "env touch second")).await;
    gemini.choose(&second, SESSION).await;
    // The cursor still stands where the last answer left it; the row that was chosen is taken all the same.
    let third = gemini.prompt_like("the third", |prompt| asks_for(prompt, "cp listing third")).await;
    gemini.choose(&third, NO).await;
    gemini.is_ready().await;
    assert!(gemini.live.project().join("first").is_symlink() && gemini.has("second"));
    assert!(!gemini.has("third"));
}

#[tokio::test]
async fn a_folder_that_is_not_trusted_has_fewer_options() {
    let mut gemini = Gemini::in_mode(PermissionMode::Ask, |folder| {
        let project = folder.join("project").canonicalize().expect("the project");
        let known = json!({ project.to_string_lossy(): "DO_NOT_TRUST" });
        std::fs::write(folder.join("home/.gemini/trustedFolders.json"), known.to_string()).expect("its folders");
        let own = json!({ "security": { "folderTrust": { "enabled": true } } });
        std::fs::write(folder.join("home/.gemini/settings.json"), own.to_string()).expect("the person's settings");
    })
    .await;
    let prompt = gemini.calls("run_shell_command", shell("touch first")).await;
    assert_eq!(labels(&prompt).len(), 2, "{prompt:?}");
    gemini.choose(&prompt, NO).await;
    gemini.is_ready().await;
    assert!(!gemini.has("first"));
    let prompt = gemini.calls("run_shell_command", shell("touch second")).await;
    gemini.choose(&prompt, ONCE).await;
    gemini.is_ready().await;
    assert!(gemini.has("second"));
}

/// How many approvals in a row; `ANSWERBACK_APPROVALS` asks for more.
fn approvals() -> usize {
    let usual = version().approvals;
    std::env::var("ANSWERBACK_APPROVALS").map_or(usual, |count| count.parse().expect("a number"))
}

#[tokio::test]
async fn many_in_a_row_at_random_get_what_was_chosen() {
    let mut gemini = Gemini::new().await;
    let mut random = 0x5eed_u64;
    let count = approvals();
    let name = |number: usize| format!("made-{number}");
    let mut chosen = Vec::new();
    // Three in each message: the CLI queues them up, and its cursor stays where the last answer left it.
    for batch in (0..count).collect::<Vec<_>>().chunks(3) {
        // Each command has a program of its own name, so that an approval for the session covers no other.
        let calls = batch.iter().map(|number| {
            let command = format!("./run-{number}");
            gemini.put(&format!("run-{number}"), &format!("#!/bin/sh\ntouch {}\n", name(*number)));
            let path = gemini.live.project().join(format!("run-{number}"));
            let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
            std::fs::set_permissions(path, mode).expect("make it a program");
            Call::new("run_shell_command", shell(&command))
        });
        let calls: Vec<Call> = calls.collect();
        gemini.turns([Turn::tools(calls), Turn::say("That is done.")]).await;
        for number in batch {
            let command = format!("./run-{number}");
            let is_it = |prompt: &InteractivePrompt| prompt.tool_input == Some(Value::String(command.clone()));
            let prompt = gemini.prompt_like(&command, is_it).await;
            // An xorshift is random enough, and every run is the same.
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            let last = Some(number) == batch.last();
            let refuses = random % 3 == 2 && (last || version().features.has(Feature::RefusalEndsCall));
            let label = match random % 3 {
                0 => ONCE,
                1 => SESSION,
                _ if refuses => NO,
                _ => ONCE,
            };
            gemini.choose(&prompt, label).await;
            chosen.push((*number, !refuses));
        }
        gemini.is_ready().await;
    }
    for (number, allowed) in chosen {
        assert_eq!(gemini.has(&name(number)), allowed, "number {number}");
    }
}
