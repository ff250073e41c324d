//! Pins: where the chain ended at some time, kept in a file of their own. Without one nobody can tell that the end of a chain
//! was cut off.

use std::{
    fs,
    io::{self, Write as _},
    os::unix::fs::OpenOptionsExt as _,
    path::{Path, PathBuf},
};

use serde_json::{Value, json};
use shared_types::Millis;

use super::Head;

/// Where the chain ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pin {
    /// When it was looked at.
    pub at: Millis,
    /// Its last row then.
    pub head: Head,
}

impl Pin {
    /// The pin as a line of the file.
    #[must_use]
    pub fn to_json(&self) -> Value {
        json!({ "at": self.at, "seq": self.head.seq, "hash": self.head.hash.to_string() })
    }

    fn read(line: &str) -> Option<Self> {
        let pin: Value = serde_json::from_str(line).ok()?;
        let head = Head { seq: pin["seq"].as_u64()?, hash: pin["hash"].as_str()?.parse().ok()? };
        Some(Self { at: pin["at"].as_u64()?, head })
    }
}

/// The file with the pins, in the folder of the store.
#[must_use]
pub fn pins_file(folder: &Path) -> PathBuf {
    folder.join("journal-pins.jsonl")
}

/// Adds a pin to the file.
///
/// # Errors
/// When it cannot be written.
pub fn add_pin(folder: &Path, pin: Pin) -> io::Result<()> {
    let mut file = fs::OpenOptions::new().create(true).append(true).mode(0o600).open(pins_file(folder))?;
    writeln!(file, "{}", pin.to_json())?;
    file.sync_all()
}

/// The pins so far; none when there is no file. A line that is no pin is an error: it may be one that was tampered with.
///
/// # Errors
/// When the file cannot be read.
pub fn read_pins(folder: &Path) -> io::Result<Vec<Pin>> {
    let text = match fs::read_to_string(pins_file(folder)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        text => text?,
    };
    let pin = |(at, line): (usize, &str)| {
        Pin::read(line).ok_or_else(|| io::Error::other(format!("line {} of the pins is not a pin", at + 1)))
    };
    text.lines().enumerate().filter(|(_, line)| !line.is_empty()).map(pin).collect()
}
