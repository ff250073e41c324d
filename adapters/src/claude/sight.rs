//! Makes a sighting of a dialog: what kind of question it is, its words, its options with their roles.

use serde_json::{Value, json};
use shared_types::{OptionRole, PromptKind, PromptSource, Question};

use super::{
    body,
    dialog::{Dialog, paragraphs},
    lines::{KeyHint, Row, join, text},
    options::List,
    tabs::Tabs,
    words,
};
use crate::{SightedOption, SightedText, Sighting, layout};

/// How a dialog takes keys: words between the reading and `keys.rs`.
pub(super) mod build {
    /// Rows, chosen with the arrow keys and Enter; where they have numbers, a digit chooses at once.
    pub(in super::super) const SELECT: &str = "select";
    /// The same, and Tab opens a text field on the row.
    pub(in super::super) const AMEND: &str = "select, tab amends";
    /// One of several tabs with questions, or the one question with check boxes; a review follows.
    pub(in super::super) const TABS: &str = "tabs";
    /// The review of the answers to such a dialog.
    pub(in super::super) const REVIEW: &str = "review";
    /// No rows: the options are the keys it names.
    pub(in super::super) const KEYS: &str = "keys";
    /// Its end is out of view.
    pub(in super::super) const CLIPPED: &str = "clipped";
}

/// The sighting of a dialog.
pub(super) fn sighting(dialog: &Dialog<'_>) -> Sighting {
    let tabs = dialog.parts.first().and_then(|part| part.first()).filter(|_| dialog.has_top).and_then(Tabs::of);
    let mut sighting = match (&dialog.list, tabs) {
        (None, _) => keys_only(dialog),
        (Some(list), Some(tabs)) => question(dialog, list, &tabs),
        (Some(list), None) if selects(&dialog.hints) && !dialog.has_top => question(dialog, list, &Tabs::default()),
        (Some(list), None) => approval(dialog, list),
    };
    sighting.rows = dialog.first..dialog.end;
    sighting
}

/// True for the hint line of a question; every other dialog confirms, cancels or amends.
fn selects(hints: &[KeyHint]) -> bool {
    hints.iter().any(|hint| hint.key.eq_ignore_ascii_case("enter") && hint.action.starts_with("select"))
}

fn new(kind: PromptKind, build: &'static str) -> Sighting {
    Sighting::new(kind, PromptSource::Screen, build)
}

fn joined(rows: &[Row<'_>], cols: u16) -> String {
    let rows: Vec<Row<'_>> = rows.iter().map(|row| row.unbarred()).collect();
    join(rows.iter().map(|row| row.cells), cols)
}

fn question(dialog: &Dialog<'_>, list: &List, tabs: &Tabs) -> Sighting {
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
        let options = sighting.options.iter().zip(sighting.option_values()).filter(|(option, _)| !option.hidden);
        front.options = options.map(|(option, value)| option.to_wire(value)).collect();
        front.multi_select = sighting.multi_select.then_some(true);
        front.text_input = sighting.text.as_ref().map(SightedText::to_wire);
    }
    questions
}

/// A question's last own row takes free text, unless it is described like an option. Its style tells, except once something has
/// been typed there and the cursor has moved away.
fn find_text_row(sighting: &mut Sighting, list: &List) {
    let has_text = sighting.options.iter().any(|option| option.text.is_some());
    let described = sighting.options.iter().any(|option| option.description.is_some());
    let last = list.last_own.and_then(|last| sighting.options.get_mut(last));
    if let Some(option) = last.filter(|option| !has_text && described && option.description.is_none() && !option.hidden)
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
        option.role = (!option.hidden).then_some(OptionRole::Other);
    }
}

fn add_preview(sighting: &mut Sighting, list: &List) {
    let Some(preview) = &list.preview else { return };
    if let Some(option) = sighting.selected.and_then(|at| sighting.options.get_mut(at)) {
        option.preview = Some(preview.text.clone()).filter(|text| !text.is_empty());
    }
    sighting.text.clone_from(&preview.notes);
}

/// A dialog without rows: what its keys do are the options.
fn keys_only(dialog: &Dialog<'_>) -> Sighting {
    let cols = dialog.cols;
    let clipped = dialog.hints.is_empty();
    let mut sighting = new(PromptKind::Permission, if clipped { build::CLIPPED } else { build::KEYS });
    let all: Vec<Row<'_>> = dialog.parts.iter().flat_map(|part| part.iter().copied()).collect();
    let paragraphs = paragraphs(&all);
    sighting.title = paragraphs.first().map(|rows| joined(rows, cols)).unwrap_or_default();
    let rest = paragraphs.iter().skip(1).map(|rows| joined(rows, cols));
    sighting.description = rest.collect::<Vec<_>>().join("\n\n");
    sighting.more_options = clipped;
    sighting.options = dialog.hints.iter().map(key_option).collect();
    sighting
}

