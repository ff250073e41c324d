//! Start-up dialogs that are not in the corpus, and questions that must not be taken for one.

use super::{builds::prompt, drawn, labels, read};
use crate::{Reading, StartupKind};

#[test]
fn trust_screens_of_older_versions_are_passed_without_giving_up_approvals() {
    let cases: [(&[&str], StartupKind, &str); 4] = [
        (
            &[
                ">> You are running Codex in /work",
                " ",
                "   Since this folder is version controlled, you may wish to allow Codex",
                "   to work in this folder without asking for approval.",
                " ",
                "s› 1. Yes, allow Codex to work in this folder without asking for",
                "s     approval",
                "   2. No, ask me to approve edits and commands",
                " ",
                "d  Press enter to continue",
            ],
            StartupKind::FolderTrust,
            "No, ask me to approve edits and commands",
        ),
        (
            &[
                ">> You are in /work",
                " ",
                "   Do you trust the contents of this directory? Working with untrusted",
                "   contents comes with higher risk of prompt injection.",
                " ",
                "s› 1. Yes, continue",
                "   2. No, quit",
                " ",
                "d  Press enter to continue",
            ],
            StartupKind::FolderTrust,
            "Yes, continue",
        ),
        (
            &[
                "b  ✨ Update available! 0.0.0 -> 9.9.9",
                " ",
                "   Release notes: https://github.com/openai/codex/releases/latest",
                " ",
                "s› 1. Update now (runs `npm install -g @openai/codex@latest`)",
                "   2. Skip",
                "   3. Skip until next version",
                " ",
                "d  Press enter to continue",
            ],
            StartupKind::Update,
            "Skip",
        ),
        (
            &[
                ">> Codex just got an upgrade. Introducing gpt-5.1-codex-max.",
                " ",
                "   Choose how you'd like Codex to proceed.",
                " ",
                "s› 1. Try new model",
                "   2. Use existing model",
                " ",
                "d  Use ↑/↓ to move, press enter to confirm",
            ],
            StartupKind::ModelChange,
            "Use existing model",
        ),
    ];
    for (rows, kind, pass) in cases {
        let Reading::Startup(dialog) = read(&drawn(rows)) else { panic!("{rows:?}: {:?}", read(&drawn(rows))) };
        let row = dialog.pass.map(|row| dialog.sighting.options[row].label.as_str());
        assert_eq!((dialog.kind, row), (kind, Some(pass)));
    }
}

#[test]
fn questions_that_only_sound_like_the_start_are_asked_of_the_person() {
    let cases: [&[&str]; 3] = [
        &[
            "b  Enable full access?",
            "   Codex can then edit any folder and directory without your approval.",
            " ",
            "s› 1. Yes, continue anyway  Apply full access for this session",
            "   2. Cancel                ~Go back without enabling full access",
            " ",
            "d  Press enter to confirm or esc to go back",
        ],
        &[
            " Choose working directory to resume this session",
            " ",
            "d  Session = latest cwd recorded in the resumed session",
            "d  Current = your current working directory",
            " ",
            "s› 1. Use session directory (/old)",
            "   2. Use current directory (/new)",
            " ",
            "d  Press enter to continue",
        ],
        &[
            "   Our systems are thinking a bit more about this request before responding.",
            "   Hang tight or retry with a faster model for a quicker response.",
            " ",
            "s› 1. Retry with a faster model",
            "   2. Dismiss and keep waiting",
            " ",
            "   No action is required. Codex will keep waiting.",
        ],
    ];
    let titles = cases.map(|rows| prompt(rows).title);
    assert_eq!(titles[0], "Enable full access?");
    assert_eq!(titles[1], "Choose working directory to resume this session");
    assert!(titles[2].starts_with("Our systems are thinking a bit more about this request before responding. Hang"));
}

#[test]
fn a_start_up_screen_whose_options_do_not_fit_is_still_one() {
    let rows = ["   ###", " ", ">> You are running Codex in /work", " ", "   Since this folder is version controlled,"];
    let Reading::Startup(dialog) = read(&drawn(&rows)) else { panic!("{:?}", read(&drawn(&rows))) };
    assert_eq!((dialog.kind, dialog.pass), (StartupKind::FolderTrust, None));
    assert!(dialog.sighting.more_options && dialog.sighting.options.is_empty());
}

#[test]
fn a_notice_to_go_on_from_offers_that_and_is_never_passed_by_itself() {
    let rows = [
        ">> Codex just got an upgrade. Introducing gpt-5.1.",
        " ",
        "   We recommend switching from gpt-5 to gpt-5.1.",
        " ",
        "d  Press enter to continue",
    ];
    let Reading::Startup(dialog) = read(&drawn(&rows)) else { panic!("{:?}", read(&drawn(&rows))) };
    assert_eq!((dialog.kind, dialog.pass), (StartupKind::ModelChange, None));
    assert_eq!(labels(&dialog.sighting), ["Press enter to continue"]);
}
