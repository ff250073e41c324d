//! The message a session is started with, the model it is started with, and reviews by another session.

use adapters::Keystroke;
use shared_types::{
    AdapterKind, ErrorCode, Event, FirstMessage, ReviewId, Reviewer, Session, SessionId, SessionState, StartSession,
};
use uuid::Uuid;

use super::stage::{Code as _, Draw as _, Stage, demo, wish};
use crate::pane::{
    PaneError,
    fake::{FakePane, PressFault},
};

fn with_message(text: &str) -> StartSession {
    StartSession { message: Some(text.to_owned()), ..wish(AdapterKind::new("demo")) }
}

fn taken(text: &str) -> [Keystroke; 2] {
    [Keystroke::Paste(text.to_owned()), Keystroke::ENTER]
}

fn of(id: SessionId, wanted: impl Fn(&Session) -> bool) -> impl Fn(&Event) -> Option<()> {
    move |event| match event {
        Event::Session { session } if session.id == id && wanted(session) => Some(()),
        _ => None,
    }
}

/// Takes every message.
fn takes(pane: &FakePane) {
    pane.react(|key, shown| {
        *shown = if matches!(key, Keystroke::Paste(_)) { demo("draft-list") } else { demo("busy") };
    });
}

#[tokio::test]
async fn the_first_message_waits_until_the_cli_is_ready_and_is_typed_once() {
    let mut stage = Stage::new();
    stage.terminal.on_open(|_, pane| pane.draw(&demo("command")));
    let id = stage.sessions.start(with_message("hello"), shared_types::Actor::Desk).await.expect("a session");
    let pane = stage.pane(id);
    stage.wait_prompt(id).await;
    assert_eq!(stage.bus.session(id).unwrap().first_message.unwrap().text, "hello");
    assert_eq!(pane.pressed(), []);
    takes(&pane);
    pane.draw(&demo("ready"));
    stage
        .wait(
            "the message to be taken",
            of(id, |session| session.first_message.is_none() && session.state != SessionState::Waiting),
        )
        .await;
    stage.wait_pressed(&pane, 2).await;
    assert_eq!(pane.pressed(), taken("hello"));
    assert_eq!(stage.store.first_message(id).await.unwrap(), None);
}

#[tokio::test]
async fn a_first_message_outlives_a_restart_but_one_that_may_have_been_typed_is_left_to_the_person() {
    let mut stage = Stage::new();
    stage.terminal.on_open(|_, pane| pane.draw(&demo("command")));
    let waiting = stage.sessions.start(with_message("hello"), shared_types::Actor::Desk).await.expect("a session");
    let unsure = stage.sessions.start(with_message("again?"), shared_types::Actor::Desk).await.expect("a session");
    let problem = Some("interrupted".to_owned());
    let first = FirstMessage { text: "again?".to_owned(), problem };
    stage.wait_prompt(waiting).await;
    stage.store.set_first_message(unsure, &first).await.unwrap();
    let mut stage = stage.restart().await;
    let (pane, other) = (stage.pane(waiting), stage.pane(unsure));
    takes(&pane);
    takes(&other);
    other.draw(&demo("ready"));
    stage.wait_state(unsure, &SessionState::Ready).await;
    pane.draw(&demo("ready"));
    stage.wait_pressed(&pane, 2).await;
    assert_eq!(pane.pressed(), taken("hello"));
    assert_eq!(other.pressed(), []);
    assert_eq!(stage.bus.session(unsure).unwrap().first_message, Some(first));
    // Going on by hand settles it.
    stage.sessions.send_text(unsure, "by hand".to_owned(), None, &[]).await.expect("taken");
    stage.wait("the note to go", of(unsure, |session| session.first_message.is_none())).await;
}

/// Waits until the person is told that a first message may or may not have been taken.
async fn wait_doubt(stage: &mut Stage, id: SessionId) {
    let in_doubt = |session: &Session| session.first_message.as_ref().is_some_and(|first| first.problem.is_some());
    stage.wait("the first message to be in doubt", of(id, in_doubt)).await;
}

/// The CLI waits for a message again: the first one must not be typed by itself now.
async fn send_another(stage: &mut Stage, id: SessionId) {
    let pane = stage.pane(id);
    takes(&pane);
    pane.draw(&demo("ready"));
    stage.wait_state(id, &SessionState::Ready).await;
    stage.sessions.send_text(id, "another".to_owned(), None, &[]).await.expect("taken");
    assert_eq!(pane.pressed(), [taken("hello"), taken("another")].concat());
}

