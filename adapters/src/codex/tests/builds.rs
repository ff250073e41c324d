//! Dialogs that are not in the corpus, drawn after the snapshots in Codex's public source (0.80 to 0.150).

use shared_types::{OptionRole, PromptKind};

use super::{drawn, labels, read};
use crate::{Capture, Reading, Sighting, screen::Cursor};

pub(super) fn prompt(rows: &[&str]) -> Sighting {
    match read(&drawn(rows)) {
        Reading::Prompt(sighting) => sighting,
        reading => panic!("{reading:?}"),
    }
}

#[test]
fn the_network_approval() {
    let sighting = prompt(&[
        " • Running curl example.com",
        " ",
        " ",
        "b  Do you want to approve network access to \"example.com\"?",
        " ",
        "   Reason: network request blocked",
        " ",
        " ",
        "s› 1. Yes, just this once (y)",
        "   2. Yes, and allow this host for this conversation (a)",
        "   3. Yes, and allow this host in the future (p)",
        "   4. No, and tell Codex what to do differently (esc)",
        " ",
        "d  Press enter to confirm or esc to cancel",
    ]);
    assert_eq!(sighting.kind, PromptKind::Permission);
    assert_eq!(sighting.title, "Do you want to approve network access to \"example.com\"?");
    assert_eq!(sighting.description, "Reason: network request blocked");
    let roles: Vec<_> = sighting.options.iter().filter_map(|option| option.role).collect();
    assert_eq!(roles, [OptionRole::Allow, OptionRole::AllowAlways, OptionRole::AllowAlways, OptionRole::Deny]);
}

#[test]
fn the_rate_limit_switch() {
    let sighting = prompt(&[
        " • Done.",
        " ",
        "b  Approaching rate limits",
        "d  Switch to gpt-5.6-luna for lower credit usage?",
        " ",
        "s› 1. Switch to gpt-5.6-luna                 Fast and affordable agentic coding",
        "s                                            model.",
        "   2. Keep current model",
        "   3. Keep current model (never show again)  ~Hide future rate limit reminders",
        "                                             ~about switching models.",
        " ",
        "d  Press enter to confirm or esc to go back",
    ]);
    assert_eq!((sighting.kind, sighting.title.as_str()), (PromptKind::Question, "Approaching rate limits"));
    let wanted = ["Switch to gpt-5.6-luna", "Keep current model", "Keep current model (never show again)"];
    assert_eq!(labels(&sighting), wanted);
    assert_eq!(sighting.options[0].description.as_deref(), Some("Fast and affordable agentic coding model."));
}

#[test]
fn a_plan_with_another_row_selected() {
    let sighting = prompt(&[
        "b  Implement this plan?",
        " ",
        "   1. Yes, implement this plan  ~Switch to Default and start coding.",
        "s› 2. No, stay in Plan mode     Continue planning with the model.",
        " ",
        "d  Press enter to confirm or esc to go back",
    ]);
    assert_eq!((sighting.kind, sighting.selected), (PromptKind::Plan, Some(1)));
    assert_eq!(labels(&sighting), ["Yes, implement this plan", "No, stay in Plan mode"]);
}

#[test]
fn a_scrolled_question_says_that_there_is_more() {
    let sighting = prompt(&[
        "d  Question 1/1 (1 unanswered)",
        "   What would you like to do next?",
        " ",
        "     2. Run tests      ~Pick a crate and run its tests.",
        "     3. Review a diff  ~Summarize or review current changes.",
        "i  › 4. Refactor       Tighten structure and remove dead code.",
        " ",
        "d  option 4/5 | tab to add notes | enter to submit answer | esc to interrupt",
    ]);
    assert!(sighting.more_options);
    assert_eq!((sighting.options.len(), sighting.selected), (3, Some(2)));
    assert!(sighting.text.is_some());
}

#[test]
fn a_question_without_options_is_a_text_field() {
    let mut capture = drawn(&[
        "d  Question 2/2 (2 unanswered)",
        "   Share details.",
        " ",
        "b  › \u{1b}[0;2mType your answer (optional)",
        " ",
        "d  enter to submit all | ctrl + p / ctrl + n change question | esc to interrupt",
    ]);
    capture.cursor = Cursor { x: 4, y: 3, visible: true };
    let Reading::Prompt(sighting) = read(&capture) else { panic!("{:?}", read(&capture)) };
    let text = sighting.text.unwrap();
    assert_eq!((sighting.title.as_str(), sighting.options.len()), ("Share details.", 0));
    assert_eq!((text.value.as_str(), text.focused), ("", true));
    assert_eq!(text.placeholder.as_deref(), Some("Type your answer (optional)"));
    assert_eq!((sighting.questions.len(), sighting.question_index, sighting.unanswered), (2, Some(1), 2));
    assert!(sighting.questions[1].text_input.is_some() && sighting.questions[0].text_input.is_none());
}

