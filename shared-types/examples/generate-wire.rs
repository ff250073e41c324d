//! `npm run wire`: brings `web/src/wire` up to date with the Rust types.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../web/src/wire");
    Ok(shared_types::write_typescript(&folder)?)
}
