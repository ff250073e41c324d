//! The pure core stays pure: nothing in its dependencies can touch the world.

use std::{path::Path, process::Command};

#[test]
fn adapters_depend_on_nothing_that_does_io() {
    depends_on_nothing_that_does_io("adapters", "unicode-width");
}

#[test]
fn rules_depend_on_nothing_that_does_io() {
    depends_on_nothing_that_does_io("answerback-rules", "rable");
}

/// `expected` is one of its dependencies, to be sure that they were listed.
fn depends_on_nothing_that_does_io(package: &str, expected: &str) {
    let output = Command::new(env!("CARGO"))
        .args(["tree", "--locked", "--offline", "--package", package, "--edges", "normal", "--prefix", "none"])
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(".."))
        .output()
        .expect("run cargo tree");
    let tree = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success() && tree.contains(expected), "{output:?}");
    let crates: Vec<&str> = tree.lines().filter_map(|line| line.split(' ').next()).collect();
    let worldly = [
        "tokio",
        "mio",
        "tmux_interface",
        "notify",
        "rusqlite",
        "axum",
        "hyper",
        "rustix",
        "nix",
        "getrandom",
        "time",
        "chrono",
    ];
    for name in worldly {
        assert!(!crates.contains(&name), "{package} must not depend on {name}:\n{tree}");
    }
}

#[test]
fn its_lint_forbids_files_processes_and_clocks() {
    for package in ["adapters", "server/rules"] {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(package).join("clippy.toml");
        let clippy = std::fs::read_to_string(file).expect("clippy.toml");
        for path in [
            "std::time::Instant::now",
            "std::time::SystemTime::now",
            "std::fs::read",
            "std::fs::File",
            "std::process::Command",
        ] {
            assert!(clippy.contains(&format!("\"{path}\"")), "{path} is not forbidden in {package}");
        }
    }
}
