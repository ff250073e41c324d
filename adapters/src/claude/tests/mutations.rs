//! The corpus, changed the way another version might change it: other words, no colours, other glyphs, more above, a
//! wider pane. What is asked must still be found, with as many options and the cursor on the same one; what is not
//! asked must stay so.

use shared_types::AdapterKind;

use super::{Case, cases};
use crate::{Adapter, Reading, Screen, adapter_for, screen::Style};

fn claude() -> &'static dyn Adapter {
    adapter_for(AdapterKind::new("claude"))
}

/// Changes every cell of a screen.
fn changed(screen: &Screen, change: impl Fn(char, Style) -> (char, Style)) -> Screen {
    let mut screen = screen.clone();
    for line in &mut screen.lines {
        for cell in &mut line.cells {
            (cell.ch, cell.style) = change(cell.ch, cell.style);
        }
        let text: String = line.cells.iter().map(|cell| cell.ch).collect();
        line.text = text.trim_end().to_owned();
    }
    screen
}

/// Another word of the same length and case for every word.
fn other_letter(ch: char) -> char {
    match ch {
        'a'..='y' | 'A'..='Y' => char::from_u32(u32::from(ch) + 1).unwrap(),
        'z' => 'a',
        'Z' => 'A',
        _ => ch,
    }
}

/// Reads every case changed, and tells which are not read alike. `known` names those that may differ, and why is said
/// there.
fn check(known: &[&str], change: impl Fn(&Screen) -> Screen) {
    let mut wrong: Vec<String> = Vec::new();
    for case in cases().iter().filter(|case| !known.iter().any(|known| case.name.starts_with(known))) {
        let screen = Screen::from_capture(&case.capture);
        let (before, after) = (claude().read_screen(&screen), claude().read_screen(&change(&screen)));
        if let Some(why) = differs(case, &before, &after) {
            wrong.push(format!("{}: {why}", case.name));
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

fn differs(case: &Case, before: &Reading, after: &Reading) -> Option<String> {
    let asked = matches!(case.kind(), "permission" | "question" | "plan" | "startup");
    match (before.sighting(), after.sighting()) {
        (Some(before), Some(after)) => {
            let shape = |sighting: &crate::Sighting| {
                let numbers: Vec<Option<String>> =
                    sighting.options.iter().map(|option| option.number.clone()).collect();
                (numbers, sighting.selected, sighting.multi_select, sighting.question_index)
            };
            (shape(before) != shape(after)).then(|| format!("{:?}, was {:?}", shape(after), shape(before)))
        }
        (None, None) => (before.state() != after.state()).then(|| format!("{}, was {}", after.state(), before.state())),
        (_, Some(_)) => Some(format!("false alarm: {after:?}")),
        (_, None) => asked.then(|| format!("missed: {}", after.state())),
    }
}

/// Dialogs that have nothing but words to be known by: keys named in a hint line, or a list without a cursor above one.
const ONLY_WORDS: &[&str] = &["perm-automode-unavailable", "perm-bash-tiny", "startup-onboarding-2", "elicit"];

#[test]
fn other_words_are_still_a_prompt() {
    // That Claude works is told by the ellipsis of its status line; while it retries, only by the footer's words.
    let mut known = vec!["busy-api-retry"];
    known.extend(ONLY_WORDS);
    // Menus are told by the slash command above them; where that is out of view, by their words.
    known.extend(["none-menu-config-2.1.50-80x24", "none-menu-theme-2.1.200-80x24"]);
    check(&known, |screen| changed(screen, |ch, style| (other_letter(ch), style)));
}

#[test]
fn a_dialog_with_nothing_known_is_never_ready() {
    for case in cases().iter().filter(|case| ONLY_WORDS.iter().any(|name| case.name.starts_with(name))) {
        let screen = changed(&Screen::from_capture(&case.capture), |ch, style| (other_letter(ch), style));
        let reading = claude().read_screen(&screen);
        assert!(!matches!(reading, Reading::Ready(_) | Reading::Busy { .. }), "{}: {}", case.name, reading.state());
    }
}

#[test]
fn no_colours_are_still_a_prompt() {
    // Without its colour the tab in front of several cannot be told, and a list with neither rule nor hint, or what is asked
    // beside the composer, not from a quote.
    let mut known = vec!["ask-tabs", "ask-multi-after-tab", "perm-automode-unavailable", "startup-onboarding-0"];
    known.extend(["aside-survey", "busy-survey"]);
    check(&known, |screen| changed(screen, |ch, _| (ch, Style::default())));
}

#[test]
fn other_glyphs_are_still_a_prompt() {
    for (cursor, rule, dash) in [('›', '━', '┄'), ('▶', '═', '╍'), ('❯', '⎯', '┈')] {
        let glyph = |ch: char| match ch {
            '❯' => cursor,
            '─' => rule,
            '╌' => dash,
            _ => ch,
        };
        // A composer begins with a prompt, not with any cursor; and a frame has corners of its own stroke.
        let known = ["busy", "ready", "none", "ask-preview"];
        check(&known, |screen| changed(screen, |ch, style| (glyph(ch), style)));
    }
}

#[test]
fn spinners_and_talk_above_change_nothing() {
    let above =
        ["● I have looked at the files.", "  ⎿  Read 3 files", "", "✻ Thinking… (3s)", "❯ 1. Yes", "  2. No", ""];
    let lines = Screen::from_capture(&super::drawn(80, &above)).lines;
    // Where the top is clipped nothing else can be above; and the start's dialogs come before any talk.
    let clipped = |case: &Case| {
        let screen = Screen::from_capture(&case.capture);
        case.kind() == "startup"
            || claude().read_screen(&screen).sighting().is_some_and(|sighting| sighting.rows.start == 0)
    };
    for case in cases().iter().filter(|case| !clipped(case)) {
        let screen = Screen::from_capture(&case.capture);
        let mut more = screen.clone();
        more.lines.splice(0..0, lines.iter().cloned());
        more.cursor.y += u16::try_from(lines.len()).unwrap();
        let (before, after) = (claude().read_screen(&screen), claude().read_screen(&more));
        assert_eq!(differs(case, &before, &after), None, "{}", case.name);
        let fingerprint = |reading: &Reading| reading.sighting().map(crate::Sighting::fingerprint);
        assert_eq!(fingerprint(&before), fingerprint(&after), "{}", case.name);
    }
}

#[test]
fn a_pane_that_has_just_grown_reads_the_same() {
    // That a dialog goes on below is told by the end of the screen.
    check(&["perm-automode-unavailable-2.1.325-46x30"], |screen| {
        let mut screen = screen.clone();
        screen.cols += screen.cols / 4;
        screen.lines.extend(vec![crate::screen::Line::default(); 5]);
        screen
    });
}
