//! What makes a prompt the same one: the fingerprint, and the context that tells two equal ones apart. Over the captured screens of all
//! adapters.

use std::collections::BTreeMap;

use shared_types::{AdapterKind, PromptSource};

use super::{Fingerprint, Look};
use crate::{
    Screen, adapter_for,
    corpus::{Case, all_cases, sighting},
    screen::Line,
};
use crate::{
    claude::KIND as CLAUDE, codex::KIND as CODEX, copilot::KIND as COPILOT, demo::KIND as DEMO, gemini::KIND as GEMINI,
    generic::KIND as GENERIC, opencode::KIND as OPENCODE, qwen::KIND as QWEN,
};

/// Prompts that cannot have one fingerprint at every size, and why.
#[rustfmt::skip]
const CUT: &[(AdapterKind, &str, &str)] = &[
    (CLAUDE, "perm-automode-unavailable-2.1.325", "46 columns clip its keys off the screen"),
    (CODEX, "v050-exec-approval", "0.50 cuts title and labels to the width"),
    (CODEX, "v050-exec-long", "0.50 cuts title and labels to the width"),
    (CODEX, "v050-patch-approval", "0.50 cuts title and labels to the width"),
    (CODEX, "v166-patch-approval", "captured in another folder at each size"),
    (CODEX, "v166-patch-update", "captured in another folder at each size"),
    (CODEX, "v166-write-stdin-approval", "captured with another terminal at each size"),
    (COPILOT, "perm-create-1.0.102", "captured in another folder at each size"),
    (COPILOT, "perm-create-fakebox-1.0.102", "captured in another folder at each size"),
    (COPILOT, "perm-create-list-1.0.102", "captured in another folder at each size"),
    (COPILOT, "perm-edit-1.0.102", "captured in another folder at each size"),
    (COPILOT, "perm-edit-big-1.0.102", "captured in another folder at each size"),
    (COPILOT, "perm-hook-ask-1.0.102", "captured in another folder at each size"),
    (COPILOT, "perm-two-second-1.0.102", "of two dialogs, which came first differed from run to run"),
    (GEMINI, "perm-mcp-0.22.4", "only 120x40 has room for what the tool would be given"),
    (GEMINI, "perm-mcp-0.61.0", "only 120x40 has room for what the tool would be given"),
    (GEMINI, "perm-shell-multiline-0.22.4", "only 120x40 has room for the whole command"),
    (QWEN, "perm-mcp-0.24.4", "46 columns cut the question"),
    (QWEN, "perm-shell-long-0.24.4", "captured in another folder at each size"),
    (OPENCODE, "perm-bash-wide-1.18.33", "46 columns cut the command"),
    (OPENCODE, "plan-exit-1.18.33", "captured with another plan at each size"),
    (OPENCODE, "question-many-1.18.33", "80x24 cuts the last rows"),
    (GENERIC, "more-file", "it says how much of the file was shown"),
];

fn print(cli: AdapterKind, name: &str) -> Fingerprint {
    sighting(cli, name).fingerprint()
}

