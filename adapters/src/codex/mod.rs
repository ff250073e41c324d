//! Codex: OpenAI's command-line agent.
//!
//! Screens are read from the bottom up, by build rather than by words: start at `screen`. How the real CLI behaves, key by
//! key, was observed with the tested versions of the profile; where the code rests on such an observation it says so.
//!
//! - `screen`: the order in which things are looked for.
//! - `composer`: ready, busy, loading. `dialog`, `header`, `options`, `text_field`: where a dialog stands and what it is made of.
//! - `prompt`, `body`, `diff`, `marks`: what it says. `startup`: which dialog of the start it is.
//! - `keys`: how it is answered. `launch`: how a session is started. `lines`: line work without any Codex in it.
//! - `transcript`: what it writes down of the conversation.

mod body;
mod composer;
mod dialog;
mod diff;
mod header;
mod keys;
mod launch;
mod lines;
mod marks;
mod options;
mod prompt;
mod record;
mod screen;
mod startup;
#[cfg(test)]
mod tests;
mod text_field;
mod transcript;

use std::{path::Path, time::Duration};

use shared_types::{AdapterKind, Millis, PromptResponse};

use crate::{
    Adapter, Commands, Head, Keystroke, LaunchPlan, LaunchRefusal, LaunchRequest, Mark, Profile, Reading, Refusal,
    Screen, Shelf, Sighting, Step, TranscriptEntry,
    answer::Deaf,
    commands::{Below, CommandForm, CommandShelf},
    hook::Detail,
    layout,
    send::SendStyle,
    trust::FolderSettings,
};

/// The adapter.
pub struct Codex;

/// What a trusted folder brings along.
const FOLDER_SETTINGS: FolderSettings = FolderSettings {
    files: &[".codex/config.toml", ".codex/hooks.json"],
    folders: &[(".codex/rules", ".rules"), (".codex/agents", ".toml")],
    harmless: &[
        "name",
        "description",
        "developer_instructions",
        "model",
        "model_reasoning_effort",
        "model_reasoning_summary",
        "model_verbosity",
        "personality",
        "hide_agent_reasoning",
        "tui",
    ],
};

/// What this adapter is called on the wire.
pub const KIND: AdapterKind = AdapterKind::new("codex");

static PROFILE: Profile = Profile {
    kind: KIND,
    name: "Codex",
    short_name: "Codex",
    is_agent: true,
    mark: Mark { icon: "M8 1.8l5.4 3.1v6.2L8 14.2l-5.4-3.1V4.9z", light: "#2a676e", dark: "#83bac1" },
    program: "codex",
    tested_versions: &["0.166.0", "0.120.0", "0.80.0", "0.50.0"],
    modes: launch::MODES,
    models: Some(("-m", &["gpt-5.4", "gpt-5.4-mini"])),
    takes_command: false,
    has_messages: true,
    interrupt: &[Keystroke::ESCAPE],
    next_mode: &[],
    // Codex takes an Enter within 120 ms of fast typing for a line break.
    send: SendStyle::Composer { gap: Duration::from_millis(200), typed: None },
    first_ready: Duration::ZERO,
    deaf: Deaf::NEVER,
    redraws_above: true,
    redraws_diff: false,
    tells_start: false,
};

static BUILT_IN: &[(&str, &str)] = &[
    ("compact", "shorten the conversation to what matters"),
    ("diff", "show what has changed in the folder"),
    ("init", "write an AGENTS.md for this folder"),
    ("mcp", "list the MCP servers and their tools"),
    ("mention", "name a file"),
    ("model", "choose the model and how hard it thinks"),
    ("new", "begin a new conversation"),
    ("permissions", "choose what it may do without asking"),
    ("plan", "only plan, change nothing"),
    ("resume", "go on with an earlier conversation"),
    ("review", "review the changes"),
    ("skills", "use what it was taught for special work"),
    ("status", "show model, limits and usage"),
];

static COMMANDS: Commands = Commands {
    built_in: BUILT_IN,
    shelves: &[CommandShelf {
        below: Below::CliHome,
        folder: "prompts",
        form: CommandForm::Markdown,
        prefix: "prompts:",
        nested: false,
    }],
};

impl Adapter for Codex {
    fn profile(&self) -> &'static Profile {
        &PROFILE
    }

    fn launch(&self, request: &LaunchRequest) -> Result<LaunchPlan, LaunchRefusal> {
        launch::plan(request)
    }

    fn commands(&self) -> Commands {
        COMMANDS
    }

    fn folder_settings(&self) -> FolderSettings {
        FOLDER_SETTINGS
    }

    fn read_screen(&self, screen: &Screen) -> Reading {
        screen::read(screen)
    }

    fn is_whole(&self, screen: &Screen, sighting: &Sighting) -> bool {
        // It draws from above, and its hints come last.
        layout::ends(screen, &sighting.rows).is_some_and(|(_, last)| last.contains("esc to "))
    }

    fn answer(&self, sighting: &Sighting, response: &PromptResponse) -> Result<Step, Refusal> {
        keys::answer(sighting, response)
    }

    fn next_page(&self, sighting: &Sighting) -> Option<Vec<Keystroke>> {
        keys::next_page(sighting)
    }

    fn pending_calls(&self, lines: &[&str]) -> Vec<Detail> {
        record::pending(lines.iter().copied())
    }

    fn ended_calls(&self, lines: &[&str], since: Millis) -> Vec<Detail> {
        record::ended(lines.iter().copied(), since)
    }

    fn complete(&self, call: &Detail, dialog: &Sighting) -> Option<Sighting> {
        record::complete(call, dialog)
    }

    fn read_transcript(&self, line: &str) -> Vec<TranscriptEntry> {
        transcript::read(line)
    }

    fn shelf(&self, _folder: Option<&Path>) -> Option<Shelf> {
        Some(transcript::shelf())
    }

    fn read_head(&self, name: &str, head: &str) -> Option<Head> {
        transcript::head(name, head)
    }
}
