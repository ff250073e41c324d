//! What stands in a dialog above its options: a heading with a rule below it, inner boxes with what is asked about word for word, the
//! rows of a change, and sentences.

use shared_types::FileDiff;

use super::lines;
use crate::{
    layout::{
        diff::{Change, unified},
        squash,
        strokes::{is_horizontal, is_lower_corner, is_upper_corner, is_vertical},
    },
    screen::Line,
};

/// The parts of a dialog's body.
#[derive(Debug, Default)]
pub(super) struct Body {
    /// The text above the rule; empty where that is off the screen.
    pub(super) heading: String,
    /// What is in the inner boxes, from above.
    pub(super) boxes: Vec<String>,
    /// The sentences, paragraph by paragraph.
    pub(super) prose: Vec<String>,
    /// The last paragraph, when it is a sentence and stands right above the options.
    pub(super) question: Option<String>,
    /// The rows of a change, with what stands above them.
    pub(super) change: Option<(Vec<Line>, Vec<Change>)>,
    /// All rows below the heading as they are, for a plan.
    pub(super) rows: Vec<String>,
}

/// Reads the rows above the options.
pub(super) fn read(inside: &[Line], width: u16, has_top: bool) -> Body {
    let mut body = Body::default();
    // Where the top is clipped, the rule may be the first row that is left.
    let rule = inside.iter().position(|line| lines::is_rule(line, width)).filter(|rule| has_top || *rule < 2);
    let rest = match rule {
        Some(rule) => {
            body.heading = lines::prose(&inside[..rule]);
            &inside[rule + 1..]
        }
        None => inside,
    };
    body.rows = rest.iter().map(|line| line.text.trim_end().to_owned()).collect();
    body.change = change(rest);
    let sentences = boxes(rest, width, &mut body.boxes);
    let from = if body.change.is_some() { last_paragraph(&sentences) } else { 0 };
    let paragraphs = lines::paragraphs(&sentences[from..]);
    body.prose = paragraphs.iter().map(|rows| lines::prose(&sentences[from..][rows.clone()])).collect();
    let ends_in_words = rest.iter().rev().find(|line| !line.is_blank()).is_some_and(|line| !is_inner(line, width));
    body.question = body.prose.pop_if(|last| ends_in_words && last.ends_with('?'));
    body
}

fn last_paragraph(lines: &[Line]) -> usize {
    lines::paragraphs(lines).last().map_or(lines.len(), |rows| rows.start)
}

/// A row of an inner box, an edge or a side.
fn is_inner(line: &Line, width: u16) -> bool {
    let ends = |is_edge: fn(char) -> bool| {
        line.first_drawn().is_some_and(|cell| cell.column == 0 && is_edge(cell.ch))
            && line.end() == width
            && line.text.ends_with(is_edge)
    };
    ends(is_vertical) || ends(is_upper_corner) || ends(is_lower_corner)
}

/// Takes the inner boxes out; what is left has blank rows in their place.
fn boxes(rest: &[Line], width: u16, found: &mut Vec<String>) -> Vec<Line> {
    let mut open: Vec<Line> = Vec::new();
    let mut left = Vec::new();
    for line in rest {
        if !is_inner(line, width) {
            left.push(line.clone());
            continue;
        }
        left.push(Line::default());
        let first = line.first_drawn().map_or(' ', |cell| cell.ch);
        if is_vertical(first) {
            open.push(lines::inner(line, 2, width.saturating_sub(2)));
        } else if is_lower_corner(first) {
            found.push(lines::unwrap(&open, width.saturating_sub(4)));
            open.clear();
        }
    }
    left
}

/// The rows of a change: a number, a sign or a blank, and the line from the third column behind it on.
fn change(rest: &[Line]) -> Option<(Vec<Line>, Vec<Change>)> {
    let first = rest.iter().position(|line| changed(line).is_some())?;
    // A paragraph of its own: what stands right above names the file, and is parted from it.
    let begins = first == 0 || rest[first - 1].is_blank() || rest[..first].iter().all(is_more);
    let mut changes: Vec<Change> = Vec::new();
    for line in rest[first..].iter().take_while(|line| !line.is_blank()) {
        match (changed(line), changes.last_mut()) {
            (Some(change), _) => changes.push(change),
            (None, Some(last)) if is_more(line) => last.text.push_str(line.text.trim()),
            _ => break,
        }
    }
    begins.then(|| (rest[..first].to_vec(), changes))
}

/// A row that goes on from the one above.
fn is_more(line: &Line) -> bool {
    line.indent().is_none_or(|indent| indent >= 4)
}

fn changed(line: &Line) -> Option<Change> {
    let indent = line.indent()?;
    let text = line.text_from(indent);
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let number = text.get(..digits).filter(|number| !number.is_empty() && indent <= 4)?;
    let behind = indent + u16::try_from(digits).ok()?;
    let rest: Vec<char> = lines::inner(line, behind, u16::MAX).cells.iter().map(|cell| cell.ch).collect();
    let at = |column: usize| rest.get(column).copied().unwrap_or(' ');
    let sign = at(1);
    let is_parted = at(0) == ' ' && (2..5).all(|column| is_gap(at(column)));
    if !is_parted || !(matches!(sign, '+' | '-') || is_gap(sign)) {
        return None;
    }
    let sign = if is_gap(sign) { ' ' } else { sign };
    let text: String = rest.iter().skip(5).collect();
    Some(Change { number: number.parse().ok(), sign, text: text.trim_end().to_owned(), apart: false })
}

/// A blank, or the kind of it that does not wrap.
fn is_gap(ch: char) -> bool {
    matches!(ch, ' ' | '\u{a0}')
}

/// The change as a diff of the file that the question names. What stands above it names the file and its folder.
pub(super) fn diff(above: &[Line], changes: &[Change], question: &str) -> FileDiff {
    let asked = question.find('/').map_or("", |at| question[at..].trim_end_matches('?'));
    let mut heads = above.iter().map(|line| line.text.trim()).filter(|text| !text.is_empty());
    let name = heads.next().and_then(|head| head.rsplitn(3, ' ').nth(2)).unwrap_or_default();
    let folder: String = heads.collect();
    let told = format!("{folder}/{name}");
    let path = if squash(&told) == squash(asked) { told } else { asked.to_owned() };
    FileDiff { path, unified: unified(changes) }
}

/// The rows as Markdown, without the margin that they share.
pub(super) fn markdown(rows: &[String]) -> String {
    let drawn = || rows.iter().filter(|row| !row.is_empty());
    let margin = drawn().map(|row| row.len() - row.trim_start().len()).min().unwrap_or(0);
    let lines: Vec<&str> = rows.iter().map(|row| row.get(margin..).unwrap_or_default()).collect();
    lines.join("\n").trim().to_owned()
}

/// True for a row that only parts others.
pub(super) fn is_only_strokes(text: &str) -> bool {
    !text.is_empty() && text.chars().all(is_horizontal)
}
