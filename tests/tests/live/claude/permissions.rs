//! Every kind of permission, with every option that its dialog has.

use answerback_tests::{
    model::{Call, Turn},
    skip_if,
};
use serde_json::json;
use shared_types::{FileDiff, InteractivePrompt, PermissionMode, PromptKind};

use super::{
    Claude, Way, both_ways, find_option, shell,
    versions::{Feature, version},
};

both_ways! {
    a_command_is_allowed_once_denied_and_allowed_for_good;
    a_command_switches_to_auto_mode;
    a_folder_is_opened_for_good_and_a_yes_takes_words_along;
    a_plain_no_stops_every_kind;
    an_edit_is_shown_as_it_will_be_and_then_no_longer_asked;
    a_new_file_and_an_old_one_are_written;
    a_file_outside_is_read;
    a_page_is_fetched;
    a_tool_of_a_server_is_used;
    a_sub_agent_asks;
    two_calls_in_one_message_are_asked_one_by_one;
    a_long_command_is_shown_whole;
}

async fn a_command_is_allowed_once_denied_and_allowed_for_good(way: Way) {
    let mut claude = Claude::new(way).await;
    let prompt = claude.calls("Bash", shell("touch first")).await;
    assert_eq!((prompt.kind, prompt.tool_name.as_deref()), (PromptKind::Permission, Some("Bash")));
    assert_eq!(prompt.tool_input, Some(json!("touch first")));
    assert!(!claude.has("first"), "it ran before it was allowed");
    claude.choose(&prompt, "Yes").await;
    claude.result(1).await;
    assert!(claude.has("first"));
    claude.is_ready().await;

    let prompt = claude.calls("Bash", shell("touch second")).await;
    claude.say(&prompt, version().no_with_words, "use a folder instead; please").await;
    let told = claude.result(2).await;
    assert!(told.text.contains("use a folder instead; please"), "{told:?}");
    claude.is_ready().await;
    assert!(!claude.has("second"));

    let scripts = json!({ "scripts": { "third": "touch third", "fourth": "touch fourth" } });
    claude.put("package.json", &scripts.to_string());
    let prompt = claude.calls("Bash", shell("npm run third")).await;
    claude.choose(&prompt, "don't ask again").await;
    claude.result(3).await;
    assert!(claude.has("third"));
    claude.is_ready().await;
    if version().features.has(Feature::ApprovesAlike) {
        claude.turns([Turn::tool("Bash", shell("npm run fourth")), Turn::say("That is done.")]).await;
        claude.result(4).await;
        assert!(claude.has("fourth"), "it was not asked again");
    }
}

async fn a_command_switches_to_auto_mode(way: Way) {
    skip_if!(version().features.lacks(Feature::AutoMode));
    let mut claude = Claude::new(way).await;
    let prompt = claude.calls("Bash", shell("touch made")).await;
    claude.choose(&prompt, "auto mode").await;
    claude.result(1).await;
    assert!(claude.has("made"));
    claude.is_in_mode(PermissionMode::Auto).await;
}

async fn a_folder_is_opened_for_good_and_a_yes_takes_words_along(way: Way) {
    skip_if!(version().features.lacks(Feature::FolderForGood));
    let mut claude = Claude::new(way).await;
    let prompt = claude.calls("Bash", shell("touch first")).await;
    claude.choose(&prompt, "always allow access").await;
    claude.result(1).await;
    assert!(claude.has("first"));
    claude.is_ready().await;
    claude.turns([Turn::tool("Bash", shell("mkdir second")), Turn::say("Done.")]).await;
    // Words with a yes are typed into the dialog, so it must be there.
    let prompt = claude.prompt_like("its dialog", |prompt| find_option(prompt, "auto mode").is_some()).await;
    claude.say(&prompt, "Yes", "and then look into it").await;
    claude.result(2).await;
    assert!(claude.has("second"));
    claude.live.model.wait_user_text("and then look into it").await;
}

