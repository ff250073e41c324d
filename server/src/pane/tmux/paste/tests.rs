use proptest::prelude::*;

use super::*;

fn after(pieces: &[&str]) -> PasteMode {
    let mut watch = PasteWatch::default();
    for piece in pieces {
        watch.feed(piece.as_bytes());
    }
    watch.mode()
}

#[test]
fn codes_are_found() {
    for (pieces, expected) in [
        (&["hello"][..], PasteMode::Unknown),
        (&[r"\033[?2004h"], PasteMode::On),
        (&[r"x\033[?2004h\033[?2004l"], PasteMode::Off),
        (&[r"\033[?2004h", r"\033c"], PasteMode::Off),
        (&[r"\033[?1004;2004;25h"], PasteMode::On),
        (&[r"\033[?20", "04", "h"], PasteMode::On),
        (&[r"a\033", "[?2004h"], PasteMode::On),
        (&[r"\134\033[?2004h"], PasteMode::On),
        (&[r"\134033[?2004h"], PasteMode::Unknown),
        (&[r"\033[?12004h\033[2004h\033[?20040h\033[?99999999992004h"], PasteMode::Unknown),
    ] {
        assert_eq!(after(pieces), expected, "{pieces:?}");
    }
}

#[test]
fn a_pane_watched_from_its_start_is_known() {
    let mut watch = PasteWatch::default();
    watch.watched_from_start();
    assert_eq!(watch.mode(), PasteMode::Off);
    watch.feed(br"\033[?2004h");
    watch.watched_from_start();
    assert_eq!(watch.mode(), PasteMode::On);
}

proptest! {
    #[test]
    fn pieces_do_not_matter(
        parts in prop::collection::vec(prop_oneof![
            "[ -~&&[^\\\\]]{0,12}",
            Just(r"\033[?2004h".to_owned()), Just(r"\033[?2004l".to_owned()), Just(r"\033".to_owned()),
            Just(r"\033[".to_owned()), Just("?2004".to_owned()), Just(r"\033c".to_owned()),
        ], 0..12)
    ) {
        let pieces: Vec<&str> = parts.iter().map(String::as_str).collect();
        let whole = pieces.concat();
        prop_assert_eq!(after(&pieces), after(&[&whole]));
    }
}
