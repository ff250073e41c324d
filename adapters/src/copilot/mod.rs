//! GitHub Copilot CLI.
//!
//! A full-screen program: it scrolls its conversation itself, and a dialog takes the place of its composer. How it behaves, key by
//! key, was observed with the tested versions of the profile; where the code rests on such an observation it says so.
//!
//! - `screen`: the order in which things are looked for. `lines`: line work without any dialog in it.
//! - `composer`: ready and busy. `frame`, `options`, `body`, `dialog`: a dialog in a box. `question`: what the model asks.
//! - `startup`: the dialog of the start. `keys`: how all of them are answered. `launch`: how a session is started.
//! - `transcript`: what it writes down of the conversation. `record`: what it has written down of an open dialog.

mod body;
mod composer;
mod dialog;
mod frame;
mod keys;
mod launch;
mod lines;
mod options;
mod question;
mod record;
mod screen;
mod startup;
#[cfg(test)]
mod tests;
mod transcript;

use std::{path::Path, time::Duration};

use shared_types::{AdapterKind, PromptResponse};

use crate::{
    Adapter, Commands, Head, Keystroke, LaunchPlan, LaunchRefusal, LaunchRequest, Mark, Profile, Reading, Refusal,
    Screen, Shelf, Sighting, Step, TranscriptEntry, answer::Deaf, commands::at_mention, hook::Detail, keys::NamedKey,
    layout, send::SendStyle, trust::FolderSettings,
};

/// The adapter.
pub struct Copilot;

/// What a trusted folder brings along.
const FOLDER_SETTINGS: FolderSettings = FolderSettings {
    files: &[
        ".github/hooks",
        ".github/copilot/settings.json",
        ".github/copilot/settings.local.json",
        ".github/mcp.json",
        ".copilot/mcp-config.json",
        ".mcp.json",
        ".vscode/mcp.json",
        ".claude/settings.json",
        ".claude/settings.local.json",
    ],
    folders: &[],
    harmless: &["$schema", "model", "theme", "banner"],
};

/// What this adapter is called on the wire.
pub const KIND: AdapterKind = AdapterKind::new("copilot");

static PROFILE: Profile = Profile {
    kind: KIND,
    name: "Copilot CLI",
    short_name: "Copilot",
    is_agent: true,
    mark: Mark {
        icon: "M3 7.5a2.5 2.5 0 0 1 5 0 2.5 2.5 0 0 1 5 0v3a5 3.5 0 0 1-10 0zM6.3 10.5v1M9.7 10.5v1",
        light: "#8a3a7a",
        dark: "#dc94cc",
    },
    program: "copilot",
    tested_versions: &["1.0.102"],
    modes: launch::MODES,
    models: Some(("--model", &["claude-sonnet-4.5", "gpt-5"])),
    takes_command: false,
    has_messages: true,
    // Escape has to come twice, within half a second but not at once; Ctrl-C stops the work with one key.
    interrupt: &[Keystroke::Ctrl('c')],
    next_mode: &[Keystroke::Named(NamedKey::BackTab)],
    // It takes an Enter right behind a paste; the gap only keeps a long paste and its Enter apart on a busy machine.
    send: SendStyle::Composer { gap: Duration::from_millis(100), typed: None },
    first_ready: Duration::ZERO,
    deaf: Deaf::NEVER,
    redraws_above: true,
    redraws_diff: false,
    tells_start: false,
};

static COMMANDS: Commands = Commands {
    built_in: &[
        ("add-dir", "let it work in a further folder"),
        ("agent", "choose an agent for special work"),
        ("clear", "forget the conversation and begin anew"),
        ("compact", "shorten the conversation to what matters"),
        ("context", "show what fills the model's memory"),
        ("help", "show what there is"),
        ("init", "write instructions for this folder"),
        ("mcp", "manage MCP servers"),
        ("model", "choose the model"),
        ("permissions", "choose what it may do without asking"),
        ("plan", "only plan, change nothing"),
        ("resume", "go on with an earlier conversation"),
        ("review", "review the changes"),
        ("usage", "show what the session has used"),
    ],
    shelves: &[],
};

impl Adapter for Copilot {
    fn profile(&self) -> &'static Profile {
        &PROFILE
    }

    fn launch(&self, request: &LaunchRequest) -> Result<LaunchPlan, LaunchRefusal> {
        launch::plan(request)
    }

    fn commands(&self) -> Commands {
        COMMANDS
    }

    fn mention(&self, path: &str) -> String {
        at_mention(path)
    }

    fn folder_settings(&self) -> FolderSettings {
        FOLDER_SETTINGS
    }

    fn read_screen(&self, screen: &Screen) -> Reading {
        screen::read(screen)
    }

    fn is_whole(&self, screen: &Screen, sighting: &Sighting) -> bool {
        // A box from its upper to its lower edge, or a question from rule to rule; below one may come a field for the row that the
        // cursor is on.
        let ends = layout::ends(screen, &sighting.rows);
        let on = sighting.selected.and_then(|row| sighting.options.get(row)?.text.as_ref());
        let field_comes = on.is_some_and(|field| !field.focused);
        ends.is_some_and(|(first, last)| {
            first.starts_with('╭') && last.starts_with('╰')
                || first.starts_with('─') && last.starts_with('─') && !field_comes
        })
    }

    fn interrupt(&self, reading: &Reading) -> &'static [Keystroke] {
        // While it waits for a message, a second Ctrl-C within two seconds ends it.
        if matches!(reading, Reading::Busy { .. }) { PROFILE.interrupt } else { &[] }
    }

    fn answer(&self, sighting: &Sighting, response: &PromptResponse) -> Result<Step, Refusal> {
        keys::answer(sighting, response)
    }

    fn pending_calls(&self, lines: &[&str]) -> Vec<Detail> {
        record::pending(lines.iter().copied())
    }

    fn complete(&self, detail: &Detail, dialog: &Sighting) -> Option<Sighting> {
        record::complete(detail, dialog)
    }

    fn read_transcript(&self, line: &str) -> Vec<TranscriptEntry> {
        transcript::read(line)
    }

    fn shelf(&self, _folder: Option<&Path>) -> Option<Shelf> {
        Some(transcript::shelf())
    }

    fn read_head(&self, _name: &str, head: &str) -> Option<Head> {
        transcript::head(head)
    }
}
