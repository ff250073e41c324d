//! The terminal at the rim: raw mode, painting the live part in place, and asking a plain line in canonical mode.
//!
//! The main screen is used, not the alternate one: what is final is printed once and scrolls away like any output; only the
//! live part below it is painted again and again.

use std::io::{self, Write};

use anyhow::Context;
use crossterm::{
    cursor::{Hide, MoveDown, MoveTo, MoveToColumn, MoveUp, Show},
    event::{DisableBracketedPaste, EnableBracketedPaste},
    queue,
    style::Print,
    terminal::{Clear, ClearType, DisableLineWrap, EnableLineWrap, SetTitle, disable_raw_mode, enable_raw_mode},
};
use rustix::termios::{LocalModes, OptionalActions, SpecialCodeIndex, tcgetattr, tcsetattr};

use super::{
    row::{Drawing, Row},
    scenes::LinePrompt,
};

const CTRL_C: u8 = 3;
/// What Linux takes for one line in canonical mode.
const LONGEST_LINE: usize = 4096;

/// The terminal in raw mode, set back when dropped.
pub(super) struct Terminal {
    out: io::Stdout,
    shown: Drawing,
}

impl Terminal {
    pub(super) fn open() -> anyhow::Result<Self> {
        enable_raw_mode().context("setting up the terminal")?;
        let mut terminal = Self { out: io::stdout(), shown: Drawing::default() };
        queue!(terminal.out, SetTitle("Answerback demo"), EnableBracketedPaste)?;
        Ok(terminal)
    }

    /// Prints rows that are final, and the live part below them.
    pub(super) fn paint(&mut self, finished: &[Row], live: Drawing) -> anyhow::Result<()> {
        if finished.is_empty() && live == self.shown {
            return Ok(());
        }
        let mut frame = Vec::new();
        self.to_top(&mut frame)?;
        self.put(frame, finished, live)
    }

    /// Clears the screen and paints everything anew, as after a resize.
    pub(super) fn repaint(&mut self, finished: &[Row], live: Drawing) -> anyhow::Result<()> {
        let mut frame = Vec::new();
        queue!(frame, Hide, Clear(ClearType::All), MoveTo(0, 0))?;
        self.put(frame, finished, live)
    }

    /// Asks on a plain line in canonical mode. Nothing when it was cancelled with Ctrl-C or Ctrl-D.
    pub(super) fn ask_line(&mut self, prompt: LinePrompt) -> anyhow::Result<Option<String>> {
        let mut frame = Vec::new();
        self.to_top(&mut frame)?;
        queue!(
            frame,
            Clear(ClearType::FromCursorDown),
            DisableBracketedPaste,
            Show,
            Print("\r\n"),
            Print(prompt.text)
        )?;
        self.shown = Drawing::default();
        disable_raw_mode().context("leaving raw mode")?;
        // Ctrl-C ends the line instead of the program.
        let mut mode = tcgetattr(io::stdin()).context("reading the terminal's mode")?;
        mode.local_modes.remove(LocalModes::ISIG);
        mode.local_modes.set(LocalModes::ECHO, !prompt.secret);
        mode.special_codes[SpecialCodeIndex::VEOL] = CTRL_C;
        tcsetattr(io::stdin(), OptionalActions::Now, &mode).context("setting the terminal's mode")?;
        self.flush(&frame)?;
        let line = read_line();
        enable_raw_mode().context("going back to raw mode")?;
        let line = line.context("reading a line")?;
        let mut frame = Vec::new();
        if prompt.secret || !line.ends_with('\n') {
            queue!(frame, Print("\r\n"))?;
        }
        queue!(frame, EnableBracketedPaste)?;
        self.flush(&frame)?;
        let cancelled = line.is_empty() || line.contains(char::from(CTRL_C));
        Ok((!cancelled).then(|| line.trim_end_matches(['\n', '\r']).to_owned()))
    }

    /// To the first column of the first row of the live part.
    fn to_top(&self, frame: &mut Vec<u8>) -> io::Result<()> {
        queue!(frame, Hide, MoveToColumn(0))?;
        let row = self.shown.cursor.map_or_else(|| self.shown.rows.len().saturating_sub(1), |(_, row)| row);
        if row > 0 {
            queue!(frame, MoveUp(short(row)))?;
        }
        Ok(())
    }

    fn put(&mut self, mut frame: Vec<u8>, finished: &[Row], live: Drawing) -> anyhow::Result<()> {
        queue!(frame, DisableLineWrap)?;
        for row in finished {
            queue!(frame, Clear(ClearType::CurrentLine), Print(row.to_ansi()), Print("\r\n"))?;
        }
        if let Some((last, rows)) = live.rows.split_last() {
            for row in rows {
                queue!(frame, Clear(ClearType::CurrentLine), Print(row.to_ansi()), Print("\r\n"))?;
            }
            queue!(frame, Clear(ClearType::FromCursorDown), Print(last.to_ansi()))?;
        } else {
            queue!(frame, Clear(ClearType::FromCursorDown))?;
        }
        if let Some((column, row)) = live.cursor {
            let up = live.rows.len().saturating_sub(row + 1);
            if up > 0 {
                queue!(frame, MoveUp(short(up)))?;
            }
            queue!(frame, MoveToColumn(short(column)), Show)?;
        }
        queue!(frame, EnableLineWrap)?;
        self.shown = live;
        self.flush(&frame)
    }

    /// One write, so that nobody sees half a frame.
    fn flush(&mut self, frame: &[u8]) -> anyhow::Result<()> {
        self.out.write_all(frame).and_then(|()| self.out.flush()).context("drawing")
    }
}

impl Drop for Terminal {
    /// Leaves the cursor below what was drawn. There is nobody to tell if that fails.
    fn drop(&mut self) {
        let below = self.shown.rows.len().saturating_sub(self.shown.cursor.map_or(0, |(_, row)| row + 1));
        let mut frame = Vec::new();
        let drawn = (|| {
            if below > 0 && self.shown.cursor.is_some() {
                queue!(frame, MoveDown(short(below)))?;
            }
            queue!(frame, DisableBracketedPaste, Show, Print("\r\n"))
        })();
        if drawn.is_ok() {
            let _ = self.flush(&frame);
        }
        let _ = disable_raw_mode();
    }
}

/// One line as the terminal driver hands it over. `Stdin::read_line` would wait for a line feed, and Ctrl-C sends none.
fn read_line() -> io::Result<String> {
    let mut line = [0; LONGEST_LINE];
    loop {
        match rustix::io::read(io::stdin(), &mut line) {
            Ok(count) => return Ok(String::from_utf8_lossy(&line[..count]).into_owned()),
            Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
}

fn short(count: usize) -> u16 {
    u16::try_from(count).unwrap_or(u16::MAX)
}
