//! Rules that answer: before any page is told, once, and no further than they reach.

use std::sync::Arc;

use adapters::{Capture, Keystroke};
use answerback_rules::guard::Pause;
use serde_json::{Value, json};
use shared_types::{
    Actor, AdapterKind, Event, InteractivePrompt, Message, MessageBody, Millis, PromptId, PromptOutcome,
    PromptResponse, Remember, RememberScope, RuleInfo, RuleVerdict, RulesMode, RulesPause, RulesReply, SessionId,
    SessionState,
};
use tokio::{sync::oneshot, time::timeout};
use uuid::Uuid;

use super::stage::{LIMIT, Stage, behave_as_list, choose, demo, device};
use crate::{
    journal::{Fact, FactKind, Row},
    pane::fake::FakePane,
    rules::NewRule,
    store::JournalFilter,
};

const COMMAND: &str = "cargo test --workspace --quiet";

fn new_rule(verdict: RuleVerdict, text: &str) -> NewRule {
    NewRule {
        verdict,
        text: text.to_owned(),
        limits: Remember::of(RememberScope::Always),
        session: None,
        folder: None,
        message: None,
    }
}

async fn add(stage: &Stage, rule: NewRule) -> RuleInfo {
    stage.rules.add(rule, device("phone")).await.expect("a rule")
}

async fn allow(stage: &Stage, text: &str) -> RuleInfo {
    add(stage, new_rule(RuleVerdict::Allow, text)).await
}

/// Adds a rule that ends soon, and says when. A machine that is so slow that the time has passed before it is written down gets more.
async fn add_until_soon(stage: &Stage, text: &str) -> Millis {
    let mut ahead = 100;
    loop {
        let soon = crate::clock::now_millis() + ahead;
        let limits = Remember { until: Some(soon), ..Remember::of(RememberScope::Time) };
        let rule = NewRule { limits, ..new_rule(RuleVerdict::Allow, text) };
        match stage.rules.add(rule, device("phone")).await {
            Ok(_) => return soon,
            Err(refused) => assert!(ahead < 100_000, "{refused}"),
        }
        ahead *= 2;
    }
}

/// The demo agent's dialog about another command of much the same length.
fn asking(command: &str) -> Capture {
    let dialog = demo("command");
    assert!(dialog.text.contains(COMMAND), "the command stands in one row");
    let text = dialog.text.replace(COMMAND, &format!("{command:<width$}", width = COMMAND.len()));
    Capture { text, ..dialog }
}

/// The demo agent asks about a command, and goes on when it is answered.
async fn demo_asks(stage: &Stage, command: &str) -> (SessionId, Arc<FakePane>) {
    let dialog = asking(command);
    let (session, pane) = stage.start(AdapterKind::new("demo"), dialog.clone()).await;
    behave_as_list(&pane, dialog, 4, demo("answered"));
    (session, pane)
}

/// Claude Code, ready.
async fn claude(stage: &mut Stage) -> SessionId {
    let session = stage.running(AdapterKind::new("claude"), None).await;
    stage.sessions.recover().await.expect("taken up");
    stage.wait_state(session, &SessionState::Ready).await;
    session
}

fn hook(command: &str) -> Value {
    let input = json!({ "command": command, "description": "" });
    json!({ "hook_event_name": "PermissionRequest", "tool_name": "Bash", "tool_input": input })
}

async fn told(answer: oneshot::Receiver<String>) -> Value {
    let text = timeout(LIMIT, answer).await.expect("in time").expect("told");
    serde_json::from_str(&text).expect("a decision")
}

/// What a hook is told, and its prompt when a person is asked instead.
async fn is_allowed(stage: &Stage, session: SessionId, id: u128, command: &str) -> bool {
    let id = Uuid::from_u128(id);
    let answer = stage.hook(session, id, hook(command));
    let decision = told(answer).await["hookSpecificOutput"]["decision"]["behavior"] == "allow";
    stage.sessions.hook_left(session, id).await;
    decision
}

