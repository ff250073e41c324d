//! Codex' tools: what each is for, and what came of it.

use serde_json::Value;
use shared_types::{GivenAnswer, Message, ToolResult, ToolUse};

use super::{call_message, patch};
use crate::{
    TranscriptEntry,
    transcript::{
        build::{self, Said},
        value::{content_text, list, text},
    },
};

/// What the head of a command's output says before the output itself.
const EXIT_MARKS: [&str; 2] = ["Process exited with code ", "Exit code: "];

/// One of the model's items: a tool's use, a result, or nothing of interest.
pub(super) fn read(item: &Value, said: &Said<'_>) -> Vec<TranscriptEntry> {
    match text(item, "type") {
        "function_call" => {
            let arguments = serde_json::from_str(text(item, "arguments")).unwrap_or(Value::Null);
            used(item, &arguments, said)
        }
        "custom_tool_call" => used(item, &item["input"], said),
        "local_shell_call" => used(item, &item["action"], said),
        "web_search_call" => {
            let action = &item["action"];
            let target = ["query", "url", "pattern"].iter().map(|key| text(action, key)).find(|text| !text.is_empty());
            let purpose = ToolUse::Web { target: target.unwrap_or_default().to_owned() };
            let mut message = said.tool("web_search", Some(purpose), "", &Value::Null);
            crate::transcript::join(&mut message, build::result(text(item, "status") != "failed", ""));
            vec![TranscriptEntry::Message(message)]
        }
        "function_call_output" | "custom_tool_call_output" => {
            vec![TranscriptEntry::Result { id: call_message(item), result: result(&item["output"]) }]
        }
        _ => Vec::new(),
    }
}

/// The message of a plan that is put before the person.
pub(super) fn plan(said: &Said<'_>, plan: &str) -> Message {
    said.tool("plan", Some(ToolUse::Plan { plan: plan.to_owned() }), "", &Value::Null)
}

fn used(item: &Value, input: &Value, said: &Said<'_>) -> Vec<TranscriptEntry> {
    let name = match text(item, "name") {
        "" => "shell",
        name => name,
    };
    let id = match call_message(item).0 {
        id if id.is_empty() => said.id.clone(),
        id => id,
    };
    let said = Said { id, ..said.clone() };
    vec![TranscriptEntry::Message(said.tool(name, purpose(name, input), "", input))]
}

fn purpose(name: &str, input: &Value) -> Option<ToolUse> {
    Some(match name {
        "exec_command" | "shell" | "shell_command" | "local_shell" | "container.exec" => {
            let command = command(input)?;
            match patch::read(&command) {
                Some(diff) => ToolUse::Edit { diff },
                None => ToolUse::Command { command },
            }
        }
        "apply_patch" => {
            let written = input.as_str().unwrap_or_else(|| text(input, "input"));
            ToolUse::Edit { diff: patch::read(written)? }
        }
        "update_plan" => ToolUse::Todos { items: build::todos(list(input, "plan"), &["step"]) },
        "request_user_input" => ToolUse::Questions { questions: build::questions(input) },
        "spawn_agent" => {
            let task = ["message", "prompt", "task"].iter().map(|key| text(input, key)).find(|text| !text.is_empty());
            let agent = ["agent_type", "task_name"].iter().map(|key| text(input, key)).find(|text| !text.is_empty());
            ToolUse::Agent { agent: agent.map(str::to_owned), task: task.unwrap_or_default().to_owned() }
        }
        "view_image" => ToolUse::Read { path: text(input, "path").to_owned() },
        "web_search" => ToolUse::Web { target: text(input, "query").to_owned() },
        _ => return None,
    })
}

/// The command as somebody would type it; a shell around it is left out.
pub(in crate::codex) fn command(input: &Value) -> Option<String> {
    let given = input.get("cmd").or_else(|| input.get("command"))?;
    if let Some(command) = given.as_str() {
        return Some(command.to_owned());
    }
    let words: Vec<&str> = given.as_array()?.iter().filter_map(Value::as_str).collect();
    match words.as_slice() {
        [_, flags, command] if flags.starts_with('-') && flags.ends_with('c') => Some((*command).to_owned()),
        words => Some(words.join(" ")),
    }
}

/// What came of it. Text in most versions; old ones wrap it in JSON of their own, new ones in a list of blocks.
fn result(output: &Value) -> ToolResult {
    let mut ok = output.get("success").and_then(Value::as_bool);
    let mut said = match output {
        Value::Object(_) => content_text(&output["content"]),
        other => content_text(other),
    };
    let mut exit_code = None;
    let mut answers = None;
    if let Ok(wrapped) = serde_json::from_str::<Value>(&said) {
        if let Some(printed) = wrapped.get("output").and_then(Value::as_str) {
            exit_code = wrapped["metadata"]["exit_code"].as_i64().and_then(|code| i32::try_from(code).ok());
            said = printed.to_owned();
        }
        answers = given_answers(&wrapped);
    } else if let Some((head, printed)) = said.split_once("Output:\n") {
        exit_code = head.lines().find_map(exit_of);
        said = printed.to_owned();
    } else {
        exit_code = said.lines().find_map(exit_of).or(exit_code);
    }
    let failed = exit_code.is_some_and(|code| code != 0) || is_refusal(&said);
    ok = ok.or(Some(!failed));
    ToolResult { exit_code, answers, ..build::result(ok.unwrap_or_default(), &said) }
}

fn exit_of(line: &str) -> Option<i32> {
    EXIT_MARKS.iter().find_map(|mark| line.strip_prefix(mark)?.trim().parse().ok())
}

/// Words by which Codex tells the model that a tool did not run.
fn is_refusal(said: &str) -> bool {
    let refusals =
        ["exec_command failed", "apply_patch verification failed", "rejected by user", "user cancelled", "aborted"];
    said.lines().next().is_some_and(|line| refusals.iter().any(|words| line.contains(words)))
}

/// The answers to questions: `{"answers": {id: {"answers": [text]}}}`.
fn given_answers(wrapped: &Value) -> Option<Vec<GivenAnswer>> {
    let answers = wrapped.get("answers")?.as_object()?;
    let given = |(question, answer): (&String, &Value)| {
        let words = list(answer, "answers").iter().filter_map(Value::as_str).collect::<Vec<_>>().join(", ");
        GivenAnswer { question: question.clone(), answer: words }
    };
    Some(answers.iter().map(given).collect())
}
