//! Looks through a dialog that shows one of several pages at a time, so that the person gets all of its questions at once.
//!
//! Only the keys that turn a page are pressed ([`crate::Adapter::next_page`]), each only while the dialog is seen, and the page
//! that was in front is in front again at the end. Nothing is answered. The only event is a [`Look`], with the time.

#[cfg(test)]
mod tests;

use std::time::Instant;

use shared_types::Question;

use crate::{Adapter, Fingerprint, Keystroke, Sighting, answer::STEP_LIMIT, reading::Look};

/// What to do now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// Press these and look again soon.
    Press(Vec<Keystroke>),
    /// Nothing to press; look again by then at the latest.
    Wait(Instant),
    /// Every page was seen, or no more of them can be.
    Done,
}

/// One walk through the pages of a dialog.
#[derive(Debug, Clone)]
pub struct Survey {
    fingerprint: Fingerprint,
    questions: Vec<Question>,
    /// The page that was in front.
    first: usize,
    /// The place that was left, and until when another must be seen.
    left: Option<(Place, Instant)>,
    /// True once another page was in front.
    turned: bool,
    /// How many more keys may be pressed.
    keys: u16,
}

/// Where in the dialog the cursor is: on which page, on which of its rows, and whether those are drawn.
type Place = (Option<usize>, Option<usize>, &'static str);

/// More than any dialog has pages and rows; a walk that comes to no end ends here.
const KEYS_LIMIT: u16 = 200;

impl Survey {
    /// Begins with a dialog of which some pages are not known, if its pages can be turned.
    #[must_use]
    pub fn of(sighting: &Sighting, adapter: &dyn Adapter) -> Option<Self> {
        let first = sighting.question_index?;
        let unknown = sighting.questions.iter().any(is_unknown);
        (unknown && adapter.next_page(sighting).is_some()).then(|| Self {
            fingerprint: sighting.fingerprint(),
            questions: sighting.questions.clone(),
            first,
            left: None,
            turned: false,
            keys: KEYS_LIMIT,
        })
    }

    /// The dialog that is looked through.
    #[must_use]
    pub fn fingerprint(&self) -> Fingerprint {
        self.fingerprint
    }

    /// Takes a look at the screen.
    pub fn on_look(&mut self, look: &Look, adapter: &dyn Adapter, now: Instant) -> Action {
        let sighting = look.reading.sighting().filter(|sighting| sighting.fingerprint() == self.fingerprint);
        let place = sighting.map(|sighting| (sighting.question_index, sighting.selected, sighting.build));
        if let Some((left, until)) = self.left
            && place.is_none_or(|place| place == left)
        {
            return if now < until { Action::Wait(until) } else { Action::Done };
        }
        let (Some(sighting), Some(place)) = (sighting, place) else { return Action::Done };
        learn(&mut self.questions, &sighting.questions);
        let is_first = sighting.question_index == Some(self.first);
        let is_over = self.turned || !self.questions.iter().any(is_unknown);
        self.turned |= !is_first;
        // A page that was seen and is still unknown says nothing: round and round would not help.
        if is_first && is_over || self.keys == 0 {
            return Action::Done;
        }
        let Some(keys) = adapter.next_page(sighting) else { return Action::Done };
        self.keys -= 1;
        self.left = Some((place, now + STEP_LIMIT));
        Action::Press(keys)
    }

    /// What was seen on the pages.
    #[must_use]
    pub fn questions(self) -> Vec<Question> {
        self.questions
    }
}

impl Sighting {
    /// Fills in the questions that the screen does not show just now.
    pub fn know_questions(&mut self, known: &[Question]) {
        if self.questions.len() == known.len() {
            learn(&mut self.questions, known);
        }
    }
}

/// Takes over what is not known yet.
fn learn(questions: &mut [Question], from: &[Question]) {
    for (question, seen) in questions.iter_mut().zip(from) {
        if is_unknown(question) {
            question.clone_from(seen);
        }
    }
}

/// True for a question of which no more is known than that it is there.
fn is_unknown(question: &Question) -> bool {
    question.question.is_empty() && question.options.is_empty() && question.text_input.is_none()
}
