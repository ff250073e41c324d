//! Gemini's tools: what each is for, and what came of it. The CLI writes both down together, when the tool is done.

use serde_json::Value;
use shared_types::{FileDiff, GivenAnswer, Message, ToolResult, ToolUse};

use crate::transcript::{
    build::{self, Said},
    join,
    value::{between, list, moment, text},
};

/// The message of a tool's use, with its result.
pub(super) fn used(call: &Value, said: &Said<'_>) -> Option<Message> {
    let (name, id, input) = (text(call, "name"), text(call, "id"), &call["args"]);
    if id.is_empty() {
        return None;
    }
    let at = moment(text(call, "timestamp")).max(said.at);
    let said = Said { id: id.to_owned(), at, ..said.clone() };
    let purpose = purpose(name, input);
    let summary = match &purpose {
        Some(ToolUse::Command { .. }) => text(input, "description"),
        Some(_) => "",
        None => text(call, "displayName"),
    };
    let mut message = said.tool(name, purpose, summary, input);
    if let Some(result) = result(call, name, input) {
        join(&mut message, result);
    }
    Some(message)
}

fn purpose(name: &str, input: &Value) -> Option<ToolUse> {
    let first = |keys: &[&str]| {
        keys.iter().map(|key| text(input, key)).find(|text| !text.is_empty()).unwrap_or_default().to_owned()
    };
    let place = || Some(first(&["dir_path", "path"])).filter(|path| !path.is_empty());
    let path = || first(&["file_path", "absolute_path", "path"]);
    Some(match name {
        "run_shell_command" => ToolUse::Command { command: first(&["command"]) },
        "replace" => {
            ToolUse::Edit { diff: vec![build::replacement(&path(), &first(&["old_string"]), &first(&["new_string"]))] }
        }
        "write_file" => ToolUse::Edit { diff: vec![build::replacement(&path(), "", &first(&["content"]))] },
        "read_file" => ToolUse::Read { path: path() },
        "glob" | "grep_search" | "search_file_content" => {
            ToolUse::Search { query: first(&["pattern"]), place: place() }
        }
        "list_directory" => ToolUse::Search { query: "*".to_owned(), place: place() },
        "google_web_search" => ToolUse::Web { target: first(&["query"]) },
        "web_fetch" => ToolUse::Web { target: first(&["url", "prompt"]) },
        "write_todos" => ToolUse::Todos { items: build::todos(list(input, "todos"), &["description"]) },
        "ask_user" => ToolUse::Questions { questions: build::questions(input) },
        _ => return None,
    })
}

fn result(call: &Value, name: &str, input: &Value) -> Option<ToolResult> {
    let ok = match text(call, "status") {
        "success" => true,
        "error" | "cancelled" => false,
        _ => return None,
    };
    let response = list(call, "result")
        .iter()
        .map(|part| &part["functionResponse"]["response"])
        .find(|response| !response.is_null());
    let told = response.map_or("", |response| match text(response, "output") {
        "" => text(response, "error"),
        output => output,
    });
    let told = between(told, "<untrusted_context>\n", "</untrusted_context>").unwrap_or(told);
    let display = &call["resultDisplay"];
    let output = match display {
        Value::String(shown) if !shown.is_empty() => shown.clone(),
        Value::Array(rows) => drawn(rows),
        _ => told.to_owned(),
    };
    // Versions that say nothing of an exit code say so when it is not 0.
    let exit_code = told.lines().find_map(|line| line.strip_prefix("Exit Code: ")?.trim().parse().ok());
    let exit_code = exit_code.or(Some(0).filter(|_| ok)).filter(|_| name == "run_shell_command");
    Some(ToolResult { exit_code, diff: change(display), answers: answers(told, input), ..build::result(ok, &output) })
}

/// Rows of styled pieces, as the terminal of a command was left.
fn drawn(rows: &[Value]) -> String {
    let row = |row: &Value| {
        let pieces: String = row.as_array().into_iter().flatten().map(|piece| text(piece, "text")).collect();
        pieces.trim_end().to_owned()
    };
    rows.iter().map(row).collect::<Vec<_>>().join("\n")
}

fn change(display: &Value) -> Option<Vec<FileDiff>> {
    let diff = display.get("fileDiff")?.as_str()?;
    let path =
        Some(text(display, "filePath")).filter(|path| !path.is_empty()).unwrap_or_else(|| text(display, "fileName"));
    let hunks = diff.find("@@").map_or("", |at| &diff[at..]);
    Some(vec![build::diff(path, hunks)])
}

/// The answers to questions: `{"answers": {number: text}}`.
fn answers(told: &str, input: &Value) -> Option<Vec<GivenAnswer>> {
    let told: Value = serde_json::from_str(told).ok()?;
    let given = |(number, answer): (&String, &Value)| {
        let asked = number.parse().ok().and_then(|number: usize| list(input, "questions").get(number));
        GivenAnswer {
            question: asked.map_or(number.as_str(), |asked| text(asked, "question")).to_owned(),
            answer: answer.as_str().map_or_else(|| answer.to_string(), str::to_owned),
        }
    };
    Some(told.get("answers")?.as_object()?.iter().map(given).collect())
}
