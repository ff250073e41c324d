//! What a folder's own settings would run or allow if its CLI trusted it: read here, judged by the adapter.

use std::{
    io::ErrorKind,
    path::{Path, PathBuf},
};

use adapters::{adapter_for, trust};
use answerback_ledger::FolderTrust;
use sha2::{Digest as _, Sha256};
use shared_types::{
    AdapterKind, WouldRun,
    visible::{Lines, reveal},
};

const UNREADABLE: &str = "settings that cannot be read";
/// Settings larger than this are not read; they are listed as unreadable.
const FILE_LIMIT: u64 = 1024 * 1024;
/// How deep a folder of settings is looked through, and how many entries of it; what is beyond is listed as unreadable.
const DEPTH_LIMIT: usize = 6;
const ENTRIES_LIMIT: usize = 2000;
/// Findings of all files together: each phone gets them in one message.
const FINDINGS_LIMIT: usize = 200;

/// [`folder_trust`] as things stand, for the person whose server this is.
pub(super) async fn trust_now(adapter: AdapterKind, folder: PathBuf, trusted: Option<String>) -> FolderTrust {
    folder_trust(adapter, folder, std::env::home_dir(), trusted).await
}

/// What a folder would run, in one line; of a long list its beginning, and how much more there is.
pub(super) fn in_one_line(would_run: &[WouldRun]) -> String {
    const SHOWN: usize = 5;
    const LONGEST: usize = 120;
    let one = |found: &WouldRun| {
        let text = reveal(&found.text, Lines::One);
        let end = text.char_indices().nth(LONGEST).map(|(end, _)| end);
        let text = end.map_or(text.to_string(), |end| format!("{}…", &text[..end]));
        format!("{} ({}): {text}", reveal(&found.what, Lines::One), reveal(&found.file, Lines::One))
    };
    let more = would_run.len().saturating_sub(SHOWN);
    let more = (more > 0).then(|| format!("{more} more"));
    would_run.iter().take(SHOWN).map(one).chain(more).collect::<Vec<_>>().join("; ")
}

/// Whether the folder may be trusted without asking: when it, and what lies above it, brings nothing that runs or allows, or when
/// `trusted` is the hash of exactly what it brings.
async fn folder_trust(
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
        let above = "../".repeat(depth);
        let mut files: Vec<String> = settings.files.iter().map(|&file| file.to_owned()).collect();
        for (folder, ends) in settings.folders {
            let mut left = ENTRIES_LIMIT;
            if let Err(why) = files_below(place, folder, ends, DEPTH_LIMIT, &mut left, &mut files) {
                found.push(unreadable(format!("{above}{folder}"), &why));
            }
        }
        for file in files {
            let path = place.join(&file);
            let shown = format!("{above}{file}");
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
    (trust::bounded(found, FINDINGS_LIMIT), hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Adds the files below a folder of a place whose names end like this, in the order of their names.
fn files_below(
    place: &Path,
    folder: &str,
    ends: &str,
    depth: usize,
    left: &mut usize,
    files: &mut Vec<String>,
) -> Result<(), String> {
    let entries = match std::fs::read_dir(place.join(folder)) {
        Ok(entries) => entries,
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => return Ok(()),
        Err(error) => return Err(error.to_string()),
    };
    let mut names = Vec::new();
    for entry in entries {
        *left = left.checked_sub(1).ok_or("more files than are looked through")?;
        names.push(entry.map_err(|error| error.to_string())?.file_name().to_string_lossy().into_owned());
    }
    names.sort();
    for name in names {
        let path = format!("{folder}/{name}");
        if place.join(&path).is_dir() {
            let depth = depth.checked_sub(1).ok_or("more folders than are looked through")?;
            files_below(place, &path, ends, depth, left, files)?;
        } else if name.to_ascii_lowercase().ends_with(ends) {
            files.push(path);
        }
    }
    Ok(())
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
        let trust = |folder: &Path| {
            folder_trust(AdapterKind::new("claude"), folder.to_owned(), Some(home.path().to_owned()), None)
        };
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
        assert_eq!(folder_trust(AdapterKind::new("demo"), repository, None, None).await, FolderTrust::Harmless);
    }

    #[tokio::test]
    async fn rules_and_skills_of_a_repository_ask() {
        for (cli, file, text) in [
            (
                AdapterKind::new("codex"),
                ".codex/rules/deep/er/x.rules",
                "prefix_rule(pattern=['touch'], decision='allow')",
            ),
            (
                AdapterKind::new("claude"),
                ".claude/skills/tests/SKILL.md",
                "---\nname: tests\nallowed-tools: Bash(*)\n---",
            ),
            (AdapterKind::new("claude"), ".claude/agents/x.md", "---\npermissionMode: bypassPermissions\n---"),
            (AdapterKind::new("gemini"), ".gemini/policies/x.toml", "[[rule]]\ntoolName = '*'\ndecision = 'allow'"),
        ] {
            let folder = tempfile::tempdir().expect("a folder");
            let trust = async || folder_trust(cli, folder.path().to_owned(), None, None).await;
            let path = folder.path().join(file);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
            std::fs::write(path.with_file_name("README"), text).expect("a file");
            assert_eq!(trust().await, FolderTrust::Harmless, "{cli:?} loads no such file");
            std::fs::write(&path, text).expect("a file");
            let FolderTrust::Ask { would_run, .. } = trust().await else { panic!("{file}: it asks") };
            assert_eq!(would_run[0].file, file);
        }
        // A folder that leads into itself ends somewhere, and is trusted by nobody.
        let folder = tempfile::tempdir().expect("a folder");
        let agents = folder.path().join(".claude/agents");
        std::fs::create_dir_all(&agents).expect("folders");
        std::os::unix::fs::symlink(&agents, agents.join("again")).expect("a link");
        let trust = folder_trust(AdapterKind::new("claude"), folder.path().to_owned(), None, None).await;
        assert!(matches!(trust, FolderTrust::Ask { .. }), "{trust:?}");
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
            folder_trust(AdapterKind::new("claude"), folder.path().to_owned(), None, trusted.cloned()).await
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
