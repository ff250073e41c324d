//! The codes that pair a chat: each good once and for a few minutes. Pure: time comes in.

use std::{
    collections::VecDeque,
    time::{Duration, Instant},
};

/// How long a code is good.
pub(super) const LIFETIME: Duration = Duration::from_secs(10 * 60);
/// How many codes can be open; a further one replaces the oldest.
const OPEN_LIMIT: usize = 4;

/// The open codes. They have 64 random bits, so nobody who may ask Telegram's servers hits one within its minutes.
#[derive(Debug, Default)]
pub(super) struct Offers {
    open: VecDeque<(String, Instant)>,
}

impl Offers {
    /// Opens a code.
    pub(super) fn add(&mut self, code: &str, now: Instant) {
        if self.open.len() == OPEN_LIMIT {
            self.open.pop_front();
        }
        self.open.push_back((code.to_owned(), now + LIFETIME));
    }

    /// Uses a code up. False when there is none such.
    pub(super) fn redeem(&mut self, code: &str, now: Instant) -> bool {
        self.open.retain(|(_, ends)| now < *ends);
        let found = self.open.iter().position(|(open, _)| open == code);
        found.is_some_and(|at| self.open.remove(at).is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_is_good_once_and_for_its_time() {
        let (mut offers, start) = (Offers::default(), Instant::now());
        offers.add("one", start);
        assert!(!offers.redeem("two", start));
        assert!(offers.redeem("one", start));
        assert!(!offers.redeem("one", start), "it was used");
        offers.add("late", start);
        assert!(!offers.redeem("late", start + LIFETIME));
        for code in ["a", "b", "c", "d", "e"] {
            offers.add(code, start);
        }
        assert!(!offers.redeem("a", start), "the oldest has gone");
        assert!(offers.redeem("e", start));
    }
}
