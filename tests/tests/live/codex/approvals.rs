//! Approvals: every kind, with every option that its dialog has.

use answerback_tests::{
    model::{Call, Request, Turn},
    skip_if,
};
use serde_json::json;
use shared_types::{FileDiff, InteractivePrompt, OptionRole, PermissionMode, PromptKind};

use super::{
    Codex, option, patch, roles, shell,
    versions::{Feature, version},
};

const ONCE: &str = "Yes, proceed";
const NO: &str = "tell Codex what to do differently";

#[tokio::test]
async fn a_command_is_allowed_once_refused_and_allowed_by_rule() {
    let mut codex = Codex::new().await;
    let prompt = codex.calls(shell("touch first")).await;
    assert_eq!((prompt.kind, prompt.tool_name.as_deref()), (PromptKind::Permission, Some("shell")));
    assert_eq!(prompt.tool_input, Some(json!("touch first")));
    assert!(prompt.description.contains("Does what the story needs"), "{prompt:?}");
    let lasting = [Some(OptionRole::Allow), Some(OptionRole::AllowAlways), Some(OptionRole::Deny)];
    assert_eq!(roles(&prompt), lasting, "{prompt:?}");
    assert!(!codex.has("first"), "it ran before it was allowed");
    codex.choose(&prompt, ONCE).await;
    codex.result(1).await;
    assert!(codex.has("first"));
    codex.is_ready().await;

    // Once was once.
    let prompt = codex.calls(shell("touch second")).await;
    let refusal = option(&prompt, NO).description.clone().unwrap_or_default();
    assert!(refusal.contains("stops"), "what stops the turn is said: {prompt:?}");
    codex.choose(&prompt, NO).await;
    codex.is_ready().await;
    assert!(!codex.has("second"));
    assert_eq!(codex.live.model.tool_results().len(), 1, "the model is not called before the next message");

    let prompt = codex.calls(shell("touch third")).await;
    codex.choose(&prompt, "don't ask again").await;
    codex.result(3).await;
    assert!(codex.has("third"));
    codex.is_ready().await;
    codex.turns([Turn::tools([shell("touch third")]), Turn::say("That is done.")]).await;
    codex.result(4).await;
    codex.is_ready().await;

    // Several lines: its dialog has no rule, and a second row that means no.
    let several = "cat <<'END' > fourth\nthe first line\n  the second\nEND";
    let prompt = codex.calls(shell(several)).await;
    assert_eq!(prompt.tool_input, Some(json!(several)), "{prompt:?}");
    assert_eq!(roles(&prompt), [Some(OptionRole::Allow), Some(OptionRole::Deny)], "{prompt:?}");
    codex.choose(&prompt, "Yes").await;
    codex.result(5).await;
    assert_eq!(codex.file("fourth"), "the first line\n  the second\n");
    codex.is_ready().await;
    let prompt = codex.calls(shell("cat <<'END' > fifth\nthe first line\nEND")).await;
    codex.choose(&prompt, "No").await;
    codex.is_ready().await;
    assert!(!codex.has("fifth"));
}

#[tokio::test]
async fn a_rule_of_the_models_own_is_shown_and_kept() {
    let mut codex = Codex::new().await;
    codex.put("sums.sh", "echo $(($1 + $2)) > sum");
    let command = |numbers: &str| {
        let input = json!({
            "cmd": format!("sh sums.sh {numbers}"),
            "sandbox_permissions": "require_escalated",
            "justification": "It adds",
            "prefix_rule": ["sh", "sums.sh"],
        });
        Call::new("exec_command", input)
    };
    let prompt = codex.calls(command("1 2")).await;
    assert!(option(&prompt, "don't ask again").label.contains("sh sums.sh"), "{prompt:?}");
    codex.choose(&prompt, "don't ask again").await;
    codex.result(1).await;
    assert_eq!(codex.file("sum"), "3\n");
    codex.is_ready().await;
    codex.turns([Turn::tools([command("20 3")]), Turn::say("That is done.")]).await;
    codex.result(2).await;
    assert_eq!(codex.file("sum"), "23\n", "it was not asked again");

    // And a command that is longer than the terminal is wide.
    codex.is_ready().await;
    let words = (0..60).map(|number| format!("word{number}")).collect::<Vec<_>>().join(" ");
    let long = format!("echo {words} > \"a file\" && printf '%s\\n' 'two words' | tee -a log");
    let prompt = codex.calls(shell(&long)).await;
    assert_eq!(prompt.tool_input, Some(json!(long)));
    codex.choose(&prompt, ONCE).await;
    codex.result(3).await;
    assert_eq!(codex.file("a file").trim(), words);
}

