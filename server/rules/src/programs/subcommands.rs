//! Subcommands that start whatever they are given: a general rule for the program does not cover them.

use super::{files::sharp, says};
use crate::{
    judgement::Floor,
    walk::{Arg, Walk},
};

/// What cargo brings along, and what is as well known; others are programs of their own.
const CARGO: &[&str] = &[
    "add",
    "audit",
    "b",
    "bench",
    "build",
    "c",
    "check",
    "clean",
    "clippy",
    "d",
    "deny",
    "doc",
    "expand",
    "fetch",
    "fix",
    "fmt",
    "generate-lockfile",
    "hack",
    "help",
    "info",
    "init",
    "insta",
    "install",
    "llvm-cov",
    "locate-project",
    "login",
    "logout",
    "machete",
    "metadata",
    "miri",
    "mutants",
    "new",
    "nextest",
    "outdated",
    "owner",
    "package",
    "pkgid",
    "publish",
    "r",
    "read-manifest",
    "remove",
    "report",
    "rm",
    "run",
    "rustc",
    "rustdoc",
    "search",
    "semver-checks",
    "t",
    "tarpaulin",
    "test",
    "tree",
    "udeps",
    "uninstall",
    "update",
    "vendor",
    "verify-project",
    "version",
    "yank",
];

/// Programs with subcommands that start others.
const STARTERS: &[&str] = &[
    "adb",
    "bundle",
    "cabal",
    "composer",
    "conda",
    "dotnet",
    "dune",
    "fly",
    "flyctl",
    "flask",
    "gcloud",
    "gem",
    "gh",
    "hatch",
    "heroku",
    "lerna",
    "mix",
    "mkdocs",
    "mvn",
    "nx",
    "opam",
    "pipenv",
    "poetry",
    "rails",
    "rake",
    "sbt",
    "stack",
    "tox",
    "uv",
    "vagrant",
    "yarn",
    "pnpm",
    "terraform",
    "tofu",
];
const STARTING: &[&str] = &[
    "cmd",
    "codespace",
    "console",
    "cs",
    "dbconsole",
    "do",
    "eval",
    "exec",
    "exec:exec",
    "exec:java",
    "fsi",
    "repl",
    "runner",
    "script",
    "self",
    "shell",
    "ssh",
    "tool",
    "x",
];

pub(super) fn inspect(walk: &mut Walk, at: usize, name: &str, args: &[Arg]) {
    if name == "cargo" {
        cargo(walk, at, args);
    }
    if STARTERS.contains(&name) {
        // The first word may be the value of an option before it.
        let operands = args.iter().filter(|arg| !arg.is_option());
        let first_is_option = args.first().is_some_and(Arg::is_option);
        let words = operands.take(if first_is_option { 2 } else { 1 });
        if let Some(word) = words.map(Arg::text).find(|word| STARTING.contains(word)) {
            sharp(walk, at, "starts whatever it is given", &[word]);
        }
    }
    let settings = matches!(name, "bundle" | "poetry" | "composer" | "yarn" | "hatch" | "pipenv")
        && args
            .iter()
            .find(|arg| !arg.is_option())
            .is_some_and(|arg| matches!(arg.text(), "config" | "plugin" | "global"))
        && args.iter().filter(|arg| !arg.is_option()).count() > 1;
    if settings {
        walk.floor(Floor::Settings, format!("changes settings of {name}"));
    }
    if name == "mvn"
        && let Some(goal) = args.iter().map(Arg::text).find(|word| !word.starts_with('-') && word.contains(':'))
    {
        sharp(walk, at, "runs a plugin", &[goal]);
    }
}

fn cargo(walk: &mut Walk, at: usize, args: &[Arg]) {
    let toolchain = |text: &str| {
        let name = text.split('-').next().unwrap_or(text);
        matches!(name, "stable" | "beta" | "nightly") || name.starts_with(|first: char| first.is_ascii_digit())
    };
    let mut words = args.iter().filter(|arg| !arg.is_option()).map(Arg::text);
    let mut first = words.next().unwrap_or_default();
    if let Some(name) = first.strip_prefix('+') {
        if !toolchain(name) || name.contains('/') {
            sharp(walk, at, "takes its programs from elsewhere", &[first]);
        }
        first = words.next().unwrap_or_default();
    }
    if !first.is_empty() && !CARGO.contains(&first) && args.iter().all(|arg| !arg.is("--list")) {
        sharp(walk, at, "is a program of its own", &[first]);
    }
    if matches!(first, "install" | "uninstall" | "login" | "logout") {
        sharp(walk, at, "changes more than this folder", &[first]);
    }
    let shell = |arg: &Arg| matches!(arg.text(), "-s" | "--shell") || arg.text().starts_with("--shell=");
    if first == "watch" && (args.iter().any(shell) || says(args, &["--"])) {
        walk.floor(Floor::RunsProgram, "cargo watch runs another program");
    }
    if matches!(first, "rustc" | "rustdoc") {
        let after = args.iter().skip_while(|arg| !arg.is("--"));
        if after.map(Arg::text).any(|text| {
            ["-C", "-Z", "--codegen", "-o", "--out-dir", "--emit", "@"].iter().any(|start| text.starts_with(start))
        }) {
            walk.floor(Floor::RunsProgram, "cargo rustc can run another program as linker");
        }
    }
}
