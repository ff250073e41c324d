//! A tool that wants to be allowed: `? Shell  touch a.txt`, what it would do, and the change it would make.

use shared_types::FileDiff;

use crate::{
    gemini_family::lines::{Span, is_border, join_wraps, unframed},
    layout::{
        cuts::{ends_cut, is_cut_mark},
        diff::{self, Change},
        squash,
        strokes::is_vertical,
    },
};

use super::words;

/// The row that names the tool.
#[derive(Debug)]
pub(crate) struct ToolRow {
    /// Which row inside the frame it is.
    pub(crate) row: usize,
    /// The tool's name as the CLI shows it.
    pub(crate) name: String,
    /// What it says of itself; cut with `…` where it was too long.
    pub(crate) about: String,
    /// True when nothing but the name stands there.
    pub(crate) bare: bool,
    /// True when the row carries the arrow that marks the one of several tools that asks.
    pub(crate) pointed: bool,
}

impl ToolRow {
    /// Finds it above the row `end`: the one with the arrow, else the topmost.
    pub(crate) fn find(inside: &[Span<'_>], end: usize) -> Option<Self> {
        let asks = |span: &Span<'_>| {
            let Some(first) = span.first().filter(|cell| cell.ch == '?') else { return false };
            span.from(first.column + 1).cells().first().is_some_and(|cell| cell.ch == ' ')
        };
        let rows = inside.get(..end)?;
        let pointed = rows.iter().rposition(|span| asks(span) && is_pointed(*span));
        let row = pointed.or_else(|| rows.iter().position(asks))?;
        Some(Self::read(inside[row], row))
    }

    fn read(span: Span<'_>, row: usize) -> Self {
        let pointed = is_pointed(span);
        let end = if pointed { span.last().map_or(u16::MAX, |cell| cell.column) } else { u16::MAX };
        let end = position(span).map_or(end, |(column, _)| column);
        let rest = span.from(span.column().unwrap_or(0) + 1).before(end);
        let rest = rest.from(rest.column().unwrap_or(0));
        // The name is bold and what it says of itself is not; without styles the first gap or word parts them.
        let bold = rest.cells().iter().take_while(|cell| cell.style.bold).count();
        let cut = match rest.cells().get(bold) {
            _ if bold == 0 => {
                let text = rest.raw_text();
                let at = text.find("  ").or_else(|| text.find(' ')).unwrap_or(text.len());
                rest.cells().get(text[..at].chars().count()).map_or(u16::MAX, |cell| cell.column)
            }
            Some(cell) => cell.column,
            None => u16::MAX,
        };
        let about = rest.from(cut).text();
        Self { row, name: rest.before(cut).text(), bare: about.is_empty(), about, pointed }
    }
}

fn is_pointed(span: Span<'_>) -> bool {
    span.last().is_some_and(|cell| matches!(cell.ch, '←' | '◀'))
}

/// The CLI's count of queued prompts at the right end of a row, such as `1 of 3`, and the column it begins in.
pub(crate) fn position(span: Span<'_>) -> Option<(u16, String)> {
    let text = span.raw_text();
    let (before, count) = text.rsplit_once("  ")?;
    let count = count.trim();
    let (index, total) = count.split_once(" of ")?;
    let numbers = [index, total].iter().all(|part| !part.is_empty() && part.chars().all(|ch| ch.is_ascii_digit()));
    let column = span.cells().get(before.chars().count())?.column;
    numbers.then(|| (column, count.to_owned()))
}

/// What stands between the tool's row and the question.
#[derive(Debug, Default)]
pub(crate) struct Body {
    /// The command, or the lines of the file, with wraps joined.
    pub(crate) text: String,
    /// More of what the tool says of itself.
    pub(crate) about: Vec<String>,
    /// Remarks of the CLI.
    pub(crate) notes: Vec<String>,
    /// True when it stands in a frame of its own, as commands and changes do.
    pub(crate) framed: bool,
    /// The change, where it is one: hunks of a unified diff.
    pub(crate) unified: Option<String>,
}

