//! `cargo bench -p answerback-rules`: how long one judgement takes, over the corpus and over commands of 4 KB. The aim is below 1 ms at
//! the 99th percentile for 4 KB.

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

use answerback_rules::{Request, RuleSet, State, cases::Case, judge, rules::PRESETS};

/// How often each command is judged.
const ROUNDS: usize = 200;
/// How long the long ones are, in bytes.
const LONG: usize = 4096;

fn main() {
    println!("{:<28} {:>8} {:>12} {:>12} {:>12}", "commands", "count", "median", "p99", "slowest");
    let mut rules = RuleSet::default();
    for preset in PRESETS {
        rules.rules.extend(preset.rules().rules);
    }
    let corpus = corpus();
    let short: Vec<String> = corpus.iter().filter(|command| command.len() < 1000).cloned().collect();
    report("corpus", &short, &rules, 5);
    let joined: Vec<String> = short.windows(120).step_by(97).map(|lines| cut(&lines.join("\n"))).collect();
    report("4 KB of many commands", &joined, &rules, ROUNDS);
    report("4 KB in one message", &[format!("git commit -m \"{}\"", "word ".repeat(LONG / 5))], &rules, ROUNDS);
    report(
        "4 KB in a here-document",
        &[format!("cat <<'EOF'\n{}\nEOF", "a line of text\n".repeat(LONG / 15))],
        &rules,
        ROUNDS,
    );
    report("4 KB of pipes", &[cut(&"grep a b | ".repeat(LONG / 11))], &rules, ROUNDS);
    report("4 KB of words", &[cut(&format!("git add {}", "src/file.rs ".repeat(LONG / 12)))], &rules, ROUNDS);
    report("4 KB of substitutions", &[cut(&"echo \"$(ls)\" ".repeat(LONG / 13))], &rules, ROUNDS);
    report(
        "4 KB of brackets",
        &["(".repeat(LONG), "$(".repeat(LONG / 2), "`".repeat(LONG), "${x:-".repeat(LONG / 5)],
        &rules,
        ROUNDS,
    );
    report("4 KB of arithmetic", &["$((".repeat(LONG / 3), "echo $((1".repeat(LONG / 9)], &rules, ROUNDS);
}

fn report(name: &str, commands: &[String], rules: &RuleSet, rounds: usize) {
    let mut times: Vec<Duration> = Vec::new();
    for command in commands {
        let request = Request::command(command, "/srv/proj");
        for _ in 0..rounds {
            let begun = Instant::now();
            std::hint::black_box(judge(&request, rules, &State::default(), 0));
            times.push(begun.elapsed());
        }
    }
    times.sort_unstable();
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
    println!("{name:<28} {:>8} {:>12.1?} {:>12.1?} {:>12.1?}", commands.len(), at(0.5), at(0.99), at(1.0));
}

fn cut(text: &str) -> String {
    let mut end = LONG.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text[..end].to_owned()
}

fn corpus() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    let mut commands = Vec::new();
    for entry in fs::read_dir(folder).expect("corpus") {
        let path = entry.expect("entry").path();
        if path.extension().is_some_and(|end| end == "jsonl") {
            for line in fs::read_to_string(&path).expect("cases").lines() {
                let case: Case = serde_json::from_str(line).expect("a case");
                commands.extend(case.input["command"].as_str().map(str::to_owned));
            }
        }
    }
    commands
}
