//! Nothing secret gets into a row.

use proptest::prelude::*;
use serde_json::{Value, json};
use shared_types::{Actor, Answer, InteractivePrompt, PromptId, SessionId};
use uuid::Uuid;

use crate::journal::{
    Entry, Fact, FactKind,
    redact::{REDACTED, redacted, redacted_text},
};

/// Made-up secrets of the usual forms, put together here so that no scanner of repositories takes them for real ones.
fn canaries() -> Vec<String> {
    let letters = |count: usize| "Qw7rTz9KpL3mXv5BnC8sDf2gHj4".chars().cycle().take(count).collect::<String>();
    let digits = |count: usize| "a1b2c3d4e5f60718".chars().cycle().take(count).collect::<String>();
    let capitals = |count: usize| "QW7RTZ9KPL3MXV5BNC8S".chars().cycle().take(count).collect::<String>();
    vec![
        format!("sk-{}-api03-{}", "ant", letters(40)),
        format!("sk-{}-{}", "proj", letters(40)),
        format!("sk-{}", letters(48)),
        format!("sk_{}_{}", "live", letters(24)),
        format!("gh{}_{}", "p", letters(36)),
        format!("github_{}_{}", "pat", letters(60)),
        format!("gl{}-{}", "pat", letters(20)),
        format!("AK{}{}", "IA", capitals(16)),
        format!("AI{}{}", "za", letters(35)),
        format!("xox{}-{}", "b", letters(40)),
        format!("npm_{}", letters(36)),
        format!("hf_{}", letters(34)),
        format!("pypi-{}", letters(60)),
        format!("SG.{}.{}", letters(22), letters(43)),
        format!("123456789:AA{}", letters(33)),
        format!("eyJ{}.eyJ{}.{}", letters(20), letters(40), letters(43)),
        format!("dapi{}", digits(32)),
        format!("AGE-SECRET-KEY-1{}", capitals(58)),
        format!(
            "-----BEGIN OPENSSH {} KEY-----\n{}\n{}\n-----END OPENSSH {} KEY-----",
            "PRIVATE",
            letters(70),
            letters(70),
            "PRIVATE"
        ),
    ]
}

/// How a secret word that has no form of its own is written where it is known for one.
fn places(word: &str) -> Vec<String> {
    vec![
        format!("export DB_PASSWORD={word}"),
        format!("PGPASSWORD='{word}' psql -h db"),
        format!("curl -H 'Authorization: Bearer {word}' https://x"),
        format!("curl -H \"X-Api-Key: {word}\" https://x"),
        format!("curl -u anna:{word} https://x"),
        format!("git clone https://anna:{word}@example.com/x.git"),
        format!("psql postgres://anna:{word}@db/shop"),
        format!("mysql -u root -p{word} shop"),
        format!("sshpass -p {word} ssh host"),
        format!("tool --password {word} --verbose"),
        format!("tool --api-key={word}"),
        format!("{{\"client_secret\": \"{word}\"}}"),
        format!("echo '{{\\\"token\\\": \\\"{word}\\\"}}'"),
        format!("aws_secret_access_key = {word}"),
        format!("Cookie: session={word}; other={word}"),
        format!("password: {word}"),
        format!("AccountKey={word};EndpointSuffix=core.windows.net"),
    ]
}

const WORD: &str = "hunter2correcthorse";

fn prompt_with(text: &str) -> InteractivePrompt {
    let sighting =
        adapters::Sighting::new(shared_types::PromptKind::Permission, shared_types::PromptSource::Hook, "test");
    let mut prompt =
        sighting.to_prompt(PromptId(Uuid::nil()), SessionId(Uuid::nil()), shared_types::AdapterKind::new("claude"), 1);
    (prompt.title, prompt.description) = (text.to_owned(), text.to_owned());
    prompt.tool_input = Some(json!({ "command": text, "args": ["--x", text], "env": { "API_TOKEN": WORD } }));
    prompt.diff = Some(vec![shared_types::FileDiff { path: text.to_owned(), unified: format!("+{text}\n") }]);
    prompt
}

#[test]
fn no_kind_of_fact_keeps_a_canary() {
    let actor = |text: &str| Actor::Rule { rule_id: text.to_owned(), name: format!("allow {text}") };
    for canary in canaries() {
        let texts = [canary.clone(), format!("run x {canary} y"), format!("a={canary}\n\"{canary}\"")];
        for (kind, text) in FactKind::ALL.into_iter().flat_map(|kind| texts.iter().map(move |text| (kind, text))) {
            let answer = Answer { by: actor(text), summary: text.clone() };
            let body = json!({ "words": answer.summary, "list": [text, { "deep": text }], text.as_str(): 1 });
            let bodies = [Fact::new(kind, 1).with(body), Fact::prompt_shown(kind, &prompt_with(text), 1)];
            for fact in bodies {
                let entry = Entry::from(fact.by(answer.by.clone()));
                let written = format!("{entry:?}");
                let secret = canary.lines().find(|line| !line.starts_with("---")).unwrap();
                assert!(!written.contains(secret), "{}: {canary} in {written}", kind.word());
                assert!(written.contains(REDACTED));
            }
        }
    }
}

#[test]
fn no_known_place_keeps_its_password() {
    for text in places(WORD) {
        let clean = redacted_text(&text);
        assert!(!clean.contains(WORD) && clean.contains(REDACTED), "{text} became {clean}");
        let in_json = redacted(json!({ "command": text })).to_string();
        assert!(!in_json.contains(WORD), "{text} became {in_json}");
    }
    let arguments = redacted(json!(["tool", "--password", WORD, "--name", "anna", "--token", WORD]));
    assert_eq!(arguments, json!(["tool", "--password", REDACTED, "--name", "anna", "--token", REDACTED]));
    let fields = redacted(json!({ "password": WORD, "apiKey": [WORD], "Authorization": { "x": WORD }, "DB_TOKEN": 5 }));
    let all = json!({ "password": REDACTED, "apiKey": REDACTED, "Authorization": REDACTED, "DB_TOKEN": REDACTED });
    assert_eq!(fields, all);
}

#[test]
fn ordinary_text_stays_as_it_is() {
    for text in [
        "npm test -- --watch",
        "git commit -m 'Fix the token counter' 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b",
        "cargo add serde_json --features preserve_order",
        "the password is wrong",
        "sk-learn and skim",
        "https://example.com:8080/path?x=1",
        "rm -rf target && mkdir -p a/b",
        "ssh -p 22 host",
        "tokens: 5",
        "max_tokens=500",
        "the basics of tokenizers",
    ] {
        assert_eq!(redacted_text(text), text);
    }
    let body = json!({ "secret": true, "max_tokens": 500, "keys": ["enter"], "sha256": "9f86d081884c7d65" });
    assert_eq!(redacted(body.clone()), body);
}

proptest! {
    #[test]
    fn redaction_is_idempotent_and_never_panics(text in "\\PC{0,200}") {
        let once = redacted_text(&text);
        prop_assert_eq!(redacted(Value::String(once.clone())), Value::String(once));
    }
}
