//! Where settings come from: the file, then the environment, then flags; the later wins. Asked of the real binary, because the
//! environment belongs to a whole process.

#![expect(clippy::expect_used, clippy::panic, reason = "a test that cannot run the binary has failed")]

use std::process::Command;

/// The port that `answerback doctor` would use, and whether it found a mistake.
fn doctor(file: &str, environment: &[(&str, &str)], flags: &[&str]) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let config = folder.path().join("config.toml");
    std::fs::write(&config, file).expect("a file");
    let mut command = Command::new(env!("CARGO_BIN_EXE_answerback"));
    command.env_clear().env("HOME", folder.path()).env("ANSWERBACK_CONFIG", &config);
    command.env("ANSWERBACK_DATA_DIR", folder.path().join("data"));
    command.envs(environment.iter().copied()).args(["doctor", "--json"]).args(flags);
    let output = command.output().expect("the doctor");
    let text = String::from_utf8_lossy(&output.stdout);
    let Ok(findings) = serde_json::from_str::<Vec<serde_json::Value>>(&text) else {
        return String::from_utf8_lossy(&output.stderr).into_owned();
    };
    let of =
        |what: &str| findings.iter().find(|finding| finding["what"] == what).map(|finding| finding["detail"].clone());
    let detail = of("port").or_else(|| of("configuration")).unwrap_or_else(|| panic!("neither: {text}"));
    detail.as_str().expect("text").to_owned()
}

#[test]
fn flags_win_over_the_environment_and_that_over_the_file() {
    let port = |port: &str, environment: &[(&str, &str)], flags: &[&str], from: &str| {
        let said = doctor("port = 46101\n", environment, flags);
        assert!(said.starts_with(port), "{from}: {said}");
    };
    port("46101", &[], &[], "the file");
    port("46102", &[("ANSWERBACK_PORT", "46102")], &[], "the environment");
    port("46103", &[("ANSWERBACK_PORT", "46102")], &["--port", "46103"], "a flag");
}

#[test]
fn mistakes_are_told_wherever_they_are() {
    let file = doctor("port = 46101\nlan = 3\n", &[("ANSWERBACK_PORT", "46102")], &[]);
    assert!(file.contains("config.toml:2: `lan` must be true or false"), "{file}");
    let environment = doctor("", &[("ANSWERBACK_PORT", "many")], &[]);
    assert!(environment.contains("'many'") && environment.contains("--port"), "{environment}");
    let both = doctor("", &[("ANSWERBACK_HOST", "127.0.0.1")], &["--lan"]);
    assert!(both.contains("cannot be used with"), "{both}");
}
