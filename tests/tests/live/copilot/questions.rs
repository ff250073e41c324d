//! What the model asks with its own tool.

use answerback_tests::{model::Turn, response_to, skip_if};
use serde_json::{Value, json};
use shared_types::{PromptKind, PromptResponse};

use super::{Copilot, not_here};

const OTHER: &str = "Other";

fn ask(message: &str, fields: &Value) -> Value {
    json!({ "message": message, "requestedSchema": { "type": "object", "properties": fields } })
}

fn database() -> Value {
    json!({ "type": "string", "title": "Database", "enum": ["PostgreSQL", "SQLite"] })
}

fn features() -> Value {
    let items = json!({ "type": "string", "enum": ["Logging", "Metrics", "Tracing"] });
    json!({ "type": "array", "title": "Features", "items": items })
}

#[tokio::test]
async fn are_answered_each_in_its_way() {
    skip_if!(not_here());
    let mut copilot = Copilot::new().await;

    let prompt = copilot.calls("ask_user", ask("Which one?", &json!({ "db": database() }))).await;
    assert_eq!((prompt.kind, prompt.title.as_str()), (PromptKind::Question, "Which one?"));
    copilot.choose(&prompt, "SQLite").await;
    assert!(copilot.result(1).await.text.contains("SQLite"));
    copilot.is_ready().await;

    let prompt = copilot.calls("ask_user", ask("Which one?", &json!({ "db": database() }))).await;
    copilot.say(&prompt, OTHER, "DuckDB, as before").await;
    assert!(copilot.result(2).await.text.contains("DuckDB, as before"));
    copilot.is_ready().await;

    let prompt = copilot.calls("ask_user", ask("Which of them?", &json!({ "features": features() }))).await;
    let several = vec!["Logging".to_owned(), "Tracing".to_owned()];
    copilot.respond(PromptResponse { selected_options: Some(several), ..response_to(&prompt) }).await;
    let told = copilot.result(3).await.text;
    assert!(told.contains("Logging") && told.contains("Tracing") && !told.contains("Metrics"), "{told}");
    copilot.is_ready().await;

    let name = json!({ "type": "string", "title": "Name" });
    let prompt = copilot.calls("ask_user", ask("What is it called?", &json!({ "name": name }))).await;
    assert!(prompt.options.is_none() && prompt.text_input.is_some(), "{prompt:?}");
    let text_value = Some("billing_core".to_owned());
    copilot.respond(PromptResponse { text_value, ..response_to(&prompt) }).await;
    assert!(copilot.result(4).await.text.contains("billing_core"));
    copilot.is_ready().await;

    // Of a form one field is asked after the other.
    let fields = json!({ "db": database(), "tests": { "type": "boolean", "title": "Tests" } });
    copilot.turns([Turn::tool("ask_user", ask("Some details.", &fields)), Turn::say("Thank you.")]).await;
    let prompt = copilot.prompt_like("the first field", |prompt| prompt.description.starts_with("Database")).await;
    copilot.choose(&prompt, "PostgreSQL").await;
    let prompt = copilot.prompt_like("the second field", |prompt| prompt.description.starts_with("Tests")).await;
    copilot.choose(&prompt, "No").await;
    let told = copilot.result(5).await.text;
    assert!(told.contains("PostgreSQL") && told.contains("false"), "{told}");
    copilot.is_ready().await;
}
