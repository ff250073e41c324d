//! Stories that do not apply: said with the reason, and counted as skipped.
//!
//! Rust's own test runner knows no test that skips itself and counts it as passed. `npm test` names a file in
//! `ANSWERBACK_SKIPPED`; a line in it takes such a test out of that count.

use std::{fs::OpenOptions, io::Write as _, panic::Location};

/// Ends a story that does not apply, when there is a reason for that.
#[macro_export]
macro_rules! skip_if {
    ($reason:expr) => {
        if let Some(reason) = $reason {
            $crate::note_skipped(reason);
            return;
        }
    };
}

/// Notes that the story that calls this does not apply.
#[track_caller]
#[expect(clippy::print_stderr, reason = "whoever runs a story alone sees it here")]
pub fn note_skipped(reason: &str) {
    let thread = std::thread::current();
    // The runner names threads after the tests, unless there is but one.
    let place = Location::caller().to_string();
    let name = thread.name().filter(|name| *name != "main").unwrap_or(&place);
    let line = format!("SKIPPED {name}: {reason}\n");
    match std::env::var_os("ANSWERBACK_SKIPPED") {
        Some(path) => {
            let file = OpenOptions::new().create(true).append(true).open(path);
            // One write, because others write to it, too.
            file.and_then(|mut file| file.write_all(line.as_bytes())).expect("the list of what was skipped");
        }
        None => eprint!("{line}"),
    }
}
