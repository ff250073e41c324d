//! What changes a digest, and what does not.

use std::collections::HashSet;

use serde_json::json;
use shared_types::{
    AdapterKind, Confidence, FileDiff, InteractivePrompt, OptionRole, PromptId, PromptKind, PromptOption, PromptSource,
    Question, Risk, RiskLevel, SessionId, TextInput, WouldRun,
};
use uuid::Uuid;

use super::digest;
use crate::Sighting;

fn prompt() -> InteractivePrompt {
    let mut sighting = Sighting::new(PromptKind::Permission, PromptSource::Screen, "test");
    sighting.title = "Bash command".to_owned();
    sighting.tool_name = Some("Bash".to_owned());
    sighting.tool_input = Some(json!({ "command": "npm test", "cwd": "/srv" }));
    let mut prompt = sighting.to_prompt(PromptId(Uuid::nil()), SessionId(Uuid::nil()), AdapterKind::new("claude"), 1);
    let option = |label: &str| PromptOption { value: label.into(), label: label.into(), ..PromptOption::default() };
    prompt.options = Some(vec![option("Yes"), option("No")]);
    prompt
}

#[test]
fn everything_that_is_read_changes_the_digest() {
    type Change = fn(&mut InteractivePrompt);
    let changes: &[Change] = &[
        |_| {},
        |prompt| prompt.kind = PromptKind::Plan,
        |prompt| prompt.title.push('!'),
        |prompt| prompt.description = "why".into(),
        |prompt| prompt.tool_name = None,
        |prompt| prompt.tool_input = Some(json!({ "command": "npm test", "cwd": "/" })),
        |prompt| prompt.tool_input = Some(json!({ "command": "npm test" })),
        |prompt| prompt.tool_input = Some(json!({ "command": ["npm test"], "cwd": "/srv" })),
        |prompt| prompt.tool_input = None,
        |prompt| prompt.options.as_mut().unwrap().reverse(),
        |prompt| prompt.options.as_mut().unwrap()[0].value = "Ja".into(),
        |prompt| prompt.options.as_mut().unwrap()[0].label = "Ja".into(),
        |prompt| prompt.options.as_mut().unwrap()[0].description = Some(String::new()),
        |prompt| prompt.options.as_mut().unwrap()[0].preview = Some("x".into()),
        |prompt| prompt.options.as_mut().unwrap()[0].role = Some(OptionRole::Deny),
        |prompt| prompt.options.as_mut().unwrap()[0].opens_text = Some(true),
        |prompt| prompt.options = None,
        |prompt| prompt.text_input = Some(TextInput::default()),
        |prompt| prompt.text_input = Some(TextInput { secret: Some(true), ..TextInput::default() }),
        |prompt| prompt.diff = Some(vec![FileDiff { path: "a".into(), unified: "+harmless();".into() }]),
        |prompt| prompt.diff = Some(vec![FileDiff { path: "a".into(), unified: "+system(evil);".into() }]),
        |prompt| prompt.diff = Some(vec![FileDiff { path: "a+".into(), unified: "system(evil);".into() }]),
        |prompt| prompt.files = Some(vec!["a".into()]),
        |prompt| prompt.questions = Some(vec![question("One?")]),
        |prompt| prompt.questions = Some(vec![question("Two?")]),
        |prompt| prompt.multi_select = Some(true),
        |prompt| prompt.agent = Some("reviewer".into()),
        |prompt| prompt.plan = Some("1. go".into()),
        |prompt| prompt.incomplete = Some(true),
        |prompt| prompt.startup = Some(true),
        |prompt| prompt.would_run = Some(vec![thing("touch a")]),
        |prompt| prompt.would_run = Some(vec![thing("touch b")]),
        |prompt| prompt.warning = Some("another".into()),
    ];
    let digests: HashSet<String> = changes
        .iter()
        .map(|change| {
            let mut prompt = prompt();
            change(&mut prompt);
            digest(&prompt)
        })
        .collect();
    assert_eq!(digests.len(), changes.len());
    assert!(digests.iter().all(|digest| digest.len() == 64 && digest.chars().all(|ch| ch.is_ascii_hexdigit())));
}

#[test]
fn what_changes_by_itself_leaves_the_digest() {
    let before = digest(&prompt());
    let mut later = prompt();
    later.request_id = PromptId(Uuid::max());
    later.created_at = Some(2);
    later.source = Some(PromptSource::Hook);
    later.confidence = Some(Confidence::Likely);
    later.position = Some("1 of 3".into());
    later.risk = Some(Risk { level: RiskLevel::Low, reasons: vec![] });
    later.more_options = Some(true);
    later.options.as_mut().unwrap()[0].checked = Some(true);
    later.digest = Some(before.clone());
    later.tool_input = serde_json::from_str(r#"{"cwd":"/srv","command":"npm test"}"#).unwrap();
    assert_eq!(digest(&later), before);
    // Stored and read again it is the same prompt.
    let stored: InteractivePrompt = serde_json::from_str(&serde_json::to_string(&later).unwrap()).unwrap();
    assert_eq!(digest(&stored), before);
}

fn question(text: &str) -> Question {
    Question { header: "Q".into(), question: text.into(), options: vec![], multi_select: None, text_input: None }
}

fn thing(command: &str) -> WouldRun {
    WouldRun { file: ".claude/settings.json".into(), what: "hook".into(), text: command.into() }
}
