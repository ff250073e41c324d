//! Rules that answer, with each of the real CLIs: what is allowed runs without the phone, what is refused does not run, what is
//! dangerous is asked whatever a rule says, and a rule ends where its limits say.

use std::time::{Duration, SystemTime};

use answerback_tests::{
    Cli, Live,
    model::{Gate, Turn},
    wait_until,
};
use shared_types::{
    Command, Event, InteractivePrompt, MessageBody, OptionRole, PromptOutcome, Remember, RememberScope, ReplyData,
    RuleVerdict, RulesCommand, RulesReply, SequencedEvent, ServerMessage, SessionId, SessionState,
};

use crate::basics;

const NO: &str = "Use make for that, never npm.";

#[tokio::test]
async fn claude_is_answered_by_rules() {
    let live = story(Cli::Claude).await;
    let told = live.model.wait_tool_results(2).await;
    assert!(told[1].text.contains(NO), "the refusal reached the model with its words: {told:?}");
}

#[tokio::test]
async fn codex_is_answered_by_rules() {
    story(Cli::Codex).await;
}

#[tokio::test]
async fn gemini_is_answered_by_rules() {
    story(Cli::Gemini).await;
}

#[tokio::test]
async fn claude_is_answered_within_the_limits_of_rules() {
    limits(Cli::Claude).await;
}

#[tokio::test]
async fn codex_is_answered_within_the_limits_of_rules() {
    limits(Cli::Codex).await;
}

#[tokio::test]
async fn gemini_is_answered_within_the_limits_of_rules() {
    limits(Cli::Gemini).await;
}

async fn limits(cli: Cli) {
    let mut live = Live::start(cli).await;
    let session = live.session().await;
    every_part_must_be_allowed(&mut live, session).await;
    uses_end(&mut live, session).await;
    time_ends(&mut live, session).await;
    an_interrupt_pauses(&mut live, session).await;
    an_answer_that_a_kill_cuts_short_is_given_once(&mut live, session).await;
}

async fn story(cli: Cli) -> Live {
    let mut live = Live::start(cli).await;
    let session = live.session().await;
    for (verdict, text) in [
        (RuleVerdict::Allow, "Bash(touch made)"),
        (RuleVerdict::Allow, "Bash(wc:*)"),
        (RuleVerdict::Allow, "Bash(rm:*)"),
        (RuleVerdict::Deny, "Bash(npm:*)"),
    ] {
        make(&mut live, verdict, text).await;
    }
    runs_without_the_phone(&mut live, session).await;
    is_refused(&mut live, session).await;
    is_asked_although_allowed(&mut live, session).await;
    live
}

async fn make(live: &mut Live, verdict: RuleVerdict, text: &str) {
    make_limited(live, verdict, text, Remember::of(RememberScope::Always), None).await;
}

async fn make_limited(live: &mut Live, verdict: RuleVerdict, text: &str, limits: Remember, session: Option<SessionId>) {
    let rules = RulesCommand::Add {
        verdict,
        text: text.to_owned(),
        limits,
        session_id: session,
        folder: None,
        message: (verdict == RuleVerdict::Deny).then(|| NO.to_owned()),
    };
    let made = live.phone.ask(Command::Rules { rules }).await;
    assert!(matches!(made, Ok(ReplyData::Rules { rules: RulesReply::Made { .. } })), "{made:?}");
}

async fn runs_without_the_phone(live: &mut Live, session: SessionId) {
    let command = live.cli.shell("touch made && wc -c made");
    live.model.script("make the file", [Turn::say("I make it.").and_tools([command]), Turn::say("It is there.")]);
    live.phone.send(session, "make the file").await;
    assert_eq!(line(live).await, (RuleVerdict::Allow, "Bash(touch made)".to_owned()));
    let results = live.model.wait_tool_results(1).await;
    assert!(results[0].text.contains("0 made"), "{results:?}");
    live.phone.wait_ready(session).await;
    assert!(live.project().join("made").exists());
    assert_eq!(count(live, |event| matches!(event, Event::Prompt { .. })), 0, "nobody was called");
    let waited = |event: &Event| matches!(event, Event::Session { session } if session.state == SessionState::Waiting);
    assert_eq!(count(live, waited), 0, "nobody was waited for");
    let output = live.server.command("journal").args(["export", "--json"]).output().expect("the journal");
    let journal = String::from_utf8_lossy(&output.stdout).into_owned();
    let answered = journal.lines().find(|line| line.contains("\"answered\"")).unwrap_or_default();
    assert!(answered.contains("\"rule\"") && answered.contains("touch made"), "{journal}");
    assert!(journal.contains("\"verified\""), "{journal}");
}

