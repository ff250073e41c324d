//! What Codex has written down of the call that it asks leave for: whole, where the dialog cuts it.

use serde_json::Value;
use shared_types::{FileDiff, Millis};

use super::transcript::{patch, tools};
use crate::{
    Sighting,
    hook::{Detail, is_change_of, is_command_of, shown_input},
    layout::squash,
    transcript::{
        pending::Pending,
        value::{moment, parse, text},
    },
};

/// The calls in these lines of a rollout that have no output yet.
pub(super) fn pending<'a>(lines: impl IntoIterator<Item = &'a str>) -> Vec<Detail> {
    calls(lines).into_details()
}

/// The calls in these lines of a rollout whose output came since then.
pub(super) fn ended<'a>(lines: impl IntoIterator<Item = &'a str>, since: Millis) -> Vec<Detail> {
    calls(lines).ended_since(since)
}

fn calls<'a>(lines: impl IntoIterator<Item = &'a str>) -> Pending {
    let mut pending = Pending::default();
    for line in lines.into_iter().filter_map(parse) {
        let item = &line["payload"];
        let id = match text(item, "call_id") {
            "" => text(item, "id"),
            id => id,
        };
        match text(item, "type") {
            "function_call" => {
                let input = parse(text(item, "arguments")).unwrap_or_default();
                let name = [text(item, "namespace"), text(item, "name")];
                let name = name.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("__");
                pending.called(id, &name, &input);
            }
            "custom_tool_call" => pending.called(id, text(item, "name"), &item["input"]),
            "local_shell_call" => pending.called(id, "local_shell", &item["action"]),
            "function_call_output" | "custom_tool_call_output" | "local_shell_call_output" => {
                pending.ended(id, moment(text(&line, "timestamp")));
            }
            _ => {}
        }
    }
    pending
}

/// The dialog with what the call says beyond it; nothing when it is about another one.
pub(super) fn complete(call: &Detail, dialog: &Sighting) -> Option<Sighting> {
    let (tool, input) = (call.tool_name.as_deref()?, call.tool_input.as_ref()?);
    let mut whole = dialog.clone();
    match dialog.tool_name.as_deref()? {
        "shell" => {
            let command = tools::command(input)?;
            let seen = dialog.tool_input.as_ref()?.as_str()?;
            is_command_of(seen, &command, dialog.incomplete).then_some(())?;
            whole.tool_input = Some(shown_command(input, command));
        }
        "apply_patch" => {
            let written = tools::command(input).or_else(|| input.as_str().map(str::to_owned));
            whole.diff = patch::read(&written.unwrap_or_else(|| text(input, "input").to_owned()))?;
            let files = dialog.tool_input.as_ref().and_then(|input| input["files"].as_array());
            let named = files.into_iter().flatten().filter_map(Value::as_str);
            let known = |path: &str| whole.diff.iter().any(|file| is_path_of(path, file));
            let shown = |seen: &FileDiff| whole.diff.iter().any(|told| is_change_of(seen, told));
            (named.clone().count() > 0 && named.into_iter().all(known) && dialog.diff.iter().all(shown))
                .then_some(())?;
        }
        server if server.starts_with("mcp:") => {
            let called = format!("mcp__{}", server.trim_start_matches("mcp:").replacen('.', "__", 1));
            let fields = dialog.tool_input.as_ref()?.as_object()?;
            let agrees = |(name, seen): (&String, &Value)| input.get(name).is_none_or(|told| begins(told, seen));
            (tool == called && fields.iter().all(agrees)).then_some(())?;
            whole.tool_input = Some(input.clone());
        }
        _ => return None,
    }
    // A conversation keeps no more than so much of a change.
    whole.incomplete = whole.diff.iter().any(|file| file.unified.ends_with("\n…"));
    Some(whole)
}

/// The command alone, unless it is run with more than what the dialog says: elsewhere, or by another shell.
fn shown_command(input: &Value, command: String) -> Value {
    const TOLD: [&str; 4] = ["justification", "sandbox_permissions", "with_escalated_permissions", "prefix_rule"];
    const HARMLESS: [&str; 7] = ["timeout", "timeout_ms", "yield_time_ms", "max_output_tokens", "login", "tty", "type"];
    let mut fields = input.clone();
    if let Some(fields) = fields.as_object_mut() {
        let is_left_out =
            |name: &str, value: &Value| TOLD.contains(&name) || HARMLESS.contains(&name) && !value.is_object();
        fields.retain(|name, value| !is_left_out(name, value));
        fields.remove("cmd");
        fields.insert("command".to_owned(), Value::String(command));
    }
    shown_input("shell", "shell", &fields)
}

fn is_path_of(path: &str, file: &FileDiff) -> bool {
    path == file.path || path.ends_with(&format!("/{}", file.path)) || file.path.ends_with(&format!("/{path}"))
}

/// Codex shows the first sixty characters of a value, with blanks folded.
fn begins(told: &Value, seen: &Value) -> bool {
    let text = |value: &Value| squash(&value.as_str().map_or_else(|| value.to_string(), str::to_owned));
    let (told, seen) = (text(told), text(seen));
    let cut = seen.strip_suffix("...").or_else(|| seen.strip_suffix('…'));
    told == seen || cut.is_some_and(|begins| told.starts_with(begins))
}
