//! Dialogs of a CLI's start: passed when the person's choice covers them, else asked.

use std::{path::Path, sync::Arc};

use adapters::{Capture, Keystroke, keys::NamedKey};
use shared_types::{
    AdapterKind, ErrorCode, Event, InteractivePrompt, MessageBody, PermissionMode, PromptOutcome, PromptResponse,
    SessionId, SessionState, StartSession,
};
use uuid::Uuid;

use super::{
    faults::{Trap, trapped},
    stage::{Code as _, Draw as _, Stage, behave_as_list_with, captured, choose, wish},
};
use crate::{
    pane::{PaneSpec, Terminal as _, fake::FakePane},
    store::SessionRecord,
};

/// A session of a CLI that need not be installed: it is found running, as after a restart.
pub(super) async fn found(
    stage: &Stage,
    adapter: AdapterKind,
    capture: &Capture,
    play: impl FnOnce(&FakePane),
) -> (SessionId, Arc<FakePane>) {
    found_in(Path::new("/"), stage, adapter, capture, play).await
}

/// The same in a folder.
async fn found_in(
    folder: &Path,
    stage: &Stage,
    adapter: AdapterKind,
    capture: &Capture,
    play: impl FnOnce(&FakePane),
) -> (SessionId, Arc<FakePane>) {
    let id = SessionId(Uuid::now_v7());
    let record = SessionRecord {
        id,
        name: "found".to_owned(),
        adapter,
        folder: folder.to_owned(),
        command: Vec::new(),
        mode: Some(PermissionMode::Ask),
        cli_session_id: None,
        transcript: None,
        transcript_offset: 0,
        pane: None,
        usage: None,
        created_at: 1,
        ended: None,
    };
    stage.store.add_session(record, None, Vec::new()).await.expect("a session");
    let spec =
        PaneSpec { session: id, argv: Vec::new(), env: Vec::new(), folder: folder.to_owned(), cols: 120, rows: 40 };
    stage.terminal.open(spec).await.expect("a pane");
    let pane = stage.pane(id);
    pane.draw(capture);
    play(&pane);
    (id, pane)
}

/// The cursor of Codex's lists: its row is drawn inversely.
const CURSOR: &str = "\u{1b}[1;7m› ";

fn codex(case: &str) -> Capture {
    captured(&format!("codex/screens/{case}-120x40"))
}

async fn passed(stage: &mut Stage) -> String {
    stage
        .wait("the note of what was passed", |event| match event {
            Event::Message { message, .. } => match &message.body {
                MessageBody::Notice { text } => Some(text.clone()),
                _ => None,
            },
            _ => None,
        })
        .await
}

fn asked(stage: &Stage) -> bool {
    stage.told.iter().any(|event| matches!(event, Event::Prompt { .. }))
}

#[tokio::test]
async fn the_folder_named_at_the_start_is_trusted_by_starting_there() {
    let dialog = codex("v166-startup-trust");
    let ready = codex("v166-ready-plan-mode");
    let play = |pane: &FakePane| behave_as_list_with(CURSOR, pane, dialog.clone(), 2, ready);
    let mut stage = Stage::new();
    let (session, pane) = found(&stage, AdapterKind::new("codex"), &dialog, play).await;
    stage.sessions.recover().await.expect("taking up");
    assert_eq!(passed(&mut stage).await, "Passed at the start: Folder access: Trust and continue");
    stage.wait_state(session, &SessionState::Ready).await;
    assert_eq!(pane.pressed(), [Keystroke::ENTER]);
    assert!(!asked(&stage), "nobody was asked");
    let (count, _) = stage.store.message_tail(session).await.expect("tail");
    assert_eq!(count, 1, "the note is kept");
}

