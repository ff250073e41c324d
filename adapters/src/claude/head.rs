//! The words above the options of an approval: title, subject, what the tool would be given, why it is asked, the
//! question.

use super::{
    dialog::{Dialog, paragraphs},
    lines::{Row, join, text, wraps},
    sight::joined,
};

/// The words above the options of an approval.
#[derive(Default)]
pub(super) struct Head<'a> {
    pub(super) title: String,
    /// What stands behind the title on its row, such as a path.
    pub(super) subject: String,
    pub(super) agent: Option<String>,
    /// What the tool would be given.
    pub(super) body: Option<&'a [Row<'a>]>,
    /// Further words: what it is for, why it is asked.
    pub(super) notes: Vec<String>,
    pub(super) question: String,
}

impl<'a> Head<'a> {
    pub(super) fn of(dialog: &'a Dialog<'a>) -> Self {
        let cols = dialog.cols;
        let mut head = Self::default();
        let mut parts = dialog.parts.clone();
        // The last paragraph above the options is the question.
        if let Some(last) = parts.pop() {
            let at = last.iter().rposition(Row::is_blank).map_or(0, |blank| blank + 1);
            let (before, question) = last.split_at(at);
            // A title with nothing below it is no question.
            let only_title = parts.is_empty() && at == 0 && dialog.has_top;
            let sentence = question.windows(2).all(|pair| wraps(pair[0].cells, pair[1].cells, cols));
            if only_title && question.len() > 1 && sentence && !is_bold(&question[0]) {
                // No title, only a question too long for its row.
                head.question = joined(question, cols);
            } else if only_title && question.len() > 1 {
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

fn is_bold(row: &Row<'_>) -> bool {
    row.cells.first().is_some_and(|cell| cell.style.bold)
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
