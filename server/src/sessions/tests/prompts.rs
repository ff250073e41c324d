//! Prompts: how they come, change and go, and how they are answered, once and only while they are there.

use adapters::{Keystroke, keys::NamedKey};
use shared_types::{
    AdapterKind, Answer, AnswerStep, ErrorCode, Event, Key, PromptId, PromptKind, PromptOutcome, PromptResponse,
    SessionState,
};
use uuid::Uuid;

use super::super::ByHand;
use super::stage::{Code as _, Draw as _, Stage, behave_as_list, choose, demo, device, line, on_row, response_to};

const DOWN: Keystroke = Keystroke::Named(NamedKey::Down);

fn answer(phone: &str, summary: &str) -> Answer {
    Answer { by: device(phone), summary: summary.to_owned() }
}

#[tokio::test]
async fn a_prompt_appears_and_goes_when_it_is_answered_at_the_desk() {
    let mut stage = Stage::new();
    let (session, pane, prompt) = stage.start_asking().await;
    assert_eq!((prompt.kind, prompt.title.as_str()), (PromptKind::Permission, "May I run this command?"));
    stage.wait_state(session, &SessionState::Waiting).await;
    assert!(stage.store.prompt(prompt.request_id).await.expect("read").expect("it is kept").open);

    // The desk moves the cursor: nothing that the phones show.
    pane.draw(&on_row(&demo("command"), " ❯", 2));
    pane.draw(&demo("answered"));
    assert_eq!(stage.wait_closed(prompt.request_id).await, PromptOutcome::Gone);
    stage.wait_state(session, &SessionState::Ready).await;
    let prompts = stage.told.iter().filter(|event| matches!(event, Event::Prompt { .. })).count();
    assert_eq!((prompts, pane.pressed()), (1, Vec::new()));
    let late = stage.respond(choose(&prompt, "Yes"), "phone").await.expect_err("too late");
    assert_eq!(late.code(), ErrorCode::PromptGone, "{late:?}");
}

#[tokio::test]
async fn a_prompt_that_changes_keeps_its_id() {
    let mut stage = Stage::new();
    let (session, pane) = stage.start(AdapterKind::new("demo"), demo("multi")).await;
    let before = stage.wait_prompt(session).await;
    pane.draw(&demo("multi-checked"));
    let after = stage
        .wait("the changed prompt", |event| match event {
            Event::Prompt { prompt } if *prompt != before => Some(prompt.clone()),
            _ => None,
        })
        .await;
    assert_eq!(after.request_id, before.request_id);
    assert_eq!(stage.bus.prompt(before.request_id).map(|pending| pending.prompt), Some(after.clone()));
    let stored = stage.store.prompt(before.request_id).await.expect("read").expect("it is kept");
    assert_eq!(stored.prompt, after);
}

#[tokio::test]
async fn another_prompt_in_its_place_is_another_prompt() {
    let mut stage = Stage::new();
    let (_, pane, first) = stage.start_asking().await;
    pane.draw(&demo("choice"));
    assert_eq!(stage.wait_closed(first.request_id).await, PromptOutcome::Gone);
    let second = stage.wait_other_prompt(&first).await;
    assert_eq!(second.kind, PromptKind::Question);
}

#[tokio::test]
async fn an_equal_prompt_in_its_place_is_another_prompt() {
    let mut stage = Stage::new();
    let (_, pane, prompt) = stage.start_asking().await;
    // Answered at the desk, and at once the same is asked again: only what stands above has changed.
    let mut again = demo("command");
    again.text =
        again.text.replacen("I would like to run the tests", "That went well. I would like to run the tests", 1);
    assert_ne!(again.text, demo("command").text);
    pane.draw(&again);
    assert_eq!(stage.wait_closed(prompt.request_id).await, PromptOutcome::Gone);
    let next = stage.wait_other_prompt(&prompt).await;
    assert_eq!((next.title, next.tool_input), (prompt.title, prompt.tool_input));
}

#[tokio::test]
async fn an_answer_is_typed_row_by_row_and_seen_to_be_done() {
    let mut stage = Stage::new();
    let (session, pane, prompt) = stage.start_asking().await;
    behave_as_list(&pane, demo("command"), 4, demo("answered"));
    stage.respond(choose(&prompt, "No"), "phone").await.expect("the first answer");
    let verified = PromptOutcome::Verified { answer: answer("phone", "No") };
    assert_eq!(stage.wait_closed(prompt.request_id).await, verified);
    assert_eq!(pane.pressed(), [DOWN, DOWN, Keystroke::ENTER]);
    assert_eq!(stage.steps(), [AnswerStep::Sending, AnswerStep::Typed]);
    stage.wait_state(session, &SessionState::Ready).await;
    let stored = stage.store.prompt(prompt.request_id).await.expect("read").expect("it is kept");
    assert_eq!((stored.answer, stored.open), (Some(answer("phone", "No")), false));
}

