//! From the parts of a dialog to the prompt the person gets.

use serde_json::{Value, json};
use shared_types::{OptionRole, PromptKind, PromptOption, PromptSource};

use crate::{
    Offer, SightedText, Sighting,
    gemini_family::{
        lines::unframed,
        tool::{self, Body},
        words::{self, Words},
    },
    layout::squash,
    qwen::keys,
};

use super::{
    dialog::{Dialog, Paragraph, join_rows},
    tabs::{self, Tabs},
};

/// Makes a prompt of a dialog that a tool has opened.
pub(super) fn of_tool(dialog: &Dialog<'_>) -> Sighting {
    // The hint of a question names several keys, the arrows first; permissions have none.
    if dialog.hint.contains('↑') && dialog.hint.contains('|') {
        return question(dialog);
    }
    if is_plan(dialog) { plan(dialog) } else { permission(dialog) }
}

fn is_plan(dialog: &Dialog<'_>) -> bool {
    let named = |name: &str| name.to_lowercase().contains("planmode") || words::names_plan(name);
    match &dialog.tool {
        Some(tool) => named(&tool.name),
        // The row that names the tool may be scrolled off.
        None => {
            dialog.list.options(false, dialog.width).iter().any(|option| Words::of(&option.label).has(&["planning"]))
        }
    }
}

fn sighting(dialog: &Dialog<'_>, kind: PromptKind, build: &'static str) -> Sighting {
    let mut sighting = Sighting::new(kind, PromptSource::Screen, build);
    sighting.rows = dialog.rows.clone();
    sighting.options = dialog.list.options(false, dialog.width);
    sighting.selected = dialog.list.selected();
    sighting.more_options = dialog.list.clipped;
    sighting.tool_name = dialog.tool.as_ref().map(|tool| tool.name.clone());
    sighting.agent = dialog.agent.as_ref().map(|(name, _)| name.clone());
    sighting.incomplete = !dialog.topped || dialog.hides_lines();
    sighting
}

fn permission(dialog: &Dialog<'_>) -> Sighting {
    let mut sighting = sighting(dialog, PromptKind::Permission, keys::CHOICE);
    let question = dialog.question();
    sighting.title = question.as_ref().map(|question| question.text.clone()).unwrap_or_default();
    let end = question.map_or(dialog.list.rows.start, |question| question.rows.start);
    let body: Vec<Paragraph> = dialog.paragraphs(dialog.text_start()..end);
    let (warnings, body): (Vec<_>, Vec<_>) = body.into_iter().partition(|piece| piece.text.starts_with('⚠'));
    // Where the row of the tool is scrolled off, only the last piece is surely not of its own.
    let known = dialog.tool.is_some() || dialog.agent.is_some();
    let from = if known { body.first() } else { body.last() }.map_or(end, |piece| piece.rows.start);
    let rows = from..body.last().map_or(from, |piece| piece.rows.end);
    let about = dialog.tool.as_ref().map(|tool| tool.about.clone()).unwrap_or_default();
    let shown: Vec<_> = dialog.inside[rows.clone()].iter().map(|span| unframed(*span)).collect();
    let read = Body::read(&shown, dialog.width);
    let mut description: Vec<String> = warnings.into_iter().map(|piece| piece.text).collect();
    let runs = dialog.tool.as_ref().is_some_and(|tool| words::runs_commands(&tool.name));
    if let Some(unified) = read.unified.filter(|_| !runs) {
        let diff = tool::diff_of(&about, unified);
        sighting.tool_input = Some(json!({ "file_path": diff.path }));
        sighting.incomplete |= dialog.may_wrap(rows);
        sighting.diff = vec![diff];
        description.push(about.clone());
    } else if runs || dialog.tool.is_none() && dialog.agent.is_none() {
        let lossy = dialog.may_wrap(rows) || read.text.is_empty();
        let (command, remark) = command(&about, &read.text, lossy);
        sighting.incomplete |= lossy;
        sighting.tool_input = Some(command).filter(|command| !command.is_empty()).map(Value::String);
        description.push(remark);
    } else {
        sighting.tool_input = serde_json::from_str(&about).ok().filter(Value::is_object);
        sighting.incomplete |= dialog.may_wrap(rows);
        if sighting.tool_input.is_none() && dialog.agent.is_none() && squash(&about) != squash(&read.text) {
            description.push(about.clone());
        }
        description.push(read.text);
    }
    sighting.description = join(description);
    judge(&mut sighting);
    sighting.identity = format!("{}\n{about}", sighting.title.trim_end_matches('…'));
    if dialog.tool.is_none() {
        let input = sighting.tool_input.as_ref().and_then(Value::as_str).unwrap_or_default();
        sighting.identity = format!("{}\n{}\n{input}", sighting.title, sighting.description);
    }
    squash_identity(&mut sighting);
    sighting
}