fn key_option(hint: &KeyHint) -> SightedOption {
    let label = hint.action.trim_end_matches('…');
    let mut option = SightedOption { hint: Some(hint.key.clone()), ..SightedOption::new(label) };
    option.role = Some(words::role(&option));
    option
}

/// May this be done, or shall this plan be carried out.
fn approval(dialog: &Dialog<'_>, list: &List) -> Sighting {
    let cols = dialog.cols;
    let head = Head::of(dialog);
    let mut options = list.options.clone();
    for option in &mut options {
        if option.text.is_none() && words::invites_text(&option.label) {
            option.text = Some(SightedText { placeholder: Some(option.label.clone()), ..SightedText::default() });
        }
        let (label, hint) = words::split_hint(&option.label);
        option.hint = hint.map(str::to_owned);
        option.label = label.to_owned();
        option.role = Some(words::role(option));
    }
    let plan = words::is_plan(&head.title, &head.question, &options, &dialog.footer);
    let amends =
        dialog.hints.iter().any(|hint| hint.key.eq_ignore_ascii_case("tab") && hint.action.starts_with("amend"));
    let amending = options.iter().any(|option| option.text.as_ref().is_some_and(|text| text.focused));
    let build = if amends || amending { build::AMEND } else { build::SELECT };
    let mut sighting = new(if plan { PromptKind::Plan } else { PromptKind::Permission }, build);
    sighting.multi_select = options.iter().any(|option| option.checked.is_some());
    sighting.options = options;
    sighting.selected = list.selected;
    sighting.more_options = list.more;
    sighting.agent.clone_from(&head.agent);
    if plan {
        sighting.tool_name = Some("ExitPlanMode".to_owned());
        sighting.plan = head.body.map(|rows| plan_text(rows, cols)).filter(|text| !text.is_empty());
        sighting.description.clone_from(&head.question);
    } else {
        describe_tool(&mut sighting, &head, cols);
    }
    let heads = [head.title, head.question, "Claude Code asks for permission".to_owned()];
    sighting.title = heads.into_iter().find(|words| !words.is_empty()).unwrap_or_default();
    sighting.identity = identity(&sighting);
    sighting
}

/// The plan without the arrow that says it can be scrolled.
fn plan_text(rows: &[Row<'_>], cols: u16) -> String {
    fn without_arrow<'a>(row: &Row<'a>) -> Row<'a> {
        match row.cells {
            [words @ .., _, _, arrow] if matches!(arrow.ch, '↑' | '↓') => {
                Row { cells: super::lines::trim(words), ..*row }
            }
            _ => *row,
        }
    }
    body::block(&rows.iter().map(without_arrow).collect::<Vec<_>>(), cols)
}

/// What makes it the same prompt while it is being answered: rows turn into text fields and labels grow with what is typed, but
/// never before their first comma.
fn identity(sighting: &Sighting) -> String {
    let input = sighting.tool_input.as_ref().map(Value::to_string).unwrap_or_default();
    let heads = sighting.options.iter().filter_map(|option| {
        let head = option.label.split([',', ':']).next().unwrap_or_default();
        (option.role != Some(OptionRole::Feedback)).then_some(head)
    });
    let heads: Vec<&str> = heads.collect();
    let squashed = layout::squash(&sighting.description);
    format!("{}\n{squashed}\n{input}\n{}", sighting.title, heads.join("\n"))
}

/// The words above the options of an approval.
#[derive(Default)]
struct Head<'a> {
    title: String,
    /// What stands behind the title on its row, such as a path.
    subject: String,
    agent: Option<String>,
    /// What the tool would be given.
    body: Option<&'a [Row<'a>]>,
    /// Further words: what it is for, why it is asked.
    notes: Vec<String>,
    question: String,
}

