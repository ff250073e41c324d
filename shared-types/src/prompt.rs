//! The prompt a CLI shows, the response a person gives, and what became of it.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use uuid::Uuid;

use crate::{AdapterKind, DeviceId, Millis, ScreenFrame, SessionId};

/// Names one prompt for as long as it is open, across restarts of the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, TS)]
#[ts(export_to = "prompt.ts")]
pub struct PromptId(pub Uuid);

/// One question a CLI asks, the same shape whichever CLI asked.
///
/// Render rule: options only, buttons; text only, a field; both, buttons and a field; several questions, pages with a review.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "prompt.ts", optional_fields)]
pub struct InteractivePrompt {
    /// What a response refers to.
    pub request_id: PromptId,
    /// What is asked for.
    #[serde(rename = "type")]
    pub kind: PromptKind,
    /// The question itself, one line.
    pub title: String,
    /// The reason or context the CLI gives; may be empty.
    pub description: String,
    /// The tool the CLI wants to use, in its own name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_name: Option<String>,
    /// What the tool would be given: a command as a string, or the tool's own JSON.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(type = "unknown")]
    pub tool_input: Option<serde_json::Value>,
    /// The CLI's own options, in its words and order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub options: Option<Vec<PromptOption>>,
    /// Present when free text is taken.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text_input: Option<TextInput>,
    /// The session that asks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<SessionId>,
    /// The CLI that asks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adapter: Option<AdapterKind>,
    /// How the prompt was noticed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<PromptSource>,
    /// How sure the reading is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<Confidence>,
    /// When it was first seen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created_at: Option<Millis>,
    /// When it ends by an explicit setting; absent means never.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Millis>,
    /// What saying yes risks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub risk: Option<Risk>,
    /// The change an edit would make, file by file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub diff: Option<Vec<FileDiff>>,
    /// Files the prompt is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub files: Option<Vec<String>>,
    /// Several questions asked at once; `options` and `text_input` then stay empty.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub questions: Option<Vec<Question>>,
    /// True when several options may be chosen together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub multi_select: Option<bool>,
    /// The sub-agent that asks, where it is not the main one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// The CLI's own count of queued prompts, such as `1 of 3`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
    /// True when it may be left alone: the session is ready and takes messages all the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub optional: Option<bool>,
    /// True when the CLI has further options that are scrolled out of its view.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub more_options: Option<bool>,
    /// The plan to approve, as markdown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan: Option<String>,
    /// The raw screen of a prompt that was not understood.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub screen: Option<ScreenFrame>,
    /// True when a part of what is asked about is not shown here: the CLI cut it, or it does not fit the terminal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub incomplete: Option<bool>,
    /// A digest over everything above that a person reads before answering. A response repeats it; when the prompt has changed
    /// meanwhile, the response is refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
    /// True for a dialog of the CLI's start, such as folder trust: its answer outlasts the session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub startup: Option<bool>,
    /// What the folder's own settings would run or allow if it is trusted, file by file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub would_run: Option<Vec<WouldRun>>,
    /// Why the prompt must not be answered with buttons, such as a dialog that contradicts the CLI's own request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub warning: Option<String>,
}

/// One thing that a folder's own settings would run or allow.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "prompt.ts")]
pub struct WouldRun {
    /// The settings file, as seen from the folder.
    pub file: String,
    /// What kind of thing it is, such as `hook` or `MCP server`.
    pub what: String,
    /// The command, rule or variable itself.
    pub text: String,
}

/// What a prompt asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
#[ts(export_to = "prompt.ts")]
pub enum PromptKind {
    /// May this be done.
    Permission,
    /// Which of these, or what.
    Question,
    /// Shall this plan be carried out.
    Plan,
    /// The CLI believes it goes round in circles.
    LoopDetected,
    /// Something waits for the person, but not in a form we can read: raw screen and key bar.
    Unrecognized,
}

