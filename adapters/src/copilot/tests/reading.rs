//! What captured screens say beyond what their `meta.json` holds.

use serde_json::json;
use shared_types::{OptionRole, PermissionMode};

use super::{case, cases, labels, sighting};
use crate::{Adapter, Capture, Keystroke, Reading, Screen, StartupKind, adapter_for, copilot::Copilot};

#[test]
fn roles_say_what_each_option_means() {
    let roles = |name: &str| -> Vec<_> { sighting(name).options.iter().map(|option| option.role.unwrap()).collect() };
    use OptionRole::{Allow, AllowAlways, Deny, Feedback};
    assert_eq!(roles("perm-shell-1.0.102-80x24"), [Allow, AllowAlways, Deny]);
    assert_eq!(roles("perm-shell-redirect-1.0.102-46x30"), [Allow, Deny]);
    assert_eq!(roles("perm-path-read-1.0.102-46x30"), [Allow, AllowAlways, AllowAlways, Deny]);
    assert_eq!(roles("perm-url-fetch-1.0.102-80x24"), [Allow, AllowAlways, AllowAlways, Deny]);
    assert_eq!(roles("perm-hook-ask-1.0.102-80x24"), [Allow, Deny]);
    assert_eq!(roles("perm-autopilot-1.0.102-80x24"), [AllowAlways, Allow, Deny]);
    // What is recommended comes first, so the order changes.
    assert_eq!(roles("plan-file-1.0.102-80x24"), [AllowAlways, Allow, Deny, Feedback]);
    assert_eq!(roles("plan-again-1.0.102-46x30"), [Allow, AllowAlways, Deny, Feedback]);
}

#[test]
fn a_refusal_needs_no_reason_but_takes_one() {
    let shell = sighting("perm-shell-1.0.102-80x24");
    assert_eq!(shell.options[2].label, "No, and tell Copilot what to do differently (Esc to stop)");
    assert!(shell.options.iter().all(|option| option.text.is_none()));
    assert!(shell.text.is_some_and(|field| !field.focused && field.placeholder.is_some()));
    let same = ["perm-shell-no-focused-1.0.102-46x30", "perm-shell-no-typed-1.0.102-80x24"].map(sighting);
    assert_eq!(same[0].fingerprint(), same[1].fingerprint(), "it is the same while the reason is typed");
    let typed = same[1].text.as_ref().unwrap();
    assert_eq!((typed.value.as_str(), typed.focused), ("use mkdir instead", true));
    assert!(sighting("perm-path-shell-1.0.102-80x24").text.is_none());
}

#[test]
fn what_is_asked_about_is_read_whole() {
    let long = sighting("perm-shell-long-1.0.102-46x30");
    let command = "find logs -type f -name \"*.log\" -mtime +7 -print0 | xargs -0 -I{} sh -c 'echo removing {}; rm -f {}' && \
                   echo \"finished cleaning up the old log files in the logs folder of this project\"";
    assert_eq!((long.tool_input, long.incomplete), (Some(json!(command)), false));
    let several = sighting("perm-shell-multi-1.0.102-80x24");
    let lines = "for i in 1 2 3; do\n  echo \"line $i\"\ndone\nmkdir -p out\ncp a.txt out/";
    assert_eq!(several.tool_input, Some(json!(lines)));
    let edit = sighting("perm-edit-1.0.102-46x30");
    assert_eq!(edit.diff[0].path, "/tmp/cp/homes/cp3-p102-46/proj/a.txt");
    let change =
        "@@ -1,5 +1,6 @@\n line one\n line two\n-line three\n+line THREE (edited)\n+and an extra line\n line four\n ";
    assert_eq!(edit.diff[0].unified, change);
    let note = sighting("perm-mcp-1.0.102-46x30");
    assert_eq!(note.tool_name.as_deref(), Some("mcp__demo__add_note"));
    let input = json!({ "title": "Groceries", "body": "milk and eggs", "tags": ["home", "food"] });
    assert_eq!(note.tool_input, Some(input));
    let hook = sighting("perm-hook-ask-1.0.102-80x24");
    assert_eq!(hook.tool_name.as_deref(), Some("view"));
    assert!(hook.description.contains("please look"), "{hook:?}");
    let plan = sighting("plan-file-1.0.102-80x24");
    let steps = "- Add a greeting to a.txt\n- Run the tests\n\n1. Open the file\n2. Add the greeting\n3. Run the tests";
    assert_eq!(plan.plan.as_deref(), Some(steps));
}

