use std::net::{IpAddr, Ipv4Addr};

use proptest::prelude::*;

use super::{FileSettings, Flags, Mistake, Settings, Tls};

fn mistakes(text: &str) -> Vec<(usize, String)> {
    let mistakes = FileSettings::parse(text).expect_err("mistakes");
    mistakes.into_iter().map(|Mistake { line, reason }| (line, reason)).collect()
}

#[test]
fn every_mistake_is_told_with_its_line() {
    let found =
        mistakes("port = 70000\nlan = \"yes\"\n\ncolour = 1\ntls_cert = \"/a.pem\"\nallowed_hosts = [\"a:1\"]\n");
    let lines: Vec<usize> = found.iter().map(|(line, _)| *line).collect();
    assert_eq!(lines, [1, 2, 4, 5, 6], "{found:?}");
    assert!(found[0].1.contains("1 to 65535"));
    assert!(found[2].1.contains("no setting `colour`"));
    assert!(found[3].1.contains("`tls_cert` needs `tls_key`"));
}

#[test]
fn text_that_is_not_toml_is_told_with_its_line() {
    assert_eq!(mistakes("port = 1\nlan = = true\n")[0].0, 2);
}

#[test]
fn flags_win_over_the_file() {
    let file = FileSettings::parse("port = 1\nlan = true\ntls = true\n").expect("good file");
    let flags = Flags { port: Some(2), lan: Some(false), tls: Some(false), ..Flags::default() };
    let settings = Settings::merge(&flags, file.clone());
    assert_eq!((settings.port, settings.host, settings.tls), (2, IpAddr::V4(Ipv4Addr::LOCALHOST), Tls::Off));
    let settings = Settings::merge(&Flags::default(), file);
    assert_eq!((settings.port, settings.host, settings.tls), (1, IpAddr::V4(Ipv4Addr::UNSPECIFIED), Tls::SelfSigned));
}

#[test]
fn a_host_flag_is_stronger_than_lan_in_the_file() {
    let file = FileSettings::parse("lan = true\n").expect("good file");
    let host: IpAddr = "192.0.2.7".parse().expect("address");
    let settings = Settings::merge(&Flags { host: Some(host), ..Flags::default() }, file);
    assert_eq!(settings.host, host);
}

#[test]
fn only_loopback_is_listened_on_unless_asked() {
    assert!(Settings::merge(&Flags::default(), FileSettings::default()).is_loopback());
}

const GOOD: &str = "port = 4700\nlan = false\ntls = true\nallowed_hosts = [\"box.example\"]\nfolders = [\"/srv\"]\n\
    data_dir = \"/var/ab\"\ntmux = \"ab\"\nhooks = true\nresume_all = false\n\
    journal_days = 90\nmetrics = true\n";

proptest! {
    #[test]
    fn any_text_is_settings_or_mistakes_with_lines(text in "\\PC{0,200}") {
        if let Err(mistakes) = FileSettings::parse(&text) {
            prop_assert!(!mistakes.is_empty() && mistakes.iter().all(|mistake| mistake.line >= 1));
        }
    }

    #[test]
    fn a_good_file_with_anything_in_it_is_survived(at in 0usize..GOOD.len(), length in 0usize..12, put in "\\PC{0,12}") {
        let end = (at + length).min(GOOD.len());
        let text = format!("{}{put}{}", &GOOD[..at], &GOOD[end..]);
        if let Err(mistakes) = FileSettings::parse(&text) {
            let lines = text.matches('\n').count() + 1;
            prop_assert!(mistakes.iter().all(|mistake| mistake.line <= lines), "{:?}", mistakes);
        }
    }
}

/// Inputs that once broke a reader, or were written to.
#[test]
fn crashers_stay_harmless() {
    assert!(FileSettings::parse(GOOD).is_ok());
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/crashers/config");
    for entry in std::fs::read_dir(folder).expect("crashers") {
        let text = String::from_utf8_lossy(&std::fs::read(entry.expect("a file").path()).expect("a file")).into_owned();
        assert!(FileSettings::parse(&text).is_err(), "{text}");
    }
}

#[test]
fn described_prompts_are_read_with_their_answers() {
    let file = FileSettings::parse(
        "[[prompts]]\nform = \"Deploy *, captain\"\ntitle = \"Deploy\"\nanswers = { Aye = \"aye\", Belay = \"nay\" }\n\
         [[prompts]]\nform = \"Go (y) or stay (n)\"\nanswers = [\"y\", \"n\"]\none_key = true\n\
         [[prompts]]\nform = \"Speak, friend\"\nsecret = true\n",
    )
    .expect("good file");
    let told: Vec<_> =
        file.prompts.iter().map(|own| (own.form.as_str(), own.answers.len(), own.one_key, own.secret)).collect();
    let wanted = [
        ("Deploy *, captain", 2, false, false),
        ("Go (y) or stay (n)", 2, true, false),
        ("Speak, friend", 0, false, true),
    ];
    assert_eq!(told, wanted);
    assert!(file.prompts[0].answers.contains(&("Belay".to_owned(), "nay".to_owned())));
}

