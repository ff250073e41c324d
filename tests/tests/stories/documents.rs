//! What documents promise: each test that a document names is there.

use std::{fs, path::Path};

#[test]
fn tests_that_the_threat_model_names_are_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let document = fs::read_to_string(root.join("docs/security.md")).expect("docs/security.md");
    let mut sources = String::new();
    for folder in ["adapters", "server", "shared-types", "tests/tests", "tests/web/stories", "web/src"] {
        read_sources(&root.join(folder), &mut sources);
    }
    // Playwright's titles may be broken over lines, and stand for several hosts.
    let sources = sources.split_whitespace().collect::<Vec<_>>().join(" ").replace("${host}", "localhost");
    let in_rust = |name: &str| {
        name.matches('_').count() >= 3 && name.chars().all(|ch| ch == '_' || !ch.is_uppercase() && ch != ' ')
    };
    let in_words = |name: &str| name.split(' ').count() >= 5;
    let names = document.split('`').skip(1).step_by(2);
    let named: Vec<&str> = names.filter(|name| in_rust(name) || in_words(name)).collect();
    assert!(named.len() > 80, "only {} are named: the document is read wrongly", named.len());
    let is_there = |name: &&str| match in_rust(name) {
        true => sources.contains(&format!("fn {name}(")),
        false => sources.contains(*name),
    };
    let missing: Vec<&str> = named.into_iter().filter(|name| !is_there(name)).collect();
    assert_eq!(missing, Vec::<&str>::new());
}

fn read_sources(folder: &Path, into: &mut String) {
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        let name = entry.file_name();
        if path.is_dir() {
            if name != "node_modules" && name != "screens" && name != "target" && name != "dist" {
                read_sources(&path, into);
            }
        } else if path.extension().is_some_and(|kind| kind == "rs" || kind == "ts" || kind == "tsx") {
            into.push_str(&fs::read_to_string(&path).expect("a source"));
        }
    }
}
