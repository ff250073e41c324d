//! Claude Code's hooks: which are asked for, what they say, and what the one that asks is told.
//!
//! `PermissionRequest` runs beside the dialog: whoever answers first wins. An approval of a question or a plan is silently
//! ignored unless it brings an `updatedInput` along.

use std::path::PathBuf;

use serde::Deserialize;
use serde_json::{Value, json};
use shared_types::{OptionRole, PromptKind, PromptOption, PromptResponse, PromptSource, Question, TextInput};

use crate::{
    SightedOption, SightedText, Sighting, Surroundings,
    hook::{Conversation, Edit, EditStep, HookReading, Request, shown_input},
    launch::MachineFile,
    layout::distinct,
};

/// Without a limit of its own Claude drops a held request after ten minutes. A week; as milliseconds it must fit 31 bits.
const HELD_SECONDS: u32 = 7 * 24 * 60 * 60;
/// A hook that only tells must never hold Claude up for long.
const TELLING_SECONDS: u32 = 5;

/// Claude's own shell tool.
const SHELL: &str = "Bash";

const YES: &str = "Yes";
const NO: &str = "No";
const TYPE_SOMETHING: &str = "Type something.";
const CHANGE_PLAN: &str = "Tell Claude what to change";
/// How Claude itself tells the model of a plain no.
const PLAIN_NO: &str = "The user doesn't want to proceed with this tool use.";

/// The setting that switches every hook off. Claude merges the settings of the folder in, so a repository could switch ours off.
const OFF: &str = "disableAllHooks";

/// The settings of the person and of the machine: who switches hooks off there means it.
pub(super) fn surroundings(variable: &dyn Fn(&str) -> Option<String>) -> Surroundings {
    let home = || variable("HOME").map(|home| PathBuf::from(home).join(".claude"));
    let own = variable("CLAUDE_CONFIG_DIR").map(PathBuf::from).or_else(home);
    let machine = ["/etc/claude-code", "/Library/Application Support/ClaudeCode"].map(PathBuf::from);
    let managed = machine.into_iter().map(|folder| folder.join("managed-settings.json"));
    let files = own.map(|folder| folder.join("settings.json")).into_iter().chain(managed);
    Surroundings { files: files.map(|path| MachineFile { path, text: None }).collect(), ..Surroundings::default() }
}

/// True when the person or the machine has switched all hooks off.
pub(super) fn are_switched_off(surroundings: &Surroundings) -> bool {
    let says = |text: &str| serde_json::from_str::<Value>(text).is_ok_and(|settings| settings[OFF] == true);
    surroundings.files.iter().filter_map(|file| file.text.as_deref()).any(says)
}

/// The hooks as Claude's `--settings` takes them. Unless the person wants none at all, no folder can switch them off.
pub(super) fn settings(command: &str, switched_off: bool) -> String {
    let hook = |command: &str, seconds: u32| json!([{ "type": "command", "command": command, "timeout": seconds }]);
    let mut settings = json!({
        "hooks": {
            "SessionStart": [{ "hooks": hook(command, TELLING_SECONDS) }],
            "PermissionRequest": [{ "matcher": "*", "hooks": hook(&format!("{command} --wait"), HELD_SECONDS) }],
        }
    });
    if !switched_off {
        settings[OFF] = false.into();
    }
    settings.to_string()
}

/// The fields we use; all others may change as they like.
#[derive(Deserialize)]
struct Payload {
    hook_event_name: String,
    session_id: Option<String>,
    transcript_path: Option<String>,
    tool_name: Option<String>,
    tool_input: Option<Value>,
    agent_type: Option<String>,
    #[serde(default)]
    permission_suggestions: Vec<Value>,
}

/// What a hook says.
pub(super) fn read(payload: &Value) -> HookReading {
    let Ok(told) = Payload::deserialize(payload) else { return HookReading::default() };
    let conversation = match (&told.session_id, &told.transcript_path) {
        (Some(id), Some(path)) if !id.is_empty() && path.starts_with('/') => {
            Some(Conversation { id: id.clone(), transcript: path.into() })
        }
        _ => None,
    };
    let request = (told.hook_event_name == "PermissionRequest").then(|| request(&told, payload)).flatten();
    HookReading { conversation, request }
}

fn request(told: &Payload, payload: &Value) -> Option<Request> {
    let (tool, input) = (told.tool_name.as_deref()?, told.tool_input.as_ref()?);
    let mut sighting = match tool {
        "AskUserQuestion" => questions(input)?,
        "ExitPlanMode" => plan(input),
        _ => permission(tool, input, &told.permission_suggestions),
    };
    sighting.tool_name = Some(tool.to_owned());
    sighting.agent = told.agent_type.clone().filter(|agent| !agent.is_empty());
    Some(Request { sighting, edits: edits(tool, input), payload: payload.clone() })
}

