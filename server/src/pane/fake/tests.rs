use std::path::PathBuf;

use uuid::Uuid;

use super::*;

fn spec() -> PaneSpec {
    PaneSpec {
        session: SessionId(Uuid::new_v4()),
        argv: vec!["demo".into()],
        env: Vec::new(),
        folder: PathBuf::from("/"),
        cols: 120,
        rows: 40,
    }
}

#[tokio::test]
async fn a_scripted_program() {
    let terminal = FakeTerminal::new();
    terminal.on_open(|_, pane| {
        pane.show("Continue? (y/n)");
        pane.react(|key, capture| {
            if *key == Keystroke::Text("y".into()) {
                capture.text = "Going on".into();
            }
        });
    });
    let spec = spec();
    let pane = terminal.open(spec.clone()).await.expect("open");
    assert!(terminal.open(spec.clone()).await.is_err());
    let mut drawn = pane.drawn();
    drawn.borrow_and_update();
    assert_eq!(pane.capture().await.expect("capture").text, "Continue? (y/n)");
    pane.press(&[Keystroke::Text("y".into())]).await.expect("press");
    assert!(drawn.has_changed().expect("drawn"));
    assert_eq!(pane.capture().await.expect("capture").text, "Going on");

    let fake = terminal.pane(spec.session).expect("the pane");
    assert_eq!(fake.take_pressed(), [Keystroke::Text("y".into())]);
    assert_eq!(terminal.find().await.expect("find")[0].pane.identity(), pane.identity());
    fake.exit(3);
    assert_eq!(pane.capture().await.expect("capture").exit, Some(Exit { status: Some(3) }));
    assert!(pane.press(&[Keystroke::ENTER]).await.is_err());
    pane.kill().await.expect("kill");
    assert_eq!(pane.capture().await, Err(PaneError::Gone));
    assert_eq!(terminal.find().await.expect("find").len(), 0);
    assert_eq!(terminal.opened().len(), 1);
}

#[tokio::test]
async fn faults_come_and_go() {
    let terminal = FakeTerminal::new();
    let away = PaneError::Unavailable("away".into());
    terminal.fail_next(away.clone());
    assert_eq!(terminal.open(spec()).await.err(), Some(away.clone()));
    let spec = spec();
    let pane = terminal.open(spec.clone()).await.expect("open");
    let fake = terminal.pane(spec.session).expect("the pane");
    fake.fail(away.clone());
    assert_eq!(pane.capture().await, Err(away.clone()));
    assert_eq!(pane.press(&[Keystroke::ENTER]).await, Err(away));
    fake.recover();
    assert_eq!(pane.press(&[Keystroke::ENTER]).await, Ok(()));
    assert_eq!(fake.pressed(), [Keystroke::ENTER]);
}
