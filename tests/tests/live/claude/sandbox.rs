//! A command in Claude Code's own sandbox that wants to reach somebody outside.

use std::process::{Command, Stdio};

use answerback_tests::skip_if;
use serde_json::json;
use shared_types::{InteractivePrompt, OptionRole, PermissionMode, PromptKind};

use super::{
    Claude, Way, find_option, shell,
    versions::{Feature, version},
};

impl Claude {
    /// Lets the model fetch a page, and waits for the question whether it may.
    async fn reaches_for(&mut self, host: &str) -> InteractivePrompt {
        let prompt = self.calls("Bash", shell(&format!("curl -sS -m 30 http://{host}/page"))).await;
        let said = format!("{} {} {:?}", prompt.title, prompt.description, prompt.tool_input);
        assert!(prompt.kind == PromptKind::Permission && said.contains(host), "{prompt:?}");
        prompt
    }
}

/// Whether the machine can build that sandbox. What it is made of is not installed for it: where Codex finds a bubblewrap, it takes
/// that instead of its own, and cannot use old ones.
fn no_sandbox() -> Option<&'static str> {
    let runs = |program: &str, args: &[&str]| {
        let mut command = Command::new(program);
        command.args(args).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    let boxed = ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--unshare-pid", "--unshare-net", "true"];
    let is_there = !cfg!(target_os = "linux") || runs("socat", &["-V"]) && runs("bwrap", &boxed);
    (!is_there).then_some("the machine has no bubblewrap and socat that work")
}

#[tokio::test]
async fn a_connection_out_of_the_sandbox_not_at_all_once_and_always() {
    skip_if!(no_sandbox());
    skip_if!(version().features.lacks(Feature::SandboxAsks));
    let mut claude = Claude::in_mode(Way::Keys, PermissionMode::Ask, |live| {
        let settings = json!({ "sandbox": { "enabled": true, "autoAllowBashIfSandboxed": true } });
        std::fs::create_dir_all(live.home().join(".claude")).expect("the folder of its settings");
        std::fs::write(live.home().join(".claude/settings.json"), settings.to_string()).expect("its settings");
    })
    .await;
    // Nobody has these names: the sandbox's own proxy says so, once it was allowed to ask.
    let tried = "Bad Gateway";
    let prompt = claude.reaches_for("one.example").await;
    assert_eq!(find_option(&prompt, "No").and_then(|option| option.role), Some(OptionRole::Deny), "{prompt:?}");
    claude.choose(&prompt, "No").await;
    let refused = claude.result(1).await.text;
    assert!(refused.contains("blocked") && !refused.contains(tried), "{refused}");
    claude.is_ready().await;

    let prompt = claude.reaches_for("two.example").await;
    claude.choose(&prompt, "Yes").await;
    assert!(claude.result(2).await.text.contains(tried));
    claude.is_ready().await;

    let prompt = claude.reaches_for("three.example").await;
    claude.choose(&prompt, "don't ask again").await;
    assert!(claude.result(3).await.text.contains(tried));
    claude.is_ready().await;
    assert!(claude.file(".claude/settings.local.json").contains("three.example"));
}
