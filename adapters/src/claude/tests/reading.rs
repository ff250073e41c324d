//! What is read beyond the options: tools and their input, changes, plans, questions, states and identities.

use serde_json::json;
use shared_types::{OptionRole, PermissionMode, PromptKind};

use super::{case, drawn, read, sighting};
use crate::{Reading, StartupKind};

#[test]
fn a_command_is_whole_again_at_every_width() {
    let command = "find . -name \"*.log\" -type f -print0 | xargs -0 grep -l \"ERROR: connection refused\" | sort | uniq -c | \
                   sort -rn | head -50 > /tmp/report.txt && wc -l /tmp/report.txt";
    for case in ["perm-bash-long-2.1.325-46x30", "perm-bash-long-2.1.325-80x24", "perm-bash-long-2.0.76-46x30"] {
        let sighting = sighting(case);
        assert_eq!(sighting.tool_input, Some(json!(command)), "{case}");
        assert_eq!(sighting.tool_name.as_deref(), Some("Bash"), "{case}");
        assert!(sighting.description.starts_with("Find log files with connection errors and write a sorted report"));
    }
    let decoy = sighting("perm-bash-decoy-2.1.325-80x24");
    let script = "cat > notes.sh <<'XX'\n#!/bin/bash\necho \"Do you want to proceed?\"\necho \"1. Yes\"\necho \"2. No\"\nXX\nbash notes.sh";
    assert_eq!(decoy.tool_input, Some(json!(script)));
}

#[test]
fn a_change_is_a_unified_diff() {
    let wanted = "@@ -2,7 +2,9 @@\n \n \n def add(a, b):\n-    return a + b\n+    # add two numbers\n+    result = a + b\n+    return \
                  result\n \n \n def sub(a, b):";
    for case in ["perm-edit-2.1.325-46x30", "perm-edit-2.0.76-80x24", "perm-edit-2.1.325-120x40"] {
        let diff = sighting(case).diff;
        assert_eq!(diff.len(), 1, "{case}");
        assert_eq!((diff[0].path.as_str(), diff[0].unified.as_str()), ("src/app.py", wanted), "{case}");
    }
    let new =
        "@@ -0,0 +1,5 @@\n+def main():\n+    print(\"hello, world\")\n+\n+if __name__ == \"__main__\":\n+    main()";
    for case in ["perm-write-2.1.325-80x24", "perm-write-2.0.76-46x30"] {
        assert_eq!(sighting(case).diff[0].unified, new, "{case}");
    }
    let clipped = sighting("perm-edit-long-2.1.325-80x24");
    assert_eq!(clipped.diff[0].path, "long.py");
    assert!(clipped.diff[0].unified.starts_with("@@ -23,3 +23,16 @@\n+line_22 = 44  # changed\n"));
}

#[test]
fn tools_are_named_with_their_input() {
    let mail = json!({ "to": "bob@example.com", "subject": "Hi", "body": "Lunch?" });
    let page = json!({ "url": "https://example.com/docs/page", "prompt": "Summarise the page" });
    let table = [
        ("perm-mcp-2.1.325-80x24", "mcp__demo__send_mail", mail),
        ("perm-webfetch-2.1.325-46x30", "WebFetch", page),
        ("perm-webfetch-2.0.76-46x30", "WebFetch", json!({ "url": "https://example.com/docs/page" })),
        ("perm-read-outside-2.0.76-46x30", "Read", json!({ "file_path": "/etc/hostname" })),
        ("perm-overwrite-2.1.325-46x30", "Write", json!({ "file_path": "README.md" })),
    ];
    for (case, tool, input) in table {
        let sighting = sighting(case);
        assert_eq!((sighting.tool_name.as_deref(), sighting.tool_input), (Some(tool), Some(input)), "{case}");
    }
    assert_eq!(sighting("perm-bash-subagent-2.1.325-120x40").agent.as_deref(), Some("general-purpose"));
}

