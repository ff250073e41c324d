//! `npm run bench:e2e`: how long a prompt takes to a phone and an answer back, and what the server costs while it waits.
//!
//! The release binary, real tmux, real sockets. In the panes runs this very program (see [`player`]), which draws captured
//! screens of the real CLIs and notes the moment of each last byte and each first key; so the CLIs' own time is not in the
//! figures. The poller that they are compared with looks at the same panes in the same run.
//!
//! `-- --rounds 200` asks oftener; `-- load --minutes 10` is the long run with many sessions and phones.

#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a benchmark prints, and stops when it cannot go on"
)]

mod costs;
mod figures;
mod hook;
mod load;
mod player;
mod poller;
mod screen;
mod stage;

use std::env;

fn main() {
    let args: Vec<String> = env::args().skip(1).filter(|arg| arg != "--bench").collect();
    let number = |flag: &str, usual: usize| {
        let given = args.iter().position(|arg| arg == flag).and_then(|at| args.get(at + 1));
        given.map_or(usual, |text| text.parse().unwrap_or_else(|_| panic!("{flag} wants a number, not {text:?}")))
    };
    match args.first().map(String::as_str) {
        Some("play") => player::play(&args[1], &args[2]),
        Some("load") => run(load::run(number("--minutes", 10), number("--sessions", 50), number("--phones", 200))),
        _ => run(measure(number("--rounds", 50))),
    }
}

fn run(work: impl Future<Output = ()>) {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    runtime.expect("a runtime").block_on(work);
}

async fn measure(rounds: usize) {
    println!("{}\n", figures::machine());
    screen::measure(rounds).await;
    hook::measure(rounds).await;
    costs::measure().await;
}
