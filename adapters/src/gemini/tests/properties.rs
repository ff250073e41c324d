//! Reading never fails, always says the same, and rests on the live part of the screen alone.

use proptest::prelude::*;

use super::{cases, read};
use crate::{Capture, Reading};

/// A reading without the place it was read from.
fn placeless(mut reading: Reading) -> Reading {
    match &mut reading {
        Reading::Prompt(sighting) => sighting.rows = 0..0,
        Reading::Startup(dialog) => dialog.sighting.rows = 0..0,
        _ => {}
    }
    reading
}

/// Pieces of real dialogs in any order: nearer to the reader's rules than random letters.
fn pieces() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("╭────╮\n"),
        Just("╰────╯\n"),
        Just("│ "),
        Just(" │\n"),
        Just("● 1. Yes"),
        Just("  2. No (esc)"),
        Just("?  Shell ls"),
        Just(" ←"),
        Just("> "),
        Just("────────\n"),
        Just("▲"),
        Just("▼"),
        Just("[ ] "),
        Just("[x] "),
        Just("← □ One │ ≡ Review →"),
        Just("\u{1b}[7m \u{1b}[0m"),
        Just("\u{1b}[1mbold\u{1b}[0m"),
        Just("·"),
        Just("\n"),
        Just("... 3 hidden ..."),
        Just("12 + x"),
        Just("日本"),
        Just("e\u{301}"),
        Just("⠏ Working (esc to cancel, 3s)"),
        Just("1 of 2"),
        Just("  "),
        Just("✦ "),
        Just("Header → answer"),
    ];
    prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn any_text_of_any_size_is_read(
        text in prop_oneof![pieces(), "\\PC{0,400}", "[\\x00-\\x7f\\n]{0,400}", "(\u{1b}\\[[0-9;:]{0,6}m|.|\n){0,200}"],
        cols in 1u16..=500,
        rows in 1u16..=200,
        title in "(✋|✦|◇)?.{0,8}",
    ) {
        let capture = Capture { text, cols, rows, title, ..Capture::default() };
        prop_assert_eq!(read(&capture), read(&capture));
    }

    #[test]
    fn what_scrolled_by_above_is_no_matter(above in prop::collection::vec("[a-z ,.]{0,40}", 1..8), index in 0usize..255) {
        let cases = CASES.with(Clone::clone);
        let capture = &cases[index % cases.len()];
        let count = u16::try_from(above.len()).unwrap();
        let text = format!("{}\n{}", above.join("\n"), capture.text);
        let longer = Capture { text, rows: capture.rows + count, ..capture.clone() };
        prop_assert_eq!(placeless(read(capture)), placeless(read(&longer)));
    }

    #[test]
    fn a_screen_cut_anywhere_is_read(index in 0usize..255, rows in 1u16..40, cols in 1u16..120) {
        let cases = CASES.with(Clone::clone);
        let capture = &cases[index % cases.len()];
        read(&Capture { rows, cols, ..capture.clone() });
    }
}

thread_local! {
    static CASES: std::rc::Rc<Vec<Capture>> =
        std::rc::Rc::new(cases().iter().map(|case| case.capture.clone()).collect());
}
