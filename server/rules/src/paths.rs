//! What a file is, by its name alone: inside the folder or not, settings that decide what runs, secrets.

use std::borrow::Cow;

/// Where a path leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Place {
    /// `/dev/null` and the like: nothing is kept.
    Nowhere,
    /// Below the folder.
    Inside,
    /// The folder itself, or one above it.
    Above,
    /// Anywhere else.
    Outside,
}

/// A path without `.`, `..` and doubled slashes, as far as its letters tell; relative ones are seen from `from`.
pub(crate) fn resolve(path: &str, from: &str) -> String {
    let whole = if path.starts_with('/') { path.to_owned() } else { format!("{from}/{path}") };
    let mut parts: Vec<&str> = Vec::new();
    for part in whole.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            other => parts.push(other),
        }
    }
    format!("/{}", parts.join("/"))
}

/// Where an absolute, resolved path leads, seen from a resolved folder.
pub(crate) fn place_of(path: &str, folder: &str) -> Place {
    const NOWHERE: &[&str] = &["/dev/null", "/dev/stdout", "/dev/stderr", "/dev/stdin", "/dev/tty", "/dev/zero"];
    if NOWHERE.contains(&path) || path.strip_prefix("/dev/fd/").is_some_and(|number| number.parse::<u8>().is_ok()) {
        return Place::Nowhere;
    }
    if folder == "/" {
        // A session in the root of everything has no folder of its own.
        return Place::Outside;
    }
    if below(path, folder) {
        return if path == folder { Place::Above } else { Place::Inside };
    }
    if below(folder, path) { Place::Above } else { Place::Outside }
}

