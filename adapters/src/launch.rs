//! How a CLI is started, as data. The server writes the files and starts the program.

use std::path::PathBuf;

use shared_types::{AdapterKind, PermissionMode, SessionId};

/// What is known when a session is to be started.
#[derive(Debug, Clone)]
pub struct LaunchRequest {
    /// The session's id.
    pub session_id: SessionId,
    /// The folder to work in; exists.
    pub folder: PathBuf,
    /// The CLI's program as found on this machine; empty for adapters that have none.
    pub program: PathBuf,
    /// The program's version, where it could be told.
    pub version: Option<String>,
    /// The person's own program and arguments, or further arguments.
    pub command: Vec<String>,
    /// The permission mode the person chose.
    pub mode: Option<PermissionMode>,
    /// This very binary, for what the CLI shall call back.
    pub answerback: PathBuf,
    /// A folder of the session's own, for files we write and the CLI reads.
    pub session_folder: PathBuf,
    /// What the CLI's hooks shall run, as a line for a shell; nothing when hooks are switched off.
    pub hook_command: Option<String>,
    /// The CLI's own folder in the home folder, or where the person has moved it; empty for adapters that have none.
    pub cli_home: PathBuf,
    /// The conversation to go on with, by the CLI's own id.
    pub resume: Option<String>,
    /// What of the machine the launch rests on.
    pub surroundings: Surroundings,
}

/// What of the machine a launch rests on: the adapter says what to look at, the server looks.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Surroundings {
    /// Whether a variable holds an API key that the CLI would use.
    pub has_key: bool,
    /// Settings of the machine or the person that what we write would stand in for, or must not overrule.
    pub files: Vec<MachineFile>,
    /// Whether the folder of sessions and all above it belong to root and nobody else can write there: new versions of Gemini
    /// CLI take settings for the whole machine from no other place.
    pub is_roots: bool,
}

/// A file of settings of the machine or the person, never of the folder a session works in.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MachineFile {
    /// Where it would be.
    pub path: PathBuf,
    /// What it holds; nothing when there is none.
    pub text: Option<String>,
}

/// How to start it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LaunchPlan {
    /// The program and its arguments.
    pub argv: Vec<String>,
    /// Variables to set.
    pub env: Vec<(String, String)>,
    /// Variables to take away.
    pub env_remove: Vec<String>,
    /// Files to write before, readable by the owner only.
    pub files: Vec<(PathBuf, String)>,
    /// The file the CLI writes its conversation to, where it is known before the start.
    pub transcript: Option<PathBuf>,
    /// The id under which the CLI itself knows the conversation.
    pub cli_session_id: Option<String>,
}

/// Why a session cannot be started so.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LaunchRefusal {
    /// No program was named.
    #[error("name the program to run")]
    NoCommand,
    /// The CLI has no such mode.
    #[error("{0} has no permission mode {1:?}")]
    NoSuchMode(AdapterKind, PermissionMode),
}

impl LaunchRequest {
    /// Whether the program is known to be of this version or a newer one: the first two numbers.
    #[must_use]
    pub fn is_at_least(&self, wanted: (u32, u32)) -> bool {
        let mut numbers = self.version.as_deref().unwrap_or_default().split('.').map(str::parse);
        match (numbers.next(), numbers.next()) {
            (Some(Ok(major)), Some(Ok(minor))) => (major, minor) >= wanted,
            _ => false,
        }
    }
}
