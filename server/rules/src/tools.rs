//! One vocabulary for the tools of all CLIs, from their names and inputs.

use serde_json::Value;

/// What a request would do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Action {
    Shell {
        command: String,
        cwd: Option<String>,
        unsandboxed: bool,
    },
    /// Changes parts of files.
    Edit(Vec<String>),
    /// Writes whole files.
    Write(Vec<String>),
    Read(Vec<String>),
    Fetch(Vec<String>),
    Search,
    Mcp {
        server: String,
        tool: String,
    },
    /// A tool that only its own name describes.
    Tool(String),
    /// Plans, questions, permissions: a person's affair whatever a rule says.
    Person(&'static str),
    /// The input is missing or of an unknown form.
    Unreadable(&'static str),
}

/// The kind of a tool, by its name in any CLI.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Shell,
    Edit,
    Write,
    Read,
    Fetch,
    Search,
    Patch,
    Person,
    Other,
}

/// What kind of tool has this name.
pub(crate) fn kind_of(name: &str) -> Kind {
    match name {
        "Bash" | "bash" | "shell" | "Shell" | "local_shell" | "shell_command" | "exec_command" | "exec"
        | "unified_exec" | "run_shell_command" | "ShellTool" | "container.exec" | "run_terminal_cmd"
        | "execute_command" | "Run command" => Kind::Shell,
        "Edit"
        | "MultiEdit"
        | "NotebookEdit"
        | "edit"
        | "replace"
        | "Replace"
        | "EditTool"
        | "str_replace_based_edit_tool"
        | "str_replace"
        | "edit_file"
        | "Edit file" => Kind::Edit,
        "Write" | "write" | "write_file" | "WriteFile" | "WriteFileTool" | "create_file" | "create" => Kind::Write,
        "apply_patch" | "ApplyPatch" | "patch" => Kind::Patch,
        "Read"
        | "read"
        | "read_file"
        | "ReadFile"
        | "ReadFileTool"
        | "read_many_files"
        | "ReadManyFiles"
        | "Glob"
        | "glob"
        | "FindFiles"
        | "Grep"
        | "grep"
        | "grep_search"
        | "SearchText"
        | "search_file_content"
        | "LS"
        | "list_directory"
        | "ReadFolder"
        | "NotebookRead"
        | "view_image"
        | "view"
        | "list_dir" => Kind::Read,
        "WebFetch" | "web_fetch" | "webfetch" | "fetch" | "WebFetchTool" => Kind::Fetch,
        "WebSearch" | "web_search" | "websearch" | "google_web_search" | "GoogleSearch" | "WebSearchTool" => {
            Kind::Search
        }
        "ExitPlanMode"
        | "exit_plan_mode"
        | "EnterPlanMode"
        | "AskUserQuestion"
        | "ask_user"
        | "request_permissions"
        | "request_user_input"
        | "write_stdin"
        | "update_plan" => Kind::Person,
        _ => Kind::Other,
    }
}

/// What the tool would do with this input.
pub(crate) fn action(name: &str, input: &Value) -> Action {
    match kind_of(name) {
        Kind::Shell => shell(input),
        Kind::Edit => paths(input).map_or(Action::Unreadable("no file is named"), Action::Edit),
        Kind::Write => paths(input).map_or(Action::Unreadable("no file is named"), Action::Write),
        Kind::Read => Action::Read(paths(input).unwrap_or_else(|| vec![".".to_owned()])),
        Kind::Patch => patch(input),
        Kind::Fetch => fetch(input),
        Kind::Search => Action::Search,
        Kind::Person => Action::Person("plans, questions and permissions are for a person"),
        Kind::Other => match mcp(name) {
            Some((server, tool)) => Action::Mcp { server, tool },
            None if name.is_empty() => Action::Unreadable("no tool is named"),
            None => Action::Tool(name.to_owned()),
        },
    }
}

