//! What is written down of a prompt and of the answer under way, so that a restarted server can finish, watch or report it.

use adapters::Fingerprint;
use serde::{Deserialize, Serialize};
use shared_types::{Answer, InteractivePrompt, PromptOutcome, PromptResponse, PromptSource, QuestionAnswer, TextInput};
use uuid::Uuid;

/// A prompt as it is kept across restarts.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredPrompt {
    /// The prompt as it was sent to the phones.
    pub prompt: InteractivePrompt,
    /// What recognises it on the screen.
    pub fingerprint: Fingerprint,
    /// The answer that won, if any; it may still be under way.
    pub answer: Option<Answer>,
    /// How far that answer has got.
    pub attempt: Option<AttemptRecord>,
    /// The idempotency keys of answers that did not work.
    pub tried: Vec<Uuid>,
    /// False once the prompt is over.
    pub open: bool,
}

impl StoredPrompt {
    /// How the prompt ended, given that its dialog is gone: an answer whose last keys were typed was taken, another was not.
    #[must_use]
    pub fn outcome_when(&self, unanswered: PromptOutcome) -> PromptOutcome {
        match &self.answer {
            Some(answer) if self.attempt.as_ref().is_none_or(AttemptRecord::may_have_arrived) => {
                PromptOutcome::Verified { answer: answer.clone() }
            }
            _ => unanswered,
        }
    }

    /// True when this hook call asked it.
    #[must_use]
    pub fn is_asked_by(&self, hook: Uuid) -> bool {
        self.prompt.request_id.0 == hook || self.attempt.as_ref().is_some_and(|attempt| attempt.hook == Some(hook))
    }

    /// True when the answer that won carries this idempotency key.
    #[must_use]
    pub fn is_winner(&self, key: Option<Uuid>) -> bool {
        self.answer.is_some() && key.is_some() && self.attempt.as_ref().is_some_and(|attempt| attempt.key == key)
    }
}

/// An answer that is under way.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AttemptRecord {
    /// How far it has got.
    pub stage: AttemptStage,
    /// The phone's name for this answer, however often it is sent.
    pub key: Option<Uuid>,
    /// The answer itself, for finishing it. Absent when it holds a secret, and once the prompt is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub response: Option<PromptResponse>,
    /// The hook call that is answered. It may come again after a restart, and a prompt whose dialog came first has another id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hook: Option<Uuid>,
    /// What stood above the prompt: an equal prompt that has taken its place has something else there.
    pub context: Vec<u64>,
}

/// How far an answer has got.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AttemptStage {
    /// It has won; no key was pressed.
    Begun,
    /// Keys were pressed that do not answer yet.
    Stepping,
    /// The keys that answer are being pressed, or were.
    Submitted,
    /// The CLI's hook is being answered, or was.
    Told,
}

impl AttemptRecord {
    /// True when the CLI may have got the answer.
    #[must_use]
    pub fn may_have_arrived(&self) -> bool {
        matches!(self.stage, AttemptStage::Submitted | AttemptStage::Told)
    }

    /// True when a text may stand half typed in its field.
    #[must_use]
    pub fn may_be_half_typed(&self) -> bool {
        let has_text = |response: &PromptResponse| {
            response.text_value.is_some() || response.answers.iter().flatten().any(|answer| answer.text_value.is_some())
        };
        self.stage != AttemptStage::Begun && self.response.as_ref().is_none_or(has_text)
    }
}

/// True when a response holds something that must not be written down.
pub(crate) fn holds_secret(prompt: &InteractivePrompt, response: &PromptResponse) -> bool {
    let is_secret = |text: &Option<TextInput>| text.as_ref().and_then(|text| text.secret) == Some(true);
    let has_text = |answer: &QuestionAnswer| answer.text_value.is_some();
    let questions = prompt.questions.iter().flatten();
    let mut answers = questions.zip(response.answers.iter().flatten());
    // What a program of which nothing is known asks for may be a secret that no word gives away.
    let unknown = prompt.source == Some(PromptSource::Pattern);
    (response.text_value.is_some() && (unknown || is_secret(&prompt.text_input)))
        || answers.any(|(question, answer)| has_text(answer) && is_secret(&question.text_input))
}
