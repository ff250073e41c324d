//! `npm run test:faults -- --rounds N --seed S [--first R] [--verbose]`: the fault campaign. A violation names its round, and
//! `--first R --rounds 1` with the same seed plays it again.

#![expect(clippy::print_stdout, reason = "this is a program for people")]

use std::{env, process::ExitCode};

use answerback_tests::faults::{Campaign, program};

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    if let [mode, name, rest @ ..] = &arguments[..]
        && mode == "program"
    {
        program::run(name, rest);
        return ExitCode::SUCCESS;
    }
    let number = |flag: &str, default: u64| {
        let at = arguments.iter().position(|argument| argument == flag);
        at.and_then(|at| arguments.get(at + 1)).and_then(|value| value.parse().ok()).unwrap_or(default)
    };
    let campaign = Campaign { seed: number("--seed", 1), first: number("--first", 0), rounds: number("--rounds", 200) };
    let verbose = arguments.iter().any(|argument| argument == "--verbose");
    println!("seed {}, rounds {} to {}", campaign.seed, campaign.first, campaign.first + campaign.rounds);
    let Ok(runtime) = tokio::runtime::Runtime::new() else { return ExitCode::FAILURE };
    let tally = runtime.block_on(campaign.run(move |plan, took, violation| {
        if verbose || violation.is_some() {
            println!("{:.1} s {plan:?} {}", took.as_secs_f64(), violation.unwrap_or_default());
        } else if plan.round % 50 == 0 {
            println!("round {}", plan.round);
        }
    }));
    for violation in &tally.violations {
        println!("VIOLATION in {violation}");
        println!("  again: npm run test:faults -- --seed {} --first ROUND --rounds 1", campaign.seed);
    }
    println!("{}", tally.table());
    if tally.violations.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
