//! Codex' own form of a change: `*** Begin Patch`, files, hunks without numbers, `*** End Patch`.

use shared_types::FileDiff;

use crate::transcript::build;

/// The changes of a patch, file by file; nothing when the text holds none.
pub(in crate::codex) fn read(text: &str) -> Option<Vec<FileDiff>> {
    let (_, patch) = text.split_once("*** Begin Patch\n")?;
    let mut files: Vec<(String, Vec<String>)> = Vec::new();
    for line in patch.lines().take_while(|line| !line.starts_with("*** End Patch")) {
        let header = ["*** Add File: ", "*** Update File: ", "*** Delete File: "]
            .iter()
            .find_map(|mark| line.strip_prefix(mark));
        if let Some(path) = header {
            files.push((path.to_owned(), Vec::new()));
        } else if let Some((path, lines)) = files.last_mut() {
            if let Some(target) = line.strip_prefix("*** Move to: ") {
                *path = format!("{path} → {target}");
            } else if !line.starts_with("***") {
                lines.push(line.to_owned());
            }
        }
    }
    (!files.is_empty()).then(|| files.iter().map(|(path, lines)| build::diff(path, &unified(lines))).collect())
}

/// Hunks with their counts. Where a hunk stands in the file is not told, so all begin at the first line.
fn unified(lines: &[String]) -> String {
    let mut hunks: Vec<(String, Vec<&str>)> = Vec::new();
    for line in lines {
        if let Some(context) = line.strip_prefix("@@") {
            hunks.push((context.trim().to_owned(), Vec::new()));
            continue;
        }
        if hunks.is_empty() {
            hunks.push((String::new(), Vec::new()));
        }
        if let Some((_, hunk)) = hunks.last_mut() {
            hunk.push(line);
        }
    }
    let written = hunks.iter().filter(|(_, hunk)| !hunk.is_empty()).map(|(context, hunk)| {
        let count = |other: char| hunk.iter().filter(|line| !line.starts_with(other)).count();
        let (old, new) = (count('+'), count('-'));
        let head = format!("@@ -{},{old} +{},{new} @@ {context}", usize::from(old > 0), usize::from(new > 0));
        std::iter::once(head.trim_end().to_owned())
            .chain(hunk.iter().map(|line| (*line).to_owned()))
            .collect::<Vec<_>>()
            .join("\n")
    });
    written.collect::<Vec<_>>().join("\n")
}
