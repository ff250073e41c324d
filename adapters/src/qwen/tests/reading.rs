//! What is read beside the corpus: parts of prompts, and screens that were changed on purpose.

use shared_types::{OptionRole, PermissionMode};

use super::{case, cases, labels, read, sighting};
use crate::{Reading, StartupKind};

#[test]
fn the_mode_is_read_from_the_footer() {
    let mode = |name: &str| case(name).reading().awaiting().and_then(|composer| composer.mode);
    assert_eq!(mode("ready-default-0.24.4-80x24"), Some(PermissionMode::Ask));
    assert_eq!(mode("ready-mode-1-0.24.4-80x24"), Some(PermissionMode::AcceptEdits));
    assert_eq!(mode("ready-mode-3-0.24.4-80x24"), Some(PermissionMode::Bypass));
    assert_eq!(mode("ready-auto-0.24.4-80x24"), Some(PermissionMode::Auto));
    assert_eq!(mode("ready-plan-0.24.4-80x24"), Some(PermissionMode::Plan));
}

#[test]
fn a_draft_is_told_from_a_suggestion() {
    let draft = |name: &str| case(name).reading().awaiting().map(|composer| composer.draft.clone());
    assert_eq!(draft("ready-ghost-suggestion-0.24.4-80x24").as_deref(), Some(""));
    assert_eq!(draft("ready-default-0.24.4-80x24").as_deref(), Some(""));
    assert_eq!(draft("none-interrupted-0.24.4-80x24").as_deref(), Some("please also do this"));
    let lines = "first line\nsecond line\n1. Yes, allow once";
    assert_eq!(draft("none-multiline-in-input-0.24.4-80x24").as_deref(), Some(lines));
    assert_eq!(draft("none-shellmode-0.24.4-80x24").as_deref(), Some("!"), "a message would be run as a command");
}

#[test]
fn the_option_with_the_key_that_closes_refuses_in_any_language() {
    let mut capture = case("perm-shell-rm-0.24.4-80x24").capture.clone();
    capture.text = capture.text.replace("No, suggest changes (esc)", "Nein, lieber anders (esc)");
    let reading = read(&capture);
    let prompt = reading.sighting().expect("a prompt");
    assert_eq!(labels(prompt)[3], "Nein, lieber anders");
    assert_eq!(prompt.options[3].role, Some(OptionRole::Deny));
    assert_eq!(prompt.options[1].role, Some(OptionRole::AllowAlways));
}

#[test]
fn a_plan_that_goes_back_to_asking_nothing_is_a_lasting_yes() {
    let roles = |name: &str| sighting(name).options.iter().map(|option| option.role).collect::<Vec<_>>();
    let (once, always) = (Some(OptionRole::Allow), Some(OptionRole::AllowAlways));
    assert_eq!(roles("plan-0.24.4-80x24"), [once, always, once, Some(OptionRole::Deny)]);
    assert_eq!(roles("plan-prev-yolo-0.24.4-80x24")[0], always);
}

#[test]
fn a_command_that_wraps_is_taken_from_the_row_of_its_tool() {
    let prompt = sighting("perm-shell-long-0.24.4-46x30");
    assert!(prompt.incomplete, "where its lines end is not seen");
    let command = prompt.tool_input.unwrap();
    let command = command.as_str().unwrap();
    assert!(command.contains("find . -type f -name") && command.ends_with("of this test\""), "{command}");
    assert_eq!(prompt.description, "Remove old logs");
    let multi = sighting("perm-shell-multiline-0.24.4-80x24");
    assert!(!multi.incomplete);
    let lines = "for i in 1 2 3; do\n  echo \"line $i\"\ndone\nmkdir -p out\ncp a.txt out/";
    assert_eq!(multi.tool_input, Some(lines.into()));
}

#[test]
fn what_hides_lines_says_so() {
    for name in ["perm-edit-big-0.24.4-80x24", "perm-shell-big-0.24.4-80x24", "plan-long-0.24.4-80x24"] {
        assert!(sighting(name).incomplete, "{name}");
    }
    for name in ["perm-shell-rm-0.24.4-80x24", "plan-0.24.4-120x40", "perm-three-queued-second-0.24.4-80x24"] {
        assert!(!sighting(name).incomplete, "{name}");
    }
}

