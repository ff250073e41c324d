//! How Codex is started.

use shared_types::PermissionMode;

use crate::{LaunchPlan, LaunchRefusal, LaunchRequest};

/// The modes a session can be started in, the most careful first.
///
/// Codex asks when something leaves its sandbox, so the sandbox is what makes a mode. *Ask* is the read-only one: every edit
/// and every command that writes must be asked for. *Accept edits* lets it write in the folder. Codex's own plan mode has no
/// switch at the start, and its automatic review was never seen at work, so neither is offered.
pub(super) const MODES: &[PermissionMode] = &[PermissionMode::Ask, PermissionMode::AcceptEdits, PermissionMode::Bypass];

/// The program and its arguments.
pub(super) fn plan(request: &LaunchRequest) -> Result<LaunchPlan, LaunchRefusal> {
    let mut argv = vec![request.program.to_string_lossy().into_owned()];
    // Otherwise 0.166 leaves a server and an updater behind that outlive the session. Its flag `--no-daemon` would do as well, but
    // older versions refuse a flag they do not know and pass over such a setting.
    argv.extend(overrides(&["check_for_update_on_startup=false", "features.daemon_auto_start=false"]));
    match request.mode.unwrap_or(PermissionMode::Ask) {
        PermissionMode::Ask => argv.extend(overrides(&[ASKS, "sandbox_mode=\"read-only\""])),
        PermissionMode::AcceptEdits => argv.extend(overrides(&[ASKS, "sandbox_mode=\"workspace-write\""])),
        PermissionMode::Bypass => argv.push("--dangerously-bypass-approvals-and-sandbox".to_owned()),
        mode @ (PermissionMode::Plan | PermissionMode::Auto) => {
            return Err(LaunchRefusal::NoSuchMode(super::KIND, mode));
        }
    }
    // Behind the settings: those before the word count for it as well.
    if let Some(id) = &request.resume {
        argv.extend(["resume".to_owned(), id.clone()]);
    }
    argv.extend(request.command.iter().cloned());
    Ok(LaunchPlan { argv, cli_session_id: request.resume.clone(), ..LaunchPlan::default() })
}

/// `untrusted` would ask more often, but 0.166 refuses to start with it.
const ASKS: &str = "approval_policy=\"on-request\"";

/// Settings given on the command line: the person's own file is not touched.
fn overrides<'a>(settings: &'a [&'a str]) -> impl Iterator<Item = String> + 'a {
    settings.iter().flat_map(|setting| ["-c".to_owned(), (*setting).to_owned()])
}
