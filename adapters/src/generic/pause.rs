//! Programs that wait for a key to go on: pagers, and *press Enter to continue*.

use shared_types::{Confidence, PromptKind, PromptSource};

use super::{keys, live::Live};
use crate::{SightedOption, Sighting};

/// No sentence that asks for a key is longer; longer lines are output.
const LONGEST: usize = 160;

/// A pager, or anything that waits for one key to go on.
pub(super) fn read(live: &Live<'_>) -> Option<Sighting> {
    let text = live.before.trim();
    let by_line = live.screen.tty.is_some_and(|tty| tty.canonical);
    if live.waits() && !by_line {
        let bottom = live.row + 1 == live.screen.lines.len();
        let in_less = (live.screen.alternate || text == ":") && bottom;
        let more = ["--More--", "-- More --", "--Mehr--"].iter().any(|mark| text.starts_with(mark)) && text.len() < 60;
        let inverse = live.screen.lines[live.row].cells.iter().all(|cell| cell.ch == ' ' || cell.style.inverse);
        if text.ends_with("(END)") {
            return Some(paused(live, "The end of the text", &[("Quit", "q")], Confidence::Likely));
        }
        if more || text.ends_with("q to quit)") || (in_less && (text == ":" || inverse)) {
            let title = if text == ":" { "More text follows" } else { text };
            return Some(paused(live, title, &[("Next page", "space"), ("Quit", "q")], Confidence::Likely));
        }
    }
    if live.screen.alternate && !text.starts_with("Press ENTER or type command") {
        return None;
    }
    // The line above counts when the cursor was left at the beginning of the next.
    let on_row = live.waits();
    let above = live.row.checked_sub(1).map_or("", |row| live.screen.text(row)).trim();
    let spoken = if on_row { text } else { above };
    let behind = on_row || (live.before.is_empty() && !live.below && live.screen.text(live.row).is_empty());
    let lower = spoken.to_lowercase();
    // `Enter the host name and press return: ` asks for the name.
    let wants_text = on_row
        && spoken.ends_with(':')
        && ["enter ", "type "].iter().any(|verb| lower.starts_with(verb))
        && lower.contains("and press");
    if wants_text || !behind || lower.len() > LONGEST || !says_press(&lower) || (!on_row && !goes_on(&lower)) {
        return None;
    }
    let mut answers = vec![("Continue", "enter")];
    if ["ctrl-c", "ctrl+c", "^c", "strg-c"].iter().any(|key| lower.contains(key)) {
        answers.push(("Cancel", "ctrl-c"));
    } else if lower.contains("q to quit") || lower.contains("q to abort") {
        answers.push(("Quit", "q"));
    }
    let sure = on_row || live.takes_keys();
    let mut sighting = paused(live, spoken, &answers, if sure { Confidence::Likely } else { Confidence::Guess });
    sighting.rows.start = if on_row { live.rows.start } else { live.row.saturating_sub(1) };
    sighting.build = if live.takes_keys() { keys::KEY } else { keys::LINE };
    Some(sighting)
}

fn paused(live: &Live<'_>, title: &str, answers: &[(&str, &str)], confidence: Confidence) -> Sighting {
    let mut sighting = Sighting::new(PromptKind::Question, PromptSource::Pattern, keys::KEY);
    sighting.confidence = confidence;
    sighting.title = title.to_owned();
    sighting.rows = live.rows.clone();
    sighting.options = answers
        .iter()
        .map(|(label, key)| SightedOption { hint: Some((*key).to_owned()), ..SightedOption::new(*label) })
        .collect();
    sighting
}

fn says_press(lower: &str) -> bool {
    let keys = [
        "return/enter",
        "enter/return",
        "enter",
        "return",
        "[enter]",
        "<enter>",
        "[return]",
        "<return>",
        "any key",
        "a key",
        "eingabe",
    ];
    let verbs = ["press ", "hit ", "press the ", "drücken sie ", "press on "];
    verbs.iter().any(|verb| keys.iter().any(|key| lower.contains(&format!("{verb}{key}"))))
        || ["enter to continue", "return to continue", "any key to continue", "beliebige taste"]
            .iter()
            .any(|words| lower.contains(words))
}

fn goes_on(lower: &str) -> bool {
    let end = lower.trim_end_matches(['.', ' ', '…', ':', ')', ']']);
    [
        "continue",
        "any key",
        "enter",
        "return",
        "proceed",
        "exit",
        "quit",
        "start",
        "begin",
        "abort",
        "cancel",
        "close",
        "fortzufahren",
    ]
    .iter()
    .any(|word| end.ends_with(word))
}
