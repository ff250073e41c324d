//! Tests of the adapter: the captured screens changed on purpose, what is typed, what hooks and the record tell.

mod answers;
mod hooks;
mod launches;
mod reading;

use shared_types::AdapterKind;

use super::Qwen;
use crate::{
    Adapter, Capture, Reading, Screen, Sighting,
    corpus::{Case, labels},
};

fn cases() -> &'static [Case] {
    crate::corpus::cases(AdapterKind::new("qwen"))
}

fn case(name: &str) -> &'static Case {
    crate::corpus::case(AdapterKind::new("qwen"), name)
}

fn sighting(name: &str) -> Sighting {
    crate::corpus::sighting(AdapterKind::new("qwen"), name)
}

fn read(capture: &Capture) -> Reading {
    Qwen.read_screen(&Screen::from_capture(capture))
}
