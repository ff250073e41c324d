//! Plans, loops and limits.

use answerback_tests::{model::Turn, skip_if};
use serde_json::json;
use shared_types::{InteractivePrompt, PermissionMode, PromptKind, PromptOutcome};

use super::{
    Gemini, labels, shell,
    versions::{Feature, version},
};

/// The model writes a plan and asks for approval, after feedback once more.
fn planning(times: usize) -> Vec<Turn> {
    let steps: Vec<String> = (1..5).map(|step| format!("{step}. Do step {step}.")).collect();
    let plan = format!("# Add a greeting\n\n{}\n", steps.join("\n"));
    let write = Turn::tool("write_file", json!({ "file_path": "the-plan.md", "content": plan }));
    let exit = || Turn::tool("exit_plan_mode", json!({ "plan_filename": "the-plan.md" }));
    let ask = (0..times).map(|_| exit());
    let work = Turn::tool("write_file", json!({ "file_path": "greeting.txt", "content": "hello\n" }));
    [write].into_iter().chain(ask).chain([work, Turn::say("That is done.")]).collect()
}

#[tokio::test]
async fn a_plan_is_talked_about_and_then_followed() {
    skip_if!(version().features.lacks(Feature::PlanMode));
    let mut gemini = Gemini::in_mode(PermissionMode::Plan, |_| {}).await;
    gemini.turns(planning(2)).await;
    let prompt = gemini.prompt().await;
    assert_eq!(prompt.kind, PromptKind::Plan);
    assert!(prompt.plan.as_deref().is_some_and(|plan| plan.contains("Do step 4.")), "{prompt:?}");
    gemini.say(&prompt, "Type your feedback", "say goodbye as well").await;
    let told = gemini.live.model.wait_tool_results(2).await;
    assert!(told[1].text.contains("say goodbye as well"), "{told:?}");
    let prompt = gemini.prompt().await;
    gemini.choose(&prompt, "manually accept edits").await;
    // By hand means that the work itself is asked about.
    let prompt = gemini.prompt_like("the work", |prompt| prompt.kind == PromptKind::Permission).await;
    gemini.choose(&prompt, "Allow once").await;
    gemini.is_ready().await;
    assert_eq!(gemini.file("greeting.txt"), "hello\n");
    // Back into planning, which the model may only propose.
    let enter = |reason: &str| Turn::tool("enter_plan_mode", json!({ "reason": reason }));
    gemini.turns([enter("It is complex."), Turn::say("Never said.")]).await;
    let prompt = gemini.prompt().await;
    gemini.choose(&prompt, "No, suggest changes").await;
    gemini.is_ready().await;
    gemini.turns([enter("It is complex.")].into_iter().chain(planning(1))).await;
    let prompt = gemini.prompt().await;
    gemini.choose(&prompt, "Allow once").await;
    let prompt = gemini.prompt_like("the plan", |prompt| prompt.kind == PromptKind::Plan).await;
    gemini.choose(&prompt, "automatically accept edits").await;
    // Nobody is asked about the work this time.
    gemini.is_ready().await;
    let results = gemini.live.model.tool_results();
    assert!(results.last().is_some_and(|result| result.text.contains("greeting.txt")), "{results:?}");
    // Once and for all: the next proposal is not asked about.
    gemini.turns([enter("It is complex.")].into_iter().chain(planning(1))).await;
    let prompt = gemini.prompt_like("to be asked again", |prompt| prompt.kind == PromptKind::Permission).await;
    gemini.choose(&prompt, "Allow for this session").await;
    let prompt = gemini.prompt_like("the plan", |prompt| prompt.kind == PromptKind::Plan).await;
    gemini.choose(&prompt, "automatically accept edits").await;
    gemini.is_ready().await;
    gemini.turns([enter("It is complex.")].into_iter().chain(planning(1))).await;
    let prompt = gemini.prompt().await;
    assert_eq!(prompt.kind, PromptKind::Plan, "{prompt:?}");
    gemini.choose(&prompt, "automatically accept edits").await;
    gemini.is_ready().await;
}

#[tokio::test]
async fn loops_and_limits() {
    let mut gemini = Gemini::new().await;
    gemini.put("a.txt", "one\n");
    let read = || Turn::tool("read_file", json!({ "file_path": "a.txt" }));
    // Both ways of the dialog: once it stops the work, once the work goes on until the model has done.
    let looping = || (0..16).map(|_| read()).chain([Turn::say("I am out of the loop.")]);
    gemini.turns(looping()).await;
    let is_loop = |prompt: &InteractivePrompt| prompt.kind == PromptKind::LoopDetected;
    let prompt = gemini.prompt_like("the loop", is_loop).await;
    assert_eq!(labels(&prompt).len(), 2, "{prompt:?}");
    gemini.choose(&prompt, "Keep loop detection enabled").await;
    gemini.is_ready().await;
    let so_far = gemini.live.model.tool_results().len();
    assert!(so_far < 16, "it went on: {so_far}");
    gemini.turns(looping()).await;
    let prompt = gemini.prompt_like("the loop", is_loop).await;
    gemini.choose(&prompt, "Disable loop detection").await;
    gemini.live.phone.wait_message(gemini.session, "I am out of the loop.").await;
    gemini.is_ready().await;
    if version().features.has(Feature::Limits) {
        for (choice, goes_on) in [("Stop", false), ("Keep trying", true)] {
            gemini.turns([limit(), Turn::tool("run_shell_command", shell("touch made")), Turn::say("Done.")]).await;
            let prompt = gemini.prompt_like("the limit", |prompt| prompt.title.contains("limit")).await;
            gemini.choose(&prompt, choice).await;
            if goes_on {
                let prompt = gemini.prompt().await;
                gemini.choose(&prompt, "Allow once").await;
            }
            gemini.is_ready().await;
            assert_eq!(gemini.has("made"), goes_on);
        }
        // One that is answered at the desk.
        let prompt = gemini.calls("run_shell_command", shell("touch other")).await;
        gemini.press_at_the_desk("1");
        assert_eq!(gemini.live.phone.wait_closed(prompt.request_id).await, PromptOutcome::Gone);
        gemini.is_ready().await;
        assert!(gemini.has("other"));
    }
}

/// The vendor's error for a day's use that is used up; the CLI decides by its details what to ask.
fn limit() -> Turn {
    let violation = json!({
        "quotaMetric": "generativelanguage.googleapis.com/generate_content_free_tier_requests",
        "quotaId": "GenerateRequestsPerDayPerProjectPerModel-FreeTier",
        "quotaDimensions": { "model": "gemini-2.5-flash", "location": "global" },
        "quotaValue": "50",
    });
    let details = json!([{ "@type": "type.googleapis.com/google.rpc.QuotaFailure", "violations": [violation] }]);
    let message = "You exceeded your current quota, please check your plan and billing details.";
    let error = json!({ "code": 429, "message": message, "status": "RESOURCE_EXHAUSTED", "details": details });
    Turn::error(429, &json!({ "error": error }).to_string())
}
