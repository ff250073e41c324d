//! The demo agent: a small chat program that asks everything an AI CLI may ask, without an account or a model.
//!
//! It is what a newcomer sees first and what fast tests drive. It changes nothing on the machine: its commands and edits are
//! made up, and the transcript is the only file it writes. `adapters::demo` reads its screen; the server starts it as `answerback demo`.
//!
//! # Layout
//!
//! Pure: `agent` (the state machine) plays `script` and `scenes` (data), keeps a `chat` and shows a `view`; dialogs are
//! `dialog` (state) and `draw` (rows), with `field`, `dial`, `row` and `key` below them. At the rim: `terminal`,
//! `transcript`, and the loop here.

mod agent;
mod chat;
mod dial;
mod dialog;
mod draw;
mod field;
mod key;
mod row;
mod scenes;
mod script;
mod terminal;
#[cfg(test)]
mod tests;
mod transcript;
mod view;

use std::{
    io::{self, IsTerminal},
    path::{Path, PathBuf},
    time::{Duration, Instant, SystemTime},
};

use anyhow::Context;
use crossterm::event::{self, Event};
use shared_types::Millis;

use self::{agent::Agent, key::Key, terminal::Terminal, transcript::Transcript};

/// The environment variable that sets the pace.
const PACE_VARIABLE: &str = "ANSWERBACK_DEMO_PACE";
/// The environment variable that names a file with how many percent of a text may be said before it waits.
const GATE_VARIABLE: &str = "ANSWERBACK_DEMO_GATE";
/// Milliseconds between two chunks of a streamed text: about as fast as a model writes.
const DEFAULT_PACE: Millis = 15;

/// How the demo agent is run.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Where to write the conversation; continued when it exists.
    pub transcript: Option<PathBuf>,
}

/// Runs the demo agent in this terminal until the person leaves it.
///
/// `ANSWERBACK_DEMO_PACE` sets the milliseconds between two chunks of a text; 0 makes everything immediate.
/// `ANSWERBACK_DEMO_GATE` names a file that holds every text at the percentage in it, for tests that look at a text half said.
///
/// # Errors
/// When this is no terminal, or it or the transcript cannot be written.
pub fn run(options: &Options) -> anyhow::Result<()> {
    if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
        anyhow::bail!("the demo agent needs a terminal");
    }
    let mut transcript = options.transcript.as_deref().map(Transcript::open).transpose()?;
    let clock = Clock::new();
    let mut agent = Agent::new(pace());
    let gate = std::env::var_os(GATE_VARIABLE).map(PathBuf::from);
    let mut terminal = Terminal::open()?;
    let mut resized = false;
    loop {
        if let Some(percent) = gate.as_deref().and_then(read_gate) {
            agent.speak_until(percent);
        }
        agent.on_tick(clock.now());
        let lines = agent.take_lines();
        if let Some(transcript) = &mut transcript {
            transcript.write(&lines)?;
        }
        draw(&mut agent, &mut terminal, clock.now(), resized)?;
        resized = false;
        if agent.is_over() {
            return Ok(());
        }
        if let Some(prompt) = agent.line_prompt() {
            let line = terminal.ask_line(prompt)?;
            agent.on_line(line.as_deref(), clock.now());
            continue;
        }
        let now = clock.now();
        let wait = agent.next_wake(now).map(|wake| Duration::from_millis(wake.saturating_sub(now)));
        resized = take_events(&mut agent, &clock, wait)?;
    }
}

/// Waits for something to happen and takes all that has. True when the terminal has another size.
fn take_events(agent: &mut Agent, clock: &Clock, wait: Option<Duration>) -> anyhow::Result<bool> {
    /// As good as for ever; the terminal wakes us anyway.
    const LONG: Duration = Duration::from_secs(3600);
    let mut resized = false;
    let mut wait = wait.unwrap_or(LONG);
    while event::poll(wait).context("waiting for a key")? {
        wait = Duration::ZERO;
        let event = event::read().context("reading a key")?;
        resized |= matches!(event, Event::Resize(..));
        if let Some(key) = Key::from_event(event) {
            agent.on_key(&key, clock.now());
        }
        // What a key has led to is shown, and may be a line to ask, before the next key is taken.
        agent.on_tick(clock.now());
        if agent.is_over() || agent.line_prompt().is_some() {
            break;
        }
    }
    Ok(resized)
}

fn draw(agent: &mut Agent, terminal: &mut Terminal, now: Millis, resized: bool) -> anyhow::Result<()> {
    let (width, height) = crossterm::terminal::size().context("asking for the terminal's size")?;
    let (width, height) = (usize::from(width), usize::from(height));
    let live = agent.view(width, height, now);
    if resized {
        let above = agent.chat.take_tail(width, height.saturating_sub(live.rows.len()));
        terminal.repaint(&above, live)
    } else {
        let finished = agent.chat.take_new(width);
        terminal.paint(&finished, live)
    }
}

fn pace() -> Millis {
    std::env::var(PACE_VARIABLE).ok().and_then(|pace| pace.parse().ok()).unwrap_or(DEFAULT_PACE)
}

/// How far a text may be said; nothing new when there is no file, or it is just being written.
fn read_gate(path: &Path) -> Option<usize> {
    std::fs::read_to_string(path).ok()?.trim().parse().ok()
}

/// The time since the epoch that never goes back.
struct Clock {
    begun: Instant,
    epoch: Duration,
}

impl Clock {
    fn new() -> Self {
        let epoch = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        Self { begun: Instant::now(), epoch }
    }

    fn now(&self) -> Millis {
        Millis::try_from((self.epoch + self.begun.elapsed()).as_millis()).unwrap_or(Millis::MAX)
    }
}
