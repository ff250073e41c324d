//! `answerback journal` on a store's file: shown, checked, exported and pinned while no server runs; and the verifier of
//! docs/journal.md agrees with ours.

#![expect(clippy::expect_used, reason = "a test that cannot set up its store has failed")]

use std::{
    fs,
    path::Path,
    process::{Command, Output},
};

use answerback::{
    journal::{Fact, FactKind},
    store::Store,
};
use rusqlite::Connection;
use serde_json::{Value, json};
use shared_types::{Actor, DeviceId, SessionId};
use tempfile::TempDir;
use uuid::Uuid;

const SESSION: SessionId = SessionId(Uuid::from_u128(0x0199_0000_0000_7000_8000_0000_0000_0001));

/// A store with five facts.
async fn store() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Store::open(folder.path()).expect("a store");
    let phone =
        || Actor::Device { device_id: DeviceId(Uuid::from_u128(7)), name: "Anna's \"phone\" é\u{1f600}".to_owned() };
    let started = json!({ "name": "shop", "folder": "/srv/shop", "command": ["claude", "--token", "hunter2"] });
    let facts = vec![
        Fact::new(FactKind::DevicePaired, 1_700_000_000_000).by(phone()),
        Fact::new(FactKind::SessionStarted, 1_700_000_001_000).in_session(SESSION).with(started),
        Fact::new(FactKind::Answered, 1_700_000_002_000)
            .in_session(SESSION)
            .by(phone())
            .with(json!({ "answer": "Yes\n\t\u{7f}\u{2028}\u{1}", "half": 0.5, "z": -1, "a": [null, true] })),
        Fact::new(FactKind::Verified, 1_700_000_003_000).in_session(SESSION).by(Actor::Desk),
        Fact::new(FactKind::Mode, 1_700_000_004_000),
    ];
    store.record(facts).await.expect("recorded");
    folder
}

fn journal(folder: &Path, arguments: &[&str]) -> Output {
    fs::write(folder.join("config.toml"), "").expect("a file");
    let mut command = Command::new(env!("CARGO_BIN_EXE_answerback"));
    command
        .arg("journal")
        .arg("--data-dir")
        .arg(folder)
        .arg("--config")
        .arg(folder.join("config.toml"))
        .args(arguments);
    command.env("HOME", folder).output().expect("it runs")
}

fn said(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).expect("text")
}

