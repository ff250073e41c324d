//! Reads dialogs that ask for leave: may this tool be used, shall this plan be carried out. Also those of the start.

use serde_json::{Map, Value, json};
use shared_types::{OptionRole, PromptKind};

use super::{
    body,
    dialog::{Dialog, paragraphs},
    head::Head,
    lines::{Row, RowKind, trim},
    options::List,
    sight::{build, joined, new},
    words,
};
use crate::{
    SightedText, Sighting,
    layout::{cuts::is_cut_mark, hints::split_hint},
    screen::Cell,
};

/// May this be done, or shall this plan be carried out.
pub(super) fn approval(dialog: &Dialog<'_>, list: &List) -> Sighting {
    let cols = dialog.cols;
    let head = Head::of(dialog);
    let mut options = list.options.clone();
    // Where the space bar selects, or several are marked, a tick is a check box and not the present choice.
    let space = dialog.hints.iter().any(|hint| hint.key.eq_ignore_ascii_case("space"));
    let ticks = space || list.ticks.iter().filter(|tick| **tick).count() > 1;
    for (option, tick) in options.iter_mut().zip(&list.ticks) {
        option.checked = option.checked.or(ticks.then_some(*tick));
        if option.text.is_none() && words::invites_text(&option.label) {
            option.text = Some(SightedText { placeholder: Some(option.label.clone()), ..SightedText::default() });
        }
        let (label, hint) = split_hint(&option.label);
        option.hint = hint.map(str::to_owned);
        option.label = label.to_owned();
        option.role = Some(words::role(option));
    }
    let plan = words::is_plan(&head.title, &head.question, &options, &dialog.footer);
    let amends =
        dialog.hints.iter().any(|hint| hint.key.eq_ignore_ascii_case("tab") && hint.action.starts_with("amend"));
    let decides = |role: Option<OptionRole>| matches!(role, Some(OptionRole::Allow | OptionRole::Deny));
    let amending = options.iter().any(|option| decides(option.role) && option.text.is_some());
    let build = if amends || amending { build::AMEND } else { build::SELECT };
    let mut sighting = new(if plan { PromptKind::Plan } else { PromptKind::Permission }, build);
    sighting.multi_select = options.iter().any(|option| option.checked.is_some());
    sighting.options = options;
    sighting.selected = list.selected;
    sighting.more_options = list.more;
    sighting.agent.clone_from(&head.agent);
    if plan {
        sighting.tool_name = Some("ExitPlanMode".to_owned());
        let body = head.body.or_else(|| plan_above(dialog));
        sighting.incomplete = head.body.is_none() && !body.is_some_and(|rows| is_edged(dialog, rows));
        sighting.incomplete |= body.is_some_and(|rows| rows.iter().any(|row| scroll_arrow(row).is_some()));
        sighting.plan = body.map(|rows| plan_text(rows, cols)).filter(|text| !text.is_empty());
        if !head.title.is_empty() {
            sighting.description.clone_from(&head.question);
        }
    } else {
        describe_tool(&mut sighting, &head, cols);
    }
    let question = head.question.clone();
    let heads = [head.title, head.question, "Claude Code asks for permission".to_owned()];
    sighting.title = heads.into_iter().find(|words| !words.is_empty()).unwrap_or_default();
    sighting.identity = identity(&sighting, &question);
    sighting
}

/// The plan that 2.1.200 writes above its dialog, between dashes, as far as it is still on the screen.
fn plan_above<'a>(dialog: &Dialog<'a>) -> Option<&'a [Row<'a>]> {
    let end = dialog.above.iter().rposition(|row| !row.is_blank())?;
    let within = dialog.above.get(..end).filter(|_| dialog.above[end].kind == RowKind::Dashes)?;
    let begin = within.iter().rposition(|row| row.kind == RowKind::Dashes).map_or(0, |top| top + 1);
    within.get(begin..)
}

/// True when the edge above a plan that stands above its dialog is on the screen.
fn is_edged(dialog: &Dialog<'_>, plan: &[Row<'_>]) -> bool {
    let above = plan.first().and_then(|row| row.index.checked_sub(1)).and_then(|above| dialog.above.get(above));
    above.is_some_and(|row| row.kind == RowKind::Dashes)
}

/// The plan without the arrow that says it can be scrolled.
fn plan_text(rows: &[Row<'_>], cols: u16) -> String {
    let without_arrow = |row| scroll_arrow(row).map_or(*row, |words| Row { cells: trim(words), ..*row });
    body::block(&rows.iter().map(without_arrow).collect::<Vec<_>>(), cols)
}

/// What stands before the arrow at the end of a row that says that the plan can be scrolled.
fn scroll_arrow<'a>(row: &Row<'a>) -> Option<&'a [Cell]> {
    match row.cells {
        [words @ .., _, _, arrow] if matches!(arrow.ch, '↑' | '↓') => Some(words),
        _ => None,
    }
}

