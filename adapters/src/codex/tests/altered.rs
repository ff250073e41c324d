//! The captured screens altered in ways that other versions may differ: other words, another look of the selected row, no
//! title, no style. What is a prompt must stay one.

use super::{cases, read};
use crate::{Capture, Reading, Screen, Sighting};

/// Applies a change to the characters of some rows, leaving escape sequences alone.
fn rewritten(capture: &Capture, rows: &std::ops::Range<usize>, change: impl Fn(&str) -> String) -> Capture {
    let rewrite = |row: &str| {
        let mut out = String::new();
        let mut rest = row;
        while let Some((text, after)) = rest.split_once('\u{1b}') {
            let end = after.find('m').map_or(after.len(), |at| at + 1);
            out.push_str(&change(text));
            out.push('\u{1b}');
            out.push_str(&after[..end]);
            rest = &after[end..];
        }
        out + &change(rest)
    };
    let lines = capture.text.split('\n').enumerate();
    let text: Vec<_> = lines.map(|(at, row)| if rows.contains(&at) { rewrite(row) } else { row.to_owned() }).collect();
    Capture { text: text.join("\n"), ..capture.clone() }
}

/// Other words of the same length; keys in brackets and words of up to three letters stay.
fn other_words(text: &str) -> String {
    let turn = |ch: char| match ch {
        'a'..='z' => char::from((ch as u8 - b'a' + 13) % 26 + b'a'),
        'A'..='Z' => char::from((ch as u8 - b'A' + 13) % 26 + b'A'),
        _ => ch,
    };
    let words = text.split(' ').map(|word| {
        let letters = word.chars().filter(|ch| ch.is_alphabetic()).count();
        if letters > 3 { word.chars().map(turn).collect() } else { word.to_owned() }
    });
    words.collect::<Vec<_>>().join(" ")
}

fn prompts() -> Vec<(&'static super::Case, Sighting)> {
    let found = cases().iter().filter_map(|case| {
        let sighting = read(&case.capture).sighting()?.clone();
        Some((case, sighting))
    });
    found.collect()
}

/// What must not change: how many options there are, where the cursor is, which keys they carry, whether text is taken.
fn shape(sighting: &Sighting) -> (usize, Option<usize>, Vec<Option<String>>, bool) {
    let keys = sighting.options.iter().map(|option| option.hint.clone()).collect();
    (sighting.options.len(), sighting.selected, keys, sighting.text.is_some())
}

