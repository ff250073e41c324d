//! Gemini CLI.

use answerback_tests::{Cli, Versions};
use serde_json::{Value, json};

use crate::basics;

#[tokio::test]
async fn it_starts_by_itself() {
    let live = basics::starts_by_itself(Cli::Gemini).await;
    if live.versions == Versions::Older {
        // 0.22 asks about folders only when it is told to.
        return;
    }
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
    let (live, results) = basics::runs_nothing_that_is_denied(Cli::Gemini).await;
    match live.versions {
        // The turn ends with the denial, and the CLI takes the call out of the conversation: the model never hears of it.
        Versions::Newest => assert_eq!(results, []),
        Versions::Older => {
            assert_eq!(results.len(), 1, "{results:?}");
            assert!(results[0].text.contains("cancelled"), "{results:?}");
        }
    }
}

#[tokio::test]
async fn it_keeps_messages_out_of_dialogs() {
    basics::keeps_messages_out_of_dialogs(Cli::Gemini).await;
}