/// Server and tool of `mcp__server__tool`, of `tool (server MCP Server)` as Gemini draws it, or of `mcp:server.tool` as read from
/// Codex' words.
pub(crate) fn mcp(name: &str) -> Option<(String, String)> {
    if let Some((server, tool)) = name.strip_prefix("mcp:").and_then(|rest| rest.split_once('.')) {
        return Some((server.to_owned(), tool.to_owned()));
    }
    if let Some(rest) = name.strip_prefix("mcp__") {
        let (server, tool) = rest.split_once("__")?;
        return Some((server.to_owned(), tool.to_owned()));
    }
    let (tool, server) = name.strip_suffix(" MCP Server)")?.split_once(" (")?;
    Some((server.to_owned(), tool.to_owned()))
}

fn shell(input: &Value) -> Action {
    let (command, fields) = match input {
        Value::Object(fields) => {
            (fields.get("command").or_else(|| fields.get("cmd")).or_else(|| fields.get("script")), Some(fields))
        }
        other => (Some(other), None),
    };
    let text = |names: &[&str]| {
        names.iter().find_map(|name| fields?.get(*name)?.as_str()).filter(|text| !text.is_empty()).map(str::to_owned)
    };
    let cwd = text(&["workdir", "cwd", "dir_path", "directory", "working_directory"]);
    let flag =
        |name: &str| fields.is_some_and(|fields| fields.get(name).is_some_and(|value| *value == Value::Bool(true)));
    let unsandboxed = flag("dangerouslyDisableSandbox")
        || text(&["sandbox_permissions"]).is_some_and(|text| text.contains("escalated"))
        || flag("with_escalated_permissions");
    let command = match command {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(words)) => match words.iter().map(Value::as_str).collect::<Option<Vec<_>>>() {
            Some(words) => command_of_words(&words),
            None => return Action::Unreadable("the command is not made of words"),
        },
        _ => return Action::Unreadable("no command is named"),
    };
    if command.trim().is_empty() {
        return Action::Unreadable("the command is empty");
    }
    Action::Shell { command, cwd, unsandboxed }
}

/// Codex calls every command through a shell: the text inside is the command. Other words are quoted.
fn command_of_words(words: &[&str]) -> String {
    if let [shell, "-lc" | "-c", text] = words
        && matches!(
            *shell,
            "bash" | "sh" | "zsh" | "/bin/bash" | "/bin/sh" | "/bin/zsh" | "/usr/bin/bash" | "/usr/bin/zsh"
        )
    {
        return (*text).to_owned();
    }
    let plain = |word: &str| {
        !word.is_empty() && word.chars().all(|each| each.is_ascii_alphanumeric() || "_-./:=@%+,".contains(each))
    };
    let quoted = words
        .iter()
        .map(|word| if plain(word) { (*word).to_owned() } else { format!("'{}'", word.replace('\'', r"'\''")) });
    quoted.collect::<Vec<_>>().join(" ")
}

fn paths(input: &Value) -> Option<Vec<String>> {
    if let Value::String(path) = input {
        return Some(vec![path.clone()]);
    }
    const ONE: &[&str] =
        &["file_path", "path", "notebook_path", "absolute_path", "target_file", "filePath", "dir_path", "filename"];
    const MANY: &[&str] = &["paths", "files", "include"];
    let mut paths: Vec<String> = ONE.iter().filter_map(|field| input.get(field)?.as_str()).map(str::to_owned).collect();
    for field in MANY {
        let Some(Value::Array(values)) = input.get(field) else { continue };
        for value in values {
            paths.push(value.as_str().or_else(|| value.get("path")?.as_str())?.to_owned());
        }
    }
    (!paths.is_empty()).then_some(paths)
}

