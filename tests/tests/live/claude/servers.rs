//! What an MCP server asks of the person, which no hook tells: a form, a plain yes or no, a link.

use answerback_tests::{
    model::{Gate, Turn},
    response_to, skip_if,
};
use serde_json::{Value, json};
use shared_types::{
    Command, InteractivePrompt, OptionRole, PermissionMode, PromptKind, PromptOutcome, PromptResponse, QuestionAnswer,
};

use super::{
    Claude, Way, find_option,
    versions::{Feature, version},
};

/// A server whose tools note down what they are given, or ask the person and give back what was answered.
const SERVER: &str = include_str!("../server.mjs");

/// A session with the server; nothing where the version knows no such questions.
async fn with_server() -> Claude {
    let mut claude = Claude::starting(Way::Keys, PermissionMode::Ask, |live| {
        let program = live.home().join("server.mjs");
        std::fs::write(&program, SERVER).expect("the server");
        let server = json!({ "command": "node", "args": [program, live.project().join("noted")] });
        let mut known: Value = serde_json::from_str(&live.home_file(".claude.json")).expect("its settings");
        known["mcpServers"] = json!({ "story": server });
        std::fs::write(live.home().join(".claude.json"), known.to_string()).expect("its settings");
        // The tools themselves are not asked about: that is another story.
        let browser = live.home().join("browser");
        let opened = live.project().join("opened");
        std::fs::write(&browser, format!("#!/bin/sh\necho \"$1\" >> {}\n", opened.display())).expect("a browser");
        let runs = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        std::fs::set_permissions(&browser, runs).expect("a program");
        let settings = json!({ "permissions": { "allow": ["mcp__story"] }, "env": { "BROWSER": browser } });
        std::fs::create_dir_all(live.home().join(".claude")).expect("the folder of its settings");
        std::fs::write(live.home().join(".claude/settings.json"), settings.to_string()).expect("its settings");
    })
    .await;
    claude.is_ready().await;
    claude.makes("noted-tools-are-listed").await;
    claude
}

impl Claude {
    async fn asks(&mut self, tool: &str) -> InteractivePrompt {
        self.calls(&format!("mcp__story__{tool}"), json!({})).await
    }

    /// What the server got for an answer, as it told the model.
    async fn server_got(&mut self, count: usize) -> Value {
        let told = self.result(count).await.text;
        self.is_ready().await;
        let answer = told.strip_prefix("answered ").unwrap_or_else(|| panic!("no answer in {told}"));
        serde_json::from_str(answer).expect("JSON")
    }
}

fn answer(values: &[&str], text: Option<&str>) -> QuestionAnswer {
    let selected_options = values.iter().map(|value| (*value).to_owned()).collect();
    QuestionAnswer { selected_options, text_value: text.map(str::to_owned) }
}

fn answers(prompt: &InteractivePrompt, answers: Vec<QuestionAnswer>) -> PromptResponse {
    PromptResponse { answers: Some(answers), ..response_to(prompt) }
}

fn headers(prompt: &InteractivePrompt) -> Vec<&str> {
    prompt.questions.iter().flatten().map(|question| question.header.as_str()).collect()
}

fn labels(prompt: &InteractivePrompt, question: usize) -> Vec<&str> {
    prompt.questions.as_ref().expect("questions")[question].options.iter().map(|option| option.label.as_str()).collect()
}

#[tokio::test]
async fn a_form_is_filled_in() {
    skip_if!(version().features.lacks(Feature::Elicitation));
    let mut claude = with_server().await;
    let prompt = claude.asks("form").await;
    assert_eq!((prompt.kind, prompt.title.as_str()), (PromptKind::Question, "Please fill in the deployment details."));
    assert!(prompt.description.contains("story"), "who asks: {prompt:?}");
    assert_eq!(headers(&prompt), ["Region", "Name", "Confirm"], "{prompt:?}");
    assert_eq!(labels(&prompt, 0), ["eu-west", "us-east", "ap-south", "Decline"], "{prompt:?}");
    assert_eq!(labels(&prompt, 2), ["Yes", "No", "Decline"], "{prompt:?}");
    let fields = prompt.questions.as_ref().expect("questions");
    assert!(fields[1].text_input.is_some() && fields[1].question == "Release name", "{prompt:?}");
    let filled = vec![answer(&["us-east"], None), answer(&[], Some("yes, 1.0")), answer(&["No"], None)];
    claude.respond(answers(&prompt, filled)).await;
    let got = claude.server_got(1).await;
    assert_eq!(
        got,
        json!({ "action": "accept", "content": { "region": "us-east", "name": "yes, 1.0", "confirm": false } })
    );

    // What somebody has typed at the desk meanwhile is no part of the answer.
    let prompt = claude.asks("form").await;
    claude.press_at_the_desk(&["Down", "w", "r", "o", "n", "g", "Up"]);
    let filled = vec![answer(&["ap-south"], None), answer(&[], Some("right")), answer(&["Yes"], None)];
    claude.respond(answers(&prompt, filled)).await;
    let got = claude.server_got(2).await;
    assert_eq!(got["content"], json!({ "region": "ap-south", "name": "right", "confirm": true }));

    let prompt = claude.asks("form").await;
    let refused = vec![answer(&["Decline"], None), answer(&[], Some("x")), answer(&["Yes"], None)];
    claude.respond(answers(&prompt, refused)).await;
    assert_eq!(claude.server_got(3).await["action"], "decline");
}

