//! Drives one answer: check that the prompt is still there, take a step, see it on the screen, take the next, and believe
//! that it is done only when the prompt has been seen to go.
//!
//! States: *checking* (nothing typed yet) → *stepping* (typed something, expects to see it) → *leaving* (typed the last keys,
//! expects the prompt to go) → over. The only event is a [`Look`] at the screen, with the time. No clock, no channel, no
//! pane: [`Attempt::on_look`] returns what to do.
//!
//! Nothing here repeats the last keys by itself: whether they arrived is for the screen to say, and for the person to decide.

mod deaf;
#[cfg(test)]
pub(crate) mod responses;
#[cfg(test)]
mod tests;

use std::time::{Duration, Instant};

use shared_types::{PromptResponse, PromptSource};

pub use deaf::Deaf;

use crate::{
    Adapter, Fingerprint, Keystroke, Reading, SightedOption, Sighting, layout,
    reading::{Context, Look},
};

/// How long the effect of a step may take to show. CLIs redraw within a few frames; under load it was seen to take a second.
pub const STEP_LIMIT: Duration = Duration::from_secs(2);
/// How long a prompt may take to go after the last keys. Gemini restarts itself after one of its dialogs.
pub const LEAVE_LIMIT: Duration = Duration::from_secs(8);
/// How long the prompt must stay away before it counts as gone, so that a redraw in two parts does not.
pub const LEAVE_SETTLE: Duration = Duration::from_millis(40);
/// How long a prompt may be out of sight before anything was typed.
pub const HALF_DRAWN: Duration = Duration::from_millis(500);
/// How long a single letter is watched before its Enter, where it may be all that is wanted: a program that takes keys has drawn
/// what follows by then, and must not get an Enter that answers its next question.
pub const LETTER_SETTLE: Duration = Duration::from_millis(150);
/// The least of a long line that a field must show: its end, where it scrolls sideways.
const SHOWN_END: usize = 8;
/// How often one step is planned anew before the attempt is given up.
const STEP_TRIES: u8 = 3;
/// More steps than any real dialog needs; a plan that goes round in circles ends here.
const STEPS_LIMIT: u16 = 200;

/// The next thing to do towards an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// Press these; then this must be seen. More follows.
    Press {
        /// What to press.
        keys: Vec<Keystroke>,
        /// What must be seen.
        expect: Expect,
    },
    /// Type this line behind a question, see it there, and enter it.
    Type {
        /// What to type.
        text: String,
        /// True where the letter may be taken without Enter: then the prompt's going is the answer.
        alone: bool,
    },
    /// Press these, and the prompt is answered.
    Submit {
        /// What to press.
        keys: Vec<Keystroke>,
    },
}

/// What must be seen after a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expect {
    /// The cursor is on this row.
    Selected(usize),
    /// The cursor is on a row with another label than this: in a list that scrolls it may stay in its place.
    Left(String),
    /// The cursor is on the row with this label, wherever it stands now.
    On(String),
    /// This row's box is in this state.
    Checked(usize, bool),
    /// Some text field holds this.
    Text(String),
    /// Some text field shows the end of this: it is longer than the rows that the field shows.
    TextEnd(String),
    /// Some text field takes what is typed.
    TextFocused,
    /// The rows of the question in front are drawn.
    Rows,
    /// This question is in front.
    Question(usize),
    /// The option of question `.0` with this value is in this state.
    QuestionChecked(usize, String, bool),
}

/// Why a response cannot be given to a prompt.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The prompt has no such option.
    #[error("there is no option {0:?}")]
    UnknownOption(String),
    /// Nothing was chosen.
    #[error("choose an option")]
    NothingChosen,
    /// The prompt takes no text there.
    #[error("this takes no text")]
    NoTextTaken,
    /// The option or the prompt wants text.
    #[error("this needs a text")]
    TextMissing,
    /// The field takes one line.
    #[error("this takes one line only")]
    OneLineOnly,
    /// The text would press keys instead of being typed.
    #[error("the text holds control characters")]
    ControlCharacters,
    /// The dialog does not take what was typed, and says why.
    #[error("not taken: {0}")]
    NotAccepted(String),
    /// The number of answers differs from the number of questions.
    #[error("{questions} questions, but {answers} answers")]
    AnswerCount {
        /// How many are asked.
        questions: usize,
        /// How many were given.
        answers: usize,
    },
    /// The screen does not show where its cursor is, so no row can be reached safely.
    #[error("the terminal does not show which row is selected: answer in the terminal")]
    NoCursor,
    /// This prompt is answered with keys, in the terminal.
    #[error("this can only be answered in the terminal")]
    TerminalOnly,
}

