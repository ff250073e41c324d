//! What captured screens say beyond what their `meta.json` holds.

use serde_json::Value;
use shared_types::{OptionRole, PermissionMode};

use super::{case, cases, labels, sighting};
use crate::{
    Adapter, Keystroke, Offer, Reading, StartupKind, Step,
    answer::responses::{choose, say},
    gemini::Gemini,
};

#[test]
fn the_own_folder_is_trusted_and_never_its_parent() {
    for case in cases().iter().filter(|case| case.name.starts_with("startup-folder-trust")) {
        let Reading::Startup(dialog) = case.reading() else { panic!("{}", case.name) };
        assert_eq!(dialog.kind, StartupKind::FolderTrust);
        assert_eq!(labels(&dialog.sighting)[dialog.pass.unwrap()], "Trust folder (proj)");
    }
}

#[test]
fn editors_are_declined_and_not_for_good() {
    for (name, label) in [("startup-ide-nudge-0.61.0-80x24", "No"), ("startup-terminal-setup-0.61.0-46x30", "No")] {
        let Reading::Startup(dialog) = case(name).reading() else { panic!("{name}") };
        assert_eq!(dialog.kind, StartupKind::Integration);
        assert_eq!(labels(&dialog.sighting)[dialog.pass.unwrap()], label);
    }
}

#[test]
fn a_key_in_the_environment_is_used() {
    for case in cases().iter().filter(|case| case.name.starts_with("startup-auth-with-key")) {
        let Reading::Startup(dialog) = case.reading() else { panic!("{}", case.name) };
        assert_eq!(dialog.kind, StartupKind::ApiKey);
        assert_eq!(labels(&dialog.sighting)[dialog.pass.unwrap()], "Use Gemini API Key");
    }
}

/// The screen of 0.61 after the choice of the key, which it shows to be confirmed.
fn key_to_confirm(value: &str, detected: &str) -> Reading {
    let row = |text: &str| format!("│ {text:<70} │");
    let rows = [
        format!("╭{}╮", "─".repeat(72)),
        row("Enter Gemini API Key"),
        row(""),
        row("Please enter your Gemini API key. It will be securely stored."),
        row(""),
        row(&format!("╭{}╮", "─".repeat(66))),
        row(&format!("│ {:<73} │", format!("{value}\u{1b}[7m \u{1b}[0m"))),
        row(&format!("╰{}╯", "─".repeat(66))),
        row(""),
        row(detected),
        row(""),
        row("(Press Enter to submit, Esc to cancel, Ctrl+C to clear stored key)"),
        format!("╰{}╯", "─".repeat(72)),
    ];
    super::read_text(&rows.join("\n"), "◇  Ready (proj)")
}

#[test]
fn the_key_of_the_environment_is_confirmed_as_it_stands_and_no_other_is() {
    let detected = "Existing API key detected (GEMINI_API_KEY). Select it to use it.";
    let Reading::Startup(dialog) = key_to_confirm("made-up", detected) else { panic!("no dialog of the start") };
    assert_eq!((dialog.kind, dialog.pass), (StartupKind::ApiKey, Some(0)));
    assert_eq!(dialog.sighting.options[0].offer, Offer::Button, "nobody is offered that");
    let keep = choose(&dialog.sighting.option_values()[0]);
    let submit = Step::Submit { keys: vec![Keystroke::ENTER] };
    assert_eq!(Gemini.answer(&dialog.sighting, &keep), Ok(submit));
    // Somebody types another one over it.
    let other = Gemini.answer(&dialog.sighting, &say("another"));
    assert!(matches!(other, Ok(Step::Press { .. })), "{other:?}");
    for (value, hint) in [("", detected), ("made-up", "")] {
        let Reading::Startup(dialog) = key_to_confirm(value, hint) else { panic!("no dialog of the start") };
        assert_eq!(dialog.pass, None, "{value:?} {hint:?}");
        assert!(Gemini.answer(&dialog.sighting, &keep).is_err());
    }
}

#[test]
fn a_conversation_that_is_gone_on_with_is_seen_on_the_screen() {
    for (name, said) in [("ready-resumed-0.61.0-100x30", true), ("ready-default-0.61.0-80x24", false)] {
        assert_eq!(Gemini.is_resumed(&case(name).screen()), said, "{name}");
    }
}