fn refused(output: &Output) -> String {
    assert!(!output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Somebody who can write the file, with the triggers out of the way.
fn tamper(folder: &Path, sql: &str) {
    let file = Connection::open(folder.join("answerback.db")).expect("the file");
    file.execute_batch("DROP TRIGGER journal_row_changed; DROP TRIGGER journal_row_removed;").expect("dropped");
    file.execute_batch(sql).expect("changed");
}

#[tokio::test]
async fn journal_is_shown_with_filters() {
    let folder = store().await;
    let kinds = |arguments: &[&str]| -> Vec<String> {
        let shown = said(&journal(folder.path(), &[&["show", "--json"], arguments].concat()));
        let kind = |line: &str| serde_json::from_str::<Value>(line).expect("JSON")["kind"].as_str().unwrap().to_owned();
        shown.lines().map(kind).collect()
    };
    assert_eq!(kinds(&[]), ["device-paired", "session-started", "answered", "verified", "mode"]);
    assert_eq!(kinds(&["--limit", "2"]), ["verified", "mode"]);
    assert_eq!(kinds(&["--session", "shop"]), ["session-started", "answered", "verified"]);
    assert_eq!(kinds(&["--session", "0199", "--kind", "answered", "--kind", "mode"]), ["answered"]);
    assert_eq!(kinds(&["--folder", "/srv/shop", "--actor", "desk"]), ["verified"]);
    assert_eq!(kinds(&["--actor", "device"]), ["device-paired", "answered"]);
    assert_eq!(kinds(&["--since", "2h"]), [] as [&str; 0]);
    assert_eq!(kinds(&["--since", "2020-01-01"]).len(), 5);
    let text = said(&journal(folder.path(), &["show", "--session", "shop"]));
    assert!(text.contains("answered") && text.contains("Anna's"), "{text}");
    assert!(!text.contains("hunter2") && !text.contains('\u{1}'), "{text}");
    assert!(refused(&journal(folder.path(), &["show", "--since", "tomorrow"])).contains("is no time"));
}

#[tokio::test]
async fn journal_verify_names_the_first_row_that_does_not_fit() {
    let table = [
        ("UPDATE journal SET body = replace(body, 'Yes', 'No!')", 3, "row 3 has been changed"),
        ("UPDATE journal SET at = at + 1 WHERE seq = 1", 1, "row 1 has been changed"),
        ("UPDATE journal SET hash = x'00' WHERE seq = 2", 2, "row 2 cannot be read"),
        ("DELETE FROM journal WHERE seq = 4", 5, "row 5 stands where row 4 is due"),
        ("DELETE FROM journal WHERE seq > 3", 4, "rows 4 to 5 are missing at the end"),
        ("DELETE FROM journal", 1, "rows 1 to 5 are missing at the end"),
        (
            "UPDATE journal SET seq = -2 WHERE seq = 2; UPDATE journal SET seq = 2 WHERE seq = 3;
             UPDATE journal SET seq = 3 WHERE seq = -2",
            2,
            "row 2 does not follow",
        ),
    ];
    for (sql, seq, problem) in table {
        let folder = store().await;
        assert!(said(&journal(folder.path(), &["verify"])).contains("5 rows, all of them fit; no pin"));
        let pinned: Value = serde_json::from_str(&said(&journal(folder.path(), &["pin", "--json"]))).expect("JSON");
        assert!(said(&journal(folder.path(), &["verify"])).contains("last pinned at row 5"));
        tamper(folder.path(), sql);
        let error = refused(&journal(folder.path(), &["verify"]));
        assert!(error.contains(problem), "{sql}: {error}");
        let output = journal(folder.path(), &["verify", "--json"]);
        let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!((&report["ok"], &report["problem"]["seq"]), (&json!(false), &json!(seq)), "{sql}: {report}");
        assert_eq!(report["pin"], pinned);
        assert!(refused(&journal(folder.path(), &["pin"])).contains("not pinned"));
    }
}

#[tokio::test]
async fn journal_of_an_older_store_says_so() {
    let folder = tempfile::tempdir().expect("a folder");
    assert!(refused(&journal(folder.path(), &["verify"])).contains("opening the journal"));
    Connection::open(folder.path().join("answerback.db"))
        .expect("a file")
        .execute_batch("CREATE TABLE x (y)")
        .expect("x");
    let error = refused(&journal(folder.path(), &["verify"]));
    assert!(error.contains("without a journal: start"), "{error}");
}

/// The program in docs/journal.md.
fn verifier(folder: &Path) -> std::path::PathBuf {
    let docs = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/journal.md")).expect("the page");
    let program = docs.split("```python\n").nth(1).and_then(|rest| rest.split("```").next()).expect("a program");
    assert!(program.lines().count() <= 30, "it is to stay short");
    let file = folder.join("verify.py");
    fs::write(&file, program).expect("written");
    file
}

#[tokio::test]
async fn verifier_of_the_docs_agrees_with_ours() {
    if Command::new("python3").arg("--version").output().is_err() {
        eprintln!("skipped: there is no python3 here");
        return;
    }
    let folder = store().await;
    let program = verifier(folder.path());
    let check = |text: &str, pin: Option<&str>| {
        let file = folder.path().join("journal.jsonl");
        fs::write(&file, text).expect("written");
        Command::new("python3").arg(&program).arg(&file).args(pin).output().expect("it runs")
    };
    let export = said(&journal(folder.path(), &["export"]));
    assert_eq!(export, said(&journal(folder.path(), &["export", "--json"])));
    let head = said(&journal(folder.path(), &["pin"])).trim_end().to_owned();
    let pin = head.split(' ').nth(1).expect("a hash");
    assert_eq!(said(&check(&export, Some(pin))), format!("5 rows, all of them fit; head {head}\n"));
    let lines: Vec<&str> = export.lines().collect();
    let without = |left_out: usize| {
        let kept = lines.iter().enumerate().filter(|(at, _)| *at != left_out).map(|(_, line)| format!("{line}\n"));
        kept.collect::<String>()
    };
    assert!(refused(&check(&without(2), None)).contains("row 4 stands where row 3 is due"));
    assert!(refused(&check(&without(4), Some(pin))).contains("the pinned row is not in it"));
    assert!(refused(&check(&export.replace("Yes", "No!"), None)).contains("row 3 has been changed"));
    // Without its first rows, with and without a checkpoint that says so.
    let without_two = without(0).lines().skip(1).map(|line| format!("{line}\n")).collect::<String>();
    assert!(refused(&check(&without_two, None)).contains("the first rows are missing"));
    let store = Store::open(folder.path()).expect("the store");
    assert_eq!(store.drop_journal_before(1_700_000_002_000, 1_700_000_005_000).await.expect("dropped"), 2);
    drop(store);
    let export_now = said(&journal(folder.path(), &["export"]));
    let checked = said(&check(&export_now, Some(pin)));
    assert!(checked.starts_with("4 rows, all of them fit; head 6 "), "{checked}");
    let verified = said(&journal(folder.path(), &["verify"]));
    assert!(verified.starts_with("4 rows, all of them fit; 2 older ones were dropped; "), "{verified}");
    let csv = said(&journal(folder.path(), &["export", "--format", "csv"]));
    assert_eq!(csv.matches("\r\n").count(), 5, "{csv}");
}
