//! Settles readings over time: only what stays counts.
//!
//! A terminal is looked at in the middle of things: a dialog half drawn, a redraw in two parts, a question that is only
//! passing by in somebody's output. So a reading counts when it was the same for its settling time, and for guesses the whole
//! screen must have stood still as well.
//!
//! The only event is a [`Look`] with the time; [`Tracker::on_look`] returns what changed and when to look again. A settled
//! prompt *appears*; the same one redrawn otherwise *changes*; another reading that settles in its place makes it *go*.

#[cfg(test)]
mod tests;

use std::time::{Duration, Instant};

use shared_types::PromptSource;

use crate::{Fingerprint, Reading, reading::Look};

/// For readings of a known build: longer than the gap between two writes of one frame, shorter than a person notices.
pub const SETTLE: Duration = Duration::from_millis(20);
/// For dialogs of the start: Claude Code 2.1.325 draws its first one anew about 140 ms after it has appeared, and then has
/// forgotten which row was selected; a key that comes in between is lost, or answers with another row. Nobody waits for it.
pub const STARTUP_SETTLE: Duration = Duration::from_secs(1);
/// For usual ways of asking in unknown programs: their output may merely quote a question on its way past.
pub const PATTERN_SETTLE: Duration = Duration::from_millis(400);
/// For screens that are not understood: interactive and silent for this long is a question to the person.
pub const STALL: Duration = Duration::from_secs(3);

/// What came of a look.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Verdict {
    /// The prompt that was there has gone; to be told before what has settled in its place.
    pub prompt_gone: bool,
    /// The reading that counts now, when it is another or its details differ.
    pub settled: Option<Reading>,
    /// When to look again even if nothing is drawn.
    pub look_again: Option<Instant>,
}

/// Settles the readings of one session.
#[derive(Debug, Clone, Default)]
pub struct Tracker {
    /// How long the composer must stay at the start before it is believed.
    first_ready: Duration,
    /// Whether the program was seen to take messages or to work.
    has_come_up: bool,
    settled: Option<Reading>,
    candidate: Option<Candidate>,
}

#[derive(Debug, Clone)]
struct Candidate {
    identity: Identity,
    content: u64,
    since: Instant,
}

/// What makes two readings the same for settling.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Identity {
    Starting,
    Ready,
    Busy,
    Prompt(Fingerprint),
    Startup(Fingerprint),
    Unrecognized,
    Exited,
}

impl Tracker {
    /// For a program that draws its composer before it has come up: it is believed when it has stayed for this long.
    #[must_use]
    pub fn new(first_ready: Duration) -> Self {
        Self { first_ready, ..Self::default() }
    }

    /// The reading that counts now.
    #[must_use]
    pub fn settled(&self) -> Option<&Reading> {
        self.settled.as_ref()
    }

    /// Forgets the settled prompt, because it was answered: the next look at an equal one is a new prompt.
    pub fn prompt_answered(&mut self) {
        if self.settled.as_ref().is_some_and(|reading| reading.sighting().is_some()) {
            self.settled = None;
            self.candidate = None;
        }
    }

    /// Takes a look.
    pub fn on_look(&mut self, look: Look, now: Instant) -> Verdict {
        let identity = identity(&look.reading);
        if self.settled.as_ref().map(self::identity) == Some(identity) {
            self.candidate = None;
            if self.settled.as_ref() == Some(&look.reading) {
                return Verdict::default();
            }
            self.settled = Some(look.reading.clone());
            return Verdict { settled: Some(look.reading), ..Verdict::default() };
        }
        let (settle, must_stand_still) = match &look.reading {
            Reading::Ready(_) if !self.has_come_up => (self.first_ready.max(SETTLE), false),
            reading => settling(reading),
        };
        let begun = self.candidate.take().filter(|candidate| {
            candidate.identity == identity && (!must_stand_still || candidate.content == look.content)
        });
        let since = begun.map_or(now, |candidate| candidate.since);
        if now < since + settle {
            self.candidate = Some(Candidate { identity, content: look.content, since });
            return Verdict { look_again: Some(since + settle), ..Verdict::default() };
        }
        // A screen that was not understood is a prompt to the person as well, so its end is told alike.
        let prompt_gone = self.settled.as_ref().is_some_and(Reading::asks);
        self.has_come_up |= matches!(look.reading, Reading::Ready(_) | Reading::Busy { .. });
        self.settled = Some(look.reading.clone());
        Verdict { prompt_gone, settled: Some(look.reading), look_again: None }
    }
}

fn identity(reading: &Reading) -> Identity {
    match reading {
        Reading::Starting { .. } => Identity::Starting,
        Reading::Ready(_) => Identity::Ready,
        Reading::Busy { .. } => Identity::Busy,
        Reading::Prompt(sighting) => Identity::Prompt(sighting.fingerprint()),
        Reading::Startup(dialog) => Identity::Startup(dialog.sighting.fingerprint()),
        Reading::Unrecognized => Identity::Unrecognized,
        Reading::Exited => Identity::Exited,
    }
}

/// How long a reading must stay, and whether the whole screen must stand still meanwhile.
fn settling(reading: &Reading) -> (Duration, bool) {
    match reading {
        Reading::Exited => (Duration::ZERO, false),
        Reading::Unrecognized => (STALL, true),
        Reading::Prompt(sighting) if sighting.source == PromptSource::Pattern => (PATTERN_SETTLE, true),
        Reading::Startup(_) => (STARTUP_SETTLE, false),
        _ => (SETTLE, false),
    }
}
