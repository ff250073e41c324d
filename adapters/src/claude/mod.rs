//! Claude Code.
//!
//! # Layout, in the order a screen is read
//!
//! - `screen.rs`: the order of questions asked of a screen. `lines.rs`: rows, rules, wraps, key hints.
//! - `composer.rs`: where a message is typed, and whether Claude works. While it is drawn no dialog is open.
//! - `dialog.rs`: the dialog that is open, by its build; `options.rs` its rows, with `mark.rs` for what stands in front
//!   of them, `textrow.rs` for those that take text and `preview.rs` for what is drawn beside them.
//! - `sight.rs`: what it asks. `question.rs` with `tabs.rs`; `approval.rs` with `head.rs` and `body.rs`; `startup.rs`
//!   for the dialogs of the start. `words.rs` is what is known of Claude's words.
//! - `aside.rs`: what it asks beside its composer, which may be left alone.
//! - `form.rs`: what an MCP server asks through Claude, which is built in a way of its own.
//! - `keys.rs`: how it is answered; `fill.rs`: how a form is. `hooks.rs`: what Claude says by itself, and how it is answered there.
//! - `transcript.rs`: what it writes down of the conversation.

mod approval;
mod aside;
mod body;
mod composer;
mod dialog;
mod fill;
mod form;
mod head;
mod hooks;
mod keys;
mod lines;
mod mark;
mod options;
mod preview;
mod question;
mod record;
mod screen;
mod sight;
mod startup;
mod tabs;
#[cfg(test)]
mod tests;
mod textrow;
mod transcript;
mod words;

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use serde_json::Value;
use shared_types::{AdapterKind, Millis, PermissionMode, PromptResponse};

use crate::{
    Adapter, Commands, Head, HookReading, Keystroke, LaunchPlan, LaunchRefusal, LaunchRequest, Mark, Profile, Reading,
    Refusal, Running, Screen, Shelf, Sighting, Step, Surroundings, TranscriptEntry,
    answer::Deaf,
    commands::{Below, CommandForm, CommandShelf, at_mention},
    hook::{Detail, Request},
    keys::NamedKey,
    layout,
    send::SendStyle,
    trust::FolderSettings,
};

/// The adapter.
pub struct Claude;

/// What a trusted folder brings along.
const FOLDER_SETTINGS: FolderSettings = FolderSettings {
    files: &[".claude/settings.json", ".claude/settings.local.json", ".mcp.json"],
    folders: &[
        (".claude/commands", ".md"),
        (".claude/agents", ".md"),
        (".claude/skills", "skill.md"),
        (".claude/workflows", ".js"),
    ],
    harmless: &[
        "$schema",
        "model",
        "theme",
        "outputStyle",
        "language",
        "includeCoAuthoredBy",
        "attribution",
        "cleanupPeriodDays",
        "spinnerTipsEnabled",
        "alwaysThinkingEnabled",
        "respectGitignore",
    ],
};

/// What this adapter is called on the wire.
pub const KIND: AdapterKind = AdapterKind::new("claude");

static PROFILE: Profile = Profile {
    kind: KIND,
    name: "Claude Code",
    short_name: "Claude",
    is_agent: true,
    mark: Mark { icon: "M8 2v12M2.8 5l10.4 6M13.2 5L2.8 11", light: "#a3472a", dark: "#e2906f" },
    program: "claude",
    tested_versions: &["2.1.325", "2.1.50", "2.0.76"],
    modes: &[
        PermissionMode::Ask,
        PermissionMode::AcceptEdits,
        PermissionMode::Plan,
        PermissionMode::Auto,
        PermissionMode::Bypass,
    ],
    models: Some(("--model", &["opus", "sonnet", "haiku"])),
    takes_command: false,
    has_messages: true,
    interrupt: &[Keystroke::ESCAPE],
    next_mode: &[Keystroke::Named(NamedKey::BackTab)],
    // It takes Enter at once; the gap only keeps a long paste and its Enter apart on a busy machine. In 2.0.76 a pasted `!` runs
    // nothing: the command would go to the model as a message.
    send: SendStyle::Composer { gap: Duration::from_millis(100), typed: Some('!') },
    first_ready: Duration::ZERO,
    // 150 ms and 700 ms in 2.1.326, and something on top: the keys are timed when they are read, later than they are pressed.
    deaf: Deaf { at_first: Duration::from_millis(170), after_keys: Duration::from_millis(800) },
    redraws_above: true,
    redraws_diff: false,
    tells_start: true,
};

/// How long a question that takes one key, without rows, ignores it: 2.1.326 leaves the key for a rating in the composer when it comes
/// in the first second, and ignores the one for leaving auto mode.
const KEY_DEAF: Duration = Duration::from_millis(1200);

/// How long the buttons of a form may ignore keys after the cursor has come to them.
const BUTTON_PAUSE: Duration = Duration::from_secs(1);

static BUILT_IN: &[(&str, &str)] = &[
    ("add-dir", "let it work in a further folder"),
    ("agents", "set up agents for special work"),
    ("clear", "forget the conversation and begin anew"),
    ("compact", "shorten the conversation to what matters"),
    ("config", "open the settings"),
    ("context", "show what fills the model's memory"),
    ("cost", "show what the session has cost"),
    ("doctor", "check the installation"),
    ("export", "write the conversation to a file"),
    ("help", "show what there is"),
    ("hooks", "show the hooks"),
    ("init", "write a CLAUDE.md for this folder"),
    ("mcp", "manage MCP servers"),
    ("memory", "edit what it remembers"),
    ("model", "choose the model"),
    ("permissions", "show what it may do without asking"),
    ("resume", "go on with an earlier conversation"),
    ("review", "review a pull request"),
    ("rewind", "go back to an earlier point"),
    ("security-review", "look for security faults in the changes"),
    ("status", "show version, model and account"),
    ("usage", "show what is left of the plan"),
];

