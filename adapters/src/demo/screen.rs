//! Reads the demo agent's screen by its structure. Words are taken for what they are, never for what to do.
//!
//! The live part is the lowest thing on the screen: a full-width rule in column 0, what is asked, another such rule, one line
//! of hints that is indented. Everything a person or the agent says is indented, so no text can draw that frame. Within it:
//!
//! - column 0 `> `: the composer, with what is typed; dim is ghost text;
//! - column 1 `◆ `: the heading of a dialog, `Kind · Topic`; then, from column 3, the body;
//! - column 1, any other text: the question; `▪ Header: question` for each of several ones;
//! - column 1 `❯`: the cursor; column 3: a row, that is `1. ` (the number dim), with `[x]` or `(•)` where it can be checked, a
//!   field behind `› `, or `Submit` in bold;
//! - from column 6: more of a label, its description (dim), or the field of the option (behind `› `).
//!
//! Above the composer a spinner in column 0 says that the agent works. Without a frame there is only a plain line prompt, which
//! the generic adapter reads, or something that nobody can read.

mod body;
mod rows;

use shared_types::{OptionRole, PromptKind, PromptOption, PromptSource, Question};

use self::{
    body::Body,
    rows::{Part, RowKind},
};
use crate::{Adapter, Composer, Reading, Screen, SightedOption, Sighting, generic::Generic, layout, screen::Line};

/// One question, one choice: Enter on a row answers.
pub(super) const LIST: &str = "demo/list";
/// One question with check boxes and a Submit row.
pub(super) const CHECKS: &str = "demo/checks";
/// Several questions, each with a header, and a Submit row. All of them are in front at once, so the sighting's `options`
/// hold every row of the form from the top, and `selected` counts over all of them.
pub(super) const FORM: &str = "demo/form";
/// All the builds there are.
pub(super) const BUILDS: [&str; 3] = [LIST, CHECKS, FORM];

const SPINNER: [char; 6] = ['·', '✢', '✳', '✶', '✻', '✽'];
const QUEUED: char = '⋯';

/// What the screen says.
pub(super) fn read(screen: &Screen) -> Reading {
    if screen.exit.is_some() {
        return Reading::Exited;
    }
    let Some(frame) = Frame::find(screen) else { return read_unframed(screen) };
    match frame.opening(screen) {
        Some((0, '>')) => read_chat(screen, &frame),
        Some((1, '◆')) => read_dialog(screen, &frame).map_or(Reading::Unrecognized, Reading::Prompt),
        _ => Reading::Unrecognized,
    }
}

/// The two rules of the live part, as rows.
struct Frame {
    top: usize,
    bottom: usize,
}

impl Frame {
    /// The frame at the very bottom, one line of hints below it.
    fn find(screen: &Screen) -> Option<Self> {
        let hints = screen.last_row()?;
        let indented = screen.lines[hints].first_drawn().is_some_and(|cell| cell.column >= 2);
        let bottom = hints.checked_sub(1).filter(|row| indented && is_rule(screen, *row))?;
        let top = (0..bottom).rev().find(|row| is_rule(screen, *row))?;
        Some(Self { top, bottom })
    }

    /// Column and character of the first thing in the frame.
    fn opening(&self, screen: &Screen) -> Option<(u16, char)> {
        screen.lines[self.top + 1].first_drawn().map(|cell| (cell.column, cell.ch))
    }
}

fn is_rule(screen: &Screen, row: usize) -> bool {
    let text = screen.text(row);
    text.chars().all(|ch| ch == '─') && text.chars().count() == usize::from(screen.cols)
}

/// No frame: a plain line of the terminal's own, or something unreadable.
fn read_unframed(screen: &Screen) -> Reading {
    if screen.last_row().is_none() {
        return Reading::Starting { detail: String::new() };
    }
    let takes_lines = screen.cursor.visible && screen.tty.is_none_or(|tty| tty.canonical);
    match takes_lines.then(|| Generic.read_screen(screen)) {
        Some(Reading::Prompt(mut sighting)) => {
            // The mark of what the agent says is no part of it.
            if let Some(said) = sighting.description.strip_prefix("● ") {
                sighting.description = said.to_owned();
            }
            Reading::Prompt(sighting)
        }
        _ => Reading::Unrecognized,
    }
}

fn read_chat(screen: &Screen, frame: &Frame) -> Reading {
    let composer = Composer { draft: draft(&screen.lines[frame.top + 1..frame.bottom]), mode: None };
    match busy_detail(screen, frame.top) {
        Some(detail) => Reading::Busy { detail, composer: Some(composer) },
        None => Reading::Ready(composer),
    }
}

fn draft(lines: &[Line]) -> String {
    let rows = lines.iter().map(|line| {
        let typed = line.cells.iter().filter(|cell| cell.column >= 2 && !cell.style.dim);
        typed.map(|cell| cell.ch).collect::<String>().trim_end().to_owned()
    });
    rows.collect::<Vec<_>>().join("\n").trim_end().to_owned()
}

