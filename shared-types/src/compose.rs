//! What helps to write a message: the CLI's own commands, files of the folder, files that go with it.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// The largest file that can go with a message, in bytes.
pub const ATTACH_LIMIT: u64 = 10 * 1024 * 1024;

/// The kinds of files that can go with a message, as a file chooser names them. Other text files are `text/plain`.
pub const ATTACH_KINDS: [&str; 6] =
    ["image/png", "image/jpeg", "image/gif", "image/webp", "application/pdf", "text/plain"];

/// A command that a message to a CLI can begin with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "compose.ts")]
pub struct SlashCommand {
    /// What is typed after the slash.
    pub name: String,
    /// What it does, in a few words; may be empty.
    pub description: String,
    /// Who defined it.
    pub origin: CommandOrigin,
}

/// Who defined a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
#[ts(export_to = "compose.ts")]
pub enum CommandOrigin {
    /// The CLI has it by itself.
    BuiltIn,
    /// A file in the session's folder.
    Project,
    /// A file in the person's home.
    Person,
}

/// A file that was handed over and can go with a message: the answer to `POST /api/sessions/ID/files`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "compose.ts")]
pub struct AttachedFile {
    /// What it is called among the session's files; the server chose it.
    pub id: String,
    /// What it was called on the device, for people.
    pub name: String,
    /// One of [`ATTACH_KINDS`], as its content says.
    pub kind: String,
    /// How long it is, in bytes.
    pub size: u64,
}
