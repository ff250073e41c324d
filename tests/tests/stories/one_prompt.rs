//! Every kind of prompt of the demo agent, answered from a phone; the agent says that it got exactly that answer.

use answerback_tests::{Phone, Server, response_to};
use shared_types::{
    Actor, AnswerStep, Command, ErrorCode, Event, Key, NamedKey, OptionRole, PromptKind, PromptOutcome, PromptResponse,
    QuestionAnswer, ServerMessage, SessionId,
};

/// A server, a phone and a demo session that is ready.
async fn demo() -> (Server, Phone, SessionId) {
    let server = Server::start().await;
    let mut phone = server.pair_phone("iPhone").await;
    let session = phone.start_demo().await;
    (server, phone, session)
}

fn is_verified(outcome: &PromptOutcome, summary: &str) {
    match outcome {
        PromptOutcome::Verified { answer } => {
            assert_eq!(answer.summary, summary);
            assert!(matches!(&answer.by, Actor::Device { name, .. } if name == "iPhone"), "{answer:?}");
        }
        other => panic!("not verified: {other:?}"),
    }
}

#[tokio::test]
async fn a_command_is_allowed() {
    let (_server, mut phone, session) = demo().await;
    phone.send(session, "command").await;
    let prompt = phone.wait_prompt(session).await;
    assert_eq!(prompt.kind, PromptKind::Permission);
    assert_eq!(prompt.title, "May I run this command?");
    assert_eq!(prompt.tool_input, Some("cargo test --workspace --quiet".into()));
    let roles: Vec<_> = prompt.options.iter().flatten().map(|option| option.role).collect();
    use OptionRole::{Allow, AllowAlways, Deny, Feedback};
    assert_eq!(roles, [Some(Allow), Some(AllowAlways), Some(Deny), Some(Feedback)]);
    let outcome = phone.choose(&prompt, "Yes").await;
    is_verified(&outcome, "Yes");
    phone.wait_message(session, "Understood: command -> Yes").await;
    // The steps were told in their order.
    let steps = phone.all(|message| match message {
        ServerMessage::Event(event) => match &event.event {
            Event::PromptProgress { progress } => Some(progress.step.clone()),
            _ => None,
        },
        _ => None,
    });
    assert_eq!(steps, [AnswerStep::Sending, AnswerStep::Typed]);
}

#[tokio::test]
async fn a_command_is_refused_with_a_reason() {
    let (_server, mut phone, session) = demo().await;
    phone.send(session, "command").await;
    let prompt = phone.wait_prompt(session).await;
    let label = "No, and tell the agent what to do differently";
    let option = prompt.options.iter().flatten().find(|option| option.label == label).expect("a feedback option");
    assert_eq!(option.opens_text, Some(true));
    let response = PromptResponse {
        selected_option: Some(option.value.clone()),
        text_value: Some("use `ls -la` instead; it's \"safer\" $HOME".into()),
        ..response_to(&prompt)
    };
    let outcome = phone.respond(response).await;
    is_verified(&outcome, "No, and tell the agent what to do differently: use `ls -la` instead; it's \"safer\" $HOME");
    let said = phone.wait_message(session, "Understood: command").await;
    assert!(said.contains("differently: use `ls -la` instead; it's \"safer\" $HOME"), "{said}");
}

#[tokio::test]
async fn an_edit_comes_with_its_diff() {
    let (_server, mut phone, session) = demo().await;
    phone.send(session, "edit").await;
    let prompt = phone.wait_prompt(session).await;
    let diff = prompt.diff.as_deref().and_then(<[_]>::first).expect("a diff");
    assert_eq!(diff.path, "src/cart.rs");
    assert!(diff.unified.contains("-    items: Vec<Item>,\n+    items: BTreeMap<ItemId, u32>,"), "{}", diff.unified);
    phone.choose(&prompt, "No").await;
    phone.wait_message(session, "Understood: edit -> No").await;
}

