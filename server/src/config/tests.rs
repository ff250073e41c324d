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
    data_dir = \"/var/ab\"\ntmux = \"ab\"\nhooks = true\nresume_all = false\n";

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