/// Waits until a person is asked by this hook.
async fn asks_person(stage: &mut Stage, session: SessionId, id: u128, command: &str) -> InteractivePrompt {
    // Its reply may be dropped: nobody answers it here.
    drop(stage.hook(session, Uuid::from_u128(id), hook(command)));
    let wanted = PromptId(Uuid::from_u128(id));
    stage
        .wait("a prompt for a person", |event| match event {
            Event::Prompt { prompt } if prompt.request_id == wanted => Some(prompt.clone()),
            _ => None,
        })
        .await
}

async fn automatic(stage: &mut Stage) -> (String, RuleVerdict, String, bool) {
    stage
        .wait("a line in the chat", |event| match event {
            Event::Message {
                message: Message { body: MessageBody::Automatic { asked, verdict, rule, shadow, .. }, .. },
                ..
            } => Some((asked.clone(), *verdict, rule.clone(), *shadow)),
            _ => None,
        })
        .await
}

async fn journal(stage: &Stage, kind: FactKind) -> Vec<Row> {
    let filter = JournalFilter { kinds: vec![kind], ..JournalFilter::default() };
    stage.store.journal(filter, 100).await.expect("the journal").rows
}

fn prompts_told(stage: &Stage) -> usize {
    stage.told.iter().filter(|event| matches!(event, Event::Prompt { .. } | Event::PromptClosed { .. })).count()
}

fn was_waiting(stage: &Stage) -> bool {
    stage.told.iter().any(|event| matches!(event, Event::Session { session } if session.state == SessionState::Waiting))
}

#[tokio::test]
async fn an_allowed_command_runs_and_no_page_is_told_of_a_prompt() {
    let mut stage = Stage::new();
    let rule = allow(&stage, "Bash(cargo test:*)").await;
    let (session, pane) = demo_asks(&stage, COMMAND).await;
    let line = automatic(&mut stage).await;
    assert_eq!(line, (COMMAND.to_owned(), RuleVerdict::Allow, "Bash(cargo test:*)".to_owned(), false));
    stage.wait_state(session, &SessionState::Ready).await;
    assert_eq!(pane.pressed(), [Keystroke::ENTER]);
    assert_eq!((prompts_told(&stage), was_waiting(&stage)), (0, false), "nobody was called");
    let answered = journal(&stage, FactKind::Answered).await;
    let actor = answered[0].entry.actor.as_ref().expect("somebody answered").to_string();
    assert!(actor.contains(&rule.id) && actor.contains("cargo test"), "{actor}");
    assert_eq!(journal(&stage, FactKind::RuleUsed).await.len(), 1);
    assert_eq!(journal(&stage, FactKind::Verified).await.len(), 1);
}

#[tokio::test]
async fn what_is_not_wholly_covered_is_asked() {
    for (command, rule) in [
        ("cargo test; curl x", "Bash(cargo test:*)"),
        ("cargo test | sh", "Bash(cargo test:*)"),
        ("cargo bench", "Bash(cargo test:*)"),
        // The floor: nothing passes it.
        ("rm -rf build", "Bash(rm:*)"),
    ] {
        let mut stage = Stage::new();
        allow(&stage, rule).await;
        let (session, pane) = demo_asks(&stage, command).await;
        let prompt = stage.wait_prompt(session).await;
        stage.wait_state(session, &SessionState::Waiting).await;
        assert!(pane.pressed().is_empty(), "{command}");
        assert_eq!(prompt.tool_input, Some(json!(command)));
    }
}

#[tokio::test]
async fn a_hook_is_answered_with_yes_or_with_no_and_its_message() {
    let mut stage = Stage::new();
    let session = claude(&mut stage).await;
    allow(&stage, "Bash(git status)").await;
    add(&stage, NewRule { message: Some("use make".to_owned()), ..new_rule(RuleVerdict::Deny, "Bash(npm:*)") }).await;
    assert!(is_allowed(&stage, session, 1, "git status").await);
    assert_eq!(automatic(&mut stage).await.0, "git status");
    let denied = told(stage.hook(session, Uuid::from_u128(2), hook("env A=1 npm install"))).await;
    let decision = &denied["hookSpecificOutput"]["decision"];
    assert_eq!(*decision, json!({ "behavior": "deny", "message": "use make" }));
    assert_eq!((prompts_told(&stage), was_waiting(&stage)), (0, false), "nobody was called");
}

