//! What makes a prompt the same one: its fingerprint over redraws, and the context that tells two equal ones in a row apart.

use shared_types::PromptSource;

use super::{Reading, Sighting};
use crate::{Adapter, Screen};

/// Recognises the same prompt again, over redraws and restarts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Fingerprint(pub u64);

impl Sighting {
    /// The same for the same prompt, another for another one. What counts are the words that stay while it is being
    /// answered and when the pane changes its size; blanks never count. The adapter names them in `identity` where keys, tabs
    /// or the width change what is drawn. Else they are the question, what the tool would be given, and the labels, unless
    /// something is typed into them or they scroll.
    ///
    /// Two equal prompts in a row have equal fingerprints; [`Look::context`] tells them apart.
    #[must_use]
    pub fn fingerprint(&self) -> Fingerprint {
        let mut hash = Hash::new();
        hash.text(&format!("{:?}", self.kind));
        if !self.identity.is_empty() {
            hash.text(&self.identity);
            return Fingerprint(hash.0);
        }
        hash.text(self.build);
        if self.questions.is_empty() {
            hash.text(&self.title);
            if let Some(input) = &self.tool_input {
                hash.text(&input.to_string());
            }
            for option in self.options.iter().filter(|option| option.text.is_none() && !self.more_options) {
                hash.text(&option.label);
            }
        } else {
            for question in &self.questions {
                hash.text(&question.header);
                hash.text(&question.question);
            }
        }
        Fingerprint(hash.0)
    }
}

/// One look at a screen: the reading, and what tells one look from the next.
#[derive(Debug, Clone, PartialEq)]
pub struct Look {
    /// What the screen says.
    pub reading: Reading,
    /// What stands above the prompt: two equal prompts in a row differ in it.
    pub context: Context,
    /// The size of the screen as (columns, rows): another one wraps everything anew.
    pub size: (u16, usize),
    /// Everything on the screen: equal when nothing has changed.
    pub content: u64,
}

/// The rows above a prompt, the nearest first, without ornaments, and without numbers where a dialog has spinners and clocks
/// beside it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Context(pub Vec<u64>);

impl Context {
    /// True when both may stand above the same prompt. A dialog that grows leaves room for fewer rows, but the nearest stay.
    #[must_use]
    pub fn agrees(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).all(|(one, another)| one == another)
    }
}

impl Look {
    /// Looks at a screen through an adapter.
    #[must_use]
    pub fn at(screen: &Screen, adapter: &dyn Adapter) -> Self {
        /// Enough to hold the trace that an answered prompt leaves, few enough to stay clear of what scrolls far above.
        const CONTEXT_ROWS: usize = 6;
        let reading = if screen.exit.is_some() { Reading::Exited } else { adapter.read_screen(screen) };
        let mut context = Vec::new();
        // What is asked beside a composer is asked once, whatever goes on above it.
        if let Some(sighting) = reading.sighting().filter(|sighting| !sighting.optional) {
            // A program that asks line by line leaves its rows alone, so each of them counts, and every number: it may ask
            // the same many times over, and a pager asks alike below every page.
            let by_line = sighting.source == PromptSource::Pattern;
            let (rows, words): (usize, fn(&str) -> String) =
                if by_line { (usize::MAX, all_words) } else { (CONTEXT_ROWS, lasting_words) };
            let above = screen.lines.iter().take(sighting.rows.start).rev().map(|line| line.text.as_str());
            for text in above.filter(|text| !text.trim().is_empty()).take(rows) {
                let mut row = Hash::new();
                row.text(&words(text));
                context.push(row.0);
            }
        }
        let mut content = Hash::new();
        for line in &screen.lines {
            content.text(&line.text);
        }
        Self { reading, context: Context(context), size: (screen.cols, screen.lines.len()), content: content.0 }
    }
}

fn all_words(text: &str) -> String {
    text.chars().filter(|ch| ch.is_alphanumeric()).collect()
}

/// The words of a row that no clock or counter changes: those without a number, `12s` becoming `1m 2s` being one.
fn lasting_words(text: &str) -> String {
    let words = text.split_whitespace().filter(|word| !word.contains(|ch: char| ch.is_ascii_digit()));
    words.flat_map(str::chars).filter(|ch| ch.is_alphabetic()).collect()
}

/// FNV-1a, because a fingerprint is stored and must not change with the compiler, as the standard hasher may.
struct Hash(u64);

impl Hash {
    fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    /// Takes the characters that are not blank, and an end mark.
    fn text(&mut self, text: &str) {
        for ch in text.chars().filter(|ch| !ch.is_whitespace()) {
            self.byte_run(ch.encode_utf8(&mut [0; 4]).as_bytes());
        }
        self.byte_run(&[0]);
    }

    fn byte_run(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}
