//! The journal: who allowed what, and what came of it. Append-only, each row chained to the one before by its hash.
//!
//! # Layout
//! - [`Fact`]: what the rest of the server says. The store writes it in the transaction of what it tells about.
//! - [`redact`]: takes secrets out before anything is hashed.
//! - [`chain`]: the rows, their canonical form and their hashes.
//! - [`retention`]: drops what is older than a setting allows, and says so in the chain.
//! - [`verify`]: checks a chain; [`pin`]: where it ended once, kept apart; [`export`]: rows for other programs.
//!
//! The table is the store's ([`crate::store`]), and so are its pages; `answerback journal` reads it without a server.
//!
//! The format is described in docs/journal.md.

pub mod chain;
pub mod export;
mod fact;
pub mod pin;
pub mod redact;
pub mod retention;
#[cfg(test)]
mod tests;
pub mod verify;

pub use chain::{ChainHash, Entry, Head, Row};
pub use fact::{Fact, FactKind};
pub use pin::Pin;
pub use verify::{Broken, Problem, UnreadableRow, Verdict, Verifier, verify};
