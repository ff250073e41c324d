//! Several questions at once: the row of tabs, and the page that reviews the answers.

use shared_types::Question;

use crate::gemini_family::lines::Span;

/// The row `▸ Database ✓   Features   Tests  Submit`.
#[derive(Debug)]
pub(super) struct Tabs {
    /// Which row inside the dialog it is.
    pub(super) row: usize,
    /// The questions' short names.
    pub(super) headers: Vec<String>,
    /// The tab in front; as many as there are questions for the page that submits.
    pub(super) front: usize,
}

impl Tabs {
    /// Finds the row of tabs: one of them has the mark, and the last one submits.
    pub(super) fn find(inside: &[Span<'_>]) -> Option<Self> {
        let row = inside.iter().position(|span| span.drawn().filter(|cell| cell.ch == FRONT).count() == 1)?;
        let text = inside[row].raw_text();
        // Two blanks or the mark part the tabs from each other.
        let marked = text.replace(FRONT, "  \u{0}");
        let tabs: Vec<&str> = marked.split("  ").map(str::trim).filter(|tab| !tab.is_empty()).collect();
        let front = tabs.iter().position(|tab| tab.starts_with('\u{0}'))?;
        let questions = tabs.len().checked_sub(1).filter(|count| *count > 0)?;
        let header = |tab: &&str| tab.trim_start_matches('\u{0}').trim_end_matches('✓').trim().to_owned();
        let headers = tabs.iter().take(questions).map(header).collect();
        Some(Self { row, headers, front })
    }

    /// The questions by their short names. What is asked is only told of the one in front.
    pub(super) fn questions(&self) -> Vec<Question> {
        let question = |header: &String| Question {
            header: header.clone(),
            question: String::new(),
            options: Vec::new(),
            multi_select: None,
            text_input: None,
        };
        self.headers.iter().map(question).collect()
    }
}

const FRONT: char = '▸';

/// The answers on the last page, `Database: SQLite`, in the order of the questions; nothing for one that has none.
pub(super) fn answers(rows: &[Span<'_>], count: usize) -> Vec<Option<String>> {
    let mut answers: Vec<Option<String>> = Vec::new();
    let edge = rows.first().and_then(|span| span.column());
    let mut column: Option<u16> = None;
    for span in rows.iter().filter(|span| !span.is_blank()) {
        let text = span.text();
        let at = span.column();
        match text.split_once(": ") {
            // They are set in below their heading.
            Some((_, answer)) if (column.is_none() || at == column) && at > edge => {
                column = at;
                answers.push(Some(answer.trim().to_owned()));
            }
            _ => {
                if let Some(Some(answer)) = answers.last_mut().filter(|_| at > column) {
                    *answer = format!("{answer} {text}");
                }
            }
        }
    }
    // Where not every question has a row it cannot be told whose answer is missing.
    if answers.len() != count {
        return vec![None; count];
    }
    answers
}