/// The command and what is said of it. The body shows it line by line, but loses characters where it wraps; the row of the tool
/// loses none, but not where its lines end.
fn command(about: &str, body: &str, lossy: bool) -> (String, String) {
    let (told, remark) = without_remark(about);
    if !lossy {
        let same = squash(about).starts_with(&squash(body));
        return (body.to_owned(), if same { remark.to_owned() } else { about.to_owned() });
    }
    if told.is_empty() { (body.to_owned(), String::new()) } else { (told.to_owned(), remark.to_owned()) }
}

/// Parts the last brackets from what stands before them.
fn without_remark(about: &str) -> (&str, &str) {
    let Some(inner) = about.strip_suffix(')') else { return (about, "") };
    let mut depth = 1;
    for (at, ch) in inner.char_indices().rev() {
        depth += i32::from(ch == ')') - i32::from(ch == '(');
        if depth == 0 {
            return if at > 0 { (about[..at].trim_end(), &inner[at + 1..]) } else { (about, "") };
        }
    }
    (about, "")
}

fn plan(dialog: &Dialog<'_>) -> Sighting {
    let mut sighting = sighting(dialog, PromptKind::Plan, keys::CHOICE);
    let question = dialog.question();
    let start = dialog.text_start();
    let end = question.as_ref().map_or(dialog.list.rows.start, |question| question.rows.start);
    sighting.title = question.map(|question| question.text).unwrap_or_default();
    let mut rows: Vec<_> = dialog.inside[start..end].iter().map(|span| unframed(*span)).collect();
    // The last row of the plan's part names a key that opens an editor at the desk.
    let last = rows.iter().rposition(|span| !span.is_blank());
    if let Some(last) = last.filter(|row| names_key(&rows[*row].text())) {
        rows.truncate(last);
    }
    let plan = tool::lines(&rows, dialog.width);
    sighting.plan = Some(plan).filter(|plan| !plan.trim().is_empty());
    let first = sighting.plan.as_deref().and_then(|plan| plan.lines().next()).unwrap_or_default();
    sighting.identity = format!("plan\n{first}");
    squash_identity(&mut sighting);
    judge(&mut sighting);
    sighting
}

fn names_key(text: &str) -> bool {
    let mut words = text.split_whitespace();
    words.next().is_some_and(|word| word.len() == 1 && word.chars().all(|ch| ch.is_ascii_lowercase()))
        && words.count() > 1
}

fn question(dialog: &Dialog<'_>) -> Sighting {
    let tabs = Tabs::find(&dialog.inside[..dialog.list.rows.start]);
    let review = tabs.as_ref().is_some_and(|tabs| tabs.front == tabs.headers.len());
    let build = if tabs.is_some() { keys::TABS } else { keys::ASK };
    let mut sighting = sighting(dialog, PromptKind::Question, build);
    sighting.tool_name = None;
    sighting.multi_select = dialog.list.is_multi();
    sighting.options = dialog.list.options(!review, dialog.width);
    let start = tabs.as_ref().map_or(dialog.text_start(), |tabs| tabs.row + 1);
    let mut paragraphs = dialog.paragraphs(start..dialog.list.rows.start);
    // A short name in bold stands above the question.
    let bold = |piece: &Paragraph| dialog.inside[piece.rows.start].first().is_some_and(|cell| cell.style.bold);
    let header = (paragraphs.len() > 1 && bold(&paragraphs[0])).then(|| paragraphs.remove(0));
    let first = (!review && !paragraphs.is_empty()).then(|| paragraphs.remove(0));
    let title = if review { paragraphs.pop() } else { first };
    sighting.title = title.map(|piece| piece.text).unwrap_or_default();
    sighting.description = join(paragraphs.into_iter().map(|piece| piece.text).collect());
    sighting.identity = sighting.title.clone();
    if let Some(tabs) = tabs {
        // Of the other questions only the short names are seen until a hook or the record tells them.
        sighting.incomplete = true;
        tell_tabs(dialog, &tabs, header.is_some() && review, &mut sighting);
        let letters = tabs.headers.iter().map(|header| header.chars().next().unwrap_or(' ').to_string());
        sighting.identity = format!("tabs {}", letters.collect::<Vec<_>>().join("/"));
    }
    squash_identity(&mut sighting);
    sighting
}

