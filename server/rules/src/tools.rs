//! One vocabulary for the tools of all CLIs, from their names and inputs.

use serde_json::Value;

/// More files or addresses than this nobody reads.
const MOST: usize = 500;

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
    match read_action(name, input) {
        Action::Edit(all) | Action::Write(all) | Action::Read(all) | Action::Fetch(all) if all.len() > MOST => {
            Action::Unreadable("it names more files or addresses than anybody reads")
        }
        action => action,
    }
}

fn read_action(name: &str, input: &Value) -> Action {
    match kind_of(name) {
        Kind::Shell => shell(input),
        Kind::Edit => named_paths(input).map_or(Action::Unreadable("no file is named"), Action::Edit),
        Kind::Write => named_paths(input).map_or(Action::Unreadable("no file is named"), Action::Write),
        Kind::Read => read(input),
        Kind::Patch => patch(input),
        Kind::Fetch => fetch(name, input),
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
    let named = |field: &&str| fields.is_some_and(|fields| fields.contains_key(*field));
    if ["command", "cmd", "script"].iter().filter(|field| named(field)).count() > 1 {
        return Action::Unreadable("two commands are named");
    }
    let usual_shell = text(&["shell"]).is_none_or(|shell| {
        let name = ["/usr/bin/", "/bin/"].iter().find_map(|folder| shell.strip_prefix(folder)).unwrap_or(&shell);
        matches!(name, "bash" | "zsh" | "sh")
    });
    if !usual_shell || ["env", "environment", "user", "stdin"].iter().any(named) {
        return Action::Unreadable("the command runs in an unusual way");
    }
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

/// Files and folders that are read; where none is named it is the folder.
fn read(input: &Value) -> Action {
    let Some(mut paths) = paths(input) else { return Action::Unreadable("the files are not named as texts") };
    for field in ["pattern", "glob"] {
        // A pattern for the names of files may lead elsewhere as well.
        let Some(pattern) = input.get(field).and_then(Value::as_str) else { continue };
        if pattern.starts_with(['/', '~']) && field == "glob" || leads_away(pattern) {
            paths.push(pattern.split(['*', '?', '[', '{']).next().unwrap_or_default().to_owned());
        }
    }
    if paths.is_empty() { Action::Read(vec![".".to_owned()]) } else { Action::Read(paths) }
}

/// True for a pattern that is plainly one for paths, and not of this folder.
fn leads_away(pattern: &str) -> bool {
    let globs = pattern.contains('*') && pattern.starts_with(['/', '~']);
    globs || pattern.split('/').any(|part| part == "..")
}

fn named_paths(input: &Value) -> Option<Vec<String>> {
    paths(input).filter(|paths| !paths.is_empty())
}

/// All paths that an input names; nothing when one of them is no text.
fn paths(input: &Value) -> Option<Vec<String>> {
    const ONE: &[&str] =
        &["file_path", "path", "notebook_path", "absolute_path", "target_file", "filePath", "dir_path", "filename"];
    const MANY: &[&str] = &["paths", "files", "include", "edits", "changes"];
    if let Value::String(path) = input {
        return Some(vec![path.clone()]);
    }
    let mut paths = Vec::new();
    for field in ONE {
        match input.get(field) {
            None | Some(Value::Null) => {}
            Some(path) => paths.push(path.as_str()?.to_owned()),
        }
    }
    for field in MANY {
        match input.get(field) {
            None | Some(Value::Null) => {}
            Some(Value::String(path)) => paths.push(path.clone()),
            Some(Value::Object(changes)) => paths.extend(changes.keys().cloned()),
            Some(Value::Array(values)) => {
                for value in values {
                    let named = value.as_str().or_else(|| ONE.iter().find_map(|field| value.get(*field)?.as_str()));
                    match named {
                        Some(path) => paths.push(path.to_owned()),
                        // One of several changes to the same file names none.
                        None if matches!(*field, "edits" | "changes") && value.is_object() => {}
                        None => return None,
                    }
                }
            }
            Some(_) => return None,
        }
    }
    Some(paths)
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
    let listed = if input.is_object() { named_paths(input) } else { None };
    match (text, listed) {
        (Some(text), listed) if text.contains("*** ") => {
            let starts = ["*** Update File: ", "*** Add File: ", "*** Delete File: ", "*** Move to: "];
            let others = ["*** Begin Patch", "*** End Patch", "*** End of File"];
            let strange = |line: &str| {
                line.starts_with("***")
                    && !starts.iter().any(|start| line.starts_with(start))
                    && !others.contains(&line.trim_end())
            };
            if text.split(['\n', '\r']).any(strange) {
                return Action::Unreadable("the patch has a line that is not known");
            }
            let named = text.lines().filter_map(|line| starts.iter().find_map(|start| line.trim().strip_prefix(start)));
            let mut paths: Vec<String> = named.map(|path| path.trim().to_owned()).collect();
            paths.extend(listed.unwrap_or_default());
            if paths.is_empty() { Action::Unreadable("the patch names no file") } else { Action::Edit(paths) }
        }
        (_, Some(paths)) => Action::Edit(paths),
        _ => Action::Unreadable("the patch names no file"),
    }
}

/// An address, or a text with addresses in it. Claude's `prompt` is only asked about the page; in Gemini it names the pages.
fn fetch(name: &str, input: &Value) -> Action {
    let mut urls = Vec::new();
    for field in ["url", "urls"] {
        match input.get(field) {
            None | Some(Value::Null) => {}
            Some(Value::String(url)) => urls.push(url.clone()),
            Some(Value::Array(all)) if all.iter().all(Value::is_string) => {
                urls.extend(all.iter().filter_map(Value::as_str).map(str::to_owned));
            }
            Some(_) => return Action::Unreadable("the address is no text"),
        }
    }
    if urls.is_empty() || !matches!(name, "WebFetch" | "webfetch") {
        let text = input.as_str().or_else(|| input.get("prompt")?.as_str()).unwrap_or_default();
        let words = text.split(|each: char| each.is_whitespace() || "\"'<>`,()[]".contains(each));
        // What is nearly an address may be fetched as well.
        let is_url = |word: &&str| {
            let host = word.split('/').next().unwrap_or_default();
            let lower = word.to_ascii_lowercase();
            word.contains("://")
                || lower.starts_with("http:")
                || lower.starts_with("https:")
                || lower.starts_with("www.")
                || word.contains('/') && host.contains('.') && !host.starts_with('.') && !host.ends_with('.')
        };
        urls.extend(words.filter(is_url).map(str::to_owned));
    }
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
