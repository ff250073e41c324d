//! The owner of the rules: files, folders, and what is kept.

use std::sync::Arc;

use answerback_rules::Request;
use shared_types::{Actor, AlertKind, Event, Remember, RememberScope, RuleInfo, RuleVerdict, RulesReply, SessionId};
use tempfile::TempDir;
use uuid::Uuid;

use super::{ChangeError, Decision, FolderRules, NewRule, Rules};
use crate::{bus::Bus, clock::now_millis, store::Store};

struct Desk {
    folder: TempDir,
    bus: Arc<Bus>,
    store: Store,
    rules: Arc<Rules>,
}

async fn desk(file: Option<&str>) -> Desk {
    let folder = tempfile::tempdir().expect("a folder");
    if let Some(text) = file {
        std::fs::write(folder.path().join("rules.toml"), text).expect("a file");
    }
    let store = Store::open(folder.path()).expect("a store");
    let bus = Arc::new(Bus::new(Vec::new()));
    let rules = Rules::new(store.clone(), Arc::clone(&bus), folder.path().join("rules.toml"));
    rules.load().await.expect("loaded");
    Desk { folder, bus, store, rules }
}

fn request(command: &str) -> Request {
    Request { session: Some("s".to_owned()), ..Request::command(command, "/w") }
}

fn says(desk: &Desk, command: &str) -> Option<RuleVerdict> {
    match desk.rules.decide(&request(command), &FolderRules::default()) {
        Decision::Answer(automatic) => {
            desk.rules.take_back(&automatic);
            Some(automatic.verdict)
        }
        Decision::Ask { .. } | Decision::Later(_) => None,
    }
}

fn list(rules: &Rules) -> (Vec<RuleInfo>, Vec<String>) {
    let RulesReply::List { rules, mistakes, .. } = rules.list() else { panic!("a list") };
    (rules, mistakes)
}

fn new_rule(text: &str, scope: RememberScope) -> NewRule {
    NewRule {
        verdict: RuleVerdict::Allow,
        text: text.to_owned(),
        limits: Remember::of(scope),
        session: None,
        folder: None,
        message: None,
    }
}

#[tokio::test]
async fn a_file_is_read_at_the_start_and_when_it_changes() {
    let desk = desk(Some("allow = [\"Bash(ls:*)\"]")).await;
    let mut told = desk.bus.listen();
    assert_eq!(says(&desk, "ls a"), Some(RuleVerdict::Allow));
    let path = desk.folder.path().join("rules.toml");
    std::fs::write(&path, "allow = [\"Bash(ls:*)\"]\ndeny = 1").expect("a file");
    desk.rules.read_file().await;
    assert_eq!(says(&desk, "ls a"), Some(RuleVerdict::Allow), "the last good one holds");
    assert!(list(&desk.rules).1[0].starts_with("line 2"));
    let Event::Alert { alert } = &told.recv().await.expect("told").event else { panic!("an alert") };
    assert!(matches!(&alert.what, AlertKind::RulesUnreadable { mistakes, .. } if mistakes[0].starts_with("line 2")));
    std::fs::write(&path, "deny = [\"Bash(ls:*)\"]").expect("a file");
    desk.rules.read_file().await;
    assert_eq!(says(&desk, "ls a"), Some(RuleVerdict::Deny));
    let Event::Alert { alert } = &told.recv().await.expect("told").event else { panic!("an alert") };
    assert!(matches!(&alert.what, AlertKind::RulesChanged { what } if what.contains("1 rules")), "{alert:?}");
}

#[tokio::test]
async fn nothing_is_allowed_while_a_file_that_may_say_no_was_never_read() {
    let desk = desk(Some("deny = 1")).await;
    desk.rules.add(new_rule("Bash(ls:*)", RememberScope::Always), Actor::Desk).await.expect("a rule");
    assert_eq!(says(&desk, "ls"), None);
    std::fs::remove_file(desk.folder.path().join("rules.toml")).expect("removed");
    desk.rules.read_file().await;
    assert_eq!(says(&desk, "ls"), Some(RuleVerdict::Allow));
}

#[tokio::test]
async fn a_folder_denies_and_asks_but_never_allows() {
    let desk = desk(Some("allow = [\"Bash(ls:*)\", \"Bash(cat a)\"]")).await;
    let project = tempfile::tempdir().expect("a folder");
    let own = project.path().join(".answerback");
    std::fs::create_dir(&own).expect("a folder");
    let decide = async |command: &str| {
        let folder = desk.rules.of_folder(project.path()).await;
        match desk.rules.decide(&request(command), &folder) {
            Decision::Answer(automatic) => {
                desk.rules.take_back(&automatic);
                Some(automatic.verdict)
            }
            _ => None,
        }
    };
    assert_eq!(decide("ls a").await, Some(RuleVerdict::Allow));
    let text = "allow = [\"Bash(curl:*)\"]\nask = [\"Bash(cat:*)\"]\ndeny = [\"Bash(ls:*)\"]";
    std::fs::write(own.join("rules.toml"), text).expect("a file");
    for (command, expected) in [("ls a", Some(RuleVerdict::Deny)), ("cat a", None), ("curl x", None)] {
        assert_eq!(decide(command).await, expected, "{command}");
    }
    std::fs::write(own.join("rules.toml"), "deny = [").expect("a file");
    assert_eq!(decide("cat a").await, None, "what it would deny is not known");
}

#[tokio::test]
async fn what_was_made_is_kept_and_what_cannot_be_a_rule_is_refused() {
    let desk = desk(None).await;
    let session = SessionId(Uuid::from_u128(1));
    let made = NewRule { session: Some(session), ..new_rule("Bash(ls:*)", RememberScope::Session) };
    desk.rules.add(made, Actor::Desk).await.expect("a rule");
    for (rule, why) in [
        (new_rule("Bash(python:*)", RememberScope::Always), "runs anything"),
        (new_rule("Bash", RememberScope::Always), "needs an end"),
        (new_rule("Bash(ls", RememberScope::Always), "bracket"),
        (new_rule("Bash(ls)", RememberScope::Once), "once"),
        (new_rule("Bash(ls)", RememberScope::Session), "which session"),
        (new_rule("Bash(ls)", RememberScope::Time), "until when"),
        (new_rule("Bash(ls)", RememberScope::Uses), "how often"),
        (new_rule("Bash(ls)", RememberScope::Folder), "which folder"),
    ] {
        let refused = desk.rules.add(rule, Actor::Desk).await.expect_err(why);
        assert!(matches!(&refused, ChangeError::NoRule(told) if told.contains(why)), "{refused}");
    }
    let limits = Remember { until: Some(now_millis() - 1), ..Remember::of(RememberScope::Always) };
    let over = NewRule { limits, ..new_rule("Bash(ls)", RememberScope::Always) };
    assert!(desk.rules.add(over, Actor::Desk).await.is_err());

    let again = Rules::new(desk.store.clone(), Arc::clone(&desk.bus), desk.folder.path().join("rules.toml"));
    again.load().await.expect("loaded");
    let (rules, _) = list(&again);
    assert_eq!((rules.len(), rules[0].session_id), (1, Some(session)));
    again.forget_session(session).await;
    assert_eq!(list(&again).0, []);
    assert_eq!(desk.store.rules().await.expect("read").made, []);
}