#[test]
fn a_field_of_a_form_takes_text() {
    let mut capture = drawn(&[
        "d  Field 2/3 (1 required unanswered)",
        "   Please fill in the deployment details.",
        " ",
        "   Name",
        "   What to call it",
        "b  ›\u{1b}[0m blue whale",
        "   enter to submit answer | esc to cancel",
    ]);
    capture.cursor = Cursor { x: 14, y: 5, visible: true };
    let Reading::Prompt(sighting) = read(&capture) else { panic!("{:?}", read(&capture)) };
    assert_eq!(sighting.text.as_ref().map(|text| text.value.as_str()), Some("blue whale"));
    assert_eq!((sighting.title.as_str(), sighting.unanswered), ("Please fill in the deployment details.", 1));
    let name = &sighting.questions[1];
    assert_eq!((name.header.as_str(), name.question.as_str()), ("Name", "What to call it"));
    assert_eq!(sighting.kind, PromptKind::Question);
}

#[test]
fn a_short_pane_hides_the_header_and_says_so() {
    let sighting = prompt(&[
        "b  Would you like to run the following",
        "d  [… 12 lines] ctrl + a view all",
        "s› 1. Yes, proceed (y)",
        "   2. No, and tell Codex what to do",
        "      differently (esc)",
        " ",
        "d  Press enter to confirm or esc to cancel",
    ]);
    assert!(sighting.incomplete);
    assert_eq!(sighting.kind, PromptKind::Permission);
    assert_eq!(labels(&sighting), ["Yes, proceed", "No, and tell Codex what to do differently"]);
}

#[test]
fn a_command_cut_at_its_end_is_incomplete_without_the_mark() {
    let mut rows =
        vec!["b  Would you like to run the following command?", " ", "   $ npm run test:unit -- --shard 1/40"];
    rows.extend(["   npm run test:unit -- --shard 2/40", "   npm run test:unit -- --shard 3/40"]);
    rows.extend(["d  [… 47 lines] ^a view all", " ", "s› 1. Yes, proceed (y)"]);
    rows.extend([
        "   2. No, and tell Codex what to do differently (esc)",
        " ",
        "d  Press enter to confirm or esc to cancel",
    ]);
    let sighting = prompt(&rows);
    let shown: Vec<String> = (1..=3).map(|shard| format!("npm run test:unit -- --shard {shard}/40")).collect();
    assert_eq!((sighting.tool_input, sighting.incomplete), (Some(shown.join("\n").into()), true));
    // A line of the command that only looks like the mark is part of the command.
    rows[5] = "   [… 47 lines] ; rm -rf x";
    let faked = prompt(&rows);
    assert!(faked.tool_input.unwrap().as_str().unwrap().ends_with("[… 47 lines] ; rm -rf x"));
}

#[test]
fn what_a_servers_tool_is_given_is_whole_only_below_codexs_limits() {
    let asked = |values: &[&str]| {
        let title = "   Allow the demo MCP server to run tool \"send\"?";
        let mut rows = vec!["d  Field 1/1", title, " "];
        rows.extend(values);
        let options = ["s› 1. Allow  Run the tool and continue.", "   2. Cancel  ~Cancel this tool call"];
        rows.extend([" ", options[0], options[1], " ", "d  enter to submit | esc to cancel"]);
        prompt(&rows)
    };
    let long = format!("   text: {}...", "x".repeat(57));
    assert!(!asked(&["   text: hello", "   to: ann"]).incomplete);
    assert!(asked(&["   text: hello", "   to: ann", "   cc: bob"]).incomplete, "a fourth one would not be shown");
    assert!(asked(&[&long]).incomplete);
}

#[test]
fn a_command_with_blank_rows_of_its_own_is_whole() {
    let sighting = prompt(&[
        " • Running python3",
        " ",
        " ",
        "b  Would you like to run the following command?",
        " ",
        "   $ python3 - <<'PY'",
        "   import os",
        " ",
        " ",
        "   print(1)",
        "   PY",
        " ",
        "s› 1. Yes, proceed (y)",
        "   2. No, and tell Codex what to do differently (esc)",
        " ",
        "d  Press enter to confirm or esc to cancel",
    ]);
    let script = "python3 - <<'PY'\nimport os\n\n\nprint(1)\nPY";
    assert_eq!(sighting.tool_input.as_ref().and_then(|input| input.as_str()), Some(script));
    assert!(!sighting.incomplete);
}