#[tokio::test]
async fn first_message_whose_connection_is_lost_after_enter_is_not_typed_again() {
    let mut stage = Stage::new();
    // The composer does not say whether it has taken it.
    stage.terminal.on_open(|_, pane| {
        pane.draw(&demo("ready"));
        pane.react(|_, shown| *shown = demo("draft-list"));
    });
    let id = stage.sessions.start(with_message("hello"), shared_types::Actor::Desk).await.expect("a session");
    let pane = stage.pane(id);
    stage.wait_pressed(&pane, 2).await;
    pane.fail(PaneError::Unavailable("away".to_owned()));
    wait_doubt(&mut stage, id).await;
    pane.recover();
    send_another(&mut stage, id).await;
}

#[tokio::test]
async fn first_message_whose_reply_is_lost_is_not_typed_again() {
    let mut stage = Stage::new();
    // It is drawn late, so that the reply to Enter can be lost.
    stage.terminal.on_open(|_, pane| pane.draw(&demo("ready")));
    let id = stage.sessions.start(with_message("hello"), shared_types::Actor::Desk).await.expect("a session");
    let pane = stage.pane(id);
    stage.wait_pressed(&pane, 1).await;
    pane.fail_next_press(PressFault::LostButArrives);
    pane.draw(&demo("draft-list"));
    wait_doubt(&mut stage, id).await;
    assert_eq!(pane.pressed(), taken("hello"));
    send_another(&mut stage, id).await;
}

#[tokio::test]
async fn first_message_that_could_not_be_typed_is_tried_again_by_itself() {
    let mut stage = Stage::new();
    stage.terminal.on_open(|_, pane| {
        pane.draw(&demo("ready"));
        takes(pane);
        pane.fail_next_press(PressFault::Refused(PaneError::Refused("on purpose".to_owned())));
    });
    let id = stage.sessions.start(with_message("hello"), shared_types::Actor::Desk).await.expect("a session");
    stage.wait("the message to be taken", of(id, |session| session.first_message.is_none())).await;
    assert_eq!(stage.pane(id).pressed(), taken("hello"));
}

#[tokio::test]
async fn a_model_is_an_argument_and_only_where_there_is_one_to_choose() {
    let stage = Stage::new();
    let start = StartSession { model: Some("opus".to_owned()), ..wish(AdapterKind::new("demo")) };
    assert_eq!(
        stage.sessions.start(start, shared_types::Actor::Desk).await.expect_err("it has none").code(),
        ErrorCode::BadValue
    );
}

#[tokio::test]
async fn a_review_goes_to_another_session_and_is_kept_with_the_first() {
    let mut stage = Stage::new();
    let (parent, _) = stage.start_demo("ready", &SessionState::Ready).await;
    let (reviewer, pane) = stage.start_demo("ready", &SessionState::Ready).await;
    takes(&pane);
    let (id, with) = (ReviewId(Uuid::now_v7()), Reviewer::Existing { session_id: reviewer });
    let review = |with: Reviewer| {
        stage.sessions.review(parent, id, with, "the  plan\n", "look at this".to_owned(), shared_types::Actor::Desk)
    };
    assert_eq!(review(with.clone()).await.expect("a review"), reviewer);
    assert_eq!(review(with).await.expect("the same review"), reviewer);
    assert_eq!(pane.pressed(), taken("look at this"));
    let myself = Reviewer::Existing { session_id: parent };
    let other = ReviewId(Uuid::now_v7());
    let refused = stage
        .sessions
        .review(parent, other, myself, "", "x".to_owned(), shared_types::Actor::Desk)
        .await
        .expect_err("not itself");
    assert_eq!(refused.code(), ErrorCode::BadValue);

    let mut stage = stage.restart().await;
    let kept = stage.bus.session(parent).unwrap().reviews.expect("reviews");
    assert_eq!(
        kept.iter().map(|review| (review.reviewer, review.subject.as_str())).collect::<Vec<_>>(),
        [(reviewer, "the plan")]
    );
    stage.sessions.end(reviewer, shared_types::Actor::Desk).await.expect("it ends");
    stage.sessions.forget(reviewer).await.expect("it is forgotten");
    stage.wait("its reviews to be forgotten", of(parent, |session| session.reviews.is_none())).await;
}

#[tokio::test]
async fn a_review_can_start_its_reviewer() {
    let mut stage = Stage::new();
    let (parent, _) = stage.start_demo("ready", &SessionState::Ready).await;
    stage.terminal.on_open(|_, pane| {
        takes(pane);
        pane.draw(&demo("ready"));
    });
    let with = Reviewer::New { start: wish(AdapterKind::new("demo")) };
    let id = ReviewId(Uuid::now_v7());
    let reviewer = stage
        .sessions
        .review(parent, id, with, "plan", "look".to_owned(), shared_types::Actor::Desk)
        .await
        .expect("a review");
    let pane = stage.pane(reviewer);
    stage.wait_pressed(&pane, 2).await;
    assert_eq!(pane.pressed(), taken("look"));
    assert_eq!(stage.bus.session(parent).unwrap().reviews.map(|reviews| reviews.len()), Some(1));
}