#[test]
fn a_prompt_is_the_same_while_it_is_being_answered() {
    let same: &[(AdapterKind, &[&str])] = &[
        (
            CLAUDE,
            &["perm-bash-2.1.50-46x30", "perm-bash-lastrow-2.1.50-46x30", "perm-bash-amend-no-typed-2.1.50-46x30"],
        ),
        (CLAUDE, &["ask-multi-2.1.325-80x24", "ask-multi-toggled-2.1.325-80x24", "ask-multi-after-tab-2.1.325-80x24"]),
        (CLAUDE, &["ask-tabs-q1-2.1.325-46x30", "ask-tabs-q2-2.1.325-46x30", "ask-tabs-review-2.1.325-46x30"]),
        (CLAUDE, &["plan-feedback-empty-2.1.325-80x24", "plan-feedback-typed-2.1.325-80x24"]),
        (CODEX, &["v166-question-single-80x24", "v166-question-notes-empty-80x24", "v166-question-notes-typed-80x24"]),
        (
            GEMINI,
            &[
                "question-tabs-1-0.61.0-46x30",
                "question-tabs-2-multi-0.61.0-46x30",
                "question-tabs-5-review-0.61.0-46x30",
            ],
        ),
        (GEMINI, &["plan-approval-0.61.0-120x40", "plan-approval-feedback-focused-0.61.0-80x24"]),
        (
            QWEN,
            &[
                "question-choice-0.24.4-80x24",
                "question-choice-text-0.24.4-80x24",
                "question-choice-typed-0.24.4-80x24",
            ],
        ),
        (
            OPENCODE,
            &[
                "question-single-1.18.33-80x24",
                "question-single-2nd-1.18.33-46x30",
                "question-typing-empty-1.18.33-80x24",
                "question-typed-1.18.33-120x40",
            ],
        ),
        (
            OPENCODE,
            &[
                "question-multi-1.18.33-80x24",
                "question-multi-toggled-1.18.33-46x30",
                "question-multi-confirm-1.18.33-80x24",
            ],
        ),
        (
            OPENCODE,
            &["question-tabs-1-1.18.33-80x24", "question-tabs-2-1.18.33-46x30", "question-tabs-confirm-1.18.33-80x24"],
        ),
        (OPENCODE, &["perm-bash-nodesc-1.18.33-80x24", "perm-bash-sel-always-1.18.33-46x30"]),
        (DEMO, &["command-80x24", "command-typed-46x30"]),
        (DEMO, &["multi-80x24", "multi-checked-120x40"]),
        (DEMO, &["questions-80x24", "questions-filled-46x30"]),
        (GENERIC, &["inquirer-list-80x24", "inquirer-list-moved"]),
        (GENERIC, &["inquirer-confirm-80x24", "inquirer-confirm-typed"]),
    ];
    for (cli, names) in same {
        let first = sighting(*cli, names[0]);
        for name in *names {
            assert_eq!(print(*cli, name), print(*cli, names[0]), "{name}: {:?}", sighting(*cli, name));
            assert!(first.content_agrees(&sighting(*cli, name)), "{name}");
        }
    }
}

#[test]
fn another_prompt_is_another_one() {
    let others = [
        (CLAUDE, "perm-bash-2.1.325-46x30", "perm-bash-npm-2.1.325-46x30"),
        (CLAUDE, "perm-edit-2.1.325-80x24", "perm-write-2.1.325-80x24"),
        (CODEX, "v166-exec-parallel-first-80x24", "v166-exec-parallel-second-80x24"),
        (CODEX, "v166-question-two-80x24", "v166-question-single-80x24"),
        (CODEX, "v166-question-two-second-80x24", "v166-question-unanswered-confirm-80x24"),
        (CODEX, "v166-mcp-form-120x40", "v166-mcp-bool-120x40"),
        (GEMINI, "perm-shell-0.61.0-80x24", "perm-shell-long-0.61.0-80x24"),
        (GEMINI, "perm-three-queued-0.61.0-80x24", "perm-three-queued-second-0.61.0-80x24"),
        (GEMINI, "perm-webfetch-0.61.0-80x24", "perm-writetodos-0.61.0-80x24"),
        (QWEN, "perm-two-queued-0.24.4-80x24", "perm-two-queued-second-0.24.4-80x24"),
        (QWEN, "perm-shell-rm-0.24.4-80x24", "perm-shell-subst-0.24.4-80x24"),
        (OPENCODE, "perm-two-1st-1.18.33-80x24", "perm-two-2nd-1.18.33-80x24"),
        (OPENCODE, "perm-bash-nodesc-1.18.33-80x24", "perm-always-confirm-bash-1.18.33-80x24"),
        (DEMO, "command-80x24", "edit-80x24"),
        (GENERIC, "apt-continue-80x24", "cp-i"),
    ];
    for (cli, one, other) in others {
        assert_ne!(print(cli, one), print(cli, other), "{one} and {other}");
    }
}

