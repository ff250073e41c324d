//! The table `[expiry]` of the configuration file: how long prompts wait, by kind, everywhere and in folders. Off by default. What
//! happens at the end is no setting: a permission is refused where that is one clear option, and nothing is ever approved.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use answerback_ledger::ExpiryPolicy;
use shared_types::PromptKind;
use toml::de::{DeTable, DeValue};

use super::file::Mistake;

/// The shortest time: enough to read.
const SHORTEST: Duration = Duration::from_secs(5);
/// The longest.
const LONGEST: Duration = Duration::from_secs(30 * 24 * 60 * 60);
/// The kinds of prompts, by their names on the wire.
const KINDS: [(&str, PromptKind); 5] = [
    ("permission", PromptKind::Permission),
    ("question", PromptKind::Question),
    ("plan", PromptKind::Plan),
    ("loop-detected", PromptKind::LoopDetected),
    ("unrecognized", PromptKind::Unrecognized),
];

/// What the table says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ExpirySettings {
    everywhere: Limits,
    folders: Vec<(PathBuf, Limits)>,
}

/// By kind; nothing where it is said to be off.
type Limits = Vec<(PromptKind, Option<Duration>)>;

impl ExpirySettings {
    /// What holds in a folder: of each kind what the nearest folder says that says anything.
    #[must_use]
    pub fn of_folder(&self, folder: &Path) -> ExpiryPolicy {
        let mut above: Vec<_> = self.folders.iter().filter(|(path, _)| folder.starts_with(path)).collect();
        above.sort_by_key(|(path, _)| std::cmp::Reverse(path.components().count()));
        let nearest_first = || above.iter().map(|(_, limits)| limits).chain([&self.everywhere]);
        let limit = |kind| nearest_first().flatten().find(|(of, _)| *of == kind).and_then(|(_, limit)| *limit);
        ExpiryPolicy(KINDS.iter().filter_map(|(_, kind)| Some((*kind, limit(*kind)?))).collect())
    }

    /// Reads the table.
    pub(super) fn read(
        value: &DeValue<'_>,
        line: usize,
        line_of: impl Fn(usize) -> usize,
    ) -> Result<Self, Vec<Mistake>> {
        let no_table = |line| Mistake { line, reason: "`expiry` must be a table: [expiry]".to_owned() };
        let table = value.as_table().ok_or_else(|| vec![no_table(line)])?;
        let mut settings = Self::default();
        let mut mistakes = Vec::new();
        let (mut folders, mut kinds) = (Vec::new(), DeTable::new());
        for (key, value) in table {
            if key.get_ref().starts_with('/') {
                folders.push((PathBuf::from(key.get_ref().as_ref()), value));
            } else {
                kinds.insert(key.clone(), value.clone());
            }
        }
        settings.everywhere = limits(&kinds, &line_of, &mut mistakes);
        for (folder, value) in folders {
            match value.get_ref().as_table() {
                Some(table) => settings.folders.push((folder, limits(table, &line_of, &mut mistakes))),
                None => mistakes.push(no_table(line_of(value.span().start))),
            }
        }
        if mistakes.is_empty() { Ok(settings) } else { Err(mistakes) }
    }
}

fn limits(table: &DeTable<'_>, line_of: &impl Fn(usize) -> usize, mistakes: &mut Vec<Mistake>) -> Limits {
    let mut limits = Limits::new();
    for (key, value) in table {
        let kind = KINDS.iter().find(|(name, _)| name == key.get_ref()).map(|(_, kind)| *kind);
        let read = match kind {
            Some(kind) => limit(value.get_ref()).map(|limit| limits.push((kind, limit))).ok_or_else(|| {
                format!(
                    "`expiry.{}` is a time such as \"30m\", \"90s\" or \"8h\", from 5s to 30 days, or \"off\". At its end a \
                     permission is refused where that is one clear option, and nothing is ever approved",
                    key.get_ref()
                )
            }),
            None => Err(format!(
                "there is no setting `expiry.{}`; there are {} and folders, such as \"/home/me/shop\"",
                key.get_ref(),
                KINDS.map(|(name, _)| name).join(", ")
            )),
        };
        mistakes.extend(read.err().map(|reason| Mistake { line: line_of(value.span().start), reason }));
    }
    limits
}

/// A time, or that there is none.
#[expect(clippy::option_option, reason = "not understood, off, or a time")]
fn limit(value: &DeValue<'_>) -> Option<Option<Duration>> {
    let text = value.as_str()?;
    if text == "off" {
        return Some(None);
    }
    let (number, unit) = text.split_at_checked(text.len().checked_sub(1)?)?;
    let unit = match unit {
        "s" => 1,
        "m" => 60,
        "h" => 60 * 60,
        "d" => 24 * 60 * 60,
        _ => return None,
    };
    let time = Duration::from_secs(number.parse::<u64>().ok()?.checked_mul(unit)?);
    (SHORTEST..=LONGEST).contains(&time).then_some(Some(time))
}

#[cfg(test)]
mod tests {
    use crate::config::FileSettings;

    use super::*;

    fn minutes(minutes: u64) -> Duration {
        Duration::from_secs(minutes * 60)
    }

    #[test]
    fn off_unless_it_is_said_and_the_nearest_folder_says_it() {
        let empty = FileSettings::parse("").expect("good").expiry;
        assert_eq!(empty.of_folder(Path::new("/w")), ExpiryPolicy::default());
        let text = "[expiry]\npermission = \"30m\"\nquestion = \"8h\"\n[expiry.\"/w\"]\npermission = \"10m\"\n\
                    [expiry.\"/w/safe\"]\npermission = \"off\"\n";
        let expiry = FileSettings::parse(text).expect("good").expiry;
        let (permission, question) = (PromptKind::Permission, PromptKind::Question);
        for (folder, expected) in [
            ("/x", vec![(permission, minutes(30)), (question, minutes(480))]),
            ("/w", vec![(permission, minutes(10)), (question, minutes(480))]),
            ("/w/deep", vec![(permission, minutes(10)), (question, minutes(480))]),
            ("/w/safe/in", vec![(question, minutes(480))]),
            ("/wide", vec![(permission, minutes(30)), (question, minutes(480))]),
        ] {
            assert_eq!(expiry.of_folder(Path::new(folder)), ExpiryPolicy(expected), "{folder}");
        }
    }

    #[test]
    fn whatever_else_is_said_is_refused_with_its_line() {
        for (wrong, line) in [
            ("[expiry]\npermission = \"allow\"\n", 2),
            ("[expiry]\npermission = 30\n", 2),
            ("[expiry]\npermission = \"1s\"\n", 2),
            ("[expiry]\npermission = \"99d\"\n", 2),
            ("[expiry]\nquestion = \"1h\"\nthen = \"allow\"\n", 3),
            ("[expiry]\npermission = { after = \"30m\", then = \"allow\" }\n", 2),
            ("[expiry.\"/w\"]\ndefault = \"yes\"\n", 2),
            ("[expiry]\n\"/w\" = \"30m\"\n", 2),
            ("expiry = \"30m\"\n", 1),
            ("[expiry]\npermission = \"é\"\n", 2),
        ] {
            let mistakes = FileSettings::parse(wrong).expect_err(wrong);
            assert_eq!(mistakes.iter().map(|mistake| mistake.line).collect::<Vec<_>>(), [line], "{wrong}");
        }
    }
}