fn tell_tabs(dialog: &Dialog<'_>, tabs: &Tabs, review: bool, sighting: &mut Sighting) {
    sighting.questions = tabs.questions();
    sighting.question_index = Some(tabs.front);
    if review || tabs.front == tabs.headers.len() {
        let rows = &dialog.inside[tabs.row + 1..dialog.list.rows.start];
        let shown: Vec<_> = rows.iter().copied().skip_while(|span| span.is_blank()).collect();
        let answers = tabs::answers(&shown, tabs.headers.len());
        for (question, answer) in sighting.questions.iter_mut().zip(answers) {
            question.options = answer.map(given).into_iter().collect();
        }
        return;
    }
    let values = sighting.option_values();
    let options = sighting.options.iter().zip(values).map(|(option, value)| option.to_wire(value)).collect();
    if let Some(question) = sighting.questions.get_mut(tabs.front) {
        question.question.clone_from(&sighting.title);
        question.options = options;
        question.multi_select = sighting.multi_select.then_some(true);
        question.text_input = sighting.text.as_ref().map(SightedText::to_wire);
    }
}

fn given(label: String) -> PromptOption {
    PromptOption { value: label.clone(), label, checked: Some(true), ..PromptOption::default() }
}

/// The warning of a loop. Nobody is said to be waited for; it stands in a box.
pub(super) fn of_loop(dialog: &Dialog<'_>) -> Sighting {
    let mut sighting = sighting(dialog, PromptKind::LoopDetected, keys::CHOICE);
    sighting.title = dialog.tool.as_ref().map(|tool| join_title(&tool.name, &tool.about)).unwrap_or_default();
    sighting.tool_name = None;
    let above = dialog.text_start()..dialog.list.rows.start;
    sighting.description = join(dialog.paragraphs(above).into_iter().map(|piece| piece.text).collect());
    for option in &mut sighting.options {
        option.role = Some(OptionRole::Other);
    }
    sighting.identity = sighting.title.clone();
    squash_identity(&mut sighting);
    sighting
}

fn join_title(name: &str, about: &str) -> String {
    format!("{name} {about}").trim_end().to_owned()
}

/// A notice of the start: what it asks, and the rest.
pub(super) fn of_notice(dialog: &Dialog<'_>) -> Sighting {
    let mut sighting = sighting(dialog, PromptKind::Permission, keys::CHOICE);
    sighting.tool_name = None;
    let rows: Vec<String> = dialog.inside[..dialog.list.rows.start].iter().map(|span| span.text()).collect();
    let mut rows = rows.iter().map(String::as_str).filter(|row| !row.is_empty());
    sighting.title = rows.next().unwrap_or_default().to_owned();
    sighting.description = join_rows(rows, dialog.width);
    judge(&mut sighting);
    sighting.identity = sighting.title.clone();
    squash_identity(&mut sighting);
    sighting
}

/// What each option means. The key behind a label tells the one that refuses in every language.
fn judge(sighting: &mut Sighting) {
    for option in &mut sighting.options {
        let words = Words::of(&option.label);
        let role = match words::role(&option.label) {
            _ if option.hint.as_deref() == Some("esc") => OptionRole::Deny,
            OptionRole::Other if words.has(&["always"]) => OptionRole::AllowAlways,
            OptionRole::Other if words.has(&["allow"]) => OptionRole::Allow,
            OptionRole::Allow if words.has(&["auto-accept", "yolo", "auto-edit"]) => OptionRole::AllowAlways,
            role => role,
        };
        option.role = Some(role);
        if words::opens_editor(&option.label) {
            option.offer = Offer::Withheld;
        }
    }
}

fn squash_identity(sighting: &mut Sighting) {
    sighting.identity = squash(&sighting.identity);
}

fn join(texts: Vec<String>) -> String {
    texts.into_iter().filter(|text| !text.trim().is_empty()).collect::<Vec<_>>().join("\n")
}
