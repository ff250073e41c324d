//! The whole server on a port of its own, with a terminal in memory, and clients that speak the page's protocol by hand: what
//! a connection may say, how much, and what becomes of one that cannot keep up.

#![expect(clippy::expect_used, clippy::panic, reason = "a test that cannot set up its server has failed")]

#[path = "socket/any_frame.rs"]
mod any_frame;
#[path = "socket/client.rs"]
mod client;
#[path = "socket/credential.rs"]
mod credential;
#[path = "socket/crowd.rs"]
mod crowd;
#[path = "socket/files.rs"]
mod files;
#[path = "socket/history.rs"]
mod history;
#[path = "socket/limits.rs"]
mod limits;