#[tokio::test]
async fn a_question_takes_an_option_or_a_text() {
    let (_server, mut phone, session) = demo().await;
    phone.send(session, "choice").await;
    let prompt = phone.wait_prompt(session).await;
    assert_eq!(prompt.kind, PromptKind::Question);
    let described = prompt.options.iter().flatten().filter(|option| option.description.is_some()).count();
    assert_eq!(described, 3);
    phone.choose(&prompt, "PostgreSQL").await;
    phone.wait_message(session, "Understood: choice -> PostgreSQL").await;
    phone.wait_ready(session).await;

    phone.send(session, "choice").await;
    let again = phone.wait_prompt(session).await;
    assert_ne!(again.request_id, prompt.request_id, "the same question asked again is another prompt");
    let other = again.options.iter().flatten().find(|option| option.label == "Other").expect("Other");
    let response = PromptResponse {
        selected_option: Some(other.value.clone()),
        text_value: Some("DuckDB".into()),
        ..response_to(&again)
    };
    phone.respond(response).await;
    phone.wait_message(session, "Understood: choice -> Other: DuckDB").await;
}

#[tokio::test]
async fn several_options_are_ticked() {
    let (_server, mut phone, session) = demo().await;
    phone.send(session, "multi").await;
    let prompt = phone.wait_prompt(session).await;
    assert_eq!(prompt.multi_select, Some(true));
    let labels: Vec<_> = prompt.options.iter().flatten().map(|option| option.label.as_str()).collect();
    assert_eq!(labels, ["Auth", "Queue", "Search", "Metrics"], "the Submit row is not an option");
    let response =
        PromptResponse { selected_options: Some(vec!["Queue".into(), "Metrics".into()]), ..response_to(&prompt) };
    let outcome = phone.respond(response).await;
    is_verified(&outcome, "Queue, Metrics");
    phone.wait_message(session, "Understood: multi -> Queue, Metrics").await;
}

#[tokio::test]
async fn several_questions_are_answered_together() {
    let (_server, mut phone, session) = demo().await;
    phone.send(session, "questions").await;
    let prompt = phone.wait_prompt(session).await;
    let questions = prompt.questions.as_deref().expect("questions");
    let headers: Vec<_> = questions.iter().map(|question| question.header.as_str()).collect();
    assert_eq!(headers, ["Language", "Features", "Name"]);
    assert!(prompt.options.is_none());
    let chosen = |values: &[&str]| values.iter().map(|value| (*value).to_owned()).collect();
    let answers = vec![
        QuestionAnswer { selected_options: chosen(&["TypeScript"]), text_value: None },
        QuestionAnswer { selected_options: chosen(&["Auth", "Search"]), text_value: None },
        QuestionAnswer { selected_options: Vec::new(), text_value: Some("corner shop".into()) },
    ];
    let response = PromptResponse { answers: Some(answers), ..response_to(&prompt) };
    phone.respond(response).await;
    let said = "Understood: questions -> Language=TypeScript; Features=Auth, Search; Name=corner shop";
    phone.wait_message(session, said).await;
}

#[tokio::test]
async fn a_plan_is_sent_back_with_feedback() {
    let (_server, mut phone, session) = demo().await;
    phone.send(session, "plan").await;
    let prompt = phone.wait_prompt(session).await;
    assert_eq!(prompt.kind, PromptKind::Plan);
    let plan = prompt.plan.as_deref().expect("a plan");
    assert!(plan.contains("3. Show the number of items"), "{plan}");
    assert_eq!(prompt.options.as_ref().map(Vec::len), Some(3), "the plan's own list is not the options");
    let feedback = prompt.options.iter().flatten().find(|option| option.opens_text == Some(true)).expect("feedback");
    let response = PromptResponse {
        selected_option: Some(feedback.value.clone()),
        text_value: Some("no cookies please".into()),
        ..response_to(&prompt)
    };
    phone.respond(response).await;
    phone.wait_message(session, "no cookies please").await;
}

#[tokio::test]
async fn a_loop_is_stopped() {
    let (_server, mut phone, session) = demo().await;
    phone.send(session, "loop").await;
    let prompt = phone.wait_prompt(session).await;
    assert_eq!(prompt.kind, PromptKind::LoopDetected);
    phone.choose(&prompt, "Disable it for this session").await;
    phone.wait_message(session, "Understood: loop -> Disable it for this session").await;
}

