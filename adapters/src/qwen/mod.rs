//! Qwen Code, which was made from Gemini CLI and draws its newest screens in a way of its own.
//!
//! - `screen`: what a screen says, for 0.24 and 0.15 and as far as they agree for others.
//! - `keys`: how its dialogs are answered.
//! - `hooks`: what its hooks tell, and the settings that ask for them. `complete`: what is told, put into the dialog it is about.
//! - `transcript`: what it writes down of the conversation.
//!
//! What Gemini CLI draws alike is in [`crate::gemini_family`].

mod complete;
mod hooks;
mod keys;
mod screen;
#[cfg(test)]
mod tests;
mod transcript;

use std::{path::Path, time::Duration};

use shared_types::{AdapterKind, PermissionMode, PromptResponse, SessionId};

use crate::{
    Adapter, Commands, Head, HookReading, Keystroke, LaunchPlan, LaunchRefusal, LaunchRequest, Mark, Profile, Reading,
    Refusal, Screen, Shelf, Sighting, Step, Surroundings, TranscriptEntry,
    answer::Deaf,
    commands::{Below, CommandForm, CommandShelf, at_mention},
    hook::Detail,
    keys::NamedKey,
    send::SendStyle,
    trust::FolderSettings,
};

/// The adapter.
pub struct Qwen;

/// What a trusted folder brings along.
const FOLDER_SETTINGS: FolderSettings = FolderSettings {
    files: &[".qwen/settings.json", ".qwen/.env", ".env"],
    folders: &[(".qwen/agents", ".md"), (".qwen/skills", "skill.md")],
    harmless: &[
        "$schema",
        "$version",
        "ui",
        "theme",
        "model",
        "context.fileName",
        "contextFileName",
        "output",
        "privacy",
    ],
};

/// What this adapter is called on the wire.
pub const KIND: AdapterKind = AdapterKind::new("qwen");

static PROFILE: Profile = Profile {
    kind: KIND,
    name: "Qwen Code",
    short_name: "Qwen",
    is_agent: true,
    mark: Mark { icon: "M11.2 11.6a5 5 0 1 1 1.2-1.6M9.4 9.4l4.6 4.8", light: "#7d3aa8", dark: "#c79bea" },
    program: "qwen",
    tested_versions: &["0.24.4", "0.15.10"],
    modes: &[
        PermissionMode::Ask,
        PermissionMode::AcceptEdits,
        PermissionMode::Plan,
        PermissionMode::Auto,
        PermissionMode::Bypass,
    ],
    models: Some(("-m", &["qwen3-coder-plus", "qwen3-coder-flash"])),
    takes_command: false,
    has_messages: true,
    interrupt: &[Keystroke::ESCAPE],
    next_mode: &[Keystroke::Named(NamedKey::BackTab)],
    // An Enter was taken for one at any distance from a paste.
    send: SendStyle::Composer { gap: Duration::from_millis(50), typed: None },
    first_ready: Duration::from_secs(1),
    deaf: Deaf { at_first: Duration::from_millis(200), after_keys: Duration::ZERO },
    redraws_above: true,
    redraws_diff: true,
    tells_start: false,
};

/// By these the CLI believes that it runs inside an editor, and then asks whether to connect to it.
const EDITOR_VARIABLES: [&str; 6] = [
    "TERM_PROGRAM",
    "TERM_PROGRAM_VERSION",
    "TERMINAL_EMULATOR",
    "VSCODE_PID",
    "VSCODE_IPC_HOOK_CLI",
    "QWEN_CODE_IDE_SERVER_PORT",
];

static BUILT_IN: &[(&str, &str)] = &[
    ("about", "show the version"),
    ("approval-mode", "choose what it asks before it acts"),
    ("clear", "clear the screen and begin anew"),
    ("compress", "shorten the conversation to what matters"),
    ("copy", "copy the last answer"),
    ("directory", "let it work in further folders"),
    ("help", "show what there is"),
    ("init", "write a QWEN.md for this folder"),
    ("mcp", "list the MCP servers and their tools"),
    ("memory", "show or add to what it remembers"),
    ("model", "choose the model"),
    ("settings", "open the settings"),
    ("stats", "show what the session has used"),
    ("tools", "list the tools"),
];

const fn shelf(below: Below, folder: &'static str) -> CommandShelf {
    CommandShelf { below, folder, form: CommandForm::Toml, prefix: "", nested: true }
}

static COMMANDS: Commands = Commands {
    built_in: BUILT_IN,
    shelves: &[shelf(Below::Project, ".qwen/commands"), shelf(Below::CliHome, "commands")],
};

/// Our own id serves as the CLI's, so that the conversation can be found and resumed by it. The CLI takes none of version 7, so it
/// is said to be of version 4.
fn own_id(session: SessionId) -> String {
    /// Where the digit of the version stands.
    const VERSION: usize = 14;
    let mut id = session.0.to_string();
    id.replace_range(VERSION..=VERSION, "4");
    id
}

impl Adapter for Qwen {
    fn profile(&self) -> &'static Profile {
        &PROFILE
    }

    fn surroundings(&self, variable: &dyn Fn(&str) -> Option<String>) -> Surroundings {
        hooks::surroundings(variable)
    }

    fn launch(&self, request: &LaunchRequest) -> Result<LaunchPlan, LaunchRefusal> {
        // Without a mode it decides by itself what needs no asking.
        let mode = match request.mode.unwrap_or(PermissionMode::Ask) {
            PermissionMode::Ask => "default",
            PermissionMode::AcceptEdits => "auto-edit",
            PermissionMode::Plan => "plan",
            PermissionMode::Auto => "auto",
            PermissionMode::Bypass => "yolo",
        };
        let overlay = hooks::overlay(request).into_iter().collect::<Vec<_>>();
        let id = request.resume.clone().unwrap_or_else(|| own_id(request.session_id));
        let flag = if request.resume.is_some() { "--resume" } else { "--session-id" };
        let mut argv = vec![request.program.to_string_lossy().into_owned()];
        argv.extend([flag, &id, "--approval-mode", mode].map(str::to_owned));
        argv.extend(request.command.iter().cloned());
        Ok(LaunchPlan {
            argv,
            env: overlay.iter().map(|(variable, path, _)| (variable.clone(), path.to_string_lossy().into())).collect(),
            env_remove: EDITOR_VARIABLES.map(str::to_owned).into(),
            files: overlay.into_iter().map(|(_, path, text)| (path, text)).collect(),
            transcript: transcript::file(&request.cli_home, &request.folder, &id),
            cli_session_id: Some(id),
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

    fn is_resumed(&self, screen: &Screen) -> bool {
        screen::shows_conversation(screen)
    }

    fn pause(&self, _sighting: &Sighting) -> Duration {
        // A tab that is answered stays for a moment before the next comes to the front.
        Duration::from_millis(200)
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
        complete::complete(detail, dialog)
    }

    fn pending_calls(&self, lines: &[&str]) -> Vec<Detail> {
        transcript::pending(lines.iter().copied())
    }

    fn read_transcript(&self, line: &str) -> Vec<TranscriptEntry> {
        transcript::read(line)
    }

    fn shelf(&self, folder: Option<&Path>) -> Option<Shelf> {
        Some(transcript::shelf(folder))
    }

    fn read_head(&self, name: &str, head: &str) -> Option<Head> {
        transcript::head(name, head)
    }
}
