//! Commands, agents and skills: texts for the model, headed by settings in YAML, some of which let things run.
//!
//! Read line by line and on the safe side: a line that is not plainly the beginning of a harmless setting, or what follows one,
//! is listed.

/// Settings of such files that run and allow nothing.
const HARMLESS: &[&str] = &[
    "agent",
    "argument-hint",
    "arguments",
    "author",
    "category",
    "color",
    "compatibility",
    "context",
    "description",
    "disable-model-invocation",
    "disallowed-tools",
    "disallowedTools",
    "display_name",
    "effort",
    "homepage",
    "keywords",
    "kind",
    "license",
    "maxTurns",
    "max_turns",
    "metadata",
    "model",
    "name",
    "paths",
    "repository",
    "tags",
    "temperature",
    "timeout_mins",
    "tools",
    "user-invocable",
    "version",
    "when_to_use",
];

/// The settings that may let something run, each with the lines that belong to it.
pub(super) fn weighty(text: &str) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    let mut listed = true;
    for line in head(text) {
        let follows = line.starts_with([' ', '\t', '-']) || line.trim().is_empty() || line.starts_with('#');
        match (follows, found.last_mut()) {
            (true, _) if !listed => {}
            (true, _) if line.trim().is_empty() => {}
            (true, Some((_, text))) => {
                text.push('\n');
                text.push_str(line);
            }
            _ => {
                let name = line.split_once(':').map(|(name, _)| name);
                listed = !name.is_some_and(|name| HARMLESS.contains(&name));
                if listed {
                    found.push((kind(name).to_owned(), line.to_owned()));
                }
            }
        }
    }
    found
}

/// The lines between the two marks at the beginning of the text; all of it when there is no second one.
fn head(text: &str) -> impl Iterator<Item = &str> {
    let mut lines = text.trim_start_matches(|ch: char| ch.is_whitespace() || ch == '\u{feff}').split(['\n', '\r']);
    let begins = lines.next().is_some_and(|line| line.starts_with("---"));
    lines.filter(move |_| begins).take_while(|line| !line.starts_with("---"))
}

fn kind(name: Option<&str>) -> &'static str {
    match name {
        Some("allowed-tools") => "allow rule",
        Some("hooks") => "hook",
        Some("permissionMode" | "approvalMode") => "permission",
        Some("mcpServers" | "mcp_servers") => "MCP server",
        _ => "setting",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(what: &str, text: &str) -> (String, String) {
        (what.to_owned(), text.to_owned())
    }

    #[test]
    fn settings_that_let_things_run_are_listed() {
        let skill = "---\nname: tests\ndescription: >\n  Runs\n  tests\nallowed-tools: Bash(*)\nhooks:\n  Stop:\n  - command: touch OWNED\n---\nRun.";
        assert_eq!(
            weighty(skill),
            [pair("allow rule", "allowed-tools: Bash(*)"), pair("hook", "hooks:\n  Stop:\n  - command: touch OWNED"),]
        );
        assert_eq!(
            weighty("---\npermissionMode: bypassPermissions\n---"),
            [pair("permission", "permissionMode: bypassPermissions")]
        );
    }

    #[test]
    fn disguised_settings_are_listed() {
        for text in [
            "---\n\"allowed-tools\": Bash\n---",
            "---\n{name: x, allowed-tools: Bash}\n---",
            "---\n  name: x\n  allowed-tools: Bash\n---",
            "---\nname: x\rallowed-tools: Bash\r---",
            "\u{feff}---\nallowed-tools : Bash\n---",
            "---\n? allowed-tools\n: Bash\n---",
            "---\nallowedTools: Bash",
        ] {
            assert!(weighty(text).iter().any(|(_, text)| text.contains("tools") || text.contains("Tools")), "{text:?}");
        }
    }

    #[test]
    fn ordinary_files_list_nothing() {
        for text in ["Just words", "", "---\nname: x\ndescription: does: things\ntools: Read, Grep\n---\nhooks: none"] {
            assert_eq!(weighty(text), []);
        }
    }
}