/// What to do now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// Press these and look again soon; `last` marks the keys that complete the answer.
    Press {
        /// What to press.
        keys: Vec<Keystroke>,
        /// Nothing is typed after these.
        last: bool,
    },
    /// Nothing to press; look again by then at the latest.
    Wait(Instant),
    /// The prompt was seen to go after the last keys.
    Verified,
    /// It did not work.
    Failed(Failure),
}

/// Why an answer did not work.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// The prompt was gone before anything was typed.
    #[error("the prompt was no longer on the screen; nothing was typed")]
    Gone,
    /// Another prompt stood there before anything was typed.
    #[error("another prompt is on the screen; nothing was typed")]
    Changed,
    /// The prompt went away in the middle of the steps.
    #[error("the prompt went away while it was being answered")]
    WentAway,
    /// The prompt went before the line was entered: what became of the letters is not known.
    #[error("typed, but the program went on before it was entered")]
    WentOn,
    /// A step's effect was not seen.
    #[error("the terminal did not follow the keys")]
    NotFollowed,
    /// The last keys were typed, but the prompt is still there.
    #[error("typed, but the prompt is still there")]
    StillThere,
    /// The response does not fit what is on the screen.
    #[error(transparent)]
    Refused(#[from] Refusal),
}

impl Failure {
    /// True when the answer may have been taken all the same.
    #[must_use]
    pub fn is_unknown(&self) -> bool {
        *self == Self::WentOn
    }

    /// Its name, for logs: its words may quote the dialog.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Gone => "gone",
            Self::Changed => "changed",
            Self::WentAway => "went away",
            Self::WentOn => "went on",
            Self::NotFollowed => "not followed",
            Self::StillThere => "still there",
            Self::Refused(_) => "refused",
        }
    }
}

/// One answer on its way.
#[derive(Debug, Clone)]
pub struct Attempt {
    response: PromptResponse,
    fingerprint: Fingerprint,
    /// The dialog may ignore keys until then.
    not_before: Option<Instant>,
    phase: Phase,
    /// The prompt as it was last seen.
    known: Option<Sighting>,
    /// Since when the prompt has not been seen, before anything was typed.
    unclear_since: Option<Instant>,
    steps: u16,
    /// The rows of the multi-select in front as they were last seen, and which question it is.
    seen: (Option<usize>, Vec<SightedOption>),
}

#[derive(Debug, Clone)]
enum Phase {
    Checking,
    Stepping { expect: Expect, pressed: Instant, deadline: Instant, tries: u8 },
    Typing { line: Line, context: Context, deadline: Instant, seen_since: Option<Instant>, away_since: Option<Instant> },
    Leaving { context: Context, shown: bool, deadline: Instant, away_since: Option<Instant>, is_over: bool },
}

/// A line that is being typed.
#[derive(Debug, Clone)]
struct Line {
    text: String,
    alone: bool,
}

/// What a prompt shows of a line that was typed into it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Echo {
    Nothing,
    Other,
    /// All of it, or a mark for each letter.
    Whole,
}

impl Attempt {
    /// Begins to answer the prompt that the person saw.
    #[must_use]
    pub fn new(response: PromptResponse, seen: Fingerprint) -> Self {
        Self {
            response,
            fingerprint: seen,
            not_before: None,
            phase: Phase::Checking,
            known: None,
            unclear_since: None,
            steps: 0,
            seen: (None, Vec::new()),
        }
    }

