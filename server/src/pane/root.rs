//! `answerback pane PROGRAM`: becomes the first process of a pane, and keeps everything the pane starts below itself.
//!
//! A program that goes into the background is otherwise handed to the first process of the system, and nobody can tell any more
//! that it came from a pane: neither who ends what a session leaves behind, nor [`crate::peer`], which lets no program of a pane
//! speak to the server as if it were the person. Linux only; elsewhere this just starts the program.

use std::{io, os::unix::process::CommandExt as _, process::Command};

/// Becomes this program; what comes back is why that failed.
#[must_use]
pub fn run(command: &[String]) -> io::Error {
    let Some((program, arguments)) = command.split_first() else { return io::Error::other("no program is named") };
    // Kept across the exec below, and not passed on to children.
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::set_child_subreaper(Some(rustix::process::getpid())) {
        return error.into();
    }
    Command::new(program).args(arguments).exec()
}
