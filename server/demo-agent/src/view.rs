//! The live part at the bottom of the screen: the busy line, queued messages, and the composer or the dialog in its place.

use shared_types::Millis;

use super::{
    agent::{Activity, Agent},
    row::{Drawing, Look, Row},
};

/// Below this nothing sensible can be drawn.
const SMALLEST: (usize, usize) = (24, 8);
const GHOST: &str = "Type a message, or help";
const SPINNER: [char; 6] = ['·', '✢', '✳', '✶', '✻', '✽'];
const SPIN_MILLIS: Millis = 200;

impl Agent {
    /// The live part, at most as high as the terminal.
    pub(super) fn view(&self, width: usize, height: usize, now: Millis) -> Drawing {
        if self.is_over() {
            return Drawing::default();
        }
        let too_small =
            || Drawing { rows: vec![Row::new(0, "Terminal too small", Look::YELLOW).cut(width)], cursor: None };
        if width < SMALLEST.0 || height < SMALLEST.1 {
            return too_small();
        }
        match &self.activity {
            Activity::Dialog(_, dialog) => {
                dialog.draw(width, height).map_or_else(too_small, |drawing| spaced(drawing, height))
            }
            Activity::Dial(_, dial) => dial.draw(),
            Activity::Line(..) => Drawing::default(),
            Activity::Idle | Activity::Working { .. } => self.chat_view(width, height, now),
        }
    }

    fn chat_view(&self, width: usize, height: usize, now: Millis) -> Drawing {
        let mut rows: Vec<Row> = self.chat.growing_row(width).into_iter().collect();
        rows.push(Row::default());
        if let Activity::Working { since, verb, .. } = self.activity {
            rows.push(busy_row(verb, now.saturating_sub(since)).cut(width));
            for message in &self.queue {
                let first_line = message.lines().next().unwrap_or_default();
                rows.push(Row::new(2, "⋯ queued: ", Look::DIM).and(first_line, Look::DIM).cut(width));
            }
            rows.push(Row::default());
        }
        rows.push(Row::rule(width, Look::DIM));
        let layout = self.composer.layout(width - 2);
        // A long draft shows the rows around its cursor.
        let room = (height / 2).max(1);
        let top = (layout.cursor.1 + 1).saturating_sub(room);
        let cursor = (2 + layout.cursor.0, rows.len() + layout.cursor.1 - top);
        for (at, row) in layout.rows.into_iter().enumerate().skip(top).take(room) {
            let mut line = Row::new(0, if at == top { "> " } else { "  " }, Look::PLAIN);
            line.0.extend(row.0);
            rows.push(line);
        }
        if self.composer.is_empty()
            && let Some(row) = rows.last_mut()
        {
            *row = std::mem::take(row).and(GHOST, Look::DIM).cut(width);
        }
        rows.push(Row::rule(width, Look::DIM));
        rows.push(self.footer().cut(width));
        let above = rows.len().saturating_sub(height);
        rows.drain(..above);
        Drawing { rows, cursor: Some((cursor.0, cursor.1 - above)) }
    }

    fn footer(&self) -> Row {
        if self.quit_armed.is_some() {
            return Row::new(2, "Press ctrl+c again to quit", Look::YELLOW);
        }
        let hints = match self.activity {
            Activity::Working { .. } => "enter queues a message · esc interrupts",
            _ => "help lists everything · ctrl+j new line · ctrl+c twice quits",
        };
        Row::new(2, hints, Look::DIM)
    }
}

fn busy_row(verb: &str, elapsed: Millis) -> Row {
    let frame = usize::try_from(elapsed / SPIN_MILLIS).unwrap_or(0) % SPINNER.len();
    Row::new(0, &format!("{} {verb}… ", SPINNER[frame]), Look::ACCENT)
        .and(&format!("({}s · esc to interrupt)", elapsed / 1000), Look::DIM)
}

/// A blank row above, where there is room for one.
fn spaced(mut drawing: Drawing, height: usize) -> Drawing {
    if drawing.rows.len() < height {
        drawing.rows.insert(0, Row::default());
        drawing.cursor = drawing.cursor.map(|(column, row)| (column, row + 1));
    }
    drawing
}
