//! The second half of a device's credential: a key that the page keeps in its own storage and proves without sending it.
//!
//! Browsers send a cookie to every port of a host, so whoever serves another port of the workstation gets to see it. The key never
//! leaves the page's origin: HMAC-SHA-256 over a nonce of the server's opens the socket, and over what is asked for opens an
//! HTTP request. A proof that somebody sees opens nothing else.

use std::fmt;

use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;
use uuid::Uuid;

/// The header of an HTTP request that carries its proof.
pub const PROOF_HEADER: &str = "answerback-proof";

/// What a paired device shows: both halves.
#[derive(Clone, PartialEq, Eq)]
pub struct Credential {
    /// The cookie, as `name=value`.
    pub cookie: String,
    /// The key.
    pub key: String,
}

impl fmt::Debug for Credential {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Credential")
    }
}

/// Proves the key on a socket; `nonce` is that of [`crate::ServerMessage::Challenge`].
#[must_use]
pub fn socket_proof(key: &str, nonce: &str) -> String {
    mac(key, &format!("socket {nonce}"))
}

/// Proves the key for one HTTP request; `epoch` is that of [`crate::ServerMessage::Welcome`], so a proof ends with the server's run.
#[must_use]
pub fn request_proof(key: &str, epoch: Uuid, method: &str, path_and_query: &str) -> String {
    mac(key, &format!("request {epoch} {method} {path_and_query}"))
}

/// Whether two proofs are the same, in the same time for one that differs early as for one that differs late.
#[must_use]
pub fn is_same_proof(expected: &str, given: &str) -> bool {
    expected.len() == given.len()
        && expected.bytes().zip(given.bytes()).fold(0, |differences, (left, right)| differences | (left ^ right)) == 0
}

fn mac(key: &str, message: &str) -> String {
    // HMAC takes a key of any length.
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(key.as_bytes()) else { return String::new() };
    mac.update(message.as_bytes());
    mac.finalize().into_bytes().iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The page computes the same (`web/src/lib/credential.test.ts`).
    #[test]
    fn proofs_are_the_ones_the_page_computes() {
        let key = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
        assert_eq!(socket_proof(key, "n1"), "984199f55ec599fd237831f263fec29915f9435265d36a850bf929b2c45d206e");
        let path = "/api/sessions/s1/files?name=a%20b";
        assert_eq!(
            request_proof(key, Uuid::nil(), "POST", path),
            "dcaebd3b1af951fac3295a0a551b1d011ee3d459e7ab0877bc5ec89b5aaf9cdf"
        );
        assert!(is_same_proof("ab", "ab") && !is_same_proof("ab", "ac") && !is_same_proof("ab", "a"));
    }

    #[test]
    fn credential_shows_nothing_in_a_log() {
        let credential = Credential { cookie: "a=b".to_owned(), key: "secret".to_owned() };
        assert_eq!(format!("{credential:?}"), "Credential");
    }
}
