//! How a session is started.

use std::path::PathBuf;

use shared_types::{AdapterKind, PermissionMode, SessionId};
use uuid::Uuid;

use crate::{Adapter, LaunchRefusal, LaunchRequest, codex::Codex};

fn argv(mode: Option<PermissionMode>) -> Result<String, LaunchRefusal> {
    Codex.launch(&request(mode)).map(|plan| plan.argv.join(" "))
}

fn request(mode: Option<PermissionMode>) -> LaunchRequest {
    LaunchRequest {
        session_id: SessionId(Uuid::nil()),
        folder: PathBuf::from("/work"),
        program: PathBuf::from("/bin/codex"),
        version: None,
        command: vec!["--model".to_owned(), "gpt-6-sol".to_owned()],
        mode,
        answerback: PathBuf::from("/bin/answerback"),
        session_folder: PathBuf::from("/run/session"),
        hook_command: None,
        cli_home: PathBuf::from("/home/me/.cli"),
        resume: None,
        surroundings: crate::Surroundings::default(),
    }
}

#[test]
fn an_earlier_conversation_is_named_behind_the_settings() {
    let plan = Codex.launch(&LaunchRequest { resume: Some("abc".to_owned()), ..request(None) }).unwrap();
    assert!(
        plan.argv.join(" ").ends_with("sandbox_mode=\"read-only\" resume abc --model gpt-6-sol"),
        "{:?}",
        plan.argv
    );
    assert_eq!(plan.cli_session_id.as_deref(), Some("abc"));
}

#[test]
fn each_mode_is_a_sandbox_and_asking_is_the_default() {
    let begin = "/bin/codex -c check_for_update_on_startup=false -c features.daemon_auto_start=false";
    let asks = "-c approval_policy=\"on-request\" -c sandbox_mode=";
    let end = "--model gpt-6-sol";
    let wanted = [
        (None, format!("{begin} {asks}\"read-only\" {end}")),
        (Some(PermissionMode::Ask), format!("{begin} {asks}\"read-only\" {end}")),
        (Some(PermissionMode::AcceptEdits), format!("{begin} {asks}\"workspace-write\" {end}")),
        (Some(PermissionMode::Bypass), format!("{begin} --dangerously-bypass-approvals-and-sandbox {end}")),
    ];
    for (mode, line) in wanted {
        assert_eq!(argv(mode), Ok(line), "{mode:?}");
    }
    for mode in [PermissionMode::Plan, PermissionMode::Auto] {
        assert_eq!(argv(Some(mode)), Err(LaunchRefusal::NoSuchMode(AdapterKind::new("codex"), mode)));
    }
    assert_eq!(Codex.profile().modes.first(), Some(&PermissionMode::Ask));
}
