//! Pairing codes: eight characters, good once and for a few minutes, and not to be guessed. Pure: time comes in.

use std::{
    collections::VecDeque,
    time::{Duration, Instant},
};

/// How long a code is good for: enough to find the phone.
pub(super) const LIFETIME: Duration = Duration::from_secs(5 * 60);
/// How many codes can be open; a further one replaces the oldest.
const OPEN_LIMIT: usize = 8;
/// How many wrong codes are taken in a minute. 30^8 codes at this pace take 120,000 years.
const WRONG_LIMIT: usize = 10;
const WRONG_WINDOW: Duration = Duration::from_secs(60);
/// No 0/O, 1/I/L or U: a code is read off one screen and typed into another.
const ALPHABET: &[u8; 32] = b"23456789ABCDEFGHJKMNPQRSTVWXYZ#@";
const LENGTH: usize = 8;

/// The open pairing codes.
#[derive(Debug, Default)]
pub(super) struct Offers {
    open: VecDeque<Offer>,
    wrong: VecDeque<Instant>,
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

    /// Uses a code up, if it is good. Right codes are refused as well while too many wrong ones came in.
    pub(super) fn redeem(&mut self, code: &str, now: Instant) -> Redeemed {
        self.open.retain(|offer| now < offer.ends);
        self.wrong.retain(|at| now < *at + WRONG_WINDOW);
        if self.wrong.len() >= WRONG_LIMIT {
            return Redeemed::TooMany;
        }
        let code = plain(code);
        match self.open.iter().position(|offer| equal(&offer.code, &code)) {
            Some(at) => {
                self.open.remove(at);
                Redeemed::Yes
            }
            None => {
                self.wrong.push_back(now);
                Redeemed::No
            }
        }
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
    use super::*;

    #[test]
    fn a_code_is_good_once_and_for_its_time() {
        let mut offers = Offers::default();
        let start = Instant::now();
        offers.add("ABCD-2345", start);
        assert_eq!(offers.redeem("wrong", start), Redeemed::No);
        assert_eq!(offers.redeem(" abcd2345 ", start), Redeemed::Yes);
        assert_eq!(offers.redeem("ABCD-2345", start), Redeemed::No);
        offers.add("WXYZ-2345", start);
        assert_eq!(offers.redeem("WXYZ-2345", start + LIFETIME), Redeemed::No);
    }

    #[test]
    fn guessing_is_limited_even_for_the_right_code() {
        let mut offers = Offers::default();
        let start = Instant::now();
        offers.add("ABCD-2345", start);
        for _ in 0..WRONG_LIMIT {
            assert_eq!(offers.redeem("ZZZZ-9999", start), Redeemed::No);
        }
        assert_eq!(offers.redeem("ABCD-2345", start), Redeemed::TooMany);
        assert_eq!(offers.redeem("ABCD-2345", start + WRONG_WINDOW), Redeemed::Yes);
    }

    #[test]
    fn an_empty_code_is_never_good() {
        let mut offers = Offers::default();
        assert_eq!(offers.redeem("", Instant::now()), Redeemed::No);
    }

    #[test]
    fn the_oldest_code_makes_room() {
        let mut offers = Offers::default();
        let start = Instant::now();
        for number in 0..=OPEN_LIMIT {
            offers.add(&format!("CODE{number}"), start);
        }
        assert_eq!(offers.redeem("CODE0", start), Redeemed::No);
        assert_eq!(offers.redeem("CODE1", start), Redeemed::Yes);
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
