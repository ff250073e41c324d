//! `npm run bench`: how long reading one 120x40 screen takes, per adapter, over its captured screens. From the captured text to
//! the reading, as a session does it for every look.

#![expect(
    clippy::expect_used,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a benchmark reads its files and the clock, and prints its figures"
)]

use std::{
    fs,
    path::Path,
    time::{Duration, Instant},
};

use adapters::{Adapter, Capture, Screen, all_adapters, case::CaseMeta, reading::Look};

/// How often each screen is read.
const ROUNDS: usize = 300;

fn main() {
    println!("{:<14} {:>7} {:>12} {:>12} {:>12}", "adapter", "screens", "median", "p99", "slowest case");
    for adapter in all_adapters() {
        let kind = adapter.profile().kind.to_string();
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(&kind).join("screens");
        let captures = captures(&folder);
        let mut all = Vec::new();
        let mut slowest = Duration::ZERO;
        for capture in &captures {
            let mut times = times(capture, adapter);
            times.sort_unstable();
            slowest = slowest.max(times[times.len() / 2]);
            all.extend(times);
        }
        all.sort_unstable();
        if all.is_empty() {
            continue;
        }
        let at = |share: f64| all[((all.len() - 1) as f64 * share) as usize];
        println!("{kind:<14} {:>7} {:>12.1?} {:>12.1?} {slowest:>12.1?}", captures.len(), at(0.5), at(0.99));
    }
}

fn times(capture: &Capture, adapter: &dyn Adapter) -> Vec<Duration> {
    let read = || {
        let begun = Instant::now();
        let screen = Screen::from_capture(capture);
        std::hint::black_box(Look::at(&screen, adapter));
        begun.elapsed()
    };
    (0..ROUNDS).map(|_| read()).collect()
}

/// The captured screens of 120x40 below a folder.
fn captures(folder: &Path) -> Vec<Capture> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let cases = entries.filter_map(Result::ok).map(|entry| entry.path()).filter(|path| path.join("meta.json").exists());
    cases.filter_map(|case| capture(&case)).collect()
}

fn capture(case: &Path) -> Option<Capture> {
    let meta = fs::read(case.join("meta.json")).expect("meta.json");
    let meta: CaseMeta = serde_json::from_slice(&meta).expect("a meta.json that says all it must");
    let text = || String::from_utf8_lossy(&fs::read(case.join("screen.ansi")).expect("screen.ansi")).into_owned();
    ((meta.cols, meta.rows) == (120, 40)).then(|| meta.capture(text()))
}
