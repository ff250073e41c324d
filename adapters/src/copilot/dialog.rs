//! A boxed dialog: leave to use a tool, a plan, the start, and in old versions a question. What it is follows from what is in it: an
//! inner box, a change, the question above the options, and the options themselves.

use serde_json::{Value, json};
use shared_types::{OptionRole, PromptKind, PromptSource};

use super::{
    body::{self, Body},
    frame::{self, Frame},
    lines,
    options::{self, CURSOR},
};
use crate::{Screen, SightedOption, SightedText, Sighting, screen::Line};

/// A boxed list of numbered rows.
pub(super) const LIST: &str = "copilot/list";
/// A boxed field without rows.
pub(super) const FIELD: &str = "copilot/field";

/// Reads the dialog that is open.
pub(super) fn read(screen: &Screen) -> Option<Sighting> {
    let frame = frame::find(screen)?;
    let paragraphs = lines::paragraphs(&frame.inside);
    let (keys, above) = paragraphs.split_last()?;
    let key_line = lines::prose(&frame.inside[keys.clone()]);
    if !lines::is_key_line(&key_line) {
        return None;
    }
    let rows = above.last()?.clone();
    let cursor = frame::cursor(screen, &frame);
    let may_be_clipped = !frame.has_top && rows.start == 0;
    if let Some(list) = options::read(&frame.inside, rows.clone(), cursor, may_be_clipped) {
        let body = body::read(&frame.inside[..list.rows.start], frame.width, frame.has_top);
        let mut sighting = sighting(&frame, body, &list.options);
        sighting.selected = list.selected;
        sighting.more_options = list.is_clipped;
        sighting.options = list.options;
        let kind = sighting.kind;
        for option in &mut sighting.options {
            option.role = role(option, kind);
        }
        if kind == PromptKind::Permission {
            take_reason(&mut sighting);
            let input = sighting.tool_input.as_ref().map(Value::to_string).unwrap_or_default();
            sighting.identity = format!("{}|{input}|{}", sighting.title, labels(&sighting.options));
        }
        sighting.position = position(screen, &frame);
        return Some(sighting);
    }
    let text = field(&frame.inside[rows.clone()], cursor, rows.start)?;
    let body = body::read(&frame.inside[..rows.start], frame.width, frame.has_top);
    let mut sighting = self::sighting(&frame, body, &[]);
    sighting.kind =
        if sighting.title.to_lowercase().contains("plan") { PromptKind::Plan } else { PromptKind::Question };
    sighting.build = FIELD;
    sighting.text = Some(text);
    Some(sighting)
}

fn sighting(frame: &Frame, body: Body, options: &[SightedOption]) -> Sighting {
    let kind = kind(&body, options);
    let mut sighting = Sighting::new(kind, PromptSource::Screen, LIST);
    sighting.rows = frame.rows.clone();
    sighting.incomplete = !frame.has_top;
    match kind {
        PromptKind::Plan => {
            sighting.title.clone_from(&body.heading);
            sighting.plan = Some(body::markdown(&body.rows)).filter(|plan| !plan.is_empty());
            sighting.identity = format!("plan {}", labels(options));
        }
        PromptKind::Question => {
            let asked = body.prose.into_iter().chain(body.question).collect::<Vec<_>>();
            sighting.title = asked.join(" ");
            if sighting.title.is_empty() {
                sighting.title = body.heading;
            }
        }
        _ => fill_permission(body, options, &mut sighting),
    }
    if sighting.title.is_empty() {
        sighting.title = options.first().map(|option| option.label.clone()).unwrap_or_default();
    }
    sighting
}

/// A refusal takes a reason along, but needs none: the field is the dialog's, and the row a plain *no*.
fn take_reason(sighting: &mut Sighting) {
    let takes_reason = |option: &&mut SightedOption| option.text.is_some() && option.hint.is_some();
    let Some(no) = sighting.options.iter_mut().find(takes_reason) else { return };
    let field = no.text.take().unwrap_or_default();
    let placeholder = field.value.is_empty().then(|| no.label.clone());
    sighting.text = Some(SightedText { placeholder, ..field });
    no.label = format!("{} ({})", no.label, no.hint.as_deref().unwrap_or_default());
    no.role = Some(OptionRole::Deny);
    no.description = Some("Stops the work, unless you say what to do instead.".to_owned());
}

