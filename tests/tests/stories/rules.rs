//! Rules on the real binary: made at the desk, written in a file while it runs, and never from inside a session.

use answerback_tests::{Phone, Server};
use shared_types::{
    Alert, AlertKind, Event, Message, MessageBody, RuleVerdict, SequencedEvent, ServerMessage, SessionId,
};

fn run(server: &Server, args: &[&str]) -> (bool, String) {
    let output = server.command("rules").args(args).output().expect("run");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.success(), format!("{}{}", text(&output.stdout), text(&output.stderr)))
}

async fn alert(phone: &mut Phone) -> AlertKind {
    phone
        .wait_for("an alert about rules", |told| match told {
            ServerMessage::Event(SequencedEvent { event: Event::Alert { alert: Alert { what, .. } }, .. }) => {
                matches!(what, AlertKind::RulesChanged { .. } | AlertKind::RulesUnreadable { .. }).then(|| what.clone())
            }
            _ => None,
        })
        .await
}

/// What a rule answers next in the session.
async fn answered(phone: &mut Phone, session: SessionId) -> (RuleVerdict, String) {
    phone
        .wait_for("a line of a rule", |told| match told {
            ServerMessage::Event(SequencedEvent { event: Event::Message { session_id, message }, .. }) => match message
            {
                Message { body: MessageBody::Automatic { verdict, rule, .. }, .. } if *session_id == session => {
                    Some((*verdict, rule.clone()))
                }
                _ => None,
            },
            _ => None,
        })
        .await
}

#[tokio::test]
async fn a_rule_made_at_the_desk_answers_and_phones_are_told() {
    let server = Server::start().await;
    let mut phone = server.pair_phone("iPhone").await;
    let session = phone.start_demo().await;
    let (ok, made) = run(&server, &["add", "allow", "Bash(cargo test:*)", "--uses", "1"]);
    assert!(ok && made.contains("used 0 of 1 times"), "{made}");
    assert!(matches!(alert(&mut phone).await, AlertKind::RulesChanged { what } if what.contains("cargo test")));
    phone.send(session, "command").await;
    assert_eq!(answered(&mut phone, session).await, (RuleVerdict::Allow, "Bash(cargo test:*)".to_owned()));
    phone.wait_ready(session).await;
    let (_, listed) = run(&server, &["list"]);
    assert!(listed.contains("rules are on") && listed.contains("used 1 of 1 times"), "{listed}");
    // Used up: a person is asked.
    phone.send(session, "command").await;
    phone.wait_prompt(session).await;
    let (ok, why) = run(&server, &["add", "allow", "Bash(python:*)"]);
    assert!(!ok && why.contains("runs anything"), "{why}");
}

#[tokio::test]
async fn rules_toml_is_followed_while_it_is_written() {
    let server = Server::start().await;
    let folder = server.home().join(".config/answerback");
    std::fs::create_dir_all(&folder).expect("a folder");
    let mut phone = server.pair_phone("iPhone").await;
    let session = phone.start_demo().await;
    let write = |text: &str| std::fs::write(folder.join("rules.toml"), text).expect("a file");
    write("deny = [\"Bash(cargo:*)\"]");
    assert!(matches!(alert(&mut phone).await, AlertKind::RulesChanged { .. }));
    write("\nallow = [\"Bash\"]");
    let AlertKind::RulesUnreadable { mistakes, .. } = alert(&mut phone).await else { panic!("mistakes") };
    assert!(mistakes[0].starts_with("line 2") && mistakes[0].contains("needs an end"), "{mistakes:?}");
    phone.send(session, "command").await;
    assert_eq!(answered(&mut phone, session).await.0, RuleVerdict::Deny, "the last good one holds");
}

#[tokio::test]
async fn a_program_in_a_session_makes_no_rules() {
    let server = Server::start().await;
    let mut phone = server.pair_phone("iPhone").await;
    let binary = server.command("rules").get_program().to_string_lossy().into_owned();
    let data = server.data();
    let rule = "add allow 'Bash(cargo test:*)'";
    let script = format!("'{binary}' rules --data-dir '{}' {rule}; echo over; read x", data.display());
    let session = phone.start(shared_types::AdapterKind::new("generic"), "/", &["sh", "-c", &script]).await;
    let screen = || server.tmux(&["capture-pane", "-p", "-t", &format!("=ab-{}:", session.0.simple())]);
    answerback_tests::wait_until("the refusal", || screen().contains("over").then_some(()), &screen).await;
    assert!(screen().contains("not heard"), "{}", screen());
    let (_, listed) = run(&server, &["list"]);
    assert!(!listed.contains("cargo test"), "{listed}");
}