/// What makes it the same prompt while it is being answered and when the pane changes its size: what stays on the
/// screen. Labels grow with what is typed, but never before their first comma; a narrow pane leaves out options and
/// clips the title.
fn identity(sighting: &Sighting, question: &str) -> String {
    let input = match &sighting.tool_input {
        Some(Value::Object(fields)) if fields.contains_key("file_path") => String::new(),
        input => input.as_ref().map(Value::to_string).unwrap_or_default(),
    };
    let heads = sighting.options.iter().filter(|option| option.role != Some(OptionRole::Feedback));
    let mut heads: Vec<&str> = heads.filter_map(|option| option.label.split([',', ':']).next()).collect();
    heads.dedup();
    let known = sighting.tool_name.is_some() || sighting.title == question;
    let title = if known { "" } else { &sighting.title };
    format!("{title}\n{question}\n{input}\n{}", heads.join("\n"))
}

/// The tool's name and input, the change it would make, and why it is asked.
fn describe_tool(sighting: &mut Sighting, head: &Head<'_>, cols: u16) {
    let mut notes = head.notes.clone();
    let title_tool = words::tool(&head.title);
    let tool = title_tool.or_else(|| head.title.is_empty().then(|| words::tool(&head.question)).flatten());
    let rows: Vec<Row<'_>> = head.body.unwrap_or_default().iter().copied().filter(|row| !is_left_out(row)).collect();
    let rows = rows.as_slice();
    match tool {
        Some("Edit" | "Write" | "NotebookEdit") => {
            let named =
                if head.subject.is_empty() { notes.first().cloned().unwrap_or_default() } else { head.subject.clone() };
            let path = if named.is_empty() { named_in(&head.question) } else { named };
            notes.retain(|note| *note != path);
            let new_file = tool == Some("Write");
            sighting.diff = body::diff(&path, rows, new_file).into_iter().collect();
            sighting.tool_input = (!path.is_empty()).then(|| json!({ "file_path": path }));
        }
        _ => {
            // Where nothing but colour tells, the grey rows below a command say what it is for.
            let plain = rows.first().map(|row| row.unbarred().fg());
            let command = rows.iter().take_while(|row| row.is_blank() || Some(row.unbarred().fg()) == plain).count();
            let dashed = !head.title.is_empty() && head.body.is_some() && command == rows.len();
            let (given, about) = rows.split_at(if dashed { rows.len() } else { command.max(1).min(rows.len()) });
            notes.extend(paragraphs(about).into_iter().map(|rows| joined(rows, cols)));
            sighting.tool_input = input(tool, given, cols);
            if let Some((name, input)) = mcp_call(&head.title, &joined(given, cols)) {
                sighting.tool_name = Some(name);
                sighting.tool_input = Some(input);
            }
        }
    }
    let named = sighting.tool_name.take();
    sighting.tool_name = tool.map(str::to_owned).or(named).or_else(|| mcp_tool(&notes, &head.title));
    if title_tool.is_some() || !head.title.is_empty() {
        notes.push(head.question.clone());
    }
    notes.retain(|note| !note.is_empty());
    sighting.description = notes.join("\n");
}

/// True for the row in which Claude says how many rows it left out.
fn is_left_out(row: &Row<'_>) -> bool {
    is_cut_mark(&row.unbarred().text())
}

fn input(tool: Option<&str>, rows: &[Row<'_>], cols: u16) -> Option<Value> {
    let given = body::block(rows, cols);
    if given.is_empty() {
        return None;
    }
    let called = given.split_once('(').and_then(|(_, rest)| rest.strip_suffix(')'));
    Some(match (tool, called) {
        (Some("Read"), Some(path)) => json!({ "file_path": path }),
        (Some("WebFetch"), _) if given.starts_with("http") => json!({ "url": given }),
        (Some("Bash"), _) => Value::String(given),
        _ => body::fields(rows, cols).unwrap_or(Value::String(given)),
    })
}

/// The last word of a question about a file.
fn named_in(question: &str) -> String {
    question.trim_end_matches(['?', ' ']).rsplit(' ').next().unwrap_or_default().to_owned()
}

/// The name of a server's tool, from `server — Tool Name Tool: (MCP)`.
fn mcp_tool(notes: &[String], title: &str) -> Option<String> {
    if !words::plain(title).contains("tool") {
        return None;
    }
    let line = notes.iter().find(|note| note.contains("(MCP)"))?;
    mcp_name(&line.replace("(MCP)", "").replace("Tool:", ""))
}

/// The name of a server's tool and what it would be given, from `server - tool(text: "so", count: 2) (MCP)` as 2.0 writes it.
fn mcp_call(title: &str, line: &str) -> Option<(String, Value)> {
    let call = line.trim_end().strip_suffix("(MCP)").filter(|_| words::plain(title).contains("tool"))?;
    let (tool, given) = call.trim_end().strip_suffix(')')?.split_once('(')?;
    let mut rest = given.trim_start();
    let mut fields = Map::new();
    while !rest.is_empty() {
        let (field, behind) = rest.split_once(':')?;
        let mut values = serde_json::Deserializer::from_str(behind).into_iter::<Value>();
        let value = values.next()?.ok()?;
        fields.insert(field.trim().to_owned(), value);
        rest = behind.get(values.byte_offset()..)?.trim_start_matches([',', ' ']);
    }
    Some((mcp_name(tool)?, Value::Object(fields)))
}

/// `mcp__server__tool_name`, from `server — Tool Name`.
fn mcp_name(words: &str) -> Option<String> {
    let (server, tool) = words.split_once(" — ").or_else(|| words.split_once(" - "))?;
    let name = |words: &str| words.trim().to_lowercase().replace(' ', "_");
    Some(format!("mcp__{}__{}", name(server), name(tool)))
}
