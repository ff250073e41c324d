//! Questions: numbered rows below what is asked, with check boxes where several may be chosen, and tabs above where several
//! questions are asked or the answers are reviewed. The plan that was made ready is asked about in the same form.
//!
//! What does not fit is cut at the bottom without a mark, the keys included.

use shared_types::{OptionRole, PromptKind, PromptSource, Question};

use super::{
    field,
    panel::{Panel, Row},
    permission::lit,
    screen::tells_enter,
    wrapped,
};
use crate::{Screen, SightedOption, Sighting};

/// Rows, of which one is chosen.
pub(super) const CHOICE: &str = "opencode-choice";
/// A page below tabs.
pub(super) const TABS: &str = "opencode-tabs";
/// The page that shows all answers.
pub(super) const REVIEW: &str = "opencode-review";

/// Where texts and numbers begin.
const TEXT: u16 = 2;

/// The tabs above a question.
struct Tabs {
    headers: Vec<String>,
    front: usize,
}

/// The numbered rows.
#[derive(Default)]
struct Options {
    options: Vec<SightedOption>,
    selected: Option<usize>,
    /// The row behind the last of them.
    end: usize,
}

/// Reads the dialog in a panel, if it is a question.
pub(super) fn read(screen: &Screen, panel: &Panel) -> Option<Sighting> {
    let row = |at: usize| panel.row(screen, at);
    let drawn = |from: usize| (from..panel.rows.end).find(|at| !row(*at).is_blank());
    let first = drawn(panel.rows.start)?;
    let tabs = tabs(&row(first));
    let start = if tabs.is_some() { drawn(first + 1)? } else { first };
    let Some(begin) = first_option(screen, panel, start) else {
        return review(screen, panel, tabs.as_ref()?, first, start);
    };
    let found = options(screen, panel, begin);
    // The cursor is shown only in the field below the last row.
    let typing = panel.cursor(screen).is_some();
    let own = found.options.last().is_some_and(|option| option.text.is_some());
    if typing && !own || found.selected.is_none() && !typing {
        return None;
    }
    let keys = (found.end..panel.rows.end).any(|at| row(at).tells_keys());
    let mut sighting = Sighting::new(PromptKind::Question, PromptSource::Screen, CHOICE);
    sighting.title = title(screen, panel, start..begin);
    sighting.multi_select = found.options.iter().any(|option| option.checked.is_some());
    sighting.more_options = !keys && !own;
    sighting.selected = found.selected;
    sighting.options = found.options;
    sighting.tool_name = Some("question".to_owned());
    let padded = first > panel.rows.start;
    sighting.rows = first - usize::from(padded)..panel.rows.end;
    if let Some(tabs) = tabs {
        sighting.build = TABS;
        fill_tabs(&mut sighting, &tabs);
    } else if !own && !sighting.more_options && sighting.title.to_lowercase().starts_with("plan") {
        // The plan itself is in a file that is named, not on the screen.
        sighting.kind = PromptKind::Plan;
        sighting.tool_name = Some("plan_exit".to_owned());
        sighting.incomplete = true;
        for (at, option) in sighting.options.iter_mut().enumerate() {
            option.role = Some(if at == 0 { OptionRole::Allow } else { OptionRole::Deny });
        }
    }
    Some(sighting)
}

/// A row of names of which one stands on a ground of its own.
fn tabs(row: &Row<'_>) -> Option<Tabs> {
    let front = lit(row)?;
    let headers: Vec<String> = row.segments().into_iter().map(|segment| segment.text).collect();
    (row.indent() == Some(TEXT + 1) && headers.len() >= 2).then_some(Tabs { headers, front })
}

/// The row with the number one, below a blank row.
fn first_option(screen: &Screen, panel: &Panel, start: usize) -> Option<usize> {
    let is_first = |at: &usize| {
        let below_blank = *at == panel.rows.start || panel.row(screen, at - 1).is_blank();
        below_blank && numbered(&panel.row(screen, *at)).is_some_and(|(number, _)| number == 1)
    };
    (start..panel.rows.end).find(is_first)
}

/// `2. Label` as its number and its label.
fn numbered(row: &Row<'_>) -> Option<(usize, String)> {
    let text = row.text_from(TEXT);
    let (number, label) = text.split_once(". ")?;
    let number = number.parse().ok().filter(|_| row.indent() == Some(TEXT))?;
    Some((number, label.trim().to_owned()))
}