#[test]
fn other_words_in_titles_labels_and_hints_are_still_a_prompt() {
    let mut missed = Vec::new();
    for (case, sighting) in prompts() {
        let hints = sighting.rows.end.saturating_sub(2);
        for (what, rows) in [("dialog", sighting.rows.start..hints), ("whole dialog", sighting.rows.clone())] {
            let altered = read(&rewritten(&case.capture, &rows, other_words));
            let keeps_shape = altered.sighting().is_some_and(|altered| {
                let (options, selected, keys, text) = shape(&sighting);
                // The field that Tab would open is known by the words of its hint only.
                let has_field = text && (what == "dialog" || sighting.text.as_ref().is_some_and(|text| text.focused));
                let now = shape(altered);
                (now.0, now.1, &now.2) == (options, selected, &keys) && (!has_field || now.3)
            });
            if !keeps_shape {
                missed.push(format!("{} ({what}): {altered:?}", case.name));
            }
        }
    }
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

#[test]
fn an_approval_in_other_words_is_still_a_permission_with_roles() {
    for (case, sighting) in
        prompts().into_iter().filter(|(_, sighting)| sighting.build == crate::codex::prompt::APPROVAL)
    {
        let altered = read(&rewritten(&case.capture, &sighting.rows, other_words));
        let altered = altered.sighting().unwrap();
        assert_eq!(altered.kind, sighting.kind, "{}", case.name);
        let known = altered.options.iter().zip(&sighting.options).filter(|(option, _)| option.hint.is_some());
        assert!(known.clone().count() > 0);
        for (now, before) in known {
            assert_eq!(now.role, before.role, "{}: {}", case.name, before.label);
        }
    }
}

#[test]
fn without_the_title_of_the_terminal_every_dialog_reads_the_same() {
    for (case, sighting) in prompts() {
        for title in ["", "⠙ task | folder", "host"] {
            let reading = read(&Capture { title: title.to_owned(), alternate: false, ..case.capture.clone() });
            let now = reading.sighting().map(|now| Sighting { confidence: sighting.confidence, ..now.clone() });
            assert_eq!(now, Some(sighting.clone()), "{} with title {title:?}", case.name);
        }
    }
}

#[test]
fn the_look_of_the_selected_row_may_change() {
    for (case, sighting) in prompts() {
        for look in ["\u{1b}[1;36m", "\u{1b}[7m", "\u{1b}[38;2;9;9;9m"] {
            let mut text = case.capture.text.clone();
            for inverse in ["\u{1b}[1;7m", "\u{1b}[0;7m\u{1b}[39m\u{1b}[49m"] {
                text = text.replace(inverse, look);
            }
            let reading = read(&Capture { text, ..case.capture.clone() });
            assert_eq!(reading.sighting(), Some(&sighting), "{} with {look:?}", case.name);
        }
    }
}

#[test]
fn without_any_style_a_dialog_is_still_a_prompt_and_nothing_else_becomes_one() {
    for case in cases() {
        let mut text = String::new();
        for part in case.capture.text.split('\u{1b}') {
            text.push_str(if text.is_empty() { part } else { part.split_once('m').map_or("", |(_, rest)| rest) });
        }
        let before = read(&case.capture);
        let after = read(&Capture { text, ..case.capture.clone() });
        // What only its look tells from text, an unnumbered list or a heading, is not understood then, but never ready.
        assert_eq!(before.asks(), after.asks(), "{}: {after:?}", case.name);
        let lost = after == Reading::Unrecognized || case.capture.cursor.visible;
        if let (Some(before), Some(after)) = (before.sighting(), after.sighting()) {
            assert!(lost || before.options.len() == after.options.len(), "{}: {after:?}", case.name);
        }
    }
}

#[test]
fn a_visible_cursor_on_the_selected_row_does_not_make_it_a_draft() {
    for (case, sighting) in prompts().into_iter().filter(|(case, _)| !case.capture.cursor.visible) {
        let screen = Screen::from_capture(&case.capture);
        let selected = super::row_of(&screen, |line| line.text.trim_start().starts_with("› 1. "));
        let Some(y) = selected.filter(|row| sighting.rows.contains(row)) else { continue };
        let cursor = crate::screen::Cursor { x: 2, y: u16::try_from(y).unwrap(), visible: true };
        let reading = read(&Capture { cursor, ..case.capture.clone() });
        assert_eq!(reading.sighting(), Some(&sighting), "{}", case.name);
    }
}

#[test]
fn a_hidden_cursor_over_a_composer_is_never_a_prompt_and_never_ready() {
    for case in cases().iter().filter(|case| case.capture.cursor.visible) {
        let mut capture = case.capture.clone();
        capture.cursor.visible = false;
        let kind = case.kind();
        if matches!(kind, "ready" | "busy" | "none") {
            assert_eq!(read(&capture), Reading::Unrecognized, "{}", case.name);
        }
    }
}

#[test]
fn a_draft_that_quotes_a_whole_dialog_is_a_draft() {
    let case = super::case("v166-ready-plan-mode-120x40");
    let composer = usize::from(case.capture.cursor.y);
    let quoted = ["› look at this:", "  › 1. Yes, proceed (y)", "    2. No (esc)", "", "  Press enter to confirm"];
    let mut rows: Vec<String> = case.capture.text.split('\n').map(str::to_owned).collect();
    rows[composer] = format!("\u{1b}[1m›\u{1b}[0m{}", quoted[0].trim_start_matches('›'));
    for (at, row) in quoted.iter().enumerate().skip(1) {
        rows.insert(composer + at, (*row).to_owned());
    }
    let mut capture = Capture { text: rows.join("\n"), rows: case.capture.rows + 4, ..case.capture.clone() };
    capture.cursor.y += 4;
    capture.cursor.x = 24;
    let draft = "look at this:\n› 1. Yes, proceed (y)\n  2. No (esc)\n\nPress enter to confirm";
    assert_eq!(
        read(&capture),
        Reading::Ready(crate::Composer { draft: draft.to_owned(), ..crate::Composer::default() })
    );
}
