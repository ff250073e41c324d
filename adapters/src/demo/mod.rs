//! The demo agent inside the binary: `answerback demo`. Its source is `server/src/demo/`; what it draws where is the
//! contract, written down in [`screen`].
//!
//! Its plain line prompts belong to the generic adapter, as those of any program do; its puzzle belongs to nobody.

mod keys;
mod screen;
#[cfg(test)]
mod tests;

use std::time::Duration;

use serde::Deserialize;
use shared_types::{AdapterKind, Message, MessageId, PermissionMode, PromptResponse};

use crate::{
    Adapter, Commands, Keystroke, LaunchPlan, LaunchRefusal, LaunchRequest, Mark, Profile, Reading, Refusal, Screen,
    Sighting, Step, TranscriptEntry, answer::Deaf, generic::Generic, send::SendStyle,
};

/// The adapter.
pub struct Demo;

/// What this adapter is called on the wire.
pub const KIND: AdapterKind = AdapterKind::new("demo");

static PROFILE: Profile = Profile {
    kind: KIND,
    name: "Demo agent",
    short_name: "Demo",
    is_agent: false,
    mark: Mark { icon: "M5 3l8 5-8 5z", light: "#5c636e", dark: "#98a1ae" },
    program: "",
    tested_versions: &[env!("CARGO_PKG_VERSION")],
    modes: &[],
    models: None,
    takes_command: false,
    has_messages: true,
    interrupt: &[Keystroke::ESCAPE],
    next_mode: &[],
    // It takes pastes as blocks, so an Enter right behind one is an Enter; this only lets it draw the text first.
    send: SendStyle::Composer { gap: Duration::from_millis(20), typed: None },
    first_ready: Duration::ZERO,
    deaf: Deaf::NEVER,
    redraws_above: false,
    redraws_diff: false,
    tells_start: false,
};

/// Its words, each of which can be written with a slash as well.
static COMMANDS: Commands = Commands {
    built_in: &[
        ("busy", "work until it is stopped"),
        ("command", "ask whether it may run a command"),
        ("edit", "ask whether it may change a file"),
        ("help", "show what it can do"),
        ("long", "write two hundred lines"),
        ("plan", "propose a plan"),
        ("questions", "ask several questions at once"),
        ("tour", "go through everything it can ask"),
    ],
    shelves: &[],
};

impl Adapter for Demo {
    fn profile(&self) -> &'static Profile {
        &PROFILE
    }

    fn launch(&self, request: &LaunchRequest) -> Result<LaunchPlan, LaunchRefusal> {
        // It has no modes because it asks about everything, which is what the careful one means.
        if let Some(mode) = request.mode.filter(|mode| *mode != PermissionMode::Ask) {
            return Err(LaunchRefusal::NoSuchMode(KIND, mode));
        }
        let transcript = request.session_folder.join("transcript.jsonl");
        let mut argv = vec![
            request.answerback.to_string_lossy().into_owned(),
            "demo".to_owned(),
            "--transcript".to_owned(),
            transcript.to_string_lossy().into_owned(),
        ];
        argv.extend(request.command.iter().cloned());
        Ok(LaunchPlan { argv, transcript: Some(transcript), ..LaunchPlan::default() })
    }

    fn commands(&self) -> Commands {
        COMMANDS
    }

    fn read_screen(&self, screen: &Screen) -> Reading {
        screen::read(screen)
    }

    fn answer(&self, sighting: &Sighting, response: &PromptResponse) -> Result<Step, Refusal> {
        if screen::BUILDS.contains(&sighting.build) {
            keys::next_step(sighting, response)
        } else {
            Generic.answer(sighting, response)
        }
    }

    fn read_transcript(&self, line: &str) -> Vec<TranscriptEntry> {
        match serde_json::from_str(line) {
            Ok(TranscriptLine::Message { message }) => vec![TranscriptEntry::Message(message)],
            Ok(TranscriptLine::Delta { id, text }) => vec![TranscriptEntry::Delta { id, text }],
            Err(_) => Vec::new(),
        }
    }
}

/// One line of the transcript, as `server/src/demo/transcript.rs` writes it.
#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
#[expect(
    clippy::large_enum_variant,
    reason = "a line lives until it is read; a box would not make it faster or clearer"
)]
enum TranscriptLine {
    Message { message: Message },
    Delta { id: MessageId, text: String },
}
