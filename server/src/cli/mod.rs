//! The commands of the binary.

mod doctor;
mod journal;
pub(crate) mod local;
mod metrics;
mod notify;
mod packaging;
mod read;
mod rules;
mod screen_commands;
mod serve;
mod server_commands;
mod service;
mod uninstall;

use std::path::{Path, PathBuf};

use clap::{Parser, Subcommand};
use shared_types::PermissionMode;

use crate::{config::Flags, first_start};

/// Answer your AI coding agents from your phone.
///
/// Answerback runs Claude Code, Codex, Gemini CLI or any other program in tmux, shows every question they ask on your phone,
/// and carries your answer back. Without a command it starts the server and prints a code to scan; the first time it asks who may
/// open the page.
#[derive(Debug, Parser)]
#[command(name = "answerback", version, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Start the server (this is what happens without a command)
    Serve {
        #[command(flatten)]
        flags: Flags,
    },
    /// Start a session in this terminal: answerback run claude
    Run(RunArgs),
    /// Join a running session in this terminal; leave it again with Ctrl-b d
    Attach {
        /// The session's name, or the beginning of its id; not needed when only one runs
        name: Option<String>,
        #[command(flatten)]
        place: Place,
    },
    /// List the sessions and what they wait for
    Ls {
        /// One JSON object, for scripts
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        place: Place,
    },
    /// Show a code for pairing the next phone
    Pair {
        /// One JSON object, for scripts
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        place: Place,
    },
    /// List the paired devices, or revoke one
    Devices {
        #[command(subcommand)]
        action: Option<DevicesAction>,
        /// One JSON object, for scripts
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        place: Place,
    },
    /// Who allowed what, and what came of it: show, verify, export, pin
    Journal {
        #[command(subcommand)]
        action: journal::JournalAction,
        #[command(flatten)]
        place: Place,
    },
    /// Print what is counted of the running server, as text for Prometheus
    Metrics {
        #[command(flatten)]
        place: Place,
    },
    /// Who is told of prompts while the page is closed, and a test that says what became of it
    Notify {
        #[command(subcommand)]
        action: notify::NotifyAction,
        #[command(flatten)]
        place: Place,
    },
    /// Check that everything is in place, and say what is missing
    Doctor(doctor::DoctorArgs),
    /// Let systemd or launchd start the server: install, uninstall, status
    Service {
        #[command(subcommand)]
        action: service::ServiceAction,
    },
    /// Take away what was installed beside the program; what is kept stays unless --data says otherwise
    Uninstall(uninstall::UninstallArgs),
    /// Show what Answerback makes of a screen; for checking it, and for reporting one it misreads
    Read(read::ReadArgs),
    /// Make rules that answer prompts, judge commands by them, and say why
    Rules {
        #[command(subcommand)]
        action: rules::RulesAction,
        #[command(flatten)]
        place: Place,
    },
    /// Print what a shell needs to complete these commands: answerback completions bash
    Completions {
        /// Which shell
        shell: clap_complete::Shell,
    },
    /// Write man pages into a folder, for packages
    #[command(hide = true)]
    Man {
        /// Which folder
        folder: PathBuf,
    },
    /// Run a command of tmux on the private server, whose socket is not there most of the time
    #[command(hide = true)]
    Tmux {
        #[command(flatten)]
        place: Place,
        /// The command and its arguments
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, required = true)]
        command: Vec<String>,
    },
    /// Start the program of a pane; Answerback runs this by itself
    #[command(hide = true)]
    Pane {
        /// The program and its arguments
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, required = true)]
        command: Vec<String>,
    },
    /// Hand what a CLI says to the server; the CLIs run this by themselves
    #[command(hide = true)]
    Hook {
        /// The file that says where to
        access: PathBuf,
        /// Wait for an answer, and come again when the server does
        #[arg(long)]
        wait: bool,
    },
    /// Run the demo agent in this terminal: it asks every kind of question and needs no account
    Demo {
        /// Append the conversation to this file
        #[arg(long, value_name = "FILE")]
        transcript: Option<PathBuf>,
    },
}

#[derive(Debug, clap::Args)]
struct RunArgs {
    /// claude, codex, gemini or another CLI it knows, demo, or any other program
    program: String,
    /// Its arguments
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    args: Vec<String>,
    /// Name of the session [default: the folder's]
    #[arg(long, short)]
    name: Option<String>,
    /// Folder to work in [default: this one]
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,
    /// How freely it may act: ask, accept-edits, plan, auto, bypass
    #[arg(long, value_parser = permission_mode)]
    mode: Option<PermissionMode>,
    /// Let it load the folder's own settings, whatever they run
    #[arg(long)]
    trust: bool,
    /// Only start it, do not show it here
    #[arg(long, short)]
    detach: bool,
    #[command(flatten)]
    place: Place,
}

