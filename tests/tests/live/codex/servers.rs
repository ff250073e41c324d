//! Tools of an MCP server, and what the server itself asks.

use answerback_tests::{
    model::{Call, Turn},
    response_to,
};
use serde_json::{Value, json};
use shared_types::{OptionRole, PermissionMode, PromptKind, PromptResponse, QuestionAnswer};

use super::{
    Codex, configure, option, roles,
    versions::{Feature, version},
};

/// A server whose tools note down what they are given, or ask the person and give back what was answered.
const SERVER: &str = include_str!("../server.mjs");

async fn with_server() -> Codex {
    Codex::with(PermissionMode::Ask, &[], |live| {
        let program = live.home().join("server.mjs");
        std::fs::write(&program, SERVER).expect("the server");
        let arguments = json!([program, live.project().join("noted")]);
        configure(live, &format!("[mcp_servers.story]\ncommand = \"node\"\nargs = {arguments}"));
    })
    .await
}

fn tool(name: &str, input: Value) -> Call {
    version().server_tool(name, input)
}

#[tokio::test]
async fn a_tool_is_allowed_once_for_the_session_and_for_good_or_not() {
    let mut codex = with_server().await;
    let note = |name: &str, text: &str| tool(name, json!({ "text": text }));
    let call = note("note", "the first");
    let prompt = codex.calls(call).await;
    assert_eq!((prompt.kind, prompt.tool_name.as_deref()), (PromptKind::Permission, Some("mcp:story.note")));
    assert_eq!(prompt.tool_input, Some(json!({ "text": "the first" })), "{prompt:?}");
    assert_eq!(roles(&prompt).first(), Some(&Some(OptionRole::Allow)), "{prompt:?}");
    let refusal = option(&prompt, "Cancel").description.clone().unwrap_or_default();
    assert!(refusal.to_lowercase().contains("cancel"), "{prompt:?}");
    assert!(!codex.has("noted"));
    codex.choose(&prompt, "Allow").await;
    assert!(codex.result(1).await.text.contains("noted the first"));
    assert_eq!(codex.file("noted"), "the first\n");
    codex.is_ready().await;

    let call = note("note", "never");
    let prompt = codex.calls(call).await;
    codex.choose(&prompt, "Cancel").await;
    // The turn goes on, and the model hears of it at once.
    assert!(codex.result(2).await.text.contains("cancel"));
    codex.is_ready().await;

    let call = note("note", "the second");
    let prompt = codex.calls(call).await;
    codex.choose(&prompt, "for this session").await;
    codex.result(3).await;
    codex.is_ready().await;
    let call = note("note", "the third");
    codex.turns([Turn::tools([call]), Turn::say("Done.")]).await;
    codex.result(4).await;
    assert_eq!(codex.file("noted"), "the first\nthe second\nthe third\n", "it was not asked again");
    codex.is_ready().await;

    let call = note("scratch", "for good");
    let prompt = codex.calls(call).await;
    codex.choose(&prompt, "Always allow").await;
    codex.result(5).await;
    codex.is_ready().await;
    let call = note("scratch", "and again");
    codex.turns([Turn::tools([call]), Turn::say("Done.")]).await;
    codex.result(6).await;
    assert!(codex.file("noted").ends_with("for good\nand again\n"), "it was not asked again");
    let kept = codex.live.home_file(".codex/config.toml");
    assert!(kept.contains("scratch"), "it is kept for later sessions: {kept}");
}

#[tokio::test]
async fn a_form_is_filled_field_by_field() {
    let mut codex = with_server().await;
    let form = tool("form", json!({}));
    let prompt = codex.calls(form).await;
    let fields = prompt.questions.clone().unwrap_or_default();
    assert_eq!(prompt.title, "Please fill in the deployment details.", "{prompt:?}");
    let named: Vec<&str> = fields.iter().map(|field| field.header.as_str()).collect();
    assert_eq!(named, ["Confirm", "Name", "Region"], "{prompt:?}");
    assert!(fields[1].text_input.is_some() && fields[1].options.is_empty(), "{prompt:?}");
    assert_eq!(fields[2].options.len(), 3, "{prompt:?}");
    let answer = |option: Option<&str>, text: Option<&str>| QuestionAnswer {
        selected_options: option.map(str::to_owned).into_iter().collect(),
        text_value: text.map(str::to_owned),
    };
    let answers = vec![answer(Some("False"), None), answer(None, Some("yes, 1.0")), answer(Some("us-east"), None)];
    codex.respond(PromptResponse { answers: Some(answers), ..response_to(&prompt) }).await;
    let told = codex.result(1).await.text;
    let wanted = json!({ "confirm": false, "name": "yes, 1.0", "region": "us-east" });
    assert_eq!(answered(&told)["action"], "accept", "{told}");
    assert_eq!(answered(&told)["content"], wanted, "{told}");
}

#[tokio::test]
async fn a_server_asks_for_leave_and_shows_a_link() {
    let mut codex = with_server().await;
    for (count, (label, action)) in [("Allow", "accept"), ("Deny", "decline"), ("Cancel", "cancel")].iter().enumerate()
    {
        let call = tool("confirm", json!({}));
        let prompt = codex.calls(call).await;
        assert_eq!(prompt.title, "Do you confirm the deployment?");
        codex.choose(&prompt, label).await;
        let told = codex.result(count + 1).await.text;
        assert_eq!(answered(&told)["action"], *action, "{told}");
        codex.is_ready().await;
    }
    for (count, label) in ["True", "False"].iter().enumerate() {
        let call = tool("agree", json!({}));
        let prompt = codex.calls(call).await;
        codex.choose(&prompt, label).await;
        let told = codex.result(count + 4).await.text;
        assert_eq!(answered(&told)["content"]["agreed"], *label == "True", "{told}");
        codex.is_ready().await;
    }
    if version().features.has(Feature::Links) {
        let call = tool("link", json!({}));
        let prompt = codex.calls(call).await;
        assert!(format!("{prompt:?}").contains("https://payments.example/checkout/123"), "{prompt:?}");
        codex.choose(&prompt, "Back").await;
        let told = codex.result(6).await.text;
        assert_eq!(answered(&told)["action"], "decline", "{told}");
        codex.is_ready().await;

        // The browser at the desk is opened, or not; the person may as well open the link on the phone.
        let call = tool("link", json!({}));
        let prompt = codex.calls(call).await;
        codex.choose(&prompt, "Open link").await;
        let prompt = codex.prompt().await;
        assert!(format!("{prompt:?}").contains("https://payments.example/checkout/123"), "{prompt:?}");
        codex.choose(&prompt, "I finished").await;
        let told = codex.result(7).await.text;
        assert_eq!(answered(&told)["action"], "accept", "{told}");
    }
}

/// What the server got for an answer.
fn answered(told: &str) -> Value {
    let from = told.find("answered ").map(|at| at + "answered ".len());
    let text = from.map(|at| &told[at..]).unwrap_or_else(|| panic!("no answer in {told}"));
    let read = |text: &str| serde_json::Deserializer::from_str(text).into_iter::<Value>().next()?.ok();
    // The result may itself be a JSON text.
    read(text).or_else(|| read(&text.replace("\\\"", "\""))).unwrap_or_else(|| panic!("no JSON in {told}"))
}
