//! What holds for any screen, read by any adapter: no panic, always the same reading, and what has scrolled up says nothing.

use proptest::prelude::*;
use shared_types::{Confidence, PromptResponse, PromptSource};

use super::{Case, all_cases};
use crate::{
    Capture, Reading, Screen, Sighting, adapter_for, all_adapters,
    answer::responses::{check, choose, fill_in, nothing, say, with_text},
    claude, gemini, generic,
    reading::Look,
    screen::{Cursor, TtyMode},
};

/// What real dialogs are made of, so that random screens come near them.
#[rustfmt::skip]
const PIECES: &[&str] = &[
    "\n", "\n", "\n", " ", "  ", "    ",
    // Cursors, numbers and boxes of options.
    "❯ ", "› ", "> ", "● ", "▸ ", "1. ", "2. Yes (y)", "● 1. Yes", "  2. No (esc)", "1) a", "  2) b", "12 + x", "    7 +x",
    "[ ] ", "[x] ", "(•) y", "◉ z", "Submit", "\u{1b}[7m \u{1b}[0;2mghost",
    // Rules and frames.
    "────────────────────────────────────────────────────────────────────────────────\n", "────────\n",
    "╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌\n", "╭────╮\n", "╰────╯\n", "╭key─╮", "│ ", " │\n", "│ x │", "   ┌────┐",
    "└──┘", "├─── ✂ ───┤", "▲", "▼", "↓",
    // Tabs, positions, tools, states and hints.
    "←  ☐ One  ☒ Two  ✔ Submit  →", "← □ One │ ≡ Review →", "Question 1/2", "1 of 2", "?  Shell ls", " ←", "$ cmd", "Reason: x",
    "main.py (+1 -2)", "... 3 hidden ...", "[… 9 lines]", "Header → answer", "◆ Permission · Run", "▪ One: which?",
    "✻ Working… (esc to interrupt)", "⠏ Working (esc to cancel, 3s)", "(3s • esc", ">_ Codex loading", "✦ ", "• ", "·",
    "Enter to select · Esc to cancel",
    // Programs that ask line by line.
    "Continue? [y/N] ", "(yes/no/[", "3/3 ──", "<Yes>", "Password: ", "--More--", "(END)", "? ", ": ", "#? ", "[A]bort, [R]etry",
    "press any key", "[y,n,/,?]", "()", "[]", "default", "me@box:~$ ",
    // Styles and widths.
    "\u{1b}[7m", "\u{1b}[1m", "\u{1b}[2m", "\u{1b}[0m", "日本\u{301}", "e\u{301}",
];

fn any_text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => prop::sample::select(PIECES).prop_map(str::to_owned),
        1 => "\\PC{0,20}",
        1 => "\u{1b}\\[[0-9;:]{0,9}m",
    ];
    prop_oneof![
        1 => any::<Vec<u8>>().prop_map(|bytes| String::from_utf8_lossy(&bytes).into_owned()),
        1 => "[\\x00-\\x7f\\n]{0,400}",
        4 => prop::collection::vec(piece, 0..90).prop_map(|pieces| pieces.concat()),
    ]
}

fn any_tty() -> impl Strategy<Value = Option<TtyMode>> {
    prop::option::of((any::<bool>(), any::<bool>()).prop_map(|(echo, canonical)| TtyMode { echo, canonical }))
}

prop_compose! {
    fn any_capture()(
        text in any_text(), cols in 1u16..=500, rows in 1u16..=200, x in 0u16..510, y in 0u16..210, at_end in any::<bool>(),
        visible in any::<bool>(), alternate in any::<bool>(), title in "(✋|✦|◇|⠙)?.{0,8}", tty in any_tty(),
    ) -> Capture {
        // Half of the cursors stand where the text ends, as they do in programs that ask.
        let last = text.rsplit('\n').next().unwrap_or_default().chars().count();
        let end = (u16::try_from(last.min(500)).unwrap(), u16::try_from(text.matches('\n').count().min(200)).unwrap());
        let (x, y) = if at_end { end } else { (x, y) };
        Capture { text, cols, rows, cursor: Cursor { x, y, visible }, title, alternate, tty, foreground: None, exit: None }
    }
}

fn any_response() -> impl Strategy<Value = PromptResponse> {
    let value = || prop_oneof![Just("Yes".to_owned()), Just("No".to_owned()), "[a-z\\n\u{1b}]{0,9}"];
    prop_oneof![
        Just(nothing()),
        value().prop_map(|option| choose(&option)),
        value().prop_map(|text| say(&text)),
        (value(), value()).prop_map(|(option, text)| with_text(&text, choose(&option))),
        (value(), value()).prop_map(|(one, other)| check(&[&one, &other])),
        (value(), value()).prop_map(|(option, text)| fill_in(&[(&[&option], None), (&[], Some(&text))])),
    ]
}

