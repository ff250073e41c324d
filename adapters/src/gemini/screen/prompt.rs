//! From the parts of a dialog to the prompt the person gets: which build it is, what is asked, what would be done.

use serde_json::{Value, json};
use shared_types::{Confidence, OptionRole, PromptKind, PromptOption, PromptSource};

use crate::{
    Offer, Sighting,
    gemini::keys,
    gemini_family::lines::{is_border, unframed},
};

use super::{
    Signal,
    dialog::{Dialog, OpenedBy, Paragraph},
    tabs, tool, words,
};

/// How a dialog is built.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Build {
    /// A tool, what it would do, and a question below.
    Tool,
    /// A question of the model's with its own hint line.
    Ask,
    /// The same around a plan.
    Plan,
    /// The warning of a loop.
    Loop,
    /// Some text and options.
    Choice,
    /// Some text and a field.
    Field,
}

impl Build {
    /// Tells the build of a dialog; nothing when it has no part that takes an answer.
    pub(super) fn of(dialog: &Dialog<'_>) -> Option<Self> {
        // Of several tools in one box the one that asks is pointed at.
        if dialog.shows_tool_state() && !dialog.tool.as_ref().is_some_and(|tool| tool.pointed) {
            return None;
        }
        // The hint line of the model's own questions has several parts with dots between.
        let hinted = dialog.hint.contains('·') && dialog.begins_at_once();
        let Some(list) = &dialog.list else {
            // Rows that are marked but not numbered are a menu: settings and the like.
            if dialog.frame.inside.iter().any(|span| span.glyph() == Some('●')) {
                return None;
            }
            let review = dialog.tabs.as_ref().is_some_and(|tabs| tabs.front == tabs.headers.len());
            return match (&dialog.field, hinted) {
                (_, true) if dialog.field.is_some() || review => Some(Build::Ask),
                (Some(_), _) => Some(Build::Field),
                _ => None,
            };
        };
        let labels = || list.options.iter().map(|option| option.label.as_str());
        match &dialog.tool {
            Some(tool) if tool.pointed || dialog.begins_at_once() && !hinted => {
                // The loop warning is not a tool's: it is set in like a notice, and nobody is said to be waited for.
                let apart = dialog.frame.left > 0 && dialog.signal != Signal::Asks;
                let named = words::names_loop(&tool.name) || labels().any(words::names_loop);
                Some(if apart && (tool.bare || named) || named && tool.bare { Build::Loop } else { Build::Tool })
            }
            _ if hinted => {
                let header = dialog.frame.inside.first().map(|span| span.text()).unwrap_or_default();
                let edits = dialog.hint.to_lowercase().contains("ctrl+");
                Some(if edits || words::names_plan(&header) { Build::Plan } else { Build::Ask })
            }
            _ => Some(Build::Choice),
        }
    }
}

/// True when the person opened the dialog: settings, themes and the like. It is theirs to close.
pub(super) fn is_persons_own(dialog: &Dialog<'_>, build: Build) -> bool {
    if !matches!(build, Build::Choice | Build::Field) {
        return false;
    }
    words::can_be_closed(&dialog.hint)
        || dialog.opened_by == OpenedBy::Command
            && matches!(dialog.signal, Signal::Idle | Signal::Silent)
            && !is_consent(dialog)
}

/// True when one option agrees and another refuses, in so many words.
fn is_consent(dialog: &Dialog<'_>) -> bool {
    let Some(list) = &dialog.list else { return false };
    let words: Vec<words::Words> = list.options.iter().map(|option| words::Words::of(&option.label)).collect();
    let says = |wanted: &[&str]| words.iter().any(|words| words.begins(wanted));
    says(&["yes", "allow"]) && says(&["no", "deny", "cancel"])
}

/// Makes a prompt of a dialog.
pub(super) fn sighting(dialog: &Dialog<'_>, build: Build) -> Sighting {
    let kind = match build {
        Build::Tool => PromptKind::Permission,
        Build::Plan => PromptKind::Plan,
        Build::Loop => PromptKind::LoopDetected,
        Build::Choice if is_consent(dialog) => PromptKind::Permission,
        Build::Ask | Build::Choice | Build::Field => PromptKind::Question,
    };
    let name = match (build, &dialog.tabs) {
        (Build::Ask, Some(_)) => keys::TABS,
        (Build::Ask | Build::Plan, None) | (Build::Plan, Some(_)) => keys::ASK,
        (Build::Field, _) => keys::FIELD,
        _ => keys::CHOICE,
    };
    let mut sighting = Sighting::new(kind, PromptSource::Screen, name);
    sighting.rows = dialog.frame.rows.clone();
    sighting.text = dialog.field.as_ref().map(|(text, _)| text.clone());
    if let Some(list) = &dialog.list {
        sighting.options.clone_from(&list.options);
        sighting.selected = Some(list.selected);
        sighting.more_options = list.scrolls;
        sighting.multi_select = list.multi;
    }
    match build {
        Build::Tool => tell_tool(dialog, &mut sighting),
        Build::Ask => tell_question(dialog, &mut sighting),
        Build::Plan => tell_plan(dialog, &mut sighting),
        Build::Loop => tell_loop(dialog, &mut sighting),
        Build::Choice | Build::Field => tell_notice(dialog, &mut sighting),
    }
    tell_roles(build, &mut sighting);
    sighting.incomplete |= is_cut(dialog);
    sighting.identity = identity(dialog, &sighting);
    if matches!(build, Build::Choice | Build::Field) && dialog.signal != Signal::Asks {
        sighting.confidence = Confidence::Likely;
    }
    sighting
}

