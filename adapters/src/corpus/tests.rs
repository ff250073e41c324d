//! The walk over every captured screen.

use shared_types::AdapterKind;

use super::{Case, all_cases, case, cases, expected::mismatches};

/// What a case's `meta.json` says and its screen does not.
struct Exception {
    cli: AdapterKind,
    /// The case's name, or how the names of several begin.
    cases: &'static str,
    /// What is not compared.
    about: &'static str,
    #[expect(dead_code, reason = "for whoever reads the table")]
    why: &'static str,
}

const fn except(cli: AdapterKind, cases: &'static str, about: &'static str, why: &'static str) -> Exception {
    Exception { cli, cases, about, why }
}

#[rustfmt::skip]
const EXCEPTIONS: &[Exception] = &[
    except(AdapterKind::new("claude"), "perm-automode-unavailable-2.1.325-46x30", "options",
        "the hint line with the three keys is clipped off the screen"),
    except(AdapterKind::new("claude"), "perm-bash-tiny-30x12-2.1.325", "options",
        "row 1 is clipped off the screen; what stands for it is a remark, not a label"),
    except(AdapterKind::new("claude"), "perm-bash-tiny-30x12-2.1.325", "toolName", "the heading is clipped off the screen"),
    except(AdapterKind::new("claude"), "perm-bash-short-80x12-2.1.325", "toolName", "the heading is clipped off the screen"),
    except(AdapterKind::new("claude"), "perm-bash-typing-2.0.76-120x40", "textInput",
        "the person is typing into row 3, and all other screens of this dialog say that it takes text"),
    except(AdapterKind::new("claude"), "perm-bash-2.", "description", "what is written down is the command: the tool's input"),
    except(AdapterKind::new("claude"), "startup-bypass-root-refused-", "startup",
        "no dialog: the last words of a program that has ended, to which nothing can be answered"),
    except(AdapterKind::new("codex"), "v166-mcp-bool-", "description", "two rows are written down as one, with a colon"),
    except(AdapterKind::new("codex"), "v166-mcp-form-", "description", "three rows are written down as one, with a colon"),
    except(AdapterKind::new("codex"), "v166-subagent-approval-", "description", "the thread is read as the agent that asks"),
    except(AdapterKind::new("gemini"), "question-", "toolName", "the tool's own name is not on the screen"),
    except(AdapterKind::new("gemini"), "plan-", "toolName", "the tool's own name is not on the screen"),
    except(AdapterKind::new("gemini"), "perm-enter-plan", "toolName",
        "the tool is shown as `Enter Plan Mode`; the name written down is not on the screen"),
    except(AdapterKind::new("opencode"), "perm-always-confirm-bash-", "toolName", "this page names patterns and no tool"),
    except(AdapterKind::new("opencode"), "perm-always-sel-cancel-", "toolName", "this page names patterns and no tool"),
    except(AdapterKind::new("opencode"), "perm-two-2nd-always-page-", "toolName", "this page names patterns and no tool"),
    except(AdapterKind::new("opencode"), "perm-write-", "toolName", "whole files are asked for as edits"),
    except(AdapterKind::new("opencode"), "startup-connect-provider-", "options", "what it lists is told; it is only closed"),
    except(AdapterKind::new("copilot"), "question-", "toolName", "the tool's own name is not on the screen"),
    except(AdapterKind::new("copilot"), "plan-", "toolName", "the tool's own name is not on the screen"),
    except(AdapterKind::new("copilot"), "perm-path-", "toolName", "the dialog is about a path and names no tool"),
    except(AdapterKind::new("copilot"), "perm-url-shell-", "toolName", "the dialog is about an address and names no tool"),
    except(AdapterKind::new("copilot"), "perm-mcp-", "toolName", "it is named with its server"),
    except(AdapterKind::new("copilot"), "perm-path-shell-", "toolInput", "of two paths the first is written down"),
    except(AdapterKind::new("copilot"), "perm-create-fakebox-", "description", "the heading is clipped off the screen"),
    except(AdapterKind::new("copilot"), "perm-edit-big-", "description", "the heading is clipped off the screen"),
    except(AdapterKind::new("copilot"), "perm-path-read-1.0.102-46x30", "description", "the heading is clipped off the screen"),
    except(AdapterKind::new("copilot"), "perm-path-read-1.0.102-80x24", "description", "the heading is clipped off the screen"),
];

