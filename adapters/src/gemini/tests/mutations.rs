//! The captured screens changed on purpose, so that what is read rests on build and not on one sentence, colour or sign:
//! the screens of the next version differ from these in just such ways.

use super::{Case, cases, read};
use crate::{Capture, Reading};

/// Applies a change to the text of a capture, leaving its escape sequences alone.
fn map_text(capture: &Capture, change: impl Fn(char) -> char) -> Capture {
    let mut text = String::new();
    let mut escape = false;
    for ch in capture.text.chars() {
        escape = escape && !ch.is_ascii_alphabetic() || ch == '\u{1b}';
        let ends = text.ends_with(|ch: char| ch.is_ascii_digit() || ch == ';' || ch == '[');
        let code = escape || ch == 'm' && ends && in_sequence(&text);
        text.push(if code { ch } else { change(ch) });
    }
    Capture { text, ..capture.clone() }
}

/// True when the text ends inside an escape sequence.
fn in_sequence(text: &str) -> bool {
    let tail = text.rfind('\u{1b}').map(|at| &text[at + 1..]);
    tail.is_some_and(|tail| tail.starts_with('[') && tail[1..].chars().all(|ch| ch.is_ascii_digit() || ch == ';'))
}

/// Other words of the same length: every letter is moved on by some places.
fn scramble(ch: char) -> char {
    let turn = |base: u8| char::from(base + (u8::try_from(ch).unwrap_or(base) - base + 7) % 26);
    match ch {
        'a'..='z' => turn(b'a'),
        'A'..='Z' => turn(b'A'),
        _ => ch,
    }
}

fn without_styles(capture: &Capture) -> Capture {
    let mut text = String::new();
    let mut rest = capture.text.as_str();
    while let Some((before, after)) = rest.split_once('\u{1b}') {
        text.push_str(before);
        rest = after.split_once('m').map_or("", |(_, rest)| rest);
    }
    text.push_str(rest);
    Capture { text, ..capture.clone() }
}

fn untitled(capture: &Capture) -> Capture {
    Capture { title: "some terminal".into(), ..capture.clone() }
}

/// How many options, which is selected, whether text is taken, what is checked.
type Outline = (usize, Option<usize>, bool, Vec<Option<bool>>);

/// What must stay the same whatever the words are.
fn outline(reading: &Reading) -> Option<Outline> {
    let sighting = reading.sighting()?;
    let takes_text = sighting.text.is_some() || sighting.options.iter().any(|option| option.text.is_some());
    let checked = sighting.options.iter().map(|option| option.checked).collect();
    Some((sighting.options.len(), sighting.selected, takes_text, checked))
}

/// Changes every screen of a kind and reports those that are read otherwise then.
fn changed(what: &str, wanted: impl Fn(&Case) -> bool, change: impl Fn(&Capture) -> Capture) {
    let mut wrong = Vec::new();
    for case in cases().iter().filter(|case| wanted(case)) {
        let (before, after) = (read(&case.capture), read(&change(&case.capture)));
        if outline(&before) != outline(&after) {
            wrong.push(format!("{}: {} {:?}", case.name, after.state(), outline(&after)));
        }
    }
    assert!(wrong.is_empty(), "{what}: {}\n{}", wrong.len(), wrong.join("\n"));
}

fn asks(case: &Case) -> bool {
    case.is_prompt() || case.kind() == "startup"
}

#[test]
fn other_words_are_still_a_prompt() {
    changed("words", asks, |capture| map_text(capture, scramble));
}

#[test]
fn other_words_and_no_title_are_still_a_prompt() {
    changed("words and title", asks, |capture| untitled(&map_text(capture, scramble)));
}

#[test]
fn no_title_is_no_matter() {
    changed("title", |_| true, untitled);
}

#[test]
fn another_cursor_sign_is_no_matter() {
    changed("sign", asks, |capture| map_text(capture, |ch| if ch == '●' { '❯' } else { ch }));
}

#[test]
fn other_borders_are_no_matter() {
    let square = |ch| match ch {
        '╭' => '┌',
        '╮' => '┐',
        '╰' => '└',
        '╯' => '┘',
        _ => ch,
    };
    changed("borders", asks, |capture| map_text(capture, square));
}

#[test]
fn without_any_style_options_and_fields_are_still_read() {
    changed("styles", asks, without_styles);
}

#[test]
fn look_alikes_stay_look_alikes() {
    let alarms = |change: &dyn Fn(&Capture) -> Capture| {
        let cases = cases();
        let negatives = cases.iter().filter(|case| !asks(case));
        let alarms = negatives.filter(|case| read(&change(&case.capture)).sighting().is_some());
        alarms.map(|case| case.name.clone()).collect::<Vec<_>>()
    };
    assert_eq!(alarms(&untitled), Vec::<String>::new());
    assert_eq!(alarms(&|capture| map_text(capture, scramble)), Vec::<String>::new());
    assert_eq!(alarms(&without_styles), Vec::<String>::new());
}

#[test]
fn states_do_not_rest_on_the_title() {
    for case in cases().iter().filter(|case| matches!(case.kind(), "ready" | "busy")) {
        // One was caught in the middle of a redraw, with nothing but the title to go by.
        if case.name == "none-loop-disabled-0.61.0-80x24" {
            continue;
        }
        assert_eq!(read(&untitled(&case.capture)).state(), case.kind(), "{}", case.name);
        assert_eq!(read(&without_styles(&case.capture)).state(), case.kind(), "{}", case.name);
    }
}
