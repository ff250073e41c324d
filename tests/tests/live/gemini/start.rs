//! The first start, and what is put beside the person's settings.

use answerback_tests::Cli;
use serde_json::{Value, json};
use shared_types::PermissionMode;

use super::{
    Gemini,
    versions::{Feature, version},
};
use crate::basics;

#[tokio::test]
async fn it_starts_from_an_empty_home_with_a_key() {
    let live = basics::starts_by_itself(Cli::Gemini).await;
    let chosen: Value = serde_json::from_str(&live.home_file(".gemini/settings.json")).unwrap_or_default();
    if version().features.has(Feature::NotesItsStart) {
        // The CLI itself writes down what was chosen in its dialogs, and not a word of ours is there.
        assert_eq!(chosen["security"]["auth"]["selectedType"], "gemini-api-key");
        let known: Value = serde_json::from_str(&live.home_file(".gemini/trustedFolders.json")).expect("its folders");
        // This folder, and not the one above it.
        assert_eq!(known, json!({ live.project().to_string_lossy(): "TRUST_FOLDER" }));
    }
    assert!(chosen.get("hooks").is_none() && chosen.get("general").is_none(), "{chosen}");
}

#[tokio::test]
async fn the_administrators_settings_and_the_persons_own_stay() {
    let own = json!({ "ui": { "hideTips": true }, "general": { "sessionRetention": { "enabled": true } } }).to_string();
    let gemini = Gemini::in_mode(PermissionMode::Ask, |folder| {
        std::fs::write(folder.join("home/.gemini/settings.json"), &own).expect("the person's settings");
    })
    .await;
    let now = gemini.live.home_file(".gemini/settings.json");
    if gemini.live.is_roots || !version().features.has(Feature::NotesItsStart) {
        assert_eq!(now, own, "byte for byte");
    } else {
        // The CLI itself adds how to sign in, which was chosen in its dialog, and nothing else.
        let mut now: Value = serde_json::from_str(&now).expect("its settings");
        assert_eq!(now["security"].take(), json!({ "auth": { "selectedType": "gemini-api-key" } }));
        now.as_object_mut().expect("settings").remove("security");
        assert_eq!(now, serde_json::from_str::<Value>(&own).expect("settings"));
    }
}