#[test]
fn other_folders_and_accounts_are_asked_of_the_person() {
    for name in [
        "startup-multifolder-0.61.0-80x24",
        "startup-nothing-configured-0.22.4-80x24",
        "startup-auth-no-key-0.22.4-80x24",
    ] {
        let Reading::Startup(dialog) = case(name).reading() else { panic!("{name}") };
        assert_eq!((dialog.kind, dialog.pass), (StartupKind::Other, None), "{name}");
    }
    let key = sighting("startup-auth-no-key-0.22.4-80x24").text.unwrap();
    assert_eq!((key.placeholder.as_deref(), key.secret), (Some("Paste your API key here"), true));
}

#[test]
fn a_draft_is_read_and_a_suggestion_is_not() {
    let drafts = [
        ("ready-default-0.61.0-80x24", ""),
        ("ready-default-0.22.4-46x30", ""),
        ("none-slash-completion-0.61.0-80x24", "/mo"),
        ("none-at-completion-0.22.4-80x24", "@a"),
        ("none-tool-output-quotes-prompt-0.61.0-80x24", "1"),
        ("none-multiline-in-input-0.61.0-80x24", "SCN:hello line one\nline two\n  line three"),
        // A message typed here would be run as a command.
        ("none-shellmode-0.61.0-80x24", "!"),
        ("none-shellmode-0.22.4-80x24", "!"),
    ];
    for (name, draft) in drafts {
        let Reading::Ready(composer) = case(name).reading() else { panic!("{name}") };
        assert_eq!(composer.draft, draft, "{name}");
    }
}

#[test]
fn a_busy_screen_tells_what_it_is_busy_with_and_takes_messages() {
    let details = [
        ("busy-text-0.61.0-46x30", "Thinking..."),
        ("busy-queued-0.22.4-80x24", "If you're using an IDE, see the context with Ctrl+G..."),
        ("none-loop-disabled-0.22.4-46x30", "Just waiting for the dial-up tone to finish."),
    ];
    for (name, wanted) in details {
        let Reading::Busy { detail, composer } = case(name).reading() else { panic!("{name}") };
        assert_eq!((detail.as_str(), composer.is_some()), (wanted, true), "{name}");
    }
}

#[test]
fn a_command_is_whole_however_it_was_wrapped() {
    let command = r#"cd /tmp && find . -type f -name "*.log" -mtime +7 -print0 | xargs -0 -I{} sh -c 'echo removing {}; rm -f {}' && echo "finished cleaning up the old log files in the temporary folder""#;
    for size in ["0.61.0-120x40", "0.61.0-80x24", "0.61.0-46x30", "0.22.4-120x40", "0.22.4-46x30"] {
        let sighting = sighting(&format!("perm-shell-long-{size}"));
        assert_eq!(sighting.tool_input, Some(Value::String(command.to_owned())), "{size}");
    }
    let lines = "for i in 1 2 3; do\n  echo \"line $i\"\ndone\nmkdir -p out\ncp a.txt out/";
    for size in ["0.61.0-120x40", "0.61.0-46x30", "0.22.4-120x40"] {
        let sighting = sighting(&format!("perm-shell-multiline-{size}"));
        assert_eq!(sighting.tool_input, Some(Value::String(lines.to_owned())), "{size}");
    }
}

#[test]
fn a_long_command_is_the_same_prompt_however_much_of_it_is_hidden() {
    let shown = |hidden: u32| {
        let row = |text: &str| format!("│ {text:<60} │");
        let lines = (hidden..20).map(|line| row(&format!("│ touch {line:<50} │")));
        let mut rows =
            vec![format!("╭{}╮", "─".repeat(62)), row("? Shell  Make files"), row(&format!("╭{}╮", "─".repeat(58)))];
        rows.push(row(&format!("│ {:<56} │", format!("... first {hidden} lines hidden (Ctrl+O to show) ..."))));
        rows.extend(lines);
        rows.extend([row(&format!("╰{}╯", "─".repeat(58))), row("Allow execution of [Shell]?"), row("")]);
        rows.extend([row("● 1. Allow once"), row("  2. No, suggest changes (esc)"), format!("╰{}╯", "─".repeat(62))]);
        let reading = super::read_text(&rows.join("\n"), "✋  Action Required (proj)");
        reading.sighting().unwrap_or_else(|| panic!("{reading:?}")).clone()
    };
    assert_ne!(shown(12).tool_input, shown(8).tool_input);
    assert_eq!(shown(12).fingerprint(), shown(8).fingerprint());
}