#[test]
fn a_pipe_in_a_call_that_waits_below_makes_no_question() {
    let queued = &case("perm-two-queued-0.24.4-80x24").capture;
    for state in ["?", "o"] {
        let mut capture = queued.clone();
        let rows: Vec<String> = capture.text.split('\n').map(str::to_owned).collect();
        let below = rows.iter().rposition(|row| row.contains("Shell")).expect("the second call");
        let mut rows = rows;
        rows[below] = format!("  {state} Shell cat a.txt | sort | uniq ↑");
        capture.text = rows.join("\n");
        let reading = read(&capture);
        let prompt = reading.sighting().expect("a prompt");
        assert_eq!((prompt.kind, labels(prompt).len()), (shared_types::PromptKind::Permission, 4), "{state}");
    }
}

#[test]
fn remarks_before_the_first_screen_wait_for_nobody() {
    let capture =
        crate::Capture { text: "g EACCES. Falling back to grep.".into(), cols: 80, rows: 24, ..Default::default() };
    assert!(matches!(read(&capture), Reading::Starting { .. }));
    let asks = crate::Capture { text: "Overwrite it?".into(), ..capture };
    assert_eq!(read(&asks), Reading::Unrecognized);
}

#[test]
fn a_message_that_waits_for_the_start_is_not_sent_yet() {
    let mut capture = case("ready-default-0.24.4-80x24").capture.clone();
    capture.text = capture.text.replace("(shift + tab to cycle)", "(shift + tab to cycle) ⏳ 1 queued");
    assert!(matches!(read(&capture), Reading::Busy { composer: Some(_), .. }));
}

#[test]
fn a_server_of_the_folder_is_asked_about() {
    let mut capture = case("startup-folder-trust-0.24.4-80x24").capture.clone();
    let words = [
        ("Do you trust this folder?", "Untrusted MCP server in .qwen/settings.json"),
        ("Trusting a folder allows Qwen Code to execute commands it suggests. This", "notes  touch OWNED (stdio)"),
        ("Trust folder (proj)", "Approve this server"),
        ("Trust parent folder (tr24-80)", "Approve all pending servers"),
        ("Don't trust (esc)", "Reject (esc)"),
    ];
    for (from, to) in words {
        assert!(capture.text.contains(from), "{from}");
        capture.text = capture.text.replace(from, to);
    }
    let Reading::Startup(dialog) = read(&capture) else { panic!("nothing is asked") };
    assert_eq!((dialog.kind, dialog.pass), (StartupKind::Other, None));
    let roles: Vec<_> = dialog.sighting.options.iter().map(|option| option.role).collect();
    assert_eq!(roles, [Some(OptionRole::Allow), Some(OptionRole::AllowAlways), Some(OptionRole::Deny)]);
    assert!(dialog.sighting.description.contains("touch OWNED"));
}

#[test]
fn only_this_folder_is_passed() {
    let Reading::Startup(dialog) = case("startup-folder-trust-0.24.4-46x30").reading() else { panic!("no start") };
    assert_eq!((dialog.kind, dialog.pass), (StartupKind::FolderTrust, Some(0)));
}

#[test]
fn a_dialog_above_a_composer_is_none() {
    // Every prompt, with the composer of a screen that is ready below it.
    let ready = &case("ready-default-0.24.4-80x24").capture.text;
    let rows: Vec<&str> = ready.split('\n').collect();
    let from = rows.iter().position(|row| row.contains("────") && !row.contains('┌') && !row.contains('└')).unwrap();
    let composer = rows[from..from + 5].join("\n");
    let mut seen = 0;
    for case in cases().iter().filter(|case| case.is_prompt() && case.meta.cols == 80) {
        let mut capture = case.capture.clone();
        capture.text = format!("{}\n{composer}", capture.text.trim_end_matches('\n'));
        capture.rows += 5;
        let reading = read(&capture);
        assert!(reading.sighting().is_none(), "{}: {reading:?}", case.name);
        seen += 1;
    }
    assert!(seen > 20);
}

#[test]
fn nothing_is_ready_while_the_title_says_that_somebody_is_waited_for() {
    let mut capture = case("ready-default-0.24.4-80x24").capture.clone();
    capture.title = "✳︎ Qwen - proj".to_owned();
    assert!(matches!(read(&capture), Reading::Busy { .. }));
    capture.title = "◐︎ Qwen - proj".to_owned();
    assert!(matches!(read(&capture), Reading::Busy { .. }));
}
