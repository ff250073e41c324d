//! What documents promise: each Rust test that the threat model names is there.

use std::{fs, path::Path};

#[test]
fn tests_that_the_threat_model_names_are_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let document = fs::read_to_string(root.join("docs/security.md")).expect("docs/security.md");
    let mut sources = String::new();
    for folder in ["adapters", "server", "shared-types", "tests/tests"] {
        read_sources(&root.join(folder), &mut sources);
    }
    let is_a_test = |name: &&str| {
        name.matches('_').count() >= 3
            && name.chars().all(|ch| ch == '_' || ch.is_ascii_lowercase() || ch.is_ascii_digit())
    };
    let named: Vec<&str> = document.split('`').skip(1).step_by(2).filter(is_a_test).collect();
    assert!(named.len() > 80, "only {} are named: the document is read wrongly", named.len());
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
