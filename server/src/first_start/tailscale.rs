//! Tailscale, where a person has it: under which name this machine is known there, and what lets it carry the page.

use std::{
    path::{Path, PathBuf},
    process::Stdio,
    time::Duration,
};

use serde::Deserialize;

use crate::{config, programs};

/// How long it may take to say how it stands; it asks a program of its own that runs all the time.
const LIMIT: Duration = Duration::from_secs(5);

/// How Tailscale stands here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Tailscale {
    NotInstalled,
    NotConnected,
    Connected {
        program: PathBuf,
        /// The name of this machine, which only its own devices know.
        name: String,
    },
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Status {
    backend_state: String,
    #[serde(rename = "Self")]
    this: Option<Node>,
}

#[derive(Deserialize)]
struct Node {
    #[serde(rename = "DNSName")]
    name: String,
}

/// Asks it.
pub(super) async fn look() -> Tailscale {
    let Some(program) = programs::find_in("tailscale", Path::new("/")) else { return Tailscale::NotInstalled };
    let mut command = tokio::process::Command::new(&program);
    command.args(["status", "--json"]).stdin(Stdio::null()).stderr(Stdio::null()).kill_on_drop(true);
    let said = tokio::time::timeout(LIMIT, command.output()).await;
    match said.ok().and_then(Result::ok).and_then(|output| name_in(&output.stdout)) {
        Some(name) => Tailscale::Connected { program, name },
        None => Tailscale::NotConnected,
    }
}

/// What lets Tailscale carry what listens on this port, encrypted, until it is told otherwise.
pub(super) fn serve_words(port: u16) -> [String; 3] {
    ["serve".to_owned(), "--bg".to_owned(), port.to_string()]
}

fn name_in(status: &[u8]) -> Option<String> {
    let Status { backend_state, this } = serde_json::from_slice(status).ok()?;
    // Names are told with a dot at the end, which no browser sends.
    let name = this?.name.trim_end_matches('.').to_ascii_lowercase();
    (backend_state == "Running" && config::is_host(&name)).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn name_is_read_while_connected() {
        let status = |state: &str, name: &str| {
            format!(
                r#"{{"Version":"1.90.1","BackendState":"{state}","Self":{{"ID":"n1","DNSName":"{name}"}},"Peer":null}}"#
            )
        };
        assert_eq!(name_in(status("Running", "Box.tail1.ts.net.").as_bytes()), Some("box.tail1.ts.net".to_owned()));
        assert_eq!(name_in(status("Stopped", "box.tail1.ts.net.").as_bytes()), None);
        assert_eq!(name_in(status("Running", "").as_bytes()), None);
        assert_eq!(name_in(status("Running", "no name").as_bytes()), None);
        assert_eq!(name_in(br#"{"BackendState":"NeedsLogin","Self":null}"#), None);
        assert_eq!(name_in(b"failed to connect"), None);
    }
}
