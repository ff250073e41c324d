//! Draws a dialog: a rule, a heading, the body, the questions with their rows, a rule and a line of hints.
//!
//! Where things begin is the contract with the adapter that reads them back (`adapters::demo`): rules in column 0, heading
//! and questions in column 1, the cursor glyph in column 1, body and rows in column 3, what belongs to a row from column 6.

use super::{
    dialog::{Ask, Body, Dialog, Pick, Spot},
    field::Field,
    row::{Drawing, Look, Row, Wrap, hang, markdown, styled},
};

const BODY: usize = 3;
const OPTION: usize = 6;
const CHECK: usize = 4;

impl Dialog {
    /// The dialog in at most `height` rows: the body gives way first. Nothing when not even the questions fit.
    pub(super) fn draw(&self, width: usize, height: usize) -> Option<Drawing> {
        let mut drawing = Drawing { rows: vec![Row::rule(width, Look::ACCENT), self.heading_row(width)], cursor: None };
        let mut asks = Drawing::default();
        for (at, ask) in self.asks.iter().enumerate() {
            asks.rows.push(Row::default());
            self.draw_ask(at, ask, width, &mut asks);
        }
        if !self.is_immediate() {
            asks.rows.push(Row::default());
            asks.rows.push(self.pointer(Spot::Submit).and("Submit", Look::GREEN.bold()));
        }
        let mut body: Vec<Row> = self.body.iter().flat_map(|body| body.draw(width)).collect();
        if !body.is_empty() {
            body.insert(0, Row::default());
        }
        // The two rules, the heading and the hints are always there.
        let room = height.checked_sub(asks.rows.len() + 4)?;
        if body.len() > room {
            let hidden = body.len() + 1 - room;
            body.truncate(room.saturating_sub(1));
            body.extend((room > 0).then(|| Row::new(BODY, &format!("⋮ {hidden} more lines"), Look::DIM)));
        }
        drawing.rows.extend(body);
        drawing.cursor = asks.cursor.map(|(column, row)| (column, row + drawing.rows.len()));
        drawing.rows.extend(asks.rows);
        drawing.rows.push(Row::rule(width, Look::ACCENT));
        drawing.rows.push(self.hints().cut(width));
        Some(drawing)
    }

    fn heading_row(&self, width: usize) -> Row {
        Row::new(1, "◆ ", Look::ACCENT).and(self.heading, Look::ACCENT.bold()).cut(width)
    }

    fn hints(&self) -> Row {
        if let Some(note) = &self.note {
            return Row::new(2, note, Look::YELLOW);
        }
        let hints = match (self.is_typing(), self.is_immediate()) {
            (true, true) => "type your answer · enter sends · esc cancels",
            (true, false) => "type your answer · ↑↓ move · esc cancels",
            (false, true) => "↑↓ move · enter chooses · esc cancels",
            (false, false) => "↑↓ move · space checks · enter on Submit sends · esc cancels",
        };
        Row::new(2, hints, Look::DIM)
    }

    /// The first columns of a row that the cursor can be on.
    fn pointer(&self, spot: Spot) -> Row {
        if self.spot() == spot { Row::new(1, "❯ ", Look::ACCENT.bold()) } else { Row::new(BODY, "", Look::PLAIN) }
    }

    fn draw_ask(&self, at: usize, ask: &Ask, width: usize, drawing: &mut Drawing) {
        let (lead, indent, look) = if ask.header.is_empty() {
            (Row::default(), 1, Look::BOLD)
        } else {
            (Row::new(0, "▪ ", Look::ACCENT).and(ask.header, Look::BOLD).and(": ", Look::PLAIN), BODY, Look::PLAIN)
        };
        let question = lead.and(ask.question, look);
        let rows = hang(&Row::new(1, "", Look::PLAIN), indent, &question.0, width, Wrap::Words);
        drawing.rows.extend(rows);
        if ask.pick == Pick::Text {
            let pointer = self.pointer(Spot::Field(at));
            draw_field(&ask.field, pointer, "type here", self.spot() == Spot::Field(at), width, drawing);
        }
        for (number, choice) in ask.choices.iter().enumerate() {
            let spot = Spot::Choice(at, number);
            let selected = self.spot() == spot;
            let mut first = self.pointer(spot).and(&format!("{}. ", number + 1), Look::DIM);
            let mut indent = OPTION;
            if !self.is_immediate() {
                indent += CHECK;
                let (mark, look) = match (ask.pick, choice.checked) {
                    (Pick::Many, true) => ("[x] ", Look::GREEN),
                    (Pick::Many, false) => ("[ ] ", Look::PLAIN),
                    (_, true) => ("(•) ", Look::GREEN),
                    (_, false) => ("( ) ", Look::PLAIN),
                };
                first = first.and(mark, look);
            }
            let look = if selected { Look::ACCENT } else { Look::PLAIN };
            let label: Vec<_> = styled(choice.label, look).collect();
            drawing.rows.extend(hang(&first, indent, &label, width, Wrap::Words));
            if !choice.description.is_empty() {
                let description: Vec<_> = styled(choice.description, Look::DIM).collect();
                let first = Row::new(indent, "", Look::PLAIN);
                drawing.rows.extend(hang(&first, indent, &description, width, Wrap::Words));
            }
            if let Some(field) = &choice.field {
                draw_field(field, Row::new(indent, "", Look::PLAIN), "type here", selected, width, drawing);
            }
        }
    }
}

