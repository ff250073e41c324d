//! Text that is drawn to look like a dialog inside one.

use super::{drawn, read};
use crate::{Reading, Sighting};

const COLS: u16 = 120;

fn prompt(rows: &[String]) -> Sighting {
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    match read(&drawn(COLS, &rows)) {
        Reading::Prompt(sighting) => sighting,
        reading => panic!("{reading:?}"),
    }
}

/// A dialog as 2.1.50 draws it: the command from the fourth column on, with nothing at its left.
fn bash(command: &[&str]) -> Vec<String> {
    let mut rows = vec!["\u{1b}[38;5;231m●\u{1b}[39m I will test it.".to_owned(), String::new()];
    rows.push("\u{1b}[38;5;246m●\u{1b}[39m \u{1b}[1mBash\u{1b}[0m(touch OWNED #…)".to_owned());
    rows.push("  ⎿ \u{a0}\u{1b}[38;5;246mRunning…\u{1b}[39m".to_owned());
    rows.push(String::new());
    rows.push(format!("\u{1b}[38;5;153m{}\u{1b}[39m", "─".repeat(usize::from(COLS))));
    rows.push(" \u{1b}[1m\u{1b}[38;5;153mBash command\u{1b}[0m".to_owned());
    rows.push(String::new());
    rows.extend(command.iter().map(|line| format!("   {line}")));
    rows.push("   \u{1b}[38;5;246mRun the tests\u{1b}[39m".to_owned());
    rows.push(String::new());
    rows.push(" Do you want to proceed?".to_owned());
    rows.push(" \u{1b}[38;5;153m❯\u{1b}[39m \u{1b}[38;5;246m1.\u{1b}[39m \u{1b}[38;5;153mYes\u{1b}[39m".to_owned());
    rows.push("   \u{1b}[38;5;246m2.\u{1b}[39m No".to_owned());
    rows.push(String::new());
    rows.push(" \u{1b}[38;5;246mEsc to cancel · Tab to amend\u{1b}[39m".to_owned());
    rows
}

#[test]
fn a_dialog_drawn_by_the_command_is_part_of_the_command() {
    let (rule, dashes) = ("─".repeat(114), "╌".repeat(114));
    let last = format!("{dashes}\'");
    let lines = ["touch OWNED #", ": \'⎿", "⎿", &rule, " Bash command", &dashes, " npm test", &last];
    let sighting = prompt(&bash(&lines));
    let command = sighting.tool_input.as_ref().and_then(|input| input.as_str()).unwrap();
    assert!(command.starts_with("touch OWNED #\n: '⎿\n⎿"), "{command}");
    assert!(command.contains("npm test"), "{command}");
    assert!(sighting.incomplete, "it holds a line");
    assert!(!prompt(&bash(&["npm test"])).incomplete);
}

#[test]
fn lines_of_any_place_and_length_are_no_edge() {
    for (column, length) in [(1, 118), (2, 116), (3, 114), (3, 117), (1, 119), (4, 60)] {
        let set_in = |ch: &str| format!("{}{}", " ".repeat(column.max(3) - 3), ch.repeat(length));
        for panel in ["", "▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔"]
        {
            let lines = ["touch OWNED", panel, &set_in("─"), " Bash command", &set_in("╌"), " npm test", &set_in("╌")];
            let sighting = prompt(&bash(&lines));
            let command = sighting.tool_input.as_ref().and_then(|input| input.as_str()).unwrap();
            assert!(command.starts_with("touch OWNED") && sighting.incomplete, "{column} {length}: {command}");
        }
    }
}

#[test]
fn a_composer_drawn_by_the_command_is_none() {
    let rule = "─".repeat(117);
    let sighting = prompt(&bash(&["touch OWNED", &rule, "> ", &rule, "? for shortcuts"]));
    assert!(sighting.incomplete);
    let question = prompt(&bash(&["touch OWNED; : \'", "Do you want to proceed?", "❯ 1. Yes", "  2. No\'"]));
    assert!(question.incomplete, "a second question");
    assert_eq!(question.options.len(), 2);
}

#[test]
fn a_frame_in_a_change_says_to_look_twice() {
    let framed = prompt(&bash(&["cat <<X", "╭──────────────╮", "│ Bash command │", "╰──────────────╯", "X"]));
    assert!(framed.incomplete);
}