fn is_excepted(case: &Case, what: &str) -> bool {
    EXCEPTIONS.iter().any(|exception| exception.is_of(case) && exception.about == what)
}

impl Exception {
    fn is_of(&self, case: &Case) -> bool {
        self.cli == case.meta.cli && case.name.starts_with(self.cases)
    }
}

#[test]
fn every_screen_is_read_as_its_meta_says() {
    let mut wrong = Vec::new();
    for case in all_cases() {
        for (what, why) in mismatches(case, &case.reading()) {
            if !is_excepted(case, what) {
                wrong.push(format!("{:?} {}: {what}: {why}", case.meta.cli, case.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn every_exception_is_still_needed() {
    for exception in EXCEPTIONS {
        let needs = |case: &Case| {
            exception.is_of(case) && mismatches(case, &case.reading()).iter().any(|(what, _)| *what == exception.about)
        };
        assert!(all_cases().any(needs), "{} {} is right by now", exception.cases, exception.about);
    }
}

#[test]
fn every_adapter_has_its_screens_and_look_alikes_among_them() {
    let least = [
        (AdapterKind::new("claude"), 160, 110),
        (AdapterKind::new("codex"), 80, 45),
        (AdapterKind::new("gemini"), 120, 110),
        (AdapterKind::new("qwen"), 55, 55),
        (AdapterKind::new("opencode"), 130, 95),
        (AdapterKind::new("copilot"), 115, 100),
        (AdapterKind::new("demo"), 35, 35),
        (AdapterKind::new("generic"), 70, 70),
        (crate::toy::KIND, 1, 1),
    ];
    for (cli, prompts, others) in least {
        let (asks, rest): (Vec<_>, Vec<_>) = cases(cli).iter().partition(|case| case.is_prompt());
        assert!(
            asks.len() >= prompts && rest.len() >= others,
            "{cli:?}: {} prompts, {} others",
            asks.len(),
            rest.len()
        );
        assert!(asks.iter().all(|case| !case.name.starts_with("not-")), "{cli:?}: a look-alike is called a prompt");
    }
    assert!(case(AdapterKind::new("demo"), "ready-80x24").capture.tty.is_some(), "the line discipline is not read");
}

#[test]
fn every_reading_is_the_one_beside_its_screen() {
    let wrong: Vec<String> = all_cases()
        .filter_map(|case| {
            let why = super::snapshot::check(case, &case.reading()).err()?;
            Some(format!("{:?} {}: {why}", case.meta.cli, case.name))
        })
        .collect();
    let hint = "if each is right, UPDATE_READINGS=1 cargo test -p adapters corpus";
    assert!(wrong.is_empty(), "{} differ; {hint}\n{}", wrong.len(), wrong.join("\n"));
}

/// Inputs that once broke a reader, or were written to: none is understood, and each is survived by every adapter.
#[test]
#[expect(clippy::disallowed_methods, reason = "the crashers are files")]
fn crashers_stay_harmless() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/corpus/crashers");
    let files = |kind: &str| {
        let entries =
            std::fs::read_dir(folder.join(kind)).expect("crashers").map(|entry| entry.expect("a file").path());
        entries
            .map(|path| String::from_utf8_lossy(&std::fs::read(path).expect("a file")).into_owned())
            .collect::<Vec<_>>()
    };
    let (screens, transcripts, hooks) = (files("screens"), files("transcripts"), files("hooks"));
    assert!(!screens.is_empty() && !transcripts.is_empty() && !hooks.is_empty());
    for adapter in crate::all_adapters() {
        for (text, size) in screens.iter().flat_map(|text| [(text, (1, 1)), (text, (80, 24))]) {
            let capture =
                crate::Capture { text: text.clone(), cols: size.0, rows: size.1, ..crate::Capture::default() };
            let _ = crate::reading::Look::at(&crate::Screen::from_capture(&capture), adapter);
        }
        for line in transcripts.iter().flat_map(|text| text.lines()) {
            let _ = adapter.read_transcript(line);
        }
        for payload in &hooks {
            let payload = serde_json::from_str(payload).expect("JSON");
            let _ = (adapter.read_hook(&payload), adapter.read_detail(&payload));
        }
    }
}
