//! The transcript: one JSON object a line, for `adapters::demo` to read. A secret never gets here.

use std::{
    fs::{File, OpenOptions},
    io::Write,
    os::unix::fs::OpenOptionsExt,
    path::Path,
};

use anyhow::Context;
use serde::Serialize;
use shared_types::{Message, MessageId};

/// One line.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
#[expect(
    clippy::large_enum_variant,
    reason = "a line lives until it is written; a box would not make it faster or clearer"
)]
pub(super) enum Line {
    /// A message is new, or replaces the one with the same id.
    Message { message: Message },
    /// More of a message that is still being written.
    Delta { id: MessageId, text: String },
}

/// The file the lines go to. An existing one is continued.
pub(super) struct Transcript {
    file: File,
}

impl Transcript {
    pub(super) fn open(path: &Path) -> anyhow::Result<Self> {
        let file = OpenOptions::new().create(true).append(true).mode(0o600).open(path);
        Ok(Self { file: file.with_context(|| format!("opening the transcript {}", path.display()))? })
    }

    /// Writes each line whole, so that a reader never finds half of one.
    pub(super) fn write(&mut self, lines: &[Line]) -> anyhow::Result<()> {
        for line in lines {
            let mut text = serde_json::to_string(line).context("writing the transcript")?;
            text.push('\n');
            self.file.write_all(text.as_bytes()).context("writing the transcript")?;
        }
        Ok(())
    }
}