#[test]
fn what_is_clipped_says_so() {
    for (name, cut) in [
        ("perm-edit-big-1.0.102-120x40", true),
        ("perm-edit-1.0.102-80x24", false),
        ("perm-path-read-1.0.102-46x30", true),
        ("perm-shell-1.0.102-80x24", false),
    ] {
        assert_eq!(sighting(name).incomplete, cut, "{name}");
    }
}

#[test]
fn the_field_in_front_is_told_with_the_question() {
    let form = sighting("question-form-1-1.0.102-80x24");
    assert_eq!(form.title, "I need some details for the new service.");
    assert_eq!(form.description, "Database\nThe storage engine");
    assert_eq!(form.position.as_deref(), Some("1 of 4"));
    assert_eq!(sighting("question-form-3-1.0.102-80x24").position.as_deref(), Some("3 of 4"));
    assert_eq!(sighting("question-form-2-1.0.102-46x30").position, None, "their names are cut");
    // Each field is another prompt, although the words above are the same.
    let prints: Vec<_> =
        (1..=4).map(|at| sighting(&format!("question-form-{at}-1.0.102-120x40")).fingerprint()).collect();
    assert!((1..4).all(|at| prints[at] != prints[at - 1]), "{prints:?}");
    let own = sighting("question-own-answer-1.0.102-80x24");
    let field = own.options[3].text.as_ref().unwrap();
    assert!(field.focused && field.value.is_empty(), "{own:?}");
    assert_eq!(own.fingerprint(), sighting("question-own-answer-1.0.102-80x24").fingerprint());
}

#[test]
fn the_folder_is_trusted_by_the_row_that_remembers_nothing() {
    let Reading::Startup(dialog) = case("startup-trust-1.0.102-46x30").reading() else { panic!("no start") };
    assert_eq!((dialog.kind, dialog.pass), (StartupKind::FolderTrust, Some(0)));
    assert_eq!(labels(&dialog.sighting), ["Yes", "Yes, and remember this folder for future sessions", "No"]);
    assert!(dialog.sighting.description.contains("/tmp/cp/homes"), "{dialog:?}");
    // A path that reads alike is asked about like any other.
    let case = case("perm-path-read-1.0.102-120x40");
    let text = case.capture.text.replace("/tmp/cp/outside", "/tmp/trust/the/folder?");
    let capture = Capture { text, ..case.capture.clone() };
    let reading = adapter_for(case.meta.cli).read_screen(&Screen::from_capture(&capture));
    assert_ne!(reading.state(), "startup");
}

#[test]
fn modes_are_read_below_the_composer() {
    let mode = |name: &str| match case(name).reading() {
        Reading::Ready(composer) => composer.mode,
        reading => panic!("{name} read as {reading:?}"),
    };
    assert_eq!(mode("ready-start-1.0.102-46x30"), Some(PermissionMode::Ask));
    assert_eq!(mode("ready-typed-1.0.102-46x30"), Some(PermissionMode::Ask));
    assert_eq!(mode("ready-yolo-1.0.102-120x40"), Some(PermissionMode::Bypass));
    assert_eq!(mode("ready-plan-cancelled-1.0.102-80x24"), Some(PermissionMode::Plan));
}