/// What the agent works at: the busy line above the composer, queued messages between them passed over.
fn busy_detail(screen: &Screen, top: usize) -> Option<String> {
    let mut above = screen.lines[..top].iter().rev().skip_while(|line| {
        line.first_drawn().is_none_or(|cell| cell.column == 2 && cell.ch == QUEUED && cell.style.dim)
    });
    let line = above.next()?;
    line.first_drawn().filter(|cell| cell.column == 0 && SPINNER.contains(&cell.ch))?;
    let text = line.text_from(2);
    Some(text.split(" (").next().unwrap_or_default().to_owned())
}

fn read_dialog(screen: &Screen, frame: &Frame) -> Option<Sighting> {
    let heading = screen.lines[frame.top + 1].text_from(3);
    let (kind_word, topic) = heading.split_once(" · ").unwrap_or((&heading, ""));
    let lines = &screen.lines[frame.top + 2..frame.bottom];
    let first_question = lines.iter().position(|line| line.first_drawn().is_some_and(|cell| cell.column == 1))?;
    let body = Body::read(&lines[..first_question], screen.cols);
    let parts = rows::read(&lines[first_question..], screen.cols);
    let build = build(&parts)?;

    let mut sighting = Sighting::new(kind(kind_word), PromptSource::Screen, build);
    sighting.rows = frame.top..frame.bottom + 2;
    sighting.title = if build == FORM { topic.to_owned() } else { parts[0].question.clone() };
    sighting.description = body.prose;
    sighting.incomplete = body.cut;
    match sighting.kind {
        PromptKind::Permission => {
            sighting.tool_name = Some(topic.to_owned());
            sighting.tool_input = match body.diff.first() {
                Some(file) => Some(serde_json::json!({ "path": file.path })),
                None => Some(body.code.into()),
            };
        }
        PromptKind::Plan => sighting.plan = Some(body.text),
        _ => {}
    }
    sighting.diff = body.diff;
    sighting.multi_select = build == CHECKS;
    if build == FORM {
        sighting.questions = parts.iter().map(question).collect();
        sighting.question_index =
            parts.iter().position(|part| part.rows.iter().any(|row| row.selected && row.kind != RowKind::Submit));
    }
    let rows: Vec<_> = parts.into_iter().flat_map(|part| part.rows).collect();
    sighting.selected = rows.iter().position(|row| row.selected);
    sighting.options = rows.into_iter().map(|row| with_role(row.option, sighting.kind)).collect();
    Some(sighting)
}

/// How the dialog takes keys; nothing when it has no rows, or a form no end.
fn build(parts: &[Part]) -> Option<&'static str> {
    let submits = parts.last()?.rows.iter().any(|row| row.kind == RowKind::Submit);
    let first = parts.first().filter(|part| !part.rows.is_empty())?;
    match (first.header.is_empty(), submits) {
        (true, false) => Some(LIST),
        (true, true) => Some(CHECKS),
        (false, true) => Some(FORM),
        (false, false) => None,
    }
}

fn kind(word: &str) -> PromptKind {
    match word {
        "Permission" => PromptKind::Permission,
        "Plan" => PromptKind::Plan,
        "Loop detected" => PromptKind::LoopDetected,
        _ => PromptKind::Question,
    }
}

fn with_role(mut option: SightedOption, kind: PromptKind) -> SightedOption {
    let asks_leave = matches!(kind, PromptKind::Permission | PromptKind::Plan);
    option.role = match (&option.text, option.label.as_str()) {
        (Some(_), _) if asks_leave => Some(OptionRole::Feedback),
        (Some(_), _) => Some(OptionRole::Other),
        (None, label) if asks_leave && label.starts_with("Yes, and") => Some(OptionRole::AllowAlways),
        (None, label) if asks_leave && label.starts_with("Yes") => Some(OptionRole::Allow),
        (None, label) if asks_leave && label.starts_with("No") => Some(OptionRole::Deny),
        _ => None,
    };
    option
}

fn question(part: &Part) -> Question {
    let choices: Vec<_> = part.rows.iter().filter(|row| row.is_choice()).collect();
    let values = layout::distinct(choices.iter().map(|row| row.option.label.as_str()));
    let options: Vec<PromptOption> = choices.iter().zip(values).map(|(row, value)| row.option.to_wire(value)).collect();
    let many = part.rows.iter().any(|row| row.kind == RowKind::Box);
    let field = part.rows.iter().find(|row| row.kind == RowKind::Field).and_then(|row| row.option.text.as_ref());
    Question {
        header: part.header.clone(),
        question: part.question.clone(),
        options,
        multi_select: many.then_some(true),
        text_input: field.map(crate::SightedText::to_wire),
    }
}
