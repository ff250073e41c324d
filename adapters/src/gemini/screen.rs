//! What a screen of Gemini CLI says.
//!
//! Build before words. A dialog is the lowest frame on the screen with a marked list or a field in it, and nothing but status
//! below; where a composer is drawn, no dialog is open, whatever the text above looks like. The pane's title says in the
//! newer versions whether anybody is waited for; nothing rests on it alone.
//!
//! - [`composer`]: where a message is typed, and the status line above it.
//! - [`dialog`]: the parts of a dialog; [`options`], [`tabs`] and [`tool`] read the larger of them.
//! - [`prompt`] and [`startup`]: what the parts make; [`words`]: the little that only words can tell.

mod composer;
mod dialog;
mod options;
mod prompt;
mod startup;
mod tabs;

use crate::{
    Reading,
    gemini_family::{
        lines::{Frame, Span},
        tool, words,
    },
    screen::{Line, Screen},
};

use self::{
    composer::{Found, is_conversation},
    dialog::Dialog,
    prompt::Build,
};

/// What the pane's title says. 0.22 and a setting keep it still.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Signal {
    /// `✋`: somebody is waited for.
    Asks,
    /// `✦`: it works.
    Works,
    /// `◇`: it has nothing to do.
    Idle,
    /// Nothing.
    Silent,
}

impl Signal {
    fn of(title: &str) -> Self {
        match title.trim_start().chars().next() {
            Some('✋') => Signal::Asks,
            Some('✦' | '⏲') => Signal::Works,
            Some('◇') => Signal::Idle,
            _ => Signal::Silent,
        }
    }
}

/// Reads a screen.
pub(super) fn read(screen: &Screen) -> Reading {
    let Some(last) = screen.last_row() else { return Reading::Starting { detail: String::new() } };
    // tmux writes this itself when the program of a pane it keeps has ended.
    if screen.text(last).starts_with("Pane is dead") {
        return Reading::Exited;
    }
    let signal = Signal::of(&screen.title);
    let frame = Frame::lowest(screen, screen.lines.len(), MAX_LEFT);
    let bottom = frame.as_ref().map(|frame| frame.rows.end - 1);
    if let Some(found) = composer::find(screen, bottom) {
        return with_composer(screen, found, signal);
    }
    match frame.and_then(|frame| dialog(screen, frame, signal)) {
        Some((dialog, build)) => with_dialog(&dialog, build),
        None => without_either(screen, last, signal),
    }
}

/// The dialog on the screen and its build, where it has one. Below a dialog there may be the box of a notice, but nothing
/// that was said.
fn dialog<'a>(screen: &'a Screen, lowest: Frame<'a>, signal: Signal) -> Option<(Dialog<'a>, Option<Build>)> {
    /// There is room for no more notices.
    const NOTICES: usize = 2;
    let mut end = screen.lines.len();
    let mut frame = Some(lowest);
    let mut first = None;
    for _ in 0..=NOTICES {
        let Some(candidate) = frame.take() else { break };
        let said =
            |line: &Line| Span::of(line).first().is_some_and(|cell| cell.column <= 1 && matches!(cell.ch, '✦' | '>'));
        if screen.lines[candidate.rows.end..end].iter().any(said) {
            break;
        }
        end = candidate.rows.start;
        let dialog = Dialog::read(screen, candidate, signal);
        let build = Build::of(&dialog);
        if build.is_some() {
            return Some((dialog, build));
        }
        if dialog.shows_tool_state() {
            return Some((first.unwrap_or(dialog), None));
        }
        first = first.or(Some(dialog));
        frame = Frame::lowest(screen, end, MAX_LEFT);
    }
    first.map(|dialog| (dialog, None))
}

/// Dialogs stand at the left edge or are set in by one; what is quoted in the conversation is set in by more.
const MAX_LEFT: u16 = 1;

fn with_composer(screen: &Screen, found: Found, signal: Signal) -> Reading {
    let Found { composer, top } = found;
    match composer::work(screen, top) {
        Some(work) if signal != Signal::Works && composer::is_start(&work) => Reading::Starting { detail: work.detail },
        Some(work) => Reading::Busy { detail: work.detail, composer: Some(composer) },
        // A command that waits for input raises the hand as well; the composer says that it is no dialog.
        None if matches!(signal, Signal::Works | Signal::Asks) => {
            Reading::Busy { detail: String::new(), composer: Some(composer) }
        }
        None => Reading::Ready(composer),
    }
}

fn with_dialog(dialog: &Dialog<'_>, build: Option<Build>) -> Reading {
    let Some(build) = build else {
        let working = dialog.signal == Signal::Works && dialog.shows_tool_state();
        return if working { Reading::Busy { detail: String::new(), composer: None } } else { Reading::Unrecognized };
    };
    if prompt::is_persons_own(dialog, build) {
        return Reading::Unrecognized;
    }
    match startup::read(dialog, build) {
        Some(_) if startup::is_restarting(dialog) => {
            // The new start draws below the notice while the old dialog still stands above it.
            let notice = dialog.below.split_inclusive("...").next().unwrap_or_default();
            Reading::Starting { detail: notice.to_owned() }
        }
        Some(startup) => Reading::Startup(startup),
        None => Reading::Prompt(prompt::sighting(dialog, build)),
    }
}

/// Neither composer nor dialog: the CLI is coming up, or something is shown that is not known.
fn without_either(screen: &Screen, last: usize, signal: Signal) -> Reading {
    match composer::work(screen, last + 1) {
        Some(work) if work.cancellable || signal == Signal::Works => {
            Reading::Busy { detail: work.detail, composer: None }
        }
        Some(work) => Reading::Starting { detail: work.detail },
        // In the middle of a redraw the composer is gone for a moment.
        None if signal == Signal::Works => Reading::Busy { detail: String::new(), composer: None },
        None if is_banner_only(screen) => Reading::Starting { detail: String::new() },
        None => Reading::Unrecognized,
    }
}

/// True when something said stands on the screen, be it by the person or the model.
pub(super) fn shows_conversation(screen: &Screen) -> bool {
    let bottom = Frame::lowest(screen, screen.lines.len(), MAX_LEFT).map(|frame| frame.rows.end - 1);
    let end = composer::find(screen, bottom).map_or(screen.lines.len(), |found| found.top);
    let said =
        |line: &Line| Span::of(line).first().is_some_and(|cell| cell.column <= 1 && matches!(cell.ch, '>' | '✦'));
    screen.lines[..end].iter().any(said)
}

/// True when the CLI has drawn its sign of blocks and nothing was said or asked yet.
fn is_banner_only(screen: &Screen) -> bool {
    let blocks = |line: &Line| line.text.chars().filter(|ch| matches!(ch, '\u{2580}'..='\u{259f}')).count() >= 2;
    let said = screen.lines.iter().any(|line| is_conversation(Span::of(line)));
    let asked = screen.last_row().is_some_and(|row| screen.text(row).ends_with(['?', ':']));
    screen.lines.iter().any(blocks) && !said && !asked
}