const BEFORE: &str = "def add(a, b):\n    return a + b\n\n\ndef sub(a, b):\n    return a - b\n";

#[tokio::test]
async fn a_patch_is_shown_as_it_will_be_and_then_no_longer_asked() {
    let mut codex = Codex::new().await;
    codex.put("sums.py", BEFORE);
    let edit = |from: &str, to: &[&str]| {
        let removed = format!("-{from}");
        let added: Vec<String> = to.iter().map(|line| format!("+{line}")).collect();
        let mut lines = vec!["*** Update File: sums.py", "@@", &removed];
        lines.extend(added.iter().map(String::as_str));
        patch(&lines)
    };
    let prompt = codex.calls(edit("    return a + b", &["    # both", "    return b + a"])).await;
    let prompt = with_diff(&mut codex, prompt).await;
    let after = BEFORE.replace("    return a + b", "    # both\n    return b + a");
    assert_eq!((prompt.kind, prompt.tool_name.as_deref()), (PromptKind::Permission, Some("apply_patch")));
    shows_change(&prompt, "sums.py", BEFORE, &after);
    assert_eq!(codex.file("sums.py"), BEFORE, "it was changed before it was allowed");
    codex.choose(&prompt, ONCE).await;
    codex.result(1).await;
    assert_eq!(codex.file("sums.py"), after);
    codex.is_ready().await;

    let prompt = codex.calls(edit("def sub(a, b):", &["def less(a, b):"])).await;
    codex.choose(&prompt, NO).await;
    codex.is_ready().await;
    assert_eq!(codex.file("sums.py"), after);

    let prompt = codex.calls(edit("def sub(a, b):", &["def minus(a, b):"])).await;
    codex.choose(&prompt, "don't ask again for these files").await;
    codex.result(3).await;
    assert!(codex.file("sums.py").contains("def minus"));
    codex.is_ready().await;
    codex.turns([Turn::tools([edit("def minus(a, b):", &["def less(a, b):"])]), Turn::say("Done.")]).await;
    codex.result(4).await;
    assert!(codex.file("sums.py").contains("def less"), "it was not asked again");
    codex.is_ready().await;

    // Two files at once, one of them new.
    let both = patch(&[
        "*** Update File: sums.py",
        "@@",
        "-def less(a, b):",
        "+def minus(a, b):",
        "*** Add File: notes.txt",
        "+one",
        "+two",
    ]);
    let prompt = codex.calls(both).await;
    let prompt = with_diff(&mut codex, prompt).await;
    let mut names: Vec<String> = prompt.files.clone().unwrap_or_default();
    names.sort();
    assert_eq!(names.len(), 2, "{prompt:?}");
    assert!(names[0].ends_with("notes.txt") && names[1].ends_with("sums.py"), "{names:?}");
    codex.choose(&prompt, ONCE).await;
    codex.result(5).await;
    assert_eq!(codex.file("notes.txt"), "one\ntwo\n");
}

/// The change may be told a moment after the dialog.
async fn with_diff(codex: &mut Codex, prompt: InteractivePrompt) -> InteractivePrompt {
    if prompt.diff.is_some() {
        return prompt;
    }
    codex.prompt_like("a prompt with a diff", |prompt| prompt.diff.is_some()).await
}

#[tokio::test]
async fn permissions_are_granted_for_a_turn_and_for_the_session_or_not() {
    let mut codex = Codex::with(PermissionMode::AcceptEdits, &["features.request_permissions_tool=true"], |_| {}).await;
    let outside = codex.live.home().join("outside");
    std::fs::create_dir(&outside).expect("a folder outside");
    let folder = outside.to_string_lossy().into_owned();
    let asks = || {
        let wanted = json!({ "network": { "enabled": true }, "file_system": { "write": [folder] } });
        Call::new("request_permissions", json!({ "reason": "It writes there", "permissions": wanted }))
    };
    let prompt = codex.calls(asks()).await;
    assert_eq!((prompt.kind, prompt.tool_name.as_deref()), (PromptKind::Permission, Some("request_permissions")));
    assert!(prompt.tool_input.as_ref().is_some_and(|rule| rule.to_string().contains("outside")), "{prompt:?}");
    let refusal = option(&prompt, "No").description.clone().unwrap_or_default();
    assert!(refusal.contains("goes on"), "what goes on is said: {prompt:?}");
    codex.choose(&prompt, "No").await;
    let told = codex.result(1).await.text;
    assert!(!told.contains("outside"), "nothing is granted: {told}");
    codex.is_ready().await;

    let mut count = 1;
    for label in version().grants_for_turn {
        let prompt = codex.calls(asks()).await;
        codex.choose(&prompt, label).await;
        count += 1;
        let told = codex.result(count).await.text;
        assert!(told.contains("outside") && told.contains("turn"), "{told}");
        codex.is_ready().await;
    }

    let prompt = codex.calls(asks()).await;
    codex.choose(&prompt, "for this session").await;
    let told = codex.result(count + 1).await.text;
    assert!(told.contains("outside") && told.contains("session"), "{told}");
}