/// True for `folder` itself too.
pub(crate) fn below(path: &str, folder: &str) -> bool {
    folder == "/" || path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Files that decide what agents may do, or that run by themselves later.
const SETTINGS: &[&str] = &[
    ".git",
    ".gitconfig",
    ".config/git",
    ".husky",
    ".githooks",
    ".claude",
    ".claude.json",
    ".codex",
    ".gemini",
    ".qwen",
    ".opencode",
    "opencode.json",
    ".copilot",
    ".cursor",
    ".mcp.json",
    ".vscode",
    ".idea",
    ".devcontainer",
    ".envrc",
    ".bashrc",
    ".bash_profile",
    ".bash_login",
    ".bash_aliases",
    ".bash_logout",
    ".profile",
    ".zshrc",
    ".zprofile",
    ".zshenv",
    ".zlogin",
    ".inputrc",
    ".kshrc",
    "config.fish",
    ".config/fish",
    "crontab",
    ".ssh",
    ".config/autostart",
    "launchagents",
    "launchdaemons",
    "systemd/user",
    "sudoers",
    "sudoers.d",
    ".npmrc",
    ".yarnrc",
    ".yarnrc.yml",
    ".cargo/config",
    ".cargo/config.toml",
    ".pip",
    "pip.conf",
    ".vimrc",
    ".exrc",
    ".gdbinit",
    ".tmux.conf",
    ".direnvrc",
    ".mailcap",
];

/// Answerback's own: rules, keys, journal.
const OWN: &[&str] = &[
    ".config/answerback",
    ".local/share/answerback",
    ".local/state/answerback",
    ".answerback",
    "answerback/rules.toml",
];

/// True when writing there changes what runs or what is allowed. Case does not count: some file systems ignore it.
pub(crate) fn is_settings(path: &str) -> bool {
    names_one_of(path, SETTINGS)
}

/// True when the path is Answerback's own.
pub(crate) fn is_own(path: &str) -> bool {
    names_one_of(path, OWN) || path.to_ascii_lowercase().contains("library/application support/answerback")
}

fn names_one_of(path: &str, names: &[&str]) -> bool {
    let path = format!("/{}/", path.trim_matches('/').to_lowercase().replace("//", "/").replace("/./", "/"));
    names.iter().any(|name| path.contains(&format!("/{name}/")))
}

/// Passwords, keys and tokens are kept in files of such names.
pub(crate) fn is_secret(path: &str) -> bool {
    const FOLDERS: &[&str] = &[".ssh", ".gnupg", ".aws", ".kube", ".password-store", ".azure", "gcloud", "keychains"];
    const NAMES: &[&str] = &[
        ".netrc",
        ".pgpass",
        ".my.cnf",
        ".npmrc",
        ".pypirc",
        ".git-credentials",
        "credentials.json",
        ".credentials.json",
        "service-account.json",
        "auth.json",
        "oauth_creds.json",
        "secrets.json",
        "secrets.yml",
        "secrets.yaml",
        "shadow",
        "gshadow",
        "sudoers",
        "master.key",
        ".vault-token",
        ".htpasswd",
        "wallet.dat",
        "credentials",
        "environ",
    ];
    const ENDS: &[&str] = &[".pem", ".key", ".p12", ".pfx", ".kdbx", ".keystore", ".jks", ".ppk"];
    const HARMLESS: &[&str] = &["example", "sample", "template", "dist", "defaults", "test", "pub"];
    let path = path.trim_end_matches('/');
    // Every argument comes by here: what is small already is not copied.
    let small = path.bytes().all(|each| each.is_ascii() && !each.is_ascii_uppercase());
    let path: Cow<'_, str> = if small { path.into() } else { path.to_lowercase().into() };
    let name = path.rsplit('/').next().unwrap_or(&path);
    let last = name.rsplit('.').next().unwrap_or_default();
    if HARMLESS.contains(&last) || name == "known_hosts" {
        return false;
    }
    name == ".env"
        || name.starts_with(".env.")
        || name == ".envrc"
        || path.split('/').any(|part| FOLDERS.contains(&part))
        || path.ends_with(".docker/config.json")
        || ENDS.iter().any(|end| name.ends_with(end) && name.len() > end.len())
        || name.starts_with("id_rsa")
        || name.starts_with("id_ed25519")
        || NAMES.contains(&name)
}

/// Files that say what builds, tests and hooks run. Sources are the project's own code: a rule for its tests trusts them.
pub(crate) fn says_what_runs(path: &str) -> bool {
    const NAMES: &[&str] = &[
        "makefile",
        "gnumakefile",
        "package.json",
        "build.rs",
        "cargo.toml",
        "conftest.py",
        "setup.py",
        "setup.cfg",
        "pyproject.toml",
        "pytest.ini",
        "tox.ini",
        "noxfile.py",
        "tasks.py",
        "justfile",
        "rakefile",
        "gemfile",
        "gruntfile.js",
        "gulpfile.js",
        "dockerfile",
        "cmakelists.txt",
        "pom.xml",
        "go.mod",
        "mix.exs",
        "composer.json",
        "deno.json",
        "turbo.json",
        "nx.json",
        ".pre-commit-config.yaml",
    ];
    let path = path.to_lowercase();
    let name = path.rsplit('/').next().unwrap_or(&path);
    NAMES.contains(&name)
        || [".mk", ".gradle", ".gradle.kts", ".cmake"].iter().any(|end| name.ends_with(end))
        || name.starts_with("taskfile.")
        || name.starts_with("docker-compose")
        || name.starts_with("compose.")
        || name.starts_with(".eslintrc")
        || name.contains(".config.")
}

/// True for a pattern such as `.e*` that means a file with secrets among others.
pub(crate) fn matches_secret(pattern: &str) -> bool {
    const USUAL: &[&str] =
        &[".env", ".netrc", ".npmrc", ".pypirc", ".git-credentials", ".ssh", ".aws", ".gnupg", "id_rsa"];
    let is_pattern = |part: &&str| part.contains(['*', '?', '[', '{']) && part.starts_with(['.', '[', '{', 'i']);
    pattern.split('/').filter(is_pattern).any(|part| {
        // A bracket or a brace stands for whatever it may say.
        let open = part.replace(['[', ']', '{', '}', ','], "*");
        USUAL.iter().any(|name| crate::rules::matches_text(&open, name))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dots_and_neighbours_do_not_leave_unseen() {
        for (path, place) in [
            ("src/a.rs", Place::Inside),
            ("./src/../b", Place::Inside),
            ("../other", Place::Outside),
            ("src/../../p-evil/x", Place::Outside),
            ("/w/p/x", Place::Inside),
            ("/w/p-evil/x", Place::Outside),
            ("/w//p/./x", Place::Inside),
            (".", Place::Above),
            ("/", Place::Above),
            ("/dev/null", Place::Nowhere),
            ("/dev/../etc/x", Place::Outside),
            ("/tmp/x", Place::Outside),
        ] {
            assert_eq!(place_of(&resolve(path, "/w/p"), "/w/p"), place, "{path}");
        }
    }

    #[test]
    fn settings_are_known_in_any_spelling() {
        for path in ["/w/p/.git/config", "/w/p/.GIT/hooks/pre-commit", "/w/p/.claude/settings.json", "/h/.ssh/x"] {
            assert!(is_settings(path), "{path}");
        }
        for path in ["/w/p/.gitignore", "/w/p/src/git.rs", "/w/p/.github/workflows/x.yml"] {
            assert!(!is_settings(path), "{path}");
        }
    }
}
