//! Makes a sighting of a dialog: what is asked, by what tool, with which options and which text field.

use std::ops::Range;

use serde_json::{Map, Value, json};
use shared_types::{Confidence, OptionRole, PromptKind, PromptSource, Question};

use crate::{
    Screen, Sighting,
    codex::{
        body::{self, Body, Page},
        dialog::Dialog,
        diff, header, lines, marks,
    },
    layout::{cuts::ends_cut, hints},
    reading::{SightedOption, SightedText},
    screen::Line,
};

/// A dialog whose options carry keys: an approval.
pub(super) const APPROVAL: &str = "codex-approval";
/// Any other list of options.
pub(super) const LIST: &str = "codex-list";
/// A page of questions or of a form, with options.
pub(super) const PAGE: &str = "codex-page";
/// A text field without options.
pub(super) const FIELD: &str = "codex-field";
/// Something to read and go on from with Enter.
pub(super) const NOTICE: &str = "codex-notice";

/// Makes a sighting of a dialog.
pub(super) fn sighting(screen: &Screen, dialog: &Dialog) -> Sighting {
    let body = body::read(screen, dialog.header.clone());
    let hints = footer_text(screen, dialog);
    let mut options = dialog.list.as_ref().map(|list| list.options.clone()).unwrap_or_default();
    let has_keys = options.iter().any(|option| option.hint.is_some());
    let build = match (&dialog.list, &body.page) {
        (None, _) => FIELD,
        (Some(_), Some(_)) => PAGE,
        (Some(_), None) if has_keys => APPROVAL,
        (Some(_), None) => LIST,
    };
    let kind = kind(&body, &options, build);
    if kind != PromptKind::Question || body.page.is_some() {
        for option in &mut options {
            option.role = marks::role(option);
        }
    }
    let text = text(dialog, &hints);
    let known_keys = lines::segments(&hints).any(mentions_key);
    let mut sighting = Sighting::new(kind, PromptSource::Screen, build);
    // 0.166 says so in the title of the terminal too, for most of its dialogs.
    let announced = screen.title.to_lowercase().contains("action required");
    sighting.confidence = if known_keys || has_keys || announced { Confidence::Certain } else { Confidence::Likely };
    sighting.multi_select = options.iter().any(|option| option.checked.is_some());
    sighting.options = options;
    sighting.selected = dialog.list.as_ref().map(|list| list.selected);
    sighting.text = text;
    sighting.more_options = is_scrolled(dialog, &hints);
    // A value in bold is no title; 0.50 cuts its own where the pane is narrow.
    let asks = body.title.ends_with('?') || body.command.is_some() || !body.diff.is_empty();
    let headed = asks && header::is_titled(screen, dialog.header.start);
    let leave = matches!(kind, PromptKind::Permission | PromptKind::Plan);
    sighting.incomplete = body.cut || leave && !headed;
    sighting.agent = body.labelled("thread").map(str::to_owned);
    sighting.rows = dialog.header.start..dialog.footer.end.max(dialog.header.end);
    sighting.title.clone_from(&body.title);
    let page = body.page.clone().filter(|page| page.total > 1);
    let field = body.text.clone();
    fill_tool(screen, dialog, body, &mut sighting);
    for option in &mut sighting.options {
        say_what_follows(option, sighting.build);
    }
    if let Some(page) = page {
        fill_pages(&mut sighting, &page, &field);
    }
    sighting
}

/// What stands below the list and the field, in one text.
pub(super) fn footer_text(screen: &Screen, dialog: &Dialog) -> String {
    let lines = screen.lines.get(dialog.footer.clone()).unwrap_or_default();
    lines.iter().map(|line| line.text.trim()).filter(|text| !text.is_empty()).collect::<Vec<_>>().join(" | ")
}

/// True when a text names a key and so tells what can be pressed.
pub(super) fn mentions_key(text: &str) -> bool {
    text.split([' ', '/']).any(|word| hints::is_named_key(&word.to_lowercase()))
}

fn kind(body: &Body, options: &[SightedOption], build: &str) -> PromptKind {
    let title = body.title.to_lowercase();
    let labels_say = |word: &str| options.iter().any(|option| option.label.to_lowercase().contains(word));
    if build == LIST && title.contains("plan") && (labels_say("implement") || labels_say("plan")) {
        return PromptKind::Plan;
    }
    // A server that asks for leave to run a tool uses the page of a form; its options say "Allow" like those of any form,
    // but their descriptions are about the tool.
    let runs_tool = title.contains(" run tool ")
        || options
            .iter()
            .filter_map(|option| option.description.as_deref())
            .any(|text| text.to_lowercase().contains("run the tool"));
    let asks_leave = body.command.is_some() || !body.diff.is_empty() || title.starts_with("would you like to ");
    if build == APPROVAL || build == LIST && asks_leave || build == PAGE && runs_tool {
        return PromptKind::Permission;
    }
    PromptKind::Question
}

