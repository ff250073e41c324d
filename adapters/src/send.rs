//! Drives one chat message: type it only when the CLI takes one, press Enter apart from it, and see that it was taken.
//!
//! States: *checking* (→ *clearing* what an interrupted CLI has put back) (→ *marked*, its first sign typed by itself) → *pasted*
//! (waits until the text stands in the composer, and at least the gap) → *entered* (waits until the composer is empty) → over.
//! Enter is repeated once, because while the text still stands in the composer it was not sent:
//! Codex and Gemini turn an Enter that follows a paste too closely into a line break.

#[cfg(test)]
mod tests;

use std::time::{Duration, Instant};

use crate::{Composer, Keystroke, Reading, layout::squash, reading::Look};

/// How long the CLI may take to empty its composer.
pub const TAKE_LIMIT: Duration = Duration::from_secs(4);
/// How long the text may take to show in the composer before Enter is pressed all the same. A CLI that has just come up on a busy
/// machine was seen to read nothing for two seconds; it then takes an Enter that came meanwhile for a part of the paste.
const SHOW_LIMIT: Duration = Duration::from_secs(8);

/// How long a screen that is not understood may be one that is drawn in two parts: old versions of Gemini CLI and Claude Code do so
/// all the time.
const HALF_DRAWN: Duration = Duration::from_millis(500);

/// Takes what stands before the cursor in its line away, in the composers of all CLIs.
const CLEAR: Keystroke = Keystroke::Ctrl('u');
/// How long the CLI may take to show that a line is gone.
const CLEAR_LIMIT: Duration = Duration::from_secs(1);

/// How a chat message is typed into a CLI.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SendStyle {
    /// Paste, wait at least this long, Enter, see the composer empty.
    Composer {
        /// An Enter closer to the paste than this is taken for a line break.
        gap: Duration,
        /// A first sign that means something only when it is typed: in a paste it is a sign like any other.
        typed: Option<char>,
    },
    /// Type each line with its Enter; nothing can be checked.
    Lines,
}

/// What to do now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// Press these and look again soon.
    Press(Vec<Keystroke>),
    /// Nothing to press; look again by then at the latest.
    Wait(Instant),
    /// The CLI took the message.
    Taken,
    /// It did not.
    Refused(NotSent),
}

/// Why a message was not sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotSent {
    /// A dialog is open.
    #[error("a dialog is open: answer it first")]
    DialogOpen,
    /// The screen is not understood.
    #[error("the screen is not understood, so nothing is typed: look at the terminal")]
    Unrecognized,
    /// The CLI is coming up.
    #[error("the session is still starting")]
    Starting,
    /// The CLI takes no messages while it works.
    #[error("it takes no messages while it works")]
    Busy,
    /// The CLI has ended.
    #[error("the session has ended")]
    Ended,
    /// Something already stands in the composer.
    #[error("somebody is typing at the desk")]
    InUse,
    /// The text still stands in the composer.
    #[error("the message was typed but not taken: it stands in the terminal's input line")]
    NotTaken,
}

/// One chat message on its way.
#[derive(Debug, Clone)]
pub struct Delivery {
    text: String,
    style: SendStyle,
    /// The message before, which an interrupted CLI puts back into its composer, and those of which nobody knows whether they
    /// are still in it.
    before: Vec<String>,
    phase: Phase,
    /// Since when the screen has not been understood.
    unclear_since: Option<Instant>,
}

#[derive(Debug, Clone)]
enum Phase {
    Checking,
    Clearing { draft: String, deadline: Instant },
    Marked { since: Instant },
    Pasted { since: Instant },
    Entered { deadline: Instant, again: bool },
}

impl Delivery {
    /// Begins to send a message.
    #[must_use]
    pub fn new(mut text: String, style: SendStyle) -> Self {
        // While a last word such as `@name` is open, the composers offer completions, and Enter takes one instead of sending.
        let would_complete = text.rsplit(char::is_whitespace).next().is_some_and(|word| word.contains('@'));
        // Claude Code may ask above its composer how it is doing, or whether the conversation may be looked at, and takes a digit
        // or a letter that stands there alone for the answer.
        let would_answer = text.len() == 1 && text.starts_with(|sign: char| sign.is_ascii_alphanumeric());
        if style != SendStyle::Lines && (would_complete || would_answer) {
            text.push(' ');
        }
        Self { text, style, before: Vec::new(), phase: Phase::Checking, unclear_since: None }
    }

    /// The messages that were typed before this one and may stand in the composer: they are in nobody's way.
    #[must_use]
    pub fn after(mut self, before: impl IntoIterator<Item = String>) -> Self {
        self.before = before.into_iter().collect();
        self
    }

    /// True once anything has been typed.
    #[must_use]
    pub fn has_typed(&self) -> bool {
        !matches!(self.phase, Phase::Checking)
    }

    /// True once Enter was pressed: from then on only the screen knows whether it was taken.
    #[must_use]
    pub fn has_entered(&self) -> bool {
        matches!(self.phase, Phase::Entered { .. })
    }

    /// A dialog is about to be drawn, which the CLI has said before the screen shows it. Enter would answer it.
    pub fn on_dialog(&mut self) -> Action {
        match self.phase {
            // Pressed already: it is a message of before.
            Phase::Entered { .. } => Action::Taken,
            _ => Action::Refused(NotSent::DialogOpen),
        }
    }

