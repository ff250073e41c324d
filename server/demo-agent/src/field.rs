//! A text field: the composer, and the text rows of dialogs.

use super::{
    key::Key,
    row::{Look, Row, char_width},
};

/// Whether Enter-like keys make line breaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lines {
    One,
    Many,
}

/// Text with a cursor in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Field {
    chars: Vec<char>,
    /// The cursor stands before this character.
    at: usize,
    lines: Lines,
}

/// A field broken into rows.
pub(super) struct FieldLayout {
    pub(super) rows: Vec<Row>,
    /// Column and row of the cursor.
    pub(super) cursor: (usize, usize),
}

impl Field {
    pub(super) fn new(lines: Lines) -> Self {
        Self { chars: Vec::new(), at: 0, lines }
    }

    pub(super) fn text(&self) -> String {
        self.chars.iter().collect()
    }

    /// True when nothing but blanks stands in it.
    pub(super) fn is_blank(&self) -> bool {
        self.chars.iter().all(|ch| ch.is_whitespace())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.chars.is_empty()
    }

    /// Empties the field and returns what stood in it.
    pub(super) fn take(&mut self) -> String {
        self.at = 0;
        self.chars.drain(..).collect()
    }

    /// Takes a key; keys that edit nothing do nothing.
    pub(super) fn on_key(&mut self, key: &Key) {
        match key {
            Key::Char(ch) => self.insert(*ch),
            Key::Paste(text) => text.chars().for_each(|ch| self.insert(ch)),
            Key::LineBreak if self.lines == Lines::Many => self.insert('\n'),
            Key::Left => self.at = self.at.saturating_sub(1),
            Key::Right => self.at = (self.at + 1).min(self.chars.len()),
            Key::Home | Key::Ctrl('a') => self.at = 0,
            Key::End | Key::Ctrl('e') => self.at = self.chars.len(),
            Key::Backspace if self.at > 0 => {
                self.at -= 1;
                self.chars.remove(self.at);
            }
            Key::Delete if self.at < self.chars.len() => {
                self.chars.remove(self.at);
            }
            Key::Ctrl('u') => {
                self.take();
            }
            _ => {}
        }
    }

    /// The text in rows of at most `width` columns, one column left for the cursor.
    pub(super) fn layout(&self, width: usize) -> FieldLayout {
        let room = width.saturating_sub(1).max(1);
        let mut rows = vec![Row::default()];
        let mut used = 0;
        let mut cursor = (0, 0);
        for (at, ch) in self.chars.iter().enumerate() {
            let wide = char_width(*ch);
            if used + wide > room {
                rows.push(Row::default());
                used = 0;
            }
            if at == self.at {
                cursor = (used, rows.len() - 1);
            }
            if *ch == '\n' {
                rows.push(Row::default());
                used = 0;
            } else if let Some(row) = rows.last_mut() {
                row.0.push((*ch, Look::PLAIN));
                used += wide;
            }
        }
        if self.at == self.chars.len() {
            cursor = (used, rows.len() - 1);
        }
        FieldLayout { rows, cursor }
    }

    fn insert(&mut self, ch: char) {
        let ch = match ch {
            '\n' if self.lines == Lines::Many => '\n',
            '\n' | '\t' => ' ',
            ch if ch.is_control() => return,
            ch => ch,
        };
        self.chars.insert(self.at, ch);
        self.at += 1;
    }
}