/// One of the CLI's own options.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "prompt.ts", optional_fields)]
pub struct PromptOption {
    /// Names the option in a response; unique within its question.
    pub value: String,
    /// The CLI's words.
    pub label: String,
    /// The CLI's second line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// A longer preview the CLI shows beside the option.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preview: Option<String>,
    /// What choosing it means, as far as it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<OptionRole>,
    /// True when choosing it takes free text along.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opens_text: Option<bool>,
    /// The state of its check box, in a multi-select.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checked: Option<bool>,
}

/// What choosing an option means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
#[ts(export_to = "prompt.ts")]
pub enum OptionRole {
    /// Go ahead, this once.
    Allow,
    /// Go ahead and do not ask again: the page wants a second tap.
    AllowAlways,
    /// Do not.
    Deny,
    /// Do not, and here is what to do instead.
    Feedback,
    /// Anything else.
    Other,
}

/// A place for free text.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "prompt.ts", optional_fields)]
pub struct TextInput {
    /// What the CLI suggests to type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub placeholder: Option<String>,
    /// True for passwords: masked on the page, never logged or stored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub secret: Option<bool>,
    /// True when line breaks are taken.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub multiline: Option<bool>,
    /// True when the program says that nothing may be typed: Enter alone takes its default, or leaves it empty.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub may_be_empty: Option<bool>,
}

/// How a prompt was noticed, most certain first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
#[ts(export_to = "prompt.ts")]
pub enum PromptSource {
    /// The CLI told us itself.
    Hook,
    /// The build of a known dialog was read from the screen.
    Screen,
    /// A usual way of asking was found on the screen of any program.
    Pattern,
    /// Interactive and silent, but not understood.
    Stall,
}

/// How sure a reading is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
#[ts(export_to = "prompt.ts")]
pub enum Confidence {
    /// It looks like a question, but its form is unusual.
    Guess,
    /// A usual form, in a program that is not known.
    Likely,
    /// A known dialog, or the CLI said so itself.
    Certain,
}

/// What saying yes risks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "prompt.ts")]
pub struct Risk {
    /// How much.
    pub level: RiskLevel,
    /// Why, each a plain clause.
    pub reasons: Vec<String>,
}

/// How much a prompt risks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
#[ts(export_to = "prompt.ts")]
pub enum RiskLevel {
    /// Nothing unusual.
    Low,
    /// Worth reading twice.
    Medium,
    /// Destroys, publishes or escalates.
    High,
}

/// The change to one file, as a unified diff without its file header.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "prompt.ts")]
pub struct FileDiff {
    /// The file's path as the CLI names it.
    pub path: String,
    /// Hunks: lines that begin with `@@`, a blank, `+` or `-`.
    pub unified: String,
}

/// One of several questions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "prompt.ts", optional_fields)]
pub struct Question {
    /// The CLI's short name for it, such as a tab's caption.
    pub header: String,
    /// The question itself.
    pub question: String,
    /// The options; empty when only text is taken.
    pub options: Vec<PromptOption>,
    /// True when several options may be chosen together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub multi_select: Option<bool>,
    /// Present when free text is taken.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text_input: Option<TextInput>,
}

/// What a person answers to a prompt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "prompt.ts", optional_fields)]
pub struct PromptResponse {
    /// The prompt that is answered.
    pub request_id: PromptId,
    /// The chosen option's `value`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub selected_option: Option<String>,
    /// Free text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text_value: Option<String>,
    /// The chosen options' values, in a multi-select.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub selected_options: Option<Vec<String>>,
    /// One answer for each of several questions, in their order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answers: Option<Vec<QuestionAnswer>>,
    /// Answer alike from now on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remember: Option<Remember>,
    /// The same key sent twice is one answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub idempotency_key: Option<Uuid>,
    /// The digest of the prompt as the person read it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
}

impl PromptResponse {
    /// A response to this prompt that says nothing yet.
    #[must_use]
    pub fn to(request_id: PromptId) -> Self {
        Self {
            request_id,
            selected_option: None,
            text_value: None,
            selected_options: None,
            answers: None,
            remember: None,
            idempotency_key: None,
            digest: None,
        }
    }
}

/// The answer to one of several questions.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "prompt.ts", optional_fields)]
pub struct QuestionAnswer {
    /// The chosen options' values.
    pub selected_options: Vec<String>,
    /// Free text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text_value: Option<String>,
}

