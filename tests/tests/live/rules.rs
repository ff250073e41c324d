//! Rules that answer, with each of the real CLIs: what is allowed runs without the phone, what is refused does not run, and what is
//! dangerous is asked whatever a rule says.

use answerback_tests::{Cli, Live, model::Turn};
use shared_types::{
    Command, Event, MessageBody, OptionRole, PromptOutcome, Remember, RememberScope, ReplyData, RuleVerdict,
    RulesCommand, RulesReply, SequencedEvent, ServerMessage, SessionId, SessionState,
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
    let rules = RulesCommand::Add {
        verdict,
        text: text.to_owned(),
        limits: Remember::of(RememberScope::Always),
        session_id: None,
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
