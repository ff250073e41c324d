//! Gemini CLI.
//!
//! - `screen`: what a screen says, for 0.22, 0.34 and 0.61 and as far as they agree for others.
//! - `keys`: how its dialogs are answered.
//! - Line work, words and tool rows, which its forks draw as well: [`crate::gemini_family`].
//! - `settings`: what a session needs of its settings, beside the person's own. `hooks`: what its hooks tell.
//! - `transcript`: what it writes down of the conversation.

mod hooks;
mod keys;
mod screen;
mod settings;
#[cfg(test)]
mod tests;
mod transcript;

use std::{path::Path, time::Duration};

use shared_types::{AdapterKind, PermissionMode, PromptResponse};

use crate::{
    Adapter, Commands, Head, HookReading, Keystroke, LaunchPlan, LaunchRefusal, LaunchRequest, Mark, Profile, Reading,
    Refusal, Screen, Shelf, Sighting, Step, Surroundings, TranscriptEntry,
    answer::Deaf,
    commands::{Below, CommandForm, CommandShelf, at_mention},
    hook::Detail,
    layout,
    send::SendStyle,
    trust::FolderSettings,
};

/// The adapter.
pub struct Gemini;

/// What a trusted folder brings along.
const FOLDER_SETTINGS: FolderSettings = FolderSettings {
    files: &[".gemini/settings.json", ".gemini/.env", ".env"],
    folders: &[(".gemini/policies", ".toml"), (".gemini/agents", ".md")],
    harmless: &["$schema", "ui", "theme", "model", "context.fileName", "contextFileName", "output", "privacy"],
};

/// What this adapter is called on the wire.
pub const KIND: AdapterKind = AdapterKind::new("gemini");

static PROFILE: Profile = Profile {
    kind: KIND,
    name: "Gemini CLI",
    short_name: "Gemini",
    is_agent: true,
    mark: Mark {
        icon: "M8 1.5c.6 3.9 2.6 5.9 6.5 6.5-3.9.6-5.9 2.6-6.5 6.5-.6-3.9-2.6-5.9-6.5-6.5 3.9-.6 5.9-2.6 6.5-6.5z",
        light: "#4a50bd",
        dark: "#a3aaff",
    },
    program: "gemini",
    tested_versions: &["0.61.0", "0.34.0", "0.22.4"],
    modes: &[PermissionMode::Ask, PermissionMode::AcceptEdits, PermissionMode::Plan, PermissionMode::Bypass],
    models: Some(("-m", &["gemini-2.5-pro", "gemini-2.5-flash"])),
    takes_command: false,
    has_messages: true,
    interrupt: &[Keystroke::ESCAPE],
    // Shift+Tab goes through its modes, but 0.61 was seen to work in another one than it showed after some quick presses. So the
    // mode is shown as the screen says it, and changed at the desk.
    next_mode: &[],
    // An Enter within 30 ms of a paste is taken for a line break; ten times that is sure and nobody notices.
    send: SendStyle::Composer { gap: Duration::from_millis(300), typed: None },
    // 0.61 draws its composer first and its dialogs of the start over it, and it joins messages that come before it has come up.
    first_ready: Duration::from_secs(2),
    // A dialog is drawn a moment before it listens: on a busy machine the Enter for one of a loop was lost.
    deaf: Deaf { at_first: Duration::from_millis(200), after_keys: Duration::ZERO },
    redraws_above: true,
    redraws_diff: true,
    tells_start: false,
};

/// The first version seen to have `--session-id`; 0.34 has not.
const TAKES_SESSION_ID: (u32, u32) = (0, 61);

/// By these the CLI believes that it runs inside an editor, and then asks at every start whether to connect to it.
const EDITOR_VARIABLES: [&str; 14] = [
    "TERM_PROGRAM",
    "TERM_PROGRAM_VERSION",
    "TERMINAL_EMULATOR",
    "VSCODE_PID",
    "VSCODE_CWD",
    "VSCODE_INJECTION",
    "VSCODE_IPC_HOOK",
    "VSCODE_IPC_HOOK_CLI",
    "VSCODE_NLS_CONFIG",
    "VSCODE_GIT_IPC_HANDLE",
    "VSCODE_GIT_ASKPASS_NODE",
    "VSCODE_GIT_ASKPASS_MAIN",
    "CURSOR_TRACE_ID",
    "ZED_SESSION_ID",
];