#[tokio::test]
async fn a_line_prompt_of_any_program_is_answered() {
    let mut stage = Stage::new();
    let (session, pane) = stage.start(AdapterKind::new("generic"), line("Continue? [y/N] ")).await;
    let prompt = stage.wait_prompt(session).await;
    pane.react(|key, shown| {
        if *key == Keystroke::ENTER {
            *shown = line("Continue? [y/N] y\nGoing on\n$ ");
        }
    });
    let labels: Vec<String> =
        prompt.options.iter().flatten().map(|option| format!("{}/{}", option.value, option.label)).collect();
    let yes = prompt.options.iter().flatten().find(|option| option.label.to_lowercase().starts_with('y'));
    let yes = yes.unwrap_or_else(|| panic!("no yes among {labels:?}")).value.clone();
    stage.respond(choose(&prompt, &yes), "phone").await.expect("the first answer");
    let outcome = stage.wait_closed(prompt.request_id).await;
    assert!(matches!(outcome, PromptOutcome::Verified { .. }), "{outcome:?}");
    assert_eq!(pane.pressed(), [Keystroke::Text("y".to_owned()), Keystroke::ENTER]);
}

#[tokio::test]
async fn a_prompt_that_went_away_is_not_typed_at() {
    let mut stage = Stage::new();
    let (session, pane, prompt) = stage.start_asking().await;
    // Not yet noticed when the response comes in.
    pane.draw(&demo("answered"));
    stage.respond(choose(&prompt, "Yes"), "phone").await.expect("it was open as far as anybody knew");
    let why = stage.wait_failed().await;
    assert_eq!(why, "the prompt was no longer on the screen; nothing was typed");
    assert_eq!(stage.wait_closed(prompt.request_id).await, PromptOutcome::Gone);
    stage.wait_state(session, &SessionState::Ready).await;
    assert_eq!(pane.pressed(), []);
}

#[tokio::test]
async fn another_prompt_is_not_typed_at() {
    let mut stage = Stage::new();
    let (_, pane, prompt) = stage.start_asking().await;
    pane.draw(&demo("edit"));
    stage.respond(choose(&prompt, "Yes"), "phone").await.expect("it was open as far as anybody knew");
    let why = stage.wait_failed().await;
    assert_eq!(why, "another prompt is on the screen; nothing was typed");
    assert_eq!(stage.wait_closed(prompt.request_id).await, PromptOutcome::Gone);
    let other = stage.wait_other_prompt(&prompt).await;
    assert_ne!(other.title, prompt.title);
    assert_eq!(pane.pressed(), []);
}

#[tokio::test]
async fn a_dialog_that_does_not_react_can_be_answered_again() {
    let mut stage = Stage::new();
    let (session, pane, prompt) = stage.start_asking().await;
    let key = Some(Uuid::new_v4());
    let response = PromptResponse { idempotency_key: key, ..choose(&prompt, "Yes") };
    stage.respond(response.clone(), "phone").await.expect("the first answer");
    assert_eq!(stage.wait_failed().await, "typed, but the prompt is still there");
    assert_eq!(pane.take_pressed(), [Keystroke::ENTER], "the last keys are never repeated");
    let pending = stage.bus.prompt(prompt.request_id).expect("it still waits");
    assert_eq!(pending.progress.map(|progress| progress.answer), Some(answer("phone", "Yes")));
    stage.wait_state(session, &SessionState::Waiting).await;

    behave_as_list(&pane, demo("command"), 4, demo("answered"));
    let repeated = stage.respond(response.clone(), "phone").await.expect_err("a frame that merely comes again");
    assert_eq!(repeated.code(), ErrorCode::NotTaken);
    let response = PromptResponse { idempotency_key: Some(Uuid::new_v4()), ..response };
    stage.respond(response, "phone").await.expect("the person answers the same again");
    let outcome = stage.wait_closed(prompt.request_id).await;
    assert_eq!(outcome, PromptOutcome::Verified { answer: answer("phone", "Yes") });
    assert_eq!(pane.pressed(), [Keystroke::ENTER]);
}