#[test]
fn a_plan_comes_with_its_body() {
    let plan = sighting("plan-2.0.76-46x30");
    assert_eq!(plan.kind, PromptKind::Plan);
    let wanted = "Plan: add a login page\n\n1. Create src/login.py with a form handler\n2. Add a route in src/app.py\n3. Write tests in \
                  tests/test_login.py\n\nVerification\n\n- run the test suite";
    assert_eq!(plan.plan.as_deref(), Some(wanted));
    let roles: Vec<_> = plan.options.iter().map(|option| option.role).collect();
    assert_eq!(roles, [Some(OptionRole::AllowAlways), Some(OptionRole::Allow), Some(OptionRole::Feedback)]);
}

#[test]
fn roles_and_key_hints_are_read() {
    let edit = sighting("perm-edit-2.1.325-46x30");
    let read: Vec<_> = edit.options.iter().map(|option| (option.role, option.hint.as_deref())).collect();
    let wanted = [
        (Some(OptionRole::Allow), None),
        (Some(OptionRole::AllowAlways), Some("shift+tab")),
        (Some(OptionRole::Deny), None),
    ];
    assert_eq!(read, wanted);
}

#[test]
fn of_several_questions_the_front_one_is_known() {
    let sighting = sighting("ask-tabs-q2-2.1.325-46x30");
    assert_eq!(sighting.question_index, Some(1));
    let headers: Vec<_> = sighting.questions.iter().map(|question| question.header.as_str()).collect();
    assert_eq!(headers, ["Langu…", "Features", "Deploy"]);
    let front = &sighting.questions[1];
    assert_eq!((front.question.as_str(), front.multi_select), ("Which features do you want?", Some(true)));
    let labels: Vec<_> = front.options.iter().map(|option| option.label.as_str()).collect();
    assert_eq!(labels, ["Auth", "Cache", "Queue", "Type something", "Chat about this"]);
}

#[test]
fn a_prompt_stays_the_same_while_it_is_answered() {
    let groups: &[&[&str]] = &[
        &[
            "ask-tabs-q1-2.1.325-46x30",
            "ask-tabs-q2-2.1.325-46x30",
            "ask-tabs-q3-2.1.325-46x30",
            "ask-tabs-review-2.1.325-46x30",
        ],
        &["ask-multi-2.1.325-80x24", "ask-multi-toggled-2.1.325-80x24", "ask-multi-after-tab-2.1.325-80x24"],
        &["ask-single-2.1.325-46x30", "ask-single-typing-empty-2.1.325-46x30", "ask-single-typed-2.1.325-46x30"],
        &["perm-bash-2.1.50-46x30", "perm-bash-amend-no-2.1.50-46x30", "perm-bash-amend-no-typed-2.1.50-46x30"],
        &["perm-bash-npm-2.1.50-46x30", "perm-bash-npm-2nd-2.1.50-46x30"],
        &["plan-2.1.325-80x24", "plan-feedback-empty-2.1.325-80x24", "plan-feedback-typed-2.1.325-80x24"],
        &["perm-bash-short-80x12-2.1.325", "perm-bash-resized-120to46-2.1.325"],
    ];
    for group in groups {
        let prints: Vec<_> = group.iter().map(|case| sighting(case).fingerprint()).collect();
        assert!(prints.windows(2).all(|pair| pair[0] == pair[1]), "{group:?} {prints:?}");
    }
    let different = ["perm-bash-2.1.325-46x30", "perm-bash-npm-2.1.325-46x30", "perm-bash-long-2.1.325-46x30"];
    let prints: std::collections::HashSet<_> = different.iter().map(|case| sighting(case).fingerprint()).collect();
    assert_eq!(prints.len(), different.len());
}

