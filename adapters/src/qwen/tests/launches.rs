//! How it is started.

use std::path::Path;

use serde_json::Value;
use shared_types::{PermissionMode, SessionId};

use crate::{Adapter, LaunchRequest, launch::MachineFile, qwen::Qwen};

const ID: &str = "11111111-2222-4333-8444-555555555555";
const SETTINGS: &str = "QWEN_CODE_SYSTEM_SETTINGS_PATH";

fn request(mode: Option<PermissionMode>) -> LaunchRequest {
    LaunchRequest {
        session_id: SessionId(ID.parse().unwrap()),
        folder: "/srv/my.app".into(),
        program: "/usr/bin/qwen".into(),
        version: Some("0.24.4".into()),
        command: vec!["-m".into(), "small".into()],
        mode,
        answerback: "/usr/bin/answerback".into(),
        session_folder: "/tmp/session".into(),
        hook_command: None,
        cli_home: "/home/me/.qwen".into(),
        resume: None,
        surroundings: Qwen.surroundings(&|_| None),
    }
}

#[test]
fn nothing_is_allowed_unless_it_was_chosen() {
    let modes = [
        (None, "default"),
        (Some(PermissionMode::Ask), "default"),
        (Some(PermissionMode::AcceptEdits), "auto-edit"),
        (Some(PermissionMode::Plan), "plan"),
        (Some(PermissionMode::Auto), "auto"),
        (Some(PermissionMode::Bypass), "yolo"),
    ];
    for (mode, word) in modes {
        let plan = Qwen.launch(&request(mode)).unwrap();
        assert_eq!(plan.argv, ["/usr/bin/qwen", "--session-id", ID, "--approval-mode", word, "-m", "small"]);
        assert_eq!(plan.cli_session_id.as_deref(), Some(ID));
        let file = format!("/home/me/.qwen/projects/-srv-my-app/chats/{ID}.jsonl");
        assert_eq!(plan.transcript.as_deref(), Some(Path::new(&file)));
        assert!(plan.files.is_empty() && plan.env.is_empty(), "without hooks nothing is put beside its settings");
    }
    assert_eq!(Qwen.profile().modes[0], PermissionMode::Ask);
}

#[test]
fn the_id_is_of_a_version_that_the_cli_takes() {
    let session_id = SessionId("01a1f07b-0fd5-7212-a86a-8386ca16714e".parse().unwrap());
    let plan = Qwen.launch(&LaunchRequest { session_id, ..request(None) }).unwrap();
    assert_eq!(plan.argv[2], "01a1f07b-0fd5-4212-a86a-8386ca16714e");
}

#[test]
fn an_earlier_conversation_is_gone_on_with_by_its_id() {
    let plan = Qwen.launch(&LaunchRequest { resume: Some("abc".to_owned()), ..request(None) }).unwrap();
    assert_eq!(plan.argv[..3], ["/usr/bin/qwen", "--resume", "abc"]);
    assert_eq!(plan.cli_session_id.as_deref(), Some("abc"));
}

#[test]
fn hooks_stand_beside_what_the_machine_says() {
    let mut request = LaunchRequest { hook_command: Some("answerback hook".to_owned()), ..request(None) };
    let settings = |request: &LaunchRequest| {
        let plan = Qwen.launch(request).unwrap();
        let (path, text) = plan.files.first().cloned()?;
        assert_eq!(plan.env, [(SETTINGS.to_owned(), path.to_string_lossy().into_owned())]);
        Some(serde_json::from_str::<Value>(&text).unwrap())
    };
    let ours = settings(&request).unwrap();
    for event in ["SessionStart", "PermissionRequest"] {
        assert_eq!(ours["hooks"][event][0]["hooks"][0]["command"], "answerback hook", "{event}");
    }
    assert_eq!(ours.as_object().unwrap().len(), 1, "{ours}");
    let theirs = r#"{"hooks":{"PermissionRequest":[{"hooks":[]}]},"tools":{"sandbox":true}}"#;
    request.surroundings.files = vec![MachineFile { path: "/etc/x".into(), text: Some(theirs.to_owned()) }];
    let both = settings(&request).unwrap();
    assert_eq!(both["tools"]["sandbox"], true);
    assert_eq!(both["hooks"]["PermissionRequest"].as_array().unwrap().len(), 2);
    // Rules that cannot be taken over are never replaced.
    request.surroundings.files[0].text = Some("{ not JSON".to_owned());
    assert_eq!(settings(&request), None);
}