/// The text field: drawn, or promised by a hint such as `tab to add notes`.
fn text(dialog: &Dialog, hints: &str) -> Option<SightedText> {
    if let Some(field) = &dialog.field {
        return Some(field.text.clone());
    }
    let promised = lines::segments(hints).map(str::to_lowercase).find(|part| {
        part.starts_with("tab ") && ["note", "add", "comment", "text"].iter().any(|word| part.contains(word))
    })?;
    let placeholder = promised.trim_start_matches("tab ").trim_start_matches("to ").trim().to_owned();
    Some(SightedText { placeholder: Some(placeholder), multiline: true, ..SightedText::default() })
}

/// True when options are out of view: the numbers do not begin at 1, or the hints count further ones.
fn is_scrolled(dialog: &Dialog, hints: &str) -> bool {
    let Some(list) = &dialog.list else { return false };
    let counted =
        lines::segments(hints).filter(|part| part.to_lowercase().starts_with("option ")).find_map(lines::count);
    list.first_number.is_some_and(|first| first > 1) || counted.is_some_and(|(_, total)| total > list.options.len())
}

fn fill_tool(screen: &Screen, dialog: &Dialog, mut body: Body, sighting: &mut Sighting) {
    let title = body.title.to_lowercase();
    if let Some(command) = body.command.take() {
        sighting.tool_name = Some("shell".to_owned());
        sighting.tool_input = Some(Value::String(command));
    } else if let Some(page) = &body.page {
        (sighting.tool_name, sighting.tool_input) = page_tool(&body, page, sighting.kind);
        sighting.incomplete |= sighting.kind == PromptKind::Permission && hides_input(&body);
    } else if sighting.kind == PromptKind::Permission {
        let destinations: Vec<&str> = values(&body, "destination").collect();
        if !body.diff.is_empty() || !destinations.is_empty() || title.contains("edit") || title.contains("patch") {
            sighting.diff = body.diff.clone();
            if body.diff.is_empty() {
                let rows = rows_above(screen, dialog.header.start);
                sighting.diff = diff::read(screen, rows.clone());
                // Each file is named in the dialog too; older versions name them only above the change.
                let named = |path: &&str| sighting.diff.iter().any(|file| path.ends_with(&file.path));
                let headed = screen.lines.get(rows.start).is_some_and(diff::heads_file);
                let all = if destinations.is_empty() { headed } else { destinations.iter().all(named) };
                sighting.incomplete |= !all || !diff::is_whole(screen, rows);
            }
            let drawn = sighting.diff.iter().map(|file| file.path.as_str());
            let files: Vec<&str> = if destinations.is_empty() { drawn.collect() } else { destinations };
            sighting.tool_name = Some("apply_patch".to_owned());
            sighting.tool_input = Some(json!({ "files": files }));
        } else if let Some(input) = body.labelled("input") {
            sighting.tool_name = Some("write_stdin".to_owned());
            sighting.tool_input = Some(serde_json::from_str(input).unwrap_or_else(|_| Value::String(input.to_owned())));
        } else if let Some(rule) = body.labelled("permission rule") {
            sighting.tool_name = Some("request_permissions".to_owned());
            sighting.tool_input = Some(Value::String(rule.to_owned()));
        }
    } else if sighting.kind == PromptKind::Plan {
        sighting.plan = plan_above(screen, dialog.header.start);
        sighting.incomplete |= sighting.plan.is_none();
    }
    sighting.description = description(&body, sighting);
}

/// Says on the option what Codex does not: a refusal ends the turn, and the model hears of it with the next message; but
/// permissions that were asked for by themselves are only not given.
fn say_what_follows(option: &mut SightedOption, build: &str) {
    if build != APPROVAL || option.role != Some(OptionRole::Deny) || option.description.is_some() {
        return;
    }
    let goes_on = option.label.to_lowercase().contains("continue");
    let follows = if goes_on { "The turn goes on without." } else { "This stops the turn." };
    option.description = Some(follows.to_owned());
}

