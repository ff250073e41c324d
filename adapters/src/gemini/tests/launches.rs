//! How it is started.

use shared_types::{AdapterKind, PermissionMode, SessionId};

use crate::{Adapter, LaunchRefusal, LaunchRequest, gemini::Gemini};

const ID: &str = "11111111-2222-4333-8444-555555555555";

fn request(mode: Option<PermissionMode>) -> LaunchRequest {
    LaunchRequest {
        session_id: SessionId(ID.parse().unwrap()),
        folder: "/work".into(),
        program: "/usr/bin/gemini".into(),
        version: Some("0.61.0".into()),
        command: vec!["--model".into(), "flash".into()],
        mode,
        answerback: "/usr/bin/answerback".into(),
        session_folder: "/tmp/session".into(),
        hook_command: None,
        cli_home: "/home/me/.cli".into(),
        resume: None,
        surroundings: crate::Surroundings::default(),
    }
}

#[test]
fn nothing_is_allowed_unless_it_was_chosen() {
    let modes = [
        (None, "default"),
        (Some(PermissionMode::Ask), "default"),
        (Some(PermissionMode::AcceptEdits), "auto_edit"),
        (Some(PermissionMode::Plan), "plan"),
        (Some(PermissionMode::Bypass), "yolo"),
    ];
    for (mode, word) in modes {
        let plan = Gemini.launch(&request(mode)).unwrap();
        let wanted = ["/usr/bin/gemini", "--session-id", ID, "--approval-mode", word, "--model", "flash"];
        assert_eq!(plan.argv, wanted);
        assert_eq!(plan.cli_session_id.as_deref(), Some(ID));
        assert!(plan.env_remove.iter().any(|name| name == "TERM_PROGRAM"));
    }
    let refused = LaunchRefusal::NoSuchMode(AdapterKind::Gemini, PermissionMode::Auto);
    assert_eq!(Gemini.launch(&request(Some(PermissionMode::Auto))), Err(refused));
    assert_eq!(Gemini.profile().modes[0], PermissionMode::Ask);
}

#[test]
fn an_earlier_conversation_is_gone_on_with_by_its_id() {
    let plan = Gemini.launch(&LaunchRequest { resume: Some("abc".to_owned()), ..request(None) }).unwrap();
    assert_eq!(plan.argv[..3], ["/usr/bin/gemini", "--resume", "abc"]);
    assert_eq!(plan.cli_session_id.as_deref(), Some("abc"));
}

#[test]
fn old_versions_choose_their_own_id() {
    for version in [None, Some("0.34.0"), Some("0.22.4"), Some("nightly")] {
        let request = LaunchRequest { version: version.map(str::to_owned), ..request(None) };
        let plan = Gemini.launch(&request).unwrap();
        assert_eq!(plan.argv, ["/usr/bin/gemini", "--approval-mode", "default", "--model", "flash"], "{version:?}");
        assert_eq!(plan.cli_session_id, None);
    }
}
