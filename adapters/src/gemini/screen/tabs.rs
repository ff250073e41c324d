//! Several questions at once: the row of tabs above the question, and the page that reviews the answers.

use shared_types::Question;

use crate::{gemini_family::lines::Span, layout::strokes::is_vertical};

/// The row `← □ Database │ ✓ Features │ ≡ Review →`.
#[derive(Debug)]
pub(super) struct Tabs {
    /// Which row inside the frame it is.
    pub(super) row: usize,
    /// The questions' short names.
    pub(super) headers: Vec<String>,
    /// The tab in front; as many as there are questions for the review page.
    pub(super) front: usize,
}

impl Tabs {
    /// Finds the row of tabs.
    pub(super) fn find(inside: &[Span<'_>]) -> Option<Self> {
        let row = inside.iter().position(|span| {
            span.glyph() == Some('←') && span.last().is_some_and(|cell| cell.ch == '→') && span.drawn().count() > 3
        })?;
        let span = inside[row];
        let (start, end) = (span.first()?.column + 1, span.last()?.column);
        let inner = span.from(start).before(end);
        let mut tabs = Vec::new();
        let mut from = start;
        for cell in inner.drawn().filter(|cell| is_vertical(cell.ch)) {
            tabs.push(inner.from(from).before(cell.column));
            from = cell.column + 1;
        }
        tabs.push(inner.from(from));
        // The last tab is no question but the review; it has a sign of its own.
        let signs: Vec<Option<char>> = tabs.iter().map(|tab| tab.glyph()).collect();
        let questions = if signs.last() == Some(&Some('≡')) || signs.len() > 1 && !is_question_sign(signs.last()) {
            tabs.len() - 1
        } else {
            tabs.len()
        };
        let lit = tabs
            .iter()
            .position(|tab| tab.drawn().any(|cell| cell.style.underline))
            .or_else(|| tabs.iter().position(|tab| tab.drawn().any(|cell| cell.style.bold)));
        let open = signs.iter().take(questions).position(|sign| matches!(sign, Some('□' | '☐')));
        let headers = tabs.iter().take(questions).map(|tab| header(*tab)).collect();
        Some(Self { row, headers, front: lit.or(open).unwrap_or(questions) })
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

fn is_question_sign(sign: Option<&Option<char>>) -> bool {
    matches!(sign, Some(Some('□' | '✓' | '☐' | '☑' | '✔')))
}

/// A tab's name without its sign. Tabs that are not in front are cut after a few characters, so all are.
fn header(tab: Span<'_>) -> String {
    /// One less than the width to which the CLI cuts the tabs that are not in front.
    const KEPT: usize = 15;
    let text = tab.text();
    let name = text.trim_start_matches(|ch: char| !ch.is_alphanumeric()).trim();
    if name.chars().count() <= KEPT + 1 && !name.ends_with('…') {
        return name.to_owned();
    }
    let kept: String = name.trim_end_matches('…').chars().take(KEPT).collect();
    format!("{kept}…")
}

/// The answers on the review page: each question's name and what was answered.
pub(super) fn answers(inside: &[Span<'_>]) -> Vec<(String, String)> {
    let mut answers: Vec<(String, String)> = Vec::new();
    for span in inside {
        let text = span.text();
        if let Some((header, answer)) = text.split_once(" → ") {
            answers.push((header.trim().to_owned(), answer.trim().to_owned()));
        } else if text.is_empty() && !answers.is_empty() {
            break;
        } else if let Some((_, answer)) = answers.last_mut() {
            answer.push(' ');
            answer.push_str(&text);
        }
    }
    answers
}