/// True for the row of a refusal that takes a reason along.
pub(super) fn takes_reason(option: &SightedOption) -> bool {
    option.role == Some(OptionRole::Deny) && option.description.is_some()
}

/// The labels that stay while the dialog is answered.
fn labels(options: &[SightedOption]) -> String {
    let lasting = options.iter().filter(|option| option.text.is_none() && !takes_reason(option));
    lasting.map(|option| option.label.as_str()).collect::<Vec<_>>().join("|")
}

fn kind(body: &Body, options: &[SightedOption]) -> PromptKind {
    let says = |word: &str| options.iter().any(|option| option.label.to_lowercase().contains(word));
    if says("type your answer") || body.heading.eq_ignore_ascii_case("question") && body.boxes.is_empty() {
        PromptKind::Question
    } else if body.boxes.is_empty() && body.change.is_none() && (says("accept plan") || says("suggest changes")) {
        PromptKind::Plan
    } else {
        PromptKind::Permission
    }
}

fn fill_permission(body: Body, options: &[SightedOption], sighting: &mut Sighting) {
    let question = body.question.unwrap_or_default();
    let asked = question.to_lowercase();
    let mut boxes = body.boxes.into_iter();
    if let Some((above, changes)) = &body.change {
        let diff = body::diff(above, changes, &question);
        sighting.tool_name = Some(if asked.contains("create") { "create" } else { "edit" }.to_owned());
        sighting.tool_input = Some(json!({ "path": diff.path }));
        sighting.diff = vec![diff];
    } else if let Some(text) = boxes.next() {
        // The first inner box is what the tool would be given; a second one is what a lasting row would allow.
        let (tool, input) = if asked.contains("trust") {
            (None, Value::Null)
        } else if asked.contains("command") {
            (Some("bash".to_owned()), Value::String(text.clone()))
        } else if asked.contains("tool call") {
            called(&text)
        } else if asked.contains("tool") {
            (server_tool(options).or_else(|| Some(body.heading.clone())), parsed(&text))
        } else if text.contains("://") {
            (Some("web_fetch".to_owned()), Value::String(text.clone()))
        } else {
            (None, Value::String(text.clone()))
        };
        sighting.tool_name = tool;
        sighting.tool_input = Some(input).filter(|input| !input.is_null());
        if sighting.tool_input.is_none() {
            sighting.description = text;
        }
    } else if let Some(path) = question.find('/').filter(|_| asked.contains(" edit ") || asked.contains(" create ")) {
        // All of the change is off the screen.
        let path = question[path..].trim_end_matches('?');
        sighting.tool_name = Some(if asked.contains(" create ") { "create" } else { "edit" }.to_owned());
        sighting.tool_input = Some(json!({ "path": path }));
    }
    let mut told: Vec<String> = body.prose.into_iter().chain(boxes).collect();
    if question.is_empty() {
        sighting.title = body.heading;
    } else {
        sighting.title = question;
        told.insert(0, body.heading);
    }
    told.push(std::mem::take(&mut sighting.description));
    sighting.description = told.into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n");
}

/// The tool of a server, as the lasting row names it: `… for tool "add_note" from "demo" in this repo`.
fn server_tool(options: &[SightedOption]) -> Option<String> {
    let named = |option: &SightedOption| {
        let mut parts = option.label.split('"').skip(1).step_by(2);
        let (tool, server) = (parts.next()?, parts.next()?);
        let is_name = |name: &str| name.chars().all(|ch| ch.is_ascii_alphanumeric() || "_-.".contains(ch));
        let names_both = is_name(tool) && is_name(server) && option.label.contains("\" from \"");
        names_both.then(|| format!("mcp__{server}__{tool}"))
    };
    options.iter().find_map(named)
}

