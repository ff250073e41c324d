//! Tests of the Copilot CLI adapter: what captured screens say, how they are answered, how a session is started, and what the CLI's
//! own record adds.

mod launching;
mod reading;
mod record;
mod steps;

use shared_types::AdapterKind;

use crate::{
    Sighting,
    corpus::{Case, labels},
};

fn cases() -> &'static [Case] {
    crate::corpus::cases(AdapterKind::new("copilot"))
}

fn case(name: &str) -> &'static Case {
    crate::corpus::case(AdapterKind::new("copilot"), name)
}

fn sighting(name: &str) -> Sighting {
    crate::corpus::sighting(AdapterKind::new("copilot"), name)
}