    /// Goes on with an answer whose last keys were pressed before a restart of the server: nothing is typed any more, it is
    /// only watched whether the prompt goes. `above` is what stood above it when they were pressed.
    #[must_use]
    pub fn submitted(response: PromptResponse, seen: Fingerprint, above: Context, now: Instant) -> Self {
        let deadline = now + LEAVE_LIMIT;
        let phase = Phase::Leaving { context: above, shown: false, deadline, away_since: None, is_over: false };
        Self { phase, steps: 1, ..Self::new(response, seen) }
    }

    /// What stood above the prompt when the last keys were decided on; nothing before that.
    #[must_use]
    pub fn left_below(&self) -> Option<&Context> {
        match &self.phase {
            Phase::Leaving { context, .. } => Some(context),
            _ => None,
        }
    }

    /// The CLI has written down what came of this prompt: a dialog that still stands there is the next one, with the same words.
    pub fn note_over(&mut self) {
        if let Phase::Leaving { is_over, .. } = &mut self.phase {
            *is_over = true;
        }
    }

    /// The prompt as it was last seen, once something was typed into it: [`Look::answering`] finds it again by that.
    #[must_use]
    pub fn known(&self) -> Option<&Sighting> {
        self.known.as_ref().filter(|_| self.has_typed())
    }

    /// Types nothing before then, because the dialog may ignore keys until then: [`Deaf::hears_at`].
    #[must_use]
    pub fn not_before(mut self, then: Instant) -> Self {
        self.not_before = Some(then);
        self
    }

    /// True once keys have been pressed.
    #[must_use]
    pub fn has_typed(&self) -> bool {
        self.steps > 0
    }

    /// Takes a look at the screen. The first look must be a fresh one: it is the check just before typing.
    pub fn on_look(&mut self, look: &Look, adapter: &dyn Adapter, now: Instant) -> Action {
        let sighting = look.reading.sighting().filter(|sighting| sighting.fingerprint() == self.fingerprint);
        if let Some(sighting) = sighting {
            self.unclear_since = None;
            self.known = Some(sighting.clone());
        }
        match (&mut self.phase, sighting) {
            (Phase::Checking, Some(sighting)) => match self.not_before {
                Some(then) if now < then => Action::Wait(then),
                _ => self.plan(sighting, &look.context, adapter, now, STEP_TRIES),
            },
            (Phase::Checking, None) => {
                let by = *self.unclear_since.get_or_insert(now) + HALF_DRAWN;
                if is_half_drawn(&look.reading) && now < by {
                    return Action::Wait(by);
                }
                let other = look.reading.sighting().is_some();
                Action::Failed(if other { Failure::Changed } else { Failure::Gone })
            }
            (Phase::Stepping { expect, pressed, deadline, tries }, Some(sighting)) => {
                let next = *pressed + adapter.pause(sighting);
                if expect.is_met(sighting) && now < next {
                    Action::Wait(next)
                } else if expect.is_met(sighting) {
                    self.plan(sighting, &look.context, adapter, now, STEP_TRIES)
                } else if now < *deadline {
                    Action::Wait(*deadline)
                } else if *tries > 1 {
                    let tries = *tries - 1;
                    self.plan(sighting, &look.context, adapter, now, tries)
                } else {
                    Action::Failed(Failure::NotFollowed)
                }
            }
            // A dialog may vanish for the part of a frame: only the deadline decides.
            (Phase::Stepping { deadline, .. }, None) if now < *deadline => Action::Wait(*deadline),
            (Phase::Stepping { .. }, None) => Action::Failed(Failure::WentAway),
            (Phase::Typing { .. }, sighting) => self.watch_line(sighting, &look.context, now),
            (Phase::Leaving { context, shown, deadline, away_since, is_over }, sighting) => {
                // An empty line behind the same question is the question asked anew.
                let anew = |sighting: &Sighting| *shown && texts(sighting).all(|field| field.value.is_empty());
                let away = *is_over || sighting.is_none_or(anew) || !look.context.agrees(context);
                if !away {
                    *away_since = None;
                    return if now < *deadline { Action::Wait(*deadline) } else { Action::Failed(Failure::StillThere) };
                }
                let settled = *away_since.get_or_insert(now) + LEAVE_SETTLE;
                if now < settled { Action::Wait(settled) } else { Action::Verified }
            }
        }
    }