#[test]
fn mistakes_of_described_prompts_are_told_with_line_and_reason() {
    let table = [
        ("prompts = 1\n", 1, "[[prompts]]"),
        ("[[prompts]]\ntitle = \"x\"\n", 1, "needs a `form`"),
        ("[[prompts]]\nform = \"*\"\n", 2, "at least 3 letters"),
        ("[[prompts]]\nform = \"Sure of it\"\ncolour = 1\n", 3, "a prompt has no `colour`"),
        ("[[prompts]]\nform = \"Sure of it\"\nanswers = []\n", 3, "1 to 20"),
        ("[[prompts]]\nform = \"Sure of it\"\nanswers = [\"a\\nb\"]\n", 3, "one line of text"),
        ("[[prompts]]\nform = \"Sure of it\"\none_key = \"yes\"\n", 3, "true or false"),
        ("[[prompts]]\nform = \"Sure of it\"\nanswers = [\"yes\"]\none_key = true\n", 1, "one letter each"),
        ("[[prompts]]\nform = \"Sure of it\"\nanswers = [\"yes\"]\nsecret = true\n", 1, "no `answers`"),
    ];
    for (text, line, reason) in table {
        let found = mistakes(text);
        assert!(found.iter().any(|(at, said)| *at == line && said.contains(reason)), "{text:?}: {found:?}");
    }
}

#[test]
fn notify_table_is_read_and_its_mistakes_have_their_lines() {
    let text = "port = 1\n[notify]\ndwell = 2\nagain = [1, 30]\nquiet_lets = \"blocking\"\nquiet = \"22:00-07:30\"\n\
                content = \"question\"\ncontact = \"mailto:me@box.example\"\n";
    let notify = FileSettings::parse(text).expect("good file").notify;
    let minutes = |minutes: u64| std::time::Duration::from_secs(minutes * 60);
    assert_eq!(notify.plan.ladder, [minutes(1), minutes(30)]);
    let quiet = crate::notify::Quiet { from: 22 * 60, until: 7 * 60 + 30, lets: crate::notify::Lets::Blocking };
    assert_eq!((notify.plan.quiet, notify.content), (Some(quiet), crate::notify::Content::Question));

    let wrong = "[notify]\ndwell = -1\nagain = [15, 5]\nquiet = \"25:00-07:00\"\nquiet_lets = \"all\"\ncontent = 1\n\
                 contact = \"mailto:me@localhost\"\nloud = true\nidle_after = \"long\"\n";
    let mistakes = FileSettings::parse(wrong).expect_err("mistakes");
    assert_eq!(mistakes.iter().map(|mistake| mistake.line).collect::<Vec<_>>(), [2, 3, 4, 5, 6, 7, 8, 9]);
    assert_eq!(FileSettings::parse("notify = 1\n").expect_err("no table").len(), 1);
}

#[test]
fn other_channels_are_read_and_nothing_is_sent_in_the_clear() {
    let text = "[notify]\ncommand = [\"/usr/bin/tell\", \"me\"]\n[notify.ntfy]\ntopic = \"my-topic\"\n\
                token_file = \"/home/me/token\"\n";
    let notify = FileSettings::parse(text).expect("good file").notify;
    assert_eq!(notify.command, Some(("/usr/bin/tell".into(), vec!["me".to_owned()])));
    let ntfy = notify.ntfy.expect("a topic");
    assert_eq!((ntfy.server.as_str(), ntfy.topic.as_str()), ("https://ntfy.sh", "my-topic"));
    assert_eq!(ntfy.content, crate::notify::Content::Question, "no command unless it is asked for");
    for (wrong, line) in [
        ("[notify.ntfy]\nserver = \"http://ntfy.example\"\ntopic = \"t\"\n", 2),
        ("[notify.ntfy]\ntopic = \"a b\"\n", 2),
        ("[notify]\n[notify.ntfy]\n", 2),
        ("[notify]\ncommand = [\"tell\"]\n", 2),
        ("[notify]\ncommand = []\n", 2),
        ("[notify]\nntfy = \"t\"\n", 2),
    ] {
        let lines: Vec<_> = FileSettings::parse(wrong).expect_err(wrong).iter().map(|mistake| mistake.line).collect();
        assert_eq!(lines, [line], "{wrong}");
    }
}

#[test]
fn telegram_is_read_and_its_token_stands_nowhere_but_in_its_file() {
    let text = "[notify.telegram]\ntoken_file = \"/home/me/token\"\nfinished = true\n";
    let telegram = FileSettings::parse(text).expect("good file").notify.telegram.expect("a bot");
    assert_eq!(telegram.server, "https://api.telegram.org");
    assert_eq!(telegram.token, crate::notify::TokenSource::File("/home/me/token".into()));
    assert_eq!((telegram.content, telegram.finished), (crate::notify::Content::Question, true));
    for (wrong, line, reason) in [
        ("[notify]\n[notify.telegram]\nfinished = true\n", 2, "needs a `token_file`"),
        ("[notify.telegram]\ntoken = \"123:abc\"\n", 2, "a file of its own"),
        ("[notify.telegram]\ntoken_file = \"token\"\n", 2, "an absolute path"),
        ("[notify.telegram]\ntoken_file = \"/t\"\nserver = \"http://t.example\"\n", 3, "an https address"),
        ("[notify.telegram]\ntoken_file = \"/t\"\nchat = 1\n", 3, "no setting `chat`"),
        ("[notify]\ntelegram = true\n", 2, "must be a table"),
    ] {
        let mistakes = FileSettings::parse(wrong).expect_err(wrong);
        let [mistake] = &mistakes[..] else { panic!("{wrong}: {mistakes:?}") };
        assert_eq!(mistake.line, line, "{wrong}");
        assert!(mistake.reason.contains(reason) && !mistake.reason.contains("abc"), "{}", mistake.reason);
    }
}