/// True when the dialog does not show all that is asked about: its upper border is not on the screen, or it hides lines.
fn is_cut(dialog: &Dialog<'_>) -> bool {
    !dialog.frame.topped || hides_lines(dialog)
}

fn hides_lines(dialog: &Dialog<'_>) -> bool {
    dialog.frame.inside.iter().any(|span| tool::is_collapsed(unframed(*span)))
}

/// What makes it the same prompt at every width and on every tab. Gemini cuts labels and the names of tabs to the width, and
/// scrolls its lists; of a tab's name at least the first letter is left.
fn identity(dialog: &Dialog<'_>, sighting: &Sighting) -> String {
    if let Some(tabs) = &dialog.tabs {
        let letters = tabs.headers.iter().map(|header| header.chars().next().unwrap_or(' ').to_string());
        return format!("tabs {}", letters.collect::<Vec<_>>().join("/"));
    }
    // How many lines of a long command are hidden changes while the dialog finds its place; what it says of itself stays.
    let input = match &sighting.tool_input {
        Some(Value::String(_)) if hides_lines(dialog) => sighting.description.clone(),
        Some(input) => input.to_string(),
        None => String::new(),
    };
    format!("{}\n{}\n{input}", sighting.title, sighting.tool_name.as_deref().unwrap_or_default())
}

fn tell_roles(build: Build, sighting: &mut Sighting) {
    let judged = matches!(sighting.kind, PromptKind::Permission | PromptKind::Plan);
    for option in &mut sighting.options {
        option.role = match build {
            Build::Loop => Some(OptionRole::Other),
            Build::Plan if option.text.is_some() => Some(OptionRole::Feedback),
            _ if judged => Some(words::role(&option.label)),
            _ => None,
        };
        // A row without a number ends a multi-select; an editor would open where the person is not.
        if option.number.is_none() || build == Build::Tool && words::opens_editor(&option.label) {
            option.offer = Offer::Withheld;
        }
    }
}

fn tell_tool(dialog: &Dialog<'_>, sighting: &mut Sighting) {
    let Some(tool) = &dialog.tool else { return };
    let end = dialog.text_end();
    // Where what would be done has a frame of its own, the question stands below it.
    let framed = dialog.frame.inside[..end].iter().rposition(|span| is_border(*span));
    let paragraphs = dialog.paragraphs(framed.unwrap_or(tool.row).max(tool.row) + 1..end);
    // A remark may stand between the question and the options.
    let question = paragraphs.last().filter(|last| last.asks());
    let question = question.or_else(|| paragraphs.iter().rev().take(3).find(|paragraph| paragraph.asks()));
    let question = question.or(paragraphs.last());
    let rows = question.map_or(end..end, |question| question.rows.clone());
    let mut body =
        tool::Body::read(&dialog.frame.inside[tool.row + 1..rows.start.max(tool.row + 1)], dialog.frame.width);
    sighting.title = question.map_or_else(|| tool.name.clone(), |question| question.text.clone());
    sighting.tool_name = Some(tool.name.clone());
    let inside = &dialog.frame.inside;
    sighting.position = inside.iter().take(tool.row + 1).find_map(|span| tool::position(*span)).map(|(_, count)| count);
    sighting.incomplete = tool::hides_input(tool, &body);
    let mut description = vec![tool.about.clone()];
    description.extend(body.about.iter().cloned());
    if let Some(unified) = body.unified.take().filter(|_| !words::runs_commands(&tool.name)) {
        let diff = tool::diff_of(&tool.about, unified);
        sighting.tool_input = Some(json!({ "file_path": diff.path }));
        sighting.diff = vec![diff];
    } else if body.text.is_empty() {
        // All of it is hidden.
    } else if tool::is_command(tool, &body) {
        // What the tool's row tells of the command is only its beginning.
        let told = crate::layout::squash(&description.join("").replace('…', ""));
        let command = crate::layout::squash(&body.text);
        if command.starts_with(&told) || told.starts_with(&command) {
            description.clear();
        }
        sighting.tool_input = Some(Value::String(body.text));
    } else {
        sighting.tool_input = serde_json::from_str(&tool.about).ok().filter(Value::is_object);
        if sighting.tool_input.is_some() || body.text == tool.about {
            description.clear();
        }
        description.push(body.text);
    }
    description.extend(body.notes);
    let after = paragraphs.iter().filter(|paragraph| paragraph.rows.start >= rows.end);
    description.extend(after.map(|paragraph| paragraph.text.clone()));
    sighting.description = join(description);
}

