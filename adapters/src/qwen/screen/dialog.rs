//! The anatomy of a dialog: which rows are its own, the row that names the tool, the text, the question, the options, the hint.
//!
//! Since 0.24 there is no box around the dialog of a tool: it begins with the row that names the tool, ends with an arrow, and is
//! the lowest of the conversation; below it stands the line that turns while the person is waited for. Old versions draw a box
//! around the same rows, and so do all for dialogs that belong to no tool.

use std::ops::Range;

use crate::{
    gemini_family::{
        lines::{Frame, Span, is_border, is_lower_border, is_wrap, unframed},
        tool::{ToolRow, is_collapsed},
    },
    screen::Screen,
};

use super::options::OptionList;

/// The parts of a dialog.
#[derive(Debug)]
pub(super) struct Dialog<'a> {
    /// Its rows on the screen.
    pub(super) rows: Range<usize>,
    /// What it consists of, row by row, without a box.
    pub(super) inside: Vec<Span<'a>>,
    /// How many columns a line of it can have.
    pub(super) width: usize,
    /// The row that names the tool.
    pub(super) tool: Option<Header>,
    /// The sub-agent that asks, and the first row below what names it.
    pub(super) agent: Option<(String, usize)>,
    /// Its options.
    pub(super) list: OptionList<'a>,
    /// What is written below the options: how to answer.
    pub(super) hint: String,
    /// True when its first row is on the screen.
    pub(super) topped: bool,
    /// How many columns less than a line the body may have.
    slack: u16,
}

/// What the row that names a tool says, with the rows it goes on in.
#[derive(Debug)]
pub(super) struct Header {
    /// The tool's name as the CLI shows it.
    pub(super) name: String,
    /// What it says of itself; wraps are blanks.
    pub(super) about: String,
    /// The first row below it, inside the dialog.
    pub(super) end: usize,
}

/// A piece of text: rows that are set in alike, without a blank one between.
#[derive(Debug, Clone)]
pub(super) struct Paragraph {
    /// Its words, wraps joined.
    pub(super) text: String,
    /// Its rows inside the dialog.
    pub(super) rows: Range<usize>,
}

impl<'a> Dialog<'a> {
    /// The dialog of a tool above the line that waits.
    pub(super) fn of_tool(screen: &'a Screen, rows: &[Span<'a>], waiting: usize) -> Option<Self> {
        let last = rows[..waiting].iter().rposition(|span| !span.is_blank())?;
        if is_lower_border(rows[last])
            && let Some(frame) = Frame::lowest(screen, last + 1, MAX_LEFT)
        {
            return Self::boxed(&frame);
        }
        let pointed = |span: &Span<'_>| is_asking(*span) && span.last().is_some_and(|cell| cell.ch == '←');
        let works =
            |span: &Span<'_>| span.first().is_some_and(|cell| cell.column <= MAX_LEFT && matches!(cell.ch, '⊷' | '⊶'));
        let header = rows[..waiting].iter().rposition(|span| pointed(span) || works(span));
        let start = header.unwrap_or(0);
        // Lines of the body keep some columns free at both sides.
        let width = usize::from(screen.cols).saturating_sub(2 * usize::from(BODY));
        Self::read(rows[start..waiting].to_vec(), start..waiting, width, header.is_some(), SLACK)
    }

    /// What stands in a box.
    pub(super) fn boxed(frame: &Frame<'a>) -> Option<Self> {
        Self::read(frame.inside.clone(), frame.rows.clone(), frame.width, frame.topped, BOXED_SLACK)
    }

    fn read(inside: Vec<Span<'a>>, rows: Range<usize>, width: usize, topped: bool, slack: u16) -> Option<Self> {
        let list = OptionList::find(&inside)?;
        let tool = Header::find(&inside, list.rows.start);
        let agent = if tool.is_some() { None } else { agent(&inside[..list.rows.start]) };
        let below = inside[list.rows.end..].iter().take_while(|span| !is_call(**span));
        let hint: Vec<String> = below.map(|span| span.text()).filter(|text| !text.is_empty()).collect();
        Some(Self { rows, width, tool, agent, hint: hint.join(" "), list, topped, inside, slack })
    }

    /// The first row below what names the tool.
    pub(super) fn text_start(&self) -> usize {
        let agent = self.agent.as_ref().map_or(0, |(_, end)| *end);
        self.tool.as_ref().map_or(agent, |tool| tool.end)
    }

    /// The paragraphs between two rows.
    pub(super) fn paragraphs(&self, rows: Range<usize>) -> Vec<Paragraph> {
        let mut paragraphs: Vec<Paragraph> = Vec::new();
        let mut above: Option<u16> = None;
        for at in rows {
            let span = unframed(self.inside[at]);
            let text = span.text();
            if text.is_empty() || is_border(span) || is_collapsed(span) {
                above = None;
                continue;
            }
            let column = span.column();
            // Where rows were wrapped a blank may stand before the rest.
            let alike = above.zip(column).is_some_and(|(above, column)| above.abs_diff(column) <= 1);
            match paragraphs.last_mut().filter(|_| alike) {
                Some(paragraph) => {
                    paragraph.text = format!("{} {text}", paragraph.text);
                    paragraph.rows.end = at + 1;
                }
                None => paragraphs.push(Paragraph { text, rows: at..at + 1 }),
            }
            above = column;
        }
        paragraphs
    }

    /// The question: the last paragraph above the options.
    pub(super) fn question(&self) -> Option<Paragraph> {
        self.paragraphs(self.text_start()..self.list.rows.start).pop()
    }

    /// True when it hides lines.
    pub(super) fn hides_lines(&self) -> bool {
        self.inside[..self.list.rows.start].iter().any(|span| is_collapsed(unframed(*span)))
    }

    /// True when some row between these may be one of several that were one line, of which the CLI loses characters.
    pub(super) fn may_wrap(&self, rows: Range<usize>) -> bool {
        let full = u16::try_from(self.width).unwrap_or(u16::MAX).saturating_sub(self.slack);
        let extent = |span: &Span<'_>| {
            let (first, last) = (span.first()?, span.last()?);
            Some(last.column.saturating_sub(first.column.min(BODY)))
        };
        self.inside[rows].iter().filter_map(extent).any(|extent| extent >= full)
    }
}

