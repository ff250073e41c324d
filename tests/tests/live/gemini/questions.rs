//! Questions of the model's, one and several.

use answerback_tests::{model::Turn, response_to, skip_if};
use serde_json::{Value, json};
use shared_types::{InteractivePrompt, PromptKind, PromptResponse, QuestionAnswer};

use super::{
    Gemini, find_option, labels,
    versions::{Feature, version},
};

fn options(labels: &[&str]) -> Vec<Value> {
    labels.iter().map(|label| json!({ "label": label, "description": format!("What {label} means") })).collect()
}

fn choice(several: bool, labels: &[&str]) -> Value {
    json!({ "question": "Which of these should it be?", "header": "These", "type": "choice", "multiSelect": several,
        "options": options(labels) })
}

fn answer(values: &[&str], text: Option<&str>) -> QuestionAnswer {
    let selected_options = values.iter().map(|value| (*value).to_owned()).collect();
    QuestionAnswer { selected_options, text_value: text.map(str::to_owned) }
}

impl Gemini {
    /// Lets the model ask, and waits for the prompt; with all options where hooks tell them.
    async fn asks(&mut self, questions: &[Value], options: usize) -> InteractivePrompt {
        self.turns([Turn::tool("ask_user", json!({ "questions": questions })), Turn::say("I see.")]).await;
        let told = self.has_hooks();
        let is_it = |prompt: &InteractivePrompt| !told || labels(prompt).len() >= options;
        self.prompt_like("all options", is_it).await
    }

    /// What the model was told, once the turn is over.
    async fn answers(&mut self, count: usize) -> Value {
        let told = self.result(count).await;
        self.is_ready().await;
        serde_json::from_str::<Value>(&told.text).expect("answers")["answers"].clone()
    }
}

#[tokio::test]
async fn one_question() {
    skip_if!(version().features.lacks(Feature::Questions));
    let mut gemini = Gemini::new().await;
    let databases = ["PostgreSQL", "SQLite", "Oracle", "Nothing"];
    let asked = [choice(false, &databases)];
    let prompt = gemini.asks(&asked, databases.len() + 1).await;
    assert_eq!((prompt.kind, prompt.title.as_str()), (PromptKind::Question, "Which of these should it be?"));
    if gemini.has_hooks() {
        // Some of them are scrolled out of view.
        assert_eq!(labels(&prompt)[..databases.len()], databases);
        assert_eq!(find_option(&prompt, "Oracle").description.as_deref(), Some("What Oracle means"));
    }
    let last = if gemini.has_hooks() { "Nothing" } else { "SQLite" };
    gemini.choose(&prompt, last).await;
    assert_eq!(gemini.answers(1).await, json!({ "0": last }));
    // A text of one's own.
    let prompt = gemini.asks(&asked, databases.len() + 1).await;
    gemini.respond(PromptResponse { text_value: Some("a card index".into()), ..response_to(&prompt) }).await;
    assert_eq!(gemini.answers(2).await, json!({ "0": "a card index" }));
    let yes_or_no = [json!({ "question": "Should I go on?", "header": "On", "type": "yesno" })];
    for (count, wanted) in [(3, "No"), (4, "Yes")] {
        let prompt = gemini.asks(&yes_or_no, 2).await;
        gemini.choose(&prompt, wanted).await;
        assert_eq!(gemini.answers(count).await, json!({ "0": wanted }));
    }
    let prompt = gemini.asks(&yes_or_no, 2).await;
    gemini.say(&prompt, "Enter a custom value", "rather later").await;
    assert_eq!(gemini.answers(5).await, json!({ "0": "rather later" }));
    let name = [json!({ "question": "What is its name?", "header": "Name", "type": "text", "placeholder": "a name" })];
    let prompt = gemini.asks(&name, 0).await;
    assert!(prompt.text_input.is_some(), "{prompt:?}");
    gemini.respond(PromptResponse { text_value: Some("billing core\nand more".into()), ..response_to(&prompt) }).await;
    assert_eq!(gemini.answers(6).await, json!({ "0": "billing core\nand more" }));
}

#[tokio::test]
async fn several_answers_and_several_questions() {
    skip_if!(version().features.lacks(Feature::Questions));
    let mut gemini = Gemini::new().await;
    let features = ["Logging", "Metrics", "Tracing", "Profiling"];
    let asked = [choice(true, &features)];
    let several = |prompt: &InteractivePrompt, values: &[&str], text: Option<&str>| PromptResponse {
        selected_options: Some(values.iter().map(|value| (*value).to_owned()).collect()),
        text_value: text.map(str::to_owned),
        ..response_to(prompt)
    };
    let prompt = gemini.asks(&asked, 4).await;
    assert_eq!(prompt.multi_select, Some(true), "{prompt:?}");
    assert!(!labels(&prompt).contains(&"Done"), "{prompt:?}");
    // The two are never in view together.
    gemini.respond(several(&prompt, &["Logging", "Profiling"], None)).await;
    assert_eq!(gemini.answers(1).await, json!({ "0": "Logging, Profiling" }));
    // What somebody at the desk has ticked meanwhile is not part of the answer.
    let prompt = gemini.asks(&asked, 4).await;
    gemini.press_at_the_desk("2");
    gemini.shows("[x] Metrics").await;
    gemini.respond(several(&prompt, &["Tracing"], None)).await;
    assert_eq!(gemini.answers(2).await, json!({ "0": "Tracing" }));
    let prompt = gemini.asks(&asked, 4).await;
    gemini.respond(several(&prompt, &["All of the above"], None)).await;
    assert_eq!(gemini.answers(3).await, json!({ "0": "Logging, Metrics, Tracing, Profiling" }));
    let prompt = gemini.asks(&asked, 4).await;
    gemini.respond(several(&prompt, &["Metrics"], Some("alerts"))).await;
    assert_eq!(gemini.answers(4).await, json!({ "0": "Metrics, alerts" }));
    // Four questions on tabs, answered together.
    let asked = [
        choice(false, &["Rust", "Go"]),
        json!({ "question": "Which features?", "header": "Features", "type": "choice", "multiSelect": true,
            "options": options(&["Auth", "Cache"]) }),
        json!({ "question": "What is its name?", "header": "Name", "type": "text" }),
        json!({ "question": "Should I go on?", "header": "On", "type": "yesno" }),
    ];
    gemini.turns([Turn::tool("ask_user", json!({ "questions": asked })), Turn::say("I see.")]).await;
    let told = gemini.has_hooks();
    let has_all = |prompt: &InteractivePrompt| {
        let questions = prompt.questions.as_deref().unwrap_or_default();
        questions.len() == 4 && (!told || questions[1].options.len() >= 2 && questions[2].text_input.is_some())
    };
    let prompt = gemini.prompt_like("all questions", has_all).await;
    let answers = vec![
        answer(&["Go"], None),
        answer(&["Auth", "Cache"], None),
        answer(&[], Some("my service")),
        answer(&["No"], None),
    ];
    gemini.respond(PromptResponse { answers: Some(answers), ..response_to(&prompt) }).await;
    assert_eq!(gemini.answers(5).await, json!({ "0": "Go", "1": "Auth, Cache", "2": "my service", "3": "No" }));
    // One that is closed at the desk is over, and nothing was answered.
    let prompt = gemini.asks(&[choice(false, &["Rust", "Go"])], 2).await;
    gemini.press_at_the_desk("Escape");
    assert_eq!(gemini.live.phone.wait_closed(prompt.request_id).await, shared_types::PromptOutcome::Gone);
    gemini.is_ready().await;
    assert_eq!(gemini.live.model.tool_results().len(), 5);
}
