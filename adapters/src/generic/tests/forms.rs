//! Forms of questions as programs ask them, and what they are read as: title, answers with what is typed for each, default.

use shared_types::PromptKind;

use super::{COOKED, RAW, screen, sighting};
use crate::{Adapter, Reading, Screen, generic::Generic, screen::Foreground};

#[test]
fn lists_of_answers_are_read_with_what_is_typed_and_the_default() {
    // What is asked, its title, and label=typed of each answer, the default starred.
    let table = [
        ("Press 'y' to continue", "Press 'y' to continue", "Yes=y No=n"),
        ("Type \"yes\" to confirm: ", "Type \"yes\" to confirm", "Yes=yes No=no"),
        ("Press y|Y for Yes, any other key for No: ", "Press y|Y for Yes, any other key for No", "Yes=y No=n"),
        ("Enter y or n", "Enter y or n", "Yes=y No=n"),
        ("Continue, Yes/No? ", "Continue", "Yes=Yes No=No"),
        ("Continue (Y)es or (N)o? ", "Continue", "Yes=Y No=N"),
        (
            "Run shell command? (Y)es/(N)o/(D)on't ask again [Yes]: ",
            "Run shell command?",
            "*Yes=Y No=N Don't ask again=D",
        ),
        ("Choose an option [1/2/3]: ", "Choose an option", "1=1 2=2 3=3"),
        ("Deploy to [dev/staging/prod]: ", "Deploy to", "dev=dev staging=staging prod=prod"),
        ("Log level (debug, info, warn) [info]: ", "Log level", "debug=debug *info=info warn=warn"),
        ("Pick a size [small/medium/large] (medium): ", "Pick a size", "small=small *medium=medium large=large"),
        ("¿Desea continuar? [S/n] ", "¿Desea continuar?", "*Sí=s No=n"),
        ("Deseja continuar? [S/n] ", "Deseja continuar?", "*Sim=s Não=n"),
        ("Continuare? [S/n] ", "Continuare?", "*Sì=s No=n"),
        ("Kontynuować? [T/n] ", "Kontynuować?", "*Tak=t Nie=n"),
        ("Продолжить? [Д/н] ", "Продолжить?", "*Да=д Нет=н"),
        ("是否继续（是/否）：", "是否继续", "是=是 否=否"),
        ("Continuer ? [O/n] ", "Continuer ?", "*Oui=o Non=n"),
        ("rm f1?...", "rm f1", "Yes=y No=n"),
        ("< rm ... ./f > ? ", "rm ... ./f", "Yes=y No=n"),
        ("zsh: correct 'gti' to 'git' [nyae]? ", "zsh: correct 'gti' to 'git'", "No=n Yes=y A=a E=e"),
        ("Accept? [yes|no]\n[no] >>> ", "Accept?", "Yes=yes *No=no"),
    ];
    for (shown, title, answers) in table {
        let sighting = sighting(shown, COOKED);
        let told = sighting.options.iter().filter(|option| option.is_offered()).map(|option| {
            let star = if option.description.as_deref() == Some("default") { "*" } else { "" };
            format!("{star}{}={}", option.label, option.number.as_deref().unwrap_or_default())
        });
        assert_eq!(
            (sighting.title.as_str(), told.collect::<Vec<_>>().join(" ")),
            (title, answers.to_owned()),
            "{shown:?}"
        );
        let yes_no = sighting.options.iter().filter(|option| option.role.is_some()).count() >= 2;
        assert_eq!(sighting.kind == PromptKind::Permission, yes_no, "{shown:?}");
    }
}