fn any_case() -> impl Strategy<Value = &'static Case> {
    let cases: Vec<&'static Case> = all_cases().collect();
    prop::sample::select(cases)
}

/// Reads twice, tells whether the sighting makes sense, and answers it with anything.
fn read_any(capture: &Capture, response: &PromptResponse) -> Result<(), TestCaseError> {
    let screen = Screen::from_capture(capture);
    for adapter in all_adapters() {
        let look = Look::at(&screen, adapter);
        prop_assert_eq!(&look, &Look::at(&screen, adapter));
        let Some(sighting) = look.reading.sighting() else { continue };
        prop_assert!(sighting.rows.end <= screen.lines.len() && sighting.rows.start <= sighting.rows.end);
        prop_assert!(sighting.selected.is_none_or(|selected| selected < sighting.options.len()));
        let _ = (adapter.answer(sighting, response), sighting.fingerprint());
        if adapter.profile().kind == generic::KIND {
            prop_assert!(!sighting.title.is_empty());
            prop_assert_eq!(sighting.source, PromptSource::Pattern);
            prop_assert!(sighting.confidence < Confidence::Certain);
        }
    }
    Ok(())
}

/// True when a reading rests on what is drawn, and not on there being nothing else.
fn stands_alone(case: &Case, reading: &Reading) -> bool {
    let understood = !matches!(reading, Reading::Unrecognized | Reading::Starting { .. });
    // What is above a clipped dialog can only be the rest of it.
    let clipped = reading.sighting().is_some_and(|sighting| sighting.rows.start == 0);
    // A full-screen program does not scroll; line by line, the first row of all is as good as any.
    match case.meta.cli {
        generic::KIND => !case.capture.alternate && case.screen().last_row().is_some(),
        _ => understood && !clipped,
    }
}

fn lowered(mut reading: Reading, count: usize) -> Reading {
    let lower = |sighting: &mut Sighting| sighting.rows = sighting.rows.start + count..sighting.rows.end + count;
    match &mut reading {
        Reading::Prompt(sighting) | Reading::Aside { sighting, .. } => lower(sighting),
        Reading::Startup(dialog) => lower(&mut dialog.sighting),
        _ => {}
    }
    reading
}

/// Found by chance: a cursor beyond the edge of the smallest screen.
#[test]
fn a_cursor_beyond_the_screen_is_no_matter() {
    let cursor = Cursor { x: 2, y: 0, visible: false };
    let tty = Some(TtyMode { echo: false, canonical: true });
    let capture = Capture { text: "> ".to_owned(), cols: 1, rows: 1, cursor, tty, ..Capture::default() };
    read_any(&capture, &nothing()).unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn any_screen_is_read_and_answered_alike_and_without_panic(capture in any_capture(), response in any_response()) {
        read_any(&capture, &response)?;
    }

    #[test]
    fn any_cut_of_a_real_screen_is_read(
        case in any_case(), cols in 1u16..=500, rows in 1u16..=200, from in 0usize..4000, response in any_response(),
    ) {
        let text = case.capture.text.chars().skip(from).collect();
        read_any(&Capture { text, cols, rows, ..case.capture.clone() }, &response)?;
    }

    #[test]
    fn what_has_scrolled_up_says_nothing(
        case in any_case(), above in prop::collection::vec("([ -~•›│✔]|\\PC){0,60}", 1..30),
    ) {
        let reading = case.reading();
        prop_assume!(stands_alone(case, &reading));
        // Claude and Gemini tell what was said by its signs, so there only plain words say nothing for certain.
        let any_sign = !matches!(case.meta.cli, claude::KIND | gemini::KIND);
        let says_nothing = |ch: &char| any_sign || ch.is_ascii_alphanumeric() || " .,;()/".contains(*ch);
        let above: Vec<String> = above.iter().map(|row| row.chars().filter(says_nothing).collect()).collect();
        // Two empty rows part what is said from what is asked about it.
        let count = u16::try_from(above.len() + 2).unwrap();
        let mut capture = case.capture.clone();
        capture.text = format!("{}\n\n\n{}", above.join("\n"), capture.text);
        capture.rows += count;
        capture.cursor.y += count;
        let below = adapter_for(case.meta.cli).read_screen(&Screen::from_capture(&capture));
        prop_assert_eq!(below, lowered(reading, usize::from(count)), "{}", &case.name);
    }
}
