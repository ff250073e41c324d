//! The changes to files that a request asks for, as a diff against the files as they are.

use std::path::PathBuf;

use shared_types::FileDiff;
use similar::TextDiff;

/// Lines around a change.
const CONTEXT: usize = 3;

/// A change to one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// The file.
    pub path: PathBuf,
    /// What is done to it, in this order.
    pub steps: Vec<EditStep>,
}

/// One step of a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EditStep {
    /// The file gets this content.
    Write(String),
    /// A text in it is replaced.
    Replace {
        /// What is there.
        old: String,
        /// What comes in its place.
        new: String,
        /// Everywhere, not only once.
        all: bool,
    },
}

/// The change as a diff against the file as it is now; `None` when it cannot be read or does not exist.
#[must_use]
pub fn diff(edit: &Edit, file: Option<&str>) -> FileDiff {
    let path = edit.path.to_string_lossy().into_owned();
    let whole = file.and_then(|before| Some((before.to_owned(), apply(&edit.steps, before)?)));
    // Without the file, or when it does not hold what is to be replaced, only the pieces themselves are known.
    let (before, after) = whole.unwrap_or_else(|| pieces(&edit.steps));
    FileDiff { path, unified: TextDiff::from_lines(&before, &after).unified_diff().context_radius(CONTEXT).to_string() }
}

fn apply(steps: &[EditStep], before: &str) -> Option<String> {
    steps.iter().try_fold(before.to_owned(), |text, step| match step {
        EditStep::Write(content) => Some(content.clone()),
        EditStep::Replace { old, .. } if old.is_empty() || !text.contains(old.as_str()) => None,
        EditStep::Replace { old, new, all: true } => Some(text.replace(old.as_str(), new)),
        EditStep::Replace { old, new, all: false } => Some(text.replacen(old.as_str(), new, 1)),
    })
}

fn pieces(steps: &[EditStep]) -> (String, String) {
    let mut sides = (String::new(), String::new());
    for step in steps {
        match step {
            EditStep::Write(content) => sides.1.push_str(content),
            EditStep::Replace { old, new, .. } => {
                sides.0.push_str(old);
                sides.1.push_str(new);
            }
        }
    }
    sides
}
