//! What must hold for every command, not only for those somebody thought of.

use answerback_rules::{Judgement, Request, RuleSet, State, Verdict, judge};
use proptest::prelude::*;

const FOLDER: &str = "/srv/proj";

fn rules(allow: &[&str], ask: &[&str], deny: &[&str]) -> RuleSet {
    let owned = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
    let (set, refused) = RuleSet::from_texts(&owned(allow), &owned(ask), &owned(deny));
    assert!(refused.is_empty(), "{refused:?}");
    set
}

fn generous() -> RuleSet {
    rules(
        &["Bash(ls:*)", "Bash(cat:*)", "Bash(echo:*)", "Bash(git:*)", "Bash(grep:*)", "Bash(npm test)", "Edit(**)"],
        &[],
        &[],
    )
}

fn judged(command: &str, rules: &RuleSet) -> Judgement {
    judge(&Request::command(command, FOLDER), rules, &State::default(), 0)
}

/// Lines that look like commands, whole or broken.
fn line() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "ls",
        "cat a",
        "echo x",
        "git status",
        "git push",
        "grep x f",
        "npm test",
        "rm x",
        "rm -rf /",
        "curl u | sh",
        " ",
        "; ",
        " && ",
        " || ",
        " | ",
        " & ",
        "\n",
        "$(",
        ")",
        "`",
        "\"",
        "'",
        "\\",
        "(",
        ")",
        "{ ",
        "; }",
        "> f",
        "2>&1",
        "< f",
        "<<E\n",
        "\nE\n",
        "if ls; then ",
        "; fi",
        "for x in a; do ",
        "; done",
        "$x",
        "${x}",
        "x=1 ",
        "CI=1 ",
        "LD_PRELOAD=x ",
        "env ",
        "timeout 5 ",
        "xargs ",
        "cd src",
        "cd /tmp",
        "# c",
        "*",
        "~",
        "$((1+1))",
        "é",
        "\u{200b}",
    ]);
    prop::collection::vec(piece, 0..9).prop_map(|pieces| pieces.concat())
}

/// Commands that a deny rule for `rm` must catch.
fn denied() -> impl Strategy<Value = String> {
    prop::sample::select(vec![
        "rm x",
        "rm -rf x",
        "ls; rm x",
        "ls && rm x",
        "ls | xargs rm",
        "echo $(rm x)",
        "(rm x)",
        "if ls; then rm x; fi",
    ])
    .prop_map(str::to_owned)
}

/// The same name in another spelling.
fn respelled(name: &str, way: usize) -> String {
    match way % 9 {
        0 => format!("'{name}'"),
        1 => format!("\"{name}\""),
        2 => format!("\\{name}"),
        3 => format!("/bin/{name}"),
        4 => format!("./{name}"),
        5 => name.chars().map(|each| format!("\\{each}")).collect(),
        6 => format!("$'{name}'"),
        7 => name.chars().map(|each| format!("\"{each}\"")).collect(),
        _ => name.chars().map(|each| format!("{each}''")).collect(),
    }
}

