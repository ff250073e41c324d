//! The Answerback server: everything that touches the world.
//!
//! # Layout, in the order of the walk of one prompt
//!
//! - [`pane`]: the terminals that CLIs run in; tmux pushes what they draw.
//! - [`sessions`]: one task per session; captures, lets `adapters` read and decide, types, and checks.
//! - [`rules`]: which prompts a person's rules answer, asked before anybody is told.
//! - [`hooks`]: where the CLIs tell by themselves what they ask.
//! - [`transcripts`]: follows the files in which CLIs write down their conversations.
//! - [`notify`]: tells people whose pages are closed.
//! - [`journal`]: who allowed what, and what came of it, in rows that are chained by their hashes.
//! - [`store`]: what lasts, in one SQLite file. [`bus`]: every event, numbered, to everybody.
//! - [`composing`]: what helps to write a message: commands, files of the folder, files that go with it.
//! - [`http`]: the door: pairing, the socket, the page. [`access`]: who may come in. [`peer`]: who may use our unix sockets.
//! - [`serve`]: puts it all together. [`config`], [`paths`], [`programs`], [`clock`]: what it needs to know of the machine.
//! - [`cli`]: the commands of the binary. [`say`]: what they tell a person. The built-in agent is `answerback_demo`. [`doctor`]: whether all
//!   is in place. `first_start`: what is asked once. [`service`]: what lets the system start it.

pub mod access;
pub mod bus;
pub mod cli;
pub mod clock;
pub mod composing;
pub mod config;
pub mod conversations;
pub mod doctor;
mod first_start;
pub mod hooks;
pub mod http;
pub mod journal;
mod listen;
pub mod metrics;
pub mod notify;
pub mod pace;
pub mod pane;
pub mod paths;
pub mod peer;
pub mod programs;
pub mod rules;
pub mod say;
pub mod serve;
pub mod service;
pub mod sessions;
pub mod store;
pub mod transcripts;
