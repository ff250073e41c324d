//! Gemini CLI.

use answerback_tests::Cli;
use serde_json::{Value, json};

use crate::basics;

#[tokio::test]
async fn it_starts_by_itself() {
    let live = basics::starts_by_itself(Cli::Gemini).await;
    let known: Value = serde_json::from_str(&live.home_file(".gemini/trustedFolders.json")).expect("its folders");
    // This folder, and not the one above it.
    assert_eq!(known, json!({ live.project().to_string_lossy(): "TRUST_FOLDER" }));
}

#[tokio::test]
async fn it_runs_what_is_allowed() {
    basics::runs_what_is_allowed(Cli::Gemini).await;
}

#[tokio::test]
async fn it_runs_nothing_that_is_denied() {
    let (_live, results) = basics::runs_nothing_that_is_denied(Cli::Gemini).await;
    // The turn ends with the denial, and the CLI takes the call out of the conversation: the model never hears of it.
    assert_eq!(results, []);
}

#[tokio::test]
async fn it_keeps_messages_out_of_dialogs() {
    basics::keeps_messages_out_of_dialogs(Cli::Gemini).await;
}
