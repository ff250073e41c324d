//! The head of a question: the chip with its short name, or one tab for each of several questions and one to submit
//! them.

use super::lines::{Row, text};
use crate::screen::{Cell, Color};

/// The tabs of a dialog that asks one or several questions.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Tabs {
    /// The questions' short names, in order; cut by Claude where the screen is narrow.
    pub(super) headers: Vec<String>,
    /// Which tab is in front; as many as there are questions means the review of all answers.
    pub(super) front: usize,
    /// True when there is a tab to submit: then the answers are reviewed before they are sent.
    pub(super) reviewed: bool,
}

const OPEN: &[char] = &['☐', '◻', '▢', '○'];
const ANSWERED: &[char] = &['☒', '☑', '◼', '▣', '●'];
const SUBMIT: &[char] = &['✔', '✓'];

impl Tabs {
    /// Reads the first row of a question, `☐ Database` or `←  ☐ Language  ☒ Features  ✔ Submit  →`.
    pub(super) fn of(row: &Row<'_>) -> Option<Self> {
        let is_bar = row.head().is_some_and(|head| matches!(head, '←' | '‹' | '<'));
        let begins = |cell: &Cell| [OPEN, ANSWERED, SUBMIT].iter().any(|glyphs| glyphs.contains(&cell.ch));
        let first = row.cells.iter().position(begins)?;
        if !is_bar && first > 0 {
            return None;
        }
        let mut tabs = Self::default();
        let mut place = 0;
        for tab in row.cells.get(first..)?.chunk_by(|_, next| !begins(next)) {
            let (glyph, caption) = tab.split_first()?;
            // The tab in front stands on a colour; a lone chip always does.
            if glyph.style.bg != Color::Default || glyph.style.inverse {
                tabs.front = place;
            }
            if SUBMIT.contains(&glyph.ch) && is_bar {
                tabs.reviewed = true;
            } else {
                tabs.headers.push(text(caption).trim_end_matches(['→', '›', ' ']).to_owned());
                place += 1;
            }
        }
        (!tabs.headers.is_empty() && (is_bar || tabs.headers.len() == 1)).then_some(tabs)
    }

    /// True when the review of all answers is in front.
    pub(super) fn in_review(&self) -> bool {
        self.reviewed && self.front == self.headers.len()
    }

    /// What stays the same whichever tab is in front: Claude cuts the names, but never their beginnings.
    pub(super) fn identity(&self) -> String {
        /// As many letters as are left of a name when four of them share 46 columns.
        const KEPT: usize = 3;
        let heads =
            self.headers.iter().map(|header| header.chars().filter(|ch| *ch != '…').take(KEPT).collect::<String>());
        heads.collect::<Vec<_>>().join("/")
    }
}
