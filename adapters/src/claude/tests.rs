//! What captured screens say, mutations of them, and steps.

mod edges;
mod hooks;
mod launch;
mod mutations;
mod reading;
mod record;
mod steps;

use shared_types::AdapterKind;

use crate::{Adapter, Capture, Reading, Screen, Sighting, claude::Claude, corpus::Case, screen::Exit};

fn cases() -> &'static [Case] {
    crate::corpus::cases(AdapterKind::new("claude"))
}

fn case(name: &str) -> &'static Case {
    crate::corpus::case(AdapterKind::new("claude"), name)
}

fn sighting(name: &str) -> Sighting {
    crate::corpus::sighting(AdapterKind::new("claude"), name)
}

fn read(capture: &Capture) -> Reading {
    Claude.read_screen(&Screen::from_capture(capture))
}

/// A capture of lines that were written here, as wide as it is said.
fn drawn(cols: u16, lines: &[&str]) -> Capture {
    let rows = u16::try_from(lines.len()).unwrap();
    Capture { text: lines.join("\n"), cols, rows, ..Capture::default() }
}

#[test]
fn a_program_that_has_ended_is_exited_whatever_it_left_behind() {
    let mut capture = case("ready-2.1.325-80x24").capture.clone();
    capture.exit = Some(Exit { status: Some(0) });
    assert_eq!(read(&capture), Reading::Exited);
}
