//! The Answerback server: everything that touches the world.

pub mod demo;
pub mod pane;