async fn a_plain_no_stops_every_kind(way: Way) {
    skip_if!(version().features.lacks(Feature::PlainNo));
    let mut claude = Claude::new(way).await;
    claude.put("here.txt", "as it was\n");
    std::fs::write(claude.live.server.home().join("outside.txt"), "a secret").expect("a file outside");
    let here = claude.path("here.txt");
    let outside = claude.live.server.home().canonicalize().expect("a folder").join("outside.txt");
    let change = json!({ "file_path": here, "old_string": "was", "new_string": "is", "replace_all": false });
    for turns in [
        vec![Turn::tool("Bash", shell("touch made"))],
        vec![Turn::tool("Read", json!({ "file_path": here })), Turn::tool("Edit", change)],
        vec![Turn::tool("Write", json!({ "file_path": claude.path("made"), "content": "x" }))],
        vec![Turn::tool("Read", json!({ "file_path": outside }))],
    ] {
        claude.turns(turns.into_iter().chain([Turn::say("Never said.")])).await;
        let prompt = claude.prompt().await;
        claude.choose(&prompt, "No").await;
        claude.is_ready().await;
    }
    assert!(!claude.has("made"));
    assert_eq!(claude.file("here.txt"), "as it was\n");
    claude.turns([Turn::say("What else?")]).await;
    claude.live.model.wait_user_text(&format!("round {}", claude.rounds)).await;
    let received = claude.live.model.tool_results();
    assert!(!received.iter().any(|result| result.text.contains("a secret")), "{received:?}");
}

const BEFORE: &str = "def add(a, b):\n    return a + b\n\n\ndef sub(a, b):\n    return a - b\n";

async fn an_edit_is_shown_as_it_will_be_and_then_no_longer_asked(way: Way) {
    let mut claude = Claude::new(way).await;
    claude.put("sums.py", BEFORE);
    let path = claude.path("sums.py");
    let read = Turn::tool("Read", json!({ "file_path": path }));
    let edit = |old: &str, new: &str| {
        Turn::tool("Edit", json!({ "file_path": path, "old_string": old, "new_string": new, "replace_all": false }))
    };
    let (old, new) = ("    return a + b\n", "    # both\n    return b + a\n");
    claude.turns([read, edit(old, new), Turn::say("Done.")]).await;
    // Its dialog comes first, then what it shows.
    let prompt = claude.prompt_like("a prompt with a diff", |prompt| prompt.diff.is_some()).await;
    shows_change(&prompt, "sums.py", BEFORE, &BEFORE.replace(old, new));
    assert_eq!(claude.file("sums.py"), BEFORE, "it was changed before it was allowed");
    claude.choose(&prompt, "Yes").await;
    claude.result(2).await;
    assert_eq!(claude.file("sums.py"), BEFORE.replace(old, new));
    claude.is_ready().await;

    claude.turns([edit("def sub", "def minus"), Turn::say("Done.")]).await;
    let prompt = claude.prompt().await;
    claude.say(&prompt, version().no_with_words, "leave it").await;
    assert!(claude.result(3).await.text.contains("leave it"));
    claude.is_ready().await;

    claude.turns([edit("def sub", "def less"), Turn::say("Done.")]).await;
    let prompt = claude.prompt().await;
    claude.choose(&prompt, version().all_edits).await;
    claude.result(4).await;
    claude.is_in_mode(PermissionMode::AcceptEdits).await;
    claude.is_ready().await;
    claude.turns([edit("def less", "def minus"), Turn::say("Done.")]).await;
    claude.result(5).await;
    assert!(claude.file("sums.py").contains("def minus"), "it was not asked again");
}

