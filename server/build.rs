//! Rebuilds the binary when the page it carries was built anew.

fn main() {
    println!("cargo::rerun-if-changed=../web/dist");
}