#[test]
fn a_command_for_a_shell_is_a_draft() {
    let case = case("ready-start-1.0.102-80x24");
    let text = case.capture.text.replace("❯", "! echo hi");
    let reading =
        adapter_for(case.meta.cli).read_screen(&Screen::from_capture(&Capture { text, ..case.capture.clone() }));
    let Reading::Ready(composer) = reading else { panic!("{reading:?}") };
    assert_eq!(composer.draft, "!echo hi");
}

#[test]
fn busy_says_at_what() {
    let detail = |name: &str| match case(name).reading() {
        Reading::Busy { detail, composer: Some(_) } => detail,
        reading => panic!("{name} read as {reading:?}"),
    };
    assert_eq!(detail("busy-shell-1.0.102-80x24"), "Working");
    assert_eq!(detail("busy-thinking-1.0.102-46x30"), "Working");
    assert_eq!(detail("none-not-logged-in-1.0.102-80x24"), "Loading: 2 skills");
}

#[test]
fn nothing_is_pressed_to_stop_what_does_not_run() {
    let keys = |name: &str| Copilot.interrupt(&case(name).reading()).to_vec();
    assert_eq!(keys("busy-shell-1.0.102-80x24"), [Keystroke::Ctrl('c')]);
    assert_eq!(keys("ready-start-1.0.102-80x24"), [], "twice would end the session");
}

/// What an old version draws: a box for a question, numbers, and another way to say the keys.
#[test]
fn a_question_in_a_box_is_a_question() {
    let rows = [
        "╭──────────────────────────────────────────────────────────╮",
        "│ Question                                                 │",
        "│ ──────────────────────────────────────────────────────── │",
        "│ Which database should the service use?                   │",
        "│                                                          │",
        "│ ❯ 1. PostgreSQL                                          │",
        "│   2. SQLite                                              │",
        "│   3. Other (type your answer)                            │",
        "│                                                          │",
        "│ ↑/↓ to select · enter to confirm · esc to cancel         │",
        "╰──────────────────────────────────────────────────────────╯",
    ];
    let capture = Capture { text: rows.join("\n"), cols: 60, rows: 11, ..Capture::default() };
    let reading = super::super::screen::read(&Screen::from_capture(&capture));
    let asked = reading.sighting().unwrap();
    assert_eq!(
        (asked.kind, asked.title.as_str()),
        (shared_types::PromptKind::Question, "Which database should the service use?")
    );
    assert!(asked.options[2].text.is_some());
    let field = [
        rows[0],
        rows[1],
        rows[2],
        rows[3],
        rows[4],
        "│ ❯ Type your answer...                                    │",
        rows[4],
        "│ enter to submit · esc to cancel                          │",
        rows[10],
    ];
    let cursor = crate::screen::Cursor { x: 4, y: 5, visible: true };
    let capture = Capture { text: field.join("\n"), cols: 60, rows: 9, cursor, ..Capture::default() };
    let reading = super::super::screen::read(&Screen::from_capture(&capture));
    let text = reading.sighting().unwrap().text.clone().unwrap();
    assert_eq!((text.value.as_str(), text.placeholder.as_deref()), ("", Some("Type your answer...")));
}

#[test]
fn nothing_in_a_conversation_is_a_dialog() {
    // The dialog as it was, with the composer below it as it is after an answer.
    let composer = ["────", "❯", "────", " Interactive · Manual Approval"];
    for case in cases().iter().filter(|case| case.is_prompt()) {
        let cols = usize::from(case.capture.cols);
        let below = composer.map(|row| if row == "────" { "─".repeat(cols) } else { row.to_owned() });
        let text = format!("{}\n{}", case.capture.text.trim_end(), below.join("\n"));
        let rows = u16::try_from(text.split('\n').count()).unwrap();
        let cursor = crate::screen::Cursor { x: 2, y: rows - 3, visible: true };
        let capture = Capture { text, rows, cursor, ..case.capture.clone() };
        let reading = adapter_for(case.meta.cli).read_screen(&Screen::from_capture(&capture));
        assert_eq!(reading.state(), "ready", "{}", case.name);
    }
}
