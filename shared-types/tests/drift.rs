//! The committed TypeScript is what the Rust types generate, file by file.

#![expect(clippy::expect_used, clippy::panic, reason = "a test that cannot read its files has failed")]

use std::{collections::BTreeMap, fs, path::Path};

fn files(folder: &Path) -> BTreeMap<String, String> {
    fs::read_dir(folder)
        .unwrap_or_else(|error| panic!("reading {}: {error}", folder.display()))
        .map(|entry| {
            let path = entry.expect("folder entry").path();
            let name = path.file_name().expect("name").to_string_lossy().into_owned();
            (name, fs::read_to_string(&path).expect("readable file"))
        })
        .collect()
}

#[test]
fn committed_typescript_is_current() {
    let fresh = tempfile::tempdir().expect("temporary folder");
    shared_types::write_typescript(fresh.path()).expect("generate");
    let committed = Path::new(env!("CARGO_MANIFEST_DIR")).join("../web/src/wire");
    assert_eq!(files(&committed), files(fresh.path()), "the wire changed: run `npm run wire` and commit web/src/wire");
}