    /// Takes a look at the screen. The first look must be a fresh one: it is the check just before typing.
    pub fn on_look(&mut self, look: &Look, now: Instant) -> Action {
        let composer = composer(&look.reading);
        // In the middle of a frame, or of clearing the conversation, there may be no composer, and the screen then looks like one
        // before the CLI has come up, or in the middle of its work.
        let unclear = match &composer {
            Err(NotSent::Unrecognized | NotSent::Starting) => true,
            // Once it is entered, work is what comes of it.
            Err(NotSent::Busy) => !matches!(self.phase, Phase::Entered { .. }),
            _ => false,
        };
        if !unclear {
            self.unclear_since = None;
        } else {
            let clear_by = *self.unclear_since.get_or_insert(now) + HALF_DRAWN;
            if now < clear_by {
                return Action::Wait(clear_by);
            }
        }
        match (self.phase.clone(), self.style) {
            (Phase::Checking, SendStyle::Lines) => match composer {
                Err(why) => Action::Refused(why),
                // The first line would be typed behind what stands there, and its Enter would run both.
                Ok(composer) if !composer.draft.is_empty() => Action::Refused(NotSent::InUse),
                Ok(_) => {
                    let lines = self.text.lines().flat_map(|line| [Keystroke::Text(line.to_owned()), Keystroke::ENTER]);
                    self.phase = Phase::Entered { deadline: now, again: false };
                    Action::Press(lines.collect())
                }
            },
            (_, SendStyle::Lines) => Action::Taken,
            (Phase::Clearing { draft, deadline }, SendStyle::Composer { .. })
                if composer.is_ok_and(|composer| composer.draft == draft) && now < deadline =>
            {
                Action::Wait(deadline)
            }
            (Phase::Checking | Phase::Clearing { .. }, SendStyle::Composer { .. }) => match composer {
                Err(why) => Action::Refused(why),
                Ok(composer) if !composer.draft.is_empty() && self.is_own(&composer.draft) => {
                    self.phase = Phase::Clearing { draft: composer.draft.clone(), deadline: now + CLEAR_LIMIT };
                    Action::Press(vec![CLEAR])
                }
                Ok(composer) if !composer.draft.is_empty() => Action::Refused(NotSent::InUse),
                Ok(_) if self.mark().is_some() => {
                    self.phase = Phase::Marked { since: now };
                    Action::Press(self.mark().map(|mark| Keystroke::Text(mark.to_string())).into_iter().collect())
                }
                Ok(_) => {
                    self.phase = Phase::Pasted { since: now };
                    Action::Press(vec![Keystroke::Paste(self.text.clone())])
                }
            },
            (Phase::Marked { since }, SendStyle::Composer { gap, .. }) => match composer {
                Err(why) => Action::Refused(why),
                Ok(_) if now < since + gap => Action::Wait(since + gap),
                Ok(_) => {
                    let rest = self.text.chars().skip(1).collect();
                    self.phase = Phase::Pasted { since: now };
                    Action::Press(vec![Keystroke::Paste(rest)])
                }
            },
            (Phase::Pasted { since }, SendStyle::Composer { gap, .. }) => {
                // A dialog that opened in the meantime would take the Enter for its answer.
                let shown = match composer {
                    Err(why) => return Action::Refused(why),
                    Ok(composer) => !composer.draft.is_empty(),
                };
                let ready = if shown { since + gap } else { since + SHOW_LIMIT };
                if now < ready {
                    return Action::Wait(ready);
                }
                self.phase = Phase::Entered { deadline: now + TAKE_LIMIT, again: true };
                Action::Press(vec![Keystroke::ENTER])
            }
            (Phase::Entered { deadline, again }, SendStyle::Composer { .. }) => match composer {
                Ok(composer) if !composer.draft.is_empty() && now < deadline => Action::Wait(deadline),
                Ok(composer) if !composer.draft.is_empty() && again => {
                    self.phase = Phase::Entered { deadline: now + TAKE_LIMIT, again: false };
                    Action::Press(vec![Keystroke::ENTER])
                }
                Ok(composer) if !composer.draft.is_empty() => Action::Refused(NotSent::NotTaken),
                // An empty composer, a busy screen without one, or the very dialog the message led to: it was taken.
                _ => Action::Taken,
            },
        }
    }
}

impl Delivery {
    /// The first sign, where it must be typed and something follows it.
    fn mark(&self) -> Option<char> {
        let SendStyle::Composer { typed, .. } = self.style else { return None };
        let mut signs = self.text.chars();
        signs.next().filter(|first| Some(*first) == typed && signs.next().is_some())
    }

    /// Whether what stands in the composer is our last message, or what is left of it, and can still be taken away.
    fn is_own(&self, draft: &str) -> bool {
        let plain = squash(draft);
        match &self.phase {
            Phase::Checking => {
                let mut rest = plain.as_str();
                for before in &self.before {
                    rest = rest.strip_prefix(&squash(before)).unwrap_or(rest);
                }
                !self.before.is_empty() && rest.is_empty()
            }
            // Each press must have taken something away.
            Phase::Clearing { draft: last, .. } => draft.len() < last.len() && squash(last).starts_with(&plain),
            _ => false,
        }
    }
}

fn composer(reading: &Reading) -> Result<&Composer, NotSent> {
    match reading {
        Reading::Ready(composer) | Reading::Aside { composer, .. } | Reading::Busy { composer: Some(composer), .. } => {
            Ok(composer)
        }
        Reading::Busy { composer: None, .. } => Err(NotSent::Busy),
        Reading::Prompt(_) | Reading::Startup(_) => Err(NotSent::DialogOpen),
        Reading::Unrecognized => Err(NotSent::Unrecognized),
        Reading::Starting { .. } => Err(NotSent::Starting),
        Reading::Exited => Err(NotSent::Ended),
    }
}
