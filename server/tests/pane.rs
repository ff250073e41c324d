//! Panes in a real tmux: what is started is exact, what is shown and typed is exact, and nothing is lost when parts die.
//!
//! Every test has a tmux server of its own, under a name of its own, and ends it.

#![expect(clippy::expect_used, clippy::panic, reason = "a test that cannot set up its terminal has failed")]

#[path = "pane/desk.rs"]
mod desk;
#[path = "pane/door.rs"]
mod door;
#[path = "pane/faults.rs"]
mod faults;
#[path = "pane/opening.rs"]
mod opening;
#[path = "pane/typing.rs"]
mod typing;
