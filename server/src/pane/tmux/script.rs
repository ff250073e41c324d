//! Command lines for tmux's control mode, quoted so that nothing in them is a command by accident.
//!
//! On a control line an empty line detaches the client and a raw line feed ends the command; `$`, `~`, `\`, `"` and `;`
//! have meanings. So every word is put in double quotes, and everything in it that could mean something is escaped.

#[cfg(test)]
mod tests;

/// One line of commands, run by tmux one right after the other with nothing in between.
#[derive(Debug, Clone, Default)]
pub(super) struct Script {
    /// The line, without its line feed.
    pub(super) line: Vec<u8>,
    /// What is known of each command's reply.
    pub(super) expects: Vec<Expect>,
}

/// How many lines of a reply are text for certain, whatever they look like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Expect {
    /// Nothing is known, and nothing in the reply comes from a pane.
    Any,
    /// Exactly one line.
    OneLine,
    /// As many lines as the first number in the reply to the first command of the script.
    FirstNumber,
}

impl Script {
    /// A line of this one command.
    pub(super) fn of(words: &[&str]) -> Self {
        Self::default().then(words)
    }

    /// And then this command, if those before it went well.
    pub(super) fn then(self, words: &[&str]) -> Self {
        self.then_expect(Expect::Any, words)
    }

    /// And then this command, with what is known of its reply.
    pub(super) fn then_expect(mut self, expect: Expect, words: &[&str]) -> Self {
        if !self.expects.is_empty() {
            self.line.extend_from_slice(b" ;");
        }
        for word in words {
            if !self.line.is_empty() {
                self.line.push(b' ');
            }
            quote(word, &mut self.line);
        }
        self.expects.push(expect);
        self
    }
}

/// Appends a word so that tmux reads back exactly it. Zero bytes cannot be told to tmux and are left out.
fn quote(word: &str, line: &mut Vec<u8>) {
    line.push(b'"');
    for byte in word.bytes() {
        match byte {
            0 => {}
            b'"' | b'\\' | b'$' => line.extend_from_slice(&[b'\\', byte]),
            // A tilde counts only at the beginning of a word; octal is always plain.
            1..=0x1f | 0x7f | b'~' => {
                line.extend_from_slice(&[b'\\', b'0' + (byte >> 6), b'0' + (byte >> 3 & 7), b'0' + (byte & 7)]);
            }
            _ => line.push(byte),
        }
    }
    line.push(b'"');
}
