//! Every kind of permission, with the options that its dialog has. A session takes seconds to start, so a story has several parts.

use answerback_tests::{model::Turn, skip_if};
use serde_json::{Value, json};
use shared_types::PromptKind;

use super::{Copilot, NO, YES, not_here, shell, shell_call};

#[tokio::test]
async fn commands() {
    skip_if!(not_here());
    let mut copilot = Copilot::new().await;
    once_not_at_all_and_always(&mut copilot).await;
    a_refusal_with_its_reason(&mut copilot).await;
    two_at_once_get_different_answers(&mut copilot).await;
}

#[tokio::test]
async fn files_paths_and_what_does_not_fit() {
    skip_if!(not_here());
    let mut copilot = Copilot::new().await;
    a_new_file_and_a_change(&mut copilot).await;
    a_file_outside(&mut copilot).await;
    a_long_change_is_told_whole(&mut copilot).await;
}

async fn once_not_at_all_and_always(copilot: &mut Copilot) {
    let prompt = copilot.calls("bash", shell("touch once")).await;
    assert_eq!(prompt.kind, PromptKind::Permission);
    assert_eq!(prompt.tool_input, Some(Value::String("touch once".to_owned())));
    assert!(!copilot.has("once"), "it ran before it was allowed");
    copilot.choose(&prompt, YES).await;
    copilot.result(1).await;
    copilot.is_ready().await;
    assert!(copilot.has("once"));
    // Once was once. Without a word the refusal ends the turn.
    let prompt = copilot.calls("bash", shell("touch refused")).await;
    copilot.choose(&prompt, NO).await;
    copilot.is_ready().await;
    assert!(!copilot.has("refused"), "it ran although it was refused");
    let prompt = copilot.calls("bash", shell("touch always")).await;
    copilot.choose(&prompt, "Yes, and don't ask again").await;
    copilot.is_ready().await;
    assert!(copilot.has("always"));
    copilot.passes("bash", shell("touch unasked")).await;
    assert!(copilot.has("unasked"));
}

async fn a_refusal_with_its_reason(copilot: &mut Copilot) {
    let prompt = copilot.calls("bash", shell("mkdir refused")).await;
    copilot.say(&prompt, NO, "call it something else, please").await;
    let heard = |model: &answerback_tests::model::Model| {
        model.tool_results().into_iter().find(|result| result.text.contains("something else, please"))
    };
    copilot.live.model.wait("the reason", heard).await;
    copilot.is_ready().await;
    assert!(!copilot.has("refused"));
}

/// They come in an order of the CLI's own.
async fn two_at_once_get_different_answers(copilot: &mut Copilot) {
    let calls = [shell_call("mkdir one"), shell_call("ln -s here two")];
    copilot.turns([Turn::tools(calls), Turn::say("Both are done.")]).await;
    for _ in 0..2 {
        let prompt = copilot.prompt().await;
        let is_one = prompt.tool_input == Some(Value::String("mkdir one".to_owned()));
        if is_one {
            copilot.choose(&prompt, YES).await;
        } else {
            copilot.say(&prompt, NO, "no links").await;
        }
    }
    copilot.is_ready().await;
    assert!(copilot.has("one") && !copilot.live.project().join("two").is_symlink());
}

async fn a_new_file_and_a_change(copilot: &mut Copilot) {
    let path = copilot.live.project().join("greeting.txt").to_string_lossy().into_owned();
    let create = json!({ "path": path, "file_text": "hello\nthere\n" });
    let prompt = copilot.calls("create", create.clone()).await;
    assert!(prompt.diff.iter().flatten().any(|diff| diff.unified.contains("+hello")), "{prompt:?}");
    copilot.say(&prompt, NO, "not yet").await;
    copilot.is_ready().await;
    assert!(!copilot.has("greeting.txt"));
    let prompt = copilot.calls("create", create).await;
    copilot.choose(&prompt, YES).await;
    copilot.is_ready().await;
    assert_eq!(copilot.file("greeting.txt"), "hello\nthere\n");
    let edit = json!({ "path": path, "old_str": "there", "new_str": "world" });
    let prompt = copilot.calls("edit", edit).await;
    let diff = prompt.diff.as_deref().and_then(<[_]>::first).expect("a change");
    assert!(diff.unified.contains("-there") && diff.unified.contains("+world"), "{diff:?}");
    assert_eq!(diff.path, path);
    copilot.choose(&prompt, YES).await;
    copilot.is_ready().await;
    assert_eq!(copilot.file("greeting.txt"), "hello\nworld\n");
}

/// The row that remembers the path is the one that the CLI selects in other dialogs of this kind.
async fn a_file_outside(copilot: &mut Copilot) {
    let outside = copilot.live.home().join("outside.txt");
    std::fs::write(&outside, "the word is heron\n").expect("a file");
    for (choice, is_read) in [("No", false), (YES, true)] {
        let prompt = copilot.calls("view", json!({ "path": outside })).await;
        assert_eq!(prompt.kind, PromptKind::Permission);
        copilot.choose(&prompt, choice).await;
        copilot.is_ready().await;
        let results = copilot.live.model.tool_results();
        assert_eq!(results.iter().any(|result| result.text.contains("heron")), is_read, "{results:?}");
    }
}

/// Its box does not fit the screen, but the CLI has written down all of it.
async fn a_long_change_is_told_whole(copilot: &mut Copilot) {
    let path = copilot.live.project().join("long.txt");
    let lines: String = (0..90).map(|line| format!("line {line}\n")).collect();
    let create = json!({ "path": path, "file_text": lines });
    copilot.turns([Turn::tool("create", create), Turn::say("That is done.")]).await;
    let is_whole = |prompt: &shared_types::InteractivePrompt| {
        let diff = prompt.diff.iter().flatten().next();
        prompt.incomplete.is_none() && diff.is_some_and(|diff| diff.unified.contains("+line 0\n"))
    };
    let prompt = copilot.prompt_like("the whole change", is_whole).await;
    copilot.choose(&prompt, YES).await;
    copilot.is_ready().await;
    assert_eq!(copilot.file("long.txt"), lines);
}