/// Where the machine's bubblewrap lacks an option that Codex gives it, nothing can run in its sandbox: it takes no other.
fn old_bubblewrap() -> Option<&'static str> {
    let help = std::process::Command::new("bwrap").arg("--help").output();
    let is_old =
        help.is_ok_and(|help| !String::from_utf8_lossy(&[help.stdout, help.stderr].concat()).contains("--argv0"));
    is_old.then_some("the machine's bubblewrap is too old for Codex")
}

#[tokio::test]
async fn a_command_asks_for_a_little_more() {
    skip_if!(old_bubblewrap());
    let mut codex =
        Codex::with(PermissionMode::AcceptEdits, &["features.exec_permission_approvals=true"], |_| {}).await;
    let outside = codex.live.home().join("outside");
    std::fs::create_dir(&outside).expect("a folder outside");
    let asks = |name: &str| {
        let file = outside.join(name);
        let more = json!({ "file_system": { "write": [outside.to_string_lossy()] } });
        let input = json!({
            "cmd": format!("touch {}", file.display()),
            "sandbox_permissions": "with_additional_permissions",
            "justification": "It writes there",
            "additional_permissions": more,
        });
        Call::new("exec_command", input)
    };
    let prompt = codex.calls(asks("one")).await;
    assert!(prompt.description.contains("outside"), "the rule is shown: {prompt:?}");
    codex.choose(&prompt, ONCE).await;
    codex.result(1).await;
    assert!(outside.join("one").exists());
    codex.is_ready().await;
    let prompt = codex.calls(asks("two")).await;
    codex.choose(&prompt, "No").await;
    codex.is_ready().await;
    assert!(!outside.join("two").exists());
}

#[tokio::test]
async fn what_a_terminal_is_given_is_asked() {
    skip_if!(version().features.lacks(Feature::TerminalInput));
    let mut codex = Codex::new().await;
    let start = Call::new(
        "exec_command",
        json!({
            "cmd": "cat > typed", "tty": true, "yield_time_ms": 500,
            "sandbox_permissions": "require_escalated", "justification": "It waits for words",
        }),
    );
    let give = |words: &'static str| Turn::made_from(move |request| Turn::tools([stdin(request, words)]));
    codex.turns([Turn::tools([start]), give("hello there\n"), give("not this\n"), Turn::say("Done.")]).await;
    let prompt = codex.prompt().await;
    codex.choose(&prompt, ONCE).await;
    let prompt = codex.prompt().await;
    assert_eq!(prompt.tool_name.as_deref(), Some("write_stdin"), "{prompt:?}");
    assert_eq!(prompt.tool_input, Some(json!("hello there\n")), "{prompt:?}");
    codex.choose(&prompt, "Yes").await;
    codex.result(2).await;
    let prompt = codex.prompt().await;
    assert_eq!(codex.file("typed"), "hello there\n");
    codex.choose(&prompt, "No").await;
    codex.is_ready().await;
    assert_eq!(codex.file("typed"), "hello there\n");
}

/// A call that types into the terminal which the last command has opened.
fn stdin(request: &Request, words: &str) -> Call {
    let body = request.body.to_string();
    let number = body.rsplit("session ID ").next().expect("its number");
    let number: u32 = number.chars().take_while(char::is_ascii_digit).collect::<String>().parse().expect("its number");
    Call::new("write_stdin", json!({ "session_id": number, "chars": words, "yield_time_ms": 500 }))
}

