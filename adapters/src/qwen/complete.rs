//! What a hook or the record tells of a call, put into the dialog that asks about it.
//!
//! Only when all that the dialog shows agrees with it: a person must never read one thing and allow another.

use serde_json::{Value, json};
use shared_types::{PromptKind, PromptOption, Question};

use crate::{
    Sighting,
    gemini_family::{questions::complete_questions, words},
    hook::{Detail, is_change_of, strings_of},
    layout::squash,
    transcript::{
        build,
        value::{list, text},
    },
};

/// The row of a question that takes text.
const CUSTOM: &str = "Type something...";

/// What is told of a call.
pub(super) fn detail(tool: &str, input: &Value) -> Option<Detail> {
    let named = Detail { tool_name: Some(tool.to_owned()), ..Detail::default() };
    let path = || text(input, "file_path").to_owned();
    Some(match tool {
        "ask_user_question" => {
            let questions = list(input, "questions").iter().map(question).collect::<Option<Vec<_>>>()?;
            Detail { questions, ..named }
        }
        "edit" => {
            let diff = build::replacement(&path(), text(input, "old_string"), text(input, "new_string"));
            Detail { tool_input: Some(json!({ "file_path": path() })), diff: vec![diff], ..named }
        }
        "write_file" => {
            let diff = build::replacement(&path(), "", text(input, "content"));
            Detail { tool_input: Some(json!({ "file_path": path() })), diff: vec![diff], ..named }
        }
        _ => Detail { tool_input: Some(input.clone()), ..named },
    })
}

fn question(asked: &Value) -> Option<Question> {
    let option = |option: &Value| PromptOption {
        value: text(option, "label").to_owned(),
        label: text(option, "label").to_owned(),
        description: Some(text(option, "description").to_owned()).filter(|text| !text.is_empty()),
        ..PromptOption::default()
    };
    let mut options: Vec<PromptOption> = asked["options"].as_array()?.iter().map(option).collect();
    options.push(PromptOption {
        value: CUSTOM.to_owned(),
        label: CUSTOM.to_owned(),
        opens_text: Some(true),
        ..PromptOption::default()
    });
    Some(Question {
        header: text(asked, "header").to_owned(),
        question: text(asked, "question").to_owned(),
        options,
        multi_select: asked["multiSelect"].as_bool().filter(|several| *several),
        text_input: None,
    })
}

/// The dialog with what was told of it; nothing when it is another one.
pub(super) fn complete(detail: &Detail, dialog: &Sighting) -> Option<Sighting> {
    let mut whole = dialog.clone();
    if !detail.questions.is_empty() {
        complete_questions(&detail.questions, CUSTOM, &mut whole)?;
        whole.incomplete = false;
        return Some(whole);
    }
    let tool = detail.tool_name.as_deref()?;
    let input = detail.tool_input.as_ref()?;
    match dialog.kind {
        PromptKind::Plan if tool == "exit_plan_mode" => {
            let plan = Some(text(input, "plan")).filter(|plan| !plan.is_empty())?;
            whole.plan = Some(plan.to_owned());
        }
        PromptKind::Permission if is_tool(dialog, tool) => {
            if let Some(told) = detail.diff.first() {
                let seen = dialog.diff.first().filter(|seen| is_change_of(seen, told))?;
                // Where the whole change is on the screen it also says where in the file it stands.
                if dialog.incomplete {
                    whole.diff = vec![shared_types::FileDiff { path: seen.path.clone(), ..told.clone() }];
                }
            } else if tool == "run_shell_command" {
                let command = text(input, "command");
                whole.tool_input = Some(shown_command(input)).filter(|_| shows_command(dialog, command))?.into();
            } else {
                whole.tool_input = Some(input.clone()).filter(|input| shows_input(dialog, input))?.into();
            }
        }
        _ => return None,
    }
    whole.incomplete = false;
    Some(whole)
}

/// The command alone when nothing beside it changes what is run.
fn shown_command(input: &Value) -> Value {
    let harmless = |(name, value): (&String, &Value)| match name.as_str() {
        "command" | "description" => value.is_string(),
        "timeout" => value.is_number(),
        "is_background" => *value == Value::Bool(false),
        _ => false,
    };
    let alone = input.as_object().is_some_and(|fields| fields.iter().all(harmless));
    if alone { input["command"].clone() } else { input.clone() }
}

/// Whether the dialog may be this tool's, by the name it shows. A sub-agent's dialog and one whose top is out of view show none.
fn is_tool(dialog: &Sighting, tool: &str) -> bool {
    let Some(shown) = dialog.tool_name.as_deref().filter(|_| dialog.agent.is_none()) else { return true };
    let bare = |text: &str| text.chars().filter(|ch| ch.is_alphanumeric()).collect::<String>().to_lowercase();
    if let Some((server, name)) = tool.strip_prefix("mcp__").and_then(|rest| rest.split_once("__")) {
        return shown.starts_with(name) && shown.contains(server);
    }
    bare(shown) == bare(tool) || tool == "run_shell_command" && words::runs_commands(shown)
}

/// Whether the dialog shows this command. What it shows was taken from the row of its tool, which loses nothing; from the body it
/// was only taken where that loses nothing either, or nothing else is in view.
fn shows_command(dialog: &Sighting, command: &str) -> bool {
    let told = squash(command);
    let seen = dialog.tool_input.as_ref().and_then(Value::as_str).unwrap_or(&dialog.description);
    // Old versions cut the row of the tool.
    let seen = squash(seen.trim_end().trim_end_matches('…'));
    if told.is_empty() || seen.is_empty() {
        return false;
    }
    if seen == told {
        return true;
    }
    // All that is seen must be in it, in this order.
    let mut rest = told.chars();
    dialog.incomplete && seen.chars().all(|ch| rest.any(|other| other == ch))
}

/// Whether the dialog shows what a tool would be given: some text of it, and where it shows it all, that.
fn shows_input(dialog: &Sighting, input: &Value) -> bool {
    if let Some(seen) = &dialog.tool_input {
        let texts = |value: &Value| strings_of(value).into_iter().map(squash).collect::<Vec<_>>();
        return texts(seen) == texts(input);
    }
    let shown = squash(&format!("{}\n{}", dialog.title, dialog.description));
    let mut texts = strings_of(input).into_iter().map(squash).filter(|text| !text.is_empty()).peekable();
    texts.peek().is_none() || texts.any(|text| shown.contains(&text))
}