impl<'a> Head<'a> {
    fn of(dialog: &'a Dialog<'a>) -> Self {
        let cols = dialog.cols;
        let mut head = Self::default();
        let mut parts = dialog.parts.clone();
        // The last paragraph above the options is the question.
        if let Some(last) = parts.pop() {
            let at = last.iter().rposition(Row::is_blank).map_or(0, |blank| blank + 1);
            let (before, question) = last.split_at(at);
            // A title with nothing below it is no question.
            let only_title = parts.is_empty() && at == 0 && dialog.has_top;
            if only_title && question.len() > 1 {
                let (title, question) = question.split_at(1);
                head.question = joined(question, cols);
                parts.push(title);
            } else if only_title {
                parts.push(question);
            } else {
                head.question = joined(question, cols);
                if at > 0 {
                    parts.push(before);
                }
            }
        }
        let mut parts = parts.into_iter();
        if dialog.has_top
            && let Some(first) = parts.next()
        {
            head.titled(first, cols);
        }
        // Without its top, only the last part is sure to be what the tool would be given.
        let clipped = if dialog.has_top { 0 } else { parts.len().saturating_sub(1) };
        for (place, part) in parts.enumerate() {
            if head.body.is_none() && place >= clipped {
                head.body = Some(part);
            } else {
                head.notes.extend(paragraphs(part).into_iter().map(|rows| joined(rows, cols)));
            }
        }
        head
    }

    /// The first part: the title in its own style, and what follows it.
    fn titled(&mut self, part: &'a [Row<'a>], cols: u16) {
        let Some((first, rest)) = part.split_first() else { return };
        let style = first.cells.first().map(|cell| cell.style);
        let in_style = |cell: &crate::screen::Cell| cell.ch == ' ' || Some(cell.style) == style;
        let length = first.cells.iter().take_while(|cell| in_style(cell)).count();
        let styled = style.is_some_and(|style| style.bold);
        let (title, behind) = first.cells.split_at(if styled { length } else { first.cells.len() });
        // A title too long for its row goes on below in the same style.
        let more = if styled && behind.is_empty() {
            rest.iter().take_while(|row| !row.is_blank() && row.cells.iter().all(in_style)).count()
        } else {
            0
        };
        let rows = std::iter::once(title).chain(rest.iter().take(more).map(|row| row.cells));
        self.title = join(rows, cols);
        let behind = text(behind);
        let (subject, agent) = split_agent(&behind);
        (self.subject, self.agent) = (subject, agent);
        let rest = rest.get(more..).unwrap_or_default();
        // Old versions have no dashes: a paragraph of its own, indented, holds what the tool would be given.
        let next = rest.iter().position(|row| !row.is_blank()).filter(|&at| at > 0);
        if let Some(body) = next.and_then(|at| rest.get(at..))
            && body.first().is_some_and(|row| row.start() > first.start())
        {
            self.body = Some(body);
            return;
        }
        self.notes.extend(
            rest.split(|row| row.is_blank()).filter(|rows| !rows.is_empty()).flat_map(|rows| note_lines(rows, cols)),
        );
    }
}

/// Rows of one style make one note; a tip for the desk is none.
fn note_lines(rows: &[Row<'_>], cols: u16) -> Vec<String> {
    let same = |row: &Row<'_>, next: &Row<'_>| {
        let style = |row: &Row<'_>| row.cells.first().map(|cell| (cell.style.bold, cell.style.fg));
        style(row) == style(next)
    };
    let notes = rows.chunk_by(same).map(|rows| joined(rows, cols));
    notes.filter(|note| !note.to_lowercase().starts_with("tip:")).collect()
}

/// Splits `· from the reviewer agent` off what stands behind a title.
fn split_agent(behind: &str) -> (String, Option<String>) {
    let agent = behind
        .split_once("from the ")
        .map(|(_, rest)| rest)
        .or_else(|| behind.split_once("from ").map(|(_, rest)| rest));
    let agent = agent.and_then(|rest| rest.strip_suffix(" agent").or_else(|| rest.strip_suffix(" subagent")));
    match agent {
        Some(agent) => (String::new(), Some(agent.trim().to_owned())),
        None => (behind.trim_matches([' ', '·', '(', ')']).to_owned(), None),
    }
}

/// The tool's name and input, the change it would make, and why it is asked.
fn describe_tool(sighting: &mut Sighting, head: &Head<'_>, cols: u16) {
    let mut notes = head.notes.clone();
    let title_tool = words::tool(&head.title);
    let tool = title_tool.or_else(|| head.title.is_empty().then(|| words::tool(&head.question)).flatten());
    let rows = head.body.unwrap_or_default();
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
        }
    }
    sighting.tool_name = tool.map(str::to_owned).or_else(|| mcp_tool(&notes, &head.title));
    if title_tool.is_some() || !head.title.is_empty() {
        notes.push(head.question.clone());
    }
    notes.retain(|note| !note.is_empty());
    sighting.description = notes.join("\n");
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
    let line = line.replace("(MCP)", "").replace("Tool:", "");
    let (server, tool) = line.split_once(" — ").or_else(|| line.split_once(" - "))?;
    let name = |words: &str| words.trim().to_lowercase().replace(' ', "_");
    Some(format!("mcp__{}__{}", name(server), name(tool)))
}
