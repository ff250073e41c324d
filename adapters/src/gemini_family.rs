//! What Gemini CLI shares with the CLIs that were made from it: how they draw lines, tools and options, what their words mean, and
//! how their dialogs take keys.
//!
//! - `lines`: parts of rows, frames, wraps and numbered rows.
//! - `tool`: the row that names a tool, and what it would do.
//! - `words`: the little that only words can tell.
//! - `keys`: what is alike in answering.
//! - `questions`: the model's questions as a hook or the record tells them.
//! - `settings`: settings beside the person's own.

pub(crate) mod keys;
pub(crate) mod lines;
pub(crate) mod questions;
pub(crate) mod settings;
pub(crate) mod tool;
pub(crate) mod words;