/// A field behind its mark; the cursor is in it while it is the one that takes what is typed.
fn draw_field(field: &Field, first: Row, ghost: &str, focused: bool, width: usize, drawing: &mut Drawing) {
    let indent = first.0.len() + 2;
    let layout = field.layout(width.saturating_sub(indent));
    let top = drawing.rows.len();
    if focused {
        drawing.cursor = Some((indent + layout.cursor.0, top + layout.cursor.1));
    }
    let mut lead = first.and("› ", Look::ACCENT);
    if field.is_empty() {
        drawing.rows.push(lead.and(ghost, Look::DIM));
        return;
    }
    for row in layout.rows {
        lead.0.extend(row.0);
        drawing.rows.push(std::mem::replace(&mut lead, Row::new(indent, "", Look::PLAIN)));
    }
}

impl Body {
    fn draw(self, width: usize) -> Vec<Row> {
        let lead = Row::new(BODY, "", Look::PLAIN);
        match self {
            Body::Code(code) => {
                let cells: Vec<_> = styled(code, Look::CYAN).collect();
                hang(&lead, BODY, &cells, width, Wrap::Characters)
            }
            Body::Prose(prose) => {
                let cells: Vec<_> = styled(prose, Look::DIM).collect();
                hang(&lead, BODY, &cells, width, Wrap::Words)
            }
            Body::Markdown(text) => text.lines().flat_map(|line| markdown_rows(line, BODY, width)).collect(),
            Body::Diff { path, unified } => {
                let rule = Row::new(BODY, &"╌".repeat(width.saturating_sub(2 * BODY)), Look::DIM);
                let mut rows = vec![Row::new(BODY, path, Look::BOLD), rule.clone()];
                rows.extend(unified.lines().flat_map(|line| diff_rows(line, width)));
                rows.push(rule);
                rows
            }
        }
    }
}

/// One line of markdown in rows; what follows a list mark hangs behind it.
pub(super) fn markdown_rows(line: &str, indent: usize, width: usize) -> Vec<Row> {
    let text = line.trim_start();
    let depth = line.len() - text.len();
    let mark = match text.split_once(' ') {
        Some((mark, _)) if mark == "-" || mark.strip_suffix('.').is_some_and(is_number) => mark.len() + 1,
        _ => 0,
    };
    let cells = markdown(text);
    let (mark_cells, rest) = cells.split_at(mark.min(cells.len()));
    let mut first = Row::new(indent + depth, "", Look::PLAIN);
    first.0.extend(mark_cells);
    hang(&first, indent + depth + mark, rest, width, Wrap::Words)
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|ch| ch.is_ascii_digit())
}

/// One line of a diff in rows; a row that goes on from the one above says so.
pub(super) fn diff_rows(line: &str, width: usize) -> Vec<Row> {
    let look = match line.chars().next() {
        Some('+') => Look::GREEN,
        Some('-') => Look::RED,
        Some('@') => Look::CYAN,
        _ => Look::PLAIN,
    };
    let cells: Vec<_> = styled(line, look).collect();
    let mut rows = hang(&Row::new(BODY, "", Look::PLAIN), BODY + 1, &cells, width, Wrap::Characters);
    for row in rows.iter_mut().skip(1) {
        row.0[BODY] = ('↪', Look::DIM);
    }
    rows
}
