//! Every captured screen against what was observed, by the rules of the corpus: labels without blanks and key hints,
//! curly and straight quotes alike, a label that the CLI cut by its beginning.

use serde_json::Value;
use shared_types::PromptKind;

use super::{cases, read};
use crate::{Reading, SightedOption, Sighting, StartupKind};

/// Cases whose `meta.json` is plainly wrong, with the reason. None so far.
const WRONG: &[(&str, &str)] = &[];

#[test]
fn every_captured_screen_reads_as_it_was_observed() {
    let cases = cases();
    assert!(cases.len() >= 146, "the corpus is not all there: {} cases", cases.len());
    let mut mismatches = Vec::new();
    for case in cases.iter().filter(|case| WRONG.iter().all(|(name, _)| *name != case.name)) {
        let reading = read(&case.capture);
        let kind = case.meta["kind"].as_str().unwrap();
        let expected = &case.meta["expected"];
        let verdict = match (kind, &reading) {
            ("permission", Reading::Prompt(sighting)) => prompt(sighting, PromptKind::Permission, expected),
            ("question", Reading::Prompt(sighting)) => prompt(sighting, PromptKind::Question, expected),
            ("plan", Reading::Prompt(sighting)) => prompt(sighting, PromptKind::Plan, expected),
            ("startup", Reading::Startup(dialog)) => options(&dialog.sighting, expected),
            ("ready", Reading::Ready(_)) | ("busy", Reading::Busy { composer: Some(_), .. }) => Ok(()),
            ("none", Reading::Ready(_) | Reading::Starting { .. }) => Ok(()),
            (_, reading) => Err(format!("read as {reading:?}")),
        };
        if let Err(why) = verdict {
            mismatches.push(format!("{} ({kind}): {why}", case.name));
        }
    }
    assert!(mismatches.is_empty(), "{}", mismatches.join("\n"));
}

fn prompt(sighting: &Sighting, kind: PromptKind, expected: &Value) -> Result<(), String> {
    if sighting.kind != kind {
        return Err(format!("kind {:?}", sighting.kind));
    }
    options(sighting, expected)?;
    let takes_text = sighting.text.is_some() || sighting.options.iter().any(|option| option.text.is_some());
    if expected["textInput"].as_bool().is_some_and(|wanted| wanted != takes_text) {
        return Err(format!("takes text: {takes_text}"));
    }
    let title = expected["title"].as_str().unwrap_or_default();
    // A placeholder stands for what differs from run to run; 0.50 cuts its titles.
    let title = title.split('<').next().unwrap_or_default();
    let fits = norm(&sighting.title).starts_with(&norm(title)) || norm(title).starts_with(&norm(&sighting.title));
    if !fits || sighting.title.is_empty() {
        return Err(format!("title {:?}", sighting.title));
    }
    // Some descriptions are cut with dots.
    let reason =
        expected["description"].as_str().and_then(|text| text.split(" ...").next()).map(norm).unwrap_or_default();
    if reason.starts_with("reason:") && !norm(&sighting.description).starts_with(&reason) {
        return Err(format!("description {:?}", sighting.description));
    }
    let command = expected["toolInput"].as_str().filter(|_| expected["toolName"] == "shell");
    if command.is_some() && sighting.tool_input.as_ref().and_then(Value::as_str) != command {
        return Err(format!("command {:?}", sighting.tool_input));
    }
    Ok(())
}

fn options(sighting: &Sighting, expected: &Value) -> Result<(), String> {
    let Some(wanted) = expected["options"].as_array() else { return Ok(()) };
    let wanted: Vec<&str> = wanted.iter().map(|label| label.as_str().unwrap()).collect();
    let same_labels = wanted.len() == sighting.options.len()
        && wanted.iter().zip(&sighting.options).all(|(wanted, option)| same(wanted, option));
    if !same_labels {
        return Err(format!("options {:?}, wanted {wanted:?}", super::labels(sighting)));
    }
    let selected = expected["selectedIndex"].as_u64().and_then(|index| usize::try_from(index).ok());
    if !sighting.options.is_empty() && sighting.selected != selected {
        return Err(format!("selected {:?}, wanted {selected:?}", sighting.selected));
    }
    if let Some(keys) = expected["shortcuts"].as_array() {
        let drawn: Vec<_> = sighting.options.iter().map(|option| option.hint.as_deref()).collect();
        let wanted: Vec<_> = keys.iter().map(Value::as_str).collect();
        if drawn != wanted {
            return Err(format!("keys {drawn:?}, wanted {wanted:?}"));
        }
    }
    Ok(())
}

fn same(wanted: &str, option: &SightedOption) -> bool {
    let (wanted, drawn) = (norm(wanted), norm(&option.label));
    let cut = drawn.split_once('…').is_some_and(|(head, _)| head.chars().count() >= 4 && wanted.starts_with(head));
    wanted == drawn || cut
}

fn norm(text: &str) -> String {
    let text: String = text.chars().filter(|ch| !ch.is_whitespace()).collect();
    text.replace(['‘', '’'], "'").replace(['“', '”'], "\"").trim_end_matches('.').to_lowercase()
}

#[test]
fn every_start_up_dialog_is_known_and_passed_by_the_row_that_gives_nothing_away() {
    let mut passes: Vec<_> = cases()
        .iter()
        .filter_map(|case| match read(&case.capture) {
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
fn one_prompt_has_one_fingerprint_at_every_size() {
    for name in [
        "exec-approval",
        "exec-heredoc",
        "exec-long",
        "question-single",
        "mcp-form",
        "mcp-tool-approval",
        "request-permissions",
    ] {
        let prints: Vec<_> = cases()
            .iter()
            .filter(|case| case.name.starts_with(&format!("v166-{name}-")) && !case.name.contains("-enum-"))
            .map(|case| read(&case.capture).sighting().map(Sighting::fingerprint))
            .collect();
        assert!(prints.len() > 1 && prints.windows(2).all(|pair| pair[0] == pair[1]), "{name}: {prints:?}");
    }
}

#[test]
fn the_next_page_of_a_form_or_of_questions_is_another_prompt() {
    let print = |name: &str| super::sighting(name).fingerprint();
    assert_ne!(print("v166-question-two-80x24"), print("v166-question-single-80x24"));
    assert_ne!(print("v166-mcp-form-120x40"), print("v166-mcp-form-enum-120x40"));
}

#[test]
fn a_draft_is_what_was_typed_and_never_the_suggestion() {
    let draft = |name: &str| match read(&super::case(name).capture) {
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
    let detail = |name: &str| match read(&super::case(name).capture) {
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
            ("docs/NEW.md", "@@ -1,0 +1,2 @@\n+# New\n+text\n"),
            ("main.py", "@@ -2,1 +2,1 @@\n-    print('hi')\n+    print('hello')\n"),
        ]
    );
    let old_patch = super::sighting("v050-patch-approval-46x30");
    assert_eq!(
        old_patch.diff[0].unified,
        "@@ -1,3 +1,4 @@\n def main():\n-    print('hi')\n+    print('hello')\n+    print('world')\n \n"
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
    assert_eq!(page.position.as_deref(), Some("Question 1/2"));
    assert_eq!(page.options[0].label, "PostgreSQL (Recommended)");
    assert_eq!(page.options[0].description.as_deref(), Some("Mature relational store, needs a server."));
}
