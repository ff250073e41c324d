//! What captured screens say beyond what their `meta.json` holds.

use serde_json::Value;
use shared_types::OptionRole;

use super::cases;
use crate::{Reading, StartupKind};

#[test]
fn every_start_up_dialog_is_known_and_passed_by_the_row_that_gives_nothing_away() {
    let mut passes: Vec<_> = cases()
        .iter()
        .filter_map(|case| match case.reading() {
            Reading::Startup(dialog) => {
                let row = dialog.pass.map(|row| dialog.sighting.options[row].label.clone());
                Some((dialog.kind, row.unwrap_or_default()))
            }
            _ => None,
        })
        .collect();
    passes.sort_by_key(|(kind, row)| (format!("{kind:?}"), row.clone()));
    passes.dedup();
    let wanted = [
        (StartupKind::FolderTrust, "Trust and continue"),
        (StartupKind::HookTrust, "Continue without trusting (hooks won't run)"),
        (StartupKind::ModelChange, "Use existing model"),
        (StartupKind::Other, ""),
        (StartupKind::Update, "Skip"),
    ];
    assert_eq!(passes, wanted.map(|(kind, row)| (kind, row.to_owned())));
}

#[test]
fn rows_of_the_trust_dialog_say_what_they_mean() {
    let Reading::Startup(dialog) = super::case("v166-startup-trust-80x24").reading() else { panic!("not the start") };
    let roles: Vec<_> = dialog.sighting.options.iter().map(|option| option.role).collect();
    assert_eq!(roles, [Some(OptionRole::Allow), Some(OptionRole::Deny)]);
}

#[test]
fn a_draft_is_what_was_typed_and_never_the_suggestion() {
    let draft = |name: &str| match super::case(name).reading() {
        Reading::Ready(composer) | Reading::Busy { composer: Some(composer), .. } => composer.draft,
        reading => panic!("{name} read as {reading:?}"),
    };
    assert_eq!(draft("v166-neg-composer-text-120x40"), "1. Yes, proceed (y)");
    assert_eq!(draft("v166-busy-typed-46x30"), "typed while busy");
    assert_eq!(draft("v166-popup-slash-100x30"), "/");
    assert_eq!(draft("v050-ready-80x24"), "");
    assert_eq!(draft("v166-ready-plan-mode-80x24"), "");
}

#[test]
fn busy_says_at_what_without_its_clock() {
    let detail = |name: &str| match super::case(name).reading() {
        Reading::Busy { detail, .. } => detail,
        reading => panic!("{name} read as {reading:?}"),
    };
    assert_eq!(detail("v050-busy-46x30"), "Inspecting the code base");
    assert_eq!(detail("v166-busy-120x40"), "Looking at files.");
    assert_eq!(detail("v166-permission-hook-running-100x34"), "Working · Running hook");
    assert_eq!(detail("v166-busy-streaming-80x24"), "");
}

#[test]
fn what_a_prompt_is_about_is_read_whole() {
    let patch = super::sighting("v166-patch-approval-46x30");
    let paths: Vec<_> = patch.diff.iter().map(|file| (file.path.as_str(), file.unified.as_str())).collect();
    assert_eq!(
        paths,
        [
            ("docs/NEW.md", "@@ -0,0 +1,2 @@\n+# New\n+text"),
            ("main.py", "@@ -2,1 +2,1 @@\n-    print('hi')\n+    print('hello')"),
        ]
    );
    let old_patch = super::sighting("v050-patch-approval-46x30");
    assert_eq!(
        old_patch.diff[0].unified,
        "@@ -1,3 +1,4 @@\n def main():\n-    print('hi')\n+    print('hello')\n+    print('world')\n "
    );
    let heredoc = super::sighting("v166-exec-heredoc-46x30");
    let script = "python3 - <<'PY'\nimport os\nprint('hello from heredoc')\nfor i in range(3):\n    print(i)\nPY";
    assert_eq!(heredoc.tool_input, Some(Value::String(script.to_owned())));
    let sub_agent = super::sighting("v166-subagent-approval-46x30");
    assert_eq!(sub_agent.agent.as_deref(), Some("Agent (01a1e212)"));
    let plan = super::sighting("v166-plan-approval-46x30");
    let steps = "# Add greeting\n\n1. Change main.py to print hello.\n2. Add a test.\n3. Update the README.";
    assert_eq!(plan.plan.as_deref(), Some(steps));
    let tool = super::sighting("v166-mcp-tool-approval-46x30");
    assert_eq!(tool.tool_name.as_deref(), Some("mcp:demo.delete_record"));
    assert_eq!(tool.tool_input, Some(serde_json::json!({ "reason": "cleanup", "record_id": "42" })));
    let page = super::sighting("v166-question-two-46x30");
    assert_eq!((page.question_index, page.questions[1].header.as_str()), (Some(0), "Question 2"));
    assert_eq!(page.questions[0].question, page.title);
    let refusals = ["v166-exec-approval-46x30", "v166-request-permissions-46x30"].map(|name| {
        let options = super::sighting(name).options;
        options.last().and_then(|option| option.description.clone()).unwrap_or_default()
    });
    assert_eq!(refusals, ["This stops the turn.", "The turn goes on without."]);
    assert_eq!(page.options[0].label, "PostgreSQL (Recommended)");
    assert_eq!(page.options[0].description.as_deref(), Some("Mature relational store, needs a server."));
}
