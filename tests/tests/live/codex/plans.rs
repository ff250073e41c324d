//! Plans, and the offer of another model when the limits come near.

use answerback_tests::{
    model::{Item, Turn},
    skip_if,
};
use shared_types::{InteractivePrompt, PromptKind};

use super::{
    Codex,
    versions::{Feature, version},
};

const PLAN: &str =
    "Here it is.\n\n<proposed_plan>\n# Add a greeting\n\n1. Print hello.\n2. Add a test.\n</proposed_plan>\n";

/// A plan that waits to be approved. Plan mode has no switch at the start.
async fn planned(codex: &mut Codex) -> InteractivePrompt {
    codex.turns([Turn::say(PLAN)]).await;
    let prompt = codex.prompt().await;
    assert_eq!(prompt.kind, PromptKind::Plan, "{prompt:?}");
    let plan = prompt.plan.clone().unwrap_or_default();
    assert!(plan.contains("Print hello.") && plan.contains("Add a test."), "{prompt:?}");
    prompt
}

async fn in_plan_mode() -> Codex {
    let mut codex = Codex::new().await;
    // The key for it is deaf while the CLI loads behind its composer; a command is seen to be taken.
    codex.live.phone.send(codex.session, "/plan").await;
    codex.shows("Plan mode").await;
    codex.is_ready().await;
    codex
}

#[tokio::test]
async fn a_plan_is_talked_over_and_then_carried_out() {
    let mut codex = in_plan_mode().await;
    let prompt = planned(&mut codex).await;
    codex.choose(&prompt, "No, stay in Plan mode").await;
    codex.is_ready().await;
    assert_eq!(codex.live.model.user_texts().iter().filter(|text| text.contains("Implement")).count(), 0);

    codex.live.model.script("Implement the plan", [Turn::say("I have begun.")]);
    let prompt = planned(&mut codex).await;
    codex.choose(&prompt, "Yes, implement this plan").await;
    codex.live.model.wait_user_text("Implement the plan").await;
    codex.is_ready().await;
    assert!(!codex.live.screens().contains("Plan mode ("), "{}", codex.live.screens());
}

#[tokio::test]
async fn a_plan_is_carried_out_with_a_clear_mind() {
    skip_if!(version().features.lacks(Feature::ClearContext));
    let mut codex = in_plan_mode().await;
    let prompt = planned(&mut codex).await;
    for words in ["Add a greeting", "approved plan"] {
        codex.live.model.script(words, [Turn::say("I have begun.")]);
    }
    codex.choose(&prompt, "clear context").await;
    let holds_plan = |text: &String| text.contains("Add a greeting") || plan_file(text).contains("Add a greeting");
    let told = codex.live.model.wait("the plan alone", |model| model.user_texts().into_iter().find(holds_plan)).await;
    let conversations = codex.live.model.requests().into_iter().map(|request| request.items);
    let with_plan = |items: &Vec<Item>| items.iter().any(|item| matches!(item, Item::User(text) if *text == told));
    let fresh: Vec<_> = conversations.filter(with_plan).collect();
    assert!(!fresh.is_empty() && !format!("{fresh:?}").contains("go on with round"), "a new conversation: {fresh:?}");
}

/// The plan in the file that a message names: 0.169 hands it over like that.
fn plan_file(message: &str) -> String {
    let path = message.split_whitespace().find(|word| word.starts_with('/') && word.ends_with(".md"));
    path.and_then(|path| std::fs::read_to_string(path).ok()).unwrap_or_default()
}

/// A turn after which little is left.
fn nearly_used_up() -> Turn {
    let mut turn = Turn::say("That was a lot.");
    for (name, value) in [
        ("primary-used-percent", "92.0"),
        ("primary-window-minutes", "300"),
        ("primary-reset-at", "1994999999"),
        ("secondary-used-percent", "95"),
        ("secondary-window-minutes", "10080"),
        ("secondary-reset-at", "1995999999"),
    ] {
        turn = turn.header(&format!("x-codex-{name}"), value);
    }
    turn
}

#[tokio::test]
async fn another_model_is_offered_near_the_limits() {
    for (label, changes) in [("Switch to", true), ("Keep current model", false), ("never show again", false)] {
        let mut codex = Codex::new().await;
        codex.turns([nearly_used_up()]).await;
        let prompt = codex.prompt().await;
        assert!(prompt.title.contains("rate limits"), "{prompt:?}");
        codex.choose(&prompt, label).await;
        codex.is_ready().await;
        codex.turns([Turn::say("As you like.")]).await;
        codex.live.model.wait_user_text("round 2;").await;
        let models: Vec<String> =
            codex.live.model.requests().iter().map(|request| request.body["model"].to_string()).collect();
        assert_eq!(models.first() != models.last(), changes, "{models:?}");
    }
}
