//! Many measured moments as a few figures.

use std::{
    fs,
    time::{SystemTime, UNIX_EPOCH},
};

/// Nanoseconds of the clock that every process of this machine shares.
pub(crate) fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).expect("a clock after 1970");
    u64::try_from(since.as_nanos()).expect("a date before 2554")
}

/// Milliseconds from one moment to another; nothing when the clocks of two cores disagree by a hair.
pub(crate) fn between(from: u64, to: u64) -> f64 {
    to.saturating_sub(from) as f64 / 1e6
}

/// Measured times in milliseconds.
#[derive(Default)]
pub(crate) struct Times(Vec<f64>);

impl Times {
    pub(crate) fn add(&mut self, milliseconds: f64) {
        self.0.push(milliseconds);
    }

    pub(crate) fn join(&mut self, other: &Self) {
        self.0.extend(&other.0);
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// The value below which this share of them lies.
    pub(crate) fn at(&self, share: f64) -> f64 {
        let mut sorted = self.0.clone();
        sorted.sort_by(f64::total_cmp);
        sorted.get(((sorted.len().max(1) - 1) as f64 * share).round() as usize).copied().unwrap_or(f64::NAN)
    }

    /// `p50 | p99` of a Markdown table.
    pub(crate) fn cells(&self) -> String {
        format!("{:.1} ms | {:.1} ms", self.at(0.5), self.at(0.99))
    }
}

/// What machine this is, as far as it matters for the figures.
pub(crate) fn machine() -> String {
    let cpu = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpu.lines().find_map(|line| line.strip_prefix("model name")).unwrap_or("processor unknown");
    let cores = std::thread::available_parallelism().map_or(0, std::num::NonZero::get);
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load = load.split(' ').next().unwrap_or_default();
    format!("{}, {cores} cores, load {load} at the beginning", model.trim_start_matches(['\t', ' ', ':']))
}