#[test]
fn the_pages_of_a_dialog_are_one_prompt() {
    let pages = [
        ("v166-question-two-80x24", "v166-question-two-second-80x24"),
        ("v166-mcp-form-120x40", "v166-mcp-form-enum-120x40"),
    ];
    for (one, other) in pages {
        assert_eq!(print(CODEX, one), print(CODEX, other), "{one} and {other}");
    }
}

#[test]
fn a_prompt_is_the_same_at_every_size() {
    let mut groups: BTreeMap<(AdapterKind, String), Vec<&Case>> = BTreeMap::new();
    for case in all_cases().filter(|case| case.is_prompt() || case.kind() == "startup") {
        let sizes = ["-120x40", "-80x24", "-46x30"];
        if let Some(name) = sizes.iter().find_map(|size| case.name.strip_suffix(size)) {
            groups.entry((case.meta.cli, name.to_owned())).or_default().push(case);
        }
    }
    let mut differing = Vec::new();
    for ((cli, name), cases) in &groups {
        let prints: Vec<_> =
            cases.iter().map(|case| case.reading().sighting().map(super::Sighting::fingerprint)).collect();
        let same = prints.windows(2).all(|pair| pair[0] == pair[1]);
        let cut = CUT.iter().any(|(of, cut, _)| of == cli && cut == name);
        if same == cut {
            let sizes: Vec<_> = cases.iter().zip(&prints).map(|(case, print)| (case.capture.cols, print)).collect();
            differing.push(format!("{cli:?} {name}: {}{sizes:?}", if cut { "is the same by now " } else { "" }));
        }
    }
    assert!(groups.len() > 100, "{} prompts at several sizes", groups.len());
    assert!(differing.is_empty(), "{} differ:\n{}", differing.len(), differing.join("\n"));
}

/// The screen with every row above the prompt changed.
fn changed_above(screen: &Screen, rows: usize, change: impl Fn(char) -> char) -> Screen {
    let mut changed = screen.clone();
    for Line { cells, text } in changed.lines.iter_mut().take(rows) {
        for cell in cells.iter_mut() {
            cell.ch = change(cell.ch);
        }
        *text = text.chars().map(&change).collect();
    }
    changed
}

#[test]
fn spinners_and_clocks_above_change_neither_the_prompt_nor_its_context() {
    const SPINNER: &str = "·✢✳✶✻✽⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏";
    let turned = |ch: char| match ch {
        '0'..='8' => char::from_u32(u32::from(ch) + 1).unwrap_or(ch),
        ch if SPINNER.contains(ch) => SPINNER.chars().skip_while(|other| *other != ch).nth(1).unwrap_or(ch),
        ch => ch,
    };
    for case in all_cases().filter(|case| case.is_prompt()) {
        let (screen, adapter) = (case.screen(), adapter_for(case.meta.cli));
        let look = Look::at(&screen, adapter);
        // A program that asks line by line has no clock beside it: there every number counts.
        let Some(sighting) = look.reading.sighting().filter(|sighting| sighting.source == PromptSource::Screen) else {
            continue;
        };
        let later = Look::at(&changed_above(&screen, sighting.rows.start, turned), adapter);
        let print = later.reading.sighting().map(super::Sighting::fingerprint);
        assert_eq!((print, later.context), (Some(sighting.fingerprint()), look.context), "{}", case.name);
    }
}

#[test]
fn no_part_of_a_dialog_is_whole() {
    let mut whole = 0;
    for case in crate::corpus::all_cases() {
        let adapter = adapter_for(case.meta.cli);
        let look = Look::at(&case.screen(), adapter);
        let Some(sighting) = look.reading.sighting().filter(|_| look.whole) else { continue };
        whole += 1;
        // Drawn from above, it lacks some of its last rows.
        for drawn in sighting.rows.start..sighting.rows.end {
            let mut part = case.screen();
            let is_missing = part.lines[drawn..].iter().any(|line| !line.text.is_empty());
            part.lines[drawn..].iter_mut().for_each(|line| *line = crate::screen::Line::default());
            let part = Look::at(&part, adapter);
            assert!(!part.whole || !is_missing, "{} after {drawn} rows: {:?}", case.name, part.reading);
        }
    }
    assert!(whole > 200, "{whole} of all dialogs can be told at first sight");
}

