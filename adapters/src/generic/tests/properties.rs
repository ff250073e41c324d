//! What holds for any screen.

use proptest::prelude::*;
use shared_types::AdapterKind;

use crate::{
    Adapter, Capture, Reading, Screen,
    corpus::cases,
    generic::Generic,
    screen::{Cursor, Line, TtyMode},
};

/// Any bytes, and pieces of what the patterns look for.
fn any_text() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "Continue? [y/N] ",
        "(yes/no/[",
        "❯ ",
        "  2) b",
        "1) a",
        "[ ] x",
        "(•) y",
        "◉ z",
        "> ",
        "3/3 ──",
        "┌──┐",
        "│",
        "└──┘",
        "<Yes>",
        "Password: ",
        "--More--",
        "(END)",
        "\u{1b}[7m",
        "\u{1b}[0m",
        "\n",
        "\n",
        "\n",
        " ",
        "? ",
        ": ",
        "#? ",
        "日本",
        "e\u{301}",
        "[A]bort, [R]etry",
        "press any key",
        "[y,n,/,?]",
        "()",
        "[]",
        "default",
        "me@box:~$ ",
    ]);
    prop_oneof![
        any::<Vec<u8>>().prop_map(|bytes| String::from_utf8_lossy(&bytes).into_owned()),
        "\\PC*",
        prop::collection::vec(pieces, 0..60).prop_map(|pieces| pieces.concat()),
    ]
}

fn any_tty() -> impl Strategy<Value = Option<TtyMode>> {
    prop::option::of((any::<bool>(), any::<bool>()).prop_map(|(echo, canonical)| TtyMode { echo, canonical }))
}

prop_compose! {
    fn any_capture()(
        text in any_text(), cols in 1u16..500, rows in 1u16..200, x in 0u16..510, y in 0u16..210,
        at_end in any::<bool>(), visible in any::<bool>(), alternate in any::<bool>(), tty in any_tty(),
    ) -> Capture {
        // Half of the cursors stand where the text ends, as they do in programs that ask.
        let last = text.rsplit('\n').next().unwrap_or_default().chars().count();
        let end = (u16::try_from(last.min(500)).unwrap(), u16::try_from(text.matches('\n').count().min(200)).unwrap());
        let (x, y) = if at_end { end } else { (x, y) };
        Capture { text, cols, rows, cursor: Cursor { x, y, visible }, title: String::new(), alternate, tty, exit: None }
    }
}

proptest! {
    #[test]
    fn any_screen_is_read_without_a_panic_and_always_alike(capture in any_capture()) {
        let screen = Screen::from_capture(&capture);
        let reading = Generic.read_screen(&screen);
        prop_assert_eq!(&reading, &Generic.read_screen(&screen));
        if let Some(sighting) = reading.sighting() {
            prop_assert!(sighting.rows.end <= screen.lines.len());
            prop_assert!(!sighting.title.is_empty());
            prop_assert!(sighting.selected.is_none_or(|selected| selected < sighting.options.len()));
            prop_assert_eq!(sighting.source, shared_types::PromptSource::Pattern);
            prop_assert!(sighting.confidence < shared_types::Confidence::Certain);
        }
    }

}

proptest! {
    // Each case walks the whole corpus.
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn what_scrolls_by_above_changes_nothing(above in prop::collection::vec("\\PC{0,60}", 1..12)) {
        // A full-screen program does not scroll, and an empty screen has no last line to tell.
        let scrolls = |screen: &Screen| !screen.alternate && screen.last_row().is_some();
        for case in cases(AdapterKind::Generic).iter().filter(|case| scrolls(&case.screen())) {
            let before = Generic.read_screen(&case.screen());
            let (scrolled, shift) = scroll(&case.screen(), &above);
            let after = Generic.read_screen(&scrolled);
            prop_assert_eq!(lowered(before, shift), after, "{} below {:?}", case.name, &above);
        }
    }
}

/// The screen with rows above it and two blank ones between, pushed down as far as there is room and no farther.
fn scroll(screen: &Screen, above: &[String]) -> (Screen, usize) {
    let height = screen.lines.len();
    let used = screen.last_row().map_or(0, |row| row + 1).max(usize::from(screen.cursor.y) + 1);
    let shift = (above.len() + 2).min(height - used);
    let mut scrolled = screen.clone();
    let mut top: Vec<Line> = Screen::from_capture(&Capture {
        text: above.join("\n"),
        cols: screen.cols,
        rows: u16::try_from(above.len() + 2).unwrap(),
        ..Capture::default()
    })
    .lines;
    top.drain(..top.len() - shift);
    scrolled.lines.splice(0..0, top);
    scrolled.lines.truncate(height);
    scrolled.cursor.y += u16::try_from(shift).unwrap();
    (scrolled, shift)
}

fn lowered(mut reading: Reading, shift: usize) -> Reading {
    if let Reading::Prompt(sighting) = &mut reading {
        sighting.rows.start += shift;
        sighting.rows.end += shift;
    }
    reading
}
