//! What a screen of Qwen Code says.
//!
//! Build before words, for it speaks many languages. Where a composer is drawn, no dialog is open, whatever the text above looks
//! like. Else a dialog is what stands above the line that turns while the person is waited for, or in a box at the end of the
//! screen. The pane's title says in the newer versions whether anybody is waited for; nothing rests on it alone.
//!
//! - [`rows`]: the rows without the scroll bar, and the line that turns. [`composer`]: where a message is typed.
//! - [`dialog`]: the parts of a dialog; [`options`] and [`tabs`] read the larger of them. [`prompt`]: what the parts make.

mod composer;
mod dialog;
mod options;
mod prompt;
mod rows;
mod tabs;

use crate::{
    Reading, SightedOption, StartupDialog, StartupKind,
    gemini_family::{
        lines::{Frame, Span},
        words,
    },
    screen::Screen,
};

use self::{
    composer::Found,
    dialog::{Dialog, MAX_LEFT},
};

/// What the pane's title says. Old versions and a setting keep it still.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Signal {
    /// `✳`: somebody is waited for.
    Asks,
    /// `◐`: it works.
    Works,
    /// Nothing.
    Silent,
}

impl Signal {
    fn of(title: &str) -> Self {
        match title.trim_start().chars().next() {
            Some('✳') => Signal::Asks,
            Some('◐' | '◓' | '◑' | '◒') => Signal::Works,
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
    let rows = rows::of(screen);
    if let Some(found) = composer::find(&rows, screen.cols) {
        return with_composer(&rows, found, signal);
    }
    /// Below the line that turns there may stand a panel with the agents at work.
    const PANEL: usize = 12;
    match rows::status(&rows, last + 1, PANEL) {
        Some(status) if status.cancellable => Reading::Busy { detail: status.detail, composer: None },
        Some(status) => match Dialog::of_tool(screen, &rows, status.row) {
            Some(dialog) => Reading::Prompt(prompt::of_tool(&dialog)),
            None if signal == Signal::Works => Reading::Busy { detail: String::new(), composer: None },
            None => Reading::Unrecognized,
        },
        None => without_status(screen, &rows, last, signal),
    }
}

fn with_composer(rows: &[Span<'_>], found: Found, signal: Signal) -> Reading {
    /// Queued messages and a list of things to do stand between; there are never more of them.
    const REACH: usize = 16;
    let Found { composer, top, queued } = found;
    match rows::status(rows, top, REACH) {
        Some(status) if status.cancellable || signal == Signal::Works => {
            Reading::Busy { detail: status.detail, composer: Some(composer) }
        }
        _ if signal == Signal::Silent && !queued => Reading::Ready(composer),
        _ => Reading::Busy { detail: String::new(), composer: Some(composer) },
    }
}

/// A box at the end of the screen, or the CLI is coming up, or something is shown that is not known.
fn without_status(screen: &Screen, rows: &[Span<'_>], last: usize, signal: Signal) -> Reading {
    let frame = Frame::lowest(screen, last + 1, MAX_LEFT).filter(|frame| frame.rows.end == last + 1);
    if let Some(dialog) = frame.as_ref().and_then(Dialog::boxed) {
        return boxed(screen, &dialog);
    }
    // In the middle of a redraw the composer is gone for a moment.
    if signal == Signal::Works {
        return Reading::Busy { detail: String::new(), composer: None };
    }
    // Before its first screen is whole it prints remarks of its own.
    let asks = screen.text(last).ends_with(['?', ':']);
    if !asks && !shows_dialog(rows) && !shows_conversation(screen) {
        return Reading::Starting { detail: String::new() };
    }
    Reading::Unrecognized
}

fn boxed(screen: &Screen, dialog: &Dialog<'_>) -> Reading {
    let options = dialog.list.options(false, dialog.width);
    let first = dialog.inside.iter().find(|span| !span.is_blank());
    let asks = first.is_some_and(|span| span.glyph() == Some('?')) && dialog.tool.is_some();
    if asks {
        let named = |tool: &dialog::Header| words::names_loop(&format!("{} {}", tool.name, tool.about));
        let is_loop = dialog.tool.as_ref().is_some_and(named) || options.iter().any(|it| words::names_loop(&it.label));
        let pointed = first.and_then(|span| span.last()).is_some_and(|cell| cell.ch == '←');
        // The arrow belongs to a tool; in the middle of a redraw the line that waits may be missing.
        return Reading::Prompt(if is_loop || !pointed { prompt::of_loop(dialog) } else { prompt::of_tool(dialog) });
    }
    let sighting = prompt::of_notice(dialog);
    let trusts = |option: &SightedOption| words::trusts_this_folder(&option.label);
    let asks_trust = words::names_folder_trust(&format!("{} {}", sighting.title, sighting.description));
    if !asks_trust || !options.iter().any(trusts) {
        // What the CLI asks by itself can be refused by a row that says so; a dialog that the person has opened is theirs to close.
        return match options.iter().any(|option| option.hint.as_deref() == Some("esc")) {
            true if shows_conversation(screen) => Reading::Prompt(sighting),
            true => Reading::Startup(StartupDialog { kind: StartupKind::Other, pass: None, sighting }),
            false => Reading::Unrecognized,
        };
    }
    let mut passing = (0..options.len()).filter(|row| trusts(&options[*row]));
    let pass = passing.next().filter(|_| passing.next().is_none());
    Reading::Startup(StartupDialog { kind: StartupKind::FolderTrust, pass, sighting })
}

/// True when some row looks like an option that is marked.
fn shows_dialog(rows: &[Span<'_>]) -> bool {
    rows.iter().any(|span| span.drawn().any(|cell| matches!(cell.ch, '›' | '❯')))
}

/// True when something said stands on the screen, be it by the person or the model.
pub(super) fn shows_conversation(screen: &Screen) -> bool {
    let rows = rows::of(screen);
    let end = composer::find(&rows, screen.cols).map_or(rows.len(), |found| found.top);
    rows[..end].iter().any(|span| span.first().is_some_and(|cell| cell.column == 2 && matches!(cell.ch, '>' | '◆')))
}
