//! The Answerback server: everything that touches the world.

pub mod access;
pub mod bus;
pub mod clock;
pub mod config;
pub mod http;
pub mod pane;
pub mod paths;
pub mod programs;
pub mod sessions;
pub mod store;
pub mod transcripts;
