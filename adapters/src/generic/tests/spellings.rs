//! The usual spellings of questions and prompts, one line each.

use shared_types::{OptionRole, PromptKind};

use super::{COOKED, screen, sighting};
use crate::{Adapter, Reading, generic::Generic};

fn labels(shown: &str) -> Vec<String> {
    let options = sighting(shown, COOKED).options.into_iter().filter(|option| option.is_offered());
    options.map(|option| option.label).collect()
}

#[test]
fn every_usual_yes_or_no_asks_for_permission() {
    for shown in [
        "Go on? [y/N] ",
        "Go on? [Y/n] ",
        "Go on? (y/n) ",
        "Go on? (y/N): ",
        "Go on (yes/no)? ",
        "Go on [yes/no]: ",
        "Go on, yes/no? ",
        "Go on? y/n: ",
        "Go on? (Y/N)? ",
        "Go on? [y|n] ",
        "Go on? (y or n) ",
        "Go on? <y/N> [y/N]: ",
        "Is this OK? (yes) ",
        "Ok to proceed? (y) ",
        "overwrite? (y/n [n]) ",
        "Go on? (y/n, default n) ",
        "Go on? (y/n) [n]: ",
        "Proceed? ",
        "Are you sure? ",
        "rm: remove regular file 'x'? ",
        "cp: overwrite 'a b'? ",
        "mv: replace 'b', overriding mode 0444 (r--r--r--)? ",
        "Really quit? ",
        "Do you accept the licence? ",
    ] {
        let sighting = sighting(shown, COOKED);
        assert_eq!(labels(shown), ["Yes", "No"], "{shown:?}");
        assert_eq!(sighting.kind, PromptKind::Permission, "{shown:?}");
        let roles: Vec<_> = sighting.options.iter().filter_map(|option| option.role).collect();
        assert_eq!(roles, [OptionRole::Allow, OptionRole::Deny], "{shown:?}");
    }
}

#[test]
fn further_answers_keep_their_words() {
    let table: [(&str, &[&str]); 6] = [
        ("Apply? [Y/n/q] ", &["Yes", "No", "Quit"]),
        ("Replace? [y/n/a/q] ", &["Yes", "No", "A", "Quit"]),
        ("Delete? (yes/no/all) ", &["Yes", "No", "All"]),
        ("Fortfahren? [J/n] ", &["Ja", "Nein"]),
        ("(A)bort, (R)etry, (F)ail? ", &["Abort", "Retry", "Fail"]),
        ("What now? e[x]it, [c]ontinue: ", &["Exit", "Continue"]),
    ];
    for (shown, wanted) in table {
        assert_eq!(labels(shown), wanted, "{shown:?}");
    }
}

#[test]
fn a_letter_of_doubtful_meaning_is_never_an_approval() {
    // In `dpkg` an O keeps the old file; an A may be all or abort.
    for shown in ["demo.conf (Y/I/N/O/D/Z) [default=N] ? ", "Replace? [y/n/a/q] ", "Which? [a,o,j,s] "] {
        let options = sighting(shown, COOKED).options;
        let doubtful =
            options.iter().filter(|option| option.is_offered() && !["Yes", "No"].contains(&option.label.as_str()));
        for option in doubtful {
            let approves = matches!(option.role, Some(OptionRole::Allow | OptionRole::AllowAlways));
            assert!(!approves, "{shown:?} {option:?}");
        }
    }
}

#[test]
fn a_shells_prompt_is_where_a_message_goes() {
    for prompt in [
        "me@box:~$ ",
        "me@box:~/src/x$ ",
        "root@box:/# ",
        "[me@box dir]$ ",
        "(venv) me@box:~$ ",
        "box% ",
        "$ ",
        "# ",
        "% ",
        "❯ ",
        "~/src main ❯ ",
        "me@box ~> ",
        "bash-5.2$ ",
        ">>> ",
        "... ",
        "> ",
        "sqlite> ",
        "   ...> ",
        "mysql> ",
        "    -> ",
        "MariaDB [(none)]> ",
        "postgres=# ",
        "postgres=> ",
        "(gdb) ",
        "(Pdb) ",
        "(lldb) ",
        "In [3]: ",
        "irb(main):001:0> ",
        "iex(1)> ",
        "127.0.0.1:6379> ",
        "ftp> ",
        "PS /home/me> ",
    ] {
        for draft in ["", "echo", "ls -l 'Sure?'"] {
            let reading = Generic.read_screen(&screen(&format!("{prompt}{draft}"), COOKED));
            let Reading::Ready(composer) = &reading else { panic!("{prompt:?} is read as {reading:?}") };
            assert_eq!(composer.draft, draft, "{prompt:?}");
        }
    }
}

#[test]
fn what_only_resembles_a_prompt_is_none() {
    for shown in [
        "Progress 45% ",
        "it costs 5$ ",
        "[INFO] building > ",
        "step [1/3] ",
        "see (src/main) ",
        "warning: unused (x/y) in f ",
        "Skipped: overwrite? [y/N] because it exists",
        "Linking a -> ",
        "1. one\n2. two\n",
        "Downloading: 12 of 30",
    ] {
        let reading = Generic.read_screen(&screen(shown, COOKED));
        let quiet = matches!(reading, Reading::Unrecognized | Reading::Busy { .. });
        assert!(quiet, "{shown:?} is read as {reading:?}");
    }
}

#[test]
fn a_question_brings_along_what_it_is_about() {
    let shown =
        "me@box:~$ apply\nDo you want to perform these actions?\n  Only 'yes' will be accepted.\n\n  Enter a value: ";
    let sighting = sighting(shown, COOKED);
    assert_eq!(sighting.title, "Enter a value");
    assert_eq!(sighting.description, "Do you want to perform these actions?\n  Only 'yes' will be accepted.");
}