#[test]
fn a_change_is_a_unified_diff() {
    let unified = "@@ -1,5 +1,6 @@\n line one\n line two\n-line three\n+line THREE (edited)\n+and an extra line\n line four\n line five";
    for size in ["0.61.0-120x40", "0.61.0-46x30", "0.22.4-120x40"] {
        let diff = sighting(&format!("perm-edit-{size}")).diff;
        assert_eq!((diff[0].path.as_str(), diff[0].unified.as_str()), ("a.txt", unified), "{size}");
    }
    let diff = sighting("perm-write-0.61.0-46x30").diff;
    assert!(
        diff[0].unified.starts_with("@@ -0,0 +1,7 @@\n+import os\n+\n+def main():\n+    print("),
        "{}",
        diff[0].unified
    );
}

#[test]
fn the_parts_of_a_permission_are_told() {
    let sighting = sighting("perm-three-queued-second-0.61.0-46x30");
    assert_eq!(sighting.position.as_deref(), Some("1 of 2"));
    let roles: Vec<_> =
        sighting.options.iter().map(|option| (option.role, option.offer, option.hint.as_deref())).collect();
    assert_eq!(
        roles,
        [
            (Some(OptionRole::Allow), Offer::Offered, None),
            (Some(OptionRole::AllowAlways), Offer::Offered, None),
            (Some(OptionRole::Other), Offer::Withheld, None),
            (Some(OptionRole::Deny), Offer::Offered, Some("esc")),
        ]
    );
    let redirected = super::sighting("perm-shell-redirect-0.61.0-46x30");
    assert_eq!(redirected.title, "Allow execution of [Shell]?");
    assert_eq!(redirected.description, "Redirection detected. To auto-accept, press Shift+Tab");
}

#[test]
fn the_parts_of_questions_and_plans_are_told() {
    let sighting = sighting("question-tabs-2-multi-0.61.0-80x24");
    let headers: Vec<_> = sighting.questions.iter().map(|question| question.header.as_str()).collect();
    assert_eq!(headers, ["Database", "Features", "Name", "Tests"]);
    assert_eq!((sighting.question_index, sighting.multi_select, sighting.more_options), (Some(1), true, true));
    assert_eq!(sighting.options[1].description.as_deref(), Some("Prometheus endpoint"));
    assert_eq!(sighting.options[1].checked, Some(false));
    let review = super::sighting("question-tabs-5-review-0.61.0-46x30");
    assert_eq!(review.question_index, Some(4));
    assert_eq!(review.questions[2].options[0].label, "my service");
    let plan = super::sighting("plan-approval-feedback-focused-0.61.0-80x24");
    let field = plan.options[2].text.clone().unwrap();
    assert!(field.focused && field.value.is_empty());
    assert_eq!(plan.options[2].role, Some(OptionRole::Feedback));
    assert!(plan.plan.unwrap().contains("1. Open a.txt and read it."));
}

#[test]
fn the_mode_is_said_above_the_composer() {
    for (name, mode) in [
        ("ready-default-0.61.0-80x24", PermissionMode::Ask),
        ("ready-default-0.61.0-46x30", PermissionMode::Ask),
        ("ready-plan-0.61.0-46x30", PermissionMode::Plan),
        ("ready-yolo-0.61.0-120x40", PermissionMode::Bypass),
        ("ready-default-0.22.4-46x30", PermissionMode::Ask),
        ("ready-autoedit-0.22.4-46x30", PermissionMode::AcceptEdits),
        ("ready-yolo-0.22.4-80x24", PermissionMode::Bypass),
    ] {
        let Reading::Ready(composer) = case(name).reading() else { panic!("{name} is not ready") };
        assert_eq!(composer.mode, Some(mode), "{name}");
    }
}
