//! What makes a prompt the same one: its fingerprint over redraws, and the context that tells two equal ones in a row apart.

use shared_types::PromptSource;

use super::{Reading, Sighting};
use crate::{
    Adapter, Screen,
    generic::{OwnPrompt, read_own},
};

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
    /// True when the rows above the prompt are drawn anew while it stands: then a change there does not make it another one.
    pub redrawn: bool,
    /// True when the prompt is drawn to its last row, as far as its adapter can tell.
    pub whole: bool,
    /// True when the prompt's diff may still change in the next frame.
    pub diff_may_change: bool,
    /// True when the terminal says that a frame has just ended, and nothing was drawn since: whatever is there is not half drawn.
    pub frame_complete: bool,
}

/// The rows above a prompt, the nearest first, without ornaments, and without numbers where a dialog has spinners and clocks
/// beside it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Context(pub Vec<u64>);

impl Context {
    /// What stands above a prompt.
    fn above(sighting: &Sighting, screen: &Screen) -> Self {
        /// Enough to hold the trace that an answered prompt leaves, few enough to stay clear of what scrolls far above.
        const CONTEXT_ROWS: usize = 6;
        // A program that asks line by line leaves its rows alone, so each of them counts, and every number: it may ask
        // the same many times over, and a pager asks alike below every page.
        let by_line = sighting.source == PromptSource::Pattern;
        let (rows, words): (usize, fn(&str) -> String) =
            if by_line { (usize::MAX, all_words) } else { (CONTEXT_ROWS, lasting_words) };
        let texts = screen.lines.iter().take(sighting.rows.start).rev().map(|line| line.text.as_str());
        let mut above: Vec<u64> = Vec::new();
        for text in texts.filter(|text| !text.trim().is_empty()).take(rows) {
            let mut row = Hash::new();
            row.text(&words(text));
            above.push(row.0);
        }
        if by_line && above.is_empty() {
            // The top of the screen: the same question further down is another one.
            above.push(Hash::new().0);
        }
        Self(above)
    }

    /// True when both may stand above the same prompt. A dialog that grows leaves room for fewer rows, but the nearest stay.
    #[must_use]
    pub fn agrees(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).all(|(one, another)| one == another)
    }
}

impl Look {
    /// A reading with nothing else known, for the tests.
    #[cfg(test)]
    pub(crate) fn of(reading: Reading) -> Self {
        let context = Context::default();
        Self {
            reading,
            context,
            size: (80, 24),
            content: 0,
            redrawn: false,
            whole: false,
            diff_may_change: false,
            frame_complete: false,
        }
    }

    /// The same look while an answer to `known` is on its way: the prompt is found again behind what was typed into it.
    #[must_use]
    pub fn answering(mut self, known: Option<&Sighting>, screen: &Screen, adapter: &dyn Adapter) -> Self {
        let again = known.filter(|_| screen.exit.is_none()).and_then(|known| adapter.find_again(screen, known));
        if let Some(sighting) = again {
            self.context = Context::above(&sighting, screen);
            self.reading = Reading::Prompt(sighting);
        }
        self
    }

    /// The same look, with what the terminal says about the end of a frame.
    #[must_use]
    pub fn with_frame_complete(mut self, complete: bool) -> Self {
        self.frame_complete = complete;
        self
    }

    /// Looks at a screen through an adapter.
    #[must_use]
    pub fn at(screen: &Screen, adapter: &dyn Adapter) -> Self {
        Self::with_own(screen, adapter, &[])
    }

    /// The same with the prompts that the person has described, which come before all others.
    #[must_use]
    pub fn with_own(screen: &Screen, adapter: &dyn Adapter, own: &[OwnPrompt]) -> Self {
        let reading = match screen.exit {
            Some(_) => Reading::Exited,
            None => read_own(own, screen).map_or_else(|| adapter.read_screen(screen), Reading::Prompt),
        };
        let dialog = reading.sighting().filter(|sighting| sighting.source == PromptSource::Screen);
        let redrawn = dialog.is_some() && adapter.profile().redraws_above;
        let whole = dialog.is_some_and(|dialog| adapter.is_whole(screen, dialog));
        let diff_may_change = dialog.is_some_and(|dialog| !dialog.diff.is_empty() && adapter.profile().redraws_diff);
        // What is asked beside a composer is asked once, whatever goes on above it.
        let asked = reading.sighting().filter(|sighting| !sighting.optional);
        let context = asked.map(|sighting| Context::above(sighting, screen)).unwrap_or_default();
        let mut content = Hash::new();
        for line in &screen.lines {
            content.text(&line.text);
        }
        Self {
            reading,
            context,
            size: (screen.cols, screen.lines.len()),
            content: content.0,
            redrawn,
            whole,
            diff_may_change,
            frame_complete: false,
        }
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