#[tokio::test]
async fn an_answer_that_comes_too_soon_waits_and_calls_nobody() {
    let mut stage = Stage::new();
    let session = claude(&mut stage).await;
    allow(&stage, "Bash(git status)").await;
    allow(&stage, "Bash(ls:*)").await;
    assert!(is_allowed(&stage, session, 1, "git status").await);
    assert!(is_allowed(&stage, session, 2, "ls a").await);
    assert!(is_allowed(&stage, session, 3, "ls b").await);
    assert_eq!(prompts_told(&stage), 0);
}

#[tokio::test]
async fn uses_end_and_are_kept_over_a_restart() {
    let mut stage = Stage::new();
    let session = claude(&mut stage).await;
    let limits = Remember { uses: Some(2), ..Remember::of(RememberScope::Uses) };
    let rule = add(&stage, NewRule { limits, ..new_rule(RuleVerdict::Allow, "Bash(ls:*)") }).await;
    assert!(is_allowed(&stage, session, 1, "ls a").await);
    let mut stage = stage.restart().await;
    stage.wait_state(session, &SessionState::Ready).await;
    assert!(is_allowed(&stage, session, 2, "ls b").await);
    asks_person(&mut stage, session, 3, "ls c").await;
    let RulesReply::List { rules, .. } = stage.rules.list() else { panic!("a list") };
    assert_eq!((rules[0].id.as_str(), rules[0].used), (rule.id.as_str(), 2));
    assert!(rules[0].last_used_at.is_some());
}

#[tokio::test]
async fn rules_end_with_their_time_and_when_they_are_removed() {
    let mut stage = Stage::new();
    let session = claude(&mut stage).await;
    let soon = add_until_soon(&stage, "Bash(ls:*)").await;
    let git = allow(&stage, "Bash(git status)").await;
    stage.rules.remove(&git.id, device("phone")).await.expect("removed");
    asks_person(&mut stage, session, 1, "git status").await;
    while crate::clock::now_millis() <= soon {
        tokio::task::yield_now().await;
    }
    asks_person(&mut stage, session, 2, "ls").await;
    assert_eq!(journal(&stage, FactKind::RuleChanged).await.len(), 1);
}

#[tokio::test]
async fn an_interrupt_and_a_persons_no_pause_until_somebody_resumes() {
    let mut stage = Stage::new();
    let session = claude(&mut stage).await;
    allow(&stage, "Bash(ls:*)").await;
    let why = |stage: &Stage| stage.rules.status().sessions.first().map(|paused| paused.why);
    // Whether it can be interrupted just now is another question: somebody wanted to.
    let _ = stage.sessions.interrupt(session).await;
    assert_eq!(why(&stage), Some(RulesPause::AfterInterrupt));
    let prompt = asks_person(&mut stage, session, 1, "ls a").await;
    stage.rules.resume(Some(session), Some(device("phone"))).await.expect("resumed");
    assert!(is_allowed(&stage, session, 2, "ls b").await);
    drop(prompt);
    let mut answer = stage.hook(session, Uuid::from_u128(3), hook("curl x"));
    let prompt = stage
        .wait("what no rule covers", |event| match event {
            Event::Prompt { prompt } if prompt.tool_input == Some(json!("curl x")) => Some(prompt.clone()),
            _ => None,
        })
        .await;
    stage.respond(choose(&prompt, "No"), "phone").await.expect("taken");
    assert!(answer.try_recv().is_ok());
    assert_eq!(why(&stage), Some(RulesPause::AfterNo));
    asks_person(&mut stage, session, 4, "ls c").await;
    // A pause is kept.
    let stage = stage.restart().await;
    assert_eq!(why(&stage), Some(RulesPause::AfterNo));
}

#[tokio::test]
async fn danger_pauses_until_a_person_has_said_yes_to_it() {
    let mut stage = Stage::new();
    let session = claude(&mut stage).await;
    allow(&stage, "Bash(ls:*)").await;
    let answer = stage.hook(session, Uuid::from_u128(1), hook("rm -rf build"));
    let prompt = stage.wait_prompt(session).await;
    assert_eq!(stage.rules.status().sessions[0].why, RulesPause::AfterDanger);
    stage.respond(choose(&prompt, "Yes"), "phone").await.expect("taken");
    told(answer).await;
    assert_eq!(stage.rules.status().sessions, []);
}

