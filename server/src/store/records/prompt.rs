//! A prompt and its answer as they are kept.

use serde::{Deserialize, Serialize};
use shared_types::{
    Actor, AdapterKind, Answer, Confidence, FileDiff, InteractivePrompt, Millis, PromptId, PromptKind, PromptOption,
    PromptSource, Question, Risk, ScreenFrame, SessionId, TextInput, WouldRun,
};

/// A prompt as it was shown.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::store) struct PromptRecord {
    request_id: PromptId,
    #[serde(rename = "type")]
    kind: PromptKind,
    title: String,
    #[serde(default)]
    description: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    tool_name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    tool_input: Option<serde_json::Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    options: Option<Vec<PromptOption>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    text_input: Option<TextInput>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    session_id: Option<SessionId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    adapter: Option<AdapterKind>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    source: Option<PromptSource>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    confidence: Option<Confidence>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    created_at: Option<Millis>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    expires_at: Option<Millis>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    risk: Option<Risk>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    diff: Option<Vec<FileDiff>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    files: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    questions: Option<Vec<Question>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    multi_select: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    agent: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    position: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    optional: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    more_options: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    plan: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    screen: Option<ScreenFrame>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    incomplete: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    digest: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    startup: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    would_run: Option<Vec<WouldRun>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    warning: Option<String>,
}

impl From<InteractivePrompt> for PromptRecord {
    fn from(prompt: InteractivePrompt) -> Self {
        let InteractivePrompt {
            request_id,
            kind,
            title,
            description,
            tool_name,
            tool_input,
            options,
            text_input,
            session_id,
            adapter,
            source,
            confidence,
            created_at,
            expires_at,
            risk,
            diff,
            files,
            questions,
            multi_select,
            agent,
            position,
            optional,
            more_options,
            plan,
            screen,
            incomplete,
            digest,
            startup,
            would_run,
            warning,
        } = prompt;
        Self {
            request_id,
            kind,
            title,
            description,
            tool_name,
            tool_input,
            options,
            text_input,
            session_id,
            adapter,
            source,
            confidence,
            created_at,
            expires_at,
            risk,
            diff,
            files,
            questions,
            multi_select,
            agent,
            position,
            optional,
            more_options,
            plan,
            screen,
            incomplete,
            digest,
            startup,
            would_run,
            warning,
        }
    }
}

impl From<PromptRecord> for InteractivePrompt {
    fn from(record: PromptRecord) -> Self {
        let PromptRecord {
            request_id,
            kind,
            title,
            description,
            tool_name,
            tool_input,
            options,
            text_input,
            session_id,
            adapter,
            source,
            confidence,
            created_at,
            expires_at,
            risk,
            diff,
            files,
            questions,
            multi_select,
            agent,
            position,
            optional,
            more_options,
            plan,
            screen,
            incomplete,
            digest,
            startup,
            would_run,
            warning,
        } = record;
        Self {
            request_id,
            kind,
            title,
            description,
            tool_name,
            tool_input,
            options,
            text_input,
            session_id,
            adapter,
            source,
            confidence,
            created_at,
            expires_at,
            risk,
            diff,
            files,
            questions,
            multi_select,
            agent,
            position,
            optional,
            more_options,
            plan,
            screen,
            incomplete,
            digest,
            startup,
            would_run,
            warning,
        }
    }
}

/// Who answered, and what.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::store) struct AnswerRecord {
    by: Actor,
    summary: String,
}

impl From<Answer> for AnswerRecord {
    fn from(Answer { by, summary }: Answer) -> Self {
        Self { by, summary }
    }
}

impl From<AnswerRecord> for Answer {
    fn from(AnswerRecord { by, summary }: AnswerRecord) -> Self {
        Self { by, summary }
    }
}