    /// Watches a line that was typed: it is entered when it is seen, or when the time is up and the prompt shows nothing of what
    /// is typed into it.
    fn watch_line(&mut self, sighting: Option<&Sighting>, above: &Context, now: Instant) -> Action {
        let Phase::Typing { line, context, deadline, seen_since, away_since } = &mut self.phase else {
            return Action::Wait(now);
        };
        let one_key = line.alone && line.text.chars().count() == 1;
        let echo = sighting.filter(|_| above.agrees(context)).map(|sighting| echo(sighting, &line.text));
        let Some(echo) = echo else {
            *seen_since = None;
            let settled = *away_since.get_or_insert(now) + LETTER_SETTLE;
            return match one_key {
                true if now >= settled => Action::Verified,
                true => Action::Wait(settled),
                false if now >= *deadline => Action::Failed(Failure::WentOn),
                false => Action::Wait(*deadline),
            };
        };
        *away_since = None;
        let by = match echo {
            Echo::Whole if one_key => *seen_since.get_or_insert(now) + LETTER_SETTLE,
            Echo::Whole => now,
            Echo::Nothing | Echo::Other => *deadline,
        };
        if now < by {
            return Action::Wait(by);
        }
        if echo == Echo::Other {
            return Action::Failed(Failure::NotFollowed);
        }
        self.steps += 1;
        let shown = echo == Echo::Whole;
        self.phase = Phase::Leaving {
            context: above.clone(),
            shown,
            deadline: now + LEAVE_LIMIT,
            away_since: None,
            is_over: false,
        };
        Action::Press { keys: vec![Keystroke::ENTER], last: true }
    }

    fn plan(
        &mut self,
        sighting: &Sighting,
        context: &Context,
        adapter: &dyn Adapter,
        now: Instant,
        tries: u8,
    ) -> Action {
        if self.steps >= STEPS_LIMIT {
            return Action::Failed(Failure::NotFollowed);
        }
        match adapter.answer(&self.with_seen(sighting), &self.response) {
            Ok(Step::Press { keys, expect }) => {
                self.steps += 1;
                self.phase = Phase::Stepping { expect, pressed: now, deadline: now + STEP_LIMIT, tries };
                Action::Press { keys, last: false }
            }
            Ok(Step::Type { text, alone }) => {
                self.steps += 1;
                let keys = vec![Keystroke::Text(text.clone())];
                self.phase = Phase::Typing {
                    line: Line { text, alone },
                    context: context.clone(),
                    deadline: now + STEP_LIMIT,
                    seen_since: None,
                    away_since: None,
                };
                Action::Press { keys, last: false }
            }
            Ok(Step::Submit { keys }) => {
                self.steps += 1;
                let shown = sighting.source == PromptSource::Pattern
                    && keys == [Keystroke::ENTER]
                    && texts(sighting).any(|field| !field.value.is_empty());
                let (context, deadline) = (context.clone(), now + LEAVE_LIMIT);
                self.phase = Phase::Leaving { context, shown, deadline, away_since: None, is_over: false };
                Action::Press { keys, last: true }
            }
            Err(refusal) => Action::Failed(refusal.into()),
        }
    }
}

impl Attempt {
    /// The sighting with the rows that have scrolled out of view since the answer began. A number names its row: what is typed
    /// into one changes its label.
    fn with_seen(&mut self, sighting: &Sighting) -> Sighting {
        let mut whole = sighting.clone();
        if !sighting.multi_select || !sighting.more_options {
            return whole;
        }
        let (question, seen) = &mut self.seen;
        if *question != sighting.question_index {
            *question = sighting.question_index;
            seen.clear();
        }
        seen.retain(|row| !sighting.options.iter().any(|option| option.number == row.number));
        whole.out_of_view.clone_from(seen);
        seen.extend(sighting.options.iter().cloned());
        whole
    }
}

