//! Questions: the model receives exactly what was chosen and typed.

use answerback_tests::{response_to, skip_if};
use serde_json::{Value, json};
use shared_types::{PromptKind, PromptResponse, QuestionAnswer};

use super::{
    Claude, Way, both_ways,
    versions::{Feature, version},
};

both_ways! {
    one_of_several_is_chosen;
    something_of_ones_own_is_typed;
    several_are_chosen;
    three_questions_are_answered_together;
    one_with_previews_is_chosen;
    a_question_is_talked_about_instead;
}

fn database() -> Value {
    let choice = |label: &str, description: &str| json!({ "label": label, "description": description });
    json!({ "questions": [{
        "question": "Which database should we use?",
        "header": "Database",
        "multiSelect": false,
        "options": [choice("PostgreSQL", "Robust"), choice("SQLite", "Embedded"), choice("Redis", "In memory")],
    }] })
}

async fn one_of_several_is_chosen(way: Way) {
    let mut claude = Claude::new(way).await;
    let prompt = claude.calls("AskUserQuestion", database()).await;
    assert_eq!((prompt.kind, prompt.title.as_str()), (PromptKind::Question, "Which database should we use?"));
    claude.choose(&prompt, "SQLite").await;
    let told = claude.result(1).await;
    assert!(told.text.contains("SQLite") && !told.text.contains("Redis"), "{told:?}");
}

async fn something_of_ones_own_is_typed(way: Way) {
    let mut claude = Claude::new(way).await;
    let prompt = claude.calls("AskUserQuestion", database()).await;
    claude.say(&prompt, "Type something", "DuckDB, version 1.4").await;
    let told = claude.result(1).await;
    assert!(told.text.contains("DuckDB, version 1.4"), "{told:?}");
}

fn several(prompt: &shared_types::InteractivePrompt, values: &[&str]) -> PromptResponse {
    let values = values.iter().map(|value| (*value).to_owned()).collect();
    PromptResponse { selected_options: Some(values), ..response_to(prompt) }
}

async fn several_are_chosen(way: Way) {
    let mut claude = Claude::new(way).await;
    let options: Vec<Value> =
        ["Logging", "Metrics", "Tracing"].iter().map(|label| json!({ "label": label, "description": "x" })).collect();
    let asked = json!({ "questions": [{ "question": "Which features?", "header": "Features", "multiSelect": true, "options": options }] });
    let prompt = claude.calls("AskUserQuestion", asked).await;
    assert_eq!(prompt.multi_select, Some(true));
    claude.respond(several(&prompt, &["Logging", "Tracing"])).await;
    let told = claude.result(1).await;
    assert!(told.text.contains("Logging, Tracing") && !told.text.contains("Metrics"), "{told:?}");
}

async fn three_questions_are_answered_together(way: Way) {
    let mut claude = Claude::new(way).await;
    let question = |text: &str, header: &str, several: bool, labels: [&str; 2]| {
        let options: Vec<Value> = labels.iter().map(|label| json!({ "label": label, "description": "x" })).collect();
        json!({ "question": text, "header": header, "multiSelect": several, "options": options })
    };
    let asked = json!({ "questions": [
        question("Which language?", "Language", false, ["Rust", "Go"]),
        question("Which features?", "Features", true, ["Auth", "Cache"]),
        question("How to deploy?", "Deploy", false, ["Docker", "Bare metal"]),
    ] });
    let prompt = claude.calls("AskUserQuestion", asked).await;
    let questions = prompt.questions.as_deref().unwrap_or_default();
    assert_eq!(questions.len(), 3, "{prompt:?}");
    let answer = |values: &[&str], text: Option<&str>| QuestionAnswer {
        selected_options: values.iter().map(|value| (*value).to_owned()).collect(),
        text_value: text.map(str::to_owned),
    };
    let answers = vec![answer(&["Go"], None), answer(&["Auth", "Cache"], None), answer(&["Docker"], None)];
    claude.respond(PromptResponse { answers: Some(answers), ..response_to(&prompt) }).await;
    let told = claude.result(1).await;
    for part in ["Go", "Auth, Cache", "Docker"] {
        assert!(told.text.contains(part), "{part} in {told:?}");
    }
    assert!(!told.text.contains("Rust") && !told.text.contains("Bare metal"), "{told:?}");
}

async fn one_with_previews_is_chosen(way: Way) {
    let mut claude = Claude::new(way).await;
    let asked = json!({ "questions": [{
        "question": "Which layout?",
        "header": "Layout",
        "multiSelect": false,
        "options": [
            { "label": "Sidebar", "description": "Left", "preview": "+--+------+\n|na| body |\n+--+------+" },
            { "label": "Topbar", "description": "Top", "preview": "+---------+\n|   nav   |\n+---------+" },
        ],
    }] });
    let prompt = claude.calls("AskUserQuestion", asked).await;
    claude.choose(&prompt, "Topbar").await;
    let told = claude.result(1).await;
    assert!(told.text.contains("Topbar"), "{told:?}");
}

async fn a_question_is_talked_about_instead(way: Way) {
    skip_if!(version().features.lacks(Feature::ChatAboutQuestion));
    let mut claude = Claude::new(way).await;
    let prompt = claude.calls("AskUserQuestion", database()).await;
    claude.choose(&prompt, "Chat about this").await;
    let told = claude.result(1).await;
    assert!(!told.text.contains("SQLite"), "{told:?}");
    claude.is_ready().await;
}
