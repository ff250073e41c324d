//! The puzzle: a dial that no adapter can read. It shows what happens to a screen that is not understood.

use super::{
    dialog::Outcome,
    key::Key,
    row::{Drawing, Look, Row},
};

/// A dial with a number on it.
#[derive(Debug, Clone)]
pub(super) struct Dial {
    value: u8,
}

const HIGHEST: u8 = 9;

impl Dial {
    pub(super) fn new() -> Self {
        Self { value: 3 }
    }

    /// Turned with + and - or the arrows, confirmed with =. Everything else is ignored.
    pub(super) fn on_key(&mut self, key: &Key) -> Option<Outcome> {
        match key {
            Key::Char('+') | Key::Right | Key::Up => self.value = (self.value + 1).min(HIGHEST),
            Key::Char('-') | Key::Left | Key::Down => self.value = self.value.saturating_sub(1),
            Key::Char('=') => return Some(Outcome::of_text(self.value.to_string())),
            Key::Escape | Key::Ctrl('c') => return Some(Outcome::Cancelled),
            _ => {}
        }
        None
    }

    /// The dial, without frame, hints or cursor.
    pub(super) fn draw(&self) -> Drawing {
        let dial = Row::new(3, "«« ", Look::DIM)
            .and("◐ ", Look::YELLOW)
            .and(&self.value.to_string(), Look::BOLD)
            .and(" ◑", Look::YELLOW)
            .and(" »»", Look::DIM);
        Drawing { rows: vec![Row::default(), dial], cursor: None }
    }
}
