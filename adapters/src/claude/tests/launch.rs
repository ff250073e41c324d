//! How a session is started.

use std::path::PathBuf;

use shared_types::{AdapterKind, PermissionMode, SessionId};
use uuid::Uuid;

use crate::{LaunchRequest, adapter_for};

fn argv(mode: Option<PermissionMode>, command: &[&str]) -> (Vec<String>, Option<String>) {
    let plan = adapter_for(AdapterKind::new("claude")).launch(&request(mode, command)).unwrap();
    (plan.argv, plan.cli_session_id)
}

fn request(mode: Option<PermissionMode>, command: &[&str]) -> LaunchRequest {
    LaunchRequest {
        session_id: SessionId(Uuid::from_u128(7)),
        folder: PathBuf::from("/work"),
        program: PathBuf::from("/bin/claude"),
        version: None,
        command: command.iter().map(|&argument| argument.to_owned()).collect(),
        mode,
        answerback: PathBuf::from("/bin/answerback"),
        session_folder: PathBuf::from("/sessions/7"),
        hook_command: None,
        cli_home: PathBuf::from("/home/me/.cli"),
        resume: None,
        surroundings: crate::Surroundings::default(),
    }
}

#[test]
fn an_earlier_conversation_keeps_its_id_and_its_file() {
    let resume = LaunchRequest { resume: Some("abc".to_owned()), ..request(None, &[]) };
    let plan = adapter_for(AdapterKind::new("claude")).launch(&resume).unwrap();
    assert_eq!(plan.argv.join(" "), "/bin/claude --resume abc --permission-mode default");
    assert_eq!(plan.cli_session_id.as_deref(), Some("abc"));
    assert_eq!(plan.transcript, Some(PathBuf::from("/home/me/.cli/projects/-work/abc.jsonl")));
}

#[test]
fn a_session_has_its_own_id_and_asks_unless_told_otherwise() {
    let id = "00000000-0000-0000-0000-000000000007";
    let table = [
        (None, "default"),
        (Some(PermissionMode::Ask), "default"),
        (Some(PermissionMode::AcceptEdits), "acceptEdits"),
        (Some(PermissionMode::Plan), "plan"),
        (Some(PermissionMode::Auto), "auto"),
        (Some(PermissionMode::Bypass), "bypassPermissions"),
    ];
    for (mode, name) in table {
        let wanted = ["/bin/claude", "--session-id", id, "--permission-mode", name, "--model", "opus"];
        assert_eq!(argv(mode, &["--model", "opus"]), (wanted.map(str::to_owned).to_vec(), Some(id.to_owned())));
    }
}

#[test]
fn the_persons_own_arguments_come_first() {
    let (arguments, id) = argv(None, &["--resume", "abc"]);
    assert_eq!((arguments.join(" ").as_str(), id), ("/bin/claude --permission-mode default --resume abc", None));
    let (arguments, id) = argv(Some(PermissionMode::Plan), &["--permission-mode=auto", "-c"]);
    assert_eq!((arguments.join(" ").as_str(), id), ("/bin/claude --permission-mode=auto -c", None));
}

#[test]
fn a_folder_cannot_switch_our_hooks_off_but_the_person_can() {
    let claude = adapter_for(AdapterKind::new("claude"));
    let home = |name: &str| (name == "HOME").then(|| "/home/me".to_owned());
    let own = claude.surroundings(&home);
    assert_eq!(own.files[0].path, PathBuf::from("/home/me/.claude/settings.json"));
    assert!(own.files.iter().any(|file| file.path.ends_with("claude-code/managed-settings.json")));
    let moved = |name: &str| (name == "CLAUDE_CONFIG_DIR").then(|| "/etc/me".to_owned());
    assert_eq!(claude.surroundings(&moved).files[0].path, PathBuf::from("/etc/me/settings.json"));
    let settings = |file: usize, text: Option<&str>| {
        let mut surroundings = own.clone();
        surroundings.files[file].text = text.map(str::to_owned);
        let hook_command = Some("answerback hook".to_owned());
        let plan = claude.launch(&LaunchRequest { hook_command, surroundings, ..request(None, &[]) }).unwrap();
        serde_json::from_str::<serde_json::Value>(&plan.files[0].1).unwrap()["disableAllHooks"].clone()
    };
    for text in [None, Some(""), Some("no JSON"), Some("{}"), Some(r#"{"disableAllHooks":false}"#)] {
        assert_eq!(settings(0, text), false, "{text:?}");
    }
    for file in 0..own.files.len() {
        assert!(settings(file, Some(r#"{"disableAllHooks":true,"model":"opus"}"#)).is_null(), "{file}");
    }
}
