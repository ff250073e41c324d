//! Which questions of a CLI a person's rules answer, and why.
//!
//! [`judge`] takes a request, the rules, what has happened so far and the time, and returns a [`Judgement`]. The crate is pure: it reads no
//! file, no clock and no environment, and starts nothing.
//!
//! # Layout
//!
//! - [`tools`]: the tools of all CLIs in one vocabulary.
//! - [`shell`]: a command line, read twice: by our own reader and by a whole bash grammar.
//! - [`walk`]: what a script would do: programs, files, variables; wrappers are taken off.
//! - [`programs`]: what single programs do: options that run others, files they write.
//! - [`env`], [`paths`], [`characters`]: classes of variables, files and letters.
//! - [`rules`]: what rules say, how they are written, what they match.
//! - [`remember`]: the rule that an answer stands for.
//! - [`import`], [`suggest`]: rules of the CLIs, and rules from the past. [`cases`], [`explain`]: for scripts and for persons.
//! - [`judge`](judge()): the decision. [`guard`]: how often and when it may be acted upon.

pub mod cases;
mod characters;
mod env;
pub mod explain;
pub mod guard;
pub mod import;
mod judge;
mod judgement;
mod paths;
mod programs;
pub mod remember;
mod request;
pub mod rules;
mod shell;
pub mod suggest;
mod tools;
mod walk;

pub use guard::State;
pub use judge::judge;
pub use judgement::{Floor, Judgement, Part, Risk, Verdict};
pub use request::Request;
pub use rules::{Rule, RuleSet, Timestamp};