const WRAPPERS: &[&str] = &[
    "env",
    "env A=1",
    "env -i",
    "nohup",
    "timeout 5",
    "timeout -k 1 5",
    "nice",
    "nice -n 5",
    "command",
    "exec",
    "builtin",
    "time",
    "stdbuf -o0",
    "setsid",
    "xargs",
    "sudo",
    "sudo -u me",
    "doas",
    "CI=1",
    "A=b",
    "!",
    "ionice -c 3",
    "xargs -n 1",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, ..ProptestConfig::default() })]

    #[test]
    fn another_command_never_makes_it_allowed(line in line(), more in line(), joint in prop::sample::select(vec!["; ", " && ", " | ", "\n", " || ", " & "])) {
        let set = generous();
        let before = judged(&line, &set);
        let after = judged(&format!("{line}{joint}{more}"), &set);
        // A text that is not finished may be finished by what follows; then it was another line. One that runs nothing at all, such
        // as `< f`, is asked about only because there is nothing to allow in it.
        if before.verdict != Verdict::Allow && before.understood && after.understood && !before.parts.is_empty() {
            prop_assert_ne!(after.verdict, Verdict::Allow, "{:?} + {:?}", line, more);
        }
    }

    #[test]
    fn an_unknown_command_is_never_allowed_with_others(line in line(), joint in prop::sample::select(vec!["; ", " && ", " | ", "\n", " || ", " & "])) {
        let after = judged(&format!("{line}{joint}unknown-program"), &generous());
        let runs_it = after.parts.iter().any(|part| part.text.starts_with("unknown-program"));
        if runs_it {
            prop_assert_ne!(after.verdict, Verdict::Allow, "{:?}", line);
        }
    }

    #[test]
    fn no_spelling_turns_a_deny_into_an_allow(line in denied(), way in 0usize..9) {
        let set = rules(&["Bash(ls:*)", "Bash(echo:*)", "Bash(rm:*)", "Bash(/bin/rm:*)", "Bash(./rm:*)"], &[], &["Bash(rm:*)"]);
        let other = line.replace("rm", &respelled("rm", way));
        prop_assert_eq!(judged(&line, &set).verdict, Verdict::Deny);
        prop_assert_eq!(judged(&other, &set).verdict, Verdict::Deny, "{}", other);
    }

    #[test]
    fn no_wrapper_turns_a_deny_into_an_allow(wrappers in prop::collection::vec(prop::sample::select(WRAPPERS.to_vec()), 1..4)) {
        let set = rules(&["Bash(ls:*)", "Bash(rm:*)"], &[], &["Bash(rm:*)"]);
        let line = format!("{} rm x", wrappers.join(" "));
        let verdict = judged(&line, &set).verdict;
        prop_assert_ne!(verdict, Verdict::Allow, "{}", line);
    }

    #[test]
    fn one_wrapper_keeps_a_deny_a_deny(wrapper in prop::sample::select(WRAPPERS.to_vec())) {
        let set = rules(&["Bash(rm:*)"], &[], &["Bash(rm:*)"]);
        let line = format!("{wrapper} rm x");
        prop_assert_eq!(judged(&line, &set).verdict, Verdict::Deny, "{}", line);
    }

    #[test]
    fn quoting_in_shells_never_turns_a_deny_into_an_allow(line in denied(), shell in prop::sample::select(vec!["sh", "bash", "zsh", "/bin/sh"]), flags in prop::sample::select(vec!["-c", "-lc", "-ec"])) {
        let set = rules(&["Bash(ls:*)"], &[], &["Bash(rm:*)"]);
        let wrapped = format!("{shell} {flags} '{line}'");
        prop_assert_eq!(judged(&wrapped, &set).verdict, Verdict::Deny, "{}", wrapped);
    }

    #[test]
    fn nothing_passes_the_floor(prefix in line(), set_everything in prop::bool::ANY) {
        let set = if set_everything { rules(&["Bash(rm:*)", "Bash(rm -rf:*)", "Bash(rm -rf x)", "Bash(ls:*)", "Bash(git:*)"], &[], &[]) } else { generous() };
        let judgement = judged(&format!("{prefix}\nrm -rf x"), &set);
        let reached = judgement.parts.iter().any(|part| part.text.starts_with("rm -rf x"));
        if reached {
            prop_assert_ne!(judgement.verdict, Verdict::Allow);
            prop_assert!(judgement.floor.is_some());
        }
        if judgement.floor.is_some() {
            prop_assert_ne!(judgement.verdict, Verdict::Allow);
        }
    }

    #[test]
    fn random_text_never_panics_and_is_told(text in ".{0,300}") {
        let judgement = judged(&text, &generous());
        prop_assert!(!judgement.why.is_empty());
    }

    #[test]
    fn random_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let _ = judged(&text, &generous());
        let _ = answerback_rules::cases::judge_line(&text);
        let _ = RuleSet::from_toml(&text);
        let _ = answerback_rules::rules::parse_pattern(&text);
    }

    #[test]
    fn odd_characters_never_panic(text in "[a-c \\n\\t'\"\\\\$(){}`;&|<>#!*?~=\\[\\]E-]{0,120}") {
        let _ = judged(&text, &generous());
    }

    #[test]
    fn the_order_of_rules_never_matters(line in line()) {
        let set = rules(&["Bash(ls:*)", "Bash(git:*)", "Bash(cat:*)"], &["Bash(git push:*)"], &["Bash(rm:*)", "Bash(git status --x:*)"]);
        let mut turned = set.clone();
        turned.rules.reverse();
        prop_assert_eq!(judged(&line, &set).verdict, judged(&line, &turned).verdict);
    }

    #[test]
    fn fewer_rules_never_allow_more(line in line(), without in 0usize..7) {
        let set = generous();
        let mut fewer = set.clone();
        fewer.rules.remove(without);
        if judged(&line, &fewer).verdict == Verdict::Allow {
            prop_assert_eq!(judged(&line, &set).verdict, Verdict::Allow);
        }
    }
}

/// Limits are kept whatever is repeated: nothing ends the stack of a small thread, and everything is asked.
#[test]
fn what_is_repeated_without_end_is_asked() {
    let judged_here = || {
        let set = rules(&["Bash(ls:*)", "Edit(**)"], &[], &["Bash(rm * x * y)", "Bash(a * b | c *)"]);
        for piece in [
            "npx ",
            "xargs ",
            "sudo ",
            "env ",
            "eval ",
            "docker exec x ",
            "! ",
            "time ",
            "sh -c '",
            "ls;",
            "$(",
            "{ ",
            "(",
            "rm x ",
        ] {
            for length in [16_000, 200_000] {
                let judgement = judged(&piece.repeat(length / piece.len()), &set);
                assert_ne!(judgement.verdict, Verdict::Allow, "{piece}");
            }
        }
        let files = serde_json::json!({ "files": vec!["src/a"; 10_000] });
        let request =
            Request { tool: "Edit".to_owned(), input: files, folder: FOLDER.to_owned(), ..Request::default() };
        assert_eq!(judge(&request, &set, &State::default(), 0).verdict, Verdict::Ask);
    };
    let thread = std::thread::Builder::new().stack_size(2 * 1024 * 1024).spawn(judged_here).expect("a thread");
    thread.join().expect("no panic");
}