#[tokio::test]
async fn trusted_folder_is_passed_next_time_unless_it_changed() {
    let folder = tempfile::tempdir().expect("a folder");
    let settings = folder.path().join(".codex/config.toml");
    std::fs::create_dir(folder.path().join(".codex")).expect("a folder");
    std::fs::write(&settings, "notify = [\"curl\", \"evil\"]\n").expect("settings");
    let (dialog, ready) = (codex("v166-startup-trust"), codex("v166-ready-plan-mode"));
    let mut stage = Stage::new();
    let play = |pane: &FakePane| behave_as_list_with(CURSOR, pane, dialog.clone(), 2, ready.clone());
    let (session, _) = found_in(folder.path(), &stage, AdapterKind::new("codex"), &dialog, play).await;
    stage.sessions.recover().await.expect("taking up");
    let prompt = stage.wait_prompt(session).await;
    let listed = prompt.would_run.as_deref().unwrap_or_default();
    assert!(listed.iter().any(|found| found.text.contains("evil")), "{prompt:?}");
    stage.respond(choose(&prompt, "Trust and continue"), "phone").await.expect("the first answer");
    stage.wait_state(session, &SessionState::Ready).await;

    let play = |pane: &FakePane| behave_as_list_with(CURSOR, pane, dialog.clone(), 2, ready.clone());
    found_in(folder.path(), &stage, AdapterKind::new("codex"), &dialog, play).await;
    let mut stage = stage.restart().await;
    assert_eq!(passed(&mut stage).await, "Passed at the start: Folder access: Trust and continue");

    std::fs::write(&settings, "notify = [\"curl\", \"worse\"]\n").expect("settings");
    let (session, _) = found_in(folder.path(), &stage, AdapterKind::new("codex"), &dialog, |_| {}).await;
    let mut stage = stage.restart().await;
    assert_eq!(stage.wait_prompt(session).await.title, "Folder access");
}

#[tokio::test]
async fn folder_that_changes_while_its_list_is_read_is_not_trusted() {
    let folder = tempfile::tempdir().expect("a folder");
    let settings = folder.path().join(".codex/config.toml");
    std::fs::create_dir(folder.path().join(".codex")).expect("a folder");
    std::fs::write(&settings, "notify = [\"make\"]\n").expect("settings");
    let (dialog, ready) = (codex("v166-startup-trust"), codex("v166-ready-plan-mode"));
    let mut stage = Stage::new();
    let play = |pane: &FakePane| behave_as_list_with(CURSOR, pane, dialog.clone(), 2, ready.clone());
    let (session, pane) = found_in(folder.path(), &stage, AdapterKind::new("codex"), &dialog, play).await;
    stage.sessions.recover().await.expect("taking up");
    let read = stage.wait_prompt(session).await;
    std::fs::write(&settings, "notify = [\"curl\", \"evil\"]\n").expect("settings");
    let answer = |prompt: &InteractivePrompt| PromptResponse {
        digest: prompt.digest.clone(),
        ..choose(prompt, "Trust and continue")
    };
    let refused = stage.respond(answer(&read), "phone").await;
    assert!(refused.is_err(), "it is not what was read");
    let lists_it =
        |prompt: &InteractivePrompt| prompt.would_run.iter().flatten().any(|found| found.text.contains("evil"));
    let told = stage.wait("the new list", |event| match event {
        Event::Prompt { prompt } => Some(prompt.clone()).filter(lists_it),
        _ => None,
    });
    let told = told.await;
    assert_eq!((told.request_id, pane.pressed()), (read.request_id, Vec::new()));
    stage.respond(answer(&told), "phone").await.expect("an answer to what is there");
    stage.wait_state(session, &SessionState::Ready).await;
}

#[tokio::test]
async fn a_cli_that_asks_nobody_is_not_started_where_something_would_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let settings = r#"{ "mcp": { "notes": { "type": "local", "command": ["touch", "OWNED"] } } }"#;
    std::fs::write(folder.path().join("opencode.json"), settings).expect("settings");
    let stage = Stage::new();
    let start = async |trust: bool| {
        let wish = StartSession {
            folder: folder.path().to_string_lossy().into_owned(),
            trust_folder: trust.then_some(true),
            ..wish(AdapterKind::new("opencode"))
        };
        // Whether it is installed here is another question.
        let refused = stage.sessions.start(wish, shared_types::Actor::Desk).await.err();
        refused.filter(|refused| refused.code() == ErrorCode::BadFolder).map(|refused| refused.to_string())
    };
    let refused = start(false).await.expect("it is refused");
    assert!(refused.contains("opencode.json") && refused.contains("OWNED"), "{refused}");
    assert_eq!(start(true).await, None, "the person has said so");
    assert_eq!(start(false).await, None, "it is what was trusted");
    std::fs::write(folder.path().join("opencode.json"), settings.replace("OWNED", "WORSE")).expect("settings");
    assert!(start(false).await.is_some_and(|refused| refused.contains("WORSE")));
    std::fs::write(folder.path().join("opencode.json"), r#"{ "model": "a/b" }"#).expect("settings");
    assert_eq!(start(false).await, None, "an ordinary folder");
}

