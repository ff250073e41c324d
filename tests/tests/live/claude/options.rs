//! Options that no other story chooses: of searches, of commands that only read, of auto mode, of a project's servers, and of a plan
//! that was never written.

use answerback_tests::{model::Turn, skip_if};
use serde_json::json;
use shared_types::{PermissionMode, PromptKind};

use super::{
    Claude, Way, both_ways, shell,
    versions::{Feature, version},
};

both_ways! {
    a_search_is_made_once_for_good_and_not_at_all;
    a_new_file_lets_edits_be_accepted;
    a_folder_is_opened_for_commands_that_read;
    a_plan_that_was_never_written_is_left;
}

async fn a_search_is_made_once_for_good_and_not_at_all(way: Way) {
    let mut claude = Claude::new(way).await;
    let search = |query: &str| json!({ "query": query });
    let prompt = claude.calls("WebSearch", search("herons")).await;
    assert_eq!(prompt.kind, PromptKind::Permission);
    claude.choose(&prompt, "Yes").await;
    // The search itself is the model's to make, and this one finds nothing.
    assert!(claude.result(1).await.text.contains("herons"));
    claude.is_ready().await;
    let prompt = claude.calls("WebSearch", search("storks")).await;
    if way == Way::Keys && !version().features.has(Feature::PlainNo) {
        // That dialog takes no text: the turn ends, and the model hears of it with the next message.
        claude.choose(&prompt, version().no_with_words).await;
    } else {
        claude.say(&prompt, version().no_with_words, "look it up in a book").await;
        assert!(claude.result(2).await.text.contains("look it up in a book"));
    }
    claude.is_ready().await;
    let prompt = claude.calls("WebSearch", search("cranes")).await;
    claude.choose(&prompt, "don't ask again").await;
    claude.result(3).await;
    claude.is_ready().await;
    claude.turns([Turn::tool("WebSearch", search("swans")), Turn::say("Done.")]).await;
    assert!(claude.result(4).await.text.contains("swans"), "it was not asked again");
}

async fn a_new_file_lets_edits_be_accepted(way: Way) {
    let mut claude = Claude::new(way).await;
    let write = |claude: &Claude, name: &str| json!({ "file_path": claude.path(name), "content": "hello\n" });
    let input = write(&claude, "first.txt");
    let prompt = claude.calls("Write", input).await;
    claude.choose(&prompt, version().all_edits).await;
    claude.result(1).await;
    assert!(claude.has("first.txt"));
    claude.is_in_mode(PermissionMode::AcceptEdits).await;
    claude.is_ready().await;
    let input = write(&claude, "second.txt");
    claude.turns([Turn::tool("Write", input), Turn::say("Done.")]).await;
    claude.result(2).await;
    assert!(claude.has("second.txt"), "it was not asked again");
}

async fn a_folder_is_opened_for_commands_that_read(way: Way) {
    let mut claude = Claude::new(way).await;
    let outside = claude.live.server.home().canonicalize().expect("a folder").join("outside");
    std::fs::create_dir(&outside).expect("a folder outside");
    for name in ["one", "two"] {
        std::fs::write(outside.join(name), format!("the {name} secret")).expect("a file outside");
    }
    let read = |name: &str| shell(&format!("cat {}", outside.join(name).display()));
    let prompt = claude.calls("Bash", read("one")).await;
    claude.choose(&prompt, "allow reading from").await;
    assert!(claude.result(1).await.text.contains("the one secret"));
    claude.is_ready().await;
    if version().features.has(Feature::ApprovesAlike) {
        claude.turns([Turn::tool("Bash", read("two")), Turn::say("Done.")]).await;
        assert!(claude.result(2).await.text.contains("the two secret"), "it was not asked again");
    }
}

async fn a_plan_that_was_never_written_is_left(way: Way) {
    skip_if!(version().features.lacks(Feature::EmptyPlan));
    let mut claude = Claude::in_mode(way, PermissionMode::Plan, |_| {}).await;
    let prompt = claude.calls("ExitPlanMode", json!({})).await;
    claude.choose(&prompt, "No").await;
    claude.is_ready().await;
    claude.is_in_mode(PermissionMode::Plan).await;
    let prompt = claude.calls("ExitPlanMode", json!({})).await;
    claude.choose(&prompt, "Yes").await;
    claude.is_in_mode(PermissionMode::Ask).await;
}

/// Auto mode cannot be had of this model, which Claude says in a dialog that only names keys; from then on it asks, and its
/// refusal comes first.
#[tokio::test]
async fn auto_mode_is_kept_left_or_the_work_is_stopped() {
    skip_if!(version().features.lacks(Feature::AutoMode));
    // What only makes a folder here is not even checked.
    let make = |claude: &Claude, name: &str| {
        claude.put("package.json", &json!({ "scripts": { name: format!("mkdir {name}") } }).to_string());
        [Turn::tool("Bash", shell(&format!("npm run {name}"))), Turn::say("Done.")]
    };
    for (choice, mode) in [("leave for accept edits", PermissionMode::AcceptEdits), ("cancel", PermissionMode::Auto)] {
        let mut claude = Claude::in_mode(Way::Keys, PermissionMode::Auto, |_| {}).await;
        let turns = make(&claude, "never");
        claude.turns(turns).await;
        let prompt = claude.prompt().await;
        claude.choose(&prompt, choice).await;
        claude.is_ready().await;
        claude.is_in_mode(mode).await;
        assert!(!claude.has("never"), "{choice}");
    }
    let mut claude = Claude::in_mode(Way::Keys, PermissionMode::Auto, |_| {}).await;
    let turns = make(&claude, "first");
    claude.turns(turns).await;
    let prompt = claude.prompt().await;
    claude.choose(&prompt, "stay in auto mode").await;
    let prompt = claude.prompt_like("the command", |prompt| prompt.tool_input == Some(json!("npm run first"))).await;
    claude.choose(&prompt, "Yes").await;
    claude.makes("first").await;
    claude.is_ready().await;
    let turns = make(&claude, "second");
    claude.turns(turns).await;
    let prompt = claude.prompt_like("the command", |prompt| prompt.tool_input == Some(json!("npm run second"))).await;
    claude.choose(&prompt, "No").await;
    claude.is_ready().await;
    assert!(!claude.has("second"));
}

#[tokio::test]
async fn servers_of_the_project_are_all_used_or_not_at_all() {
    skip_if!(version().features.lacks(Feature::ProjectServers));
    for (choice, is_used) in [("Use this and all future", true), ("Continue without", false)] {
        let mut claude = Claude::starting(Way::Keys, PermissionMode::Ask, |live| {
            let server = json!({ "mcpServers": { "story": { "command": "touch", "args": ["started"] } } });
            std::fs::write(live.project().join(".mcp.json"), server.to_string()).expect("the project's servers");
        })
        .await;
        claude.trusts_the_folder("touch").await;
        let prompt = claude.prompt().await;
        claude.choose(&prompt, choice).await;
        claude.is_ready().await;
        if is_used {
            claude.makes("started").await;
        }
        claude.turns([Turn::say("Here I am.")]).await;
        claude.live.model.wait_user_text("round 1").await;
        assert_eq!(claude.has("started"), is_used, "{choice}");
    }
}
