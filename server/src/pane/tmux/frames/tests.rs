use proptest::prelude::*;

use super::*;

const BEGIN: &str = "\\033[?2026h";
const END: &str = "\\033[?2026l";

/// What feeding these pieces tells, one after the other.
fn feed(pieces: &[&str]) -> Vec<bool> {
    let mut scanner = FrameScanner::default();
    pieces.iter().map(|piece| scanner.feed(piece.as_bytes())).collect()
}

#[test]
fn the_end_of_a_frame_is_seen() {
    assert_eq!(feed(&[&format!("{BEGIN}some text{END}")]), [true]);
    assert_eq!(feed(&[BEGIN, "some \\033[1mtext", END]), [false, false, true]);
    assert_eq!(feed(&[&format!("{BEGIN}a{END}\\033[?25h")]), [true], "the cursor is shown behind it");
    assert_eq!(feed(&[END]), [true], "we came while it was open");
    assert_eq!(feed(&["\\033[?25;2026l", "\\033[?2026;25l"]), [true, true], "with others");
}

#[test]
fn a_frame_that_goes_on_has_no_end() {
    assert_eq!(feed(&[&format!("{BEGIN}a{END}{BEGIN}b")]), [false], "the next has begun");
    assert_eq!(feed(&[END, "more"]), [true, false], "an end is told once");
}

#[test]
fn what_only_looks_like_it_is_no_end() {
    for text in
        ["\\033[?2026h", "\\033[2026l", "\\033[?20260l", "\\033[?12026l", "[?2026l", "\\134033[?2026l", "\\033[?2026$p"]
    {
        assert_eq!(feed(&[text]), [false], "{text}");
    }
    assert_eq!(feed(&[&format!("\\033[?{}2026l", "9".repeat(1000))]), [false]);
}

proptest! {
    /// tmux writes an escaped byte whole, and splits anywhere else.
    #[test]
    fn an_end_is_seen_however_it_is_split(cuts in prop::collection::vec(any::<bool>(), 8), text in "[ -~]{0,5}") {
        let text = text.replace('\\', "/");
        let mut pieces = vec![format!("{text}\\033")];
        for (letter, cut) in "[?2026l".chars().zip(cuts) {
            if cut {
                pieces.push(String::new());
            }
            pieces.last_mut().expect("a piece").push(letter);
        }
        let pieces: Vec<&str> = pieces.iter().map(String::as_str).collect();
        let told = feed(&pieces);
        prop_assert_eq!(told.iter().position(|ended| *ended), Some(pieces.len() - 1));
    }

    #[test]
    fn any_bytes_are_taken(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = FrameScanner::default().feed(&bytes);
    }
}
