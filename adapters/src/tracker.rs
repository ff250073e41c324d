//! Settles readings over time: only what stays counts.
//!
//! A terminal is looked at in the middle of things: a dialog half drawn, a redraw in two parts, a question that is only
//! passing by in somebody's output. So a reading counts when it was the same for its settling time, and for guesses the whole
//! screen must have stood still as well.
//!
//! The only event is a [`Look`] with the time; [`Tracker::on_look`] returns what changed and when to look again. A settled
//! prompt *appears*; the same one redrawn otherwise *changes*; another reading that settles in its place makes it *go*.
//!
//! # Two equal prompts in a row
//!
//! A prompt has one id from its first sight to its end, so an equal one in its place must be told from itself redrawn. What stands
//! above says so only in a program that writes line by line: there each row stays, and a new one means that the question was
//! answered. The full-screen CLIs draw what is above a dialog anew all the time: Claude Code 2.1.326 takes its spinner away and
//! draws the tool's line one frame (13 ms) after the dialog, agents that work beside it write on, and the lines of finished tools
//! are folded into one. So with these ([`Look::redrawn`]) a change above counts only when the prompt may be over:
//!
//! - it was answered by us: through its hook ([`Tracker::expect_end`]); an answer that is typed is watched by its own machine and
//!   ends here with [`Tracker::prompt_answered`];
//! - or it was seen to be away, if only for one look: a composer stood there, which no part of a dialog's redraw shows.
//!
//! An equal prompt that takes the place of one that was answered at the desk, within one frame, is taken for the same one. It asks
//! the same, and its answer is given to the dialog that is there.

#[cfg(test)]
mod tests;

use std::time::{Duration, Instant};

use shared_types::PromptSource;

use crate::{
    Composer, Fingerprint, Reading, Sighting,
    reading::{Context, Look},
};

/// For readings of a known build, after the quiet moment that every look waits for: longer than the gap between two writes of
/// one frame, and a small part of the way to the phone.
pub const SETTLE: Duration = Duration::from_millis(6);
/// For dialogs of the start: Claude Code 2.1.325 draws its first one anew about 140 ms after it has appeared, and then has
/// forgotten which row was selected; a key that comes in between is lost, or answers with another row. Nobody waits for it.
pub const STARTUP_SETTLE: Duration = Duration::from_secs(1);
/// For usual ways of asking in unknown programs: their output may merely quote a question on its way past.
pub const PATTERN_SETTLE: Duration = Duration::from_millis(400);
/// For screens that are not understood: interactive and silent for this long is a question to the person.
pub const STALL: Duration = Duration::from_secs(3);