#[test]
fn two_equal_prompts_in_a_row_differ_in_what_stands_above() {
    // What an answered prompt leaves above the next.
    let traces = [
        (CLAUDE, "perm-bash-2.1.325-46x30", "  ⎿  (No content)"),
        (CODEX, "v166-exec-approval-46x30", "  └ (no output)"),
        (GEMINI, "perm-shell-0.61.0-80x24", "   ✓  Shell  touch made_by_shell.txt && ls -la"),
        (QWEN, "perm-shell-rm-0.24.4-80x24", "  ✓ Shell rm -rf build (Remove the build folder)"),
        (DEMO, "command-80x24", "   allowed"),
        (GENERIC, "cp-i", "cp: overwrite 'two'? y"),
    ];
    for (cli, name, trace) in traces {
        let (case, adapter) = (crate::corpus::case(cli, name), adapter_for(cli));
        let screen = case.screen();
        let look = Look::at(&screen, adapter);
        let sighting = look.reading.sighting().unwrap();
        let mut next = case.capture.clone();
        let mut rows: Vec<&str> = case.capture.text.split('\n').collect();
        rows.insert(sighting.rows.start, trace);
        next.text = rows.join("\n");
        next.rows += 1;
        next.cursor.y += 1;
        let next = Look::at(&Screen::from_capture(&next), adapter);
        assert_eq!(next.reading.sighting().map(super::Sighting::fingerprint), Some(sighting.fingerprint()), "{name}");
        assert_ne!(next.context, look.context, "{name}");
    }
}

#[test]
fn a_change_under_the_same_fingerprint_is_another_content() {
    type Change = fn(&mut crate::Sighting);
    let edit = sighting(CLAUDE, "perm-edit-2.1.325-80x24");
    let changes: [(&str, Change); 4] = [
        ("diff", |other| other.diff[0].unified = other.diff[0].unified.replace('+', "+system(evil);")),
        ("path", |other| other.diff[0].path = "other.py".into()),
        ("input", |other| other.tool_input = Some(serde_json::json!({ "file_path": "other.py" }))),
        ("description", |other| other.description.push_str(" or else")),
    ];
    for (what, change) in changes {
        let mut other = edit.clone();
        change(&mut other);
        assert_eq!(other.fingerprint(), edit.fingerprint(), "{what}");
        assert!(!edit.content_agrees(&other) && !other.content_agrees(&edit), "{what}");
        other.incomplete = true;
        assert!(!edit.content_agrees(&other), "{what}");
    }
    let mut plan = sighting(CLAUDE, "plan-2.1.325-120x40");
    let before = plan.clone();
    plan.plan = plan.plan.map(|plan| plan.replace('a', "b"));
    assert!(!before.content_agrees(&plan) && before.content_agrees(&before));
}

#[test]
fn a_clipped_dialog_has_the_same_content() {
    let mut wrong = Vec::new();
    let mut compared = 0;
    for case in all_cases().filter(|case| case.meta.cli != GENERIC) {
        let (screen, adapter) = (case.screen(), adapter_for(case.meta.cli));
        let reading = adapter.read_screen(&screen);
        let Some(tall) = reading.sighting() else { continue };
        for count in 1..screen.lines.len() {
            let mut lower = screen.clone();
            lower.lines.drain(..count);
            lower.cursor.y = lower.cursor.y.saturating_sub(u16::try_from(count).unwrap());
            let reading = adapter.read_screen(&lower);
            let Some(low) = reading.sighting().filter(|low| low.fingerprint() == tall.fingerprint()) else { continue };
            compared += 1;
            if !tall.content_agrees(low) || !low.content_agrees(tall) {
                wrong.push(format!("{:?} {} without {count} rows", case.meta.cli, case.name));
            }
        }
    }
    // Where a pane clips just the edge of a dialog, its title runs into what stands below; an answer is then refused and can be
    // given again.
    assert!(wrong.len() * 100 < compared, "{} of {compared} differ:\n{}", wrong.len(), wrong.join("\n"));
    assert!(compared > 1000, "{compared}");
}