async fn is_refused(live: &mut Live, session: SessionId) {
    let command = live.cli.shell("npm install left-pad");
    live.model.script("install it", [Turn::say("I install it.").and_tools([command]), Turn::say("Then not.")]);
    live.phone.send(session, "install it").await;
    assert_eq!(line(live).await, (RuleVerdict::Deny, "Bash(npm:*)".to_owned()));
    live.phone.wait_ready(session).await;
    assert!(!live.project().join("package.json").exists());
    assert_eq!(count(live, |event| matches!(event, Event::Prompt { .. })), 0, "nobody was called");
}

async fn is_asked_although_allowed(live: &mut Live, session: SessionId) {
    let command = live.cli.shell("rm -rf made");
    live.model.script("remove it", [Turn::say("I remove it.").and_tools([command]), Turn::say("It is gone.")]);
    live.phone.send(session, "remove it").await;
    let prompt = live.phone.wait_prompt(session).await;
    assert!(live.project().join("made").exists());
    let outcome = basics::choose(live, &prompt, OptionRole::Allow).await;
    assert!(matches!(outcome, PromptOutcome::Verified { .. }), "{outcome:?}");
    live.phone.wait_ready(session).await;
    assert!(!live.project().join("made").exists(), "a person may allow it");
}

/// The model calls this command, and says that it is done.
async fn wants(live: &mut Live, session: SessionId, message: &str, command: &str) {
    let call = live.cli.shell(command);
    live.model.script(message, [Turn::say("I do it.").and_tools([call]), Turn::say("It is done.")]);
    live.phone.send(session, message).await;
}

/// It runs, and nobody is asked.
async fn runs_alone(live: &mut Live, session: SessionId, message: &str, command: &str) {
    let asked = count(live, |event| matches!(event, Event::Prompt { .. }));
    wants(live, session, message, command).await;
    line(live).await;
    live.phone.wait_ready(session).await;
    assert_eq!(count(live, |event| matches!(event, Event::Prompt { .. })), asked, "nobody was called for {command}");
}

/// A person is asked, and says yes.
async fn asks(live: &mut Live, session: SessionId, message: &str, command: &str) {
    wants(live, session, message, command).await;
    let prompt = live.phone.wait_prompt(session).await;
    let outcome = basics::choose(live, &prompt, OptionRole::Allow).await;
    assert!(matches!(outcome, PromptOutcome::Verified { .. }), "{outcome:?}");
    live.phone.wait_ready(session).await;
}

async fn every_part_must_be_allowed(live: &mut Live, session: SessionId) {
    make(live, RuleVerdict::Allow, "Bash(touch:*)").await;
    runs_alone(live, session, "one part", "touch alone").await;
    // What the second part runs has no rule.
    asks(live, session, "two parts", "touch beside && ln -s alone link").await;
    assert!(live.project().join("alone").exists() && live.project().join("link").exists());
}

async fn uses_end(live: &mut Live, session: SessionId) {
    let twice = Remember { uses: Some(2), ..Remember::of(RememberScope::Uses) };
    make_limited(live, RuleVerdict::Allow, "Bash(mkdir:*)", twice, Some(session)).await;
    runs_alone(live, session, "the first folder", "mkdir first").await;
    runs_alone(live, session, "the second folder", "mkdir second").await;
    asks(live, session, "the third folder", "mkdir third").await;
    assert!(live.project().join("third").is_dir());
}

