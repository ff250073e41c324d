//! What a folder's own settings would run or allow if its CLI trusted it: read here, judged by the adapter.

use std::path::{Path, PathBuf};

use adapters::adapter_for;
use answerback_ledger::FolderTrust;
use sha2::{Digest as _, Sha256};
use shared_types::{AdapterKind, WouldRun};

const UNREADABLE: &str = "settings that cannot be read";
/// Settings larger than this are not read; they are listed as unreadable.
const FILE_LIMIT: u64 = 1024 * 1024;

/// Whether the folder may be trusted without asking: when it, and what lies above it, brings nothing that runs or allows, or when
/// `trusted` is the hash of exactly what it brings.
pub(super) async fn folder_trust(
    adapter: AdapterKind,
    folder: PathBuf,
    home: Option<PathBuf>,
    trusted: Option<String>,
) -> FolderTrust {
    let read = tokio::task::spawn_blocking(move || read_settings(adapter, &folder, home.as_deref())).await;
    let Ok((would_run, contents)) = read else {
        let would_run = vec![unreadable(".".to_owned(), "")];
        return FolderTrust::Ask { would_run, contents: String::new() };
    };
    if would_run.is_empty() {
        FolderTrust::Harmless
    } else if trusted.as_ref() == Some(&contents) {
        FolderTrust::TrustedBefore
    } else {
        FolderTrust::Ask { would_run, contents }
    }
}

/// What the settings would run or allow, and the hash of all of them.
fn read_settings(adapter: AdapterKind, folder: &Path, home: Option<&Path>) -> (Vec<WouldRun>, String) {
    let mut hash = Sha256::new();
    let settings = adapter_for(adapter).folder_settings();
    // The person's own settings are in the home folder; nothing from there upwards belongs to a repository.
    let above = folder.ancestors().take_while(|above| home.is_none_or(|home| !home.starts_with(above)));
    let mut found = Vec::new();
    for (depth, place) in above.enumerate() {
        for file in settings.files {
            let path = place.join(file);
            let shown = format!("{}{file}", "../".repeat(depth));
            match std::fs::metadata(&path) {
                Err(_) => {}
                Ok(meta) if meta.is_file() && meta.len() <= FILE_LIMIT => match std::fs::read_to_string(&path) {
                    Ok(text) => {
                        for part in [&shown, &text] {
                            hash.update((part.len() as u64).to_be_bytes());
                            hash.update(part);
                        }
                        found.extend(settings.would_run(&shown, &text));
                    }
                    Err(error) => found.push(unreadable(shown, &error.to_string())),
                },
                Ok(_) => found.push(unreadable(shown, "not a plain file of a usual size")),
            }
        }
    }
    // What could not be read is trusted by nobody: every reading of it is another one.
    if found.iter().any(|found| found.what == UNREADABLE) {
        hash.update(uuid::Uuid::new_v4().as_bytes());
    }
    (found, hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

fn unreadable(file: String, why: &str) -> WouldRun {
    WouldRun { file, what: UNREADABLE.to_owned(), text: why.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn folder_with_running_settings_asks_and_plain_one_does_not() {
        let home = tempfile::tempdir().expect("a folder");
        let repository = home.path().join("repository");
        let inner = repository.join("inner");
        std::fs::create_dir_all(&inner).expect("folders");
        let trust =
            |folder: &Path| folder_trust(AdapterKind::Claude, folder.to_owned(), Some(home.path().to_owned()), None);
        std::fs::create_dir_all(home.path().join(".claude")).expect("a folder");
        std::fs::write(home.path().join(".claude/settings.json"), r#"{"statusLine": {"command": "x"}}"#)
            .expect("a file");
        assert_eq!(trust(&inner).await, FolderTrust::Harmless, "the person's own settings are no repository's");
        std::fs::create_dir_all(repository.join(".claude")).expect("a folder");
        let hook = r#"{"hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": "touch OWNED"}]}]}}"#;
        std::fs::write(repository.join(".claude/settings.json"), hook).expect("a file");
        for (folder, file) in [(&repository, ".claude/settings.json"), (&inner, "../.claude/settings.json")] {
            let FolderTrust::Ask { would_run, .. } = trust(folder).await else { panic!("it asks") };
            assert_eq!((would_run[0].file.as_str(), would_run[0].text.as_str()), (file, "touch OWNED"));
        }
        assert_eq!(folder_trust(AdapterKind::Demo, repository, None, None).await, FolderTrust::Harmless);
    }

    #[tokio::test]
    async fn trusted_contents_ask_again_when_anything_changes() {
        let folder = tempfile::tempdir().expect("a folder");
        let settings = folder.path().join(".mcp.json");
        let write = |command: &str| {
            let text = format!(r#"{{"mcpServers": {{"notes": {{"command": "{command}"}}}}}}"#);
            std::fs::write(&settings, text).expect("a file");
        };
        let trust = async |trusted: Option<&String>| {
            folder_trust(AdapterKind::Claude, folder.path().to_owned(), None, trusted.cloned()).await
        };
        write("notes");
        let FolderTrust::Ask { contents, .. } = trust(None).await else { panic!("it asks") };
        assert_eq!(trust(Some(&contents)).await, FolderTrust::TrustedBefore);
        write("curl evil");
        assert!(matches!(trust(Some(&contents)).await, FolderTrust::Ask { contents: other, .. } if other != contents));
        write("notes");
        assert_eq!(trust(Some(&contents)).await, FolderTrust::TrustedBefore);
        std::fs::create_dir_all(folder.path().join(".claude/settings.json")).expect("not a file");
        let FolderTrust::Ask { contents, .. } = trust(Some(&contents)).await else { panic!("it asks") };
        assert!(matches!(trust(Some(&contents)).await, FolderTrust::Ask { .. }), "nobody trusts what cannot be read");
    }
}