#[tokio::test]
async fn the_first_of_two_answers_wins_and_the_other_is_told_who_it_was() {
    let mut stage = Stage::new();
    let (_, pane, prompt) = stage.start_asking().await;
    behave_as_list(&pane, demo("command"), 4, demo("answered"));
    let (first, second) = tokio::join!(
        stage.respond(choose(&prompt, "No"), "Ann's phone"),
        stage.respond(choose(&prompt, "Yes"), "Bob's phone"),
    );
    first.expect("the first answer");
    let late = second.expect_err("the second answer");
    assert_eq!(late.code(), ErrorCode::AlreadyAnswered);
    assert_eq!(late.to_string(), "already answered by Ann's phone: No");
    let outcome = stage.wait_closed(prompt.request_id).await;
    assert_eq!(outcome, PromptOutcome::Verified { answer: answer("Ann's phone", "No") });
    assert_eq!(pane.pressed(), [DOWN, DOWN, Keystroke::ENTER]);

    let later = stage.respond(choose(&prompt, "Yes"), "Bob's phone").await.expect_err("long after");
    assert_eq!(later, late);
}

#[tokio::test]
async fn the_same_answer_sent_twice_is_one_answer() {
    let mut stage = Stage::new();
    let (_, pane, prompt) = stage.start_asking().await;
    behave_as_list(&pane, demo("command"), 4, demo("answered"));
    let response = PromptResponse { idempotency_key: Some(Uuid::new_v4()), ..choose(&prompt, "Yes") };
    let (first, second) = tokio::join!(stage.respond(response.clone(), "phone"), stage.respond(response, "phone"));
    assert_eq!((first, second), (Ok(()), Ok(())));
    stage.wait_closed(prompt.request_id).await;
    assert_eq!(pane.pressed(), [Keystroke::ENTER]);
}

#[tokio::test]
async fn an_answer_that_does_not_fit_is_refused_and_harms_nothing() {
    let mut stage = Stage::new();
    let (_, pane, prompt) = stage.start_asking().await;
    behave_as_list(&pane, demo("command"), 4, demo("answered"));
    for (response, why) in [
        (choose(&prompt, "Maybe"), "no such option"),
        (response_to(&prompt), "nothing chosen"),
        (PromptResponse { text_value: Some("text".to_owned()), ..choose(&prompt, "Yes") }, "takes no text"),
    ] {
        let refused = stage.respond(response, "phone").await.expect_err(why);
        assert_eq!(refused.code(), ErrorCode::BadResponse, "{why}: {refused:?}");
    }
    let nowhere = PromptResponse { request_id: PromptId(Uuid::nil()), ..choose(&prompt, "Yes") };
    let refused = stage.respond(nowhere, "phone").await.expect_err("no such prompt");
    assert_eq!(refused.code(), ErrorCode::PromptGone);
    assert_eq!((pane.pressed(), stage.steps()), (vec![], vec![]));
    stage.respond(choose(&prompt, "Yes"), "phone").await.expect("the first answer that fits");
    stage.wait_closed(prompt.request_id).await;
}

#[tokio::test]
async fn nothing_else_is_typed_while_an_answer_is() {
    let mut stage = Stage::new();
    let (session, pane, prompt) = stage.start_asking().await;
    // The dialog does not follow the arrows, so the answer is under way for seconds.
    stage.respond(choose(&prompt, "No"), "phone").await.expect("the first answer");
    let busy = [
        stage.sessions.send_keys(session, vec![Key::Text { text: "y".to_owned() }], shared_types::Actor::Desk).await,
        stage.sessions.interrupt(session).await,
        stage.sessions.send_text(session, "hello".to_owned(), None, &[]).await,
    ];
    for (refused, what) in busy.into_iter().zip(["keys", "interrupt", "message"]) {
        assert_eq!(refused.expect_err(what).code(), ErrorCode::SessionBusy, "{what}");
    }
    assert_eq!(pane.pressed(), [DOWN, DOWN]);
}

#[tokio::test]
async fn an_answer_waits_for_a_message_that_is_being_sent() {
    let mut stage = Stage::new();
    let (session, pane, prompt) = stage.start_asking().await;
    // The dialog has just gone, which is noticed only after a moment; the message is being typed at once.
    pane.draw(&demo("ready"));
    let sending = stage.sessions.send_text(session, "hello".to_owned(), None, &[]);
    let responding = stage.respond(choose(&prompt, "Yes"), "phone");
    let (sending, refused) = tokio::join!(biased; tokio::time::timeout(super::stage::LIMIT, sending), responding);
    assert_eq!(refused.expect_err("something else is being typed").code(), ErrorCode::SessionBusy);
    sending.expect("in time").expect("the composer is empty: the message was taken");
    assert_eq!(pane.pressed(), [Keystroke::Paste("hello".to_owned()), Keystroke::ENTER]);
    assert_eq!(stage.wait_closed(prompt.request_id).await, PromptOutcome::Gone);
}