impl Header {
    fn find(inside: &[Span<'_>], end: usize) -> Option<Self> {
        let tool = ToolRow::find(inside, end).filter(|tool| !tool.name.is_empty())?;
        let mut about = tool.about;
        let mut row = tool.row + 1;
        while row < end && !inside[row].is_blank() {
            let text = inside[row].text();
            about = if about.is_empty() { text } else { format!("{about} {text}") };
            row += 1;
        }
        Some(Self { name: tool.name, about, end: row })
    }
}

/// Dialogs are set in by so many columns at most; what is quoted in the conversation is set in by more.
pub(super) const MAX_LEFT: u16 = 3;
/// Blanks at the end of a row are not seen, nor is a character of double width that had no room.
const SLACK: u16 = 3;
/// In a box the body keeps some more columns free.
const BOXED_SLACK: u16 = 12;
/// The column in which the body of a dialog begins.
const BODY: u16 = 5;

/// True for a row that names a tool which waits for the person.
fn is_asking(span: Span<'_>) -> bool {
    is_call(span) && span.glyph() == Some('?')
}

/// True for a row that names a tool, whatever its state: below a dialog stand those that are still to be asked about, or wait for
/// the others.
fn is_call(span: Span<'_>) -> bool {
    let is_state = |ch: char| matches!(ch, '?' | 'o' | '⊷' | '⊶' | '✓' | '-' | 'x');
    let Some(first) = span.first().filter(|cell| is_state(cell.ch) && cell.column <= MAX_LEFT + 2) else {
        return false;
    };
    span.from(first.column + 1).cells().first().is_some_and(|cell| cell.ch == ' ')
}

/// The sub-agent of a row such as `Approval requested by general-purpose:`, which stands below the tool that has set it to work.
fn agent(inside: &[Span<'_>]) -> Option<(String, usize)> {
    let works = |span: &Span<'_>| matches!(span.glyph(), Some('⊷' | '⊶'));
    let (row, text) = inside.iter().enumerate().skip_while(|(_, span)| !works(span)).find_map(|(row, span)| {
        let text = span.text();
        text.ends_with(':').then_some((row, text))
    })?;
    let name = text.trim_end_matches(':').split_whitespace().next_back()?;
    Some((name.to_owned(), row + 1))
}

/// Joins rows that were wrapped anywhere with blanks, and keeps those apart that were lines of their own.
pub(super) fn join_rows<'t>(rows: impl Iterator<Item = &'t str>, width: usize) -> String {
    let mut joined = String::new();
    let mut line = "";
    for row in rows {
        if !joined.is_empty() {
            joined.push(if is_wrap(line, row, width) { ' ' } else { '\n' });
        }
        joined.push_str(row);
        line = row;
    }
    joined
}
