//! What Copilot CLI has written down of what it asks leave for: whole, where its box does not fit the screen.
//!
//! While a dialog is open its record holds a `permission.requested` without its `permission.completed`. For questions and plans there
//! is only the call of the tool without a result.

use serde_json::Value;
use shared_types::{FileDiff, PromptKind};

use crate::{
    Sighting,
    hook::{Detail, is_change_of, is_command_of, strings_of},
    layout::squash,
    transcript::{
        build,
        pending::Pending,
        value::{parse, text},
    },
};

/// What is asked for in these lines and has no answer yet.
pub(super) fn pending<'a>(lines: impl IntoIterator<Item = &'a str>) -> Vec<Detail> {
    let mut pending = Pending::default();
    for event in lines.into_iter().filter_map(parse) {
        let data = &event["data"];
        match text(&event, "type") {
            "permission.requested" => {
                if let Some(detail) = requested(&data["permissionRequest"], &data["promptRequest"]) {
                    pending.told(text(data, "requestId"), detail);
                }
            }
            "permission.completed" => pending.answered(text(data, "requestId")),
            "tool.execution_start" if ["ask_user", "exit_plan_mode"].contains(&text(data, "toolName")) => {
                pending.called(text(data, "toolCallId"), text(data, "toolName"), &data["arguments"]);
            }
            "tool.execution_complete" => pending.answered(text(data, "toolCallId")),
            _ => {}
        }
    }
    pending.into_details()
}

fn requested(request: &Value, prompt: &Value) -> Option<Detail> {
    let named = |tool: &str, input: Value| Detail {
        tool_name: Some(tool.to_owned()),
        tool_input: Some(input),
        ..Detail::default()
    };
    // What the dialog is about may be less than the whole request: a path outside, or an address, of a command.
    Some(match (text(prompt, "kind"), text(request, "kind")) {
        ("commands", _) | ("", "shell") => named("bash", request["fullCommandText"].clone()),
        ("write", _) | ("", "write") => {
            let path = text(request, "fileName");
            let diff = build::diff(path, hunks(text(request, "diff")));
            let input = serde_json::json!({ "path": path });
            Detail { diff: vec![diff], ..named("write", input) }
        }
        ("mcp", _) | ("", "mcp") => {
            let tool = text(prompt, "toolName");
            let names = (text(request, "serverName").to_owned(), tool.to_owned());
            Detail { mcp_tool: Some(names), ..named(tool, request["args"].clone()) }
        }
        ("url", _) => named("web_fetch", request["url"].clone()),
        ("path", _) => named("path", prompt["paths"].clone()),
        _ => return None,
    })
}

/// The hunks of a change, without the lines that name the files.
fn hunks(diff: &str) -> &str {
    diff.find("\n@@ ").map_or("", |at| &diff[at + 1..])
}

/// The dialog with what was written down of it; nothing when that is about another one.
pub(super) fn complete(detail: &Detail, dialog: &Sighting) -> Option<Sighting> {
    let input = detail.tool_input.as_ref()?;
    let mut whole = dialog.clone();
    match (detail.tool_name.as_deref()?, dialog.kind) {
        ("bash", PromptKind::Permission) if dialog.tool_name.as_deref() == Some("bash") => {
            let seen = dialog.tool_input.as_ref()?.as_str()?;
            let command = input.as_str()?;
            fits_command(seen, command, dialog.incomplete).then_some(())?;
            whole.tool_input = Some(input.clone());
        }
        ("write", PromptKind::Permission) => {
            let told = detail.diff.first()?;
            let path = dialog.tool_input.as_ref()?.get("path")?.as_str()?;
            let shown = |seen: &FileDiff| is_change_of(&FileDiff { path: told.path.clone(), ..seen.clone() }, told);
            (squash(path) == squash(&told.path) && dialog.diff.iter().all(shown)).then_some(())?;
            whole.diff = vec![told.clone()];
            whole.tool_input = Some(input.clone());
        }
        ("web_fetch", PromptKind::Permission) if dialog.tool_name.as_deref() == Some("web_fetch") => {
            (squash(dialog.tool_input.as_ref()?.as_str()?) == squash(input.as_str()?)).then_some(())?;
        }
        ("exit_plan_mode", PromptKind::Plan) => {
            let plan = text(input, "summary");
            // What is shown is the end of the plan; Markdown loses its marks when it is drawn.
            let letters = |text: &str| text.chars().filter(|ch| ch.is_alphanumeric()).collect::<String>();
            letters(plan).ends_with(&letters(dialog.plan.as_deref().unwrap_or_default())).then_some(())?;
            whole.plan = Some(plan.to_owned());
        }
        (_, PromptKind::Permission) if detail.mcp_tool.is_some() && names_tool(dialog, detail) => {
            let seen = dialog.tool_input.as_ref().map(strings_of).unwrap_or_default().concat();
            let told = strings_of(input).concat();
            // Of a clipped box only the end of the input is there, as text.
            let words = |text: &str| text.chars().filter(|ch| ch.is_alphanumeric()).collect::<String>();
            let fits = dialog.tool_input.as_ref() == Some(input)
                || dialog.incomplete && words(&input.to_string()).ends_with(&words(&seen))
                || squash(&seen) == squash(&told);
            fits.then_some(())?;
            whole.tool_input = Some(input.clone());
            whole.tool_name.clone_from(&detail.tool_name);
        }
        _ => return None,
    }
    whole.incomplete = whole.diff.iter().any(|file| file.unified.ends_with("\n…"));
    Some(whole)
}

/// The label of the lasting row names server and tool, whatever of the box is clipped.
fn names_tool(dialog: &Sighting, detail: &Detail) -> bool {
    let named = |name: &str| dialog.options.iter().any(|option| option.label.contains(&format!("\"{name}\"")));
    detail.mcp_tool.as_ref().is_some_and(|(server, tool)| named(server) && named(tool))
}

/// A box that is clipped shows the end of the command; one that is whole shows all of it.
fn fits_command(seen: &str, told: &str, clipped: bool) -> bool {
    let tail = squash(seen);
    is_command_of(seen, told, false) || clipped && !tail.is_empty() && squash(told).ends_with(&tail)
}