static BUILT_IN: &[(&str, &str)] = &[
    ("about", "show the version"),
    ("chat", "keep or go on with a conversation"),
    ("clear", "clear the screen and begin anew"),
    ("compress", "shorten the conversation to what matters"),
    ("copy", "copy the last answer"),
    ("directory", "let it work in further folders"),
    ("extensions", "manage extensions"),
    ("help", "show what there is"),
    ("init", "write a GEMINI.md for this folder"),
    ("mcp", "list the MCP servers and their tools"),
    ("memory", "show or add to what it remembers"),
    ("model", "choose the model"),
    ("restore", "take back what a tool has changed"),
    ("settings", "open the settings"),
    ("stats", "show what the session has used"),
    ("tools", "list the tools"),
];

const fn shelf(below: Below, folder: &'static str) -> CommandShelf {
    CommandShelf { below, folder, form: CommandForm::Toml, prefix: "", nested: true }
}

static COMMANDS: Commands = Commands {
    built_in: BUILT_IN,
    shelves: &[shelf(Below::Project, ".gemini/commands"), shelf(Below::CliHome, "commands")],
};

impl Adapter for Gemini {
    fn profile(&self) -> &'static Profile {
        &PROFILE
    }

    fn surroundings(&self, variable: &dyn Fn(&str) -> Option<String>) -> Surroundings {
        settings::surroundings(variable)
    }

    fn launch(&self, request: &LaunchRequest) -> Result<LaunchPlan, LaunchRefusal> {
        let mode = match request.mode.unwrap_or(PermissionMode::Ask) {
            PermissionMode::Ask => "default",
            PermissionMode::AcceptEdits => "auto_edit",
            PermissionMode::Plan => "plan",
            PermissionMode::Bypass => "yolo",
            mode @ PermissionMode::Auto => return Err(LaunchRefusal::NoSuchMode(KIND, mode)),
        };
        let overlay = settings::overlay(request);
        let mut argv = vec![request.program.to_string_lossy().into_owned()];
        // Our own id serves as the CLI's, so that the conversation can be found and resumed by it. Older versions refuse it.
        let own = || request.is_at_least(TAKES_SESSION_ID).then(|| request.session_id.0.to_string());
        let id = request.resume.clone().or_else(own);
        let flag = if request.resume.is_some() { "--resume" } else { "--session-id" };
        argv.extend(id.iter().flat_map(|id| [flag.to_owned(), id.clone()]));
        argv.extend(["--approval-mode", mode].map(str::to_owned));
        argv.extend(request.command.iter().cloned());
        Ok(LaunchPlan {
            argv,
            env: overlay.iter().map(|(variable, path, _)| (variable.clone(), path.to_string_lossy().into())).collect(),
            env_remove: EDITOR_VARIABLES.map(str::to_owned).into(),
            files: overlay.into_iter().map(|(_, path, text)| (path, text)).collect(),
            cli_session_id: id,
            ..LaunchPlan::default()
        })
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

    fn pause(&self, _sighting: &Sighting) -> Duration {
        // Its lists draw a moved cursor first and take note of it afterwards, and that note sweeps away an Enter that came in
        // between. On a busy machine 100 ms were not enough.
        Duration::from_millis(250)
    }

    fn is_resumed(&self, screen: &Screen) -> bool {
        screen::shows_conversation(screen)
    }

    fn is_whole(&self, screen: &Screen, sighting: &Sighting) -> bool {
        let ends = layout::ends(screen, &sighting.rows);
        ends.is_some_and(|(first, last)| first.starts_with('╭') && last.starts_with('╰'))
    }

    fn answer(&self, sighting: &Sighting, response: &PromptResponse) -> Result<Step, Refusal> {
        keys::answer(sighting, response)
    }

    fn read_hook(&self, payload: &serde_json::Value) -> HookReading {
        hooks::read(payload)
    }

    fn read_detail(&self, payload: &serde_json::Value) -> Option<Detail> {
        hooks::detail(payload)
    }

    fn complete(&self, detail: &Detail, dialog: &Sighting) -> Option<Sighting> {
        hooks::complete(detail, dialog)
    }

    fn pending_calls(&self, lines: &[&str]) -> Vec<Detail> {
        transcript::pending(lines.iter().copied())
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

    fn read_title(&self, line: &str) -> Option<String> {
        transcript::title(line)
    }
}