impl Body {
    /// Reads the rows between the tool's row and the question. `width` is that of a line.
    pub(crate) fn read(rows: &[Span<'_>], width: usize) -> Self {
        let lower = rows.iter().rposition(|span| is_border(*span));
        let upper = rows.iter().position(|span| is_border(*span) || is_side(*span));
        let (Some(upper), Some(lower)) = (upper, lower) else {
            let noted = rows.iter().position(is_note).unwrap_or(rows.len());
            return Self {
                text: lines(&rows[..noted], width),
                notes: paragraph(&rows[noted..], width),
                unified: unified(&rows[..noted]),
                ..Self::default()
            };
        };
        let framed: Vec<Span<'_>> =
            rows[upper..lower].iter().filter(|span| !is_border(**span)).map(|span| unframed(*span)).collect();
        Self {
            // Inside its frame a command is wrapped two columns before the edge.
            text: lines(&framed, width.saturating_sub(6)),
            about: paragraph(&rows[..upper], width),
            notes: paragraph(&rows[lower + 1..], width),
            framed: true,
            unified: unified(&framed),
        }
    }
}

/// True for a row of an inner frame.
fn is_side(span: Span<'_>) -> bool {
    span.glyph().is_some_and(is_vertical)
}

/// True for a remark: a word in bold with a colon behind it.
fn is_note(span: &Span<'_>) -> bool {
    let bold: String = span.drawn().take_while(|cell| cell.style.bold).map(|cell| cell.ch).collect();
    bold.ends_with(':')
}

/// The lines of some rows, wraps joined, indentation kept, empty lines at both ends left out.
pub(crate) fn lines(rows: &[Span<'_>], width: usize) -> String {
    let rows: Vec<Span<'_>> = rows.iter().copied().filter(|span| !is_collapsed(*span)).collect();
    let edge = rows.iter().filter_map(|span| span.column()).min().unwrap_or(0);
    let texts: Vec<String> = rows.iter().map(|span| span.from(edge).raw_text()).collect();
    join_wraps(texts.iter().map(String::as_str), width).trim_matches('\n').to_owned()
}

fn paragraph(rows: &[Span<'_>], width: usize) -> Vec<String> {
    let text = lines(rows, width);
    text.lines().map(|line| line.trim().to_owned()).filter(|line| !line.is_empty()).collect()
}

/// Makes a unified diff of rows such as `3 - old`, `3 + new`, `4   same`, or of a new file's `1 text`.
fn unified(rows: &[Span<'_>]) -> Option<String> {
    let mut changes: Vec<Change> = Vec::new();
    let mut apart = false;
    let collapsed = rows.iter().any(|span| is_collapsed(*span));
    let rows: Vec<Span<'_>> = rows.iter().copied().filter(|span| !span.is_blank() && !is_collapsed(*span)).collect();
    let signed = rows.iter().filter_map(|span| numbered_line(*span)).all(|(_, rest)| is_signed(rest));
    for span in &rows {
        if is_border(*span) {
            apart = true;
        } else if let Some((number, rest)) = numbered_line(*span) {
            let mut cells = rest.cells().iter().map(|cell| cell.ch);
            // A blank parts the number from what follows; a change has its sign and another blank before the text.
            let sign = if signed { cells.nth(1).unwrap_or(' ') } else { '+' };
            let text: String = cells.skip(1).collect();
            changes.push(Change { number: Some(number), sign, text: text.trim_end().to_owned(), apart });
            apart = false;
        } else {
            changes.last_mut()?.text.push_str(&span.text());
        }
    }
    // The lines of a new file are counted from the first; numbers that are not are those of a command.
    let counted = changes.windows(2).all(|pair| pair[0].number.map(|number| number + 1) == pair[1].number);
    let whole = changes.first().is_some_and(|change| change.number == Some(1)) || collapsed;
    let changed = changes.iter().any(|change| change.sign != ' ');
    ((changed || collapsed) && (signed || counted && whole)).then(|| diff::unified(&changes))
}

/// True for the CLI's remark that it left lines out, such as `... 12 hidden (Ctrl+O) ...`.
pub(crate) fn is_collapsed(span: Span<'_>) -> bool {
    is_cut_mark(&span.text())
}

fn numbered_line(span: Span<'_>) -> Option<(u32, Span<'_>)> {
    let rest = span.from(span.column()?);
    let digits = rest.cells().iter().take_while(|cell| cell.ch.is_ascii_digit()).count();
    let number: String = rest.cells().get(..digits)?.iter().map(|cell| cell.ch).collect();
    let behind = rest.from(rest.cells().first()?.column + u16::try_from(digits).ok()?);
    let apart = behind.cells().first().is_none_or(|cell| cell.ch == ' ');
    apart.then_some((number.parse().ok()?, behind))
}

fn is_signed(rest: Span<'_>) -> bool {
    let mut cells = rest.cells().iter().map(|cell| cell.ch).skip(1);
    cells.next().is_none_or(|sign| matches!(sign, ' ' | '+' | '-')) && cells.next().is_none_or(|ch| ch == ' ')
}

/// The file a change is about, from what the tool says of itself: `a.txt: old => new` or `Writing to a.txt`.
pub(crate) fn diff_of(about: &str, unified: String) -> FileDiff {
    let path = match about.split_once(": ") {
        Some((path, _)) if !path.contains(' ') => path,
        _ => about.split_whitespace().next_back().unwrap_or_default(),
    };
    FileDiff { path: path.to_owned(), unified }
}

/// True when the row of the tool is cut and what it tells does not stand below it in full.
pub(crate) fn hides_input(tool: &ToolRow, body: &Body) -> bool {
    let Some((shown, _)) = tool.about.split_once('…').filter(|_| ends_cut(&tool.about)) else { return false };
    if body.unified.is_some() && !words::runs_commands(&tool.name) {
        // The change stands below, so the path is all that must be whole.
        return !shown.contains(": ");
    }
    // `Processing … from prompt: "Summarize …`: what is quoted stands below from its beginning.
    let quoted = squash(shown.rsplit('"').next().unwrap_or_default());
    let told = !shown.starts_with('{') && !quoted.is_empty() && squash(&body.text).starts_with(&quoted);
    !told && !is_command(tool, body)
}

/// True when a body is the command that the tool's row begins to tell.
pub(crate) fn is_command(tool: &ToolRow, body: &Body) -> bool {
    let told = squash(tool.about.split('…').next().unwrap_or_default());
    let text = squash(&body.text);
    // One that tells no more than the row itself is no command but a remark.
    let same = !told.is_empty() && told != text && (told.starts_with(&text) || text.starts_with(&told));
    body.framed || same || words::runs_commands(&tool.name)
}