#[test]
fn a_menu_below_the_composer_is_no_dialog() {
    let rows = ["b›\u{1b}[0m /mo", " ", "s› /model   choose what model to use", "   /mode    ~choose a mode"];
    let reading = read(&drawn(&rows));
    assert_eq!(reading, Reading::Unrecognized);
}

#[test]
fn an_option_that_cannot_be_chosen_is_left_out() {
    let sighting = prompt(&[
        "b  Update Model Permissions",
        " ",
        "   1. Ask for approval        ~Codex can read and edit files in the current",
        "                              ~workspace, and run commands.",
        "d     Full Access (disabled)  Codex can edit files outside this workspace and",
        "d                             access the internet. (disabled by requirements)",
        "s› 2. Read Only (current)     Codex can read files in the current workspace.",
        " ",
        "d  Press enter to confirm or esc to go back",
    ]);
    assert_eq!(labels(&sighting), ["Ask for approval", "Read Only (current)"]);
    let description = "Codex can read and edit files in the current workspace, and run commands.";
    assert_eq!(sighting.options[0].description.as_deref(), Some(description));
}

#[test]
fn a_pager_that_quotes_a_dialog_is_not_understood() {
    let rows = [
        " / T R A N S C R I P T / / / / / / / / / / / /",
        "b  Would you like to run the following command?",
        " ",
        "s› 1. Yes, proceed (y)",
        "   2. No (esc)",
        " ───────────────────────────────────── 100% ─",
        "d ↑/↓ to scroll   q to quit   esc to edit prev",
    ];
    assert_eq!(read(&drawn(&rows)), Reading::Unrecognized);
}

#[test]
fn check_boxes_are_read() {
    let sighting = prompt(&[
        "b  Enable/Disable Skills",
        " ",
        "i› [x] Repo Scout        Summarize the repo layout",
        "   [ ] Changelog Writer  ~Draft release notes",
        " ",
        "d  Press space or enter to toggle; esc to close",
    ]);
    assert!(sighting.multi_select);
    assert_eq!(labels(&sighting), ["Repo Scout", "Changelog Writer"]);
    let checked: Vec<_> = sighting.options.iter().map(|option| option.checked).collect();
    assert_eq!(checked, [Some(true), Some(false)]);
}

#[test]
fn what_is_built_otherwise_is_unrecognized_and_a_blank_screen_is_starting() {
    let unknown = drawn(&[" +----------+", " | Proceed? |", " | [OK] [x] |", " +----------+"]);
    assert_eq!(read(&unknown), Reading::Unrecognized);
    let shown = Capture { cursor: Cursor { x: 3, y: 1, visible: true }, title: "⠙ x".to_owned(), ..unknown };
    assert_eq!(read(&shown), Reading::Unrecognized);
    assert_eq!(read(&drawn(&[" ", " "])), Reading::Starting { detail: String::new() });
}

#[test]
fn loading_and_old_ready_screens_differ_by_the_status() {
    let ready = |footer: &str| {
        let mut capture = drawn(&["b›\u{1b}[0;2m Ask Codex to do anything", " ", footer]);
        capture.cursor = Cursor { x: 2, y: 0, visible: true };
        read(&capture)
    };
    for footer in ["d  100% context left · ? for shortcuts", "   gpt-5.4 default · /work", "d  100% context left"] {
        assert_eq!(ready(footer), Reading::Ready(crate::Composer::default()), "{footer}");
    }
    assert!(matches!(ready("d  ? for shortcuts"), Reading::Starting { .. }));
}

#[test]
fn waiting_messages_between_the_working_row_and_the_composer_do_not_hide_it() {
    let mut capture = drawn(&[
        "b•\u{1b}[0m Working ~(1m 02s • esc to interrupt)",
        " ",
        " • Messages to be sent after the next step",
        "    ↳ hello",
        " ",
        "b›\u{1b}[0;2m Ask Codex to do anything",
        " ",
        "   gpt-5.4 default · /work",
    ]);
    capture.cursor = Cursor { x: 2, y: 5, visible: true };
    let Reading::Busy { detail, .. } = read(&capture) else { panic!("{:?}", read(&capture)) };
    assert_eq!(detail, "Working");
}
