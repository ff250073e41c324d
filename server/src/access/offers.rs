//! Pairing codes: eight characters, good once and for a few minutes, and not to be guessed. Pure: time comes in.

use std::{
    collections::{HashMap, VecDeque},
    time::{Duration, Instant},
};

use super::Source;

/// How long a code is good for: enough to find the phone.
pub(super) const LIFETIME: Duration = Duration::from_secs(5 * 60);
/// How many codes can be open; a further one replaces the oldest.
const OPEN_LIMIT: usize = 8;
/// How many wrong codes are taken from one source in a minute. With eight codes always open, an even chance to hit one of 30^8
/// takes a thousand years at this pace; and a person who mistypes, or shares a proxy with somebody who guesses now and then, still gets in.
const WRONG_LIMIT: usize = 100;
const WRONG_WINDOW: Duration = Duration::from_secs(60);
/// How many sources are counted; of a further one the source that guessed longest ago is forgotten.
const SOURCES: usize = 1024;
/// No 0/O, 1/I/L or U: a code is read off one screen and typed into another.
const ALPHABET: &[u8; 32] = b"23456789ABCDEFGHJKMNPQRSTVWXYZ#@";
const LENGTH: usize = 8;

/// The open pairing codes.
#[derive(Debug, Default)]
pub(super) struct Offers {
    open: VecDeque<Offer>,
    /// When each source guessed wrong of late, oldest first.
    wrong: HashMap<Source, VecDeque<Instant>>,
}

#[derive(Debug)]
struct Offer {
    code: String,
    ends: Instant,
}

/// Whether a code was good.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Redeemed {
    Yes,
    No,
    TooMany,
}

impl Offers {
    /// Opens a code.
    pub(super) fn add(&mut self, code: &str, now: Instant) {
        if self.open.len() == OPEN_LIMIT {
            self.open.pop_front();
        }
        self.open.push_back(Offer { code: plain(code), ends: now + LIFETIME });
    }

    /// Uses a code up, if it is good. A source that guessed too often is refused whatever it says; others are not.
    pub(super) fn redeem(&mut self, code: &str, source: Source, now: Instant) -> Redeemed {
        self.open.retain(|offer| now < offer.ends);
        self.wrong.retain(|_, guesses| {
            guesses.retain(|at| now < *at + WRONG_WINDOW);
            !guesses.is_empty()
        });
        if self.wrong.get(&source).is_some_and(|guesses| guesses.len() >= WRONG_LIMIT) {
            return Redeemed::TooMany;
        }
        let code = plain(code);
        match self.open.iter().position(|offer| equal(&offer.code, &code)) {
            Some(at) => {
                self.open.remove(at);
                Redeemed::Yes
            }
            None => {
                self.note_wrong(source, now);
                Redeemed::No
            }
        }
    }

    fn note_wrong(&mut self, source: Source, now: Instant) {
        if self.wrong.len() >= SOURCES && !self.wrong.contains_key(&source) {
            let stalest = self.wrong.iter().min_by_key(|(_, guesses)| guesses.back().copied());
            if let Some(stalest) = stalest.map(|(source, _)| *source) {
                self.wrong.remove(&stalest);
            }
        }
        self.wrong.entry(source).or_default().push_back(now);
    }
}

/// A new code, such as `7KQ2-M9XD`.
pub(super) fn random_code() -> Result<String, getrandom::Error> {
    let mut code = String::with_capacity(LENGTH + 1);
    while code.len() < LENGTH + 1 {
        let mut byte = [0u8; 1];
        getrandom::fill(&mut byte)?;
        // The two characters that fill up the alphabet are drawn again, so every code is as likely as any other.
        match ALPHABET[usize::from(byte[0] % 32)] {
            b'#' | b'@' => continue,
            letter => code.push(char::from(letter)),
        }
        if code.len() == LENGTH / 2 {
            code.push('-');
        }
    }
    Ok(code)
}

/// A code as it is compared: what people add or change in copying does not matter.
fn plain(code: &str) -> String {
    code.chars().filter(char::is_ascii_alphanumeric).map(|ch| ch.to_ascii_uppercase()).collect()
}

/// Takes as long for a code that differs early as for one that differs late.
fn equal(left: &str, right: &str) -> bool {
    left.len() == right.len() && left.bytes().zip(right.bytes()).fold(0, |sum, (a, b)| sum | (a ^ b)) == 0
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use super::*;

    fn anywhere() -> Source {
        Source::default()
    }

    #[test]
    fn a_code_is_good_once_and_for_its_time() {
        let mut offers = Offers::default();
        let start = Instant::now();
        offers.add("ABCD-2345", start);
        assert_eq!(offers.redeem("wrong", anywhere(), start), Redeemed::No);
        assert_eq!(offers.redeem(" abcd2345 ", anywhere(), start), Redeemed::Yes);
        assert_eq!(offers.redeem("ABCD-2345", anywhere(), start), Redeemed::No);
        offers.add("WXYZ-2345", start);
        assert_eq!(offers.redeem("WXYZ-2345", anywhere(), start + LIFETIME), Redeemed::No);
    }

    #[test]
    fn guessing_is_limited_for_its_source_alone() {
        let mut offers = Offers::default();
        let start = Instant::now();
        let [guesser, owner] = ["192.0.2.1", "192.0.2.2"].map(|text| text.parse::<IpAddr>().expect("ip").into());
        offers.add("ABCD-2345", start);
        offers.add("WXYZ-2345", start);
        for _ in 0..WRONG_LIMIT {
            assert_eq!(offers.redeem("ZZZZ-9999", guesser, start), Redeemed::No);
        }
        assert_eq!(offers.redeem("ABCD-2345", guesser, start), Redeemed::TooMany);
        assert_eq!(offers.redeem("WXYZ-2345", owner, start), Redeemed::Yes, "the right code from elsewhere gets in");
        assert_eq!(offers.redeem("ABCD-2345", guesser, start + WRONG_WINDOW), Redeemed::Yes);
    }

    #[test]
    fn no_more_sources_are_counted_than_fit() {
        let mut offers = Offers::default();
        let start = Instant::now();
        for number in 0..2 * u32::try_from(SOURCES).expect("a small number") {
            let source = IpAddr::from(number.to_be_bytes()).into();
            assert_eq!(offers.redeem("ZZZZ-9999", source, start), Redeemed::No);
        }
        assert_eq!(offers.wrong.len(), SOURCES);
    }

    #[test]
    fn an_empty_code_is_never_good() {
        let mut offers = Offers::default();
        assert_eq!(offers.redeem("", anywhere(), Instant::now()), Redeemed::No);
    }

    #[test]
    fn the_oldest_code_makes_room() {
        let mut offers = Offers::default();
        let start = Instant::now();
        for number in 0..=OPEN_LIMIT {
            offers.add(&format!("CODE{number}"), start);
        }
        assert_eq!(offers.redeem("CODE0", anywhere(), start), Redeemed::No);
        assert_eq!(offers.redeem("CODE1", anywhere(), start), Redeemed::Yes);
    }

    #[test]
    fn codes_look_as_promised() {
        for _ in 0..100 {
            let code = random_code().expect("randomness");
            assert_eq!(code.len(), 9, "{code}");
            assert_eq!(code.as_bytes()[4], b'-');
            assert_eq!(plain(&code).len(), 8);
        }
    }
}
