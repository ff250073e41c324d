//! Reads what tmux writes to a control-mode client: bytes in, [`Event`]s out. Pure; no I/O, no clock.
//!
//! Bytes, not lines of `String`: tmux passes invalid UTF-8 through. A reply is a block between `%begin` and an `%end` or
//! `%error` that carries the same three numbers; within it every line is text, whatever it looks like. A pane may show a
//! line that is exactly the end of its own block, so the caller can say with [`Parser::hold`] how many lines are text for
//! certain.
//!
//! Memory is bounded whatever comes: a line keeps its first [`MAX_LINE`] bytes, a block its first [`MAX_BLOCK`]; the rest
//! is dropped, and a block that lost something says so ([`Block::cut`]).

#[cfg(test)]
mod tests;

/// The longest line that is kept whole. tmux 3.3a hands over at most 64 KiB of a pane at once, each byte escaped to four.
pub(super) const MAX_LINE: usize = 512 * 1024;
/// The longest reply that is kept whole. A capture of a screen of 1000x1000 with colours stays below.
pub(super) const MAX_BLOCK: usize = 8 * 1024 * 1024;

/// Something tmux said.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Event<'a> {
    /// A reply begins; `ours` when it is to a command that this client sent.
    Begin {
        /// False for blocks that tmux sends by itself, as for the attach.
        ours: bool,
    },
    /// A reply is whole.
    End(Block),
    /// A pane drew something. The data is still escaped: control characters and backslashes as `\ooo`.
    Output {
        /// The number of the pane.
        pane: u32,
        /// What it drew.
        data: &'a [u8],
    },
    /// tmux stopped sending what this pane draws, because we were slow.
    Paused(u32),
    /// A pane's subscribed value changed: its program ended.
    PaneChanged(u32),
    /// A window has another size or layout.
    WindowChanged(u32),
    /// Windows, sessions or clients came or went: look which.
    Rearranged,
    /// tmux lets this client go.
    Exit,
}

/// One reply.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Block {
    /// Whether it answers a command of this client.
    pub(super) ours: bool,
    /// True when the command failed; the body is then the reason.
    pub(super) failed: bool,
    /// True when it was too long and lost its end.
    pub(super) cut: bool,
    /// The lines, separated by line feeds.
    pub(super) body: Vec<u8>,
}

/// The reader's state between two pieces of input.
#[derive(Debug, Default)]
pub(super) struct Parser {
    line: Vec<u8>,
    line_cut: bool,
    /// The line was handed out with the last event and is no longer needed.
    spent: bool,
    open: Option<OpenBlock>,
}

#[derive(Debug)]
struct OpenBlock {
    /// The numbers behind `%begin`, as they were written.
    numbers: Vec<u8>,
    block: Block,
    lines: usize,
    hold: usize,
}

impl Parser {
    /// Says that the block just begun has at least this many lines: none of them can end it.
    pub(super) fn hold(&mut self, lines: usize) {
        if let Some(open) = &mut self.open {
            open.hold = lines;
        }
    }

