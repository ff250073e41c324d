//! The conversation as rows: what is printed once and then scrolls away. The live part below it is drawn by `agent.rs`.
//!
//! A streamed text is printed row by row: all of its rows but the last are final. After a resize everything is laid out
//! anew from the entries.

use shared_types::ToolResult;

use super::{
    draw::{diff_rows, markdown_rows},
    row::{Look, Row, Wrap, hang, styled},
    script::{BANNER, ToolUse},
};

/// More than any terminal shows at once; older entries live on in the terminal's own scrollback.
const KEPT_ENTRIES: usize = 400;

/// One entry of the conversation.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Entry {
    Banner,
    User(String),
    Assistant(String),
    Tool(ToolUse, ToolResult),
    Notice(String),
    /// A plain line that was asked and answered by the terminal itself.
    Line(String),
}

/// The conversation and how much of it is printed.
#[derive(Debug, Default)]
pub(super) struct Chat {
    entries: Vec<Entry>,
    /// The last entry still grows.
    open: bool,
    /// Entries that are printed whole.
    printed: usize,
    /// Rows of the next entry that are printed.
    printed_rows: usize,
}

impl Chat {
    pub(super) fn push(&mut self, entry: Entry) {
        self.close();
        self.entries.push(entry);
    }

    /// Begins a text that will grow.
    pub(super) fn open(&mut self) {
        self.push(Entry::Assistant(String::new()));
        self.open = true;
    }

    pub(super) fn append(&mut self, more: &str) {
        if let (true, Some(Entry::Assistant(text))) = (self.open, self.entries.last_mut()) {
            text.push_str(more);
        }
    }

    pub(super) fn close(&mut self) {
        self.open = false;
    }

    /// The last entry is on the screen already: the terminal showed it while it was typed.
    pub(super) fn skip_last(&mut self) {
        self.printed = self.entries.len();
        self.printed_rows = 0;
    }

    /// Rows that are final and not printed yet; they count as printed from now on.
    pub(super) fn take_new(&mut self, width: usize) -> Vec<Row> {
        let mut rows = Vec::new();
        while let Some(entry) = self.entries.get(self.printed) {
            let growing = self.open && self.printed + 1 == self.entries.len();
            let all = entry.rows(width);
            let until = if growing { all.len() - 1 } else { all.len() };
            rows.extend(all.into_iter().take(until).skip(self.printed_rows));
            if growing {
                self.printed_rows = until;
                break;
            }
            self.printed += 1;
            self.printed_rows = 0;
        }
        if self.printed > KEPT_ENTRIES {
            self.entries.drain(..self.printed - KEPT_ENTRIES);
            self.printed = KEPT_ENTRIES;
        }
        rows
    }

    /// The last row of the text that still grows.
    pub(super) fn growing_row(&self, width: usize) -> Option<Row> {
        self.entries.last().filter(|_| self.open)?.rows(width).pop()
    }

    /// Everything anew, at most `height` rows from the end; all final rows count as printed.
    pub(super) fn take_tail(&mut self, width: usize, height: usize) -> Vec<Row> {
        (self.printed, self.printed_rows) = (0, 0);
        let mut rows = self.take_new(width);
        rows.drain(..rows.len().saturating_sub(height));
        rows
    }
}

impl Entry {
    fn rows(&self, width: usize) -> Vec<Row> {
        let mut rows = vec![Row::default()];
        match self {
            Entry::Banner => rows.extend(banner(width)),
            Entry::User(text) => rows.extend(marked("> ", Look::DIM, text, Look::DIM, width)),
            Entry::Assistant(text) => {
                let mut lines: Vec<Row> = text.lines().flat_map(|line| markdown_rows(line, 2, width)).collect();
                if lines.is_empty() || text.ends_with('\n') {
                    lines.push(Row::new(2, "", Look::PLAIN));
                }
                lines[0].0[0] = ('●', Look::GREEN);
                rows.extend(lines);
            }
            Entry::Tool(tool, result) => {
                let mark = if result.ok { Look::GREEN } else { Look::RED };
                let title = Row::new(0, "◇ ", mark).and(tool.name, Look::BOLD);
                rows.push(title.and(&format!("({})", tool.summary), Look::PLAIN).cut(width));
                for (at, line) in result.output.lines().enumerate() {
                    let lead = if at == 0 { "⎿ " } else { "  " };
                    rows.push(Row::new(2, lead, Look::DIM).and(line, Look::DIM).cut(width));
                }
                let diffs = result.diff.iter().flatten();
                rows.extend(diffs.flat_map(|diff| diff.unified.lines()).flat_map(|line| diff_rows(line, width)));
            }
            Entry::Notice(text) => rows.extend(marked("※ ", Look::YELLOW, text, Look::YELLOW, width)),
            Entry::Line(text) => rows.push(Row::new(0, text, Look::PLAIN).cut(width)),
        }
        rows
    }
}

fn marked(mark: &str, mark_look: Look, text: &str, look: Look, width: usize) -> Vec<Row> {
    let mut rows = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let first = if at == 0 { Row::new(0, mark, mark_look) } else { Row::new(2, "", Look::PLAIN) };
        let cells: Vec<_> = styled(line, look).collect();
        rows.extend(hang(&first, 2, &cells, width, Wrap::Words));
    }
    rows
}

fn banner(width: usize) -> Vec<Row> {
    let inner = BANNER.iter().map(|line| line.chars().count()).max().unwrap_or(0) + 4;
    let looks = [Look::ACCENT.bold(), Look::PLAIN, Look::DIM];
    if inner + 2 > width {
        return BANNER.iter().zip(looks).map(|(line, look)| Row::new(1, line, look).cut(width)).collect();
    }
    let mut rows = vec![Row::new(0, &format!("╭{}╮", "─".repeat(inner)), Look::ACCENT)];
    for (line, look) in BANNER.iter().zip(looks) {
        let pad = " ".repeat(inner - 2 - line.chars().count());
        rows.push(Row::new(0, "│  ", Look::ACCENT).and(line, look).and(&pad, Look::PLAIN).and("│", Look::ACCENT));
    }
    rows.push(Row::new(0, &format!("╰{}╯", "─".repeat(inner)), Look::ACCENT));
    rows
}
