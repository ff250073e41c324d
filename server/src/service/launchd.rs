//! The launchd property list.

use std::path::PathBuf;

use super::{MARK, Service};

/// The list's text.
pub(super) fn plist(service: &Service) -> String {
    let program = service.program.to_string_lossy().into_owned();
    let words = [program, "serve".to_owned()].into_iter().chain(service.flags.iter().cloned());
    let arguments: String = words.map(|word| format!("        <string>{}</string>\n", escaped(&word))).collect();
    let log = service.home.join("Library/Logs/answerback.log");
    format!(
        r#"<?xml version="1.0" encoding="UTF-8"?>
<!-- {MARK}; `answerback service uninstall` takes it away. -->
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
    <key>Label</key>
    <string>dev.answerback</string>
    <key>ProgramArguments</key>
    <array>
{arguments}    </array>
    <key>EnvironmentVariables</key>
    <dict>
        <key>PATH</key>
        <string>{path}</string>
    </dict>
    <key>RunAtLoad</key>
    <true/>
    <key>KeepAlive</key>
    <dict>
        <key>SuccessfulExit</key>
        <false/>
    </dict>
    <!-- Only the server is stopped; tmux and the CLIs in it run on. -->
    <key>AbandonProcessGroup</key>
    <true/>
    <key>StandardErrorPath</key>
    <string>{log}</string>
</dict>
</plist>
"#,
        path = escaped(&service.path),
        log = escaped(&log.to_string_lossy()),
    )
}

/// The program that a list of ours starts.
pub(super) fn program(text: &str) -> Option<PathBuf> {
    let (_, arguments) = text.split_once("<key>ProgramArguments</key>")?;
    let (program, _) = arguments.split_once("<string>")?.1.split_once("</string>")?;
    Some(program.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&").into())
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_says_everything_and_spares_the_sessions() {
        let service = Service {
            program: "/Applications/R&D/answerback".into(),
            flags: vec!["--allowed-host".into(), "<box>".into()],
            path: "/opt/homebrew/bin:/usr/bin".into(),
            home: "/Users/me".into(),
            address: "127.0.0.1:4700".parse().expect("an address"),
        };
        let text = plist(&service);
        assert!(text.contains(MARK));
        for line in [
            "        <string>/Applications/R&amp;D/answerback</string>\n        <string>serve</string>\n",
            "<string>--allowed-host</string>\n        <string>&lt;box&gt;</string>\n",
            "<string>/opt/homebrew/bin:/usr/bin</string>",
            "<key>AbandonProcessGroup</key>\n    <true/>",
            "<string>/Users/me/Library/Logs/answerback.log</string>",
        ] {
            assert!(text.contains(line), "{line} is not in {text}");
        }
        assert_eq!(program(&text), Some(service.program));
        assert_eq!(text.matches("<dict>").count(), text.matches("</dict>").count());
    }
}
