//! Settings that switch hooks off: a repository's are not heard, the person's own are, and the session says so.

use std::fs;

use serde_json::json;
use shared_types::{InteractivePrompt, PermissionMode, PromptSource};

use super::{Claude, Way, shell};

const OFF: &str = r#"{ "disableAllHooks": true }"#;

#[tokio::test]
async fn a_repository_cannot_switch_hooks_off() {
    let mut claude = Claude::starting(Way::Hook, PermissionMode::Ask, |live| {
        fs::create_dir(live.project().join(".claude")).expect("a folder");
        fs::write(live.project().join(".claude/settings.json"), OFF).expect("the project's settings");
    })
    .await;
    claude.trusts_the_folder("disableAllHooks").await;
    // Settings of a repository might have brought the key along, so that is asked as well.
    let (session, answered) = (claude.session, claude.answered.clone());
    let asks_next = |prompt: &InteractivePrompt| !answered.contains(&prompt.request_id);
    let prompt = claude.live.phone.wait_prompt_like("the question about the key", session, asks_next).await;
    assert!(prompt.title.contains("API key") && prompt.would_run.is_some(), "{prompt:?}");
    claude.choose(&prompt, "Yes").await;
    claude.is_ready().await;
    // Waits for what the hook tells.
    let prompt = claude.calls("Bash", shell("touch made")).await;
    assert_eq!(claude.live.phone.session(claude.session).screen_only, None);
    claude.choose(&prompt, "Yes").await;
    claude.makes("made").await;
}

#[tokio::test]
async fn the_persons_own_choice_is_kept_and_the_session_marked() {
    let mut claude = Claude::starting(Way::Hook, PermissionMode::Ask, |live| {
        fs::create_dir_all(live.home().join(".claude")).expect("a folder");
        fs::write(live.home().join(".claude/settings.json"), OFF).expect("the person's settings");
    })
    .await;
    claude.is_ready().await;
    claude.way = Way::Keys;
    let prompt = claude.calls("Bash", shell("touch made")).await;
    assert_eq!((prompt.source, prompt.tool_input.clone()), (Some(PromptSource::Screen), Some(json!("touch made"))));
    let session = claude.session;
    claude
        .live
        .phone
        .wait_session("marked as read from the screen only", session, |it| it.screen_only == Some(true))
        .await;
    claude.choose(&prompt, "Yes").await;
    claude.makes("made").await;
}
