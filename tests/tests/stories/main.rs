//! The stories: what a person can do, done by phones and hands on the real binary in real tmux, judged by its effect.

#![expect(clippy::expect_used, clippy::panic, reason = "a story that cannot go on has failed")]

mod access;
mod any_program;
mod bad_input;
mod commands;
mod conversations;
mod documents;
mod expiry;
mod first_start;
mod hooks;
mod log;
mod one_prompt;
mod port;
mod purity;
mod restart;
mod rules;
mod security;
mod seen_in_peers;
mod telegram;
mod two_phones;
mod upgrade;
