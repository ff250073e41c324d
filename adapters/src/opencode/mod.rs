//! opencode.
//!
//! - `screen`: the order in which things are looked for. `panel`: the block that a dialog stands in.
//! - `composer`: ready and busy. `permission`, `diff`, `question`, `field`: what a dialog says. `startup`: what comes before.
//! - `keys`: how dialogs are answered. `launch`: how a session is started. `wrapped`: rows that were one text.
//!
//! It keeps its conversations in a database, not in files, so none is read.

mod composer;
mod diff;
mod field;
mod keys;
mod launch;
mod panel;
mod permission;
mod question;
mod screen;
mod startup;
#[cfg(test)]
mod tests;
mod wrapped;

use std::time::Duration;

use shared_types::{AdapterKind, PromptResponse};

use crate::{
    Adapter, Commands, Keystroke, LaunchPlan, LaunchRefusal, LaunchRequest, Mark, Profile, Reading, Refusal, Screen,
    Sighting, Step,
    answer::Deaf,
    commands::{Below, CommandForm, CommandShelf, at_mention},
    send::SendStyle,
    trust::FolderSettings,
};

/// The adapter.
pub struct OpenCode;

/// What a folder brings along. It asks nobody before it loads them.
const FOLDER_SETTINGS: FolderSettings = FolderSettings {
    files: &[
        "opencode.json",
        "opencode.jsonc",
        ".opencode/opencode.json",
        ".opencode/opencode.jsonc",
        ".opencode/package.json",
    ],
    folders: &[
        (".opencode/plugin", ".js"),
        (".opencode/plugin", ".ts"),
        (".opencode/plugins", ".js"),
        (".opencode/plugins", ".ts"),
        (".opencode/tool", ".js"),
        (".opencode/tool", ".ts"),
        (".opencode/tools", ".js"),
        (".opencode/tools", ".ts"),
        (".opencode/agent", ".md"),
        (".opencode/agents", ".md"),
    ],
    harmless: &["$schema", "theme", "model", "small_model", "keybinds", "autoupdate", "username"],
};

/// What this adapter is called on the wire.
pub const KIND: AdapterKind = AdapterKind::new("opencode");

static PROFILE: Profile = Profile {
    kind: KIND,
    name: "opencode",
    short_name: "opencode",
    is_agent: true,
    mark: Mark { icon: "M3.5 2.5h9v11h-9zM6.5 5.5h3v5h-3z", light: "#8a3a6c", dark: "#e39ac4" },
    program: "opencode",
    tested_versions: &["1.18.33"],
    modes: launch::MODES,
    models: Some(("--model", &["opencode/big-pickle"])),
    takes_command: false,
    has_messages: false,
    // The first Escape only asks whether it is meant.
    interrupt: &[Keystroke::ESCAPE, Keystroke::ESCAPE],
    // Tab goes on to the next agent.
    next_mode: &[Keystroke::TAB],
    // An Enter right behind a paste was taken in each of some trials; this is for a busy machine, and nobody notices.
    send: SendStyle::Composer { gap: Duration::from_millis(100), typed: None },
    first_ready: Duration::from_millis(500),
    deaf: Deaf::NEVER,
    redraws_above: true,
    redraws_diff: false,
    tells_start: false,
};

static BUILT_IN: &[(&str, &str)] = &[
    ("agents", "choose the agent"),
    ("compact", "shorten the conversation to what matters"),
    ("diff", "show what has changed"),
    ("fork", "go on from here in another session"),
    ("help", "show what there is"),
    ("init", "write an AGENTS.md for this folder"),
    ("mcps", "switch MCP servers on and off"),
    ("models", "choose the model"),
    ("new", "begin a new session"),
    ("redo", "do again what was undone"),
    ("sessions", "go on with an earlier session"),
    ("undo", "take back the last message and its changes"),
];

const fn shelf(below: Below, folder: &'static str) -> CommandShelf {
    CommandShelf { below, folder, form: CommandForm::Markdown, prefix: "", nested: true }
}

static COMMANDS: Commands = Commands {
    built_in: BUILT_IN,
    shelves: &[shelf(Below::Project, ".opencode/command"), shelf(Below::Project, ".opencode/commands")],
};

impl Adapter for OpenCode {
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

    fn asks_for_trust(&self) -> bool {
        false
    }

    fn read_screen(&self, screen: &Screen) -> Reading {
        screen::read(screen)
    }

    fn is_whole(&self, screen: &Screen, sighting: &Sighting) -> bool {
        screen::is_whole(screen, sighting)
    }

    fn is_resumed(&self, screen: &Screen) -> bool {
        screen::shows_conversation(screen)
    }

    fn answer(&self, sighting: &Sighting, response: &PromptResponse) -> Result<Step, Refusal> {
        keys::answer(sighting, response)
    }

    fn next_page(&self, sighting: &Sighting) -> Option<Vec<Keystroke>> {
        keys::next_page(sighting)
    }
}