#[tokio::test]
async fn yes_is_typed_where_a_line_asks() {
    let (_server, mut phone, session) = demo().await;
    phone.send(session, "yesno").await;
    let prompt = phone.wait_prompt(session).await;
    assert_eq!(prompt.kind, PromptKind::Permission);
    phone.choose(&prompt, "Yes").await;
    phone.wait_message(session, "Understood: yesno -> yes").await;
}

#[tokio::test]
async fn a_password_reaches_the_program_and_nothing_else() {
    const SECRET: &str = "hunter2-c4n4ry";
    let (server, mut phone, session) = demo().await;
    phone.send(session, "password").await;
    let prompt = phone.wait_prompt(session).await;
    assert_eq!(prompt.text_input.as_ref().and_then(|text| text.secret), Some(true));
    let outcome = phone.respond(PromptResponse { text_value: Some(SECRET.into()), ..response_to(&prompt) }).await;
    is_verified(&outcome, "•••");
    phone.wait_message(session, "Understood: password -> 14 characters").await;
    let told = phone.all(|message| Some(serde_json::to_string(message).expect("JSON")));
    assert!(!told.iter().any(|json| json.contains(SECRET)), "the wire told the password");
    assert!(!server.log().contains(SECRET), "the log has the password");
    for entry in walk(&server.data()) {
        let bytes = std::fs::read(&entry).unwrap_or_default();
        let found = bytes.windows(SECRET.len()).any(|window| window == SECRET.as_bytes());
        assert!(!found, "{} has the password", entry.display());
    }
}

fn walk(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
    entries.flat_map(|entry| if entry.path().is_dir() { walk(&entry.path()) } else { vec![entry.path()] }).collect()
}

#[tokio::test]
async fn what_is_not_understood_is_answered_with_keys() {
    let (_server, mut phone, session) = demo().await;
    phone.send(session, "puzzle").await;
    let prompt = phone.wait_prompt(session).await;
    assert_eq!(prompt.kind, PromptKind::Unrecognized);
    assert!(prompt.screen.as_ref().is_some_and(|screen| !screen.lines.is_empty()));
    let response = PromptResponse { text_value: Some("5".into()), ..response_to(&prompt) };
    let refused = phone.ask(Command::Respond { response }).await.expect_err("nothing is typed blindly");
    assert_eq!(refused.code, ErrorCode::BadResponse);
    let key = |text: &str| Key::Text { text: text.into() };
    let keys = vec![key("+"), Key::Named { key: NamedKey::Right }, key("=")];
    phone.ask(Command::SendKeys { session_id: session, keys, seen: None }).await.expect("keys are pressed");
    assert_eq!(phone.wait_closed(prompt.request_id).await, PromptOutcome::Gone);
    phone.wait_message(session, "Understood: puzzle -> ").await;
}

#[tokio::test]
async fn a_chat_message_never_answers_a_dialog() {
    let (_server, mut phone, session) = demo().await;
    phone.send(session, "command").await;
    let prompt = phone.wait_prompt(session).await;
    let text = Command::SendText {
        session_id: session,
        text: "yes please\n1\n".into(),
        idempotency_key: None,
        files: Vec::new(),
    };
    let refused = phone.ask(text).await.expect_err("a dialog is open");
    assert_eq!(refused.code, ErrorCode::DialogOpen);
    let refused = phone.ask(Command::Interrupt { session_id: session }).await.expect_err("Esc would answer it");
    assert_eq!(refused.code, ErrorCode::DialogOpen);
    phone.choose(&prompt, "No").await;
    phone.wait_message(session, "Understood: command -> No").await;
    let understood = phone.all(|message| match message {
        ServerMessage::Event(event) => match &event.event {
            Event::Message { message, .. } => {
                serde_json::to_string(message).ok().filter(|json| json.contains("Understood: command"))
            }
            _ => None,
        },
        _ => None,
    });
    assert!(understood.iter().all(|json| !json.contains("-> Yes")), "{understood:?}");
}

#[tokio::test]
async fn work_is_interrupted() {
    let (_server, mut phone, session) = demo().await;
    phone.send(session, "busy").await;
    phone.wait_state("busy", session, |state| matches!(state, shared_types::SessionState::Busy { .. })).await;
    phone.ask(Command::Interrupt { session_id: session }).await.expect("interrupted");
    phone.wait_ready(session).await;
}
