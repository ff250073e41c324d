//! The pure core stays pure: nothing in its dependencies can touch the world.

use std::{path::Path, process::Command};

#[test]
fn adapters_depend_on_nothing_that_does_io() {
    let output = Command::new(env!("CARGO"))
        .args(["tree", "--locked", "--offline", "--package", "adapters", "--edges", "normal", "--prefix", "none"])
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(".."))
        .output()
        .expect("run cargo tree");
    let tree = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success() && tree.contains("unicode-width"), "{output:?}");
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
        assert!(!crates.contains(&name), "adapters must not depend on {name}:\n{tree}");
    }
}

#[test]
fn its_lint_forbids_files_processes_and_clocks() {
    let clippy = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../adapters/clippy.toml"));
    let clippy = clippy.expect("adapters/clippy.toml");
    for path in [
        "std::time::Instant::now",
        "std::time::SystemTime::now",
        "std::fs::read",
        "std::fs::File",
        "std::process::Command",
    ] {
        assert!(clippy.contains(&format!("\"{path}\"")), "{path} is not forbidden");
    }
}
