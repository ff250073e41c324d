//! Qwen Code's tools: what each is for, and what came of it.

use serde_json::Value;
use shared_types::{FileDiff, GivenAnswer, Message, ToolResult, ToolUse};

use crate::transcript::{
    build::{self, Said},
    value::{list, text},
};

/// The message of a tool's use; it is named by the call.
pub(super) fn used(call: &Value, said: &Said<'_>) -> Option<Message> {
    let (name, id, input) = (text(call, "name"), text(call, "id"), &call["args"]);
    if id.is_empty() {
        return None;
    }
    let said = Said { id: id.to_owned(), ..said.clone() };
    let purpose = purpose(name, input);
    let summary = match &purpose {
        Some(ToolUse::Command { .. }) => text(input, "description"),
        _ => "",
    };
    Some(said.tool(name, purpose, summary, input))
}

fn purpose(name: &str, input: &Value) -> Option<ToolUse> {
    let first = |keys: &[&str]| {
        keys.iter().map(|key| text(input, key)).find(|text| !text.is_empty()).unwrap_or_default().to_owned()
    };
    let place = || Some(first(&["path", "dir_path"])).filter(|path| !path.is_empty());
    let path = || first(&["file_path", "absolute_path", "notebook_path", "path"]);
    Some(match name {
        "run_shell_command" => ToolUse::Command { command: first(&["command"]) },
        "edit" => {
            ToolUse::Edit { diff: vec![build::replacement(&path(), &first(&["old_string"]), &first(&["new_string"]))] }
        }
        "write_file" => ToolUse::Edit { diff: vec![build::replacement(&path(), "", &first(&["content"]))] },
        "read_file" => ToolUse::Read { path: path() },
        "glob" | "grep_search" => ToolUse::Search { query: first(&["pattern"]), place: place() },
        "list_directory" => ToolUse::Search { query: "*".to_owned(), place: place() },
        "web_fetch" => ToolUse::Web { target: first(&["url"]) },
        "web_search" => ToolUse::Web { target: first(&["query"]) },
        "todo_write" => ToolUse::Todos { items: build::todos(list(input, "todos"), &["content", "description"]) },
        "ask_user_question" => ToolUse::Questions { questions: build::questions(input) },
        "exit_plan_mode" => ToolUse::Plan { plan: first(&["plan"]) },
        "agent" | "task" => {
            let agent = Some(first(&["subagent_type"])).filter(|agent| !agent.is_empty());
            ToolUse::Agent { agent, task: first(&["prompt", "description"]) }
        }
        _ => return None,
    })
}

/// What came of a tool: what the model was told, and beside it what the screen shows of it.
pub(super) fn result(response: &Value, told: &Value) -> ToolResult {
    let (answer, display) = (&response["response"], &told["resultDisplay"]);
    let ok = match text(told, "status") {
        "" => text(answer, "error").is_empty(),
        status => status == "success",
    };
    let said = match text(answer, "output") {
        "" => text(answer, "error"),
        output => output,
    };
    let output = match display {
        Value::String(shown) if !shown.is_empty() => shown,
        Value::Object(_) if !text(display, "output").is_empty() => text(display, "output"),
        _ => said,
    };
    let exit_code = display["exitCode"].as_i64().and_then(|code| i32::try_from(code).ok());
    // Old versions say it among what the model is told.
    let exit_code =
        exit_code.or_else(|| said.lines().find_map(|line| line.strip_prefix("Exit Code: ")?.trim().parse().ok()));
    let exit_code = exit_code.filter(|_| text(response, "name") == "run_shell_command");
    ToolResult { exit_code, diff: change(display), answers: answers(display), ..build::result(ok, output) }
}

fn change(display: &Value) -> Option<Vec<FileDiff>> {
    let diff = display.get("fileDiff")?.as_str()?;
    let path = match text(display, "filePath") {
        "" => text(display, "fileName"),
        path => path,
    };
    let hunks = diff.find("@@").map_or("", |at| &diff[at..]);
    Some(vec![build::diff(path, hunks)])
}

fn answers(display: &Value) -> Option<Vec<GivenAnswer>> {
    let given = |given: &Value| GivenAnswer {
        question: text(given, "question").to_owned(),
        answer: text(given, "answer").to_owned(),
    };
    let answers = display.get("answers")?.as_array()?;
    Some(answers.iter().map(given).collect())
}