#[tokio::test]
async fn a_form_with_much_to_choose_and_little_that_must_be() {
    skip_if!(version().features.lacks(Feature::Elicitation));
    let mut claude = with_server().await;
    let prompt = claude.asks("order").await;
    assert_eq!(headers(&prompt), ["Size", "Extras", "How many", "Note", "As a gift"], "{prompt:?}");
    assert_eq!(labels(&prompt, 1)[..3], ["milk", "sugar", "ice"], "{prompt:?}");
    assert_eq!(prompt.questions.as_ref().expect("questions")[1].multi_select, Some(true), "{prompt:?}");
    let leave = || answer(&["Leave it as it is"], None);
    let long = "a note that is longer than the room the field has for it, so that its beginning is out of view there";
    let filled = vec![
        answer(&["Large one"], None),
        answer(&["milk", "ice"], None),
        answer(&[], Some("3")),
        answer(&[], Some(long)),
        leave(),
    ];
    claude.respond(answers(&prompt, filled)).await;
    let got = claude.server_got(1).await;
    let wanted = json!({ "size": "large", "extras": ["milk", "ice"], "count": 3, "note": long });
    assert_eq!(got, json!({ "action": "accept", "content": wanted }));

    // What the dialog does not take is told, and nothing is sent; a better answer goes through.
    let prompt = claude.asks("order").await;
    let filled = |count: &str| vec![leave(), leave(), answer(&[], Some(count)), leave(), leave()];
    let respond = |count: &str| Command::Respond { response: answers(&prompt, filled(count)) };
    claude.live.phone.ask(respond("77")).await.expect("an answer that fits the prompt");
    let why = claude.live.phone.wait_failed(prompt.request_id).await;
    assert!(why.contains("between 1 and 9"), "{why}");
    claude.live.phone.ask(respond("7")).await.expect("a better answer");
    let outcome = claude.live.phone.wait_closed(prompt.request_id).await;
    assert!(matches!(outcome, PromptOutcome::Verified { .. }), "{outcome:?}");
    claude.answered.push(prompt.request_id);
    let got = claude.server_got(2).await;
    assert_eq!(got["content"], json!({ "size": "small", "count": 7 }), "the rest as the server proposed it");
}

#[tokio::test]
async fn a_yes_or_no_and_a_link() {
    skip_if!(version().features.lacks(Feature::Elicitation));
    let mut claude = with_server().await;
    let ways = [("Accept", "accept"), ("Decline", "decline"), ("Cancel", "cancel")];
    for (count, (label, action)) in ways.iter().enumerate() {
        let prompt = claude.asks("confirm").await;
        assert_eq!((prompt.kind, prompt.title.as_str()), (PromptKind::Permission, "Do you confirm the deployment?"));
        claude.choose(&prompt, label).await;
        assert_eq!(claude.server_got(count + 1).await["action"], *action);
    }
    for (count, (label, agreed)) in [("Yes", true), ("No", false)].iter().enumerate() {
        let prompt = claude.asks("agree").await;
        claude.respond(answers(&prompt, vec![answer(&[label], None)])).await;
        assert_eq!(claude.server_got(count + 4).await["content"], json!({ "agreed": agreed }));
    }
    let prompt = claude.asks("link").await;
    assert_eq!(prompt.tool_input, Some(json!({ "url": "https://payments.example/checkout/123" })), "{prompt:?}");
    assert_eq!(find_option(&prompt, "Accept").and_then(|option| option.role), Some(OptionRole::Allow), "{prompt:?}");
    claude.choose(&prompt, "Decline").await;
    assert_eq!(claude.server_got(6).await["action"], "decline");
    assert!(!claude.has("opened"), "nobody wanted it opened");
    // Held back, so that nothing else is drawn meanwhile.
    let gate = Gate::closed();
    claude.turns([Turn::tool("mcp__story__link", json!({})), Turn::say("That is done.").after(&gate)]).await;
    let prompt = claude.prompt().await;
    claude.choose(&prompt, "Accept").await;
    claude.makes("opened").await;
    // It waits until the server says that the page is done with; the person need not.
    let prompt = claude.prompt_like("to wait or not", |prompt| find_option(prompt, "Skip").is_some()).await;
    claude.choose(&prompt, "Skip").await;
    gate.open();
    assert_eq!(claude.server_got(7).await["action"], "accept");
    assert_eq!(claude.file("opened"), "https://payments.example/checkout/123\n");
}