#[tokio::test]
async fn one_tap_pauses_all_sessions() {
    let mut stage = Stage::new();
    let session = claude(&mut stage).await;
    allow(&stage, "Bash(ls:*)").await;
    stage.rules.pause(None, Pause::ByPerson, Some(device("phone"))).await.expect("paused");
    asks_person(&mut stage, session, 1, "ls a").await;
    let mut stage = stage.restart().await;
    assert!(stage.rules.status().paused);
    stage.wait_state(session, &SessionState::Ready).await;
    stage.rules.resume(None, Some(device("phone"))).await.expect("resumed");
    assert!(is_allowed(&stage, session, 2, "ls b").await);
}

#[tokio::test]
async fn rules_that_are_tried_out_only_say_what_they_would_do() {
    let mut stage = Stage::new();
    let session = claude(&mut stage).await;
    let rule = allow(&stage, "Bash(ls:*)").await;
    stage.rules.set_mode(RulesMode::Shadow, device("phone")).await.expect("shadow");
    asks_person(&mut stage, session, 1, "ls a").await;
    assert_eq!(automatic(&mut stage).await, ("ls a".to_owned(), RuleVerdict::Allow, rule.text, true));
    assert_eq!(journal(&stage, FactKind::RuleTried).await.len(), 1);
    assert_eq!(journal(&stage, FactKind::Answered).await.len(), 0);
}

#[tokio::test]
async fn an_answer_that_does_not_work_is_a_persons_to_give() {
    let mut stage = Stage::new();
    allow(&stage, "Bash(cargo test:*)").await;
    // The pane takes the key and shows the same.
    let (session, pane) = stage.start(AdapterKind::new("demo"), demo("command")).await;
    assert_eq!(stage.wait_failed().await, "typed, but the prompt is still there");
    let prompt = stage.wait_prompt(session).await;
    stage.wait_state(session, &SessionState::Waiting).await;
    assert_eq!(pane.pressed(), [Keystroke::ENTER], "once");
    behave_as_list(&pane, demo("command"), 4, demo("answered"));
    stage.respond(choose(&prompt, "Yes"), "phone").await.expect("a person's answer");
    assert!(matches!(stage.wait_closed(prompt.request_id).await, PromptOutcome::Verified { .. }));
}

#[tokio::test]
async fn an_answer_that_a_kill_cut_short_is_given_once() {
    let mut stage = Stage::new();
    let (session, pane, prompt) = stage.start_asking().await;
    let rule = allow(&stage, "Bash(cargo test:*)").await;
    // Claimed in the store, as a rule does it, and then killed before the first key.
    let by = Actor::Rule { rule_id: rule.id.clone(), name: rule.text };
    let used = Fact::new(FactKind::RuleUsed, 1).with(json!({ "rule": rule.id }));
    let answer = shared_types::Answer { by, summary: "Yes".to_owned() };
    let attempt = answerback_ledger::AttemptRecord {
        stage: answerback_ledger::AttemptStage::Begun,
        key: Some(prompt.request_id.0),
        response: Some(PromptResponse {
            selected_option: Some("Yes".to_owned()),
            ..PromptResponse::to(prompt.request_id)
        }),
        hook: None,
        context: Vec::new(),
    };
    assert!(stage.store.begin_answer(prompt.request_id, answer, attempt, 1, vec![used]).await.expect("begun"));
    behave_as_list(&pane, demo("command"), 4, demo("answered"));
    let mut stage = stage.restart().await;
    assert_eq!(automatic(&mut stage).await.0, COMMAND);
    stage.wait_state(session, &SessionState::Ready).await;
    assert_eq!(pane.pressed(), [Keystroke::ENTER], "once");
    let RulesReply::List { rules, .. } = stage.rules.list() else { panic!("a list") };
    assert_eq!(rules[0].used, 1, "counted once");
}

