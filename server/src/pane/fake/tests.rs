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
    assert_eq!(pane.capture().await.expect("capture").capture.text, "Continue? (y/n)");
    assert_eq!(pane.press(&[Keystroke::Text("y".into())], None).await, Press::Pressed);
    assert!(drawn.has_changed().expect("drawn"));
    assert_eq!(pane.capture().await.expect("capture").capture.text, "Going on");

    let fake = terminal.pane(spec.session).expect("the pane");
    assert_eq!(fake.take_pressed(), [Keystroke::Text("y".into())]);
    assert_eq!(terminal.find().await.expect("find")[0].pane.identity(), pane.identity());
    fake.exit(3);
    assert_eq!(pane.capture().await.expect("capture").capture.exit, Some(Exit { status: Some(3) }));
    assert!(matches!(pane.press(&[Keystroke::ENTER], None).await, Press::NotPressed(PaneError::Refused(_))));
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
    assert_eq!(pane.press(&[Keystroke::ENTER], None).await, Press::NotPressed(away));
    fake.recover();
    assert_eq!(pane.press(&[Keystroke::ENTER], None).await, Press::Pressed);
    assert_eq!(fake.pressed(), [Keystroke::ENTER]);
}

#[tokio::test]
async fn presses_go_wrong_in_every_way() {
    let pane = FakePane::new(80, 24);
    let checked_on = Some(pane.capture().await.expect("capture").generation);
    let keys = [Keystroke::ENTER];
    let refusal = PaneError::Refused("on purpose".into());
    for fault in [PressFault::Refused(refusal.clone()), PressFault::LostOnTheWay, PressFault::LostButArrives] {
        pane.fail_next_press(fault);
    }
    assert_eq!(pane.press(&keys, checked_on).await, Press::NotPressed(refusal));
    assert!(matches!(pane.press(&keys, checked_on).await, Press::Unknown(_)));
    assert_eq!(pane.take_pressed(), []);
    assert!(matches!(pane.press(&keys, checked_on).await, Press::Unknown(_)));
    assert_eq!(pane.take_pressed(), keys);

    pane.reconnect();
    assert!(matches!(pane.press(&keys, checked_on).await, Press::NotPressed(PaneError::Unavailable(_))));
    assert_eq!(pane.take_pressed(), []);
    assert_eq!(pane.press(&keys, Some(pane.generation())).await, Press::Pressed);
    assert_eq!(pane.press(&keys, None).await, Press::Pressed);
    assert_eq!(pane.take_pressed(), [Keystroke::ENTER, Keystroke::ENTER]);
}

#[tokio::test]
async fn the_end_of_a_frame_is_told_until_something_else_is_drawn() {
    let pane = FakePane::new(80, 24);
    let drawn = pane.drawn();
    assert!(!drawn.borrow().is_frame_end());
    pane.show_frame("whole");
    assert_eq!(*drawn.borrow(), Drawn { count: 1, frame_end: 1 });
    assert!(drawn.borrow().is_frame_end());
    pane.show("and more");
    assert!(!drawn.borrow().is_frame_end());
}