impl Expect {
    fn is_met(&self, sighting: &Sighting) -> bool {
        match self {
            Expect::Selected(row) => sighting.selected == Some(*row),
            Expect::Left(label) => {
                let selected = sighting.selected.and_then(|row| sighting.options.get(row));
                selected.is_some_and(|option| layout::squash(&option.label) != layout::squash(label))
            }
            Expect::On(label) => {
                let selected = sighting.selected.and_then(|row| sighting.options.get(row));
                selected.is_some_and(|option| layout::squash(&option.label) == layout::squash(label))
            }
            Expect::Checked(row, state) => {
                sighting.options.get(*row).is_some_and(|option| option.checked == Some(*state))
            }
            Expect::Text(text) => {
                let wanted = layout::squash(text);
                texts(sighting).any(|field| layout::squash(&field.value) == wanted)
            }
            Expect::TextEnd(text) => {
                let wanted = layout::squash(text);
                let mut shown = texts(sighting).map(|field| layout::squash(&field.value));
                shown.any(|shown| !shown.is_empty() && wanted.ends_with(&shown))
            }
            Expect::TextFocused => texts(sighting).any(|field| field.focused),
            Expect::Rows => sighting.options.iter().any(|option| option.checked.is_some()),
            Expect::Question(index) => sighting.question_index == Some(*index),
            Expect::QuestionChecked(index, value, state) => sighting
                .questions
                .get(*index)
                .and_then(|question| question.options.iter().find(|option| option.value == *value))
                .is_some_and(|option| option.checked.unwrap_or(false) == *state),
        }
    }
}

/// How much of a typed line a prompt shows. A program that hides what is typed draws a mark for each letter.
fn echo(sighting: &Sighting, text: &str) -> Echo {
    let Some(field) = texts(sighting).next() else { return Echo::Nothing };
    let (shown, wanted) = (layout::squash(&field.value), layout::squash(text));
    let mask = |ch: char| matches!(ch, '*' | '•' | '●' | '▪' | '·' | '∙' | '◦');
    let masked = shown.chars().all(mask) && shown.chars().count() >= text.chars().count().min(SHOWN_END);
    match shown.chars().count() {
        0 => Echo::Nothing,
        _ if shown == wanted || masked => Echo::Whole,
        count if count >= SHOWN_END && wanted.ends_with(&shown) => Echo::Whole,
        _ => Echo::Other,
    }
}

/// Whether a screen without the prompt may be one that is drawn in two parts, as Qwen Code 0.24 does with a dialog taller than the screen
/// and old versions of Gemini CLI do all the time.
fn is_half_drawn(reading: &Reading) -> bool {
    matches!(reading, Reading::Unrecognized | Reading::Busy { .. } | Reading::Starting { .. })
}

fn texts(sighting: &Sighting) -> impl Iterator<Item = &crate::SightedText> {
    sighting.text.iter().chain(sighting.options.iter().filter_map(|option| option.text.as_ref()))
}

/// The step that brings the cursor to a row, or nothing when it is there. Counted from where the cursor is now.
///
/// # Errors
/// When the screen does not show where the cursor is.
pub fn move_to(sighting: &Sighting, row: usize) -> Result<Option<Step>, Refusal> {
    let selected = sighting.selected.ok_or(Refusal::NoCursor)?;
    if selected == row {
        return Ok(None);
    }
    let count = row.cast_signed() - selected.cast_signed();
    Ok(Some(Step::Press { keys: Keystroke::vertical(count), expect: Expect::Selected(row) }))
}

/// A text that can be typed into one field: no control characters, and one line where only one is taken.
///
/// # Errors
/// When it is not.
pub fn check_text(text: &str, multiline: bool) -> Result<&str, Refusal> {
    if !multiline && text.contains(['\n', '\r']) {
        return Err(Refusal::OneLineOnly);
    }
    if text.chars().any(|ch| ch.is_control() && ch != '\n') {
        return Err(Refusal::ControlCharacters);
    }
    Ok(text)
}
