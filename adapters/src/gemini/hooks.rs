//! Gemini CLI's hooks: which are asked for, and what they tell.
//!
//! None of them can allow anything, so none is ever held: the dialog is answered by keys. But they tell what the dialog cuts off or
//! hides. `Notification` comes with every dialog about a tool and brings the command or the change; `BeforeTool` brings, in new
//! versions before the dialog, all questions of the model and what an MCP tool is given. What is told is put into a dialog only
//! when all that the dialog does show agrees with it: a person must never read one thing and allow another.

use serde::Deserialize;
use serde_json::{Value, json};
use shared_types::{FileDiff, PromptKind, PromptOption, Question, TextInput};

use crate::{
    HookReading, Sighting,
    gemini_family::questions::complete_questions,
    hook::{Conversation, Detail, is_change_of, is_command_of},
    layout::squash,
};

/// A hook that tells must never hold the CLI up for long. Its clock counts milliseconds.
const TELLING_MILLIS: u32 = 5000;
/// Tools whose dialogs show less than they are given. A pattern, because that is how the CLI takes it.
const CUT_SHORT: &str = "^(ask_user$|mcp_)";
/// The row below the options of a question, for when it is scrolled out of view.
const CUSTOM: &str = "Enter a custom value";

/// The hooks as the settings take them.
pub(super) fn settings(command: &str) -> Value {
    let hook = json!([{ "type": "command", "name": "answerback", "command": command, "timeout": TELLING_MILLIS }]);
    json!({
        "SessionStart": [{ "hooks": hook }],
        "Notification": [{ "hooks": hook }],
        "BeforeTool": [{ "matcher": CUT_SHORT, "hooks": hook }],
    })
}

/// The fields we use; all others may change as they like.
#[derive(Deserialize)]
struct Payload {
    hook_event_name: String,
    session_id: Option<String>,
    transcript_path: Option<String>,
    source: Option<String>,
    tool_name: Option<String>,
    tool_input: Option<Value>,
    mcp_context: Option<McpContext>,
    details: Option<Details>,
}

