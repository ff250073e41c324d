//! Watches a pane's output for the codes that turn bracketed paste on and off.
//!
//! tmux 3.3a knows the state but does not tell it (`#{bracket_paste_flag}` came later), so it is read along. A code may be
//! split anywhere over two pieces of output.

#[cfg(test)]
mod tests;

use crate::pane::PasteMode;

/// More parameters than any terminal takes; longer codes are skipped.
const MAX_NUMBER: u32 = 99_999;

/// The state of one pane.
#[derive(Debug, Default)]
pub(super) struct PasteWatch {
    mode: Option<bool>,
    state: State,
}

#[derive(Debug, Default, Clone, Copy)]
enum State {
    #[default]
    Text,
    Escape,
    /// Behind `ESC [`.
    Code,
    /// Behind `ESC [ ?`: the number being read, and whether 2004 was among those before.
    Private {
        number: u32,
        seen: bool,
    },
}

impl PasteWatch {
    /// What is known.
    pub(super) fn mode(&self) -> PasteMode {
        match self.mode {
            None => PasteMode::Unknown,
            Some(false) => PasteMode::Off,
            Some(true) => PasteMode::On,
        }
    }

    /// The pane was watched from its beginning: what was never turned on is off.
    pub(super) fn watched_from_start(&mut self) {
        self.mode.get_or_insert(false);
    }

    /// tmux told the state itself.
    pub(super) fn told(&mut self, on: bool) {
        self.mode = Some(on);
    }

    /// Takes output as tmux escapes it: control characters and backslashes as `\ooo`.
    pub(super) fn feed(&mut self, mut data: &[u8]) {
        loop {
            if matches!(self.state, State::Text) {
                // Nothing but an escape matters here, and that is written with a backslash.
                let Some(start) = data.iter().position(|byte| *byte == b'\\') else { return };
                data = &data[start..];
            }
            let (byte, length) = match data {
                [] => return,
                [b'\\', high @ b'0'..=b'3', middle @ b'0'..=b'7', low @ b'0'..=b'7', ..] => {
                    ((high - b'0') << 6 | (middle - b'0') << 3 | (low - b'0'), 4)
                }
                [first, ..] => (*first, 1),
            };
            self.take(byte);
            data = &data[length..];
        }
    }

    fn take(&mut self, byte: u8) {
        self.state = match (self.state, byte) {
            (_, 0x1b) => State::Escape,
            (State::Escape, b'[') => State::Code,
            (State::Escape, b'c') => {
                // A full reset turns it off as well.
                self.mode = Some(false);
                State::Text
            }
            (State::Code, b'?') => State::Private { number: 0, seen: false },
            (State::Private { number, seen }, b'0'..=b'9') if number <= MAX_NUMBER => {
                State::Private { number: number * 10 + u32::from(byte - b'0'), seen }
            }
            (State::Private { number, seen }, b';') => State::Private { number: 0, seen: seen || number == 2004 },
            (State::Private { number, seen }, b'h' | b'l') => {
                if seen || number == 2004 {
                    self.mode = Some(byte == b'h');
                }
                State::Text
            }
            _ => State::Text,
        };
    }
}
