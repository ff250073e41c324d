//! How opencode is started.
//!
//! By itself it asks for little. What it shall ask for is said in a variable, which it lays over the person's own settings: no file
//! is touched.

use shared_types::PermissionMode;

use crate::{LaunchPlan, LaunchRefusal, LaunchRequest};

/// The modes a session can be started in, the most careful first.
pub(super) const MODES: &[PermissionMode] = &[PermissionMode::Ask, PermissionMode::Plan, PermissionMode::Bypass];

/// What must be asked for. What opencode asks for by itself (other folders, `.env` files, repeated calls) stays as it is.
const ASKS: &str = r#"{"bash":"ask","edit":"ask","webfetch":"ask","websearch":"ask"}"#;

/// The program, its arguments and its variables.
pub(super) fn plan(request: &LaunchRequest) -> Result<LaunchPlan, LaunchRefusal> {
    let mut argv = vec![request.program.to_string_lossy().into_owned()];
    if let Some(id) = &request.resume {
        argv.extend(["--session".to_owned(), id.clone()]);
    }
    // An update in the middle of a session would change what is drawn.
    let mut env = vec![("OPENCODE_DISABLE_AUTOUPDATE".to_owned(), "1".to_owned())];
    let asks = ("OPENCODE_PERMISSION".to_owned(), ASKS.to_owned());
    match request.mode.unwrap_or(PermissionMode::Ask) {
        PermissionMode::Ask => env.push(asks),
        PermissionMode::Plan => {
            env.push(asks);
            argv.extend(["--agent", "plan"].map(str::to_owned));
        }
        PermissionMode::Bypass => argv.push("--auto".to_owned()),
        mode @ (PermissionMode::AcceptEdits | PermissionMode::Auto) => {
            return Err(LaunchRefusal::NoSuchMode(super::KIND, mode));
        }
    }
    argv.extend(request.command.iter().cloned());
    Ok(LaunchPlan { argv, env, cli_session_id: request.resume.clone(), ..LaunchPlan::default() })
}
