//! Plans: approved in each way that the dialog offers, or sent back with what to change.

use answerback_tests::model::{Request, Turn};
use serde_json::json;
use shared_types::{InteractivePrompt, PermissionMode, PromptKind};

use super::{Claude, Way, both_ways, versions::version};

both_ways! {
    a_plan_is_sent_back_and_then_approved_with_care;
    a_plan_is_approved_freely;
}

const PLAN: &str = "# Plan: add a login page\n\n1. Create the page\n2. Add a route\n\n## Check\n- run the tests\n";

/// The file that Claude wants the plan in, which it names in a reminder of its own.
fn plan_file(request: &Request) -> String {
    let body = request.body.to_string();
    let end = body.find("/plans/").map(|at| at + "/plans/".len()).expect("a plan file");
    let begin = body[..end].rfind(|ch: char| ch.is_whitespace() || ch == '"' || ch == '`').map_or(0, |at| at + 1);
    let rest = body[end..].find(".md").map(|at| end + at + 3).expect("its name");
    body[begin..rest].to_owned()
}

async fn planned(way: Way) -> (Claude, InteractivePrompt) {
    let mut claude = Claude::in_mode(way, PermissionMode::Plan, |_| {}).await;
    let prompt = plan(&mut claude).await;
    (claude, prompt)
}

async fn plan(claude: &mut Claude) -> InteractivePrompt {
    let approve = Turn::tool("ExitPlanMode", json!({ "plan": PLAN }));
    let write =
        Turn::made_from(|request| Turn::tool("Write", json!({ "file_path": plan_file(request), "content": PLAN })));
    claude.turns([write, approve, Turn::say("I begin.")]).await;
    let prompt = claude.prompt_like("a plan with its text", |prompt| prompt.plan.is_some()).await;
    assert_eq!(prompt.kind, PromptKind::Plan);
    let shown = prompt.plan.clone().unwrap_or_default();
    assert!(shown.contains("Create the page") && shown.contains("run the tests"), "{prompt:?}");
    if claude.way == Way::Hook {
        assert_eq!(shown.trim_end(), PLAN.trim_end());
    }
    prompt
}

async fn a_plan_is_sent_back_and_then_approved_with_care(way: Way) {
    let (mut claude, prompt) = planned(way).await;
    claude.say(&prompt, "what to change", "smaller steps, please").await;
    let told = claude.result(2).await;
    assert!(told.text.contains("smaller steps, please"), "{told:?}");
    claude.is_ready().await;
    claude.is_in_mode(PermissionMode::Plan).await;

    let prompt = plan(&mut claude).await;
    claude.choose(&prompt, "manually approve").await;
    let told = claude.result(4).await;
    assert!(told.text.contains("approved"), "{told:?}");
    claude.is_in_mode(PermissionMode::Ask).await;
}

async fn a_plan_is_approved_freely(way: Way) {
    let (mut claude, prompt) = planned(way).await;
    let (free, mode) = version().follow_freely;
    claude.choose(&prompt, free).await;
    let told = claude.result(2).await;
    assert!(told.text.contains("approved"), "{told:?}");
    claude.is_in_mode(mode).await;
}