const fn shelf(below: Below, folder: &'static str) -> CommandShelf {
    CommandShelf { below, folder, form: CommandForm::Markdown, prefix: "", nested: true }
}

static COMMANDS: Commands = Commands {
    built_in: BUILT_IN,
    shelves: &[shelf(Below::Project, ".claude/commands"), shelf(Below::CliHome, "commands")],
};

impl Adapter for Claude {
    fn profile(&self) -> &'static Profile {
        &PROFILE
    }

    fn surroundings(&self, variable: &dyn Fn(&str) -> Option<String>) -> Surroundings {
        hooks::surroundings(variable)
    }

    fn launch(&self, request: &LaunchRequest) -> Result<LaunchPlan, LaunchRefusal> {
        let given = |names: &[&str]| {
            request.command.iter().any(|argument| {
                let name = argument.split_once('=').map_or(argument.as_str(), |(name, _)| name);
                names.contains(&name)
            })
        };
        let mut argv = vec![request.program.to_string_lossy().into_owned()];
        // An old conversation keeps its own id, and Claude refuses a second one.
        let keeps_id = given(&["--session-id", "--resume", "-r", "--continue", "-c"]);
        let cli_session_id = match &request.resume {
            Some(id) => Some(id.clone()),
            None => (!keeps_id).then(|| request.session_id.0.to_string()),
        };
        if let Some(id) = &cli_session_id {
            let flag = if request.resume.is_some() { "--resume" } else { "--session-id" };
            argv.extend([flag.to_owned(), id.clone()]);
        }
        // Without a mode new versions start in auto mode, which nobody has asked for.
        if !given(&["--permission-mode", "--dangerously-skip-permissions"]) {
            let mode = mode_name(request.mode.unwrap_or(PermissionMode::Ask));
            argv.extend(["--permission-mode".to_owned(), mode.to_owned()]);
        }
        // Settings of the person's own go before ours: Claude takes one such argument, and the screen tells enough.
        let mut files = Vec::new();
        if let Some(command) = request.hook_command.as_ref().filter(|_| !given(&["--settings"])) {
            let path = request.session_folder.join("claude-settings.json");
            argv.extend(["--settings".to_owned(), path.to_string_lossy().into_owned()]);
            files.push((path, hooks::settings(command, hooks::are_switched_off(&request.surroundings))));
        }
        argv.extend(request.command.iter().cloned());
        let transcript =
            cli_session_id.as_deref().and_then(|id| transcript::file(&request.cli_home, &request.folder, id));
        Ok(LaunchPlan { argv, cli_session_id, transcript, files, ..LaunchPlan::default() })
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
        // Drawn from its rule down to its hints. Some dialogs have none.
        let ends = layout::ends(screen, &sighting.rows);
        ends.is_some_and(|(first, last)| first.starts_with('─') && last.to_lowercase().contains("esc to "))
    }

    fn answer(&self, sighting: &Sighting, response: &PromptResponse) -> Result<Step, Refusal> {
        keys::next(sighting, response)
    }

    fn next_page(&self, sighting: &Sighting) -> Option<Vec<Keystroke>> {
        fill::next_page(sighting).filter(|_| [sight::build::FORM, sight::build::OPEN_FIELD].contains(&sighting.build))
    }

    fn deaf(&self, sighting: &Sighting) -> Deaf {
        let by_one_key = [sight::build::ASIDE, sight::build::KEYS].contains(&sighting.build);
        Deaf { at_first: if by_one_key { KEY_DEAF } else { PROFILE.deaf.at_first }, ..PROFILE.deaf }
    }

    fn pause(&self, sighting: &Sighting) -> Duration {
        // The buttons of a form are deaf for a moment after the cursor has come to them.
        let on_button = sighting.build == sight::build::FORM && sighting.question_index.is_none();
        if on_button { BUTTON_PAUSE } else { Duration::ZERO }
    }

    fn read_hook(&self, payload: &Value) -> HookReading {
        hooks::read(payload)
    }

    fn decide(&self, request: &Request, shown: &Sighting, response: &PromptResponse) -> Option<String> {
        hooks::decide(request, shown, response)
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

    fn read_running(&self, record: &str) -> Option<Running> {
        transcript::running(record)
    }

    fn shelf(&self, folder: Option<&Path>) -> Option<Shelf> {
        Some(transcript::shelf(folder))
    }

    fn agents_of(&self, transcript: &Path) -> Option<(PathBuf, &'static str)> {
        Some(transcript::agents(transcript))
    }

    fn read_head(&self, name: &str, head: &str) -> Option<Head> {
        transcript::head(name, head)
    }

    fn read_title(&self, line: &str) -> Option<String> {
        transcript::title(line)
    }
}

fn mode_name(mode: PermissionMode) -> &'static str {
    match mode {
        PermissionMode::Ask => "default",
        PermissionMode::AcceptEdits => "acceptEdits",
        PermissionMode::Plan => "plan",
        PermissionMode::Auto => "auto",
        PermissionMode::Bypass => "bypassPermissions",
    }
}
