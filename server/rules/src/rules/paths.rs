//! Patterns for files and hosts.

use crate::paths::resolve;

/// True when a resolved path matches a rule's pattern, seen from the folder. Either reading of a leading slash counts: from the
/// root, or from the folder as Claude has it.
pub(crate) fn matches_path(pattern: &str, path: &str, folder: &str, home: Option<&str>) -> bool {
    candidates(pattern, folder, home).iter().any(|pattern| glob(pattern, path))
}

/// The absolute patterns that a written one stands for.
fn candidates(pattern: &str, folder: &str, home: Option<&str>) -> Vec<String> {
    let at = |base: &str, rest: &str| format!("{}/{}", base.trim_end_matches('/'), rest.trim_start_matches('/'));
    let mut all = Vec::new();
    if let Some(rest) = pattern.strip_prefix("//") {
        all.push(format!("/{rest}"));
    } else if let Some(rest) = pattern.strip_prefix("~/") {
        all.push(format!("~/{rest}"));
        all.extend(home.map(|home| at(home, rest)));
    } else if let Some(rest) = pattern.strip_prefix('/') {
        all.push(pattern.to_owned());
        all.push(at(folder, rest));
    } else {
        let rest = pattern.strip_prefix("./").unwrap_or(pattern);
        if rest.contains('/') || pattern.starts_with("./") {
            all.push(at(folder, rest));
        } else {
            // A bare name matches at any depth, as in .gitignore.
            all.push(at(folder, rest));
            all.push(at(folder, &format!("**/{rest}")));
        }
    }
    let below: Vec<String> = all
        .iter()
        .filter(|pattern| !pattern.ends_with("**"))
        .map(|pattern| format!("{}/**", pattern.trim_end_matches('/')))
        .collect();
    all.extend(below);
    all.iter().map(|pattern| if pattern.contains("/../") { resolve(pattern, "/") } else { pattern.clone() }).collect()
}

/// `*` and `?` within one name, `**` across folders.
pub(crate) fn glob(pattern: &str, path: &str) -> bool {
    let pattern: Vec<&str> = pattern.split('/').collect();
    let path: Vec<&str> = path.split('/').collect();
    parts(&pattern, &path)
}

fn parts(pattern: &[&str], path: &[&str]) -> bool {
    // One row per part of the pattern: which lengths of the path it can have eaten.
    let mut reached = vec![false; path.len() + 1];
    reached[0] = true;
    for part in pattern {
        let mut next = vec![false; path.len() + 1];
        if *part == "**" {
            let mut any = false;
            for (at, here) in reached.iter().enumerate() {
                any |= *here;
                next[at] = any;
            }
        } else {
            for (at, here) in reached.iter().enumerate().take(path.len()) {
                if *here && wild(part, path[at]) {
                    next[at + 1] = true;
                }
            }
        }
        reached = next;
    }
    reached[path.len()]
}

/// A text with `*` and `?`.
pub(crate) fn wild(pattern: &str, text: &str) -> bool {
    let text: Vec<char> = text.chars().collect();
    let mut reached = vec![false; text.len() + 1];
    reached[0] = true;
    for each in pattern.chars() {
        let mut next = vec![false; text.len() + 1];
        if each == '*' {
            let mut any = false;
            for (at, here) in reached.iter().enumerate() {
                any |= *here;
                next[at] = any;
            }
        } else {
            for (at, here) in reached.iter().enumerate().take(text.len()) {
                next[at + 1] = *here && (each == '?' || each == text[at]);
            }
        }
        reached = next;
    }
    reached[text.len()]
}

/// The host of an address that is plain enough to be sure of it.
pub(crate) fn host_of(url: &str) -> Result<String, &'static str> {
    let rest = ["https://", "http://"].iter().find_map(|scheme| {
        let (head, rest) = url.split_at_checked(scheme.len())?;
        head.eq_ignore_ascii_case(scheme).then_some(rest)
    });
    let rest = rest.ok_or("the address is not of the web")?;
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let host = &rest[..end];
    if host.contains(['@', '\\', '%']) || rest[..end].contains(char::is_whitespace) {
        return Err("the address hides its host");
    }
    let host = host.to_ascii_lowercase();
    let (host, port) = host.split_once(':').map_or((host.as_str(), None), |(host, port)| (host, Some(port)));
    if port.is_some_and(|port| !matches!(port, "443" | "80")) {
        return Err("the address names a port");
    }
    let plain = |each: char| each.is_ascii_alphanumeric() || each == '-' || each == '.';
    if host.is_empty() || !host.chars().all(plain) {
        return Err("the host has unusual letters");
    }
    let host = host.strip_suffix('.').unwrap_or(host);
    if host.split('.').any(str::is_empty) {
        return Err("the host has an empty part");
    }
    Ok(host.to_owned())
}

/// To allow, the host itself or what a `*.` says; to deny, everything below it too.
pub(crate) fn matches_host(pattern: &str, host: &str, strict: bool) -> bool {
    match pattern.strip_prefix("*.") {
        Some(parent) => host.strip_suffix(parent).is_some_and(|rest| rest.ends_with('.')) || !strict && host == parent,
        None if pattern.contains('*') => wild(pattern, host),
        None => host == pattern || !strict && host.strip_suffix(pattern).is_some_and(|rest| rest.ends_with('.')),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_patterns_follow_gitignore() {
        for (pattern, path, expected) in [
            ("src/**", "/w/p/src/a/b.rs", true),
            ("src/**", "/w/p/srcs/a.rs", false),
            ("src/*", "/w/p/src/a.rs", true),
            ("src", "/w/p/src/a.rs", true),
            ("*.md", "/w/p/docs/a.md", true),
            ("*.md", "/w/q/a.md", false),
            ("/src/**", "/w/p/src/a.rs", true),
            ("//etc/**", "/etc/hosts", true),
            ("//etc/**", "/w/p/etc/hosts", false),
            ("**", "/w/p/a", true),
            ("**", "/w/q", false),
            (".env", "/w/p/x/.env", true),
            ("./.env", "/w/p/x/.env", false),
        ] {
            assert_eq!(matches_path(pattern, path, "/w/p", None), expected, "{pattern} {path}");
        }
    }

    #[test]
    fn hosts_cannot_be_disguised() {
        assert_eq!(host_of("https://docs.rs/x"), Ok("docs.rs".to_owned()));
        assert_eq!(host_of("HTTPS://DOCS.rs./x"), Ok("docs.rs".to_owned()));
        for url in [
            "https://docs.rs@evil.com/",
            "https://docs.rs\\.evil.com",
            "file:///etc/passwd",
            "https://docs.rs:8443/",
            "https://dоcs.rs/",
            "https://docs.rs%2eevil.com/",
        ] {
            assert!(host_of(url).is_err(), "{url}");
        }
        assert!(matches_host("docs.rs", "docs.rs", true));
        assert!(!matches_host("docs.rs", "docs.rs.evil.com", true));
        assert!(!matches_host("docs.rs", "xdocs.rs", false));
        assert!(!matches_host("docs.rs", "a.docs.rs", true));
        assert!(matches_host("docs.rs", "a.docs.rs", false));
        assert!(matches_host("*.docs.rs", "a.docs.rs", true));
        assert!(!matches_host("*.docs.rs", "docs.rs", true));
    }
}