fn permission(tool: &str, input: &Value, suggestions: &[Value]) -> Sighting {
    let mut sighting = Sighting::new(PromptKind::Permission, PromptSource::Hook, "hook");
    sighting.title = match tool {
        "Bash" => "Bash command",
        "Edit" | "MultiEdit" | "NotebookEdit" => "Edit file",
        "Write" => "Create file",
        "Read" => "Read file",
        "WebFetch" => "Fetch",
        _ => "Tool use",
    }
    .to_owned();
    sighting.description = text(input, "description").unwrap_or_default().to_owned();
    sighting.tool_input = Some(shown_input(tool, SHELL, input));
    sighting.options.push(option(YES, OptionRole::Allow));
    let always = suggestions.iter().filter_map(suggestion_label);
    sighting.options.extend(always.map(|label| option(&label, OptionRole::AllowAlways)));
    sighting.options.push(SightedOption { text: Some(SightedText::default()), ..option(NO, OptionRole::Deny) });
    sighting
}

fn plan(input: &Value) -> Sighting {
    let mut sighting = Sighting::new(PromptKind::Plan, PromptSource::Hook, "hook");
    sighting.title = "Ready to code?".to_owned();
    sighting.plan = text(input, "plan").map(str::to_owned);
    let change = SightedText { multiline: true, ..SightedText::default() };
    sighting.options = vec![
        option(YES, OptionRole::Allow),
        SightedOption { text: Some(change), ..option(CHANGE_PLAN, OptionRole::Feedback) },
    ];
    sighting
}

fn questions(input: &Value) -> Option<Sighting> {
    let asked: Vec<Asked> = Vec::deserialize(input.get("questions")?).ok()?;
    let first = asked.first()?;
    let mut sighting = Sighting::new(PromptKind::Question, PromptSource::Hook, "hook");
    sighting.title.clone_from(&first.question);
    if asked.len() > 1 {
        sighting.questions = asked.iter().map(Asked::to_question).collect();
        return Some(sighting);
    }
    sighting.multi_select = first.multi_select;
    sighting.options = first
        .options
        .iter()
        .map(|choice| SightedOption {
            description: choice.description.clone(),
            preview: choice.preview.clone(),
            checked: first.multi_select.then_some(false),
            ..option(&choice.label, OptionRole::Other)
        })
        .collect();
    let own = SightedText { multiline: true, ..SightedText::default() };
    sighting.options.push(SightedOption {
        text: Some(own),
        checked: first.multi_select.then_some(false),
        ..option(TYPE_SOMETHING, OptionRole::Other)
    });
    Some(sighting)
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Asked {
    question: String,
    #[serde(default)]
    header: String,
    #[serde(default)]
    options: Vec<Choice>,
    #[serde(default)]
    multi_select: bool,
}

#[derive(Deserialize)]
struct Choice {
    label: String,
    description: Option<String>,
    preview: Option<String>,
}

impl Asked {
    fn to_question(&self) -> Question {
        let values = distinct(self.options.iter().map(|choice| choice.label.as_str()));
        let options = self.options.iter().zip(values).map(|(choice, value)| PromptOption {
            value,
            label: choice.label.clone(),
            description: choice.description.clone(),
            preview: choice.preview.clone(),
            ..PromptOption::default()
        });
        Question {
            header: self.header.clone(),
            question: self.question.clone(),
            options: options.collect(),
            multi_select: self.multi_select.then_some(true),
            text_input: Some(TextInput { multiline: Some(true), ..TextInput::default() }),
        }
    }
}

fn edits(tool: &str, input: &Value) -> Vec<Edit> {
    let Some(path) = text(input, "file_path") else { return Vec::new() };
    let replace = |step: &Value| {
        let all = step.get("replace_all").and_then(Value::as_bool).unwrap_or(false);
        Some(EditStep::Replace {
            old: text(step, "old_string")?.to_owned(),
            new: text(step, "new_string")?.to_owned(),
            all,
        })
    };
    let steps: Option<Vec<EditStep>> = match tool {
        "Write" => text(input, "content").map(|content| vec![EditStep::Write(content.to_owned())]),
        "Edit" => replace(input).map(|step| vec![step]),
        "MultiEdit" => {
            input.get("edits").and_then(Value::as_array).map(|steps| steps.iter().filter_map(replace).collect())
        }
        _ => None,
    };
    steps.map(|steps| vec![Edit { path: path.into(), steps }]).unwrap_or_default()
}

/// What to tell the waiting hook, or nothing where only keys say exactly what the person chose.
pub(super) fn decide(request: &Request, shown: &Sighting, response: &PromptResponse) -> Option<String> {
    let told = Payload::deserialize(&request.payload).ok()?;
    let input = told.tool_input.as_ref()?;
    let decision = match told.tool_name.as_deref()? {
        "AskUserQuestion" => {
            let answers = answers(input, shown, response)?;
            let mut input = input.clone();
            input.as_object_mut()?.insert("answers".to_owned(), answers);
            json!({ "behavior": "allow", "updatedInput": input })
        }
        "ExitPlanMode" => decide_plan(shown, response)?,
        _ => decide_permission(&told, shown, response)?,
    };
    let output = json!({ "hookSpecificOutput": { "hookEventName": "PermissionRequest", "decision": decision } });
    Some(output.to_string())
}

fn decide_permission(told: &Payload, shown: &Sighting, response: &PromptResponse) -> Option<Value> {
    let option = chosen(shown, response)?;
    match (option.role?, typed(response)) {
        (OptionRole::Allow, None) => Some(json!({ "behavior": "allow" })),
        (OptionRole::Deny | OptionRole::Feedback, Some(text)) => Some(json!({ "behavior": "deny", "message": text })),
        // As at the desk, a plain no stops the turn.
        (OptionRole::Deny, None) => Some(json!({ "behavior": "deny", "message": PLAIN_NO, "interrupt": true })),
        // The CLI's own words for a lasting approval cannot be told from a suggestion; ours can.
        (OptionRole::AllowAlways, None) if shown.build == "hook" => {
            let suggestions = told.permission_suggestions.iter();
            let wanted =
                suggestions.clone().find(|suggestion| suggestion_label(suggestion).as_ref() == Some(&option.label));
            wanted.map(|suggestion| json!({ "behavior": "allow", "updatedPermissions": [suggestion] }))
        }
        _ => None,
    }
}

fn decide_plan(shown: &Sighting, response: &PromptResponse) -> Option<Value> {
    let option = chosen(shown, response)?;
    match (option.role?, typed(response)) {
        (OptionRole::Deny | OptionRole::Feedback, Some(text)) => Some(json!({ "behavior": "deny", "message": text })),
        // Each approval in the dialog stands for a mode; only our own plain yes means the careful one.
        (OptionRole::Allow, None) if shown.build == "hook" => {
            let careful = json!([{ "type": "setMode", "mode": "default", "destination": "session" }]);
            Some(json!({ "behavior": "allow", "updatedInput": {}, "updatedPermissions": careful }))
        }
        _ => None,
    }
}

/// The answers by question, several choices of one joined by commas. Nothing where the response chose what is no answer.
fn answers(input: &Value, shown: &Sighting, response: &PromptResponse) -> Option<Value> {
    let asked: Vec<Asked> = Vec::deserialize(input.get("questions")?).ok()?;
    let mut answers = serde_json::Map::new();
    if let [only] = asked.as_slice() {
        let several = response.selected_options.iter().flatten();
        let mut labels = Vec::new();
        for value in response.selected_option.iter().chain(several) {
            let option = shown.find_offered(value).map(|row| &shown.options[row])?;
            if only.options.iter().any(|choice| choice.label == option.label) {
                labels.push(option.label.clone());
            } else if option.text.is_none() || response.text_value.is_none() {
                return None;
            }
        }
        labels.extend(typed(response).map(str::to_owned));
        answers.insert(only.question.clone(), joined(&labels)?);
        return Some(Value::Object(answers));
    }
    let given = response.answers.as_ref().filter(|given| given.len() == asked.len())?;
    for (question, answer) in asked.iter().zip(given) {
        let values = distinct(question.options.iter().map(|choice| choice.label.as_str()));
        let mut labels = Vec::new();
        for value in &answer.selected_options {
            let at = values.iter().position(|known| known == value)?;
            labels.push(question.options[at].label.clone());
        }
        labels.extend(answer.text_value.clone().filter(|text| !text.trim().is_empty()));
        if labels.len() > 1 && !question.multi_select {
            return None;
        }
        answers.insert(question.question.clone(), joined(&labels)?);
    }
    Some(Value::Object(answers))
}

fn joined(labels: &[String]) -> Option<Value> {
    (!labels.is_empty()).then(|| Value::String(labels.join(", ")))
}

fn chosen<'a>(shown: &'a Sighting, response: &PromptResponse) -> Option<&'a SightedOption> {
    let row = shown.find_offered(response.selected_option.as_deref()?)?;
    shown.options.get(row)
}

