//! Questions: the model receives exactly what was chosen and typed.

use answerback_tests::{
    model::{Call, Turn},
    response_to,
};
use serde_json::{Value, json};
use shared_types::{PromptKind, PromptResponse, QuestionAnswer};

use super::OpenCode;

fn question(header: &str, text: &str, labels: &[&str], multiple: bool) -> Value {
    let option = |label: &&str| json!({ "label": label, "description": format!("This is {label}.") });
    let options: Vec<Value> = labels.iter().map(option).collect();
    json!({ "header": header, "question": text, "options": options, "multiple": multiple })
}

fn asked(questions: &[Value]) -> Call {
    Call::new("question", json!({ "questions": questions }))
}

fn database() -> Value {
    question("Database", "Which database should we use?", &["PostgreSQL", "SQLite", "Redis"], false)
}

fn features() -> Value {
    question("Features", "Which features do we want?", &["Logging", "Metrics", "Tracing"], true)
}

fn answer(options: &[&str], text: Option<&str>) -> QuestionAnswer {
    let selected_options = options.iter().map(|option| (*option).to_owned()).collect();
    QuestionAnswer { selected_options, text_value: text.map(str::to_owned) }
}

#[tokio::test]
async fn one_is_chosen_or_answered_in_own_words() {
    let mut opencode = OpenCode::new().await;
    let prompt = opencode.calls(asked(&[database()])).await;
    assert_eq!((prompt.kind, prompt.title.as_str()), (PromptKind::Question, "Which database should we use?"));
    let selected_option = Some("Redis".to_owned());
    opencode.respond(PromptResponse { selected_option, ..response_to(&prompt) }).await;
    assert!(opencode.result(1).await.text.contains("\"Which database should we use?\"=\"Redis\""));
    opencode.is_ready().await;

    let prompt = opencode.calls(asked(&[database()])).await;
    let text_value = Some("3 jars with a lid, h and l".to_owned());
    opencode.respond(PromptResponse { text_value, ..response_to(&prompt) }).await;
    let told = opencode.result(2).await.text;
    assert!(told.contains("=\"3 jars with a lid, h and l\""), "{told}");
    opencode.is_ready().await;
}

#[tokio::test]
async fn several_are_checked_and_sent_together() {
    let mut opencode = OpenCode::new().await;
    let prompt = opencode.calls(asked(&[features()])).await;
    assert_eq!(prompt.multi_select, Some(true), "{prompt:?}");
    let selected_options = Some(["Logging", "Tracing"].map(str::to_owned).to_vec());
    opencode.respond(PromptResponse { selected_options, ..response_to(&prompt) }).await;
    let told = opencode.result(1).await.text;
    assert!(told.contains("=\"Logging, Tracing\""), "{told}");
    opencode.is_ready().await;

    let prompt = opencode.calls(asked(&[features()])).await;
    let selected_options = Some(vec!["Metrics".to_owned()]);
    let text_value = Some("Colours".to_owned());
    opencode.respond(PromptResponse { selected_options, text_value, ..response_to(&prompt) }).await;
    let told = opencode.result(2).await.text;
    assert!(told.contains("Metrics") && told.contains("Colours") && !told.contains("Logging"), "{told}");
    opencode.is_ready().await;
}

#[tokio::test]
async fn several_questions_are_one_prompt() {
    let mut opencode = OpenCode::new().await;
    let name = question("Name", "What shall it be called?", &["billing", "invoices"], false);
    opencode.turns([Turn::tools([asked(&[database(), features(), name])]), Turn::say("Thanks.")]).await;
    let prompt = opencode.prompt().await;
    let questions: Vec<&str> = prompt.questions.iter().flatten().map(|question| question.header.as_str()).collect();
    assert_eq!(questions, ["Database", "Features", "Name"], "{prompt:?}");
    assert!(prompt.questions.iter().flatten().all(|question| !question.options.is_empty()), "{prompt:?}");
    let answers = vec![answer(&["SQLite"], None), answer(&["Metrics", "Tracing"], None), answer(&[], Some("ledger"))];
    opencode.respond(PromptResponse { answers: Some(answers), ..response_to(&prompt) }).await;
    let told = opencode.result(1).await.text;
    for wanted in ["=\"SQLite\"", "=\"Metrics, Tracing\"", "=\"ledger\""] {
        assert!(told.contains(wanted), "{told}");
    }
    opencode.is_ready().await;
}
