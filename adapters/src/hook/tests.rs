//! Diffs of changes against files.

use super::{Edit, EditStep, diff};

fn replace(old: &str, new: &str, all: bool) -> EditStep {
    EditStep::Replace { old: old.to_owned(), new: new.to_owned(), all }
}

#[test]
fn a_change_is_a_diff_against_the_file() {
    let file = "one\ntwo\nthree\nfour\nfive\nsix\nseven\ntwo\n";
    for (steps, file, expected) in [
        (vec![replace("two\n", "2\n", false)], Some(file), "@@ -1,5 +1,5 @@\n one\n-two\n+2\n three\n four\n five\n"),
        (vec![replace("two\n", "2\n", true)], Some("two\ntwo\n"), "@@ -1,2 +1,2 @@\n-two\n-two\n+2\n+2\n"),
        (vec![EditStep::Write("a\nb\n".to_owned())], None, "@@ -0,0 +1,2 @@\n+a\n+b\n"),
        (vec![EditStep::Write("a\nb\n".to_owned())], Some("a\n"), "@@ -1 +1,2 @@\n a\n+b\n"),
        (vec![replace("a\n", "b\n", false), replace("b\n", "c\n", false)], Some("a\n"), "@@ -1 +1 @@\n-a\n+c\n"),
        // The file is not as it should be: the pieces alone.
        (vec![replace("eight\n", "8\n", false)], Some(file), "@@ -1 +1 @@\n-eight\n+8\n"),
        (vec![replace("eight\n", "8\n", false)], None, "@@ -1 +1 @@\n-eight\n+8\n"),
    ] {
        let edit = Edit { path: "/p/f".into(), steps };
        let told = diff(&edit, file);
        assert_eq!((told.path.as_str(), told.unified.as_str()), ("/p/f", expected));
    }
}
