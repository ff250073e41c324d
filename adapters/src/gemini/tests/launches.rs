//! How it is started.

use std::path::Path;

use serde_json::{Value, json};
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
    let refused = LaunchRefusal::NoSuchMode(AdapterKind::new("gemini"), PermissionMode::Auto);
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

/// The settings in the file that a variable names.
fn written(request: &LaunchRequest, variable: &str) -> Option<Value> {
    let plan = Gemini.launch(request).unwrap();
    let (_, path) = plan.env.iter().find(|(name, _)| name == variable)?;
    let (_, text) = plan.files.iter().find(|(file, _)| file == Path::new(path)).expect("the file it names");
    Some(serde_json::from_str(text).unwrap())
}

fn on_roots_machine(texts: [Option<&str>; 2]) -> LaunchRequest {
    let mut surroundings = Gemini.surroundings(&|name| (name == "GEMINI_API_KEY").then(|| "made up".to_owned()));
    assert_eq!(surroundings.files[1].path, surroundings.files[0].path.with_file_name("system-defaults.json"));
    for (file, text) in surroundings.files.iter_mut().zip(texts) {
        file.text = text.map(str::to_owned);
    }
    surroundings.is_roots = true;
    LaunchRequest { hook_command: Some("exec relay".to_owned()), surroundings, ..request(None) }
}

const SETTINGS: &str = "GEMINI_CLI_SYSTEM_SETTINGS_PATH";
const DEFAULTS: &str = "GEMINI_CLI_SYSTEM_DEFAULTS_PATH";

#[test]
fn what_it_needs_is_put_beside_the_persons_settings() {
    let settings = written(&on_roots_machine([None, None]), SETTINGS).unwrap();
    assert_eq!(settings["general"]["sessionRetention"]["enabled"], false);
    for event in ["SessionStart", "Notification", "BeforeTool"] {
        assert_eq!(settings["hooks"][event][0]["hooks"][0]["command"], "exec relay", "{settings}");
    }
    let defaults = written(&on_roots_machine([None, None]), DEFAULTS).unwrap();
    assert_eq!(defaults["security"]["auth"]["selectedType"], "gemini-api-key");
    // Without hooks, and for a version that does not start with them, only the rest.
    for request in [
        LaunchRequest { hook_command: None, ..on_roots_machine([None, None]) },
        LaunchRequest { version: Some("0.22.4".into()), ..on_roots_machine([None, None]) },
    ] {
        assert_eq!(
            written(&request, SETTINGS).unwrap(),
            json!({ "general": { "sessionRetention": { "enabled": false } } })
        );
    }
}

#[test]
fn an_administrators_settings_stay() {
    let admin = r#"{"hooks":{"BeforeTool":[{"hooks":[{"type":"command","command":"audit"}]}]},"tools":{"exclude":["x"]},
        "general":{"vimMode":true,"sessionRetention":{"enabled":true,"maxAge":"30d"}}}"#;
    let defaults = r#"{"security":{"auth":{"selectedType":"vertex-ai"}}}"#;
    let request = on_roots_machine([Some(admin), Some(defaults)]);
    let merged = written(&request, SETTINGS).unwrap();
    assert_eq!(merged["hooks"]["BeforeTool"].as_array().unwrap().len(), 2, "{merged}");
    assert_eq!(merged["hooks"]["BeforeTool"][0]["hooks"][0]["command"], "audit");
    assert_eq!(merged["tools"]["exclude"], json!(["x"]));
    assert_eq!(
        merged["general"],
        json!({ "vimMode": true, "sessionRetention": { "enabled": false, "maxAge": "30d" } })
    );
    assert_eq!(written(&request, DEFAULTS).unwrap(), serde_json::from_str::<Value>(defaults).unwrap());
    // What cannot be taken over is left in its place.
    for texts in [[Some("// rules\n{}"), None], [None, Some("")], [Some("[]"), None]] {
        assert_eq!(written(&on_roots_machine(texts), SETTINGS), None, "{texts:?}");
    }
}

#[test]
fn a_file_that_would_only_be_warned_about_is_not_written() {
    let elsewhere = |version: Option<&str>| {
        let mut request = on_roots_machine([None, None]);
        request.surroundings.is_roots = false;
        request.version = version.map(str::to_owned);
        written(&request, SETTINGS).is_some()
    };
    assert!(!elsewhere(Some("0.61.0")) && !elsewhere(None));
    assert!(elsewhere(Some("0.34.0")) && elsewhere(Some("0.22.4")));
}

#[test]
fn a_key_counts_unless_another_way_to_sign_in_is_named() {
    let has_key = |set: &[(&str, &str)]| {
        let find = |name: &str| set.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned());
        Gemini.surroundings(&find).has_key
    };
    assert!(has_key(&[("GEMINI_API_KEY", "x")]));
    assert!(!has_key(&[]));
    assert!(!has_key(&[("GEMINI_API_KEY", "x"), ("GOOGLE_GENAI_USE_VERTEXAI", "true")]));
    let request = LaunchRequest {
        surroundings: crate::Surroundings { has_key: false, ..on_roots_machine([None, None]).surroundings },
        ..on_roots_machine([None, None])
    };
    assert_eq!(written(&request, DEFAULTS), Some(json!({})));
}
