//! What the person said, as far as a look into a conversation's file tells.

use adapters::{
    Adapter, TranscriptEntry,
    transcript::{Form, units},
};
use shared_types::{MessageBody, MessageRole};

use super::files::{BEGINNING, File, end};

/// The longest document that is read whole.
const DOCUMENT_LIMIT: u64 = 8 << 20;

/// The lines of a file whose beginning was read; those of a document are all of it.
pub(super) fn early_lines(file: &File, begins: &str) -> Option<Vec<String>> {
    match Form::of(&file.path) {
        Form::Lines => Some(begins.lines().map(str::to_owned).collect()),
        Form::Whole if file.size <= BEGINNING => units(begins),
        Form::Whole => units(&document(file)?),
    }
}

fn document(file: &File) -> Option<String> {
    if file.size > DOCUMENT_LIMIT {
        return None;
    }
    std::fs::read_to_string(&file.path).ok()
}

/// The last lines of a file.
pub(super) fn late_lines(file: &File) -> Vec<String> {
    let lines = match Form::of(&file.path) {
        Form::Lines => end(&file.path).map(|end| end.lines().map(str::to_owned).collect()),
        Form::Whole => document(file).and_then(|document| units(&document)),
    };
    lines.unwrap_or_default()
}

/// What the person said in these lines.
pub(super) fn words(adapter: &dyn Adapter, lines: &[String]) -> impl Iterator<Item = String> {
    lines.iter().flat_map(|line| adapter.read_transcript(line)).filter_map(|entry| match entry {
        TranscriptEntry::Message(message) if message.role == MessageRole::User => match message.body {
            MessageBody::Text { text, .. } => Some(text),
            _ => None,
        },
        _ => None,
    })
}
