//! What a CLI wants to do.

use serde_json::Value;

/// One request of a CLI, as it asks.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Request {
    /// The tool's name, in whatever CLI.
    pub tool: String,
    /// Its input: an object, or the text that a screen shows.
    pub input: Value,
    /// The session's folder, from the root.
    pub folder: String,
    /// The home folder, where it is known.
    pub home: Option<String>,
    /// `claude`, `codex`, `gemini`, or the name of another program.
    pub cli: Option<String>,
    /// The session's id.
    pub session: Option<String>,
    /// The sub-agent that asks.
    pub agent: Option<String>,
    /// True when not all of the input is known.
    pub cut: bool,
    /// Files that were written in this turn: what runs them runs what nobody has read.
    pub written: Vec<String>,
}

impl Request {
    /// A shell command in a folder.
    #[must_use]
    pub fn command(command: &str, folder: &str) -> Self {
        Self {
            tool: "Bash".to_owned(),
            input: serde_json::json!({ "command": command }),
            folder: folder.to_owned(),
            ..Self::default()
        }
    }
}
