//! Plans.

use answerback_tests::{model::Turn, skip_if};
use serde_json::json;
use shared_types::{PermissionMode, PromptKind, Session};

use super::{Copilot, YES, is_made, not_here, shell};

#[tokio::test]
async fn a_plan_is_talked_about_and_then_followed() {
    skip_if!(not_here());
    let mut copilot = Copilot::in_mode(PermissionMode::Plan, |_| {}).await;
    let propose = || {
        let summary = "- Make the file\n- Look at it";
        let actions = ["autopilot", "interactive", "exit_only"];
        Turn::tool(
            "exit_plan_mode",
            json!({ "summary": summary, "actions": actions, "recommendedAction": "interactive" }),
        )
    };
    let work = Turn::tool("bash", shell("touch planned"));
    copilot.turns([propose(), propose(), work, Turn::say("It is done.")]).await;
    let prompt = copilot.prompt().await;
    assert_eq!(prompt.kind, PromptKind::Plan);
    assert!(prompt.plan.as_deref().is_some_and(|plan| plan.contains("Look at it")), "{prompt:?}");
    copilot.say(&prompt, "Suggest changes", "and clean up after it").await;
    assert!(copilot.result(1).await.text.contains("and clean up after it"));
    let prompt = copilot.prompt_like("the plan again", |prompt| prompt.kind == PromptKind::Plan).await;
    copilot.choose(&prompt, "Accept plan and continue in Interactive").await;
    // By hand means that the work itself is asked about.
    let prompt = copilot.prompt_like("the work", |prompt| prompt.kind == PromptKind::Permission).await;
    copilot.choose(&prompt, YES).await;
    is_made(&copilot, "planned").await;
    copilot.is_ready().await;
    let asks = |session: &Session| session.mode == Some(PermissionMode::Ask);
    copilot.live.phone.wait_session("the mode", copilot.session, asks).await;
}