#[tokio::test]
async fn an_update_is_skipped_never_started() {
    let dialog = codex("v166-startup-update");
    let ready = codex("v166-ready-plan-mode");
    let play = |pane: &FakePane| behave_as_list_with(CURSOR, pane, dialog.clone(), 3, ready);
    let mut stage = Stage::new();
    let (_, pane) = found(&stage, AdapterKind::new("codex"), &dialog, play).await;
    stage.sessions.recover().await.expect("taking up");
    let note = passed(&mut stage).await;
    assert!(note.ends_with(": Skip"), "{note}");
    assert_eq!(pane.pressed(), [Keystroke::Named(NamedKey::Down), Keystroke::ENTER]);
    assert!(!asked(&stage));
}

#[tokio::test]
async fn a_dialog_that_no_choice_covers_is_asked() {
    let dialog = codex("v166-startup-login");
    let ready = codex("v166-ready-plan-mode");
    let play = |pane: &FakePane| behave_as_list_with("> ", pane, dialog.clone(), 4, ready);
    let mut stage = Stage::new();
    let (session, pane) = found(&stage, AdapterKind::new("codex"), &dialog, play).await;
    stage.sessions.recover().await.expect("taking up");
    let prompt = stage.wait_prompt(session).await;
    assert_eq!(prompt.title, "Choose how you want to use Codex.");
    stage.wait_state(session, &SessionState::Waiting).await;
    assert_eq!(pane.pressed(), []);
    stage.respond(choose(&prompt, "Sign in with ChatGPT"), "phone").await.expect("the first answer");
    assert!(matches!(stage.wait_closed(prompt.request_id).await, PromptOutcome::Verified { .. }));
    assert_eq!(pane.pressed(), [Keystroke::ENTER]);
}

#[tokio::test]
async fn a_dialog_that_cannot_be_passed_is_asked_after_all() {
    // It does not react to anything.
    let mut stage = Stage::new();
    let (session, pane) = found(&stage, AdapterKind::new("codex"), &codex("v166-startup-trust"), |_| {}).await;
    stage.sessions.recover().await.expect("taking up");
    let prompt = stage.wait_prompt(session).await;
    assert_eq!(prompt.title, "Folder access");
    assert_eq!(pane.pressed(), [Keystroke::ENTER], "tried once, never again");
    stage.wait_state(session, &SessionState::Waiting).await;
}

#[tokio::test]
async fn a_dialog_of_gemini_is_passed_alike() {
    let dialog = captured("gemini/screens/startup-folder-trust-0.61.0-120x40");
    let ready = captured("gemini/screens/ready-default-0.61.0-120x40");
    let play = |pane: &FakePane| {
        pane.react(move |key, shown| {
            if *key == Keystroke::ENTER {
                ready.clone_into(shown);
            }
        });
    };
    let mut stage = Stage::new();
    let (session, pane) = found(&stage, AdapterKind::new("gemini"), &dialog, play).await;
    stage.sessions.recover().await.expect("taking up");
    let note = passed(&mut stage).await;
    assert!(note.starts_with("Passed at the start: "), "{note}");
    stage.wait_state(session, &SessionState::Ready).await;
    assert_eq!(pane.pressed(), [Keystroke::ENTER]);
    assert!(!asked(&stage));
}

#[tokio::test]
async fn a_dialog_that_could_not_be_typed_at_is_asked_after_all() {
    let (mut stage, traps) = trapped();
    let dialog = codex("v166-startup-trust");
    let (session, pane) = found(&stage, AdapterKind::new("codex"), &dialog, |_| {}).await;
    traps.set(session, Trap::FailPress);
    stage.sessions.recover().await.expect("taking up");
    let prompt = stage.wait_prompt(session).await;
    assert_eq!((prompt.title.as_str(), pane.pressed()), ("Folder access", Vec::new()));
}
