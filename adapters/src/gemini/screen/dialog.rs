//! The anatomy of a dialog: the frame at the bottom of the screen and the parts every dialog is made of. What kind of
//! dialog they make is for [`super::prompt`] and [`super::startup`] to say.

use std::ops::Range;

use crate::{
    SightedText,
    gemini_family::lines::{Frame, Span, is_alike, is_border, is_wrap, unframed},
    layout::strokes::is_vertical,
    screen::{Color, Screen},
};

use super::{
    Signal,
    composer::is_conversation,
    options::OptionList,
    tabs::Tabs,
    tool::{ToolRow, is_collapsed, lines},
};

/// The parts of a dialog.
#[derive(Debug)]
pub(super) struct Dialog<'a> {
    /// The frame around it.
    pub(super) frame: Frame<'a>,
    /// Its options.
    pub(super) list: Option<OptionList>,
    /// A text field that belongs to no option, and the rows it takes.
    pub(super) field: Option<(SightedText, Range<usize>)>,
    /// The tabs of several questions.
    pub(super) tabs: Option<Tabs>,
    /// The row that names a tool.
    pub(super) tool: Option<ToolRow>,
    /// What is written below options and field: how to answer.
    pub(super) hint: String,
    /// What is written below the frame.
    pub(super) below: String,
    /// Who opened it, as far as the rows above tell.
    pub(super) opened_by: OpenedBy,
    /// The pane's title.
    pub(super) signal: Signal,
}

/// What stands above a dialog.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OpenedBy {
    /// A command of the person's, directly above it.
    Command,
    /// Something was said before.
    Conversation,
    /// Nothing was said yet, as far as the screen reaches.
    Start,
}

impl<'a> Dialog<'a> {
    /// Reads the frame at the bottom of the screen.
    pub(super) fn read(screen: &'a Screen, frame: Frame<'a>, signal: Signal) -> Self {
        let inside = &frame.inside;
        let ghost = inside.iter().rev().find_map(|span| span.color());
        let list = OptionList::find(inside, frame.width);
        let field = if list.is_none() { find_field(inside, ghost) } else { None };
        let answered = list.as_ref().map(|list| &list.rows).or(field.as_ref().map(|(_, rows)| rows)).cloned();
        let tabs = Tabs::find(inside);
        let tool = ToolRow::find(inside, answered.as_ref().map_or(inside.len(), |rows| rows.start));
        let after = answered.as_ref().map_or(inside.len(), |rows| rows.end);
        let hint = match (&answered, &tabs) {
            (None, _) => last_paragraph(inside, frame.width),
            _ => join(inside[after..].iter().filter(|span| !is_border(**span)).map(|span| span.text())),
        };
        let below = join(screen.lines[frame.rows.end..].iter().map(|line| line.text.trim().to_owned()));
        let opened_by = opened_by(screen, frame.rows.start);
        Self { list, field, tabs, tool, hint, below, opened_by, signal, frame }
    }

    /// True when the first row inside is written on: dialogs of tools begin at once, notices leave a row free.
    pub(super) fn begins_at_once(&self) -> bool {
        !self.frame.topped || self.frame.inside.first().is_some_and(|span| !span.is_blank())
    }

    /// True when the first row is a header: in bold, and in the colour of the frame.
    pub(super) fn is_headed(&self) -> bool {
        let first = self.frame.inside.first().and_then(|span| span.first());
        first.is_some_and(|cell| cell.style.bold && cell.style.fg == self.frame.color)
            || self.frame.topped && self.begins_at_once()
    }

    /// True when the frame is the box of a tool that runs or has run: it begins with the sign of the tool's state. What is
    /// inside may look like anything.
    pub(super) fn shows_tool_state(&self) -> bool {
        let Some(row) = self.frame.inside.iter().find(|span| !span.is_blank()) else { return false };
        let state = row.first().filter(|cell| matches!(cell.ch, '⊷' | '⊶' | '✓' | '✗' | '✕' | 'o' | '-' | 'x'));
        state.is_some_and(|cell| row.from(cell.column + 1).cells().first().is_some_and(|cell| cell.ch == ' '))
    }

    /// The row above which all is question: where options, field or hint begin.
    pub(super) fn text_end(&self) -> usize {
        let list = self.list.as_ref().map(|list| list.rows.start);
        let field = self.field.as_ref().map(|(_, rows)| rows.start);
        list.or(field).unwrap_or(self.frame.inside.len())
    }

    /// The paragraphs between two rows; a paragraph is what was one piece before it was wrapped.
    pub(super) fn paragraphs(&self, rows: Range<usize>) -> Vec<Paragraph> {
        let mut paragraphs: Vec<Paragraph> = Vec::new();
        let mut line = String::new();
        let mut above = None;
        for at in rows {
            let Some(span) = self.frame.inside.get(at).map(|span| unframed(*span)) else { break };
            let text = span.text();
            let skip = text.is_empty()
                || is_border(span)
                || is_collapsed(span)
                || Some(at) == self.tabs.as_ref().map(|tabs| tabs.row);
            if skip {
                line.clear();
                continue;
            }
            let bold = span.first().is_some_and(|cell| cell.style.bold);
            match paragraphs.last_mut() {
                Some(paragraph)
                    if is_wrap(&line, &text, self.frame.width)
                        && (!line.ends_with(['.', '?', '!', ':', ')'])
                            || above.is_none_or(|above| is_alike(above, span))) =>
                {
                    paragraph.text.push(' ');
                    paragraph.text.push_str(&text);
                    paragraph.rows.end = at + 1;
                }
                _ => paragraphs.push(Paragraph { text: text.clone(), bold, rows: at..at + 1 }),
            }
            line = text;
            above = Some(span);
        }
        paragraphs
    }

