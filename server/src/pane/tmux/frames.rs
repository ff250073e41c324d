//! Watches what a pane draws for synchronized output: `CSI ? 2026 h` begins a frame and `CSI ? 2026 l` ends it.
//!
//! Codex 0.169 brackets every frame so, and tmux 3.3a passes the codes on. Behind the end of a frame the screen is whole, and
//! nobody has to wait for a quiet moment to look at it. A code may be split anywhere over two pieces of output.

#[cfg(test)]
mod tests;

/// The mode of synchronized output.
const SYNCHRONIZED: u32 = 2026;
/// More than the number of any mode; longer ones are not read on.
const MAX_NUMBER: u32 = 99_999;

/// What is known of the frames of one pane.
#[derive(Debug, Default)]
pub(super) struct FrameScanner {
    state: State,
    /// A frame has begun and not ended.
    open: bool,
}

#[derive(Debug, Default, Clone, Copy)]
enum State {
    #[default]
    Text,
    Escape,
    /// Behind `ESC [`.
    Code,
    /// Behind `ESC [ ?`: the number being read, and whether ours was among those before.
    Private {
        number: u32,
        seen: bool,
    },
}

impl FrameScanner {
    /// Takes output as tmux escapes it: control characters and backslashes as `\ooo`. True when a frame ended in it and no other
    /// has begun since.
    pub(super) fn feed(&mut self, mut data: &[u8]) -> bool {
        let mut ended = false;
        loop {
            if matches!(self.state, State::Text) {
                // Nothing but an escape matters here, and that is written with a backslash.
                let Some(start) = data.iter().position(|byte| *byte == b'\\') else { return ended && !self.open };
                data = &data[start..];
            }
            let (byte, length) = match data {
                [] => return ended && !self.open,
                [b'\\', high @ b'0'..=b'3', middle @ b'0'..=b'7', low @ b'0'..=b'7', ..] => {
                    ((high - b'0') << 6 | (middle - b'0') << 3 | (low - b'0'), 4)
                }
                [first, ..] => (*first, 1),
            };
            ended |= self.take(byte);
            data = &data[length..];
        }
    }

    /// True when this byte ends a frame.
    fn take(&mut self, byte: u8) -> bool {
        let mut ends = false;
        self.state = match (self.state, byte) {
            (_, 0x1b) => State::Escape,
            (State::Escape, b'[') => State::Code,
            (State::Code, b'?') => State::Private { number: 0, seen: false },
            (State::Private { number, seen }, b'0'..=b'9') if number <= MAX_NUMBER => {
                State::Private { number: number * 10 + u32::from(byte - b'0'), seen }
            }
            (State::Private { number, seen }, b';') => {
                State::Private { number: 0, seen: seen || number == SYNCHRONIZED }
            }
            (State::Private { number, seen }, b'h' | b'l') => {
                if seen || number == SYNCHRONIZED {
                    self.open = byte == b'h';
                    ends = !self.open;
                }
                State::Text
            }
            _ => State::Text,
        };
        ends
    }
}
