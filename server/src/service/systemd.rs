//! The systemd unit.

use std::path::PathBuf;

use super::{MARK, Service};

/// The unit's text.
pub(super) fn unit(service: &Service) -> String {
    let mut command = vec![quoted(&service.program.to_string_lossy()), "serve".to_owned()];
    command.extend(service.flags.iter().map(|flag| quoted(flag)));
    format!(
        "# {MARK}; `answerback service uninstall` takes it away.
[Unit]
Description=Answerback: answer your AI coding agents from your phone
Requires=answerback.socket
After=answerback.socket

[Service]
ExecStart={command}
Environment={path}
WorkingDirectory=%h
Restart=on-failure
RestartSec=2
# Only the server is stopped; tmux and the CLIs in it run on.
KillMode=process

[Install]
WantedBy=default.target
",
        command = command.join(" "),
        path = quoted(&format!("PATH={}", service.path)),
    )
}

/// The text of the unit that holds the port.
pub(super) fn socket(service: &Service) -> String {
    format!(
        "# {MARK}; `answerback service uninstall` takes it away.
[Unit]
Description=The port of Answerback, held while it is stopped as well

[Socket]
ListenStream={address}
Backlog=1024
NoDelay=true

[Install]
WantedBy=sockets.target
",
        address = service.address,
    )
}

/// The program that a unit of ours starts.
pub(super) fn program(text: &str) -> Option<PathBuf> {
    let mut rest = text.lines().find_map(|line| line.strip_prefix("ExecStart=\""))?.chars();
    let mut program = String::new();
    loop {
        match rest.next()? {
            '"' => return Some(program.into()),
            '\\' => program.push(rest.next()?),
            doubled @ ('%' | '$') => {
                rest.next();
                program.push(doubled);
            }
            ch => program.push(ch),
        }
    }
}

/// One word for systemd: quoted, with everything taken literally that it would expand.
fn quoted(word: &str) -> String {
    let mut quoted = String::from("\"");
    for ch in word.chars() {
        match ch {
            '"' | '\\' => quoted.extend(['\\', ch]),
            '%' | '$' => quoted.extend([ch, ch]),
            '\n' => quoted.push_str("\\n"),
            ch => quoted.push(ch),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_unit_says_everything_and_spares_the_sessions() {
        let service = Service {
            program: "/opt/my tools/answerback".into(),
            flags: vec!["--port".into(), "4701".into(), "--allowed-host".into(), "a\"b\\c%d$e".into()],
            path: "/home/me/.local/bin:/usr/bin".into(),
            home: "/home/me".into(),
            address: "127.0.0.1:4701".parse().expect("an address"),
        };
        let text = unit(&service);
        assert!(text.starts_with(&format!("# {MARK}")), "{text}");
        let command = r#"ExecStart="/opt/my tools/answerback" serve "--port" "4701" "--allowed-host" "a\"b\\c%%d$$e""#;
        assert!(text.contains(command), "{text}");
        assert!(text.contains("\nEnvironment=\"PATH=/home/me/.local/bin:/usr/bin\"\n"), "{text}");
        assert!(text.contains("\nKillMode=process\n"), "stopping the service must not end the sessions");
        assert_eq!(
            text.lines().filter(|line| line.starts_with('[')).collect::<Vec<_>>(),
            ["[Unit]", "[Service]", "[Install]"]
        );
        assert!(text.contains("\nRequires=answerback.socket\n"), "{text}");
        assert_eq!(program(&text), Some(service.program.clone()));
        assert_eq!(
            program(&text.replace("/opt/my tools/answerback", r#"/a\"b\\c%%d$$e"#)),
            Some(r#"/a"b\c%d$e"#.into())
        );
        let text = socket(&service);
        assert_eq!(program(&text), None);
        assert!(text.starts_with(&format!("# {MARK}")), "{text}");
        assert!(text.contains("\nListenStream=127.0.0.1:4701\n"), "{text}");
    }
}