#[tokio::test]
async fn a_password_is_typed_and_kept_nowhere() {
    const SECRET: &str = "correct horse battery";
    let mut stage = Stage::new();
    let (session, pane) = stage.start(AdapterKind::new("demo"), demo("password")).await;
    let prompt = stage.wait_prompt(session).await;
    assert_eq!(prompt.text_input.as_ref().and_then(|text| text.secret), Some(true));
    pane.react(|key, shown| {
        if *key == Keystroke::ENTER {
            *shown = demo("answered");
        }
    });
    let response = PromptResponse { text_value: Some(SECRET.to_owned()), ..response_to(&prompt) };
    stage.respond(response, "phone").await.expect("the first answer");
    let outcome = stage.wait_closed(prompt.request_id).await;
    assert_eq!(outcome, PromptOutcome::Verified { answer: answer("phone", "•••") });
    assert_eq!(pane.pressed(), [Keystroke::Text(SECRET.to_owned()), Keystroke::ENTER]);
    assert!(!format!("{:?}", stage.told).contains(SECRET), "it was told");
    for entry in std::fs::read_dir(stage.folder.path()).expect("files") {
        let path = entry.expect("a file").path();
        if path.is_file() {
            let bytes = std::fs::read(&path).expect("a file");
            let found = bytes.windows(SECRET.len()).any(|part| part == SECRET.as_bytes());
            assert!(!found, "it is in {}", path.display());
        }
    }
}

#[tokio::test]
async fn keys_for_another_dialog_than_the_one_seen_are_not_pressed() {
    let mut stage = Stage::new();
    let (session, pane, _) = stage.start_asking().await;
    let seen = stage.sessions.frames(session).await.expect("frames").borrow().as_ref().and_then(|frame| frame.asks);
    assert!(seen.is_some_and(|asks| asks != 0), "the frame names the dialog");
    let key = || vec![Key::Text { text: "1".to_owned() }];
    let press = |seen| stage.sessions.send_keys(session, ByHand { keys: key(), seen }, shared_types::Actor::Desk);

    pane.react(|_, shown| *shown = demo("answered"));
    for other in [Some(0), seen.map(|asks| asks ^ 1)] {
        assert_eq!(press(other).await.expect_err("another dialog").code(), ErrorCode::PromptChanged);
    }
    assert_eq!(pane.pressed(), []);
    press(seen).await.expect("what was seen stands there");
    assert_eq!(pane.pressed(), [Keystroke::Text("1".to_owned())]);
    assert_eq!(press(seen).await.expect_err("it is gone").code(), ErrorCode::PromptChanged);
    press(Some(0)).await.expect("nothing is asked, as was seen");
}

#[tokio::test]
async fn a_screen_nobody_understands_is_shown_as_it_is_and_answered_with_keys() {
    let mut stage = Stage::new();
    let (session, pane) = stage.start(AdapterKind::new("demo"), demo("puzzle")).await;
    let prompt = stage.wait_prompt(session).await;
    assert_eq!(prompt.kind, PromptKind::Unrecognized);
    assert!(prompt.screen.as_ref().is_some_and(|screen| !screen.lines.is_empty()), "the raw screen comes along");
    let response = PromptResponse { text_value: Some("5".to_owned()), ..response_to(&prompt) };
    let refused = stage.respond(response, "phone").await.expect_err("only in the terminal");
    assert_eq!(refused.code(), ErrorCode::BadResponse);
    assert_eq!(pane.pressed(), []);

    pane.react(|_, shown| *shown = demo("answered"));
    let keys = vec![Key::Named { key: NamedKey::Right }, Key::Ctrl { letter: 'k' }];
    stage.sessions.send_keys(session, keys, shared_types::Actor::Desk).await.expect("keys");
    assert_eq!(pane.pressed(), [Keystroke::Named(NamedKey::Right), Keystroke::Ctrl('k')]);
    assert_eq!(stage.wait_closed(prompt.request_id).await, PromptOutcome::Gone);
    stage.wait_state(session, &SessionState::Ready).await;
}