fn tell_question(dialog: &Dialog<'_>, sighting: &mut Sighting) {
    let review = dialog.list.is_none() && dialog.field.is_none();
    let mut paragraphs = dialog.paragraphs(0..dialog.text_end());
    if paragraphs.len() > 1 && dialog.is_headed() {
        paragraphs.remove(0);
    }
    if sighting.multi_select && paragraphs.len() > 1 {
        paragraphs.retain(|paragraph| !(paragraph.text.starts_with('(') && paragraph.text.ends_with(')')));
    }
    if review {
        sighting.title = paragraphs.first().map(|paragraph| paragraph.text.clone()).unwrap_or_default();
        let answers = tabs::answers(&dialog.frame.inside);
        sighting.description = join(answers.iter().map(|(header, answer)| format!("{header} → {answer}")).collect());
    } else {
        tell_text(&paragraphs, sighting);
    }
    let Some(tabs) = &dialog.tabs else { return };
    sighting.questions = tabs.questions();
    sighting.question_index = Some(tabs.front);
    if review {
        let answers = tabs::answers(&dialog.frame.inside);
        for (question, (_, answer)) in sighting.questions.iter_mut().zip(answers) {
            // Only what stands in brackets was not answered.
            if !(answer.starts_with('(') && answer.ends_with(')')) {
                let option = PromptOption {
                    value: answer.clone(),
                    label: answer,
                    checked: Some(true),
                    ..PromptOption::default()
                };
                question.options = vec![option];
            }
        }
        return;
    }
    let values = sighting.option_values();
    let options = sighting.options.iter().zip(values).filter(|(option, _)| option.number.is_some());
    let options: Vec<PromptOption> = options.map(|(option, value)| option.to_wire(value)).collect();
    if let Some(question) = sighting.questions.get_mut(tabs.front) {
        question.question.clone_from(&sighting.title);
        question.options = options;
        question.multi_select = sighting.multi_select.then_some(true);
        question.text_input = sighting.text.as_ref().map(crate::SightedText::to_wire);
    }
}

fn tell_plan(dialog: &Dialog<'_>, sighting: &mut Sighting) {
    let end = dialog.text_end();
    let plan = dialog.lines(usize::from(dialog.is_headed())..end);
    // Where the header is scrolled off, the plan's first line has to do.
    let header = dialog.frame.inside.first().filter(|_| dialog.is_headed()).map(|span| span.text());
    sighting.title = header.unwrap_or_else(|| plan.trim_start().lines().next().unwrap_or_default().to_owned());
    sighting.plan = Some(plan.trim_matches('\n').to_owned()).filter(|plan| !plan.trim().is_empty());
}

fn tell_loop(dialog: &Dialog<'_>, sighting: &mut Sighting) {
    let Some(tool) = &dialog.tool else { return };
    sighting.title = format!("{} {}", tool.name, tool.about).trim_end().to_owned();
    let paragraphs = dialog.paragraphs(tool.row + 1..dialog.text_end());
    sighting.description = join(paragraphs.into_iter().map(|paragraph| paragraph.text).collect());
}

fn tell_notice(dialog: &Dialog<'_>, sighting: &mut Sighting) {
    tell_text(&dialog.paragraphs(0..dialog.text_end()), sighting);
    if let Some(text) = &mut sighting.text {
        text.secret = words::names_secret(&sighting.title);
    }
}

/// The paragraph that asks becomes the title, the others the description.
fn tell_text(paragraphs: &[Paragraph], sighting: &mut Sighting) {
    let asking = || paragraphs.iter().enumerate().filter(|(_, paragraph)| paragraph.asks());
    let title = asking().find(|(_, paragraph)| paragraph.bold).or_else(|| asking().next_back());
    let title = title.map_or(0, |(index, _)| index);
    for (index, paragraph) in paragraphs.iter().enumerate() {
        let text = paragraph.text.trim_start_matches(['?', '>']).trim_start();
        if index == title {
            sighting.title = text.to_owned();
        } else {
            sighting.description = join(vec![std::mem::take(&mut sighting.description), text.to_owned()]);
        }
    }
}

fn join(texts: Vec<String>) -> String {
    texts.into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n")
}