#[test]
fn ghost_text_is_no_draft_and_a_verb_is_the_detail() {
    let table = [
        ("busy-queued-2.1.325-80x24", "Gitifying…"),
        ("busy-queued-2.0.76-46x30", "Working…"),
        ("busy-pretooluse-hook-pending-2.1.325-120x40", "Catapulting…"),
        ("busy-api-retry-2.1.325-120x40", "Connection refused — a firewall or proxy may be blocking it"),
    ];
    for (name, verb) in table {
        let Reading::Busy { detail, composer: Some(composer) } = case(name).reading() else { panic!("{name}") };
        assert_eq!((detail.as_str(), composer.draft.as_str()), (verb, ""), "{name}");
    }
    for (name, draft) in [
        ("none-interrupted-2.1.325-46x30", "please #think"),
        ("ready-multiline-2.1.325-80x24", "line one\nline two"),
        ("ready-2.1.325-80x24", ""),
    ] {
        let Reading::Ready(composer) = case(name).reading() else { panic!("{name}") };
        assert_eq!(composer.draft, draft, "{name}");
    }
}

#[test]
fn the_footer_says_the_permission_mode() {
    for (name, mode) in [
        ("ready-2.1.325-46x30", Some(PermissionMode::Ask)),
        ("ready-2.0.76-80x24", Some(PermissionMode::Ask)),
        ("ready-mode2-2.1.325-46x30", Some(PermissionMode::AcceptEdits)),
        ("ready-mode2-2.0.76-46x30", Some(PermissionMode::AcceptEdits)),
        ("ready-mode3-2.0.76-46x30", Some(PermissionMode::Plan)),
        ("ready-planmode-2.1.325-46x30", Some(PermissionMode::Plan)),
        ("ready-automode-2.1.325-120x40", Some(PermissionMode::Auto)),
        ("ready-bypass-2.1.325-46x30", Some(PermissionMode::Bypass)),
        ("ready-bypass-2.0.76-120x40", Some(PermissionMode::Bypass)),
        ("ready-shell-mode-2.1.325-80x24", None),
    ] {
        let Reading::Ready(composer) = case(name).reading() else { panic!("{name}") };
        assert_eq!(composer.mode, mode, "{name}");
    }
}

#[test]
fn start_up_dialogs_are_known_with_the_row_that_passes_them() {
    let table = [
        ("startup-trust-2.1.325-46x30", StartupKind::FolderTrust, "Yes, I trust this folder"),
        ("startup-trust-2.0.76-80x24", StartupKind::FolderTrust, "Yes, proceed"),
        ("startup-trust-2.1.50-120x40", StartupKind::FolderTrust, "Yes, I trust this folder"),
        ("startup-apikey-2.0.76-46x30", StartupKind::ApiKey, "Yes"),
        ("startup-apikey-2.1.325-80x24", StartupKind::ApiKey, "Yes"),
        ("startup-bypass-2.1.325-46x30", StartupKind::BypassWarning, "Yes, I accept"),
        ("startup-bypass-2.0.76-80x24", StartupKind::BypassWarning, "Yes, I accept"),
        ("startup-bypass-2.1.50-60x28", StartupKind::BypassWarning, "Yes, I accept"),
        ("startup-imports-2.1.50-70x26", StartupKind::Other, "No, disable external imports"),
        ("startup-mcpjson-2.1.325-120x40", StartupKind::Other, "Continue without using this MCP server"),
        ("startup-onboarding-0-2.1.325-120x40", StartupKind::Appearance, "Dark mode"),
        ("startup-onboarding-2-2.1.325-120x40", StartupKind::Notice, "continue"),
    ];
    for (name, kind, row) in table {
        let Reading::Startup(dialog) = case(name).reading() else { panic!("{name} is no start-up dialog") };
        let pass = dialog.pass.map(|pass| dialog.sighting.options[pass].label.clone());
        assert_eq!((dialog.kind, pass.as_deref()), (kind, Some(row)), "{name}");
    }
}