async fn a_new_file_and_an_old_one_are_written(way: Way) {
    let mut claude = Claude::new(way).await;
    let content = "one\ntwo\nthree\n";
    let write = Turn::tool("Write", json!({ "file_path": claude.path("notes.txt"), "content": content }));
    claude.turns([write, Turn::say("Done.")]).await;
    let prompt = claude.prompt_like("a prompt with a diff", |prompt| prompt.diff.is_some()).await;
    shows_change(&prompt, "notes.txt", "", content);
    claude.choose(&prompt, "Yes").await;
    claude.result(1).await;
    assert_eq!(claude.file("notes.txt"), content);
    claude.is_ready().await;

    let path = claude.path("notes.txt");
    let next = "one\n2\nthree\nfour\n";
    let write = Turn::tool("Write", json!({ "file_path": path, "content": next }));
    claude.turns([Turn::tool("Read", json!({ "file_path": path })), write, Turn::say("Done.")]).await;
    let prompt = claude.prompt_like("a prompt with a diff", |prompt| prompt.diff.is_some()).await;
    shows_change(&prompt, "notes.txt", content, next);
    claude.choose(&prompt, "Yes").await;
    claude.result(3).await;
    assert_eq!(claude.file("notes.txt"), next);
}

async fn a_file_outside_is_read(way: Way) {
    let mut claude = Claude::new(way).await;
    let outside = claude.live.server.home().canonicalize().expect("a folder").join("outside");
    std::fs::create_dir(&outside).expect("a folder outside");
    for name in ["one", "two", "three"] {
        std::fs::write(outside.join(name), format!("the {name} secret")).expect("a file outside");
    }
    let read = |name: &str| json!({ "file_path": outside.join(name).to_string_lossy() });
    let prompt = claude.calls("Read", read("one")).await;
    claude.choose(&prompt, "Yes").await;
    assert!(claude.result(1).await.text.contains("the one secret"));
    claude.is_ready().await;
    let prompt = claude.calls("Read", read("two")).await;
    claude.choose(&prompt, "allow reading from").await;
    assert!(claude.result(2).await.text.contains("the two secret"));
    claude.is_ready().await;
    claude.turns([Turn::tool("Read", read("three")), Turn::say("Done.")]).await;
    assert!(claude.result(3).await.text.contains("the three secret"), "it was not asked again");
}

async fn a_page_is_fetched(way: Way) {
    // Without this it asks the vendor's servers whether the page is a bad one.
    let preflight = json!({ "skipWebFetchPreflight": true }).to_string();
    let mut claude = Claude::in_mode(way, PermissionMode::Ask, |live| {
        std::fs::create_dir_all(live.home().join(".claude")).expect("the folder of its settings");
        std::fs::write(live.home().join(".claude/settings.json"), preflight).expect("its settings");
    })
    .await;
    let page = |name: &str| json!({ "url": format!("https://127.0.0.1:1/{name}"), "prompt": "Summarise it" });
    let prompt = claude.calls("WebFetch", page("one")).await;
    assert!(
        prompt.tool_input.as_ref().is_some_and(|input| input.to_string().contains("127.0.0.1:1/one")),
        "{prompt:?}"
    );
    claude.choose(&prompt, "Yes").await;
    // Nobody listens there, which the tool says when it has tried.
    let result = claude.result(1).await;
    assert!(!result.text.contains("doesn't want to"), "{result:?}");
    claude.is_ready().await;
    let prompt = claude.calls("WebFetch", page("two")).await;
    let no = "tell Claude what to do differently";
    if way == Way::Hook {
        claude.say(&prompt, no, "read the manual").await;
        assert!(claude.result(2).await.text.contains("read the manual"));
    } else {
        // The dialog itself takes no text there: the turn ends, and what to do is said with the next message.
        claude.choose(&prompt, no).await;
    }
    claude.is_ready().await;
    let prompt = claude.calls("WebFetch", page("three")).await;
    claude.choose(&prompt, "don't ask again").await;
    claude.result(3).await;
    claude.is_ready().await;
    claude.turns([Turn::tool("WebFetch", page("four")), Turn::say("Done.")]).await;
    claude.result(4).await;
}

