//! Claude's tools: what each is for, and what came of it.

use serde_json::Value;
use shared_types::{FileDiff, GivenAnswer, Message, ToolResult, ToolUse};

use super::said::result_text;
use crate::transcript::{
    build::{self, Said},
    value::{count, list, text},
};

/// The message of a tool's use.
pub(super) fn used(said: &Said<'_>, block: &Value) -> Message {
    let (name, input) = (text(block, "name"), &block["input"]);
    let summary = match name {
        "Bash" | "Agent" | "Task" => text(input, "description"),
        _ if purpose(name, input).is_none() => first_words(input),
        _ => "",
    };
    said.tool(name, purpose(name, input), summary, input)
}

fn purpose(name: &str, input: &Value) -> Option<ToolUse> {
    let given = |key: &str| text(input, key).to_owned();
    let place = || Some(given("path")).filter(|path| !path.is_empty());
    let path = || if given("file_path").is_empty() { given("notebook_path") } else { given("file_path") };
    Some(match name {
        "Bash" => ToolUse::Command { command: given("command") },
        "Edit" => ToolUse::Edit { diff: vec![build::replacement(&path(), &given("old_string"), &given("new_string"))] },
        "MultiEdit" => ToolUse::Edit { diff: vec![several(&path(), list(input, "edits"))] },
        "Write" => ToolUse::Edit { diff: vec![build::replacement(&path(), "", &given("content"))] },
        "NotebookEdit" => ToolUse::Edit { diff: vec![build::replacement(&path(), "", &given("new_source"))] },
        "Read" => ToolUse::Read { path: path() },
        "Grep" | "Glob" => ToolUse::Search { query: given("pattern"), place: place() },
        "LS" => ToolUse::Search { query: "*".to_owned(), place: place() },
        "WebFetch" => ToolUse::Web { target: given("url") },
        "WebSearch" | "web_search" => ToolUse::Web { target: given("query") },
        "TodoWrite" => ToolUse::Todos { items: build::todos(list(input, "todos"), &["content"]) },
        "Agent" | "Task" => ToolUse::Agent {
            agent: Some(given("subagent_type")).filter(|agent| !agent.is_empty()),
            task: given("prompt"),
        },
        "AskUserQuestion" => ToolUse::Questions { questions: build::questions(input) },
        "ExitPlanMode" => ToolUse::Plan { plan: given("plan") },
        _ => return None,
    })
}

/// What came of it: the block for the model, and what Claude keeps for itself beside it.
pub(super) fn result(block: &Value, kept: &Value) -> ToolResult {
    let ok = !block["is_error"].as_bool().unwrap_or_default();
    let said = result_text(block);
    let printed = kept.get("stdout").and_then(Value::as_str);
    let output = match printed {
        Some(stdout) => [stdout, text(kept, "stderr")].join("\n"),
        None => said.clone(),
    };
    let failed = said.strip_prefix("Exit code ").map(|rest| rest.split_once('\n').unwrap_or((rest, "")));
    let exit_code = match failed {
        Some((code, _)) if !ok => code.trim().parse().ok(),
        _ => printed.filter(|_| ok && !kept["interrupted"].as_bool().unwrap_or_default()).map(|_| 0),
    };
    let output = match failed {
        Some((_, rest)) if !ok => rest.to_owned(),
        _ => output,
    };
    let agent = Some(text(kept, "agentId").to_owned()).filter(|agent| !agent.is_empty());
    ToolResult { exit_code, diff: change(kept), answers: answers(kept), agent, ..build::result(ok, &output) }
}

/// The change that was made, from the hunks Claude keeps; a new file is kept whole.
fn change(kept: &Value) -> Option<Vec<FileDiff>> {
    let path = text(kept, "filePath");
    let hunks = kept.get("structuredPatch")?.as_array()?;
    if hunks.is_empty() && text(kept, "type") == "create" {
        return Some(vec![build::replacement(path, "", text(kept, "content"))]);
    }
    let mut lines: Vec<String> = Vec::new();
    for hunk in hunks {
        let number = |key: &str| count(hunk, key).unwrap_or_default();
        let (old, new) = ((number("oldStart"), number("oldLines")), (number("newStart"), number("newLines")));
        lines.push(format!("@@ -{},{} +{},{} @@", old.0, old.1, new.0, new.1));
        lines.extend(list(hunk, "lines").iter().filter_map(Value::as_str).map(str::to_owned));
    }
    (!lines.is_empty()).then(|| vec![build::diff(path, &lines.join("\n"))])
}

fn answers(kept: &Value) -> Option<Vec<GivenAnswer>> {
    let answers = kept.get("answers")?.as_object()?;
    let given = |(question, answer): (&String, &Value)| GivenAnswer {
        question: question.clone(),
        answer: answer.as_str().map_or_else(|| answer.to_string(), str::to_owned),
    };
    Some(answers.iter().map(given).collect())
}

fn several(path: &str, edits: &[Value]) -> FileDiff {
    let one = |edit: &Value| build::replacement(path, text(edit, "old_string"), text(edit, "new_string")).unified;
    build::diff(path, &edits.iter().map(one).collect::<Vec<_>>().join("\n"))
}

/// The first text that an unknown tool was given.
fn first_words(input: &Value) -> &str {
    input.as_object().into_iter().flat_map(serde_json::Map::values).find_map(Value::as_str).unwrap_or_default()
}