fn options(screen: &Screen, panel: &Panel, begin: usize) -> Options {
    let mut found = Options { end: begin, ..Options::default() };
    let cursor = panel.cursor(screen);
    let ground = panel.row(screen, begin).ground();
    let mut labels: Vec<Vec<String>> = Vec::new();
    let mut texts: Vec<Vec<String>> = Vec::new();
    let mut colour = None;
    for at in begin..panel.rows.end {
        let row = panel.row(screen, at);
        if row.is_blank() {
            break;
        }
        found.end = at + 1;
        match numbered(&row).filter(|(number, _)| *number == labels.len() + 1) {
            Some((number, label)) => {
                if row.first().is_some_and(|cell| cell.style.bg != ground) {
                    found.selected = Some(labels.len());
                }
                let digits = u16::try_from(number.to_string().len()).unwrap_or(1);
                colour = row.colour_at(TEXT + digits + 1);
                labels.push(vec![label]);
                texts.push(Vec::new());
            }
            None => {
                let goes_on = colour.is_some() && row.colour_at(0) == colour && texts.last().is_some_and(Vec::is_empty);
                let own = labels.last().and_then(|rows| rows.first()).is_some_and(|label| is_own(label));
                let rows = if goes_on && !own { labels.last_mut() } else { texts.last_mut() };
                if let Some(rows) = rows {
                    rows.push(row.words());
                }
            }
        }
    }
    let width = panel.text_width().saturating_sub(3);
    let last = labels.len().saturating_sub(1);
    for (at, (label, text)) in labels.iter().zip(&texts).enumerate() {
        let label = wrapped::join(label, width).text.replace('\n', " ");
        let (checked, label) = unchecked(&label);
        // An answer that was just given, or earlier below tabs, has a tick behind it.
        let label = label.trim_end_matches('✓').trim_end();
        let mut option = SightedOption { checked, number: Some((at + 1).to_string()), ..SightedOption::new(label) };
        let shown = wrapped::join(text, width).text.replace('\n', " ");
        if at == last && is_own(&option.label) {
            let empty = cursor.is_some_and(|(_, column)| column == TEXT + 3) && shown == option.label;
            option.role = Some(OptionRole::Other);
            option.text = Some(field::of(if empty { "" } else { &shown }, Some(&option.label), cursor.is_some()));
        } else if !shown.is_empty() {
            option.description = Some(shown);
        }
        found.options.push(option);
    }
    found
}

/// The row that every question ends with, for an answer that is none of the others.
fn is_own(label: &str) -> bool {
    let (_, label) = unchecked(label);
    label.to_lowercase().starts_with("type ")
}

/// `[✓] Label` as the state of its box and the label.
fn unchecked(label: &str) -> (Option<bool>, &str) {
    let Some((mark, rest)) = label.strip_prefix('[').and_then(|rest| rest.split_once("] ")) else {
        return (None, label);
    };
    if mark.chars().count() != 1 { (None, label) } else { (Some(mark != " "), rest.trim()) }
}

fn title(screen: &Screen, panel: &Panel, rows: std::ops::Range<usize>) -> String {
    let drawn: Vec<String> = rows.map(|at| panel.row(screen, at).words()).collect();
    wrapped::join(&drawn, panel.text_width()).text.trim().to_owned()
}

/// The page behind the last question.
fn review(screen: &Screen, panel: &Panel, tabs: &Tabs, first: usize, start: usize) -> Option<Sighting> {
    let row = |at: usize| panel.row(screen, at);
    let is_last = tabs.front + 1 == tabs.headers.len();
    let keys = (start..panel.rows.end).rev().find(|at| tells_enter(&row(*at)));
    let drawn: Vec<String> =
        (start..keys.unwrap_or(panel.rows.end)).map(|at| row(at).words()).filter(|words| !words.is_empty()).collect();
    let (title, answers) = drawn.split_first()?;
    if !is_last || panel.cursor(screen).is_some() || screen.cursor.visible {
        return None;
    }
    let mut sighting = Sighting::new(PromptKind::Question, PromptSource::Screen, REVIEW);
    sighting.title.clone_from(title);
    sighting.description = answers.join("\n");
    sighting.tool_name = Some("question".to_owned());
    sighting.rows = first - usize::from(first > panel.rows.start)..panel.rows.end;
    fill_tabs(&mut sighting, tabs);
    Some(sighting)
}

/// All questions by their names. Of the one in front the screen shows more.
fn fill_tabs(sighting: &mut Sighting, tabs: &Tabs) {
    let headers = tabs.headers.get(..tabs.headers.len() - 1).unwrap_or_default();
    sighting.identity = format!("tabs: {}", headers.join("/"));
    sighting.question_index = Some(tabs.front);
    if headers.len() < 2 {
        return;
    }
    let unknown = |header: &String| Question {
        header: header.clone(),
        question: String::new(),
        options: Vec::new(),
        multi_select: None,
        text_input: None,
    };
    sighting.questions = headers.iter().map(unknown).collect();
    let options = sighting.options.iter().zip(sighting.option_values());
    let options: Vec<_> = options.map(|(option, value)| option.to_wire(value)).collect();
    if let Some(question) = sighting.questions.get_mut(tabs.front) {
        question.question.clone_from(&sighting.title);
        question.options = options;
        question.multi_select = sighting.multi_select.then_some(true);
    }
}