fn typed(response: &PromptResponse) -> Option<&str> {
    response.text_value.as_deref().filter(|text| !text.trim().is_empty())
}

/// A suggestion in words, for as long as the dialog with Claude's own words is not drawn.
fn suggestion_label(suggestion: &Value) -> Option<String> {
    match text(suggestion, "type")? {
        "addRules" => {
            let rules = suggestion.get("rules")?.as_array()?;
            let named = rules.iter().filter_map(|rule| {
                let tool = text(rule, "toolName")?;
                Some(text(rule, "ruleContent").map_or_else(|| tool.to_owned(), |content| format!("{tool}({content})")))
            });
            let named: Vec<String> = named.collect();
            (!named.is_empty()).then(|| format!("Yes, and don't ask again for {}", named.join(", ")))
        }
        "addDirectories" => {
            let folders = suggestion.get("directories")?.as_array()?;
            let folders: Vec<&str> = folders.iter().filter_map(Value::as_str).collect();
            (!folders.is_empty()).then(|| format!("Yes, and allow access to {}", folders.join(", ")))
        }
        "setMode" => Some(format!("Yes, and switch to {} mode", text(suggestion, "mode")?)),
        _ => None,
    }
}

fn option(label: &str, role: OptionRole) -> SightedOption {
    SightedOption { label: label.to_owned(), role: Some(role), ..SightedOption::default() }
}

fn text<'a>(value: &'a Value, field: &str) -> Option<&'a str> {
    value.get(field).and_then(Value::as_str)
}
