//! The tools of Copilot CLI: what each is for, and what came of it.

use serde_json::Value;
use shared_types::{AskedQuestion, Message, ToolResult, ToolUse};

use crate::transcript::{
    build::{self, Said},
    value::{is, text},
};

/// The message of a tool's use.
pub(super) fn used(data: &Value, said: &Said<'_>) -> Message {
    let (name, input) = (text(data, "toolName"), &data["arguments"]);
    let said = Said { id: text(data, "toolCallId").to_owned(), ..said.clone() };
    said.tool(name, purpose(name, input), "", input)
}

fn purpose(name: &str, input: &Value) -> Option<ToolUse> {
    let of = |key: &str| text(input, key).to_owned();
    Some(match name {
        "bash" | "powershell" => ToolUse::Command { command: of("command") },
        "create" => ToolUse::Edit { diff: vec![build::replacement(&of("path"), "", text(input, "file_text"))] },
        "edit" => ToolUse::Edit {
            diff: vec![build::replacement(&of("path"), text(input, "old_str"), text(input, "new_str"))],
        },
        "view" => ToolUse::Read { path: of("path") },
        "grep" | "glob" => {
            ToolUse::Search { query: of("pattern"), place: Some(of("path")).filter(|path| !path.is_empty()) }
        }
        "web_fetch" => ToolUse::Web { target: of("url") },
        "task" => {
            ToolUse::Agent { agent: Some(of("agent_type")).filter(|agent| !agent.is_empty()), task: of("description") }
        }
        "ask_user" => {
            // Old versions ask one question with choices.
            let question = ["message", "question"].iter().map(|key| of(key)).find(|text| !text.is_empty());
            let choices = input["choices"].as_array().into_iter().flatten().chain(first_choices(input));
            let options = choices.filter_map(Value::as_str).map(str::to_owned).collect();
            ToolUse::Questions { questions: vec![AskedQuestion { question: question.unwrap_or_default(), options }] }
        }
        "exit_plan_mode" => ToolUse::Plan { plan: of("summary") },
        _ => return None,
    })
}

/// What the only field of a form can be.
fn first_choices(input: &Value) -> impl Iterator<Item = &Value> {
    let fields = input["requestedSchema"]["properties"].as_object().filter(|fields| fields.len() == 1);
    fields
        .into_iter()
        .flat_map(serde_json::Map::values)
        .flat_map(|field| field["enum"].as_array().or_else(|| field["items"]["enum"].as_array()).into_iter().flatten())
}

/// What came of a tool.
pub(super) fn result(data: &Value) -> ToolResult {
    let exit_code = data["shellExecution"]["exitCode"].as_i64().and_then(|code| i32::try_from(code).ok());
    let told = match &data["result"]["content"] {
        Value::String(content) => content.as_str(),
        _ => text(&data["error"], "message"),
    };
    // The last line is for the model.
    let output = told.rsplit_once("\n<shellId:").map_or(told, |(output, _)| output);
    ToolResult { exit_code, ..build::result(is(data, "success") && exit_code.is_none_or(|code| code == 0), output) }
}
