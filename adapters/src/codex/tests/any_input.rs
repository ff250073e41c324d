//! Any input at all: no panic, the same reading every time, and what lies above does not matter.

use proptest::prelude::*;

use super::{cases, read};
use crate::{Capture, Reading, Sighting, screen::Cursor};

/// Rows made of what Codex draws, in any order.
fn rows() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        Just("› ".to_owned()),
        Just("> ".to_owned()),
        Just("  ".to_owned()),
        Just("• ".to_owned()),
        Just("1. ".to_owned()),
        Just("2. Yes (y)".to_owned()),
        Just("$ cmd".to_owned()),
        Just("Reason: x".to_owned()),
        Just("Question 1/2".to_owned()),
        Just("main.py (+1 -2)".to_owned()),
        Just("    7 +x".to_owned()),
        Just("╭key─╮".to_owned()),
        Just("╰──╯".to_owned()),
        Just("(3s • esc".to_owned()),
        Just("[… 9 lines]".to_owned()),
        Just(">_ Codex loading".to_owned()),
        Just("日本\u{301}".to_owned()),
        Just("\n".to_owned()),
        "\u{1b}\\[[0-9;]{0,6}m",
        "\\PC{0,6}",
        "[\\x00-\\x7f]{0,6}",
    ];
    proptest::collection::vec(part, 0..120).prop_map(|parts| parts.concat())
}

fn captures() -> impl Strategy<Value = Capture> {
    (rows(), 1u16..=500, 1u16..=200, 0u16..500, 0u16..200, any::<bool>(), "⠙?[a-z |]{0,8}").prop_map(
        |(text, cols, rows, x, y, visible, title)| Capture {
            text,
            cols,
            rows,
            cursor: Cursor { x, y, visible },
            title,
            ..Capture::default()
        },
    )
}

proptest! {
    #[test]
    fn any_screen_is_read_without_panic_and_alike_every_time(capture in captures()) {
        prop_assert_eq!(read(&capture), read(&capture));
    }

    #[test]
    fn any_bytes_are_read(bytes in proptest::collection::vec(any::<u8>(), 0..400), rows in 1u16..60) {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        read(&Capture { text, cols: 80, rows, ..Capture::default() });
    }
}

/// Cuts a real screen to any size, as a terminal that was made smaller in that very moment would show it.
#[test]
fn a_screen_of_any_other_size_is_read_without_panic() {
    for case in cases() {
        for (cols, rows) in [(1, 1), (2, 3), (20, 8), (46, 12), (500, 200)] {
            read(&Capture { cols, rows, ..case.capture.clone() });
        }
    }
}

/// The reading without the rows it was found in, which move with what is above.
fn placeless(reading: Reading) -> Reading {
    let place = |sighting: Sighting| Sighting { rows: 0..0, ..sighting };
    match reading {
        Reading::Prompt(sighting) => Reading::Prompt(place(sighting)),
        Reading::Startup(dialog) => {
            let sighting = place(dialog.sighting);
            Reading::Startup(crate::StartupDialog { sighting, ..dialog })
        }
        reading => reading,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]
    #[test]
    fn what_is_prepended_above_does_not_matter(above in proptest::collection::vec("[ -~•›│✔]{0,60}", 0..12)) {
        for case in cases() {
            let count = u16::try_from(above.len()).unwrap();
            let mut capture = case.capture.clone();
            let lines: Vec<&str> = above.iter().map(String::as_str).chain([capture.text.as_str()]).collect();
            capture.text = lines.join("\n");
            capture.rows += count;
            capture.cursor.y += count;
            prop_assert_eq!(placeless(read(&capture)), placeless(read(&case.capture)), "{}", case.name);
        }
    }
}
