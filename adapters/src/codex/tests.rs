//! Tests of the Codex adapter: what captured screens say, the same screens altered, builds known from Codex's public source
//! only, and the steps of answers.

mod altered;
mod builds;
mod launching;
mod reading;
mod record;
mod start;
mod steps;

use shared_types::AdapterKind;

use crate::{
    Adapter, Capture, Reading, Screen, Sighting,
    codex::Codex,
    corpus::{Case, labels},
    screen::Line,
};

fn cases() -> &'static [Case] {
    crate::corpus::cases(AdapterKind::new("codex"))
}

fn case(name: &str) -> &'static Case {
    crate::corpus::case(AdapterKind::new("codex"), name)
}

fn sighting(name: &str) -> Sighting {
    crate::corpus::sighting(AdapterKind::new("codex"), name)
}

fn read(capture: &Capture) -> Reading {
    Codex.read_screen(&Screen::from_capture(capture))
}

/// A screen drawn by hand. The first character of a row is its look (`b` bold, `d` dim, `s` selected as up to 0.120, `i`
/// selected as in 0.166, `>` a heading, a blank for none), the rest its text; `~` makes what follows dim.
fn drawn(rows: &[&str]) -> Capture {
    let cols = rows.iter().map(|row| row.chars().count()).max().unwrap_or(0).max(80);
    let text = rows.iter().map(|row| {
        let look = match row.chars().next() {
            Some('b') => "\u{1b}[1m",
            Some('d') => "\u{1b}[2m",
            Some('s') => "\u{1b}[1;36m",
            Some('i') => "\u{1b}[1;7m",
            _ => "",
        };
        let text = row.get(1..).unwrap_or_default().replace('~', "\u{1b}[2m");
        let text = if row.starts_with('>') { text.replacen("> ", "> \u{1b}[1m", 1) } else { text };
        format!("{look}{text}\u{1b}[0m")
    });
    Capture {
        text: text.collect::<Vec<_>>().join("\n"),
        cols: u16::try_from(cols).unwrap(),
        rows: u16::try_from(rows.len()).unwrap(),
        ..Capture::default()
    }
}

fn row_of(screen: &Screen, wanted: impl Fn(&Line) -> bool) -> Option<usize> {
    screen.lines.iter().position(wanted)
}