/// For an equal prompt in the place of another: what stands above must have changed and stay so for this long, where that counts.
pub const NEXT_SETTLE: Duration = Duration::from_millis(150);
/// For a dialog in the place of another, or soon after one and not drawn to its end: the rest of a dialog that is being taken away
/// reads as another one until the frame is complete, which took 40 ms on a busy machine.
pub const REST_SETTLE: Duration = Duration::from_millis(150);
/// For a dialog whose diff may still change: the first frame of Gemini CLI 0.61 shows the first 17 of 160 rows without saying that any
/// are missing; the next, 20 ms later, shows the last rows and how many are hidden.
pub const DIFF_SETTLE: Duration = Duration::from_millis(100);
/// For a prompt equal to the one that has just gone: a CLI may write down what came of a dialog before it takes it away, or draw
/// it once more in between. Later on it is a prompt like any other.
pub const AGAIN_SETTLE: Duration = Duration::from_millis(600);

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
    /// What stood above the settled prompt, and on a screen of which size.
    context: (Context, (u16, usize)),
    /// What stands above it now, and since when, if it is something else.
    moved: Option<(Context, Instant)>,
    /// Until when a change above a prompt means that it is another one, though its program draws there anew.
    may_be_over: Option<Instant>,
    /// What was last seen in the composer, and when that changed.
    draft: Option<String>,
    typed: Option<Instant>,
    candidate: Option<Candidate>,
    /// The prompt that was there last, and when it went.
    last: Option<(Fingerprint, Instant)>,
    /// Until when a dialog that has not settled may be the half-erased rest of an answered one.
    rest_until: Option<Instant>,
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
    Aside(Fingerprint),
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

    /// What stands above the settled prompt.
    #[must_use]
    pub fn above(&self) -> &Context {
        &self.context.0
    }

    /// When something was last seen to be typed into the composer, by us or at the desk: its draft was another one.
    #[must_use]
    pub fn typed_at(&self) -> Option<Instant> {
        self.typed
    }

    /// The prompt was answered in a way that is not typed and should go before `until`: an equal one below something else is
    /// another one.
    pub fn expect_end(&mut self, until: Instant) {
        self.may_be_over = Some(until);
    }

    /// Forgets the settled prompt, because it was answered: the next look at an equal one is a new prompt.
    pub fn prompt_answered(&mut self, now: Instant) {
        if let Some(sighting) = self.settled.as_ref().and_then(Reading::sighting) {
            self.last = Some((sighting.fingerprint(), now));
            self.settle_again();
        }
    }

    /// A dialog was answered through its hook before it had settled: what is still drawn of it may be half erased.
    pub fn expect_rest(&mut self, now: Instant) {
        self.rest_until = Some(now + AGAIN_SETTLE);
        self.settle_again();
    }

    /// Forgets what has settled, so that the next look tells it anew.
    pub fn settle_again(&mut self) {
        self.settled = None;
        self.candidate = None;
    }

    /// Takes a look.
    pub fn on_look(&mut self, look: Look, now: Instant) -> Verdict {
        let identity = identity(&look.reading);
        self.note_draft(&look.reading, now);
        if self.settled.as_ref().map(self::identity) == Some(identity) {
            self.candidate = None;
            let (next, look_again) = self.is_next(&look, now);
            if next {
                self.prompt_answered(now);
                return Verdict { prompt_gone: true, ..self.on_look(look, now) };
            }
            if self.settled.as_ref() == Some(&look.reading) {
                return Verdict { look_again, ..Verdict::default() };
            }
            self.settled = Some(look.reading.clone());
            return Verdict { prompt_gone: false, settled: Some(look.reading), look_again };
        }
        let asked = self.settled.as_ref().is_some_and(Reading::asks);
        if asked && composer(&look.reading).is_some() {
            self.may_be_over = Some(self.may_be_over.unwrap_or(now).max(now + AGAIN_SETTLE));
        }
        let (settle, must_stand_still) = match &look.reading {
            reading if reading.awaiting().is_some() && !self.has_come_up => (self.first_ready.max(SETTLE), false),
            _ if self.may_be_a_rest(&look, now) => (REST_SETTLE, false),
            _ if look.diff_may_change => (DIFF_SETTLE, false),
            reading if !asked && is_drawn(&look) => (settling(reading).0.saturating_sub(SETTLE), settling(reading).1),
            reading => settling(reading),
        };
        let begun = self.candidate.take().filter(|candidate| {
            candidate.identity == identity && (!must_stand_still || candidate.content == look.content)
        });
        let since = begun.map_or(now, |candidate| candidate.since);
        let print = look.reading.sighting().map(Sighting::fingerprint);
        let again = self.last.filter(|(last, _)| print == Some(*last)).map(|(_, went)| went + AGAIN_SETTLE);
        let settles = again.map_or(since + settle, |again| again.max(since + settle));
        if now < settles {
            self.candidate = Some(Candidate { identity, content: look.content, since });
            return Verdict { look_again: Some(settles), ..Verdict::default() };
        }
        // A screen that was not understood is a prompt to the person as well, so its end is told alike.
        let prompt_gone = self.settled.as_ref().is_some_and(Reading::asks);
        if let Some(gone) = self.settled.as_ref().and_then(Reading::sighting) {
            self.last = Some((gone.fingerprint(), now));
        }
        self.has_come_up |= look.reading.awaiting().is_some() || matches!(look.reading, Reading::Busy { .. });
        self.settled = Some(look.reading.clone());
        self.context = (look.context, look.size);
        self.moved = None;
        self.may_be_over = None;
        // Told at first sight: the next look confirms it.
        let look_again = (since == now && settle.is_zero() && look.reading.asks()).then_some(now + SETTLE);
        Verdict { prompt_gone, settled: Some(look.reading), look_again }
    }

    /// Whether a dialog may be what is left of one that is just going, half overwritten.
    fn may_be_a_rest(&self, look: &Look, now: Instant) -> bool {
        let asked = self.settled.as_ref().is_some_and(Reading::asks);
        let just_went = self.last.is_some_and(|(_, went)| now < went + AGAIN_SETTLE)
            || self.rest_until.is_some_and(|until| now < until);
        let is_dialog = look.redrawn && matches!(look.reading, Reading::Prompt(_));
        is_dialog && !look.frame_complete && (asked || just_went && !look.whole)
    }

    fn note_draft(&mut self, reading: &Reading, now: Instant) {
        let Some(composer) = composer(reading) else { return };
        if self.draft.as_ref() == Some(&composer.draft) {
            return;
        }
        let before = self.draft.replace(composer.draft.clone());
        self.typed = before.map(|_| now).or(self.typed);
    }

    /// Whether the prompt is another one with the same words: what stands above it is something else, and stays so. Then, or
    /// when to look again to know.
    fn is_next(&mut self, look: &Look, now: Instant) -> (bool, Option<Instant>) {
        let (context, size) = &self.context;
        let says_nothing = look.redrawn && self.may_be_over.is_none_or(|until| until < now);
        if *size != look.size || look.context.agrees(context) || says_nothing {
            // Another size wraps everything anew, and says nothing either.
            self.context = (look.context.clone(), look.size);
            self.moved = None;
            return (false, None);
        }
        let moved = self.moved.take().filter(|(moved, _)| *moved == look.context);
        let since = moved.map_or(now, |(_, since)| since);
        if now < since + NEXT_SETTLE {
            self.moved = Some((look.context.clone(), since));
            return (false, Some(since + NEXT_SETTLE));
        }
        self.context.0 = look.context.clone();
        (true, None)
    }
}

/// Where a message can be typed, be it taken at once or queued.
fn composer(reading: &Reading) -> Option<&Composer> {
    match reading {
        Reading::Busy { composer, .. } => composer.as_ref(),
        reading => reading.awaiting(),
    }
}

/// Whether nothing of what is read can still be missing, so that it counts at first sight.
fn is_drawn(look: &Look) -> bool {
    match &look.reading {
        Reading::Prompt(sighting) => sighting.source == PromptSource::Screen && (look.whole || look.frame_complete),
        Reading::Ready(_) | Reading::Aside { .. } | Reading::Busy { .. } => look.frame_complete,
        _ => false,
    }
}

fn identity(reading: &Reading) -> Identity {
    match reading {
        Reading::Starting { .. } => Identity::Starting,
        Reading::Ready(_) => Identity::Ready,
        Reading::Aside { sighting, .. } => Identity::Aside(sighting.fingerprint()),
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
