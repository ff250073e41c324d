//! Any bytes at any size: no panic, always the same, and what has scrolled up says nothing.

use proptest::prelude::*;
use shared_types::{AdapterKind, PromptId, PromptResponse};
use uuid::Uuid;

use super::{cases, read};
use crate::{Capture, Reading, Sighting, adapter_for, screen::Cursor};

/// Pieces that Claude's screens are made of, so that random screens come near them.
fn piece() -> impl Strategy<Value = String> {
    prop_oneof![
        "\\PC{0,20}",
        "[a-z ]{0,30}",
        "\u{1b}\\[[0-9;:]{0,9}m",
        Just("\n".to_owned()),
        Just("❯ ".to_owned()),
        "[0-9]{1,4}\\. ",
        Just("[ ] ".to_owned()),
        Just("─".repeat(80)),
        Just("╌".repeat(46)),
        Just("←  ☐ One  ☒ Two  ✔ Submit  →".to_owned()),
        Just("╭──╮".to_owned()),
        Just("│ x │".to_owned()),
        Just("   ┌────┐".to_owned()),
        Just("└──┘".to_owned()),
        Just("● ".to_owned()),
        Just("✻ Working… (esc to interrupt)".to_owned()),
        Just("Enter to select · Esc to cancel".to_owned()),
        Just("\u{1b}[7m \u{1b}[0;2mghost".to_owned()),
    ]
}

fn response() -> impl Strategy<Value = PromptResponse> {
    let value = prop_oneof![Just("Yes".to_owned()), Just("No".to_owned()), "[a-z\\n]{0,9}"];
    (
        proptest::option::of(value.clone()),
        proptest::option::of(value.clone()),
        proptest::option::of(prop::collection::vec(value, 0..3)),
    )
        .prop_map(|(selected_option, text_value, selected_options)| PromptResponse {
            request_id: PromptId(Uuid::nil()),
            selected_option,
            text_value,
            selected_options,
            answers: None,
            remember: None,
            idempotency_key: None,
        })
}

fn move_up(sighting: &mut Sighting, count: usize) {
    sighting.rows = sighting.rows.start - count..sighting.rows.end - count;
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn any_screen_is_read_and_answered_without_panic(
        pieces in prop::collection::vec(piece(), 0..60),
        cols in 1u16..500,
        rows in 1u16..200,
        visible in any::<bool>(),
        alternate in any::<bool>(),
        response in response(),
    ) {
        let cursor = Cursor { x: 0, y: 0, visible };
        let capture = Capture { text: pieces.concat(), cols, rows, cursor, alternate, ..Capture::default() };
        let reading = read(&capture);
        prop_assert_eq!(&reading, &read(&capture));
        if let Some(sighting) = reading.sighting() {
            prop_assert!(sighting.rows.end <= usize::from(rows));
            prop_assert!(sighting.selected.is_none_or(|row| row < sighting.options.len()));
            let _ = adapter_for(AdapterKind::Claude).answer(sighting, &response);
        }
    }

    #[test]
    fn any_cut_of_a_real_screen_is_read_without_panic(
        pick in any::<prop::sample::Index>(),
        cols in 1u16..500,
        rows in 1u16..200,
        from in 0usize..4000,
    ) {
        let cases = cases();
        let case = &cases[pick.index(cases.len())];
        let text: String = case.capture.text.chars().skip(from).collect();
        let capture = Capture { text, cols, rows, ..case.capture.clone() };
        prop_assert_eq!(read(&capture), read(&capture));
    }

    #[test]
    fn what_has_scrolled_up_says_nothing(
        pick in any::<prop::sample::Index>(),
        above in prop::collection::vec("[a-zA-Z0-9 .,;()/]{0,40}", 1..30),
    ) {
        let cases = cases();
        let case = &cases[pick.index(cases.len())];
        let reading = read(&case.capture);
        // What is above a clipped dialog can only be the rest of it.
        let clipped = reading.sighting().is_some_and(|sighting| sighting.rows.start == 0);
        let understood = !matches!(reading, Reading::Unrecognized | Reading::Starting { .. });
        prop_assume!(understood && !clipped);
        let text = format!("{}\n{}", above.join("\n"), case.capture.text);
        let rows = case.capture.rows + u16::try_from(above.len()).unwrap();
        let mut more = read(&Capture { text, rows, ..case.capture.clone() });
        match &mut more {
            Reading::Prompt(sighting) => move_up(sighting, above.len()),
            Reading::Startup(dialog) => move_up(&mut dialog.sighting, above.len()),
            _ => {}
        }
        prop_assert_eq!(more, reading, "{}", case.name);
    }
}
