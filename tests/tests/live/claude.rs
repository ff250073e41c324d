//! Claude Code.

use answerback_tests::{Cli, Versions};
use serde_json::Value;

use crate::basics;

#[tokio::test]
async fn it_starts_by_itself() {
    let live = basics::starts_by_itself(Cli::Claude).await;
    let known: Value = serde_json::from_str(&live.home_file(".claude.json")).expect("its settings");
    let project = &known["projects"][live.project().to_string_lossy().as_ref()];
    assert_eq!(project["hasTrustDialogAccepted"], true, "{known}");
    assert_eq!(known["customApiKeyResponses"]["approved"].as_array().map(Vec::len), Some(1), "{known}");
}

#[tokio::test]
async fn it_runs_what_is_allowed() {
    basics::runs_what_is_allowed(Cli::Claude).await;
}

#[tokio::test]
async fn it_runs_nothing_that_is_denied() {
    let (live, results) = basics::runs_nothing_that_is_denied(Cli::Claude).await;
    // The turn ends with the denial; the model hears of it with the next message.
    assert_eq!(results.len(), 1, "{results:?}");
    assert!(results[0].text.contains("doesn't want to proceed"), "{results:?}");
    assert_eq!(results[0].text.contains("rather not"), live.versions == Versions::Older, "{results:?}");
}

#[tokio::test]
async fn it_keeps_messages_out_of_dialogs() {
    basics::keeps_messages_out_of_dialogs(Cli::Claude).await;
}
