//! How Copilot CLI is started.

use shared_types::PermissionMode;

use super::transcript;
use crate::{LaunchPlan, LaunchRefusal, LaunchRequest};

/// The modes a session can be started in, the most careful first. Autopilot is not among them: it asks to be given every permission
/// with the first message, and without them it refuses by itself what it would have to ask for.
pub(super) const MODES: &[PermissionMode] = &[PermissionMode::Ask, PermissionMode::Plan, PermissionMode::Bypass];

/// The program and its arguments.
pub(super) fn plan(request: &LaunchRequest) -> Result<LaunchPlan, LaunchRefusal> {
    let given = |names: &[&str]| {
        request.command.iter().any(|argument| {
            let name = argument.split_once('=').map_or(argument.as_str(), |(name, _)| name);
            names.contains(&name)
        })
    };
    let mut argv = vec![request.program.to_string_lossy().into_owned()];
    // Our own id serves as the CLI's, so that the conversation can be found and resumed by it.
    let keeps_id = given(&["--session-id", "--resume", "--continue", "-r", "-c"]);
    let cli_session_id = match &request.resume {
        Some(id) => Some(id.clone()),
        None => (!keeps_id).then(|| request.session_id.0.to_string()),
    };
    if let Some(id) = &cli_session_id {
        let flag = if request.resume.is_some() { "--resume" } else { "--session-id" };
        argv.push(format!("{flag}={id}"));
    }
    match request.mode.unwrap_or(PermissionMode::Ask) {
        PermissionMode::Ask => argv.extend(["--mode", "interactive"].map(str::to_owned)),
        PermissionMode::Plan => argv.extend(["--mode", "plan"].map(str::to_owned)),
        PermissionMode::Bypass => argv.push("--yolo".to_owned()),
        mode @ (PermissionMode::AcceptEdits | PermissionMode::Auto) => {
            return Err(LaunchRefusal::NoSuchMode(super::KIND, mode));
        }
    }
    argv.extend(request.command.iter().cloned());
    let transcript = cli_session_id.as_deref().map(|id| transcript::file(&request.cli_home, id));
    Ok(LaunchPlan {
        argv,
        // A version that replaces itself in the middle of its work is another program than the one that was started.
        env: vec![("COPILOT_AUTO_UPDATE".to_owned(), "false".to_owned())],
        cli_session_id,
        transcript,
        ..LaunchPlan::default()
    })
}
