//! An answer in a few words, for everybody to read. A secret is never in it.

use shared_types::{InteractivePrompt, PromptOption, PromptResponse, PromptSource, QuestionAnswer};

/// What is told of a text that an unknown program asked for: it may be a secret that no word gave away.
const TYPED: &str = "a text";
/// What is told of an Enter alone.
const EMPTY: &str = "Enter alone";

/// How long a person's text may be in a summary.
const TEXT_LIMIT: usize = 200;

/// What was answered, in the CLI's words.
pub(crate) fn summarize(prompt: &InteractivePrompt, response: &PromptResponse) -> String {
    let options = prompt.options.as_deref().unwrap_or_default();
    let secret = prompt.text_input.as_ref().and_then(|text| text.secret).unwrap_or(false);
    if let (Some(questions), Some(answers)) = (&prompt.questions, &response.answers) {
        let parts = questions.iter().zip(answers).map(|(question, answer)| {
            let secret = question.text_input.as_ref().and_then(|text| text.secret).unwrap_or(false);
            format!("{}: {}", question.header, one(&question.options, answer, secret))
        });
        return parts.collect::<Vec<_>>().join("; ");
    }
    let chosen = response.selected_option.iter().chain(response.selected_options.iter().flatten());
    let answer =
        QuestionAnswer { selected_options: chosen.cloned().collect(), text_value: response.text_value.clone() };
    if prompt.source == Some(PromptSource::Pattern) && answer.selected_options.is_empty() && !secret {
        let text = answer.text_value.as_deref();
        return text.map_or_else(String::new, |text| if text.is_empty() { EMPTY } else { TYPED }.to_owned());
    }
    one(options, &answer, secret)
}

fn one(options: &[PromptOption], answer: &QuestionAnswer, secret: bool) -> String {
    let chosen: Vec<&str> = answer.selected_options.iter().map(|value| label(options, value)).collect();
    let chosen = chosen.join(", ");
    match &answer.text_value {
        None => chosen,
        Some(_) if secret => "•••".to_owned(),
        Some(text) if chosen.is_empty() => shorten(text),
        Some(text) => format!("{chosen}: {}", shorten(text)),
    }
}

fn label<'a>(options: &'a [PromptOption], value: &'a str) -> &'a str {
    options.iter().find(|option| option.value == value).map_or(value, |option| &option.label)
}

fn shorten(text: &str) -> String {
    let text = text.trim();
    match text.char_indices().nth(TEXT_LIMIT) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