    /// The lines between two rows, indentation kept.
    pub(super) fn lines(&self, rows: Range<usize>) -> String {
        lines(self.frame.inside.get(rows).unwrap_or_default(), self.frame.width)
    }
}

/// A piece of text in a dialog.
#[derive(Debug, Clone)]
pub(super) struct Paragraph {
    /// Its words, wraps joined.
    pub(super) text: String,
    /// True when it begins in bold.
    pub(super) bold: bool,
    /// Its rows inside the frame.
    pub(super) rows: Range<usize>,
}

impl Paragraph {
    /// True when it asks something.
    pub(super) fn asks(&self) -> bool {
        self.text.ends_with('?')
    }
}

/// A field: a row that begins with `>` or stands in a frame of its own, and has the cursor in it. Without styles no cursor
/// is drawn; then such a row that stands by itself will do.
fn find_field(inside: &[Span<'_>], ghost: Option<Color>) -> Option<(SightedText, Range<usize>)> {
    let blank = |row: Option<usize>| row.and_then(|row| inside.get(row)).is_none_or(|span| span.is_blank());
    let signed = |row: &usize| inside[*row].glyph() == Some('>');
    let border = |row: Option<usize>| row.and_then(|row| inside.get(row)).is_some_and(|span| is_border(*span));
    let side = |row: &usize| inside[*row].glyph().is_some_and(is_vertical);
    let alone = |row: &usize| {
        let (above, below) = (row.checked_sub(1), Some(row + 1));
        signed(row) && blank(above) && blank(below) || side(row) && border(above) && border(below)
    };
    let cursor_row = inside.iter().rposition(|span| span.cursor().is_some());
    let at = cursor_row.or_else(|| (0..inside.len()).rev().find(alone))?;
    let framed = inside[at].glyph().is_some_and(is_vertical);
    let start = if framed {
        (0..at).rev().find(|row| !inside[*row].glyph().is_some_and(is_vertical)).map_or(0, |row| row + 1)
    } else {
        (0..=at).rev().find(signed)?
    };
    let content = |row: usize| if framed { unframed(inside[row]) } else { inside[row] };
    let column = if framed { content(start).cells().first()?.column + 1 } else { content(start).column()? + 2 };
    let end = (at + 1..inside.len()).find(|row| content(*row).is_blank() || is_border(inside[*row]));
    let rows = start..end.unwrap_or(inside.len());
    let texts: Vec<Span<'_>> = rows.clone().map(|row| content(row).from(column)).collect();
    // A suggestion has the cursor on its first letter and the colour of hints.
    let suggested = texts.iter().find_map(|span| span.cursor()).is_none_or(|cursor| {
        let rest = texts[0].from(cursor.column + 1).color();
        start == at
            && cursor.column == column
            && cursor.ch != ' '
            && (rest.is_none() || ghost.is_none() || rest == ghost)
    });
    let shown = texts.iter().map(|span| span.text()).collect::<Vec<_>>().join("\n");
    let shown = shown.trim_end().to_owned();
    let (placeholder, value) = if suggested { (Some(shown), String::new()) } else { (None, shown) };
    Some((
        SightedText { placeholder, value, focused: true, secret: false, multiline: !framed, may_be_empty: false },
        rows,
    ))
}

/// Looks upwards from a dialog for what led to it.
fn opened_by(screen: &Screen, top: usize) -> OpenedBy {
    let above = || screen.lines[..top].iter().rev().map(Span::of);
    let is_message = |span: &Span<'_>| span.glyph() == Some('>') && is_conversation(*span);
    // Rows of half blocks are the padding of a message on a coloured ground.
    let nearest = above().find(|span| !span.drawn().all(|cell| matches!(cell.ch, '▀' | '▄')));
    match nearest {
        Some(span) if is_message(&span) && span.text().trim_start_matches('>').trim_start().starts_with('/') => {
            OpenedBy::Command
        }
        _ if above().any(|span| is_message(&span) || span.glyph() == Some('✦') && is_conversation(span)) => {
            OpenedBy::Conversation
        }
        _ => OpenedBy::Start,
    }
}

fn last_paragraph(inside: &[Span<'_>], width: usize) -> String {
    let Some(end) = inside.iter().rposition(|span| !span.is_blank()) else { return String::new() };
    let mut start = end;
    while start > 0 && is_wrap(&inside[start - 1].text(), &inside[start].text(), width) {
        start -= 1;
    }
    join(inside[start..=end].iter().map(|span| span.text()))
}

fn join(texts: impl Iterator<Item = String>) -> String {
    texts.filter(|text| !text.is_empty()).collect::<Vec<_>>().join(" ")
}
