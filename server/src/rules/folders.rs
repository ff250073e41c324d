//! `.answerback/rules.toml` of a session's folder: whoever writes in the folder may write it, so it can only deny and ask.

use std::{io, path::Path, time::SystemTime};

use answerback_rules::{Rule, RuleSet};

/// Where it is, seen from the folder.
pub(super) const FILE: &str = ".answerback/rules.toml";
/// The largest file that is read, in bytes; a larger one counts as one with mistakes.
const SIZE_LIMIT: u64 = 64 * 1024;

/// Which version of the file was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stamp {
    changed: Option<SystemTime>,
    size: u64,
}

/// What a folder's own file adds.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct FolderRules {
    pub(super) rules: Vec<Rule>,
    /// What is wrong in it. Its rules are then unknown, so nothing is allowed in this folder.
    pub(super) mistakes: Vec<String>,
}

/// The version of the file that is there now; nothing when there is none.
pub(super) fn stamp(folder: &Path) -> Option<Stamp> {
    let about = std::fs::symlink_metadata(folder.join(FILE)).ok()?;
    Some(Stamp { changed: about.modified().ok(), size: about.len() })
}

/// Reads the file.
pub(super) fn read(folder: &Path) -> FolderRules {
    let path = folder.join(FILE);
    let text = match text_of(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return FolderRules::default(),
        Err(error) => return FolderRules { rules: Vec::new(), mistakes: vec![error.to_string()] },
    };
    match RuleSet::from_toml(&text) {
        Ok(set) => {
            let mut rules = set.only_stricter().rules;
            for rule in &mut rules {
                rule.id = format!("{}: {}", folder.display(), rule.id);
            }
            FolderRules { rules, mistakes: Vec::new() }
        }
        Err(mistakes) => {
            FolderRules { rules: Vec::new(), mistakes: mistakes.iter().map(ToString::to_string).collect() }
        }
    }
}

/// A plain file that is not too large. A link could lead to a file whose lines are nobody's business.
fn text_of(path: &Path) -> io::Result<String> {
    let about = std::fs::symlink_metadata(path)?;
    if !about.is_file() {
        return Err(io::Error::other("it is not a plain file"));
    }
    if about.len() > SIZE_LIMIT {
        return Err(io::Error::other("it is too large"));
    }
    std::fs::read_to_string(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(text: &str) -> FolderRules {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::create_dir(folder.path().join(".answerback")).expect("a folder for it");
        std::fs::write(folder.path().join(FILE), text).expect("a file");
        read(folder.path())
    }

    #[test]
    fn a_folder_can_only_make_things_stricter() {
        let read = with("allow = [\"Bash(ls)\"]\nask = [\"Bash(git push)\"]\ndeny = [\"Bash(rm:*)\"]");
        let texts: Vec<&str> = read.rules.iter().map(|rule| rule.text.as_str()).collect();
        assert_eq!(texts, ["Bash(git push)", "Bash(rm:*)"]);
    }

    #[test]
    fn a_mistake_is_named_with_its_line() {
        assert!(with("\ndeny = 1").mistakes[0].starts_with("line 2"), "{:?}", with("\ndeny = 1"));
    }

    #[test]
    fn no_file_is_no_mistake_and_a_link_is_one() {
        let folder = tempfile::tempdir().expect("a folder");
        assert_eq!(read(folder.path()), FolderRules::default());
        std::fs::create_dir(folder.path().join(".answerback")).expect("a folder for it");
        std::os::unix::fs::symlink("/etc/passwd", folder.path().join(FILE)).expect("a link");
        assert_eq!(read(folder.path()).mistakes, ["it is not a plain file"]);
    }
}