#[derive(Deserialize)]
struct McpContext {
    server_name: String,
    tool_name: String,
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Details {
    Exec {
        command: String,
    },
    #[serde(rename_all = "camelCase")]
    Edit {
        file_path: String,
        file_diff: String,
    },
    #[serde(other)]
    Other,
}

/// What a hook says of the conversation. One that is gone on with is already followed: 0.61 names a file that it never fills.
pub(super) fn read(payload: &Value) -> HookReading {
    let told = Payload::deserialize(payload).ok().filter(|told| told.hook_event_name == "SessionStart");
    let told = told.filter(|told| told.source.as_deref() != Some("resume"));
    let conversation = told.and_then(|told| match (told.session_id, told.transcript_path) {
        (Some(id), Some(path)) if !id.is_empty() && path.starts_with('/') => {
            Some(Conversation { id, transcript: path.into() })
        }
        _ => None,
    });
    HookReading { conversation, ..HookReading::default() }
}

/// What a hook tells of a dialog.
pub(super) fn detail(payload: &Value) -> Option<Detail> {
    let told = Payload::deserialize(payload).ok()?;
    match (told.hook_event_name.as_str(), told.details, told.tool_name.as_deref()) {
        ("Notification", Some(Details::Exec { command }), _) => {
            Some(Detail { tool_input: Some(Value::String(command)), ..Detail::default() })
        }
        ("Notification", Some(Details::Edit { file_path, file_diff }), _) => {
            // Above the first hunk stand the names, which the path tells already.
            let unified = file_diff.find("@@").map(|at| file_diff[at..].to_owned())?;
            Some(Detail { diff: vec![FileDiff { path: file_path, unified }], ..Detail::default() })
        }
        ("BeforeTool", _, Some("ask_user")) => {
            let questions =
                told.tool_input?["questions"].as_array()?.iter().map(question).collect::<Option<Vec<_>>>()?;
            Some(Detail { questions, ..Detail::default() })
        }
        ("BeforeTool", _, Some(_)) => {
            let McpContext { server_name, tool_name } = told.mcp_context?;
            Some(Detail { tool_input: told.tool_input, mcp_tool: Some((server_name, tool_name)), ..Detail::default() })
        }
        _ => None,
    }
}

fn question(asked: &Value) -> Option<Question> {
    let text = |value: &Value, name: &str| value[name].as_str().unwrap_or_default().to_owned();
    let option = |label: String, description: String| PromptOption {
        value: label.clone(),
        label,
        description: Some(description).filter(|description| !description.is_empty()),
        ..PromptOption::default()
    };
    let multi_select = asked["multiSelect"].as_bool().filter(|several| *several);
    let mut options: Vec<PromptOption> = match asked["type"].as_str().unwrap_or("choice") {
        "choice" => {
            asked["options"].as_array()?.iter().map(|it| option(text(it, "label"), text(it, "description"))).collect()
        }
        "yesno" => ["Yes", "No"].map(|label| option(label.to_owned(), String::new())).into(),
        _ => Vec::new(),
    };
    let placeholder = asked["placeholder"].as_str().map(str::to_owned);
    let text_input = options.is_empty().then(|| TextInput { placeholder, ..TextInput::default() });
    if !options.is_empty() {
        options.push(PromptOption { opens_text: Some(true), ..option(CUSTOM.to_owned(), String::new()) });
    }
    Some(Question {
        header: text(asked, "header"),
        question: text(asked, "question"),
        options,
        multi_select,
        text_input,
    })
}

/// The dialog with what was told of it; nothing when it is another one.
pub(super) fn complete(detail: &Detail, dialog: &Sighting) -> Option<Sighting> {
    let mut whole = dialog.clone();
    if let Some(told) = detail.diff.first() {
        let seen = dialog.diff.first().filter(|seen| is_change_of(seen, told))?;
        whole.diff = vec![FileDiff { path: seen.path.clone(), unified: told.unified.clone() }];
    } else if let Some((server, tool)) = &detail.mcp_tool {
        let named = |name: &str| dialog.title.contains(&format!("\"{name}\""));
        let agrees = named(server) && named(tool) && dialog.kind == PromptKind::Permission;
        whole.tool_input = Some(detail.tool_input.clone().filter(|input| agrees && is_input_of(dialog, input))?);
    } else if let Some(Value::String(command)) = &detail.tool_input {
        let seen = dialog.tool_input.as_ref().and_then(Value::as_str)?;
        if !is_command_of(seen, command, dialog.incomplete) {
            return None;
        }
        whole.tool_input = Some(Value::String(command.clone()));
    } else {
        complete_questions(&detail.questions, CUSTOM, &mut whole)?;
    }
    whole.incomplete = false;
    Some(whole)
}

/// A dialog shows what an MCP tool is given in one row, cut where it ends. Every text in it must be in what was told.
fn is_input_of(dialog: &Sighting, told: &Value) -> bool {
    if let Some(seen) = &dialog.tool_input {
        return seen == told;
    }
    let row = dialog.description.lines().find(|line| line.starts_with('{')).unwrap_or_default();
    let Some((shown, _)) = row.split_once('…') else { return false };
    let mut texts = Vec::new();
    collect_texts(told, &mut texts);
    // Between two quotation marks stands a text, unless there is one in it; the last one may be cut.
    let mut pieces: Vec<&str> = shown.split('"').collect();
    let cut = pieces.pop().filter(|_| pieces.len() % 2 == 1).map(squash).unwrap_or_default();
    !shown.contains('\\')
        && pieces.iter().skip(1).step_by(2).all(|piece| texts.contains(&squash(piece)))
        && texts.iter().any(|text| text.starts_with(&cut))
}

fn collect_texts(value: &Value, texts: &mut Vec<String>) {
    match value {
        Value::String(text) => texts.push(squash(text)),
        Value::Array(items) => items.iter().for_each(|item| collect_texts(item, texts)),
        Value::Object(fields) => fields.iter().for_each(|(name, field)| {
            texts.push(squash(name));
            collect_texts(field, texts);
        }),
        _ => {}
    }
}