#[test]
fn what_brackets_say_is_a_default_only_where_it_can_be_one() {
    let table = [
        ("Region [eu-1]: ", "Region", Some("eu-1")),
        ("Enter your name (Paul Smith): ", "Enter your name", Some("Paul Smith")),
        ("package name: (shop) ", "package name", Some("shop")),
        ("Author [None, n to skip]: ", "Author", Some("None")),
        ("Port [default: 80]: ", "Port", Some("80")),
        ("Command (m for help): ", "Command (m for help)", None),
        ("Partition number (1-4): ", "Partition number (1-4)", None),
        ("Input file (must exist): ", "Input file (must exist)", None),
        ("Country Name (2 letter code) [AU]:", "Country Name (2 letter code)", Some("AU")),
    ];
    for (shown, title, default) in table {
        let sighting = sighting(shown, RAW);
        let placeholder = sighting.text.as_ref().and_then(|field| field.placeholder.as_deref());
        assert_eq!((sighting.title.as_str(), placeholder), (title, default), "{shown:?}");
    }
}

#[test]
fn secrets_are_known_by_their_words_in_many_languages() {
    for shown in [
        "Enter passphrase: ",
        "Unlock the wallet: ",
        "Passkey: ",
        "Mot de passe : ",
        "Contraseña: ",
        "Senha: ",
        "Hasło: ",
        "Пароль: ",
        "密码：",
        "AWS Secret Access Key [None]: ",
        "? \u{1b}[1mSay the magic word\u{1b}[0m ****",
    ] {
        let sighting = sighting(shown, RAW);
        assert!(sighting.text.as_ref().is_some_and(|field| field.secret && field.value.is_empty()), "{shown:?}");
        assert!(!sighting.title.contains('*'), "{shown:?}");
    }
}

#[test]
fn enter_alone_is_offered_where_the_program_says_so() {
    let table = [
        ("Region [eu-1]: ", true),
        ("Enter passphrase (empty for no passphrase): ", true),
        ("Nickname (optional): ", true),
        ("Your name: ", false),
        ("Password: ", false),
    ];
    for (shown, wanted) in table {
        let field = sighting(shown, COOKED).text.expect("a field");
        assert_eq!(field.may_be_empty, wanted, "{shown:?}");
    }
}

#[test]
fn a_secret_that_was_typed_above_is_not_told_with_the_next_question() {
    let sighting = sighting("Password: hunter2\nProceed? [y/N] ", COOKED);
    assert!(!sighting.description.contains("hunter2"), "{}", sighting.description);
    assert!(sighting.description.contains("Password"));
}

fn in_foreground(shown: &str, foreground: Foreground) -> Reading {
    Generic.read_screen(&Screen { foreground: Some(foreground), ..screen(shown, COOKED) })
}

#[test]
fn a_program_that_does_not_wait_for_its_terminal_asks_nothing() {
    for shown in [
        "Resolving dependencies: ",
        "checking whether the C compiler works? ",
        "Continue? [y/N] ",
        "Password: ",
        "Pick one:\n  1) a\n  2) b\nYour choice: ",
        "Waiting for the server (attempt 3)",
    ] {
        let reading = in_foreground(shown, Foreground::Elsewhere);
        assert!(matches!(reading, Reading::Busy { .. }), "{shown:?} is read as {reading:?}");
    }
    // One that waits for several things may ask, but only in a usual form.
    assert!(in_foreground("Continue? [y/N] ", Foreground::Polls).sighting().is_some());
    let log = in_foreground("last line of a log", Foreground::Polls);
    assert!(matches!(log, Reading::Busy { .. }), "{log:?}");
}

#[test]
fn a_program_that_reads_below_its_question_is_answered_there() {
    for (shown, build) in
        [("Do you accept the licence? (yes/no)\n", "generic-line"), ("What is your quest?\n", "generic-text")]
    {
        let reading = in_foreground(shown, Foreground::Reads);
        assert_eq!(reading.sighting().map(|sighting| sighting.build), Some(build), "{shown:?}");
        assert!(in_foreground(shown, Foreground::Polls).sighting().is_none(), "{shown:?}");
    }
    // Output that asks nothing, and a command at a shell.
    for shown in ["done.\n", "me@box:~$ cat?\n"] {
        assert!(in_foreground(shown, Foreground::Reads).sighting().is_none(), "{shown:?}");
    }
}
