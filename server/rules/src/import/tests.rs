use super::*;
use crate::{Request, State, judge};

fn texts(imported: &Imported) -> Vec<(Verdict, &str)> {
    imported.rules.rules.iter().map(|rule| (rule.verdict, rule.text.as_str())).collect()
}

#[test]
fn claude_permissions_are_translated_or_listed() {
    let imported = claude(
        r#"{"permissions": {"allow": ["Bash(git status:*)", "Read(/src/**)", "Bash(python:*)", "Bash", "Skill(x)"], "deny": ["Read(/etc/**)"], "defaultMode": "acceptEdits"}}"#,
    );
    assert_eq!(
        texts(&imported),
        [(Verdict::Allow, "Bash(git status:*)"), (Verdict::Allow, "Read(./src/**)"), (Verdict::Deny, "Read(/etc/**)")]
    );
    let left: Vec<&str> = imported.left_out.iter().map(|left| left.text.as_str()).collect();
    assert_eq!(left, ["Bash(python:*)", "Bash", "Skill(x)", "defaultMode: \"acceptEdits\""]);
    assert!(imported.left_out.iter().all(|left| !left.reason.is_empty()));
}

#[test]
fn codex_prefix_rules_are_translated_or_listed() {
    let imported = codex(
        r#"
# what git may do
prefix_rule(pattern = ["git", ["status", "log"]], decision = "allow", match = ["git status"])
prefix_rule(pattern = ["rm"], decision = "forbidden", justification = "move it to .trash instead")
prefix_rule(pattern = ["npm", "publish"], decision = "prompt")
prefix_rule(pattern = ["python3"])
prefix_rule(pattern = ["echo", "a b*"])
host_executable(name = "git")
prefix_rule(pattern = WORDS)
"#,
    );
    assert_eq!(
        texts(&imported),
        [
            (Verdict::Allow, "Bash(git status:*)"),
            (Verdict::Allow, "Bash(git log:*)"),
            (Verdict::Deny, "Bash(rm:*)"),
            (Verdict::Ask, "Bash(npm publish:*)"),
            (Verdict::Allow, "Bash(echo a\\ b\\*:*)"),
        ]
    );
    assert_eq!(imported.rules.rules[2].message.as_deref(), Some("move it to .trash instead"));
    assert_eq!(imported.left_out.len(), 3, "{:?}", imported.left_out);
    let judged =
        |command: &str| judge(&Request::command(command, "/w/p"), &imported.rules, &State::default(), 0).verdict;
    assert_eq!(judged("echo 'a b*' c"), Verdict::Allow);
    assert_eq!(judged("echo 'a bc'"), Verdict::Ask);
}

#[test]
fn gemini_policies_are_translated_or_listed() {
    let imported = gemini(
        r#"
[[rule]]
toolName = "run_shell_command"
commandPrefix = ["git status", "git log"]
decision = "allow"
priority = 100

[[rule]]
toolName = "run_shell_command"
commandRegex = "git (status|log)"
decision = "allow"

[[rule]]
mcpName = "github"
toolName = "get_issue"
decision = "allow"

[[rule]]
toolName = "write_file"
decision = "deny"
denyMessage = "ask first"

[[rule]]
toolName = "run_shell_command"
decision = "allow"

[[rule]]
toolName = "run_shell_command"
commandPrefix = "ls"
decision = "allow"
modes = ["yolo"]
"#,
    );
    assert_eq!(
        texts(&imported),
        [
            (Verdict::Allow, "Bash(git status:*)"),
            (Verdict::Allow, "Bash(git log:*)"),
            (Verdict::Allow, "mcp__github__get_issue"),
            (Verdict::Deny, "write_file"),
        ]
    );
    assert_eq!(imported.left_out.len(), 3, "{:?}", imported.left_out);
    assert_eq!(imported.rules.rules[3].message.as_deref(), Some("ask first"));
}

#[test]
fn nothing_is_wider_than_the_file_it_came_from() {
    // What only may run, what stands in a text, and a condition that is not known.
    let imported = codex(
        r#"
"""
prefix_rule(pattern = ["ls"])
"""
note = 'prefix_rule(pattern = ["ls"])'
def unused():
    prefix_rule(pattern = ["ls"])
prefix_rule(pattern = ["ls"], only_in = "a")
"#,
    );
    assert!(imported.rules.rules.is_empty(), "{imported:?}");
    assert_eq!(imported.left_out.iter().filter(|left| left.text.starts_with("prefix_rule")).count(), 2, "{imported:?}");
    // A rule that is stricter and cannot be said takes what the file allows of the same tool with it.
    let imported = codex("prefix_rule(pattern = [\"git\"])\nprefix_rule(pattern = WORDS, decision = \"forbidden\")\n");
    assert!(imported.rules.rules.is_empty(), "{imported:?}");
    let imported = gemini(
        r#"
[[rule]]
toolName = "run_shell_command"
commandPrefix = "git"
decision = "allow"

[[rule]]
toolName = "run_shell_command"
commandRegex = "git push.*"
decision = "deny"

[[rule]]
toolName = "web_fetch"
decision = "ask_user"

[[rule]]
mcpName = "github"
toolName = "get_issue"
decision = "allow"
"#,
    );
    assert_eq!(texts(&imported), [(Verdict::Ask, "web_fetch"), (Verdict::Allow, "mcp__github__get_issue")]);
    let imported =
        claude(r#"{"permissions": {"allow": ["Bash(git:*)", "Read(src/**)"], "deny": ["Bash(git 'push:*)"]}}"#);
    assert_eq!(texts(&imported), [(Verdict::Allow, "Read(src/**)")]);
}

#[test]
fn a_refused_prefix_reaches_as_far_as_in_gemini() {
    let imported =
        gemini("[[rule]]\ntoolName = \"run_shell_command\"\ncommandPrefix = \"git pu\"\ndecision = \"deny\"\n");
    let judged = judge(&Request::command("git push origin", "/w/p"), &imported.rules, &State::default(), 0).verdict;
    assert_eq!(judged, Verdict::Deny);
}

#[test]
fn broken_files_import_nothing_and_say_so() {
    for text in [
        "",
        "x",
        "{",
        "[[rule]",
        "prefix_rule(",
        "prefix_rule(pattern = [",
        "\u{0}(",
        "((((",
        "[]",
        "{\"permissions\": 1}",
    ] {
        for imported in [claude(text), codex(text), gemini(text)] {
            assert!(imported.rules.rules.is_empty(), "{text}");
        }
    }
}
