//! How a session is started.

use std::path::PathBuf;

use shared_types::{AdapterKind, PermissionMode, SessionId};
use uuid::Uuid;

use crate::{Adapter, LaunchRefusal, LaunchRequest, copilot::Copilot};

const ID: &str = "00000000-0000-0000-0000-000000000000";

fn request() -> LaunchRequest {
    LaunchRequest {
        session_id: SessionId(Uuid::nil()),
        folder: PathBuf::from("/work"),
        program: PathBuf::from("/bin/copilot"),
        version: None,
        command: vec!["--model".to_owned(), "gpt-5".to_owned()],
        mode: None,
        answerback: PathBuf::from("/bin/answerback"),
        session_folder: PathBuf::from("/run/session"),
        hook_command: None,
        cli_home: PathBuf::from("/home/me/.copilot"),
        resume: None,
        surroundings: crate::Surroundings::default(),
    }
}

fn argv(request: &LaunchRequest) -> Result<String, LaunchRefusal> {
    Copilot.launch(request).map(|plan| plan.argv.join(" "))
}

#[test]
fn a_session_has_an_id_of_ours_and_a_mode() {
    let begin = format!("/bin/copilot --session-id={ID}");
    let wanted = [
        (None, format!("{begin} --mode interactive --model gpt-5")),
        (Some(PermissionMode::Ask), format!("{begin} --mode interactive --model gpt-5")),
        (Some(PermissionMode::Plan), format!("{begin} --mode plan --model gpt-5")),
        (Some(PermissionMode::Bypass), format!("{begin} --yolo --model gpt-5")),
    ];
    for (mode, line) in wanted {
        assert_eq!(argv(&LaunchRequest { mode, ..request() }), Ok(line), "{mode:?}");
    }
    for mode in [PermissionMode::AcceptEdits, PermissionMode::Auto] {
        let refused = Err(LaunchRefusal::NoSuchMode(AdapterKind::new("copilot"), mode));
        assert_eq!(argv(&LaunchRequest { mode: Some(mode), ..request() }), refused);
    }
    let plan = Copilot.launch(&request()).unwrap();
    let file = format!("/home/me/.copilot/session-state/{ID}/events.jsonl");
    assert_eq!(plan.transcript, Some(PathBuf::from(file)));
}

#[test]
fn an_earlier_conversation_keeps_its_id() {
    let plan = Copilot.launch(&LaunchRequest { resume: Some("abc".to_owned()), ..request() }).unwrap();
    assert_eq!(plan.argv[1], "--resume=abc");
    assert_eq!(plan.cli_session_id.as_deref(), Some("abc"));
    let own = vec!["--continue".to_owned()];
    let plan = Copilot.launch(&LaunchRequest { command: own, ..request() }).unwrap();
    assert_eq!((plan.cli_session_id, plan.transcript), (None, None), "the person's own choice is not known");
}
