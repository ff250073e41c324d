//! Line work that the adapters share. It knows no CLI and no words of one: what a row means is theirs to say.
//!
//! - [`strokes`]: what rules and boxes are drawn with.
//! - [`hints`]: the key behind a label.
//! - [`cuts`]: the marks of what a CLI left out.
//! - [`diff`]: a drawn change as a unified diff.
//!
//! Where a row begins and ends is a question to the [`crate::screen::Line`] itself. How wrapped rows are joined is each CLI's own:
//! every one of them wraps otherwise.

pub mod cuts;
pub mod diff;
pub mod hints;
pub mod strokes;

use std::ops::Range;

use crate::Screen;

/// The first and the last row of a dialog with nothing below it; nothing when something is below.
#[must_use]
pub fn ends<'a>(screen: &'a Screen, rows: &Range<usize>) -> Option<(&'a str, &'a str)> {
    let last = screen.last_row().filter(|last| rows.contains(last))?;
    Some((screen.text(rows.start).trim_start(), screen.text(last).trim_start()))
}

/// The text without any blanks: equal for equal words however they were wrapped.
#[must_use]
pub fn squash(text: &str) -> String {
    text.chars().filter(|ch| !ch.is_whitespace()).collect()
}

/// The labels with runs of blanks folded to one, and a count behind each one that was there before.
pub fn distinct<'a>(labels: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut values: Vec<String> = Vec::new();
    for label in labels {
        let label = label.split_whitespace().collect::<Vec<_>>().join(" ");
        let mut value = label.clone();
        let mut count = 1;
        while values.contains(&value) {
            count += 1;
            value = format!("{label} #{count}");
        }
        values.push(value);
    }
    values
}
