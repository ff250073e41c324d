//! Tests of the adapter: the captured screens, the same changed on purpose, and what is typed.

mod answers;
mod builds;
mod hooks;
mod launches;
mod mutations;
mod reading;

use shared_types::AdapterKind;

use super::Gemini;
use crate::{
    Adapter, Capture, Reading, Screen, Sighting,
    corpus::{Case, labels},
};

fn cases() -> &'static [Case] {
    crate::corpus::cases(AdapterKind::new("gemini"))
}

fn case(name: &str) -> &'static Case {
    crate::corpus::case(AdapterKind::new("gemini"), name)
}

fn sighting(name: &str) -> Sighting {
    crate::corpus::sighting(AdapterKind::new("gemini"), name)
}

fn read(capture: &Capture) -> Reading {
    Gemini.read_screen(&Screen::from_capture(capture))
}

/// Reads a screen drawn in a test, without styles.
fn read_text(text: &str, title: &str) -> Reading {
    let cols = text.lines().map(|line| line.chars().count()).max().unwrap_or(1);
    let rows = text.lines().count();
    read(&Capture {
        text: text.to_owned(),
        cols: u16::try_from(cols).unwrap(),
        rows: u16::try_from(rows).unwrap(),
        title: title.to_owned(),
        ..Capture::default()
    })
}