/// A server with one tool that writes what it is given into a file.
const TOOL_SERVER: &str = r#"
import { createInterface } from "node:readline";
import { writeFileSync } from "node:fs";
const input = { type: "object", properties: { text: { type: "string" } }, required: ["text"] };
const tools = [{ name: "note", description: "Writes a note", inputSchema: input }];
const replies = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "story", version: "1" },
  }),
  "tools/list": () => ({ tools }),
  "tools/call": ({ arguments: given }) => {
    writeFileSync("noted", given.text);
    return { content: [{ type: "text", text: `noted ${given.text}` }] };
  },
  ping: () => ({}),
};
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const reply = replies[method];
  const body = reply ? { result: reply(params) } : { error: { code: -32601, message: "no such method" } };
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...body })}\n`);
  if (method === "tools/list") writeFileSync("listed", "");
});
"#;

async fn a_tool_of_a_server_is_used(way: Way) {
    let mut claude = Claude::starting(way, PermissionMode::Ask, |live| {
        let server = json!({ "mcpServers": { "story": { "command": "node", "args": ["tools.mjs"] } } });
        std::fs::write(live.project().join(".mcp.json"), server.to_string()).expect("the project's servers");
        std::fs::write(live.project().join("tools.mjs"), TOOL_SERVER).expect("the server");
    })
    .await;
    // A server that the project brings along is not started without the person.
    claude.trusts_the_folder("tools.mjs").await;
    let (session, answered) = (claude.session, claude.answered.clone());
    let asks_next = |prompt: &InteractivePrompt| !answered.contains(&prompt.request_id);
    let prompt = claude.live.phone.wait_prompt_like("the question about the server", session, asks_next).await;
    claude.choose(&prompt, version().use_server).await;
    claude.is_ready().await;
    // Old versions take messages before they know the server's tools.
    claude.makes("listed").await;

    let tool = "mcp__story__note";
    let prompt = claude.calls(tool, json!({ "text": "remember the milk" })).await;
    assert_eq!(prompt.tool_name.as_deref(), Some(tool));
    assert!(prompt.tool_input.as_ref().is_some_and(|input| input["text"] == "remember the milk"), "{prompt:?}");
    claude.choose(&prompt, "Yes").await;
    assert!(claude.result(1).await.text.contains("noted remember the milk"));
    assert_eq!(claude.file("noted"), "remember the milk");
    claude.is_ready().await;
    let prompt = claude.calls(tool, json!({ "text": "never" })).await;
    if way == Way::Keys && !version().features.has(Feature::PlainNo) {
        // That dialog takes no text: the turn ends, and the model hears of it with the next message.
        claude.choose(&prompt, version().no_with_words).await;
    } else {
        claude.say(&prompt, version().no_with_words, "that is enough").await;
        assert!(claude.result(2).await.text.contains("that is enough"));
    }
    claude.is_ready().await;
    assert_eq!(claude.file("noted"), "remember the milk");
    let prompt = claude.calls(tool, json!({ "text": "and the bread" })).await;
    claude.choose(&prompt, "don't ask again").await;
    claude.result(3).await;
    claude.is_ready().await;
    claude.turns([Turn::tool(tool, json!({ "text": "and the salt" })), Turn::say("Done.")]).await;
    claude.result(4).await;
    assert_eq!(claude.file("noted"), "and the salt", "it was not asked again");
}

async fn a_sub_agent_asks(way: Way) {
    let (mut claude, prompt) = asked_from_below(way).await;
    if way == Way::Hook || version().agent_name.is_some() {
        assert_eq!(prompt.agent.as_deref(), version().agent_name);
    }
    claude.choose(&prompt, "Yes").await;
    claude.makes("from-below").await;
}

/// The dialog of an agent in the background is not drawn while its hook waits; so that the desk sees it too, the hook is let go.
#[tokio::test]
async fn a_sub_agent_asks_at_the_desk_too() {
    skip_if!(version().features.lacks(Feature::BackgroundAgents));
    let (mut claude, prompt) = asked_from_below(Way::Hook).await;
    let dialog = claude.prompt_like("its dialog", |prompt| find_option(prompt, "always allow access").is_some()).await;
    assert_eq!(dialog.request_id, prompt.request_id, "it is the same prompt");
    assert!(claude.live.screens().contains("Do you want to proceed?"));
    claude.choose(&dialog, "Yes").await;
    claude.makes("from-below").await;
}

async fn asked_from_below(way: Way) -> (Claude, InteractivePrompt) {
    let mut claude = Claude::new(way).await;
    let told = "make the file of the sub-agent";
    claude.live.model.script(told, [Turn::tool("Bash", shell("touch from-below")), Turn::say("I made it.")]);
    let agent = json!({ "description": "Make a file", "prompt": told, "subagent_type": "general-purpose" });
    claude.turns([Turn::tool(version().agent_tool, agent), Turn::say("It is made.")]).await;
    let prompt = claude.prompt().await;
    assert!(!claude.has("from-below"));
    (claude, prompt)
}

async fn two_calls_in_one_message_are_asked_one_by_one(way: Way) {
    let mut claude = Claude::new(way).await;
    let calls = ["mkdir one", "mkdir two"].map(|command| Call::new("Bash", shell(command)));
    claude.turns([Turn::tools(calls), Turn::say("Done.")]).await;
    let first = claude.prompt().await;
    assert_eq!(first.tool_input, Some(json!("mkdir one")));
    claude.choose(&first, "Yes").await;
    let is_second = |prompt: &InteractivePrompt| prompt.tool_input == Some(json!("mkdir two"));
    let second = claude.prompt_like("the second prompt", is_second).await;
    assert_ne!(second.request_id, first.request_id);
    assert!(claude.has("one") && !claude.has("two"));
    claude.say(&second, version().no_with_words, "one is enough").await;
    assert!(claude.result(2).await.text.contains("one is enough"));
    claude.is_ready().await;
    assert!(!claude.has("two"));
}

async fn a_long_command_is_shown_whole(way: Way) {
    let mut claude = Claude::new(way).await;
    let words = (0..60).map(|number| format!("word{number}")).collect::<Vec<_>>().join(" ");
    let command = format!("echo {words} > \"a file\" && printf '%s\\n' 'two  blanks' | tee -a log");
    let prompt = claude.calls("Bash", shell(&command)).await;
    let blanks = |text: &str| text.split_whitespace().collect::<String>();
    let shown = prompt.tool_input.as_ref().and_then(|input| input.as_str()).expect("the command");
    if way == Way::Hook {
        assert_eq!(shown, command);
    } else {
        assert_eq!(blanks(shown), blanks(&command), "{prompt:?}");
    }
    claude.choose(&prompt, "Yes").await;
    claude.result(1).await;
    assert_eq!(claude.file("a file").trim(), words);
}

/// The diff of the prompt leads from one text to the other, no more and no less.
fn shows_change(prompt: &InteractivePrompt, name: &str, before: &str, after: &str) {
    let diff = prompt.diff.as_deref().unwrap_or_default();
    let [FileDiff { path, unified }] = diff else { panic!("one file: {diff:?}") };
    assert!(path.ends_with(name), "{path}");
    assert_eq!(apply(unified, before), after, "{unified}");
}

fn apply(unified: &str, before: &str) -> String {
    let old: Vec<&str> = before.lines().collect();
    let mut new: Vec<&str> = Vec::new();
    let mut at = 0;
    for line in unified.lines() {
        if let Some(hunk) = line.strip_prefix("@@ -") {
            let begin =
                hunk.split([',', ' ']).next().and_then(|number| number.parse::<usize>().ok()).expect("a line number");
            let begin = begin.max(1) - 1;
            new.extend(&old[at.min(begin)..begin.min(old.len())]);
            at = begin;
            continue;
        }
        let (mark, text) = line.split_at_checked(1).unwrap_or((" ", ""));
        match mark {
            "+" => new.push(text),
            "-" | " " => {
                assert_eq!(old.get(at).copied(), Some(text), "line {} of {before:?} in {unified:?}", at + 1);
                at += 1;
                if mark == " " {
                    new.push(text);
                }
            }
            other => panic!("{other:?} in {unified:?}"),
        }
    }
    new.extend(old.iter().skip(at));
    new.iter().map(|line| format!("{line}\n")).collect()
}
