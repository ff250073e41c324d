//! One consistent look at a pane: the script that asks for it and how its replies become a [`Capture`].

use adapters::{
    Capture,
    screen::{Cursor, Exit, Foreground, TtyMode},
};
use rustix::{
    fs::{Mode, OFlags},
    termios::LocalModes,
};

use super::{
    foreground,
    script::{Expect, Script},
};

/// The height comes first: it says how many lines of the capture are text.
pub(super) const FACTS: &str = "#{pane_height} #{pane_width} #{cursor_x} #{cursor_y} #{cursor_flag} #{alternate_on} \
    #{pane_dead} #{pane_dead_status} #{pane_dead_signal} #{pane_tty} #{pane_pid}";
/// The program chooses it, so it has a line of its own.
pub(super) const TITLE: &str = "#{pane_title}";

/// What one look gives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Snapshot {
    /// The screen and what is known beside it.
    pub(super) capture: Capture,
    /// The terminal device, while the program runs.
    pub(super) tty: Option<String>,
    /// The first process of the pane.
    pub(super) pid: Option<i32>,
}

impl Snapshot {
    /// Asks the terminal how it is set and, where whole lines are read, what the program in its foreground waits for.
    pub(super) fn ask_terminal(&self) -> TerminalState {
        let mode = self.tty.as_deref().and_then(tty_mode);
        let by_line = mode.is_some_and(|mode| mode.canonical);
        let foreground = self.tty.as_deref().zip(self.pid.filter(|_| by_line));
        TerminalState { mode, foreground: foreground.and_then(|(tty, pid)| foreground::of(pid, tty)) }
    }
}

/// What a terminal tells when it is asked.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct TerminalState {
    pub(super) mode: Option<TtyMode>,
    pub(super) foreground: Option<Foreground>,
}

/// Asks for the facts, the title and the screen. All in one line: nothing the pane draws comes in between.
pub(super) fn script(target: &str) -> Script {
    Script::default()
        .then_expect(Expect::OneLine, &["display-message", "-p", "-t", target, FACTS])
        .then_expect(Expect::OneLine, &["display-message", "-p", "-t", target, TITLE])
        .then_expect(Expect::FirstNumber, &["capture-pane", "-e", "-p", "-t", target])
}

/// Reads the replies; `None` when they are not of this script.
pub(super) fn read(replies: &[Vec<u8>]) -> Option<Snapshot> {
    let [facts, title, screen] = replies else { return None };
    let facts = String::from_utf8_lossy(facts);
    let mut fields = facts.split(' ');
    let mut next = || fields.next();
    let rows = next()?.parse().ok()?;
    let cols = next()?.parse().ok()?;
    let cursor = Cursor { x: next()?.parse().ok()?, y: next()?.parse().ok()?, visible: next()? == "1" };
    let alternate = next()? == "1";
    let dead = next()? == "1";
    let status = next()?.parse().ok();
    // A program that died of a signal is told as shells do.
    let signal = next()?.parse::<i32>().ok().map(|signal| 128 + signal);
    let tty = next().filter(|path| path.starts_with("/dev/") && !dead).map(str::to_owned);
    let pid = next().and_then(|pid| pid.parse().ok());
    let capture = Capture {
        text: String::from_utf8_lossy(screen).into_owned(),
        cols,
        rows,
        cursor,
        title: String::from_utf8_lossy(title).into_owned(),
        alternate,
        tty: None,
        foreground: None,
        exit: dead.then(|| Exit { status: status.or(signal) }),
    };
    Some(Snapshot { capture, tty, pid })
}

/// Asks the terminal device how it is set. It is closed at once: tmux sees the end of a program only when nobody holds the
/// device any more. Never asked of an ended program, whose device may already belong to another.
fn tty_mode(path: &str) -> Option<TtyMode> {
    let flags = OFlags::RDONLY | OFlags::NOCTTY | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let tty = rustix::fs::open(path, flags, Mode::empty()).ok()?;
    let modes = rustix::termios::tcgetattr(&tty).ok()?.local_modes;
    Some(TtyMode { echo: modes.contains(LocalModes::ECHO), canonical: modes.contains(LocalModes::ICANON) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn replies(facts: &str) -> Vec<Vec<u8>> {
        vec![facts.into(), b"a title".to_vec(), b"one\n\x1b[1mtwo\xff".to_vec()]
    }

    #[test]
    fn a_running_program() {
        let snapshot = read(&replies("2 80 3 1 1 0 0   /dev/pts/3 77")).expect("a snapshot");
        let capture = Capture {
            text: "one\n\u{1b}[1mtwo\u{fffd}".into(),
            cols: 80,
            rows: 2,
            cursor: Cursor { x: 3, y: 1, visible: true },
            title: "a title".into(),
            ..Capture::default()
        };
        assert_eq!(snapshot, Snapshot { capture, tty: Some("/dev/pts/3".into()), pid: Some(77) });
    }

    #[test]
    fn an_ended_program_tells_how_and_its_device_is_left_alone() {
        for (facts, status) in [
            ("2 80 0 0 0 1 1 7  /dev/pts/3", Some(7)),
            ("2 80 0 0 0 1 1  9 /dev/pts/3", Some(137)),
            ("2 80 0 0 0 1 1   /dev/pts/3", None),
        ] {
            let snapshot = read(&replies(facts)).expect("a snapshot");
            assert_eq!((snapshot.capture.exit, snapshot.tty), (Some(Exit { status }), None));
        }
    }

    #[test]
    fn odd_replies_are_no_snapshot() {
        assert_eq!(read(&replies("")), None);
        assert_eq!(read(&replies("x 80 0 0 0 0 0   /dev/pts/3 77")), None);
        assert_eq!(read(&[]), None);
    }
}