/// One page of several: all of them are one prompt, of which the screen shows one question at a time.
fn fill_pages(sighting: &mut Sighting, page: &Page, field: &[String]) {
    let is_form = !page.noun.eq_ignore_ascii_case("question");
    let unknown = |number: usize| Question {
        header: format!("{} {number}", page.noun),
        question: String::new(),
        options: Vec::new(),
        multi_select: None,
        text_input: None,
    };
    let mut questions: Vec<Question> = (1..=page.total).map(unknown).collect();
    let front = page.index.saturating_sub(1);
    if let Some(question) = questions.get_mut(front) {
        let options = sighting.options.iter().zip(sighting.option_values());
        question.options = options.map(|(option, value)| option.to_wire(value)).collect();
        question.text_input = sighting.text.as_ref().map(SightedText::to_wire);
        question.question.clone_from(&sighting.title);
        if is_form && let Some((name, about)) = field.split_first() {
            question.header.clone_from(name);
            question.question = if about.is_empty() { name.clone() } else { about.join("\n") };
        }
    }
    // The words of a form stay from page to page; of questions only their number does. Two dialogs in a row with as many are
    // told apart by what stands above them.
    let stays = if is_form { sighting.title.as_str() } else { "" };
    sighting.identity = format!("{} pages: {stays}", page.total);
    sighting.questions = questions;
    sighting.question_index = Some(front);
    sighting.unanswered = page.unanswered;
    if is_form {
        sighting.description.clear();
    }
}

/// The tool behind a page.
fn page_tool(body: &Body, page: &Page, kind: PromptKind) -> (Option<String>, Option<Value>) {
    if kind == PromptKind::Permission {
        let input: Map<String, Value> =
            body.labelled.iter().map(|(key, value)| (key.clone(), Value::String(value.clone()))).collect();
        return (mcp_tool(&body.title), Some(Value::Object(input)));
    }
    let name = if page.noun.eq_ignore_ascii_case("question") { "request_user_input" } else { "mcp elicitation" };
    (Some(name.to_owned()), None)
}

/// True when a server's tool may be given more than its dialog shows: Codex lists three values at most, and no more than 60
/// characters of each.
fn hides_input(body: &Body) -> bool {
    const LISTED: usize = 3;
    const SHOWN: usize = 60;
    let cut = |value: &str| value.chars().count() >= SHOWN || value.ends_with("...") || ends_cut(value);
    body.labelled.len() >= LISTED || body.labelled.iter().any(|(_, value)| cut(value))
}

/// `Allow the demo MCP server to run tool "x"?` is about `mcp:demo.x`.
fn mcp_tool(title: &str) -> Option<String> {
    let tool = title.split('"').nth(1)?;
    let server = title.split(" MCP ").next().filter(|front| front.len() < title.len())?.rsplit(' ').next()?;
    Some(format!("mcp:{server}.{tool}"))
}

fn values<'a>(body: &'a Body, key: &'a str) -> impl Iterator<Item = &'a str> {
    body.labelled.iter().filter(move |(name, _)| name.eq_ignore_ascii_case(key)).map(|(_, value)| value.as_str())
}

/// Reason, rule and further text. What has a place of its own is left out, and so is the usual environment.
fn description(body: &Body, sighting: &Sighting) -> String {
    let shown = |key: &str, value: &str| match key.to_lowercase().as_str() {
        "thread" | "destination" => false,
        "environment" => value != "local",
        "input" => sighting.tool_name.as_deref() != Some("write_stdin"),
        "permission rule" => sighting.tool_name.as_deref() != Some("request_permissions"),
        _ => !(sighting.kind == PromptKind::Permission && body.page.is_some()),
    };
    let labelled =
        body.labelled.iter().filter(|(key, value)| shown(key, value)).map(|(key, value)| format!("{key}: {value}"));
    let text = body.text.iter().filter(|text| **text != body.title).cloned();
    labelled.chain(text).collect::<Vec<_>>().join("\n")
}

/// The rows of the change that 0.166 draws as the last thing of the conversation, above the dialog that asks for it.
fn rows_above(screen: &Screen, start: usize) -> Range<usize> {
    let cell = (0..start).rev().find(|row| screen.lines.get(*row).and_then(Line::indent) == Some(0));
    // Where the cell's first row is scrolled away, its files still head their rows.
    let from = cell
        .filter(|row| screen.lines.get(*row).is_some_and(diff::heads_file))
        .unwrap_or_else(|| cell.map_or(0, |row| row + 1));
    from..start
}

/// The plan in the conversation above: from the row that announces it to the next thing that was said.
fn plan_above(screen: &Screen, start: usize) -> Option<String> {
    let at_edge = |row: &usize| screen.lines.get(*row).and_then(Line::indent) == Some(0);
    let announces = |row: &usize| at_edge(row) && screen.text(*row).to_lowercase().trim_end().ends_with("plan");
    let head = (0..start).rev().find(announces)?;
    let end = (head + 1..start).find(at_edge).unwrap_or(start);
    let rows = screen.lines.get(head + 1..end)?.iter().map(|line| line.text_from(2));
    let plan = rows.collect::<Vec<_>>().join("\n").trim().to_owned();
    (!plan.is_empty()).then_some(plan)
}
