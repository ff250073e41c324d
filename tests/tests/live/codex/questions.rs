//! Questions: the model receives exactly what was chosen and typed.

use answerback_tests::{model::Call, response_to};
use serde_json::{Value, json};
use shared_types::{InteractivePrompt, PermissionMode, PromptKind, PromptResponse, QuestionAnswer};

use super::Codex;

/// Outside of its plan mode Codex asks questions only when it is told so.
const ASKS: &str = "features.default_mode_request_user_input=true";

async fn asking() -> Codex {
    Codex::with(PermissionMode::Ask, &[ASKS], |_| {}).await
}

fn question(id: &str, text: &str, labels: &[&str]) -> Value {
    let option = |label: &&str| json!({ "label": label, "description": format!("This is {label}.") });
    json!({ "id": id, "header": id, "question": text, "options": labels.iter().map(option).collect::<Vec<_>>() })
}

fn asked(questions: &[Value]) -> Call {
    Call::new("request_user_input", json!({ "questions": questions }))
}

fn database() -> Value {
    question("db", "Which database should we use?", &["PostgreSQL (Recommended)", "SQLite", "Redis"])
}

fn place() -> Value {
    question("place", "Where should it run first?", &["Staging", "Production"])
}

/// What the model was told for one question.
fn answers(text: &str, id: &str) -> Vec<String> {
    let told: Value = serde_json::from_str(text).unwrap_or_else(|_| panic!("no JSON: {text}"));
    let given = told["answers"][id]["answers"].as_array().cloned().unwrap_or_default();
    given.iter().filter_map(|answer| answer.as_str().map(str::to_owned)).collect()
}

#[tokio::test]
async fn one_is_chosen_with_and_without_words() {
    let mut codex = asking().await;
    let prompt = codex.calls(asked(&[database()])).await;
    assert_eq!((prompt.kind, prompt.title.as_str()), (PromptKind::Question, "Which database should we use?"));
    assert!(prompt.text_input.is_some(), "it takes notes: {prompt:?}");
    codex.choose(&prompt, "SQLite").await;
    assert_eq!(answers(&codex.result(1).await.text, "db"), ["SQLite"]);
    codex.is_ready().await;

    let prompt = codex.calls(asked(&[database()])).await;
    codex.answer(&prompt, Some("Redis"), Some("with yes, no and proceed in it")).await;
    let told = answers(&codex.result(2).await.text, "db");
    assert_eq!(told, ["Redis", "user_note: with yes, no and proceed in it"]);
    codex.is_ready().await;

    // Words alone go with the row that stands for none of the others.
    let prompt = codex.calls(asked(&[database()])).await;
    codex.answer(&prompt, None, Some("DuckDB, 1.4")).await;
    let told = answers(&codex.result(3).await.text, "db");
    assert_eq!(told, ["None of the above", "user_note: DuckDB, 1.4"]);
    codex.is_ready().await;

    let prompt = codex.calls(asked(&[database()])).await;
    codex.choose(&prompt, "None of the above").await;
    assert_eq!(answers(&codex.result(4).await.text, "db"), ["None of the above"]);
    codex.is_ready().await;

    // Several lines, and the first row.
    let prompt = codex.calls(asked(&[database()])).await;
    codex.answer(&prompt, Some("PostgreSQL"), Some("the newest\nwith backups")).await;
    let told = answers(&codex.result(5).await.text, "db");
    assert_eq!(told, ["PostgreSQL (Recommended)", "user_note: the newest\nwith backups"]);
}

fn all(prompt: &InteractivePrompt, answers: &[(&str, Option<&str>)]) -> PromptResponse {
    let answer = |(option, text): &(&str, Option<&str>)| QuestionAnswer {
        selected_options: Some((*option).to_owned()).filter(|option| !option.is_empty()).into_iter().collect(),
        text_value: text.map(str::to_owned),
    };
    PromptResponse { answers: Some(answers.iter().map(answer).collect()), ..response_to(prompt) }
}

#[tokio::test]
async fn several_are_answered_together() {
    let mut codex = asking().await;
    let prompt = codex.calls(asked(&[database(), place()])).await;
    let questions = prompt.questions.clone().unwrap_or_default();
    let texts: Vec<&str> = questions.iter().map(|question| question.question.as_str()).collect();
    assert_eq!(texts, ["Which database should we use?", "Where should it run first?"], "{prompt:?}");
    assert_eq!(questions[1].options.len(), 3, "{prompt:?}");
    codex.respond(all(&prompt, &[("SQLite", None), ("Production", Some("on Friday"))])).await;
    let told = codex.result(1).await.text;
    assert_eq!(answers(&told, "db"), ["SQLite"]);
    assert_eq!(answers(&told, "place"), ["Production", "user_note: on Friday"]);
    codex.is_ready().await;

    // Somebody at the desk has gone on to the second.
    let prompt = codex.calls(asked(&[place(), database()])).await;
    codex.at_the_desk("Right");
    codex.shows("Question 2/2").await;
    codex.respond(all(&prompt, &[("Staging", None), ("Redis", None)])).await;
    let told = codex.result(2).await.text;
    assert_eq!((answers(&told, "place"), answers(&told, "db")), (vec!["Staging".into()], vec!["Redis".into()]));
    codex.is_ready().await;

    // One is left open: Codex asks whether that is meant.
    let prompt = codex.calls(asked(&[database(), place()])).await;
    codex.respond(all(&prompt, &[("", None), ("Production", None)])).await;
    let sure = codex.prompt().await;
    assert!(sure.title.contains("unanswered"), "{sure:?}");
    codex.choose(&sure, "Go back").await;
    let again = codex.prompt().await;
    assert_eq!(again.questions.as_ref().map(Vec::len), Some(2), "{again:?}");
    codex.respond(all(&again, &[("", None), ("Production", None)])).await;
    let sure = codex.prompt().await;
    codex.choose(&sure, "Proceed").await;
    let told = codex.result(3).await.text;
    assert_eq!((answers(&told, "db"), answers(&told, "place")), (vec![], vec!["Production".into()]));
}