/// A patch names its files in its text; some CLIs list them.
fn patch(input: &Value) -> Action {
    let text = match input {
        Value::String(text) => Some(text.as_str()),
        Value::Object(fields) => {
            ["input", "patch", "changes", "command"].iter().find_map(|field| fields.get(*field)?.as_str())
        }
        _ => None,
    };
    let listed = if input.is_object() { paths(input) } else { None };
    match (text, listed) {
        (Some(text), listed) if text.contains("*** ") => {
            let starts = ["*** Update File: ", "*** Add File: ", "*** Delete File: ", "*** Move to: "];
            let named = text.lines().filter_map(|line| starts.iter().find_map(|start| line.trim().strip_prefix(start)));
            let mut paths: Vec<String> = named.map(|path| path.trim().to_owned()).collect();
            paths.extend(listed.unwrap_or_default());
            if paths.is_empty() { Action::Unreadable("the patch names no file") } else { Action::Edit(paths) }
        }
        (_, Some(paths)) => Action::Edit(paths),
        _ => Action::Unreadable("the patch names no file"),
    }
}

/// An address, or a text with addresses in it.
fn fetch(input: &Value) -> Action {
    if let Some(url) = input.get("url").and_then(Value::as_str) {
        return Action::Fetch(vec![url.to_owned()]);
    }
    let text = input.as_str().or_else(|| input.get("prompt")?.as_str()).unwrap_or_default();
    let is_url = |word: &&str| word.contains("://");
    let urls: Vec<String> = text
        .split(|each: char| each.is_whitespace() || "\"'<>`,".contains(each))
        .filter(is_url)
        .map(str::to_owned)
        .collect();
    if urls.is_empty() { Action::Unreadable("no address is named") } else { Action::Fetch(urls) }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_tools_of_all_clis_share_one_vocabulary() {
        let shell = |command: &str| Action::Shell { command: command.to_owned(), cwd: None, unsandboxed: false };
        for (name, input, expected) in [
            ("Bash", json!({"command": "git status"}), shell("git status")),
            ("shell", json!({"command": ["bash", "-lc", "git status"]}), shell("git status")),
            ("shell", json!({"command": ["git", "commit", "-m", "a b"]}), shell("git commit -m 'a b'")),
            ("shell", json!("git status"), shell("git status")),
            ("run_shell_command", json!({"command": "ls"}), shell("ls")),
            ("exec_command", json!({"cmd": "ls"}), shell("ls")),
            ("Edit", json!({"file_path": "a"}), Action::Edit(vec!["a".into()])),
            ("replace", json!({"file_path": "a"}), Action::Edit(vec!["a".into()])),
            ("WriteFile", json!({"file_path": "a"}), Action::Write(vec!["a".into()])),
            (
                "apply_patch",
                json!({"input": "*** Begin Patch\n*** Update File: a\n*** Add File: b"}),
                Action::Edit(vec!["a".into(), "b".into()]),
            ),
            ("apply_patch", json!({"files": ["a", "b"]}), Action::Edit(vec!["a".into(), "b".into()])),
            ("read_file", json!({"absolute_path": "/a"}), Action::Read(vec!["/a".into()])),
            ("Grep", json!({"pattern": "x"}), Action::Read(vec![".".into()])),
            (
                "web_fetch",
                json!({"prompt": "sum up https://docs.rs/x and https://b.c"}),
                Action::Fetch(vec!["https://docs.rs/x".into(), "https://b.c".into()]),
            ),
            ("mcp__github__get_issue", json!({}), Action::Mcp { server: "github".into(), tool: "get_issue".into() }),
            ("mcp:calc.add", json!({}), Action::Mcp { server: "calc".into(), tool: "add".into() }),
            ("add (calc MCP Server)", json!({}), Action::Mcp { server: "calc".into(), tool: "add".into() }),
            ("Bash", json!({}), Action::Unreadable("no command is named")),
            ("Task", json!({}), Action::Tool("Task".into())),
        ] {
            assert_eq!(action(name, &input), expected, "{name}");
        }
    }
}