    /// Takes bytes from the front of `input` until there is an event; `None` when all is taken.
    pub(super) fn next<'a>(&'a mut self, input: &mut &[u8]) -> Option<Event<'a>> {
        let notice = loop {
            if self.spent {
                self.line.clear();
                self.line_cut = false;
                self.spent = false;
            }
            let end = input.iter().position(|byte| *byte == b'\n');
            let (part, rest) = match end {
                Some(end) => (&input[..end], &input[end + 1..]),
                None => (*input, &input[input.len()..]),
            };
            let room = MAX_LINE.saturating_sub(self.line.len());
            self.line_cut |= part.len() > room;
            self.line.extend_from_slice(&part[..part.len().min(room)]);
            *input = rest;
            end?;
            self.spent = true;
            if let Some(notice) = self.take_line() {
                break notice;
            }
        };
        Some(match notice {
            Notice::Plain(event) => event,
            Notice::Output { pane, from } => Event::Output { pane, data: &self.line[from..] },
        })
    }

    fn take_line(&mut self) -> Option<Notice> {
        let line = self.line.as_slice();
        if let Some(open) = &mut self.open {
            let failed = line.starts_with(b"%error ");
            let ends = open.lines >= open.hold
                && (failed || line.starts_with(b"%end "))
                && line.split(|byte| *byte == b' ').skip(1).eq(open.numbers.split(|byte| *byte == b' '));
            if !ends {
                open.push(line, self.line_cut);
                return None;
            }
            let open = self.open.take()?;
            return Some(Notice::Plain(Event::End(Block { failed, ..open.block })));
        }
        let (word, rest) = split_word(line);
        let event = match word {
            b"%begin" => {
                let ours = begin_is_ours(rest)?;
                let block = Block { ours, ..Block::default() };
                self.open = Some(OpenBlock { numbers: rest.to_vec(), block, lines: 0, hold: 0 });
                Event::Begin { ours }
            }
            b"%output" => {
                let (pane, data) = split_word(rest);
                return Some(Notice::Output { pane: id(pane, b'%')?, from: line.len() - data.len() });
            }
            b"%extended-output" => {
                // `%extended-output %1 MILLISECONDS ... : DATA`: more fields may be added before the colon.
                let pane = id(split_word(rest).0, b'%')?;
                let colon = rest.windows(3).position(|bytes| bytes == b" : ")?;
                return Some(Notice::Output { pane, from: line.len() - rest.len() + colon + 3 });
            }
            b"%pause" => Event::Paused(id(split_word(rest).0, b'%')?),
            b"%subscription-changed" => {
                // `%subscription-changed NAME $1 @2 0 %3 ... : VALUE`.
                Event::PaneChanged(id(rest.split(|byte| *byte == b' ').nth(4)?, b'%')?)
            }
            b"%layout-change" => Event::WindowChanged(id(split_word(rest).0, b'@')?),
            b"%window-close"
            | b"%unlinked-window-close"
            | b"%sessions-changed"
            | b"%client-detached"
            | b"%client-session-changed" => Event::Rearranged,
            b"%exit" => Event::Exit,
            // Everything else, as of newer versions of tmux, and what its hooks print.
            _ => return None,
        };
        Some(Notice::Plain(event))
    }
}

/// What a line says; output is told by its place, because the line is still borrowed.
enum Notice {
    Plain(Event<'static>),
    Output { pane: u32, from: usize },
}

impl OpenBlock {
    fn push(&mut self, line: &[u8], line_cut: bool) {
        let room = MAX_BLOCK.saturating_sub(self.block.body.len());
        self.block.cut |= line_cut || line.len() + 1 > room;
        if self.lines > 0 && room > 0 {
            self.block.body.push(b'\n');
        }
        self.block.body.extend_from_slice(&line[..line.len().min(room.saturating_sub(1))]);
        self.lines += 1;
    }
}

fn split_word(line: &[u8]) -> (&[u8], &[u8]) {
    match line.iter().position(|byte| *byte == b' ') {
        Some(end) => (&line[..end], &line[end + 1..]),
        None => (line, &[]),
    }
}

/// Reads `TIME NUMBER FLAGS`; flags are 1 for a command of this client.
fn begin_is_ours(numbers: &[u8]) -> Option<bool> {
    let fields: Vec<&[u8]> = numbers.split(|byte| *byte == b' ').collect();
    let numeric = |field: &&[u8]| !field.is_empty() && field.iter().all(u8::is_ascii_digit);
    (fields.len() == 3 && fields.iter().all(numeric)).then(|| fields[2] != b"0")
}

/// The number behind `%` or `@`.
fn id(word: &[u8], sigil: u8) -> Option<u32> {
    let digits = word.strip_prefix(&[sigil])?;
    std::str::from_utf8(digits).ok()?.parse().ok()
}