async fn time_ends(live: &mut Live, session: SessionId) {
    let now = || SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).expect("a time").as_millis() as u64;
    let until = now() + 5000;
    let soon = Remember { until: Some(until), ..Remember::of(RememberScope::Time) };
    make_limited(live, RuleVerdict::Allow, "Bash(cp:*)", soon, Some(session)).await;
    let over = || (now() > until).then_some(());
    wait_until("the end of the rule's time", over, String::new).await;
    asks(live, session, "a copy", "cp alone copy").await;
    assert!(live.project().join("copy").exists());
}

async fn an_interrupt_pauses(live: &mut Live, session: SessionId) {
    let gate = Gate::closed();
    live.model.script("think", [Turn::say("Let me think.").and_hold(&gate).and_say("Never said.")]);
    live.phone.send(session, "think").await;
    live.phone.wait_state("busy", session, |state| matches!(state, SessionState::Busy { .. })).await;
    live.phone.ask(Command::Interrupt { session_id: session }).await.expect("interrupted");
    live.phone.wait_ready(session).await;
    asks(live, session, "after the interrupt", "touch paused").await;
    let resume = RulesCommand::Resume { session_id: Some(session) };
    live.phone.ask(Command::Rules { rules: resume }).await.expect("resumed");
    runs_alone(live, session, "after the pause", "touch resumed").await;
}

/// The answer is written down, and the server is killed before or after it arrives: the command runs once in either case.
async fn an_answer_that_a_kill_cuts_short_is_given_once(live: &mut Live, session: SessionId) {
    make(live, RuleVerdict::Allow, "Bash(echo:*)").await;
    make(live, RuleVerdict::Allow, "Bash(tee -a:*)").await;
    let before = answered(live);
    wants(live, session, "once", "echo once | tee -a times").await;
    let written = || (answered(live) > before).then_some(());
    wait_until("the rule's answer in the journal", written, || live.report()).await;
    live.kill_and_restart().await;
    if let Some(prompt) = done_or_asked(live, session).await {
        // Whether the answer arrived is not known, or a person is to look: then a person says it.
        basics::choose(live, &prompt, OptionRole::Allow).await;
    }
    live.phone.wait_ready(session).await;
    let times = std::fs::read_to_string(live.project().join("times")).unwrap_or_default();
    assert_eq!(times, "once\n", "{}", live.report());
}

/// The prompt that a person is asked after all; nothing when the command has run.
async fn done_or_asked(live: &mut Live, session: SessionId) -> Option<InteractivePrompt> {
    loop {
        let open = live.phone.all(|told| match told {
            ServerMessage::Event(SequencedEvent { event: Event::Prompt { prompt }, .. })
                if prompt.session_id == Some(session) =>
            {
                Some(prompt.clone())
            }
            _ => None,
        });
        if live.project().join("times").exists() || !open.is_empty() {
            return open.into_iter().next_back().filter(|_| !live.project().join("times").exists());
        }
        live.phone.hear_for(Duration::from_millis(100)).await;
    }
}

/// How many answers the journal holds.
fn answered(live: &Live) -> usize {
    let output = live.server.command("journal").args(["export", "--json"]).output().expect("the journal");
    String::from_utf8_lossy(&output.stdout).lines().filter(|line| line.contains("\"kind\":\"answered\"")).count()
}

/// The next line in the chat that says what a rule has answered.
async fn line(live: &mut Live) -> (RuleVerdict, String) {
    live.phone
        .wait_for("a line of a rule", |told| match told {
            ServerMessage::Event(SequencedEvent { event: Event::Message { message, .. }, .. }) => match &message.body {
                MessageBody::Automatic { verdict, rule, shadow: false, .. } => Some((*verdict, rule.clone())),
                _ => None,
            },
            _ => None,
        })
        .await
}

/// How many such events the phone was told.
fn count(live: &Live, is_it: impl Fn(&Event) -> bool) -> usize {
    let picked = live.phone.all(|told| match told {
        ServerMessage::Event(SequencedEvent { event, .. }) => is_it(event).then_some(()),
        _ => None,
    });
    picked.len()
}