#[test]
fn servers_to_be_checked_are_left_to_the_person() {
    for name in ["startup-mcpjson-two-2.1.325-70x26", "startup-mcpjson-two-2.1.50-70x26"] {
        let Reading::Startup(dialog) = case(name).reading() else { panic!("{name} is no start-up dialog") };
        assert_eq!((dialog.kind, dialog.pass), (StartupKind::Other, None), "{name}");
        let checked: Vec<_> = dialog.sighting.options.iter().map(|option| option.checked).collect();
        assert_eq!((checked, dialog.sighting.multi_select), (vec![Some(true); 2], true), "{name}");
    }
}

#[test]
fn nothing_drawn_yet_is_starting_and_half_a_frame_is_not_understood() {
    assert_eq!(read(&drawn(80, &["", ""])), Reading::Starting { detail: String::new() });
    assert_eq!(read(&drawn(80, &["Loading", ""])), Reading::Starting { detail: "Loading".to_owned() });
    let rule = "─".repeat(80);
    assert_eq!(read(&drawn(80, &["● Working on it", &rule, "❯ hello"])), Reading::Unrecognized);
}

#[test]
fn a_numbered_list_that_was_said_is_no_part_of_a_dialog_without_numbers() {
    let rule = "─".repeat(80);
    let lines = [
        "● Two ways:",
        "  1. One",
        "  2. Two",
        &rule,
        " Bash command",
        "",
        " Proceed?",
        " ❯ No",
        "   Yes",
        "",
        " Esc to cancel",
    ];
    let reading = read(&drawn(80, &lines));
    let labels: Vec<_> = reading.sighting().unwrap().options.iter().map(|option| option.label.as_str()).collect();
    assert_eq!(labels, ["No", "Yes"]);
}

/// Needs a sandbox of the system's own to be seen, so it is drawn here as the program would.
#[test]
fn a_connection_out_of_the_sandbox_is_a_prompt() {
    let rule = "─".repeat(80);
    let lines = [
        "● Bash(curl https://example.com)",
        "",
        &rule,
        " Network request outside of sandbox",
        "",
        "   Host: example.com",
        "",
        " Do you want to allow this connection?",
        " ❯ 1. Yes",
        "   2. Yes, and don't ask again for example.com",
        "   3. No, and tell Claude what to do differently (esc)",
    ];
    let Reading::Prompt(sighting) = read(&drawn(80, &lines)) else { panic!("no prompt") };
    let roles: Vec<_> = sighting.options.iter().map(|option| option.role).collect();
    assert_eq!(roles, [Some(OptionRole::Allow), Some(OptionRole::AllowAlways), Some(OptionRole::Deny)]);
    assert_eq!((sighting.kind, sighting.selected), (PromptKind::Permission, Some(0)));
    let said = format!("{} {} {:?}", sighting.title, sighting.description, sighting.tool_input);
    assert!(said.contains("Network request") && said.contains("example.com"), "{said}");
}

#[test]
fn what_is_asked_beside_the_composer_may_be_left_alone() {
    for size in ["120x40", "80x24", "46x30"] {
        for version in ["2.1.325", "2.0.76"] {
            let reading = case(&format!("aside-survey-{version}-{size}")).reading();
            let Reading::Aside { composer, sighting } = reading else { panic!("{version} {size}: {reading:?}") };
            assert_eq!((composer.draft.as_str(), composer.mode), ("", Some(PermissionMode::Ask)));
            assert!(sighting.optional);
        }
    }
    // The same while the digit that answers stands in the composer.
    let asked = sighting("aside-survey-2.1.325-80x24");
    assert_eq!(sighting("aside-survey-typed-2.1.325-80x24").fingerprint(), asked.fingerprint());
}

