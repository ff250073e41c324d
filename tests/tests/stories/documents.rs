//! What documents promise: each Rust test that they name is there.

use std::{fs, path::Path};

#[test]
fn tests_that_the_threat_model_names_are_there() {
    assert_named_tests_are_there("docs/security.md", 80);
}

#[test]
fn tests_that_the_promises_of_reliability_name_are_there() {
    assert_named_tests_are_there("docs/reliability.md", 90);
}

fn assert_named_tests_are_there(document: &str, at_least: usize) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let text = fs::read_to_string(root.join(document)).expect(document);
    // Fenced blocks are commands and logs.
    let text = text.split("```").step_by(2).collect::<String>();
    let mut sources = String::new();
    for folder in ["adapters", "server", "shared-types", "tests/tests"] {
        read_sources(&root.join(folder), &mut sources);
    }
    let is_a_test = |name: &&str| {
        name.matches('_').count() >= 3
            && name.chars().all(|ch| ch == '_' || ch.is_ascii_lowercase() || ch.is_ascii_digit())
    };
    let named: Vec<&str> = text.split('`').skip(1).step_by(2).filter(is_a_test).collect();
    assert!(named.len() >= at_least, "only {} are named: the document is read wrongly", named.len());
    let missing: Vec<&str> = named.into_iter().filter(|name| !sources.contains(&format!("fn {name}("))).collect();
    assert_eq!(missing, Vec::<&str>::new());
}

fn read_sources(folder: &Path, into: &mut String) {
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            // Captured screens are many, and no sources.
            if entry.file_name() != "screens" {
                read_sources(&path, into);
            }
        } else if path.extension().is_some_and(|kind| kind == "rs") {
            into.push_str(&fs::read_to_string(&path).expect("a source"));
        }
    }
}
