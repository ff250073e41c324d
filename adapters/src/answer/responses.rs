//! Responses for the tests of all adapters.

use shared_types::{PromptId, PromptResponse, QuestionAnswer};

/// Nothing was chosen and nothing typed.
pub(crate) fn nothing() -> PromptResponse {
    PromptResponse::to(PromptId(uuid::Uuid::nil()))
}

/// One option was chosen.
pub(crate) fn choose(option: &str) -> PromptResponse {
    PromptResponse { selected_option: Some(option.to_owned()), ..nothing() }
}

/// A text was typed.
pub(crate) fn say(text: &str) -> PromptResponse {
    with_text(text, nothing())
}

/// The same with a text.
pub(crate) fn with_text(text: &str, response: PromptResponse) -> PromptResponse {
    PromptResponse { text_value: Some(text.to_owned()), ..response }
}

/// One option was chosen and a text typed.
pub(crate) fn both(option: &str, text: &str) -> PromptResponse {
    with_text(text, choose(option))
}

/// Several options were checked.
pub(crate) fn check(options: &[&str]) -> PromptResponse {
    PromptResponse { selected_options: Some(owned(options)), ..nothing() }
}

/// Several questions were answered, each with options, a text or both.
pub(crate) fn fill_in(answers: &[(&[&str], Option<&str>)]) -> PromptResponse {
    let answers = answers.iter().map(|(options, text)| QuestionAnswer {
        selected_options: owned(options),
        text_value: text.map(str::to_owned),
    });
    PromptResponse { answers: Some(answers.collect()), ..nothing() }
}

fn owned(values: &[&str]) -> Vec<String> {
    values.iter().map(|value| (*value).to_owned()).collect()
}