/// Not reached live: it follows a rating, where the vendor's servers say so.
#[test]
fn whether_the_conversation_may_be_looked_at_is_asked_aside_as_well() {
    let rule = "─".repeat(80);
    let lines = [
        "\u{1b}[36m● \u{1b}[1;39mCan Anthropic look at your session transcript to help us improve Claude Code?\u{1b}[0m",
        "  \u{1b}[2mLearn more: https://code.claude.com/docs/en/data-usage\u{1b}[0m",
        "  \u{1b}[36my\u{1b}[39m: Yes    \u{1b}[36mn\u{1b}[39m: No     \u{1b}[36md\u{1b}[39m: Don't ask again",
        "",
        &rule,
        "❯ ",
        &rule,
        "  ? for shortcuts",
    ];
    let Reading::Aside { sighting, .. } = read(&drawn(80, &lines)) else { panic!("nothing is asked") };
    assert_eq!(sighting.title, "Can Anthropic look at your session transcript to help us improve Claude Code?");
    assert!(sighting.description.starts_with("Learn more:"), "{}", sighting.description);
    let options: Vec<_> =
        sighting.options.iter().map(|option| (option.number.as_deref(), option.label.as_str())).collect();
    assert_eq!(options, [(Some("y"), "Yes"), (Some("n"), "No"), (Some("d"), "Don't ask again")]);
}

#[test]
fn a_command_whose_top_is_off_the_screen_is_incomplete() {
    // 2.1.326 draws what fits from below; nothing on the screen says that `rm -rf ~/x` stands above.
    let mut rows: Vec<String> = (28..60).map(|step| format!(" │ echo step {step}")).collect();
    rows.push("╌".repeat(80));
    rows.extend(
        [" Do you want to proceed?", " ❯ 1. Yes", "   2. No", "", " Esc to cancel · Tab to amend"].map(str::to_owned),
    );
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let reading = read(&drawn(80, &rows));
    let sighting = reading.sighting().unwrap();
    assert!(sighting.incomplete);
    assert!(sighting.tool_input.as_ref().unwrap().as_str().unwrap().starts_with("echo step 28\n"));
}

/// Seen with 2.1.326 on a busy machine: the dialog of an answered call goes, and for one frame its last rows stand there alone.
#[test]
fn what_is_left_of_a_dialog_that_goes_is_no_dialog() {
    let rule = "─".repeat(80);
    let dialog = [
        "● Running",
        "",
        "",
        "",
        &rule,
        " Bash command",
        "",
        " echo one",
        "",
        " Do you want to proceed?",
        "   1. Yes",
        "   2. No",
        "",
        " Esc to cancel · Tab to amend",
    ];
    assert!(read(&drawn(80, &dialog)).sighting().is_some());
    for wiped in 5..dialog.len() {
        let left: Vec<&str> = dialog.iter().enumerate().map(|(at, row)| if at < wiped { "" } else { *row }).collect();
        assert_eq!(read(&drawn(80, &left)).sighting(), None, "{left:#?}");
    }
    // The composer is drawn over it from above.
    let left = ["● Done", "", &rule, "   2. No", "", " Esc to cancel · Tab to amend"];
    assert_eq!(read(&drawn(80, &left)).sighting(), None);
}

#[test]
fn rows_that_are_left_out_are_no_part_of_the_command() {
    let rule = "─".repeat(80);
    let dashes = "╌".repeat(80);
    let dialog = |row: &str| {
        let rows = [
            "● Running",
            "",
            &rule,
            "\u{1b}[1m Bash command\u{1b}[0m",
            &dashes,
            " │ echo one",
            row,
            " │ echo nine",
            &dashes,
            " Do you want to proceed?",
            " ❯ 1. Yes",
            "   2. No",
            "",
            " Esc to cancel · Tab to amend",
        ];
        let reading = read(&drawn(80, &rows));
        let sighting = reading.sighting().unwrap();
        (sighting.tool_input.clone().unwrap(), sighting.incomplete)
    };
    assert_eq!(dialog(" │ … +7 lines"), ("echo one\necho nine".into(), true));
    assert_eq!(dialog(" │ echo two"), ("echo one\necho two\necho nine".into(), false));
    assert!(dialog(" │ echo tw…").1);
}
