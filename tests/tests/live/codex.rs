//! Codex.

use answerback_tests::{Cli, Versions};

use crate::basics;

#[tokio::test]
async fn it_starts_by_itself() {
    let live = basics::starts_by_itself(Cli::Codex).await;
    // 0.166 asks for no trust when it is told on the command line what it may do; older versions ask and note it down.
    let known = live.home_file(".codex/config.toml");
    let project = format!("[projects.\"{}\"]\ntrust_level = \"trusted\"", live.project().display());
    assert_eq!(known.contains(&project), live.versions == Versions::Older, "{known}");
    // Nothing that would outlive the session.
    assert!(!live.home().join(".codex/packages").exists());
    assert!(!live.command_lines().iter().any(|line| line.contains("app-server")), "{:?}", live.command_lines());
}

#[tokio::test]
async fn it_runs_what_is_allowed() {
    basics::runs_what_is_allowed(Cli::Codex).await;
}

#[tokio::test]
async fn it_runs_nothing_that_is_denied() {
    let (_live, results) = basics::runs_nothing_that_is_denied(Cli::Codex).await;
    // The turn ends with the denial; the model hears of it with the next message.
    assert_eq!(results.len(), 1, "{results:?}");
    assert!(results[0].text.contains("aborted"), "{results:?}");
}

#[tokio::test]
async fn it_keeps_messages_out_of_dialogs() {
    basics::keeps_messages_out_of_dialogs(Cli::Codex).await;
}
