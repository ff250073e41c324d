//! Reads Claude's own questions: one, one with check boxes, several on tabs, and the review of all answers.

use shared_types::{OptionRole, PromptKind, Question};

use super::{
    body,
    dialog::{Dialog, paragraphs},
    lines::Row,
    options::List,
    sight::{build, joined, new},
    tabs::Tabs,
    words,
};
use crate::{SightedText, Sighting};

/// The sighting of a question.
pub(super) fn question(dialog: &Dialog<'_>, list: &List, tabs: &Tabs) -> Sighting {
    let cols = dialog.cols;
    let skipped = usize::from(!tabs.headers.is_empty());
    let head: Vec<Row<'_>> = dialog.parts.iter().flat_map(|part| part.iter().copied()).skip(skipped).collect();
    // A tab's caption may have been wrapped below its bar.
    let words: Vec<&[Row<'_>]> = paragraphs(&head).into_iter().filter(|rows| !is_wrapped_caption(rows, tabs)).collect();
    let several = tabs.headers.len() > 1;
    let build = if tabs.in_review() {
        build::REVIEW
    } else if tabs.reviewed {
        build::TABS
    } else {
        build::SELECT
    };
    let mut sighting = new(PromptKind::Question, build);
    sighting.options = list.options.clone();
    sighting.selected = list.selected;
    sighting.more_options = list.more;
    if tabs.in_review() {
        sighting.title = words.last().map(|rows| joined(rows, cols)).unwrap_or_default();
        let said = words.iter().take(words.len().saturating_sub(1)).map(|rows| body::block(rows, cols));
        sighting.description = said.collect::<Vec<_>>().join("\n");
        for option in &mut sighting.options {
            option.role = Some(words::role(option));
        }
    } else {
        sighting.title = words.iter().map(|rows| joined(rows, cols)).collect::<Vec<_>>().join(" ");
        sighting.multi_select = list.options.iter().any(|option| option.checked.is_some());
        find_text_row(&mut sighting, list);
        add_preview(&mut sighting, list);
    }
    sighting.tool_name = Some("AskUserQuestion".to_owned());
    if tabs.reviewed {
        sighting.question_index = Some(tabs.front);
        sighting.identity = format!("tabs {}", tabs.identity());
    }
    if several && !tabs.in_review() {
        sighting.questions = questions(&sighting, tabs);
    }
    sighting
}

fn is_wrapped_caption(rows: &[Row<'_>], tabs: &Tabs) -> bool {
    tabs.reviewed && matches!(rows, [row] if row.start() > 8 && row.cells.iter().all(|cell| cell.ch.is_alphabetic()))
}

/// Every question by its short name; of the one in front, all that is drawn.
fn questions(sighting: &Sighting, tabs: &Tabs) -> Vec<Question> {
    let empty = |header: &String| Question {
        header: header.clone(),
        question: String::new(),
        options: Vec::new(),
        multi_select: None,
        text_input: None,
    };
    let mut questions: Vec<Question> = tabs.headers.iter().map(empty).collect();
    if let Some(front) = questions.get_mut(tabs.front) {
        front.question.clone_from(&sighting.title);
        let options = sighting.options.iter().zip(sighting.option_values()).filter(|(option, _)| option.is_offered());
        front.options = options.map(|(option, value)| option.to_wire(value)).collect();
        front.multi_select = sighting.multi_select.then_some(true);
        front.text_input = sighting.text.as_ref().map(SightedText::to_wire);
    }
    questions
}

/// A question's last own row takes free text, unless it is described like an option. Its style tells, except once
/// something has been typed there and the cursor has moved away.
fn find_text_row(sighting: &mut Sighting, list: &List) {
    let has_text = sighting.options.iter().any(|option| option.text.is_some());
    let described = sighting.options.iter().any(|option| option.description.is_some());
    let last = list.last_own.and_then(|last| sighting.options.get_mut(last));
    if let Some(option) =
        last.filter(|option| !has_text && described && option.description.is_none() && option.is_offered())
    {
        let invites = words::invites_text(&option.label);
        let value = if invites { String::new() } else { option.label.clone() };
        let placeholder = invites.then(|| option.label.clone());
        option.text = Some(SightedText { placeholder, value, ..SightedText::default() });
    }
    for option in &mut sighting.options {
        if let Some(text) = &mut option.text {
            text.multiline = true;
        }
        option.role = option.is_offered().then_some(OptionRole::Other);
    }
}

fn add_preview(sighting: &mut Sighting, list: &List) {
    let Some(preview) = &list.preview else { return };
    if let Some(option) = sighting.selected.and_then(|at| sighting.options.get_mut(at)) {
        option.preview = Some(preview.text.clone()).filter(|text| !text.is_empty());
    }
    sighting.text.clone_from(&preview.notes);
}
