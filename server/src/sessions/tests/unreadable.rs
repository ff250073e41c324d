//! A store with rows of another version, or broken ones: the server starts all the same.

use rusqlite::Connection;
use shared_types::{ErrorCode, SessionState};

use super::stage::{Code as _, Stage};

#[tokio::test]
async fn unreadable_rows_disable_only_what_they_are_about() {
    let mut stage = Stage::new();
    let (unknown, _) = stage.start_demo("ready", &SessionState::Ready).await;
    let (broken, _, prompt) = stage.start_asking().await;
    let (good, _) = stage.start_demo("ready", &SessionState::Ready).await;
    stage.stop().await;
    let file = Connection::open(stage.folder.path().join("answerback.db")).expect("the file");
    let set = |sql: &str, id: &str| assert_eq!(file.execute(sql, [id]).expect("a fault"), 1);
    set("UPDATE sessions SET adapter = 'of-the-future' WHERE id = ?1", &unknown.0.to_string());
    set("UPDATE prompts SET prompt = '{}' WHERE id = ?1", &prompt.request_id.0.to_string());
    drop(file);

    let mut stage = stage.restart().await;
    stage.wait_state(good, &SessionState::Ready).await;
    let shown = stage.bus.session(unknown).expect("it is listed").state;
    assert!(matches!(&shown, SessionState::Unreachable { detail } if detail.contains("of-the-future")), "{shown:?}");
    let refused = stage.sessions.end(unknown, shared_types::Actor::Desk).await.expect_err("nobody can read it");
    assert_eq!(refused.code(), ErrorCode::TerminalUnavailable);
    let again = stage.wait_prompt(broken).await;
    assert_eq!(again.title, prompt.title, "the dialog is still there, and so is its prompt");
}
