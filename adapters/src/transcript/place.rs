//! Where a CLI keeps its conversations, and how one is known: as data, for whoever may look at files.

use std::path::{Path, PathBuf};

use serde_json::Value;
use sha2::{Digest as _, Sha256};
use shared_types::Millis;

/// Where the files of a CLI's conversations stand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shelf {
    /// The variable that says where the CLI's own folder is, and the folder below what it names, if it is not that itself.
    pub variable: (&'static str, &'static str),
    /// The folder below the home folder when the variable is not set.
    pub folder: &'static str,
    /// The files below it, name by name; a `*` stands for anything within one name.
    pub pattern: Vec<String>,
    /// Whether the CLI holds the file of its conversation open: then it is known which one it is in.
    pub kept_open: bool,
    /// The folder below the CLI's own one in which it writes down, in `PID.json`, what each of its processes is at.
    pub running: Option<&'static str>,
}

impl Shelf {
    /// A shelf with a pattern such as `projects/*/*.jsonl`.
    #[must_use]
    pub fn new(variable: (&'static str, &'static str), folder: &'static str, pattern: &str) -> Self {
        let pattern = pattern.split('/').map(str::to_owned).collect();
        Self { variable, folder, pattern, kept_open: false, running: None }
    }
}

/// Whether a path, seen from the CLI's own folder, fits a pattern name by name.
#[must_use]
pub fn fits_path(pattern: &[String], path: &Path) -> bool {
    let names: Vec<_> = path.iter().map(|name| name.to_string_lossy()).collect();
    names.len() == pattern.len() && pattern.iter().zip(&names).all(|(part, name)| fits(part, name))
}

/// Whether a name fits one part of a pattern.
#[must_use]
pub fn fits(pattern: &str, name: &str) -> bool {
    let Some((first, rest)) = pattern.split_once('*') else { return pattern == name };
    let Some(mut name) = name.strip_prefix(first) else { return false };
    let mut parts: Vec<&str> = rest.split('*').collect();
    let last = parts.pop().unwrap_or_default();
    for part in parts {
        let Some(at) = name.find(part) else { return false };
        name = &name[at + part.len()..];
    }
    name.ends_with(last)
}

/// How a file is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Line by line, only ever longer.
    Lines,
    /// As one document that is written anew every time.
    Whole,
}

impl Form {
    /// The form of a file, by its name.
    #[must_use]
    pub fn of(path: &Path) -> Self {
        if path.extension().is_some_and(|extension| extension == "json") { Self::Whole } else { Self::Lines }
    }
}

/// The messages of a whole document, each as the line it would be in the other form. Nothing when it is only half written.
#[must_use]
pub fn units(document: &str) -> Option<Vec<String>> {
    let document: Value = serde_json::from_str(document).ok()?;
    Some(document.get("messages")?.as_array()?.iter().map(Value::to_string).collect())
}

/// What the beginning of a conversation's file says about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Head {
    /// The id by which the CLI knows the conversation.
    pub id: String,
    /// The folder it belongs to.
    pub folder: Option<FolderMark>,
    /// When it began.
    pub started_at: Option<Millis>,
}

/// What a CLI writes down about one of its processes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Running {
    /// The id of the conversation it is in.
    pub conversation: String,
    /// When it was started, in the system's own count, where that is told.
    pub process_start: Option<String>,
}

/// How a conversation names its folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FolderMark {
    /// By its path.
    Path(PathBuf),
    /// By the SHA-256 of its path, in hexadecimal digits.
    Sha256(String),
}

impl FolderMark {
    /// True when this is the folder that is meant.
    #[must_use]
    pub fn is(&self, folder: &Path) -> bool {
        match self {
            Self::Path(path) => path == folder,
            Self::Sha256(digits) => *digits == sha256(&folder.to_string_lossy()),
        }
    }

    /// The folder's path, where it is told.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::Path(path) => Some(path),
            Self::Sha256(_) => None,
        }
    }
}

/// The SHA-256 of a text, in hexadecimal digits.
#[must_use]
pub fn sha256(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The text at a key of JSON of which perhaps only the beginning is there; the first time the key stands in it.
#[must_use]
pub fn early_text(json: &str, key: &str) -> Option<String> {
    early(json, key)?.as_str().map(str::to_owned)
}

/// The value at a key of JSON of which perhaps only the beginning is there; the first time the key stands in it.
#[must_use]
pub fn early(json: &str, key: &str) -> Option<Value> {
    let (_, rest) = json.split_once(&format!("\"{key}\""))?;
    let rest = rest.trim_start().strip_prefix(':')?.trim_start();
    let mut values = serde_json::Deserializer::from_str(rest).into_iter::<Value>();
    values.next()?.ok()
}
