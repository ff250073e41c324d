//! Permissions: what was allowed happens, what was refused does not, and the model hears of it.

use answerback_tests::model::{Call, Turn};
use serde_json::json;
use shared_types::{OptionRole, PromptResponse};

use super::{OpenCode, shell};
use crate::basics;

#[tokio::test]
async fn a_command_that_is_allowed_runs() {
    basics::runs_what_is_allowed(answerback_tests::Cli::OpenCode).await;
}

#[tokio::test]
async fn a_command_that_is_refused_does_not_run() {
    basics::runs_nothing_that_is_denied(answerback_tests::Cli::OpenCode).await;
}

#[tokio::test]
async fn a_change_is_shown_and_made_when_it_is_allowed() {
    let mut opencode = OpenCode::new().await;
    let path = opencode.live.project().join("notes.md");
    let write = Call::new("write", json!({ "filePath": path, "content": "one\ntwo\n" }));
    let prompt = opencode.calls(write).await;
    let diff = &prompt.diff.as_deref().expect("a change")[0];
    assert_eq!((diff.path.as_str(), diff.unified.as_str()), ("notes.md", "@@ -0,0 +1,2 @@\n+one\n+two"), "{prompt:?}");
    opencode.choose(&prompt, OptionRole::Allow).await;
    opencode.is_ready().await;
    assert_eq!(opencode.file("notes.md"), "one\ntwo\n");

    let edit = Call::new("edit", json!({ "filePath": path, "oldString": "two", "newString": "three" }));
    let prompt = opencode.calls(edit).await;
    let diff = &prompt.diff.as_deref().expect("a change")[0];
    assert!(diff.unified.contains("-two\n+three"), "{prompt:?}");
    opencode.choose(&prompt, OptionRole::Deny).await;
    opencode.is_ready().await;
    assert_eq!(opencode.file("notes.md"), "one\ntwo\n");
}

#[tokio::test]
async fn what_is_always_allowed_is_told_and_confirmed_first() {
    let mut opencode = OpenCode::new().await;
    let prompt = opencode.calls(shell("touch one")).await;
    opencode.choose(&prompt, OptionRole::AllowAlways).await;
    let page = opencode.prompt().await;
    assert_eq!(page.tool_input, Some(json!({ "patterns": ["touch *"] })), "{page:?}");
    assert!(!opencode.has("one"), "it ran before it was confirmed");
    // Back to the first page.
    opencode.choose(&page, OptionRole::Deny).await;
    let again = opencode.prompt().await;
    assert_eq!(again.tool_input, Some(json!("touch one")));
    opencode.choose(&again, OptionRole::AllowAlways).await;
    let page = opencode.prompt().await;
    opencode.choose(&page, OptionRole::AllowAlways).await;
    opencode.is_ready().await;
    assert!(opencode.has("one"));
    opencode.turns([Turn::tools([shell("touch two")]), Turn::say("That too.")]).await;
    opencode.result(2).await;
    opencode.is_ready().await;
    assert!(opencode.has("two"));
}

#[tokio::test]
async fn other_folders_and_pages_are_asked_about_by_themselves() {
    let mut opencode = OpenCode::new().await;
    // Outside of the folder, and then the command itself.
    let prompt = opencode.calls(shell("cat /etc/hostname")).await;
    assert_eq!(prompt.tool_name.as_deref(), Some("external_directory"), "{prompt:?}");
    opencode.choose(&prompt, OptionRole::Allow).await;
    let prompt = opencode.prompt().await;
    assert_eq!(prompt.tool_input, Some(json!("cat /etc/hostname")));
    opencode.choose(&prompt, OptionRole::Allow).await;
    opencode.result(1).await;
    opencode.is_ready().await;

    let url = format!("{}/page", opencode.live.model.url());
    let prompt = opencode.calls(Call::new("webfetch", json!({ "url": url, "format": "text" }))).await;
    assert_eq!(prompt.tool_input, Some(json!({ "url": url })), "{prompt:?}");
    opencode.choose(&prompt, OptionRole::Deny).await;
    opencode.is_ready().await;
}

#[tokio::test]
async fn a_sub_agent_that_is_refused_hears_what_to_do_instead() {
    let mut opencode = OpenCode::new().await;
    let task = json!({ "description": "Make a file", "prompt": "please make the file", "subagent_type": "general" });
    opencode.live.model.script("please make the file", [Turn::tools([shell("touch sub")]), Turn::say("I did not.")]);
    let prompt = opencode.calls(Call::new("task", task)).await;
    assert_eq!(prompt.tool_input, Some(json!("touch sub")), "{prompt:?}");
    opencode.choose(&prompt, OptionRole::Deny).await;
    let instead = opencode.prompt().await;
    assert!(instead.text_input.is_some(), "{instead:?}");
    let text_value = Some("use mktemp, please".to_owned());
    opencode.respond(PromptResponse { text_value, ..answerback_tests::response_to(&instead) }).await;
    let told = opencode.live.model.wait_tool_results(1).await;
    assert!(told[0].text.contains("use mktemp, please"), "{told:?}");
    opencode.is_ready().await;
    assert!(!opencode.has("sub"));
}
