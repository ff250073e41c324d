//! The questions of a dialog and the rows below them.

use crate::{
    Offer, SightedOption, SightedText,
    screen::{Cell, Line},
};

const ROW: u16 = 3;

/// One question and its rows; the Submit row of a form belongs to the last one.
#[derive(Debug, Default)]
pub(super) struct Part {
    /// Empty when the dialog asks only one thing.
    pub(super) header: String,
    pub(super) question: String,
    pub(super) rows: Vec<Row>,
}

/// One row the cursor can be on.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) kind: RowKind,
    pub(super) selected: bool,
    pub(super) option: SightedOption,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RowKind {
    /// Chosen by Enter.
    Plain,
    /// With a box that is checked.
    Box,
    /// One of several of which one is checked.
    Radio,
    /// A field that belongs to no option.
    Field,
    Submit,
}

impl Row {
    pub(super) fn is_choice(&self) -> bool {
        matches!(self.kind, RowKind::Plain | RowKind::Box | RowKind::Radio)
    }
}

/// Reads everything from the first question on.
pub(super) fn read(lines: &[Line], cols: u16) -> Vec<Part> {
    let mut reader = Reader { parts: Vec::new(), above: Above::Nothing, cols, end: 0 };
    for line in lines {
        reader.take(line);
        reader.end = line.end();
    }
    for row in reader.parts.iter_mut().flat_map(|part| &mut part.rows) {
        if let Some(text) = &mut row.option.text {
            text.focused = row.selected;
        }
    }
    reader.parts
}

struct Reader {
    parts: Vec<Part>,
    above: Above,
    cols: u16,
    /// The column behind the last character of the row above.
    end: u16,
}

/// What an indented row may go on from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Above {
    Nothing,
    Question,
    Row,
    Field,
}

impl Reader {
    fn take(&mut self, line: &Line) {
        let Some(first) = line.first_drawn() else {
            self.above = Above::Nothing;
            return;
        };
        let selected = first.column == 1 && first.ch == '❯';
        if first.column == 1 && !selected {
            return self.take_question(line, first.ch);
        }
        if (selected || first.column == ROW)
            && let Some(row) = row(line, selected)
        {
            self.above = if row.kind == RowKind::Field { Above::Field } else { Above::Row };
            return self.part().rows.push(row);
        }
        self.take_more(line, first);
    }

    fn take_question(&mut self, line: &Line, first: char) {
        if first == '▪' {
            let text = line.text_from(ROW);
            let (header, question) = text.split_once(": ").unwrap_or((text.trim_end_matches(':'), ""));
            self.parts.push(Part { header: header.to_owned(), question: question.to_owned(), rows: Vec::new() });
        } else if self.above == Above::Question {
            append(&mut self.part().question, line.text.trim_start());
        } else {
            self.parts.push(Part { question: line.text.trim_start().to_owned(), ..Part::default() });
        }
        self.above = Above::Question;
    }

    /// A row that goes on from the one above.
    fn take_more(&mut self, line: &Line, first: &Cell) {
        let text = line.text.trim_start();
        let fits_on = self.end + 1 >= self.cols;
        let above = self.above;
        let part = self.part();
        let Some(row) = part.rows.last_mut().filter(|_| above != Above::Question) else {
            append(&mut part.question, text);
            return;
        };
        let option = &mut row.option;
        if first.ch == '›' && first.column > ROW {
            option.text = Some(field(line, first.column));
            self.above = Above::Field;
        } else if above == Above::Field {
            if let Some(field) = &mut option.text {
                // A full row was broken anywhere; otherwise a blank stood at its end.
                if !fits_on {
                    field.value.push(' ');
                }
                field.value.push_str(text);
            }
        } else if first.style.dim {
            append(option.description.get_or_insert_default(), text);
        } else {
            append(&mut option.label, text);
        }
    }

    fn part(&mut self) -> &mut Part {
        if self.parts.is_empty() {
            self.parts.push(Part::default());
        }
        let last = self.parts.len() - 1;
        &mut self.parts[last]
    }
}

/// A row of its own: numbered, a field, or Submit.
fn row(line: &Line, selected: bool) -> Option<Row> {
    let cell = line.cells.iter().find(|cell| cell.column >= ROW && cell.ch != ' ')?;
    let text = line.text_from(ROW);
    if cell.ch == '›' {
        let option = SightedOption { text: Some(field(line, ROW)), ..SightedOption::default() };
        return Some(Row { kind: RowKind::Field, selected, option });
    }
    if text == "Submit" && cell.style.bold {
        let option = SightedOption { offer: Offer::Button, ..SightedOption::new(text) };
        return Some(Row { kind: RowKind::Submit, selected, option });
    }
    let (number, rest) = text.split_once(". ").filter(|_| cell.style.dim)?;
    if number.is_empty() || !number.chars().all(|ch| ch.is_ascii_digit()) {
        return None;
    }
    let marks = [
        ("[x] ", RowKind::Box, Some(true)),
        ("[ ] ", RowKind::Box, Some(false)),
        ("(•) ", RowKind::Radio, Some(true)),
        ("( ) ", RowKind::Radio, Some(false)),
    ];
    let marked = marks.iter().find_map(|(mark, kind, checked)| Some((rest.strip_prefix(mark)?, *kind, *checked)));
    let (label, kind, checked) = marked.unwrap_or((rest, RowKind::Plain, None));
    let option = SightedOption { checked, number: Some(number.to_owned()), ..SightedOption::new(label) };
    Some(Row { kind, selected, option })
}

/// A field whose mark stands in a column. Dim is what it suggests, the rest is what was typed.
fn field(line: &Line, column: u16) -> SightedText {
    let inner = || line.cells.iter().filter(|cell| cell.column >= column + 2);
    let ghost: String = inner().filter(|cell| cell.style.dim).map(|cell| cell.ch).collect();
    let typed: String = inner().filter(|cell| !cell.style.dim).map(|cell| cell.ch).collect();
    let ghost = ghost.trim();
    SightedText {
        placeholder: (!ghost.is_empty()).then(|| ghost.to_owned()),
        value: typed.trim_end().to_owned(),
        ..SightedText::default()
    }
}

fn append(text: &mut String, more: &str) {
    if !text.is_empty() {
        text.push(' ');
    }
    text.push_str(more);
}
