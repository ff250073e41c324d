//! What the demo agent says and does: each message becomes a list of beats, each answer a few more. Data only.

use serde_json::json;
use shared_types::{FileDiff, ToolResult};

use super::{
    dialog::Outcome,
    scenes::{COMMAND, DIFF, EDITED, Scene},
};

/// One thing that happens.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Beat {
    /// A while of thinking, in units of the pace.
    Think { verb: &'static str, units: u64 },
    /// Prose, streamed.
    Say(String),
    /// A tool is about to be used.
    Use(ToolUse),
    /// What came of it.
    Result(ToolResult),
    /// A question to the person.
    Ask(Scene),
    /// Work without end.
    WorkOn,
    /// The end of the program.
    Quit,
}

/// A tool about to be used.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ToolUse {
    pub(super) name: &'static str,
    pub(super) summary: String,
    pub(super) input: serde_json::Value,
}

/// What greets the newcomer.
pub(super) const BANNER: [&str; 3] = [
    "Answerback demo agent",
    "No account, no model: every line is made up here.",
    "Type help to see what it can ask you.",
];

/// What a message leads to.
pub(super) fn beats_for(message: &str) -> Vec<Beat> {
    let word = message.trim().to_lowercase();
    let word = word.strip_prefix('/').unwrap_or(&word);
    if let Some(scene) = Scene::from_word(word) {
        return opening(scene);
    }
    match word {
        "help" => vec![think("Looking it up", 20), Beat::Say(help())],
        "tour" => {
            let mut beats = vec![Beat::Say("Let us go through everything I can ask.".to_owned())];
            beats.extend(Scene::ALL.into_iter().filter(|scene| *scene != Scene::Danger).flat_map(opening));
            beats.push(Beat::Say("That was the tour. Thank you for your patience.".to_owned()));
            beats
        }
        "long" => vec![think("Writing", 40), Beat::Say(long_text())],
        "busy" => vec![Beat::Say("I work until you press Esc.".to_owned()), Beat::WorkOn],
        "exit" | "quit" => vec![Beat::Quit],
        _ => vec![think("Thinking", 60), Beat::Say(echo(message))],
    }
}

/// What an answer leads to, ending with what was understood.
pub(super) fn reaction(scene: Scene, outcome: &Outcome) -> Vec<Beat> {
    let yes = outcome.first_label().is_some_and(|label| label.starts_with("Yes"));
    let mut beats = Vec::new();
    match scene {
        Scene::Command if yes => {
            beats.push(think("Running", 40));
            beats.push(Beat::Result(ToolResult {
                ok: true,
                output: "running 12 tests\n............\ntest result: ok. 12 passed; 0 failed".to_owned(),
                ..ToolResult::default()
            }));
        }
        Scene::Edit if yes => beats.push(Beat::Result(ToolResult {
            ok: true,
            output: format!("Pretended to edit {EDITED}: 2 lines added, 1 removed"),
            diff: Some(vec![FileDiff { path: EDITED.to_owned(), unified: DIFF.trim_end().to_owned() }]),
            ..ToolResult::default()
        })),
        Scene::Command | Scene::Edit => beats.push(Beat::Result(ToolResult {
            ok: false,
            output: "The person did not allow it.".to_owned(),
            ..ToolResult::default()
        })),
        _ => {}
    }
    let understood = match (scene, outcome) {
        (Scene::Password, Outcome::Chosen(picked)) => {
            let typed = picked.first().and_then(|picked| picked.text.as_deref()).unwrap_or_default();
            format!("{} characters", typed.chars().count())
        }
        _ => outcome.summary(),
    };
    beats.push(Beat::Say(format!("Understood: {} -> {understood}", scene.word())));
    beats
}

fn opening(scene: Scene) -> Vec<Beat> {
    let say = match scene {
        Scene::Command => "I would like to run the tests first, to know where we stand.",
        Scene::Edit => "The cart needs to count items and to know about coupons.",
        Scene::Choice => "Before I go on I need to know where the data shall live.",
        Scene::Multi => "A shop can do many things. Which shall yours do?",
        Scene::Questions => "Three short questions, then I can start.",
        Scene::Plan => "Here is what I have in mind.",
        Scene::Loop => "Reading `src/cart.rs` once more, to be sure.",
        Scene::YesNo => "The install script asks in its own way:",
        Scene::Password => "The deploy script wants a password:",
        Scene::Danger => "One last thing: the old code can go, and the history with it.",
        Scene::Puzzle => "Turn the dial to 5, please. How, you have to find out.",
    };
    let mut beats = vec![think("Thinking", 60), Beat::Say(say.to_owned())];
    match scene {
        Scene::Command => beats.push(Beat::Use(ToolUse {
            name: "Run command",
            summary: COMMAND.to_owned(),
            input: json!({ "command": COMMAND }),
        })),
        Scene::Edit => beats.push(Beat::Use(ToolUse {
            name: "Edit file",
            summary: EDITED.to_owned(),
            input: json!({ "path": EDITED, "diff": DIFF.trim_end() }),
        })),
        _ => {}
    }
    beats.push(Beat::Ask(scene));
    beats
}

fn think(verb: &'static str, units: u64) -> Beat {
    Beat::Think { verb, units }
}

/// The help. It quotes a dialog: whoever reads the screen must not take it for one.
fn help() -> String {
    let mut text = String::from("Type one of these words and see what happens:\n\n");
    for scene in Scene::ALL {
        text.push_str(&format!("- `{}` {}\n", scene.word(), scene.about()));
    }
    text.push_str("- `tour` shows all of them, one after the other\n");
    text.push_str("- `long` writes two hundred lines\n- `busy` works until you press Esc\n- `exit` ends the demo\n\n");
    text.push_str("A question looks like this, at your desk and on your phone:\n\n```\n");
    text.push_str("May I run this command?\n❯ 1. Yes\n  2. No\n```");
    text
}

fn echo(message: &str) -> String {
    let message = message.trim();
    let said = if message.contains('\n') {
        let lines = message.lines().map(|line| format!("> {line}")).collect::<Vec<_>>().join("\n");
        format!("You said, in {} lines:\n\n{lines}", message.lines().count())
    } else {
        format!("You said: {message}")
    };
    format!("{said}\n\nI am only a demo and cannot think of anything better. Try `help`.")
}

fn long_text() -> String {
    let mut text = String::from("# Two hundred lines\n");
    for line in 1..=200 {
        text.push_str(&format!(
            "\n{line}. The shop opens at {:02}:{:02} and closes when the last visitor leaves.",
            line % 24,
            line % 60
        ));
    }
    text
}
