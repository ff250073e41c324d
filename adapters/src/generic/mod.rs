//! Any program: shells, installers, `ssh`, `git add -p`, `npm init`, menus drawn by libraries, full-screen dialogs.
//!
//! Nothing is known of the program, so only the live end of its screen is read: the line the cursor is on, what directly
//! precedes it, and how the terminal's line discipline is set. A reading is a usual way of asking, never certain, and the
//! tracker lets it count only when the screen has stood still.
//!
//! # Layout
//!
//! - `live`: the line the cursor is on, re-joined over wraps.
//! - `shell`: prompts of shells and interpreters, where a command is typed.
//! - `patterns`: one-line questions; `choices` reads the answers they list, `field` where typed text begins.
//! - `pause`: pagers, and whatever waits for a key to go on.
//! - `numbered`, `menu`, `boxes`, `finder`, `toggle`: menus by number, by arrow, in a drawn box, of fuzzy finders, and of two
//!   words on a row. `clack`: the prompts of one library that draws all its own. `framed`: a frame around any of them.
//! - `keys`: how each of them is answered.

mod boxes;
mod choices;
mod clack;
mod field;
mod finder;
mod framed;
mod keys;
mod live;
mod menu;
mod numbered;
mod own;
mod patterns;
mod pause;
mod shell;
#[cfg(test)]
mod tests;
mod toggle;

use std::time::Duration;

pub use own::OwnPrompt;
pub(crate) use own::read as read_own;

use shared_types::{AdapterKind, PromptResponse, PromptSource};

use self::live::Live;
use crate::{
    Adapter, Composer, Keystroke, LaunchPlan, LaunchRefusal, LaunchRequest, Mark, Profile, Reading, Refusal, Screen,
    Sighting, Step, answer::Deaf, screen::Foreground, send::SendStyle,
};

/// The adapter.
pub struct Generic;

/// What this adapter is called on the wire.
pub const KIND: AdapterKind = AdapterKind::new("generic");

static PROFILE: Profile = Profile {
    kind: KIND,
    name: "Any program",
    short_name: "Program",
    is_agent: false,
    mark: Mark { icon: "M3 4l4 4-4 4M9 12h4", light: "#5c636e", dark: "#98a1ae" },
    program: "",
    tested_versions: &[],
    modes: &[],
    models: None,
    takes_command: true,
    has_messages: false,
    interrupt: &[Keystroke::Ctrl('c')],
    next_mode: &[],
    send: SendStyle::Lines,
    first_ready: Duration::ZERO,
    deaf: Deaf::NEVER,
    redraws_above: false,
    redraws_diff: false,
    tells_start: false,
};

impl Adapter for Generic {
    fn profile(&self) -> &'static Profile {
        &PROFILE
    }

    fn launch(&self, request: &LaunchRequest) -> Result<LaunchPlan, LaunchRefusal> {
        if request.command.is_empty() {
            return Err(LaunchRefusal::NoCommand);
        }
        Ok(LaunchPlan { argv: request.command.clone(), ..LaunchPlan::default() })
    }

    fn read_screen(&self, screen: &Screen) -> Reading {
        if !may_ask(screen) {
            let live = Live::of(screen);
            return shell::plain(&live).map_or_else(|| busy(screen), Reading::Ready);
        }
        match framed::inside(screen).map(|inside| read(&inside)) {
            Some(reading @ Reading::Prompt(_)) => reading,
            _ => read(screen),
        }
    }

    fn find_again(&self, screen: &Screen, known: &Sighting) -> Option<Sighting> {
        if known.source != PromptSource::Pattern || known.head.trim().is_empty() {
            return None;
        }
        patterns::find_again(&Live::of(screen), known)
    }

    fn answer(&self, sighting: &Sighting, response: &PromptResponse) -> Result<Step, Refusal> {
        keys::answer(sighting, response)
    }
}

/// False where the program surely does not wait for its terminal, however much its output looks like a question. A program that
/// takes single keys may look for one now and then, so only line mode can be sure.
fn may_ask(screen: &Screen) -> bool {
    let by_line = screen.tty.is_some_and(|tty| tty.canonical);
    !(by_line && screen.foreground == Some(Foreground::Elsewhere))
}

fn read(screen: &Screen) -> Reading {
    let live = Live::of(screen);
    // A command that quotes a question is still a command, so a shell's own prompt comes before the questions. A bare
    // `>` may as well belong to a question, so it comes after them.
    patterns::hidden_input(&live)
        .or_else(|| boxes::read(screen))
        .or_else(|| finder::read(&live))
        .or_else(|| clack::read(&live))
        .or_else(|| toggle::read(&live))
        .or_else(|| menu::read(&live))
        .or_else(|| numbered::below(&live).or_else(|| numbered::keys_below(&live)))
        .map(Reading::Prompt)
        .or_else(|| shell::plain(&live).map(Reading::Ready))
        .or_else(|| line(&live).map(Reading::Prompt))
        .or_else(|| shell::bare(&live).map(Reading::Ready))
        .or_else(|| patterns::text(&live).map(Reading::Prompt))
        .or_else(|| above(&live).map(Reading::Prompt))
        .unwrap_or_else(|| otherwise(&live))
}

/// What is asked on the line the cursor is on, and answered with more than free text.
fn line(live: &Live<'_>) -> Option<Sighting> {
    pause::read(live).or_else(|| patterns::choice(live)).or_else(|| numbered::read(live))
}

/// What is asked on the line above, where the program reads its terminal.
fn above(live: &Live<'_>) -> Option<Sighting> {
    let above = live.above()?;
    let asks = above.before.trim_end().ends_with(['?', ':', ')', ']', '>']);
    line(&above).or_else(|| asks.then(|| patterns::text(&above)).flatten())
}

/// Nothing known is asked: either something interactive that is not understood, or output.
fn otherwise(live: &Live<'_>) -> Reading {
    let screen = live.screen;
    let takes_keys = screen.tty.is_some_and(|tty| !tty.canonical);
    // A program that waits for several things in line mode waits for its terminal only if it asks, and its words say so.
    let polls = !takes_keys && screen.foreground == Some(Foreground::Polls);
    let halted = screen.cursor.visible && !polls && !live.before.trim().is_empty() && !live.is_progress();
    if screen.alternate || takes_keys || halted {
        return Reading::Unrecognized;
    }
    busy(screen)
}

fn busy(screen: &Screen) -> Reading {
    let takes_lines = screen.tty.is_some_and(|tty| tty.canonical && tty.echo);
    Reading::Busy {
        detail: screen.last_row().map_or("", |row| screen.text(row)).trim().to_owned(),
        composer: takes_lines.then(Composer::default),
    }
}