#[tokio::test]
async fn a_sub_agent_asks() {
    // The newest models speak to other agents in a code of their own.
    let mut codex = Codex::with(PermissionMode::Ask, &["model=\"gpt-5.1-codex\""], |_| {}).await;
    let told = "make the file of the other agent";
    codex.live.model.script(told, [Turn::tools([shell("touch from-below")]), Turn::say("I made it.")]);
    let tool = move |name: &str, input: serde_json::Value| {
        let call = Call::new(name, input);
        if version().features.has(Feature::Namespaces) { call.in_namespace("multi_agent_v1") } else { call }
    };
    let spawn = tool("spawn_agent", json!({ "message": told, "agent_type": "default" }));
    let wait = Turn::made_from(move |request| {
        Turn::tools([tool("wait_agent", json!({ "targets": [agent_of(request)], "timeout_ms": 60_000 }))])
    });
    codex.turns([Turn::tools([spawn]), wait, Turn::say("It is made.")]).await;
    let prompt = codex.prompt().await;
    assert!(prompt.agent.is_some(), "{prompt:?}");
    assert!(!codex.has("from-below"));
    codex.choose(&prompt, ONCE).await;
    codex.live.model.wait_user_text("go on").await;
    codex.is_ready().await;
    assert!(codex.has("from-below"));
}

/// The id of the agent that was set to work last.
fn agent_of(request: &Request) -> String {
    let body = request.body.to_string().replace('\\', "");
    let id = body.rsplit("\"agent_id\":\"").next().expect("an agent");
    id.chars().take_while(|ch| *ch != '"').collect()
}

#[tokio::test]
async fn two_at_once_are_asked_one_after_the_other() {
    let mut codex = Codex::new().await;
    let calls = ["touch one", "touch two"].map(shell);
    codex.turns([Turn::tools(calls), Turn::say("Both are done.")]).await;
    let first = codex.prompt().await;
    let other = if first.tool_input == Some(json!("touch one")) { "touch two" } else { "touch one" };
    codex.choose(&first, ONCE).await;
    let second = codex.prompt().await;
    assert_ne!(second.request_id, first.request_id);
    assert_eq!(second.tool_input, Some(json!(other)));
    codex.choose(&second, ONCE).await;
    codex.result(2).await;
    assert!(codex.has("one") && codex.has("two"));
    codex.is_ready().await;

    // Two that read alike are two.
    let calls = ["echo once >> three", "echo once >> three"].map(shell);
    codex.turns([Turn::tools(calls), Turn::say("Both are done.")]).await;
    let first = codex.prompt().await;
    codex.choose(&first, ONCE).await;
    let second = codex.prompt().await;
    assert_ne!(second.request_id, first.request_id);
    codex.choose(&second, ONCE).await;
    codex.result(4).await;
    assert_eq!(codex.file("three"), "once\nonce\n");
    codex.is_ready().await;

    // The first refusal stops them both.
    let calls = ["touch four", "touch five"].map(shell);
    codex.turns([Turn::tools(calls), Turn::say("Both are done.")]).await;
    let first = codex.prompt().await;
    codex.choose(&first, NO).await;
    if !version().features.has(Feature::RefusalEndsTurn) {
        let second = codex.prompt().await;
        codex.choose(&second, NO).await;
    }
    codex.is_ready().await;
    assert!(!codex.has("four") && !codex.has("five"));
}

/// The diff of the prompt leads from one text to the other, no more and no less.
fn shows_change(prompt: &InteractivePrompt, name: &str, before: &str, after: &str) {
    let diff = prompt.diff.as_deref().unwrap_or_default();
    let [FileDiff { path, unified }] = diff else { panic!("one file: {diff:?}") };
    assert!(path.ends_with(name), "{path}");
    let side = |without: char| -> Vec<&str> {
        let lines = unified.lines().filter(|line| !line.starts_with("@@") && !line.starts_with(without));
        lines.map(|line| line.get(1..).unwrap_or_default()).collect()
    };
    // What it shows of each side stands there in one piece.
    let holds = |text: &str, part: Vec<&str>| text.contains(&part.join("\n"));
    assert!(holds(before, side('+')), "{unified}");
    assert!(holds(after, side('-')), "{unified}");
    let counted = |sign: char| unified.lines().filter(|line| line.starts_with(sign)).count();
    let lines = |text: &str| text.lines().count();
    assert_eq!(lines(before) + counted('+'), lines(after) + counted('-'), "{unified}");
    assert!(counted('+') > 0, "{unified}");
}