#[tokio::test]
async fn a_rule_decided_and_killed_before_its_claim_answers_once() {
    let stage = Stage::new();
    allow(&stage, "Bash(cargo test:*)").await;
    // The prompt was written down, and that is all.
    stage.rules.pause(None, Pause::ByPerson, None).await.expect("paused");
    let mut stage = stage;
    let (session, pane) = demo_asks(&stage, COMMAND).await;
    let prompt = stage.wait_prompt(session).await;
    let stage = stage.next_run().await;
    stage.store.set_rule_switch("all".to_owned(), None, Vec::new()).await.expect("resumed");
    stage.sessions.recover().await.expect("taken up");
    let mut stage = stage;
    automatic(&mut stage).await;
    assert_eq!(pane.pressed(), [Keystroke::ENTER], "once");
    assert!(!stage.store.prompt(prompt.request_id).await.expect("read").expect("kept").open);
}

#[tokio::test]
async fn an_answer_is_remembered_as_it_was_read() {
    let mut stage = Stage::new();
    let session = claude(&mut stage).await;
    let answer = stage.hook(session, Uuid::from_u128(1), hook("cargo test -p a"));
    let prompt = stage.wait_prompt(session).await;
    let RulesReply::Offers { offers, refused: None } =
        stage.sessions.rule_offers(prompt.request_id, RuleVerdict::Allow).await.expect("offers")
    else {
        panic!("offers")
    };
    assert_eq!(offers[0].words, "Allow exactly this command: cargo test -p a");
    let wish = |rule: &str| Remember { rule: Some(rule.to_owned()), ..Remember::of(RememberScope::Session) };
    let response = |rule: &str| PromptResponse { remember: Some(wish(rule)), ..choose(&prompt, "Yes") };
    let refused = stage.respond(response("Bash(curl:*)"), "phone").await.expect_err("not what was shown");
    assert!(refused.to_string().contains("read it again"), "{refused}");
    stage.respond(response("Bash(cargo test:*)"), "phone").await.expect("taken");
    told(answer).await;
    stage.sessions.hook_left(session, Uuid::from_u128(1)).await;
    stage.wait_closed(prompt.request_id).await;
    assert!(is_allowed(&stage, session, 2, "cargo test -p b").await);
    let RulesReply::List { rules, .. } = stage.rules.list() else { panic!("a list") };
    assert_eq!((rules[0].session_id, rules[0].used), (Some(session), 1));
    assert_eq!(journal(&stage, FactKind::RuleMade).await.len(), 1);
}

#[tokio::test]
async fn what_cannot_be_remembered_is_not_answered_either() {
    let mut stage = Stage::new();
    let session = claude(&mut stage).await;
    let _waits = stage.hook(session, Uuid::from_u128(1), hook("rm -rf build"));
    let prompt = stage.wait_prompt(session).await;
    let wish = Some(Remember::of(RememberScope::Always));
    let refused = stage.respond(PromptResponse { remember: wish, ..choose(&prompt, "Yes") }, "phone").await;
    assert!(refused.expect_err("the floor").to_string().contains("always asked"));
    assert!(stage.bus.prompt(prompt.request_id).is_some_and(|pending| pending.progress.is_none()));
}

#[tokio::test]
async fn the_past_is_counted_and_speaks_for_rules() {
    let mut stage = Stage::new();
    let session = claude(&mut stage).await;
    for id in 1..4 {
        let hook_id = Uuid::from_u128(id);
        let answer = stage.hook(session, hook_id, hook(&format!("cargo test -p a{id}")));
        let prompt = stage
            .wait("the prompt", |event| match event {
                Event::Prompt { prompt } if prompt.request_id.0 == hook_id => Some(prompt.clone()),
                _ => None,
            })
            .await;
        stage.respond(choose(&prompt, "Yes"), "phone").await.expect("taken");
        told(answer).await;
        stage.sessions.hook_left(session, hook_id).await;
        stage.wait_closed(prompt.request_id).await;
    }
    let RulesReply::Suggestions { suggestions } = stage.sessions.suggest_rules().await.expect("suggestions") else {
        panic!("suggestions")
    };
    assert_eq!((suggestions[0].text.as_str(), suggestions[0].times), ("Bash(cargo test:*)", 3));
    allow(&stage, "Bash(cargo test:*)").await;
    let RulesReply::DryRun { run } = stage.sessions.dry_run_rules().await.expect("a dry run") else { panic!("a run") };
    assert_eq!((run.prompts, run.allowed, run.denied), (3, 3, 0));
}
