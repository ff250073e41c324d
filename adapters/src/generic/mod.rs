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
//! - `numbered`, `menu`, `boxes`, `finder`: menus by number, by arrow, in a drawn box, and of fuzzy finders.
//! - `keys`: how each of them is answered.

mod boxes;
mod choices;
mod field;
mod finder;
mod keys;
mod live;
mod menu;
mod numbered;
mod patterns;
mod pause;
mod shell;
#[cfg(test)]
mod tests;

use std::time::Duration;

use shared_types::{AdapterKind, PromptResponse};

use self::live::Live;
use crate::{
    Adapter, Composer, Keystroke, LaunchPlan, LaunchRefusal, LaunchRequest, Profile, Reading, Refusal, Screen,
    Sighting, Step, send::SendStyle,
};

/// The adapter.
pub struct Generic;

static PROFILE: Profile = Profile {
    kind: AdapterKind::Generic,
    name: "Any program",
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
    deaf: Duration::ZERO,
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
        let live = Live::of(screen);
        // A command that quotes a question is still a command, so a shell's own prompt comes before the questions. A bare
        // `>` may as well belong to a question, so it comes after them.
        patterns::hidden_input(&live)
            .or_else(|| boxes::read(screen))
            .or_else(|| finder::read(&live))
            .or_else(|| menu::read(&live))
            .map(Reading::Prompt)
            .or_else(|| shell::plain(&live).map(Reading::Ready))
            .or_else(|| pause::read(&live).map(Reading::Prompt))
            .or_else(|| patterns::choice(&live).map(Reading::Prompt))
            .or_else(|| numbered::read(&live).map(Reading::Prompt))
            .or_else(|| shell::bare(&live).map(Reading::Ready))
            .or_else(|| patterns::text(&live).map(Reading::Prompt))
            .unwrap_or_else(|| otherwise(&live))
    }

    fn answer(&self, sighting: &Sighting, response: &PromptResponse) -> Result<Step, Refusal> {
        keys::answer(sighting, response)
    }
}

/// Nothing known is asked: either something interactive that is not understood, or output.
fn otherwise(live: &Live<'_>) -> Reading {
    let screen = live.screen;
    let takes_keys = screen.tty.is_some_and(|tty| !tty.canonical);
    let halted = screen.cursor.visible && !live.before.trim().is_empty() && !live.is_progress();
    if screen.alternate || takes_keys || halted {
        return Reading::Unrecognized;
    }
    let takes_lines = screen.tty.is_some_and(|tty| tty.canonical && tty.echo);
    Reading::Busy {
        detail: screen.last_row().map_or("", |row| screen.text(row)).trim().to_owned(),
        composer: takes_lines.then(Composer::default),
    }
}