/// `Tool: view`, then `Args: {…}`.
fn called(text: &str) -> (Option<String>, Value) {
    let (first, arguments) = text.split_once('\n').unwrap_or((text, ""));
    let tool = first.split_once(": ").map(|(_, tool)| tool.to_owned());
    let arguments = arguments.split_once(": ").map_or(arguments, |(_, arguments)| arguments);
    (tool, parsed(arguments))
}

/// JSON where it is some: a text in it that was wrapped may hold line breaks that are none.
fn parsed(text: &str) -> Value {
    let joined = || text.lines().collect::<Vec<_>>().join(" ");
    let json = serde_json::from_str(text).or_else(|_| serde_json::from_str(&joined()));
    json.unwrap_or_else(|_| Value::String(text.to_owned()))
}

/// What choosing an option means. Words decide: the rows are built alike.
fn role(option: &SightedOption, kind: PromptKind) -> Option<OptionRole> {
    let label = option.label.to_lowercase();
    let lasting =
        || ["don't ask", "remember", "for this session", "permanently", "approve all", "allow file", "rest of"];
    match kind {
        PromptKind::Question => option.text.is_some().then_some(OptionRole::Other),
        _ if option.text.is_some() => Some(OptionRole::Feedback),
        PromptKind::Plan if label.starts_with("accept") && label.contains("autopilot") => Some(OptionRole::AllowAlways),
        PromptKind::Plan if label.starts_with("accept") => Some(OptionRole::Allow),
        PromptKind::Plan if label.starts_with("exit") => Some(OptionRole::Deny),
        _ if ["no", "cancel"].contains(&first_word(&label)) => Some(OptionRole::Deny),
        _ if label.starts_with("enable all") => Some(OptionRole::AllowAlways),
        _ if label.starts_with("use ") => Some(OptionRole::Allow),
        _ if label == "yes" => Some(OptionRole::Allow),
        _ if label.starts_with("yes") || lasting().iter().any(|words| label.contains(words)) => {
            Some(OptionRole::AllowAlways)
        }
        _ => None,
    }
}

fn first_word(label: &str) -> &str {
    label.split(|ch: char| !ch.is_alphanumeric()).next().unwrap_or_default()
}

/// What the row above the box says of those that wait: `Permission request (1 remaining)`.
fn position(screen: &Screen, frame: &Frame) -> Option<String> {
    let above = frame.rows.start.checked_sub(1).filter(|_| frame.has_top)?;
    let text =
        (above.saturating_sub(1)..=above).rev().map(|row| screen.text(row).trim()).find(|text| !text.is_empty())?;
    let (_, counted) = text.strip_suffix(')')?.rsplit_once('(')?;
    let (number, _) = counted.split_once(' ')?;
    number.bytes().all(|byte| byte.is_ascii_digit()).then(|| counted.to_owned())
}

/// A field in place of a list: `❯ ` and what is typed, perhaps between rules.
pub(super) fn field(rows: &[Line], cursor: Option<(usize, u16)>, first: usize) -> Option<SightedText> {
    let at =
        rows.iter().position(|line| line.first_drawn().is_some_and(|cell| cell.ch == CURSOR && cell.column <= 1))?;
    let glyph = rows[at].first_drawn()?.column;
    let typed: Vec<String> = rows[at..]
        .iter()
        .map(|line| line.text_from(glyph + 2).trim_end().to_owned())
        .take_while(|text| !body::is_only_strokes(text.trim()))
        .collect();
    let shown = typed.join(" ").trim().to_owned();
    let (row, column) = cursor?;
    let is_empty = (row, column) == (first + at, glyph + 2);
    let placeholder = (is_empty && !shown.is_empty()).then(|| shown.clone());
    Some(SightedText {
        placeholder,
        value: if is_empty { String::new() } else { shown },
        focused: true,
        ..SightedText::default()
    })
}