#[derive(Debug, Subcommand)]
enum DevicesAction {
    /// Revoke a device: it is out at once
    Revoke {
        /// The device's name, or the beginning of its id
        device: String,
    },
}

/// Which installation is meant.
#[derive(Debug, Clone, clap::Args)]
struct Place {
    /// Folder for everything that is kept
    #[arg(long, env = "ANSWERBACK_DATA_DIR", value_name = "FOLDER")]
    data_dir: Option<PathBuf>,
    /// Configuration file [default: ~/.config/answerback/config.toml]
    #[arg(long, env = "ANSWERBACK_CONFIG", value_name = "FILE")]
    config: Option<PathBuf>,
    /// Name of the private tmux server
    #[arg(long, env = "ANSWERBACK_TMUX", value_name = "NAME")]
    tmux: Option<String>,
}

impl From<Place> for Flags {
    fn from(place: Place) -> Self {
        Self { data_dir: place.data_dir, config: place.config, tmux: place.tmux, ..Self::default() }
    }
}

/// Runs the command line.
///
/// # Errors
/// What went wrong, as one sentence with its causes.
pub fn run(arguments: Vec<String>) -> anyhow::Result<()> {
    // The CLIs wait for their hooks, and setting up the reading of all commands takes longer than this one.
    match arguments.get(1..).unwrap_or_default() {
        [hook, access] if hook == "hook" => return run_hook(access.as_ref(), false),
        [pane, command @ ..] if pane == "pane" => return run_pane(command),
        [hook, access, wait] if hook == "hook" && wait == "--wait" => return run_hook(access.as_ref(), true),
        _ => {}
    }
    let without_anything = arguments.len() == 1;
    let cli = Cli::parse_from(with_default_command(arguments));
    match cli.command {
        // Neither may carry a runtime's threads: one is a terminal program, the other becomes tmux.
        Command::Hook { access, wait } => run_hook(&access, wait),
        Command::Pane { command } => run_pane(&command),
        Command::Tmux { place, command } => block_on(screen_commands::tmux(&command, place.into())),
        Command::Demo { transcript } => answerback_demo::run(&answerback_demo::Options { transcript }),
        Command::Completions { shell } => packaging::completions(shell),
        Command::Man { folder } => packaging::man(&folder),
        Command::Service { action } => service::service(action),
        Command::Uninstall(args) => block_on(uninstall::uninstall(args)),
        Command::Journal { action, place } => journal::journal(action, place),
        Command::Serve { flags } => block_on(async {
            if without_anything {
                first_start::ask_once(&flags).await?;
            }
            serve::serve(&flags).await
        }),
        Command::Run(args) => block_on(screen_commands::run(args)),
        Command::Attach { name, place } => block_on(screen_commands::attach(name, place.into())),
        Command::Ls { json, place } => block_on(server_commands::list(json, place.into())),
        Command::Pair { json, place } => block_on(server_commands::pair(json, place.into())),
        Command::Devices { action, json, place } => block_on(server_commands::devices(action, json, place.into())),
        Command::Metrics { place } => block_on(metrics::metrics(place.into())),
        Command::Notify { action, place } => block_on(notify::notify(action, place.into())),
        Command::Rules { action, place } => block_on(rules::rules(action, place.into())),
        Command::Read(args) => block_on(read::read(args)),
        Command::Doctor(args) => block_on(doctor::doctor(&args)),
    }
}

fn run_hook(access: &Path, wait: bool) -> anyhow::Result<()> {
    crate::hooks::relay::run(access, wait);
    Ok(())
}

fn run_pane(command: &[String]) -> anyhow::Result<()> {
    Err(crate::pane::root::run(command).into())
}

/// `answerback` and `answerback --port 1` mean `serve`.
fn with_default_command(mut arguments: Vec<String>) -> Vec<String> {
    let asks_for_help = ["-h", "--help", "-V", "--version"];
    let starts_with_flag =
        arguments.get(1).is_none_or(|first| first.starts_with('-') && !asks_for_help.contains(&first.as_str()));
    if starts_with_flag {
        arguments.insert(1.min(arguments.len()), "serve".to_owned());
    }
    arguments
}

fn block_on(work: impl Future<Output = anyhow::Result<()>>) -> anyhow::Result<()> {
    tokio::runtime::Builder::new_multi_thread().enable_all().build()?.block_on(work)
}

fn permission_mode(text: &str) -> Result<PermissionMode, String> {
    let modes = "ask, accept-edits, plan, auto or bypass";
    serde_json::from_value(serde_json::Value::String(text.to_owned())).map_err(|_| format!("choose {modes}"))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn the_command_line_is_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn serving_is_the_default() {
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(with_default_command(words("answerback")), words("answerback serve"));
        assert_eq!(with_default_command(words("answerback --port 1")), words("answerback serve --port 1"));
        assert_eq!(with_default_command(words("answerback --help")), words("answerback --help"));
        assert_eq!(with_default_command(words("answerback ls --json")), words("answerback ls --json"));
    }
}