/// A wish to answer alike from now on: a rule is made of the answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "prompt.ts", optional_fields)]
pub struct Remember {
    /// How far the wish reaches.
    pub scope: RememberScope,
    /// Until when; [`RememberScope::Time`] needs it, the others may have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Millis>,
    /// How often; [`RememberScope::Uses`] needs it, the others may have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uses: Option<u32>,
    /// The rule as the person read it in the preview; absent: the narrowest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
}

impl Remember {
    /// A wish of this scope and nothing more.
    #[must_use]
    pub fn of(scope: RememberScope) -> Self {
        Self { scope, until: None, uses: None, rule: None }
    }
}

/// How far a remembered answer reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
#[ts(export_to = "prompt.ts")]
pub enum RememberScope {
    /// This once: nothing is remembered.
    Once,
    /// Until the session ends.
    Session,
    /// In this session, until a time.
    Time,
    /// In this session, so many times.
    Uses,
    /// In this folder.
    Folder,
    /// Everywhere.
    Always,
}

/// A prompt that waits, with what is happening to it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "prompt.ts", optional_fields)]
pub struct PendingPrompt {
    /// The prompt.
    pub prompt: InteractivePrompt,
    /// The answer under way, or the last one that failed; absent while nobody has answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub progress: Option<AnswerProgress>,
}

/// How far an answer has got.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "prompt.ts")]
pub struct AnswerProgress {
    /// The prompt that is answered.
    pub request_id: PromptId,
    /// What was answered, and by whom.
    pub answer: Answer,
    /// How far it has got.
    pub step: AnswerStep,
}

/// An answer as it is shown to everybody.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "prompt.ts")]
pub struct Answer {
    /// Who answered.
    pub by: Actor,
    /// What was answered, in the CLI's words; a secret is never in it.
    pub summary: String,
}

/// Who did something: answered a prompt, started a session. A reader treats a variant it does not know as [`Actor::Unknown`].
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "kebab-case", rename_all_fields = "camelCase")]
#[ts(export_to = "prompt.ts")]
pub enum Actor {
    /// A paired device.
    Device {
        /// Which.
        device_id: DeviceId,
        /// Its name, for people.
        name: String,
    },
    /// Somebody at the terminal itself.
    Desk,
    /// A rule that a person made earlier.
    Rule {
        /// The rule's id.
        rule_id: String,
        /// The rule in words, for people.
        name: String,
    },
    /// A button or reply of a notification.
    Notification {
        /// The channel it was sent through, such as `web-push` or `telegram`.
        channel: String,
        /// The device or chat it was sent to, for people.
        name: String,
    },
    /// The end of the time a prompt was given by an explicit setting.
    Expiry,
    /// An actor that this version does not know.
    #[serde(other)]
    Unknown,
}

impl Actor {
    /// The actor in a few words, for people.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Device { name, .. } | Self::Notification { name, .. } | Self::Rule { name, .. } => name,
            Self::Desk => "somebody at the desk",
            Self::Expiry => "the expiry setting",
            Self::Unknown => "somebody else",
        }
    }
}

/// How far an answer has got. The steps come in this order; `failed` leaves the prompt open.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "kebab-case", rename_all_fields = "camelCase")]
#[ts(export_to = "prompt.ts")]
pub enum AnswerStep {
    /// This answer won and is about to be typed.
    Sending,
    /// Everything is typed; the CLI has not been seen to move on yet.
    Typed,
    /// Whether the keys arrived is not known: the screen is watched, and nothing is pressed again.
    Unknown {
        /// Why, for people.
        reason: String,
    },
    /// It did not work; the prompt still stands and can be answered again.
    Failed {
        /// Why, for people.
        reason: String,
    },
}

/// How a prompt ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "kebab-case", rename_all_fields = "camelCase")]
#[ts(export_to = "prompt.ts")]
pub enum PromptOutcome {
    /// The answer was typed and the CLI was seen to go on.
    Verified {
        /// What, and by whom.
        answer: Answer,
    },
    /// The prompt left the screen without an answer from here: somebody at the desk, or the CLI itself.
    Gone,
    /// The session ended with the prompt open.
    SessionEnded,
}
